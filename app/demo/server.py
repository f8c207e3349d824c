"""Runs the demo service on loopback: inside another program (`DemoServer`) or alone (`run`).

Importing it costs next to nothing: the service and its libraries are imported when it starts.
"""

import asyncio
import contextlib
import errno
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import asdict

from app.demo.options import DemoOptions, parse_options

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from app.demo.listener import Listener

__all__ = ["DemoAccess", "DemoOptions", "DemoServer", "run"]

HOST = "127.0.0.1"
STOP_SECONDS = 2.0
_MISUSED = 2


class DemoAccess(msgspec.Struct, frozen=True):
    """Everything a program needs to use a running demo service."""

    base_url: str
    client_id: str
    client_secret: str
    redirect_uri: str
    api_key: str
    user: str
    password: str


class DemoServer:
    """The demo service in a thread with its own event loop.

    It can be started again after it was stopped, on the same port and with the people added so far:
    to its callers that is a service that was away for a while.
    """

    def __init__(self, options: DemoOptions | None = None) -> None:
        self._options = options or DemoOptions()
        self._port = self._options.port
        self._service: ASGIApp | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listener: Listener | None = None

    def start(self) -> DemoAccess:
        """Start serving; returns once connections are accepted.

        Raises OSError when the port is taken, RuntimeError when it is running already.
        """
        if self._thread is not None:
            raise RuntimeError("The demo service is running already.")
        listening = _listen_on(self._port)
        self._port = listening.getsockname()[1]
        accepting: Future[None] = Future()
        self._thread = threading.Thread(
            target=self._serve, args=(listening, accepting), name="demo service", daemon=True
        )
        self._thread.start()
        try:
            accepting.result()
        except BaseException:
            self.stop()
            raise
        return self._access()

    def stop(self) -> None:
        """End within two seconds, calls under way included; may be called again and again."""
        thread, loop, listener = self._thread, self._loop, self._listener
        if thread is None:
            return
        if loop is not None and listener is not None and thread.is_alive():
            # The thread may be ending by itself this very moment.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(listener.end)
        thread.join(STOP_SECONDS)
        self._thread = None

    def _serve(self, listening: socket.socket, accepting: Future[None]) -> None:
        from app.demo.listener import Listener  # noqa: PLC0415 - see the module's docstring
        from app.demo.service import make_service  # noqa: PLC0415

        try:
            with listening:
                self._service = self._service or make_service(self._options)
                listener = Listener(self._service, lambda: accepting.set_result(None))
                asyncio.run(self._listen(listener, listening))
        except Exception as error:
            if accepting.done():
                raise
            accepting.set_exception(error)
        finally:
            self._loop = self._listener = None

    async def _listen(self, listener: "Listener", listening: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        await listener.serve([listening])

    def _access(self) -> DemoAccess:
        from app.demo import credentials  # noqa: PLC0415 - see the module's docstring

        return DemoAccess(
            base_url=f"http://{HOST}:{self._port}",
            client_id=credentials.CLIENT_ID,
            client_secret=credentials.CLIENT_SECRET,
            redirect_uri=self._options.redirect_uri,
            api_key=credentials.API_KEY,
            user=credentials.ADMINISTRATOR.email,
            password=credentials.ADMINISTRATOR.password,
        )


def run(arguments: Sequence[str]) -> int:
    """`frontdesk demo-service`: serve until interrupted or terminated; returns the exit code.

    The first line of output is the access as one JSON object, written once connections are
    accepted.
    """
    try:
        options = parse_options(arguments)
    except SystemExit as end:
        return int(end.code or 0)
    server = DemoServer(options)
    with _EndSignals() as signals:
        try:
            access = server.start()
        except OSError as error:
            print(_why_not(options.port, error), file=sys.stderr)
            return _MISUSED
        try:
            print(json.dumps(asdict(access)), flush=True)
            signals.wait()
        finally:
            server.stop()
    return 0


class _EndSignals:
    """While entered, Ctrl+C and a request to terminate wake `wait` and do nothing else.

    Only for the main thread. A pipe carries the signal, because a lock cannot be set safely from
    a signal handler.
    """

    def __enter__(self) -> Self:
        self._reading, self._writing = socket.socketpair()
        self._writing.settimeout(0)
        self._old_descriptor = signal.set_wakeup_fd(
            self._writing.fileno(), warn_on_full_buffer=False
        )
        self._numbers = [signal.SIGINT, signal.SIGTERM]
        if hasattr(signal, "SIGBREAK"):
            self._numbers.append(signal.SIGBREAK)
        self._old = {number: signal.signal(number, lambda *_: None) for number in self._numbers}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_descriptor)
        self._reading.close()
        self._writing.close()

    def wait(self) -> None:
        """Return once one of the signals arrives, or has arrived since entering."""
        while self._reading.recv(1)[0] not in self._numbers:
            pass


def _listen_on(port: int) -> socket.socket:
    # asyncio sends small answers at once only on sockets that name their protocol; without it
    # every call would wait some 40 ms for the other side's acknowledgement.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # Elsewhere this would let two programs share the port.
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def _why_not(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program. Choose another one with --port."
    return f"Port {port} cannot be used: {error.strerror}."
