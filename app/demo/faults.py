"""Bad behaviour on request: what networks and services do to a program, one kind at a time.

Only calls under /v1 meet faults; signing in never does. The share of calls is drawn from a fixed
seed, so that two runs with the same calls meet the same faults.
"""

import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.demo import foreign_answers
from app.demo.caught_call import CaughtCall
from app.demo.connection import connection_of
from app.demo.envelope import CallError, expired_token, failed, unhandled
from app.demo.formats.known import FORMATS, format_of, in_default
from app.demo.options import Fault, FaultKind, Moment
from app.demo.wrong_types import Twister

SEED = 20270301
DRIP_BYTES = 16
DRIP_SECONDS = 0.25
RETRY_AFTER_SECONDS = 1

_CHANGES_THE_WHOLE_ANSWER = {FaultKind.DRIP, FaultKind.HALF, FaultKind.WRONG_TYPES}
_KEEPS_THE_LENGTH = {FaultKind.SLOW, FaultKind.CUT, FaultKind.RESET, FaultKind.HANG}

_Effect = Callable[[CaughtCall], Awaitable[None]]


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
            FaultKind.HTML: _replying(foreign_answers.wireless_page),
            FaultKind.EMPTY: _replying(foreign_answers.nothing),
            FaultKind.REDIRECT: _replying(foreign_answers.elsewhere),
            FaultKind.BOMB: _replying(foreign_answers.bomb),
            FaultKind.WRONG_TYPES: self._wrong_types,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application around the service's own."""
        fault = self._draw(scope)
        if fault is None:
            await self._app(scope, receive, send)
            return
        call = CaughtCall(self._app, scope, receive, send)
        if fault.kind not in _CHANGES_THE_WHOLE_ANSWER:
            await _until(fault, call)
        await self._effects[fault.kind](call)

    def _draw(self, scope: Scope) -> Fault | None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            return None
        # Each fault draws for each call, so that one fault's rate never shifts another's turns.
        hits = [fault for fault in self._faults if self._random.random() < fault.rate]
        return hits[0] if hits else None

    async def _slow(self, call: CaughtCall) -> None:
        if not await call.gone(self._slow_seconds):
            await call.finish()

    async def _wrong_types(self, call: CaughtCall) -> None:
        # Types are seen in JSON: what is called in another format is worked in it and rewritten.
        format_name = format_of(call.scope["path"])
        answer = await call.work(path=in_default(call.scope["path"]))
        *head, key = tree = self._twister.twist(json.loads(answer.body))
        chosen = FORMATS[format_name]
        body = chosen.envelope(
            {name: tree[name] for name in head}, key, chosen.fragment(key, tree[key])
        )
        await call.reply(Response(body, answer.start["status"], media_type=chosen.media_type))


async def _until(fault: Fault, call: CaughtCall) -> None:
    """Let the call go on until the moment the fault strikes."""
    if fault.strikes is not Moment.BEFORE:
        await call.work()
    if fault.strikes is Moment.INSIDE:
        await call.begin(whole=fault.kind in _KEEPS_THE_LENGTH)


async def _drip(call: CaughtCall) -> None:
    answer = await call.work()
    await call.begin(share=0)
    for place in range(0, len(answer.body), DRIP_BYTES):
        await call.send_part(answer.body[place : place + DRIP_BYTES], more=True)
        if await call.gone(DRIP_SECONDS):
            return
    await call.send_part(b"", more=False)


async def _half(call: CaughtCall) -> None:
    await call.begin(whole=False)
    await call.send_part(b"", more=False)


async def _close(call: CaughtCall) -> None:
    connection_of(call.scope).close()
    await call.gone()


async def _reset(call: CaughtCall) -> None:
    connection_of(call.scope).reset()
    await call.gone()


async def _hang(call: CaughtCall) -> None:
    await call.gone()


def _replying(answer: Callable[[str], Response]) -> _Effect:
    """The effect of answering with this, made for the name of the format that was called."""

    async def effect(call: CaughtCall) -> None:
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
