"""One account's rooms as a view-model meets them: real lists and outbox, a scripted service."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QApplication

from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.settings import SettingsStore
from app.store.cache import Cache
from app.store.ordering import SortKey
from app.store.outbox.outbox import OutboxStore
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

if TYPE_CHECKING:
    from app.api.service import Service

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
ADA = Person(id="ada", firstname="Ada", lastname="Lovelace", email="ada@x.org", admin=True)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", volunteer=True)
EVE = Person(id="eve", firstname="Eve", lastname="Adams", archived=True)


class Listing:
    """A list of people as a test scripts it: batches, errors, and waits for what a test lets go."""

    def __init__(
        self,
        *batches: Sequence[Person] | Exception | asyncio.Event,
        total: int | None,
        unreadable: int = 0,
    ) -> None:
        self._batches = batches
        self.total = total
        self.received = 0
        self.unreadable = unreadable
        self.complete = False

    async def hides_somebody(self) -> bool:
        return False

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        for batch in self._batches:
            await asyncio.sleep(0)
            if isinstance(batch, Exception):
                raise batch
            if isinstance(batch, asyncio.Event):
                await batch.wait()
                continue
            self.received += len(batch)
            yield tuple(batch)
        counted = self.total is None or self.received >= self.total
        self.complete = counted and not self.unreadable


class ScriptedService:
    """Gives what is put into it, and answers each create with the next of `answers`."""

    def __init__(self) -> None:
        self.listing = Listing(total=0)
        self.flows: Sequence[PeopleFlow] = ()
        self.answers: list[Exception | asyncio.Event | None] = []
        self.created: list[Person] = []

    def people(self) -> Listing:
        return self.listing

    async def people_flows(self) -> Sequence[PeopleFlow]:
        return self.flows

    async def check(self) -> None:
        """It answers."""

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, asyncio.Event):
            await answer.wait()
        elif answer is not None:
            raise answer
        number = f"new-{len(self.created) + 1}"
        person = Person(id=number, firstname=firstname, lastname=lastname, email=email)
        self.created.append(person)
        return person


HOLD = 600.0


@pytest.fixture(autouse=True, scope="module")
def _reads_flows_again_at_once() -> Iterator[None]:
    """Nothing comes page by page here: what is read of the flows has settled when it is read.

    The tests of the pause itself give it back its length; end to end it has it.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in ("flows", "what_is_new.what_is_new"):
            patch.setattr(f"app.viewmodels.flows.{module}._PAUSE", 0.0)
        yield


class AccountFixture:
    """What stands below the screens of one account; entries are held for ten minutes."""

    def __init__(self) -> None:
        self.crashes: list[BaseException] = []
        self.events = EventBus(self.crashes.append)
        self.scope = TaskScope("account", self.crashes.append, ExpectedError)
        self.scripted = ScriptedService()
        self.service: Service | None = cast("Service", self.scripted)
        self.cache = Cache.open(None, now=lambda: NOON)
        self.directory = PeopleDirectory(self.cache, self.events)
        self.catalogue = FlowCatalogue(self.cache, self.events)
        self.settings = SettingsStore(None, self.events)
        self.store = OutboxStore.open(None)
        self.outbox = Outbox(
            self.events,
            self.scope,
            self,
            store=self.store,
            hold_seconds=HOLD,
        )

    @cached_property
    def duplicates(self) -> DuplicateIndex:
        """Works behind the scenes from when a test first asks for it: keys that a test presses let
        its tasks wake inside the test's own, which they may not.
        """
        index = DuplicateIndex(self.directory, self.outbox, self.events, self.scope)
        if self.directory.count() or self.outbox.entries():
            index.take_up()
        return index

    async def open(self) -> None:
        """As at the start of the program."""
        await self.directory.open()
        await self.directory.sort(SortKey.FIRST_NAME)

    async def list_people(self, *people: Person, total: int | None = None) -> None:
        """The service lists exactly these people, of as many as it counts."""
        await self.read(people, total=len(people) if total is None else total)

    async def read(
        self,
        *batches: Sequence[Person] | Exception | asyncio.Event,
        total: int | None,
        unreadable: int = 0,
    ) -> None:
        """Read a list that comes in batches, besides those who cannot be read."""
        self.scripted.listing = Listing(*batches, total=total, unreadable=unreadable)
        await self.directory.refresh(cast("Service", self.scripted))

    async def list_flows(self, *flows: PeopleFlow) -> None:
        """The service gives exactly these flows."""
        self.scripted.flows = flows
        await self.catalogue.refresh(cast("Service", self.scripted))
        await self.settle()

    def add(self, firstname: str, lastname: str = "", email: str = "") -> OutboxEntry:
        """Somebody types a person and presses Enter."""
        typed = " ".join(part for part in (firstname, lastname, email) if part)
        new = NewPerson(firstname=firstname, lastname=lastname, email=email)
        return self.outbox.add(typed, new)

    def entry(self, entry_id: str) -> OutboxEntry:
        """The entry as it stands now."""
        return next(entry for entry in self.outbox.entries() if entry.id == entry_id)

    async def sent(self, entry: OutboxEntry, state: EntryState) -> OutboxEntry:
        """The entry, once sending it has ended in `state`."""
        self.outbox.send_now()
        await self.until(lambda: self.entry(entry.id).state is state)
        return self.entry(entry.id)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that has to come: what takes long is not looked for as often."""
        pause = 0.001
        async with asyncio.timeout(20):
            while not true():
                await asyncio.sleep(pause)
                pause = min(pause * 1.1, 0.005)

    async def settle(self) -> None:
        """Wait until nothing is under way; not while an entry is held."""
        await self.until(lambda: not self.scope.busy)

    async def settle_duplicates(self) -> None:
        """Wait until everybody is known who may be the same as somebody new."""
        await self.until(lambda: not self.duplicates.busy)

    async def close(self) -> None:
        """As at the end of the program."""
        await self.outbox.close()
        await self.scope.close()
        await self.cache.close()
        await self.store.close()


class Told:
    """How often a signal was heard."""

    def __init__(self, signal: SignalInstance) -> None:
        self.times = 0
        signal.connect(self._hear)

    def _hear(self, *_: object) -> None:
        self.times += 1

    def since(self) -> int:
        """How often since this was asked last."""
        times, self.times = self.times, 0
        return times


@pytest.fixture
async def account(qapp: QApplication) -> AsyncIterator[AccountFixture]:  # noqa: ARG001 - Qt must be there
    """An account's rooms, with nobody in them yet; nothing in them may crash."""
    account = AccountFixture()
    await account.open()
    yield account
    await account.close()
    assert account.crashes == []


@pytest.fixture
def no_vault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer without anything that could keep a secret."""
    from keyring.backends import fail  # noqa: PLC0415 - loads slowly

    backend = fail.Keyring()  # type: ignore[no-untyped-call]  # theirs
    monkeypatch.setattr("keyring.core._keyring_backend", backend)


@pytest.fixture
async def sign_in(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    no_vault: None,  # noqa: ARG001 - nothing may reach the vault of this computer
    tmp_path: Path,
) -> AsyncIterator[SignInFixture]:
    sign_in = SignInFixture(tmp_path / "desk")
    yield sign_in
    await sign_in.scope.close()
    await sign_in.session.close()
    assert sign_in.crashes == []
