"""The client whose access is renewed while it is used (api-spec, Refreshing): loaded by its name,
and the network library with it, once an account is entered.

It adds one thing to `ServiceClient`: where access is refused, it is renewed and the request made
once more. A refusal did nothing, so that holds for adding somebody, too.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from app.api import connection_errors
from app.api.auth import RefreshedToken
from app.api.client import ServiceClient
from app.api.errors import ApiError, NotAuthorised, TokenExpired
from app.api.formats.decoding_budget import Budget
from app.api.formats.tree import Tree
from app.api.pagination.people_pages import FurtherFields
from app.api.requester import Requester
from app.api.requests import DEFAULT_LIMITS, Limits, Request
from app.api.responses import Response
from app.api.sign_in import token_endpoint
from app.api.sign_in.oauth import TokenGrant
from app.api.sign_in.token_refresh import RefreshableAccess, TokenRefresher
from app.api.transport import Transport

Result = TypeVar("Result")
_MAY_BE_OLD = frozenset({None, 102, 401})
"""Codes that old access is refused with, besides the one that says so (api-spec, Errors)."""


class RefreshingClient(ServiceClient):
    """A `ServiceClient` with what a web sign-in gave. Close it with `aclose`."""

    def __init__(
        self,
        base_url: str,
        held: RefreshableAccess,
        *,
        on_outcome: Callable[[ApiError | None], None] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        further: FurtherFields | None = None,
    ) -> None:
        """As `ServiceClient`; nothing is sent yet, and nothing renewed before it is needed."""

        async def refresh(refresh_token: str) -> TokenGrant:
            return await token_endpoint.refresh(base_url, refresh_token)

        self._refresher = TokenRefresher(held, refresh)
        credential = RefreshedToken(self._refresher.token)
        super().__init__(
            base_url, credential, on_outcome=on_outcome, limits=limits, further=further
        )
        self._requester = _RefreshingRequester(self._transport, limits, self._refresher)

    async def aclose(self) -> None:
        """End every connection, and a renewal under way."""
        await self._refresher.aclose()
        await super().aclose()


class _RefreshingRequester(Requester):
    """Asks once more after access was renewed, within the one deadline, and never a third time."""

    def __init__(self, transport: Transport, limits: Limits, refresher: TokenRefresher) -> None:
        super().__init__(transport, "json", limits)
        self._refresher = refresher

    async def ask_within_budget(
        self,
        request: Request,
        key: str,
        read: Callable[[dict[str, Tree], Budget], Result | None],
        recognise: Callable[[Response], Result | None] | None = None,
    ) -> Result:
        """As in `Requester`."""
        clock = asyncio.get_running_loop().time
        end = clock() + self._limits.deadline
        generation = self._refresher.generation
        try:
            return await super().ask_within_budget(request, key, read, recognise)
        except NotAuthorised as error:
            if not _may_be_old(error):
                raise
            await self._replace(request, generation, end - clock())
        limits = replace(self._limits, deadline=end - clock())
        again = self.within(limits)
        return await again.ask_within_budget(request, key, read, recognise)

    async def _replace(self, request: Request, generation: int, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._refresher.replace(generation)
        except TimeoutError as error:
            context = self._transport.context(request)
            reason = "the deadline passed while access was renewed"
            raise connection_errors.too_slow(context, reason, in_doubt=False) from error


def _may_be_old(error: NotAuthorised) -> bool:
    return isinstance(error, TokenExpired) or error.code in _MAY_BE_OLD
