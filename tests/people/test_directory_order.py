"""The order in memory stays the one the database gives, whatever comes, changes and goes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store.cache import Cache
from app.store.kept_orders import KeptOrder
from app.store.ordering import SortKey

if TYPE_CHECKING:
    from app.api.service import Service

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)


class Scripted:
    """A service that lists these people, and counts so many."""

    def __init__(self, people: Sequence[Person], total: int) -> None:
        self.listed = tuple(people)
        self.received = len(people)
        self.total = total
        self.complete = self.received >= total

    def people(self) -> "Scripted":
        return self

    async def hides_somebody(self) -> bool:
        return False

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        for start in range(0, self.received, 1_700):
            yield self.listed[start : start + 1_700]


def service(people: Sequence[Person], *, total: int) -> "Service":
    return cast("Service", Scripted(people, total))


def fail(error: BaseException) -> None:
    raise error


TEXT = st.sampled_from(["", "Å", "a", "b", "Ø", "山田", "O'B", "zz", "😀"])
PEOPLE = st.lists(
    st.builds(
        Person,
        id=st.sampled_from([str(number) for number in range(12)]),
        firstname=TEXT | st.none(),
        lastname=TEXT,
        email=TEXT | st.none(),
        phone=st.sampled_from(["", "079 1", "+41"]),
        mobile=st.sampled_from(["", "5"]),
        date_added=st.none() | st.integers(-3, 3).map(lambda days: NOON + timedelta(days)),
        archived=st.booleans() | st.none(),
    ),
    min_size=2,
    max_size=8,
)


@pytest.mark.parametrize("by", list(SortKey))
@given(
    descending=st.booleans(),
    listings=st.lists(st.tuples(PEOPLE, st.booleans()), min_size=1, max_size=4),
)
def test_the_order_in_memory_stays_the_one_the_database_gives(
    by: SortKey, *, descending: bool, listings: list[tuple[list[Person], bool]]
) -> None:
    async def follow() -> None:
        cache = Cache.open(None)
        try:
            await stays_in_order(cache, by, descending=descending, listings=listings)
        finally:
            await cache.close()

    asyncio.run(follow())


async def stays_in_order(
    cache: Cache, by: SortKey, *, descending: bool, listings: list[tuple[list[Person], bool]]
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.sort(by, descending=descending)
    for people, whole in listings:
        total = len(people) if whole else 99
        await directory.refresh(service(people, total=total))
        assert directory.ordered_rows() == await cache.order(by, descending=descending)
        again = PeopleDirectory(cache, EventBus(fail))
        await again.open(by, descending=descending)
        assert again.ordered_rows() == directory.ordered_rows()
        for row in directory.ordered_rows():
            assert again.key(row) == directory.key(row)
            assert again.flags(row) == directory.flags(row)
        await again.read_keys()
        assert again.ordered_rows() == directory.ordered_rows()
        assert again.count() == directory.count()
        are_told_their_positions(again)


def are_told_their_positions(directory: PeopleDirectory) -> None:
    rows, position = directory.ordered_rows(), directory.positions()
    for some in (rows, rows[::2], rows[1:]):
        for row in rows:
            assert position(some, row) == (some.index(row) if row in some else None)


class Looked(list[int]):
    """Rows that count how many of them are looked at."""

    times = 0

    def __getitem__(self, at: int) -> int:  # type: ignore[override]  # one at a time
        self.times += 1
        return super().__getitem__(at)


async def test_somebody_is_found_in_the_order_of_now_without_a_look_at_each_row() -> None:
    cache = Cache.open(None)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [Person(id=str(n), firstname=f"f{n}", lastname=f"l{n}") for n in range(500)]
    await directory.refresh(service(people, total=500))
    position, rows = directory.positions(), Looked(directory.ordered_rows())
    assert position(rows, list(rows)[300]) == 300
    assert rows.times < 20
    await directory.took(Person(id="new", firstname="f5", lastname="l5"))
    with pytest.raises(LookupError):
        position(rows, 1)
    await cache.close()


async def test_a_long_list_stays_in_order_while_it_grows_and_shrinks() -> None:
    cache = Cache.open(None)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [
        Person(id=str(n), firstname=f"f{n * 7919 % 1009}", lastname=f"l{n * 31 % 97}")
        for n in range(3_000)
    ]
    await directory.refresh(service(people, total=3_000))
    for left in (people[:2_990], people[:1_000:3]):
        assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)
        await directory.refresh(service(left, total=len(left)))
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)
    assert directory.count() == 334
    await cache.close()


class Asked(Cache):
    """Counts how often it had to sort."""

    sorted_by: list[SortKey]

    async def kept_order(self, by: SortKey) -> KeptOrder:
        self.sorted_by = [*getattr(self, "sorted_by", []), by]
        return await super().kept_order(by)


async def test_an_order_there_was_is_come_back_to_without_sorting() -> None:
    cache = Asked.open(None)
    assert isinstance(cache, Asked)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [Person(id=str(n), firstname=f"f{9 - n}", lastname=f"l{n}") for n in range(9)]
    await directory.refresh(service(people, total=9))
    before = directory.ordered_rows()
    await directory.sort(SortKey.FIRST_NAME)
    assert directory.ordered_rows() == before[::-1]
    await directory.sort(SortKey.LAST_NAME)
    await directory.sort(SortKey.FIRST_NAME, descending=True)
    await directory.sort(SortKey.LAST_NAME)
    assert directory.ordered_rows() == before
    assert cache.sorted_by == [SortKey.FIRST_NAME]
    await cache.close()


@pytest.mark.parametrize("change", ["somebody came", "somebody went", "everybody went"])
async def test_after_a_change_no_order_of_before_is_shown(change: str) -> None:
    cache = Cache.open(None)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [Person(id=str(n), firstname=f"f{9 - n}", lastname=f"l{n}") for n in range(9)]
    await directory.refresh(service(people, total=9))
    await directory.sort(SortKey.FIRST_NAME)
    if change == "somebody came":
        await directory.took(Person(id="new", firstname="f5", lastname="l5"))
    else:
        left = people[:5] if change == "somebody went" else []
        await directory.refresh(service(left, total=len(left)))
    await directory.sort(SortKey.LAST_NAME)
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)
    await cache.close()


async def test_keys_that_were_packed_are_found_as_before_and_changed_as_before() -> None:
    cache = Cache.open(None)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [Person(id=str(n), firstname=f"f{n * 7919 % 1009}", lastname="l") for n in range(999)]
    await directory.refresh(service(people, total=999))
    await directory.sort(SortKey.FIRST_NAME, descending=True)

    def found(query: str) -> list[int]:
        return [row for part in directory.slices(query) for row in part]

    before = [found(query) for query in ("f1", "f1 l", "1 f l", "x")]
    await directory.pack_keys()
    assert [found(query) for query in ("f1", "f1 l", "1 f l", "x")] == before
    await directory.took(Person(id="new", firstname="f1x", lastname="x"))
    row = directory.row_of("new")
    assert (found("x"), row in found("f1")) == ([row], True)
    assert directory.ordered_rows() == await cache.order(SortKey.FIRST_NAME, descending=True)
    await cache.close()


async def test_somebody_who_is_changed_while_keys_are_packed_is_found_as_they_are_then() -> None:
    cache = Cache.open(None)
    directory = PeopleDirectory(cache, EventBus(fail))
    people = [Person(id=str(n), firstname=f"f{n}", lastname="l") for n in range(9_000)]
    await directory.refresh(service(people, total=9_000))
    for turn in range(12):
        packing = asyncio.ensure_future(directory.pack_keys())
        for _ in range(turn):
            await asyncio.sleep(0)
        directory._next_additions = 0.0
        await directory.took(Person(id="4500", firstname=f"renamed{turn}", lastname="l"))
        await packing
        assert [row for part in directory.slices(f"renamed{turn}") for row in part] == [4_501]
    assert not [row for part in directory.slices("f4500") for row in part]
    await cache.close()
