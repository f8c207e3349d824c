"""How long everybody takes from a service that is far away, beside the least there can be.

The least are the same pages, as large as the service gives them and as many at once as we ask for,
with nothing made of them. Times by the clock: nearly all of it is waiting.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import httpx

from app.api import requests
from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.pagination.people_pages import FurtherFields
from app.api.requests import DEFAULT_LIMITS
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store.cache import Cache
from tests.benchmarks.figures import FLOOR
from tests.benchmarks.reading import read_all

WAYS = ((50_000, 0.05), (50_000, 0.2))
"""People, and seconds from a question to its answer besides what the service takes."""
QUICK_WAYS = ((300, 0.01),)
_ROOT = Path(__file__).parents[2]
_SERVICE = """
import sys, time
from app.demo.options import DemoOptions, Fault, FaultKind
from app.demo.server import DemoServer

people, seconds = int(sys.argv[1]), float(sys.argv[2])
far = DemoOptions(people=people, faults=(Fault(FaultKind.SLOW),), slow_seconds=seconds)
server = DemoServer(far)
access = server.start()
print(access.base_url, access.api_key, flush=True)
sys.stdin.read()
server.stop()
"""


@dataclass(frozen=True, slots=True)
class FarFigure:
    """Seconds until everybody has come, and how many times the least that is."""

    HEAD: ClassVar[str] = f"{'people':>8}{'ms away':>10}{'seconds':>10}{'of floor':>10}"

    step: str
    people: int
    away: float
    seconds: float
    of_floor: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        return f"{self.people:8}{self.away * 1000:10.0f}{self.seconds:10.2f}{self.of_floor:10.2f}"


def figures(*, quick: bool) -> list[FarFigure]:
    """The least, the first reading and the one behind it, for each way."""
    found: list[FarFigure] = []
    for people, away in QUICK_WAYS if quick else WAYS:
        with _service(people, away) as access, TemporaryDirectory() as folder:
            floor = asyncio.run(_floor(people, *access))
            first, again = asyncio.run(_ours(people, Path(folder), *access))
        for step, seconds in ((FLOOR, floor), ("first", first), ("again", again)):
            found.append(FarFigure(step, people, away, seconds, seconds / floor))
    return found


_AIM = 1.2
"""Times the least there can be."""
_WHY = (
    "the first page is asked for alone, and once more to know which fields the service gives; "
    "pages overlap; and who came last is written once they are there"
)


def beyond_aim(figures: Sequence[FarFigure]) -> list[str]:
    """By how much the aim is missed, and why; nothing where it is reached."""
    return [
        f"{one.step} {one.away * 1000:.0f} ms away: {one.of_floor:.2f} times the floor, "
        f"{one.of_floor - _AIM:.2f} over the aim of {_AIM}: {_WHY}"
        for one in figures
        if one.people >= WAYS[0][0] and one.of_floor > _AIM
    ]


@contextmanager
def _service(people: int, away: float) -> Iterator[tuple[str, str]]:
    command = [sys.executable, "-P", "-c", _SERVICE, str(people), str(away)]
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as process:
        assert process.stdout is not None
        try:
            address, key = process.stdout.readline().split()
            yield address, key
        finally:
            process.terminate()


async def _floor(people: int, address: str, key: str) -> float:
    size, together = DEFAULT_LIMITS.largest_page, DEFAULT_LIMITS.pages_at_once
    left = iter(range(1, -(-people // size) + 1))
    came = 0

    async def fetch(client: httpx.AsyncClient) -> None:
        nonlocal came
        for number in left:
            asked = requests.people_page(number, size, further=True)
            answer = await client.get(f"{address}/v1/{asked.operation}.json?{asked.query}")
            came += answer.content.count(b'{"id":')

    begun = time.perf_counter()
    async with httpx.AsyncClient(auth=(key, ""), trust_env=False, timeout=60) as client:
        await asyncio.gather(*(fetch(client) for _ in range(together)))
    seconds = time.perf_counter() - begun
    assert came == people
    return seconds


async def _ours(people: int, folder: Path, address: str, key: str) -> tuple[float, float]:
    cache = Cache.open(folder / "cache.sqlite3")
    directory = PeopleDirectory(cache, EventBus(_fail))
    await directory.open()
    took: list[float] = []
    async with ServiceClient(address, ApiKey(key), further=FurtherFields()) as client:
        for _ in range(2):
            begun = time.perf_counter()
            await read_all(directory, client, people)
            took.append(time.perf_counter() - begun)
    await cache.close()
    first, again = took
    return first, again


def _fail(error: BaseException) -> None:
    raise error
