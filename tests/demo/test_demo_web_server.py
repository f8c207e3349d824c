"""The web_server flow of the demo service: a code in the query, exchanged once, then refreshed."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from app.demo import credentials
from app.demo.authorisation_attempts import CODE_SECONDS, ExpiringValues
from app.demo.credentials import ADMINISTRATOR, CLIENT_ID, CLIENT_SECRET, IssuedTokens, Permission
from app.demo.options import REDIRECT_URI, DemoOptions
from app.demo.server import DemoServer
from tests.demo.scriptless import Browser, Page
from tests.loopback import NO_CERTIFICATES

STATE = "s+t/a%20t=e&?#ž "
VALUES = {
    "invalid_request",
    "unknown_client",
    "invalid_redirect_uri",
    "server_error",
    "unknown_scope",
    "access_denied",
}


def answer_of(page: Page, beginning: str = f"{REDIRECT_URI}?") -> dict[str, str]:
    """What a redirect carries in its query; there is no hash."""
    assert page.response.status_code == 302
    where = page.response.headers["location"]
    assert where.startswith(beginning)
    parts = urlsplit(where)
    assert not parts.fragment
    pairs = parse_qs(parts.query, keep_blank_values=True)
    return {name: value for name, (value,) in pairs.items()}


def allow(browser: Browser, **query: str | None) -> dict[str, str]:
    """Sign in and allow, for a program that asks for a code."""
    page = browser.open(**{"type": "web_server", **query})
    if "Sign in" in page.buttons:
        browser.sign_in()
    return answer_of(browser.press("Allow"))


def exchange(client: httpx.Client, good_code: str, **form: str | None) -> httpx.Response:
    given = {
        "grant_type": "authorization_code",
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "code": good_code,
        "redirect_uri": REDIRECT_URI,
        **form,
    }
    sent = {name: value for name, value in given.items() if value is not None}
    return client.post("/oauth/token", data=sent)


def refresh(client: httpx.Client, token: str) -> httpx.Response:
    sent = {"grant_type": "refresh_token", "refresh_token": token}
    return client.post("/oauth/token", data=sent)


def people(client: httpx.Client, token: str) -> httpx.Response:
    return client.get("/v1/people/getAll.json", auth=lambda request: _bearing(request, token))


def _bearing(request: httpx.Request, token: str) -> httpx.Request:
    """The token, also for a client that holds a key."""
    request.headers["Authorization"] = f"Bearer {token}"
    return request


def refused(response: httpx.Response, value: str) -> None:
    """The answer is an error of the document, with words, and holds nothing else."""
    assert (response.status_code, response.json()["error"]) == (400, value)
    assert set(response.json()) == {"error", "error_description"}
    assert response.json()["error_description"]
    assert value in VALUES


def test_allowing_gives_a_code_and_the_state_unchanged(browser: Browser) -> None:
    answer = allow(browser, state=STATE)
    assert set(answer) == {"code", "state"}
    assert answer["state"] == STATE


def test_without_a_state_there_is_none_in_the_answer(browser: Browser) -> None:
    assert set(allow(browser)) == {"code"}


def test_a_code_is_exchanged_for_access_and_a_refresh_token(browser: Browser) -> None:
    response = exchange(browser.client, allow(browser)["code"])
    given = response.json()

    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.headers["content-type"] == "application/json"
    assert set(given) == {"access_token", "expires_in", "refresh_token"}
    assert given["expires_in"] == 7 * 24 * 60 * 60
    assert people(browser.client, given["access_token"]).json()["people"]["total"] == 240


def test_a_code_works_once(browser: Browser) -> None:
    code = allow(browser)["code"]
    assert exchange(browser.client, code).status_code == 200
    refused(exchange(browser.client, code), "access_denied")


def test_a_code_is_over_after_some_minutes() -> None:
    now = [0.0]
    codes: ExpiringValues[str] = ExpiringValues(CODE_SECONDS, lambda: now[0])
    code = codes.add("allowed")
    now[0] = CODE_SECONDS - 1
    assert codes.find(code) == "allowed"
    now[0] = CODE_SECONDS
    assert codes.find(code) is None


def test_a_made_up_code_is_refused(browser: Browser) -> None:
    refused(exchange(browser.client, "made-up"), "access_denied")


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ({"client_id": "somebody-else"}, "unknown_client"),
        ({"client_secret": "wrong"}, "unknown_client"),
        ({"redirect_uri": f"{REDIRECT_URI}/other"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://evil.example"}, "invalid_redirect_uri"),
        ({"grant_type": "password"}, "invalid_request"),
        ({"grant_type": None}, "invalid_request"),
        ({"client_id": None}, "invalid_request"),
        ({"client_secret": None}, "invalid_request"),
        ({"client_secret": ""}, "invalid_request"),
        ({"code": None}, "invalid_request"),
        ({"redirect_uri": None}, "invalid_request"),
    ],
)
def test_an_exchange_that_is_not_right_is_refused_and_leaves_the_code_good(
    browser: Browser, form: dict[str, str | None], value: str
) -> None:
    code = allow(browser)["code"]
    refused(exchange(browser.client, code, **form), value)
    assert exchange(browser.client, code).status_code == 200


def test_a_code_belongs_to_the_redirect_address_it_was_sent_to(browser: Browser) -> None:
    mine = f"{REDIRECT_URI}?attempt=5f0a"
    browser.open(type="web_server", redirect_uri=mine)
    browser.sign_in()
    code = answer_of(browser.press("Allow"), f"{mine}&")["code"]

    refused(exchange(browser.client, code), "invalid_redirect_uri")
    assert exchange(browser.client, code, redirect_uri=mine).status_code == 200


def test_a_refresh_needs_the_refresh_token_and_nothing_else(browser: Browser) -> None:
    first = exchange(browser.client, allow(browser)["code"]).json()
    response = refresh(browser.client, first["refresh_token"])
    given = response.json()

    assert (response.status_code, set(given)) == (200, set(first))
    assert given["access_token"] != first["access_token"]
    assert given["expires_in"] == first["expires_in"]
    assert people(browser.client, given["access_token"]).status_code == 200
    assert refresh(browser.client, given["refresh_token"]).status_code == 200


def test_a_refreshed_token_permits_what_was_allowed_and_no_more(browser: Browser) -> None:
    first = exchange(browser.client, allow(browser, scope="ManageSongs")["code"]).json()
    given = refresh(browser.client, first["refresh_token"]).json()
    assert people(browser.client, given["access_token"]).json()["error"]["code"] == 100


def test_an_access_token_and_a_refresh_token_cannot_stand_in_for_each_other(
    browser: Browser,
) -> None:
    given = exchange(browser.client, allow(browser)["code"]).json()
    refused(refresh(browser.client, given["access_token"]), "access_denied")
    assert people(browser.client, given["refresh_token"]).json()["error"]["code"] == 102


@pytest.mark.parametrize("token", ["made-up", "ž", "A" * 60, "=", "AAAA"])
def test_a_refresh_token_nobody_issued_is_refused(client: httpx.Client, token: str) -> None:
    refused(refresh(client, token), "access_denied")


def test_a_refresh_without_its_token_is_refused(client: httpx.Client) -> None:
    response = client.post("/oauth/token", data={"grant_type": "refresh_token"})
    refused(response, "invalid_request")


def test_a_refresh_gives_working_access_after_the_first_has_expired(
    serve: Callable[..., httpx.Client],
) -> None:
    client = serve(token_lifetime=1)
    expired = IssuedTokens(0).issue([Permission.MANAGE_PEOPLE])
    assert people(client, expired).json()["error"]["code"] == 121

    given = refresh(client, IssuedTokens(1).issue_refresh([Permission.MANAGE_PEOPLE])).json()

    assert given["expires_in"] == 1
    assert people(client, given["access_token"]).status_code == 200


@pytest.fixture
def restarted(browser: Browser) -> Iterator[tuple[Browser, httpx.Client]]:
    """A browser at one service, and a client of another that was started later."""
    server = DemoServer(DemoOptions())
    access = server.start()
    with httpx.Client(base_url=access.base_url, trust_env=False, verify=NO_CERTIFICATES) as client:
        yield browser, client
    server.stop()


def test_a_refresh_token_outlives_the_service_that_issued_it_and_a_code_does_not(
    restarted: tuple[Browser, httpx.Client],
) -> None:
    before, after = restarted
    given = exchange(before.client, allow(before)["code"]).json()
    assert refresh(after, given["refresh_token"]).status_code == 200
    refused(exchange(after, allow(before)["code"]), "access_denied")


def test_a_refresh_can_be_made_to_leave_the_refresh_token_out(
    serve: Callable[..., httpx.Client],
) -> None:
    client = serve(renews_refresh_token=False)
    with httpx.Client(base_url=client.base_url, trust_env=False, verify=NO_CERTIFICATES) as keyless:
        first = exchange(keyless, allow(Browser(keyless))["code"]).json()
        given = refresh(keyless, first["refresh_token"]).json()
        assert set(given) == {"access_token", "expires_in"}
        assert refresh(keyless, first["refresh_token"]).status_code == 200


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b'{"grant_type":"refresh_token","refresh_token":"x"}', "application/json"),
        (b"<grant_type>refresh_token</grant_type>", "text/xml"),
        (b"grant_type=refresh_token", "text/plain"),
        (b"--x--", "multipart/form-data; boundary=x"),
        (b"", "application/x-www-form-urlencoded"),
        (b"grant_type=%ff", "application/x-www-form-urlencoded"),
        (
            b"grant_type=refresh_token&refresh_token=a&refresh_token=b",
            "application/x-www-form-urlencoded",
        ),
        (b"x" * 2_000_000, "application/x-www-form-urlencoded"),
    ],
)
def test_what_is_no_form_is_refused(client: httpx.Client, content: bytes, kind: str) -> None:
    response = client.post("/oauth/token", content=content, headers={"Content-Type": kind})
    refused(response, "invalid_request")


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data", "x"])
def test_a_good_form_has_to_be_sent_as_one(client: httpx.Client, kind: str) -> None:
    token = IssuedTokens(60).issue_refresh([Permission.MANAGE_PEOPLE])
    content = f"grant_type=refresh_token&refresh_token={token}".encode()
    response = client.post("/oauth/token", content=content, headers={"Content-Type": kind})
    refused(response, "invalid_request")
    assert client.post("/oauth/token", content=content).status_code == 200


def test_secrets_are_not_read_from_the_address(client: httpx.Client) -> None:
    token = IssuedTokens(60).issue_refresh([Permission.MANAGE_PEOPLE])
    asked = {"grant_type": "refresh_token", "refresh_token": token}
    refused(client.post("/oauth/token", params=asked), "invalid_request")


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/token/", "/v1/oauth/token"])
def test_the_exchange_is_found_by_post_beside_the_version_and_nowhere_else(
    client: httpx.Client, path: str
) -> None:
    assert client.get(path).status_code == 404
    if path != "/oauth/token":
        assert client.post(path, data={"grant_type": "refresh_token"}).status_code == 404


def test_refusing_is_told_in_the_query_with_the_state(browser: Browser) -> None:
    browser.open(type="web_server", state=STATE)
    browser.sign_in()
    answer = answer_of(browser.press("Refuse"))
    assert set(answer) == {"error", "error_description", "state"}
    assert (answer["error"], answer["state"]) == ("access_denied", STATE)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ({"scope": None}, "invalid_request"),
        ({"scope": ""}, "invalid_request"),
        ({"scope": "ManageEverything"}, "unknown_scope"),
        ({"type": None}, "invalid_request"),
        ({"type": "server"}, "invalid_request"),
    ],
)
def test_an_error_of_the_program_goes_to_the_query_with_the_state(
    browser: Browser, query: dict[str, str | None], value: str
) -> None:
    answer = answer_of(browser.open(**{"type": "web_server", "state": STATE, **query}))
    assert (answer["error"], answer["state"]) == (value, STATE)


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ({"client_id": None}, "invalid_request"),
        ({"redirect_uri": None}, "invalid_request"),
        ({"client_id": "somebody-else"}, "unknown_client"),
        ({"redirect_uri": "http://evil.example/signed-in"}, "invalid_redirect_uri"),
        ({"redirect_uri": "http://127.0.0.1:38973@evil.example/signed-in"}, "invalid_redirect_uri"),
        ({"redirect_uri": f"{REDIRECT_URI}/../other"}, "invalid_redirect_uri"),
    ],
)
def test_an_error_with_no_address_to_trust_is_shown_with_its_value_and_goes_nowhere(
    browser: Browser, query: dict[str, str | None], value: str
) -> None:
    page = browser.open(**{"type": "web_server", "state": STATE, **query})
    assert page.response.status_code == 400
    assert "location" not in page.response.headers
    assert value in page.text


def test_a_user_agent_gets_no_state_no_code_and_no_refresh_token(browser: Browser) -> None:
    browser.open(state=STATE)
    browser.sign_in()
    where = browser.press("Allow").response.headers["location"]
    assert set(parse_qs(urlsplit(where).fragment)) == {"access_token", "expires_in"}
    assert not urlsplit(where).query


@pytest.mark.logs_errors
def test_a_defect_after_a_good_start_is_told_in_the_query(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.open(type="web_server", state=STATE)
    browser.sign_in()
    monkeypatch.setattr(ExpiringValues, "add", None)
    answer = answer_of(browser.press("Allow"))
    assert (answer["error"], answer["state"]) == ("server_error", STATE)


@pytest.mark.logs_errors
def test_a_defect_in_an_exchange_is_a_server_error(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = allow(browser)["code"]
    monkeypatch.setattr(credentials, "_sign", None)
    response = exchange(browser.client, code)
    assert (response.status_code, response.json()["error"]) == (500, "server_error")


def test_the_consent_page_says_that_access_goes_on_by_itself(browser: Browser) -> None:
    browser.open(type="web_server")
    page = browser.sign_in(ADMINISTRATOR.email)
    assert {"Allow", "Refuse"} <= set(page.buttons)
    assert "goes on with this by itself" in page.text
    assert page.scripts == 0
