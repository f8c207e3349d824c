"""The one envelope: what is in every answer, in each format, and nothing beside it."""

import re
from collections.abc import Callable

import httpx
import pytest
from defusedxml import ElementTree

from app.demo.formats.writers import FORMATS

SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?")
Ask = Callable[[httpx.Client, str], httpx.Response]

SUCCESSES: dict[str, Ask] = {
    "people": lambda client, name: client.get(f"/v1/people/getAll.{name}"),
    "person": lambda client, name: client.post(
        f"/v1/people/create.{name}", data={"firstname": "Ada"}
    ),
    "people_flows": lambda client, name: client.post(f"/v1/peopleFlows/getAll.{name}"),
}
FAILURES: dict[int, Ask] = {
    400: lambda client, name: client.get(f"/v1/people/getAll.{name}?page=0"),
    401: lambda client, name: client.get(f"/v1/people/getAll.{name}", auth=("wrong", "")),
    404: lambda client, name: client.get(f"/v1/people/getAll.{name}?page=99"),
}


@pytest.mark.parametrize("key", SUCCESSES)
def test_a_success_is_the_time_the_status_and_the_result(client: httpx.Client, key: str) -> None:
    response = SUCCESSES[key](client, "json")
    envelope = response.json()
    assert (response.status_code, envelope["status"]) == (200, "ok")
    assert set(envelope) == {"generated_in", "status", key}
    assert isinstance(envelope[key], dict)
    assert isinstance(envelope["generated_in"], str)
    assert SECONDS.fullmatch(envelope["generated_in"])


@pytest.mark.parametrize("status", FAILURES)
def test_a_failure_is_the_time_the_status_and_the_error(client: httpx.Client, status: int) -> None:
    response = FAILURES[status](client, "json")
    envelope = response.json()
    assert (response.status_code, envelope["status"]) == (status, "fail")
    assert set(envelope) == {"generated_in", "status", "error"}
    assert set(envelope["error"]) == {"code", "message"}
    assert [type(value) for value in envelope["error"].values()] == [int, str]
    assert isinstance(envelope["generated_in"], str)
    assert SECONDS.fullmatch(envelope["generated_in"])


@pytest.mark.parametrize("ask", [*SUCCESSES.values(), *FAILURES.values()])
def test_in_xml_time_and_status_are_all_that_stands_at_the_root(
    client: httpx.Client, ask: Ask
) -> None:
    response = ask(client, "xml")
    root = ElementTree.fromstring(response.content)
    assert root.tag == "rsp"
    assert set(root.attrib) == {"generated_in", "status"}
    assert SECONDS.fullmatch(root.attrib["generated_in"])
    assert root.attrib["status"] == ("ok" if response.status_code == 200 else "fail")
    assert len(root) == 1


@pytest.mark.parametrize("ask", [*SUCCESSES.values(), *FAILURES.values()])
def test_in_php_the_time_is_text_and_stands_before_the_status(
    client: httpx.Client, ask: Ask
) -> None:
    response = ask(client, "php")
    status = b"ok" if response.status_code == 200 else b"fail"
    head = rb'O:8:"stdClass":3:\{s:12:"generated_in";s:\d+:"[0-9.]+";s:6:"status";s:%d:"%b";'
    assert re.match(head % (len(status), status), response.content)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("ask", [*SUCCESSES.values(), *FAILURES.values()])
def test_the_address_alone_chooses_the_format(client: httpx.Client, name: str, ask: Ask) -> None:
    client.headers["Accept"] = "text/html"
    response = ask(client, name)
    beginning = {"json": b"{", "xml": b"<?xml", "php": b"O:8:"}[name]
    assert response.content.startswith(beginning)
    assert response.headers["content-type"] == FORMATS[name].media_type


def test_a_parameter_the_service_does_not_know_changes_nothing(client: httpx.Client) -> None:
    plain = SUCCESSES["people"](client, "json").json()
    odd = client.get("/v1/people/getAll.json?category_id=7&suspended=no&x[]=1").json()
    assert odd["people"] == plain["people"]
