"""Asking whether the connection is back: only while it is down, and ever more rarely."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.reconnect import WAITS, Reconnect
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import ConnectionChanged, Session, SessionState
from app.accounts.vault import Vault
from app.api.errors import ApiError, NotAuthorised, Unreachable
from app.api.service import Service
from app.model.errors import ExpectedError
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope

AWAY = Unreachable("No connection", "No connection.")
REFUSED = NotAuthorised("Not accepted", "The key is not accepted.")
DEMO = Account(id="demo", name="Demo", base_url="http://127.0.0.1:1", auth_method=AuthMethod.DEMO)


class AService:
    """Answers each check with the next of `errors`, and well when there are no more."""

    def __init__(self, told: Callable[[ApiError | None], None]) -> None:
        self.told = told
        self.errors: list[ApiError] = []
        self.checks = 0
        self.gate: asyncio.Event | None = None

    async def check(self) -> None:
        self.checks += 1
        if self.gate is not None:
            await self.gate.wait()
        error = self.errors.pop(0) if self.errors else None
        self.told(error)
        if error is not None:
            raise error

    async def aclose(self) -> None:
        """There is no line to end."""


class Watch(ServiceConnector):
    """A real session that is watched, with what the watching slept instead of sleeping."""

    def __init__(self) -> None:
        self.crashes: list[BaseException] = []
        self.events = EventBus(self.crashes.append)
        self.scope = TaskScope("watch", self.crashes.append, ExpectedError)
        self.services: list[AService] = []
        self.time = datetime.now(UTC)
        self.session = Session(
            AccountRegistry(None), Vault(), self.events, self, now=lambda: self.time
        )
        self.slept: list[float] = []
        self.online: list[bool] = []
        self.events.subscribe(ConnectionChanged, self._connection_changed, self.scope)

    def _connection_changed(self, event: ConnectionChanged) -> None:
        self.online.append(event.online)

    def connect(
        self,
        account: Account,  # noqa: ARG002 - of the contract
        credential: str,  # noqa: ARG002 - as above
        on_outcome: Callable[[ApiError | None], None],
        access: object,  # noqa: ARG002 - as above
    ) -> Service:
        self.services.append(AService(on_outcome))
        return cast("Service", self.services[-1])

    @property
    def service(self) -> AService:
        return self.services[-1]

    async def sign_in(self) -> None:
        until = msgspec.structs.replace(DEMO, expires_at=self.time + timedelta(days=1))
        await self.session.sign_in(until, "a-key")
        self.service.checks = 0

    async def settle(self) -> None:
        await self._until(lambda: not self.scope.busy)

    async def asked(self) -> None:
        await self._until(lambda: self.service.checks > 0)

    async def _until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0)


@pytest.fixture
async def watch(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watch]:
    """Somebody is signed in; waits are noted and take no time."""
    watch, sleep = Watch(), asyncio.sleep

    async def note(seconds: float) -> None:
        if seconds:
            watch.slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr("app.accounts.reconnect.asyncio.sleep", note)
    await watch.sign_in()
    yield watch
    await watch.scope.close()
    await watch.session.close()
    assert watch.crashes == []


async def test_nothing_is_asked_while_the_line_is_up(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.told(None)
    assert not watch.scope.busy
    assert watch.service.checks == 0


async def test_the_service_is_asked_until_it_answers_and_then_no_more(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope, waits=(1, 2))
    watch.service.errors = [AWAY, AWAY]
    watch.service.told(AWAY)
    await watch.settle()
    assert watch.service.checks == 3
    assert (watch.session.online, watch.online) == (True, [False, True])


async def test_the_questions_become_rarer_and_the_longest_wait_repeats(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope, waits=(1, 2, 4))
    watch.service.errors = [AWAY] * 4
    watch.service.told(AWAY)
    await watch.settle()
    assert watch.slept == [1, 2, 4, 4, 4]


async def test_a_line_that_is_lost_anew_is_asked_after_soon_again(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope, waits=(1, 2))
    for _ in range(2):
        watch.service.errors = [AWAY]
        watch.service.told(AWAY)
        await watch.settle()
    assert watch.slept == [1, 2, 1, 2]


async def test_a_line_that_comes_back_by_itself_ends_the_asking(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.gate = asyncio.Event()
    watch.service.told(AWAY)
    await watch.asked()
    watch.service.told(None)
    await watch.settle()
    assert (watch.service.checks, len(watch.slept)) == (1, 1)


async def test_one_lost_line_is_asked_after_once(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.gate = asyncio.Event()
    watch.service.told(AWAY)
    await watch.asked()
    watch.events.publish(ConnectionChanged(online=False))
    watch.service.gate.set()
    await watch.settle()
    assert watch.service.checks == 1


async def test_a_sign_in_that_ends_while_the_line_is_down_ends_the_asking(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.told(AWAY)
    watch.time += timedelta(days=2)
    await watch.settle()
    assert watch.session.state is SessionState.EXPIRED
    assert (watch.service.checks, watch.session.online) == (0, False)


async def test_a_credential_that_is_refused_ends_the_asking_and_the_sign_in(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.errors = [REFUSED]
    watch.service.told(AWAY)
    await watch.settle()
    assert watch.session.state is SessionState.EXPIRED
    assert watch.service.checks == 1


async def test_nobody_is_asked_once_somebody_has_signed_out(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.gate = asyncio.Event()
    watch.service.told(AWAY)
    await watch.session.sign_out()
    await watch.settle()
    assert watch.service.checks == 0


async def test_somebody_who_is_signed_in_again_is_watched_again(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.told(AWAY)
    await watch.session.sign_out()
    await watch.sign_in()
    watch.service.told(AWAY)
    await watch.settle()
    assert (watch.service.checks, watch.session.online) == (1, True)


async def test_closing_ends_the_asking(watch: Watch) -> None:
    Reconnect(watch.session, watch.events, watch.scope)
    watch.service.gate = asyncio.Event()
    watch.service.told(AWAY)
    await watch.asked()
    await watch.scope.close()
    assert not watch.scope.busy
    watch.service.told(None)
    watch.service.told(AWAY)
    assert not watch.scope.busy


def test_the_line_is_asked_after_within_seconds_and_at_last_once_a_minute() -> None:
    assert WAITS[0] <= 5
    assert list(WAITS) == sorted(WAITS)
    assert WAITS[-1] == 60
