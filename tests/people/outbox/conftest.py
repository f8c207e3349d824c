"""An outbox on a real loop and bus, before a service that answers as a test scripts it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from app.api.service import ListedPeople, Service
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow
from app.model.outbox import NewPerson, OutboxEntry
from app.model.person import Person
from app.people.outbox import Outbox
from app.people.outbox_events import EntryChanged, EntryRemoved, PauseChanged, PersonAdded
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope

if TYPE_CHECKING:
    from app.api.errors import ApiError


class ScriptedService:
    """Answers each create with the next of `answers`: an error, or a wait for an event.

    With nothing scripted, and after the wait, it adds the person under a new id.
    """

    def __init__(self, *answers: BaseException | asyncio.Event) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self.reads_refused: list[ApiError] = []

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        self.asked.append(firstname)
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(0)
            answer = self.answers.pop(0) if self.answers else None
            if isinstance(answer, asyncio.Event):
                await answer.wait()
            elif answer is not None:
                raise answer
        finally:
            self.at_once -= 1
        number = f"id-{len(self.asked)}"
        return Person(id=number, firstname=firstname, lastname=lastname, email=email)

    def people(self) -> ListedPeople:
        raise NotImplementedError

    async def people_flows(self) -> Sequence[PeopleFlow]:
        raise NotImplementedError

    async def check(self) -> None:
        if self.reads_refused:
            raise self.reads_refused.pop(0)

    async def aclose(self) -> None:
        raise NotImplementedError


@dataclass
class Bench:
    """An outbox with everything around it that a test looks at or turns; `hold` in seconds."""

    outbox: Outbox
    scope: TaskScope
    scripted: ScriptedService
    service: Service | None
    crashes: list[BaseException]
    hold: float = 0.0
    told: list[object] = field(default_factory=list)

    def add(self, firstname: str) -> OutboxEntry:
        new = NewPerson(firstname=firstname, lastname="Lovelace", email="a@x.org")
        return self.outbox.add(f"{firstname} Lovelace a@x.org", new)

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


MakeBench = Callable[..., Bench]


@pytest.fixture
async def make_bench() -> AsyncIterator[MakeBench]:
    """Make an outbox before a service with these answers; closed at the end."""
    made: list[Bench] = []

    def make(
        *answers: BaseException | asyncio.Event,
        hold: float = 0.0,
        backoff: tuple[float, float] = (0.01, 0.04),
    ) -> Bench:
        crashes: list[BaseException] = []
        service = ScriptedService(*answers)
        events = EventBus(crashes.append)
        scope = TaskScope("outbox", crashes.append, ExpectedError)
        outbox = Outbox(
            events,
            scope,
            lambda: bench.service,
            hold_seconds=lambda: bench.hold,
            backoff=backoff,
        )
        bench = Bench(outbox, scope, service, service, crashes, hold)
        for kind in (EntryChanged, EntryRemoved, PersonAdded, PauseChanged):
            events.subscribe(kind, bench.told.append, scope)
        made.append(bench)
        return bench

    yield make
    for bench in made:
        await bench.outbox.close()
        await bench.scope.close()
