"""A table whose cells are worked out when their row is first painted; what a cell is, and the roles
by which views ask for it; what any table says of its rows and headings. Which rows there are is
left to each table.
"""

from collections.abc import Callable, Sized
from enum import IntEnum

import msgspec
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.model.outbox import EntryState
from app.people.search import Span
from app.runtime.words import in_a_row
from app.viewmodels.guarded_overrides import GuardedOverrides

Index = QModelIndex | QPersistentModelIndex
"""What Qt hands to a model, a delegate or a view as the place of a row."""

KEY_ROLE = int(Qt.ItemDataRole.UserRole)
CELL_ROLE = KEY_ROLE + 1
"""All that is painted of a cell, a `Cell`."""
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ROWS_KEPT = 256
"""Rows whose cells are kept ready."""


class Cell(msgspec.Struct, frozen=True):
    """One cell as it is painted."""

    text: str
    badges: tuple[str, ...] = ()
    first_badge_short: str = ""
    """The first badge in fewer words, for where it or the end of the text would be cut."""
    keeps_first_badge: bool = False
    """Whether the first badge stays where there is little room, the end of the text cut for it: it
    says what was done here just now, or that somebody has died. Of others those that fit are shown,
    and how many more.
    """
    state: EntryState | None = None
    """How the entry of the row stands; None for a person."""
    needs_person: bool = False
    """Whether the entry of the row goes on only when somebody decides."""
    highlights: tuple[Span, ...] = ()
    """The pieces of `text` in which something that is searched was found."""
    is_given: bool = True
    """False where the list did not say: `text` tells that, and is nobody's."""
    ink: str = ""
    """The colour of the text, as a token of the theme; blank for that of any text."""
    is_number: bool = False
    """A phone number reads from the left, whatever way the lines of the window run."""
    whole: str = ""
    """What there is to be said where `text` is the heart of it: told under the pointer, copied."""

    can_undo: bool = False
    """Whether the entry of the row can be taken back at the end of this cell."""

    @property
    def spoken(self) -> str:
        """The same for a screen reader."""
        return in_a_row((self.text, *self.badges))


class CellCache:
    """The cells of the rows painted last, a few screenfuls, by position."""

    def __init__(self) -> None:
        """Nothing is painted yet."""
        self._rows: dict[int, tuple[Cell, ...]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, position: int) -> bool:
        return position in self._rows

    def row(self, position: int, make: Callable[[int], tuple[Cell, ...]]) -> tuple[Cell, ...]:
        """The cells of a row, which `make` gives when they are first asked for."""
        cells = self._rows.get(position)
        if cells is None:
            if len(self._rows) >= _ROWS_KEPT:
                self._rows.clear()
            self._rows[position] = cells = make(position)
        return cells

    def clear(self, first: int = 0, last: int | None = None) -> None:
        """The rows from the `first` on, as far as the `last`, are others or not as they were."""
        kept = self._rows.items()
        self._rows = {
            at: cells for at, cells in kept if at < first or (last is not None and at > last)
        }


class FlatTable(GuardedOverrides, QAbstractTableModel):
    """Rows below headings; it has no tree below them. By itself it is empty."""

    columns: Sized = ()

    def rows_shown(self) -> int:
        """How many rows there are."""
        return 0

    def heading(self, column: int, *, spoken: bool) -> str:
        """The name of a column, as it is shown or `spoken`."""
        return ""

    def data(
        self,
        index: Index,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """What a cell is for `role`; None for nothing."""
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        """As many as are shown."""
        return 0 if parent is not None and parent.isValid() else self.rows_shown()

    def columnCount(self, parent: Index | None = None) -> int:
        """One for each of `columns`."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """The column's name; rows have none."""
        if orientation is not Qt.Orientation.Horizontal or role not in {DISPLAY, SPOKEN}:
            return None
        return self.heading(section, spoken=role == SPOKEN)


class CellTable(FlatTable):
    """Rows by position."""

    columns: type[IntEnum]
    roles = frozenset({DISPLAY, SPOKEN, KEY_ROLE, CELL_ROLE})
    """What is answered; anything else is none of it, at once: a view asks for much."""

    def __init__(self, parent: QObject | None = None) -> None:
        """No cell has been asked for."""
        super().__init__(parent)
        self._cells = CellCache()

    def key_at(self, position: int) -> object:
        """What tells the row from every other one, for good."""
        raise NotImplementedError

    def make_cells(self, position: int) -> tuple[Cell, ...]:
        """The cells of a row, one for each column."""
        raise NotImplementedError

    def make_ready(self, first: int, last: int) -> None:
        """The rows from the `first` to the `last` are about to be painted, and may be read in one
        go.
        """

    def cells(self, position: int) -> tuple[Cell, ...]:
        """The cells of a row, kept for the next painting."""
        return self._cells.row(position, self.make_cells)

    def value(self, cell: Cell, role: int) -> object:
        """What the cell answers: its text, or the whole of what that is the heart of."""
        return (cell.whole or cell.text) if role == SPOKEN else cell.text

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The row's key, the `Cell`, or what the cell answers."""
        if role not in self.roles or not index.isValid():
            return None
        if role == KEY_ROLE:
            return self.key_at(index.row())
        cell = self.cells(index.row())[index.column()]
        return cell if role == CELL_ROLE else self.value(cell, role)
