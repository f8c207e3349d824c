"""Bad behaviour on request: what networks and services do to a program, one kind at a time.

Only calls under /v1 meet faults; signing in never does. The share of calls is drawn from a fixed
seed, so that two runs with the same calls meet the same faults.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.demo.connection import connection_of
from app.demo.envelope import CallError, expired_token, failed, unhandled
from app.demo.options import Fault, FaultKind
from app.demo.wrong_types import Twister

SEED = 20270301
DRIP_BYTES = 16
DRIP_SECONDS = 0.25
RETRY_AFTER_SECONDS = 1

_WIRELESS_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Harbour Hotel guest wireless</title></head>
<body><h1>Welcome to Harbour Hotel</h1>
<p>Please accept the terms of use to go online.</p>
<form method="post" action="/accept"><button>Accept and connect</button></form>
</body></html>
"""


@dataclass(slots=True)
class _Answer:
    """What the service wanted to send, caught on its way out."""

    start: Message = field(default_factory=dict)
    body: bytes = b""

    async def catch(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
        else:
            self.body += message.get("body", b"")


@dataclass(frozen=True, slots=True)
class _Call:
    """One call under way: the ASGI parts, and the service behind."""

    app: ASGIApp
    scope: Scope
    receive: Receive
    send: Send

    async def work(self) -> _Answer:
        answer = _Answer()
        await self.app(self.scope, self.receive, answer.catch)
        return answer

    async def reply(self, response: Response) -> None:
        await response(self.scope, self.receive, self.send)

    async def send_part(self, body: bytes, *, more: bool) -> None:
        await self.send({"type": "http.response.body", "body": body, "more_body": more})

    async def gone(self, seconds: float | None = None) -> bool:
        """Whether the caller leaves within the time; None waits for as long as it takes."""
        try:
            async with asyncio.timeout(seconds):
                while (await self.receive())["type"] != "http.disconnect":
                    pass
        except TimeoutError:
            return False
        return True


class FaultMiddleware:
    """Lets calls through, or gives them the first of its faults whose turn it is."""

    def __init__(self, app: ASGIApp, faults: Sequence[Fault], slow_seconds: float) -> None:
        self._app = app
        self._faults = tuple(faults)
        self._slow_seconds = slow_seconds
        self._random = random.Random(SEED)  # noqa: S311 - a repeatable draw, not a secret
        self._twister = Twister()
        self._kinds: Mapping[FaultKind, Callable[[_Call], Awaitable[None]]] = {
            FaultKind.SLOW: self._slow,
            FaultKind.DRIP: self._drip,
            FaultKind.CUT: self._cut,
            FaultKind.RESET: self._reset,
            FaultKind.LOST: self._lost,
            FaultKind.TOO_MANY: self._too_many,
            FaultKind.BROKEN: self._broken,
            FaultKind.HTML: self._html,
            FaultKind.WRONG_TYPES: self._wrong_types,
            FaultKind.EXPIRED: self._expired,
            FaultKind.HANG: self._hang,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application around the service's own."""
        kind = self._draw(scope)
        if kind is None:
            await self._app(scope, receive, send)
        else:
            await self._kinds[kind](_Call(self._app, scope, receive, send))

    def _draw(self, scope: Scope) -> FaultKind | None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            return None
        # Each fault draws for each call, so that one fault's rate never shifts another's turns.
        hits = [fault.kind for fault in self._faults if self._random.random() < fault.rate]
        return hits[0] if hits else None

    async def _slow(self, call: _Call) -> None:
        answer = await call.work()
        if not await call.gone(self._slow_seconds):
            await call.send(answer.start)
            await call.send_part(answer.body, more=False)

    async def _drip(self, call: _Call) -> None:
        answer = await call.work()
        await call.send(answer.start)
        for place in range(0, len(answer.body), DRIP_BYTES):
            await call.send_part(answer.body[place : place + DRIP_BYTES], more=True)
            if await call.gone(DRIP_SECONDS):
                return
        await call.send_part(b"", more=False)

    async def _cut(self, call: _Call) -> None:
        answer = await call.work()
        await call.send(answer.start)
        await call.send_part(answer.body[: len(answer.body) // 2], more=True)
        connection_of(call.scope).close()
        await call.gone()

    async def _reset(self, call: _Call) -> None:
        connection_of(call.scope).reset()
        await call.gone()

    async def _lost(self, call: _Call) -> None:
        await call.work()
        connection_of(call.scope).close()
        await call.gone()

    async def _too_many(self, call: _Call) -> None:
        error = CallError(429, 429, "Too many requests. Please wait a moment.")
        response = failed(error, started=time.perf_counter())
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
        await call.reply(response)

    async def _broken(self, call: _Call) -> None:
        await call.reply(failed(unhandled(), started=time.perf_counter()))

    async def _html(self, call: _Call) -> None:
        await call.reply(HTMLResponse(_WIRELESS_PAGE))

    async def _wrong_types(self, call: _Call) -> None:
        answer = await call.work()
        body = self._twister.twist(answer.body)
        await call.reply(
            Response(body, answer.start["status"], media_type="application/json"),
        )

    async def _expired(self, call: _Call) -> None:
        await call.reply(failed(expired_token(), started=time.perf_counter()))

    async def _hang(self, call: _Call) -> None:
        await call.gone()
