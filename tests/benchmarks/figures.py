"""One figure of a benchmark, how it is measured, and the people it is measured with."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache

from PySide6.QtWidgets import QApplication

from app.application import make_application
from app.model.outbox import BatchRow, NewPerson
from tests.benchmarks.turns import Turns


class NotMeasured(Exception):
    """Why a row has no figures; its words go on after the row's name."""


FLOOR = "floor"
"""The step of what no program can do without; those behind it are compared with it."""


@cache
def application_of_all_rows() -> QApplication:
    """A process has one: the row that comes next takes it over."""
    return make_application()


@dataclass(frozen=True, slots=True)
class Figure:
    """What one step cost; times in seconds, the turns of the event loop the worst of the step."""

    step: str
    people: int
    seconds: float
    longest_turn: float
    busiest_turn: float

    @property
    def per_person(self) -> float:
        """Seconds for each of them."""
        return self.seconds / self.people


class Measure:
    """Takes the time of one step after the other, on the thread of the event loop."""

    def __init__(self) -> None:
        self._turns = Turns()

    async def figure(self, step: str, people: int, work: Callable[[], Awaitable[object]]) -> Figure:
        """What `work` costs, for so many people."""
        self._turns.begin()
        begun = time.perf_counter()
        await work()
        seconds = time.perf_counter() - begun
        # What is painted after it belongs to it, and so does what was left behind.
        for _ in range(5):
            await asyncio.sleep(0.02)
        return Figure(step, people, seconds, self._turns.longest, self._turns.busiest)

    def stop(self) -> None:
        """Look no longer."""
        self._turns.stop()


def new_people(many: int) -> list[tuple[str, NewPerson]]:
    """Lines as they are typed, and the people in them."""
    people = (
        NewPerson(firstname=f"Ada{n}", lastname=f"Lovelace{n % 977}", email=f"ada{n}@x.org")
        for n in range(many)
    )
    return [(f"{new.full_name} {new.email}", new) for new in people]


def rows_of(several: Sequence[tuple[str, NewPerson]]) -> list[BatchRow]:
    """The same people as rows of a list."""
    return [BatchRow(line, (typed,), new) for line, (typed, new) in enumerate(several, 1)]
