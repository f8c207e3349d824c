"""People, contact cards and flows as files: gathered in turns, written in a thread, and said in one
sentence how far it is and how it went.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject

from app.exporting.vcard import write_vcards
from app.flows.administrators import administrator_ids
from app.flows.catalogue import FlowCatalogue
from app.model.flow import PeopleFlow
from app.model.outbox import OutboxEntry
from app.model.person import Person
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import in_turns
from app.runtime.words import tr, trn
from app.viewmodels.exporting.saved_file import ListedTable, not_saved_words, written_in_thread
from app.viewmodels.flows.flow_list import FlowList
from app.viewmodels.flows.sentences import unknown_names_words
from app.viewmodels.formatting import field_text, field_words, local, number
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.copying import as_person
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Key, state_words
from app.viewmodels.screen import ActionFeedback

_AT_ONCE = 100
"""People who are gathered before the next turn of the event loop."""
_BETWEEN = 1.0
"""Seconds before somebody is told how far it is, and between two such sentences."""
_STEPS = 10
"""How many of these there are at most: each is read out to who does not see it."""
Item = TypeVar("Item")


class SavedAs(Enum):
    """What people are saved as."""

    TABLE = auto()
    CARDS = auto()


class Saving(GuardedOverrides, QObject):
    """One file at a time."""

    def __init__(
        self,
        people: PeopleScreen,
        flows: FlowList,
        directory: PeopleDirectory,
        outbox: Outbox,
        *,
        catalogue: FlowCatalogue,
        scope: TaskScope,
    ) -> None:
        """Saves what `people` and `flows` show."""
        super().__init__()
        self._people = people
        self._flows = flows
        self._directory = directory
        self._outbox = outbox
        self._catalogue = catalogue
        self.feedback = ActionFeedback(self)
        """Says how far it is, and how it went."""
        self._name = ""
        self._done = self._total = 0
        self._telling = Action(scope, self._tell_progress, second="replace")
        self.failures = 0
        """How many files could not be saved."""
        on_error = self._not_done
        self._saving = Action(
            scope, self._save_people, second="drop", on_error=on_error, on_change=self._changed
        )
        self._saving_listed = Action(
            scope, self._save_listed, second="drop", on_error=on_error, on_change=self._changed
        )
        self._saving_flows = Action(
            scope, self._save_flows, second="drop", on_error=on_error, on_change=self._changed
        )

    @property
    def busy(self) -> bool:
        """Whether a file is being saved."""
        saving = (self._saving, self._saving_flows, self._saving_listed)
        return any(each.running for each in saving)

    @property
    def people_count(self) -> int:
        """How many people there are to save: the chosen ones where there are several, else all
        that are shown.
        """
        chosen = self._people.selection.seen
        return len(chosen) if chosen[1:] else self._people.table.rowCount()

    @property
    def flow_count(self) -> int:
        """How many flows are listed."""
        return len(self._flows.keys)

    def save_people(self, path: str, saved_as: SavedAs, *, chosen: bool) -> None:
        """Write them, in the order they are shown, over whatever is at `path`: a workbook where
        the name ends so, else a CSV file; or contact cards.

        `chosen`: those alone who are chosen, be it one; else as `people_count` counts.
        """
        keys = self._people.selection.seen if chosen else self._keys()
        if self._can_begin(keys):
            # Gathered, and written.
            self._begin(Path(path), 2 * len(keys))
            self._saving(Path(path), keys, saved_as)

    def save_listed(self, path: str, table: ListedTable) -> None:
        """Write what a view lists, as `save_people`."""
        if self._free():
            self._begin(Path(path), 0)
            self._saving_listed(Path(path), table)

    def save_flows(self, path: str) -> None:
        """Write the flows that are listed, with steps and administrators, as `save_people`."""
        found = [self._catalogue.flow(flow_id) for flow_id in self._flows.keys]
        flows = [flow for flow in found if flow is not None]
        if self._can_begin(flows):
            self._begin(Path(path), len(flows))
            self._saving_flows(Path(path), flows)

    def tell_nothing(self) -> None:
        """Somebody wants to save what is shown, and nothing is."""
        self.feedback.say(tr("There is nothing to save."), is_error=True)

    # How it is done

    def _keys(self) -> Sequence[Key]:
        chosen, table = self._people.selection.seen, self._people.table
        return chosen if chosen[1:] else tuple(table.keys_between(0, table.rowCount() - 1))

    def _can_begin(self, chosen: Sequence[object]) -> bool:
        """Says why not: they may have gone while somebody looked for a place."""
        if not chosen:
            self.tell_nothing()
        return bool(chosen) and self._free()

    def _free(self) -> bool:
        if self.busy:
            self.feedback.say(
                tr("{file} is still being saved. Try again in a moment.", file=self._name),
                is_error=True,
            )
        return not self.busy

    async def _save_people(self, path: Path, keys: Sequence[Key], saved_as: SavedAs) -> None:
        people, entries = await self._gathered(keys)
        many = len(people)

        def write() -> None:
            if saved_as is SavedAs.CARDS:
                write_vcards(path, self._counted(people))
            else:
                self._write_people(path, people, entries)

        if await self._written(path, write, people):
            self.feedback.say(
                trn(
                    "{n} person is saved in {file}.",
                    "{n} people are saved in {file}.",
                    many,
                    file=path.name,
                )
            )

    async def _gathered(self, keys: Sequence[Key]) -> tuple[list[Person], list[OutboxEntry | None]]:
        """Who stands in these rows, and as what on their way; those gone are left out."""
        people: list[Person] = []
        entries: list[OutboxEntry | None] = []
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            rows = self._directory.people([key for key in part if isinstance(key, int)])
            for key in part:
                found = rows.get(key) if isinstance(key, int) else self._outbox.index.get(key)
                if isinstance(found, OutboxEntry):
                    people.append(as_person(found))
                    entries.append(found)
                elif found is not None:
                    people.append(found)
                    entries.append(None)
            self._done += len(part)
            await asyncio.sleep(0)
        return people, entries

    def _write_people(
        self, path: Path, people: Sequence[Person], entries: Sequence[OutboxEntry | None]
    ) -> None:
        from app.exporting.table import write_table  # noqa: PLC0415 - no start needs it

        rows = PeopleRows(people, entries)
        write_table(path, rows.headings, self._counted(rows))

    async def _save_listed(self, path: Path, table: ListedTable) -> None:
        from app.exporting.table import write_table  # noqa: PLC0415 - no start needs it

        rows = [row async for row in in_turns(table.rows())]
        if await self._written(path, lambda: write_table(path, table.headings, rows), rows):
            self.feedback.say(tr("{file} is saved.", file=path.name))

    async def _save_flows(self, path: Path, flows: Sequence[PeopleFlow]) -> None:
        ids = {one for flow in flows for one in administrator_ids(flow)}
        people = await self._directory.people_by_id(ids)
        doubt = unknown_names_words(self._directory)
        people_read = self._directory.as_of is not None
        if await self._written(
            path, lambda: self._write_flows(path, flows, people.get, people_read=people_read)
        ):
            many = len(flows)
            saved = trn(
                "{n} flow is saved in {file}.",
                "{n} flows are saved in {file}.",
                many,
                file=path.name,
            )
            self.feedback.say(" ".join(words for words in (saved, doubt) if words))

    def _write_flows(
        self,
        path: Path,
        flows: Sequence[PeopleFlow],
        look_up: Callable[[str], Person | None],
        *,
        people_read: bool,
    ) -> None:
        from app.exporting.flow_table import flow_headings, flow_rows  # noqa: PLC0415 - as above
        from app.exporting.table import write_table  # noqa: PLC0415 - as above

        rows = flow_rows(self._counted(flows), look_up, people_read=people_read)
        write_table(path, flow_headings(), rows)

    async def _written(
        self, path: Path, write: Callable[[], object], gathered: list[Item] | None = None
    ) -> bool:
        try:
            await written_in_thread(write, gathered)
        except OSError as error:
            self._total = 0
            self.failures += 1
            self.feedback.say(not_saved_words(path, error), is_error=True)
            return False
        self._total = 0
        return True

    def _not_done(self, error: Exception) -> None:
        self.failures += 1
        self.feedback.say_error(error)

    def _counted(self, items: Iterable[Item]) -> Iterator[Item]:
        for item in items:
            yield item
            self._done += 1

    def _begin(self, path: Path, total: int) -> None:
        self.feedback.say("")
        self._name, self._total, self._done = path.name, total, 0

    def _changed(self) -> None:
        if self.busy:
            self._telling()
        else:
            self._telling.cancel()

    async def _tell_progress(self) -> None:
        while True:
            await asyncio.sleep(_BETWEEN)
            if self._total:
                share = min(_STEPS * self._done // self._total, _STEPS - 1) * 100 // _STEPS
                name = self._name
                self.feedback.say(tr("Saving {file}: {share} %.", file=name, share=number(share)))


_Column = tuple[str, Callable[[Person], str]]


class PeopleRows:
    """The columns that these people need; safe in a thread of its own."""

    def __init__(self, people: Sequence[Person], entries: Sequence[OutboxEntry | None]) -> None:
        """`entries` has for each the one that is on its way to the account; None: they are in."""
        self._people = people
        self._entries = entries
        self._columns = list(_columns(people))
        self._with_state = any(entries)

    @property
    def headings(self) -> list[str]:
        """What the columns are called; a list with these headings is read as it was meant."""
        state = [tr("State")] if self._with_state else []
        return [*(name for name, _ in self._columns), tr("Id in the account"), *state]

    def __iter__(self) -> Iterator[list[str]]:
        """The rows, in order."""
        for person, entry in zip(self._people, self._entries, strict=True):
            known_as = person.id if entry is None else entry.person_id or ""
            cells = [*(read(person).strip() for _, read in self._columns), known_as.strip()]
            if self._with_state:
                cells.append("" if entry is None else state_words(entry.state))
            yield cells


def _columns(people: Sequence[Person]) -> Iterator[_Column]:
    yield tr("First name"), lambda one: one.firstname or ""
    yield tr("Last name"), lambda one: one.lastname or ""
    if any(one.preferred_name for one in people):
        yield tr("Preferred name"), lambda one: one.preferred_name or ""
    yield tr("Email"), lambda one: one.email or ""
    yield tr("Phone"), lambda one: one.phone or ""
    yield tr("Mobile"), lambda one: one.mobile or ""
    yield tr("Added"), lambda one: _day(one.date_added)
    yield tr("Changed"), lambda one: _day(one.date_modified)
    yield tr("Volunteer"), lambda one: _flag(one.volunteer)
    yield tr("Account administrator"), lambda one: _flag(one.admin)
    yield tr("Archived"), lambda one: _flag(one.archived)
    if any(one.deceased is not None for one in people):
        yield tr("Deceased"), lambda one: _flag(one.deceased)
    # The few that are read beyond the document's (see `app.model.person`).
    for name in dict.fromkeys(name for one in people for name, _ in one.others):
        yield field_words(name), lambda one, name=name: _other(one, name)  # type: ignore[misc]  # bound now


def _day(moment: datetime | None) -> str:
    """As every spreadsheet reads it, whatever its language."""
    return "" if moment is None else local(moment).date().isoformat()


def _other(person: Person, name: str) -> str:
    return field_text(name, dict(person.others).get(name, ""))


def _flag(value: bool | None) -> str:  # noqa: FBT001 - a field as the list has it
    return tr("yes") if value else ""
