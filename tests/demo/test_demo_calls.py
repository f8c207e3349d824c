"""Creating people, listing flows, and the envelope around every call that goes wrong."""

import base64
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.demo import operations
from app.demo.credentials import API_KEY, IssuedTokens, Permission
from app.demo.faults import FaultMiddleware
from app.demo.parameters import HEAVIEST_BODY
from tests.loopback import NO_CERTIFICATES

CREATE = "/v1/people/create.json"
PEOPLE = "/v1/people/getAll.json"
FLOWS = "/v1/peopleFlows/getAll.json"
Serve = Callable[..., httpx.Client]
AWKWARD = 'Zoë & Co + 100% "so"\r\n\tłø <b>=</b>; 😀'


def error_of(response: httpx.Response) -> tuple[int, int]:
    content = response.json()
    assert content["status"] == "fail"
    assert float(content["generated_in"]) >= 0
    assert content["error"]["message"]
    return response.status_code, content["error"]["code"]


@pytest.mark.parametrize(
    "send",
    [
        lambda client, person: client.post(CREATE, json=person),
        lambda client, person: client.post(CREATE, data=person),
        lambda client, person: client.post(CREATE, params=person),
        lambda client, person: client.post(
            CREATE, files={name: (None, value.encode()) for name, value in person.items()}
        ),
        lambda client, person: client.post(
            CREATE,
            content=json.dumps(person),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        ),
    ],
    ids=["JSON", "form", "query", "form in parts", "JSON labelled as a form"],
)
def test_a_person_is_created_exactly_as_sent_and_then_listed(
    client: httpx.Client, send: Callable[[httpx.Client, dict[str, str]], httpx.Response]
) -> None:
    sent = {"firstname": AWKWARD, "lastname": "van der Berg", "email": "zoe+1@example.org"}

    created: dict[str, Any] = send(client, sent).json()["person"]

    assert created.items() >= sent.items()
    assert (created["admin"], created["archived"], created["volunteer"]) == ("0", "0", "0")
    assert created["date_added"] == created["date_modified"]
    last = client.get(PEOPLE, params={"page": 5}).json()["people"]
    assert last["total"] == 241
    assert last["person"][-1] == created


def test_the_same_person_sent_twice_is_two_people(client: httpx.Client) -> None:
    sent = {"firstname": "Ada", "lastname": "Lovelace", "email": ""}
    ids = {client.post(CREATE, json=sent).json()["person"]["id"] for _ in range(2)}
    assert len(ids) == 2


@pytest.mark.parametrize("person", [{"firstname": "Ada"}, {"lastname": "Lovelace", "email": None}])
def test_one_name_is_enough_and_what_is_missing_is_blank(
    client: httpx.Client, person: dict[str, str]
) -> None:
    created = client.post(CREATE, json=person).json()["person"]
    assert created["email"] == ""


@pytest.mark.parametrize(
    "person", [{}, {"firstname": " ", "lastname": "\t", "email": "a@b.example"}]
)
def test_a_person_without_any_name_is_refused(client: httpx.Client, person: dict[str, str]) -> None:
    assert error_of(client.post(CREATE, json=person)) == (400, 250)


@pytest.mark.parametrize(
    "body",
    [
        b'{"firstname": "Ada"',
        b'{"firstname": NaN}',
        b'{"firstname": 5}',
        b'{"firstname": ["Ada"]}',
        b'{"firstname": {"a": "b"}}',
        b'{"firstname": "\\ud800"}',
        b'["Ada"]',
        b'"Ada"',
        b'{"firstname": "\xff"}',
        b'{"a":' * 100_000,
    ],
    ids=lambda body: body[:24].decode("latin-1"),
)
def test_a_body_that_is_not_what_it_should_be_is_code_250(
    client: httpx.Client, body: bytes
) -> None:
    response = client.post(CREATE, content=body, headers={"Content-Type": "application/json"})
    assert error_of(response) == (400, 250)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", b"firstname=%ff"),
        ("multipart/form-data", b"firstname=Ada"),
        ("multipart/form-data; boundary=x", b"nothing of the kind"),
        ("image/png", b"firstname=Ada"),
    ],
)
def test_a_form_that_cannot_be_read_is_code_250(
    client: httpx.Client, kind: str, body: bytes
) -> None:
    response = client.post(CREATE, content=body, headers={"Content-Type": kind})
    assert error_of(response) == (400, 250)


def test_a_body_too_heavy_to_be_a_person_is_refused(client: httpx.Client) -> None:
    heavy = json.dumps({"firstname": "a" * HEAVIEST_BODY})
    assert error_of(client.post(CREATE, content=heavy)) == (400, 250)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/people/nothing.json"),
        ("GET", "/v1/people/getAll.pdf"),
        ("GET", "/v1/people/getAll"),
        ("GET", "/v1/"),
        ("GET", "/v1"),
        ("GET", "/"),
        ("PUT", PEOPLE),
        ("DELETE", PEOPLE),
        ("OPTIONS", PEOPLE),
        ("GET", CREATE),
        ("GET", FLOWS),
        ("GET", "/v1/people/getAll.json/"),
    ],
)
def test_what_the_service_does_not_have_is_404_in_the_envelope(
    client: httpx.Client, method: str, path: str
) -> None:
    assert error_of(client.request(method, path)) == (404, 404)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "Basic bm9ib2R5Og==",
        "Basic ***",
        "Bearer",
        "Bearer ÿ",
        f"Bearer {API_KEY}",
        f"Digest {API_KEY}",
    ],
)
def test_without_good_credentials_a_call_is_401_with_code_102(
    client: httpx.Client, sent: str | None
) -> None:
    headers = [] if sent is None else [(b"Authorization", sent.encode("latin-1"))]
    with httpx.Client(
        base_url=client.base_url, trust_env=False, verify=NO_CERTIFICATES
    ) as stranger:
        response = stranger.get(PEOPLE, headers=headers)
    assert error_of(response) == (401, 102)
    assert response.headers["WWW-Authenticate"].startswith("Basic")


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer x"}, {"Authorization": "Basic x"}])
def test_no_good_credentials_are_told_in_the_words_of_the_contract(
    client: httpx.Client, sent: dict[str, str]
) -> None:
    with httpx.Client(
        base_url=client.base_url, trust_env=False, verify=NO_CERTIFICATES
    ) as stranger:
        error = stranger.get(PEOPLE, headers=sent).json()["error"]
    assert error == {"code": 102, "message": "Invalid API Key."}


@pytest.mark.parametrize("padding", ["all", "none", "too much"])
def test_the_password_beside_the_key_is_not_checked(client: httpx.Client, padding: str) -> None:
    in_utf_8, in_latin_1 = (":Grüße".encode(encoding) for encoding in ("utf-8", "latin-1"))
    rests = (b"", b":", b":x", b":anything: at all", b"::::", in_utf_8, in_latin_1, b":\xff\0")
    with httpx.Client(base_url=client.base_url, trust_env=False, verify=NO_CERTIFICATES) as caller:
        for rest in (*rests, b":" + bytes(range(256))):
            padded = base64.b64encode(API_KEY.encode() + rest).decode()
            sent = {"all": padded, "none": padded.rstrip("="), "too much": f"{padded}="}[padding]
            answer = caller.get(PEOPLE, headers={"Authorization": f"Basic {sent}"})
            assert answer.status_code == 200, rest


def bearer(*permissions: Permission, age: float = 0) -> httpx.Client:
    tokens = IssuedTokens(60, lambda: time.time() - age)
    token = tokens.issue(permissions)
    return httpx.Client(
        headers={"Authorization": f"Bearer {token}"}, trust_env=False, verify=NO_CERTIFICATES
    )


def test_an_access_token_permits_what_it_was_issued_for(client: httpx.Client) -> None:
    with bearer(Permission.MANAGE_PEOPLE) as caller:
        assert caller.get(client.base_url.join(PEOPLE)).status_code == 200
        assert caller.post(client.base_url.join(FLOWS)).status_code == 200


def test_an_access_token_without_people_may_not_use_people_or_flows(client: httpx.Client) -> None:
    with bearer(Permission.MANAGE_SONGS, Permission.ADMINISTER_ACCOUNT) as caller:
        for method, path in (("GET", PEOPLE), ("POST", CREATE), ("POST", FLOWS)):
            response = caller.request(method, client.base_url.join(path))
            assert error_of(response) == (401, 100)
            assert "ManagePeople" in response.text


def test_an_access_token_past_its_time_is_code_121(client: httpx.Client) -> None:
    with bearer(Permission.MANAGE_PEOPLE, age=61) as caller:
        response = caller.get(client.base_url.join(PEOPLE))
    assert error_of(response) == (401, 121)
    assert "expired" in response.json()["error"]["message"]


@pytest.mark.logs_errors
def test_a_defect_is_500_in_the_words_of_the_contract(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    operation = operations.Operation(frozenset({"GET"}), Permission.MANAGE_PEOPLE, broken)  # type: ignore[arg-type]  # broken on purpose
    monkeypatch.setitem(operations.OPERATIONS, "people/getAll", operation)

    response = client.get(PEOPLE)

    assert error_of(response) == (500, 500)
    assert response.json()["error"]["message"] == (
        "Sorry, we've run into a problem. Please try again or contact support."
    )


def test_every_flow_stands_on_one_page(serve: Serve) -> None:
    found = serve(flows=1200).post(FLOWS).json()["people_flows"]
    assert found["on_this_page"] == found["total"] == len(found["people_flow"]) == 1200
    assert found["page"] == 1
    assert found["per_page"] >= 1200


def test_flows_and_steps_have_the_fields_of_the_contract(client: httpx.Client) -> None:
    found = client.post(FLOWS).json()["people_flows"]["people_flow"]
    assert {frozenset(flow) for flow in found} == {
        frozenset(
            {"id", "name", "status", "access", "steps", "admins", "locations", "demographics"}
        )
    }
    assert {frozenset(step) for flow in found for step in flow["steps"]} == {
        frozenset({"id", "name", "status", "entry_point", "steps", "admins"})
    }


@pytest.mark.logs_errors
def test_a_defect_outside_of_the_calls_is_500_in_the_envelope_too(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FaultMiddleware, "_draw", None)
    assert error_of(client.get(PEOPLE)) == (500, 500)
    assert client.get("/v1/people/getAll.xml").text.startswith("<?xml")


def test_thousands_of_flows_stand_on_one_page_in_every_format(serve: Serve) -> None:
    client = serve(flows=2_000)
    client.timeout = httpx.Timeout(60)  # five seconds are few where the machine has other work
    marks = {"json": b'"access":', "xml": b"</people_flow>", "php": b's:6:"access";'}
    for format_name, mark in marks.items():
        first, second = (client.post(f"/v1/peopleFlows/getAll.{format_name}") for _ in range(2))
        assert first.status_code == second.status_code == 200
        assert first.content.count(mark) == 2_000
        assert first.content[-1_000_000:] == second.content[-1_000_000:]


def test_an_account_without_flows_says_none_match(serve: Serve) -> None:
    response = serve(flows=0).post(FLOWS)
    assert error_of(response) == (404, 404)
    assert "people flows" in response.json()["error"]["message"]
