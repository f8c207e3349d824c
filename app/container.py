"""The composition root: builds each object once, joins them, and ends them in order."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.accounts.account import Account, WayIn, new_account_id
from app.accounts.connection_file import Connection, read_connection
from app.accounts.reconnect import Reconnect
from app.accounts.registry import AccountRegistry
from app.accounts.session import Session, SessionChanged, SessionState
from app.accounts.vault import Vault
from app.api.errors import ApiError
from app.api.oauth import AuthorisationRequest, Grant
from app.api.service import Service
from app.desk import Desk
from app.model.errors import ExpectedError
from app.runtime.crash import CrashReporter
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.notice import Notice, Offer
from app.viewmodels.session import SessionScreen
from app.views.crash import CrashDesk
from app.views.main_window import MainWindow

if TYPE_CHECKING:
    from app.demo.server import DemoServer
    from app.views.sign_in.browser import BrowserProfile

_log = logging.getLogger(__name__)
_ENDING_SECONDS = 0.9
"""How long the work under way may take to end; what has not ended by then is left."""


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What the command line asked for."""

    data_folder: Path
    demo: bool = False
    connection: Path | None = None
    api_key: str = ""


class Container:
    """The running program, from the first window to the last thread."""

    def __init__(self, options: StartOptions, crashes: CrashReporter) -> None:
        """Build everything that needs no account."""
        self._options = options
        self._crashes = crashes
        self._scope = TaskScope("front desk", crashes.report, ExpectedError)
        self._events = EventBus(crashes.report)
        self._registry = AccountRegistry(options.data_folder)
        self._session = Session(self._registry, Vault(), self._events, _connect)
        self._reconnect = Reconnect(self._session, self._events, self._scope)
        self._browser: BrowserProfile | None = None
        self._demo: DemoServer | None = None
        self._desk: Desk | None = None
        self._finished: asyncio.Future[None] | None = None
        self._quitting = False
        self._closing: Notice | None = None
        self.session_screen = SessionScreen(
            self._session,
            self._events,
            self._scope,
            authorise=self._authorise,
            start_demo=self._start_demo,
            forget_browser=self._forget_browser,
            known=self._registry.accounts,
        )
        self.window = MainWindow(self.session_screen)
        self._crash_desk = CrashDesk(crashes)
        self._crash_desk.stand_beside(self.window)
        self._change_desk = Action(self._scope, self._show_desk_of, second="replace")
        self._events.subscribe(SessionChanged, self._session_changed, self._scope)
        self.window.close_wanted.connect(self.ask_to_quit)
        self.window.closing_confirmed.connect(self.quit)
        self.session_screen.changed.connect(self._said_something_else)
        self.window.sign_out_wanted.connect(self.ask_to_sign_out)

    async def run(self) -> None:
        """Show the window and stay until it has been closed."""
        if self._quitting:
            await self._end()
            return
        self._finished = asyncio.get_running_loop().create_future()
        self.window.show()
        self.window.activateWindow()
        self._scope.spawn(self._begin())
        try:
            await self._finished
        finally:
            await self._end()

    def ask_to_quit(self) -> None:
        """Quit, but not before what somebody typed is sent; a second time quits all the same."""
        unsent = self._unsent()
        if self._desk is None or not unsent or self._desk.leaving:
            self.quit()
            return
        self._desk.leave_when_sent(self.quit)
        sentence = trn(
            "{n} person is not sent yet. Front Desk closes as soon as that is done.",
            "{n} people are not sent yet. Front Desk closes as soon as that is done.",
            unsent,
        )
        self._closing = Notice(sentence, Offer.CLOSE_ANYWAY)
        self.session_screen.say(self._closing)

    def _said_something_else(self) -> None:
        """Putting the sentence about closing away means: stay open."""
        if self._closing is not None and self.session_screen.notice is not self._closing:
            self._closing = None
            if self._desk is not None:
                self._desk.stay()

    def ask_to_sign_out(self) -> None:
        """Sign out, unless that would lose what somebody typed: then ask first."""
        unsent = self._unsent()
        if not unsent:
            self.session_screen.sign_out()
            return
        sentence = trn(
            "{n} person is not sent yet and would be lost by signing out.",
            "{n} people are not sent yet and would be lost by signing out.",
            unsent,
        )
        self.session_screen.say(Notice(sentence, Offer.SIGN_OUT_ANYWAY))

    def _unsent(self) -> int:
        return len(self._desk.unsent()) if self._desk is not None else 0

    def quit(self) -> None:
        """Quit now, whatever is under way; also before the window was ever shown."""
        self._quitting = True
        if self._finished is not None and not self._finished.done():
            self._finished.set_result(None)

    # Starting

    async def _begin(self) -> None:
        if self._options.demo:
            self.session_screen.try_demo()
            return
        connection = self._given_connection()
        if self._options.api_key:
            self._use_given_key(connection)
        elif connection is None or self._last_used_is_at(connection):
            await self._session.restore()

    def _given_connection(self) -> Connection | None:
        if self._options.connection is None:
            return None
        try:
            connection = read_connection(self._options.connection)
        except ExpectedError as error:
            self.session_screen.say(Notice(error.message))
            return None
        self.session_screen.take_connection(connection)
        return connection

    def _last_used_is_at(self, connection: Connection) -> bool:
        last = self._registry.last_used()
        return last is not None and last.base_url == connection.base_url

    def _use_given_key(self, connection: Connection | None) -> None:
        place = connection or self._registry.last_used()
        if place is None:
            self.session_screen.say(
                Notice(tr("A key was given at the start, but no connection file to use it with."))
            )
            return
        account = Account(
            id=new_account_id(), name=place.name, base_url=place.base_url, way_in=WayIn.KEY
        )
        self.session_screen.use_key(account, self._options.api_key)

    async def _start_demo(self) -> tuple[Account, str]:
        from app.demo.server import DemoOptions, DemoServer  # noqa: PLC0415 - slow to import

        if self._demo is not None:
            await asyncio.to_thread(self._demo.stop)
        self._demo = DemoServer(DemoOptions())
        access = await asyncio.to_thread(self._demo.start)
        account = Account(
            id="demo",
            name=tr("Riverside Community (demo)"),
            base_url=access.base_url,
            way_in=WayIn.DEMO,
        )
        return account, access.api_key

    # Signing in and out

    async def _authorise(self, request: AuthorisationRequest) -> Grant | None:
        from app.views.sign_in.browser import BrowserProfile, authorise  # noqa: PLC0415 - WebEngine

        if self._browser is None:
            self._browser = BrowserProfile()
        try:
            return await authorise(self.window, request, self._browser)
        finally:
            self.window.activateWindow()

    def _forget_browser(self) -> None:
        if self._browser is not None:
            self._browser.forget()

    def _session_changed(self, event: SessionChanged) -> None:
        wanted = event.account if event.state is not SessionState.SIGNED_OUT else None
        shown = self._desk.account if self._desk is not None else None
        if (wanted and wanted.id) != (shown and shown.id):
            self._change_desk(wanted)

    async def _show_desk_of(self, account: Account | None) -> None:
        before, self._desk = self._desk, None
        if before is not None:
            self.window.show_first_start()
            await before.close()
        if account is None:
            return
        self._desk = desk = Desk(
            account, self._session, self.session_screen, self._events, self._crashes.report
        )
        self.window.show_desk(desk.screens)
        await desk.open()

    # Ending

    async def _end(self) -> None:
        """In this order: the window, the work, the service, the demo; each may fail alone."""
        self.window.close_for_good()
        self._forget_browser()
        stages: tuple[Callable[[], Awaitable[object]], ...] = (
            self._scope.close,
            self._close_desk,
            self._session.close,
            self._stop_demo,
        )
        for stage in stages:
            try:
                async with asyncio.timeout(_ENDING_SECONDS):
                    await stage()
            except TimeoutError:
                _log.warning("%s did not end in time", stage.__name__)
            except Exception as error:  # noqa: BLE001 - the stages behind it have to end too
                self._crashes.report(error, "ending")
        self._crash_desk.close()

    async def _close_desk(self) -> None:
        if self._desk is not None:
            await self._desk.close()

    async def _stop_demo(self) -> None:
        if self._demo is not None:
            await asyncio.to_thread(self._demo.stop)


def _connect(
    account: Account, credential: str, on_outcome: Callable[[ApiError | None], None]
) -> Service:
    from app.api.auth import ApiKey, BearerToken  # noqa: PLC0415 - httpx is not for the first paint
    from app.api.client import ServiceClient  # noqa: PLC0415 - as above

    auth = BearerToken(credential) if account.way_in is WayIn.PAGE else ApiKey(credential)
    return ServiceClient(account.base_url, auth, on_outcome=on_outcome)
