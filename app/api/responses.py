"""One answer as it came over the network, and its body brought to full size within bounds."""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator
from datetime import datetime
from email.utils import parsedate_to_datetime

import msgspec

_GZIP_OR_ZLIB = 47
_BARE_DEFLATE = -15
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
_NONE = re.compile(
    r"|identity|none|null|plain|binary|[78]bit|chunked"
    r"|utf-?(?:8|16|32)(?:le|be)?|(?:us-)?ascii|iso-?8859-\d{1,2}|latin-?\d|(?:windows-|cp)125\d"
)
"""Seen in the field where nothing is packed; the charset's name stands in the wrong field."""
_MOST_LAYERS = 3
_MOST_FILES = 10_000
_GZIP_HEAD = b"\x1f\x8b"
_FILLING = re.compile(rb"\0{0,65536}")
_WORD = re.compile(r"[a-z0-9._-]{1,20}")
_SLICE = 256 * 1024
_LONGEST_DATE = 100
_LONGEST_PAUSE = 1e9
"""Seconds; how long is really waited has limits of its own."""


class ResponseTooLargeError(Exception):
    """The body weighs more than an answer may."""


class UndecodableError(Exception):
    """The body cannot be brought to full size: a damaged compression."""


class BrokenOffError(UndecodableError):
    """The compressed body has no end."""


class UnknownPackingError(UndecodableError):
    """The body is packed in a way that was not asked for; the text is the service's word for it."""


class Response(msgspec.Struct, frozen=True):
    """Status, media type (lower case, without parameters) and body; `retry_after` in seconds."""

    status: int
    media: str
    body: bytes
    retry_after: float | None = None


PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
"""What a browser shows as a page somebody made for people, and not as data."""


def is_page(media: str) -> bool:
    """Whether an answer that calls itself `media` is a page; blank: it does not say, and may be."""
    return not media or media in PAGE_TYPES


async def read_body(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> bytes:
    """All of `chunks`, decompressed; raises ResponseTooLargeError past `limit` bytes, packed or
    not, or UndecodableError. `encoding` is the Content-Encoding, of which no more is taken than it
    means.

    A small packed body can grow a thousandfold, so it is never unpacked further than the limit.
    """
    layers = _layers(encoding)
    came = bytearray()
    async for chunk in chunks:
        came += chunk
        if len(came) > limit:
            raise ResponseTooLargeError
    body = bytes(came)
    del came
    for layer in reversed(layers):
        body = await _unpacked(body, limit, bare=layer == "deflate" and not _has_head(body))
    return body


def _layers(encoding: str) -> list[str]:
    """What was done to the body, first to last; raises UnknownPackingError."""
    words = [word.strip(" \t\"'").lower() for word in encoding.split(",")]
    layers = [word for word in words if not _NONE.fullmatch(word)]
    for word in layers:
        if word not in _PACKED:
            raise UnknownPackingError(word if _WORD.fullmatch(word) else "")
    if len(layers) > _MOST_LAYERS:
        raise UnknownPackingError(f"{layers[0]} ({len(layers)})")
    return layers


def _has_head(packed: bytes) -> bool:
    """Whether deflate has the head that belongs to it; seen in the field: it has none."""
    return (
        len(packed) > 1
        and packed[0] & 15 == zlib.DEFLATED
        and not (int.from_bytes(packed[:2]) % 31)
    )


async def _unpacked(packed: bytes, limit: int, *, bare: bool) -> bytes:
    """All of it, in slices, with a turn for everybody else after each.

    gzip may be several files one after the other, and zeros may fill up the last block.
    """
    whole = bytearray()
    place = 0
    for _ in range(_MOST_FILES):
        if place == len(packed):
            return bytes(whole)
        if place and (bare or not packed.startswith(_GZIP_HEAD, place)):
            break
        stream = zlib.decompressobj(_BARE_DEFLATE if bare else _GZIP_OR_ZLIB)
        pending = b""
        while not stream.eof:
            if not pending:
                pending = packed[place : place + _SLICE]
                place += len(pending)
            part = _step(stream, pending, min(limit - len(whole) + 1, _SLICE))
            pending = stream.unconsumed_tail
            if not (part or pending or stream.eof) and place == len(packed):
                raise BrokenOffError("incomplete")
            whole += part
            if len(whole) > limit:
                raise ResponseTooLargeError
            await asyncio.sleep(0)
        filled = _FILLING.match(packed, place - len(stream.unused_data))
        place = filled.end() if filled else place
    raise UndecodableError("something is left over")


def _step(stream: "zlib._Decompress", packed: bytes, most: int) -> bytes:
    try:
        return stream.decompress(packed, most)
    except zlib.error as error:
        raise UndecodableError("damaged") from error


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait from `now`, from a number or a date; None when there is neither."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), _LONGEST_PAUSE)
    try:
        moment = parsedate_to_datetime(text[:_LONGEST_DATE])
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    return min(max(0.0, (moment - now).total_seconds()), _LONGEST_PAUSE)
