"""The flows by name, as rows for the list on the left.

It holds ids; what a row says is asked for when it is painted, and kept until it is said anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt

from app.viewmodels.flows.search import Highlights
from app.viewmodels.guarded import Guarded

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The whole `FlowRow`, for who paints it."""
GAPS_ROLE = ROW_ROLE + 1
"""What is missing in the flow, a sentence each."""

_ROLES = frozenset(
    {
        int(Qt.ItemDataRole.DisplayRole),
        int(Qt.ItemDataRole.AccessibleTextRole),
        int(Qt.ItemDataRole.AccessibleDescriptionRole),
        ROW_ROLE,
        GAPS_ROLE,
    }
)
_MOST_MOVES = 60
"""Stretches of rows that come or go one by one; with more of them starting anew is faster."""


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One flow in the list. What does not apply is blank."""

    flow_id: str
    name: str
    steps_words: str
    gaps_words: str = ""
    found_by: str = ""
    """Why a search found the flow, where its name does not say it."""
    name_highlights: Highlights = ()
    found_highlights: Highlights = ()

    @property
    def second_line(self) -> str:
        """What stands under the name."""
        return self.found_by or self.steps_words

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""
        parts = (self.name, self.steps_words, self.gaps_words, self.found_by)
        return ", ".join(part for part in parts if part)


class FlowList(Guarded, QStringListModel):
    """Rows of flows; those that stay keep their place when others come or go.

    Qt itself counts them, by blank texts: a view that lays out its rows asks several times for
    each of them how many there are.
    """

    def __init__(
        self,
        read: Callable[[str], FlowRow],
        gaps: Callable[[str], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        """By a flow's id `read` gives its row, when that is seen, and `gaps` what is missing."""
        super().__init__(parent)
        self._read = read
        self._gaps = gaps
        self._ids: tuple[str, ...] = ()
        self._next: tuple[str, ...] = ()
        # Before any view: whoever hears of a change finds the ids as they are then.
        for signal in (self.modelReset, self.rowsInserted, self.rowsRemoved):
            signal.connect(self._take_next)
        self._rows: dict[str, FlowRow] = {}
        self.changing = False
        """Rows come or go just now: a selection that moves is not somebody's choice."""

    @property
    def flow_ids(self) -> tuple[str, ...]:
        """The flows that are listed, in order."""
        return self._ids

    def show_flows(self, flow_ids: Sequence[str]) -> None:
        """List these flows, and say anew what each of them is."""
        wanted = tuple(flow_ids)
        self._rows.clear()
        if wanted != self._ids:
            self.changing = True
            if not self._move_to(wanted):
                self._next = wanted
                self.setStringList([""] * len(wanted))
            self.changing = False
        if wanted:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    def flow_id_at(self, position: int) -> str | None:
        """The flow at `position`, or None outside the list."""
        return self._ids[position] if 0 <= position < len(self._ids) else None

    def position_of(self, flow_id: str | None) -> int | None:
        """Where a flow stands, or None when it is not listed."""
        return self._ids.index(flow_id) if flow_id in self._ids else None

    def row_of(self, flow_id: str) -> FlowRow:
        """What the row of a listed flow says."""
        if flow_id not in self._rows:
            self._rows[flow_id] = self._read(flow_id)
        return self._rows[flow_id]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are chosen, and nothing else."""
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return chosen if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name, the whole row, what is missing, or what a screen reader says."""
        if not index.isValid() or role not in _ROLES:
            return None
        flow_id = self._ids[index.row()]
        if role == GAPS_ROLE:
            return tuple(self._gaps(flow_id))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return " ".join(self._gaps(flow_id))
        row = self.row_of(flow_id)
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        return row if role == ROW_ROLE else row.accessible_name

    def _take_next(self) -> None:
        self._ids = self._next

    def _move_to(self, wanted: tuple[str, ...]) -> bool:
        """Take rows out and put rows in, so that a view keeps its place; False if it cannot be."""
        stay, listed = set(wanted), set(self._ids)
        if [each for each in self._ids if each in stay] != [e for e in wanted if e in listed]:
            return False
        gone = _stretches([each not in stay for each in self._ids])
        come = _stretches([each not in listed for each in wanted])
        if len(gone) + len(come) > _MOST_MOVES:
            return False
        for first, last in reversed(gone):
            self._next = self._ids[:first] + self._ids[last + 1 :]
            self.removeRows(first, last - first + 1)
        for first, last in come:
            self._next = self._ids[:first] + wanted[first : last + 1] + self._ids[first:]
            self.insertRows(first, last - first + 1)
        return True


def _stretches(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last place of each run of true flags."""
    runs: list[tuple[int, int]] = []
    for place, flag in enumerate(flags):
        if flag and runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        elif flag:
            runs.append((place, place))
    return runs
