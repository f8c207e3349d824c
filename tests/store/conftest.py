"""A cache in a file and one in memory, and people to put in."""

from collections.abc import AsyncIterator
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


@pytest.fixture
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
