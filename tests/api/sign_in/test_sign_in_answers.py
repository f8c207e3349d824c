"""The address of the account's page, and which redirects are an answer and what they say."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.api.errors import AuthorisationFailed
from app.api.sign_in.oauth import PERMISSIONS, AuthorisationRequest, Grant
from app.api.sign_in.redirect_port import DEFAULT_REDIRECT_ADDRESS
from tests.any_character import ANY_CHARACTER

NOW = datetime(2024, 5, 3, 12, 0, tzinfo=UTC)
HERE = DEFAULT_REDIRECT_ADDRESS
REQUEST = AuthorisationRequest("https://church.example/x/", "client 1&2", HERE)


def test_the_page_is_asked_for_the_way_the_document_says() -> None:
    request = AuthorisationRequest(
        "https://church.example/x", "client 1&2", HERE, ("ManagePeople", "ManageGroups")
    )
    address = urlsplit(request.address)
    assert (address.scheme, address.netloc, address.path) == (
        "https",
        "church.example",
        "/x/oauth",
    )
    assert parse_qs(address.query) == {
        "type": ["user_agent"],
        "client_id": ["client 1&2"],
        "redirect_uri": [HERE],
        "scope": ["ManagePeople,ManageGroups"],
    }
    assert "ManagePeople%2CManageGroups" in request.address
    assert "state" not in request.address


@pytest.mark.parametrize(
    "url",
    [
        HERE,
        f"{HERE}#access_token=t",
        f"{HERE}?error=access_denied",
        f"{HERE}?a=b#c",
        "HTTP://127.0.0.1:38973/signed-in",
    ],
)
def test_the_redirect_address_itself_is_an_answer(url: str) -> None:
    assert REQUEST.is_answer(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://127.0.0.1:38973/signed-in",
        "http://127.0.0.1:38974/signed-in",
        "http://127.0.0.1/signed-in",
        "http://127.0.0.1:38973/signed-in/",
        "http://127.0.0.1:38973/signed-in/more",
        "http://127.0.0.1:38973/signed-inx",
        "http://127.0.0.1:38973/SIGNED-IN",
        "http://127.0.0.1:38973/a/../signed-in",
        "http://127.0.0.1:38973//signed-in",
        "http://127.0.0.1:38973/signed%2Din",
        "http://user@127.0.0.1:38973/signed-in",
        "http://127.0.0.1:38973@evil.example/signed-in",
        "http://evil.example/http://127.0.0.1:38973/signed-in",
        "http://127.0.0.1.evil.example:38973/signed-in",
        "http://127.0.0.1.:38973/signed-in",
        "http://127.1:38973/signed-in",
        "http://localhost:38973/signed-in",
        "http://[::1]:38973/signed-in",
        "http:/127.0.0.1:38973/signed-in",
        "http:\\\\127.0.0.1:38973\\signed-in",
        " http://127.0.0.1:38973/signed-in",
        "http://127.0.0.1:38973/signed-in\n",
        "http://127.0.0.1:389\t73/signed-in",
        "http://127.0.0.1:99999/signed-in",
        "http://127.0.0.1:x/signed-in",
        "http://[::1/signed-in",
        "javascript:http://127.0.0.1:38973/signed-in",
        "data:text/html,http://127.0.0.1:38973/signed-in",
        "about:blank",
    ],
)
def test_an_address_that_is_only_alike_is_no_answer(url: str) -> None:
    assert not REQUEST.is_answer(url)
    with pytest.raises(AuthorisationFailed):
        REQUEST.read_answer(f"{url}#access_token=t&expires_in=60", NOW)


def test_a_letter_that_is_another_in_lower_case_is_no_answer() -> None:
    request = replace(REQUEST, redirect_uri="https://desk.example/signed-in")
    assert request.is_answer("https://desk.example/signed-in#access_token=t")
    assert not request.is_answer("https://des\u212a.example/signed-in#access_token=t")


@pytest.mark.parametrize(
    ("redirect", "url"),
    [
        ("https://church.example", "https://church.example/#access_token=t"),
        ("https://church.example:443/in", "https://CHURCH.example/in"),
        ("http://[::1]:8080/in", "http://[::1]:8080/in?x"),
    ],
)
def test_addresses_that_browsers_write_alike_are_the_same(redirect: str, url: str) -> None:
    assert AuthorisationRequest("https://church.example", "c", redirect).is_answer(url)


def test_access_is_read_from_the_hash_and_a_refresh_token_is_ignored() -> None:
    url = f"{HERE}#access_token=a%2Fb+c%3D&expires_in=3600&refresh_token=r"
    assert REQUEST.read_answer(url, NOW) == Grant("a/b+c=", NOW + timedelta(hours=1))


def test_the_hash_wins_over_the_query() -> None:
    url = f"{HERE}?access_token=query&expires_in=1#access_token=hash&expires_in=60"
    assert REQUEST.read_answer(url, NOW).access_token == "hash"


@pytest.mark.parametrize(
    ("expires_in", "life"),
    [
        ("&expires_in=1209600", timedelta(days=14)),
        ("", timedelta(hours=1)),
        ("&expires_in=", timedelta(hours=1)),
        ("&expires_in=" + "9" * 50, timedelta(days=3650)),
    ],
)
def test_the_end_of_access_is_computed_from_its_seconds(expires_in: str, life: timedelta) -> None:
    assert REQUEST.read_answer(f"{HERE}#access_token=t{expires_in}", NOW).expires_at == NOW + life


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "#",
        "?",
        "#expires_in=60",
        "#access_token=",
        "#access_token=a%20b",
        "#access_token=a%0D%0Ab",
        "#access_token=t&expires_in=0",
        "#access_token=t&expires_in=-1",
        "#access_token=t&expires_in=soon",
        "#access_token=t&access_token=u",
        "#code=abc",
        "#access_token=" + "t" * 20_000,
    ],
)
def test_an_answer_with_neither_access_nor_error_fails_with_a_sentence(answer: str) -> None:
    with pytest.raises(AuthorisationFailed) as caught:
        REQUEST.read_answer(f"{HERE}{answer}", NOW)
    assert caught.value.value is None
    assert "no answer" in caught.value.message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("access_denied", "choose to allow"),
        ("invalid_request", "did not understand"),
        ("unknown_client", "client id"),
        ("invalid_redirect_uri", "redirect address"),
        ("server_error", "problem of its own"),
        ("unknown_scope", "permission"),
    ],
)
@pytest.mark.parametrize("place", ["#error={}", "?error={}", "?reason={}", "?a=b#oauth_error={}"])
def test_each_error_of_the_document_has_plain_words(value: str, words: str, place: str) -> None:
    with pytest.raises(AuthorisationFailed) as caught:
        REQUEST.read_answer(HERE + place.format(value), NOW)
    assert caught.value.value == value
    assert words in caught.value.message
    assert value not in caught.value.message


def test_an_unknown_error_is_told_in_the_pages_own_words() -> None:
    url = f"{HERE}?error=no_way&error_description=Not+on+a%20Sunday%0A"
    with pytest.raises(AuthorisationFailed) as caught:
        REQUEST.read_answer(url, NOW)
    assert caught.value.message.endswith("It says: Not on a Sunday")
    assert caught.value.value == "no_way"


def test_an_error_beside_access_is_an_error() -> None:
    with pytest.raises(AuthorisationFailed):
        REQUEST.read_answer(f"{HERE}#access_token=t&expires_in=60&error=access_denied", NOW)


@given(st.text(ANY_CHARACTER) | st.text("#?&=%+access_tokenexpires_inerror0123 \x00é", max_size=80))
def test_any_answer_gives_access_or_the_typed_error(rest: str) -> None:
    for mark in ("#", "?", "#access_token=", ""):
        try:
            grant = REQUEST.read_answer(f"{HERE}{mark}{rest}", NOW)
        except AuthorisationFailed:
            continue
        assert grant.access_token.isprintable()
        assert grant.expires_at > NOW


def test_access_does_not_show_its_token() -> None:
    assert "secret" not in repr(Grant("secret-token", NOW))


def test_every_permission_of_the_document_has_a_plain_sentence() -> None:
    assert len(PERMISSIONS) == 7
    assert all(sentence() for sentence in PERMISSIONS.values())
