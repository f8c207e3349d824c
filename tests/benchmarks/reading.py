"""What the first reading of an account costs, and reading again what has not changed.

Beside it stands what no program can do without: the same pages are fetched with httpx, decoded as
what they are and written by one bare statement. Both are alternated in one run.
"""

import asyncio
import gc
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from math import log
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import ClassVar

os.environ.setdefault("QT_API", "pyside6")

import httpx
import msgspec
from qasync import QEventLoop

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.api import requests
from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.pagination.people_pages import FurtherFields
from app.container import Container, StartOptions
from app.people.directory import PeopleDirectory
from app.runtime.crash import CrashReporter
from app.runtime.events import EventBus
from app.store.cache import Cache
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.workspace.workspace import Workspace
from tests.benchmarks.figures import FLOOR, application_of_all_rows
from tests.benchmarks.turns import Turns

COUNTS = (1_000, 10_000, 100_000)
MILLION = 1_000_000
"""On demand alone: that takes a quarter of an hour."""
QUICK_COUNTS = (300,)
ROUNDS = 3
_BETWEEN_LOOKS = 4
"""Milliseconds: looking all the time would cost more than the reading."""
_SEVERAL_ROUNDS = 10_000
"""People; of more each is read once."""


@dataclass(frozen=True, slots=True)
class ReadingFigure:
    """What one reading cost; times in seconds.

    `busy` is processor time of all threads of this program, the service apart; `longest_turn` of
    the event loop by the clock, and `busiest_turn` in processor time of its thread. `exponent`:
    from the number of people before to this one it grew as people to that power.
    """

    HEAD: ClassVar[str] = (
        f"{'people':>8}{'seconds':>10}{'busy s':>10}{'of floor':>10}{'turn ms':>10}{'busy ms':>10}"
        f"{'exponent':>10}"
    )

    step: str
    people: int
    seconds: float
    busy: float
    of_floor: float
    longest_turn: float = 0.0
    busiest_turn: float = 0.0
    exponent: float | None = None

    @property
    def line(self) -> str:
        """It as a line of the table."""
        grown = "" if self.exponent is None else f"{self.exponent:10.2f}"
        return (
            f"{self.people:8}{self.seconds:10.2f}{self.busy:10.2f}{self.of_floor:10.1f}"
            f"{self.longest_turn * 1000:10.1f}{self.busiest_turn * 1000:10.1f}"
            f"{grown}"
        )


class _Person(msgspec.Struct, gc=False):
    """Every field that is asked for, as it is sent."""

    id: str
    date_added: str
    date_modified: str
    firstname: str
    lastname: str
    email: str
    phone: str
    mobile: str
    admin: str
    archived: str
    volunteer: str
    preferred_name: str
    middle_name: str
    deceased: str
    contact: str
    family_id: str
    family_relationship: str
    category_id: str
    picture: str


class _Page(msgspec.Struct):
    person: list[_Person]
    total: int


class _Envelope(msgspec.Struct):
    people: _Page


@dataclass(frozen=True, slots=True)
class _Spent:
    seconds: float
    busy: float
    longest_turn: float = 0.0
    busiest_turn: float = 0.0


def figures(*, quick: bool, million: bool = False) -> list[ReadingFigure]:
    """With each number of people: the floor, both readings alone, and both in the whole window."""
    application = application_of_all_rows()
    found: list[ReadingFigure] = []
    counts = QUICK_COUNTS if quick else COUNTS
    for people in (*counts, MILLION) if million else counts:
        spent: dict[str, list[_Spent]] = {}
        with _service(people) as access:
            for _ in range(ROUNDS if people <= _SEVERAL_ROUNDS and not quick else 1):
                with (
                    TemporaryDirectory(prefix="frontdesk-bench-") as folder,
                    QEventLoop(application) as loop,
                ):
                    asyncio.set_event_loop(loop)
                    spent.setdefault(FLOOR, []).append(_floor(people, Path(folder), *access))
                    rounds = _round(people, Path(folder), *access)
                    for step, one in loop.run_until_complete(rounds).items():
                        spent.setdefault(step, []).append(one)
                asyncio.set_event_loop(None)
        floor = median(one.busy for one in spent[FLOOR])
        fewer = {one.step: one for one in found}
        found += [
            _figure(step, people, several, floor, fewer.get(step))
            for step, several in spent.items()
        ]
    return found


_AIM, _AIM_PEOPLE = 1.3, 100_000
"""Times the floor that a first reading may take of so many people."""
_WHY = (
    "besides what the floor does, ids are kept apart, and what each is searched by is made and "
    "written (half of it alone, a third in the window), and each has their place in the order as "
    "they come (a sixth)"
)


def beyond_aim(figures: Sequence[ReadingFigure]) -> list[str]:
    """By how much the aim is missed, and why; nothing where it is reached."""
    return [
        f"{one.step} {one.people}: {one.of_floor:.1f} times the floor, {one.of_floor - _AIM:.1f} "
        f"over the aim of {_AIM}: {_WHY}"
        for one in figures
        if one.step.startswith("first") and one.people >= _AIM_PEOPLE and one.of_floor > _AIM
    ]


def _figure(
    step: str, people: int, several: list[_Spent], floor: float, fewer: ReadingFigure | None
) -> ReadingFigure:
    busy = median(one.busy for one in several)
    grown = None if fewer is None else log(busy / fewer.busy) / log(people / fewer.people)
    return ReadingFigure(
        step,
        people,
        median(one.seconds for one in several),
        busy,
        busy / floor,
        max(one.longest_turn for one in several),
        max(one.busiest_turn for one in several),
        grown,
    )


@contextmanager
def _service(people: int) -> Iterator[tuple[str, str]]:
    """The demo service in a process of its own: its address and its key."""
    command = [sys.executable, "-P", "-m", "app", "demo-service", "--port", "0"]
    command += ["--people", str(people)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            access = json.loads(process.stdout.readline())
            yield access["base_url"], access["api_key"]
        finally:
            process.terminate()


def _floor(people: int, folder: Path, base_url: str, key: str) -> _Spent:
    """Fetch, decode and write, with nothing to look anybody up or to sort anybody by."""
    names = _Person.__struct_fields__
    rows: list[tuple[str, ...]] = []
    decode = msgspec.json.Decoder(_Envelope).decode
    begun, clock = time.process_time(), time.perf_counter()
    with (
        httpx.Client(auth=(key, ""), trust_env=False) as client,
        sqlite3.connect(folder / "floor.sqlite3") as database,
    ):
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(f"CREATE TABLE people ({', '.join(names)})")
        number = 0
        while len(rows) < people:
            number += 1
            asked = requests.people_page(number, 1_000, further=True)
            answer = client.get(f"{base_url}/v1/{asked.operation}.json?{asked.query}")
            page = decode(answer.content).people
            rows += map(msgspec.structs.astuple, page.person)
        marks = ", ".join("?" for _ in names)
        database.executemany(f"INSERT INTO people VALUES ({marks})", rows)  # noqa: S608 - marks alone
    database.close()
    assert len(rows) == people
    return _Spent(time.perf_counter() - clock, time.process_time() - begun)


async def _round(people: int, folder: Path, base_url: str, key: str) -> dict[str, _Spent]:
    turns = Turns(_BETWEEN_LOOKS)
    gc.freeze()  # as the program does
    with cycles_collected_by_the_event_loop():
        alone = await _alone(people, folder, base_url, key, turns)
    window = await _in_the_window(people, folder, base_url, key, turns)
    turns.stop()
    return alone | window


async def _spent(turns: Turns, work: Callable[[], Awaitable[object]]) -> _Spent:
    gc.collect()
    turns.begin()
    begun, clock = time.process_time(), time.perf_counter()
    await work()
    spent = time.perf_counter() - clock, time.process_time() - begun
    await asyncio.sleep(0.02)
    return _Spent(*spent, turns.longest, turns.busiest)


async def _alone(
    people: int, folder: Path, base_url: str, key: str, turns: Turns
) -> dict[str, _Spent]:
    """Until everybody can be searched for and is on the disk; nothing is painted."""
    cache = Cache.open(folder / "alone.sqlite3")
    directory = PeopleDirectory(cache, EventBus(_fail))
    await directory.open()
    async with ServiceClient(base_url, ApiKey(key), further=FurtherFields()) as client:
        first = await _spent(turns, lambda: read_all(directory, client, people))
        assert people == sum(map(len, directory.slices("")))
        again = await _spent(turns, lambda: read_all(directory, client, people))
    await cache.close()
    return {"first": first, "again": again}


async def _in_the_window(
    people: int, folder: Path, base_url: str, key: str, turns: Turns
) -> dict[str, _Spent]:
    """The same in the program, from its start to its list at rest."""
    crashes = CrashReporter("bench")
    connection = folder / "connection.json"
    write_connection(connection, ConnectionDetails(name="Bench", base_url=base_url))
    container = Container(
        StartOptions(folder / "data", connection=connection, api_key=key), crashes
    )
    gc.freeze()  # as the program does
    begun = datetime.now(UTC)
    running = asyncio.ensure_future(container.run())
    workspace = await _shown(container)
    first = await _spent(turns, lambda: end_of_reading(workspace, begun, people))
    begun = datetime.now(UTC)
    workspace.refresh()
    again = await _spent(turns, lambda: end_of_reading(workspace, begun, people))
    container.quit()
    await running
    gc.unfreeze()
    if crashes.reports:
        raise RuntimeError(crashes.reports[0].details)
    return {"first, window": first, "again, window": again}


async def _shown(container: Container) -> Workspace:
    """The account's window as soon as there is one."""
    while (workspace := container._switcher.shown) is None:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.001)
    return workspace


async def end_of_reading(workspace: Workspace, begun: datetime, people: int) -> None:
    """Wait for a reading that began after `begun`. Raises RuntimeError where there was none, or
    not everybody has come.
    """
    while workspace._directory.as_of is None or workspace._reading():  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.01)
    _make_sure(workspace._directory, begun, people)


async def read_all(directory: PeopleDirectory, client: ServiceClient, people: int) -> None:
    """Read so many people. Raises RuntimeError where the service was not asked for all of them."""
    begun = datetime.now(UTC)
    received = (await directory.refresh(client)).received
    if received != people:
        raise RuntimeError(f"{received} of {people} people were received")
    _make_sure(directory, begun, people)


def _make_sure(directory: PeopleDirectory, begun: datetime, people: int) -> None:
    """That everybody was read since: who is there may be there from an earlier reading."""
    if not directory.would_have(begun) or directory.count() != people:
        raise RuntimeError(f"nothing was read to its end: {directory.count()} people")


def _fail(error: BaseException) -> None:
    raise error
