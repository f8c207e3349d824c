"""Access that is renewed in time, one renewal at a time however many wait for it.

It knows when and how often; the exchange itself is in `token_endpoint`, and keeping what came of it
is left to whoever holds the account.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from app.api.errors import ApiError, TokenExpired, Unreachable
from app.api.sign_in.oauth import TokenGrant
from app.api.sign_in.redirect_response import is_visible
from app.model.errors import retranslatable_error
from app.runtime.secrets import remember_secret
from app.runtime.tasks import TaskScope
from app.runtime.words import tr

MARGIN = timedelta(minutes=1)
_SHARE = 10
"""Of a life shorter than ten margins, this part is the margin."""
_KEEPING_SECONDS = 0.5
"""How long the end waits for a renewal under way to be kept; a vault's own limit is longer."""


@dataclass(frozen=True, slots=True)
class RefreshableAccess:
    """What is at hand: a refresh token, and perhaps access, until a moment in UTC if that is known.

    `keep` is handed every new grant, its refresh token never missing, and keeps it where the next
    start looks.
    """

    refresh_token: str = field(repr=False)
    keep: Callable[[TokenGrant], Awaitable[None]]
    access_token: str = field(default="", repr=False)
    until: datetime | None = None


class TokenRefresher:
    """Gives access that is good now. Belongs to one event loop; close it with `aclose`."""

    def __init__(
        self,
        held: RefreshableAccess,
        refresh: Callable[[str], Awaitable[TokenGrant]],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`refresh` gets new tokens for a refresh token; TokenExpired from it is final."""
        remember_secret(held.access_token)
        remember_secret(held.refresh_token)
        self._refresh = refresh
        self._keep = held.keep
        self._now = now
        self._access = held.access_token if is_visible(held.access_token) else ""
        self._refresh_token = held.refresh_token
        self._until = held.until
        self._margin = MARGIN
        self._attempt: _Attempt | None = None
        self._refusal: TokenExpired | None = None
        self._scope = TaskScope("token refresh", _tell_the_loop, ApiError)
        self._closed = False
        self.generation = 0
        """How often access was renewed so far."""

    async def token(self) -> str:
        """Access that is good now, renewed where its end is near.

        Raises TokenExpired where it cannot be renewed any more; what network or service add to that
        only where the access at hand is of no use without it.
        """
        if self._is_due():
            try:
                await self._renew()
            except TokenExpired:
                raise
            except ApiError:
                if self._has_expired():
                    raise
        return self._access

    async def replace(self, generation: int) -> None:
        """Access of this generation was refused: renew it, unless somebody has since.

        Raises TokenExpired where the service does not renew it, another ApiError where it could not
        be asked.
        """
        if self.generation == generation:
            await self._renew()

    async def aclose(self) -> None:
        """End a renewal under way; one that came through is given a moment to be kept."""
        self._closed = True
        attempt = self._attempt
        try:
            if attempt is not None and attempt.task is not None and attempt.came_through:
                await asyncio.wait({attempt.task}, timeout=_KEEPING_SECONDS)
        finally:
            await self._scope.close()

    def _is_due(self) -> bool:
        return self._has_expired() or (
            self._until is not None and self._now() >= self._until - self._margin
        )

    def _has_expired(self) -> bool:
        return not self._access or (self._until is not None and self._now() >= self._until)

    async def _renew(self) -> None:
        """Wait for the renewal under way, beginning it where there is none.

        It is nobody's own: somebody who gives up waiting must not take the new tokens from all
        others, and from the next start.
        """
        if self._refusal is not None:
            raise self._refusal
        if self._closed:
            raise _closed_error()
        attempt = self._attempt
        if attempt is None or attempt.ended.is_set():
            self._attempt = attempt = _Attempt()
            attempt.task = self._scope.spawn(self._run(attempt))
            attempt.task.add_done_callback(attempt.settle)
        await attempt.ended.wait()
        if attempt.error is not None:
            raise attempt.error

    async def _run(self, attempt: "_Attempt") -> None:
        try:
            grant = await self._refresh(self._refresh_token)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            attempt.error = error
            if isinstance(error, TokenExpired):
                self._refusal = error
            return
        kept = self._take(grant)
        attempt.came_through = True
        # Nobody waits for the vault.
        attempt.ended.set()
        await self._keep(kept)

    def _take(self, grant: TokenGrant) -> TokenGrant:
        """Use the grant from now on; seen in the field: without a refresh token the old one stays.

        The clock that counts is this computer's, from the moment the exchange began.
        """
        self._refresh_token = grant.refresh_token or self._refresh_token
        self._access, self._until = grant.access_token, grant.expires_at
        self._margin = min(MARGIN, max(grant.expires_at - self._now(), timedelta(0)) / _SHARE)
        self.generation += 1
        return TokenGrant(grant.access_token, grant.expires_at, self._refresh_token)


class _Attempt:
    """One renewal under way, and how it ended."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.error: Exception | None = None
        self.came_through = False
        self.task: asyncio.Task[None] | None = None

    def settle(self, _task: "asyncio.Task[None]") -> None:
        """Nobody is left waiting, though the task may have been cancelled before its first step."""
        if not (self.came_through or self.error):
            self.error = _closed_error()
        self.ended.set()


@retranslatable_error
def _closed_error() -> Unreachable:
    return Unreachable(tr("Signed out"), tr("Front Desk has ended its connection. Sign in again."))


def _tell_the_loop(error: BaseException) -> None:
    """What nobody expects goes where the program looks for it."""
    context = {"message": "new access could not be kept", "exception": error}
    asyncio.get_running_loop().call_exception_handler(context)
