"""The People tab: who is shown, what is being searched, who is chosen, what is under way."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from app.model.outbox import EntryState, OutboxEntry
from app.model.person import Person
from app.people.directory import (
    PeopleChanged,
    PeopleDirectory,
    PeopleProgress,
    PeopleRefreshed,
)
from app.people.outbox import Outbox
from app.people.outbox_events import EntryChanged, EntryRemoved
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.runtime.words import tr, trn
from app.viewmodels.table import Key, PeopleTable
from app.viewmodels.wording import number

_FIRST_ANSWER_SECONDS = 0.008
"""How long a key press may search before it paints what it has found so far."""


class PeopleScreen(QObject):
    """Binds the directory and the outbox to the table and the detail beside it."""

    changed = Signal()
    """Counts, progress or the empty sentence are others."""
    chosen_changed = Signal()
    """Another row is chosen, or the chosen one says something else."""

    def __init__(
        self,
        directory: PeopleDirectory,
        outbox: Outbox,
        events: EventBus,
        scope: TaskScope,
        refresh: Callable[[], object],
    ) -> None:
        """`refresh` reads both lists again."""
        super().__init__()
        self._directory = directory
        self._outbox = outbox
        self.refresh = refresh
        self.table = PeopleTable(directory.people, self)
        self.query = ""
        self.chosen: Key | None = None
        self._progress: PeopleProgress | None = None
        self._incomplete: PeopleRefreshed | None = None
        self._finish = Action(scope, self._finish_search, second="replace")
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleProgress, self._progressed, scope)
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(EntryChanged, self._entry_changed, scope)
        events.subscribe(EntryRemoved, self._entry_removed, scope)
        self._show_entries()
        self._show_people()

    # What is shown

    @property
    def progress_words(self) -> str:
        """How far the reading has come, or blank when nothing is being read."""
        if self._progress is None:
            return ""
        received, total = self._progress.received, self._progress.total
        if total is None:
            return tr("Reading people")
        return tr("{received} of {total}", received=number(received), total=number(total))

    @property
    def progress(self) -> tuple[int, int] | None:
        """People received and people counted by the service; None when nothing is being read."""
        if self._progress is None or self._progress.total is None:
            return None
        return self._progress.received, self._progress.total

    @property
    def count_words(self) -> str:
        """How many are shown, in one line."""
        everybody = len(self._directory.ordered_rows())
        if self.query.strip():
            shown = self.table.people_count
            return tr("{shown} of {all}", shown=number(shown), all=number(everybody))
        if self._incomplete is not None and self._incomplete.total is not None:
            return tr(
                "{received} of {total} shown: the account does not give more",
                received=number(self._incomplete.received),
                total=number(self._incomplete.total),
            )
        return trn("{n} person", "{n} people", everybody)

    @property
    def search_hint(self) -> str:
        """What stands in the empty search line."""
        everybody = len(self._directory.ordered_rows())
        return trn("Search {n} person", "Search {n} people", everybody)

    @property
    def empty_words(self) -> str:
        """What to say where the table has no row; blank when it has some."""
        if self.table.rowCount():
            return ""
        if self.query.strip():
            return tr("Nobody here matches “{query}”.", query=self.query.strip())
        if self._progress is not None:
            return tr("Reading people from the account.")
        if self._directory.as_of is None:
            return tr("The list has not been read yet.")
        return tr("Nobody is here yet. Type a name in the line above and press Enter.")

    @property
    def chosen_person(self) -> Person | None:
        """The chosen person, or None."""
        if not isinstance(self.chosen, int):
            return None
        return self._directory.people([self.chosen]).get(self.chosen)

    @property
    def chosen_entry(self) -> OutboxEntry | None:
        """The chosen entry of the outbox, or None."""
        entries = (entry for entry in self._outbox.entries() if entry.id == self.chosen)
        return next(entries, None)

    # What can be done

    def choose(self, key: Key | None) -> None:
        """Show this row beside the table."""
        if key != self.chosen:
            self.chosen = key
            self.chosen_changed.emit()

    def choose_person(self, person_id: str) -> bool:
        """Choose a person by the service's id, showing everybody when the search hides them."""
        row = self._directory.row_of(person_id)
        if row is None:
            return False
        if self.table.position_of(row) is None:
            self.search("")
        self.choose(row)
        return True

    def search(self, query: str) -> None:
        """Show those who match: the first at once, the rest in slices."""
        if query != self.query:
            self.query = query
            self._show_entries()
            self._show_people()

    def send_again(self, entry_id: str) -> None:
        """Send a refused entry, or one nobody is sure of, once more because a person says so."""
        self._outbox.send_again(entry_id)

    def dismiss(self, entry_id: str) -> None:
        """Take an entry off the list for good."""
        self._outbox.dismiss(entry_id)

    # What happened below

    def _people_changed(self, event: PeopleChanged) -> None:
        self._show_entries()
        self._show_people()
        if event.changed:
            self.table.reread()
        if self.chosen in (*event.changed, *event.removed):
            self.chosen_changed.emit()

    def _progressed(self, event: PeopleProgress) -> None:
        self._progress = event
        self.changed.emit()

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._progress = None
        self._incomplete = None if event.complete else event
        self.changed.emit()

    def stop_progress(self) -> None:
        """The reading ended before its end."""
        self._progress = None
        self.changed.emit()

    def _entry_changed(self, event: EntryChanged) -> None:
        self._show_entries()
        if self.chosen == event.entry.id:
            self.chosen_changed.emit()

    def _entry_removed(self, event: EntryRemoved) -> None:
        self._show_entries()
        if self.chosen == event.entry_id:
            self.choose(None)

    # How it is done

    def _show_entries(self) -> None:
        """Entries stay on top until the person they became is in the list below."""
        self.table.show_entries([e for e in self._outbox.entries() if self._not_yet_listed(e)])
        self.changed.emit()

    def _not_yet_listed(self, entry: OutboxEntry) -> bool:
        if entry.state is not EntryState.ADDED or entry.person_id is None:
            return True
        return self._directory.row_of(entry.person_id) is None

    def _show_people(self) -> None:
        self._finish.cancel()
        if not self.query.strip():
            self.table.show_rows(self._directory.ordered_rows())
        else:
            slices = self._directory.slices(self.query)
            first, more = _first_answer(slices)
            self.table.show_rows(first)
            if more:
                self._finish(slices)
        self.changed.emit()

    async def _finish_search(self, slices: Iterator[Sequence[int]]) -> None:
        for rows in slices:
            self.table.append_rows(rows)
            await asyncio.sleep(0)
        self.changed.emit()


def _first_answer(slices: Iterator[Sequence[int]]) -> tuple[list[int], bool]:
    """What a key press can find within its frame, and whether there may be more."""
    found: list[int] = []
    until = perf_counter() + _FIRST_ANSWER_SECONDS
    for rows in slices:
        found.extend(rows)
        if perf_counter() > until:
            return found, True
    return found, False
