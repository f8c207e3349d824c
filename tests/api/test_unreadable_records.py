"""One record that cannot be read costs that record and is told with a number, never the list."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import UnreadableAnswer
from app.api.formats import decode
from app.api.formats.tree import Unreadable
from app.api.requests import Limits
from tests.api.conftest import KEY, Asked
from tests.fuzz.documents import Data, as_json, as_php, as_xml

if TYPE_CHECKING:
    from app.api.pagination.people_listing import PeopleListing
    from tests.api.conftest import ScriptedService

JSON_HEAD = b'{"generated_in":"0.1","status":"ok",'
BAD_JSON = {
    "a key twice": b'{"id": "2", "firstname": "A", "firstname": "B"}',
    "half a character": b'{"id": "2", "firstname": "A\\ud83d"}',
    "half a character in a key": b'{"id": "2", "A\\udc00": ""}',
    "half a character inside": b'{"id": "2", "\\ud800": {"id": "9"}}',
    "half a character in a key far from its value": b'{"id": "2", "\\ud800": [%b]}'
    % (b" " * 600_000),
    "not UTF-8": b'{"id": "2", "firstname": "\xe9"}',
    "half a character in UTF-8": b'{"id": "2", "firstname": "\xed\xa0\x80"}',
    "no id": b'{"firstname": "A"}',
    "a blank id": b'{"id": " ", "firstname": "A"}',
    "an id of another kind": b'{"id": {"value": "2"}}',
    "null": b"null",
    "text": b'"2"',
    "a list": b'["2"]',
    "half a character alone": b'"\\udc00"',
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


async def test_a_bad_record_in_xml_costs_itself(service: "ScriptedService") -> None:
    body = (
        b"<rsp status='ok' generated_in='0.1'><people><total>3</total>"
        b"<person id='1'><firstname>Ada</firstname></person>"
        b"<person id='2'><id>other</id><firstname>Bo</firstname></person>"
        b"<person id='3'><firstname>Cy</firstname></person></people></rsp>"
    )
    listing, names = await read(service, body, "xml")
    assert (names, listing.unreadable) == (["Ada", "Cy"], 1)


NOT_IN_XML = (
    b"<person id='2'><firstname>A\x0bB</firstname></person>",
    b"<person id='2'><firstname>&#xD800;</firstname></person>",
    b"<person id='2'><firstname>\xe9</firstname></person>",
    b"<person id='2'><firstname>&#0;</firstname></person>",
    b"<person id='2' firstname='&#x1F;'/>",
    b"<person id='2'><lastname>B</lastname><firstname>\xed\xa0\x80</firstname></person>",
    b"<person id='2'>\x01</person>",
)
DECLARED = b"<?xml version='1.0' encoding='UTF-8'?>"
BLANKS = b" " * 900_000 + b"<!-- & -->" + b" " * 900_000


@pytest.mark.parametrize(
    ("bad", "declared", "padding"),
    [
        *((bad, b"", b"") for bad in NOT_IN_XML),
        *((bad, DECLARED, BLANKS) for bad in NOT_IN_XML[:3]),
    ],
)
async def test_a_character_that_xml_does_not_have_costs_the_record_it_stands_in(
    service: "ScriptedService", bad: bytes, declared: bytes, padding: bytes
) -> None:
    people = b"<person id='1'><firstname>Zo\xc3\xab</firstname></person>%b%b%b" % (
        bad,
        padding,
        b"<person id='3'><firstname>Cy &amp; Co</firstname></person>",
    )
    body = b"<rsp status='ok' generated_in='0.1'><people><total>3</total>%b</people></rsp>"
    listing, names = await read(service, declared + body % people, "xml")
    assert (names, listing.unreadable, listing.complete) == (["Zoë", "Cy & Co"], 1, False)
    with pytest.raises(UnreadableAnswer):
        decode(declared + body % people, "xml")


async def test_flows_in_xml_cost_no_more_either(service: "ScriptedService") -> None:
    body = (
        b"<rsp status='ok' generated_in='0.1'><people_flows><total>2</total>"
        b"<people_flow><id>1</id><name>Tom & Jerry&nbsp;</name></people_flow>"
        b"<people_flow><id>2</id><name>\x02</name></people_flow></people_flows></rsp>"
    )
    service.answers(service.body(body))
    async with ServiceClient(service.base_url, ApiKey(KEY), "xml") as client:
        flows = await client.people_flows()
    assert [flow.name for flow in flows] == ["Tom & Jerry&nbsp;"]
    assert (flows.total, flows.unreadable) == (2, 1)


async def test_what_is_no_document_at_all_is_not_repaired(service: "ScriptedService") -> None:
    many = b"&" * 20_000
    body = b"<rsp status='ok'><people><person id='1'><email>%b</email></person></people></rsp>"
    with pytest.raises(UnreadableAnswer):
        await read(service, body % many, "xml")


@pytest.mark.parametrize(
    ("format_name", "number"),
    [
        ("json", b"NaN"),
        ("json", b"-Infinity"),
        ("json", b"1e999"),
        ("json", b"1" * 5_000),
        ("php", b"d:NAN;"),
        ("php", b"d:-INF;"),
        ("php", b"d:1.0E+999;"),
        ("php", b"i:9999999999999999999;"),
    ],
)
async def test_a_number_that_is_none_costs_the_record_it_stands_in(
    service: "ScriptedService", format_name: str, number: bytes
) -> None:
    if format_name == "json":
        person = b'{"id": "2", "firstname": "Ada", "phone": %b}' % number
        items = b",".join([person, GOOD[0], GOOD[1]])
        body = JSON_HEAD + b'"people":{"total":3,"person":[' + items + b"]}}"
    else:
        person = b'a:3:{s:2:"id";s:1:"2";s:9:"firstname";s:3:"Ada";s:5:"phone";%b}' % number
        good = b'i:1;a:2:{s:2:"id";s:1:"1";s:9:"firstname";s:4:"Zo\xc3\xab";}'
        good += b'i:2;a:2:{s:2:"id";s:1:"3";s:9:"firstname";s:4:"\xf0\x9f\x98\x80";}'
        people = b'a:2:{s:5:"total";i:3;s:6:"person";a:3:{i:0;%b%b}}' % (person, good)
        body = b'a:3:{s:6:"status";s:2:"ok";s:12:"generated_in";s:1:"0";s:6:"people";%b}' % people
    listing, names = await read(service, body, format_name)
    assert names == ["Zoë", "\N{GRINNING FACE}"]
    assert (listing.unreadable, listing.complete) == (1, False)
    with pytest.raises(UnreadableAnswer):
        decode(body, format_name)


async def test_a_line_end_inside_a_text_is_taken_as_it_is(service: "ScriptedService") -> None:
    person = b'{"id": "1", "firstname": "Ada\n\x0bB"}'
    body = JSON_HEAD + b'"people":{"total":1,"person":[' + person + b"]}}"
    _, names = await read(service, body)
    assert names == ["Ada\n\x0bB"]
    with pytest.raises(UnreadableAnswer):
        decode(body, "json")


@pytest.mark.parametrize(
    "bad",
    [
        b'a:2:{s:2:"id";s:1:"2";s:9:"firstname";s:1:"\xe9";}',
        b'a:2:{s:2:"id";s:1:"2";s:2:"id";s:1:"4";}',
        b'O:8:"stdClass":2:{s:2:"id";s:1:"2";s:4:"\0*\0a";N;}',
        b'a:1:{s:9:"firstname";s:1:"A";}',
        b's:1:"\xe9";',
    ],
)
async def test_a_bad_record_in_php_costs_itself(service: "ScriptedService", bad: bytes) -> None:
    ada = b'a:2:{s:2:"id";s:1:"1";s:9:"firstname";s:3:"Ada";}'
    cy = ada.replace(b'"1"', b'"3"').replace(b"Ada", b"Cyn")
    people = b'a:2:{s:5:"total";i:3;s:6:"person";a:3:{i:0;%bi:1;%bi:2;%b}}' % (ada, bad, cy)
    body = b'a:3:{s:6:"status";s:2:"ok";s:12:"generated_in";s:1:"0";s:6:"people";%b}' % people
    listing, names = await read(service, body, "php")
    assert (names, listing.unreadable) == (["Ada", "Cyn"], 1)


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
    page = b'"people":{"total":1,"person":[' + BAD_JSON["a key twice"] + b"]}}"
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


def test_only_what_is_bad_is_marked() -> None:
    body = b'{"a": [{"b": 1, "b": 2}, {"c": "\\ud800"}, "\\ud800", "\xff", {"d": [1]}], "e": 1}'
    assert decode(body, "json", mark_bad=True) == {
        "a": [Unreadable(), Unreadable(), Unreadable(), Unreadable(), {"d": [1]}],
        "e": 1,
    }
    with pytest.raises(UnreadableAnswer):
        decode(body, "json")


def nested(depth: int, *, beside: bool) -> dict[str, Data]:
    """A flow whose steps stand in one another; `beside`: each with another beside it."""
    step: dict[str, Data] = {"id": "0", "name": "Innermost"}
    for number in range(1, depth):
        others: list[Data] = [{"id": f"{number}b"}] if beside else []
        step = {"id": str(number), "steps": {"step": [step, *others]}}
    return {"id": "deep", "name": "Deep", "steps": {"step": [step]}}


@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
@pytest.mark.parametrize(("depth", "beside"), [(35, False), (25, True)])
async def test_steps_nested_too_deep_cost_their_flow_and_are_counted(
    service: "ScriptedService", format_name: str, depth: int, beside: bool
) -> None:
    deep = nested(depth, beside=beside)
    flows: list[Data] = [{"id": "1", "name": "Choir"}, deep, {"id": "2", "name": "Camp"}]
    envelope: dict[str, Data] = {
        "status": "ok",
        "generated_in": "0.1",
        "people_flows": {"total": 3, "people_flow": flows},
    }
    written = {"json": as_json, "xml": as_xml, "php": as_php}[format_name](envelope)
    service.answers(service.body(written))
    async with ServiceClient(service.base_url, ApiKey(KEY), format_name) as client:
        found = await client.people_flows()
    assert [flow.name for flow in found] == ["Choir", "Camp"]
    assert (found.total, found.unreadable) == (3, 1)


def written_deep(format_name: str, levels: int) -> bytes:
    """An answer of three flows, the second of which has steps in steps."""
    if format_name == "xml":
        head = "<rsp status='ok' generated_in='0.1'><people_flows><total>3</total>"
        flow = "<people_flow><id>{id}</id><name>{name}</name>{steps}</people_flow>"
        begin, end, close = "<steps><step><id>s</id>", "</step></steps>", "</people_flows></rsp>"
    elif format_name == "json":
        head = '{"status":"ok","generated_in":"0.1","people_flows":{"total":3,"people_flow":[null'
        flow = ',{{"id":"{id}","name":"{name}"{steps}}}'
        begin, end, close = ',"steps":{"step":[{"id":"s","x":"]}"', "}]}", "]}}"
    else:
        head = (
            'a:3:{s:6:"status";s:2:"ok";s:12:"generated_in";s:3:"0.1";s:12:"people_flows";'
            'a:2:{s:5:"total";i:3;s:11:"people_flow";a:3:{'
        )
        flow = 'i:{place};a:3:{{s:2:"id";s:1:"{id}";s:4:"name";s:5:"{name}";{steps}}}'
        begin = 's:5:"steps";a:1:{s:4:"step";a:1:{i:0;a:2:{s:2:"id";s:2:"}{";'
        end, close = "}}}", "}}}"
    steps = begin * levels + ('s:1:"x";N;' if format_name == "php" else "") + end * levels
    blank = 's:1:"x";N;' if format_name == "php" else ""
    made = [
        flow.format(place=place, id=place + 1, name=name, steps=steps if place == 1 else blank)
        for place, name in enumerate(("Choir", "Depth", "Camps"))
    ]
    return (head + "".join(made) + close).replace("[null,", "[").encode()


@pytest.mark.parametrize("levels", [40, 25_000])
@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_steps_nested_thousands_deep_cost_their_flow_and_are_counted(
    service: "ScriptedService", format_name: str, levels: int
) -> None:
    service.answers(service.body(written_deep(format_name, levels)))
    async with ServiceClient(service.base_url, ApiKey(KEY), format_name) as client:
        found = await client.people_flows()
    assert [flow.name for flow in found] == ["Choir", "Camps"]
    assert (found.total, found.unreadable) == (3, 1)


@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_what_never_ends_in_what_is_too_deep_is_no_answer(
    service: "ScriptedService", format_name: str
) -> None:
    whole = written_deep(format_name, 5_000)
    for body in (whole[: len(whole) // 2], whole.replace(b"}]}" * 9, b"}}}" * 9)):
        if body == whole:
            continue
        service.answers(service.body(body))
        async with ServiceClient(service.base_url, ApiKey(KEY), format_name) as client:
            with pytest.raises(UnreadableAnswer):
                await client.people_flows()


@pytest.mark.parametrize(
    "admins",
    [
        {"href": "/people/77"},
        {"admin": {"href": "/people/77"}},
        {"admin": [{"href": "77"}, "3"]},
        {"admin": [{"link": "https://x.org/people/77"}]},
        {"admin": ["/people/77"]},
    ],
)
@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_the_address_of_an_administrator_is_no_id_and_not_nobody(
    service: "ScriptedService", format_name: str, admins: Data
) -> None:
    beside: list[Data] = [{"href": "/people/3", "id": "3"}, "5", "a/b3="]
    flows: list[Data] = [
        {"id": "1", "href": "/1", "name": "Choir", "admins": {"href": "/1/a", "admin": beside}},
        {"id": "2", "name": "Camp", "admins": admins},
        {
            "id": "4",
            "name": "Tea",
            "admins": "",
            "steps": {"step": [{"id": "8", "admins": admins}]},
        },
    ]
    envelope: dict[str, Data] = {
        "status": "ok",
        "generated_in": "0.1",
        "people_flows": {"total": 3, "people_flow": flows},
    }
    written = {"json": as_json, "xml": as_xml, "php": as_php}[format_name](envelope)
    service.answers(service.body(written))
    async with ServiceClient(service.base_url, ApiKey(KEY), format_name) as client:
        found = await client.people_flows()
    assert [(flow.name, flow.admins) for flow in found] == [("Choir", ("3", "5", "a/b3="))]
    assert (found.total, found.unreadable) == (3, 2)


@pytest.mark.parametrize(
    "admins",
    [{"p1": {}}, {"ada": ""}, {"loaded": "0"}, {"error": {"code": "1"}}, {"next": "x"}, "[]"],
)
@pytest.mark.parametrize("format_name", ["json", "xml", "php"])
async def test_what_is_no_list_costs_its_flow_and_makes_up_nobody(
    service: "ScriptedService", format_name: str, admins: Data
) -> None:
    flows: list[Data] = [
        {"id": "1", "name": "Choir", "admins": {"leaders": {"leader": []}}},
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


async def test_attributes_that_refer_are_passed_over_in_what_names_somebody(
    service: "ScriptedService",
) -> None:
    body = (
        "<rsp status='ok' generated_in='0.1'><people_flows><total>1</total>"
        "<people_flow href='/flows/1'><id>1</id><name>Choir</name>"
        "<admins href='/flows/1/admins'><admin href='/people/3'>3</admin></admins>"
        "<steps href='/flows/1/steps'><step href='/steps/5'><id>5</id><name>Call</name>"
        "<admins href='/a'/></step></steps></people_flow></people_flows></rsp>"
    )
    service.answers(service.body(body.encode()))
    async with ServiceClient(service.base_url, ApiKey(KEY), "xml") as client:
        with pytest.raises(UnreadableAnswer):
            await client.people_flows()
    service.answers(service.body(body.replace("<admins href='/a'/>", "<admins/>").encode()))
    async with ServiceClient(service.base_url, ApiKey(KEY), "xml") as client:
        (flow,) = await client.people_flows()
    assert (flow.admins, [step.name for step in flow.steps]) == (("3",), ["Call"])


@pytest.mark.parametrize(
    "admins",
    [
        "<admins><admin xlink:href='/people/77'/></admins>",
        "<admins><admin>3</admin><admin xlink:href='/people/77'> </admin></admins>",
        "<steps><step><id>5</id><admins><admin xlink:href='/people/77'/></admins></step></steps>",
    ],
)
async def test_an_administrator_that_is_only_referred_to_is_not_nobody(
    service: "ScriptedService", admins: str
) -> None:
    body = (
        "<rsp status='ok' generated_in='0.1' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        "<people_flows><total>2</total>"
        "<people_flow xlink:href='/flows/1'><id>1</id><name xml:lang='en'>Choir</name>"
        "<admins xlink:href='/flows/1/admins'><admin xlink:href='/people/3'>3</admin></admins>"
        f"</people_flow><people_flow><id>2</id>{admins}</people_flow></people_flows></rsp>"
    )
    service.answers(service.body(body.encode()))
    async with ServiceClient(service.base_url, ApiKey(KEY), "xml") as client:
        flows = await client.people_flows()
    assert [(flow.name, flow.admins) for flow in flows] == [("Choir", ("3",))]
    assert (flows.total, flows.unreadable) == (2, 1)
