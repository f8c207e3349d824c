"""The history: everybody typed here and what became of them, searched, copied and saved.

What a row of it says is `history_table`'s.
"""

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from enum import Enum, auto
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import (
    Signal,
)

from app.exporting.spreadsheet import spreadsheet_cell
from app.exporting.table import write_table
from app.model.outbox import OutboxEntry
from app.outbox.events import EntriesChanged
from app.outbox.outbox import Outbox
from app.people.search import fold
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import in_turns
from app.runtime.words import tr, trn
from app.viewmodels.exporting.copying import MOST_COPIED, copy_rows
from app.viewmodels.exporting.saved_file import save_rows
from app.viewmodels.menu_items import Groups, MenuItem
from app.viewmodels.notices import shortened
from app.viewmodels.outbox.history_table import (
    HistoryTable,
    copied_cells,
    copied_headings,
    saved_cells,
    saved_headings,
)
from app.viewmodels.people.copying import as_address
from app.viewmodels.screen import ActionFeedback, Screen

_FIRST = 100
"""Rows that are shown before the rest is read: more than a screenful."""
_ALL = 2**31
_BETWEEN_READINGS = 0.25
"""Seconds; everybody who is shown is looked at in each."""


class HistoryFacts(msgspec.Struct, frozen=True):
    """What is known of the history."""

    query: str = ""
    """What is searched, as it was typed."""
    rows: int = 0
    """Of the table."""
    all_read: bool = False
    """Whether everything that is kept has been read."""
    said: str = ""
    trouble: bool = False


class HistoryState(msgspec.Struct, frozen=True):
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
        return trn("{n} found", "{n} found", rows)
    return trn("{n} entry", "{n} entries", rows)


def _empty_words(searched: str) -> str:
    if searched:
        return tr("Nothing here matches “{query}”.", query=searched)
    return tr("Nobody has been typed here yet. Whoever is added is listed here from then on.")


class HistoryScreen(Screen[HistoryState]):
    """Reads while it is open: between `open` and `close`, and whenever an entry changes then."""

    copied = Signal(object)
    """Carries `CopiedRows`."""

    def __init__(self, outbox: Outbox, events: EventBus, scope: TaskScope) -> None:
        """Closed, with nobody in it."""
        super().__init__(HistoryState())
        self._outbox = outbox
        self.table = HistoryTable()
        self._query = ""
        self._feedback = ActionFeedback(self)
        self._feedback.changed.connect(self._tell)
        self._open = False
        self._done: tuple[OutboxEntry, ...] = ()
        self._all_read = False
        self._reading = Action(
            scope, self._read, second="replace", on_error=self._feedback.say_error
        )
        self._saving = Action(scope, self._save, second="drop", on_error=self._feedback.say_error)
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
        self._feedback.say("")
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
            self._feedback.say("")
            self._look_anew()

    def copy(self, positions: Collection[int]) -> None:
        """Copy whole rows, from the top, below their headings."""
        entries = self.entries_at(positions)
        if entries:
            rows = [copied_cells(entry) for entry in entries[:MOST_COPIED]]
            copied, said = copy_rows(copied_headings(), rows, len(entries))
            self._feedback.say(said)
            self.copied.emit(copied)

    def entries_at(self, positions: Collection[int]) -> list[OutboxEntry]:
        """The entries of these rows, from the top."""
        entries = self.table.entries
        return [entries[at] for at in sorted(positions) if 0 <= at < len(entries)]

    def not_in_list(self, entry: OutboxEntry) -> None:
        """Say that somebody who is to be shown has no row in the list of people."""
        name = shortened(entry.new_person.full_name or entry.typed)
        self._feedback.say(tr("{name} is not in the list of people.", name=name), is_error=True)

    def save(self, path: str) -> None:
        """Write what was found, all of it, to a file for a spreadsheet; says how that went."""
        self._saving(Path(path), self._query)

    def dismiss(self) -> None:
        """What was said has been read."""
        self._feedback.say("")

    # How it is done

    def _look_anew(self) -> None:
        self._done, self._all_read = (), False
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
        await self._show(query, (*first, *before))
        if not self._all_read:
            await self._show(query, await self._history(query, _ALL))
            self._all_read = True
        self._tell()
        # While many are sent, what has changed meanwhile is read together.
        await asyncio.sleep(_BETWEEN_READINGS)

    async def _history(self, query: str, limit: int) -> tuple[OutboxEntry, ...]:
        found = await self._outbox.store.history(query, limit)
        # What was begun is told even to whoever was cancelled: they give up here.
        await asyncio.sleep(0)
        return found

    async def _show(self, query: str, done: Sequence[OutboxEntry]) -> None:
        wanted = tuple(fold(query).split())
        not_done = await self._not_yet_done(done, wanted)
        self._done = tuple(done)
        self.table.show_entries((*not_done, *done), wanted)
        self._tell()

    async def _not_yet_done(
        self, done: Sequence[OutboxEntry], wanted: Sequence[str]
    ) -> list[OutboxEntry]:
        """The entries whose outcome is open, and those the file does not have yet; newest first."""
        known = {entry.id for entry in done}
        newest = next((entry.ended_at for entry in done if entry.ended_at is not None), None)
        return [
            entry
            async for entry in in_turns(reversed(self._outbox.entries()))
            if entry.id not in known
            and (not entry.done or _later(entry.ended_at, newest))
            and _has(entry, wanted)
        ]

    def _entries_changed(self, _event: EntriesChanged) -> None:
        if self._open:
            self._reading.again(self._query)

    async def _save(self, path: Path, query: str) -> None:
        wanted = tuple(fold(query).split())
        done = await self._outbox.store.history(query, _ALL)
        rows = [*await self._not_yet_done(done, wanted), *done]
        del done
        write = partial(write_table, path, saved_headings(), map(saved_cells, rows))
        await save_rows(path, write, len(rows), self._feedback, rows)

    def _tell(self) -> None:
        """What is known may be other than it was: show what that makes of the history."""
        facts = HistoryFacts(
            query=self._query,
            rows=self.table.rowCount(),
            all_read=self._all_read,
            said=self._feedback.sentence,
            trouble=self._feedback.is_error,
        )
        self._set_state(history_state(facts))


def _has(entry: OutboxEntry, wanted: Sequence[str]) -> bool:
    """As the outbox searches what is done."""
    if not wanted:
        return True
    new = entry.new_person
    text = fold(f"{entry.typed} {new.full_name} {new.email} {new.phone} {entry.reason_words}")
    return all(word in text for word in wanted)


def _later(ended_at: datetime | None, newest: datetime | None) -> bool:
    return ended_at is not None and (newest is None or ended_at > newest)


class HistoryAction(Enum):
    """What can be asked for."""

    SHOW = auto()
    COPY_ROWS = auto()
    COPY = auto()
    """The value is the text, which a spreadsheet does not calculate."""


def menu_of_rows(entries: Sequence[OutboxEntry]) -> Groups:
    """The menu of these rows."""
    if not entries:
        return ()
    many = len(entries)
    words = trn("Copy row", "Copy {n} rows", many)
    rows = MenuItem(words, HistoryAction.COPY_ROWS, icon="copy", keys="Ctrl+C")
    if many > 1:
        return ((rows,),)
    new = entries[0].new_person
    return (
        (
            MenuItem(
                tr("Show in the list of people"),
                HistoryAction.SHOW,
                icon="person",
                keys="Return",
                enabled=can_be_shown(entries[0]),
            ),
        ),
        (
            rows,
            MenuItem(
                tr("Copy email"),
                HistoryAction.COPY,
                as_address(new.email),
                enabled=bool(new.email),
                name="email",
            ),
            MenuItem(
                tr("Copy name"), HistoryAction.COPY, spreadsheet_cell(new.full_name), name="name"
            ),
        ),
    )


def can_be_shown(entry: OutboxEntry) -> bool:
    """Whether the list of people has, or may have, a row for it: somebody who was added, or whose
    outcome is open.
    """
    return entry.person_id is not None or not entry.done
