"""What the client asks and what it makes of the answers, over a real connection."""

import json
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey, BearerToken
from app.api.client import ServiceClient
from app.api.errors import (
    AddressRefused,
    ApiError,
    InputRefused,
    NotAuthorised,
    NotFound,
    UnreadableAnswer,
)
from app.api.requests import Limits
from app.model.person import Person

if TYPE_CHECKING:
    from app.api.service import ListedPeople, Service
    from tests.api.conftest import ScriptedService

FIELDS = (
    "id date_added date_modified firstname lastname email phone mobile admin archived volunteer"
)


async def test_people_are_asked_for_by_page_with_every_field(service: "ScriptedService") -> None:
    service.answers(service.people("1", total=1))
    async with service.client() as client:
        assert [person.id async for person in client.people()] == ["1"]
    (asked,) = service.asked
    assert (asked.method, asked.path) == ("GET", "/v1/people/getAll.json")
    assert asked.parameters == {"page": ["1"], "page_size": ["100"], "fields[]": FIELDS.split()}
    assert asked.body == b""


async def test_a_person_is_created_by_a_json_body(service: "ScriptedService") -> None:
    service.answers(service.tree({"status": "ok", "person": {"id": "n1", "admin": "0"}}))
    async with service.client() as client:
        person = await client.create_person("Žofie & Co", 'von "Q"', "")
    (asked,) = service.asked
    assert (asked.method, asked.target) == ("POST", "/v1/people/create.json")
    assert asked.headers["content-type"] == "application/json"
    assert json.loads(asked.body) == {"firstname": "Žofie & Co", "lastname": 'von "Q"', "email": ""}
    assert person == Person(
        id="n1", firstname="Žofie & Co", lastname='von "Q"', email="", admin=False
    )


async def test_what_the_service_says_of_a_new_person_wins_over_what_was_sent(
    service: "ScriptedService",
) -> None:
    service.answers(
        service.tree({"status": "ok", "person": [{"id": 9, "firstname": "Ada", "lastname": None}]})
    )
    async with service.client() as client:
        person = await client.create_person("ada", "lovelace", "ada@x.org")
    assert person == Person(id="9", firstname="Ada", lastname="lovelace", email="ada@x.org")


async def test_half_a_character_is_refused_before_anything_is_sent(
    service: "ScriptedService",
) -> None:
    async with service.client() as client:
        with pytest.raises(InputRefused) as caught:
            await client.create_person("Ada\ud800", "", "")
    assert not caught.value.outcome_unknown
    assert service.asked == []


async def test_flows_are_asked_for_by_post_without_a_body(service: "ScriptedService") -> None:
    flows = {"total": "3", "people_flow": [{"id": "f1", "name": "Newcomers"}, {"id": "f2"}]}
    service.answers(service.tree({"status": "ok", "people_flows": flows}))
    async with service.client() as client:
        found = await client.people_flows()
    (asked,) = service.asked
    assert (asked.method, asked.target) == ("POST", "/v1/peopleFlows/getAll.json")
    assert (asked.body, asked.headers["content-length"]) == (b"", "0")
    assert "content-type" not in asked.headers
    assert [flow.id for flow in found] == ["f1", "f2"]
    assert (len(found), found.total, found[0].name) == (2, 3, "Newcomers")


async def test_a_service_that_has_none_gives_empty_lists(service: "ScriptedService") -> None:
    service.answers(service.fail(404, 404, "No people flows match your criteria."))
    async with service.client() as client:
        flows = await client.people_flows()
        listing = client.people()
        assert [person async for person in listing] == []
        await client.check()
    assert (len(flows), flows.total) == (0, 0)
    assert (listing.complete, listing.received) == (True, 0)


async def test_another_404_than_none_is_an_error(service: "ScriptedService") -> None:
    service.answers(service.fail(404, 17, "No such method."))
    async with service.client() as client:
        with pytest.raises(NotFound):
            await client.people_flows()


async def test_a_success_may_leave_the_list_out(service: "ScriptedService") -> None:
    service.answers(service.tree({"generated_in": 0.01, "status": "ok"}))
    async with service.client() as client:
        assert len(await client.people_flows()) == 0


async def test_a_service_that_refuses_the_parameters_is_asked_without(
    service: "ScriptedService",
) -> None:
    service.answers(
        service.fail(400, 250),
        service.people("1", "2", total=3),
        service.people("3", total=3),
    )
    outcomes: list[Exception | None] = []
    async with service.client(on_outcome=outcomes.append) as client:
        assert [person.id async for person in client.people()] == ["1", "2", "3"]
    assert [asked.parameters for asked in service.asked[1:]] == [{}, {"page": ["2"]}]
    assert outcomes == [None, None]


async def test_every_operation_and_page_tells_its_outcome_once(service: "ScriptedService") -> None:
    service.answers(
        service.people("1", total=2),
        service.people("2", total=2),
        service.fail(500, 500),
        service.people("1"),
        service.fail(401, 102),
    )
    outcomes: list[Exception | None] = []
    async with service.client(on_outcome=outcomes.append) as client:
        assert [person.id async for person in client.people()] == ["1", "2"]
        assert outcomes == [None, None]
        await client.check()
        assert outcomes == [None, None, None]
        with pytest.raises(NotAuthorised) as caught:
            await client.people_flows()
    assert outcomes == [None, None, None, caught.value]


async def test_the_credential_goes_with_every_request(service: "ScriptedService") -> None:
    service.answers(service.people("1", total=1))
    async with ServiceClient(service.base_url, ApiKey(" key ")) as client:
        await client.check()
    async with ServiceClient(service.base_url, BearerToken("a.b-c")) as client:
        await client.check()
    assert [asked.headers["authorization"] for asked in service.asked] == [
        "Basic a2V5Og==",
        "Bearer a.b-c",
    ]


async def test_a_path_in_the_address_stays_in_front(service: "ScriptedService") -> None:
    service.answers(service.people("1", total=1))
    async with ServiceClient(f"{service.base_url}/our/church/", ApiKey("k")) as client:
        await client.check()
    assert service.asked[0].path == "/our/church/v1/people/getAll.json"


def test_the_client_is_the_service_the_rooms_above_name() -> None:
    service: Service = ServiceClient("https://church.example", ApiKey("k"))
    listing: ListedPeople = service.people()
    assert (listing.total, listing.received, listing.complete) == (None, 0, False)


@pytest.mark.parametrize("name", ["yaml", "JSON"])
def test_a_format_without_a_reader_is_refused_at_once(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        ServiceClient("https://x.org", ApiKey("k"), name)


@pytest.mark.parametrize("address", ["", "x.org", "ftp://x.org", "https://", "https://u@x.org"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(AddressRefused):
        ServiceClient(address, ApiKey("k"))


async def test_details_name_the_request_and_nothing_private(service: "ScriptedService") -> None:
    service.answers(service.fail(400, 250, "Ada is taken."))
    async with service.client() as client:
        with pytest.raises(InputRefused) as caught:
            await client.create_person("Ada", "Lovelace", "ada@x.org")
    error = caught.value
    assert "POST" in error.details
    assert "/v1/people/create.json" in error.details
    assert "HTTP 400, code 250" in error.details
    assert "UTC" in error.details
    assert not any(word in error.details for word in ("Ada", "Lovelace", "ada@", "key-of"))
    assert "Ada is taken." in error.message


@pytest.mark.parametrize(
    "answer",
    [
        {"status": "ok", "people": 7},
        {"status": "ok", "people": {"person": "all"}},
        {"status": "ok", "people": {"person": [{"name": "no id"}]}},
        {"status": "ok", "people": {"something": "else"}},
        {"status": "sleeping"},
        {},
        [],
        "people",
        None,
    ],
)
async def test_wrong_types_are_unreadable_and_never_an_empty_list(
    service: "ScriptedService", answer: object
) -> None:
    service.answers(service.tree(answer))
    async with service.client() as client:
        with pytest.raises(UnreadableAnswer):
            await anext(client.people())


async def test_one_bad_entry_costs_itself_and_nobody_else(service: "ScriptedService") -> None:
    people = {"total": 3, "person": [{"id": "1", "email": []}, None, {"id": "3"}]}
    service.answers(service.tree({"status": "ok", "people": people}), service.fail(404, 404))
    async with service.client() as client:
        listing = client.people()
        assert [person.id async for person in listing] == ["1", "3"]
    assert not listing.complete


async def test_a_closed_client_says_so(service: "ScriptedService") -> None:
    client = service.client()
    await client.aclose()
    await client.aclose()
    with pytest.raises(ApiError) as caught:
        await client.create_person("Ada", "", "")
    assert not caught.value.outcome_unknown
    assert service.asked == []


async def test_a_small_page_size_can_be_asked_for(service: "ScriptedService") -> None:
    service.answers(service.people("1", total=1))
    async with service.client(Limits(page_size=10)) as client:
        await anext(client.people())
    assert service.asked[0].parameters["page_size"] == ["10"]


async def test_no_cookie_is_carried_along(service: "ScriptedService") -> None:
    ok = {"status": "ok", "people": {"total": 1, "person": [{"id": "1"}]}}
    service.answers(service.tree(ok, Set_Cookie="session=of-somebody; Path=/"))
    async with service.client() as client:
        await client.check()
        await client.check()
    assert ["cookie" in asked.headers for asked in service.asked] == [False, False]


@pytest.mark.parametrize(("format_name", "largest"), [("json", 1000), ("xml", 200), ("php", 200)])
async def test_pages_are_no_larger_than_their_format_is_read_at_once(
    service: "ScriptedService", format_name: str, largest: int
) -> None:
    people = "".join(f'<person id="{number}"/>' for number in range(100))
    xml = f'<rsp status="ok"><people total="5000" per_page="100">{people}</people></rsp>'
    listed = "".join(f'i:{number};a:1:{{s:2:"id";i:{number};}}' for number in range(100))
    page = f's:5:"total";i:5000;s:8:"per_page";i:100;s:6:"person";a:100:{{{listed}}}'
    php = f'a:1:{{s:6:"people";a:3:{{{page}}}}}'
    tree = {"people": {"total": 5000, "person": [{"id": number} for number in range(100)]}}
    bodies = {"json": json.dumps(tree), "xml": xml, "php": php}
    service.answers(service.body(bodies[format_name].encode()))
    async with ServiceClient(service.base_url, ApiKey("k"), format_name) as client:
        assert len([person async for person in client.people()]) == 100
    assert max(int(asked.parameters["page_size"][0]) for asked in service.asked) == largest
