"""The client in each of the three formats against the demo service: the same people and flows."""

from collections.abc import Iterator

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import InputRefused, NotAuthorised
from app.demo.options import DemoOptions
from app.demo.server import DemoAccess, DemoServer

NAMES = ("Zoë <&> \"'\r\n", "]]> %41+é \U0001f600", "zoe+x@example.org")


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoAccess]:
    """A demo service with nested steps, shared: nothing here depends on who was added before."""
    server = DemoServer(DemoOptions(nested_steps=True))
    try:
        yield server.start()
    finally:
        server.stop()


@pytest.mark.parametrize("format_name", ["xml", "php"])
async def test_people_and_flows_are_those_of_the_json(demo: DemoAccess, format_name: str) -> None:
    key = ApiKey(demo.api_key)
    async with (
        ServiceClient(demo.base_url, key) as in_json,
        ServiceClient(demo.base_url, key, format=format_name) as client,
    ):
        listing = client.people()
        people = [person async for person in listing]
        assert people == [person async for person in in_json.people()]
        assert listing.complete
        assert listing.total == len(people) > 100
        flows, expected = await client.people_flows(), await in_json.people_flows()
        assert (list(flows), flows.total) == (list(expected), expected.total)
        assert any(step.steps for flow in flows for step in flow.steps)
        assert any(flow.locations for flow in flows)


@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_a_person_comes_back_as_added(demo: DemoAccess, format_name: str) -> None:
    async with ServiceClient(demo.base_url, ApiKey(demo.api_key), format=format_name) as client:
        person = await client.create_person(*NAMES)
        found = [other async for other in client.people() if other.id == person.id]
    assert [found[0].firstname, found[0].lastname, found[0].email] == [
        person.firstname,
        person.lastname,
        person.email,
    ]
    assert found == [person]
    assert person.date_added is not None


@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_errors_are_told_by_number_and_kind(demo: DemoAccess, format_name: str) -> None:
    async with ServiceClient(demo.base_url, ApiKey("wrong"), format=format_name) as client:
        with pytest.raises(NotAuthorised) as refused:
            await client.people_flows()
    assert (refused.value.status, refused.value.code) == (401, 102)
    async with ServiceClient(demo.base_url, ApiKey(demo.api_key), format=format_name) as client:
        with pytest.raises(InputRefused) as blank:
            await client.create_person("", "", "")
    assert (blank.value.status, blank.value.code) == (400, 250)
