"""The web flow's page and its redirect: a state of its own, the code in the query, any error."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import (
    OneTimeCode,
    TokenGrant,
    WebAuthorisationRequest,
)
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from app.runtime.secrets import redact
from tests.any_character import ANY_CHARACTER

NOW = datetime(2024, 5, 3, 12, 0, tzinfo=UTC)
HERE = DEFAULT_REDIRECT_ADDRESS
REQUEST = WebAuthorisationRequest("https://church.example/x/", "client 1&2", HERE)
OURS = f"state={REQUEST.state}"


def test_the_page_is_asked_for_the_way_the_document_says() -> None:
    scope = ("ManagePeople", "ManageGroups")
    request = WebAuthorisationRequest("https://church.example/x/", "client 1&2", HERE, scope)
    address = urlsplit(request.address)
    assert address[:3] == ("https", "church.example", "/x/oauth")
    assert parse_qs(address.query) == {
        "type": ["web_server"],
        "client_id": ["client 1&2"],
        "redirect_uri": [HERE],
        "scope": ["ManagePeople,ManageGroups"],
        "state": [request.state],
    }
    assert "ManagePeople%2CManageGroups" in request.address


def test_every_attempt_has_a_state_of_its_own_that_nobody_can_guess() -> None:
    states = {WebAuthorisationRequest("https://x.example", "c", HERE).state for _ in range(100)}
    assert len(states) == 100
    assert min(map(len, states)) >= 40


def test_the_code_is_read_from_the_query_with_its_state() -> None:
    answer = REQUEST.read_answer(f"{HERE}?code=a%2Fb+c%3D&{OURS}", NOW)
    assert answer == OneTimeCode("a/b+c=", HERE)


def test_a_code_keeps_to_itself() -> None:
    answer = REQUEST.read_answer(f"{HERE}?{OURS}&code=canary-of-the-code", NOW)
    assert "canary-of-the-code" not in repr(answer)
    assert "canary-of-the-code" not in redact("x canary-of-the-code y")
    assert REQUEST.state not in repr(REQUEST)
    assert "secret" not in repr(TokenGrant("secret-1", NOW, "secret-2"))


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "?",
        "?code=c",
        "?code=c&state=",
        f"?code=c&state={REQUEST.state[:-1]}",
        f"?code=c&state={REQUEST.state}x",
        f"?code=c&state={REQUEST.state.swapcase()}",
        "?code=c&state=%C5%BE",
        "?code=c&state=%ff",
        f"?code=c&state={REQUEST.state}&state={REQUEST.state}",
        f"?code=c&code=d&{OURS}",
        f"?code=c#{OURS}",
        f"#code=c&{OURS}",
        f"?{OURS}#code=c",
        f"?code=&{OURS}",
        f"?code=a%20b&{OURS}",
        f"?code=a%0D%0Ab&{OURS}",
        f"?code={'c' * 20_000}&{OURS}",
        f"?{OURS}",
        f"#access_token=t&expires_in=60&{OURS}",
    ],
)
def test_a_code_without_our_state_and_a_state_without_a_code_are_no_answer(answer: str) -> None:
    with pytest.raises(AuthorisationFailed) as caught:
        REQUEST.read_answer(f"{HERE}{answer}", NOW)
    assert caught.value.value is None
    assert "no answer" in caught.value.message


def test_a_state_that_is_blank_never_matches() -> None:
    request = WebAuthorisationRequest("https://church.example", "c", HERE, state="")
    with pytest.raises(AuthorisationFailed):
        request.read_answer(f"{HERE}?code=c&state=", NOW)


@pytest.mark.parametrize(
    "url",
    [
        f"http://127.0.0.1:38973/signed-in/?code=c&{OURS}",
        f"http://127.0.0.1:38973/signed-in.evil.example?code=c&{OURS}",
        f"http://127.0.0.1:38973/signed-in@evil.example?code=c&{OURS}",
        f"http://user@127.0.0.1:38973/signed-in?code=c&{OURS}",
        f"http://127.0.0.1:38973@evil.example/signed-in?code=c&{OURS}",
        f"http://localhost:38973/signed-in?code=c&{OURS}",
        f"https://127.0.0.1:38973/signed-in?code=c&{OURS}",
        f"http://127.0.0.1/signed-in?code=c&{OURS}",
    ],
)
def test_an_address_that_is_only_alike_gives_no_code(url: str) -> None:
    assert not REQUEST.is_answer(url)
    with pytest.raises(AuthorisationFailed):
        REQUEST.read_answer(url, NOW)


@pytest.mark.parametrize(
    "value",
    [
        "invalid_request",
        "unknown_client",
        "invalid_redirect_uri",
        "server_error",
        "unknown_scope",
        "access_denied",
    ],
)
@pytest.mark.parametrize("name", ["error", "oauth_error", "e", "status", ""])
@pytest.mark.parametrize("place", ["?{}", "#{}", "?x=1#{}", "?{}&code=c", f"?{{}}&{OURS}"])
def test_an_error_is_told_wherever_it_stands_and_whatever_it_is_called(
    value: str, name: str, place: str
) -> None:
    with pytest.raises(AuthorisationFailed) as caught:
        REQUEST.read_answer(HERE + place.format(f"{name}={value}"), NOW)
    assert caught.value.value == value


def test_an_error_the_document_does_not_know_is_said_in_its_own_words() -> None:
    with pytest.raises(AuthorisationFailed, match="The moon is full") as caught:
        REQUEST.read_answer(f"{HERE}?error=moon&error_description=The%20moon+is%20full", NOW)
    assert caught.value.value == "moon"


def test_a_state_that_reads_like_an_error_is_none() -> None:
    request = WebAuthorisationRequest("https://x.example", "c", HERE, state="access_denied")
    answer = request.read_answer(f"{HERE}?code=c&state=access_denied", NOW)
    assert answer.code == "c"


@given(
    st.lists(
        st.tuples(st.text(ANY_CHARACTER, max_size=12), st.text(ANY_CHARACTER, max_size=20)),
        max_size=5,
    ),
    st.sampled_from("?#"),
)
def test_whatever_an_answer_holds_the_result_is_a_code_with_our_state_or_the_one_error(
    pairs: list[tuple[str, str]], mark: str
) -> None:
    text = "&".join(f"{quote(name)}={quote(value)}" for name, value in pairs)
    with pytest.raises(AuthorisationFailed):
        REQUEST.read_answer(f"{HERE}{mark}{text}", NOW)
