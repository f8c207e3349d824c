"""The rows of the People table: entries on their way first, then people, read when painted.

It holds row numbers of the local copy, never the people themselves; what is on the screen is read
in blocks and a few blocks are kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.runtime.words import tr
from app.viewmodels.wording import badges, day, name_of

Index = QModelIndex | QPersistentModelIndex
ReadPeople = Callable[[Sequence[int]], Mapping[int, Person]]
Key = int | str
"""A person's row number in the local copy, or an entry's id."""

KEY_ROLE = int(Qt.ItemDataRole.UserRole)
BADGES_ROLE = KEY_ROLE + 1
STATE_ROLE = KEY_ROLE + 2
_ROLES = frozenset(
    {
        int(Qt.ItemDataRole.DisplayRole),
        int(Qt.ItemDataRole.AccessibleTextRole),
        KEY_ROLE,
        BADGES_ROLE,
        STATE_ROLE,
    }
)
_NOBODY = Person(id="")
"""Stands where somebody went between being listed and being painted."""
_BLOCK = 64
_BLOCKS_KEPT = 16


class Column(IntEnum):
    """The columns, in the order they are first shown."""

    NAME = 0
    EMAIL = 1
    PHONE = 2
    MOBILE = 3
    ADDED = 4


class PeopleTable(QAbstractTableModel):
    """Entries of the outbox on top, then the people of the chosen rows."""

    def __init__(self, read: ReadPeople, parent: QObject | None = None) -> None:
        """`read` gives the people of up to 64 rows, by row, without those gone meanwhile."""
        super().__init__(parent)
        self._read = read
        self._entries: tuple[OutboxEntry, ...] = ()
        self._rows: Sequence[int] = ()
        self._blocks: OrderedDict[int, Mapping[int, Person]] = OrderedDict()

    # What is shown

    def show_entries(self, entries: Sequence[OutboxEntry]) -> None:
        """Put `entries` on top; the newest comes first."""
        newest_first = tuple(reversed(entries))
        if [entry.id for entry in newest_first] == [entry.id for entry in self._entries]:
            self._entries = newest_first
            self._say_changed(0, len(newest_first))
            return
        if self._entries:
            self.beginRemoveRows(QModelIndex(), 0, len(self._entries) - 1)
            self._entries = ()
            self.endRemoveRows()
        if newest_first:
            self.beginInsertRows(QModelIndex(), 0, len(newest_first) - 1)
            self._entries = newest_first
            self.endInsertRows()

    def show_rows(self, rows: Sequence[int]) -> None:
        """Show the people of `rows`, in this order, instead of those before."""
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self._blocks.clear()
        self.endResetModel()

    def append_rows(self, rows: Sequence[int]) -> None:
        """Show more people behind those shown."""
        if not rows:
            return
        first = self.rowCount()
        self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
        self._rows = [*self._rows, *rows]
        self._blocks.clear()
        self.endInsertRows()

    def reread(self) -> None:
        """Read again what is on the screen: something in it has changed."""
        self._blocks.clear()
        self._say_changed(len(self._entries), self.rowCount())

    # What a row is

    def key_at(self, position: int) -> Key | None:
        """The key of the row at `position`, or None outside the table."""
        if 0 <= position < len(self._entries):
            return self._entries[position].id
        behind = position - len(self._entries)
        return self._rows[behind] if 0 <= behind < len(self._rows) else None

    def position_of(self, key: Key | None) -> int | None:
        """Where the row with `key` stands, or None when it is not shown."""
        if isinstance(key, str):
            ids = [entry.id for entry in self._entries]
            return ids.index(key) if key in ids else None
        try:
            return None if key is None else self._rows.index(key) + len(self._entries)
        except ValueError:
            return None

    @property
    def people_count(self) -> int:
        """How many people are shown; entries are not among them."""
        return len(self._rows)

    def entry_at(self, position: int) -> OutboxEntry | None:
        """The entry at `position`, or None where a person stands."""
        return self._entries[position] if 0 <= position < len(self._entries) else None

    # Qt's side

    def rowCount(self, parent: Index | None = None) -> int:
        """Entries and people; the table has no tree below its rows."""
        if parent is not None and parent.isValid():
            return 0
        return len(self._entries) + len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """One column per field shown."""
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """The column's name; rows have none."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (tr("Name"), tr("Email"), tr("Phone"), tr("Mobile"), tr("Added"))
        return names[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The cell's text, its badges (name column), the row's key or its entry's state."""
        if role not in _ROLES or not index.isValid():
            return None
        position, column = index.row(), Column(index.column())
        if role == KEY_ROLE:
            return self.key_at(position)
        entry = self.entry_at(position)
        if role == STATE_ROLE:
            return None if entry is None else entry.state
        if role == BADGES_ROLE:
            return self._badges(position, column, entry)
        text = _entry_cell(entry, column) if entry else _cell(self._person(position), column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((text, *self._badges(position, column, entry)))
        return text

    def _badges(self, position: int, column: Column, entry: OutboxEntry | None) -> tuple[str, ...]:
        if column is not Column.NAME:
            return ()
        return (state_words(entry.state),) if entry else badges(self._person(position))

    def _person(self, position: int) -> Person:
        behind = position - len(self._entries)
        number = behind // _BLOCK
        block = self._blocks.get(number)
        if block is None:
            block = self._read(self._rows[number * _BLOCK : (number + 1) * _BLOCK])
            self._blocks[number] = block
            if len(self._blocks) > _BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return block.get(self._rows[behind], _NOBODY)

    def _say_changed(self, first: int, behind_last: int) -> None:
        if behind_last > first:
            self.dataChanged.emit(
                self.index(first, 0), self.index(behind_last - 1, len(Column) - 1)
            )


def state_words(state: EntryState) -> str:
    """What is said beside an entry's name."""
    return {
        EntryState.WAITING: tr("waiting · Undo"),
        EntryState.SENDING: tr("sending"),
        EntryState.ADDED: tr("added"),
        EntryState.REFUSED: tr("refused"),
        EntryState.NOT_SURE: tr("not sure"),
    }[state]


def _cell(person: Person, column: Column) -> str:
    return {
        Column.NAME: name_of(person),
        Column.EMAIL: person.email or "",
        Column.PHONE: person.phone or "",
        Column.MOBILE: person.mobile or "",
        Column.ADDED: day(person.date_added),
    }[column]


def _entry_cell(entry: OutboxEntry, column: Column) -> str:
    return {
        Column.NAME: entry.new_person.full_name,
        Column.EMAIL: entry.new_person.email,
        Column.ADDED: tr("now"),
    }.get(column, "")
