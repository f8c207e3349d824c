"""Signing in as the document tells it: permissions, addresses, and how long access holds."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from app.demo.authorisation_attempts import ErrorValue
from app.demo.credentials import CLIENT_ID, WORDING, IssuedTokens, Permission
from app.demo.options import REDIRECT_URI
from tests.demo.scriptless import Browser, Page

QUERY = urlencode(
    {"type": "user_agent", "client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "scope": ""}
)


def test_the_permissions_are_the_seven_of_the_document() -> None:
    assert [str(permission) for permission in Permission] == [
        *("ManagePeople", "ManageGroups", "ManageServices", "ManageSongs", "ManageCalendar"),
        *("ManageFinancials", "AdministerAccount"),
    ]


def test_the_errors_are_the_six_of_the_document() -> None:
    assert {str(value) for value in ErrorValue} == {
        *("invalid_request", "unknown_client", "invalid_redirect_uri"),
        *("server_error", "unknown_scope", "access_denied"),
    }


@pytest.mark.parametrize("comma", ["%2C", ","])
def test_permissions_are_separated_by_commas(browser: Browser, comma: str) -> None:
    scope = comma.join(["ManageGroups", "ManageSongs"])
    browser.page = Page(browser.client.get(f"/oauth?{QUERY}{scope}"))
    page = browser.sign_in()
    for permission in (Permission.MANAGE_GROUPS, Permission.MANAGE_SONGS):
        assert WORDING[permission].title in page.text


@pytest.mark.parametrize("path", ["/v1/oauth", "/v1/oauth.json", "/oauth/", "/OAuth"])
def test_authorising_begins_outside_of_the_version_and_by_get(
    client: httpx.Client, path: str
) -> None:
    assert client.get(f"{path}?{QUERY}ManagePeople").status_code == 404
    assert client.get(f"/oauth?{QUERY}ManagePeople").status_code == 200
    assert client.post("/oauth", content=f"{QUERY}ManagePeople").status_code == 404


@pytest.mark.parametrize("path", ["/v1/oauth/token", "/v1/oauth/token.json", "/oauth/token.json"])
def test_tokens_are_given_outside_of_the_version(client: httpx.Client, path: str) -> None:
    token = IssuedTokens(60).issue_refresh([Permission.MANAGE_PEOPLE])
    form = {"grant_type": "refresh_token", "refresh_token": token}
    assert client.post(path, data=form).status_code == 404
    assert client.post("/oauth/token", data=form).status_code == 200


def test_access_holds_for_as_long_as_each_grant_says(serve: Callable[..., httpx.Client]) -> None:
    for lifetime in (90, 86_400):
        client = serve(token_lifetime=lifetime)
        browser = Browser(client)
        browser.open()
        browser.sign_in()
        where = browser.press("Allow").response.headers["location"]
        assert parse_qs(urlsplit(where).fragment)["expires_in"] == [str(lifetime)]
