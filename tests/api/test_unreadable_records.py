"""One record that cannot be read costs that record and is told with a number, never the list."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import UnreadableAnswer
from app.api.requests import Limits
from tests.api.conftest import KEY, Asked
from tests.fuzz.documents import Data, as_json, as_php, as_xml

if TYPE_CHECKING:
    from app.api.pagination.people_listing import PeopleListing
    from tests.api.conftest import ScriptedService

JSON_HEAD = b'{"generated_in":"0.1","status":"ok",'
BAD_JSON = {
    "no id": b'{"firstname": "A"}',
    "a blank id": b'{"id": " ", "firstname": "A"}',
    "an id of another kind": b'{"id": {"value": "2"}}',
    "null": b"null",
    "text": b'"2"',
    "a list": b'["2"]',
}
GOOD = b'{"id": "1", "firstname": "Zo\xc3\xab"}', b'{"id": "3", "firstname": "\\ud83d\\ude00"}'


async def read(
    service: "ScriptedService", body: bytes, format_name: str = "json"
) -> tuple["PeopleListing", list[str | None]]:
    """The listing at its end, and the first names that were on it."""
    service.answers(service.body(body), service.fail(404, 404, "No people match your criteria."))
    limits = Limits(deadline=10, first_pause=0.001)
    async with ServiceClient(service.base_url, ApiKey(KEY), format_name, limits=limits) as client:
        listing = client.people()
        return listing, [person.firstname async for person in listing]


@pytest.mark.parametrize("bad", BAD_JSON)
@pytest.mark.parametrize("padding", [b"", b" " * 1_000_000])
async def test_a_bad_record_costs_itself(
    service: "ScriptedService", bad: str, padding: bytes
) -> None:
    items = b",".join([GOOD[0], BAD_JSON[bad], padding + GOOD[1]])
    page = b'"people":{"total":3,"person":[' + items + b"]}}"
    listing, names = await read(service, JSON_HEAD + page)
    assert names == ["Zoë", "\N{GRINNING FACE}"]
    assert (listing.received, listing.total, listing.unreadable) == (2, 3, 1)
    assert not listing.complete


async def test_without_a_count_a_list_with_a_bad_record_is_not_complete(
    service: "ScriptedService",
) -> None:
    page = b'"people":{"person":[' + b",".join([GOOD[0], BAD_JSON["no id"]]) + b"]}}"
    listing, _names = await read(service, JSON_HEAD + page)
    assert (listing.total, listing.unreadable, listing.complete) == (None, 1, False)


@pytest.mark.parametrize(
    ("format_name", "person"),
    [
        ("json", b'{"id": "2", "firstname": "A", "firstname": "B"}'),
        ("json", b'{"id": "2", "firstname": "A\\ud83d"}'),
        ("json", b'{"id": "2", "A\\udc00": ""}'),
        ("json", b'{"id": "2", "\\ud800": [%b]}' % (b" " * 600_000)),
        ("json", b'{"id": "2", "firstname": "\xe9"}'),
        ("json", b'{"id": "2", "firstname": "Ada\nB"}'),
        ("json", b'{"id": "2", "phone": NaN}'),
        ("json", b'{"id": "2", "phone": 1e999}'),
        ("json", b'{"id": "2", "phone": %b}' % (b"1" * 5_000)),
        ("xml", b"<person id='2'><id>other</id></person>"),
        ("xml", b"<person id='2'><firstname>A\x0bB</firstname></person>"),
        ("xml", b"<person id='2'><firstname>&#xD800;</firstname></person>"),
        ("xml", b"<person id='2'><firstname>Tom & Jerry</firstname></person>"),
        ("php", b'a:1:{s:2:"id";s:1:"\xe9";}'),
        ("php", b'a:2:{s:2:"id";s:1:"2";s:2:"id";s:1:"4";}'),
        ("php", b'O:8:"stdClass":2:{s:2:"id";s:1:"2";s:4:"\0*\0a";N;}'),
        ("php", b'a:2:{s:2:"id";s:1:"2";s:5:"phone";d:NAN;}'),
        ("php", b'a:2:{s:2:"id";s:1:"2";s:5:"phone";i:9999999999999999999;}'),
    ],
)
async def test_a_document_that_is_none_is_one_clear_error(
    service: "ScriptedService", format_name: str, person: bytes
) -> None:
    head, end = {
        "json": (JSON_HEAD + b'"people":{"person":[' + GOOD[0] + b",", b"]}}"),
        "xml": (b"<rsp status='ok'><people><person id='1'/>", b"</people></rsp>"),
        "php": (b'a:2:{s:6:"status";s:2:"ok";s:6:"people";a:1:{s:6:"person";', b"}}"),
    }[format_name]
    with pytest.raises(UnreadableAnswer):
        await read(service, head + person + end, format_name)


async def test_pages_that_overlap_count_a_bad_record_once(service: "ScriptedService") -> None:
    limits = Limits(deadline=10, first_pause=0.001, page_size=40, largest_page=100)
    everybody: list[object] = [{"id": str(n), "firstname": "A"} for n in range(250)]
    everybody[45] = {"firstname": "A"}
    everybody[99] = {"firstname": "A"}
    everybody[249] = None

    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        number, size = (int(asked.parameters[name][0]) for name in ("page", "page_size"))
        found = everybody[(number - 1) * size : number * size]
        page = {"total": 250, "per_page": size, "page": number, "person": found}
        await service.tree({"status": "ok", "people": page})(asked, writer)

    service.answers(act)
    async with service.client(limits) as client:
        listing = client.people()
        names = [person.firstname async for person in listing]
    assert (len(names), listing.unreadable, listing.complete) == (247, 3, False)


@pytest.mark.parametrize("bad", BAD_JSON)
async def test_a_bad_flow_costs_itself_and_is_counted(service: "ScriptedService", bad: str) -> None:
    page = b'"people_flows":{"people_flow":[' + b",".join([GOOD[0], BAD_JSON[bad]]) + b"]}}"
    service.answers(service.body(JSON_HEAD + page))
    async with service.client() as client:
        flows = await client.people_flows()
    assert [flow.id for flow in flows] == ["1"]
    assert (flows.total, flows.unreadable) == (2, 1)


async def test_a_list_in_which_nothing_can_be_read_is_one_clear_error(
    service: "ScriptedService",
) -> None:
    page = b'"people":{"total":1,"person":[' + BAD_JSON["no id"] + b"]}}"
    with pytest.raises(UnreadableAnswer):
        await read(service, JSON_HEAD + page)


@pytest.mark.parametrize(
    "body",
    [
        b'{"status":"ok","status":"fail","people":{"person":[]}}',
        b'{"status":"ok","people":{"person":[],"person":[]}}',
        b'{"status":"\\ud800","people":{"person":[]}}',
    ],
)
async def test_an_envelope_that_is_bad_itself_is_no_answer(
    service: "ScriptedService", body: bytes
) -> None:
    with pytest.raises(UnreadableAnswer):
        await read(service, body)


@pytest.mark.parametrize(
    "admins",
    [{"p1": {}}, {"ada": ""}, {"loaded": "0"}, {"error": {"code": "1"}}, {"next": "x"}],
)
@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_what_is_no_list_costs_its_flow_and_makes_up_nobody(
    service: "ScriptedService", format_name: str, admins: Data
) -> None:
    flows: list[Data] = [
        {"id": "1", "name": "Choir", "admins": {"admin": []}},
        {"id": "2", "name": "Camp", "admins": admins},
        {"id": "3", "name": "Tea", "steps": {"step": [{"id": "8", "admins": admins}]}},
        {"id": "4", "name": "Walk", "admins": [], "steps": {"p1": {}}},
    ]
    envelope: dict[str, Data] = {
        "status": "ok",
        "generated_in": "0.1",
        "people_flows": {"total": 4, "people_flow": flows},
    }
    written = {"json": as_json, "xml": as_xml, "php": as_php}[format_name](envelope)
    service.answers(service.body(written))
    async with ServiceClient(service.base_url, ApiKey(KEY), format_name) as client:
        found = await client.people_flows()
    assert [(flow.name, flow.admins) for flow in found] == [("Choir", ())]
    assert (found.total, found.unreadable) == (4, 3)
