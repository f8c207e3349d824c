"""A program that fills a cache is killed before each of its steps; what is left opens, and holds.

A sample of the steps; `python3 packaging/dev.py whole damage` takes each of them.

Run as a program it takes lines of JSON, a path, a step and what is to be done, forks for each a
child that is killed there, and says how that ended.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.model.flow import PeopleFlow
from app.model.person import Person
from app.store.cache import Cache
from tests.samples import sample
from tests.store.outbox_kills import Steps

EVERY = tuple(Person(id=str(number), firstname=f"Ada{number}") for number in range(20))
ROOT = Path(__file__).parents[2]


async def fill(path: Path) -> None:
    """The whole list is read twice, the second time without the first half; then the flows."""
    cache = Cache.open(path)
    for people in (EVERY, EVERY[10:]):
        number = await cache.begin_full_read()
        await cache.save_people(people)
        await cache.finish_full_read(number, complete=True)
    await cache.save_flows([PeopleFlow(id="f", name="Flow")])
    await cache.close()


async def found(path: Path) -> tuple[int, int]:
    """How many people and flows are there, after it was opened as if nothing had been."""
    cache = Cache.open(path)
    try:
        people = await cache.people_by_id(person.id for person in EVERY)
        assert all(people[one.id].firstname == one.firstname for one in EVERY if one.id in people)
        assert len(await cache.search_keys(0, 100)) == len(people)
        return len(people), len(await cache.flows())
    finally:
        await cache.close()


Killed = Callable[[Path, int], bool]


@pytest.fixture(scope="module")
def killed() -> Iterator[Killed]:
    """Fill the cache at a path, up to a step; whether it came so far."""
    command = [sys.executable, "-m", "tests.store.test_cache_damage_by_kills"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        asked, told = program.stdin, program.stdout
        assert asked is not None
        assert told is not None

        def ask(path: Path, step: int) -> bool:
            asked.write(json.dumps([str(path), step]) + "\n")
            asked.flush()
            code = int(told.readline())
            assert code in (0, -9)
            return code == -9

        yield ask


@pytest.mark.skipif(os.name != "posix", reason="signal 9 is POSIX's")
async def test_a_save_that_was_cut_short_is_there_whole_or_not_at_all(
    tmp_path: Path, killed: Killed
) -> None:
    seen = set()
    for step in sample(range(1, 200), 3):
        path = tmp_path / str(step) / "cache.db"
        cut = killed(path, step)
        seen.add(await found(path))
        if not cut:
            break
    assert seen <= {(0, 0), (20, 0), (10, 0), (10, 1)}
    assert {(20, 0), (10, 1)} <= seen


def main() -> None:
    """Do what each line asks for, in a child of its own, and say with which code that ended."""
    for line in sys.stdin:
        path, step = json.loads(line)
        child = os.fork()
        if child == 0:
            try:
                die(Path(path), step)
                os._exit(0)
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def die(path: Path, step: int) -> None:
    """Fill it, and die before the step."""
    Steps(step).watch()
    asyncio.run(fill(path))


if __name__ == "__main__":
    main()
