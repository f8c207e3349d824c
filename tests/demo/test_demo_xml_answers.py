"""Answers in XML, read by a parser and held against the JSON of the same account."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

import httpx
import pytest
from defusedxml import ElementTree
from hypothesis import example, given
from hypothesis import strategies as st

from app.demo.formats import xml
from app.demo.formats.writers import CachedValue
from tests.any_character import ANY_CHARACTER

PEOPLE = "/v1/people/getAll.xml"
Serve = Callable[..., httpx.Client]

LISTS = {"person": "", "people_flow": "", "steps": "step", "admins": "admin"}
LISTS |= {"locations": "location", "demographics": "demographic"}
COUNTS = {"on_this_page", "page", "per_page", "total", "code"}
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(response: httpx.Response) -> Element:
    assert response.headers["content-type"] == "application/xml; charset=utf-8"
    root: Element = ElementTree.fromstring(response.content)
    assert root.tag == "rsp"
    assert float(root.attrib["generated_in"]) >= 0
    assert set(root.attrib) == {"generated_in", "status"}
    return root


def tree(element: Element) -> Any:
    """What an element says, in the shape that the JSON has it."""
    if element.tag in {"admin", "location", "demographic"} and not len(element):
        return element.text
    if len(element) or element.attrib:
        return {**element.attrib, **children(element)}
    return element.text or ""


def children(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for child in element:
        if child.tag in {"person", "people_flow"}:
            found.setdefault(child.tag, []).append(tree(child))
        elif child.tag in LISTS:
            assert {inner.tag for inner in child} <= {LISTS[child.tag]}
            assert child.tag not in found
            found[child.tag] = [tree(inner) for inner in child]
        else:
            assert child.tag not in found
            text = tree(child)
            found[child.tag] = int(text) if child.tag in COUNTS else text
    return found


def test_a_page_is_an_element_that_repeats_its_people(client: httpx.Client) -> None:
    root = read(client.get(f"{PEOPLE}?page=5"))

    (page,) = root
    assert root.attrib["status"] == "ok"
    assert page.tag == "people"
    assert [child.tag for child in page][:4] == ["on_this_page", "page", "per_page", "total"]
    assert [child.text for child in page][:4] == ["40", "5", "50", "240"]
    assert {child.tag for child in page[4:]} == {"person"}
    assert len(page) == 4 + 40


def test_a_persons_id_and_flags_are_attributes_and_the_rest_child_elements(
    client: httpx.Client,
) -> None:
    person = read(client.get(PEOPLE)).find("people/person")

    assert person is not None
    assert set(person.attrib) == {"id", "admin", "archived", "volunteer"}
    assert [child.tag for child in person] == [
        *("date_added", "date_modified", "firstname", "lastname", "email", "phone", "mobile"),
    ]
    assert not any(child.attrib for child in person)


def test_everybody_is_in_the_xml_as_in_the_json(client: httpx.Client) -> None:
    for query in ("page_size=240", "page_size=240&fields=country,timezone", "archived=yes"):
        as_json = client.get(f"/v1/people/getAll.json?{query}").json()["people"]
        assert children(read(client.get(f"{PEOPLE}?{query}"))) == {"people": as_json}


def test_what_is_asked_for_by_fields_stands_in_elements_behind_the_rest(
    client: httpx.Client,
) -> None:
    usual = read(client.get(PEOPLE)).find("people/person")
    person = read(client.get(f"{PEOPLE}?fields=country")).find("people/person")
    assert usual is not None
    assert person is not None
    assert set(person.attrib) == set(usual.attrib)
    assert [child.tag for child in person] == [*(child.tag for child in usual), "country"]


@pytest.mark.parametrize("nested_steps", [False, True])
def test_every_flow_is_in_the_xml_as_in_the_json(serve: Serve, nested_steps: bool) -> None:
    client = serve(nested_steps=nested_steps)
    as_json = client.post("/v1/peopleFlows/getAll.json").json()["people_flows"]
    root = read(client.post("/v1/peopleFlows/getAll.xml"))
    assert children(root) == {"people_flows": as_json}
    assert not any(element.attrib for element in root.iter() if element is not root)
    assert len(root.findall("people_flows/people_flow")) == 9
    assert root.find("people_flows/people_flow/steps/step/admins/admin") is not None


def test_the_person_who_was_created_is_one_element(client: httpx.Client) -> None:
    sent = {"firstname": 'Zoë & Co <b>"so"</b>', "lastname": " a\r\nb\rc\td ", "email": "]]>"}
    root = read(client.post("/v1/people/create.xml", json=sent))
    (person,) = root
    assert tree(person).items() >= sent.items()


@pytest.mark.parametrize(
    ("call", "status", "code", "message"),
    [
        (f"GET {PEOPLE}?page=99", 404, "404", "No people match your criteria."),
        (f"GET {PEOPLE}?page=0", 400, "250", None),
        ("POST /v1/people/create.xml", 400, "250", "No search parameters provided."),
        (f"PUT {PEOPLE}", 404, "404", None),
        ("GET /v1/people/create.xml", 404, "404", None),
        ("GET /v1/nothing/here.xml", 404, "404", None),
    ],
)
def test_a_failure_is_an_error_with_its_code_and_message(
    client: httpx.Client, call: str, status: int, code: str, message: str | None
) -> None:
    response = client.request(*call.split(" "))
    root = read(response)
    (error,) = root
    assert response.status_code == status
    assert root.attrib["status"] == "fail"
    assert (error.tag, error.attrib) == ("error", {"code": code})
    assert [child.tag for child in error] == ["message"]
    assert error[0].text
    assert message is None or error[0].text == message


def test_no_key_fails_in_xml_in_the_words_of_the_contract(client: httpx.Client) -> None:
    response = client.get(PEOPLE, auth=("wrong", ""))
    assert response.status_code == 401
    assert re.sub(rb' generated_in="[0-9.]+"', b"", response.content) == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<rsp status="fail">'
        b'<error code="102"><message>Invalid API Key.</message></error></rsp>'
    )


@given(text=st.text(ANY_CHARACTER))
@example(text="\0\x01\b\x0b\x0c\x1f\x7f\x85\u2028\ufffe\uffff\U0001fffe")
@example(text=" \r\n\t&amp;<![CDATA[x]]><!-- \" ' -->\r")
def test_any_text_is_read_back_with_a_mark_for_what_xml_cannot_hold(text: str) -> None:
    person = {"id": text, "firstname": text, "admin": "0"}
    read_back = ElementTree.fromstring(xml.fragment("person", person))
    expected = NO_XML.sub("\ufffd", text)
    assert read_back.attrib["id"] == expected
    assert (read_back[0].text or "") == expected


def test_a_value_that_stands_is_written_once_for_each_format() -> None:
    standing = CachedValue("people_flows", {"people_flow": [{"name": "Newcomers"}]})
    for name in ("json", "xml", "php"):
        assert standing.fragment(name) is standing.fragment(name)
    assert standing.fragment("xml") == (
        b"<people_flows><people_flow><name>Newcomers</name></people_flow></people_flows>"
    )
