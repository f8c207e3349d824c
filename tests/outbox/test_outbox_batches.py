"""Batches: taken whole, paused, stopped, undone."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from app.model.errors import ExpectedError
from app.model.outbox import BatchEnd, BatchRow, NewPerson
from app.outbox.events import EntriesChanged
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox
from tests.outbox.batch_rows import BUSY, HEADINGS, LONG, many, outcomes, rows, take


async def test_a_batch_is_in_the_file_when_it_is_acknowledged_and_told_once(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    left_out = BatchRow(9, ("Bob", ""), None, "already here")
    taken = [*rows("Ada", "Cyd"), left_out]
    batch = await subject.outbox.batches.take("sign-up.csv", HEADINGS, taken)
    assert subject.store.batches() == subject.outbox.batches.all() == (batch,)
    assert (batch.name, batch.headings, batch.rows, batch.total) == ("sign-up.csv", HEADINGS, 3, 2)
    assert subject.store.entries() == subject.outbox.entries()
    assert [entry.new_person for entry in subject.outbox.entries()] == [
        one.new_person for one in taken[:2]
    ]
    assert {entry.batch for entry in subject.outbox.entries()} == {batch.id}
    (told,) = [event for event in subject.told if isinstance(event, EntriesChanged)]
    assert len(told.changed) == 2
    assert await outcomes(subject, batch.id) == [
        ("Ada", "waiting"),
        ("Cyd", "waiting"),
        ("Bob", "left out"),
    ]
    assert (await subject.outbox.batches.result(batch.id))[2].reason == "already here"


async def test_a_batch_with_somebody_who_has_no_name_is_not_taken(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    nameless = BatchRow(3, ("?", ""), NewPerson(email="a@x.org"))
    with pytest.raises(ExpectedError):
        await take(subject, [*rows("Ada"), nameless])
    subject.outbox.take_nobody("Not now.")
    with pytest.raises(ExpectedError):
        await take(subject, rows("Ada"))
    assert (subject.outbox.entries(), subject.outbox.batches.all()) == ((), ())


async def test_a_batch_that_cannot_be_kept_is_not_there(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_store: OutboxStore, *_batch: object) -> None:
        await asyncio.sleep(0)
        raise StoreError("No room", "The disk is full.")

    subject = make_outbox()
    with monkeypatch.context() as patched:
        patched.setattr(OutboxStore, "take_batch", full)
        with pytest.raises(StoreError):
            await take(subject, rows("Ada"))
    subject.outbox.send_now()
    await subject.settle()
    assert (subject.outbox.entries(), subject.outbox.batches.all()) == ((), ())
    assert subject.scripted.asked == []


async def test_whoever_stops_waiting_for_a_batch_that_is_kept_does_not_lose_it(
    make_outbox: "MakeOutbox", file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = make_outbox(path=file, hold=LONG)
    # Everybody who is shown takes a turn.
    monkeypatch.setattr("app.runtime.turns.BESIDE_SECONDS", 0.0)
    for steps in range(1, 24, 3):
        taking = asyncio.ensure_future(take(subject, many(20)))
        for _ in range(steps):
            await asyncio.sleep(0.0005)
        taking.cancel()
        await asyncio.wait({taking})
    take_batch, is_kept = OutboxStore.take_batch, asyncio.Event()

    async def keep(*told: Any) -> None:
        await take_batch(*told)
        is_kept.set()

    monkeypatch.setattr(OutboxStore, "take_batch", keep)
    for turns in range(12):
        is_kept.clear()
        taking = asyncio.ensure_future(take(subject, many(4)))
        await is_kept.wait()
        for _ in range(turns):
            await asyncio.sleep(0)
        taking.cancel()
        await asyncio.wait({taking})
    shown, kept = subject.outbox.entries(), subject.store.entries()
    assert sorted(one.id for one in shown) == sorted(one.id for one in kept)
    assert subject.outbox.batches.all() == tuple(reversed(subject.store.batches()))
    subject.outbox.send_now()
    await subject.settle()
    assert len(subject.scripted.asked) == len(shown)


async def test_a_paused_batch_stays_paused_over_a_restart_and_goes_on_where_it_was(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    answer = asyncio.Event()
    first = make_outbox(answer, path=file)
    batch = await take(first, many(4))
    await first.until(lambda: first.scripted.asked == ["Ada0"])
    first.outbox.batches.pause(batch)
    answer.set()
    await first.settle()
    first.add("Bob")
    await first.settle()
    assert first.scripted.asked == ["Ada0", "Bob"]
    await first.close()
    second = make_outbox(path=file)
    second.scripted.earlier = len(first.scripted.asked)
    assert second.outbox.waited_at_start == 0
    second.outbox.resume()
    await second.settle()
    assert second.scripted.asked == []
    progress = second.outbox.batches.progress(batch)
    assert progress is not None
    assert (progress.paused, progress.added, progress.waiting) == (True, 1, 3)
    assert not progress.ended
    second.outbox.batches.go_on(batch)
    await second.settle()
    assert second.scripted.asked == ["Ada1", "Ada2", "Ada3"]
    ended = second.outbox.batches.progress(batch)
    assert ended is not None
    assert (ended.added, ended.ended, ended.paused) == (4, True, False)


async def test_what_a_stopped_batch_has_not_sent_comes_back_as_rows(
    make_outbox: "MakeOutbox", file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.batches._ON_THE_WAY", 0.0)
    answer = asyncio.Event()
    subject = make_outbox(answer, path=file)
    taken = many(4)
    batch = await take(subject, taken)
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    corrected = NewPerson(firstname="Eve")
    subject.outbox.edit(subject.outbox.entries()[2].id, "corrected", corrected)
    back = await subject.outbox.batches.stop(batch)
    assert back == (taken[1], msgspec.structs.replace(taken[2], new_person=corrected), taken[3])
    answer.set()
    await subject.settle()
    assert subject.scripted.asked == ["Ada0"]
    expected = [("Ada0", "added"), *((f"Ada{n}", "not sent") for n in (1, 2, 3))]
    assert await outcomes(subject, batch) == expected
    assert [entry.new_person.firstname for entry in subject.store.entries()] == []
    await subject.close()
    again = make_outbox(path=file)
    again.outbox.resume()
    await again.settle()
    assert again.scripted.asked == []
    assert await outcomes(again, batch) == expected
    progress = again.outbox.batches.progress(batch)
    assert progress is not None
    assert (progress.end, progress.ended, progress.not_sent) == (BatchEnd.STOPPED, True, 3)


async def test_who_was_left_out_is_given_back_with_those_who_were_not_sent(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    unnamed = BatchRow(9, ("", "a"), None, "needs a name", NewPerson(email="a@x.org"))
    here = BatchRow(10, ("Cyd", "b"), None, "already here", NewPerson(firstname="Cyd"), "Cyd King")
    first, second = many(2)
    taken = [unnamed, first, here, second]
    batch = await take(subject, taken)
    progress = subject.outbox.batches.progress(batch)
    assert progress is not None
    assert (progress.total, progress.left_out) == (2, 2)
    assert await subject.outbox.batches.stop(await take(subject, taken)) == tuple(taken)
    assert await subject.outbox.batches.undo(batch) == tuple(taken)
    result = (await subject.outbox.batches.result(batch))[2]
    assert (result.new_person, result.other) == (NewPerson(firstname="Cyd"), "Cyd King")


async def test_whoever_comes_back_from_the_way_soon_is_given_back_with_the_others(
    make_outbox: "MakeOutbox",
) -> None:
    answer = asyncio.get_running_loop().create_future()
    subject = make_outbox()
    subject.scripted.answers = [answer]
    taken = many(2)
    batch = await take(subject, taken)
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    stopped = asyncio.ensure_future(subject.outbox.batches.stop(batch))
    await subject.until(lambda: len(subject.outbox.entries()) == 1)
    answer.set_exception(BUSY)
    assert await stopped == tuple(taken)
    assert subject.scripted.asked == ["Ada0"]


async def test_whoever_comes_back_from_the_way_after_the_stop_is_not_sent(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.batches._ON_THE_WAY", 0.0)
    answer = asyncio.get_running_loop().create_future()
    subject = make_outbox()
    subject.scripted.answers = [answer]
    batch = await take(subject, many(2))
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    assert len(await subject.outbox.batches.stop(batch)) == 1
    answer.set_exception(BUSY)
    await subject.settle()
    assert subject.scripted.asked == ["Ada0"]
    assert (subject.outbox.entries(), subject.store.entries()) == ((), ())
    assert await outcomes(subject, batch) == [("Ada0", "not sent"), ("Ada1", "not sent")]


async def test_a_kill_while_a_batch_is_stopped_sends_nobody_of_it(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    batch = await take(first, many(3))
    (kept,) = first.store.batches()
    first.store.write_batch(msgspec.structs.replace(kept, end=BatchEnd.STOPPED))
    await first.close()
    second = make_outbox(path=file)
    second.outbox.resume()
    await second.settle()
    assert second.scripted.asked == []
    assert (second.outbox.entries(), second.store.entries()) == ((), ())
    assert {outcome for _, outcome in await outcomes(second, batch)} == {"not sent"}


async def test_a_batch_is_undone_as_long_as_nobody_of_it_has_left(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    taken = many(1200)
    batch = await take(subject, taken)
    progress = subject.outbox.batches.progress(batch)
    assert progress is not None
    assert progress.undoable
    assert await subject.outbox.batches.undo(batch) == tuple(taken)
    assert (subject.outbox.entries(), subject.store.entries()) == ((), ())
    subject.outbox.set_hold_seconds(0.0)
    answer = asyncio.Event()
    subject.scripted.answers = [answer]
    second = await take(subject, many(2))
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    assert await subject.outbox.batches.undo(second) == ()
    answer.set()
    await subject.settle()
    assert subject.scripted.asked == ["Ada0", "Ada1"]
    assert await subject.outbox.batches.undo(second) == ()
    (undone,) = [one for one in subject.outbox.batches.all() if one.id == batch]
    assert undone.end is BatchEnd.UNDONE


async def test_what_cannot_be_written_changes_no_batch(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_store: OutboxStore, _batch: object) -> None:
        raise StoreError("No room", "The disk is full.")

    subject = make_outbox(hold=LONG)
    batch = await take(subject, many(2))
    with monkeypatch.context() as patched:
        patched.setattr(OutboxStore, "write_batch", full)
        with pytest.raises(StoreError):
            subject.outbox.batches.pause(batch)
        with pytest.raises(StoreError):
            await subject.outbox.batches.stop(batch)
    subject.outbox.send_now()
    await subject.settle()
    assert subject.states() == ["added"] * 2


async def test_the_newest_who_was_typed_is_undone_and_nobody_of_a_batch(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    bob = subject.add("Bob")
    await take(subject, many(2))
    assert subject.outbox.index.newest_waiting() == bob
