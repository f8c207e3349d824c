"""Calls whose access runs out: renewed once for all, tried once more, and never in a loop."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from app.api.errors import ApiError, NotAuthorised, ServiceFault, TokenExpired, Unreachable
from app.api.requests import DEFAULT_LIMITS
from app.api.sign_in import token_endpoint
from app.api.sign_in.oauth import TokenGrant
from app.api.sign_in.refreshing_client import RefreshingClient
from app.api.sign_in.token_refresh import RefreshableAccess
from app.demo.credentials import IssuedTokens, Permission
from app.demo.server import DemoAccess, DemoOptions, DemoServer
from tests.api.conftest import Act, Asked, ScriptedService

PEOPLE = [Permission.MANAGE_PEOPLE]
EXPIRED = IssuedTokens(-60).issue(PEOPLE)
REFRESH = IssuedTokens(60).issue_refresh(PEOPLE)
QUICK = replace(DEFAULT_LIMITS, first_pause=0.001, deadline=10.0)


class Watched:
    """A client of a service, what it gave to be kept, and how its operations ended."""

    def __init__(self, base_url: str, access: str = EXPIRED, refresh: str = REFRESH) -> None:
        self.kept: list[TokenGrant] = []
        self.outcomes: list[ApiError | None] = []
        held = RefreshableAccess(refresh, self._keep, access)
        self.client = RefreshingClient(
            base_url, held, on_outcome=self.outcomes.append, limits=QUICK
        )

    async def _keep(self, grant: TokenGrant) -> None:
        self.kept.append(grant)


@pytest.fixture
def refreshes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every refresh token that is sent from now on; the exchange itself is the real one."""
    sent: list[str] = []
    real: Callable[..., Awaitable[TokenGrant]] = token_endpoint.refresh

    async def counted(base_url: str, refresh_token: str) -> TokenGrant:
        sent.append(refresh_token)
        return await real(base_url, refresh_token)

    monkeypatch.setattr(token_endpoint, "refresh", counted)
    return sent


@pytest.fixture
def demo() -> Iterator[Callable[..., DemoAccess]]:
    servers: list[DemoServer] = []

    def start(**options: object) -> DemoAccess:
        servers.append(DemoServer(DemoOptions(**options)))  # type: ignore[arg-type]  # by name
        return servers[-1].start()

    yield start
    for server in servers:
        server.stop()


@pytest.mark.parametrize("access", [EXPIRED, "made-up", ""])
async def test_twenty_calls_with_old_access_cause_one_refresh_and_all_succeed(
    demo: Callable[..., DemoAccess], refreshes: list[str], access: str
) -> None:
    watched = Watched(demo().base_url, access)
    flows = await asyncio.gather(*(watched.client.people_flows() for _ in range(20)))
    await watched.client.aclose()
    assert {len(each) for each in flows} == {len(flows[0])}
    assert refreshes == [REFRESH]
    assert watched.outcomes == [None] * 20
    (kept,) = watched.kept
    assert kept.refresh_token not in {REFRESH, None}
    assert kept.expires_at - datetime.now(UTC) > timedelta(days=6)


async def test_access_that_ends_half_way_through_a_list_costs_nothing_of_it(
    demo: Callable[..., DemoAccess], refreshes: list[str]
) -> None:
    access = demo(people=400, token_lifetime=1)
    watched = Watched(access.base_url)
    ids: list[str] = []
    async for page in watched.client.people().pages():
        if not ids:
            await asyncio.sleep(1.01)
        ids.extend(person.id for person in page)
    await asyncio.sleep(1.01)
    await watched.client.people_flows()
    await watched.client.aclose()
    assert len(ids) == len(set(ids)) == 400
    assert len(refreshes) >= 3
    assert set(watched.outcomes) == {None}


async def test_somebody_is_added_once_though_access_had_run_out(
    demo: Callable[..., DemoAccess], refreshes: list[str]
) -> None:
    watched = Watched(demo(people=10).base_url)
    added = await watched.client.create_person("Ada", "Lovelace", "ada@lovelace.example")
    people = [person async for person in watched.client.people()]
    await watched.client.aclose()
    assert [person.id for person in people if person.lastname == "Lovelace"] == [added.id]
    assert len(people) == 11
    assert len(refreshes) == 1


async def test_a_service_that_leaves_the_refresh_token_out_is_refreshed_with_the_old_one(
    demo: Callable[..., DemoAccess], refreshes: list[str]
) -> None:
    watched = Watched(demo(renews_refresh_token=False, token_lifetime=1).base_url)
    await watched.client.check()
    await asyncio.sleep(1.01)
    await watched.client.check()
    await watched.client.aclose()
    assert refreshes == [REFRESH, REFRESH]
    assert [grant.refresh_token for grant in watched.kept] == [REFRESH, REFRESH]


async def test_a_refresh_outlives_a_restart_of_the_service(
    demo: Callable[..., DemoAccess], refreshes: list[str]
) -> None:
    first = Watched(demo().base_url)
    await first.client.check()
    await first.client.aclose()
    newest = first.kept[0].refresh_token or ""
    second = Watched(demo().base_url, refresh=newest)
    await second.client.check()
    await second.client.aclose()
    assert refreshes == [REFRESH, newest]


async def test_a_refused_refresh_token_ends_in_one_expired_sign_in(
    demo: Callable[..., DemoAccess], refreshes: list[str]
) -> None:
    watched = Watched(demo().base_url, refresh="made-up")
    for _ in range(3):
        with pytest.raises(TokenExpired):
            await watched.client.check()
    await watched.client.aclose()
    assert refreshes == ["made-up"]
    assert [type(outcome) for outcome in watched.outcomes] == [TokenExpired] * 3
    assert watched.kept == []


def answering(calls: Act, tokens: Act) -> Act:
    """One act for the calls, another for the address of the tokens."""

    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await (tokens if asked.path == "/oauth/token" else calls)(asked, writer)

    return act


def new_tokens(service: ScriptedService) -> Act:
    return service.tree({"access_token": "newer-access", "expires_in": 3600})


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(401, 121, TokenExpired), (401, 102, NotAuthorised), (200, 121, TokenExpired)],
)
async def test_a_call_that_stays_refused_is_tried_once_more_and_never_again(
    service: ScriptedService, status: int, code: int, kind: type[ApiError]
) -> None:
    service.answers(answering(service.fail(status, code), new_tokens(service)))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(kind):
        await watched.client.people_flows()
    await watched.client.aclose()
    assert [asked.path for asked in service.asked] == [
        "/v1/peopleFlows/getAll.json",
        "/oauth/token",
        "/v1/peopleFlows/getAll.json",
    ]
    assert [asked.headers.get("authorization") for asked in service.asked] == [
        "Bearer older-access",
        None,
        "Bearer newer-access",
    ]
    assert len(watched.outcomes) == 1


async def test_a_bare_401_renews_as_well(service: ScriptedService) -> None:
    service.answers(answering(service.body(b"", 401), new_tokens(service)))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(NotAuthorised):
        await watched.client.people_flows()
    await watched.client.aclose()
    assert len(service.asked) == 3


@pytest.mark.parametrize(
    ("status", "code"), [(401, 100), (401, 50), (401, 7), (403, 403), (400, 250)]
)
async def test_a_refusal_that_new_access_cannot_mend_renews_nothing(
    service: ScriptedService, status: int, code: int
) -> None:
    service.answers(answering(service.fail(status, code), new_tokens(service)))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(ApiError):
        await watched.client.people_flows()
    await watched.client.aclose()
    assert "/oauth/token" not in [asked.path for asked in service.asked]


@pytest.mark.parametrize(
    ("tokens", "kind"),
    [
        (lambda service: service.reset(), Unreachable),
        (lambda service: service.body(b"", 503), ServiceFault),
    ],
)
async def test_a_refresh_that_did_not_come_about_is_no_expired_sign_in(
    service: ScriptedService, tokens: Callable[[ScriptedService], Act], kind: type[ApiError]
) -> None:
    refused = service.fail(401, 121)
    service.answers(answering(refused, tokens(service)))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(kind) as caught:
        await watched.client.create_person("Ada", "Lovelace", "")
    assert not caught.value.outcome_unknown
    service.answers(answering(service.people("1"), new_tokens(service)))
    await watched.client.check()
    await watched.client.aclose()
    assert not any(isinstance(outcome, NotAuthorised) for outcome in watched.outcomes)
    assert watched.outcomes[-1] is None


async def test_one_request_and_its_renewal_share_one_deadline(service: ScriptedService) -> None:
    service.answers(answering(service.fail(401, 121), service.silence()))
    watched = Watched(service.base_url, "older-access")
    watched.client._requester._limits = replace(QUICK, deadline=0.2)
    with pytest.raises(ApiError) as caught:
        await watched.client.create_person("Ada", "Lovelace", "")
    await watched.client.aclose()
    assert "while access was renewed" in caught.value.details
    assert not caught.value.outcome_unknown


async def test_no_token_goes_to_another_host(service: ScriptedService) -> None:
    moved = service.body(b"", 307, Location="http://127.0.0.1:9/elsewhere")
    service.answers(answering(service.fail(401, 121), moved))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(ApiError):
        await watched.client.people_flows()
    await watched.client.aclose()
    assert len(service.asked) == 2


async def test_a_damaged_answer_to_a_refresh_keeps_what_was_there(service: ScriptedService) -> None:
    cut = service.raw(b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n{", close=True)
    service.answers(answering(service.fail(401, 121), cut))
    watched = Watched(service.base_url, "older-access")
    with pytest.raises(ApiError):
        await watched.client.people_flows()
    assert watched.kept == []
    body = json.dumps({"status": "ok", "people_flows": {"people_flow": []}}).encode()
    service.answers(answering(service.body(body), new_tokens(service)))
    assert list(await watched.client.people_flows()) == []
    await watched.client.aclose()
