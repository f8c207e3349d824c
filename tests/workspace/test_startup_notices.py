"""What is told at the start of those who were waiting, and that it goes when it is no longer so."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from app.api.errors import Unreachable
from app.model.outbox import BatchRow, NewPerson
from app.outbox.events import PauseReason
from app.viewmodels.notices import Notice
from app.workspace.startup_notices import StartupNotices
from tests.viewmodels.reconciling_account import LOST, ReconcilingAccountFixture

if TYPE_CHECKING:
    from app.viewmodels.window.session import SessionScreen
    from app.workspace.local_files import LocalFiles


NO_CONNECTION = Unreachable("No line", "The service cannot be reached.", transient=True)


class Told:
    """What is said across the window."""

    def __init__(self) -> None:
        self.state = SimpleNamespace(notice=None)
        self.sentences: list[str] = []

    def say(self, notice: Notice) -> None:
        self.state.notice = notice
        self.sentences.append(notice.sentence)

    def take_back(self, notice: Notice) -> None:
        if self.state.notice is notice:
            self.state.notice = None

    @property
    def now(self) -> str:
        return self.state.notice.sentence if self.state.notice is not None else ""


@pytest.fixture
async def restarted(tmp_path: Path) -> AsyncIterator[ReconcilingAccountFixture]:
    """Three people of a list waited when the program started; the service takes its time."""
    path = tmp_path / "private" / "outbox.db"
    before = ReconcilingAccountFixture(path)
    await before.open()
    rows = [BatchRow(at, (f"Ada{at}",), NewPerson(firstname=f"Ada{at}")) for at in range(3)]
    await before.outbox.batches.take("choir.csv", ("Name",), rows)
    await before.close()
    after = ReconcilingAccountFixture(path)
    await after.open()
    yield after
    await after.close()


def listen_to(account: ReconcilingAccountFixture) -> Told:
    told = Told()
    StartupNotices(
        cast("LocalFiles", None),
        account.outbox,
        cast("SessionScreen", told),
        account.events,
        account.scope,
    )
    return told


async def told_of(account: ReconcilingAccountFixture) -> Told:
    """The service adds the first of them, and takes its time with the next."""
    told = listen_to(account)
    account.scripted.answers = [None, asyncio.Event()]
    assert told.now == ""
    account.outbox.resume()
    account.outbox.send_now()
    await account.until(lambda: told.now == "3 people were waiting: sending")
    return told


async def test_nobody_is_said_to_be_sent_before_the_line_is_up(
    restarted: ReconcilingAccountFixture,
) -> None:
    told = listen_to(restarted)
    restarted.scripted.answers = [NO_CONNECTION]
    restarted.outbox.resume()
    restarted.outbox.send_now()
    await restarted.until(lambda: restarted.outbox.pause_reason is PauseReason.UNREACHABLE)
    assert told.sentences == []
    restarted.outbox.send_now()
    await restarted.until(lambda: not restarted.outbox.has_to_send)
    assert told.sentences == [
        "3 people were waiting: sending",
        "3 people were waiting and are sent now.",
    ]


async def test_it_is_said_again_when_they_go_on_after_the_line_was_gone(
    restarted: ReconcilingAccountFixture,
) -> None:
    told = listen_to(restarted)
    restarted.scripted.answers = [None, NO_CONNECTION]
    restarted.outbox.resume()
    restarted.outbox.send_now()
    await restarted.until(lambda: restarted.outbox.pause_reason is PauseReason.UNREACHABLE)
    assert told.now == ""
    restarted.outbox.send_now()
    await restarted.until(lambda: not restarted.outbox.has_to_send)
    assert told.sentences[:2] == [
        "3 people were waiting: sending",
        "2 people were waiting: sending",
    ]


async def test_it_goes_with_the_last_who_is_sent_though_somebody_is_looked_for(
    restarted: ReconcilingAccountFixture,
) -> None:
    told = listen_to(restarted)
    restarted.scripted.answers = [None, LOST]
    restarted.outbox.resume()
    restarted.outbox.send_now()
    await restarted.until(lambda: not restarted.outbox.has_to_send)
    assert restarted.outbox.unsent_count
    assert told.sentences == ["3 people were waiting: sending"]
    assert told.now == ""


async def test_nobody_is_said_to_be_sent_while_their_list_is_paused(
    restarted: ReconcilingAccountFixture,
) -> None:
    told = await told_of(restarted)
    (batch,) = restarted.outbox.batches.all()
    restarted.outbox.batches.pause(batch.id)
    assert told.now == ""


async def test_who_was_taken_back_is_not_said_to_be_sent(
    restarted: ReconcilingAccountFixture,
) -> None:
    told = await told_of(restarted)
    (batch,) = restarted.outbox.batches.all()
    stopping = asyncio.create_task(restarted.outbox.batches.stop(batch.id))
    await restarted.until(lambda: told.now == "")
    stopping.cancel()
    assert len(told.sentences) == 1
