"""What became of a batch, how far it is, and how fast it goes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.model.outbox import Batch, NewPerson
from app.outbox.batches import Outcome
from app.outbox.events import BatchesChanged
from app.outbox.sender import Width
from app.store.outbox.outbox import OutboxStore
from tests.store.outbox_entries import NOON, entry

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox, OutboxFixture
from tests.outbox.batch_rows import HEADINGS, LONG, LOST, NO, many, outcomes, take


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
    subject.outbox.edit(refused.entry_id, "corrected", corrected)
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
    first.outbox.set_hold_seconds(LONG)
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
