"""The window's own pages, settings and about, and what a choice does to the window at once.

What a choice does inside an account is left to its workspace, which asks the settings. Everything
behind the pages is imported when somebody first goes to them: no start has to wait for it.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

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
from app.views.window.main_window import MainWindow
from app.workspace.local_accounts import LocalAccounts

if TYPE_CHECKING:
    from app.viewmodels.help.help import Help
    from app.viewmodels.importing.review import ReviewScreen
    from app.viewmodels.settings.settings import SettingsScreen
    from app.views.exporting.preview_page import PreviewPage
    from app.views.help.help_page import HelpPage
    from app.views.importing.result import ResultPage
    from app.views.importing.review_page import ReviewPage
    from app.views.outbox.history_page import HistoryPage
    from app.views.report.report_page import ReportPage
    from app.views.settings.about import AboutPage
    from app.views.settings.settings_page import SettingsPage


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
        has_tray: Callable[[], bool],
    ) -> None:
        """Dress the application as `settings` says, now and at every change."""
        self._window = window
        self._settings_store = settings
        self._saved_states = saved_states
        self._accounts = accounts
        self._events = events
        self._scope = scope
        self._data_folder = data_folder
        self._has_tray = has_tray
        self._settings: SettingsScreen | None = None
        self._settings_page: SettingsPage | None = None
        self._about_page: AboutPage | None = None
        self._help_page: HelpPage | None = None
        self._report_page: ReportPage | None = None
        self._history_page: HistoryPage | None = None
        self._review_pages: dict[ReviewScreen, ReviewPage] = {}
        window.list_given.connect(self._expect_review)
        window.review_opened.connect(self._show_review)
        window.review_ended.connect(self._drop_review)
        window.lists_left.connect(self._drop_reviews)
        self._result_page: ResultPage | None = None
        self._preview_page: PreviewPage | None = None
        window.settings_wanted.connect(self._show_settings)
        window.setting_wanted.connect(self._show_setting)
        window.about_wanted.connect(self._show_about)
        window.report_wanted.connect(self._show_report)
        window.help_wanted.connect(self._show_help)
        window.history_wanted.connect(self._show_history)
        window.history_row_wanted.connect(self._return_to_history)
        window.lists_wanted.connect(self._show_lists)
        window.result_wanted.connect(self._show_result)
        window.print_wanted.connect(self._show_preview)
        window.lists_left.connect(self._drop_pages_of_account)
        events.subscribe(SettingsChanged, self._settings_changed, scope)
        dress(settings.settings)

    def _show_settings(self) -> None:
        if self._settings_page is None:
            self._settings_page = self._make_settings_page()
        self._window.show_page(self._settings_page)

    def _show_setting(self, choice: SettingsChoice) -> None:
        """Lead to what somebody looked for, or has just chosen."""
        if self._settings_page is None:
            self._settings_page = self._make_settings_page()
        self._settings_page.begin_at(choice)
        self._show_settings()

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
                has_tray=self._has_tray,
            )
        page = SettingsPage(self._settings)
        page.closed.connect(self._window.leave_page)
        return page

    def build_anew(self) -> None:
        """Another language is spoken: the window is built again, its own pages when they are next
        gone to, and at once the one where it is chosen.
        """
        pages = (self._settings_page, self._about_page, self._help_page, self._report_page)
        choosing = self._settings_page is not None and self._settings_page.isVisible()
        self._settings_page = self._about_page = self._help_page = self._report_page = None
        self._window.build_anew()
        if self._settings is not None:
            self._settings.say_anew()
        if choosing:
            self._show_setting(SettingsChoice.LANGUAGE)
        for page in pages:
            if page is not None:
                page.deleteLater()

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

    def _show_help(self, told: "Help") -> None:
        if self._help_page is None:
            from app.views.help.help_page import HelpPage  # noqa: PLC0415 - see above

            self._help_page = HelpPage()
            self._help_page.closed.connect(self._window.leave_page)
        if self._window.page is not self._help_page:
            self._help_page.tell(told)
            self._window.show_page(self._help_page)

    def _show_report(self) -> None:
        if self._report_page is None:
            from app.diagnostics.report import report_text  # noqa: PLC0415 - see above
            from app.viewmodels.report.report import ReportScreen  # noqa: PLC0415 - as above
            from app.views.report.report_page import ReportPage  # noqa: PLC0415 - as above

            def read() -> Awaitable[str]:
                return report_text(self._data_folder, self._settings_store.settings)

            self._report_page = ReportPage(ReportScreen(self._scope, read=read))
            self._report_page.closed.connect(self._window.leave_page)
        self._window.show_page(self._report_page)

    def _show_history(self) -> None:
        screens = self._window.screens
        if screens is None:
            return
        if self._history_page is None:
            from app.views.outbox.history_page import HistoryPage  # noqa: PLC0415 - see above

            self._history_page = HistoryPage(screens.history, screens.results)
            self._history_page.closed.connect(self._window.leave_page)
            self._history_page.result_wanted.connect(self._show_result)
            self._history_page.entry_wanted.connect(self._window.show_in_list)
        self._window.show_page(self._history_page)

    def _return_to_history(self) -> None:
        if self._history_page is not None:
            self._history_page.return_to_row()
            self._window.show_page(self._history_page)

    def _show_lists(self) -> None:
        self._show_history()
        if self._history_page is not None:
            # Once the page stands where it is to stand: the strip above it goes.
            QTimer.singleShot(0, self._history_page, self._history_page.open_lists)

    def _show_result(self, list_id: object) -> None:
        screens = self._window.screens
        if screens is None:
            return
        if self._result_page is None:
            from app.views.importing.result import ResultPage  # noqa: PLC0415 - see above

            self._result_page = ResultPage(screens.results)
            self._result_page.closed.connect(self._window.leave_page)
            screens.results.correction_wanted.connect(self._window.correct)
            screens.results.entry_wanted.connect(self._window.show_unsettled)
        screens.results.open(str(list_id))
        self._window.show_page(self._result_page)

    def _show_preview(self, request: PrintRequest) -> None:
        screens = self._window.screens
        if screens is None:
            return
        from app.views.exporting.preview_page import PreviewPage  # noqa: PLC0415 - see above
        from app.views.exporting.typesetter import PageTypesetter  # noqa: PLC0415 - as above

        if self._preview_page is None:
            self._preview_page = PreviewPage(screens.printing)
            self._preview_page.closed.connect(self._window.leave_page)
        screens.printing.open(request, PageTypesetter())
        self._window.show_page(self._preview_page)

    def _drop_pages_of_account(self) -> None:
        """They are about one account alone."""
        for page in (self._history_page, self._result_page, self._preview_page):
            if page is not None:
                self._window.take_out(page)
                page.deleteLater()
        self._history_page = self._result_page = self._preview_page = None

    def _expect_review(self) -> None:
        """Import the page while the list is being read: showing it has enough to do then."""
        import app.views.importing.review_page  # noqa: F401, PLC0415 - see above

    def _show_review(self, screen: "ReviewScreen") -> None:
        if screen not in self._review_pages:
            from app.views.importing.review_page import ReviewPage  # noqa: PLC0415 - see above

            page = self._review_pages[screen] = ReviewPage(screen)
            page.closed.connect(self._window.leave_page)
            page.person_wanted.connect(self._window.open_person)
        self._window.show_page(self._review_pages[screen])

    def _drop_review(self, screen: "ReviewScreen") -> None:
        """Its people are added, or it is discarded."""
        page = self._review_pages.pop(screen, None)
        if page is not None:
            self._window.take_out(page)
            page.deleteLater()

    def _drop_reviews(self) -> None:
        """They are about one account alone."""
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
