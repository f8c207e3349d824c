"""One run of many inputs through one reader, and what is measured on the way.

An input follows from the seed and its number alone, so that one that fails can be had again.
"""

import gc
import os
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from random import Random

from app.runtime import secrets
from app.runtime.memory import give_back_free_memory
from tests.fuzz.mutations import mutated
from tests.fuzz.subjects import SUBJECTS

MOST_SECONDS = 1.0
"""Of processor time for one input, which weighs 64 KiB at the most."""

MOST_MEMORY = (1 << 20, 64)
"""While one input is read: bytes, and bytes for each byte of it."""

MOST_GROWTH = 64 << 20
"""Of the whole process from the thousandth input to the last, in bytes."""

_SETTLED = 1000
_WEIGHED = (20, 2000)
"""So many of so many, in a row: beginning to weigh costs memory of its own."""

_SEEDS = 1 << 40


class Misbehaved(Exception):
    """A reader broke its promise; the cause and the input are told."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one run: how many inputs were tried and taken, and the worst of them.

    `seconds` is the length of the run, `slowest` processor time, both in seconds; `peak` and
    `growth` are bytes, `growth` None where the system does not tell.
    """

    reader: str
    inputs: int
    taken: int
    seconds: float
    slowest: float
    peak: int
    growth: int | None

    def __str__(self) -> str:
        """One line for a person."""
        spent = f"{self.seconds:,.0f} s, the slowest {self.slowest * 1000:.1f} ms"
        weight = f"most memory for one {self.peak / 2**10:,.0f} KiB"
        growth = "unknown" if self.growth is None else f"{self.growth / 2**20:.1f} MiB"
        return (
            f"{self.reader:8} {self.inputs:9,} inputs, {self.taken:,} taken, in {spent}; {weight}, "
            f"growth {growth}"
        )


def input_number(reader: str, seed: int, number: int) -> bytes:
    """The input with this number."""
    subject = SUBJECTS[reader]
    random = Random(seed * _SEEDS + number)  # noqa: S311  (to be repeated, not to be secret)
    return mutated(random, subject.documents, subject.grammar)


def run(reader: str, inputs: int, seed: int, first: int = 0) -> Figures:
    """Put inputs through `reader`; raises Misbehaved at the first that breaks a promise."""
    begun, taken, slowest, peak, settled = time.monotonic(), 0, 0.0, 0, resident()
    try:
        for number in range(first, first + inputs):
            accepted, spent, weight = _tried(reader, seed, number)
            taken, slowest, peak = taken + accepted, max(slowest, spent), max(peak, weight)
            if number % _SETTLED == 0:
                secrets._patterns.clear()
                secrets._known.clear()  # the tokens of all inputs together are no reader's weight
            if number - first == _SETTLED:
                give_back_free_memory()
                settled = resident()
    finally:
        tracemalloc.stop()
    growth = _growth(reader, settled)
    return Figures(reader, inputs, taken, time.monotonic() - begun, slowest, peak, growth)


def _tried(reader: str, seed: int, number: int) -> tuple[bool, float, int]:
    """Whether one input was taken, with its seconds or its weight; the other is 0."""
    body = input_number(reader, seed, number)
    some, of_these = _WEIGHED
    weighing = number % of_these < some
    if weighing != tracemalloc.is_tracing():
        (tracemalloc.start if weighing else tracemalloc.stop)()
    try:
        if weighing:
            accepted, weight = _weighed(reader, body)
            return accepted, 0.0, weight
        accepted, spent = _timed(reader, body)
    except Exception as problem:
        raise Misbehaved(f"{reader}, seed {seed}, input {number}: {problem!r}") from problem
    return accepted, spent, 0


def _timed(reader: str, body: bytes) -> tuple[bool, float]:
    begun = time.thread_time()
    taken = SUBJECTS[reader].read(body)
    spent = time.thread_time() - begun
    assert spent <= MOST_SECONDS, f"took {spent:.1f} s"
    return taken, spent


def _weighed(reader: str, body: bytes) -> tuple[bool, int]:
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    taken = SUBJECTS[reader].read(body)
    weight = tracemalloc.get_traced_memory()[1] - before
    always, per_byte = MOST_MEMORY
    assert weight <= always + per_byte * len(body), f"weighed {weight:,} bytes"
    return taken, weight


def _growth(reader: str, settled: int | None) -> int | None:
    gc.collect()
    give_back_free_memory()  # what the C library keeps for itself is no reader's
    now = resident()
    if now is None or settled is None:
        return None
    if now - settled > MOST_GROWTH:
        raise Misbehaved(f"{reader}: the process grew by {now - settled:,} bytes")
    return max(0, now - settled)


def resident() -> int | None:
    """Bytes of this process that are in memory; None where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
