"""One answer as it came over the line, and its body brought to full size within bounds."""

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

_GZIP_OR_ZLIB = 47
_BARE_DEFLATE = -15
_PLAIN = frozenset({"", "identity"})
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})


class TooHeavyError(Exception):
    """The body weighs more than an answer may."""


class GarbledError(Exception):
    """The body cannot be brought to full size: an unknown or damaged compression."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Status, media type (lower case, without parameters) and body; `retry_after` in seconds."""

    status: int
    media: str
    body: bytes
    retry_after: float | None = None


async def read_body(chunks: AsyncIterator[bytes], encoding: str, limit: int) -> bytes:
    """All of `chunks`, decompressed; raises TooHeavyError past `limit` bytes, packed or not, or
    GarbledError.

    A small packed body can grow a thousandfold, so it is never unpacked further than the limit.
    """
    encoding = encoding.strip().lower()
    if encoding not in _PLAIN | _PACKED:
        raise GarbledError(encoding)
    came = bytearray()
    async for chunk in chunks:
        came += chunk
        if len(came) > limit:
            raise TooHeavyError
    if encoding in _PLAIN:
        return bytes(came)
    try:
        return _unpacked(bytes(came), limit, _GZIP_OR_ZLIB)
    except GarbledError:
        if encoding != "deflate":
            raise
    # Seen in the field: deflate without the head that belongs to it.
    return _unpacked(bytes(came), limit, _BARE_DEFLATE)


def _unpacked(packed: bytes, limit: int, form: int) -> bytes:
    stream = zlib.decompressobj(form)
    try:
        body = stream.decompress(packed, limit + 1)
    except zlib.error as error:
        raise GarbledError("damaged") from error
    if len(body) > limit:
        raise TooHeavyError
    if not stream.eof or stream.unused_data:
        raise GarbledError("incomplete")
    return body


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait from `now`, from a number or a date; None when there is neither."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    return max(0.0, (moment - now).total_seconds())
