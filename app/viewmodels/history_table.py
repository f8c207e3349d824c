"""The rows of the history: entries as they were found, their words put together when painted."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from app.model.outbox import OutboxEntry
from app.viewmodels.cells import Cell
from app.viewmodels.guarded import Guarded
from app.viewmodels.history_words import HistoryColumn, cells_of, column_words
from app.viewmodels.table import CELL_ROLE, KEY_ROLE

Index = QModelIndex | QPersistentModelIndex
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ROLES = frozenset({_DISPLAY, _SPOKEN, KEY_ROLE, CELL_ROLE})
_CELLS_KEPT = 256
"""Rows whose words are kept ready: a few screenfuls."""


class HistoryTable(Guarded, QAbstractTableModel):
    """One row per entry, in the order they are given."""

    def __init__(self) -> None:
        """No rows."""
        super().__init__()
        self._entries: tuple[OutboxEntry, ...] = ()
        self._wanted: tuple[str, ...] = ()
        self._cells: dict[str, tuple[Cell, ...]] = {}

    @property
    def entries(self) -> tuple[OutboxEntry, ...]:
        """The entries of the rows, from the top."""
        return self._entries

    def show_entries(self, entries: Iterable[OutboxEntry], wanted: tuple[str, ...] = ()) -> None:
        """Show these from now on, the `wanted` words marked; rows that stay keep their places."""
        before, now = self._entries, tuple(entries)
        head = _alike(before, now)
        tail = _alike(before[head:][::-1], now[head:][::-1])
        self._wanted = wanted
        self._cells.clear()
        if len(before) - tail > head:
            self.beginRemoveRows(QModelIndex(), head, len(before) - tail - 1)
            self._entries = before[:head] + before[len(before) - tail :]
            self.endRemoveRows()
        if len(now) - tail > head:
            self.beginInsertRows(QModelIndex(), head, len(now) - tail - 1)
            self._entries = now
            self.endInsertRows()
        self._entries = now
        if now:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(now) - 1, self.columnCount() - 1)
            )

    def rowCount(self, parent: Index | None = None) -> int:
        """One per entry; the table has no tree below its rows."""
        return 0 if parent is not None and parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index | None = None) -> int:
        """Those of `HistoryColumn`."""
        return 0 if parent is not None and parent.isValid() else len(HistoryColumn)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """The column's name; rows have none."""
        if orientation is not Qt.Orientation.Horizontal or role not in {_DISPLAY, _SPOKEN}:
            return None
        return column_words(HistoryColumn(section))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The cell's text, the whole of what is painted of it, or the entry's id."""
        if role not in _ROLES or not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == KEY_ROLE:
            return entry.id
        cell = self._row_cells(entry)[index.column()]
        return cell if role == CELL_ROLE else cell.text

    def _row_cells(self, entry: OutboxEntry) -> tuple[Cell, ...]:
        cells = self._cells.get(entry.id)
        if cells is None:
            if len(self._cells) >= _CELLS_KEPT:
                self._cells.clear()
            self._cells[entry.id] = cells = cells_of(entry, self._wanted)
        return cells


def _alike(before: Sequence[OutboxEntry], now: Sequence[OutboxEntry]) -> int:
    """How many entries at the beginning are the same ones."""
    pairs = zip(before, now, strict=False)
    different = (at for at, (old, new) in enumerate(pairs) if old.id != new.id)
    return next(different, min(len(before), len(now)))
