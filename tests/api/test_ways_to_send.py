"""The three ways to send: whatever text goes in, the same text arrives, in each of them."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args
from urllib.parse import parse_qs

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import InputRefused
from app.api.requester import Requester
from app.api.requests import Limits, ListAs, Request, SendAs, create_person
from app.api.resources import read_created
from app.api.transport import Transport
from app.demo.options import DemoOptions
from app.demo.server import DemoAccess, DemoServer

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
AWKWARD = "\r\n\t &=+%;?#/\\\"'<>[]{}%20%zz\0 \u2028\ud7ff\ue000\ufeff𝕳 Žofie é\u0301 "
NAMED = TEXT.filter(lambda text: bool(text.strip()))
SLOWLY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoAccess]:
    """A running demo service that remembers everybody who is added."""
    server = DemoServer(DemoOptions(people=30))
    yield server.start()
    server.stop()


@SLOWLY
@given(NAMED, TEXT, TEXT)
@example(AWKWARD, AWKWARD, AWKWARD)
@example("+", "%2B", "&lt;")
@pytest.mark.parametrize("send_as", get_args(SendAs))
async def test_who_is_added_comes_back_as_typed(
    demo: DemoAccess, send_as: SendAs, firstname: str, lastname: str, email: str
) -> None:
    auth = ApiKey(demo.api_key)
    async with ServiceClient(demo.base_url, auth, send_as=send_as) as client:
        person = await client.create_person(firstname, lastname, email)
    assert (person.firstname, person.lastname, person.email) == (firstname, lastname, email)
    assert person.date_added is not None


@SLOWLY
@given(NAMED, TEXT, TEXT)
@example(AWKWARD, AWKWARD, AWKWARD)
async def test_a_query_carries_any_text_too(
    demo: DemoAccess, firstname: str, lastname: str, email: str
) -> None:
    form = create_person(firstname, lastname, email, "form")
    call = Request("POST", form.operation, query=(form.body or b"").decode(), creates=True)
    transport = Transport(demo.base_url, ApiKey(demo.api_key), "json", Limits())
    try:
        person = await Requester(transport, "json", Limits()).ask(call, "person", read_created)
    finally:
        await transport.aclose()
    assert (person.firstname, person.lastname, person.email) == (firstname, lastname, email)


@pytest.mark.parametrize("list_as", get_args(ListAs))
async def test_people_can_be_asked_for_in_each_way(demo: DemoAccess, list_as: ListAs) -> None:
    auth = ApiKey(demo.api_key)
    limits = Limits(page_size=10)
    async with ServiceClient(demo.base_url, auth, list_as=list_as, limits=limits) as client:
        await client.check()
        listing = client.people()
        people = [person async for person in listing]
    assert listing.complete
    assert len(people) >= 30
    assert all(person.mobile is not None and person.admin is not None for person in people)


async def test_a_form_says_what_it_is(service: "ScriptedService") -> None:
    service.answers(service.tree({"status": "ok", "person": {"id": "n1"}}))
    async with ServiceClient(service.base_url, ApiKey("k"), send_as="form") as client:
        await client.create_person("Žofie & Co", "100 % + 1", "")
    (asked,) = service.asked
    assert (asked.method, asked.target) == ("POST", "/v1/people/create.json")
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert asked.body == b"firstname=%C5%BDofie+%26+Co&lastname=100+%25+%2B+1&email="


@pytest.mark.parametrize(
    ("list_as", "media"),
    [("form", "application/x-www-form-urlencoded"), ("json", "application/json")],
)
async def test_a_list_by_post_carries_the_same_as_the_query(
    service: "ScriptedService", list_as: ListAs, media: str
) -> None:
    service.answers(service.people("1", total=1))
    async with ServiceClient(service.base_url, ApiKey("k")) as client:
        await anext(client.people())
    async with ServiceClient(service.base_url, ApiKey("k"), list_as=list_as) as client:
        await anext(client.people())
    plain, posted = service.asked
    assert (plain.method, posted.method) == ("GET", "POST")
    assert (posted.parameters, posted.headers["content-type"]) == ({}, media)
    if list_as == "form":
        assert parse_qs(posted.body.decode()) == plain.parameters
    else:
        sent = json.loads(posted.body)
        assert sent["fields"] == plain.parameters["fields[]"]
        assert (sent["page"], sent["page_size"]) == (1, 100)


@pytest.mark.parametrize("send_as", get_args(SendAs))
@pytest.mark.parametrize("part", range(3))
async def test_half_a_character_is_sent_in_no_way(
    service: "ScriptedService", send_as: SendAs, part: int
) -> None:
    typed = ["Ada", "Lovelace", "ada@x.org"]
    typed[part] += "\udc80"
    async with ServiceClient(service.base_url, ApiKey("k"), send_as=send_as) as client:
        with pytest.raises(InputRefused) as caught:
            await client.create_person(*typed)
    assert not caught.value.outcome_unknown
    assert service.asked == []


@pytest.mark.parametrize("way", ["query", "xml", "", None])
def test_a_way_the_document_does_not_allow_is_refused_at_once(way: str) -> None:
    with pytest.raises(ValueError, match="choose from: json, form"):
        ServiceClient("https://x.org", ApiKey("k"), send_as=way)  # type: ignore[arg-type]  # on purpose
