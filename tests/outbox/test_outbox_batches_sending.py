"""Batches on their way: four at once, behind who was typed, through errors and waits."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.model.outbox import EntryState, OutboxEntry
from app.outbox.events import PauseReason
from app.store.outbox.outbox import OutboxStore

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox, OutboxFixture
from tests.outbox.batch_rows import BUSY, EXPIRED, LONG, LOST, many, outcomes, rows, take


def four_at_once(subject: "OutboxFixture") -> None:
    """As after a while with a service that bears it."""
    subject.scripted.seconds = 0.03
    subject.outbox._sender._width.now = 4


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
    subject.outbox.set_hold_seconds(LONG)
    subject.add("Bob")
    await subject.until(lambda: subject.states() == ["added"] * 3 + ["waiting"])


async def test_too_many_requests_are_sent_one_at_a_time_after_the_wait_that_was_asked_for(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(backoff=(0.001, 1.0))
    four_at_once(subject)
    batch = await take(subject, many(60))
    await subject.until(lambda: subject.scripted.at_once == 4)
    subject.scripted.answers = [BUSY]
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    # Those on the way come through, which says nothing of how busy it is now.
    not_before, asked = subject.outbox._pauses.not_before, len(subject.scripted.asked)
    await subject.until(lambda: subject.scripted.at_once == 0)
    await subject.until(lambda: len(subject.scripted.asked) > asked)
    assert asyncio.get_running_loop().time() >= not_before
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
    subject.outbox.set_hold_seconds(LONG)
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
    subject = make_outbox(backoff=(LONG, 100 * LONG))
    four_at_once(subject)
    await take(subject, many(30))
    await subject.until(lambda: subject.scripted.at_once == 4)
    subject.scripted.answers = [BUSY, BUSY, BUSY, BUSY]
    await subject.until(lambda: subject.scripted.at_once == 0)
    # Twice the first wait for the next time, not sixteen times.
    assert subject.outbox._pauses._retry_in == 2 * LONG
    subject.outbox.resume()
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
