"""The credentials, and how each is put on a request (api-spec, Authentication).

They never show what they hold; keeping them is left to the vault, and getting new access to
`token_refresh`.
"""

import base64
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator

import httpx

from app.api.errors import NotAuthorised
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

_VISIBLE = re.compile(r"[!-~]+")


class ApiKey(httpx.Auth):
    """An account's API key: the user name of Basic authentication, with an empty password."""

    def __init__(self, key: str) -> None:
        """`key` as copied from the account's settings; blanks around it are dropped."""
        self._key = key.strip()
        remember_secret(self._key)

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Put the key on `request`."""
        pair = base64.b64encode(f"{self._key}:".encode(errors="replace")).decode("ascii")
        request.headers["Authorization"] = f"Basic {pair}"
        yield request

    def __repr__(self) -> str:
        """Without the key."""
        return "ApiKey(•••)"


class BearerToken(httpx.Auth):
    """An access token from signing in on the account's page."""

    def __init__(self, token: str) -> None:
        """Raises NotAuthorised for a token that no header could carry."""
        self._token = token.strip()
        if not _VISIBLE.fullmatch(self._token):
            raise NotAuthorised(
                tr("Sign in again"),
                tr("What was kept of the last sign-in is damaged. Sign in again."),
            )
        remember_secret(self._token)

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Put the token on `request`."""
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    def __repr__(self) -> str:
        """Without the token."""
        return "BearerToken(•••)"


class RefreshedToken(httpx.Auth):
    """Access that is renewed while it is used (api-spec, Refreshing); for asynchronous clients."""

    def __init__(self, token: Callable[[], Awaitable[str]]) -> None:
        """`token` gives an access token that is good now; it may wait, and raise ApiError."""
        self._token = token

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Put the access token of this moment on `request`."""
        request.headers["Authorization"] = f"Bearer {await self._token()}"
        yield request

    def __repr__(self) -> str:
        """Without the token."""
        return "RefreshedToken(•••)"


class NoAuth(httpx.Auth):
    """No credential on the request: what proves the caller stands in the form that is sent."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Say that it is a form."""
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        yield request


Credential = ApiKey | BearerToken | RefreshedToken | NoAuth
