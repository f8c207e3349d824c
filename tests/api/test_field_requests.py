"""Requests and signing in as they go in the field: each row in the words of those who saw it."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError, AuthorisationFailed, TooManyRequests
from app.api.requests import Limits
from app.api.sign_in import token_endpoint
from app.api.sign_in.oauth import LEAST_PERMISSIONS, AuthorisationRequest, WebAuthorisationRequest
from tests.api.field import Rows
from tests.api.listed import ListedService

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

ROWS = Rows()
HERE = "http://127.0.0.1:38973/signed-in"
BASE = "https://church.example"
NOW = datetime(2024, 5, 3, tzinfo=UTC)


@ROWS.row("people/getAll takes page from 1, page_size 10 to 1000, and fields as an array")
async def parameters(service: "ScriptedService") -> None:
    ids = [str(number) for number in range(300)]
    service.answers(
        service.people(*ids[:100], total=300, per_page=100),
        service.people(*ids, total=300, per_page=1000),
    )
    async with service.client() as client:
        assert [person.id async for person in client.people()] == ids
    sizes = [int(asked.parameters["page_size"][0]) for asked in service.asked]
    assert sizes == [100, 1000]
    assert all(asked.parameters["page"] == ["1"] for asked in service.asked)
    assert all(len(asked.parameters["fields[]"]) == 11 for asked in service.asked)


@ROWS.row("a server may ignore any of them: page 1 again and again, another page size")
async def ignored(service: "ScriptedService") -> None:
    service.answers(service.people(*map(str, range(50)), total=1240, page=1, per_page=50))
    async with service.client() as client:
        listing = client.people()
        assert len([person async for person in listing]) == 50
    assert (listing.total, listing.received, listing.complete) == (1240, 50, False)
    assert len(service.asked) <= 3


@ROWS.row("GET with a query string works for people/getAll; POST does too")
async def either_method(service: "ScriptedService") -> None:
    service.answers(service.people("1", total=1))
    for list_as in ("query", "form", "json"):
        async with ServiceClient(service.base_url, ApiKey("k"), list_as=list_as) as client:
            assert (await anext(client.people())).id == "1"
    assert [asked.method for asked in service.asked] == ["GET", "POST", "POST"]


@ROWS.row("people/create makes a second person when called twice: there is no check on the server")
async def created_twice(service: "ScriptedService") -> None:
    for act in (service.reset(), service.raw(close=True), service.fail(500, 500)):
        service.asked.clear()
        service.answers(act)
        async with service.client() as client:
            with pytest.raises(ApiError) as caught:
                await client.create_person("Ada", "", "")
        assert caught.value.outcome_unknown
        assert len(service.asked) == 1


@ROWS.row("lists are paged by position, so total and the pages can shift while you read")
async def shifting(_service: "ScriptedService") -> None:
    for fixed in (None, 25):
        listed = ListedService([str(number) for number in range(200)], fixed=fixed)

        def one_goes(asked: int, listed: ListedService = listed) -> None:
            if asked == 2:
                del listed.people[0]

        listed.before = one_goes
        listing = listed.listing(Limits(page_size=25, largest_page=50))
        came = {person.id async for person in listing}
        assert set(listed.people) <= came
        assert listing.complete


@ROWS.row("no read-only permission exists: the least that works is ManagePeople")
async def least(_service: "ScriptedService") -> None:
    assert LEAST_PERMISSIONS == ("ManagePeople",)
    assert "scope=ManagePeople" in AuthorisationRequest(BASE, "c", HERE).address


@ROWS.row("HTTP 429 with Retry-After is possible; the limit is published nowhere")
async def too_many(service: "ScriptedService") -> None:
    busy = service.fail(429, 429, Retry_After="7200")
    service.answers(busy, service.people("1", total=1), busy)
    async with service.client(Limits(longest_wait=0.01)) as client:
        assert (await anext(client.people())).id == "1"
        with pytest.raises(TooManyRequests) as caught:
            await client.create_person("Ada", "", "")
    assert (caught.value.retry_after, caught.value.outcome_unknown) == (7200.0, False)


@ROWS.row("the parameter of an OAuth error is most often error, in the query or in the hash")
async def error_parameter(_service: "ScriptedService") -> None:
    requests = (AuthorisationRequest(BASE, "c", HERE), WebAuthorisationRequest(BASE, "c", HERE))
    for request in requests:
        for mark in "?#":
            for told in ("error=access_denied&error_description=No", "reason=access_denied"):
                with pytest.raises(AuthorisationFailed) as caught:
                    request.read_answer(f"{HERE}{mark}{told}", NOW)
                assert caught.value.value == "access_denied"


@ROWS.row("no PKCE; a token lives for days to weeks")
async def long_life(_service: "ScriptedService") -> None:
    request = AuthorisationRequest(BASE, "c", HERE)
    assert "code_challenge" not in request.address
    grant = request.read_answer(f"{HERE}#access_token=t&expires_in=1209600", NOW)
    assert grant.expires_at == NOW + timedelta(days=14)


@ROWS.row("a refresh answer may leave refresh_token out: keep the one you have")
async def refresh_token_left_out(service: "ScriptedService") -> None:
    service.answers(service.tree({"access_token": "new", "expires_in": 60}))
    grant = await token_endpoint.refresh(service.base_url, "a-refresh-token-of-this-test")
    assert (grant.access_token, grant.refresh_token) == ("new", None)


@ROWS.row("user_agent has no state: the answer is bound by the exact redirect address")
async def bound_by_address(_service: "ScriptedService") -> None:
    request = AuthorisationRequest(BASE, "c", HERE)
    assert "state=" not in request.address
    for other in (f"{HERE}-x", f"{HERE}/x", HERE.replace("127.0.0.1", "127.0.0.1.evil.example")):
        with pytest.raises(AuthorisationFailed):
            request.read_answer(f"{other}#access_token=t&expires_in=60", NOW)


@pytest.mark.parametrize("words", ROWS)
async def test_what_is_seen_in_the_field_is_coped_with(
    service: "ScriptedService", words: str
) -> None:
    await ROWS[words](service)
