"""Long work lets the event loop have its turn, and whoever waits gets what is found at once."""

import asyncio
from collections.abc import Iterator

import pytest

from app.runtime.turns import found_at_once, found_in_turns, in_turns


class Neighbour:
    """Another task of the loop, which counts its own turns."""

    def __init__(self) -> None:
        """It runs until it is cancelled."""
        self.turns = 0
        self.task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        while True:
            self.turns += 1
            await asyncio.sleep(0)


class Clock:
    """The seconds that the work says it took: what else the computer does meanwhile is none."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def slow(self, many: int, seconds: float = 0.002) -> Iterator[list[int]]:
        """Slices of one number each, which take a while."""
        for number in range(many):
            self.now += seconds
            yield [number]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("app.runtime.turns.perf_counter", clock)
    return clock


async def test_others_have_their_turn_between_long_work_and_nothing_is_lost(clock: Clock) -> None:
    neighbour = Neighbour()
    numbers = [number async for (number,) in in_turns(clock.slow(20), turn_seconds=0.005)]
    neighbour.task.cancel()
    assert numbers == list(range(20))
    assert neighbour.turns == 20 // 3 + 1


async def test_what_is_done_with_each_counts_as_work(clock: Clock) -> None:
    neighbour = Neighbour()
    async for _ in in_turns(range(10), turn_seconds=0.001):
        next(clock.slow(1, 0.002))
    neighbour.task.cancel()
    assert neighbour.turns == 10 + 1


async def test_what_is_done_in_a_moment_gives_the_loop_one_turn_at_its_end() -> None:
    neighbour = Neighbour()
    assert [each async for each in in_turns(range(5), turn_seconds=60.0)] == list(range(5))
    neighbour.task.cancel()
    assert neighbour.turns == 1


async def test_somebody_who_gives_up_stops_the_work(clock: Clock) -> None:
    done: list[int] = []
    begun = asyncio.Event()

    async def work() -> None:
        async for (number,) in in_turns(clock.slow(1_000), turn_seconds=0.0):
            done.append(number)
            begun.set()

    task = asyncio.ensure_future(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(done) < 10


async def test_each_turn_tells_what_it_has_found(clock: Clock) -> None:
    neighbour = Neighbour()
    turns = [found async for found in found_in_turns(clock.slow(20), 0.005)]
    neighbour.task.cancel()
    assert [number for found in turns for number in found] == list(range(20))
    assert turns[0] == [0, 1, 2]
    assert neighbour.turns == len(turns) - 1


def test_at_once_is_found_what_a_moment_finds_and_the_rest_is_left(clock: Clock) -> None:
    slices = clock.slow(1_000)
    found, is_more = found_at_once(slices, 0.005)
    assert is_more
    assert found == [0, 1, 2]
    assert next(slices) == [3]
    assert found_at_once(iter([[1], [], [2]]), 60.0) == ([1, 2], False)


def test_for_the_first_of_what_is_shown_it_may_take_longer_and_for_more_it_may_not(
    clock: Clock,
) -> None:
    few, _ = found_at_once(clock.slow(1_000), 0.007, worth_waiting=1_000)
    enough, _ = found_at_once(clock.slow(1_000), 0.007, worth_waiting=2)
    assert (len(few), len(enough)) == (11, 4)
    assert found_at_once(iter([[1], [2]]), -1.0, worth_waiting=2) == ([1], True)
