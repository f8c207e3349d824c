"""The people, flows and steps of one account by name, and what somebody looked for there last.

People come from the index that the list is searched with: those found within a frame at once, the
others in slices that a newer key cancels.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex
from app.people.directory import PeopleDirectory
from app.people.search import found_beyond, matches, query_words
from app.runtime.tasks import Action, TaskScope
from app.runtime.turns import found_at_once, found_in_turns
from app.runtime.words import in_a_row
from app.settings.saved_states import SavedState
from app.store.errors import StoreError
from app.store.search_keys import SEPARATOR
from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.command_palette.name_fit import (
    fit_as_written,
    fit_with_slips,
    folded,
    words_like,
)
from app.viewmodels.command_palette.named_places import NamedPlaces
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.formatting import name_of
from app.viewmodels.guarded_overrides import GuardedOverrides

_MOST_SHOWN = 6
_MOST_LOOKED_AT = 200
"""People who are found, but not by how a name begins: with more, letters are still missing."""
_MOST_RECENT = 30
_NAME_FIELDS = 2
"""A key begins with the last and the first name."""
_BY_EMAIL = 50.0
_BY_ANOTHER_FIELD = 30.0
"""Beside anybody who is called so, whoever has it in a number or a note was hardly meant."""
_BY_SLIPS = 60.0
_AT_ONCE_SECONDS = 0.005
"""Less than for the list alone: actions are compared as well, and more is painted anew."""
_PART = 100
"""People whose names are compared before anything else may have its turn: a millisecond or two."""
_PART_OF_WORDS = 1_000
"""Words of names, of which the same is true."""


class NamedInAccount(GuardedOverrides, QObject):
    """Answers each key with people, flows and steps; of what was looked for before holds ids."""

    found_more = Signal()
    """More was found for what was asked last, or there is more to be found."""

    used = Signal()
    """Something was chosen: another was chosen last."""

    def __init__(
        self,
        directory: PeopleDirectory,
        duplicates: DuplicateIndex,
        flows: FlowsScreen,
        scope: TaskScope,
    ) -> None:
        """Nobody is asked for yet. `duplicates` knows who is called nearly as it was typed."""
        super().__init__()
        self._scope = scope
        self._directory = directory
        self._duplicates = duplicates
        self._places = NamedPlaces(flows)
        self._query = ""
        self._words: Sequence[str] = ()
        """What of it each has to be found, as the index has it."""
        self._rows: list[int] = []
        self._names: Sequence[str] = ()
        self._names_of: Sequence[int] = ()
        """Every word of the names of these people, once a word was mistyped."""
        self._fits: dict[int, float] = {}
        """How well those fit who were looked at for these words."""
        self._finish = Action(scope, self._find_rest, second="replace", on_error=self._find_no_more)
        self.is_looking = False
        """Whether more may be found for what was asked last, which `found_more` tells."""
        self.recent: tuple[str, ...] = ()
        """What was chosen last, the newest first, each by the id of its command."""
        flows.administrators_changed.connect(self._ask_again)
        scope.call_on_close(self._end)

    def use(self, command: Command) -> None:
        """Somebody chose this."""
        self.recent = (command.id, *(one for one in self.recent if one != command.id))[
            :_MOST_RECENT
        ]
        self.used.emit()

    def saved_state(self) -> dict[str, object]:
        """The field of `SavedState` that tells what was chosen last."""
        return {"recent_commands": self.recent}

    def restore(self, saved: SavedState) -> None:
        """What was chosen in an earlier run."""
        self.recent = saved.recent_commands[:_MOST_RECENT]

    def ask(self, query: str) -> None:
        """Look for what is called so: what is found within a frame now, more of it later. A list
        that cannot be read gives nobody: the page behind says so.
        """
        self._finish.cancel()
        self._places.forget()
        self._query, self._rows, self._fits, self.is_looking = query, [], {}, False
        self._words = wanted = query_words(query)
        if not wanted or self._scope.closed:
            return
        with contextlib.suppress(StoreError):
            self._find(query, wanted)

    def _end(self) -> None:
        """What the account has can be read no longer; its lists may be on their way in again."""
        self.stop()
        self.found_more.emit()

    def _ask_again(self) -> None:
        """The flows, or who is who, are others."""
        if self._query:
            self.ask(self._query)
        self.found_more.emit()

    def _find(self, query: str, wanted: Sequence[str]) -> None:
        known = self._directory.rows_of(self._recent_ids(CommandKind.PERSON)).values()
        self._rows = [row for row in known if matches(self._directory.key(row), wanted)]
        slices = self._called_so(query)
        found, more = found_at_once(slices, _AT_ONCE_SECONDS)
        self._rows += found
        self.is_looking = more
        if more:
            self._finish(slices)

    def _called_so(self, query: str) -> Iterator[Sequence[int]]:
        """The rows of the people who are found, until enough of them are called so; nobody: of who
        is called nearly so. Places are found meanwhile, those first of which there are fewer.
        """
        wanted, begin, others = folded(query).split(), 0, 0
        for _ in self._places.look(wanted):
            yield ()
        for rows in self._directory.slices(query, names_begin=wanted):
            # Nobody fits better than they, and each of them as well: no more of them are compared.
            first = rows[: _MOST_SHOWN - begin]
            yield first
            begin += len(first)
            if begin >= _MOST_SHOWN:
                return
        for rows in _in_parts(self._directory.slices(query)):
            some = rows[: _MOST_LOOKED_AT - others]
            for row in some:
                self._fit(wanted, row)
            yield some
            others += len(some)
            if others >= _MOST_LOOKED_AT:
                break
        if not (begin or self._places):
            for _ in self._places.look_nearly(wanted):
                yield ()
        if not (begin or others) and len(wanted) == 1:
            yield from self._with_slips(wanted)

    def _with_slips(self, wanted: Sequence[str]) -> Iterator[Sequence[int]]:
        """Who has one name that is nearly so; of a whole name the index of doubles knows that."""
        everybody = self._directory.ordered_rows()
        if self._names_of is not everybody:
            words: set[str] = set()
            for some in self._directory.words_of_names():
                words |= some
                yield ()
            self._names, self._names_of = tuple(words), everybody
        alike: list[tuple[float, str]] = []
        for start in range(0, len(self._names), _PART_OF_WORDS):
            alike += words_like(wanted[0], self._names[start : start + _PART_OF_WORDS])
            yield ()
        alike.sort(key=lambda one: (-one[0], one[1]))
        for _, word in alike[:_MOST_SHOWN]:
            yield from self._directory.slices(word, names_begin=(word,))

    def stop(self) -> None:
        """Nobody looks any more."""
        self._finish.cancel()
        self._places.forget()
        self._query, self._rows, self._fits, self.is_looking = "", [], {}, False
        self._names, self._names_of = (), ()
        self._directory.forget_searches()

    async def _find_rest(self, slices: Iterator[Sequence[int]]) -> None:
        # Behind the painting of what was found at once, not in the same turn.
        await asyncio.sleep(0)
        async for rows in found_in_turns(slices):
            self._rows += rows
        self.is_looking = False
        self.found_more.emit()

    def _find_no_more(self, _error: Exception) -> None:
        self.is_looking = False
        self.found_more.emit()

    def people(self) -> list[tuple[float, Command]]:
        """The best of those found so far, each with how well they fit."""
        if self._scope.closed:
            return []
        wanted = folded(self._query).split()
        rows = list(dict.fromkeys(self._rows))
        fits = {row: self._fit(wanted, row) for row in rows}
        best = sorted(rows, key=lambda row: -fits[row])[:_MOST_SHOWN]
        if not best:
            return self._called_nearly_so(wanted)
        people = self._read(best)
        remarks = {
            row: _reason(person, self._words)
            if fits[row] <= _BY_ANOTHER_FIELD
            else person.email or ""
            for row, person in people.items()
        }
        return [(fits[row], _of_person(people[row], remarks[row])) for row in best if row in people]

    def _called_nearly_so(self, wanted: Sequence[str]) -> list[tuple[float, Command]]:
        """Where nobody is called as it was typed: by a whole name with slips in it."""
        if len(wanted) < _NAME_FIELDS or self._finish.running:
            return []
        new = NewPerson(firstname=" ".join(wanted[:-1]), lastname=wanted[-1], email="")
        known = (match.person.known_as for match in self._duplicates.of(new))
        people = (one for one in known if isinstance(one, Person))
        return [(_BY_SLIPS, _of_person(one, one.email or "")) for one in people]

    def places(self) -> list[tuple[float, Command]]:
        """The best of the flows and steps found so far, each with how well they fit."""
        return self._places.best()

    def recent_commands(self) -> dict[str, Command]:
        """Those of the people, flows and steps chosen last who are still there, by the ids of
        commands.
        """
        if self._scope.closed:
            return {}
        rows = self._directory.rows_of(self._recent_ids(CommandKind.PERSON))
        people = self._read(list(rows.values()))
        places = (CommandKind.FLOW, CommandKind.STEP)
        found = [_of_person(person, person.email or "") for person in people.values()]
        found += self._places.commands(one for kind in places for one in self._recent_ids(kind))
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
        """An address fits less than a name, and less than that what the index finds besides."""
        well = self._fits.get(row)
        if well is None:
            well = self._fits[row] = self._fit_of_key(wanted, self._directory.key(row))
        return well

    def _fit_of_key(self, wanted: Sequence[str], key: str) -> float:
        fields = key.split(SEPARATOR)
        name = " ".join(fields[:_NAME_FIELDS])
        if well := fit_as_written(wanted, name):
            return well
        if matches(SEPARATOR.join(fields[: _NAME_FIELDS + 1]), wanted):
            return _BY_EMAIL
        if matches(key, self._words):
            return _BY_ANOTHER_FIELD
        return fit_with_slips(wanted, name)


def _in_parts(slices: Iterable[Sequence[int]]) -> Iterator[Sequence[int]]:
    for rows in slices:
        for begin in range(0, len(rows), _PART):
            yield rows[begin : begin + _PART]


def _reason(person: Person, words: Sequence[str]) -> str:
    """Why somebody is found whose name and address do not have the letters."""
    numbers = in_a_row(filter(None, (person.phone, person.mobile)))
    return found_beyond(person, words) or numbers


def _of_person(person: Person, remark: str) -> Command:
    return Command(CommandKind.PERSON, person.id, name_of(person), remark=remark, icon="person")
