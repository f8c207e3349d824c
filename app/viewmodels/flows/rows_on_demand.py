"""A list that holds a key for each row; what the row says is asked for when it is painted, and kept
until it is said anew.
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import (
    QObject,
    QStringListModel,
    Qt,
    Signal,
)

from app.viewmodels.cell_table import Index
from app.viewmodels.guarded_overrides import GuardedOverrides

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The whole row, for who paints it."""
_ROLES = frozenset(
    {int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleTextRole), ROW_ROLE}
)
_MOST_MOVES = 60
"""Stretches of rows that come or go one by one; with more of them starting anew is faster."""
_MOST_COMPARED = 100
"""Rows that are said anew one by one, only where they say something else; a screenful and more."""
_MOST_AT_ONCE = 500
"""Rows that are put in together: Qt moves those behind each of them."""


class Row(Protocol):
    """What a list of rows asks of each."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def accessible_name(self) -> str:
        """What a screen reader says."""


KeyT = TypeVar("KeyT")
RowT = TypeVar("RowT", bound=Row)


class RowsOnDemand(GuardedOverrides, QStringListModel, Generic[KeyT, RowT]):
    """Rows by key, in order.

    Qt itself counts them, by blank texts: a view that lays out its rows asks several times for
    each of them how many there are.
    """

    listed = Signal()
    """Other rows are listed than before, however many of them came and went for that."""

    def __init__(
        self,
        read: Callable[[KeyT], RowT],
        parent: QObject | None = None,
        *,
        same: Callable[[KeyT, KeyT], bool] = operator.eq,
    ) -> None:
        """`read` gives the row of a key; `same` tells whether two keys mean the same row."""
        super().__init__(parent)
        self._read = read
        self._same = same
        self._keys: tuple[KeyT, ...] = ()
        self._next: tuple[KeyT, ...] = ()
        # Before any view: whoever hears of a change finds the keys as they are then.
        for signal in (self.modelReset, self.rowsInserted, self.rowsRemoved):
            signal.connect(self._take_next)
        self._rows: dict[int, RowT] = {}
        self.changing = False
        """Rows come or go just now: a selection that moves is not somebody's choice."""

    @property
    def keys(self) -> tuple[KeyT, ...]:
        """Those of all rows, in order."""
        return self._keys

    def show(self, keys: Iterable[KeyT], *, in_place: bool = False) -> None:
        """List these, and say anew what each of them is.

        `in_place`: rows that stay are the same ones for a view while others come and go; keys
        must have a hash then.
        """
        wanted = tuple(keys)
        if len(wanted) == len(self._keys) and all(map(self._same, wanted, self._keys)):
            self._keys = wanted
            self.say_anew()
            return
        self.changing = True
        if not (in_place and self._move_to(wanted)):
            self._next = wanted
            self.setStringList([""] * len(wanted))
        self.changing = False
        self.listed.emit()
        if in_place and self._keys:
            self.dataChanged.emit(self.index(0), self.index(len(self._keys) - 1))

    def say_anew(self) -> None:
        """The same rows, but what they say may be other than it was.

        Told of those alone that were asked for and say something else: they are painted anew.
        """
        before, self._rows = self._rows, {}
        if len(before) > _MOST_COMPARED:
            self.dataChanged.emit(self.index(0), self.index(len(self._keys) - 1))
            return
        for position, row in before.items():
            if self.row_at(position) != row:
                self.dataChanged.emit(self.index(position), self.index(position))

    def append(self, keys: Sequence[KeyT]) -> None:
        """List these too, behind the others."""
        self._insert(len(self._keys), tuple(keys))

    def key_at(self, position: int) -> KeyT | None:
        """That of the row at `position`; None outside the list."""
        return self._keys[position] if 0 <= position < len(self._keys) else None

    def position_of(self, key: KeyT | None) -> int | None:
        """Where the row of a key stands; None where it is not listed."""
        if key is None:
            return None
        return next((at for at, one in enumerate(self._keys) if self._same(one, key)), None)

    def row_at(self, position: int) -> RowT | None:
        """What the row at `position` says; None outside the list."""
        if not 0 <= position < len(self._keys):
            return None
        if position not in self._rows:
            self._rows[position] = self._read(self._keys[position])
        return self._rows[position]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are chosen, and nothing else."""
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return chosen if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The name, the whole row, or what a screen reader says."""
        if role not in _ROLES or not index.isValid():
            return None
        row = self.row_at(index.row())
        if row is None or role == ROW_ROLE:
            return row
        return row.name if role == Qt.ItemDataRole.DisplayRole else row.accessible_name

    def _take_next(self) -> None:
        self._keys = self._next
        self._rows.clear()

    def _insert(self, position: int, keys: tuple[KeyT, ...]) -> None:
        for start in range(0, len(keys), _MOST_AT_ONCE):
            some, at = keys[start : start + _MOST_AT_ONCE], position + start
            self._next = self._keys[:at] + some + self._keys[at:]
            self.insertRows(at, len(some))

    def _move_to(self, wanted: tuple[KeyT, ...]) -> bool:
        """Take rows out and put rows in, so that a view keeps its place; False if it cannot be."""
        stay, listed = set(wanted), set(self._keys)
        if [each for each in self._keys if each in stay] != [e for e in wanted if e in listed]:
            return False
        gone = _stretches([each not in stay for each in self._keys])
        come = _stretches([each not in listed for each in wanted])
        if len(gone) + len(come) > _MOST_MOVES:
            return False
        for first, last in reversed(gone):
            self._next = self._keys[:first] + self._keys[last + 1 :]
            self.removeRows(first, last - first + 1)
        for first, last in come:
            self._insert(first, wanted[first : last + 1])
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
