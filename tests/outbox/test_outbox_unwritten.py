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
from app.store.outbox import OutboxStore
from tests.outbox.conftest import ScriptedList

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.outbox.conftest import MakeBench

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
    make_bench: "MakeBench", tmp_path: Path
) -> None:
    bench = make_bench(path=tmp_path / "one" / "outbox.sqlite3", hold=LONG)
    bench.outbox.keep_draft("Ada Lovelace")
    forbid(bench.store)
    with pytest.raises(ExpectedError):
        bench.add("Ada")
    assert (bench.outbox.entries(), bench.told) == ((), [])
    assert bench.outbox.draft() == "Ada Lovelace"
    allow(bench.store)
    bench.add("Ada")
    assert bench.states() == ["waiting"]


async def test_what_a_person_asks_for_changes_nothing_when_it_cannot_be_kept(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(REFUSAL)
    refused = bench.add("Ada")
    await bench.settle()
    bench.hold = LONG
    held = bench.add("Bob")
    before, told = bench.outbox.entries(), len(bench.told)
    forbid(bench.store)
    new = NewPerson(firstname="Eve")
    asked: list[Callable[[], object]] = [
        lambda: bench.outbox.undo(held.id),
        lambda: bench.outbox.edit(held.id, new),
        lambda: bench.outbox.send_again(refused.id),
        lambda: bench.outbox.dismiss(refused.id),
    ]
    for ask in asked:
        with pytest.raises(StoreError):
            ask()
    assert bench.outbox.entries() == before
    assert len(bench.told) == told
    with pytest.raises(StoreError):
        bench.outbox.hold_until_recognised()
    assert bench.outbox.pause_reason is PauseReason.OTHER_ORGANISATION
    allow(bench.store)
    assert bench.outbox.undo(held.id) is not None


async def test_try_now_needs_no_room_of_its_own(make_bench: "MakeBench") -> None:
    bench = make_bench(hold=LONG)
    bench.add("Ada")
    forbid(bench.store)
    bench.outbox.send_now()
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_ROOM)
    allow(bench.store)
    await bench.settle()
    assert bench.states() == ["added"]


async def test_nobody_leaves_before_it_is_written_that_they_leave(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(hold=0.02)
    bench.add("Ada")
    forbid(bench.store)
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_ROOM)
    assert bench.states() == ["waiting"]
    assert bench.outbox.pause_sentence
    assert bench.scripted.asked == []
    allow(bench.store)
    await bench.settle()
    assert bench.states() == ["added"]
    assert bench.outbox.pause_reason is None
    assert bench.scripted.asked == ["Ada"]


async def test_an_answer_that_cannot_be_kept_is_shown_and_written_later(
    make_bench: "MakeBench", tmp_path: Path
) -> None:
    answer = asyncio.Event()
    file = tmp_path / "one" / "outbox.sqlite3"
    bench = make_bench(answer, path=file)
    bench.add("Ada")
    bench.add("Bob")
    await bench.until(lambda: bench.scripted.asked == ["Ada"])
    forbid(bench.store)
    answer.set()
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_ROOM)
    assert bench.states() == ["added", "waiting"]
    assert [entry.state for entry in bench.store.entries()] == [
        EntryState.SENDING,
        EntryState.WAITING,
    ]
    allow(bench.store)
    await bench.settle()
    assert bench.store.entries() == ()
    assert bench.scripted.asked == ["Ada", "Bob"]
    assert bench.outbox.pause_reason is None


async def test_an_answer_that_was_never_kept_is_made_sure_and_not_sent_again(
    make_bench: "MakeBench", tmp_path: Path
) -> None:
    answer = asyncio.Event()
    file = tmp_path / "one" / "outbox.sqlite3"
    first = make_bench(answer, path=file, people=ScriptedList(), backoff=(LONG, LONG))
    first.add("Ada")
    await first.until(lambda: first.scripted.asked == ["Ada"])
    forbid(first.store)
    answer.set()
    await first.until(lambda: first.states() == ["added"])
    await first.close()
    people = ScriptedList()
    people.there.append(first.scripted.added[0])
    second = make_bench(path=file, people=people)
    assert second.states() == ["not sure"]
    second.outbox.resume()
    await second.settle()
    assert second.states() == ["added"]
    assert second.last().person_id == first.scripted.added[0].id
    assert second.scripted.asked == []
