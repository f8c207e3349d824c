"""Bodies brought to full size, never beyond the limit, never half."""

import gzip
import zlib
from collections.abc import AsyncIterator

import pytest

from app.api.responses import ResponseTooLargeError, UndecodableError, read_body

TEXT = b'{"status": "ok"}' * 20


async def pieces(body: bytes, size: int = 7) -> AsyncIterator[bytes]:
    """The body as a line might bring it."""
    for place in range(0, len(body), size):
        yield body[place : place + size]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, ""),
        (TEXT, " Identity "),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), "X-GZIP"),
        (zlib.compress(TEXT), "deflate"),
        (zlib.compress(TEXT)[2:-4], "deflate"),
        (TEXT, "UTF-8"),
        (TEXT, "utf8"),
        (TEXT, "ISO-8859-1"),
        (TEXT, "windows-1252"),
        (TEXT, "none"),
        (TEXT, "None"),
        (TEXT, "8bit"),
        (TEXT, "binary"),
        (TEXT, ","),
        (TEXT, "identity, identity"),
        (gzip.compress(TEXT), "gzip, identity"),
        (gzip.compress(TEXT), "UTF-8, gzip"),
        (gzip.compress(TEXT), "gzip,"),
        (gzip.compress(TEXT), '"gzip"'),
        (gzip.compress(gzip.compress(TEXT)), "gzip, gzip"),
        (gzip.compress(zlib.compress(TEXT)), "deflate, gzip"),
        (gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]), "gzip"),
        (gzip.compress(TEXT) + gzip.compress(b""), "gzip"),
        (gzip.compress(TEXT) + bytes(64), "gzip"),
    ],
)
async def test_a_body_comes_out_whole(body: bytes, encoding: str) -> None:
    assert await read_body(pieces(body), encoding, len(TEXT)) == TEXT


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(TEXT)[:-1], "gzip"),
        (gzip.compress(TEXT) + b"more", "gzip"),
        (TEXT, "gzip"),
        (TEXT, "zstd"),
        (gzip.compress(TEXT), "gzip, gzip"),
        (gzip.compress(TEXT) + gzip.compress(TEXT)[:-9], "gzip"),
        (gzip.compress(TEXT) + bytes(8) + b"more", "gzip"),
        (zlib.compress(TEXT) + zlib.compress(TEXT), "deflate"),
        (TEXT, "gzip, br"),
        (TEXT, "gzip, gzip, gzip, gzip"),
    ],
)
async def test_half_a_body_is_never_given(body: bytes, encoding: str) -> None:
    with pytest.raises(UndecodableError):
        await read_body(pieces(body), encoding, 10_000)


@pytest.mark.parametrize(("body", "encoding"), [(TEXT, ""), (gzip.compress(TEXT), "gzip")])
async def test_one_byte_over_the_limit_is_too_heavy(body: bytes, encoding: str) -> None:
    with pytest.raises(ResponseTooLargeError):
        await read_body(pieces(body), encoding, len(TEXT) - 1)


async def test_a_bomb_is_not_unpacked_to_find_out_its_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unpack, unpacked = zlib.decompressobj, list[int]()

    class Stream:
        """A real one, which tells how much comes out of it."""

        def __init__(self, how: int) -> None:
            self._stream = unpack(how)

        def decompress(self, packed: bytes, most: int = 0) -> bytes:
            part = self._stream.decompress(packed, most)
            unpacked.append(len(part))
            return part

        def __getattr__(self, name: str) -> object:
            return getattr(self._stream, name)

    monkeypatch.setattr(zlib, "decompressobj", Stream)
    bomb = gzip.compress(bytes(30_000_000))
    with pytest.raises(ResponseTooLargeError):
        await read_body(pieces(bomb, 10_000), "gzip", 100_000)
    assert sum(unpacked) == 100_001


async def test_nothing_packed_is_nothing() -> None:
    assert await read_body(pieces(b""), "gzip", 10) == b""
