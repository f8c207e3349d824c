"""Several pages at once, never more than four; an error or a reader who leaves ends them all."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.api.errors import ServiceFault, Unreachable
from app.api.pagination.page_plan import PeoplePage
from app.api.pagination.people_listing import PeopleListing
from app.api.requests import Limits
from tests.api.listed import ListedService

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

SMALL = Limits(page_size=25)


class HeldPages:
    """Hands pages out when the test says so; knows how many are waited for."""

    def __init__(self, many: int = 1000) -> None:
        self.service = ListedService([str(number) for number in range(many)], fixed=10)
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.most = 0
        self.cancelled = 0
        self.errors: dict[int, Exception] = {}

    async def fetch(self, number: int, size: int) -> PeoplePage:
        page = await self.service.fetch(number, size)
        self.waiting[number] = asyncio.get_running_loop().create_future()
        self.most = max(self.most, len(self.waiting))
        try:
            await self.waiting[number]
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            del self.waiting[number]
        if number in self.errors:
            raise self.errors[number]
        return page

    async def give(self, *numbers: int) -> None:
        """Let these pages come, in this order."""
        for number in numbers:
            await until(lambda wanted=number: wanted in self.waiting)  # type: ignore[misc]
            self.waiting[number].set_result(None)
            await settle()

    async def give_all(self, reading: "asyncio.Task[list[str]]") -> list[str]:
        """Let every page come, the last one asked for first."""
        while not reading.done():
            if self.waiting:
                await self.give(max(self.waiting))
            await settle()
        return reading.result()


async def settle() -> None:
    """Let whatever can go on go on."""
    for _ in range(6):
        await asyncio.sleep(0)


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that is about to happen, and is seen in nothing but what it does."""
    for _ in range(1000):
        if true():
            return
        await asyncio.sleep(0)
    raise AssertionError


async def read(listing: PeopleListing) -> list[str]:
    return [person.id async for person in listing]


def others() -> set[asyncio.Task[object]]:
    """Every task but the test's own."""
    return asyncio.all_tasks() - {asyncio.current_task()}


async def test_four_pages_are_under_way_and_people_come_in_page_order() -> None:
    subject = HeldPages(245)
    reading = asyncio.create_task(read(PeopleListing(subject.fetch, SMALL)))
    assert await subject.give_all(reading) == subject.service.people
    assert subject.most == 4


async def test_pages_behind_a_slow_one_are_asked_for_meanwhile_four_at_a_time() -> None:
    subject = HeldPages(245)
    reading = asyncio.create_task(read(PeopleListing(subject.fetch, SMALL)))
    await subject.give(1, 2)
    await until(lambda: sorted(subject.waiting) == [3, 4, 5, 6])
    await subject.give(4, 5, 6, 7, 8)
    assert sorted(subject.waiting) == [3, 9, 10]
    assert await subject.give_all(reading) == subject.service.people
    assert subject.most == 4


async def test_a_first_page_that_was_asked_for_twice_is_not_taken_for_a_slow_one() -> None:
    service = ListedService([str(number) for number in range(2_000)])

    async def fetch(number: int, size: int) -> PeoplePage:
        page = await service.fetch(number, size)
        if len(service.asked) == 1:
            await asyncio.sleep(0.2)
            return replace(page, seconds=0.001)
        return page

    limits = Limits(page_size=100, page_seconds=1.0)
    assert len(await read(PeopleListing(fetch, limits))) == 2_000
    assert service.asked[1] == (1, 1_000)


@pytest.mark.parametrize(("many", "at_once"), [(900, 4), (300, 1)])
async def test_large_pages_of_a_long_list_are_asked_for_before_it_is_known_that_they_are_given(
    many: int, at_once: int
) -> None:
    service = ListedService([str(number) for number in range(many)])
    may_come = asyncio.Event()

    async def fetch(number: int, size: int) -> PeoplePage:
        page = await service.fetch(number, size)
        if len(service.asked) > 1:
            await may_come.wait()
        return page

    limits = Limits(page_size=10, largest_page=100)
    reading = asyncio.create_task(read(PeopleListing(fetch, limits)))
    await until(lambda: len(service.asked) > 1)
    await settle()
    assert len(service.asked) == 1 + at_once
    may_come.set()
    assert await reading == service.people
    assert len(service.asked) <= many / 100 * 1.4 + 8


@pytest.mark.parametrize("most", [60, 50, 7])
async def test_large_pages_that_are_not_given_are_asked_for_anew_one_after_the_other(
    most: int,
) -> None:
    people = [str(number) for number in range(900)]
    service = ListedService(people, most=most)
    listing = service.listing(Limits(page_size=10, largest_page=100))
    assert await read(listing) == people
    assert listing.complete
    assert len(service.asked) <= len(people) / most * 1.4 + 8


async def test_no_more_than_four_pages_are_fetched_for_a_reader_who_takes_none() -> None:
    subject = HeldPages()
    listing = PeopleListing(subject.fetch, SMALL)
    leaving = asyncio.create_task(leave_by_break(listing))
    await subject.give(1, 2, 3, 4, 5, 6)
    await leaving
    await settle()
    assert max(number for number, _ in subject.service.asked) == 6
    await listing.aclose()
    assert others() == set()


async def started(subject: HeldPages) -> "asyncio.Task[list[str]]":
    """A reading with pages 3 to 6 under way."""
    reading = asyncio.create_task(read(PeopleListing(subject.fetch, SMALL)))
    await subject.give(1, 2)
    await until(lambda: len(subject.waiting) == 4)
    return reading


async def test_while_a_page_is_waited_for_behind_which_others_have_come_nothing_wakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject = HeldPages(245)
    reading = await started(subject)
    await subject.give(4, 5)
    loop = asyncio.get_running_loop()
    soon, woken = loop.call_soon, 0

    def counting(*given: object, **named: object) -> asyncio.Handle:
        nonlocal woken
        woken += 1
        return soon(*given, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_soon", counting)
        await asyncio.sleep(0.05)
    assert woken < 10
    assert await subject.give_all(reading) == subject.service.people


async def test_an_error_ends_the_reading_at_once_and_cancels_the_other_pages() -> None:
    subject = HeldPages()
    subject.errors[5] = ServiceFault("t", "five")
    reading = await started(subject)
    await subject.give(5)
    with pytest.raises(ServiceFault, match="five"):
        await reading
    assert (subject.cancelled, subject.waiting) == (3, {})
    assert others() == set()


async def test_after_an_error_reading_on_loses_nobody() -> None:
    subject = HeldPages(95)
    subject.errors[5] = ServiceFault("t", "five")
    listing = PeopleListing(subject.fetch, SMALL)
    came: list[str] = []

    async def read_on() -> list[str]:
        async for person in listing:
            came.append(person.id)  # noqa: PERF401 - what came before an error counts
        return came

    with pytest.raises(ServiceFault):
        await subject.give_all(asyncio.create_task(read_on()))
    assert not listing.complete
    subject.errors.clear()
    assert await subject.give_all(asyncio.create_task(read_on())) == subject.service.people
    assert listing.complete


async def test_a_cancelled_reading_leaves_no_page_under_way() -> None:
    subject = HeldPages()
    reading = await started(subject)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert subject.waiting == {}
    assert others() == set()


async def leave_by_break(listing: PeopleListing) -> None:
    async for person in listing:
        if person.id == "25":
            break


async def leave_by_break_between_pages(listing: PeopleListing) -> None:
    async for batch in listing.pages():
        if batch[0].id == "20":
            break


async def leave_by_error(listing: PeopleListing) -> None:
    with contextlib.suppress(KeyError):
        async for person in listing:
            _ = dict.fromkeys(map(str, range(25)))[person.id]


@pytest.mark.parametrize(
    "leave",
    [leave_by_break, leave_by_break_between_pages, leave_by_error],
    ids=lambda f: f.__name__,
)
async def test_a_reader_who_leaves_takes_the_pages_along(
    leave: Callable[[PeopleListing], Coroutine[None, None, None]],
) -> None:
    subject = HeldPages()
    leaving = asyncio.create_task(leave(PeopleListing(subject.fetch, SMALL)))
    await subject.give(1, 2, 3)
    await leaving
    del leaving
    await settle()
    assert subject.waiting == {}
    assert others() == set()


async def test_a_closed_listing_leaves_nothing_and_gives_nobody_more() -> None:
    subject = HeldPages()
    listing = PeopleListing(subject.fetch, SMALL)
    leaving = asyncio.create_task(leave_by_break(listing))
    await subject.give(1, 2, 3)
    await leaving
    assert subject.waiting
    await listing.aclose()
    assert others() == set()
    assert await read(listing) == []
    assert not listing.complete


async def test_a_client_that_is_closed_takes_its_readings_along(service: "ScriptedService") -> None:
    pages = (map(str, range(start, start + 10)) for start in (0, 10, 20))
    service.answers(
        *(service.people(*ids, total=1000, per_page=10) for ids in pages), service.silence()
    )
    client = service.client()
    listing = client.people()
    await leave_by_break(listing)
    await until(lambda: len(service.asked) == 6)
    mine = {task for task in others() if task.get_name() == "reading ahead"}
    assert len(mine) == 3
    await client.aclose()
    assert all(task.done() for task in mine)
    rest = listing.pages()
    assert [person.id for person in await anext(rest)] == ["26", "27", "28", "29"]
    with pytest.raises(Unreachable):
        await anext(rest)


async def test_a_reading_under_way_when_its_client_is_closed_says_so(
    service: "ScriptedService",
) -> None:
    service.answers(service.silence())
    client = service.client()
    reading = asyncio.create_task(read(client.people()))
    await service.is_asked()
    await client.aclose()
    with pytest.raises(Unreachable):
        await reading
