"""The window's own pages, settings and about, and what a choice does to the window at once.

What a choice does inside an account is left to its workspace, which asks the settings. Everything
behind the pages is imported when somebody first goes to them: no start has to wait for it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.runtime.events import EventBus
from app.runtime.paths import resource
from app.runtime.tasks import TaskScope
from app.runtime.words import languages, tr
from app.settings.saved_states import SavedStateStore
from app.settings.settings import Settings, SettingsChanged, SettingsStore
from app.viewmodels.exporting.print_requests import PrintRequest
from app.viewmodels.settings.settings_choices import SettingsChoice
from app.views.look.theme import theme_of
from app.views.widgets.inner_page import InnerPage
from app.views.window.main_window import MainWindow
from app.workspace.local_accounts import LocalAccounts

if TYPE_CHECKING:
    from app.viewmodels.help.help import Help
    from app.viewmodels.importing.review import ReviewScreen
    from app.viewmodels.settings.settings import SettingsScreen
    from app.viewmodels.workspace_screens import WorkspaceScreens
    from app.views.importing.review_list import ReviewCell
    from app.views.importing.review_page import ReviewPage
    from app.views.outbox.history_page import HistoryPage
    from app.views.settings.settings_page import SettingsPage

_Page = TypeVar("_Page", bound=InnerPage)


class InnerPages:
    """Builds each page when somebody first goes to it, and leads back from it."""

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsStore,
        saved_states: SavedStateStore,
        accounts: LocalAccounts,
        events: EventBus,
        *,
        scope: TaskScope,
        data_folder: Path,
    ) -> None:
        """Dress the application as `settings` says, now and at every change."""
        self._window = window
        self._settings_store = settings
        self._saved_states = saved_states
        self._accounts = accounts
        self._events = events
        self._scope = scope
        self._data_folder = data_folder
        self._settings: SettingsScreen | None = None
        self._pages: dict[type[InnerPage], InnerPage] = {}
        """Those that were gone to and are about no account."""
        self._pages_of_account: dict[type[InnerPage], InnerPage] = {}
        self._review_pages: dict[ReviewScreen, ReviewPage] = {}
        self._looked_over: dict[str, ReviewCell | None] = {}
        """The cells in the lists that were looked over when their account was left, by the ids that
        these are kept as: it may be about to be shown again.
        """
        window.list_given.connect(self._expect_review)
        window.review_opened.connect(self._show_review)
        window.review_ended.connect(self._drop_review)
        window.lists_left.connect(self._drop_reviews)
        window.lists_shown.connect(self._follow_lists)
        window.settings_wanted.connect(self._show_settings)
        window.setting_wanted.connect(self._show_setting)
        window.about_wanted.connect(self._show_about)
        window.help_wanted.connect(self._show_help)
        window.history_wanted.connect(self._show_history)
        window.history_row_wanted.connect(self._return_to_history)
        window.lists_wanted.connect(self._show_lists)
        window.result_wanted.connect(self._show_result)
        window.print_wanted.connect(self._show_preview)
        window.lists_left.connect(self._drop_pages_of_account)
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        dress(settings.settings)

    def page(
        self, kind: type[_Page], make: Callable[[], _Page], *, of_account: bool = False
    ) -> _Page:
        """The page of that kind; `make` builds it when it is first gone to, and again in another
        language or, `of_account`, in another account.
        """
        pages = self._pages_of_account if of_account else self._pages
        if kind not in pages:
            pages[kind] = make()
            pages[kind].closed.connect(self._window.leave_page)
        return cast(_Page, pages[kind])

    def _show_settings(self) -> None:
        self._window.show_page(self._settings_page())

    def _show_setting(self, choice: SettingsChoice) -> None:
        """Lead to what somebody looked for, or has just chosen."""
        self._settings_page().begin_at(choice)
        self._show_settings()

    def _settings_page(self) -> "SettingsPage":
        from app.views.settings.settings_page import SettingsPage  # noqa: PLC0415 - see above

        return self.page(SettingsPage, self._make_settings_page)

    def _make_settings_page(self) -> "SettingsPage":
        from app.viewmodels.settings.settings import SettingsScreen  # noqa: PLC0415 - see above
        from app.views.settings.settings_page import SettingsPage  # noqa: PLC0415 - as above

        # It stays while pages come and go with the language they are in.
        if self._settings is None:
            self._settings = SettingsScreen(
                self._settings_store,
                self._events,
                self._scope,
                self._accounts,
                self._data_folder,
                languages=languages(resource("translations")),
            )
        return SettingsPage(self._settings)

    def build_anew(self) -> None:
        """Another language is spoken: the window is built again, its own pages when they are next
        gone to, and at once the one where it is chosen.
        """
        from app.views.settings.settings_page import SettingsPage  # noqa: PLC0415 - see above

        before, self._pages = self._pages, {}
        choosing = SettingsPage in before and before[SettingsPage].isVisible()
        self._window.build_anew()
        if self._settings is not None:
            self._settings.say_anew()
        if choosing:
            self._show_setting(SettingsChoice.LANGUAGE)
        for page in before.values():
            page.deleteLater()

    def _show_about(self) -> None:
        from app.diagnostics.components import browser_and_vault, build_info  # noqa: PLC0415 - see above
        from app.viewmodels.settings.about import AboutScreen  # noqa: PLC0415 - as above
        from app.views.settings.about import AboutPage  # noqa: PLC0415 - as above

        def make() -> AboutPage:
            screen = AboutScreen(
                self._scope, read=build_info, find_browser_and_vault=browser_and_vault
            )
            return AboutPage(screen)

        self._window.show_page(self.page(AboutPage, make))

    def _show_help(self, told: "Help") -> None:
        from app.views.help.help_page import HelpPage  # noqa: PLC0415 - see above

        page = self.page(HelpPage, HelpPage)
        if self._window.page is not page:
            page.tell(told)
            self._window.show_page(page)

    def _show_history(self) -> None:
        page = self._history_page()
        if page is not None:
            self._window.show_page(page)

    def _return_to_history(self) -> None:
        page = self._history_page()
        if page is not None:
            page.return_to_row()
            self._window.show_page(page)

    def _show_lists(self) -> None:
        page = self._history_page()
        if page is not None:
            self._window.show_page(page)
            # Once the page stands where it is to stand: the strip above it goes.
            QTimer.singleShot(0, page, page.open_lists)

    def _history_page(self) -> "HistoryPage | None":
        """None where there is no account."""
        screens = self._window.screens
        if screens is None:
            return None
        from app.views.outbox.history_page import HistoryPage  # noqa: PLC0415 - see above

        def make() -> HistoryPage:
            page = HistoryPage(screens.history, screens.results)
            page.result_wanted.connect(self._show_result)
            page.entry_wanted.connect(self._window.show_in_list)
            return page

        return self.page(HistoryPage, make, of_account=True)

    def _show_result(self, list_id: object) -> None:
        screens = self._window.screens
        if screens is None:
            return
        from app.views.importing.result import ResultPage  # noqa: PLC0415 - see above

        def make() -> ResultPage:
            screens.results.correction_wanted.connect(self._window.correct)
            screens.results.entry_wanted.connect(self._window.show_unsettled)
            return ResultPage(screens.results)

        page = self.page(ResultPage, make, of_account=True)
        screens.results.open(str(list_id))
        self._window.show_page(page)

    def _show_preview(self, request: PrintRequest) -> None:
        screens = self._window.screens
        if screens is None:
            return
        from app.views.exporting.preview_page import PreviewPage  # noqa: PLC0415 - see above
        from app.views.exporting.typesetter import PageTypesetter  # noqa: PLC0415 - as above

        page = self.page(PreviewPage, lambda: PreviewPage(screens.printing), of_account=True)
        screens.printing.open(request, PageTypesetter())
        self._window.show_page(page)

    def _drop_pages_of_account(self) -> None:
        """They are about one account alone."""
        left, self._pages_of_account = self._pages_of_account, {}
        for page in left.values():
            self._window.take_out(page)
            page.deleteLater()

    def _expect_review(self) -> None:
        """Import the page while the list is being read: showing it has enough to do then."""
        import app.views.importing.review_page  # noqa: F401, PLC0415 - see above

    def _show_review(self, screen: "ReviewScreen") -> None:
        self._window.show_page(self._review_page(screen))

    def _review_page(self, screen: "ReviewScreen") -> "ReviewPage":
        if screen not in self._review_pages:
            from app.views.importing.review_page import ReviewPage  # noqa: PLC0415 - see above

            page = self._review_pages[screen] = ReviewPage(screen)
            page.closed.connect(self._window.leave_page)
            page.person_wanted.connect(self._window.open_person)
        return self._review_pages[screen]

    def _follow_lists(self, screens: "WorkspaceScreens") -> None:
        screens.lists.taken_over.connect(self._look_over_again)

    def _look_over_again(self) -> None:
        """The account is shown again, in another language perhaps: what was looked over is come
        back to from the page where that was chosen.
        """
        screens = self._window.screens
        for screen in reversed(screens.lists.begun_lists if screens is not None else ()):
            if screen.autosave.id in self._looked_over:
                page = self._review_page(screen)
                page.return_to(self._looked_over.pop(screen.autosave.id))
                self._window.put_below(page)

    def _drop_review(self, screen: "ReviewScreen") -> None:
        """Its people are added, or it is discarded."""
        page = self._review_pages.pop(screen, None)
        if page is not None:
            self._window.take_out(page)
            page.deleteLater()

    def _drop_reviews(self) -> None:
        """They are about one account alone."""
        self._looked_over = {
            screen.autosave.id: page.cell
            for screen, page in self._review_pages.items()
            if self._window.leads_to(page)
        }
        for screen in tuple(self._review_pages):
            self._drop_review(screen)

    def _settings_changed(self, event: SettingsChanged) -> None:
        dress(event.settings)
        followed = self._saved_states.keep_on_disk(on=event.settings.keep_on_this_computer)
        if not followed and self._settings is not None:
            self._settings.say(
                tr("Where you were could not be deleted: Front Desk could not write to its folder.")
            )


def dress(settings: Settings) -> None:
    """Put on the theme that was chosen, unless it is worn already."""
    theme = theme_of(cast(QApplication, QApplication.instance()))
    theme.set_motion(settings.motion)
    theme.set_contrast(settings.contrast)
    if theme.choice != settings.theme.value:
        theme.choose(settings.theme.value)
