"""Whether the last readings were whole, and what they were short of, is known at the next start."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store.cache import Cache, Shortfall


@pytest.mark.parametrize("complete", [True, False])
async def test_whether_the_last_full_read_was_whole_outlives_the_program(
    tmp_path: Path, *, complete: bool
) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache.open(path)
    assert not cache.people_whole
    await cache.finish_full_read(await cache.begin_full_read(), complete=complete)
    await cache.close()
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, EventBus(lambda _: None))
    await directory.open()
    assert (cache.people_whole, directory.whole) == (complete, complete)
    await cache.close()


async def test_what_the_lists_were_short_of_outlives_the_program(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    short = Shortfall(7, None, unreadable=2), Shortfall(3, 9, unreadable=1, kept=4)
    for people, flows in (short, (None, None)):
        cache = Cache.open(path)
        await cache.finish_full_read(await cache.begin_full_read(), complete=False, missing=people)
        await cache.save_flows([], flows)
        await cache.close()
        cache = Cache.open(path)
        assert (cache.people_missing, cache.flows_missing) == (people, flows)
        await cache.close()


@pytest.mark.parametrize("kept", [None, "", "{half", "[]", '{"received": "many", "total": 5}', 7])
async def test_a_cache_that_does_not_tell_what_its_lists_were_short_of_opens(
    tmp_path: Path, kept: str | int | None
) -> None:
    """As an older version wrote it, or somebody else."""
    path = tmp_path / "cache.sqlite3"
    cache = Cache.open(path)
    await cache.save_people([Person(id="ada")])
    await cache.finish_full_read(
        await cache.begin_full_read(), complete=False, missing=Shortfall(1, 2)
    )
    await cache.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        if kept is None:
            connection.execute("DELETE FROM facts WHERE name = 'people missing'")
        else:
            connection.execute("UPDATE facts SET value = ? WHERE name = 'people missing'", (kept,))
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, EventBus(lambda _: None))
    await directory.open()
    assert (directory.count(), directory.missing) == (1, None)
    await cache.close()


async def test_a_list_that_was_never_read_is_not_whole() -> None:
    cache = Cache.open(None)
    assert not PeopleDirectory(cache, EventBus(lambda _: None)).whole
    await cache.close()
