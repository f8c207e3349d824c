"""The outbox, the real client and the demo service over loopback, with the service's own faults."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer
from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson
from app.people.outbox import Outbox
from app.people.outbox_events import PauseReason
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope

ADA = NewPerson(firstname="Ada", lastname="Lovelace", email="ada@x.org")


@pytest.fixture
def serve() -> Iterator[Callable[..., tuple[DemoServer, DemoAccess]]]:
    """Start a demo service of ten people with the given faults."""
    with ExitStack() as ending:

        def start(*faults: FaultKind) -> tuple[DemoServer, DemoAccess]:
            server = DemoServer(DemoOptions(people=10, faults=tuple(Fault(f) for f in faults)))
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
            client = ServiceClient(access.base_url, ApiKey(key))
            outbox = Outbox(
                EventBus(crashes.append),
                scope,
                lambda: client,
                hold_seconds=lambda: 0.0,
                backoff=(0.02, 0.1),
            )
            for end in (client.aclose, scope.close, outbox.close):
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
    async with ServiceClient(access.base_url, ApiKey(access.api_key)) as client:
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
    await _until(lambda: outbox.pause_reason is PauseReason.NO_LINE)
    assert set(_states(outbox)) <= {EntryState.WAITING, EntryState.SENDING}
    server.start()
    await _until(lambda: set(_states(outbox)) == {EntryState.ADDED})
    added = [name for name in await _names(access) if name.startswith("Ada") and name[3].isdigit()]
    assert sorted(added) == [f"Ada{number} Lovelace" for number in range(5)]
