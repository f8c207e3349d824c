"""Calls that hang, come late or are given up."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial

import pytest

from app.runtime.worker_thread import NoAnswerError, WorkerThread, _Call

LONG = 20.0
"""Seconds that no test uses up."""


@pytest.fixture
def door() -> Iterator[threading.Event]:
    """Holds a call until it is opened; opened at the latest when the test is over."""
    event = threading.Event()
    yield event
    event.set()


async def test_the_result_comes_back_and_the_thread_ends() -> None:
    lane = WorkerThread("slow")
    assert await lane.run(lambda: threading.current_thread().name, LONG) == "slow"
    assert await lane.run(lambda: threading.current_thread().daemon, LONG)
    left = [thread for thread in threading.enumerate() if thread.name == "slow"]
    for thread in left:
        thread.join(LONG)
    assert not any(thread.is_alive() for thread in left)


async def test_what_the_call_raises_is_raised() -> None:
    def fail() -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        await WorkerThread("slow").run(fail, LONG)


async def test_a_time_limit_of_the_call_itself_is_not_taken_for_the_deadline() -> None:
    def fail() -> None:
        raise TimeoutError("the other side's own")

    with pytest.raises(TimeoutError, match="own"):
        await WorkerThread("slow").run(fail, LONG)


async def test_a_call_that_hangs_ends_at_the_deadline(door: threading.Event) -> None:
    with pytest.raises(NoAnswerError):
        await WorkerThread("slow").run(door.wait, 0.05)


async def test_calls_are_done_in_the_order_they_were_made() -> None:
    lane, done = WorkerThread("slow"), list[int]()
    await asyncio.gather(*(lane.run(partial(done.append, n), LONG) for n in range(50)))
    assert done == list(range(50))


async def test_a_call_given_up_in_the_queue_is_left_out(door: threading.Event) -> None:
    lane, done = WorkerThread("slow"), list[str]()
    with pytest.raises(NoAnswerError):
        await lane.run(door.wait, 0.05)
    with pytest.raises(NoAnswerError):
        await lane.run(lambda: done.append("read"), 0.05)
    with pytest.raises(NoAnswerError):
        await lane.run(lambda: done.append("deletion"), 0.05, even_if_late=True)
    door.set()
    await lane.run(lambda: done.append("last"), LONG)
    assert done == ["deletion", "last"]


async def test_a_late_result_is_undone_before_the_next_call(door: threading.Event) -> None:
    lane, done = WorkerThread("slow"), list[str]()

    def write() -> str:
        door.wait()
        done.append("written")
        return "a key"

    with pytest.raises(NoAnswerError):
        await lane.run(write, 0.05, undo=lambda result: done.append(f"took back {result}"))
    door.set()
    await lane.run(lambda: done.append("next"), LONG)
    assert done == ["written", "took back a key", "next"]


async def test_a_cancelled_call_is_undone_too(door: threading.Event) -> None:
    lane, done = WorkerThread("slow"), list[str]()
    task = asyncio.create_task(
        lane.run(lambda: door.wait() and "a key", LONG, undo=lambda _: done.append("took back"))
    )
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    door.set()
    await lane.run(lambda: done.append("next"), LONG)
    assert done == ["took back", "next"]


async def test_a_call_cancelled_in_the_moment_it_was_done_is_undone() -> None:
    lane, done, may_end = WorkerThread("at once"), list[str](), threading.Event()
    task = asyncio.create_task(
        lane.run(may_end.wait, LONG, undo=lambda _: done.append("took back"))
    )
    await asyncio.sleep(0)
    thread = next(t for t in threading.enumerate() if t.name == "at once")
    may_end.set()
    # The loop is held until the result lies in its queue; one turn later it has been handed
    # over, and the task has not been woken yet.
    thread.join(LONG)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await lane.run(lambda: done.append("next"), LONG)
    assert done == ["took back", "next"]


async def test_a_call_that_failed_late_is_not_undone(door: threading.Event) -> None:
    lane, done = WorkerThread("slow"), list[str]()

    def refuse() -> None:
        door.wait()
        raise PermissionError

    with pytest.raises(NoAnswerError):
        await lane.run(refuse, 0.05, undo=lambda _: done.append("took back"))
    door.set()
    await lane.run(lambda: done.append("next"), LONG)
    assert done == ["next"]


async def test_an_undoing_that_fails_is_logged_without_its_words(
    door: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    lane = WorkerThread("slow")

    def refuse(_: bool) -> None:
        raise PermissionError("canary-secret")

    with pytest.raises(NoAnswerError):
        await lane.run(door.wait, 0.05, undo=refuse)
    door.set()
    await lane.run(lambda: None, LONG)
    assert "PermissionError" in caplog.text
    assert "canary-secret" not in caplog.text


def test_a_result_after_the_loop_was_closed_is_dropped() -> None:
    loop = asyncio.new_event_loop()
    call = _Call(lambda: "too late", None, loop, even_if_late=False)
    loop.close()
    call.perform()
    assert not call.future.done()


def test_a_loop_is_closed_without_waiting_for_a_call_that_hangs(door: threading.Event) -> None:
    with pytest.raises(NoAnswerError):
        asyncio.run(WorkerThread("slow").run(door.wait, 0.05))
    assert not door.is_set()
