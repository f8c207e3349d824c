"""The window: header, one sentence when there is one, the page, the status bar."""

from collections.abc import Callable, Generator
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QLocale, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from app.model.outbox import OutboxEntry
from app.runtime.paths import resource
from app.runtime.words import tr
from app.viewmodels.already_here import DuplicateHint
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.exporting.print_requests import PrintAllFlows
from app.viewmodels.flows.flows_tab import FlowsView, view_name
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewState
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.help.help import PageKind
from app.viewmodels.notices import LEAVING, Notice, NoticeAction
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.views.importing.list_sources import ask_for_list
from app.views.importing.progress import ProgressStrip
from app.views.small_window.window_sizes import WindowSizes
from app.views.widgets.banner import NoticeBanner
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import (
    window_title,
)
from app.views.widgets.pointer import DoubleClickGuard
from app.views.window.available_actions import AvailableActions
from app.views.window.escape_first import EscapeFirst
from app.views.window.file_drop import FileDrop
from app.views.window.focus_order import FocusOrder
from app.views.window.header import Header
from app.views.window.page_stack import PageStack
from app.views.window.status_bar import StatusBar
from app.views.window.window_menu import Keys, WindowAction, WindowMenu
from app.views.window.workspace_page import FLOWS, PEOPLE, WorkspacePage

if TYPE_CHECKING:
    from app.viewmodels.importing.review import ReviewScreen
    from app.views.sign_in.first_start import FirstStart

_LARGE = QSize(1180, 760)
_LEAST_LARGE = QSize(760, 460)
"""Fits with its frame on a screen of 800 x 600, and on a usual one at 200 %."""
_LOW = 640
"""In a window of less than so many pixels the rows need the room: of the lists on their way one is
shown.
"""

_LIST_NAME_IN_STATUS_BAR = 30
"""Characters: in a narrow window all that stands there has its room."""


class KeyboardPlace(Enum):
    """Where the keyboard is among the lists, in whatever language they are shown."""

    LINE = auto()
    """That for adding."""
    SEARCH = auto()
    MENU = auto()
    LIST = auto()
    """That of the tab, or anything beside it."""


class PlaceInLists(msgspec.Struct, frozen=True):
    """Where somebody is among the lists of an account; without more, where everybody begins."""

    tab: int = PEOPLE
    search: str = ""
    keyboard: KeyboardPlace = KeyboardPlace.LINE
    detail_covers_list: bool = False


class MainWindow(GuardedOverrides, QMainWindow):
    """Shows the first page, or the two tabs of the account that is signed in."""

    close_wanted = Signal()
    closing_confirmed = Signal()
    sign_out_wanted = Signal()
    settings_wanted = Signal()
    setting_wanted = Signal(object)
    """Carries the `SettingsChoice` that somebody looked for."""
    about_wanted = Signal()
    help_wanted = Signal(object)
    """Carries the `Help` for where somebody is."""
    history_wanted = Signal()
    history_row_wanted = Signal()
    """Somebody goes back to the row of the history they came from."""
    lists_wanted = Signal()
    """Somebody wants to see all lists that were added."""
    print_wanted = Signal(object)
    """Carries a `PrintRequest`: what somebody wants to see on pages."""
    result_wanted = Signal(object)
    """Carries the id of a list of which somebody wants to see each row."""
    lists_shown = Signal(object)
    """Carries the `WorkspaceScreens` of an account that is shown from now on."""
    lists_left = Signal()
    list_given = Signal(object)
    """Carries a `ListSource` to be looked over: a file, or what was copied."""
    review_opened = Signal(object)
    """Carries the `ReviewScreen` of a list that is to be looked over now."""
    review_ended = Signal(object)
    """Carries that of one that is added or discarded."""
    quit_wanted = Signal()
    """Somebody ends the program, and does not merely close its window."""
    above_wanted = Signal(bool)
    """Whether the small window is to stay above other windows."""

    def __init__(self, session: SessionScreen, files: ConnectionFiles) -> None:
        """Bind to `session`; lists come with `show_workspace`."""
        super().__init__()
        self._session = session
        self._files = files
        self._may_close = False
        self.setWindowIcon(QIcon(str(resource("icons") / "frontdesk.svg")))
        self.sizes = WindowSizes(self, _LARGE, _LEAST_LARGE)
        self._place_again = PlaceInLists()
        escape = EscapeFirst(self, self._is_asked_to_stay, session.dismiss)
        session.state_changed.connect(escape.follow)
        session.state_changed.connect(self._session_changed)
        self._drop = FileDrop(self, files)
        self._drop.list_dropped.connect(self.list_given)
        self._double_clicks = DoubleClickGuard(self)
        self._build()

    def build_anew(self) -> None:
        """Another language is spoken: build all that the window says again, in it.

        The lists are to be shown again with `show_workspace`, as is a page of the caller's.
        """
        # Before the lists are back it stands where they will be, and not in the window.
        if self._workspace is not None:
            self._place_again = PlaceInLists(
                self.header.tabs.currentIndex(),
                self.header.search.text(),
                self._keyboard_place(self._workspace),
                self._workspace.people.covers_list,
            )
        first_start, menu = self._pages.first_start_if_built, self._menu
        # Behind the lists it is not built before it is wanted: that takes longer than all else.
        typed = None
        if first_start is not None and self._workspace is None:
            typed = first_start.typed
        self._drop_workspace()
        self.available.drop_palette()
        self.setLocale(QLocale())
        self._build()
        menu.deleteLater()
        self._shrink()
        self._pages.show_current()
        if typed is not None:
            self._pages.first_start.type_again(typed)

    def _keyboard_place(self, lists: WorkspacePage) -> KeyboardPlace:
        at = self._pages.keyboard_in_lists
        if at is self.header.search:
            return KeyboardPlace.SEARCH
        if at is self.header.menu_button:
            return KeyboardPlace.MENU
        in_line = at is not None and lists.people.quick_add.isAncestorOf(at)
        return KeyboardPlace.LINE if in_line else KeyboardPlace.LIST

    def _build(self) -> None:
        session = self._session
        self._pages = PageStack(session, self._files, self.sizes, self._drop)
        self._menu = WindowMenu(self, self._pages, self._files)
        self._bind_keys()
        self.header = Header(session, self._menu)
        self.banner = NoticeBanner(
            session,
            {
                NoticeAction.SIGN_IN_AGAIN: self._sign_in_again,
                NoticeAction.SIGN_OUT: self.sign_out_wanted.emit,
                NoticeAction.CLOSE_ANYWAY: self.closing_confirmed.emit,
                NoticeAction.SHOW_NEEDED: self._show_needed,
            },
        )
        self.progress = ProgressStrip()
        self._strips = QVBoxLayout()
        self.banner.stand_above(self.progress, self._pages)
        self.progress.stand_above(self._pages)
        self.status_bar = StatusBar(session)
        self._focus_order = FocusOrder(
            self,
            self._pages,
            above=(self.header.controls, self.banner.controls, self.progress.controls),
            below=(self.status_bar.controls,),
            step=super().focusNextPrevChild,
        )
        self.available = AvailableActions(self, self._menu, self._pages)
        self._lay_out()
        self._connect()

    def showEvent(self, event: QShowEvent) -> None:
        """Now it is known whether anybody is on the way in."""
        super().showEvent(event)
        self._double_clicks.watch()
        if self._pages.is_opening:
            self._pages.show_current()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files can be dropped anywhere."""
        self._drop.enter(event)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        """They go elsewhere."""
        self._drop.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """They are let go here."""
        self._drop.let_go(event)

    @property
    def first_start(self) -> "FirstStart":
        """The page with the ways in."""
        return self._pages.first_start

    @property
    def _workspace(self) -> WorkspacePage | None:
        return self._pages.workspace

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the list of people keeps what room there is."""
        super().resizeEvent(event)
        self._fold(low=event.size().height() < _LOW)

    def _fold(self, *, low: bool) -> None:
        self._strips.setSpacing(4 if low else 8)
        for each in (self._menu, self.header, self.banner, self.progress, self._pages):
            each.fold(on=low)

    # How large it is

    def change_size(self) -> None:
        """To the small window, or to the large one again."""
        if self.sizes.small:
            self.show_large()
        else:
            self.show_small()

    def show_small(self, *, lent: bool = False) -> None:
        """Show the line for adding and whoever was typed last, and leave what else is shown.
        `lent`: to add somebody, where nobody chose the small window.
        """
        if self.sizes.small:
            self.sizes.change(small=True, lent=lent)
        else:
            self._pages.cover_page()
            self._pages.rest_keyboard(self)
            self._change_size(small=True, lent=lent)
            self._pages.focus_line()

    def show_large(self) -> None:
        """Show everything again, as it was."""
        if self.sizes.small:
            self._pages.rest_keyboard(self)
            self._change_size(small=False)
            if self.page is None:
                self._pages.focus_line()

    def stay_above(self, *, on: bool) -> None:
        """Whether the small window is to stay above other windows."""
        self.sizes.stay_above(on=on)
        self._pages.show_above(on=on)

    def _change_size(self, *, small: bool, lent: bool = False) -> None:
        # What is taken away before has no say in how small it may be.
        self.sizes.change(small=small, lent=lent)
        self._shrink()
        self._pages.show_current()

    def _shrink(self) -> None:
        for each in (self.header, self.banner, self.status_bar, self._menu):
            each.shrink(on=self.sizes.small)
        aside = 14 if self.sizes.small else 20
        self._strips.setContentsMargins(aside, 0, aside, 4)
        self._pages.lend_line()
        self._fold(low=self.height() < _LOW)

    # What is shown

    def show_first_start(self) -> None:
        """Show the three ways in, or an empty page while one of them leads into an account."""
        self._place_again = PlaceInLists()
        self._drop_workspace()
        self._pages.forget_pages()
        self._pages.show_current()
        if self._session.state.asks_to_sign_in:
            self._pages.focus_first()

    def build_workspace(self, screens: WorkspaceScreens) -> Generator[None, None, None]:
        """Build the two tabs of an account, a part at each step, for `show_workspace`."""
        yield from self._pages.build_workspace(screens)

    def show_workspace(self, screens: WorkspaceScreens) -> None:
        """Show the two tabs of an account, behind a page that somebody has gone to meanwhile."""
        # Whoever types there before there are lists looks for somebody who is in them.
        looked_for = self.available.typed_in_palette if self._workspace is None else None
        self._drop_workspace()
        page = self._pages.take_workspace(screens)
        page.people.fold(on=self.height() < _LOW)
        page.people.person_opened.connect(self.show_large)
        page.people_wanted.connect(self._show_people)
        page.flows_wanted.connect(self._show_flows)
        page.history_wanted.connect(self.history_row_wanted)
        page.searched_elsewhere.connect(self._show_search)
        page.list_given.connect(self.list_given)
        page.print_wanted.connect(self.print_wanted)
        screens.lists.opened.connect(self.review_opened)
        screens.lists.ended.connect(self.review_ended)
        screens.lists.taken.connect(self._show_people)
        screens.lists.begun_changed.connect(self._show_begun_list)
        screens.quick_add.state_changed.connect(self._show_unadded_lines)
        for each in (screens.people, screens.flows_tab):
            each.state_changed.connect(self._show_search_hint)
        self.lists_shown.emit(screens)
        self.status_bar.bind(screens.status)
        news = screens.flows_tab.what_is_new
        if news is not None:
            news.state_changed.connect(self._show_news)
        self._show_news(None if news is None else news.state)
        self.progress.bind(screens.progress)
        self._pages.lend_line()
        place, self._place_again = self._place_again, PlaceInLists()
        self.header.tabs.setCurrentIndex(place.tab)
        self._pages.show_current()
        self._show_tab(place.tab)
        if place.search:
            page.search(place.search)
            self._show_search()
        self._pages.focus_new_lists(
            {
                KeyboardPlace.LINE: page.people.quick_add.line,
                KeyboardPlace.SEARCH: self.header.search,
                KeyboardPlace.MENU: self.header.menu_button,
                KeyboardPlace.LIST: None,
            }[place.keyboard]
        )
        if place.detail_covers_list:
            page.people.show_detail_again()
        if looked_for is not None:
            self.available.reopen_palette(*looked_for)

    def go_on_typing(self) -> None:
        """What was typed before there was a line stands in it now, behind what was half typed."""
        self._pages.hand_over_typed()

    @property
    def screens(self) -> WorkspaceScreens | None:
        """Those of the account whose lists are shown."""
        return self._workspace.screens if self._workspace is not None else None

    def show_page(self, page: QWidget) -> None:
        """Show a page of the window's own, such as the settings; it stays the caller's."""
        self._pages.go_to(page)
        self.show_large()
        self._session.went_on.emit()
        if self._workspace is not None:
            self._workspace.forget_history()
        self._pages.show_current()

    def put_below(self, page: InnerPage) -> None:
        """Have the pages that were gone to lead back to this one; show it where there is none."""
        self._pages.put_below(page)
        self._pages.show_current()

    def leads_to(self, page: InnerPage) -> bool:
        """Whether such a page is shown, or is come back to from the one that is."""
        return self._pages.leads_to(page)

    def leave_page(self) -> None:
        """Go back from such a page to where it was gone to from, and put the keyboard there."""
        self._pages.leave_page()

    def take_out(self, page: InnerPage) -> None:
        """It is about to be deleted: nobody comes back to it."""
        self._pages.take_out(page)

    def correct(self, entry: object) -> None:
        """Go to the line for adding with an entry in it, to be corrected and sent again."""
        if self._workspace is not None:
            self._show_people()
            self._workspace.people.correct(entry)

    def show_in_list(self, entry: object) -> None:
        """Show whom an entry of the outbox is about: the person they became, or its own row."""
        if self._workspace is None or not isinstance(entry, OutboxEntry):
            return
        people = self._workspace.screens.people
        added = entry.person_id is not None and people.choose_person(entry.person_id)
        if added or people.choose_entry(entry.id):
            self._show_entry()
            self._workspace.leave_history()
        else:
            self._workspace.screens.history.not_in_list(entry)

    def show_unsettled(self, entry: object) -> None:
        """Show the row of an entry that somebody has to answer for, with what can be answered."""
        if self._workspace is None or not isinstance(entry, OutboxEntry):
            return
        if self._workspace.screens.people.choose_entry(entry.id):
            self._show_people()
            self._show_entry()

    def open_person(self, hint: DuplicateHint, review: "ReviewScreen") -> None:
        """Show somebody who may be the one that is typed in `review`, with a way back there."""
        if self._workspace is not None:
            self._show_people()
            self._workspace.people.open_from_review(hint, review)

    def come_to_front(self) -> None:
        """Somebody started the program again: this is its window, wherever it was."""
        if self.isVisible() or self.isMinimized():
            self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
            self.show()
            self.raise_()
            self.activateWindow()

    def close_for_good(self) -> None:
        """Close without asking anybody again."""
        self._may_close = True
        self._drop_workspace()
        self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back from a page also from the header and the status bar, which are none of
        it, and closes what lies above the list.
        """
        lists = self._pages.lists_in_sight
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif isinstance(self.page, InnerPage):
            self.page.escape()
        elif lists is None or not lists.close_detail():
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for an orderly end first; the work under way is not known here."""
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_wanted.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - as Qt has it
        """Tab leads from the header down to the status bar, whichever page was made last."""
        return self._focus_order.move(forward=forward)

    # How it is put together

    def _lay_out(self) -> None:
        ground = QWidget()
        ground.setProperty("role", "ground")
        rows = QVBoxLayout(ground)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(self.header)
        # Beside each other the sentence would take more lines than both do one below the other.
        self._strips.setContentsMargins(20, 0, 20, 4)
        self._strips.addWidget(self.banner)
        self._strips.addWidget(self.progress)
        rows.addLayout(self._strips)
        rows.addWidget(self._pages, 1)
        rows.addWidget(self.status_bar)
        self.setCentralWidget(ground)

    def _bind_keys(self) -> None:
        """What no menu has; what it does by key is said with its words, to be found by them."""
        keys = QKeySequence.StandardKey
        bind = self._bind
        bind(
            "type-person",
            tr("Add a person"),
            keys.New,
            self.type_person,
            picture="add",
            further_words=tr("new create"),
        )
        bind(
            "search",
            tr("Search"),
            keys.Find,
            self._focus_search,
            picture="search",
            further_words=tr("find look filter"),
        )
        bind(
            "undo",
            tr("Take back the last change"),
            keys.Undo,
            self._undo,
            picture="undo",
            further_words=tr("undo delete remove cancel"),
        )
        bind("people", tr("People"), "Ctrl+1", self._go_to_people, picture="person")
        bind("flows", tr("Flows"), "Ctrl+2", self._go_to_flows, picture="flow")
        for view in (FlowsView.BY_PERSON, FlowsView.GAPS, FlowsView.WHAT_IS_NEW):
            bind(
                f"view-{view.value}",
                view_name(view),
                None,
                partial(self._go_to_view, view),
                picture="flow",
                can_be_done=partial(self._has_view, view),
            )
        bind(
            "banner",
            tr("To the sentence above the lists, and back"),
            "F6",
            self._to_banner_or_back,
            can_be_done=self._has_banner,
        )
        # A page has these keys for itself while it is shown.
        self._back_keys = bind(
            "back",
            tr("Back to where you were"),
            "Alt+Left",
            self._go_back,
            picture="back",
            can_be_done=self._can_go_back,
        )
        self._forward_keys = bind(
            "forward",
            tr("Go there again"),
            "Alt+Right",
            self._go_forward,
            picture="arrow",
            can_be_done=self._can_go_forward,
        )

    def _bind(
        self,
        name: str,
        words: str,
        keys: Keys,
        act: Callable[[], object],
        *,
        picture: str = "",
        further_words: str = "",
        can_be_done: Callable[[], bool] | None = None,
    ) -> WindowAction:
        # They are the menu's, which goes when another language is spoken.
        action = WindowAction(
            self._menu,
            name,
            words,
            keys,
            act,
            picture=picture,
            further_words=further_words,
            can_be_done=can_be_done or self._has_lists,
        )
        self.addAction(action)
        return action

    def _has_lists(self) -> bool:
        return self._workspace is not None

    def _has_view(self, view: FlowsView) -> bool:
        lists = self._workspace
        return lists is not None and view in lists.screens.flows_tab.shown_views

    def _has_banner(self) -> bool:
        return self.banner.isVisible()

    def _can_go_back(self) -> bool:
        return self._workspace is not None and self._workspace.can_go_back

    def _can_go_forward(self) -> bool:
        return self._workspace is not None and self._workspace.can_go_forward

    @property
    def page(self) -> QWidget | None:
        """The window's own page that is shown; None for the lists and the first page."""
        return self._pages.inner_page

    def _go_to_destination(self, command: Command) -> None:
        if self._workspace is None:
            return
        line, focus = self._workspace.people.quick_add, QApplication.focusWidget()
        from_line = focus is not None and line.isAncestorOf(focus)
        self.show_large()
        self.leave_page()
        if command.kind is CommandKind.PERSON:
            self._workspace.open_person(command.key, from_line=from_line)
        elif command.kind in {CommandKind.FLOW, CommandKind.STEP}:
            self._workspace.open_place(command.place)

    def _go_to_view(self, view: FlowsView) -> None:
        if self._workspace is not None:
            self.show_large()
            self._show_flows()
            self._workspace.flows.show_view(view)

    def _connect(self) -> None:
        menu = self._menu
        menu.palette_wanted.connect(self.available.open_palette)
        menu.list_wanted.connect(self.ask_for_list)
        menu.begun_list_wanted.connect(self._go_on_with_list)
        self.status_bar.list_wanted.connect(self._go_on_with_list)
        self.status_bar.line_wanted.connect(self.type_person)
        menu.table_wanted.connect(self._save_table)
        menu.cards_wanted.connect(self._save_cards)
        menu.refresh_wanted.connect(self._refresh)
        menu.history_wanted.connect(self.history_wanted)
        menu.print_wanted.connect(self._print)
        menu.print_all_wanted.connect(self._print_all)
        menu.picture_copy_wanted.connect(self._copy_picture)
        menu.save_wanted.connect(self._save_connection)
        menu.size_wanted.connect(self.change_size)
        self.header.large_wanted.connect(self.show_large)
        menu.settings_wanted.connect(self.settings_wanted)
        menu.help_wanted.connect(self.available.ask_for_help)
        self.available.help_wanted.connect(self.help_wanted)
        self.available.destination_chosen.connect(self._go_to_destination)
        self.available.setting_wanted.connect(self.setting_wanted)
        self._pages.page_shown.connect(self._follow_page)
        self._pages.large_wanted.connect(self.show_large)
        self._pages.above_wanted.connect(self.above_wanted)
        menu.about_wanted.connect(self.about_wanted)
        menu.sign_out_wanted.connect(self.sign_out_wanted)
        menu.quit_wanted.connect(self.quit_wanted)
        self.header.tabs.currentChanged.connect(self._show_tab)
        self.header.tabs.currentChanged.connect(self._session.went_on)
        self.header.tab_clicked.connect(self._pages.leave_pages)
        self.header.searched.connect(self._search)
        self.header.search.entered.connect(self._go_to_found)
        self.header.search.left.connect(self._leave_search)
        self.header.sign_in_wanted.connect(self._sign_in_again)
        self.status_bar.news_wanted.connect(self._go_to_news)
        self.status_bar.entry_chosen.connect(self._show_entry)
        self.status_bar.history_wanted.connect(self.history_wanted)
        for shows_lists in (self.status_bar, self.progress):
            shows_lists.result_wanted.connect(self.result_wanted)
        self.progress.lists_wanted.connect(self.lists_wanted)
        self.progress.left.connect(self._pages.focus_lists)

    def _drop_workspace(self) -> None:
        if self._workspace is not None:
            # It offers people of that account.
            self.available.close_palette()
            self.status_bar.bind(None)
            self.status_bar.show_news("")
            self.progress.bind(None)
            self._pages.drop_workspace()
            self._show_begun_list()
            self._show_unadded_lines()
            self.lists_left.emit()

    def _session_changed(self) -> None:
        self._pages.show_current()

    def _follow_page(self) -> None:
        """What stands around the pages goes with the one that is shown."""
        lists_alone = self.page is None
        self.progress.stand_above_lists(on=self._pages.currentWidget() is self._workspace)
        self.header.show_lists(self._workspace is not None, searchable=lists_alone)
        self._back_keys.setEnabled(lists_alone)
        self._forward_keys.setEnabled(lists_alone)
        self._show_begun_list()
        self._show_unadded_lines()
        self._menu.fit()
        account, name = self._session.state.account_name, tr("Front Desk")
        self.setWindowTitle(window_title(f"{account} – {name}" if account else name))

    # What the person does

    def _show_tab(self, tab: int) -> None:
        if self._workspace is not None:
            self._workspace.setCurrentIndex(tab)
            self._show_search()
            self._show_unadded_lines()

    def _search(self, text: str) -> None:
        if self._workspace is not None:
            self._workspace.search(text)

    def _show_search(self) -> None:
        if self._workspace is not None:
            self.header.search.setText(self._workspace.search_text())
            self._show_search_hint()

    def _show_search_hint(self) -> None:
        if self._workspace is not None:
            self.header.search.setPlaceholderText(self._workspace.search_hint)
            self.header.search.setAccessibleName(self._workspace.search_hint)

    def type_person(self) -> None:
        """Go to the line for adding, wherever somebody is; say so while there is none."""
        if self._workspace is not None:
            # What has the keyboard loses it when its tab goes: it is asked for before.
            place = QApplication.focusWidget()
            if not self.sizes.small:
                self._pages.leave_pages()
            self.header.tabs.setCurrentIndex(PEOPLE)
            self._workspace.people.quick_add.focus_line(None if self.sizes.small else place)
        elif self._session.state.asks_to_sign_in:
            words = tr("People can be added once you are signed in.")
            self._session.say(Notice(words, calm=True))

    def _focus_search(self) -> None:
        self.show_large()
        if isinstance(self.page, InnerPage) and self.page.seek():
            return
        if self._workspace is not None:
            self._pages.leave_pages()
            self.header.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.header.search.selectAll()

    def _go_to_found(self) -> None:
        if self._workspace is not None:
            self._workspace.go_to_found()

    def _leave_search(self) -> None:
        if self._workspace is not None:
            self._workspace.focus_list()

    def _refresh(self) -> None:
        if self._workspace is not None:
            self._workspace.screens.people.refresh()

    def _undo(self) -> None:
        if isinstance(self.page, InnerPage) and self.page.undo():
            return
        lists = self._pages.lists_in_sight
        if self._workspace is not None and not (lists is not None and lists.people.undo()):
            self._workspace.screens.quick_add.undo_last()

    def _print(self) -> None:
        if isinstance(self.page, InnerPage):
            self.page.print_out()
        elif self._workspace is not None and self.page is None:
            self.print_wanted.emit(self._workspace.print_request())

    def _print_all(self) -> None:
        self.print_wanted.emit(PrintAllFlows())

    def _copy_picture(self) -> None:
        flow_id = self._workspace.flow_in_sight if self._workspace is not None else None
        if self._workspace is not None and flow_id is not None:
            self._workspace.copy_picture(flow_id)

    def ask_for_list(self) -> None:
        """Ask which list of people to look over."""
        if self._workspace is not None:
            ask_for_list(self, self.list_given.emit)

    def _save_table(self) -> None:
        if self._workspace is not None:
            self._workspace.save_table()

    def _save_cards(self) -> None:
        if self._workspace is not None:
            self._workspace.save_cards()

    def _go_on_with_list(self) -> None:
        if self._workspace is not None:
            self._workspace.screens.lists.go_on()

    def _show_news(self, state: WhatIsNewState | None) -> None:
        self.status_bar.show_news(state.status_bar_words if state is not None else "")

    def _go_to_news(self) -> None:
        if self._workspace is not None:
            # All of it is counted there: a search from before would show none of it.
            self._workspace.screens.flows_tab.search("")
            self._show_search()
        self._go_to_view(FlowsView.WHAT_IS_NEW)

    def _show_begun_list(self) -> None:
        # The last one is what a page shows that a list is looked over on.
        page = self.page
        away = not (isinstance(page, InnerPage) and page.page_kind is PageKind.REVIEW)
        lists = self._workspace.screens.lists if self._workspace is not None and away else None
        self._menu.show_begun_list(lists.go_on_words() if lists is not None else "")
        words = lists.go_on_words(_LIST_NAME_IN_STATUS_BAR) if lists is not None else ""
        self.status_bar.show_begun_list(words)

    def _show_unadded_lines(self, _state: object = None) -> None:
        line = self._workspace.screens.quick_add.state if self._workspace is not None else None
        in_sight = self.page is None and self.header.tabs.currentIndex() == PEOPLE
        words = (line.behind_words if in_sight else line.waiting_words) if line is not None else ""
        self.status_bar.show_unadded_lines(words)

    def _show_people(self, _taken: object = None) -> None:
        self._pages.leave_pages()
        self.header.tabs.setCurrentIndex(PEOPLE)

    def _show_flows(self) -> None:
        self._pages.leave_pages()
        self.header.tabs.setCurrentIndex(FLOWS)

    def _go_to_people(self) -> None:
        self.show_large()
        self._show_people()

    def _go_to_flows(self) -> None:
        """By key: with the keyboard there, for the keys that choose a view."""
        self.show_large()
        self._show_flows()
        if self._workspace is not None:
            self._workspace.focus_again()

    def _show_needed(self) -> None:
        if self._workspace is not None and self._workspace.screens.status.choose_needed():
            self._show_entry()

    def _show_entry(self) -> None:
        if self._workspace is not None:
            self.show_large()
            self._pages.leave_pages()
            self._workspace.show_entry()

    def _go_back(self) -> None:
        if self._workspace is not None:
            self._workspace.go_back()

    def _go_forward(self) -> None:
        if self._workspace is not None:
            self._workspace.go_forward()

    def _is_asked_to_stay(self) -> bool:
        """Whether a question stands across the window that Escape answers, wherever one is."""
        notice = self._session.state.notice
        return notice is not None and notice.action in LEAVING

    def _to_banner_or_back(self) -> None:
        if not self.banner.leave():
            self.banner.enter()

    def _sign_in_again(self) -> None:
        if not self._session.sign_in_again():
            from app.views.sign_in.connection_dialogs import ask_key  # noqa: PLC0415 - rare

            ask_key(self, self._session.state.account_name, self._session.replace_key)

    def _save_connection(self) -> None:
        connection = self._files.of_account()
        if connection is not None:
            from app.views.sign_in.connection_dialogs import (  # noqa: PLC0415 - rare
                ask_where_to_save,
            )

            ask_where_to_save(self, connection, self._files.save)
