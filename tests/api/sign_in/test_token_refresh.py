"""One renewal at a time, in time, and never again once it was refused: over a scripted exchange."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.api.errors import ApiError, ServiceFault, TokenExpired, Unreachable
from app.api.sign_in.oauth import TokenGrant
from app.api.sign_in.token_refresh import RefreshableAccess, TokenRefresher
from app.runtime.secrets import redact

START = datetime(2024, 5, 3, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
AWAY = Unreachable("No connection", "No.", transient=True)
OVER = TokenExpired("Sign in again", "Over.")


class Exchange:
    """Gives access that lives for `life`, unless `error`; waits at `gate` where there is one."""

    def __init__(self) -> None:
        self.now = START
        self.life = HOUR
        self.sent: list[str] = []
        self.kept: list[TokenGrant] = []
        self.error: ApiError | None = None
        self.gate: asyncio.Event | None = None
        self.vault: Callable[[], Awaitable[object]] | None = None
        self.next_refresh: str | None = "refresh-1"

    async def refresh(self, token: str) -> TokenGrant:
        self.sent.append(token)
        if self.gate is not None:
            await self.gate.wait()
        if self.error is not None:
            raise self.error
        access = f"access-{len(self.sent)}"
        return TokenGrant(access, self.now + self.life, self.next_refresh)

    async def keep(self, grant: TokenGrant) -> None:
        if self.vault is not None:
            await self.vault()
        self.kept.append(grant)

    def renewal(
        self, access: str = "access-0", until: datetime | None = START + HOUR
    ) -> TokenRefresher:
        held = RefreshableAccess("refresh-0", self.keep, access, until)
        return TokenRefresher(held, self.refresh, now=lambda: self.now)


@pytest.fixture
def exchange() -> Exchange:
    return Exchange()


@pytest.fixture
async def renewal(exchange: Exchange) -> AsyncIterator[TokenRefresher]:
    made = exchange.renewal()
    yield made
    await made.aclose()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_access_that_holds_is_used_as_it_is(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += timedelta(minutes=58)
    assert await renewal.token() == "access-0"
    assert exchange.sent == []


async def test_access_is_renewed_a_minute_before_its_end_and_kept(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += timedelta(minutes=59)
    assert await renewal.token() == "access-1"
    await settled()
    assert exchange.kept == [TokenGrant("access-1", exchange.now + HOUR, "refresh-1")]
    assert await renewal.token() == "access-1"
    assert exchange.sent == ["refresh-0"]


async def test_a_short_life_has_a_short_margin(renewal: TokenRefresher, exchange: Exchange) -> None:
    exchange.life = timedelta(seconds=10)
    exchange.now += HOUR
    await renewal.token()
    exchange.now += timedelta(seconds=8.9)
    assert await renewal.token() == "access-1"
    exchange.now += timedelta(seconds=0.2)
    assert await renewal.token() == "access-2"


async def test_the_next_renewal_uses_the_newest_refresh_token(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    for _ in range(2):
        exchange.now += HOUR
        await renewal.token()
    assert exchange.sent == ["refresh-0", "refresh-1"]


async def test_where_no_refresh_token_comes_back_the_old_one_is_kept(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.next_refresh = None
    for _ in range(2):
        exchange.now += HOUR
        await renewal.token()
    await settled()
    assert exchange.sent == ["refresh-0", "refresh-0"]
    assert [grant.refresh_token for grant in exchange.kept] == ["refresh-0", "refresh-0"]


@pytest.mark.parametrize("access", ["", "two words", "line\nend"])
async def test_without_usable_access_the_refresh_token_is_enough(
    exchange: Exchange, access: str
) -> None:
    renewal = exchange.renewal(access, None)
    assert await renewal.token() == "access-1"
    await renewal.aclose()


async def test_access_whose_end_nobody_knows_is_used_until_it_is_refused(
    exchange: Exchange,
) -> None:
    renewal = exchange.renewal("access-0", None)
    exchange.now += timedelta(days=100)
    assert await renewal.token() == "access-0"
    await renewal.replace(renewal.generation)
    assert await renewal.token() == "access-1"
    await renewal.aclose()


async def test_twenty_at_once_wait_for_one_renewal(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += HOUR
    exchange.gate = asyncio.Event()
    waiting = [asyncio.ensure_future(renewal.token()) for _ in range(20)]
    await settled()
    exchange.gate.set()
    assert set(await asyncio.gather(*waiting)) == {"access-1"}
    assert exchange.sent == ["refresh-0"]


async def test_twenty_refused_at_once_cause_one_renewal(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    seen = renewal.generation
    await asyncio.gather(*(renewal.replace(seen) for _ in range(20)))
    await renewal.replace(seen)
    assert exchange.sent == ["refresh-0"]
    assert await renewal.token() == "access-1"


async def test_who_gives_up_waiting_takes_nothing_from_the_others(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += HOUR
    exchange.gate = asyncio.Event()
    first, second = (asyncio.ensure_future(renewal.token()) for _ in range(2))
    await settled()
    first.cancel()
    await settled()
    exchange.gate.set()
    assert await second == "access-1"
    await settled()
    assert (len(exchange.sent), len(exchange.kept)) == (1, 1)


async def test_new_tokens_are_kept_though_nobody_waits_for_them_any_more(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += HOUR
    exchange.gate = asyncio.Event()
    only = asyncio.ensure_future(renewal.token())
    await settled()
    only.cancel()
    exchange.gate.set()
    await settled()
    assert [grant.access_token for grant in exchange.kept] == ["access-1"]


async def test_a_slow_vault_holds_nobody_up(renewal: TokenRefresher, exchange: Exchange) -> None:
    door = asyncio.Event()
    exchange.vault = door.wait
    exchange.now += HOUR
    assert await renewal.token() == "access-1"
    assert exchange.kept == []
    door.set()


async def test_a_line_that_is_down_lets_access_go_on_to_its_end_and_is_then_told(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.error = AWAY
    exchange.now += timedelta(minutes=59, seconds=30)
    assert await renewal.token() == "access-0"
    exchange.now += timedelta(seconds=30)
    with pytest.raises(Unreachable):
        await renewal.token()
    exchange.error = None
    assert await renewal.token() == "access-3"


async def test_a_broken_service_is_asked_again_next_time(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.error = ServiceFault("The service has a problem", "No.")
    with pytest.raises(ServiceFault):
        await renewal.replace(0)
    exchange.error = None
    await renewal.replace(0)
    assert len(exchange.sent) == 2


async def test_a_refused_refresh_token_is_never_sent_again(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.error = OVER
    exchange.now += HOUR
    for _ in range(3):
        with pytest.raises(TokenExpired):
            await renewal.token()
        with pytest.raises(TokenExpired):
            await renewal.replace(renewal.generation)
    assert exchange.sent == ["refresh-0"]
    assert exchange.kept == []


@pytest.mark.parametrize("steps", [0, 1, 5])
async def test_closing_ends_a_renewal_under_way_and_whoever_waits(
    renewal: TokenRefresher, exchange: Exchange, steps: int
) -> None:
    exchange.now += HOUR
    exchange.gate = asyncio.Event()
    waiting = asyncio.ensure_future(renewal.token())
    for _ in range(steps):
        await asyncio.sleep(0)
    await renewal.aclose()
    with pytest.raises(Unreachable):
        await waiting
    with pytest.raises(Unreachable):
        await renewal.token()


async def test_closing_lets_tokens_that_came_be_kept(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.vault = settled
    exchange.now += HOUR
    await renewal.token()
    await renewal.aclose()
    assert len(exchange.kept) == 1


async def test_closing_can_be_cancelled_and_then_waits_for_no_vault(
    renewal: TokenRefresher, exchange: Exchange
) -> None:
    exchange.now += HOUR
    vault = asyncio.Event()
    exchange.vault = vault.wait
    await renewal.token()
    closing = asyncio.create_task(renewal.aclose())
    await settled()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    vault.set()
    await settled()
    assert exchange.kept == []


async def test_tokens_are_taken_out_of_every_log_line(exchange: Exchange) -> None:
    held = RefreshableAccess("canary-refresh-token", exchange.keep, "canary-access-token")
    await TokenRefresher(held, exchange.refresh).aclose()
    assert "canary" not in redact("canary-refresh-token canary-access-token")
    assert "canary" not in repr(held)
