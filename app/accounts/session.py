"""Where a session stands, and what it publishes when that changes, as frozen data."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from app.accounts.account import Account, AuthMethod
from app.accounts.credential_store import CredentialStore, Kept, WebSecrets
from app.accounts.latest_only import LatestOnly, SupersededError
from app.accounts.registry import AccountRegistry
from app.accounts.vault import Vault
from app.api.authorisation_code import TokenGrant
from app.api.errors import ApiError, NotAuthorised, TooSlow, Unreachable, UnreadableAnswer
from app.api.renewal import Renewable
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.secrets import remember_secret

if TYPE_CHECKING:
    from app.api.service import Service


class SessionState(StrEnum):
    """What the window may show."""

    SIGNED_OUT = "signed out"
    SIGNED_IN = "signed in"
    EXPIRED = "expired"
    """The account is known, but its credential is over, refused or out of reach."""


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """Published whenever restoring, signing in or out has ended, and when access is over."""

    state: SessionState
    account: Account | None


@dataclass(frozen=True, slots=True)
class LineChanged:
    """Published when the service is out of reach, and when it is back. `last_heard` is UTC."""

    online: bool
    last_heard: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class ConnectedService:
    """A service and the key under which its outcomes count; an older service has another."""

    key: object
    service: "Service"


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """Everything about a session that changes together."""

    state: SessionState
    account: Account | None = None
    link: ConnectedService | None = None
    this_run_only: bool = False
    remembered: bool = True
    notice: str = ""
    entered: bool = False

    def is_linked_by(self, key: object) -> bool:
        """Whether what is told under this key still counts."""
        return self.link is not None and self.link.key is key


OnOutcome = Callable[[ApiError | None], None]
Connect = Callable[[Account, str, OnOutcome, Renewable | None], "Service"]
__all__ = ["Connect", "LineChanged", "Session", "SessionChanged", "SessionState", "utc_now"]


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
        connect: Connect,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """`connect` makes a service for an account and its credential, without asking it anything.

        The service tells its third argument of each outcome: None, or the error. Where there is a
        fourth, it renews its access by itself and hands over what it got.
        """
        self._keeping = CredentialStore(registry, vault)
        self._events = events
        self._connect = connect
        self._now = now
        self._standing = SessionStatus(SessionState.SIGNED_OUT)
        self._online = True
        self._last_heard: datetime | None = None
        self._turns = LatestOnly()
        self._closed = False

    @property
    def state(self) -> SessionState:
        """Where the session stands now; asking notices, and publishes, that time has run out."""
        account = self._standing.account
        signed_in = self._standing.state is SessionState.SIGNED_IN
        if signed_in and account is not None and account.has_expired(self._now()):
            self._expire()
        return self._standing.state

    @property
    def account(self) -> Account | None:
        """The account; known while expired too, so that its people can be shown and kept."""
        return self._standing.account

    @property
    def service(self) -> "Service | None":
        """The service, while signed in."""
        signed_in = self.state is SessionState.SIGNED_IN
        link = self._standing.link
        return link.service if signed_in and link is not None else None

    @property
    def online(self) -> bool:
        """Whether the service answered when it was last asked (True until it did not)."""
        return self._online

    @property
    def last_heard(self) -> datetime | None:
        """When an operation last worked, UTC."""
        return self._last_heard

    @property
    def this_run_only(self) -> bool:
        """Whether the credential is gone when the program ends."""
        return self._standing.this_run_only

    @property
    def entered(self) -> bool:
        """Whether somebody signed in since the start, so that it may be another organisation."""
        return self._standing.entered

    @property
    def notice(self) -> str:
        """A sentence about the vault or the folder that the person should read; blank if none."""
        return self._standing.notice

    def seconds_left(self, now: datetime) -> float | None:
        """How long access still lasts; None when it has no end or nobody is signed in."""
        account = self._standing.account
        signed_in = self._standing.state is SessionState.SIGNED_IN
        return account.seconds_left(now) if signed_in and account is not None else None

    async def restore(self) -> None:
        """Come back to the account last used, without asking the service anything.

        Ends EXPIRED when its credential is over, gone or out of reach (see `notice`; calling this
        again once the vault is unlocked tries again), SIGNED_OUT when there is no such account.
        """
        if self.state is SessionState.SIGNED_IN or self._closed:
            return
        turn = self._turns.take()
        account = self._keeping.last_account()
        if account is None:
            standing = SessionStatus(SessionState.SIGNED_OUT)
        else:
            standing = await self._restored(account)
        if self._turns.is_last(turn):
            await self._stand(standing)
        elif standing.link is not None:
            await standing.link.service.aclose()

    async def sign_in(
        self,
        account: Account,
        credential: str,
        *,
        remember: bool = True,
        web: WebSecrets | None = None,
    ) -> None:
        """Try the credential on the service and, when it is good, sign in with it.

        `web` is what a sign-in with a client secret has beside it. Not `remember`: neither the
        account nor a secret outlives this run; a demo account never does. Raises ApiError when the
        service refuses or cannot be reached, OvertakenError when something newer was asked for:
        everything is then as it was.
        """
        if self._closed:
            raise SupersededError
        remember_secret(credential)
        turn = self._turns.take()
        link = self._link(account, credential, web.refresh_token if web else None)
        remembered = remember and account.way_in is not AuthMethod.DEMO
        proving = self._proving(link, account, credential, web, remembered=remembered)
        try:
            kept = await self._turns.run(turn, proving)
        except BaseException:
            await link.service.aclose()
            raise
        notice = self._keeping.write_down(kept.account) if remembered else ""
        standing = SessionStatus(
            SessionState.SIGNED_IN,
            kept.account,
            link,
            this_run_only=kept.this_run_only,
            remembered=remembered,
            notice=kept.notice or notice,
            entered=True,
        )
        await self._stand(standing, last_heard=self._now())

    async def go_on_with(self, account: Account, credential: str) -> None:
        """Be signed in with a credential given from outside, without asking the service anything.

        For an account whose people this computer has; nothing of the credential outlives this run.
        Raises ExpectedError for an address that cannot be used.
        """
        if self._closed:
            return
        remember_secret(credential)
        self._turns.take()
        account = msgspec.structs.replace(account, in_vault=False)
        link = self._link(account, credential, None)
        await self._stand(
            SessionStatus(
                SessionState.SIGNED_IN,
                account,
                link,
                this_run_only=True,
                remembered=False,
                entered=True,
            )
        )

    async def client_secret(self, account: Account) -> str | None:
        """What signing in to this account again takes; None where it has to be typed.

        Raises VaultError where the vault may have it, but does not give it.
        """
        return await self._keeping.client_secret(account)

    async def sign_out(self) -> bool:
        """Close the service and delete the credential; False when it may still be in the vault.

        The account stays known (name and address), so that signing in again is one click, but the
        next start does not come back to it.
        """
        self._turns.take()
        before = self._standing
        await self._stand(SessionStatus(SessionState.SIGNED_OUT))
        if before.account is None or not before.remembered:
            return True
        return await self._keeping.leave(before.account)

    async def close(self) -> None:
        """End what is under way and close the service; nothing is deleted and nobody is told."""
        self._closed = True
        self._turns.take()
        link = self._standing.link
        self._standing = replace(self._standing, link=None)
        if link is not None:
            await link.service.aclose()

    async def _restored(self, account: Account) -> SessionStatus:
        expired = SessionStatus(SessionState.EXPIRED, account)
        if account.has_expired(self._now()):
            return expired
        recalled = await self._keeping.recall(account)
        if recalled.credential is None and recalled.refresh_token is None:
            return replace(expired, notice=recalled.notice)
        try:
            link = self._link(account, recalled.credential or "", recalled.refresh_token)
        except ExpectedError as error:
            return replace(expired, notice=error.message)
        return replace(expired, state=SessionState.SIGNED_IN, link=link)

    async def _proving(
        self,
        link: ConnectedService,
        account: Account,
        credential: str,
        web: WebSecrets | None,
        *,
        remembered: bool,
    ) -> Kept:
        """Ask the service whether it accepts the credential, and only then keep it."""
        await link.service.check()
        if remembered:
            return await self._keeping.keep(account, credential, web)
        account = msgspec.structs.replace(account, in_vault=False)
        return Kept(account, this_run_only=account.way_in is not AuthMethod.DEMO)

    def _link(
        self, account: Account, credential: str, refresh_token: str | None
    ) -> ConnectedService:
        key, renewable = object(), None
        if refresh_token is not None:
            keep, until = partial(self._renewed, key), account.access_until
            renewable = Renewable(refresh_token, keep, credential, until)
        heard = partial(self._heard, key)
        return ConnectedService(key, self._connect(account, credential, heard, renewable))

    async def _stand(self, standing: SessionStatus, last_heard: datetime | None = None) -> None:
        """The one place where the session changes hands."""
        link = self._standing.link
        self._standing = standing
        self._last_heard = last_heard
        self._line(online=True)
        self._events.publish(SessionChanged(standing.state, standing.account))
        if link is not None and link is not standing.link:
            await link.service.aclose()

    def _heard(self, key: object, error: ApiError | None) -> None:
        if not self._standing.is_linked_by(key):
            return
        if error is None:
            self._last_heard = self._now()
        self._line(online=not isinstance(error, (Unreachable, TooSlow, UnreadableAnswer)))
        if isinstance(error, NotAuthorised) and self._standing.state is SessionState.SIGNED_IN:
            self._expire()

    async def _renewed(self, key: object, grant: TokenGrant) -> None:
        """Keep new tokens, unless they are of a sign-in that has ended meanwhile."""
        account = self._standing.account
        if not self._standing.is_linked_by(key) or account is None:
            return
        account = msgspec.structs.replace(account, access_until=grant.expires_at)
        self._standing = replace(self._standing, account=account)
        if not self._standing.remembered:
            return
        kept = await self._keeping.renew(account, grant)
        if not self._standing.is_linked_by(key):
            return
        notice = self._keeping.write_down(kept.account) or kept.notice
        self._standing = replace(
            self._standing,
            account=kept.account,
            this_run_only=kept.this_run_only,
            notice=notice,
        )
        if notice:
            self._events.publish(SessionChanged(self._standing.state, kept.account))

    def _line(self, *, online: bool) -> None:
        if online is not self._online:
            self._online = online
            self._events.publish(LineChanged(online, self._last_heard))

    def _expire(self) -> None:
        # The service is not closed yet: what is under way on it may still bring its answer.
        self._standing = replace(self._standing, state=SessionState.EXPIRED)
        self._events.publish(SessionChanged(SessionState.EXPIRED, self._standing.account))
