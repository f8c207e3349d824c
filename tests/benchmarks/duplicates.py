"""What it costs to look for the same person at each key, against a plain scan of the same people,
and to look through everybody for those who are there twice.

Names are made up and unevenly common, as names are; the scan is what a library does for any text.
"""

import gc
import random
import threading
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, sleep, thread_time
from typing import ClassVar

from rapidfuzz import fuzz, process

from app.model.person import Person
from app.people.duplicates import Duplicates

PEOPLE = 100_000
QUICK_PEOPLE = 100
_TYPED, _QUICK_TYPED = 200, 20
_SCANS = 40
_FEW = 500
_ALIKE = 84
"""From where a scan takes two names for alike, of a hundred."""
_BEAT = 0.001
_WEIGHED = 20_000
"""People whose memory is measured: telling each piece of memory takes ten times as long."""


@dataclass(frozen=True, slots=True)
class DuplicateFigure:
    """Seconds: half of the times were below the first, 99 of 100 below the second."""

    HEAD: ClassVar[str] = f"{'people':>8}{'p50 ms':>10}{'p99 ms':>10}{'worst ms':>10}{'bytes':>8}"

    step: str
    people: int
    p50: float
    p99: float
    worst: float
    bytes_each: int | None = None
    """Memory for each person."""

    @property
    def line(self) -> str:
        """As the table shows it."""
        times = "".join(f"{each * 1000:10.2f}" for each in (self.p50, self.p99, self.worst))
        return f"{self.people:8}{times}{'' if self.bytes_each is None else self.bytes_each:>8}"


def figures(*, quick: bool) -> list[DuplicateFigure]:
    """Taken in, asked at each key, scanned, and looked through while another thread works."""
    count, typed = (QUICK_PEOPLE, _QUICK_TYPED) if quick else (PEOPLE, _TYPED)
    chance = random.Random(12)  # noqa: S311 - the same names each time
    people = made_up_people(chance, count)
    listed = {person.id: person for person in people}
    duplicates = Duplicates(read=lambda ids: {each: listed[str(each)] for each in ids})
    taken_in = [_seconds(lambda: duplicates.add(people))]
    gc.freeze()
    keys = [key for person in chance.sample(people, typed) for key in _keys(chance, person)]
    names = [person.full_name.casefold() for person in people]
    asked = [_undisturbed(partial(duplicates.of, *key, "")) for key in keys]
    scanned = [_undisturbed(partial(_scan, key, names)) for key in chance.sample(keys, _SCANS)]
    looked_through, turns = _beside(lambda: duplicates.grouped(duplicates.pairs()))
    return [
        _figure("taken in", count, taken_in, _bytes_each(people[:_WEIGHED])),
        _figure("each key", count, asked),
        _figure("a scan", count, scanned),
        _figure("looked through", count, [looked_through]),
        _figure("a turn meanwhile", count, turns),
    ]


def made_up_people(chance: random.Random, count: int) -> list[Person]:
    """People whose names are unevenly common; a third have no email."""
    ends = [
        a + b
        for a in ["b", "d", "f", "g", "h", "k", "l", "m", "n", "r", "s", "t", "v", "st", "br"]
        for b in ["a", "e", "i", "o", "an", "er", "el", "on"]
    ]
    # To think up names takes longer than all that is done with a few people.
    fewer = 1 if count > _FEW else 50
    firsts, lasts = (
        ["".join(chance.choices(ends, k=chance.choice(lengths))) for _ in range(many // fewer)]
        for lengths, many in (((2, 2, 3), 1_500), ((2, 3, 3, 4), 30_000))
    )
    named = zip(_unevenly(chance, firsts, count), _unevenly(chance, lasts, count), strict=True)
    return [
        Person(
            id=f"{number:08x}-0000-4000-8000-000000000000",
            firstname=first.title(),
            lastname=last.title(),
            email=f"{first}.{last}{number % 97}@example.org" if number % 3 else "",
        )
        for number, (first, last) in enumerate(named)
    ]


def _unevenly(chance: random.Random, names: Sequence[str], count: int) -> list[str]:
    return chance.choices(names, [1 / (place + 3) ** 0.8 for place in range(len(names))], k=count)


def _keys(chance: random.Random, person: Person) -> Iterator[tuple[str, str]]:
    """A name as it is typed, key by key, every other time with two letters swapped."""
    first, last = person.firstname or "", person.lastname or ""
    at = chance.randrange(len(last) - 1)
    if chance.random() < 1 / 2:
        last = last[:at] + last[at + 1] + last[at] + last[at + 2 :]
    yield from ((first[:end], "") for end in range(1, len(first) + 1))
    yield from ((first, last[:end]) for end in range(1, len(last) + 1))


def _scan(key: tuple[str, str], names: Sequence[str]) -> object:
    typed = " ".join(key).strip().casefold()
    return process.extract(typed, names, scorer=fuzz.token_sort_ratio, limit=3, score_cutoff=_ALIKE)


def _beside(work: Callable[[], object]) -> tuple[float, list[float]]:
    """Seconds of work in another thread, and of each turn that this one had meanwhile."""
    working = threading.Thread(target=work)
    begun = perf_counter()
    working.start()
    turns = []
    while working.is_alive():
        turns.append(_seconds(lambda: sleep(_BEAT)) - _BEAT)
    return perf_counter() - begun, turns


def _seconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def _undisturbed(work: Callable[[], object]) -> float:
    """Processor time, the better of two: what other programs took in between is not counted."""
    return min(_busy(work), _busy(work))


def _busy(work: Callable[[], object]) -> float:
    begun = thread_time()
    work()
    return thread_time() - begun


def _bytes_each(people: Sequence[Person]) -> int:
    tracemalloc.start()
    kept = Duplicates(people, read=lambda _: {})
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size // len(kept)


def _figure(
    step: str, people: int, times: Sequence[float], bytes_each: int | None = None
) -> DuplicateFigure:
    ordered = sorted(times)
    p50, p99 = (ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
    return DuplicateFigure(step, people, p50, p99, ordered[-1], bytes_each)
