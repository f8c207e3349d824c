"""The connection to the service: one attempt at one call, bounded in time and weight.

Every error of the network library becomes one of ours here, once. What the answer means, and
whether to try again, is left to others.
"""

import asyncio
import importlib.util
import socket
import ssl
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import truststore

from app.api import connection_errors
from app.api.addresses import is_loopback
from app.api.auth import Credential
from app.api.error_responses import is_refusal
from app.api.errors import ApiError, note_never_left
from app.api.requests import Limits, Request, RequestContext
from app.api.responses import (
    BrokenOffError,
    Response,
    ResponseTooLargeError,
    UndecodableError,
    UnknownPackingError,
    read_body,
    read_retry_after,
)

if importlib.util.find_spec("sniffio") is None:
    # The library below asks for it several times in each request, and each time all folders of
    # modules would be looked through again, on the thread of the event loop.
    sys.modules["sniffio"] = None  # type: ignore[assignment]  # what says that there is none

_CONNECTIONS = httpx.Limits(
    max_connections=8,
    max_keepalive_connections=4,
    # Shorter than any server's: a create over a connection the other end has just given up would
    # leave nobody knowing whether it arrived.
    keepalive_expiry=3.0,
)
_OF_THE_TIME = 0.9
_BY_DATE = frozenset({9, 10})
"""OpenSSL's numbers for a certificate that is not valid yet, or no longer."""


class _RequestAttempt(msgspec.Struct):
    """How far one attempt came: whether any byte of it may have left, and how the answer began."""

    left: bool = False
    status: int | None = None
    retry_after: float | None = None

    @property
    def in_doubt(self) -> bool:
        """Whether the call may have been carried out: it left, and was not refused."""
        return self.left and not is_refusal(self.status)

    async def trace(self, event: str, info: dict[str, Any]) -> None:
        """Told by the network library at every step it takes."""
        if event.endswith("send_request_headers.started"):
            # A request to open a way through a proxy is not yet the call itself.
            self.left |= info["request"].method != b"CONNECT"


class Transport:
    """Sends calls to one service with one credential; closed once, by its owner."""

    def __init__(self, base_url: str, auth: Credential, format_name: str, limits: Limits) -> None:
        """`base_url` without a slash at its end; its path is kept in front of every call."""
        self._base_url = base_url
        self._host = urlsplit(base_url).hostname or ""
        self._auth = auth
        self._format = format_name
        self._limits = limits
        self._client: httpx.AsyncClient | None = None
        self._closed = False

    def context(self, request: Request) -> RequestContext:
        """An attempt at `request` that begins now."""
        return RequestContext.now(request, self._host, self._url(request))

    async def send(self, context: RequestContext, seconds: float) -> Response:
        """The answer, whatever its status, within `seconds`; raises ApiError."""
        attempt = _RequestAttempt()
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(context, attempt, seconds)
        except asyncio.CancelledError as cancelled:
            if not attempt.left:
                note_never_left(cancelled)
            raise
        except TimeoutError as error:
            raise connection_errors.too_slow(
                context, "the deadline passed", in_doubt=attempt.in_doubt
            ) from error
        except ResponseTooLargeError as error:
            raise connection_errors.response_too_large(
                context, attempt.status or 0, retry_after=attempt.retry_after
            ) from error
        except BrokenOffError as error:
            raise connection_errors.cut_off(
                context,
                attempt.status or 0,
                "the packing has no end",
                retry_after=attempt.retry_after,
            ) from error
        except UndecodableError as error:
            packing = str(error) if isinstance(error, UnknownPackingError) else ""
            raise connection_errors.not_unpacked(
                context,
                attempt.status or 0,
                str(error),
                packing,
                retry_after=attempt.retry_after,
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as error:
            raise _named(error, context, attempt) from error

    async def aclose(self) -> None:
        """End every connection; calls under way and later ones fail with Unreachable."""
        self._closed = True
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _exchange(
        self, context: RequestContext, attempt: _RequestAttempt, seconds: float
    ) -> Response:
        request = context.request
        client = self._open(context)
        outgoing = client.build_request(
            request.method,
            f"{self._url(request)}?{request.query}" if request.query else self._url(request),
            content=request.body,
            headers={"Content-Type": request.media} if request.media else None,
            timeout=self._timeout(request, seconds),
            extensions={"trace": attempt.trace},
        )
        incoming = await client.send(outgoing, auth=self._auth, stream=True)
        try:
            attempt.status = incoming.status_code
            told = incoming.headers.get("Retry-After")
            attempt.retry_after = read_retry_after(told, datetime.now(UTC))
            return await self._read(incoming, attempt.retry_after)
        finally:
            await incoming.aclose()
            if _left_over(incoming):
                # The next call would take it for its own answer.
                await incoming.extensions["network_stream"].aclose()

    async def _read(self, response: httpx.Response, retry_after: float | None) -> Response:
        headers, limit = response.headers, self._limits.answer
        announced = headers.get("Content-Length", "")
        if announced.isdigit() and int(announced[:18]) > limit:
            raise ResponseTooLargeError
        encoding = headers.get("Content-Encoding", "")
        return Response(
            status=response.status_code,
            media=headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            body=await read_body(response.aiter_raw(), encoding, limit),
            retry_after=retry_after,
        )

    def _open(self, context: RequestContext) -> httpx.AsyncClient:
        if self._closed:
            raise connection_errors.closed(context)
        if self._client is None:
            try:
                self._client = self._new_client()
            except (ValueError, ImportError, httpx.InvalidURL) as error:
                # Only the proxies named by this computer's settings can be wrong here.
                reason = "the proxy in this computer's settings cannot be used"
                raise connection_errors.stopped_by_proxy(context, reason) from error
        return self._client

    def _new_client(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            # Schools and virus scanners put certificates into the system's store, nowhere else.
            verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            limits=_CONNECTIONS,
            follow_redirects=False,
            trust_env=not is_loopback(self._host),
            headers={"Accept-Encoding": "gzip", "User-Agent": "FrontDesk"},
        )
        # Each call stands alone: what a service would have us carry along is not kept.
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
        return client

    def _timeout(self, request: Request, seconds: float) -> httpx.Timeout:
        limits = self._limits
        silence = limits.deadline if request.creates else limits.silence
        # Connecting ends before the deadline does: a handshake that is cancelled from outside
        # would leave its socket to the garbage collector.
        return httpx.Timeout(silence, connect=min(limits.connect, seconds * _OF_THE_TIME))

    def _url(self, request: Request) -> str:
        return f"{self._base_url}/v1/{request.operation}.{self._format}"


def _left_over(response: httpx.Response) -> bool:
    """Whether more came than the answer. Only the library's inside knows; a test holds it to that.

    Seen in the field: a server or a box in between that ends an answer too early.
    """
    inside: Any = response.stream
    for name in ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state"):
        inside = getattr(inside, name, None)
    return bool(inside and inside.trailing_data[0])


def _named(error: Exception, context: RequestContext, attempt: _RequestAttempt) -> ApiError:
    """Our error for one of the network library's."""
    kind = type(error).__name__
    match error:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.InvalidURL() | UnicodeError():
            return _not_connected(error, context)
        case httpx.ProxyError():
            return connection_errors.stopped_by_proxy(context, kind)
        case httpx.TimeoutException():
            return connection_errors.too_slow(context, kind, in_doubt=attempt.in_doubt)
        case _ if attempt.status is not None:
            return connection_errors.cut_off(
                context, attempt.status, kind, retry_after=attempt.retry_after
            )
        case httpx.RemoteProtocolError() if "disconnected" not in str(error):
            return connection_errors.not_the_service(context, kind)
    return connection_errors.lost(context, kind, in_doubt=attempt.in_doubt)


def _not_connected(error: Exception, context: RequestContext) -> ApiError:
    causes = tuple(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            by_date = cause.verify_code in _BY_DATE
            return connection_errors.not_trusted(context, cause.verify_message, by_date=by_date)
        if isinstance(cause, ssl.SSLError):
            return connection_errors.not_encrypted(context, cause.reason or "no safe connection")
        if isinstance(cause, socket.gaierror | httpx.InvalidURL | UnicodeError):
            return connection_errors.not_found(context)
    return connection_errors.not_reached(context, type(causes[-1]).__name__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
