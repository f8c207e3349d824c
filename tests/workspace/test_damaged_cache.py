"""An account opened over a damaged cache: its lists are read again, and nobody is sent twice."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from app.accounts.account import Account, AuthMethod
from app.accounts.folders import CACHE, OUTBOX, AccountFolders
from app.api.errors import ApiError
from app.api.service import Service
from app.api.sign_in.token_refresh import RefreshableAccess
from app.model.flow import PeopleFlow
from app.model.outbox import EntryState
from app.model.person import Person
from app.outbox.account_matching import write_sample
from app.settings.column_choices import ColumnChoices
from app.settings.saved_states import SavedStateStore
from app.settings.settings import SettingsStore
from app.store.cache import Cache
from app.store.ordering import SortKey
from app.store.outbox.outbox import OutboxStore
from app.store.schema import CACHE_TABLES
from app.workspace.local_files import open_local_files
from app.workspace.workspace import Workspace
from tests.viewmodels.conftest import Listing
from tests.viewmodels.sign_in.sign_in_fixture import SignInFixture

ACCOUNT = Account(
    id="riverside",
    name="Riverside",
    base_url="https://riverside.example.org",
    auth_method=AuthMethod.KEY,
)
PEOPLE = [
    Person(
        id=f"p{n}",
        firstname=f"First{n}",
        lastname=f"Last{n}",
        email=f"p{n}@x.org",
        date_added=datetime(2020, 1, 1, tzinfo=UTC),
    )
    for n in range(300)
]
FLOWS = [PeopleFlow(id="f", name="Welcome")]
KNOWN = PEOPLE[200]
TOLD = "Refresh to fetch them again."


def roots() -> list[str]:
    """The tables and indexes of a cache."""
    with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
        for statement in CACHE_TABLES:
            fresh.execute(statement)
        return [name for (name,) in fresh.execute("SELECT name FROM sqlite_schema WHERE rootpage")]


class Riverside:
    """A service that has these people, and adds whoever it is given."""

    def __init__(self) -> None:
        self.created: list[str] = []

    def people(self) -> Listing:
        pages = (PEOPLE[at : at + 125] for at in range(0, len(PEOPLE), 125))
        return Listing(*pages, total=len(PEOPLE))

    async def people_flows(self) -> Sequence[PeopleFlow]:
        return FLOWS

    async def check(self) -> None:
        """It answers."""

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        self.created.append(firstname)
        return Person(id=f"new-{firstname}", firstname=firstname, lastname=lastname, email=email)

    async def aclose(self) -> None:
        """There is no line to end."""


class Desk(SignInFixture):
    """An account as the window opens it, with all its screens, beside its real files."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folders = AccountFolders(folder)
        self.riverside = Riverside()
        self.settings = SettingsStore(None, self.events)
        self._workspace: Workspace | None = None

    def connect(
        self,
        account: Account,  # noqa: ARG002 - of the contract
        credential: str,  # noqa: ARG002
        on_outcome: Callable[[ApiError | None], None],  # noqa: ARG002
        access: RefreshableAccess | None,  # noqa: ARG002
    ) -> Service:
        return cast("Service", self.riverside)

    @property
    def cache(self) -> Path:
        return self.folders.make(ACCOUNT.id) / CACHE

    @property
    def workspace(self) -> Workspace:
        assert self._workspace is not None
        return self._workspace

    async def begin(self) -> None:
        """As the program starts with a key that it was given."""
        await self.session.go_on_with(ACCOUNT, "a-key")
        self._workspace = Workspace(
            ACCOUNT,
            self.session,
            self.screen,
            self.events,
            settings=self.settings,
            saved_states=SavedStateStore(None),
            columns=ColumnChoices(None),
            files=open_local_files(self.folders, ACCOUNT, keep=True),
            report=self.crashes.append,
        )

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that has to come."""
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    @property
    def shows_everybody(self) -> bool:
        """Whether the whole list is on the screen, and nothing is said to be under way."""
        people, status = self.workspace.screens.people, self.workspace.screens.status
        return people.table.people_count == len(PEOPLE) and not status.state.under_way

    async def leave(self) -> None:
        """As another account is shown in place of this one."""
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            await workspace.close()

    async def end(self) -> None:
        await self.leave()
        await self.session.close()
        await self.scope.close()


async def make(path: Path) -> None:
    cache = Cache.open(path)
    for people in (PEOPLE[1:], [replace(PEOPLE[1], phone="1"), *PEOPLE]):
        number = await cache.begin_full_read()
        await cache.save_people(people)
        await cache.finish_full_read(number, complete=True)
    await cache.save_flows(FLOWS)
    await cache.kept_order(SortKey.FIRST_NAME)
    await cache.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an earlier run."""
    path = tmp_path_factory.mktemp("kept") / CACHE
    asyncio.run(make(path))
    return path.read_bytes()


@pytest.fixture
async def desk(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
    kept: bytes,
) -> AsyncIterator[Desk]:
    desk = Desk(tmp_path)
    desk.cache.write_bytes(kept)
    # Whom an earlier run knew this account by.
    outbox = OutboxStore.open(desk.cache.with_name(OUTBOX))
    write_sample(outbox, (person.id for person in PEOPLE[::5]))
    outbox.close_now()
    yield desk
    await desk.end()
    assert desk.crashes == []


def overwrite(path: Path, name: str) -> None:
    """A disk that gives something else in the place of the first page of a table."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,))
        (page,), (size,) = found.fetchone(), connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


@pytest.mark.parametrize("name", roots())
async def test_whichever_page_is_damaged_the_lists_are_read_again_and_nobody_is_sent_twice(
    desk: Desk, name: str
) -> None:
    overwrite(desk.cache, name)
    await desk.begin()
    await desk.workspace.read_list()
    desk.workspace.take_up()
    opening = asyncio.ensure_future(desk.workspace.open())
    await asyncio.sleep(0)
    line = desk.workspace.screens.quick_add
    for typed in (f"{KNOWN.firstname} {KNOWN.lastname} {KNOWN.email}", "Zora Quill zora@x.org"):
        line.type(typed)
        assert line.save()
    await opening
    await desk.until(lambda: desk.shows_everybody or TOLD in desk.said)
    if TOLD in desk.said:
        desk.workspace.refresh()
        await desk.until(lambda: desk.shows_everybody)
    desk.workspace.leave_when_sent(lambda: None)
    await desk.until(lambda: not desk.workspace.has_to_send)
    assert desk.riverside.created == ["Zora"]
    states = {entry.new_person.firstname: entry.state for entry in desk.workspace.unsent()}
    assert states == {KNOWN.firstname: EntryState.REFUSED}
