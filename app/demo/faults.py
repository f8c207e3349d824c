"""Faults asked for on the command line, put between a caller and the demo service's answers."""

import asyncio
import json
import random
import struct
import time
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from itertools import cycle
from typing import Protocol

import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.demo.envelope import CallError, expired_token, failed, unhandled
from app.demo.formats.writers import FORMATS, format_of, in_default
from app.demo.options import Fault, FaultKind, Moment

_Change = Callable[[object], object]


class Twister:
    """Changes the types in one answer after another, each time in the next of its ways."""

    def __init__(self) -> None:
        self._ways = cycle((_numbers_and_text_swapped, _lists_broken, _leaves_replaced, _hollow))

    def twist(self, envelope: Mapping[str, object]) -> dict[str, object]:
        """The same answer with wrong types; `status` stays, so that it looks like a success."""
        while (twisted := _all_but_status(next(self._ways), envelope)) == envelope:
            pass  # a way that finds nothing to change in this answer
        return twisted


def _all_but_status(change: _Change, envelope: Mapping[str, object]) -> dict[str, object]:
    return {name: value if name == "status" else change(value) for name, value in envelope.items()}


def _numbers_and_text_swapped(value: object) -> object:
    """Numbers as text, digits as numbers, any other text as a list of one."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return int(value) if value.isdecimal() else [value]
    return _inside(value, _numbers_and_text_swapped)


def _lists_broken(value: object) -> object:
    """A list as its one entry, as an object by number, or as blank text."""
    if isinstance(value, list):
        entries = [_lists_broken(entry) for entry in value]
        if len(entries) == 1:
            return entries[0]
        return {str(place): entry for place, entry in enumerate(entries)} if entries else ""
    return _inside(value, _lists_broken)


def _leaves_replaced(value: object) -> object:
    """Truth values, nothing and objects where text should stand."""
    if isinstance(value, str):
        return {"0": False, "1": True, "": None}.get(value, {"value": value})
    if isinstance(value, int):
        return float(value)
    return _inside(value, _leaves_replaced)


def _hollow(value: object) -> object:
    """Text where an object or a list should stand."""
    return "none" if isinstance(value, Mapping | list) else value


def _inside(value: object, change: _Change) -> object:
    if isinstance(value, dict):
        return {name: change(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [change(inner) for inner in value]
    return value


BOMB_MEGABYTES = 256
# A name that can never be found (RFC 2606), so that nobody is called by accident.
ELSEWHERE = "http://elsewhere.invalid/"

_WIRELESS_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Harbour Hotel guest wireless</title></head>
<body><h1>Welcome to Harbour Hotel</h1>
<p>Please accept the terms of use to go online.</p>
<form method="post" action="/accept"><button>Accept and connect</button></form>
</body></html>
"""
_GZIP_HEADER = bytes.fromhex("1f 8b 08 00 00 00 00 00 02 ff")


def wireless_page(_format_name: str) -> Response:
    """The page of a hotel's wireless, which calls itself fine."""
    return HTMLResponse(_WIRELESS_PAGE)


def nothing(_format_name: str) -> Response:
    """HTTP status 200 and no body."""
    return Response()


def elsewhere(_format_name: str) -> Response:
    """A redirect to another host, where no credential belongs."""
    return RedirectResponse(ELSEWHERE, status_code=302)


def bomb(_format_name: str) -> Response:
    """Blanks, packed so well that a small answer fills a memory."""
    headers = {"Content-Encoding": "gzip"}
    return Response(_packed_blanks(), headers=headers, media_type="application/json")


@cache
def _packed_blanks() -> bytes:
    """Gzip as RFC 1952 has it. Behind a full flush nothing refers to what was before, so that what
    holds one megabyte holds each.
    """
    megabyte, checksum = b" " * 1024 * 1024, 0
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(megabyte) + packing.flush(zlib.Z_FULL_FLUSH)
    for _ in range(BOMB_MEGABYTES):
        checksum = zlib.crc32(megabyte, checksum)
    trailer = struct.pack("<II", checksum, BOMB_MEGABYTES * len(megabyte))
    return _GZIP_HEADER + packed * BOMB_MEGABYTES + packing.flush() + trailer


class Answer(msgspec.Struct):
    """What the service wanted to send, caught on its way out."""

    start: Message = msgspec.field(default_factory=dict)
    body: bytes = b""

    async def catch(self, message: Message) -> None:
        """Stands in for ASGI's `send`."""
        if message["type"] == "http.response.start":
            self.start = message
        else:
            self.body += message.get("body", b"")


class InterceptedCall:
    """The ASGI parts of a call, the service behind, and how far the answer has come."""

    def __init__(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self._app = app
        self._receive = receive
        self._send = send
        self._answer: Answer | None = None
        self._sent: int | None = None
        self._heard: deque[Message] = deque()

    async def work(self, **changed: object) -> Answer:
        """Let the service do its work, once; `changed` are other values in the scope."""
        if self._answer is None:
            self._answer = Answer()
            await self._app({**self.scope, **changed}, self._hear, self._answer.catch)
        return self._answer

    async def begin(self, *, share: float = 0.5, whole: bool = True) -> None:
        """Send the head of the answer and a share (0 to 1) of its body.

        Not `whole`: the head does not say how long the body will be.
        """
        answer = await self.work()
        headers = [
            pair for pair in answer.start["headers"] if whole or pair[0] != b"content-length"
        ]
        await self._send({**answer.start, "headers": headers})
        self._sent = int(len(answer.body) * share)
        await self.send_part(answer.body[: self._sent], more=True)

    async def finish(self) -> None:
        """Whatever is left to do: the work, the head, the rest of the body."""
        answer = await self.work()
        if self._sent is None:
            await self.begin(share=0)
        await self.send_part(answer.body[self._sent or 0 :], more=False)

    async def reply(self, response: Response) -> None:
        """Answer with this; where the answer has begun, its body comes in place of the rest."""
        if self._sent is None:
            await response(self.scope, self._receive, self._send)
        else:
            await self.send_part(bytes(response.body), more=False)

    async def send_part(self, body: bytes, *, more: bool) -> None:
        """A part of the body; the last one unless there is `more`."""
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def gone(self, seconds: float | None = None) -> bool:
        """Whether the caller leaves within the time; None waits for as long as it takes."""
        try:
            async with asyncio.timeout(seconds):
                while (message := await self._receive())["type"] != "http.disconnect":
                    self._heard.append(message)
        except TimeoutError:
            return False
        return True

    async def _hear(self) -> Message:
        """ASGI's `receive`, beginning with what was heard while the work was held back."""
        return self._heard.popleft() if self._heard else await self._receive()


SEED = 20270301
DRIP_BYTES = 16
DRIP_SECONDS = 0.25
RETRY_AFTER_SECONDS = 1

_CHANGES_THE_WHOLE_ANSWER = {FaultKind.DRIP, FaultKind.HALF, FaultKind.WRONG_TYPES}
_KEEPS_THE_LENGTH = {FaultKind.SLOW, FaultKind.CUT, FaultKind.RESET, FaultKind.HANG}

_Effect = Callable[[InterceptedCall], Awaitable[None]]


class FaultMiddleware:
    """Lets calls through, or gives them the first of its faults whose turn it is."""

    def __init__(self, app: ASGIApp, faults: Sequence[Fault], slow_seconds: float) -> None:
        self._app = app
        self._faults = tuple(faults)
        self._slow_seconds = slow_seconds
        self._random = random.Random(SEED)  # noqa: S311 - a repeatable draw, not a secret
        self._twister = Twister()
        self._effects: Mapping[FaultKind, _Effect] = {
            FaultKind.SLOW: self._slow,
            FaultKind.DRIP: _drip,
            FaultKind.CUT: _close,
            FaultKind.HALF: _half,
            FaultKind.RESET: _reset,
            FaultKind.LOST: _close,
            FaultKind.HANG: _hang,
            FaultKind.TOO_MANY: _replying(_too_many),
            FaultKind.BROKEN: _replying(_broken),
            FaultKind.FAIL_200: _replying(_fail_200),
            FaultKind.EXPIRED: _replying(_expired),
            FaultKind.HTML: _replying(wireless_page),
            FaultKind.EMPTY: _replying(nothing),
            FaultKind.REDIRECT: _replying(elsewhere),
            FaultKind.BOMB: _replying(bomb),
            FaultKind.WRONG_TYPES: self._wrong_types,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application around the service's own."""
        fault = self._draw(scope)
        if fault is None:
            await self._app(scope, receive, send)
            return
        call = InterceptedCall(self._app, scope, receive, send)
        if fault.kind not in _CHANGES_THE_WHOLE_ANSWER:
            await _until(fault, call)
        await self._effects[fault.kind](call)

    def _draw(self, scope: Scope) -> Fault | None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            return None
        # Each fault draws for each call, so that one fault's rate never shifts another's turns.
        hits = [fault for fault in self._faults if self._random.random() < fault.rate]
        return hits[0] if hits else None

    async def _slow(self, call: InterceptedCall) -> None:
        if not await call.gone(self._slow_seconds):
            await call.finish()

    async def _wrong_types(self, call: InterceptedCall) -> None:
        # Types are seen in JSON: what is called in another format is worked in it and rewritten.
        format_name = format_of(call.scope["path"])
        answer = await call.work(path=in_default(call.scope["path"]))
        *head, key = tree = self._twister.twist(json.loads(answer.body))
        chosen = FORMATS[format_name]
        body = chosen.envelope(
            {name: tree[name] for name in head}, key, chosen.fragment(key, tree[key])
        )
        await call.reply(Response(body, answer.start["status"], media_type=chosen.media_type))


async def _until(fault: Fault, call: InterceptedCall) -> None:
    """Let the call go on until the moment the fault strikes."""
    if fault.strikes is not Moment.BEFORE:
        await call.work()
    if fault.strikes is Moment.INSIDE:
        await call.begin(whole=fault.kind in _KEEPS_THE_LENGTH)


async def _drip(call: InterceptedCall) -> None:
    answer = await call.work()
    await call.begin(share=0)
    for place in range(0, len(answer.body), DRIP_BYTES):
        await call.send_part(answer.body[place : place + DRIP_BYTES], more=True)
        if await call.gone(DRIP_SECONDS):
            return
    await call.send_part(b"", more=False)


async def _half(call: InterceptedCall) -> None:
    await call.begin(whole=False)
    await call.send_part(b"", more=False)


async def _close(call: InterceptedCall) -> None:
    connection_of(call.scope).close()
    await call.gone()


async def _reset(call: InterceptedCall) -> None:
    connection_of(call.scope).reset()
    await call.gone()


async def _hang(call: InterceptedCall) -> None:
    await call.gone()


def _replying(answer: Callable[[str], Response]) -> _Effect:
    """The effect of answering with this, made for the name of the format that was called."""

    async def effect(call: InterceptedCall) -> None:
        await call.reply(answer(format_of(call.scope["path"])))

    return effect


def _too_many(format_name: str) -> Response:
    error = CallError(429, 429, "Too many requests. Please wait a moment.")
    response = failed(error, started=time.perf_counter(), format_name=format_name)
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _broken(format_name: str) -> Response:
    return failed(unhandled(), started=time.perf_counter(), format_name=format_name)


def _fail_200(format_name: str) -> Response:
    return failed(unhandled(), started=time.perf_counter(), format_name=format_name, status=200)


def _expired(format_name: str) -> Response:
    return failed(expired_token(), started=time.perf_counter(), format_name=format_name)


EXTENSION = "frontdesk.connection"


class ClientConnection(Protocol):
    """The connection a request arrived on, as `listener` hands it through the ASGI scope."""

    def close(self) -> None:
        """Send what was written, then end."""

    def reset(self) -> None:
        """End at once, so that the other side sees a reset."""


class _NoConnection:
    """Stands in where the server gives no hold of its connections."""

    def close(self) -> None:
        pass

    def reset(self) -> None:
        pass


def connection_of(scope: Scope) -> ClientConnection:
    """The connection of this request."""
    found: ClientConnection = scope.get("extensions", {}).get(EXTENSION, _NoConnection())
    return found
