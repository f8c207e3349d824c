"""The composition root: builds each object once, joins them, and ends them in order."""

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import ConnectionDetails, read_connection
from app.accounts.folders import id_of_address
from app.accounts.reconnect import Reconnect
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import Session
from app.accounts.vault import DEADLINE, Vault
from app.api.sign_in.oauth import SignInAnswer, SignInRequest
from app.model.errors import ExpectedError, retranslatable_error
from app.runtime.crash import CrashReporter
from app.runtime.data_folder import trouble_with
from app.runtime.events import EventBus
from app.runtime.installation import lacks_library
from app.runtime.paths import resource
from app.runtime.tasks import TaskScope
from app.runtime.words import language, log_damaged_catalogues, tr
from app.settings.column_choices import ColumnChoices
from app.settings.saved_states import SavedState, SavedStateStore
from app.settings.settings import SettingsChanged, SettingsStore
from app.single_instance import WindowRequest
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.quick_add.quick_add import says_several
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.window.session import SessionScreen
from app.views.look.language import speak, system_languages
from app.views.look.theme import theme_of
from app.views.window.crash import CrashReports
from app.views.window.main_window import MainWindow
from app.workspace.account_check import AccountRecognition
from app.workspace.closing import Closing
from app.workspace.inner_pages import InnerPages
from app.workspace.local_accounts import LocalAccounts
from app.workspace.switcher import WorkspaceSwitcher

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.demo.server import DemoServer
    from app.views.sign_in.browser import BrowserProfile

_log = logging.getLogger(__name__)
_WINDOW = "window"
"""The window has one place, whichever account it shows."""
_ENDING_SECONDS = 0.9
"""How long the work under way may take to end; what has not ended by then is left."""
_CHANGING_SECONDS = 60.0
"""How long what somebody has asked for in a long list may take: it is there at the next start."""
_SIGNING_OUT_SECONDS = DEADLINE + 1.0
"""A sign-in that somebody asked to have deleted must not be there at the next start."""


class StartOptions(msgspec.Struct, frozen=True):
    """What the command line asked for."""

    data_folder: Path
    demo: bool = False
    connection: Path | None = None
    api_key: str = ""
    list_file: Path | None = None
    """A list of people to look over."""
    people: str | None = None
    """Whom to add, as somebody would type them; blank: to begin typing."""
    chooses_list: bool = False
    """A list of people is to be looked over, and the window asks which."""
    small: bool = False
    """The small window is to be shown."""

    @property
    def asked(self) -> WindowRequest:
        """What a window that is open is to do instead of this one."""
        return WindowRequest(
            self.list_file, self.connection, self.people, self.chooses_list, self.small
        )


class Container:
    """Composition root: builds every object once, joins them, and closes them in order."""

    def __init__(self, options: StartOptions, crashes: CrashReporter) -> None:
        """Build everything that needs no account; the application is dressed already."""
        self._options = options
        self._crashes = crashes
        self._scope = TaskScope("front desk", crashes.report, ExpectedError)
        self._events = EventBus(crashes.report)
        self._registry = AccountRegistry(options.data_folder)
        self._settings = SettingsStore(options.data_folder, self._events)
        self._language = self._settings.settings.language
        if self._language:
            self._speak()
        kept = self._settings.settings.keep_on_this_computer
        self._saved_states = SavedStateStore(options.data_folder, on_disk=kept)
        columns = ColumnChoices(options.data_folder, on_disk=kept)
        vault = Vault()
        self._session = Session(self._registry, vault, self._events, ServiceConnector())
        self._reconnect = Reconnect(self._session, self._events, self._scope)
        self._browser = _EmbeddedBrowser(self._registry)
        self._demo = _DemoInThisProgram()
        self._finished: asyncio.Future[None] | None = None
        self._quitting = False
        self._when_quitting: list[Callable[[], None]] = []
        self.session_screen = SessionScreen(
            self._session,
            self._events,
            self._scope,
            browser=self._browser,
            demo=self._demo,
            registry=self._registry,
        )
        self._connection_files = ConnectionFiles(self.session_screen)
        self.window = MainWindow(self.session_screen, self._connection_files)
        self._browser.window = self.window
        self._switcher = WorkspaceSwitcher(
            options.data_folder,
            self.window,
            self._session,
            self.session_screen,
            self._events,
            settings=self._settings,
            saved_states=self._saved_states,
            columns=columns,
            scope=self._scope,
            report=crashes.report,
        )
        self.session_screen.recognise_with(
            AccountRecognition(self.session_screen, self._registry.accounts, self._switcher.known)
        )
        self._closing = Closing(
            options.data_folder, self.window, self.session_screen, self._switcher, self.quit
        )
        self._registry.when_changed(self.session_screen.first_page.reread_known)
        self._inner_pages = InnerPages(
            self.window,
            self._settings,
            self._saved_states,
            LocalAccounts(
                self._session,
                self._registry,
                vault,
                self._saved_states,
                self._switcher,
                browser=self._browser,
            ),
            self._events,
            scope=self._scope,
            data_folder=options.data_folder,
        )
        self._events.subscribe(SettingsChanged, self._settings_changed, self._scope)
        self._crash_reports = CrashReports(crashes)
        self._crash_reports.stand_beside(self.window)
        self.window.list_given.connect(self._switcher.add_from_list)
        self.window.above_wanted.connect(self._keep_above)
        self.window.stay_above(on=self._settings.settings.small_above)
        self.window.closing_confirmed.connect(self.quit)

    async def run(self) -> None:
        """Show the window and stay until it has been closed."""
        with cycles_collected_by_the_event_loop():
            await self._run()

    async def _run(self) -> None:
        if self._quitting:
            await self._end()
            return
        self._finished = asyncio.get_running_loop().create_future()
        kept = self._saved_states.of(_WINDOW)
        self.window.sizes.restore(kept.window or "", kept.small_window or "")
        self._tell_of_folder()
        # Before the window is seen: what leads back into an account shows no first page.
        self._begin()
        chosen = kept.small or self._options.small
        if chosen or self._adds_one:
            self.window.show_small(lent=not chosen)
        if self.session_screen.state.asks_to_sign_in:
            self._switcher.tell_who_is_kept()
        self.window.show()
        self.window.activateWindow()
        application = cast(QApplication, QApplication.instance())
        # Things move only where they do on the whole desktop.
        theme_of(application).follow_desktop()
        try:
            await self._finished
        finally:
            await self._end()

    @property
    def _adds_one(self) -> bool:
        """Whether the program was started to add somebody, to an account that leads back in."""
        people = self._options.people
        if people is None or self.session_screen.state.asks_to_sign_in:
            return False
        return not says_several(people)

    def _tell_of_folder(self) -> None:
        trouble = trouble_with(self._options.data_folder)
        if trouble is not None:
            action = NoticeAction.COPY_DETAILS if trouble.details else NoticeAction.NOTHING
            self.session_screen.say_until_read(
                Notice(trouble.sentence, action, details=trouble.details)
            )

    def come_to_front(self) -> None:
        """Somebody started the program again: this is its window, also where it was just closed."""
        self._closing.come_to_front()

    def take(self, asked: WindowRequest) -> None:
        """Somebody started the program again and wants this of it."""
        if asked.small:
            self.window.show_small()
        if asked.connection is not None:
            self._connection_files.drop([str(asked.connection)])
        self._take_people(asked)

    def _take_people(self, asked: WindowRequest, *, for_demo: bool = False) -> None:
        if asked.list_file is not None:
            self._switcher.add_given_list(asked.list_file, for_demo=for_demo)
        if asked.people is not None:
            self._switcher.add_people(asked.people, for_demo=for_demo)
        if asked.chooses_list:
            self._switcher.ask_for_list()

    def _keep_above(self, on: object) -> None:
        try:
            self._settings.change(small_above=bool(on))
        except ExpectedError as error:
            self.session_screen.say(Notice(error.message))

    def _settings_changed(self, event: SettingsChanged) -> None:
        self.window.stay_above(on=event.settings.small_above)
        if event.settings.language != self._language:
            self._language = event.settings.language
            # What was pressed to choose it is built anew as well.
            QTimer.singleShot(0, self.window, lambda: self._switcher.show_anew(self._say_anew))

    def _say_anew(self) -> None:
        """At once and without a restart: whoever chose a language by mistake finds the way back."""
        self._speak()
        account = self._session.account
        if account is not None and account.auth_method is AuthMethod.DEMO:
            self._session.call_account(_demo_name())
        self.session_screen.say_anew()
        self._inner_pages.build_anew()

    def _speak(self) -> None:
        # One that this version has no catalogue for leaves it to the system.
        wanted = [*filter(None, [self._language]), *system_languages()]
        application = cast(QApplication, QApplication.instance())
        speak(application, resource("translations"), wanted)
        log_damaged_catalogues()

    def when_quitting(self, call: "Callable[[], None]") -> None:
        """Call this once it is settled that the program ends, before anything of it does."""
        self._when_quitting.append(call)

    def quit(self) -> None:
        """Quit now, whatever is under way; also before the window was ever shown."""
        self._quitting = True
        for call in self._when_quitting:
            call()
        self._closing.end()
        if self._finished is not None and not self._finished.done():
            self._finished.set_result(None)

    def quit_unasked(self) -> None:
        """The system ends the program, as at a logout: nobody can be asked any more."""
        self._switcher.end_unasked()
        self.quit()

    # Starting

    def _begin(self) -> None:
        screen = self.session_screen
        self._take_people(self._options.asked, for_demo=self._options.demo)
        if self._options.demo:
            screen.begin(screen.try_demo)
            return
        connection = self._given_connection()
        if connection is None and self._options.connection is not None:
            return
        last = self._registry.last_used()
        if self._options.api_key:
            self._use_given_key(connection)
        elif last is not None and (connection is None or connection.base_url == last.base_url):
            screen.begin(screen.restore)

    def _given_connection(self) -> ConnectionDetails | None:
        if self._options.connection is None:
            return None
        try:
            connection = read_connection(self._options.connection)
        except ExpectedError as error:
            self.session_screen.say(Notice(error.message))
            return None
        self.session_screen.take_connection(connection)
        return connection

    def _use_given_key(self, details: ConnectionDetails | None) -> None:
        # Never the account used last: which address this key is for, only the connection file says.
        if details is None:
            self.session_screen.say(
                Notice(tr("A key was given at the start, but no connection file to use it with."))
            )
            return
        account = Account(
            id=id_of_address(details.base_url),
            name=details.name,
            base_url=details.base_url,
            auth_method=AuthMethod.KEY,
        )
        screen, known = self.session_screen, self._switcher.folders.has(account.id)
        screen.begin(lambda: screen.use_key(account, self._options.api_key, known=known))

    # Ending

    async def _end(self) -> None:
        """In this order: the window, the work, the service, the demo; each may fail alone."""
        large, small = self.window.sizes.kept()
        small_chosen = self.window.sizes.small_chosen
        where = SavedState(window=large or None, small_window=small or None, small=small_chosen)
        self._saved_states.keep(_WINDOW, where)
        self.window.close_for_good()
        self._browser.forget()
        stages: tuple[tuple[Callable[[], Awaitable[object]], float], ...] = (
            (self.session_screen.signed_out, _SIGNING_OUT_SECONDS),
            (self._scope.close, _ENDING_SECONDS),
            (self._switcher.changes_made, _CHANGING_SECONDS),
            (self._switcher.close, _ENDING_SECONDS),
            (self._session.close, _ENDING_SECONDS),
            (self._demo.stop, _ENDING_SECONDS),
        )
        for stage, seconds in stages:
            try:
                async with asyncio.timeout(seconds):
                    await stage()
            except TimeoutError:
                _log.warning("%s did not end in time", stage.__qualname__)
            except Exception as error:  # noqa: BLE001 - the stages behind it have to end too
                self._crashes.report(error, "ending")
        self._crash_reports.close()


class _EmbeddedBrowser:
    """Signs in on the account's page over the window; WebEngine is loaded for the first time."""

    def __init__(self, registry: AccountRegistry) -> None:
        self._registry = registry
        self._profile: BrowserProfile | None = None
        self.window: MainWindow | None = None

    async def authorise(self, request: SignInRequest) -> SignInAnswer | None:
        """As in `SignInBrowser`."""
        try:
            from app.views.sign_in.browser import (  # noqa: PLC0415 - WebEngine
                BrowserProfile,
                authorise,
            )
        except ImportError as problem:
            if not lacks_library(problem):
                raise
            # The window needs fewer of them than a browser.
            raise _no_browser(str(problem)) from problem
        if self._profile is None:
            self._profile = BrowserProfile(self._registry)
        try:
            return await authorise(self.window, request, self._profile)
        finally:
            if self.window is not None:
                self.window.activateWindow()

    def forget(self) -> None:
        """As in `SignInBrowser`."""
        if self._profile is not None:
            self._profile.forget()


@retranslatable_error
def _no_browser(problem: str) -> ExpectedError:
    from app.diagnostics.doctor import missing_library  # noqa: PLC0415 - hardly anybody needs it

    missing = missing_library(problem)
    told = tr(
        "The page to sign in on cannot be shown. {what} To mend it: {command}",
        what=missing.what,
        command=missing.mend,
    )
    return ExpectedError(tr("Not signed in"), told, details=f"{problem}\n{missing.mend}")


def _demo_name() -> str:
    return tr("Riverside Community (demo)")


class _DemoInThisProgram:
    """The demo service in a thread of this program, one at a time."""

    def __init__(self) -> None:
        self._server: DemoServer | None = None

    async def start(self) -> tuple[Account, str]:
        """As in `DemoStarter`."""
        from app.demo.server import DemoOptions, DemoServer  # noqa: PLC0415 - slow to import

        await self.stop()
        self._server = DemoServer(DemoOptions(language=language, tr=tr))
        access = await asyncio.to_thread(self._server.start)
        account = Account(
            id="demo",
            name=_demo_name(),
            base_url=access.base_url,
            auth_method=AuthMethod.DEMO,
        )
        return account, access.api_key

    async def stop(self) -> None:
        """End what was started."""
        if self._server is not None:
            await asyncio.to_thread(self._server.stop)
