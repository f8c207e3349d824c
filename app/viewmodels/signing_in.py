"""The ways into an account, one at a time: each ends once, signed in, given up or with an error."""

from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from app.accounts.account import Account, WayIn
from app.accounts.session import Session
from app.api.oauth import AuthorisationRequest, Grant
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr

Authorise = Callable[[AuthorisationRequest], Awaitable[Grant | None]]
StartDemo = Callable[[], Awaitable[tuple[Account, str]]]
Way = Callable[[], Awaitable[tuple[Account, str] | None]]
"""One way in: gives the account and its credential, or None when the person gave up."""


class SigningIn:
    """Runs one way in; a second one asked for meanwhile is dropped."""

    def __init__(
        self,
        session: Session,
        scope: TaskScope,
        authorise: Authorise,
        start_demo: StartDemo,
        *,
        on_given_up: Callable[[], None],
        on_error: Callable[[Exception], None],
        on_change: Callable[[], None],
    ) -> None:
        """`on_error` gets what is expected to go wrong; `on_change`: busy or words are others."""
        self._session = session
        self._authorise = authorise
        self._start_demo = start_demo
        self._on_given_up = on_given_up
        self._on_change = on_change
        self.words = ""
        """What is being done, while that is neither the person's turn nor nothing."""
        self.by: WayIn | None = None
        """Which fields of the first page began the last try; None when none did."""
        self.from_outside = False
        """Whether the last try was with a key given from outside."""
        self._action = Action(
            scope, self._enter, second="drop", on_error=on_error, on_change=on_change
        )

    @property
    def running(self) -> bool:
        """Whether a way in is under way."""
        return self._action.running

    def by_page(self, account: Account, *, by: WayIn | None = None) -> None:
        """Show the account's page."""
        self._start(partial(self._page, account), by)

    def by_key(self, account: Account, key: str, *, by: WayIn | None = None) -> None:
        """Try an API key."""
        self._start(partial(self._key, account, key), by)

    def by_demo(self) -> None:
        """Start the demo account on this computer."""
        self._start(self._demo, None)

    def for_this_run(self, account: Account, key: str) -> None:
        """Sign in with a key given from outside; nothing of it is kept."""
        self._start(partial(self._key, account, key), None, remember=False)

    def stop(self) -> None:
        """Give up what is under way."""
        if self._action.running:
            self._action.cancel()
            self._on_given_up()

    def _start(self, way: Way, by: WayIn | None, *, remember: bool = True) -> None:
        if not self._action.running:
            self.by, self.from_outside = by, not remember
            self._action(way, remember=remember)

    async def _enter(self, way: Way, *, remember: bool) -> None:
        try:
            entered = await way()
            if entered is None:
                self._on_given_up()
                return
            account, credential = entered
            self._say(tr("Signing in to {account}", account=account.name))
            await self._session.sign_in(account, credential, remember=remember)
        finally:
            self._say("")

    async def _key(self, account: Account, key: str) -> tuple[Account, str]:
        return account, key

    async def _demo(self) -> tuple[Account, str]:
        self._say(tr("Starting the demo account"))
        return await self._start_demo()

    async def _page(self, account: Account) -> tuple[Account, str] | None:
        request = AuthorisationRequest(
            account.base_url, account.client_id or "", account.redirect_uri or ""
        )
        grant = await self._authorise(request)
        if grant is None:
            return None
        until = msgspec.structs.replace(account, expires_at=grant.expires_at)
        return until, grant.access_token

    def _say(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self._on_change()
