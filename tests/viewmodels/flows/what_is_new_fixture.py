"""One account with a clock that is set by hand, its readings, and what is new in it."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.what_is_new.news_rows import NewsRow
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewScreen
from tests.viewmodels.conftest import Listing, ScriptedService

if TYPE_CHECKING:
    from app.api.service import Service

# A Monday, at noon wherever the tests run: days are those of the person's own zone.
MONDAY = datetime(2026, 3, 2, 12).astimezone(UTC)
OLD = datetime(2020, 1, 1, tzinfo=UTC)


def person(name: str, **fields: object) -> Person:
    first, _, last = name.partition(" ")
    made = Person(
        id=first.lower(),
        firstname=first,
        lastname=last,
        email=f"{first.lower()}@x.org",
        phone="",
        mobile="",
        date_added=OLD,
        admin=False,
        archived=False,
        volunteer=False,
    )
    return msgspec.structs.replace(made, **fields)


def but(made: Person, **fields: object) -> Person:
    return msgspec.structs.replace(made, **fields)


def step(name: str, *admins: str) -> Step:
    return Step(id=name.lower(), name=name, status="", entry_point="", admins=admins)


def flow(name: str, *steps: Step, admins: tuple[str, ...] = ()) -> PeopleFlow:
    return PeopleFlow(id=name.lower(), name=name, status="", access="", steps=steps, admins=admins)


ADA, BOB, EVE = person("Ada Lovelace"), person("Bob Øst"), person("Eve Adams", archived=True)
CALL, TEA, CARD = step("Call", "ada"), step("Tea", "bob"), step("Card", "bob", "ada")
WELCOME, CHOIR = flow("Welcome", CARD, CALL, TEA, admins=("ada",)), flow("Choir", step("Sing"))


class ReadingsFixture:
    """One account with a clock that is set by hand, its readings, and the screen."""

    def __init__(self, path: Path | None = None, *, tells_changes: bool = True) -> None:
        self.time = MONDAY
        self.path, self._tells = path, tells_changes
        self._begin()

    def _begin(self) -> None:
        self.crashes: list[BaseException] = []
        events = self.events = EventBus(self.crashes.append)
        self.scope = TaskScope("office", self.crashes.append, ExpectedError)
        self.cache = Cache.open(self.path, now=lambda: self.time, tells_changes=self._tells)
        self.directory = PeopleDirectory(self.cache, events)
        self.catalogue = FlowCatalogue(self.cache, events)
        flows = FlowsScreen(self.catalogue, self.directory, events, self.scope)
        self.flows = flows
        self.screen = WhatIsNewScreen(
            self.cache,
            self.catalogue,
            self.directory,
            flows,
            events=events,
            scope=self.scope,
            now=lambda: self.time,
        )

    async def start_again(self) -> None:
        await self.close()
        self._begin()
        await self.directory.open()
        await self.catalogue.open()
        await self.settle()

    async def close(self) -> None:
        await self.scope.close()
        await self.cache.close()
        assert not self.crashes, self.crashes

    async def read(self, people: Sequence[Person], *flows: PeopleFlow, days: int = 0) -> None:
        """Both lists, so many days later."""
        self.time += timedelta(days=days)
        service = ScriptedService()
        service.listing = Listing(people, total=len(people))
        service.flows = flows
        await self.directory.refresh(cast("Service", service))
        await self.catalogue.refresh(cast("Service", service))
        await self.settle()

    async def settle(self) -> None:
        async with asyncio.timeout(20):
            while self.scope.busy:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def look(self) -> None:
        self.screen.opened()
        await self.settle()

    @property
    def rows(self) -> list[NewsRow]:
        listed = self.screen.list
        found = (listed.row_at(position) for position in range(listed.rowCount()))
        return [row for row in found if row is not None]

    @property
    def words(self) -> list[str]:
        return [row.words for row in self.rows]
