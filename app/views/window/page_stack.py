"""Which page stands in the window: the ways in, the lists of an account, the small window's, or one
that somebody went to and comes back from.

By itself: which of them is seen, and where the keyboard goes then, hangs on the session, the
account and the size alone. What stands around it follows.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.viewmodels.window.session import SessionScreen
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.views.small_window.window_sizes import WindowSizes
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.layouts import StackedPages
from app.views.window.file_drop import FileDrop
from app.views.window.loading_page import LoadingPage
from app.views.window.workspace_page import WorkspacePage

if TYPE_CHECKING:
    from app.views.sign_in.first_start import FirstStart
    from app.views.small_window.small_page import SmallPage


class PageStack(StackedPages):
    """Builds the first page and the small window's when they are first shown."""

    page_shown = Signal()
    """The right page is shown, or the same one for another reason."""
    large_wanted = Signal()
    """Somebody goes back from the small window."""
    above_wanted = Signal(bool)
    """Whether the small window is to stay above other windows."""

    def __init__(
        self,
        session: SessionScreen,
        files: ConnectionFiles,
        sizes: WindowSizes,
        drop: FileDrop,
    ) -> None:
        """Nobody is signed in; `drop` is told of fields in which files may be dropped."""
        super().__init__()
        self._session = session
        self._files = files
        self._sizes = sizes
        self._drop = drop
        self._built: WorkspacePage | None = None
        """What is not shown yet."""
        self._first_start: FirstStart | None = None
        self._small_page: SmallPage | None = None
        self._came_from: QWidget | None = None
        self._selected: tuple[int, int] | None = None
        """What was selected there: from where, and how many letters, backwards below none."""
        self._lists_left = False
        """Whether there were lists since the first page was shown."""
        self.workspace: WorkspacePage | None = None
        """The lists of the account, whether they are in sight or not."""
        self._page: QWidget | None = None
        """The window's own page that is shown in the large window."""
        self._below: list[InnerPage] = []
        """Those that it was gone to from, the last one last."""
        self._loading_page = LoadingPage(session)
        self.addWidget(self._loading_page)

    @property
    def first_start(self) -> "FirstStart":
        """The page with the ways in, built when it is first shown: most starts lead past it."""
        if self._first_start is None:
            from app.views.sign_in.first_start import FirstStart  # noqa: PLC0415 - see above

            # Its place from the start: see `PeopleTab.build`.
            self._first_start = FirstStart(self._session, self._files, self)
            # First: where a page is taken away, the one before it is shown for a moment.
            self.insertWidget(0, self._first_start)
            self._drop.cover(self._first_start)
        return self._first_start

    @property
    def first_start_if_built(self) -> "FirstStart | None":
        """The same; None where nobody has seen it."""
        return self._first_start

    @property
    def small_page(self) -> "SmallPage":
        """What the small window shows, built when it is first shown."""
        if self._small_page is None:
            from app.views.small_window.small_page import SmallPage  # noqa: PLC0415 - see above

            self._small_page = page = SmallPage()
            page.above.setChecked(self._sizes.above)
            page.large_wanted.connect(self.large_wanted)
            page.above_wanted.connect(self.above_wanted)
            self.addWidget(page)
        return self._small_page

    @property
    def inner_page(self) -> QWidget | None:
        """The window's own page that is shown; None for the lists, the first page and the small
        window.
        """
        return None if self._sizes.small else self._page

    @property
    def lists_in_sight(self) -> WorkspacePage | None:
        """The lists, while they are what is shown."""
        return self.workspace if self._page is None and not self._sizes.small else None

    @property
    def is_opening(self) -> bool:
        """Whether it is not known yet what is to be shown, or somebody is on the way in."""
        return self.currentWidget() is self._loading_page

    def show_current(self) -> None:
        """The page that was gone to, else the lists, else the ways in, if it is their turn."""
        before = self.currentWidget()
        out = self._session.state.asks_to_sign_in
        shown = self._page or self.workspace
        if self._sizes.small and (shown is not None or out):
            shown = self.small_page
        elif shown is None:
            shown = self.first_start if out else self._loading_page
        if shown is not before:
            # A page of the window's own takes it when it is shown, and whoever shows another says
            # who gets it.
            self.rest_keyboard(before)
        self.setCurrentWidget(shown)
        if shown is self._loading_page and self.window().focusWidget() in {None, before}:
            # Else the first button has it, which a blank in a name would press.
            shown.setFocus(Qt.FocusReason.OtherFocusReason)
        if shown is self._first_start and before is not shown:
            self._loading_page.forget_typed()
            if self._lists_left:
                self._first_start.come_after_lists()
            self._lists_left = False
            self._first_start.focus_first()
        self.page_shown.emit()

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        if self._small_page is not None:
            self._small_page.fold(on=on)
        if self.workspace is not None:
            self.workspace.people.fold(on=on)

    # The lists of an account

    def build_workspace(self, screens: WorkspaceScreens) -> Generator[None, None, None]:
        """Build the two tabs of an account, a part at each step, for `take_workspace`; nothing of
        them is seen before, and nothing is left of them where somebody stops half-way.
        """
        self._drop_built()
        page = WorkspacePage(screens, whole=False)
        # Its place first: see `PeopleTab.build`. Another page stays the one that is shown.
        self.addWidget(page)
        try:
            yield from page.build()
            self._built = page
        finally:
            if self._built is not page and shiboken6.isValid(page):
                page.deleteLater()

    def take_workspace(self, screens: WorkspaceScreens) -> WorkspacePage:
        """From now on these are the lists; LookupError where they were not built."""
        built, self._built = self._built, None
        if built is None or built.screens is not screens:
            raise LookupError
        self._drop.cover(built)
        self.workspace = built
        return built

    def drop_workspace(self) -> None:
        """The account is left."""
        if self.workspace is not None:
            self._lists_left = True
            if self._small_page is not None:
                self._small_page.return_line()
            if self.currentWidget() is self.workspace:
                # Else Qt shows the page behind it for a moment: that of a list that is left, too.
                self.setCurrentWidget(self._loading_page)
            self.removeWidget(self.workspace)
            self.workspace.deleteLater()
            self.workspace = None

    def hand_over_typed(self) -> None:
        """What was typed before there was a line stands in it now, behind what was half typed."""
        if self.workspace is not None:
            self._loading_page.hand_over(self.workspace.people.quick_add.line)

    def _drop_built(self) -> None:
        built, self._built = self._built, None
        if built is not None:
            built.deleteLater()

    # The small window

    def lend_line(self) -> None:
        """The small page has the line of the account while it is shown, and the list else."""
        if self.workspace is None:
            return
        if self._sizes.small:
            screens = self.workspace.screens
            self.small_page.borrow_line(self.workspace.people, screens.recent_entries)
        elif self._small_page is not None:
            self._small_page.return_line()

    def show_above(self, *, on: bool) -> None:
        """Say there whether the small window stays above others."""
        if self._small_page is not None:
            self._small_page.above.setChecked(on)

    # Pages that somebody comes back from

    def go_to(self, page: QWidget) -> None:
        """Show a page of the window's own with the next `show_current`; it stays the caller's, and
        leads back to the one that is shown now.
        """
        if self._page is None:
            # Also where another window has the keyboard now: a box to choose a file in.
            self._came_from = self.window().focusWidget()
            self._selected = _selection_in(self._came_from)
        if self.indexOf(page) < 0:
            self.addWidget(page)
        if page in self._below:
            # It is gone back to, and those that it led to are left.
            at = self._below.index(page)
            left, self._below = self._below[at + 1 :], self._below[:at]
            _uncover(left)
        elif isinstance(self._page, InnerPage) and self._page is not page:
            self._page.cover()
            self._below.append(self._page)
        self._page = page

    def put_below(self, page: InnerPage) -> None:
        """Have it be what is come back to last, as if the others had been gone to from there; shown
        at once where there are none.
        """
        page.cover()
        if self._page is None:
            self.go_to(page)
            return
        # Another page stays the one that is shown.
        self.addWidget(page)
        self._below.insert(0, page)

    def leads_to(self, page: InnerPage) -> bool:
        """Whether it is shown, or is come back to from the one that is."""
        return page is self._page or page in self._below

    def cover_page(self) -> None:
        """The small window comes in its place, and is come back from."""
        if isinstance(self._page, InnerPage):
            self._page.cover()

    def leave_page(self) -> None:
        """Go back from such a page to the one that led to it, or to the lists with the keyboard
        where it was.
        """
        if self._below:
            self._page = self._below.pop()
            self.show_current()
        else:
            self.leave_pages()

    def take_out(self, page: InnerPage) -> None:
        """It is there no more, and nobody comes back to it."""
        if page is self._page:
            self.leave_page()
        elif page in self._below:
            self._below.remove(page)

    def leave_pages(self) -> None:
        """Go back to the lists, and put the keyboard where it was."""
        if self._page is None:
            return
        self.forget_pages()
        leaves = self.window().focusWidget()
        if self.workspace is not None and self.isAncestorOf(leaves):
            # Else Qt leads it to the status bar for a moment: Escape in the line would lead there.
            leaves.clearFocus()
        self.show_current()
        before, self._came_from = self._came_from, None
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
            if isinstance(before, QLineEdit) and self._selected is not None:
                before.setSelection(*self._selected)
        else:
            self.focus_lists()

    def forget_pages(self) -> None:
        """Leave them with the next `show_current`."""
        left, self._below = self._below, []
        if self._sizes.small and isinstance(self._page, InnerPage):
            left.append(self._page)
        self._page = None
        _uncover(left)

    # Where the keyboard goes

    def rest_keyboard(self, leaving: QWidget | None) -> None:
        """Nobody in `leaving` has it until somebody else gets it: while what has it goes, Qt would
        lead it on from one control to the next, and have each of them read out.
        """
        held = _with_keyboard(self.window())
        if held is None or leaving is None:
            return
        if held is leaving or leaving.isAncestorOf(held):
            held.clearFocus()

    def focus_first(self) -> None:
        """Where there are no lists: to the first of the ways in."""
        page = self.small_page if self._sizes.small else self.first_start
        page.focus_first()

    def focus_line(self) -> None:
        """Put it into the line for adding, wherever that is."""
        if self._sizes.small:
            self.small_page.focus_first()
        elif self.workspace is not None:
            self.workspace.people.quick_add.focus_line()

    @property
    def keyboard_in_lists(self) -> QWidget | None:
        """What has the keyboard, or gets it from the page that is shown: of the lists, or of what
        stands around them.
        """
        return self.window().focusWidget() if self._page is None else self._came_from

    def focus_new_lists(self, wanted: QWidget | None) -> None:
        """Put it there, or have it come back there from the page that is shown; None: to the list
        of the tab.
        """
        if self._page is not None:
            self._came_from, self._selected = wanted, None
        elif wanted is None:
            self.focus_lists()
        elif self.workspace is not None and wanted is self.workspace.people.quick_add.line:
            self.focus_line()
        else:
            wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_lists(self) -> None:
        """Where it was last in the lists, unless another page is shown."""
        if self.lists_in_sight is not None:
            self.lists_in_sight.focus_again()


def _with_keyboard(window: QWidget) -> QWidget | None:
    """That it may be nobody Qt's types do not say."""
    return window.focusWidget()


def _uncover(pages: list[InnerPage]) -> None:
    for page in pages:
        if shiboken6.isValid(page):
            page.uncover()


def _selection_in(widget: QWidget | None) -> tuple[int, int] | None:
    if not isinstance(widget, QLineEdit) or not widget.hasSelectedText():
        return None
    start, end, length = widget.selectionStart(), widget.selectionEnd(), widget.selectionLength()
    return (end, -length) if widget.cursorPosition() == start else (start, length)
