"""The outbox, the real client and the demo service over loopback, with the service's own faults."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError
from app.api.requests import Limits
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer
from app.model.errors import ExpectedError
from app.model.outbox import BatchRow, Doubt, EntryState, NewPerson
from app.outbox.batches import BatchProgress
from app.outbox.events import PauseReason
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.outbox.outbox import OutboxStore
from tests.signed_in import SignedInTo

ADA = NewPerson(firstname="Ada", lastname="Lovelace", email="ada@x.org")
QUICK = Limits(first_pause=0.01)
"""What is tried again is tried soon."""


@pytest.fixture
def serve() -> Iterator[Callable[..., tuple[DemoServer, DemoAccess]]]:
    """Start a demo service of ten people with the given faults."""
    with ExitStack() as ending:

        def start(*faults: FaultKind | Fault) -> tuple[DemoServer, DemoAccess]:
            told = tuple(Fault(f) if isinstance(f, FaultKind) else f for f in faults)
            server = DemoServer(DemoOptions(people=10, faults=told))
            ending.callback(server.stop)
            return server, server.start()

        yield start


@pytest.fixture
async def outbox_for() -> AsyncIterator[Callable[[DemoAccess, str], Outbox]]:
    """Make an outbox that sends to a demo service with a key; closed at the end."""
    async with AsyncExitStack() as ending:

        def make(access: DemoAccess, key: str) -> Outbox:
            crashes: list[BaseException] = []
            scope = TaskScope("outbox", crashes.append, ExpectedError)
            client = ServiceClient(access.base_url, ApiKey(key), limits=QUICK)
            store = OutboxStore.open(None)
            outbox = Outbox(
                EventBus(crashes.append),
                scope,
                SignedInTo(client),
                store=store,
                hold_seconds=0.0,
                backoff=(0.02, 0.1),
            )
            for end in (store.close, client.aclose, scope.close, outbox.close):
                ending.push_async_callback(end)
            ending.callback(lambda: _none(crashes))
            return outbox

        yield make


def _none(crashes: list[BaseException]) -> None:
    assert not crashes


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.005)


async def _names(access: DemoAccess) -> list[str]:
    async with ServiceClient(access.base_url, ApiKey(access.api_key), limits=QUICK) as client:
        return [person.full_name async for person in client.people()]


def _states(outbox: Outbox) -> list[EntryState]:
    return [entry.state for entry in outbox.entries()]


Serve = Callable[..., tuple[DemoServer, DemoAccess]]
MakeOutbox = Callable[[DemoAccess, str], Outbox]


async def test_a_person_typed_is_in_the_services_list(serve: Serve, outbox_for: MakeOutbox) -> None:
    _, access = serve()
    outbox = outbox_for(access, access.api_key)
    outbox.add("Ada Lovelace ada@x.org", ADA)
    await _until(lambda: _states(outbox) == [EntryState.ADDED])
    assert (await _names(access)).count("Ada Lovelace") == 1
    assert outbox.entries()[0].person_id


async def test_a_batch_is_in_the_services_list_once_though_it_has_too_much_to_do_and_loses_replies(
    serve: Serve, outbox_for: MakeOutbox
) -> None:
    _, access = serve(Fault(FaultKind.TOO_MANY, 0.05), Fault(FaultKind.LOST, 0.05))
    outbox = outbox_for(access, access.api_key)
    people = [NewPerson(firstname=f"Ada{number}", email=f"a{number}@x.org") for number in range(40)]
    rows = [BatchRow(line, (one.firstname,), one) for line, one in enumerate(people, 1)]
    batch = await outbox.batches.take("sign-up.csv", ("Name",), rows)
    await _until(lambda: _progress(outbox, batch.id).ended)
    progress = _progress(outbox, batch.id)
    assert (progress.refused, progress.not_sent) == (0, 0)
    assert progress.added + progress.not_sure == 40
    there = Counter(name for name in await _names_in_spite_of_faults(access))
    for row in await outbox.batches.result(batch.id):
        # A reply that was lost came after the person was added.
        assert there[row.cells[0]] == 1


def _progress(outbox: Outbox, batch: str) -> BatchProgress:
    progress = outbox.batches.progress(batch)
    assert progress is not None
    return progress


async def _names_in_spite_of_faults(access: DemoAccess) -> list[str]:
    while True:
        with suppress(ApiError):
            return await _names(access)


async def test_a_refused_key_pauses_and_loses_nothing(serve: Serve, outbox_for: MakeOutbox) -> None:
    _, access = serve()
    outbox = outbox_for(access, "not-the-key")
    outbox.add("Ada Lovelace", ADA)
    await _until(lambda: outbox.pause_reason is PauseReason.SIGN_IN)
    assert _states(outbox) == [EntryState.WAITING]
    assert "Ada Lovelace" not in await _names(access)


async def test_an_expired_sign_in_pauses(serve: Serve, outbox_for: MakeOutbox) -> None:
    _, access = serve(FaultKind.EXPIRED)
    outbox = outbox_for(access, access.api_key)
    outbox.add("Ada Lovelace", ADA)
    await _until(lambda: outbox.pause_reason is PauseReason.SIGN_IN)
    assert _states(outbox) == [EntryState.WAITING]


@pytest.mark.parametrize(
    "fault",
    [FaultKind.LOST, FaultKind.CUT, FaultKind.RESET, FaultKind.BROKEN, FaultKind.HTML],
)
async def test_a_lost_or_spoilt_reply_is_not_sure_and_sent_once(
    serve: Serve, outbox_for: MakeOutbox, fault: FaultKind
) -> None:
    _, access = serve(fault)
    outbox = outbox_for(access, access.api_key)
    outbox.add("Ada Lovelace", ADA)
    await _until(lambda: _states(outbox) not in ([EntryState.WAITING], [EntryState.SENDING]))
    assert _states(outbox) == [EntryState.NOT_SURE]
    outbox.send_now()
    outbox.resume()
    await asyncio.sleep(0.1)
    assert _states(outbox) == [EntryState.NOT_SURE]


async def test_a_service_that_was_away_gets_each_person_once_when_it_is_back(
    serve: Serve, outbox_for: MakeOutbox
) -> None:
    server, access = serve()
    outbox = outbox_for(access, access.api_key)
    server.stop()
    for number in range(5):
        name = NewPerson(firstname=f"Ada{number}", lastname="Lovelace")
        outbox.add(name.full_name, name)
    await _until(lambda: outbox.pause_reason is PauseReason.UNREACHABLE)
    assert set(_states(outbox)) <= {EntryState.WAITING, EntryState.SENDING}
    server.start()
    await _until(lambda: set(_states(outbox)) == {EntryState.ADDED})
    added = [name for name in await _names(access) if name.startswith("Ada") and name[3].isdigit()]
    assert sorted(added) == [f"Ada{number} Lovelace" for number in range(5)]


class MadeSure:
    """A real directory before a real client, which the outbox may ask to read the list again."""

    def __init__(self, client: ServiceClient, scope: TaskScope, events: EventBus) -> None:
        self.cache = Cache.open(None)
        self._client = client
        self._directory = PeopleDirectory(self.cache, events)
        self.known = DirectoryPeople(self._directory, events, scope, self._read)

    async def read_through(self) -> None:
        """Read the list, however often that takes."""
        whole = False
        while not whole:
            with suppress(ApiError):
                whole = await self._read()

    async def _read(self) -> bool:
        return (await self._directory.refresh(self._client)).complete


def answer(outbox: Outbox) -> int:
    """Decide as a person would who looks into the list; gives how often that was needed."""
    asked = [entry for entry in outbox.entries() if entry.needs_person]
    for entry in asked:
        if entry.doubt is Doubt.LOOKS_LIKE:
            outbox.confirm_candidate(entry.id)
        else:
            outbox.send_again(entry.id)
    return len(asked)


@pytest.mark.parametrize("fault", [FaultKind.LOST, FaultKind.BROKEN])
async def test_with_every_other_reply_lost_each_person_is_there_once(
    fault: FaultKind, tmp_path: Path
) -> None:
    faulty = DemoServer(DemoOptions(people=10, faults=(Fault(fault, 0.4),)))
    crashes: list[BaseException] = []
    events = EventBus(crashes.append)
    scope = TaskScope("outbox", crashes.append, ExpectedError)
    access = faulty.start()
    async with ServiceClient(access.base_url, ApiKey(access.api_key), limits=QUICK) as client:
        list_ = MadeSure(client, scope, events)
        store = OutboxStore.open(tmp_path / "one" / "outbox.sqlite3")
        outbox = Outbox(
            events,
            scope,
            SignedInTo(client),
            store=store,
            people=list_.known,
            hold_seconds=0.0,
            backoff=(0.01, 0.05),
            looks=(0.0, 0.01),
        )
        names = [f"Ada{number}" for number in range(6)]
        for name in names:
            outbox.add(name, NewPerson(firstname=name, lastname="Lovelace", email=f"{name}@x.org"))
        async with asyncio.timeout(60):
            while set(_states(outbox)) != {EntryState.ADDED}:
                answer(outbox)
                await asyncio.sleep(0.01)
            await list_.read_through()
            there = [
                person.firstname
                for name in names
                for person in await list_.known.namesakes(
                    NewPerson(firstname=name, lastname="Lovelace")
                )
            ]
        assert there == names
        await outbox.close()
        await scope.close()
        await store.close()
        await list_.cache.close()
    faulty.stop()
    assert crashes == []
