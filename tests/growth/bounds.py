"""A bound on what something costs, as a ratio of two figures of one run: a slower computer, or a
slow day, makes both larger.
"""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import NamedTuple

Work = Callable[[], object]

_WORTH_MEASURING = 0.02
"""Seconds of the processor: what takes less is done again and again until it comes to that."""
_TIMES = 2


class Bound(NamedTuple):
    """A ratio that is worked out when it is asked for, and what it may come to."""

    name: str
    ratio: Callable[[], float]
    most: float


class Memory:
    """Bytes that Python holds, and the most it held, since the measuring began."""

    def __init__(self) -> None:
        self._before = tracemalloc.get_traced_memory()[0]

    @property
    def held(self) -> int:
        """By now."""
        return tracemalloc.get_traced_memory()[0] - self._before

    @property
    def peak(self) -> int:
        """At any time."""
        return tracemalloc.get_traced_memory()[1] - self._before


@contextmanager
def measured_memory() -> Iterator[Memory]:
    """Measure as long as this is open; what was there before does not count."""
    gc.collect()
    tracemalloc.start()
    try:
        yield Memory()
    finally:
        tracemalloc.stop()


def times_as_long(short: Work, long: Work) -> float:
    """How many times the processor time of the one the other takes."""
    one, other = min(_seconds(short) for _ in range(_TIMES)), _seconds(long)
    return min(other, _seconds(long)) / one


def _seconds(work: Work) -> float:
    begun, often, spent = process_time(), 0, 0.0
    while spent < _WORTH_MEASURING:
        work()
        often += 1
        spent = process_time() - begun
    return spent / often
