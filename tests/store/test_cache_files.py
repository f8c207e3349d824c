"""The cache as a file: there again after a restart, made anew when it cannot be read."""

import asyncio
import contextlib
import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.store.cache import Cache
from app.store.errors import StoreDamaged
from app.store.ordering import SortKey

ADA = Person(id="ada", firstname="Ada", lastname="Lovelace")
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="")


def files_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


def everybody(cache: Cache) -> list[Person]:
    return list(cache.read_people(range(1, 1000)).values())


async def test_flows_keep_their_order_and_every_field(cache: Cache, noon: datetime) -> None:
    inner = Step(id="s2", name="inner", entry_point="y", admins=("ada", "x"))
    flows = (
        PeopleFlow(id="z", name="Zweite", status="", access="admin", admins=("bob",)),
        PeopleFlow(
            id="a",
            steps=(Step(id="s", name=None, status="draft", steps=(inner,)),),
            locations=({"id": "1"}, "north", 3, None),
            demographics=("all",),
        ),
    )
    assert await cache.flows() == ()
    assert cache.flows_as_of is None
    await cache.save_flows(flows)
    assert await cache.flows() == flows
    assert cache.flows_as_of == noon
    await cache.save_flows(flows[1:])
    assert await cache.flows() == flows[1:]


async def test_the_cache_is_there_again_after_a_restart(tmp_path: Path, noon: datetime) -> None:
    path = tmp_path / "account" / "cache.db"
    flow = PeopleFlow(id="f", name="Flow")
    cache = Cache.open(path, now=lambda: noon)
    number = await cache.begin_full_read()
    await cache.save_people([ADA, BOB])
    await cache.finish_full_read(number, complete=True)
    await cache.save_flows([flow])
    await cache.close()
    cache = Cache.open(path)
    assert everybody(cache) == [ADA, BOB]
    assert (cache.people_as_of, cache.flows_as_of) == (noon, noon)
    assert await cache.flows() == (flow,)
    await cache.close()
    assert files_in(path.parent) == ["cache.db"]


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names there are text")
async def test_a_folder_whose_name_is_no_text_is_no_damage(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe\xe9n/cache.db"))
    cache = Cache.open(path)
    await cache.save_people([Person(id="ada", firstname="Ada")])
    assert len(await cache.order(SortKey.FIRST_NAME)) == 1
    await cache.close()
    cache = Cache.open(path)
    assert cache.row_of("ada") is not None
    await cache.close()


async def kept(path: Path, people: Sequence[Person]) -> None:
    cache = Cache.open(path)
    await cache.save_people(people)
    await cache.close()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"no database at all " * 400, id="foreign"),
        pytest.param(lambda good: good[:1000], id="cut off"),
        pytest.param(lambda good: good[:100] + bytes(4000) + good[4100:], id="overwritten"),
    ],
)
async def test_a_damaged_file_is_made_anew(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "account" / "cache.db"
    await kept(path, [ADA])
    path.write_bytes(damage(path.read_bytes()))
    cache = Cache.open(path)
    assert everybody(cache) == []
    assert (await cache.save_people([BOB])).added == (1,)
    await cache.close()


@pytest.mark.parametrize(
    "change",
    ["PRAGMA user_version = 99", "UPDATE facts SET value = 'other' WHERE name = 'folding'"],
)
async def test_a_file_of_a_newer_version_or_another_folding_is_made_anew(
    tmp_path: Path, change: str
) -> None:
    path = tmp_path / "account" / "cache.db"
    await kept(path, [ADA])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
    cache = Cache.open(path)
    assert everybody(cache) == []
    await cache.close()


async def test_a_time_that_nothing_of_ours_wrote_is_none(tmp_path: Path) -> None:
    path = tmp_path / "account" / "cache.db"
    await kept(path, [ADA])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE people SET date_added = ?", (2**62,))
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('flows as of', ?)", (2**62,))
    cache = Cache.open(path)
    (ada,) = everybody(cache)
    assert ada.date_added is None
    assert cache.flows_as_of is None
    await cache.close()


async def _page_of(cache: Cache) -> object:
    return cache.read_people([1])


async def _person_of(cache: Cache) -> object:
    return cache.person("ada")


async def _people_of(cache: Cache) -> object:
    return await cache.people_by_id(["ada"])


READS = {"a page": _page_of, "one": _person_of, "several": _people_of}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize(
    "damage", ["firstname = x'ff'", "others = x'ff'", "others = '[7]'", "date_added = 'May'"]
)
async def test_something_else_in_the_place_of_a_field_is_damage(
    tmp_path: Path, damage: str, read: str
) -> None:
    path = tmp_path / "account" / "cache.db"
    await kept(path, [ADA])
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"UPDATE people SET {damage}")  # noqa: S608 - from the test
    cache = Cache.open(path)
    with pytest.raises(StoreDamaged):
        await READS[read](cache)
    await cache.close()


async def test_damage_found_later_empties_the_cache_and_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, crowd: tuple[Person, ...]
) -> None:
    path = tmp_path / "account" / "cache.db"
    await kept(path, crowd[:2_000])
    good = path.read_bytes()
    path.write_bytes(good[: 4096 * 8] + b"\xff" * 4096 * 20 + good[4096 * 28 :])
    cache = Cache.open(path)
    told: list[str] = []
    cache.when_made_anew(lambda: told.append("gone"))
    with caplog.at_level(logging.WARNING), pytest.raises(StoreDamaged):
        await cache.search_keys(0, 5_000)
    assert told == ["gone"]
    assert everybody(cache) == []
    assert (await cache.save_people([BOB])).added == (1,)
    await cache.close()
    await kept(path, [BOB])


async def test_nothing_is_written_anywhere_without_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crowd: tuple[Person, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    cache = Cache.open(None)
    await cache.save_people(crowd)
    await cache.order(SortKey.EMAIL)
    assert files_in(tmp_path) == []
    await cache.close()


async def filled(cache: Cache) -> Cache:
    number = await cache.begin_full_read()
    await cache.save_people([ADA, BOB])
    await cache.finish_full_read(number, complete=True)
    await cache.save_flows([PeopleFlow(id="f", name="Flow")])
    return cache


async def seen_in(cache: Cache) -> tuple[object, ...]:
    return everybody(cache), await cache.flows(), cache.people_as_of, cache.flows_as_of


async def test_what_a_file_held_is_in_memory_when_the_file_is_gone(
    tmp_path: Path, noon: datetime
) -> None:
    cache = await filled(Cache.open(tmp_path / "one" / "cache.db", "one", now=lambda: noon))
    seen = await seen_in(cache)
    copy = await cache.in_memory()
    await cache.close()
    (tmp_path / "one" / "cache.db").unlink()
    assert seen == ([ADA, BOB], (PeopleFlow(id="f", name="Flow"),), noon, noon)
    assert await seen_in(copy) == seen
    # It is a list like any other: read again, sorted, added to.
    assert len((await copy.save_people([Person(id="eve", firstname="Eve")])).added) == 1
    assert len(await copy.order(SortKey.FIRST_NAME)) == 3
    await copy.close()


async def test_what_was_in_memory_is_in_a_file_and_stays_that_accounts(
    tmp_path: Path, noon: datetime
) -> None:
    path = tmp_path / "one" / "cache.db"
    held = await filled(Cache.open(None, now=lambda: noon))
    cache = Cache.open(path, "one")
    await held.copy_into(cache)
    await held.close()
    assert everybody(cache) == [ADA, BOB]
    await cache.close()
    for account, there in (("one", [ADA, BOB]), ("another", [])):
        again = Cache.open(path, account)
        assert everybody(again) == there
        await again.close()


@pytest.mark.parametrize("file", [None, "cache.db"])
async def test_whoever_looks_while_it_is_filled_sees_what_was_there_before(
    tmp_path: Path, crowd: tuple[Person, ...], file: str | None
) -> None:
    """As when another language is chosen while the window is being painted."""
    held = Cache.open(None)
    await held.save_people(crowd)
    there = {None, held.row_of(crowd[-1].id)}
    for _ in range(3):
        cache = Cache.open(tmp_path / file if file else None)
        filling = asyncio.ensure_future(held.copy_into(cache))
        while not filling.done():
            assert cache.row_of(crowd[-1].id) in there
            await asyncio.sleep(0)
        await filling
        assert everybody(cache) == everybody(held)
        assert len((await cache.save_people([Person(id="eve", firstname="Eve")])).added) == 1
        assert cache.row_of("eve") is not None
        await cache.close()
    await held.close()


@pytest.mark.parametrize("file", [None, "cache.db"])
async def test_one_that_is_closed_while_it_is_filled_ends_after_it(
    tmp_path: Path, crowd: tuple[Person, ...], file: str | None
) -> None:
    held = Cache.open(None)
    await held.save_people(crowd)
    cache = Cache.open(tmp_path / file if file else None)
    filling = asyncio.ensure_future(held.copy_into(cache))
    await asyncio.sleep(0)
    await cache.close()
    await filling
    await held.close()


async def test_of_a_file_that_is_closed_nobody_is_painted(tmp_path: Path) -> None:
    cache = Cache.open(tmp_path / "cache.db")
    (row,) = (await cache.save_people([Person(id="1", firstname="Ada")])).added
    assert cache.read_people([row])
    await cache.close()
    assert cache.read_people([row]) == {}
