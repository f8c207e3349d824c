"""Answers as they come in the field: each row in the words of those who saw it."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import InputRefused, NotAuthorised, ServiceFault, TokenExpired
from app.flows.administrators import Administrators, AdministratorStatus
from app.flows.steps import people_join_anywhere, read_steps
from app.model.person import Person
from tests.api.field import Rows, added, fail, flows, people, refused

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

ROWS = Rows()


@ROWS.row("flags, counts, code, page, generated_in come as a number or as a string")
async def numbers_or_text(service: "ScriptedService") -> None:
    for total, flag in ((1, 1), ("1", "1"), (1.0, True), ("1 ", "yes")):
        answer = service.people("1", total=total, page=total, on_this_page=total)
        service.answers(answer)
        async with service.client() as client:
            listing = client.people()
            assert [person.id async for person in listing] == ["1"]
        assert (listing.total, listing.complete) == (1, True)
        (person,) = await people(service, {"person": [{"id": 7, "admin": flag, "archived": 0}]})
        assert (person.id, person.admin, person.archived) == ("7", True, False)
    for code in (102, "102", 102.0):
        assert (await refused(service, 401, fail(code))).code == 102


@ROWS.row('a blank scalar is ""; a missing one is "", null or absent')
async def blank_or_missing(service: "ScriptedService") -> None:
    (person,) = await people(service, {"person": [{"id": "1", "email": "", "phone": None}]})
    assert (person.email, person.phone, person.mobile) == ("", None, None)


@ROWS.row("a collection is an object, a bare array, one bare object, blank, null or absent")
async def collections(service: "ScriptedService") -> None:
    ada = {"id": "1", "firstname": "Ada"}
    for value in ({"person": [ada]}, {"person": ada}, [ada], ada, {"person": {"0": ada}}):
        assert [person.id for person in await people(service, value)] == ["1"]
    nothing: tuple[object, ...] = (
        {"person": []},
        {"total": 0, "person": ""},
        {"person": None},
        "",
        [],
        None,
    )
    for nobody in nothing:
        assert await people(service, nobody) == []
    service.answers(service.tree({"generated_in": "0.01", "status": "ok"}))
    async with service.client() as client:
        assert [person async for person in client.people()] == []
        assert len(await client.people_flows()) == 0


@ROWS.row("person in a single-person answer is an object, or a list of one")
async def single(service: "ScriptedService") -> None:
    for value in ({"id": "n"}, [{"id": "n"}], {"person": {"id": "n"}}):
        assert (await added(service, {"status": "ok", "person": value})).id == "n"


@ROWS.row("people/create may answer with only id, and keys not in the document")
async def only_an_id(service: "ScriptedService") -> None:
    ada = Person(id="n", firstname="Ada", lastname="Lovelace", email="ada@x.org")
    for answer in (
        {"status": "ok", "person": {"id": "n", "demographic_id": 4}},
        {"status": "ok", "id": "n"},
    ):
        assert await added(service, answer) == ada


@ROWS.row("JSON is sometimes sent as text/html")
async def as_web_page(service: "ScriptedService") -> None:
    service.answers(service.body(b'{"status": "ok", "people": {"person": [{"id": "1"}]}}'))
    async with service.client() as client:
        assert (await anext(client.people())).id == "1"


@ROWS.row("a failure may arrive with HTTP 200; status may be fail or error")
async def failure_as_success(service: "ScriptedService") -> None:
    for word in ("fail", "error"):
        error = await refused(service, 200, fail(250, word, "Email is <b>wrong</b>"))
        assert (type(error), error.code, error.outcome_unknown) == (InputRefused, 250, False)
        assert error.message.endswith("Email is <b>wrong</b>")
        assert type(await refused(service, 200, fail("500", word))) is ServiceFault


@ROWS.row('HTTP 404 with code 404 on a list means "none", also past the last page')
async def none_match(service: "ScriptedService") -> None:
    service.answers(service.fail(404, "404", "No people match your criteria."))
    async with service.client() as client:
        listing = client.people()
        assert [person async for person in listing] == []
        assert listing.complete
    service.answers(service.people("1", "2"), service.fail(404, 404))
    async with service.client() as client:
        assert len([person async for person in client.people()]) == 2


@ROWS.row("codes 50, 100, 102: not authorised; 121: expired; 250: a parameter")
async def codes(service: "ScriptedService") -> None:
    for code in (50, 100, 102):
        assert type(await refused(service, 401, fail(code))) is NotAuthorised
        assert type(await refused(service, 400, fail(code))) is NotAuthorised
    assert type(await refused(service, 401, fail(121))) is TokenExpired
    assert type(await refused(service, 400, fail(250))) is InputRefused


@ROWS.row("dates carry no zone and are UTC; blank and all zeros occur")
async def dates(service: "ScriptedService") -> None:
    for sent, read in (
        ("2024-05-03 12:30:00", datetime(2024, 5, 3, 12, 30, tzinfo=UTC)),
        ("", None),
        ("0000-00-00 00:00:00", None),
    ):
        (person,) = await people(service, {"person": [{"id": "1", "date_added": sent}]})
        assert person.date_added == read


@ROWS.row("phone numbers are stored as digits and come back reformatted")
async def phones(service: "ScriptedService") -> None:
    for sent in ("5551234567", "(555) 123-4567", 5551234567):
        (person,) = await people(service, {"person": [{"id": "1", "phone": sent}]})
        assert person.phone == str(sent)


@ROWS.row("text fields may hold HTML entities or markup: they stay plain text")
async def markup(service: "ScriptedService") -> None:
    for name in ("O&#39;Brien &amp; Söhne", "<script>alert(1)</script>", "a\r\nb"):
        (person,) = await people(service, {"person": [{"id": "1", "lastname": name}]})
        assert person.lastname == name


@ROWS.row("the admins of a flow or step are bare ids; some operations give {id, role}")
async def admins(service: "ScriptedService") -> None:
    for sent in (["a", "b"], [{"id": "a", "role": "x"}, {"id": "b"}], {"admin": ["a", "b"]}):
        (flow,) = await flows(service, {"id": "f", "admins": sent, "steps": [{"id": "s"}]})
        assert (flow.admins, flow.steps[0].admins) == (("a", "b"), ())


@ROWS.row("an administrator's id may match nobody in the list")
async def nobody_known(service: "ScriptedService") -> None:
    found = await flows(service, {"id": "f", "admins": [], "steps": [{"id": "s", "admins": "x"}]})
    administrators = Administrators(found, lambda _known_as: None)
    (one,) = administrators.of_step(found[0].steps[0])
    assert one.status is AdministratorStatus.NOT_IN_LIST


@ROWS.row("a status that is not blank means pending, and so is every step after a pending one")
async def pending(service: "ScriptedService") -> None:
    steps = [{"id": "1", "status": ""}, {"id": "2", "status": "p"}, {"id": "3", "status": ""}]
    (flow,) = await flows(service, {"id": "f", "steps": steps})
    assert [each.pending for each in read_steps(flow)] == [False, True, True]


@ROWS.row("access of blank means everybody, admin administrators only; no locations mean all")
async def access(service: "ScriptedService") -> None:
    found = await flows(
        service,
        {"id": "1", "access": "", "locations": [], "demographics": ""},
        {"id": "2", "access": "admin", "locations": {"location": [{"id": "here"}]}},
    )
    assert [flow.access for flow in found] == ["", "admin"]
    assert [len(flow.locations) for flow in found] == [0, 1]
    assert [len(flow.demographics) for flow in found] == [0, 0]


@ROWS.row("entry_point of y: people may join here; if no step has it, at any step")
async def entry_points(service: "ScriptedService") -> None:
    steps = [{"id": "1"}, {"id": "2", "entry_point": "y"}]
    one, other = await flows(service, {"id": "1", "steps": steps}, {"id": "2", "steps": steps[:1]})
    assert [people_join_anywhere(flow) for flow in (one, other)] == [False, True]


@ROWS.row("in XML a person has attributes and child elements; an empty result may be <rsp .../>")
async def xml(service: "ScriptedService") -> None:
    ada = (
        b'<rsp status="ok"><people><total>1</total><person id="1" admin="1" archived="0">'
        b"<firstname>Ada</firstname><lastname/></person></people></rsp>"
    )
    nobody = b'<rsp generated_in="0.01" status="ok"/>'
    service.answers(service.body(ada, media="text/xml"), service.body(nobody))
    async with ServiceClient(service.base_url, ApiKey("k"), "xml") as client:
        (person,) = [person async for person in client.people()]
        assert (person.id, person.firstname, person.lastname) == ("1", "Ada", "")
        assert (person.admin, person.archived, person.volunteer) == (True, False, None)
        assert [person async for person in client.people()] == []
        assert len(await client.people_flows()) == 0


@ROWS.row("in XML people may stand in the root itself, without an element around them")
async def xml_without_a_page(service: "ScriptedService") -> None:
    two = b'<rsp status="ok"><person id="1"/><person id="2"/></rsp>'
    service.answers(service.body(two, media="text/xml"))
    async with ServiceClient(service.base_url, ApiKey("k"), "xml") as client:
        assert [person.id async for person in client.people()] == ["1", "2"]


@pytest.mark.parametrize("words", ROWS)
async def test_an_answer_seen_in_the_field_is_understood(
    service: "ScriptedService", words: str
) -> None:
    await ROWS[words](service)
