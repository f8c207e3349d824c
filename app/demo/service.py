"""The demo service as an ASGI application: finds the operation, checks the caller, answers.

It knows nothing of sockets; `server` gives it a port, and any ASGI server could.
"""

import logging
import time

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.demo.credentials import Tokens, permissions_of
from app.demo.data import Account, make_account
from app.demo.envelope import CallError, failed, not_permitted, success, unhandled, unknown_method
from app.demo.faults import FaultMiddleware
from app.demo.formats import FORMATS
from app.demo.oauth import SignIn
from app.demo.operations import OPERATIONS
from app.demo.options import DemoOptions
from app.demo.parameters import read_parameters

_log = logging.getLogger(__name__)


class Calls:
    """Everything under /v1: from an address to the envelope."""

    def __init__(self, account: Account, options: DemoOptions, tokens: Tokens) -> None:
        self._account = account
        self._options = options
        self._tokens = tokens

    async def answer(self, request: Request) -> Response:
        """One call; whatever happens the answer is an envelope (api-spec, Errors)."""
        started = time.perf_counter()
        name, _, format_name = request.path_params["call"].rpartition(".")
        try:
            return await self._success(request, name, format_name, started)
        except CallError as error:
            return failed(error, started=started, format_name=format_name)
        except Exception:  # noqa: BLE001 - logged with its trace
            # The edge of the service: callers see code 500, the log sees the defect.
            _log.exception("A call of the demo service failed.")
            return failed(unhandled(), started=started, format_name=format_name)

    async def _success(
        self, request: Request, name: str, format_name: str, started: float
    ) -> Response:
        operation = OPERATIONS.get(name)
        if operation is None or format_name not in FORMATS:
            raise unknown_method()
        if request.method not in operation.methods:
            raise unknown_method()
        permitted = permissions_of(request.headers.get("authorization"), self._tokens)
        if operation.permission not in permitted:
            raise not_permitted(operation.permission)
        result = operation.work(self._account, self._options, await read_parameters(request))
        return success(result, started=started, format_name=format_name)


def make_service(options: DemoOptions) -> Starlette:
    """The whole service for these options, its data made anew and held in memory."""
    tokens = Tokens(options.token_lifetime)
    calls = Calls(make_account(options), options, tokens)
    sign_in = SignIn(tokens, options.redirect_uri)
    service = Starlette(
        routes=[
            Route("/v1/{call:path}", calls.answer, methods=["GET", "POST"]),
            *sign_in.routes(),
        ],
        middleware=[
            Middleware(FaultMiddleware, faults=options.faults, slow_seconds=options.slow_seconds)
        ],
        exception_handlers={HTTPException: _nothing_there},
    )
    service.router.redirect_slashes = False
    return service


async def _nothing_there(_request: Request, _error: Exception) -> Response:
    """An address or an HTTP method nothing answers is 404 in the envelope, like an operation."""
    return failed(unknown_method(), started=time.perf_counter())
