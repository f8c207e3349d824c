"""A cache in a file and one in memory, people to put in, and a disk that is soon full."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.model.person import Person
from app.store.cache import Cache

NAMES = ("", "Ångström", "angstrom", "Łąka", "山田", "O'Brien", "Zoë", "de la Cruz", "Ó Briain")
NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)


@pytest.fixture
def noon() -> datetime:
    """The time it is for every cache made here."""
    return NOON


@pytest.fixture(params=["file", "memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where a database is: in a folder that is not there yet, or nowhere."""
    return tmp_path / "account" / "cache.db" if request.param == "file" else None


@pytest.fixture
async def cache(path: Path | None) -> AsyncIterator[Cache]:
    """An empty cache at noon."""
    cache = Cache.open(path, now=lambda: NOON)
    yield cache
    await cache.close()


may_mount = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root may mount a small disk"
)


@pytest.fixture
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder on a disk of as many kB as a test gives by its parameter, else of 600."""
    disk = tmp_path / "disk"
    disk.mkdir()
    size = f"size={getattr(request, 'param', 600)}k"
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", size, "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield disk
    subprocess.run(["/bin/umount", str(disk)], check=True)


@pytest.fixture(scope="session")
def crowd() -> tuple[Person, ...]:
    """Many people with names in several scripts, with every kind of gap."""
    return tuple(
        Person(
            id=str(number),
            firstname=(*NAMES, None)[number % 10],
            lastname=NAMES[number % 9],
            email=("", None, "a@x.org", "B@x.org")[number * 7 % 4],
            phone=("", "+41 79", "044 1")[number * 5 % 3],
            date_added=(None, NOON)[number * 11 % 2],
        )
        for number in range(20_000)
    )
