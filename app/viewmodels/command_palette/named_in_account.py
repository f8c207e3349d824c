"""The people and flows of one account by name, and what somebody looked for there last.

People come from the index that the list is searched with: those found within a frame at once, the
others in slices that a newer key cancels.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from app.model.flow import PeopleFlow
from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex
from app.people.directory import PeopleDirectory
from app.people.search import matches, query_words
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import AT_ONCE_SECONDS, found_at_once, found_in_turns
from app.runtime.words import tr
from app.settings.saved_views import SavedView
from app.store.errors import StoreError
from app.store.search_keys import SEPARATOR
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.command_palette.matching import fit, fit_as_written, folded
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.sentences import flow_name
from app.viewmodels.formatting import name_of
from app.viewmodels.guarded import Guarded

_MOST_SHOWN = 6
_MOST_LOOKED_AT = 200
"""People who are found, until the best of them are shown: with more, letters are still missing."""
_MOST_RECENT = 30
_NAME_FIELDS = 2
"""A key begins with the last and the first name."""
_BY_ANOTHER_FIELD = 50.0
_BY_SLIPS = 60.0


class NamedInAccount(Guarded, QObject):
    """Answers each key with people and flows; holds ids alone of what was looked for before."""

    found_more = Signal()
    """More people were found for what was asked last."""

    def __init__(
        self,
        directory: PeopleDirectory,
        duplicates: DuplicateIndex,
        flows: FlowsScreen,
        scope: TaskScope,
    ) -> None:
        """Nobody is asked for yet. `duplicates` knows who is called nearly as it was typed."""
        super().__init__()
        self._directory = directory
        self._duplicates = duplicates
        self._flows = flows
        self._query = ""
        self._rows: list[int] = []
        self._finish = Action(scope, self._find_rest, second="replace", on_error=lambda _: None)
        self.recent: tuple[str, ...] = ()
        """What was chosen last, the newest first, each by the id of its command."""

    def use(self, command: Command) -> None:
        """Somebody chose this."""
        self.recent = (command.id, *(one for one in self.recent if one != command.id))[
            :_MOST_RECENT
        ]

    def saved_view(self) -> dict[str, object]:
        """The field of `SavedView` that tells what was chosen last."""
        return {"recent_commands": self.recent}

    def restore(self, saved: SavedView) -> None:
        """What was chosen in an earlier run."""
        self.recent = saved.recent_commands[:_MOST_RECENT]

    def ask(self, query: str) -> None:
        """Look for people called so: those found within a frame now, more of them later. A list
        that cannot be read gives nobody: the page behind says so.
        """
        self._finish.cancel()
        self._query, self._rows = query, []
        wanted = query_words(query)
        if not wanted:
            return
        with contextlib.suppress(StoreError):
            self._find(query, wanted)

    def _find(self, query: str, wanted: Sequence[str]) -> None:
        known = self._directory.rows_of(self._recent_ids(CommandKind.PERSON)).values()
        self._rows = [row for row in known if matches(self._directory.key(row), wanted)]
        slices = _until_enough(self._directory.slices(query))
        found, more = found_at_once(slices, AT_ONCE_SECONDS)
        self._rows += found
        if more and len(found) < _MOST_LOOKED_AT:
            self._finish(slices)

    def stop(self) -> None:
        """Nobody looks any more."""
        self._finish.cancel()
        self._rows = []
        self._directory.forget_searches()

    async def _find_rest(self, slices: Iterator[Sequence[int]]) -> None:
        async for rows in found_in_turns(slices):
            self._rows += rows
        self.found_more.emit()

    def people(self) -> list[tuple[float, Command]]:
        """The best of those found so far, each with how well they fit."""
        wanted = folded(self._query).split()
        rows = list(dict.fromkeys(self._rows))[:_MOST_LOOKED_AT]
        fits = {row: self._fit(wanted, row) for row in rows}
        best = sorted(rows, key=lambda row: -fits[row])[:_MOST_SHOWN]
        if not best:
            return self._called_nearly_so(wanted)
        people = self._read(best)
        return [(fits[row], _of_person(people[row])) for row in best if row in people]

    def _called_nearly_so(self, wanted: Sequence[str]) -> list[tuple[float, Command]]:
        """Where nobody is called as it was typed: by a whole name with slips in it."""
        if len(wanted) < _NAME_FIELDS or self._finish.running:
            return []
        new = NewPerson(firstname=" ".join(wanted[:-1]), lastname=wanted[-1], email="")
        known = (match.person.known_as for match in self._duplicates.of(new))
        return [(_BY_SLIPS, _of_person(one)) for one in known if isinstance(one, Person)]

    def flows(self) -> list[tuple[float, Command]]:
        """The flows that are called so, the best first."""
        wanted = folded(self._query).split()
        fits = ((fit(wanted, folded(flow.name or "")), flow) for flow in self._flows.known.flows)
        found = sorted((one for one in fits if one[0]), key=lambda one: -one[0])[:_MOST_SHOWN]
        return [(well, _of_flow(flow)) for well, flow in found]

    def recent_commands(self) -> dict[str, Command]:
        """Those of the people and flows chosen last who are still there, by the ids of commands."""
        rows = self._directory.rows_of(self._recent_ids(CommandKind.PERSON))
        people = self._read(list(rows.values()))
        flows = set(self._recent_ids(CommandKind.FLOW))
        found = [_of_person(person) for person in people.values()]
        found += [_of_flow(flow) for flow in self._flows.known.flows if flow.id in flows]
        return {command.id: command for command in found}

    def _read(self, rows: Sequence[int]) -> Mapping[int, Person]:
        try:
            return self._directory.people(rows)
        except StoreError:
            return {}

    def _recent_ids(self, kind: CommandKind) -> list[str]:
        begins = f"{kind.value}:"
        return [one.removeprefix(begins) for one in self.recent if one.startswith(begins)]

    def _fit(self, wanted: Sequence[str], row: int) -> float:
        """A number or an address, which the index finds as well, fits less than a name."""
        key = self._directory.key(row)
        name = key.split(SEPARATOR)[:_NAME_FIELDS]
        return fit_as_written(wanted, " ".join(name)) or _BY_ANOTHER_FIELD


def _until_enough(slices: Iterator[Sequence[int]]) -> Iterator[Sequence[int]]:
    found = 0
    for rows in slices:
        yield rows
        found += len(rows)
        if found >= _MOST_LOOKED_AT:
            return


def _of_person(person: Person) -> Command:
    return Command(
        CommandKind.PERSON, person.id, name_of(person), remark=person.email or "", icon="person"
    )


def _of_flow(flow: PeopleFlow) -> Command:
    return Command(CommandKind.FLOW, flow.id, flow_name(flow), remark=tr("Flow"), icon="flow")
