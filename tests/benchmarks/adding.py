"""From Enter in the quick-add line to the person in the painted list, among many people.

Beside it stands what no program can do without: one row written so that it outlives a power cut,
to a file in the same folder. Each Enter is a real key, and the person must stand in the first row.
"""

import asyncio
import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from qasync import QEventLoop

from app.views.people.people_tab import PeopleCard
from app.views.quick_add.quick_add import QuickLine
from tests.benchmarks.duplicates import made_up_people
from tests.benchmarks.figures import FLOOR, application_of_all_rows, new_people
from tests.benchmarks.outbox import AccountWindow
from tests.benchmarks.searching import SILENCE, Painted, SearchFigure

COUNTS = (1_000, 100_000)
QUICK_COUNTS = (300,)
_ADDED = 30
_QUICK_ADDED = 3
_PATIENCE = 10.0
"""Seconds."""


def figures(*, quick: bool) -> list[SearchFigure]:
    """With each number of people: the disk alone, and Enter."""
    application = application_of_all_rows()
    found: list[SearchFigure] = []

    async def measure() -> None:
        for count in QUICK_COUNTS if quick else COUNTS:
            with TemporaryDirectory(prefix="frontdesk-bench-") as folder:
                many = _QUICK_ADDED if quick else _ADDED
                written = _written(Path(folder) / "floor.sqlite3", many)
                found.append(SearchFigure.of(FLOOR, count, written))
                found.append(
                    SearchFigure.of("Enter", count, await _added(Path(folder), count, many))
                )

    with QEventLoop(application) as loop:
        loop.run_until_complete(measure())
    return found


def _written(path: Path, many: int) -> list[float]:
    """Seconds for each of so many rows, as the outbox has them written."""
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode=TRUNCATE")
        database.execute("PRAGMA synchronous=EXTRA")
        database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, record TEXT)")
        times = []
        for number in range(many):
            begun = perf_counter()
            database.execute("INSERT INTO entry VALUES (?, ?)", (number, "x" * 400))
            times.append(perf_counter() - begun)
    database.close()
    return times


async def _added(folder: Path, count: int, many: int) -> Sequence[float]:
    window = AccountWindow(folder)
    await window.show(made_up_people(random.Random(12), count))  # noqa: S311 - the same each time
    painted = Painted(window.list.list.viewport())
    line, times = window.line.line, []
    for typed, new in new_people(many):
        QTest.keyClicks(line, typed)
        # What stands under the line is there before somebody presses Enter.
        await asyncio.sleep(0.15)
        times.append(await _until_seen(window.list, painted, line, new.full_name))
    await window.close()
    return times


async def _until_seen(card: PeopleCard, painted: Painted, line: QuickLine, name: str) -> float:
    """Seconds from Enter to the end of the painting that has this person in the first row."""
    rows = card.list.model()
    await asyncio.sleep(0.01)
    painted.take()
    before, begun = painted.times, perf_counter()
    QTest.keyClick(line, Qt.Key.Key_Return)
    while painted.times == before or rows.index(0, 0).data() != name:
        await asyncio.sleep(0)
        painted.take()
        if perf_counter() - begun > _PATIENCE:
            raise RuntimeError(f"{name} does not stand in the first row")
    # What is still painted then belongs to it.
    while perf_counter() - painted.last < SILENCE:
        await asyncio.sleep(0)
        painted.take()
    return painted.last - begun
