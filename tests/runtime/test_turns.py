"""Long work lets the event loop have its turn, and whoever waits gets what is found at once."""

import asyncio
from collections.abc import Iterator
from time import perf_counter

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


def slow(many: int, seconds: float = 0.002) -> Iterator[list[int]]:
    """Slices of one number each, which take a while."""
    for number in range(many):
        until = perf_counter() + seconds
        while perf_counter() < until:
            pass
        yield [number]


async def test_others_have_their_turn_between_long_work_and_nothing_is_lost() -> None:
    neighbour = Neighbour()
    numbers = [number async for (number,) in in_turns(slow(20), turn_seconds=0.005)]
    neighbour.task.cancel()
    assert numbers == list(range(20))
    assert 4 <= neighbour.turns <= 20


async def test_what_is_done_with_each_counts_as_work() -> None:
    neighbour = Neighbour()
    async for _ in in_turns(range(10), turn_seconds=0.001):
        next(slow(1, 0.002))
    neighbour.task.cancel()
    assert neighbour.turns >= 10


async def test_what_is_done_in_a_moment_gives_the_loop_one_turn_at_its_end() -> None:
    neighbour = Neighbour()
    assert [each async for each in in_turns(range(5), turn_seconds=60.0)] == list(range(5))
    neighbour.task.cancel()
    assert neighbour.turns == 1


async def test_somebody_who_gives_up_stops_the_work() -> None:
    done: list[int] = []
    begun = asyncio.Event()

    async def work() -> None:
        async for (number,) in in_turns(slow(1_000), turn_seconds=0.0):
            done.append(number)
            begun.set()

    task = asyncio.ensure_future(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(done) < 10


async def test_each_turn_tells_what_it_has_found() -> None:
    neighbour = Neighbour()
    turns = [found async for found in found_in_turns(slow(20), 0.005)]
    neighbour.task.cancel()
    assert [number for found in turns for number in found] == list(range(20))
    assert 4 <= len(turns) <= 20
    assert neighbour.turns == len(turns) - 1


def test_at_once_is_found_what_a_moment_finds_and_the_rest_is_left() -> None:
    slices = slow(1_000)
    found, is_more = found_at_once(slices, 0.005)
    assert is_more
    assert next(slices) == [len(found)]
    assert found_at_once(iter([[1], [], [2]]), 60.0) == ([1, 2], False)


def test_for_the_first_of_what_is_shown_it_may_take_longer_and_for_more_it_may_not() -> None:
    few, _ = found_at_once(slow(1_000), 0.006, worth_waiting=1_000)
    enough, _ = found_at_once(slow(1_000), 0.006, worth_waiting=2)
    assert len(few) > len(enough) >= 2
    assert found_at_once(iter([[1], [2]]), -1.0, worth_waiting=2) == ([1], True)
