"""The order of the list is kept: a start need not sort, and is never shown an order of before."""

import asyncio
import sqlite3
import sys
from array import array
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store import kept_orders, people_rows
from app.store.cache import Cache
from app.store.kept_orders import KeptOrder
from app.store.ordering import ROW, IndexRow, Rows, SortKey
from app.store.person_flags import PersonFlags
from app.store.schema import CACHE_TABLES

if TYPE_CHECKING:
    from app.api.service import Service

PEOPLE = [
    Person(
        id=f"p{n}",
        firstname=f"f{n * 7919 % 1009:04}" if n % 9 else "",
        lastname=f"l{n * 31 % 97:03}",
        email="" if n % 3 else f"e{n}@x.org",
        archived=n % 5 == 0,
        date_added=datetime(2020, 1, 1 + n % 28, tzinfo=UTC) if n % 4 else None,
    )
    for n in range(900)
]


def fail(error: BaseException) -> None:
    raise error


async def told(cache: Cache, people: Sequence[Person]) -> None:
    """A whole reading that gives these people."""
    number = await cache.begin_full_read()
    await cache.save_people(people)
    await cache.finish_full_read(number, complete=True)


@pytest.fixture(scope="module")
def kept_list(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of these people, with the order by each of the keys."""
    path = tmp_path_factory.mktemp("kept") / "cache.sqlite3"

    async def keep() -> None:
        cache = Cache.open(path)
        await told(cache, PEOPLE)
        for by in SortKey:
            await cache.kept_order(by)
        await cache.close()

    asyncio.run(keep())
    return path.read_bytes()


@pytest.fixture
async def cache(tmp_path: Path, kept_list: bytes) -> AsyncIterator[Cache]:
    (tmp_path / "cache.sqlite3").write_bytes(kept_list)
    cache = Cache.open(tmp_path / "cache.sqlite3")
    yield cache
    await cache.close()


@pytest.fixture
def sorts(monkeypatch: pytest.MonkeyPatch) -> list[SortKey]:
    """By what the database was asked to sort."""
    asked: list[SortKey] = []
    really = people_rows.sort

    def sort(connection: sqlite3.Connection, by: SortKey, *, descending: bool) -> object:
        asked.append(by)
        return really(connection, by, descending=descending)

    monkeypatch.setattr(people_rows, "sort", sort)
    return asked


class Listing:
    """A service that lists these people, and counts as many."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.listed = tuple(people)
        self.received = self.total = len(people)
        self.complete = True

    def people(self) -> "Listing":
        return self

    async def hides_somebody(self) -> bool:
        return False

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        yield self.listed


def service_of(people: Sequence[Person]) -> "Service":
    return cast("Service", Listing(people))


def changed(person: Person, **fields: object) -> Person:
    return msgspec.structs.replace(person, **fields)


CHANGES: dict[str, Callable[[], Sequence[Person]]] = {
    "nothing": lambda: PEOPLE,
    "somebody came": lambda: [*PEOPLE, Person(id="new", firstname="f05", lastname="l05")],
    "nobody knows when somebody came": lambda: [*PEOPLE, Person(id="new")],
    "somebody went": lambda: PEOPLE[1:],
    "somebody has another name": lambda: [changed(PEOPLE[0], firstname="zz"), *PEOPLE[1:]],
    "somebody has no name left": lambda: [changed(PEOPLE[9], firstname=""), *PEOPLE],
    "somebody was archived": lambda: [changed(PEOPLE[1], archived=True), *PEOPLE[2:]],
    "many came and went": lambda: [*PEOPLE[::2], *(changed(p, id=p.id * 2) for p in PEOPLE[:99])],
    "everybody went": list,
}


@pytest.mark.parametrize("change", list(CHANGES))
async def test_each_kept_order_is_the_one_there_is_now(
    cache: Cache, change: str, sorts: list[SortKey]
) -> None:
    await told(cache, CHANGES[change]())
    flags = {row: flags for row, _, flags, _ in await cache.search_keys(0, 2_000)}
    for by in SortKey:
        kept = await cache.kept_order(by)
        assert sorts == [], by
        assert kept.rows == await cache.order(by), by
        assert {row: kept.flags[row] for row in kept.rows} == flags, by
        sorts.clear()


async def test_where_very_many_were_moved_it_is_sorted_once_more(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, sorts: list[SortKey]
) -> None:
    monkeypatch.setattr(kept_orders, "_MOST_MOVED", 50)
    await told(cache, [changed(person, firstname="same") for person in PEOPLE])
    first = await cache.kept_order(SortKey.EMAIL)
    again = await cache.kept_order(SortKey.EMAIL)
    assert sorts == [SortKey.EMAIL]
    assert first.rows == again.rows == await cache.order(SortKey.EMAIL)


async def test_a_reading_leaves_the_order_for_the_next_start(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, sorts: list[SortKey]
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.FIRST_NAME)
    monkeypatch.setattr(kept_orders, "_MOST_MOVED", 0)
    await directory.took(Person(id="new", firstname="f05"))
    monkeypatch.undo()
    assert sorts == []
    again = PeopleDirectory(cache, EventBus(fail))
    await again.open(SortKey.FIRST_NAME)
    assert again.ordered_rows() == directory.ordered_rows()


def joined(slices: Iterable[Sequence[int]]) -> list[int]:
    return [each for part in slices for each in part]


QUESTIONS: dict[str, Callable[[PeopleDirectory], object]] = {
    "everybody": lambda directory: list(directory.ordered_rows()),
    "how many": lambda directory: directory.count(PersonFlags.ARCHIVED),
    "a key": lambda directory: directory.key(directory.ordered_rows()[3]),
    "a name": lambda directory: directory.position_starting(directory.ordered_rows(), 0, "f07"),
    "a search": lambda directory: joined(directory.slices("f05 l0")),
    "a search among a few": lambda directory: joined(
        directory.slices("f05", among=directory.ordered_rows()[:500])
    ),
    "a search and a mark": lambda directory: joined(
        directory.slices("x.org", flag=PersonFlags.ARCHIVED)
    ),
    "a beginning": lambda directory: joined(directory.rows_beginning("l05")),
    "when they were added": lambda directory: sorted(joined(directory.times_added())),
}


@pytest.mark.parametrize("by", [SortKey.EMAIL, SortKey.ADDED])
@pytest.mark.parametrize("descending", [False, True])
async def test_before_the_keys_are_read_the_list_answers_as_it_does_then(
    cache: Cache, by: SortKey, *, descending: bool
) -> None:
    for question, ask in QUESTIONS.items():
        # Asked once: an answer may read what another would have to read for itself.
        directory = PeopleDirectory(cache, EventBus(fail))
        await directory.open(by, descending=descending)
        before = ask(directory)
        await directory.read_keys()
        assert before == ask(directory), question
        assert before not in (None, []), question
        if question == "everybody":
            assert before == list(await cache.order(by, descending=descending))


@pytest.mark.parametrize(
    "spoilt",
    [
        "UPDATE orders SET rows = substr(rows, 5), flags = substr(flags, 2)",
        "UPDATE orders SET rows = CAST(rows || x'60030000' AS BLOB)",
        "UPDATE orders SET rows = CAST(substr(rows, 5) || substr(rows, 5, 4) AS BLOB)",
        "UPDATE orders SET rows = x'010203'",
        "UPDATE orders SET rows = 'words'",
        "UPDATE orders SET flags = x''",
        "UPDATE orders SET flags = CAST(substr(flags, 1, 600) AS BLOB)",
        "UPDATE orders SET flags = 'words'",
        "UPDATE orders SET checksum = checksum + 1",
        "UPDATE orders SET rows = CAST(x'01000010' || substr(rows, 5) AS BLOB)",
        "INSERT INTO moved (row) VALUES ('x')",
        "INSERT INTO moved (row) VALUES (1.5)",
        "INSERT INTO moved (row) VALUES (1099511627776)",
        "INSERT INTO moved (row) VALUES (-3)",
    ],
)
async def test_an_order_that_is_not_that_of_the_list_is_sorted_anew(
    cache: Cache, tmp_path: Path, spoilt: str
) -> None:
    with sqlite3.connect(tmp_path / "cache.sqlite3") as connection:
        connection.execute(spoilt)
    connection.close()
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.LAST_NAME)
    await directory.read_keys()
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)
    assert len([row for part in directory.slices("l") for row in part]) == len(PEOPLE)


async def test_reading_the_keys_of_a_long_list_ends_when_it_is_cancelled(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.people.directory.SLICE", 10)
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.EMAIL)
    asked = 0
    index_rows = cache.index_rows

    async def counted(rows: Sequence[int]) -> list[IndexRow]:
        nonlocal asked
        asked += 1
        return await index_rows(rows)

    monkeypatch.setattr(cache, "index_rows", counted)
    reading = asyncio.get_running_loop().create_task(directory.read_keys())
    while not asked:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert asked <= 2


SPOILT_TABLES = {
    "people are missing": "DELETE FROM people WHERE row % 3 = 0",
    "marks are none": "UPDATE people SET admin = 'q', archived = -5, volunteer = 1e300",
}


@pytest.mark.parametrize("by", list(SortKey))
@pytest.mark.parametrize("spoilt", SPOILT_TABLES)
@pytest.mark.parametrize("is_kept", [True, False])
async def test_a_list_opens_whatever_its_table_has_lost(
    cache: Cache, tmp_path: Path, spoilt: str, by: SortKey, *, is_kept: bool
) -> None:
    new = Person(id="new", firstname="f05", lastname="l05", email="e05@x.org", phone="5")
    await cache.save_people([new])
    with sqlite3.connect(tmp_path / "cache.sqlite3") as connection:
        connection.execute(SPOILT_TABLES[spoilt])
        if not is_kept:
            connection.execute("DELETE FROM orders")
    connection.close()
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(by)
    row = await directory.took(changed(new, id="newer"))
    assert row in directory.ordered_rows()
    await directory.read_keys()
    assert directory.ordered_rows() == await cache.order(by)
    assert directory.count(PersonFlags.ADMIN) == 0


async def test_somebody_without_a_key_is_damage(cache: Cache, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "cache.sqlite3") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'last_key TEXT NOT NULL', 'last_key TEXT')"
        )
    connection.close()
    with sqlite3.connect(tmp_path / "cache.sqlite3") as connection:
        connection.execute("UPDATE people SET last_key = NULL WHERE row = 7")
    connection.close()
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.EMAIL)
    await directory.read_keys()
    assert list(directory.ordered_rows()) == [], "made anew, to be read again"


OTHERS: dict[str, Callable[[Rows], Rows]] = {
    "one too few": lambda rows: rows[1:],
    "one too many": lambda rows: array(ROW, [*rows, 864]),
    "one of them twice": lambda rows: array(ROW, [*rows[1:], rows[1]]),
    "turned around": lambda rows: rows[::-1],
}


@pytest.mark.parametrize("which", list(OTHERS))
async def test_a_whole_order_of_other_people_is_sorted_anew(cache: Cache, which: str) -> None:
    by = SortKey.LAST_NAME
    await cache.keep_order(by, OTHERS[which](await cache.order(by)), bytes(1 + len(PEOPLE)))
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(by)
    await directory.read_keys()
    assert sorted(directory.ordered_rows()) == sorted(await cache.order(by))
    assert len([row for part in directory.slices("l") for row in part]) == len(PEOPLE)


def test_an_order_is_found_without_a_look_at_each_row() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in CACHE_TABLES:
        connection.execute(statement)
    rows, by = array(ROW, range(3_000)), SortKey.EMAIL
    connection.execute("INSERT INTO sqlite_sequence VALUES ('people', ?)", (len(rows),))
    kept_orders.keep(connection, by, rows, b"\1" * len(rows))
    lines = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        found = kept_orders.find(connection, by, lambda _row: None)
    finally:
        sys.settrace(before)
    assert found == KeptOrder(rows, bytearray(b"\1" * len(rows)))
    assert 0 < lines < len(rows)
    connection.close()


async def test_where_there_is_no_room_for_an_order_the_list_is_there(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_named: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(kept_orders, "find", lambda *_: None)
    monkeypatch.setattr(kept_orders, "keep", full)
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.EMAIL)
    assert directory.ordered_rows() == await cache.order(SortKey.EMAIL)
    await cache.keep_order(SortKey.EMAIL, directory.ordered_rows(), bytes(2_000))


async def test_flags_that_are_not_those_of_the_list_are_so_no_longer_once_all_is_read(
    cache: Cache,
) -> None:
    by = SortKey.LAST_NAME
    await cache.keep_order(by, await cache.order(by), bytes(1 + len(PEOPLE)))
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(by)
    row = directory.row_of("p5")
    assert row is not None
    directory.mark_recently_added({row: 1.0})
    assert directory.count(PersonFlags.ARCHIVED) == 0
    await directory.read_keys()
    assert directory.count(PersonFlags.ARCHIVED) == 180
    assert directory.count(PersonFlags.RECENTLY_ADDED) == 1


@pytest.mark.parametrize("then", ["changed", "gone", "added here"])
async def test_somebody_whose_kept_key_is_another_costs_no_reading(
    cache: Cache, tmp_path: Path, then: str
) -> None:
    with sqlite3.connect(tmp_path / "cache.sqlite3") as connection:
        connection.execute("UPDATE people SET last_key = 'zz' WHERE id = 'p40'")
    connection.close()
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open(SortKey.LAST_NAME)
    await directory.read_keys()
    p40 = PEOPLE[40]
    if then == "added here":
        await directory.took(changed(p40, lastname="m"))
    else:
        others = [*PEOPLE[:40], *PEOPLE[41:]]
        left = [*others, changed(p40, lastname="m")] if then == "changed" else others
        result = await directory.refresh(service_of(left))
        assert result.complete
        assert directory.count() == len(left)
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)


async def test_a_list_that_could_not_be_opened_is_there_when_it_is_read_again(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))

    def out_of_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(kept_orders, "find", out_of_memory)
    with pytest.raises(MemoryError):
        await directory.open(SortKey.LAST_NAME)
    monkeypatch.undo()
    await directory.refresh(service_of(PEOPLE))
    assert directory.count() == len(PEOPLE)
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)
