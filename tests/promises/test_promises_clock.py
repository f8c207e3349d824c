"""The wall clock may be set while somebody is held: holds are measured by one nobody can set."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.outbox.outbox import OutboxStore
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from app.api.service import Service

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
HOLD = 5.0
ADA = NewPerson(firstname="Ada", lastname="Lovelace")
HOUR = timedelta(hours=1)


class ClockedOutbox:
    """An outbox whose wall clock can be set, and whose time can be made to pass."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = NOON
        self.passed = 0.0
        self.created: list[str] = []
        self._loop = asyncio.get_running_loop()
        steady = self._loop.time
        monkeypatch.setattr(self._loop, "time", lambda: steady() + self.passed)
        self._scope = TaskScope("desk", self._fail, ExpectedError)
        self._store = OutboxStore.open(path)
        self.outbox = Outbox(
            EventBus(self._fail),
            self._scope,
            SignedInTo(cast("Service", self)),
            store=self._store,
            hold_seconds=HOLD,
            now=lambda: self.wall,
        )

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        self.created.append(firstname)
        return Person(id="new", firstname=firstname, lastname=lastname, email=email)

    @property
    def state(self) -> EntryState:
        return self.outbox.entries()[-1].state

    async def turn(self) -> None:
        """Let whatever is due be done."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0.001)

    async def close(self) -> None:
        await self.outbox.close()
        await self._scope.close()
        await self._store.close()

    def _fail(self, error: BaseException) -> None:
        raise error


@pytest.mark.parametrize("set_by", [HOUR, -HOUR, timedelta(days=400), timedelta(days=-400)])
async def test_a_hold_lasts_as_long_as_it_should_when_the_wall_clock_is_set(
    set_by: timedelta, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = ClockedOutbox(tmp_path / "one" / "outbox.sqlite3", monkeypatch)
    subject.outbox.add("Ada Lovelace", ADA)
    await subject.turn()
    subject.wall += set_by
    subject.passed = HOLD - 1
    await subject.turn()
    assert (subject.state, subject.created) == (EntryState.WAITING, [])
    subject.passed = HOLD
    await subject.until(lambda: subject.state is EntryState.ADDED)
    assert subject.created == ["Ada"]
    await subject.close()


@pytest.mark.parametrize("set_by", [HOUR, -HOUR, timedelta(days=400), timedelta(days=-400)])
async def test_who_waited_goes_at_the_next_start_whatever_the_wall_clock_says(
    set_by: timedelta, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one" / "outbox.sqlite3"
    subject = ClockedOutbox(path, monkeypatch)
    subject.outbox.add("Ada Lovelace", ADA)
    await subject.close()
    monkeypatch.undo()
    subject = ClockedOutbox(path, monkeypatch)
    subject.wall += set_by
    assert subject.outbox.waited_at_start == 1
    subject.outbox.resume()
    await subject.until(lambda: subject.state is EntryState.ADDED)
    assert subject.created == ["Ada"]
    await subject.close()
