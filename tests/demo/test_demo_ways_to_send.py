"""The three ways to send: any text arrives as it was, and what cannot be read is code 250."""

import json
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.any_character import ANY_CHARACTER

CREATE = "/v1/people/create.json"
PEOPLE = "/v1/people/getAll.json"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
Person = dict[str, str]
Send = Callable[[httpx.Client, Person], httpx.Response]


def raw(content_type: str | None, write: Callable[[Person], bytes | str]) -> Send:
    """Send what `write` makes of a person, under this content type."""
    headers = {} if content_type is None else {"Content-Type": content_type}

    def send(client: httpx.Client, person: Person) -> httpx.Response:
        body = write(person)
        content = body.encode() if isinstance(body, str) else body
        return client.post(CREATE, content=content, headers=headers)

    return send


def escaped(person: Person) -> str:
    return "&".join(
        f"{name}={''.join(f'%{byte:02x}' for byte in text.encode())}"
        for name, text in person.items()
    )


WAYS: dict[str, Send] = {
    "JSON": lambda client, person: client.post(CREATE, json=person),
    "JSON in escapes": raw(JSON, json.dumps),
    "JSON in letters": raw(JSON, lambda person: json.dumps(person, ensure_ascii=False)),
    "JSON with a mark in front": raw(
        JSON, lambda person: b"\xef\xbb\xbf" + json.dumps(person).encode()
    ),
    "JSON of another name": raw("text/x.JSON ; charset=UTF-8", json.dumps),
    "JSON as a form": raw(FORM, json.dumps),
    "JSON as plain text": raw('text/plain;charset="utf-8"', json.dumps),
    "JSON as nothing": raw(None, json.dumps),
    "form": raw(FORM, urlencode),
    "form with %20": raw(FORM, lambda person: urlencode(person, quote_via=quote)),
    "form with every byte escaped": raw(FORM, escaped),
    "form with a charset": raw(f"{FORM.title()}; charset=utf8", urlencode),
    "form as plain text": raw("text/plain", urlencode),
    "form as nothing": raw(None, urlencode),
    "form with brackets": raw(
        FORM, lambda person: urlencode({f"{name}[]": text for name, text in person.items()})
    ),
    "query": lambda client, person: client.post(f"{CREATE}?{urlencode(person)}"),
    "query with %20": lambda client, person: client.post(
        f"{CREATE}?{urlencode(person, quote_via=quote)}"
    ),
    "half in the query": lambda client, person: client.post(
        f"{CREATE}?{urlencode({'firstname': person['firstname'], 'lastname': 'not this'})}",
        json={"lastname": person["lastname"], "email": person["email"]},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_any_text_arrives_as_it_was_sent(client: httpx.Client, way: str) -> None:
    @given(st.text(ANY_CHARACTER), st.text(ANY_CHARACTER), st.text(ANY_CHARACTER))
    @example("&=+%;#?/\\\"'<>%41%zz", "a\r\nb\rc\nd\te ", "\0\x7f\x85\u2028\ufeff😀é\u0301")
    def arrives(firstname: str, lastname: str, email: str) -> None:
        person = {"firstname": f"A{firstname}", "lastname": lastname, "email": email}
        created: dict[str, Any] = WAYS[way](client, person).json()["person"]
        assert created.items() >= person.items()

    arrives()


def test_any_text_arrives_in_a_form_of_parts(client: httpx.Client) -> None:
    for text in ("Zoë & Co + 100%", "a\r\nb\r\n", "--boundary--", "😀\0", ""):
        parts = {"firstname": (None, f"A{text}".encode()), "email": (None, text.encode())}
        created = client.post(CREATE, files=parts).json()["person"]
        assert (created["firstname"], created["email"]) == (f"A{text}", text)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (JSON, b'{"firstname": "Zo\xeb"}'),
        (JSON, '{"firstname": "Ada"}'.encode("utf-16")),
        (f"{JSON}; charset=iso-8859-1", b'{"firstname": "Ada"}'),
        (JSON, b'{"firstname": "A\nda"}'),
        (JSON, b"{'firstname': 'Ada'}"),
        (JSON, b'{"firstname": "\\udc00"}'),
        (FORM, b"firstname=Zo\xeb"),
        (FORM, b"firstname=Zo%eb"),
        (FORM, b"firstname=%ed%a0%80"),
        (f"{FORM}; charset=windows-1252", b"firstname=Ada"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="firstname"\r\n\r\nZo\xeb\r\n--x--\r\n',
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nA\r\n--x--\r\n',
        ),
    ],
)
def test_what_is_no_utf_8_or_no_text_is_code_250_and_nobody_is_added(
    client: httpx.Client, content_type: str, body: bytes
) -> None:
    response = client.post(CREATE, content=body, headers={"Content-Type": content_type})
    assert (response.status_code, response.json()["error"]["code"]) == (400, 250)
    assert client.get(PEOPLE).json()["people"]["total"] == 240


def test_a_query_that_is_not_encoded_in_utf_8_is_code_250(client: httpx.Client) -> None:
    assert client.post(f"{CREATE}?firstname=Zo%eb").json()["error"]["code"] == 250


def test_a_call_that_needs_something_and_gets_nothing_is_told_in_the_words_of_the_contract(
    client: httpx.Client,
) -> None:
    for body in (b"", b"{}", b" \r\n"):
        error = client.post(CREATE, content=body, headers={"Content-Type": JSON}).json()["error"]
        assert error == {"code": 250, "message": "No search parameters provided."}


def test_the_body_of_a_get_means_nothing(client: httpx.Client) -> None:
    for body in (b'{"page": 2}', b"page=2", b"\xff"):
        response = client.request("GET", PEOPLE, content=body)
        assert response.json()["people"]["page"] == 1


def test_flows_need_nothing_and_mind_nothing(client: httpx.Client) -> None:
    path = "/v1/peopleFlows/getAll.json"
    answers = [
        client.post(path),
        client.post(path, json={}),
        client.post(path, json={"page": 99, "anything": [1]}),
        client.post(path, data={"page_size": "x"}),
        client.post(f"{path}?page=2"),
    ]
    assert [answer.json()["people_flows"]["total"] for answer in answers] == [9] * 5


def test_null_in_json_is_nothing(client: httpx.Client) -> None:
    sent = {"page": None, "page_size": None, "fields": None, "archived": None}
    assert client.post(PEOPLE, json=sent).json()["people"] == client.get(PEOPLE).json()["people"]


@pytest.mark.parametrize(
    "sent",
    [
        *({"fields": [None]}, {"fields": {}}, {"fields": False}, {"fields": "<b>"}),
        *({"page": 10**18}, {"page": 1.5}, {"page": ""}, {"archived": ""}, {"archived": 2}),
    ],
    ids=str,
)
def test_what_makes_no_sense_in_json_is_code_250(
    client: httpx.Client, sent: dict[str, object]
) -> None:
    response = client.post(PEOPLE, json=sent)
    assert (response.status_code, response.json()["error"]["code"]) == (400, 250)


@pytest.mark.parametrize("line", [b"GET /v1/\xe9 HTTP/1.1", b"NO HTTP", b"GET  / HTTP/1.1"])
def test_what_is_no_http_is_400_in_the_envelope_too(client: httpx.Client, line: bytes) -> None:
    host, port = str(client.base_url.host), client.base_url.port
    with socket.create_connection((host, port or 0), 5) as caller:
        caller.sendall(line + b"\r\nHost: x\r\n\r\n")
        with caller.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"]["code"] == 250
