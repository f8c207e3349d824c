"""A session over a real registry and a real vault; of the service, what the test decides."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.accounts.account import Account
from app.accounts.registry import AccountRegistry
from app.accounts.service_connector import ServiceConnector
from app.accounts.session import ConnectionChanged, Session, SessionChanged
from app.accounts.vault import Vault
from app.api.service import ListedPeople
from app.api.sign_in.token_refresh import RefreshableAccess
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.runtime.events import EventBus

PATIENT = 30.0
"""Seconds that a vault may take where nothing but the machine is slow."""


class AService:
    """A service whose answers the test decides; `told` is what it tells its session."""

    def __init__(
        self,
        account: Account,
        credential: str,
        told: Callable[[Any], None],
        access: RefreshableAccess | None,
    ) -> None:
        self.account = account
        self.credential = credential
        self.told = told
        self.access = access
        self.checks = 0
        self.closed = 0
        self.answer: asyncio.Future[None] | None = None
        self.error: Exception | None = None

    def people(self) -> ListedPeople:
        raise NotImplementedError

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        raise NotImplementedError

    async def people_flows(self) -> Sequence[PeopleFlow]:
        raise NotImplementedError

    async def check(self) -> None:
        self.checks += 1
        if self.answer is not None:
            await self.answer
        self.told(self.error)
        if self.error is not None:
            raise self.error

    async def aclose(self) -> None:
        self.closed += 1


class Connections(ServiceConnector):
    """Every service that was made, the last one last, and what the next one will do."""

    def __init__(self) -> None:
        self.made: list[AService] = []
        self.error: Exception | None = None
        self.waits = False

    def connect(
        self,
        account: Account,
        credential: str,
        on_outcome: Callable[[Any], None],
        access: RefreshableAccess | None,
    ) -> AService:
        service = AService(account, credential, on_outcome, access)
        service.error = self.error
        if self.waits:
            service.answer = asyncio.get_running_loop().create_future()
        self.made.append(service)
        return service

    @property
    def last(self) -> AService:
        return self.made[-1]


class Clock:
    """The time, moved by hand."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, **by: float) -> None:
        self.time += timedelta(**by)


class SessionFixture:
    """A session over real parts, with what it published; `again` is the next start."""

    def __init__(self, folder: Path, vault: Vault | None = None) -> None:
        self.registry = AccountRegistry(folder)
        self.vault = vault or Vault(PATIENT)
        self.connections = Connections()
        self.clock = Clock()
        self.heard: list[object] = []
        events = EventBus(self._fail)
        for kind in (SessionChanged, ConnectionChanged):
            events.subscribe(kind, self.heard.append, self)
        self.session = Session(self.registry, self.vault, events, self.connections, now=self.clock)
        self.folder = folder

    def again(self) -> "SessionFixture":
        """The same computer after the program was ended and started."""
        return SessionFixture(self.folder)

    def call_on_close(self, callback: Callable[[], None]) -> None:
        """The subscriptions end with the test."""

    def _fail(self, error: BaseException) -> None:
        raise error


@pytest.fixture
def subject(tmp_path: Path) -> SessionFixture:
    """A session on a new computer."""
    return SessionFixture(tmp_path / "desk")


@pytest.fixture
def hasty_subject(tmp_path: Path) -> SessionFixture:
    """The same, giving a vault hardly any time."""
    return SessionFixture(tmp_path / "desk", Vault(deadline=0.1))
