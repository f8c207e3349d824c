"""Who administers what.

It knows flows and ids; the names come from a look-up that is passed in, because the people are
another room's. The answers hold for the flows and the people at the time it was made.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

import msgspec

from app.flows.steps import PlacedStep, all_steps, read_steps
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.runtime.words import tr

LookUp = Callable[[str], Person | None]
_SHOWN_OF_AN_ID = 4
_SLICE = 100
_POSTS = 4_000
"""Flows read at a time, and posts in them behind which no other flow is: a few milliseconds."""


class AdministratorStatus(StrEnum):
    """Whether an administrator's id leads to somebody who can act."""

    FOUND = "found"
    ARCHIVED = "archived"
    DECEASED = "deceased"
    """Archived or not."""
    NOT_IN_LIST = "not-in-list"
    """Seen in the field: the id matches nobody in the list, or nobody visible to this sign-in."""
    NOT_READ_YET = "not-read-yet"
    """The list of people is still to come: nobody can say who that is."""


class Administrator(msgspec.Struct, frozen=True):
    """An id among the administrators of a flow or a step, and who that is."""

    id: str
    person: Person | None
    status: AdministratorStatus

    @property
    def can_act(self) -> bool:
        """Whether there is somebody behind the id who can do what it is named for."""
        return self.status is AdministratorStatus.FOUND

    @property
    def unable_words(self) -> tuple[str, ...]:
        """What keeps somebody of the list from acting: archived, deceased, or both."""
        if self.person is None:
            return ()
        said = ((self.person.archived, tr("archived")), (self.person.deceased, tr("deceased")))
        return tuple(words for holds, words in said if holds)

    @property
    def unknown_words(self) -> str:
        """What stands for the name of somebody who is not in the list, or is not read yet."""
        if self.status is AdministratorStatus.NOT_READ_YET:
            return tr("somebody (…{end})", end=self.short_id)
        return tr("somebody not in your list (…{end})", end=self.short_id)

    @property
    def short_id(self) -> str:
        """The end of the id, to tell those who match nobody from each other."""
        return short_id(self.id)


class Administered(msgspec.Struct, frozen=True):
    """What one person administers in one flow."""

    flow: PeopleFlow
    steps: tuple[PlacedStep, ...]
    whole_flow: bool


class Administrators:
    """The same facts read by step, by flow and by person.

    Each id is looked up once, when it is first needed.
    """

    def __init__(
        self, flows: Iterable[PeopleFlow], look_up: LookUp, *, people_read: bool = True
    ) -> None:
        """`look_up` gives the person of an id, or None; a dict of them answers fastest.

        `people_read`: whoever it does not give is not in the list, and not only still to come.
        """
        self._flows = tuple(flows)
        self._look_up = look_up
        self._people_read = people_read
        self._known: dict[str, Administrator] = {}
        self._places: dict[str, list[int]] = {}
        self._posts: Counter[str] = Counter()
        self._read = 0

    @property
    def flows(self) -> tuple[PeopleFlow, ...]:
        """All flows, in the service's order."""
        return self._flows

    def read_in_slices(self) -> Iterator[None]:
        """Find out who is named where, some of the flows a step.

        Nobody has to: what is asked for is found out then. With many flows that takes longer than
        a frame, so whoever has time beforehand lets the event loop run between two slices.
        """
        while self._read < len(self._flows):
            left = _POSTS
            for place in range(self._read, min(self._read + _SLICE, len(self._flows))):
                posts = _posts_in(self._flows[place])
                self._posts.update(posts)
                for person_id in posts:
                    self._places.setdefault(person_id, []).append(place)
                self._read = place + 1
                left -= sum(posts.values())
                if left < 0:
                    break
            yield

    def everybody(self) -> tuple[str, ...]:
        """The ids of all who administer anything, each once."""
        return tuple(self._by_person())

    def with_people(self, look_up: LookUp, *, people_read: bool = True) -> "Administrators":
        """The same flows with other people, without reading the flows again."""
        other = Administrators(self._flows, look_up, people_read=people_read)
        other._places, other._posts, other._read = self._by_person(), self._posts, self._read
        return other

    def of_step(self, step: Step) -> tuple[Administrator, ...]:
        """The administrators of `step` in the service's order, each once."""
        return self.of_ids(step.admins)

    def of_flow(self, flow: PeopleFlow) -> tuple[Administrator, ...]:
        """The administrators of the flow as a whole, in the service's order, each once."""
        return self.of_ids(flow.admins)

    def administrator(self, person_id: str) -> Administrator:
        """Who that is."""
        known = self._known.get(person_id)
        if known is None:
            person = self._look_up(person_id)
            known = Administrator(person_id, person, self._status(person))
            self._known[person_id] = known
        return known

    def person(self, person_id: str) -> Person | None:
        """Who that is; None when the id matches nobody."""
        return self.administrator(person_id).person

    def posts_of(self, person_id: str) -> int:
        """How many steps and whole flows somebody administers, all told."""
        self._by_person()
        return self._posts[person_id]

    def flows_of(self, person_id: str) -> tuple[PeopleFlow, ...]:
        """The flows in which somebody administers a step or the whole, in their order."""
        return tuple(self._flows[place] for place in self._by_person().get(person_id, ()))

    def administered_by(self, person_id: str, most: int | None = None) -> tuple[Administered, ...]:
        """The flows in which somebody administers a step or the whole, in their order.

        `most`: only the first of them, which is soon done for somebody who is in very many.
        """
        flows = (self._flows[place] for place in self._by_person().get(person_id, [])[:most])
        return tuple(
            Administered(
                flow=flow,
                steps=tuple(step for step in read_steps(flow) if person_id in step.administrators),
                whole_flow=person_id in flow.admins,
            )
            for flow in flows
        )

    def unable(self, ids: tuple[str, ...]) -> list[Administrator]:
        """Those of `ids` who cannot act, whatever the reason. Each once, in order."""
        return [one for one in self.of_ids(ids) if not one.can_act]

    def of_ids(self, ids: tuple[str, ...]) -> tuple[Administrator, ...]:
        """Who these are, in order, each once."""
        return tuple([self.administrator(each) for each in dict.fromkeys(ids)])

    def _status(self, person: Person | None) -> AdministratorStatus:
        if person is None and not self._people_read:
            return AdministratorStatus.NOT_READ_YET
        if person is None:
            return AdministratorStatus.NOT_IN_LIST
        if person.deceased:
            return AdministratorStatus.DECEASED
        return AdministratorStatus.ARCHIVED if person.archived else AdministratorStatus.FOUND

    def _by_person(self) -> dict[str, list[int]]:
        """For each id the places of its flows among all, in order."""
        for _ in self.read_in_slices():
            pass
        return self._places


def administrator_ids(flow: PeopleFlow) -> tuple[str, ...]:
    """The ids of everybody who administers `flow` or a step of it, each once."""
    return tuple(_posts_in(flow))


def everybody_in(flows: Iterable[PeopleFlow]) -> tuple[str, ...]:
    """The ids of everybody who administers one of `flows` or a step of it, each once."""
    return tuple(dict.fromkeys(one for flow in flows for one in _posts_in(flow)))


def _posts_in(flow: PeopleFlow) -> dict[str, int]:
    """By id how many steps of `flow` somebody administers, the whole counting as one more."""
    posts = dict.fromkeys(flow.admins, 1)
    for step in all_steps(flow):
        for person_id in dict.fromkeys(step.admins):
            posts[person_id] = posts.get(person_id, 0) + 1
    return posts


def short_id(person_id: str) -> str:
    """The end of an id, to tell those who match nobody from each other."""
    return person_id[-_SHOWN_OF_AN_ID:]
