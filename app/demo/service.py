"""The demo service put together once it is started: its addresses, and one answer to each call.

A caller has to mean this computer: otherwise a page elsewhere could point a name of its own here
and read the account through a browser (DNS rebinding).
"""

import ipaddress
import logging
import time
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.demo.authorisation_attempts import CODE_SECONDS, Allowed, ExpiringValues
from app.demo.credentials import IssuedTokens, permissions_of
from app.demo.envelope import (
    CallError,
    Result,
    failed,
    invalid_input,
    not_permitted,
    success,
    unhandled,
    unknown_method,
)
from app.demo.faults import FaultMiddleware
from app.demo.formats.writers import FORMATS, format_of, writer_of
from app.demo.oauth import SignIn, TokenEndpoint
from app.demo.operations import OPERATIONS, DemoAccount, make_account
from app.demo.options import DemoOptions
from app.demo.parameters import read_parameters


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


_log = logging.getLogger(__name__)


class Calls:
    """Everything under /v1: from an address to the envelope."""

    def __init__(self, account: DemoAccount, options: DemoOptions, tokens: IssuedTokens) -> None:
        self._account = account
        self._options = options
        self._tokens = tokens

    async def answer(self, request: Request) -> Response:
        """One call; whatever happens the answer is an envelope (api-spec, Errors)."""
        started = time.perf_counter()
        format_name = format_of(request.scope["path"])
        try:
            result = await self._result(request)
            return success(result, started=started, format_name=self._writer(format_name))
        except CallError as error:
            return failed(error, started=started, format_name=format_name)
        except Exception:  # noqa: BLE001 - logged with its trace
            # The edge of the service: callers see code 500, the log sees the defect.
            _log.exception("A call of the demo service failed.")
            return failed(unhandled(), started=started, format_name=format_name)

    def _writer(self, format_name: str) -> str:
        as_objects = self._options.php_lists_as_objects
        return writer_of(format_name, php_lists_as_objects=as_objects)

    async def _result(self, request: Request) -> Result:
        name, _, format_name = request.path_params["call"].rpartition(".")
        operation = OPERATIONS.get(name)
        if operation is None or format_name not in FORMATS:
            raise unknown_method()
        if request.method not in operation.methods:
            raise unknown_method()
        permitted = permissions_of(request.headers.get("authorization"), self._tokens)
        if operation.permission not in permitted:
            raise not_permitted(operation.permission)
        return operation.work(self._account, self._options, await read_parameters(request))


def make_service(options: DemoOptions) -> Starlette:
    """The whole service for these options, its data made anew and held in memory."""
    tokens = IssuedTokens(options.token_lifetime)
    calls = Calls(make_account(options), options, tokens)
    codes: ExpiringValues[Allowed] = ExpiringValues(CODE_SECONDS)
    sign_in = SignIn(tokens, codes, options.redirect_uri)
    exchange = TokenEndpoint(tokens, codes, renews_refresh_token=options.renews_refresh_token)
    service = Starlette(
        routes=[
            Route("/v1/{call:path}", calls.answer, methods=["GET", "POST"]),
            *sign_in.routes(),
            *exchange.routes(),
        ],
        middleware=[
            Middleware(LoopbackHostOnly),
            Middleware(FaultMiddleware, faults=options.faults, slow_seconds=options.slow_seconds),
        ],
        exception_handlers={HTTPException: _nothing_there, Exception: _broken},
    )
    service.router.redirect_slashes = False
    return service


async def _nothing_there(request: Request, _error: Exception) -> Response:
    """An address or an HTTP method nothing answers is 404 in the envelope, like an operation."""
    format_name = format_of(request.scope["path"])
    return failed(unknown_method(), started=time.perf_counter(), format_name=format_name)


async def _broken(request: Request, _error: Exception) -> Response:
    """A defect outside of the calls is 500 in the envelope, too; the server logs it."""
    format_name = format_of(request.scope["path"])
    response = failed(unhandled(), started=time.perf_counter(), format_name=format_name)
    response.headers["Connection"] = "close"  # which the server will do, now that this got so far
    return response
