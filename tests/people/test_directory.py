"""The list of people: filled from a service, told in deltas, always in order."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from app.model.errors import ExpectedError
from app.model.person import Person
from app.people.directory import PeopleDirectory, RefreshResult
from app.people.events import PeopleChanged, PeopleProgress, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.errors import StoreDamaged, StoreError, damaged
from app.store.ordering import SortKey
from app.store.people_rows import PeopleDelta
from app.store.person_flags import PersonFlags

if TYPE_CHECKING:
    from app.api.service import Service

NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)
ADA = Person(id="ada", firstname="Ada", lastname="Lovelace", email="ada@x.org", admin=True)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", volunteer=True)
EVE = Person(id="eve", firstname="Eve", lastname="Adams", archived=True, volunteer=True)


class Scripted:
    """A service whose list is written in the test: batches, or an error to raise."""

    def __init__(self, *batches: Sequence[Person] | Exception, total: int | None = None) -> None:
        self.batches = batches
        self.total = total
        self.received = 0
        self.complete = False

    def people(self) -> "Scripted":
        return self

    async def hides_somebody(self) -> bool:
        return False

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        for batch in self.batches:
            await asyncio.sleep(0)
            if isinstance(batch, Exception):
                raise batch
            self.received += len(batch)
            yield tuple(batch)
        self.complete = self.total is None or self.received >= self.total


def service(*batches: Sequence[Person] | Exception, total: int | None = None) -> "Service":
    return cast("Service", Scripted(*batches, total=total))


class Heard(list[object]):
    """Everything the directory told."""

    def __init__(self, events: EventBus) -> None:
        super().__init__()
        for kind in (PeopleProgress, PeopleChanged, PeopleRefreshed):
            events.subscribe(kind, self.append, TaskScope("test", fail, ExpectedError))


def fail(error: BaseException) -> None:
    raise error


@pytest.fixture(params=["file", "memory"])
async def cache(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Cache]:
    path = tmp_path / "account" / "cache.db" if request.param == "file" else None
    cache = Cache.open(path, now=lambda: NOON)
    yield cache
    await cache.close()


in_a_file = pytest.mark.parametrize("cache", ["file"], indirect=True)
"""For what takes long: of memory alone it is the same."""


@pytest.fixture
def events() -> EventBus:
    return EventBus(fail)


@pytest.fixture
async def directory(cache: Cache, events: EventBus) -> PeopleDirectory:
    directory = PeopleDirectory(cache, events)
    await directory.open()
    return directory


def names(directory: PeopleDirectory) -> list[str]:
    rows = directory.ordered_rows()
    people = directory.people(rows)
    return [people[row].firstname or "" for row in rows]


async def test_a_refresh_tells_of_each_part_and_of_the_end(
    directory: PeopleDirectory, events: EventBus
) -> None:
    heard = Heard(events)
    result = await directory.refresh(service([ADA, BOB], [EVE], total=3))
    assert result == RefreshResult(received=3, total=3, complete=True)
    assert heard == [
        PeopleChanged(added=(1, 2)),
        PeopleProgress(2, 3),
        PeopleChanged(added=(3,)),
        PeopleProgress(3, 3),
        PeopleRefreshed(complete=True),
    ]
    assert directory.as_of == NOON
    assert names(directory) == ["Eve", "Ada", "Bob"]


async def test_a_second_refresh_tells_only_what_is_different(
    directory: PeopleDirectory, events: EventBus
) -> None:
    await directory.refresh(service([ADA, BOB, EVE], total=3))
    heard = Heard(events)
    married = Person(id="ada", firstname="Ada", lastname="Aaronson")
    await directory.refresh(service([BOB, married], total=2))
    assert [event for event in heard if isinstance(event, PeopleChanged)] == [
        PeopleChanged(changed=(1,)),
        PeopleChanged(removed=(3,)),
    ]
    assert names(directory) == ["Ada", "Bob"]
    assert list(directory.slices("eve")) == [[]]


@pytest.mark.parametrize("total", [5, None])
async def test_nobody_is_removed_unless_the_whole_list_came_by_the_services_own_count(
    directory: PeopleDirectory, total: int | None
) -> None:
    await directory.refresh(service([ADA, BOB], total=2))
    await directory.refresh(service([EVE], total=total))
    assert names(directory) == ["Eve", "Ada", "Bob"]


async def test_few_who_come_into_a_long_list_are_kept_when_the_line_breaks_behind_them(
    directory: PeopleDirectory, events: EventBus
) -> None:
    crowd = [Person(id=f"c{n}", lastname=f"Crowd {n:03}") for n in range(200)]
    heard = Heard(events)
    with pytest.raises(ExpectedError):
        await directory.refresh(
            service(crowd, [ADA], [BOB], ExpectedError("Down", "The connection is down."))
        )
    assert {"Ada", "Bob"} <= set(names(directory))
    assert directory.count() == 202
    told = [event for event in heard if isinstance(event, PeopleProgress)]
    assert [event.received for event in told] == [200, 201, 202]


@in_a_file
async def test_very_many_who_come_at_once_are_told_in_parts_with_turns_in_between(
    directory: PeopleDirectory, events: EventBus
) -> None:
    crowd = [Person(id=f"c{n}", firstname=str(n), lastname=f"C{n % 7}") for n in range(3_500)]
    heard = Heard(events)
    reading = asyncio.ensure_future(directory.refresh(service(crowd, total=3_500)))
    seen = set()
    while not reading.done():
        seen.add(len(directory.ordered_rows()))
        await asyncio.sleep(0)
    assert len(seen - {0, 3_500}) > 1
    renamed = [msgspec.structs.replace(each, lastname="Z") for each in crowd[:1_500]]
    newcomers = [Person(id=f"n{n}", lastname="New") for n in range(800)]
    heard.clear()
    await directory.refresh(service([*renamed, *newcomers, *crowd[1_500:]], total=4_300))
    told = [event for event in heard if isinstance(event, PeopleChanged)]
    assert max(len(event.added) + len(event.changed) for event in told) <= 1_000
    assert [row for event in told for row in event.changed] == list(range(1, 1_501))
    assert [row for event in told for row in event.added] == list(range(3_501, 4_301))
    assert directory.ordered_rows() == await directory._cache.order(SortKey.LAST_NAME)


@in_a_file
async def test_while_a_part_is_put_in_those_of_the_next_one_are_asked_for_and_no_more(
    cache: Cache, directory: PeopleDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, save = asyncio.Event(), cache.save_people

    async def held_save(*people: object, **given: object) -> PeopleDelta:
        await saved.wait()
        return await save(*people, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(cache, "save_people", held_save)
    crowd = [[Person(id=f"{n}-{m}") for m in range(2_500)] for n in range(5)]
    scripted = Scripted(*crowd, total=12_500)
    reading = asyncio.ensure_future(directory.refresh(cast("Service", scripted)))
    for _ in range(50):
        await asyncio.sleep(0.001)
    assert scripted.received == 7_500
    saved.set()
    assert (await reading).complete
    assert directory.count() == 12_500


async def test_what_came_before_an_error_is_kept_and_nothing_removed(
    directory: PeopleDirectory,
) -> None:
    await directory.refresh(service([ADA], total=1))
    with pytest.raises(ExpectedError):
        await directory.refresh(service([BOB], ExpectedError("Down", "The connection is down.")))
    assert names(directory) == ["Ada", "Bob"]


class Stuck(Scripted):
    """A list whose next page does not come."""

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        async for batch in super().pages():
            yield batch
        await asyncio.Event().wait()


LONG_AGO = [Person(id=f"c{n}", lastname=f"C{n:05}") for n in range(8_000)]
NEW = [Person(id=f"n{n}", lastname="New") for n in range(900)]


@in_a_file
async def test_who_has_come_is_shown_while_the_next_page_is_waited_for(
    directory: PeopleDirectory,
) -> None:
    stuck = cast("Service", Stuck(LONG_AGO, NEW))
    reading = asyncio.ensure_future(directory.refresh(stuck))
    async with asyncio.timeout(30):
        while directory.count() < 8_900:  # noqa: ASYNC110 - looks from outside
            await asyncio.sleep(0.01)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


@in_a_file
async def test_who_has_come_is_kept_when_the_reading_is_given_up(
    cache: Cache, directory: PeopleDirectory
) -> None:
    stuck = Stuck(LONG_AGO, NEW)
    reading = asyncio.ensure_future(directory.refresh(cast("Service", stuck)))
    while stuck.received < 8_900:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert directory.count() == await cache.people_count() == 8_900
    assert directory.as_of is None


async def test_a_refresh_that_is_cancelled_leaves_memory_and_cache_alike(
    cache: Cache, directory: PeopleDirectory
) -> None:
    people = [Person(id=str(n), firstname=str(n), lastname=str(n % 7)) for n in range(300)]
    for moment in range(0, 40, 3):
        batches = [people[start : start + 50] for start in range(0, 300, 50)]
        task = asyncio.get_running_loop().create_task(
            directory.refresh(service(*batches, total=300))
        )
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)


@in_a_file
async def test_a_refresh_that_is_cancelled_between_two_parts_leaves_memory_and_cache_alike(
    cache: Cache, directory: PeopleDirectory, events: EventBus
) -> None:
    people = [Person(id=str(n), firstname=str(n), lastname=str(n % 7)) for n in range(3_500)]
    task = asyncio.ensure_future(directory.refresh(service(people, total=3_500)))
    heard = Heard(events)
    while not heard:  # noqa: ASYNC110 - looks from outside, at each turn of the loop
        await asyncio.sleep(0)
    assert directory.count() < 3_500
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert directory.count() == 3_500
    assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)


async def test_somebody_who_was_just_added_is_there_at_once(
    directory: PeopleDirectory, events: EventBus
) -> None:
    await directory.refresh(service([ADA], total=1))
    heard = Heard(events)
    row = await directory.took(EVE)
    assert heard == [PeopleChanged(added=(row,))]
    assert names(directory) == ["Eve", "Ada"]
    assert directory.row_of("eve") == row
    assert directory.person("eve") == EVE
    assert await directory.took(EVE) == row


async def test_somebody_added_during_a_refresh_is_not_removed_by_it(
    directory: PeopleDirectory,
) -> None:
    class Adding(Scripted):
        async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
            async for batch in super().pages():
                yield batch
                await directory.took(EVE)

    await directory.refresh(cast("Service", Adding([ADA, BOB], total=2)))
    assert names(directory) == ["Eve", "Ada", "Bob"]


async def test_the_list_is_there_again_after_a_restart(tmp_path: Path, events: EventBus) -> None:
    path = tmp_path / "account" / "cache.db"
    cache = Cache.open(path, now=lambda: NOON)
    await PeopleDirectory(cache, events).refresh(service([ADA, BOB, EVE], total=3))
    await cache.close()
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, events)
    await directory.open()
    assert names(directory) == ["Eve", "Ada", "Bob"]
    assert directory.as_of == NOON
    assert list(directory.slices("lovelace")) == [[1]]
    await cache.close()


async def test_the_list_is_sorted_and_turned_round(directory: PeopleDirectory) -> None:
    await directory.refresh(service([ADA, BOB, EVE], total=3))
    await directory.sort(SortKey.FIRST_NAME)
    assert names(directory) == ["Ada", "Bob", "Eve"]
    await directory.sort(SortKey.FIRST_NAME, descending=True)
    assert names(directory) == ["Eve", "Bob", "Ada"]
    await directory.took(Person(id="cy", firstname="Cy"))
    assert names(directory) == ["Eve", "Cy", "Bob", "Ada"]
    assert directory.sorted_by == (SortKey.FIRST_NAME, True)


async def test_people_are_counted_by_their_marks(directory: PeopleDirectory) -> None:
    await directory.refresh(service([ADA, BOB, EVE], total=3))
    assert directory.count() == 3
    assert directory.count(PersonFlags.VOLUNTEER) == 2
    assert directory.count(PersonFlags.WITHOUT_EMAIL) == 1
    assert directory.flags(3) == PersonFlags.VOLUNTEER | PersonFlags.ARCHIVED
    await directory.refresh(service([ADA], total=1))
    assert directory.count() == 1
    assert directory.count(PersonFlags.VOLUNTEER) == 0


async def test_a_search_under_way_keeps_the_order_it_began_with(
    directory: PeopleDirectory,
) -> None:
    await directory.refresh(service([ADA, BOB, EVE], total=3))
    slices = directory.slices("", 1)
    assert next(slices) == [3]
    await directory.took(Person(id="zed", firstname="Zed", lastname="Aaa"))
    assert list(slices) == [[1], [2]]


async def test_a_search_under_way_does_not_find_somebody_who_went(
    directory: PeopleDirectory,
) -> None:
    await directory.refresh(service([ADA, BOB, EVE], total=3))
    slices = directory.slices("", 1)
    assert next(slices) == [3]
    await directory.refresh(service([EVE, BOB], total=2))
    assert list(slices) == [[], [2]]
    assert directory.key(1) == ""


def new_people(many: int) -> list[Person]:
    return [Person(id=f"new-{number}", firstname=f"New {number:02}") for number in range(many)]


async def test_those_added_right_behind_each_other_are_put_in_together(
    directory: PeopleDirectory, events: EventBus
) -> None:
    heard = Heard(events)
    several = new_people(40)
    rows = await asyncio.gather(*map(directory.took, several))
    assert [directory.people([row])[row].id for row in rows] == [one.id for one in several]
    assert names(directory) == [one.firstname for one in several]
    assert len(heard) < 10


async def test_the_first_of_them_is_there_at_once(
    directory: PeopleDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.people.directory._BETWEEN_ADDITIONS", 3600.0)
    await asyncio.wait_for(directory.took(ADA), 60)
    assert names(directory) == ["Ada"]


async def test_where_somebody_cannot_be_put_in_the_others_who_came_along_are(
    cache: Cache, directory: PeopleDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, tries = cache.save_people, 0

    async def without_room_once(people: Sequence[Person], *, added_here: bool) -> PeopleDelta:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise StoreError("Full", "The disk is full.")
        return await save(people, added_here=added_here)

    monkeypatch.setattr(cache, "save_people", without_room_once)
    several = new_people(9)
    ends = await asyncio.gather(*map(directory.took, several), return_exceptions=True)
    assert [type(end) for end in ends if not isinstance(end, int)] == [StoreError]
    assert directory.count() == 8


async def test_damage_found_while_opening_ends_in_an_empty_list(
    tmp_path: Path, events: EventBus
) -> None:
    path = tmp_path / "account" / "cache.db"
    await fill(path, events)
    spoil(path)
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, events)
    await directory.open()
    assert directory.count() == 0
    await directory.refresh(service([ADA], total=1))
    assert names(directory) == ["Ada"]
    await cache.close()


async def test_damage_found_later_takes_everybody_out_until_the_next_refresh(
    tmp_path: Path, events: EventBus
) -> None:
    path = tmp_path / "account" / "cache.db"
    await fill(path, events)
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, events)
    await directory.open()
    everybody = tuple(directory.ordered_rows())
    heard = Heard(events)
    with pytest.raises(StoreDamaged):
        await cache._do(find_damage)
    assert heard == [PeopleChanged(removed=everybody)]
    assert (directory.count(), directory.as_of) == (0, None)
    await directory.refresh(service([ADA], total=1))
    assert names(directory) == ["Ada"]
    await cache.close()


class DamagedBetweenPages(Scripted):
    """A list of which a part was read when other work finds the cache damaged."""

    def __init__(self, cache: Cache) -> None:
        super().__init__([ADA], [BOB], total=2)
        self._cache = cache

    async def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        async for page in super().pages():
            if page == (BOB,):
                with pytest.raises(StoreDamaged):
                    await self._cache._do(find_damage)
            yield page


async def test_a_list_of_which_a_part_was_lost_on_the_way_is_not_called_whole(
    cache: Cache, directory: PeopleDirectory
) -> None:
    with pytest.raises(StoreDamaged):
        await directory.refresh(cast("Service", DamagedBetweenPages(cache)))
    assert (directory.as_of, directory.whole) == (None, False)
    await directory.refresh(service([ADA], [BOB], total=2))
    assert (directory.count(), directory.whole) == (2, True)


def find_damage(_connection: object) -> None:
    raise damaged("a page that was read at last")


@pytest.fixture(scope="module")
def long_list_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("long") / "cache.db"
    asyncio.run(fill(path, EventBus(fail), 9_000))
    return path.read_bytes()


@pytest.fixture
def long_list(tmp_path: Path, long_list_bytes: bytes) -> Path:
    """A file of so many people that their keys are read in several steps."""
    path = tmp_path / "cache.db"
    path.write_bytes(long_list_bytes)
    return path


LOOKS: dict[str, Callable[[PeopleDirectory], Iterator[Sequence[int]]]] = {
    "a search": lambda directory: directory.slices("f1"),
    "when they were added": PeopleDirectory.times_added,
    "a beginning": lambda directory: directory.rows_beginning("x"),
}


@pytest.mark.parametrize("keys_are_read", [False, True])
@pytest.mark.parametrize("look", LOOKS)
async def test_a_look_at_everybody_ends_where_they_are_forgotten_meanwhile(
    long_list: Path, events: EventBus, look: str, *, keys_are_read: bool
) -> None:
    cache = Cache.open(long_list)
    directory = PeopleDirectory(cache, events)
    await directory.open()
    if keys_are_read:
        await directory.read_keys()
    slices = LOOKS[look](directory)
    next(slices)
    with pytest.raises(StoreDamaged):
        await cache._do(find_damage)
    if look == "a beginning":
        # Whoever asks for it has to know that it does not tell of everybody.
        with pytest.raises(StoreDamaged):
            list(slices)
    else:
        assert list(slices) == []
    assert list(directory.slices("f1", among=range(9_000))) == []
    assert directory.flags(9) == PersonFlags(0)
    assert directory.position_starting(range(1, 9_000), 0, "f1") is None
    await cache.close()


@pytest.mark.parametrize("turns", range(0, 24, 4))
async def test_damage_met_while_the_keys_are_read_ends_in_an_empty_list_and_nothing_else(
    long_list: Path, events: EventBus, turns: int
) -> None:
    cache = Cache.open(long_list)
    directory = PeopleDirectory(cache, events)
    await directory.open()
    everybody = tuple(directory.ordered_rows())
    heard = Heard(events)
    reading = asyncio.ensure_future(directory.read_keys())
    for _ in range(turns):
        await asyncio.sleep(0)
    with pytest.raises(StoreDamaged):
        await cache._do(find_damage)
    await reading
    assert directory.count() == 0
    assert heard == [PeopleChanged(removed=everybody)]
    await directory.refresh(service([ADA], total=1))
    assert names(directory) == ["Ada"]
    await cache.close()


async def fill(path: Path, events: EventBus, many: int = 1_000) -> None:
    cache = Cache.open(path)
    people = [Person(id=str(n), firstname=f"f{n}", lastname="x" * 50) for n in range(many)]
    await PeopleDirectory(cache, events).refresh(service(people, total=many))
    await cache.close()


def spoil(path: Path) -> None:
    good = path.read_bytes()
    path.write_bytes(good[: 4096 * 8] + b"\xff" * 4096 * 20 + good[4096 * 28 :])


async def test_who_was_added_before_a_whole_reading_is_in_the_list_or_gone_also_after_a_restart(
    cache: Cache, events: EventBus, directory: PeopleDirectory
) -> None:
    moment = timedelta(microseconds=1)
    begun = datetime.now(UTC)
    assert not directory.would_have(begun)
    await directory.refresh(service([ADA], total=2))
    assert not directory.would_have(begun), "the reading came short"
    begun = datetime.now(UTC)
    await directory.refresh(service([ADA, BOB], total=2))
    read = datetime.now(UTC)
    assert [directory.would_have(each) for each in (begun - moment, read)] == [True, False]
    await directory.refresh(service([ADA], total=2))
    assert [directory.would_have(each) for each in (begun - moment, read)] == [True, False]
    again = PeopleDirectory(cache, events)
    await again.open()
    assert not again.would_have(NOON - moment), "the last reading came short"
    await directory.refresh(service([ADA, BOB], total=2))
    await again.open()
    assert [again.would_have(each) for each in (NOON - moment, NOON)] == [True, False]
