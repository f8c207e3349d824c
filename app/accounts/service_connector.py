"""Reaching the service of an account: a client for it.

All of it loads the network library, so that it is imported when it is first used: the first picture
on the screen does not wait for it.
"""

import asyncio
import contextlib
import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.accounts.account import Account, AuthMethod
from app.api.errors import ApiError
from app.api.sign_in.oauth import OneTimeCode, TokenGrant
from app.api.sign_in.token_refresh import RefreshableAccess

if TYPE_CHECKING:
    from app.api.pagination.people_pages import FurtherFields
    from app.api.service import Service


def _load() -> None:
    # The command line of httpx, which it looks for when it is loaded, takes as long as the rest.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]  # there is none for us
    importlib.import_module("app.api.sign_in.refreshing_client")
    # What it loads itself when it is first asked for a client and for a connection.
    for name in ("httpcore", "anyio._backends._asyncio"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


class ServiceConnector:
    """Makes a client for an account and what it is entered with; nothing is asked by that.

    Which services take being asked for further fields of people is known until the program ends.
    """

    _loading: asyncio.Future[None] | None = None

    def __init__(self) -> None:
        """Nothing is known of any service."""
        self._further: dict[str, FurtherFields] = {}

    async def load(self) -> None:
        """Have the network library at hand, loaded beside what the window does meanwhile."""
        if self._loading is None:
            self._loading = asyncio.get_running_loop().run_in_executor(None, _load)
        await asyncio.shield(self._loading)

    async def close(self) -> None:
        """Wait for what is being loaded: a thread that outlives the window would end parts of it
        when it collects garbage.
        """
        if self._loading is not None:
            await self._loading

    def connect(
        self,
        account: Account,
        credential: str,
        on_outcome: Callable[[ApiError | None], None],
        access: RefreshableAccess | None,
    ) -> "Service":
        """`on_outcome` is told how each operation ended: None, or the error.

        With `access` the service renews it by itself and hands over what it got. Raises
        ExpectedError for an address or a credential that cannot be used.
        """
        from app.api.auth import ApiKey, BearerToken  # noqa: PLC0415 - see above
        from app.api.client import ServiceClient  # noqa: PLC0415 - see above
        from app.api.pagination.people_pages import FurtherFields  # noqa: PLC0415 - see above
        from app.api.sign_in.refreshing_client import RefreshingClient  # noqa: PLC0415 - see above

        url = account.base_url
        further = self._further.setdefault(url, FurtherFields())
        if access is not None:
            return RefreshingClient(url, access, on_outcome=on_outcome, further=further)
        by_page = account.auth_method is AuthMethod.PAGE
        auth = BearerToken(credential) if by_page else ApiKey(credential)
        return ServiceClient(url, auth, on_outcome=on_outcome, further=further)

    async def exchange_code(
        self, account: Account, client_secret: str, code: OneTimeCode
    ) -> TokenGrant:
        """The tokens for what the account's page gave; raises ApiError, also SecretRefused."""
        from app.api.sign_in import token_endpoint  # noqa: PLC0415 - see above

        client_id = account.client_id or ""
        return await token_endpoint.exchange_code(account.base_url, client_id, client_secret, code)
