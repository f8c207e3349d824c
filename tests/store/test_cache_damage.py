"""A cache with flipped bits, cut short, on a full disk or in a closed folder: only StoreError.

A cache that cannot be opened is made anew; whatever damage shows, the next reading fills it. A
sample of the damage; `python3 packaging/dev.py whole damage` does all of it.
"""

import contextlib
import os
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from app.model.flow import PeopleFlow
from app.model.person import Person
from app.store.cache import Cache
from app.store.errors import StoreError
from app.store.ordering import SortKey
from tests.samples import sample
from tests.store.conftest import may_mount

NOBODY = 65534
ADA = Person(
    id="ada",
    firstname="Ada",
    lastname="Lovelace",
    date_added=datetime(2020, 1, 1, tzinfo=UTC),
    others=(("team", "Choir"),),
)
BOB = Person(id="bob", firstname="Bob", lastname="Øst")


async def made(path: Path, people: tuple[Person, ...]) -> dict[str, bytes]:
    """The bytes of a cache as they are while it is open, log and all, by the file's end."""
    cache = Cache.open(path)
    number = await cache.begin_full_read()
    await cache.save_people(people[:200])
    await cache.finish_full_read(number, complete=True)
    await cache.save_flows([PeopleFlow(id="f", name="Flow")])
    files = {end: taken(path.with_name(path.name + end)) for end in ("", "-wal")}
    await cache.close()
    return files | {"closed": taken(path)}


def taken(file: Path) -> bytes:
    return file.read_bytes()


async def used(path: Path) -> bool:
    """Do everything with it; whether damage was told, as a StoreError and never otherwise."""
    cache = Cache.open(path)
    try:
        return await gone_through(cache)
    finally:
        await cache.close()


async def gone_through(cache: Cache) -> bool:
    told = False
    for work in (
        lambda: cache.order(SortKey.EMAIL),
        lambda: cache.search_keys(0, 1_000),
        cache.flows,
        lambda: cache.people_by_id([BOB.id]),
        cache.unseen_changes,
        cache.changes,
        cache.cut_changes,
    ):
        try:
            await work()
        except StoreError:
            told = True
    with contextlib.suppress(StoreError):
        cache.read_people(range(1, 300))
    with contextlib.suppress(StoreError):
        told |= cache.people_as_of is None
    await filled_again(cache)
    return told


async def filled_again(cache: Cache) -> None:
    """A reading whose first try may find the damage; the next one is kept."""
    for left in (2, 1, 0):
        try:
            number = await cache.begin_full_read()
            await cache.save_people([BOB])
            await cache.finish_full_read(number, complete=True)
            await cache.save_flows([])
            break
        except StoreError:
            assert left
    (found,) = (await cache.people_by_id([BOB.id])).values()
    assert (found.firstname, found.lastname) == (BOB.firstname, BOB.lastname)


def laid_down(path: Path, files: dict[str, bytes]) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    for end, data in files.items():
        path.with_name(path.name + end).write_bytes(data)


@pytest.mark.parametrize("which", ["", "-wal", "closed"])
async def test_flipped_bits_end_in_a_cache_that_can_be_filled_again(
    which: str, tmp_path: Path, crowd: tuple[Person, ...]
) -> None:
    path = tmp_path / "account" / "cache.db"
    files = await made(path, crowd)
    for number in sample(range(60), 3):
        random = Random(f"{which} {number}")  # noqa: S311 - to be repeated, not to be secret
        data = bytearray(files[which])
        for _ in range(random.choice((1, 1, 8, 200))):
            # Half of them where SQLite keeps what holds the rest together.
            place = random.randrange(random.choice((100, 4096, len(data), len(data))))
            data[place] ^= 1 << random.randrange(8)
        together = {"": files[""], "-wal": files["-wal"], which: bytes(data)}
        laid_down(path, {"": bytes(data)} if which == "closed" else together)
        await used(path)


@pytest.mark.parametrize("which", ["", "-wal", "closed"])
async def test_a_cache_cut_short_can_be_filled_again(
    which: str, tmp_path: Path, crowd: tuple[Person, ...]
) -> None:
    path = tmp_path / "account" / "cache.db"
    files = await made(path, crowd)
    size = len(files[which])
    random = Random(which)  # noqa: S311 - to be repeated, not to be secret
    cuts = (0, 1, 31, 32, 99, 100, 511, 4096, *(random.randrange(size) for _ in range(25)))
    for cut in sample(cuts, 3):
        data = files[which][:cut]
        together = {"": files[""], "-wal": files["-wal"], which: data}
        laid_down(path, {"": data} if which == "closed" else together)
        await used(path)


Use = Callable[[Cache], Awaitable[object]]


async def _page(cache: Cache) -> object:
    return cache.read_people(range(1, 10))


async def _read_anew(cache: Cache) -> None:
    number = await cache.begin_full_read()
    await cache.save_people([BOB])
    await cache.finish_full_read(number, complete=True)


TABLES: dict[str, tuple[str, tuple[Use, ...]]] = {
    "people": (
        "id firstname date_added admin last_key others",
        (_page, lambda cache: cache.people_by_id([ADA.id]), _read_anew),
    ),
    "sqlite_sequence": ("seq", (_read_anew,)),
    "flows": ("flow", (Cache.flows,)),
    "facts": ("value", (Cache.unseen_changes, Cache.changes, _read_anew)),
    "changes": ("at kind subject change", (Cache.unseen_changes, Cache.changes)),
    "cut_changes": ("quarter kind n place unseen", (Cache.unseen_changes, Cache.cut_changes)),
}
"""Of each table a column of every sort, and what is read out of it."""
VALUES = ("7", "1.5", "9e999", "9223372036854775807", "x'ff'", "'May'", "NULL")


@pytest.mark.parametrize("table", TABLES)
async def test_another_kind_of_value_in_a_column_is_damage_or_taken_for_what_it_can_be(
    table: str, tmp_path: Path
) -> None:
    path = tmp_path / "account" / "cache.db"
    cache = Cache.open(path)
    for people in ([ADA], [ADA, BOB], [replace(ADA, lastname="King")]):
        number = await cache.begin_full_read()
        await cache.save_people(people)
        await cache.finish_full_read(number, complete=True)
    await cache.save_flows([PeopleFlow(id="f", name="Flow")])
    await cache.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO cut_changes VALUES (unixepoch() / 900, 'came', 3, 1, 1)")
    whole = path.read_bytes()
    columns, uses = TABLES[table]
    for column, value in sample([*product(columns.split(), VALUES)], 3):
        laid_down(path, {"": whole})
        put_in(path, table, column, value)
        damaged = path.read_bytes()
        for use in uses:
            laid_down(path, {"": damaged})
            cache = Cache.open(path)
            try:
                with contextlib.suppress(StoreError):
                    await use(cache)
            finally:
                await cache.close()


def put_in(path: Path, table: str, column: str, value: str) -> None:
    """Put `value` where no statement could, as a damaged byte does; left as it is in a key."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        named = "SELECT sql FROM sqlite_schema WHERE name = ?"
        (meant,) = connection.execute(named, (table,)).fetchone()
        # Columns that take any kind of value, but for the one that is the number of the row.
        loose = meant.replace("NOT NULL", "").replace(" TEXT", " BLOB").replace(" INTEGER", " BLOB")
        loose = loose.replace("BLOB PRIMARY KEY", "INTEGER PRIMARY KEY")
        declare(connection, table, loose)
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(f"UPDATE OR REPLACE {table} SET {column} = {value}")  # noqa: S608
        declare(connection, table, meant)


def declare(connection: sqlite3.Connection, table: str, statement: str) -> None:
    connection.execute("PRAGMA writable_schema = ON")
    changed = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"
    connection.execute(changed, (statement, table))
    connection.execute("PRAGMA writable_schema = RESET")


@may_mount
@pytest.mark.parametrize("small_disk", [400], indirect=True)
async def test_a_full_disk_is_said_and_what_was_kept_is_kept(
    small_disk: Path, crowd: tuple[Person, ...]
) -> None:
    path = small_disk / "account" / "cache.db"
    cache = Cache.open(path)
    await cache.save_people([BOB])
    with pytest.raises(StoreError) as caught:
        await cache.save_people(crowd)
    assert "full" in str(caught.value)
    assert list(await cache.people_by_id([BOB.id])) == [BOB.id]
    await cache.close()
    cache = Cache.open(path)
    assert list(await cache.people_by_id([BOB.id])) == [BOB.id]
    await cache.close()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_folder_that_is_closed_is_said_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(StoreError):
            Cache.open(folder / "account" / "cache.db")
    finally:
        if root:
            os.seteuid(0)
    assert list(folder.iterdir()) == []
