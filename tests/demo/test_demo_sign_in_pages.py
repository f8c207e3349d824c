"""The account's own pages, walked through as a browser without scripts would."""

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from app.demo import credentials
from app.demo.credentials import ADMINISTRATOR, VOLUNTEER, WORDING, Permission
from app.demo.options import REDIRECT_URI
from tests.demo.scriptless import Browser, Page
from tests.loopback import NO_CERTIFICATES


def answer_of(page: Page) -> dict[str, str]:
    """What a redirect carries in its hash; it goes to the registered address and no other."""
    assert page.response.status_code == 302
    where = page.response.headers["location"]
    assert where.startswith(f"{REDIRECT_URI}#")
    return {name: value for name, (value,) in parse_qs(urlsplit(where).fragment).items()}


def test_signing_in_and_allowing_gives_an_access_token_that_works(browser: Browser) -> None:
    browser.open()
    browser.sign_in()
    answer = answer_of(browser.press("Allow"))

    assert set(answer) == {"access_token", "expires_in"}
    assert int(answer["expires_in"]) == 7 * 24 * 60 * 60
    headers = {"Authorization": f"Bearer {answer['access_token']}"}
    with httpx.Client(
        base_url=browser.client.base_url, headers=headers, trust_env=False, verify=NO_CERTIFICATES
    ) as caller:
        assert caller.get("/v1/people/getAll.json").json()["people"]["total"] == 240


def test_refusing_answers_access_denied_and_no_token(browser: Browser) -> None:
    browser.open()
    browser.sign_in()
    answer = answer_of(browser.press("Refuse"))

    assert answer["error"] == "access_denied"
    assert answer["error_description"]
    assert "access_token" not in answer


def test_the_sign_in_page_has_labels_focus_and_no_scripts(browser: Browser) -> None:
    page = browser.open()

    assert page.response.status_code == 200
    assert page.labels == {"user", "password"}
    assert page.focus == "user"
    assert page.scripts == 0
    assert "Riverside Community" in page.text


def test_no_policy_of_a_page_stops_the_redirect_after_a_form(browser: Browser) -> None:
    policy = browser.open().response.headers["content-security-policy"]
    assert "form-action" not in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize(
    ("user", "password"),
    [(ADMINISTRATOR.email, "wrong"), ("nobody@example.org", ADMINISTRATOR.password), ("", "x")],
)
def test_a_wrong_password_is_said_on_the_page_which_keeps_the_user(
    browser: Browser, user: str, password: str
) -> None:
    browser.open()
    page = browser.sign_in(user, password)

    assert "do not belong together" in page.text
    assert page.forms["/oauth/sign-in"]["user"] == user
    assert page.forms["/oauth/sign-in"]["password"] == ""
    assert page.focus == ("password" if user else "user")
    assert "Allow" in browser.sign_in().buttons


def test_what_was_typed_comes_back_as_text_and_never_as_markup(browser: Browser) -> None:
    browser.open()
    page = browser.sign_in('"><script>alert(1)</script>', "x")
    assert page.scripts == 0
    assert page.forms["/oauth/sign-in"]["user"] == '"><script>alert(1)</script>'


def test_the_user_may_be_typed_in_capitals(browser: Browser) -> None:
    browser.open()
    assert "Allow" in browser.sign_in(f" {ADMINISTRATOR.email.upper()} ").buttons


def test_the_consent_page_says_what_each_permission_grants(browser: Browser) -> None:
    browser.open(scope=",".join(Permission))
    page = browser.sign_in()

    assert set(page.buttons) >= {"Allow", "Refuse"}
    assert "Grace Lindqvist" in page.text
    assert "7 days" in page.text
    for permission in Permission:
        assert WORDING[permission].title in page.text
        assert WORDING[permission].grants in page.text


def test_only_what_was_asked_for_is_on_the_consent_page_and_in_the_token(
    browser: Browser,
) -> None:
    browser.open(scope="ManageSongs,ManageSongs")
    page = browser.sign_in()
    assert WORDING[Permission.MANAGE_PEOPLE].title not in page.text
    assert page.text.count(WORDING[Permission.MANAGE_SONGS].title) == 1

    token = answer_of(browser.press("Allow"))["access_token"]
    response = browser.client.get(
        "/v1/people/getAll.json", headers={"Authorization": f"Bearer {token}"}
    )
    assert response.status_code == 401


def test_signing_in_a_second_time_goes_straight_to_consent(browser: Browser) -> None:
    browser.open()
    browser.sign_in()
    browser.press("Allow")

    page = browser.open()

    assert "Allow" in page.buttons
    assert "access_token" in answer_of(browser.press("Allow"))


def test_another_person_can_sign_in_for_the_same_attempt(browser: Browser) -> None:
    browser.open()
    browser.sign_in()
    assert "user" in browser.press("Use another account").labels
    assert "user" in browser.open().labels


def test_a_kept_cookie_is_worth_nothing_after_signing_out(browser: Browser) -> None:
    browser.open()
    browser.sign_in()
    kept = dict(browser.client.cookies)
    browser.press("Use another account")
    browser.client.cookies.update(kept)

    assert kept
    assert "password" in browser.open().labels


def test_a_person_who_may_not_allow_it_is_told_and_can_only_refuse(browser: Browser) -> None:
    browser.open(scope="ManagePeople,ManageSongs")
    page = browser.sign_in(VOLUNTEER.email, VOLUNTEER.password)

    assert "Allow" not in page.buttons
    assert "may not allow this" in page.text
    page.buttons["Allow"] = ("/oauth/decision", {"decision": "allow"})
    assert answer_of(browser.press("Allow"))["error"] == "access_denied"


def test_a_decision_before_signing_in_leads_to_signing_in(browser: Browser) -> None:
    page = browser.open()
    page.buttons["Allow"] = ("/oauth/sign-in", {"decision": "allow"})
    attempt = page.forms["/oauth/sign-in"]["attempt"]

    response = browser.client.post(
        "/oauth/decision", data={"attempt": attempt, "decision": "allow"}
    )

    assert response.status_code == 200
    assert "password" in Page(response).labels


def test_an_attempt_is_answered_once(browser: Browser) -> None:
    browser.open()
    consent = browser.sign_in()
    browser.press("Allow")
    browser.page = consent

    again = browser.press("Allow")

    assert again.response.status_code == 400
    assert "location" not in again.response.headers
    assert "invalid_request" in again.text


def test_a_made_up_attempt_leads_nowhere(browser: Browser) -> None:
    for step in ("sign-in", "decision", "sign-out"):
        response = browser.client.post(f"/oauth/{step}", data={"attempt": "made-up"})
        assert response.status_code == 400
        assert "invalid_request" in response.text


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ({"client_id": None}, "invalid_request"),
        ({"client_id": ""}, "invalid_request"),
        ({"redirect_uri": None}, "invalid_request"),
        ({"client_id": "somebody-else"}, "unknown_client"),
        ({"client_id": "somebody-else", "redirect_uri": "http://evil.example"}, "unknown_client"),
        ({"redirect_uri": "http://evil.example/signed-in"}, "invalid_redirect_uri"),
        (
            {"redirect_uri": "http://127.0.0.1:38973.evil.example/signed-in"},
            "invalid_redirect_uri",
        ),
        ({"redirect_uri": "http://evil.example", "scope": "Everything"}, "invalid_redirect_uri"),
    ],
)
def test_an_error_with_no_address_to_trust_is_shown_on_a_page_with_its_value(
    browser: Browser, query: dict[str, str | None], value: str
) -> None:
    page = browser.open(**query)
    assert page.response.status_code == 400
    assert "location" not in page.response.headers
    assert value in page.text


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ({"scope": None}, "invalid_request"),
        ({"scope": " , "}, "invalid_request"),
        ({"scope": "ManagePeople,ManageEverything"}, "unknown_scope"),
        ({"scope": "managepeople"}, "unknown_scope"),
    ],
)
def test_any_other_error_goes_to_the_program_with_its_value(
    browser: Browser, query: dict[str, str | None], value: str
) -> None:
    answer = answer_of(browser.open(**query))
    assert answer["error"] == value
    assert answer["error_description"]


def test_an_address_that_begins_with_the_registered_one_keeps_its_own_query(
    browser: Browser,
) -> None:
    browser.open(redirect_uri=f"{REDIRECT_URI}?attempt=5f0a")
    browser.sign_in()
    where = browser.press("Refuse").response.headers["location"]
    assert where.startswith(f"{REDIRECT_URI}?attempt=5f0a#error=access_denied&")


@pytest.mark.logs_errors
def test_a_defect_after_a_good_start_is_told_to_the_program(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.open()
    browser.sign_in()
    monkeypatch.setattr(credentials, "_sign", None)

    assert answer_of(browser.press("Allow"))["error"] == "server_error"


@pytest.mark.logs_errors
def test_a_defect_before_the_address_is_known_is_shown_on_a_page(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "same", None)

    page = browser.open()

    assert page.response.status_code == 500
    assert "server_error" in page.text
