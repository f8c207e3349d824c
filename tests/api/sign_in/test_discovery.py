"""Who is at an address: a plain no is a no, everything else may be a service that hides."""

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from app.accounts.service_connector import AddressCheck
from app.api.requests import Limits
from app.api.sign_in.discovery import (
    Presence,
    has_no_page,
    presence_at,
    shorter_address,
    shorter_addresses,
)
from app.api.sign_in.oauth import AuthorisationRequest, WebAuthorisationRequest
from app.demo.server import DemoServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.api.conftest import Act, Asked, ScriptedService

PAGE = b"<!DOCTYPE html><html><body>Welcome to our church</body></html>"
HERE, NOT, OPEN = Presence.SERVICE, Presence.SOMETHING_ELSE, Presence.UNKNOWN
QUICK = Limits(deadline=1.0, tries=1)


def fail(code: object, message: str = "No.") -> bytes:
    error = {"code": code, "message": message}
    return json.dumps({"generated_in": "0.1", "status": "fail", "error": error}).encode()


def by_path(acts: "Mapping[str, Act]", otherwise: "Act") -> "Act":
    """Answers each path in its own way."""

    async def act(asked: "Asked", writer: asyncio.StreamWriter) -> None:
        await acts.get(asked.path, otherwise)(asked, writer)

    return act


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    server = DemoServer()
    yield server.start().base_url
    server.stop()


@pytest.mark.parametrize(
    ("status", "body", "presence"),
    [
        (401, fail(102), HERE),
        (401, fail("121"), HERE),
        (200, fail(50), HERE),
        (404, fail(404, "No people match your criteria."), HERE),
        (404, fail(404, "The requested method does not exist."), NOT),
        (404, b'{"code":404,"message":"Not Found"}', NOT),
        (404, PAGE, NOT),
        (404, b"", NOT),
        (410, PAGE, NOT),
        (200, PAGE, NOT),
        (200, b'{"status":"ok"}', NOT),
        (200, b"[]", NOT),
        (401, b'{"code":401,"message":"Unauthorized"}', OPEN),
        (401, PAGE, OPEN),
        (403, PAGE, OPEN),
        (400, fail(250), OPEN),
        (302, b"", OPEN),
        (429, b"", OPEN),
        (500, PAGE, OPEN),
        (511, PAGE, OPEN),
        (200, b'{"status": "ok", "people": {', OPEN),
    ],
)
async def test_only_a_plain_no_is_a_no(
    service: "ScriptedService", status: int, body: bytes, presence: Presence
) -> None:
    service.answers(service.body(body, status))
    assert await presence_at(service.base_url, limits=QUICK) is presence
    assert len(service.asked) == 1
    assert "authorization" not in service.asked[0].headers
    assert service.asked[0].path == "/v1/people/getAll.json"


async def test_nobody_there_and_nothing_in_time_leave_it_open(service: "ScriptedService") -> None:
    assert await presence_at("http://127.0.0.1:1", limits=QUICK) is OPEN
    service.answers(service.silence())
    assert await presence_at(service.base_url, limits=Limits(deadline=0.1, tries=1)) is OPEN


@pytest.mark.parametrize(
    ("address", "shorter"),
    [
        ("https://x.org", []),
        ("https://x.org:8443/", []),
        ("https://x.org/a", ["https://x.org"]),
        ("http://[::1]:8/a/b", ["http://[::1]:8/a", "http://[::1]:8"]),
        (
            "https://x.org/a/b/c/d/e/f",
            [f"https://x.org{path}" for path in ("/a/b/c/d/e", "/a/b/c/d", "/a/b/c", "")],
        ),
    ],
)
def test_what_is_tried_has_less_behind_it_and_never_another_origin(
    address: str, shorter: list[str]
) -> None:
    assert list(shorter_addresses(address)) == shorter


@pytest.mark.parametrize("path", ["/people", "/people/list.html", "/wp-admin/index.php"])
async def test_the_service_is_found_where_a_page_of_it_was_pasted(demo: str, path: str) -> None:
    assert await presence_at(demo + path, limits=QUICK) is NOT
    assert await shorter_address(demo + path, limits=QUICK) == demo
    assert await presence_at(demo, limits=QUICK) is HERE


async def test_a_stranger_is_not_offered(service: "ScriptedService") -> None:
    service.answers(service.body(PAGE, 404))
    assert await shorter_address(f"{service.base_url}/a/b", limits=QUICK) is None
    assert sorted(asked.path for asked in service.asked) == [
        "/a/v1/people/getAll.json",
        "/v1/people/getAll.json",
    ]
    assert not any("authorization" in asked.headers for asked in service.asked)


@pytest.mark.parametrize(
    ("status", "body", "media", "none"),
    [
        (404, PAGE, "text/html", True),
        (404, b'{"code":404,"message":"Not Found"}', "application/json", True),
        (200, b'{"status":"ok"}', "application/json", True),
        (200, b' {"status":"ok"}', "text/html", True),
        (200, b"ok", "text/plain", True),
        (200, PAGE, "text/html", False),
        (200, PAGE, "", False),
        (302, b"", "", False),
        (400, b"{}", "application/json", False),
        (401, PAGE, "text/html", False),
        (500, b"{}", "application/json", False),
    ],
)
async def test_a_page_may_be_there_unless_something_else_certainly_is(
    service: "ScriptedService", status: int, body: bytes, media: str, *, none: bool
) -> None:
    at = {"/our/oauth": service.body(body, status, media)}
    service.answers(by_path(at, service.body(b"Not here", 404)))
    request = AuthorisationRequest(f"{service.base_url}/our", "c", "http://127.0.0.1:1/x")
    assert await has_no_page(request, limits=QUICK) is none
    asked = {each.path: each.parameters for each in service.asked}
    assert set(asked) == {"/our/oauth", "/our/v1/people/getAll.json"}
    assert asked["/our/oauth"]["type"] == ["user_agent"]


async def test_a_site_that_shows_one_page_for_everything_has_none_to_sign_in_on(
    service: "ScriptedService",
) -> None:
    request = AuthorisationRequest(service.base_url, "c", "http://127.0.0.1:1/x")
    service.answers(service.body(PAGE))
    assert await has_no_page(request, limits=QUICK)
    service.answers(by_path({"/oauth": service.body(PAGE + b"Sign in")}, service.body(PAGE)))
    assert not await has_no_page(request, limits=QUICK)


async def test_looking_for_the_page_spends_no_state(service: "ScriptedService") -> None:
    service.answers(by_path({"/oauth": service.body(PAGE + b"Sign in")}, service.body(PAGE)))
    request = WebAuthorisationRequest(service.base_url, "c", "http://127.0.0.1:1/x")
    assert not await has_no_page(request, limits=QUICK)
    (asked,) = [each for each in service.asked if each.path == "/oauth"]
    assert set(asked.parameters) == {"type", "client_id", "redirect_uri", "scope"}


@pytest.mark.parametrize(
    ("status", "body", "media"),
    [
        (404, b'{"code":404,"message":"Not Found"}', "application/json"),
        (200, b'{"status":"ok"}', "application/json"),
        (404, PAGE, "text/html"),
        (200, PAGE, "text/html"),
    ],
)
async def test_a_stranger_is_told_before_its_page_is_shown(
    service: "ScriptedService", status: int, body: bytes, media: str
) -> None:
    service.answers(service.body(body, status, media))
    request = AuthorisationRequest(service.base_url, "c", "http://127.0.0.1:1/x")
    assert await AddressCheck().before_page(request) == ""


async def test_a_service_that_hides_its_operations_is_still_shown_by_its_page(
    service: "ScriptedService",
) -> None:
    for hidden in (service.body(PAGE, 404), service.body(b"{}", 404), service.body(PAGE, 403)):
        service.answers(by_path({"/oauth": service.body(PAGE + b"Sign in")}, hidden))
        request = AuthorisationRequest(service.base_url, "c", "http://127.0.0.1:1/x")
        assert await AddressCheck().before_page(request) is None
