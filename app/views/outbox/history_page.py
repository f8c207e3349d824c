"""The history as a page, built when first opened: the search, the table painted like the People
table, and saving it.
"""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout

from app.runtime.words import tr
from app.viewmodels.formatting import day_and_clock
from app.viewmodels.importing.result import ResultScreen
from app.viewmodels.menu_items import MenuItem
from app.viewmodels.outbox.history import (
    HistoryAction,
    HistoryScreen,
    HistoryState,
    can_be_shown,
    menu_of_rows,
)
from app.viewmodels.outbox.history_table import HistoryColumn
from app.views.cell_table.cell_table_view import CellTableView
from app.views.cell_table.table_page import TablePage
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.save_dialog import ask_for_file, table_kinds
from app.views.people.column_widths import LATE
from app.views.widgets.buttons import button, card, empty_page
from app.views.widgets.labels import ElidingLabel, in_one_line, literal
from app.views.widgets.menus import Menu, RowMenu, menu_of_items
from app.views.widgets.search_field import SearchField

_SHARES: dict[int, int] = {HistoryColumn.NAME: 3, HistoryColumn.EMAIL: 4, HistoryColumn.OUTCOME: 5}
"""How the width is shared among the columns beside the time."""


def _widest() -> dict[int, str]:
    return {HistoryColumn.WHEN: day_and_clock(LATE)}


_APART = 160
"""Pixels around and between the search, what is said beside it, and what can be done."""

_ALL_BEFORE_ANY = 100
"""As a share of the room, beside a share of 1."""


class HistoryPage(TablePage):
    """Bound to a `HistoryScreen`, which reads while the page is shown."""

    result_wanted = Signal(object)
    """Carries the id of a list of which somebody wants to see each row."""
    entry_wanted = Signal(object)
    """Carries an `OutboxEntry`: whoever it is about is to be seen in the list of people."""

    def __init__(self, screen: HistoryScreen, results: ResultScreen) -> None:
        """Nothing is read before the page is gone to; `results` knows the lists that were added."""
        rows = CellTableView(screen.table, tr("History"), _SHARES, _widest)
        super().__init__(tr("History"), rows)
        self._screen = screen
        self._results = results
        self._lists_button = button(tr("Lists that were added"), self.open_lists)
        self._lists = Menu(self)
        self._search = SearchField(on_a_page=True)
        self._search.setPlaceholderText(tr("Search the history"))
        self._search.setAccessibleName(tr("Search the history"))
        self._count = ElidingLabel("small")
        self._count.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._left_at: tuple[str, str] | None = None
        """What was searched, and the id of the entry, when somebody was last gone to from here."""
        self._return_to: str | None = None
        """The id of the entry whose row is to have the keyboard once it is read."""
        self._returns = False
        self._lay_out()
        self._bind()
        self._show(self._screen.state)

    def opened(self) -> None:
        """Read anew, with nothing searched and the keyboard in the search line, or as it was left
        by who comes back.
        """
        returns, self._returns = self._returns, False
        query, entry_id = self._left_at if returns and self._left_at is not None else ("", None)
        self._search.clear()
        self._lists_button.setVisible(bool(self._results.kept_lists()))
        self._screen.open()
        self._search.setText(query)
        self._return_to = entry_id
        if entry_id is None:
            self.seek()
        else:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def return_to_row(self) -> None:
        """When it is shown next, it is as it was when somebody was gone to from one of its rows."""
        self._returns = True

    def left(self) -> None:
        """Whoever goes elsewhere has nothing read behind their back."""
        self._return_to = None
        self._screen.close()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What can be done stands below the search where there is no room beside it."""
        super().resizeEvent(event)
        beside = self._search.minimumWidth() + self._act.sizeHint().width() + _APART
        direction = QBoxLayout.Direction
        has_room = beside <= self.width()
        self._top.setDirection(direction.LeftToRight if has_room else direction.TopToBottom)

    def seek(self) -> bool:
        """The keys of the search lead to the one of this page."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()
        return True

    # How it is put together

    def _lay_out(self) -> None:
        inside = QVBoxLayout()
        inside.setContentsMargins(20, 0, 20, 12)
        inside.setSpacing(12)
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.setSpacing(12)
        find, self._act = QHBoxLayout(), QHBoxLayout()
        find.setSpacing(12)
        # It takes what room there is, up to its own width, before any is left behind the count.
        find.addWidget(self._search, _ALL_BEFORE_ANY)
        find.addWidget(self._count)
        find.addStretch(1)
        self._act.setSpacing(12)
        for each in (self._lists_button, self._copy_button, self._save_button):
            self._act.addWidget(each)
        self._top.addLayout(find, 1)
        self._top.addLayout(self._act)
        inside.addLayout(self._top)
        inside.addWidget(self._banner)
        surface = card()
        within = QVBoxLayout(surface)
        within.setContentsMargins(1, 1, 1, 1)
        self._pages.addWidget(self.list)
        self._pages.addWidget(empty_page(self._empty))
        within.addWidget(self._pages)
        inside.addWidget(surface, 1)
        self._banner.stand_above(surface)
        self.body.addLayout(inside, 1)

    def _bind(self) -> None:
        screen = self._screen
        self._search.textChanged.connect(screen.search)
        self._search.left.connect(self._leave_search)
        self.list.activated.connect(self._show_in_list)
        self.list.menu_wanted.connect(self._open_menu)
        self.list.selectionModel().selectionChanged.connect(self._show_what_can_be_done)
        self._banner.closed.connect(screen.dismiss)
        screen.copied.connect(put_on_clipboard)
        screen.state_changed.connect(self._show)

    # What is shown

    def _show(self, state: HistoryState) -> None:
        self._show_words(state, self._count, state.count_words)
        self._show_what_can_be_done()
        self._come_back()

    def _come_back(self) -> None:
        ids = [entry.id for entry in self._screen.table.entries] if self._return_to else []
        if self._return_to in ids:
            at = self._screen.table.index(ids.index(self._return_to), 0)
            self._return_to = None
            self.list.setCurrentIndex(at)
            self.list.scrollTo(at)

    def _show_what_can_be_done(self) -> None:
        self._copy_button.setEnabled(bool(self.list.selectionModel().hasSelection()))
        self._save_button.setEnabled(self._screen.state.can_save)

    # What the person does

    def _leave_search(self) -> None:
        if self._screen.table.rowCount():
            self.list.focus_first()

    def open_lists(self) -> None:
        """Offer the lists that were added, the newest first."""
        self._lists.clear()
        for kept in self._results.kept_lists():
            chosen = self._lists.addAction(literal(in_one_line(kept.words)))
            chosen.triggered.connect(partial(self.result_wanted.emit, kept.id))
        below = self._lists_button.rect().bottomLeft()
        self._lists.popup(self._lists_button.mapToGlobal(below))

    def _show_in_list(self) -> None:
        chosen = self._screen.entries_at(self.list.chosen_rows)
        if len(chosen) == 1 and can_be_shown(chosen[0]):
            self._left_at = self._search.text(), chosen[0].id
            self.entry_wanted.emit(chosen[0])

    def _open_menu(self, at: object) -> None:
        groups, act = self.row_menu()
        if groups and isinstance(at, QPoint):
            menu_of_items(groups, act, self.list).popup(at)

    def row_menu(self) -> RowMenu:
        """What can be done with the rows that are chosen."""
        return menu_of_rows(self._screen.entries_at(self.list.chosen_rows)), self._do

    def _do(self, item: MenuItem) -> None:
        if item.action is HistoryAction.SHOW:
            self._show_in_list()
        elif item.action is HistoryAction.COPY_ROWS:
            self._copy()
        else:
            put_on_clipboard(item.value)

    def _copy(self) -> None:
        self._screen.copy(self.list.chosen_rows)

    def _ask_where_to_save(self) -> None:
        if not self._screen.state.can_save:
            return
        title, name = tr("Save the history as a file"), Path(self._screen.file_name).stem
        ask_for_file(self, title, name, table_kinds()[::-1], self._screen.save)
