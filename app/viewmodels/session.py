"""Who is signed in, how the line is, and the three ways in: what the header and first page show."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from app.accounts.account import Account, WayIn
from app.accounts.connection_file import Connection, read_connection
from app.accounts.session import LineChanged, Session, SessionChanged, SessionState
from app.api.oauth import DEFAULT_REDIRECT_ADDRESS, AuthorisationRequest, Grant
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr
from app.viewmodels.notice import Notice, Offer
from app.viewmodels.ways_in import WaysIn, new_account, place, ways_in_of
from app.viewmodels.wording import clock

Authorise = Callable[[AuthorisationRequest], Awaitable[Grant | None]]
StartDemo = Callable[[], Awaitable[tuple[Account, str]]]
Way = Callable[[], Awaitable[tuple[Account, str] | None]]
"""One way in: gives the account and its credential, or None when the person gave up."""


class SessionScreen(QObject):
    """Signing in, again and out. Every way ends once, with a sentence when it did not work."""

    changed = Signal()

    def __init__(
        self,
        session: Session,
        events: EventBus,
        scope: TaskScope,
        *,
        authorise: Authorise,
        start_demo: StartDemo,
        forget_browser: Callable[[], None],
        known: Callable[[], Sequence[Account]],
    ) -> None:
        """`authorise` shows the account's page; `start_demo` gives the demo account and its key.

        `known` gives the accounts of this computer, the one used last first.
        """
        super().__init__()
        self._known = known
        self._session = session
        self._authorise = authorise
        self._start_demo = start_demo
        self._forget_browser = forget_browser
        self.ways_in = self._last_ways_in()
        self.notice: Notice | None = None
        self._was_in = False
        self._signing_in = Action(
            scope, self._enter, second="drop", on_error=self._failed, on_change=self.changed.emit
        )
        self._signing_out = Action(scope, self._leave, second="drop", on_error=self._failed)
        events.subscribe(SessionChanged, self._session_changed, scope)
        events.subscribe(LineChanged, self._line_changed, scope)

    # What is shown

    @property
    def busy(self) -> bool:
        """Whether a sign-in is under way."""
        return self._signing_in.running

    @property
    def state(self) -> SessionState:
        """Signed in, expired or signed out."""
        return self._session.state

    @property
    def account(self) -> Account | None:
        """The account the window is about, signed in or not."""
        return self._session.account

    @property
    def account_name(self) -> str:
        """The account's name for the header."""
        return self._session.account.name if self._session.account else ""

    @property
    def state_words(self) -> str:
        """The state of the connection in coarse words."""
        if self._session.state is not SessionState.SIGNED_IN:
            return tr("Sign in again")
        if not self._session.online:
            return self._offline_words()
        left = self._session.seconds_left(datetime.now(UTC))
        if left is not None and left < _SOON and self._session.account:
            until = self._session.account.expires_at
            return tr("Sign in again before {time}", time=clock(until)) if until else ""
        if self._session.account and self._session.account.way_in is WayIn.DEMO:
            return tr("Demo account: nothing here is real")
        return tr("Signed in")

    @property
    def needs_attention(self) -> bool:
        """Whether the header's mark is amber."""
        return self._session.state is not SessionState.SIGNED_IN or not self._session.online

    def _offline_words(self) -> str:
        heard = self._session.last_heard
        return tr("Offline, as of {time}", time=clock(heard)) if heard else tr("Offline")

    # What can be done

    def try_demo(self) -> None:
        """Sign in to the demo account, which lives on this computer."""
        self._signing_in(self._start_demo)

    def sign_in_with_page(self, ways_in: WaysIn) -> None:
        """Show the account's own page and sign in with what it grants."""
        self._begin(ways_in, WayIn.PAGE, "")

    def sign_in_with_key(self, ways_in: WaysIn, key: str) -> None:
        """Sign in with an API key."""
        self._begin(ways_in, WayIn.KEY, key)

    def sign_in_again(self) -> bool:
        """Repeat the page sign-in of the account shown; False when a key must be typed instead."""
        account = self._session.account
        if account is None or account.way_in is WayIn.KEY:
            return False
        if account.way_in is WayIn.DEMO:
            self.try_demo()
        else:
            self._signing_in(partial(self._page, account))
        return True

    def replace_key(self, key: str) -> None:
        """Sign in to the account shown with another key."""
        if self._session.account is not None:
            self._signing_in(partial(self._key, self._session.account, key))

    def use_key(self, account: Account, key: str) -> None:
        """Sign in with a key given from outside (a kiosk's environment)."""
        self._signing_in(partial(self._key, account, key), remember=False)

    def sign_out(self) -> None:
        """Forget the credential, here and in the vault."""
        self._signing_out()

    def open_connection_file(self, path: str) -> None:
        """Fill the first page from the connection file at `path`."""
        try:
            self.take_connection(read_connection(Path(path)))
        except ExpectedError as error:
            self._failed(error)

    def take_connection(self, connection: Connection) -> None:
        """Fill the first page from a connection."""
        self.ways_in = WaysIn(
            name=connection.name,
            base_url=connection.base_url,
            client_id=connection.client_id or "",
            redirect_uri=connection.redirect_uri or DEFAULT_REDIRECT_ADDRESS,
        )
        self.dismiss()

    def dismiss(self) -> None:
        """Put the sentence away."""
        self.say(None)

    def say(self, notice: Notice | None) -> None:
        """Put a sentence across the window."""
        self.notice = notice
        self.changed.emit()

    def report(self, error: Exception) -> None:
        """Say an expected error; one about being refused is followed by the session's own."""
        if self._session.state is SessionState.SIGNED_IN:
            self._failed(error)

    # How it is done

    def _begin(self, ways_in: WaysIn, way_in: WayIn, key: str) -> None:
        self.ways_in = ways_in
        try:
            account = self._same_account(new_account(ways_in, way_in))
            way = self._way(account, key.strip())
        except ExpectedError as error:
            self._failed(error)
            return
        self.dismiss()
        self._signing_in(way)

    def _way(self, account: Account, key: str) -> Way:
        if account.way_in is WayIn.PAGE:
            return partial(self._page, account)
        if not key:
            raise ExpectedError(tr("No key"), tr("Please paste the API key of the account."))
        return partial(self._key, account, key)

    async def _enter(self, way: Way, *, remember: bool = True) -> None:
        entered = await way()
        if entered is None:
            expired = self._session.state is SessionState.EXPIRED
            offer = Offer.SIGN_IN_AGAIN if expired else Offer.NOTHING
            self.say(Notice(tr("Signing in was cancelled. Nothing has changed."), offer, calm=True))
            return
        account, credential = entered
        await self._session.sign_in(account, credential, remember=remember)

    async def _key(self, account: Account, key: str) -> tuple[Account, str]:
        return account, key

    async def _page(self, account: Account) -> tuple[Account, str] | None:
        request = AuthorisationRequest(
            account.base_url, account.client_id or "", account.redirect_uri or ""
        )
        grant = await self._authorise(request)
        if grant is None:
            return None
        until = msgspec.structs.replace(account, expires_at=grant.expires_at)
        return until, grant.access_token

    async def _leave(self) -> None:
        self._forget_browser()
        self.dismiss()
        if not await self._session.sign_out():
            self.say(
                Notice(
                    tr(
                        "You are signed out here, but the system's vault did not confirm "
                        "that it forgot the key. Please look there."
                    )
                )
            )

    def _failed(self, error: Exception) -> None:
        details = error.details if isinstance(error, ExpectedError) else ""
        if self._session.state is SessionState.EXPIRED:
            offer = Offer.SIGN_IN_AGAIN
        else:
            offer = Offer.COPY_DETAILS if details else Offer.NOTHING
        line = self._was_in and not self._session.online
        self.say(Notice(str(error), offer, details=details, about_line=line))

    def _session_changed(self, event: SessionChanged) -> None:
        was_in, self._was_in = self._was_in, event.state is SessionState.SIGNED_IN
        said = self._session.notice
        if event.state is SessionState.EXPIRED:
            ended = tr("Your sign-in has ended. Sign in again to go on where you are.")
            self.notice = Notice(ended if was_in or not said else said, Offer.SIGN_IN_AGAIN)
        elif event.state is SessionState.SIGNED_IN:
            self.notice = Notice(said, calm=True) if said else None
        else:
            self.ways_in = self._last_ways_in()
        self.changed.emit()

    def _last_ways_in(self) -> WaysIn:
        """What the first page begins with: the account that was used last, if there was one."""
        known = self._known()
        return ways_in_of(known[0]) if known else WaysIn()

    def _same_account(self, account: Account) -> Account:
        """Signing in anew to a known account is not another account: it keeps its id."""
        for known in self._known():
            if known.way_in is account.way_in and place(known) == place(account):
                return msgspec.structs.replace(
                    known, name=account.name, redirect_uri=account.redirect_uri, expires_at=None
                )
        return account

    def _line_changed(self, event: LineChanged) -> None:
        if event.online and self.notice is not None and self.notice.about_line:
            self.notice = None
        self.changed.emit()


_SOON = 24 * 3600.0
"""Seconds before the end of a sign-in from which on the header names it."""
