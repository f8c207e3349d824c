"""The ways into an account, one at a time: each ends once, signed in, given up or with an error."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import msgspec
from PySide6.QtCore import QObject, Signal

from app.accounts.account import Account, AuthMethod
from app.accounts.credential_store import WebSecrets, entered
from app.accounts.session import AccountRecogniser, Session, UndecidedError
from app.api.errors import ApiError, NotAuthorised
from app.api.sign_in.oauth import (
    AuthorisationRequest,
    Grant,
    OneTimeCode,
    SignInAnswer,
    SignInRequest,
    WebAuthorisationRequest,
)
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.sign_in.form import SecretMissing, key_refused


class SignInBrowser(Protocol):
    """The browser in which somebody signs in on the account's own page."""

    async def authorise(self, request: SignInRequest) -> SignInAnswer | None:
        """Show the page and give what came of it; None where the person gave up. Raises
        ExpectedError with a sentence for every other end.
        """

    def forget(self) -> None:
        """Close what is open, and drop every cookie."""


class DemoStarter(Protocol):
    """Starts the account everybody may look at, on this computer."""

    async def start(self) -> tuple[Account, str]:
        """The account and its key; a demo that runs already begins anew."""


class Entered(msgspec.Struct, frozen=True):
    """What a way in gave: the account, its credential, and what a client secret got beside it."""

    account: Account
    credential: str
    web: WebSecrets | None = None


SignInAttempt = Callable[[], Awaitable[Entered | None]]
"""One way in; gives None when the person gave up."""


class SigningIn(GuardedOverrides, QObject):
    """Runs one way in; a second one asked for meanwhile is dropped, unless the first gives way."""

    given_up = Signal()
    """Somebody did not go on; nothing has changed."""
    failed = Signal(object)
    """Carries the error that kept somebody out."""
    work_changed = Signal()
    """It runs or no longer does, or `words` are others."""

    def __init__(
        self,
        session: Session,
        scope: TaskScope,
        browser: SignInBrowser,
        demo: DemoStarter,
    ) -> None:
        """Nothing is under way."""
        super().__init__()
        self._session = session
        self._browser = browser
        self._demo = demo
        self.recogniser: AccountRecogniser | None = None
        """Tells accounts of one address apart; None: nobody does."""
        self.words = ""
        """What is being done, while that is neither the person's turn nor nothing."""
        self.by: AuthMethod | None = None
        """Which fields of the first page began the last try; None when none did."""
        self.from_outside = False
        """Whether the last try was with a key given from outside."""
        self._action = Action(
            scope,
            self._enter,
            second="drop",
            on_error=self.failed.emit,
            on_change=self._run_changed,
        )

    @property
    def running(self) -> bool:
        """Whether a way in is under way."""
        return self._action.running

    def by_page(self, account: Account, secret: str = "", *, by: AuthMethod | None = None) -> None:
        """Show the account's page; a client secret that is not typed may be in the vault."""
        self._start(partial(self._page, account, secret), by)

    def by_key(self, account: Account, key: str, *, by: AuthMethod | None = None) -> None:
        """Try an API key."""
        self._start(partial(self._key, account, key), by)

    def by_demo(self) -> None:
        """Start the demo account on this computer."""
        self._start(self._start_demo, None)

    def for_this_run(self, account: Account, key: str) -> None:
        """Sign in with a key given from outside; nothing of it is kept."""
        self._start(partial(self._key, account, key), None, remember=False)

    def stop(self) -> None:
        """Give up what is under way."""
        if self._action.running:
            self._action.cancel()
            self.given_up.emit()

    def give_way(self) -> None:
        """Give up what is under way without a word: something else takes its place."""
        self._action.cancel()

    def _start(
        self, attempt: SignInAttempt, by: AuthMethod | None, *, remember: bool = True
    ) -> None:
        if not self._action.running:
            self.by, self.from_outside = by, not remember
            self._action(attempt, remember=remember)

    async def _enter(self, attempt: SignInAttempt, *, remember: bool) -> None:
        try:
            came = await attempt()
            if came is None:
                self.given_up.emit()
                return
            self._say_signing_in(came.account)
            await self._sign_in(came, remember=remember)
        except UndecidedError:
            self.given_up.emit()

    async def _sign_in(self, came: Entered, *, remember: bool) -> None:
        try:
            await self._session.sign_in(
                came.account,
                came.credential,
                remember=remember,
                web=came.web,
                recogniser=self.recogniser if remember else None,
            )
        except ApiError as error:
            by_key = came.account.auth_method is AuthMethod.KEY
            if isinstance(error, NotAuthorised) and by_key and not self.from_outside:
                raise key_refused(came.account, error) from error
            raise

    async def _key(self, account: Account, key: str) -> Entered:
        return Entered(account, key)

    async def _start_demo(self) -> Entered:
        self._say(tr("Starting the demo account"))
        return Entered(*await self._demo.start())

    async def _page(self, account: Account, secret: str) -> Entered | None:
        if account.with_secret and not secret:
            secret = await self._session.client_secret(account) or ""
            if not secret:
                raise SecretMissing(account)
        kind = WebAuthorisationRequest if secret else AuthorisationRequest
        client_id, redirect_uri = account.client_id or "", account.redirect_uri or ""
        request = kind(account.base_url, client_id, redirect_uri, account.scope)
        answer = await self._browser.authorise(request)
        if isinstance(answer, OneTimeCode):
            return await self._exchanged(account, secret, answer)
        return _granted(account, answer) if answer is not None else None

    async def _exchanged(self, account: Account, secret: str, code: OneTimeCode) -> Entered:
        self._say_signing_in(account)
        grant = await self._session.exchange_code(account, secret, code)
        web = WebSecrets(secret, grant.refresh_token)
        return Entered(entered(account, grant), grant.access_token, web)

    def _say_signing_in(self, account: Account) -> None:
        self._say(tr("Signing in to {account}", account=account.name))

    def _run_changed(self) -> None:
        if not self._action.running:
            self.words = ""
        self.work_changed.emit()

    def _say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.work_changed.emit()


def _granted(account: Account, grant: Grant) -> Entered:
    until = msgspec.structs.replace(account, expires_at=grant.expires_at)
    return Entered(until, grant.access_token)
