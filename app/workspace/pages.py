"""The window's own pages, settings and about, and what a choice does to the window at once.

What a choice does inside an account is left to its workspace, which asks the settings. Everything
behind the pages is imported when somebody first goes to them: no start has to wait for it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry
from app.accounts.session import Session
from app.accounts.vault import DEADLINE, Vault, VaultReport, vault_in_use
from app.accounts.worker_thread import WorkerThread
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.words import tr
from app.settings.saved_views import SavedViewStore
from app.settings.settings import Settings, SettingsChanged, SettingsStore
from app.views.widgets.theme import theme_of
from app.views.window.main_window import MainWindow
from app.workspace.forgetting import Forgetting
from app.workspace.switcher import WorkspaceSwitcher

if TYPE_CHECKING:
    from app.viewmodels.settings.settings import SettingsScreen
    from app.views.outbox.history_page import HistoryPage
    from app.views.settings.about import AboutPage
    from app.views.settings.settings_page import SettingsPage


class WindowPages:
    """Builds each page when somebody first goes to it, and leads back from it."""

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsStore,
        saved_views: SavedViewStore,
        session: Session,
        events: EventBus,
        *,
        scope: TaskScope,
        registry: AccountRegistry,
        vault: Vault,
        forget_browser: Callable[[], None],
        switcher: WorkspaceSwitcher,
        data_folder: Path,
    ) -> None:
        """Dress the application as `settings` says, now and at every change."""
        self._window = window
        self._settings_store = settings
        self._saved_views = saved_views
        self._session = session
        self._events = events
        self._scope = scope
        self._registry = registry
        self._switcher = switcher
        self._forget = Forgetting(
            session,
            registry,
            vault,
            saved_views,
            switcher.folders,
            forget_browser=forget_browser,
            let_go=switcher.let_go,
        )
        self._data_folder = data_folder
        self._settings: SettingsScreen | None = None
        self._settings_page: SettingsPage | None = None
        self._about_page: AboutPage | None = None
        self._history_page: HistoryPage | None = None
        window.settings_wanted.connect(self._show_settings)
        window.about_wanted.connect(self._show_about)
        window.history_wanted.connect(self._show_history)
        window.lists_left.connect(self._drop_history)
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        dress(settings.settings)

    def _show_settings(self) -> None:
        if self._settings_page is None:
            self._settings_page = self._make_settings_page()
            self._settings_page.closed.connect(self._window.leave_page)
        self._window.show_page(self._settings_page)

    def _make_settings_page(self) -> "SettingsPage":
        from app.viewmodels.settings.settings import SettingsScreen  # noqa: PLC0415 - see above
        from app.views.settings.settings_page import SettingsPage  # noqa: PLC0415 - as above

        self._settings = SettingsScreen(
            self._settings_store,
            self._events,
            self._scope,
            accounts=self._accounts,
            forget=self._forget,
            in_use=self._account_in_use,
            unsent=self._switcher.unsent_of,
            look_at_vault=_look_at_vault,
            data_folder=self._data_folder,
        )
        return SettingsPage(self._settings)

    def _accounts(self) -> Sequence[Account]:
        """Those this computer knows, and the one in use: a key given at the start is not kept, but
        what was seen and typed with it may be.
        """
        known, used = self._registry.accounts(), self._session.account
        if (
            used is None
            or used.auth_method is AuthMethod.DEMO
            or used.id in {one.id for one in known}
        ):
            return known
        return (used, *known)

    def _account_in_use(self) -> str | None:
        account = self._session.account
        return account.id if account is not None else None

    def _show_about(self) -> None:
        if self._about_page is None:
            self._about_page = self._make_about_page()
            self._about_page.closed.connect(self._window.leave_page)
        self._window.show_page(self._about_page)

    def _make_about_page(self) -> "AboutPage":
        from app.diagnostics.components import build_info, chromium_version  # noqa: PLC0415 - see above
        from app.viewmodels.settings.about import AboutScreen  # noqa: PLC0415 - as above
        from app.views.settings.about import AboutPage  # noqa: PLC0415 - as above

        screen = AboutScreen(self._scope, read=build_info, find_chromium=chromium_version)
        return AboutPage(screen)

    def _show_history(self) -> None:
        screens = self._window.screens
        if screens is None:
            return
        if self._history_page is None:
            from app.views.outbox.history_page import HistoryPage  # noqa: PLC0415 - see above

            self._history_page = HistoryPage(screens.history)
            self._history_page.closed.connect(self._window.leave_page)
        self._window.show_page(self._history_page)

    def _drop_history(self) -> None:
        """It is about one account alone."""
        if self._history_page is not None:
            self._history_page.deleteLater()
            self._history_page = None

    def _settings_changed(self, event: SettingsChanged) -> None:
        dress(event.settings)
        followed = self._saved_views.keep_on_disk(on=event.settings.keep_on_this_computer)
        if not followed and self._settings is not None:
            self._settings.say(
                tr("Where you were could not be deleted: Front Desk could not write to its folder.")
            )


def dress(settings: Settings) -> None:
    """Put on the theme that was chosen, unless it is worn already."""
    theme = theme_of(cast(QApplication, QApplication.instance()))
    theme.set_motion(settings.motion)
    if theme.choice != settings.theme.value:
        theme.choose(settings.theme.value)


async def _look_at_vault() -> VaultReport:
    # It ends by itself, in at most the deadline; no thread of it holds the window at its end.
    return await WorkerThread("vault in use").run(vault_in_use, 2 * DEADLINE)
