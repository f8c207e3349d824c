"""The only place that imports uvicorn, so that nobody pays for it who does not serve: one listening
socket of the demo service, served until told to end.
"""

import asyncio
import contextlib
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.demo.envelope import failed, invalid_input
from app.demo.faults import EXTENSION

KEEP_ALIVE_SECONDS = 75
_TURNS_TO_SETTLE = 10
_TURN_SECONDS = 0.01
_LINGER_NOT_AT_ALL = struct.pack("ii", 1, 0)


class _Connection:
    """A connection that faults can end (see `connection`)."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def close(self) -> None:
        self._transport.close()

    def reset(self) -> None:
        sock: socket.socket = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT_AT_ALL)
        self._transport.abort()


class _Protocol(H11Protocol):
    """HTTP/1.1, whose own complaints come in the envelope like every other answer."""

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, and hang up."""
        response = failed(invalid_input(msg), started=time.perf_counter())
        headers = [*response.raw_headers, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=response.status_code, headers=headers),
            h11.Data(data=bytes(response.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class Listener(uvicorn.Server):
    """Serves an application on a socket; `end` may be called from the loop's thread only."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                cast(Any, self._serve_call),
                http=_Protocol,
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            )
        )
        self._app = app
        self._ready = ready
        self._ended = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept, then say so."""
        await super().startup(sockets)
        self._ready()

    async def main_loop(self) -> None:
        """Wait for the end without uvicorn's ten wake-ups a second."""
        await self.on_tick(0)
        await self._ended.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drop what is under way, where uvicorn's own would wait for it."""
        loop = asyncio.get_running_loop()
        # Closed at once, asyncio would forget the callers it has just accepted and leave them
        # waiting: so accept nobody more, let those arrive, then close. Windows' loop cannot.
        for listening in sockets or []:
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(listening)
        for _ in range(_TURNS_TO_SETTLE):
            await asyncio.sleep(0)
        for server in self.servers:
            server.close()
        while self.server_state.connections or self.server_state.tasks:
            self._drop()
            await asyncio.sleep(_TURN_SECONDS)

    def end(self) -> None:
        """Drop every connection and every call under way, then finish."""
        self.should_exit = True
        self._ended.set()

    def _drop(self) -> None:
        # In this order, so that a call knows its caller is gone when it is cancelled.
        for connection in self._connections():
            connection.transport.abort()
        for task in self.server_state.tasks:
            task.cancel()

    async def _serve_call(self, scope: Scope, receive: Receive, send: Send) -> None:
        for connection in self._connections():
            if cast(object, connection.scope) is scope:
                held = _Connection(connection.transport)
                scope["extensions"] = {**scope.get("extensions", {}), EXTENSION: held}
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if not self.should_exit:
                raise

    def _connections(self) -> list[H11Protocol]:
        return [
            connection
            for connection in self.server_state.connections
            if isinstance(connection, H11Protocol)
        ]
