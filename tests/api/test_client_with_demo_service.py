"""The client against the demo service: the same contract, read by two different people."""

import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder

import pytest

from app.api.auth import ApiKey, BearerToken
from app.api.client import ServiceClient
from app.api.errors import InputRefused, NotAuthorised, UnreadableAnswer
from app.api.requests import Limits
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer

QUICK = Limits(first_pause=0.01, deadline=1.0, silence=0.5, longest_wait=0.05)


@pytest.fixture
def demo(request: pytest.FixtureRequest) -> Iterator[DemoAccess]:
    """A running demo service; its options may come as the fixture's parameter."""
    server = DemoServer(getattr(request, "param", DemoOptions()))
    try:
        yield server.start()
    finally:
        server.stop()


def client_of(demo: DemoAccess, limits: Limits = QUICK) -> ServiceClient:
    """A client with the demo account's key."""
    return ServiceClient(demo.base_url, ApiKey(demo.api_key), limits=limits)


@pytest.mark.parametrize("demo", [DemoOptions(), DemoOptions(page_size_max=50)], indirect=True)
async def test_everybody_is_read_whatever_page_size_is_given(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        listing = client.people()
        people = [person async for person in listing]
    assert (len(people), listing.total, listing.complete) == (240, 240, True)
    assert all(person.date_added and person.admin is not None for person in people)


@pytest.mark.parametrize("demo", [DemoOptions(ignore_paging=True)], indirect=True)
async def test_a_service_that_ignores_paging_is_told_honestly(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        listing = client.people()
        people = [person async for person in listing]
    assert (len(people), listing.total, listing.complete) == (50, 240, False)


async def test_a_new_person_is_in_the_list_afterwards(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        new = await client.create_person("Žofie", "d'Arc & Söhne", "zofie+x@church.example")
        assert new.admin is False
        assert new in [person async for person in client.people()]


async def test_no_request_looks_for_modules(
    demo: DemoAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look goes through folders on the thread of the event loop, once more for every page."""
    looked_for: list[str] = []

    class Noting(MetaPathFinder):
        def find_spec(self, fullname: str, *_where: object) -> None:
            looked_for.append(fullname)

    async with client_of(demo) as client:
        assert [person async for person in client.people()]
        monkeypatch.setattr(sys, "meta_path", [Noting(), *sys.meta_path])
        assert [person async for person in client.people()]
    assert looked_for == []


async def test_a_person_without_a_name_is_refused(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        with pytest.raises(InputRefused) as caught:
            await client.create_person("", " ", "a@x.org")
    assert (caught.value.code, caught.value.status) == (250, 400)
    assert not caught.value.outcome_unknown


@pytest.mark.parametrize("demo", [DemoOptions(nested_steps=True)], indirect=True)
async def test_flows_come_with_their_steps_and_administrators(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        flows = await client.people_flows()
    steps = [step for flow in flows for step in flow.steps]
    assert len(flows) == flows.total > 5
    assert any(step.admins for step in steps)
    assert any(step.steps for step in steps)
    assert any(not flow.steps for flow in flows)


@pytest.mark.parametrize("auth", [ApiKey("wrong"), BearerToken("wrong")])
async def test_a_wrong_credential_is_not_authorised(
    demo: DemoAccess, auth: ApiKey | BearerToken
) -> None:
    async with ServiceClient(demo.base_url, auth) as client:
        with pytest.raises(NotAuthorised):
            await client.check()


@pytest.mark.parametrize("demo", [DemoOptions(faults=(Fault(FaultKind.HTML),))], indirect=True)
async def test_a_hotels_page_is_named(demo: DemoAccess) -> None:
    async with client_of(demo) as client:
        with pytest.raises(UnreadableAnswer) as caught:
            await client.check()
    assert "web page" in caught.value.message
