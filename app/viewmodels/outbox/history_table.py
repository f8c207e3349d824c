"""The rows of the history: what each cell says of an entry, and the same as a file."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QModelIndex

from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.people.search import marked
from app.runtime.words import tr
from app.viewmodels.cell_table import Cell, CellTable
from app.viewmodels.formatting import local, moment_words


class HistoryColumn(IntEnum):
    """The columns, in the order they are shown."""

    WHEN = 0
    NAME = 1
    EMAIL = 2
    OUTCOME = 3


def column_words(column: HistoryColumn) -> str:
    """A column's name."""
    return {
        HistoryColumn.WHEN: tr("When"),
        HistoryColumn.NAME: tr("Name"),
        HistoryColumn.EMAIL: tr("Email"),
        HistoryColumn.OUTCOME: tr("What became of it"),
    }[column]


def cells_of(entry: OutboxEntry, wanted: Sequence[str]) -> tuple[Cell, ...]:
    """The row of an entry, cell by cell, with the `wanted` words (folded) marked."""
    name, email, whole = entry.new_person.full_name, entry.new_person.email, whole_outcome(entry)
    # There is room for the service's own words, if not for what leads up to them; whoever looks
    # for some words sees where they are.
    brief = entry.state is EntryState.REFUSED and entry.service_words and not wanted
    outcome = _with_reason(entry, entry.service_words) if brief else whole
    return (
        Cell(moment_words(moment_of(entry))),
        Cell(name, highlights=marked(name, wanted)),
        Cell(email, highlights=marked(email, wanted)),
        Cell(
            outcome,
            highlights=marked(outcome, wanted),
            whole=whole if whole != outcome else "",
        ),
    )


def copied_headings() -> list[str]:
    """What the columns of copied rows are called."""
    return [column_words(column) for column in HistoryColumn]


def copied_cells(entry: OutboxEntry) -> list[str]:
    """The row as it is copied: what is painted, and all there is to be said of it."""
    return [cell.whole or cell.text for cell in cells_of(entry, ())]


def moment_of(entry: OutboxEntry) -> datetime:
    """When the last thing happened to it, as far as that is kept, UTC."""
    if entry.state is EntryState.ADDED and entry.ended_at is not None:
        return entry.ended_at
    return entry.taken_off or entry.ended_at or entry.typed_at


def whole_outcome(entry: OutboxEntry) -> str:
    """What became of it, with the reason where there is one."""
    if entry.state is not EntryState.REFUSED or not entry.reason_words:
        return outcome_words(entry)
    return _with_reason(entry, entry.reason_words)


def _with_reason(entry: OutboxEntry, reason: str) -> str:
    return tr("{outcome}: {reason}", outcome=outcome_words(entry), reason=reason)


def outcome_words(entry: OutboxEntry) -> str:
    """What became of it, or where it stands, in a few words; and that it was sent again."""
    outcome = _outcome(entry)
    if not entry.sent_again:
        return outcome
    if entry.state is not EntryState.WAITING:
        return tr("{outcome}, sent again", outcome=outcome)
    # The first time it did leave, and may have arrived.
    if entry.taken_off is not None:
        return tr("Taken back before it was sent again")
    return tr("Waiting to be sent again")


def _outcome(entry: OutboxEntry) -> str:
    if entry.taken_off is not None and entry.state is not EntryState.ADDED:
        return {
            EntryState.REFUSED: tr("Refused, then taken off the list"),
            EntryState.NOT_SURE: tr("Not sure, taken off the list"),
        }.get(entry.state, tr("Taken back, not sent"))
    if entry.state is EntryState.NOT_SURE:
        return {
            Doubt.LOOKING: tr("Not sure, being looked for"),
            Doubt.LOOKS_LIKE: tr("Not sure, somebody looks like the one"),
            Doubt.ABSENT: tr("Not sure, not found in the list"),
        }[entry.doubt]
    return {
        EntryState.WAITING: tr("Waiting"),
        EntryState.SENDING: tr("Sending"),
        EntryState.ADDED: tr("Added"),
        EntryState.REFUSED: tr("Refused"),
    }[entry.state]


class HistoryTable(CellTable):
    """One row per entry, in the order they are given."""

    columns = HistoryColumn

    def __init__(self) -> None:
        """No rows."""
        super().__init__()
        self._entries: tuple[OutboxEntry, ...] = ()
        self._wanted: tuple[str, ...] = ()

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
        if len(before) - tail > head:
            self.beginRemoveRows(QModelIndex(), head, len(before) - tail - 1)
            self._have(before[:head] + before[len(before) - tail :])
            self.endRemoveRows()
        if len(now) - tail > head:
            self.beginInsertRows(QModelIndex(), head, len(now) - tail - 1)
            self._have(now)
            self.endInsertRows()
        self._have(now)
        if now:
            self.dataChanged.emit(
                self.index(0, 0), self.index(len(now) - 1, self.columnCount() - 1)
            )

    def rows_shown(self) -> int:
        """One per entry."""
        return len(self._entries)

    def heading(self, column: int, *, spoken: bool) -> str:
        """The column's name."""
        return column_words(HistoryColumn(column))

    def key_at(self, position: int) -> str:
        """The entry's id."""
        return self._entries[position].id

    def make_cells(self, position: int) -> tuple[Cell, ...]:
        """The cells of the entry, the words that are wanted marked."""
        return cells_of(self._entries[position], self._wanted)

    def _have(self, entries: tuple[OutboxEntry, ...]) -> None:
        self._entries = entries
        self._cells.clear()


def _alike(before: Sequence[OutboxEntry], now: Sequence[OutboxEntry]) -> int:
    """How many entries at the beginning are the same ones."""
    pairs = zip(before, now, strict=False)
    different = (at for at, (old, new) in enumerate(pairs) if old.id != new.id)
    return next(different, min(len(before), len(now)))


def saved_headings() -> list[str]:
    """What the columns of a saved history are called."""
    return [
        tr("When"),
        tr("First name"),
        tr("Last name"),
        tr("Email"),
        tr("Phone, kept here"),
        tr("Kept, not sent"),
        tr("What became of it"),
        tr("Reason"),
        tr("Typed at"),
        tr("Typed"),
        tr("Id in the account"),
    ]


def saved_cells(entry: OutboxEntry) -> list[str]:
    """An entry as a row of a saved history; times are in this computer's zone."""
    new = entry.new_person
    return [
        _local(moment_of(entry)),
        new.firstname,
        new.lastname,
        new.email,
        new.phone,
        new.leftover,
        outcome_words(entry),
        entry.reason_words,
        _local(entry.typed_at),
        entry.typed,
        entry.person_id or "",
    ]


def _local(moment: datetime) -> str:
    """As every spreadsheet reads it, whatever its language."""
    return local(moment).strftime("%Y-%m-%d %H:%M:%S")
