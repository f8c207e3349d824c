"""Some seventy ways in which a server, or a box on the way to it, misbehaves; bytes, no library.

Each knows the good answer and spoils it; what is expected of the client stands beside it.
"""

import asyncio
import gzip
import json
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.api.errors import (
    ApiError,
    InputRefused,
    NotAuthorised,
    NotFound,
    NotPermitted,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
)

PERSON = {"id": "1", "firstname": "Ada"}
ANSWERS = {
    "getAll": {"status": "ok", "people": {"total": 1, "per_page": 100, "person": [PERSON]}},
    "create": {"status": "ok", "person": PERSON},
}
PAGE = b"<!DOCTYPE html><html><body>Welcome to our hotel</body></html>"
Writer = asyncio.StreamWriter
Spoil = Callable[[bytes, Writer], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Misbehaviour:
    """What is done with the good body, and how a read and a create end: None is a result."""

    name: str
    spoil: Spoil
    read: type[ApiError] | None
    create: type[ApiError] | None
    unknown: bool = False


def good(operation: str) -> bytes:
    """The body of a good answer."""
    return json.dumps(ANSWERS[operation]).encode()


def head(status: str = "200 OK", /, **fields: object) -> bytes:
    """A status line and fields; underscores stand for dashes."""
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode("latin-1")


def answer(status: str, body: bytes = b"", /, **fields: object) -> Spoil:
    """A whole answer with this body."""
    return sent(lambda _body: head(status, Content_Length=len(body), **fields) + body)


def failure(status: str, code: object, word: str = "fail", **fields: object) -> Spoil:
    """A failure in the envelope."""
    envelope = {"status": word, "error": {"code": code, "message": "No."}}
    return answer(status, json.dumps(envelope).encode(), **fields)


def changed(change: Callable[[bytes], bytes], **fields: object) -> Spoil:
    """The body changed, with the length it then has."""

    def whole(body: bytes) -> bytes:
        after = change(body)
        return head(Content_Length=len(after), **fields) + after

    return sent(whole)


def sent(make: Callable[[bytes], bytes], *, end: bool = False) -> Spoil:
    """What `make` makes of the body, all at once, and then perhaps the end."""

    async def spoil(body: bytes, writer: Writer) -> None:
        writer.write(make(body))
        await writer.drain()
        if end:
            writer.close()

    return spoil


def piecewise(make: Callable[[bytes], list[bytes]], pause: float, *, stay: bool = True) -> Spoil:
    """Piece after piece, and then nothing any more, or whatever is asked next."""

    async def spoil(body: bytes, writer: Writer) -> None:
        for piece in make(body):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        if stay:
            await asyncio.Event().wait()

    return spoil


def endless(start: bytes, piece: bytes) -> Spoil:
    """The same piece for ever, as fast as it is taken."""

    async def spoil(_body: bytes, writer: Writer) -> None:
        writer.write(start)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return spoil


def torn(make: Callable[[bytes], bytes]) -> Spoil:
    """Some bytes, and the connection reset."""

    async def spoil(body: bytes, writer: Writer) -> None:
        writer.write(make(body))
        await writer.drain()
        # What was written goes out before a reset would throw it away.
        await asyncio.sleep(0.02)
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return spoil


def sized(body: bytes) -> bytes:
    """A good answer."""
    return head(Content_Length=len(body)) + body


def chunked(body: bytes) -> bytes:
    """A good answer in chunks."""
    parts = [body[place : place + 7] for place in range(0, len(body), 7)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    return head(Transfer_Encoding="chunked") + chunks + b"0\r\n\r\n"


def in_chunks_of_one(body: bytes) -> bytes:
    """A packed answer, each byte a chunk of its own."""
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in gzip.compress(body))
    fields = head(Content_Encoding="gzip", Transfer_Encoding="chunked")
    return fields + chunks + b"0\r\n\r\n"


def packed(body: bytes, name: str = "gzip") -> bytes:
    """A packed answer with its right length."""
    return head(Content_Encoding=name, Content_Length=len(body)) + body


MUCH = bytes(3_000_000)
BOMB = gzip.compress(MUCH)
DEEP = b"[" * 100_000 + b"]" * 100_000
CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CLOSE = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
M = Misbehaviour
U = UnreadableAnswer

FINE = [
    M("in chunks", sent(chunked), None, None),
    M("in chunks, dripping in time",
      piecewise(lambda b: [chunked(b)[:60], chunked(b)[60:]], 0.01, stay=False), None, None),
    M("until the connection ends", sent(lambda b: CLOSE + b, end=True), None, None),
    M("as HTTP 1.0", sent(lambda b: b"HTTP/1.0 200 OK\r\n\r\n" + b, end=True), None, None),
    M("as HTTP 9.9", sent(lambda b: sized(b).replace(b"HTTP/1.1", b"HTTP/9.9")), None, None),
    M("after a hundred provisional answers",
      sent(lambda b: b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" * 100 + sized(b)), None, None),
    M("with garbage after it", sent(lambda b: sized(b) + b"garbage"), None, None),
    M("with a second answer after it", sent(lambda b: sized(b) + sized(b'{"status": "fail"}')),
      None, None),
    M("and then reset", torn(sized), None, None),
    M("and then closed", sent(sized, end=True), None, None),
    M("with bare line ends in the head",
      sent(lambda b: sized(b).replace(b"\r\n", b"\n", 3)), None, None),
    M("with a hundred header fields",
      sent(lambda b: sized(b).replace(b"\r\n", b"\r\n" + b"X: y\r\n" * 100, 1)), None, None),
    M("with a byte order mark", changed(lambda b: b"\xef\xbb\xbf" + b), None, None),
    M("with blank lines around", changed(lambda b: b"\r\n\r\n" + b + b"\n\n"), None, None),
    M("as a web page by its label", changed(lambda b: b, Content_Type="text/html"), None, None),
    M("without a label", sent(sized), None, None),
    M("in a character set that is none",
      changed(lambda b: b, Content_Type="application/json; charset=klingon"), None, None),
    M("packed", sent(lambda b: packed(gzip.compress(b))), None, None),
    M("packed the other way", sent(lambda b: packed(zlib.compress(b), "deflate")), None, None),
    M("packed the other way, without its head",
      sent(lambda b: packed(zlib.compress(b)[2:-4], "deflate")), None, None),
    M("packed and in chunks of one byte", sent(in_chunks_of_one), None, None),
    M("with cookies", changed(lambda b: b, Set_Cookie="who=you; Path=/"), None, None),
    M("with keys nobody knows",
      changed(lambda b: b[:-1] + b', "debug": {"a": [1, 2, {}]}}'), None, None),
    M("as created", sent(lambda b: sized(b).replace(b"200 OK", b"201 Created")), None, None),
]  # fmt: skip

BROKEN_OFF = [
    M("closed before the answer", sent(lambda _b: b"", end=True), Unreachable, Unreachable, True),
    M("reset before the answer", torn(lambda _b: b""), Unreachable, Unreachable, True),
    M("closed inside the status line", sent(lambda b: sized(b)[:9], end=True), Unreachable,
      Unreachable, True),
    M("closed inside the head", sent(lambda b: sized(b)[:30], end=True), Unreachable, Unreachable,
      True),
    M("closed after the head", sent(lambda b: head(Content_Length=len(b)), end=True), U, U, True),
    M("closed inside the body", sent(lambda b: sized(b)[:-9], end=True), U, U, True),
    M("reset inside the body", torn(lambda b: sized(b)[:-9]), U, U, True),
    M("shorter than its length says", sent(lambda b: head(Content_Length=len(b) + 1) + b, end=True),
      U, U, True),
    M("longer than its length says", sent(lambda b: head(Content_Length=len(b) - 5) + b), U, U,
      True),
    M("half of it as if it were all", changed(lambda b: b[: len(b) // 2]), U, U, True),
    M("half of it until the connection ends", sent(lambda b: CLOSE + b[:20], end=True), U, U, True),
    M("closed inside a chunk", sent(lambda b: chunked(b)[:-15], end=True), U, U, True),
    M("without a last chunk", sent(lambda b: chunked(b)[:-5], end=True), U, U, True),
    M("reset between two chunks", torn(lambda b: chunked(b)[:71]), U, U, True),
    M("a chunk whose size is none", sent(lambda b: CHUNKS + b"zz\r\n" + b + b"\r\n0\r\n\r\n"), U, U,
      True),
    M("a chunk whose size is endless", sent(lambda b: CHUNKS + b"f" * 30 + b"\r\n" + b), U, U,
      True),
    M("packed and cut off", sent(lambda b: packed(gzip.compress(b)[:-4])), U, U, True),
    M("packed with a wrong sum",
      sent(lambda b: packed(gzip.compress(b)[:-8] + b"\0" * 8)), U, U, True),
]  # fmt: skip

TOO_SLOW = [
    M("never", piecewise(lambda _b: [], 0), TooSlow, TooSlow, True),
    M("a head that drips", piecewise(lambda b: [b"%c" % byte for byte in sized(b)], 0.04), TooSlow,
      TooSlow, True),
    M("a head that never ends", piecewise(lambda _b: [b"HTTP/1.1 200 OK\r\nX: y"], 0), TooSlow,
      TooSlow, True),
    M("a head and nothing else", piecewise(lambda b: [head(Content_Length=len(b))], 0), TooSlow,
      TooSlow, True),
    M("a body that drips", piecewise(
        lambda b: [head(Content_Length=len(b)), *(b"%c" % byte for byte in b)], 0.04), TooSlow,
      TooSlow, True),
    M("chunks that drip", piecewise(
        lambda b: [CHUNKS, *(b"1\r\n%c\r\n" % byte for byte in b)], 0.04), TooSlow, TooSlow, True),
    M("the last byte never", piecewise(lambda b: [sized(b)[:-1]], 0), TooSlow, TooSlow, True),
    M("the last chunk never", piecewise(lambda b: [chunked(b)[:-5]], 0), TooSlow, TooSlow, True),
    M("provisional answers for ever",
      endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), TooSlow, TooSlow, True),
    M("a refusal that never ends",
      piecewise(lambda _b: [head("400 Bad", Content_Length=9)], 0), TooSlow, TooSlow, False),
    M("a body that drips blanks for ever",
      piecewise(lambda _b: [CHUNKS, *[b"1\r\n \r\n"] * 1000], 0.04), TooSlow, TooSlow, True),
]  # fmt: skip

TOO_MUCH = [
    M("a length beyond measure", sent(lambda _b: head(Content_Length=10**12)), U, U, True),
    M("a length of fifty digits", sent(lambda _b: head(Content_Length="9" * 50)), U, U, True),
    M("a body that never ends", endless(CLOSE, b" " * 65536), U, U, True),
    M("chunks that never end", endless(CHUNKS, b"2000\r\n" + b" " * 8192 + b"\r\n"), U, U, True),
    M("a head that never ends, fast", endless(b"HTTP/1.1 200 OK\r\n", b"X: yyyyyyyy\r\n" * 99), U,
      U, True),
    M("a status line that never ends", endless(b"HTTP/1.1 200 ", b"O" * 9999), U, U, True),
    M("a field of a megabyte", sent(lambda b: head(X="y" * 1_000_000) + b), U, U, True),
    M("a bomb", sent(lambda _b: packed(BOMB)), U, U, True),
    M("a bomb packed the other way", sent(lambda _b: packed(zlib.compress(MUCH), "deflate")),
      U, U, True),
    M("a bomb in a bomb", sent(lambda _b: packed(gzip.compress(BOMB), "gzip, gzip")), U, U, True),
    M("nested a hundred thousand deep", changed(lambda _b: DEEP), U, U, True),
    M("a number of a hundred thousand digits",
      changed(lambda b: b[:-1] + b', "x": ' + b"9" * 100_000 + b"}"), U, U, True),
]  # fmt: skip

SOMEBODY_ELSE = [
    M("another protocol", sent(lambda _b: b"SSH-2.0-OpenSSH_9.2\r\n\r\n", end=True), U, U, True),
    M("nothing but zeros", sent(lambda _b: bytes(99), end=True), U, U, True),
    M("a status that is no number", sent(lambda _b: b"HTTP/1.1 abc OK\r\n\r\n"), U, U, True),
    M("a status of four digits", sent(lambda _b: b"HTTP/1.1 2000 OK\r\n\r\n"), U, U, True),
    M("a status beyond the known", sent(lambda b: sized(b).replace(b"200 OK", b"799 What")), U, U,
      True),
    M("an upgrade", sent(lambda _b: head("101 Up", Upgrade="h2c", Connection="upgrade")), U, U,
      True),
    M("two lengths that differ",
      sent(lambda b: CLOSE[:-2] + b"Content-Length: 1\r\nContent-Length: 9\r\n\r\n" + b),
      U, U, True),
    M("a length below nothing", sent(lambda b: head(Content_Length="-1") + b), U, U, True),
    M("a packing nobody asked for", sent(lambda b: packed(b, "br")), U, U, True),
    M("another packing nobody asked for", sent(lambda b: packed(b, "zstd")), U, U, True),
    M("called packed and is not", sent(packed), U, U, True),
    M("a web page", answer("200 OK", PAGE, Content_Type="text/html"), U, U, True),
    M("a web page by another label", answer("200 OK", PAGE, Content_Type="text/plain"), U, U, True),
    M("a web page where something is missing", answer("404 Not Found", PAGE), U, U),
    M("a network that wants a sign-in of its own", answer("511 Sign In", PAGE), U, U, True),
    M("sent to another host", answer("302 Found", Location="http://127.0.0.1:1/"), U, U, True),
    M("sent on for good", answer("308 Moved", Location="/elsewhere"), U, U, True),
    M("sent on to nowhere", answer("301 Moved"), U, U, True),
    M("not changed", sent(lambda _b: head("304 Not Modified")), U, U, True),
    M("nothing", answer("200 OK"), U, U, True),
    M("nothing by its status", sent(lambda _b: head("204 No Content")), U, U, True),
    M("bare text", answer("200 OK", b"Error 17"), U, U, True),
    M("text in another encoding", changed(lambda _b: b'{"status": "ok\xff"}'), U, U, True),
    M("the same key twice", changed(lambda b: b[:-1] + b', "status": "ok"}'), U, U, True),
    M("two documents", changed(lambda b: b + b), U, U, True),
    M("a number that is none", changed(lambda b: b[:-1] + b', "x": NaN}'), U, U, True),
    M("a bare list", answer("200 OK", b"[]"), U, U, True),
    M("no status and no result", answer("200 OK", b"{}"), U, U, True),
    M("a result of another kind",
      answer("200 OK", b'{"status": "ok", "people": 7, "person": 7}'), U, U, True),
]  # fmt: skip

REFUSED = [
    M("a key nobody issued", failure("401 No", 102), NotAuthorised, NotAuthorised),
    M("access that ran out", failure("401 No", "121"), TokenExpired, TokenExpired),
    M("an id nobody has", failure("401 No", 33), InputRefused, InputRefused),
    M("a refusal with status 200", failure("200 OK", 250), InputRefused, InputRefused),
    M("a refusal by another word", failure("200 OK", 250, "error"), InputRefused, InputRefused),
    M("a fault with status 200", failure("200 OK", 500), ServiceFault, ServiceFault, True),
    M("an error beside a good status", failure("200 OK", 102, "ok"), NotAuthorised, NotAuthorised),
    M("a refusal without a word", answer("400 Bad"), InputRefused, InputRefused),
    M("not for you", answer("403 No", b"{"), NotPermitted, NotPermitted),
    M("nothing there", failure("404 Not Found", 17), NotFound, NotFound),
    M("too many, for ever", failure("429 Slow", 429, Retry_After="9"), TooManyRequests,
      TooManyRequests),
    M("too many, with a pause that is none", failure("429 Slow", 429, Retry_After="soon"),
      TooManyRequests, TooManyRequests),
    M("too many, as a web page", answer("429 Slow", PAGE), TooManyRequests, TooManyRequests),
    M("a fault", failure("500 Oh", 500), ServiceFault, ServiceFault, True),
    M("a fault as a web page", answer("502 Bad Gateway", PAGE), ServiceFault, ServiceFault, True),
    M("a fault that says it is fine", sent(lambda b: sized(b).replace(b"200 OK", b"503 No")),
      ServiceFault, ServiceFault, True),
]  # fmt: skip

ALL = [*FINE, *BROKEN_OFF, *TOO_SLOW, *TOO_MUCH, *SOMEBODY_ELSE, *REFUSED]
