"""The history: everybody typed here and what became of them, as a table that is searched, copied
and saved.
"""

import asyncio
import csv
import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.model.errors import ExpectedError
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.outbox.events import EntriesChanged
from app.outbox.outbox import Outbox
from app.people.search import fold, marked
from app.runtime.events import EventBus
from app.runtime.files import save_as
from app.runtime.spreadsheet import spreadsheet_cell
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.formatting import local, moment_words, number
from app.viewmodels.guarded import Guarded
from app.viewmodels.people.table import CELL_ROLE, KEY_ROLE, Cell, CellCache
from app.viewmodels.screen import Screen


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
    name, email, outcome = entry.new_person.full_name, entry.new_person.email, whole_outcome(entry)
    return (
        Cell(moment_words(moment_of(entry))),
        Cell(name, highlights=marked(name, wanted)),
        Cell(email, highlights=marked(email, wanted)),
        Cell(outcome, highlights=marked(outcome, wanted)),
    )


def line_of(entry: OutboxEntry) -> str:
    """The row as text with tabs between its cells."""
    return "\t".join(spreadsheet_cell(cell.text) for cell in cells_of(entry, ()))


def moment_of(entry: OutboxEntry) -> datetime:
    """When the last thing happened to it, as far as that is kept, UTC."""
    if entry.state is EntryState.ADDED and entry.ended_at is not None:
        return entry.ended_at
    return entry.taken_off or entry.ended_at or entry.typed_at


def whole_outcome(entry: OutboxEntry) -> str:
    """What became of it, with the reason where there is one."""
    outcome = outcome_words(entry)
    if entry.state is not EntryState.REFUSED or not entry.reason:
        return outcome
    return tr("{outcome}: {reason}", outcome=outcome, reason=entry.reason)


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


Index = QModelIndex | QPersistentModelIndex
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ROLES = frozenset({_DISPLAY, _SPOKEN, KEY_ROLE, CELL_ROLE})


class HistoryTable(Guarded, QAbstractTableModel):
    """One row per entry, in the order they are given."""

    def __init__(self) -> None:
        """No rows."""
        super().__init__()
        self._entries: tuple[OutboxEntry, ...] = ()
        self._wanted: tuple[str, ...] = ()
        self._cells = CellCache()

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
        cell = self._cells.row(index.row(), self._make_cells)[index.column()]
        return cell if role == CELL_ROLE else cell.text

    def _have(self, entries: tuple[OutboxEntry, ...]) -> None:
        self._entries = entries
        self._cells.clear()

    def _make_cells(self, row: int) -> tuple[Cell, ...]:
        return cells_of(self._entries[row], self._wanted)


def _alike(before: Sequence[OutboxEntry], now: Sequence[OutboxEntry]) -> int:
    """How many entries at the beginning are the same ones."""
    pairs = zip(before, now, strict=False)
    different = (at for at, (old, new) in enumerate(pairs) if old.id != new.id)
    return next(different, min(len(before), len(now)))


_MARK = "\ufeff"
"""Without it before the first letter, spreadsheets read accents as two letters each."""


def history_csv(entries: Iterable[OutboxEntry]) -> bytes:
    """The entries as comma separated values, UTF-8 with a byte order mark, a header first.

    Times are in this computer's zone; the cells are as `spreadsheet_cell` makes them.
    """
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(_header())
    rows.writerows([spreadsheet_cell(cell) for cell in _cells(entry)] for entry in entries)
    return (_MARK + text.getvalue()).encode()


def _header() -> list[str]:
    return [
        tr("When"),
        tr("First name"),
        tr("Last name"),
        tr("Email"),
        tr("Phone, kept here"),
        tr("Not used"),
        tr("What became of it"),
        tr("Reason"),
        tr("Typed at"),
        tr("Typed"),
        tr("Id in the account"),
    ]


def _cells(entry: OutboxEntry) -> list[str]:
    new = entry.new_person
    return [
        _local(moment_of(entry)),
        new.firstname,
        new.lastname,
        new.email,
        new.phone,
        new.leftover,
        outcome_words(entry),
        entry.reason,
        _local(entry.typed_at),
        entry.typed,
        entry.person_id or "",
    ]


def _local(moment: datetime) -> str:
    """As every spreadsheet reads it, whatever its language."""
    return local(moment).strftime("%Y-%m-%d %H:%M:%S")


_FIRST = 100
"""Rows that are shown before the rest is read: more than a screenful."""
_ALL = 2**31
_BETWEEN_READINGS = 0.25
"""Seconds; everybody who is shown is looked at in each."""


@dataclass(frozen=True, slots=True)
class HistoryFacts:
    """What is known of the history."""

    query: str = ""
    """What is searched, as it was typed."""
    rows: int = 0
    """Of the table."""
    all_read: bool = False
    """Whether everything that is kept has been read."""
    said: str = ""
    trouble: bool = False


@dataclass(frozen=True, slots=True)
class HistoryState:
    """What a view shows of the history besides its rows. What does not apply is blank."""

    count_words: str = ""
    """How many rows there are, as far as that is known."""
    empty_words: str = ""
    """What to say where there is no row."""
    can_save: bool = False
    """Whether there is anything to save."""
    said: str = ""
    """What was just done, or what was in the way, in one sentence."""
    trouble: bool = False
    """Whether `said` is about something that went wrong."""


def history_state(facts: HistoryFacts) -> HistoryState:
    """What a view shows once these are the facts."""
    searched = facts.query.strip()
    return HistoryState(
        count_words=_count_words(facts.rows, searched) if facts.all_read else "",
        empty_words=_empty_words(searched) if facts.all_read and not facts.rows else "",
        can_save=facts.rows > 0,
        said=facts.said,
        trouble=facts.trouble,
    )


def _count_words(rows: int, searched: str) -> str:
    if not rows:
        return ""
    if searched:
        return trn("{count} found", "{count} found", rows, count=number(rows))
    return trn("{count} entry", "{count} entries", rows, count=number(rows))


def _empty_words(searched: str) -> str:
    if searched:
        return tr("Nothing here matches “{query}”.", query=searched)
    return tr("Nobody has been typed here yet. Whoever is added is listed here from then on.")


class HistoryScreen(Screen[HistoryState]):
    """Reads while it is open: between `open` and `close`, and whenever an entry changes then."""

    copied = Signal(object)
    """Carries a text for the clipboard."""

    def __init__(self, outbox: Outbox, events: EventBus, scope: TaskScope) -> None:
        """Closed, with nobody in it."""
        super().__init__(HistoryState())
        self._outbox = outbox
        self.table = HistoryTable()
        self._query = ""
        self._said, self._trouble = "", False
        self._open = False
        self._done: tuple[OutboxEntry, ...] = ()
        self._read_again = False
        self._all_read = False
        self._reading = Action(
            scope, self._read, second="replace", on_error=self._failed, on_change=self._read_ended
        )
        self._saving = Action(scope, self._save, second="drop", on_error=self._failed)
        events.subscribe(EntriesChanged, self._entries_changed, scope)

    # What can be done

    @property
    def file_name(self) -> str:
        """A name for the file, until a person chooses another."""
        today = datetime.now(UTC).astimezone().strftime("%Y-%m-%d")
        return tr("Front Desk history {date}", date=today) + ".csv"

    def open(self) -> None:
        """Somebody looks at it: read from the beginning, with nothing searched."""
        self._open, self._query = True, ""
        self._say("")
        self._look_anew()

    def close(self) -> None:
        """Nobody looks any more: forget the rows, and read nothing."""
        self._open = False
        self._reading.cancel()
        self._done, self._all_read = (), False
        self.table.show_entries(())
        self._tell()

    def search(self, query: str) -> None:
        """Show those in which every word of `query` is found, without accents or case."""
        if query != self._query:
            self._query = query
            self._say("")
            self._look_anew()

    def copy(self, positions: Collection[int]) -> None:
        """Copy whole rows, from the top, one a line with tabs between the cells."""
        entries = self.table.entries
        lines = [line_of(entries[at]) for at in sorted(positions) if 0 <= at < len(entries)]
        if lines:
            many = len(lines)
            self._say(trn("{count} row copied.", "{count} rows copied.", many, count=number(many)))
            self.copied.emit("\n".join(lines))

    def save(self, path: str) -> None:
        """Write what was found, all of it, to a file for a spreadsheet; says how that went."""
        self._saving(Path(path), self._query)

    def dismiss(self) -> None:
        """What was said has been read."""
        self._say("")

    # How it is done

    def _look_anew(self) -> None:
        self._done, self._all_read, self._read_again = (), False, False
        self._reading(self._query)

    async def _read(self, query: str) -> None:
        """The newest at once, then all the others."""
        first = await self._history(query, _FIRST)
        known = {entry.id for entry in first}
        # Those read before stay as they are: nothing more happens to what is done.
        before = [entry for entry in self._done if entry.id not in known]
        if len(before) == len(self._done):
            # Nothing joins the two: others may stand in between, unless these are all.
            self._all_read = len(first) < _FIRST
        self._show(query, (*first, *before))
        if not self._all_read:
            self._show(query, await self._history(query, _ALL))
            self._all_read = True
        self._tell()
        # While many are sent, what has changed meanwhile is read together.
        await asyncio.sleep(_BETWEEN_READINGS)

    async def _history(self, query: str, limit: int) -> tuple[OutboxEntry, ...]:
        found = await self._outbox.history(query, limit)
        # What was begun is told even to whoever was cancelled: they give up here.
        await asyncio.sleep(0)
        return found

    def _show(self, query: str, done: Sequence[OutboxEntry]) -> None:
        self._done = tuple(done)
        wanted = tuple(fold(query).split())
        self.table.show_entries((*self._standing(self._done, wanted), *done), wanted)
        self._tell()

    def _standing(self, done: Sequence[OutboxEntry], wanted: Sequence[str]) -> list[OutboxEntry]:
        """The entries whose outcome is open, and those the file does not have yet; newest first."""
        known = {entry.id for entry in done}
        newest = next((entry.ended_at for entry in done if entry.ended_at is not None), None)
        return [
            entry
            for entry in reversed(self._outbox.entries())
            if entry.id not in known
            and (not entry.done or _later(entry.ended_at, newest))
            and _has(entry, wanted)
        ]

    def _entries_changed(self, _event: EntriesChanged) -> None:
        if not self._open:
            return
        if self._reading.running:
            self._read_again = True
        else:
            self._reading(self._query)

    def _read_ended(self) -> None:
        if self._read_again and self._open and not self._reading.running:
            self._read_again = False
            self._reading(self._query)

    async def _save(self, path: Path, query: str) -> None:
        wanted = tuple(fold(query).split())
        done = await self._outbox.history(query, _ALL)
        rows = (*self._standing(done, wanted), *done)
        try:
            await asyncio.to_thread(lambda: save_as(path, history_csv(rows)))
        except OSError as error:
            self._say(_not_saved_words(path, error), trouble=True)
            return
        many = len(rows)
        self._say(
            trn(
                "{count} row is saved in {file}.",
                "{count} rows are saved in {file}.",
                many,
                count=number(many),
                file=path.name,
            )
        )

    def _failed(self, error: Exception) -> None:
        self._say(error.message if isinstance(error, ExpectedError) else str(error), trouble=True)

    def _say(self, sentence: str, *, trouble: bool = False) -> None:
        self._said, self._trouble = sentence, trouble
        self._tell()

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the history."""
        facts = HistoryFacts(
            query=self._query,
            rows=self.table.rowCount(),
            all_read=self._all_read,
            said=self._said,
            trouble=self._trouble,
        )
        self._set_state(history_state(facts))


def _has(entry: OutboxEntry, wanted: Sequence[str]) -> bool:
    """As the outbox searches what is done."""
    new = entry.new_person
    text = fold(f"{entry.typed} {new.full_name} {new.email} {new.phone} {entry.reason}")
    return all(word in text for word in wanted)


def _later(ended_at: datetime | None, newest: datetime | None) -> bool:
    return ended_at is not None and (newest is None or ended_at > newest)


def _not_saved_words(path: Path, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return tr(
            "{file} could not be saved: this folder cannot be written to, or the file is open in "
            "another program.",
            file=path.name,
        )
    return tr("{file} could not be saved: {reason}.", file=path.name, reason=error.strerror or "")
