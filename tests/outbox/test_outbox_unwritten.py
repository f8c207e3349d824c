"""A computer that cannot keep anything: nobody leaves unwritten, no answer is forgotten."""

import asyncio
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.api.errors import InputRefused
from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson
from app.outbox.events import PauseReason
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from tests.outbox.conftest import ScriptedList

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.outbox.conftest import MakeOutbox

LONG = 3600.0
REFUSAL = InputRefused("Refused", "The name is too long.", code=250, status=400)


def write(store: OutboxStore, pragma: str) -> None:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA {pragma}")

    store._database.run_now(work)


def forbid(store: OutboxStore) -> None:
    """No write gets through any more, as on a disk that has become read-only."""
    write(store, "query_only = ON")


def allow(store: OutboxStore) -> None:
    write(store, "query_only = OFF")


async def test_enter_that_cannot_be_kept_takes_nothing_and_leaves_the_draft(
    make_outbox: "MakeOutbox", tmp_path: Path
) -> None:
    subject = make_outbox(path=tmp_path / "one" / "outbox.sqlite3", hold=LONG)
    subject.outbox.store.keep_draft("Ada Lovelace")
    forbid(subject.store)
    with pytest.raises(ExpectedError):
        subject.add("Ada")
    assert (subject.outbox.entries(), subject.told) == ((), [])
    assert subject.outbox.store.draft() == "Ada Lovelace"
    allow(subject.store)
    subject.add("Ada")
    assert subject.states() == ["waiting"]


async def test_what_a_person_asks_for_changes_nothing_when_it_cannot_be_kept(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(REFUSAL)
    refused = subject.add("Ada")
    await subject.settle()
    subject.outbox.set_hold_seconds(LONG)
    held = subject.add("Bob")
    before, told = subject.outbox.entries(), len(subject.told)
    forbid(subject.store)
    new = NewPerson(firstname="Eve")
    asked: list[Callable[[], object]] = [
        lambda: subject.outbox.undo(held.id),
        lambda: subject.outbox.edit(held.id, "corrected", new),
        lambda: subject.outbox.send_again(refused.id),
        lambda: subject.outbox.dismiss(refused.id),
    ]
    for ask in asked:
        with pytest.raises(StoreError):
            ask()
    assert subject.outbox.entries() == before
    assert len(subject.told) == told
    with pytest.raises(StoreError):
        subject.outbox.hold_until_recognised()
    assert subject.outbox.pause_reason is PauseReason.OTHER_ORGANISATION
    allow(subject.store)
    assert subject.outbox.undo(held.id) is not None


async def test_try_now_needs_no_room_of_its_own(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(hold=LONG)
    subject.add("Ada")
    forbid(subject.store)
    subject.outbox.send_now()
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.NO_ROOM)
    allow(subject.store)
    await subject.settle()
    assert subject.states() == ["added"]


async def test_nobody_leaves_before_it_is_written_that_they_leave(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=0.02)
    subject.add("Ada")
    forbid(subject.store)
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.NO_ROOM)
    assert subject.states() == ["waiting"]
    assert subject.outbox.pause_sentence
    assert subject.scripted.asked == []
    allow(subject.store)
    await subject.settle()
    assert subject.states() == ["added"]
    assert subject.outbox.pause_reason is None
    assert subject.scripted.asked == ["Ada"]


async def test_an_answer_that_cannot_be_kept_is_shown_and_written_later(
    make_outbox: "MakeOutbox", tmp_path: Path
) -> None:
    answer = asyncio.Event()
    file = tmp_path / "one" / "outbox.sqlite3"
    subject = make_outbox(answer, path=file)
    subject.add("Ada")
    subject.add("Bob")
    await subject.until(lambda: subject.scripted.asked == ["Ada"])
    forbid(subject.store)
    answer.set()
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.NO_ROOM)
    assert subject.states() == ["added", "waiting"]
    assert [entry.state for entry in subject.store.entries()] == [
        EntryState.SENDING,
        EntryState.WAITING,
    ]
    allow(subject.store)
    await subject.settle()
    assert subject.store.entries() == ()
    assert subject.scripted.asked == ["Ada", "Bob"]
    assert subject.outbox.pause_reason is None


async def test_an_answer_that_was_never_kept_is_made_sure_and_not_sent_again(
    make_outbox: "MakeOutbox", tmp_path: Path
) -> None:
    answer = asyncio.Event()
    file = tmp_path / "one" / "outbox.sqlite3"
    first = make_outbox(answer, path=file, people=ScriptedList(), backoff=(LONG, LONG))
    first.add("Ada")
    await first.until(lambda: first.scripted.asked == ["Ada"])
    forbid(first.store)
    answer.set()
    await first.until(lambda: first.states() == ["added"])
    await first.close()
    people = ScriptedList()
    people.there.append(first.scripted.added[0])
    second = make_outbox(path=file, people=people)
    assert second.states() == ["not sure"]
    second.outbox.resume()
    await second.settle()
    assert second.states() == ["added"]
    assert second.last().person_id == first.scripted.added[0].id
    assert second.scripted.asked == []
