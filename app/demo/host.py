"""Answers only callers who mean this computer: a page elsewhere can point a name of its own here.

Without it a browser would let such a page read the account (DNS rebinding).
"""

import ipaddress
import time
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from app.demo.envelope import failed, invalid_input
from app.demo.formats.known import format_of


class LoopbackHostOnly:
    """Refuses every request whose Host header names anything but this computer itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application around the service's own."""
        hosts = [value for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] != "http" or all(is_loopback_name(host) for host in hosts):
            await self._app(scope, receive, send)
            return
        error = invalid_input("This service answers to the names of this computer only.")
        started, format_name = time.perf_counter(), format_of(scope["path"])
        await failed(error, started=started, format_name=format_name)(scope, receive, send)


def is_loopback_name(host: bytes) -> bool:
    """Whether a Host header, with or without a port, is `localhost` or a loopback address."""
    try:
        parts = urlsplit(f"//{host.decode('ascii')}")
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.netloc.encode() != host or "@" in parts.netloc or port == 0:
        return False
    if name.removesuffix(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
