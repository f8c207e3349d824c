"""The demo service of one account, which meddles with the calls it is told to, and can be watched.

It knows what a call goes through on its way; which call meets what, the plan says.
"""

import asyncio
import http.client
import json
import os
import signal
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.demo.credentials import IssuedTokens, Permission
from app.demo.faults import FaultMiddleware, InterceptedCall
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoServer
from app.demo.service import make_service

HERE_BEFORE = 10
_WEEK = 7 * 24 * 3600
_SLOW = 0.05
_FOR_ANOTHER = 1.0
"""Seconds, less than a call may take, so that who is alone is taken then; only until two were on
their way at once, from then on nobody is waited for.
"""
_LOOKING_ON = b"x-looking-on"
_LOSES_THE_REPLY = frozenset(FaultKind) - {FaultKind.SLOW, FaultKind.TOO_MANY}


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody in the service's list."""

    id: str
    firstname: str
    lastname: str
    email: str


class Meddling:
    """Around the service: what is done to the next calls, and who dies of one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.replies: deque[Fault | None] = deque()
        self.lists: deque[Fault | None] = deque()
        self.kill_at = ""
        self.kill_after = 0
        self.victim: int | None = None
        self.killed: list[str] = []
        self.lost_replies = 0
        self.seconds = 0.0
        self.side_by_side = 0
        self.busy = 0
        self._creates = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] != "http" or any(name == _LOOKING_ON for name, _ in scope["headers"]):
            await self._app(scope, receive, send)
            return
        self.busy += 1
        try:
            if scope["path"].startswith("/v1/people/create"):
                self.side_by_side += self._creates > 0
                self._creates += 1
                try:
                    await self._on_the_way()
                    await self._create(scope, await _heard_whole(receive), send)
                finally:
                    self._creates -= 1
            else:
                await self._meet(_next(self.lists), scope, receive, send)
        finally:
            self.busy -= 1

    async def _on_the_way(self) -> None:
        """However slow the program is today, the first of several is overtaken by another."""
        until = time.monotonic() + _FOR_ANOTHER
        while self.seconds and not self.side_by_side and time.monotonic() < until:  # noqa: ASYNC110 - the service may begin anew in another loop
            await asyncio.sleep(self.seconds)
        await asyncio.sleep(self.seconds)

    async def _create(self, scope: Scope, receive: Receive, send: Send) -> None:
        stage = self._stage()
        call = InterceptedCall(self._app, scope, receive, send)
        match stage:
            case "request sent, not taken":
                self._kill(stage)
                await call.gone()
            case "request sent, taken":
                self._kill(stage)
                await call.finish()
            case "half a reply":
                await call.begin()
                self._kill(stage)
                await call.gone()
            case _:
                fault = _next(self.replies)
                self.lost_replies += fault is not None and fault.kind in _LOSES_THE_REPLY
                await self._meet(fault, scope, receive, send)

    async def _meet(self, fault: Fault | None, scope: Scope, receive: Receive, send: Send) -> None:
        if fault is None:
            await self._app(scope, receive, send)
        else:
            await FaultMiddleware(self._app, (fault,), _SLOW)(scope, receive, _at_once(send))

    def _stage(self) -> str:
        if not self.kill_at or self.victim is None:
            return ""
        self.kill_after -= 1
        return "" if self.kill_after > 0 else self.kill_at

    def _kill(self, stage: str) -> None:
        victim, self.victim, self.kill_at = self.victim, None, ""
        if victim is not None:
            self.killed.append(stage)
            os.kill(victim, signal.SIGKILL)


class WatchedService:
    """A demo service whose list can be looked at, and that can be away for a while."""

    def __init__(self) -> None:
        options = DemoOptions(people=HERE_BEFORE)
        self.meddling = Meddling(make_service(options))
        self._server = DemoServer(options)
        # What it would make itself at its first start.
        self._server._service = cast(Any, self.meddling)
        self.address = self._server.start().base_url
        self.here_before = frozenset(person.id for person in self.people())

    def stop(self) -> None:
        """Nobody answers any more; calls under way are dropped."""
        self._server.stop()

    def start(self) -> None:
        """It is there again, with everybody who was added."""
        self._server.start()

    def people(self) -> tuple[Listed, ...]:
        """Everybody, read without the program's own client and past everything that goes wrong."""
        host = urlsplit(self.address).netloc
        connection = http.client.HTTPConnection(host, timeout=20)
        try:
            headers = {_LOOKING_ON.decode(): "1", "Authorization": f"Bearer {token()}"}
            connection.request("GET", "/v1/people/getAll.json?page_size=1000", headers=headers)
            people = json.loads(connection.getresponse().read())["people"]
        finally:
            connection.close()
        listed = tuple(_listed(person) for person in people["person"])
        if len(listed) != people["total"]:
            raise AssertionError("an account has more people than one page holds")
        return listed


def token(seconds: float = _WEEK) -> str:
    """An access token that is good for so long."""
    begun = time.time() + seconds - 1
    return IssuedTokens(1, clock=lambda: begun).issue(Permission)


def _listed(person: dict[str, str]) -> Listed:
    return Listed(person["id"], person["firstname"], person["lastname"], person["email"])


def _next(planned: deque[Fault | None]) -> Fault | None:
    return planned.popleft() if planned else None


def _at_once(send: Send) -> Send:
    """`send`, with no wait asked for: the program's own is short in these rounds."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, b"0" if name.lower() == b"retry-after" else value)
                for name, value in message["headers"]
            ]
            message = {**message, "headers": headers}
        await send(message)

    return sent


async def _heard_whole(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """`receive`, once the whole request has come."""
    heard: list[Message] = []
    while not heard or (heard[-1]["type"] == "http.request" and heard[-1].get("more_body")):
        heard.append(await receive())
    return _first(heard, receive)


def _first(heard: Iterable[Message], receive: Receive) -> Callable[[], Awaitable[Message]]:
    waiting = deque(heard)

    async def hear() -> Message:
        return waiting.popleft() if waiting else await receive()

    return hear
