"""Codes and refresh tokens for access: what is sent, what is read, and what each refusal means."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import pytest

from app.api.errors import (
    ApiError,
    AuthorisationFailed,
    NotAuthorised,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
)
from app.api.requests import Limits
from app.api.sign_in.oauth import OneTimeCode, TokenGrant
from app.api.sign_in.redirect_response import SecretRefused
from app.api.sign_in.token_endpoint import exchange_code, refresh
from app.runtime.secrets import redact
from tests.api.conftest import ScriptedService

HERE = "http://127.0.0.1:38973/signed-in"
CODE = OneTimeCode("code +&=ž", HERE)
GOOD = {"access_token": "an-access-token", "expires_in": 3600, "refresh_token": "a-refresh-token"}
HASTY = Limits(deadline=0.2, silence=0.1, answer=64 * 1024, tries=1)


async def trade(service: ScriptedService) -> TokenGrant:
    return await exchange_code(service.base_url, "client &", "s=cr+t ž", CODE)


async def test_a_code_is_sent_as_a_form_with_what_the_document_asks(
    service: ScriptedService,
) -> None:
    service.answers(service.tree(GOOD))
    await exchange_code(f"{service.base_url}/x", "client &", "s=cr+t ž", CODE)
    (asked,) = service.asked
    assert (asked.method, asked.target) == ("POST", "/x/oauth/token")
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert "authorization" not in asked.headers
    assert parse_qs(asked.body.decode()) == {
        "grant_type": ["authorization_code"],
        "client_id": ["client &"],
        "client_secret": ["s=cr+t ž"],
        "code": ["code +&=ž"],
        "redirect_uri": [HERE],
    }


async def test_a_refresh_sends_its_token_and_nothing_else(service: ScriptedService) -> None:
    service.answers(service.tree(GOOD))
    await refresh(service.base_url, "old+token/")
    assert parse_qs(service.asked[0].body.decode()) == {
        "grant_type": ["refresh_token"],
        "refresh_token": ["old+token/"],
    }


async def test_the_tokens_come_back_with_their_end_and_keep_to_themselves(
    service: ScriptedService,
) -> None:
    service.answers(service.tree(GOOD))
    before = datetime.now(UTC)
    grant = await trade(service)
    after = datetime.now(UTC)
    assert (grant.access_token, grant.refresh_token) == ("an-access-token", "a-refresh-token")
    assert before <= grant.expires_at - timedelta(hours=1) <= after
    assert "token" not in redact("an-access-token a-refresh-token")
    assert "s=cr+t" not in redact("the s=cr+t ž of the client")


@pytest.mark.parametrize(
    ("expires_in", "life"),
    [
        (1209600, timedelta(days=14)),
        ("1209600", timedelta(days=14)),
        (1209600.0, timedelta(days=14)),
        (" 60 ", timedelta(minutes=1)),
        (1, timedelta(seconds=1)),
        ("", timedelta(hours=1)),
        (None, timedelta(hours=1)),
        (10**14, timedelta(days=3650)),
    ],
)
async def test_the_life_of_access_is_a_number_or_its_text(
    service: ScriptedService, expires_in: object, life: timedelta
) -> None:
    service.answers(service.tree({**GOOD, "expires_in": expires_in}))
    before = datetime.now(UTC)
    grant = await refresh(service.base_url, "r")
    assert timedelta(0) <= grant.expires_at - life - before < timedelta(minutes=1)


@pytest.mark.parametrize("missing", ["refresh_token", "expires_in"])
async def test_what_may_be_missing_is(service: ScriptedService, missing: str) -> None:
    service.answers(service.tree({name: GOOD[name] for name in GOOD if name != missing}))
    grant = await refresh(service.base_url, "r")
    assert grant.access_token == "an-access-token"
    assert grant.refresh_token == (None if missing == "refresh_token" else "a-refresh-token")


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {**GOOD, "access_token": ""},
        {**GOOD, "access_token": None},
        {**GOOD, "access_token": ["t"]},
        {**GOOD, "access_token": "two words"},
        {**GOOD, "access_token": "line\nend"},
        {**GOOD, "expires_in": 0},
        {**GOOD, "expires_in": -5},
        {**GOOD, "expires_in": "soon"},
        {**GOOD, "expires_in": True},
        {**GOOD, "expires_in": 1.5},
        {**GOOD, "expires_in": {}},
        [GOOD],
        "an-access-token",
    ],
)
async def test_an_answer_of_wrong_types_is_named_as_such(
    service: ScriptedService, answer: object
) -> None:
    service.answers(service.tree(answer))
    with pytest.raises(UnreadableAnswer):
        await refresh(service.base_url, "r")


@pytest.mark.parametrize("status", [200, 400, 401, 403])
@pytest.mark.parametrize(
    "answer",
    [
        {"error": "access_denied"},
        {"error": "invalid_request", "error_description": "No."},
        {"error": "invalid_grant"},
        {"error": "unheard_of"},
        {"status": "fail", "error": {"code": 102, "message": "No."}},
    ],
)
async def test_a_refused_refresh_token_means_that_the_sign_in_has_run_out(
    service: ScriptedService, answer: object, status: int
) -> None:
    service.answers(service.tree(answer, status))
    with pytest.raises(TokenExpired) as caught:
        await refresh(service.base_url, "r")
    assert caught.value.status == status


@pytest.mark.parametrize("status", [400, 401])
@pytest.mark.parametrize("body", [b"", b"{}"])
async def test_a_refusal_without_a_word_is_one(
    service: ScriptedService, body: bytes, status: int
) -> None:
    service.answers(service.body(body, status))
    with pytest.raises(TokenExpired):
        await refresh(service.base_url, "r")


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (b"", 500, ServiceFault),
        (b"<html>", 502, ServiceFault),
        (b'{"error": "access_denied"}', 503, ServiceFault),
        (b'{"error": "server_error"}', 400, ServiceFault),
        (b'{"error": "temporarily_unavailable"}', 200, ServiceFault),
        (b"{}", 429, TooManyRequests),
        (b"<html>Welcome to the hotel", 200, UnreadableAnswer),
        (b"<html>Welcome to the hotel", 401, UnreadableAnswer),
        (b"<html>Forbidden", 403, UnreadableAnswer),
        (b"{}", 403, UnreadableAnswer),
        (b"", 404, UnreadableAnswer),
        (b'{"error": "no"}', 405, UnreadableAnswer),
        (b"", 302, UnreadableAnswer),
        (b"", 511, UnreadableAnswer),
        (b'{"access_token": "t"', 200, UnreadableAnswer),
        (b'{"access_token": "t", "access_token": "u"}', 200, UnreadableAnswer),
        (b"[" * 500, 200, UnreadableAnswer),
        (b'{"access_token": "t"}' + b" " * 70_000, 200, UnreadableAnswer),
    ],
)
async def test_whatever_else_comes_back_says_nothing_about_the_sign_in(
    service: ScriptedService, body: bytes, status: int, kind: type[ApiError]
) -> None:
    service.answers(service.body(body, status, Location="http://evil.example/"))
    with pytest.raises(kind) as caught:
        await refresh(service.base_url, "r")
    assert not isinstance(caught.value, NotAuthorised)
    assert not caught.value.outcome_unknown
    assert len(service.asked) == 1


async def test_a_line_that_is_down_says_nothing_about_the_sign_in(
    service: ScriptedService,
) -> None:
    service.answers(service.reset())
    with pytest.raises(Unreachable) as caught:
        await refresh(service.base_url, "r")
    assert caught.value.transient
    gone = service.base_url
    await service.stop()
    with pytest.raises(Unreachable):
        await refresh(gone, "r")
    await service.start()


async def test_an_answer_that_drips_ends_at_the_deadline(service: ScriptedService) -> None:
    head = b"HTTP/1.1 200 X\r\nContent-Length: 5000\r\n\r\n"
    service.answers(service.raw(head, *[b" "] * 5000, pause=0.01))
    with pytest.raises(TooSlow):
        await refresh(service.base_url, "r", limits=HASTY)


@pytest.mark.parametrize("value", ["unknown_client", "invalid_client"])
async def test_a_secret_that_is_not_the_clients_is_named(
    service: ScriptedService, value: str
) -> None:
    service.answers(service.tree({"error": value}, 400))
    with pytest.raises(SecretRefused, match="client secret") as caught:
        await trade(service)
    assert caught.value.value == value


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"error": "access_denied"}, "Sign in again"),
        ({"error": "invalid_grant"}, "Sign in again"),
        ({}, "Sign in again"),
        ({"error": "invalid_redirect_uri"}, "redirect address"),
        ({"error": "invalid_request"}, "did not understand"),
        ({"error": "unheard_of", "error_description": "<b>The moon</b>"}, "<b>The moon</b>"),
        ({"status": "fail", "error": {"code": 7, "message": "Closed today"}}, "Closed today"),
    ],
)
async def test_a_code_that_is_refused_ends_the_sign_in_with_a_sentence(
    service: ScriptedService, answer: object, words: str
) -> None:
    service.answers(service.tree(answer, 400))
    with pytest.raises(AuthorisationFailed) as caught:
        await trade(service)
    assert words in caught.value.message
    assert len(service.asked) == 1


async def test_no_secret_is_in_what_can_be_copied(service: ScriptedService) -> None:
    service.answers(service.tree({"error": "access_denied"}, 400))
    for attempt in (trade(service), refresh(service.base_url, "canary-refresh")):
        with pytest.raises(ApiError) as caught:
            await attempt
        told = f"{caught.value.details} {caught.value.message} {caught.value!r}"
        assert not any(secret in told for secret in ("canary", "s=cr+t", CODE.code))
