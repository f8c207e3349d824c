"""Long work on the thread of the window: a while of it, then the event loop has its turn.

Whoever works says in which slices; one slice is to take far less than a turn.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from time import perf_counter
from typing import TypeVar

Slice = TypeVar("Slice")
Found = TypeVar("Found")

TURN_SECONDS = 0.002
"""How long is worked at a stretch for what somebody sees: a slice that takes longer and a painting
may share the frame.
"""
BESIDE_SECONDS = 0.001
"""How long `in_turns` works at a stretch: several such works go on at once, beside what is seen."""
AT_ONCE_SECONDS = 0.01
"""How long is worked at once for what somebody waits for: it is painted within the frame."""


async def in_turns(
    slices: Iterable[Slice], *, rest_seconds: float = 0.0, turn_seconds: float | None = None
) -> AsyncIterator[Slice]:
    """Each of `slices`. The loop has its turn whenever these, and what is done with each, have
    taken a while, and once they are through: what is made of them takes a turn of its own.
    """
    work = BESIDE_SECONDS if turn_seconds is None else turn_seconds
    until = perf_counter() + work
    for one in slices:
        yield one
        if perf_counter() > until:
            await asyncio.sleep(rest_seconds)
            until = perf_counter() + work
    await asyncio.sleep(rest_seconds)


async def found_in_turns(
    slices: Iterator[Iterable[Found]], turn_seconds: float | None = None
) -> AsyncIterator[list[Found]]:
    """What is found in each turn; the loop has its own in between."""
    work = TURN_SECONDS if turn_seconds is None else turn_seconds
    is_more = True
    while is_more:
        found, is_more = found_at_once(slices, work)
        yield found
        if is_more:
            await asyncio.sleep(0)


_WORTH_WAITING = 3
"""So many times as long is worked for what would otherwise be painted in two parts."""


def found_at_once(
    slices: Iterator[Iterable[Found]], seconds: float = AT_ONCE_SECONDS, *, worth_waiting: int = 0
) -> tuple[list[Found], bool]:
    """What is found in so many seconds, and whether more may be in the `slices` that are left.

    As long as fewer are found than are `worth_waiting` for, it may take three times as long.
    """
    found: list[Found] = []
    begun = perf_counter()
    for some in slices:
        found += some
        enough = len(found) >= worth_waiting
        if perf_counter() - begun > (seconds if enough else seconds * _WORTH_WAITING):
            return found, True
    return found, False
