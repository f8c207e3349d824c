"""The flows by name, as rows for the list on the left."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
STEPS_ROLE = int(Qt.ItemDataRole.UserRole)
GAPS_ROLE = STEPS_ROLE + 1


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One flow in the list: its name, how many steps, and what is missing (blank if nothing)."""

    flow_id: str
    name: str
    steps_words: str
    gaps_words: str


class FlowList(QAbstractListModel):
    """Rows of flows; shown anew only where they are others than before."""

    def __init__(self, parent: QObject | None = None) -> None:
        """No flows yet."""
        super().__init__(parent)
        self._rows: tuple[FlowRow, ...] = ()

    def show_rows(self, rows: Sequence[FlowRow]) -> None:
        """Show these flows; the list keeps its place when they are the same ones."""
        rows = tuple(rows)
        if rows == self._rows:
            return
        if [row.flow_id for row in rows] == [row.flow_id for row in self._rows]:
            self._rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def flow_id_at(self, position: int) -> str | None:
        """The flow at `position`, or None outside the list."""
        return self._rows[position].flow_id if 0 <= position < len(self._rows) else None

    def position_of(self, flow_id: str | None) -> int | None:
        """Where a flow stands, or None when it is not shown."""
        places = (place for place, row in enumerate(self._rows) if row.flow_id == flow_id)
        return next(places, None)

    def rowCount(self, parent: Index | None = None) -> int:
        """One row a flow."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name, the number of steps, or what is missing."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == STEPS_ROLE:
            return row.steps_words
        if role == GAPS_ROLE:
            return row.gaps_words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.name, row.steps_words, row.gaps_words) if part)
        return None
