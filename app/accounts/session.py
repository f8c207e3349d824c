"""The session: one account at a time, signed in, expired or signed out, and what is published
when that changes. Only what was asked for last counts. Where its secrets rest is the credential
store's.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from app.accounts.account import Account, AuthMethod
from app.accounts.credential_store import CredentialStore, Kept, WebSecrets
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.vault import Vault
from app.api.errors import ApiError, NotAuthorised, TooSlow, Unreachable, UnreadableAnswer
from app.api.sign_in.oauth import OneTimeCode, TokenGrant
from app.api.sign_in.token_refresh import RefreshableAccess
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

if TYPE_CHECKING:
    from app.api.service import Service

Result = TypeVar("Result")


class SupersededError(ExpectedError):
    """Signing in was given up because something newer was asked for; nothing has changed."""

    def __init__(self) -> None:
        """Says so."""
        super().__init__(tr("Signing in"), tr("Signing in was stopped."))


class LatestOnly:
    """Hands out turns; taking one ends the work of the turn before."""

    def __init__(self) -> None:
        """Nobody has had a turn."""
        self._last = object()
        self._under_way: asyncio.Task[Any] | None = None

    def take(self) -> object:
        """A new turn: from now on it alone `is_last`."""
        if self._under_way is not None:
            self._under_way.cancel()
        self._last = object()
        return self._last

    def is_last(self, turn: object) -> bool:
        """Whether nothing newer was asked for."""
        return self._last is turn

    async def run(self, turn: object, work: Awaitable[Result]) -> Result:
        """The result of `work`, done in the caller's own task, which somebody else owns.

        Raises SupersededError when a newer turn was taken; the caller's task goes on then, as it
        does after a timeout. A cancellation of the task from outside stays one.
        """
        self._under_way = task = asyncio.current_task()
        try:
            return await work
        except (asyncio.CancelledError, ExpectedError):
            if self.is_last(turn) or (task is not None and task.uncancel() > 0):
                raise
            raise SupersededError from None
        finally:
            if self._under_way is task:
                self._under_way = None


class SessionState(StrEnum):
    """What the window may show."""

    SIGNED_OUT = "signed out"
    RETURNING = "returning"
    """The account is known, and its credential is asked of the vault."""
    SIGNED_IN = "signed in"
    EXPIRED = "expired"
    """The account is known, but its credential is over, refused or out of reach."""


class SessionChanged(msgspec.Struct, frozen=True):
    """Published whenever restoring, signing in or out has ended, and when access is over."""

    state: SessionState
    account: Account | None


class ConnectionChanged(msgspec.Struct, frozen=True):
    """Published when the service is out of reach, and when it is back."""

    online: bool


class ConnectedService(msgspec.Struct, frozen=True, eq=False):
    """A service and the key under which its outcomes count; an older service has another."""

    key: object
    service: "Service"


class SessionStatus(msgspec.Struct, frozen=True):
    """Everything about a session that changes together."""

    state: SessionState
    account: Account | None = None
    connected: ConnectedService | None = None
    remembered: bool = True
    notice: str = ""
    entered: bool = False
    recognised: bool = False

    def is_linked_by(self, key: object) -> bool:
        """Whether what is told under this key still counts."""
        return self.connected is not None and self.connected.key is key


class AccountRecogniser(Protocol):
    """Tells accounts of one address apart: two organisations may share it."""

    async def which(self, account: Account, service: "Service") -> Account | None:
        """Which account of this computer, or a new one, `service` proves to be for somebody who
        asked for `account`; None where the person did not say. Raises ApiError.
        """


class UndecidedError(ExpectedError):
    """Nobody said which account it is; nothing has changed."""

    def __init__(self) -> None:
        """Says that signing in was stopped."""
        super().__init__(tr("Signing in"), tr("Signing in was stopped."))


async def _at_once() -> None:
    """Nothing is waited for."""


def utc_now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class Session:
    """One account at a time. Whatever is asked for last wins; what it replaces changes nothing.

    Everything here is called on the thread of the event loop.
    """

    def __init__(
        self,
        registry: AccountRegistry,
        vault: Vault,
        events: EventBus,
        connector: ServiceConnector,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Signed out, with nothing asked of anybody."""
        self._credential_store = CredentialStore(registry, vault)
        self._events = events
        self._connector = connector
        self._now = now
        self._status = SessionStatus(SessionState.SIGNED_OUT)
        self._online = True
        self._last_heard: datetime | None = None
        self._latest_only = LatestOnly()
        self._closed = False
        self.until_kept_is_shown: Callable[[], Awaitable[None]] = _at_once
        """What coming back waits for: what is kept is on the screen before anything is loaded that
        only the service needs.
        """

    @property
    def state(self) -> SessionState:
        """Where the session stands now; asking notices, and publishes, that time has run out."""
        account = self._status.account
        signed_in = self._status.state is SessionState.SIGNED_IN
        if signed_in and account is not None and account.has_expired(self._now()):
            self._expire()
        return self._status.state

    @property
    def account(self) -> Account | None:
        """The account; known while expired too, so that its people can be shown and kept."""
        return self._status.account

    @property
    def service(self) -> "Service | None":
        """The service, while signed in."""
        signed_in = self.state is SessionState.SIGNED_IN
        connected = self._status.connected
        return connected.service if signed_in and connected is not None else None

    @property
    def online(self) -> bool:
        """Whether the service answered when it was last asked (True until it did not)."""
        return self._online

    @property
    def last_heard(self) -> datetime | None:
        """When an operation last worked, UTC."""
        return self._last_heard

    @property
    def entered(self) -> bool:
        """Whether somebody signed in since the start, so that it may be another organisation."""
        return self._status.entered

    @property
    def recognised(self) -> bool:
        """Whether it was decided before that it is the organisation of this account."""
        return self._status.recognised

    @property
    def notice(self) -> str:
        """A sentence about the vault or the folder that the person should read; blank if none."""
        return self._status.notice

    def call_account(self, name: str) -> None:
        """Have the account go by another name for as long as it is shown."""
        if self._status.account is not None:
            account = msgspec.structs.replace(self._status.account, name=name)
            self._status = msgspec.structs.replace(self._status, account=account)

    async def restore(self) -> None:
        """Come back to the account last used, without asking the service anything.

        RETURNING until it is known how that ends.

        Ends EXPIRED when its credential is over, gone or out of reach (see `notice`; calling this
        again once the vault is unlocked tries again), SIGNED_OUT when there is no such account.
        """
        if self._closed or self.state in {SessionState.SIGNED_IN, SessionState.RETURNING}:
            return
        turn = self._latest_only.take()
        account = self._credential_store.last_account()
        if account is None:
            status = SessionStatus(SessionState.SIGNED_OUT)
        else:
            status = await self._return_to(account)
        # A sign-in that came in between and failed has left it to this.
        if self._latest_only.is_last(turn) or self._status.state is SessionState.RETURNING:
            await self._change_to(status)
        elif status.connected is not None:
            await status.connected.service.aclose()

    async def sign_in(
        self,
        account: Account,
        credential: str,
        *,
        remember: bool = True,
        web: WebSecrets | None = None,
        recogniser: AccountRecogniser | None = None,
    ) -> None:
        """Try the credential on the service and, when it is good, sign in with it.

        `recogniser` says then, before anything is kept, which account that is; without it nobody
        has looked. What it raises ends the sign-in, and so does UndecidedError.

        `web` is what a sign-in with a client secret has beside it. Not `remember`: neither the
        account nor a secret outlives this run; a demo account never does. Raises ApiError when the
        service refuses or cannot be reached, SupersededError when something newer was asked for:
        everything is then as it was.
        """
        if self._closed:
            raise SupersededError
        remember_secret(credential)
        turn = self._latest_only.take()
        connected = self._link(account, credential, web.refresh_token if web else None)
        remembered = remember and account.auth_method is not AuthMethod.DEMO
        proving = self._proving(
            connected, account, credential, web, remembered=remembered, recogniser=recogniser
        )
        try:
            kept = await self._latest_only.run(turn, proving)
        except BaseException:
            await connected.service.aclose()
            raise
        notice = self._credential_store.write_down(kept.account) if remembered else ""
        status = SessionStatus(
            SessionState.SIGNED_IN,
            kept.account,
            connected,
            remembered=remembered,
            notice=kept.notice or notice,
            entered=True,
            recognised=recogniser is not None,
        )
        await self._change_to(status, last_heard=self._now())

    async def go_on_with(self, account: Account, credential: str) -> None:
        """Be signed in with a credential given from outside, without asking the service anything.

        For an account whose people this computer has; nothing of the credential outlives this run.
        Raises ExpectedError for an address that cannot be used.
        """
        if self._closed:
            return
        remember_secret(credential)
        self._latest_only.take()
        account = msgspec.structs.replace(account, in_vault=False)
        connected = self._link(account, credential, None)
        await self._change_to(
            SessionStatus(
                SessionState.SIGNED_IN,
                account,
                connected,
                remembered=False,
                entered=True,
            )
        )

    async def client_secret(self, account: Account) -> str | None:
        """What signing in to this account again takes; None where it has to be typed.

        Raises VaultError where the vault may have it, but does not give it.
        """
        return await self._credential_store.client_secret(account)

    async def exchange_code(
        self, account: Account, client_secret: str, code: OneTimeCode
    ) -> TokenGrant:
        """The tokens for what the account's page gave; raises ApiError, also SecretRefused."""
        return await self._connector.exchange_code(account, client_secret, code)

    async def sign_out(self) -> bool:
        """Close the service and delete the credential; False when it may still be in the vault.

        The account stays known (name and address), so that signing in again is one click, but the
        next start does not come back to it.
        """
        self._latest_only.take()
        before = self._status
        await self._change_to(SessionStatus(SessionState.SIGNED_OUT))
        if before.account is None or not before.remembered:
            return True
        return await self._credential_store.forget_sign_in(before.account)

    async def close(self) -> None:
        """End what is under way and close the service; nothing is deleted and nobody is told."""
        self._closed = True
        self._latest_only.take()
        connected = self._status.connected
        self._status = replace(self._status, connected=None)
        if connected is not None:
            await connected.service.aclose()
        await self._connector.close()

    async def _return_to(self, account: Account) -> SessionStatus:
        try:
            if self._status.state is SessionState.SIGNED_OUT:
                # What is kept of it is shown meanwhile.
                await self._change_to(SessionStatus(SessionState.RETURNING, account))
                await self.until_kept_is_shown()
            return await self._restored(account)
        except BaseException:
            if self._status.state is SessionState.RETURNING:
                await self._change_to(SessionStatus(SessionState.SIGNED_OUT))
            raise

    async def _restored(self, account: Account) -> SessionStatus:
        expired = SessionStatus(SessionState.EXPIRED, account)
        if account.has_expired(self._now()):
            return expired
        recalled, _ = await asyncio.gather(
            self._credential_store.recall(account), self._connector.load()
        )
        if recalled.credential is None and recalled.refresh_token is None:
            return replace(expired, notice=recalled.notice)
        try:
            connected = self._link(account, recalled.credential or "", recalled.refresh_token)
        except ExpectedError as error:
            return replace(expired, notice=error.message)
        return replace(expired, state=SessionState.SIGNED_IN, connected=connected)

    async def _proving(
        self,
        connected: ConnectedService,
        account: Account,
        credential: str,
        web: WebSecrets | None,
        *,
        remembered: bool,
        recogniser: AccountRecogniser | None,
    ) -> Kept:
        """Ask the service whether it accepts the credential, and only then keep it."""
        await connected.service.check()
        if recogniser is not None and account.auth_method is not AuthMethod.DEMO:
            decided = await recogniser.which(account, connected.service)
            if decided is None:
                raise UndecidedError
            account = decided
        if remembered:
            return await self._credential_store.keep(account, credential, web)
        account = msgspec.structs.replace(account, in_vault=False)
        return Kept(account)

    def _link(
        self, account: Account, credential: str, refresh_token: str | None
    ) -> ConnectedService:
        key, access = object(), None
        if refresh_token is not None:
            keep, until = partial(self._renewed, key), account.access_until
            access = RefreshableAccess(refresh_token, keep, credential, until)
        heard = partial(self._heard, key)
        return ConnectedService(key, self._connector.connect(account, credential, heard, access))

    async def _change_to(self, status: SessionStatus, last_heard: datetime | None = None) -> None:
        """The one place where the session changes hands."""
        connected = self._status.connected
        self._status = status
        self._last_heard = last_heard
        self._set_online(online=True)
        self._events.publish(SessionChanged(status.state, status.account))
        if connected is not None and connected is not status.connected:
            await connected.service.aclose()

    def _heard(self, key: object, error: ApiError | None) -> None:
        if not self._status.is_linked_by(key):
            return
        if error is None:
            self._last_heard = self._now()
        self._set_online(online=not isinstance(error, (Unreachable, TooSlow, UnreadableAnswer)))
        if isinstance(error, NotAuthorised) and self._status.state is SessionState.SIGNED_IN:
            self._expire()

    async def _renewed(self, key: object, grant: TokenGrant) -> None:
        """Keep new tokens, unless they are of a sign-in that has ended meanwhile."""
        account = self._status.account
        if not self._status.is_linked_by(key) or account is None:
            return
        account = msgspec.structs.replace(account, access_until=grant.expires_at)
        self._status = replace(self._status, account=account)
        if not self._status.remembered:
            return
        kept = await self._credential_store.renew(account, grant)
        if not self._status.is_linked_by(key):
            return
        notice = self._credential_store.write_down(kept.account) or kept.notice
        self._status = replace(
            self._status,
            account=kept.account,
            notice=notice,
        )
        if notice:
            self._events.publish(SessionChanged(self._status.state, kept.account))

    def _set_online(self, *, online: bool) -> None:
        if online is not self._online:
            self._online = online
            self._events.publish(ConnectionChanged(online))

    def _expire(self) -> None:
        # The service is not closed yet: what is under way on it may still bring its answer.
        self._status = replace(self._status, state=SessionState.EXPIRED)
        self._events.publish(SessionChanged(SessionState.EXPIRED, self._status.account))
