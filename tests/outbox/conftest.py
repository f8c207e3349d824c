"""An outbox on a real loop and bus, before a service that answers as a test scripts it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.api.service import ListedPeople
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow
from app.model.outbox import NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged, PauseChanged, PersonAdded
from app.outbox.known_people import KnownPeople
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.outbox.outbox import OutboxStore
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from app.api.errors import ApiError


class ScriptedService:
    """Answers each create with the next of `answers`: an error, a wait for an event, or for the
    error that a future has in the end.

    With nothing scripted, and after the wait, it adds the person under a new id, numbered behind
    the `earlier` ones. Each takes `seconds`.
    """

    def __init__(self, *answers: BaseException | asyncio.Event | asyncio.Future[None]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.added: list[Person] = []
        self.at_once = 0
        self.most_at_once = 0
        self.reads_refused: list[ApiError] = []
        self.seconds = 0.0
        self.earlier = 0

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        self.asked.append(firstname)
        number = f"id-{self.earlier + len(self.asked)}"  # of this one, of several at once too
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(self.seconds)
            answer = self.answers.pop(0) if self.answers else None
            if isinstance(answer, asyncio.Event):
                await answer.wait()
            elif isinstance(answer, asyncio.Future):
                await answer
            elif answer is not None:
                raise answer
        finally:
            self.at_once -= 1
        person = Person(id=number, firstname=firstname, lastname=lastname, email=email)
        self.added.append(person)
        return person

    def people(self) -> ListedPeople:
        raise NotImplementedError

    async def people_flows(self) -> Sequence[PeopleFlow]:
        raise NotImplementedError

    async def check(self) -> None:
        if self.reads_refused:
            raise self.reads_refused.pop(0)

    async def aclose(self) -> None:
        raise NotImplementedError


class Listing:
    """A reading of a list that comes in these pages, of as many people as the service counts."""

    def __init__(self, *pages: Sequence[Person], total: int | None = None) -> None:
        self._pages = pages
        self.total = sum(map(len, pages)) if total is None else total
        self.received = 0
        self.complete = False

    async def hides_somebody(self) -> bool:
        return False

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        for page in self._pages:
            self.received += len(page)
            yield tuple(page)
        self.complete = self.received >= self.total


class ScriptedList:
    """The list as this computer has it, and as the service has it once it is read again.

    `refused` are errors of the next readings.
    """

    def __init__(self, *known: Person, whole: bool = True) -> None:
        self.here = list(known)
        self.there = list(known)
        self.whole = whole
        self.readings = 0
        self.refused: list[BaseException] = []
        self.answers = asyncio.Event()
        self.answers.set()

    async def namesakes(self, new: NewPerson) -> tuple[Person, ...]:
        await self.answers.wait()
        name = (new.firstname.lower(), new.lastname.lower())
        return tuple(
            person
            for person in self.here
            if ((person.firstname or "").lower(), (person.lastname or "").lower()) == name
        )

    def person(self, person_id: str) -> Person | None:
        return next((person for person in self.here if person.id == person_id), None)

    async def read_again(self) -> bool:
        self.readings += 1
        await asyncio.sleep(0)
        if self.refused:
            raise self.refused.pop(0)
        self.here = list(self.there)
        return self.whole


@dataclass
class OutboxFixture:
    """An outbox with everything around it that a test looks at or turns."""

    outbox: Outbox
    store: OutboxStore
    scope: TaskScope
    scripted: ScriptedService
    session: SignedInTo
    crashes: list[BaseException]
    told: list[object] = field(default_factory=list)

    def add(self, firstname: str) -> OutboxEntry:
        return self.outbox.add(f"{firstname} Lovelace a@x.org", self.person(firstname))

    def person(self, firstname: str) -> NewPerson:
        return NewPerson(firstname=firstname, lastname="Lovelace", email="a@x.org")

    def states(self) -> list[str]:
        return [entry.state.value for entry in self.outbox.entries()]

    def last(self) -> OutboxEntry:
        return self.outbox.entries()[-1]

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def settle(self) -> None:
        await self.until(lambda: not self.scope.busy)

    async def close(self) -> None:
        await self.outbox.close()
        await self.scope.close()
        await self.store.close()


MakeOutbox = Callable[..., OutboxFixture]


@pytest.fixture
async def make_outbox() -> AsyncIterator[MakeOutbox]:
    """Make an outbox before a service with these answers; closed at the end."""
    made: list[OutboxFixture] = []

    def make(
        *answers: BaseException | asyncio.Event,
        hold: float = 0.0,
        backoff: tuple[float, float] = (0.01, 0.04),
        people: KnownPeople | None = None,
        looks: Sequence[float] = (0.0, 0.01, 0.02),
        path: Path | None = None,
    ) -> OutboxFixture:
        crashes: list[BaseException] = []
        service = ScriptedService(*answers)
        events = EventBus(crashes.append)
        scope = TaskScope("outbox", crashes.append, ExpectedError)
        store = OutboxStore.open(path)
        session = SignedInTo(service)
        outbox = Outbox(
            events,
            scope,
            session,
            store=store,
            people=people,
            looks=looks,
            hold_seconds=hold,
            backoff=backoff,
        )
        subject = OutboxFixture(outbox, store, scope, service, session, crashes)
        for kind in (EntriesChanged, PersonAdded, PauseChanged):
            events.subscribe(kind, subject.told.append, scope)
        made.append(subject)
        return subject

    yield make
    for subject in made:
        await subject.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one" / "outbox.sqlite3"
