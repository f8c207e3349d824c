"""Who administers what, and where somebody is missing.

It knows flows and ids; the names come from a look-up that is passed in, because the people are
another room's. The answers hold for the flows and the people at the time it was made.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from app.flows.steps import PlacedStep, all_steps, read_steps
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

LookUp = Callable[[str], Person | None]
_SHOWN_OF_AN_ID = 4


class Standing(StrEnum):
    """Whether an administrator's id leads to somebody who can act."""

    FOUND = "found"
    ARCHIVED = "archived"
    NOBODY = "nobody"
    """Seen in the field: the id matches nobody in the list, or nobody visible to this sign-in."""


@dataclass(frozen=True, slots=True)
class Administrator:
    """An id among the administrators of a flow or a step, and who that is."""

    id: str
    person: Person | None
    standing: Standing

    @property
    def short_id(self) -> str:
        """The end of the id, to tell those who match nobody from each other."""
        return self.id[-_SHOWN_OF_AN_ID:]


@dataclass(frozen=True, slots=True)
class Administered:
    """What one person administers in one flow."""

    flow: PeopleFlow
    steps: tuple[PlacedStep, ...]
    whole_flow: bool


class Administrators:
    """The same facts read by step, by flow and by person.

    Each id is looked up once, when it is first needed.
    """

    def __init__(self, flows: Iterable[PeopleFlow], look_up: LookUp) -> None:
        """`look_up` gives the person of an id, or None; a dict of them answers fastest."""
        self._flows = tuple(flows)
        self._look_up = look_up
        self._known: dict[str, Administrator] = {}
        self._places: dict[str, list[int]] | None = None

    def of_step(self, step: Step) -> tuple[Administrator, ...]:
        """The administrators of `step` in the service's order, each once."""
        return self._all(step.admins)

    def of_flow(self, flow: PeopleFlow) -> tuple[Administrator, ...]:
        """The administrators of the flow as a whole, in the service's order, each once."""
        return self._all(flow.admins)

    def administered_by(self, person_id: str) -> tuple[Administered, ...]:
        """The flows in which somebody administers a step or the whole, in their order."""
        flows = (self._flows[place] for place in self._by_person().get(person_id, ()))
        return tuple(
            Administered(
                flow=flow,
                steps=tuple(step for step in read_steps(flow) if person_id in step.administrators),
                whole_flow=person_id in flow.admins,
            )
            for flow in flows
        )

    def gaps(self, flow: PeopleFlow) -> int:
        """How many things are missing in `flow`.

        A step without administrators is one; so is, at each step and at the flow itself, an
        administrator who is archived or whose id matches nobody. It means nothing before the
        list of people has been read.
        """
        return sum(self._gaps_at(step) for step in all_steps(flow)) + self._missing(flow.admins)

    def _gaps_at(self, step: Step) -> int:
        return self._missing(step.admins) if step.admins else 1

    def _missing(self, ids: tuple[str, ...]) -> int:
        return sum(self._one(each).standing is not Standing.FOUND for each in dict.fromkeys(ids))

    def _all(self, ids: tuple[str, ...]) -> tuple[Administrator, ...]:
        return tuple(self._one(each) for each in dict.fromkeys(ids))

    def _one(self, person_id: str) -> Administrator:
        known = self._known.get(person_id)
        if known is None:
            person = self._look_up(person_id)
            known = Administrator(person_id, person, _standing(person))
            self._known[person_id] = known
        return known

    def _by_person(self) -> dict[str, list[int]]:
        """For each id the places of its flows among all, in order."""
        if self._places is None:
            self._places = {}
            for place, flow in enumerate(self._flows):
                for person_id in administrator_ids(flow):
                    self._places.setdefault(person_id, []).append(place)
        return self._places


def administrator_ids(flow: PeopleFlow) -> tuple[str, ...]:
    """The ids of everybody who administers `flow` or a step of it, each once."""
    of_steps = chain.from_iterable(step.admins for step in all_steps(flow))
    return tuple(dict.fromkeys(chain(flow.admins, of_steps)))


def _standing(person: Person | None) -> Standing:
    if person is None:
        return Standing.NOBODY
    return Standing.ARCHIVED if person.archived else Standing.FOUND
