"""The list and the flows over the real client and the demo service: every part is a real one."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.demo.options import DemoOptions
from app.demo.server import DemoAccess, DemoServer
from app.flows.administrators import Administrators, AdministratorStatus, administrator_ids
from app.flows.catalogue import FlowCatalogue
from app.flows.gaps import gaps_in
from app.people.directory import PeopleDirectory, RefreshResult
from app.runtime.events import EventBus
from app.store.cache import Cache
from app.store.person_flags import PersonFlags


@pytest.fixture
def demo(request: pytest.FixtureRequest) -> Iterator[DemoAccess]:
    """A running demo service; its options may come as the fixture's parameter."""
    server = DemoServer(getattr(request, "param", DemoOptions()))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.fixture
async def client(demo: DemoAccess) -> AsyncIterator[ServiceClient]:
    client = ServiceClient(demo.base_url, ApiKey(demo.api_key))
    yield client
    await client.aclose()


@pytest.fixture
async def cache() -> AsyncIterator[Cache]:
    cache = Cache.open(None)
    yield cache
    await cache.close()


def fail(error: BaseException) -> None:
    raise error


async def test_everybody_is_listed_found_and_added_to(client: ServiceClient, cache: Cache) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    assert await directory.refresh(client) == RefreshResult(240, 240, complete=True)
    assert directory.count() == 240
    assert 0 < directory.count(PersonFlags.WITHOUT_EMAIL) < 240
    row = await directory.took(await client.create_person("Žofie", "d'Arc", "zofie@x.org"))
    assert [row] in list(directory.slices("zofie darc"))
    assert await directory.refresh(client) == RefreshResult(241, 241, complete=True)
    assert directory.row_of(directory.people([row])[row].id) == row


@pytest.mark.parametrize("demo", [DemoOptions(ignore_paging=True)], indirect=True)
async def test_nobody_is_lost_to_a_service_that_gives_only_a_part(
    client: ServiceClient, cache: Cache
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    ada = await client.create_person("Ada", "Lovelace", "")
    await directory.took(ada)
    assert await directory.refresh(client) == RefreshResult(50, 241, complete=False)
    assert directory.person(ada.id) == ada


async def test_flows_and_people_are_read_side_by_side_and_gaps_are_seen(
    client: ServiceClient, cache: Cache
) -> None:
    events = EventBus(fail)
    directory, catalogue = PeopleDirectory(cache, events), FlowCatalogue(cache, events)
    await asyncio.gather(directory.refresh(client), catalogue.refresh(client))
    flows = catalogue.flows()
    ids = {person_id for flow in flows for person_id in administrator_ids(flow)}
    people = await directory.people_by_id(ids)
    administrators = Administrators(flows, people.get)
    standings = {
        each.status
        for flow in flows
        for step in flow.steps
        for each in (*administrators.of_step(step), *administrators.of_flow(flow))
    }
    # Of nobody who administers anything the demo account says that they have died.
    unseen = {AdministratorStatus.DECEASED, AdministratorStatus.NOT_READ_YET}
    assert standings == set(AdministratorStatus) - unseen
    assert 0 < sum(bool(gaps_in(flow, administrators)) for flow in flows) < len(flows)
