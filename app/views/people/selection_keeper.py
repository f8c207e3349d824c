"""Keeps what is chosen and seen in the People table while its rows become others.

Where the list belongs afterwards the view-models decide; here it is scrolled and painted so. Apart
from `people_table`, which does what somebody asks for: this answers to what nobody there has done.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QObject,
    QPoint,
)
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QTableView

from app.viewmodels.cell_table import Index
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.people_state import PeopleState
from app.viewmodels.people.scroll_anchor import Reason, Seen
from app.views.widgets.pointer import PressGuard, is_pointed_at

_Select = QItemSelectionModel.SelectionFlag
_WITH_ROOM_AROUND = 3
"""Rows in sight from which on one of them can have another on each side."""


class SelectionKeeper(GuardedOverrides, QObject):
    """Stands beside one view of the table of a `PeopleScreen`."""

    def __init__(self, view: QTableView, screen: PeopleScreen) -> None:
        """To be made before the view has its model, and told once it has it."""
        super().__init__(view)
        self._view = view
        self._screen = screen
        self._table = screen.table
        self._chosen = screen.state.chosen
        self._seen = Seen()
        self._among = True
        self._pointer = QPoint()
        """Where the pointer was when somebody was last led to a row."""
        self._guard = PressGuard((view.viewport(),), self)
        self.quiet = False
        """Whether what changes now is not the person's doing."""
        self._has_pointer = False
        self._pointed: tuple[int | str, int] | None = None
        """Who was under the pointer before the rows became others, and how far below the top."""
        view.viewport().installEventFilter(self)
        # Before the view and its selection hear of it: they forget what was there.
        self._table.modelAboutToBeReset.connect(self._note)
        self._table.rowsAboutToBeInserted.connect(self._note_rows)
        self._table.rowsAboutToBeRemoved.connect(self._note_rows)

    def has_model(self) -> None:
        """The view has its model now, and hears of other rows before this does."""
        self._table.modelReset.connect(self._come_back_to_pointed)
        self._table.rowsInserted.connect(self._come_back_among)
        self._table.rowsRemoved.connect(self._come_back_among)
        self._view.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._screen.state_changed.connect(self._show)
        self._screen.list_restoring.first_wanted.connect(self._show_first)
        self._screen.sight_wanted.connect(self._lead_to)
        self._screen.arrived.connect(self._show_arrived)
        if self._screen.selection.first is not None:
            self._select_chosen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While the pointer is over the rows, nothing is taken away from under it."""
        kind = event.type()
        if kind in {QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.Hide}:
            has_pointer = kind is QEvent.Type.Enter
            if has_pointer is not self._has_pointer:
                self._has_pointer = has_pointer
                self._screen.hold_rows(on=has_pointer)
        return super().eventFilter(watched, event)

    def rows_in_sight(self) -> int:
        """How many rows are seen whole."""
        return self._rows_in(self._view.viewport().height())

    def _rows_in(self, height: int) -> int:
        return height // max(self._view.verticalHeader().defaultSectionSize(), 1)

    def keep_chosen_in_sight(self, height: int) -> None:
        """The rows had `height` pixels before: whoever is chosen stays in sight with fewer, too."""
        at = self._table.position_of(self._screen.selection.first)
        top, rows = self._view.verticalScrollBar().value(), self.rows_in_sight()
        if at is not None and rows <= at - top < self._rows_in(height):
            self._scroll_to(at - max(rows - 1, 0))

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """What changes meanwhile is not the person's doing, and nothing scrolls by itself."""
        before, scrolls = self.quiet, self._view.hasAutoScroll()
        self.quiet = True
        self._view.setAutoScroll(False)
        yield
        self._view.setAutoScroll(scrolls)
        self.quiet = before

    # The rows become others

    def _note(self) -> None:
        self.quiet = True
        top = self._view.verticalScrollBar().value()
        below = self._view.currentIndex().row() - top
        in_sight = 0 <= below < self.rows_in_sight()
        self._seen = Seen(self._table.key_at(top), top, below if in_sight else None)
        self._pointed = None
        if self._has_pointer and self._screen.scroll_anchor.reason is Reason.NEWS:
            at = self._view.rowAt(self._view.viewport().mapFromGlobal(QCursor.pos()).y())
            key = self._table.key_at(at)
            self._pointed = None if key is None else (key, at - top)

    def _note_rows(self, _parent: Index, first: int, _last: int) -> None:
        self._note()
        # Nothing above moves: only whoever is chosen may be among those who come.
        self._among = first <= self._seen.top_position

    def _come_back(self) -> None:
        top = self._screen.scroll_anchor.top_after(
            self._seen, self._screen.selection.first, self._table.position_of
        )
        self._select_chosen()
        self._scroll_to(top)
        self.quiet = False

    def _come_back_to_pointed(self) -> None:
        """Who was under the pointer is there again, whoever came above."""
        self._come_back()
        if self._pointed is None:
            return
        key, below = self._pointed
        at = self._table.position_of(key)
        if at is not None and at != self._view.verticalScrollBar().value() + below:
            self._scroll_to(max(at - below, 0))

    def _come_back_among(self, _parent: Index, first: int, last: int) -> None:
        if self._among:
            self._come_back()
            return
        chosen = self._screen.selection.first
        missing = not self._view.selectionModel().hasSelection() and chosen is not None
        if missing and chosen in set(self._table.keys_between(first, last)):
            self._select_chosen()
        self.quiet = False

    # Somebody is to be seen

    def _show_first(self, key: object) -> None:
        at = self._position(key)
        if at is not None:
            self._scroll_to(at)

    def _lead_to(self, key: object) -> None:
        self._pointer = QCursor.pos()
        self._bring_into_sight(key)

    def _show_arrived(self, key: object) -> None:
        """They come seconds later, and nobody has asked for them: only with whoever is chosen does
        the list go along. Their mark, and the status bar, tell of the others.
        """
        if key == self._screen.selection.first and not self._may_be_aimed_at():
            self._show_chosen()
        elif not self._view.verticalScrollBar().value():
            # At the top all rows move up by one, into the place where the entry was.
            self._guard.moved()

    def _may_be_aimed_at(self) -> bool:
        return QCursor.pos() != self._pointer or is_pointed_at(self._view.viewport())

    def _bring_into_sight(self, key: object) -> None:
        """Whoever is chosen stays chosen, and what is in sight already stays where it is."""
        if key == self._screen.selection.first:
            self._show_chosen()
            return
        at, top = self._position(key), self._view.verticalScrollBar().value()
        if at is not None and not 0 <= at - top < self.rows_in_sight():
            self._scroll_to(max(at - self.rows_in_sight() // 2, 0))

    def _show(self, state: PeopleState) -> None:
        if state.chosen != self._chosen:
            self._chosen = state.chosen
            if self._screen.chooses_by_itself and self._may_be_aimed_at():
                self._select_chosen()
            else:
                self._show_chosen()

    def _show_chosen(self) -> None:
        if self.quiet:
            return
        self._select_chosen()
        at = self._table.position_of(self._screen.selection.first)
        if at is not None:
            top = self._view.verticalScrollBar().value()
            with self.quietly():
                self._view.scrollTo(self._table.index(at, self._column()))
            self._scroll_to(self._top_with_room_around(at, top))

    def _top_with_room_around(self, at: int, top: int) -> int:
        """The row to come first so that the one `at` this position is in sight with another on each
        side; it stays `top` where it is so already, or where there is no room for others.
        """
        rows, below = self.rows_in_sight(), at - top
        if not 0 <= below < rows:
            return max(at - rows // 2, 0)
        if rows < _WITH_ROOM_AROUND:
            return top
        return max(at - 1, 0) if below < 1 else max(top, at - rows + 2)

    def _select_chosen(self) -> None:
        with self.quietly():
            chosen = self._screen.selection.all
            one = self._table.position_of(self._screen.selection.first)
            positions = self._table.positions_of(chosen) if chosen[1:] else [one]
            selection = QItemSelection()
            for first, last in _spans([at for at in positions if at is not None]):
                selection.select(self._table.index(first, 0), self._table.index(last, 0))
            flags = _Select.ClearAndSelect | _Select.Rows
            self._view.selectionModel().select(selection, flags)
            if one is not None and one != self._view.currentIndex().row():
                index = self._table.index(one, self._column())
                self._view.selectionModel().setCurrentIndex(index, _Select.NoUpdate)

    def _scroll_to(self, top: int) -> None:
        with self.quietly():
            self._view.executeDelayedItemsLayout()
            self._view.verticalScrollBar().setValue(top)
        first = self._table.key_at(self._view.verticalScrollBar().value())
        self._screen.scrolled(first, by_hand=False)

    def _scrolled(self, top: int) -> None:
        self._screen.scrolled(self._table.key_at(top), by_hand=not self.quiet)

    def _position(self, key: object) -> int | None:
        return self._table.position_of(key) if isinstance(key, int | str) else None

    def _column(self) -> int:
        return max(self._view.currentIndex().column(), 0)


def _spans(positions: list[int]) -> Iterator[tuple[int, int]]:
    """Positions in order, as pairs of the first and the last of each unbroken run."""
    start = 0
    for end in range(1, len(positions) + 1):
        if end == len(positions) or positions[end] != positions[end - 1] + 1:
            yield positions[start], positions[end - 1]
            start = end
