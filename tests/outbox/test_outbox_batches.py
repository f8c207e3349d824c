"""Batches: taken whole, sent side by side behind who was typed, paused, stopped, undone, told."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from app.api.errors import ApiError, NotAuthorised, TooManyRequests
from app.model.errors import ExpectedError
from app.model.outbox import Batch, BatchEnd, BatchRow, EntryState, NewPerson, OutboxEntry
from app.outbox.batches import Outcome
from app.outbox.events import BatchesChanged, EntriesChanged, PauseReason
from app.outbox.sender import Width
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from tests.store.outbox_entries import NOON, entry

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox, OutboxFixture

LONG = 60.0
LOST = ApiError("No reply", "The reply never came.", outcome_unknown=True)
NO = ApiError("Refused", "The email is not allowed.")
BUSY = TooManyRequests("Busy", "The service has too much to do.", retry_after=0.03)
EXPIRED = NotAuthorised("Sign in", "Sign in again.")
HEADINGS = ("Name", "Note")


def row(line: int, name: str) -> BatchRow:
    return BatchRow(line, (name, "choir"), NewPerson(firstname=name, email=f"{name}@x.org"))


def rows(*names: str) -> list[BatchRow]:
    return [row(line, name) for line, name in enumerate(names, 2)]


def many(count: int) -> list[BatchRow]:
    return rows(*(f"Ada{number}" for number in range(count)))


async def take(subject: "OutboxFixture", taken: list[BatchRow]) -> str:
    return (await subject.outbox.batches.take("sign-up.csv", HEADINGS, taken)).id


async def outcomes(subject: "OutboxFixture", batch: str) -> list[tuple[str, str]]:
    return [(one.cells[0], one.outcome.value) for one in await subject.outbox.batches.result(batch)]


def four_at_once(subject: "OutboxFixture") -> None:
    """As after a while with a service that bears it."""
    subject.scripted.seconds = 0.03
    subject.outbox._sender._width.now = 4


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one" / "outbox.sqlite3"


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
    monkeypatch.setattr("app.runtime.turns.TURN_SECONDS", 0.0)
    for steps in range(1, 24, 3):
        taking = asyncio.ensure_future(take(subject, many(20)))
        for _ in range(steps):
            await asyncio.sleep(0.0005)
        taking.cancel()
        await asyncio.wait({taking})
    shown, kept = subject.outbox.entries(), subject.store.entries()
    assert sorted(one.id for one in shown) == sorted(one.id for one in kept)
    assert subject.outbox.batches.all() == tuple(reversed(subject.store.batches()))
    subject.outbox.send_now()
    await subject.settle()
    assert len(subject.scripted.asked) == len(shown)


# Sending


async def test_a_batch_goes_four_at_once_where_the_service_bears_it_and_once_each(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    subject.scripted.seconds = 0.02
    await take(subject, many(80))
    await subject.settle()
    assert 1 < subject.scripted.most_at_once <= 4
    assert sorted(subject.scripted.asked) == sorted(f"Ada{number}" for number in range(80))
    assert subject.states() == ["added"] * 80


async def test_whoever_could_be_taken_for_one_on_the_way_waits_for_that_one(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    four_at_once(subject)
    await take(subject, rows(*[f"Ada{number // 2}" for number in range(40)]))
    while not all(state == "added" for state in subject.states()):
        under_way = [
            entry.new_person.firstname
            for entry in subject.outbox.entries()
            if entry.state is EntryState.SENDING
        ]
        assert len(under_way) == len(set(under_way))
        await asyncio.sleep(0.001)


async def test_who_was_typed_goes_before_who_waits_with_a_batch_and_one_at_a_time(
    make_outbox: "MakeOutbox",
) -> None:
    answers = asyncio.Event(), asyncio.Event()
    subject = make_outbox(*answers)
    await take(subject, many(5))
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    subject.add("Bob")
    subject.add("Cyd")
    answers[0].set()
    await subject.until(lambda: subject.scripted.asked == ["Ada0", "Bob"])
    answers[1].set()
    await subject.settle()
    assert subject.scripted.asked == ["Ada0", "Bob", "Cyd", "Ada1", "Ada2", "Ada3", "Ada4"]


async def test_a_batch_goes_on_while_somebody_who_was_typed_is_held(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    await take(subject, many(3))
    subject.hold = LONG
    subject.add("Bob")
    await subject.until(lambda: len(subject.scripted.asked) == 3)
    assert subject.states() == ["added"] * 3 + ["waiting"]


async def test_too_many_requests_are_sent_one_at_a_time_after_the_wait_that_was_asked_for(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(backoff=(0.001, 1.0))
    four_at_once(subject)
    batch = await take(subject, many(60))
    await subject.until(lambda: subject.scripted.at_once == 4)
    loop = asyncio.get_running_loop()
    asked = len(subject.scripted.asked)
    subject.scripted.answers = [BUSY]
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    # Those on the way come through, which says nothing of how busy it is now.
    began, asked = loop.time(), len(subject.scripted.asked)
    await subject.until(lambda: subject.scripted.at_once == 0)
    await subject.until(lambda: len(subject.scripted.asked) > asked)
    assert loop.time() - began >= 0.03 * 0.8
    subject.scripted.most_at_once = 0
    await subject.until(lambda: len(subject.scripted.asked) >= asked + 15)
    assert subject.scripted.most_at_once == 1
    await subject.settle()
    assert (await outcomes(subject, batch)) == [(f"Ada{n}", "added") for n in range(60)]
    assert len(subject.scripted.added) == 60


@pytest.mark.parametrize("meanwhile", ["paused", "too much to do"])
async def test_nobody_goes_before_the_time_that_was_set_while_something_was_written(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    answer = asyncio.Event()
    subject = make_outbox(answer, asyncio.Event())
    subject.outbox._sender._width.now = 2
    batch = await take(subject, many(4))
    await subject.until(lambda: len(subject.scripted.asked) == 2)
    written, save = asyncio.Event(), OutboxStore.save

    async def slow(store: OutboxStore, *entries: OutboxEntry) -> None:
        await written.wait()
        await save(store, *entries)

    monkeypatch.setattr(OutboxStore, "save", slow)
    answer.set()
    await subject.until(lambda: subject.outbox._entries.owes)
    subject.outbox._sender._width.now = 4
    subject.hold = LONG
    subject.add("Bob")
    await asyncio.sleep(0.01)
    if meanwhile == "paused":
        subject.outbox.batches.pause(batch)
    else:
        subject.outbox._pauses.put_off(PauseReason.UNREACHABLE, "Busy", LONG)
    asked = list(subject.scripted.asked)
    written.set()
    await subject.until(lambda: not subject.outbox._entries.owes)
    await asyncio.sleep(0.01)
    assert subject.scripted.asked == asked


async def test_a_lost_reply_stops_nobody_else_and_nobody_is_sent_twice(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    four_at_once(subject)
    batch = await take(subject, many(40))
    await subject.until(lambda: subject.scripted.at_once == 4)
    subject.scripted.answers = [LOST]
    await subject.settle()
    told = [outcome for _, outcome in await outcomes(subject, batch)]
    assert sorted(told) == ["added"] * 39 + ["not sure"]
    assert len(subject.scripted.asked) == len(set(subject.scripted.asked)) == 40


async def test_the_service_is_left_alone_for_as_long_as_it_asks_and_no_longer(
    make_outbox: "MakeOutbox",
) -> None:
    """Its second is not five of ours, nor an hour of its a minute."""
    subject = make_outbox(backoff=(5.0, 60.0))
    loop, pauses = asyncio.get_running_loop(), subject.outbox._pauses

    def wait(asked: float) -> float:
        pauses.hurry()
        pauses.put_off(PauseReason.UNREACHABLE, "Busy", asked)
        return round(pauses.not_before - loop.time())

    assert wait(1.0) == 1
    pauses.lift(PauseReason.UNREACHABLE)
    assert wait(600.0) == 600
    pauses.lift(PauseReason.UNREACHABLE)
    assert wait(100_000.0) == 900
    pauses.lift(PauseReason.UNREACHABLE)
    assert [wait(0.0) for _ in range(6)] == [5, 10, 20, 40, 60, 60]
    pauses.lift(PauseReason.UNREACHABLE)
    assert [wait(1.0) for _ in range(5)] == [1, 1, 1, 40, 60]
    pauses.lift(PauseReason.UNREACHABLE)


async def test_several_that_fail_together_put_it_off_once(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(backoff=(0.01, 60.0))
    four_at_once(subject)
    await take(subject, many(30))
    await subject.until(lambda: subject.scripted.at_once == 4)
    subject.scripted.answers = [BUSY, BUSY, BUSY, BUSY]
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    await subject.until(lambda: subject.scripted.at_once == 0)
    # Twice the first wait for the next time, not sixteen times.
    assert subject.outbox._pauses._retry_in == pytest.approx(0.02)
    await subject.settle()
    assert subject.states() == ["added"] * 30


async def test_an_expired_sign_in_keeps_everybody_until_there_is_another(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    four_at_once(subject)
    batch = await take(subject, many(30))
    await subject.until(lambda: subject.scripted.at_once == 4)
    subject.scripted.answers = [EXPIRED] * 4
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.SIGN_IN)
    await subject.settle()
    progress = subject.outbox.batches.progress(batch)
    assert progress is not None
    assert progress.waiting + progress.added == 30
    assert progress.waiting >= 4
    subject.outbox.resume()
    await subject.settle()
    assert len(subject.scripted.added) == 30


async def test_whoever_was_only_told_to_leave_when_it_closes_still_waits_or_was_asked_for(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = make_outbox(asyncio.Event())
    closing: list[asyncio.Future[None]] = []
    save = OutboxStore.save

    async def close_then(store: OutboxStore, *entries: OutboxEntry) -> None:
        await save(store, *entries)
        if not closing:
            closing.append(asyncio.ensure_future(subject.outbox.close()))

    monkeypatch.setattr(OutboxStore, "save", close_then)
    await take(subject, many(2))
    await subject.until(lambda: bool(closing))
    await closing[0]
    first, second = subject.store.entries()
    assert second.state is EntryState.WAITING
    assert (first.state is EntryState.WAITING) == (subject.scripted.asked == [])
    assert first.state is not EntryState.SENDING


# Pausing, stopping, undoing


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
    subject.outbox.edit(subject.outbox.entries()[2].id, corrected)
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
    subject = make_outbox()
    subject.scripted.seconds = 0.01
    subject.scripted.answers = [BUSY]
    taken = many(2)
    batch = await take(subject, taken)
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    assert await subject.outbox.batches.stop(batch) == tuple(taken)
    assert subject.scripted.asked == ["Ada0"]


async def test_whoever_comes_back_from_the_way_after_the_stop_is_not_sent(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.batches._ON_THE_WAY", 0.0)
    subject = make_outbox()
    subject.scripted.seconds = 0.01
    subject.scripted.answers = [BUSY]
    batch = await take(subject, many(2))
    await subject.until(lambda: subject.scripted.asked == ["Ada0"])
    assert len(await subject.outbox.batches.stop(batch)) == 1
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
    subject.hold = 0.0
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
    assert subject.outbox.newest_waiting() == bob


# What became of it


async def test_a_refused_row_that_is_corrected_and_sent_again_is_the_same_row(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    subject = make_outbox(NO, path=file)
    batch = await take(subject, many(2))
    await subject.settle()
    refused, added = await subject.outbox.batches.result(batch)
    assert (refused.outcome, refused.reason) == (Outcome.REFUSED, NO.message)
    assert (added.outcome, added.cells) == (Outcome.ADDED, ("Ada1", "choir"))
    await subject.outbox.batches.stop(batch)
    corrected = NewPerson(firstname="Ada0", email="other@x.org")
    assert refused.entry_id is not None
    subject.outbox.edit(refused.entry_id, corrected)
    await subject.settle()

    async def check(one: "OutboxFixture") -> None:
        result = await one.outbox.batches.result(batch)
        assert [found.outcome for found in result] == [Outcome.ADDED, Outcome.ADDED]
        assert (result[0].new_person, result[0].entry_id) == (corrected, refused.entry_id)
        progress = one.outbox.batches.progress(batch)
        assert progress is not None
        assert (progress.total, progress.added, progress.refused) == (2, 2, 0)

    await check(subject)
    await subject.close()
    await check(make_outbox(path=file))


async def test_nobody_whose_entry_was_lost_by_damage_is_said_not_to_be_sent(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    store = OutboxStore.open(file)
    batch = Batch(id="b" * 32, name="b", headings=HEADINGS, taken_at=NOON, rows=2, total=2)
    (waiting,) = [entry(1, id=batch.entry_id(1), batch=batch.id, row=1)]
    await store.take_batch(batch, many(2), [waiting])
    await store.close()
    subject = make_outbox(path=file)
    assert await outcomes(subject, batch.id) == [("Ada0", "not sure"), ("Ada1", "waiting")]
    progress = subject.outbox.batches.progress(batch.id)
    assert progress is not None
    assert (progress.not_sure, progress.waiting) == (1, 1)


async def test_how_far_it_is_is_told_some_times_a_second_and_counts_everybody_once(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = make_outbox(NO, LOST)
    seen: list[tuple[int, ...]] = []

    def look(event: BatchesChanged) -> None:
        for batch in event.ids:
            now = subject.outbox.batches.progress(batch)
            assert now is not None
            seen.append((now.waiting, now.added, now.refused, now.not_sure, now.not_sent))

    subject.outbox._entries._events.subscribe(BatchesChanged, look, subject.scope)
    reads: list[str] = []
    monkeypatch.setattr(OutboxStore, "batch_states", lambda _store, batch: reads.append(batch))
    began = asyncio.get_running_loop().time()
    batch = await take(subject, many(80))
    await subject.until(lambda: seen[-1] == (0, 78, 1, 1, 0))
    assert {sum(one) for one in seen} == {80}
    # Not with each of a hundred and sixty changes.
    assert len(seen) <= (asyncio.get_running_loop().time() - began) / 0.1 + 2
    assert [one[0] for one in seen] == sorted((one[0] for one in seen), reverse=True)
    now = subject.outbox.batches.progress(batch)
    assert now is not None
    assert (now.pace, now.seconds_left) == (None, None)
    assert reads == []


async def test_only_a_batch_that_is_asked_for_is_counted_after_a_restart(
    make_outbox: "MakeOutbox", file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start must not wait for lists that were sent long ago."""
    first = make_outbox(NO, path=file)
    ended = await take(first, many(3))
    await first.settle()
    first.hold = LONG
    going = await take(first, many(2))
    await first.close()
    read: list[str] = []
    states = OutboxStore.batch_states

    def watched(store: OutboxStore, batch_id: str) -> object:
        read.append(batch_id)
        return states(store, batch_id)

    monkeypatch.setattr(OutboxStore, "batch_states", watched)
    second = make_outbox(path=file)
    (batch,) = second.outbox.batches.unfinished()
    assert (batch.id, read) == (going, [])
    second.outbox.resume()
    await second.settle()
    assert read == []
    for one, added in ((ended, 2), (going, 2)):
        progress = second.outbox.batches.progress(one)
        assert progress is not None
        assert (progress.added, progress.ended) == (added, True)
    assert second.outbox.batches.unfinished() == ()


async def test_the_pace_and_the_time_left_are_those_of_the_last_minute(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("app.outbox.batches.monotonic", lambda: clock[0])
    answers = [asyncio.Event() for _ in range(9)]
    subject = make_outbox(*answers)
    subject.outbox._sender._width._needed = 1000
    batch = await take(subject, many(9))

    async def answer(number: int, seconds: float) -> None:
        await subject.until(lambda: len(subject.scripted.asked) == number + 1)
        clock[0] += seconds
        answers[number].set()
        await subject.until(lambda: subject.states().count("added") == number + 1)

    def pace() -> tuple[float | None, float | None]:
        now = subject.outbox.batches.progress(batch)
        assert now is not None
        return now.pace, now.seconds_left

    await answer(0, 2)
    assert pace() == (None, None)
    await answer(1, 2)
    await answer(2, 2)
    assert pace() == (30.0, 12.0)
    for number in (3, 4, 5):
        await answer(number, 25)
    assert pace() == (3.0, 60.0)
    subject.outbox.batches.pause(batch)
    assert pace() == (None, None)
    subject.outbox.batches.go_on(batch)
    clock[0] += 10
    assert pace() == (None, None)


def test_more_at_once_that_are_no_faster_are_given_up() -> None:
    width = Width()
    for _ in range(60):
        width.answered(0.1 * width.now)  # one after another, whatever is asked
    assert width.now == 1
    for _ in range(1000):
        width.answered(0.1)
    assert width.now == 4
    width.turned_away()
    seen = []
    for _ in range(200):
        width.answered(0.1)
        seen.append(width.now)
    assert seen[20] == 1
    assert seen[-1] > 1


async def test_the_pace_is_counted_from_when_the_first_of_it_goes(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("app.outbox.batches.monotonic", lambda: clock[0])
    answers = [asyncio.Event() for _ in range(9)]
    subject = make_outbox(*answers, hold=LONG)
    subject.outbox._sender._width._needed = 1000
    batch = await take(subject, many(9))
    clock[0] += 50
    subject.outbox.send_now()
    for number in range(3):
        await subject.until(lambda number=number: len(subject.scripted.asked) == number + 1)  # type: ignore[misc]  # one number each
        clock[0] += 2
        answers[number].set()
    await subject.until(lambda: len(subject.scripted.asked) == 4)
    now = subject.outbox.batches.progress(batch)
    assert now is not None
    assert (now.pace, now.seconds_left) == (30.0, 12.0)
    for each in answers:
        each.set()
