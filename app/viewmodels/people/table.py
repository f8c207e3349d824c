"""The People table: its columns, what each cell says, and entries above people."""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from enum import IntEnum
from functools import lru_cache
from itertools import compress, count

import msgspec
from PySide6.QtCore import QModelIndex, QObject, Qt

from app.model import field_limits
from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.people.search import (
    found_beyond,
    marked,
    marked_name,
    marked_number,
)
from app.runtime.words import language, tr
from app.store.ordering import SortKey
from app.viewmodels.cell_table import CELL_ROLE, SPOKEN, Cell, CellTable
from app.viewmodels.formatting import (
    badges,
    clock,
    day,
    given,
    is_today,
    local,
    moment_words,
    name_of,
)


class Column(IntEnum):
    """The columns, in the order they are first shown."""

    NAME = 0
    EMAIL = 1
    PHONE = 2
    MOBILE = 3
    ADDED = 4


SORT_OF = {
    Column.NAME: SortKey.FIRST_NAME,
    Column.EMAIL: SortKey.EMAIL,
    Column.PHONE: SortKey.PHONE,
    Column.MOBILE: SortKey.MOBILE,
    Column.ADDED: SortKey.ADDED,
}
"""What a click on a header sorts by, where it does; names as they are shown, first name first."""
_LONGEST_BADGE = 24
"""Characters."""
_COLUMN_OF = {by: column for column, by in SORT_OF.items()} | {SortKey.LAST_NAME: Column.NAME}


def cells_of_person(
    person: Person, wanted: Sequence[str], added_at: datetime | None = None
) -> tuple[Cell, ...]:
    """The row of a person, cell by cell, with the `wanted` words (see `query_words`) marked.

    `added_at`: when they were added here since the start, UTC; None for everybody else.
    """
    flags = badges(person) if added_at is None else (added_words(added_at), *badges(person))
    if wanted and (beyond := found_beyond(person, wanted)):
        flags = (*flags, field_limits.shortened(beyond, _LONGEST_BADGE))
    return (
        Cell(
            name_of(person),
            flags,
            first_badge_short="" if added_at is None else state_words(EntryState.ADDED),
            keeps_first_badge=added_at is not None or bool(person.deceased),
            highlights=marked_name(person, wanted),
        ),
        _not_given() if person.email is None else _email(person.email, wanted),
        _not_given() if person.phone is None else _number(person.phone, wanted),
        _not_given() if person.mobile is None else _number(person.mobile, wanted),
        _not_given()
        if person.date_added is None
        else Cell(_day(local(person.date_added).date(), language())),
    )


def _not_given() -> Cell:
    return Cell(given(None), is_given=False)


def _email(text: str, wanted: Sequence[str]) -> Cell:
    return Cell(text, highlights=marked(text, wanted))


def _number(text: str, wanted: Sequence[str]) -> Cell:
    return Cell(text, highlights=marked_number(text, wanted), is_number=True)


@lru_cache(4_096)
def _day(local: date, _language: str) -> str:
    """Writing a date takes longer than reading a person, and many were added on the same days."""
    return day(datetime.combine(local, time(12)))


def cells_of_entry(entry: OutboxEntry, wanted: Sequence[str]) -> tuple[Cell, ...]:
    """The row of an entry on its way, cell by cell."""
    name, email, state = entry.new_person.full_name, entry.new_person.email, entry.state
    ended = entry.ended_at if state is EntryState.ADDED else None
    words = state_words(state) if ended is None else added_words(ended)
    return (
        Cell(
            name,
            (words,),
            first_badge_short=state_words(state) if ended is not None else "",
            keeps_first_badge=True,
            state=state,
            needs_person=entry.needs_person,
            highlights=marked(name, wanted),
        ),
        Cell(email, state=state, highlights=marked(email, wanted)),
        Cell("", state=state),
        # Nobody has a mobile before they are added, and the name needs all the room there is.
        Cell("", state=state, can_undo=state is EntryState.WAITING),
        Cell(_typed(entry.typed_at), state=state),
    )


def _typed(moment: datetime) -> str:
    """When an entry was typed: mostly today, and then at which time."""
    return clock(moment) if is_today(moment) else day(moment)


def added_words(moment: datetime) -> str:
    """What is said beside the name of somebody who was added at this moment."""
    return tr("added {time}", time=moment_words(moment))


def state_words(state: EntryState) -> str:
    """What is said beside an entry's name."""
    return {
        EntryState.WAITING: tr("waiting"),
        EntryState.SENDING: tr("sending"),
        EntryState.ADDED: tr("added"),
        EntryState.REFUSED: tr("refused"),
        EntryState.NOT_SURE: tr("not sure"),
    }[state]


def column_of(by: SortKey) -> Column:
    """The column that shows what the list is sorted by."""
    return _COLUMN_OF[by]


def heading(column: Column, sort: tuple[SortKey, bool] | None, *, spoken: bool) -> str:
    """A column's name, with an arrow where the list is sorted by it, or words for the arrow."""
    by, descending = sort if sort is not None else (None, False)
    name = column_words(column)
    if by is None or column_of(by) is not column:
        return name
    if by is SortKey.LAST_NAME:
        name = tr("Name, by last name")
    if spoken:
        if descending:
            return tr("{column}, sorted from the end", column=name)
        return tr("{column}, sorted", column=name)
    return f"{name} {'▾' if descending else '▴'}"


def column_words(column: Column) -> str:
    """A column's name."""
    return {
        Column.NAME: tr("Name"),
        Column.EMAIL: tr("Email"),
        Column.PHONE: tr("Phone"),
        Column.MOBILE: tr("Mobile"),
        Column.ADDED: tr("Added"),
    }[column]


class EntryRowsChanged(msgspec.Struct, frozen=True):
    """What becomes of the rows of entries: each entry in one of these, and once."""

    fresh: Sequence[OutboxEntry] = ()
    """Entries without a row yet, newer than all that have one; newest last."""
    changed: Sequence[OutboxEntry] = ()
    gone: Sequence[str] = ()
    """Ids of those that have a row no longer."""


ReadPeople = Callable[[Sequence[int]], Mapping[int, Person]]
Position = Callable[[Sequence[int], int], int | None]
"""Where a row stands among some, None for nowhere; LookupError where that cannot be told."""
Key = int | str
"""A person's row number in the local copy, or an entry's id."""

BADGES_ROLE = CELL_ROLE + 1
STATE_ROLE = CELL_ROLE + 2
_BLANK_ROW = tuple(Cell("") for _ in Column)
"""Stands where somebody went between being listed and being painted."""
_BLOCK = 64
"""Read with somebody who is asked for alone."""
_BLOCKS_KEPT = 16
_NEAR = 256
"""Rows around an earlier place in which somebody is looked for first."""
_HINTS_KEPT = 1_024
_ONE_FOUND = 1_000
"""To find one in the order of the list takes as long as to look at so many in passing."""
_MOST_SPANS = 32
"""Runs of rows taken out one by one; with more of them all rows in between are put in anew."""


class PeopleTable(CellTable):
    """Entries of the outbox on top, then the people of the chosen rows."""

    columns = Column
    roles = CellTable.roles | {BADGES_ROLE, STATE_ROLE}

    def __init__(
        self,
        read: ReadPeople,
        parent: QObject | None = None,
        *,
        added: Mapping[str, datetime] | None = None,
    ) -> None:
        """`read` gives the people of a screenful of rows, by row, without those gone meanwhile.

        `added` has when those were added, by id, who get the badge of somebody added just now.
        """
        super().__init__(parent)
        self._read = read
        self._added = {} if added is None else added
        # Newest last, so that a new one moves no other; the first row is the last of them.
        self._entries: list[OutboxEntry] = []
        # Ascending beside them, and by id: where one stands is found without looking at all.
        self._entry_numbers: list[int] = []
        self._number_of: dict[str, int] = {}
        self._rows: Sequence[int] = ()
        self._position: Position | None = None
        self._wanted: tuple[str, ...] = ()
        self._sorted: tuple[SortKey, bool] | None = None
        self._blocks: OrderedDict[int, Mapping[int, Person]] = OrderedDict()
        self._in_sight: dict[int, Person | None] = {}
        """Those who were read to be painted last, by row; None where somebody has gone."""
        self._hints: dict[int, int] = {}

    # What is shown

    def show_entries(self, entries: Sequence[OutboxEntry]) -> None:
        """Put `entries`, newest last, on top; the newest comes first. Who stays keeps their row."""
        before, now = self._entries, list(entries)
        if now == before or list(self._number_of) == [entry.id for entry in now]:
            self._entries = now
            self._cells.clear()
            self._say_changed(0, len(now))
            return
        head = _alike(before, now)
        tail = _alike(before[head:][::-1], now[head:][::-1])
        if len(before) - tail > head:
            self.beginRemoveRows(QModelIndex(), tail, len(before) - head - 1)
            self._have_entries(before[:head] + before[len(before) - tail :])
            self.endRemoveRows()
        if len(now) - tail > head:
            self.beginInsertRows(QModelIndex(), tail, len(now) - head - 1)
            self._have_entries(now)
            self.endInsertRows()
        self._have_entries(now)
        self._say_changed(0, len(now))

    def change_entries(self, change: EntryRowsChanged) -> None:
        """Take out, change and put on top the rows of some entries; no others are looked at."""
        gone = sorted(self._entry_index(entry_id) for entry_id in change.gone)
        spans = list(_spans(gone))
        if len(spans) > _MOST_SPANS:
            left_out = frozenset(change.gone)
            self.show_entries([entry for entry in self._entries if entry.id not in left_out])
        else:
            for first, last in reversed(spans):
                self._take_out_entries(first, last)
        if change.changed:
            positions = [self._entry_index(entry.id) for entry in change.changed]
            for position, entry in zip(positions, change.changed, strict=True):
                self._entries[position] = entry
            newest = len(self._entries) - 1
            first, last = newest - max(positions), newest - min(positions)
            self._cells.clear(first, last)
            self._say_changed(first, last + 1)
        if change.fresh:
            self.beginInsertRows(QModelIndex(), 0, len(change.fresh) - 1)
            number = self._entry_numbers[-1] + 1 if self._entry_numbers else 0
            numbers = range(number, number + len(change.fresh))
            self._entries += change.fresh
            self._entry_numbers += numbers
            self._number_of.update(zip([entry.id for entry in change.fresh], numbers, strict=True))
            self._cells.clear()
            self.endInsertRows()

    def show_rows(self, rows: Sequence[int], position: Position | None = None) -> None:
        """Show the people of `rows`, in this order, instead of those before.

        A list becomes the table's own. Where the rows are the same, they are read again. `position`
        finds somebody among rows in this order; without it all of them are looked through.
        """
        self._position = position
        if rows == self._rows:
            self.reread()
            return
        self.beginResetModel()
        self._rows = rows
        self._blocks.clear()
        self._in_sight.clear()
        self._cells.clear()
        self.endResetModel()

    def append_rows(self, rows: Sequence[int]) -> None:
        """Show more people behind those shown."""
        if not rows:
            return
        first = self.rowCount()
        self.beginInsertRows(QModelIndex(), first, first + len(rows) - 1)
        # The block at the end grows; the others are as they were.
        self._blocks.pop(len(self._rows) // _BLOCK, None)
        if isinstance(self._rows, list):
            self._rows += rows
        else:
            self._rows = [*self._rows, *rows]
        self.endInsertRows()

    def reread(self) -> None:
        """Read again what is on the screen: something in it has changed."""
        self._blocks.clear()
        self._in_sight.clear()
        self._cells.clear()
        self._say_changed(len(self._entries), self.rowCount())

    def mark(self, wanted: tuple[str, ...]) -> None:
        """Mark these words wherever they are found, from the next painting on."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._cells.clear()
            self._say_changed(0, self.rowCount())

    def show_sort(self, by: SortKey, *, descending: bool) -> None:
        """Say in the header what the list is sorted by."""
        if self._sorted != (by, descending):
            self._sorted = (by, descending)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    # What a row is

    def key_at(self, position: int) -> Key | None:
        """The key of the row at `position`, or None outside the table."""
        entry = self.entry_at(position)
        if entry is not None:
            return entry.id
        behind = position - len(self._entries)
        return self._rows[behind] if 0 <= behind < len(self._rows) else None

    def position_of(self, key: Key | None) -> int | None:
        """Where the row with `key` stands, or None when it is not shown."""
        if isinstance(key, str):
            known = key in self._number_of
            return len(self._entries) - 1 - self._entry_index(key) if known else None
        found = None if key is None else self._found(key)
        return None if found is None else found + len(self._entries)

    def keys_between(self, first: int, last: int) -> Iterator[Key]:
        """The keys of the rows from `first` to `last`, both included."""
        above = len(self._entries)
        yield from (self._entries[above - 1 - at].id for at in range(first, min(last + 1, above)))
        yield from self._rows[max(first - above, 0) : max(last + 1 - above, 0)]

    def positions_of(self, keys: Collection[Key]) -> list[int]:
        """Where those of `keys` that are shown stand, from the top; for many keys at once."""
        wanted = frozenset(keys)
        above = len(self._entries)
        entries = sorted(
            above - 1 - self._entry_index(key) for key in self._number_of.keys() & wanted
        )
        if self._position is not None and len(wanted) * _ONE_FOUND < len(self._rows):
            found = (self._found(key) for key in wanted if isinstance(key, int))
            people = sorted(at + above for at in found if at is not None)
        else:
            people = list(compress(count(above), map(wanted.__contains__, self._rows)))
        return [*entries, *people]

    def has_entry(self, entry_id: str) -> bool:
        """Whether this entry has a row."""
        return entry_id in self._number_of

    @property
    def people_count(self) -> int:
        """How many people are shown, entries not among them."""
        return len(self._rows)

    @property
    def people_rows(self) -> Sequence[int]:
        """The rows of the people shown; not to be changed."""
        return self._rows

    @property
    def entries(self) -> tuple[OutboxEntry, ...]:
        """The entries on top, the newest first."""
        return tuple(reversed(self._entries))

    def entry_at(self, position: int) -> OutboxEntry | None:
        """The entry at `position`, or None where a person stands."""
        above = len(self._entries)
        return self._entries[above - 1 - position] if 0 <= position < above else None

    # Qt's side

    def rows_shown(self) -> int:
        """Entries and people."""
        return len(self._entries) + len(self._rows)

    def heading(self, column: int, *, spoken: bool) -> str:
        """The column's name; of the one that is sorted by, with the direction."""
        return heading(Column(column), self._sorted, spoken=spoken)

    def value(self, cell: Cell, role: int) -> object:
        """The cell's text, its badges (name column), or its entry's state."""
        if role == BADGES_ROLE:
            return cell.badges
        if role == STATE_ROLE:
            return cell.state
        return cell.spoken if role == SPOKEN else cell.text

    def make_ready(self, first: int, last: int) -> None:
        """Read those of these rows who are not there yet: nobody besides, whoever is passed by."""
        above = len(self._entries)
        positions = range(max(first - above, 0), last + 1 - above)
        unread = [
            self._rows[position]
            for position in positions
            if position // _BLOCK not in self._blocks
            and position + above not in self._cells
            and self._rows[position] not in self._in_sight
        ]
        if unread:
            kept = {
                row: self._in_sight[row]
                for row in self._rows[positions.start : positions.stop]
                if row in self._in_sight
            }
            people = self._read(unread)
            self._in_sight = kept | {row: people.get(row) for row in unread}

    def make_cells(self, position: int) -> tuple[Cell, ...]:
        """Those of the entry or the person who stands there."""
        entry = self.entry_at(position)
        return cells_of_entry(entry, self._wanted) if entry else self._person_cells(position)

    def _person_cells(self, position: int) -> tuple[Cell, ...]:
        person = self._person(position)
        if person is None:
            return _BLANK_ROW
        return cells_of_person(person, self._wanted, self._added.get(person.id))

    def _person(self, position: int) -> Person | None:
        behind = position - len(self._entries)
        row = self._rows[behind]
        if row in self._in_sight:
            return self._in_sight[row]
        number = behind // _BLOCK
        block = self._blocks.get(number)
        if block is None:
            block = self._read(self._rows[number * _BLOCK : (number + 1) * _BLOCK])
            self._blocks[number] = block
            if len(self._blocks) > _BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return block.get(row)

    def _found(self, row: int) -> int | None:
        """Looked for first near where it was: people come and go, but rarely many at once."""
        if len(self._hints) > _HINTS_KEPT:
            self._hints.clear()
        hint = self._hints.get(row, 0)
        found = self._found_between(max(hint - _NEAR, 0), hint + _NEAR, row)
        if found is None:
            found = self._found_anywhere(row)
        if found is not None:
            self._hints[row] = found
        return found

    def _found_anywhere(self, row: int) -> int | None:
        if self._position is not None:
            with suppress(LookupError):
                return self._position(self._rows, row)
        return self._found_between(0, len(self._rows), row)

    def _found_between(self, first: int, end: int, row: int) -> int | None:
        try:
            return self._rows.index(row, first, end)
        except ValueError:
            return None

    def _have_entries(self, entries: list[OutboxEntry]) -> None:
        self._entries = entries
        self._entry_numbers = list(range(len(entries)))
        self._number_of = {entry.id: number for number, entry in enumerate(entries)}
        self._cells.clear()

    def _entry_index(self, entry_id: str) -> int:
        return bisect_left(self._entry_numbers, self._number_of[entry_id])

    def _take_out_entries(self, first: int, last: int) -> None:
        newest = len(self._entries) - 1
        self.beginRemoveRows(QModelIndex(), newest - last, newest - first)
        for entry in self._entries[first : last + 1]:
            del self._number_of[entry.id]
        del self._entries[first : last + 1], self._entry_numbers[first : last + 1]
        # Those above stay where they are: of ten thousand the oldest go first.
        self._cells.clear(newest - last)
        self.endRemoveRows()

    def _say_changed(self, first: int, behind_last: int) -> None:
        if behind_last > first:
            self.dataChanged.emit(
                self.index(first, 0), self.index(behind_last - 1, len(Column) - 1)
            )


def _spans(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ascending positions, as pairs of the first and the last of each unbroken run."""
    start = 0
    for end in range(1, len(positions) + 1):
        if end == len(positions) or positions[end] != positions[end - 1] + 1:
            yield positions[start], positions[end - 1]
            start = end


def _alike(before: Sequence[OutboxEntry], now: Sequence[OutboxEntry]) -> int:
    """How many entries at the beginning are the same ones."""
    pairs = zip(before, now, strict=False)
    different = (at for at, (old, new) in enumerate(pairs) if old.id != new.id)
    return next(different, min(len(before), len(now)))
