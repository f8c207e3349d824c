"""Reading to the end: each id once, whatever a service makes of paging."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import InputRefused, ServiceFault
from app.api.pagination.page_plan import PagePlan, PeoplePage
from app.api.pagination.people_listing import Fetch, PeopleListing
from app.api.requests import Limits
from app.api.resources import PeopleFlows
from app.model.flow import PeopleFlow
from app.model.person import Person
from tests.api.listed import ListedService

SMALL = Limits(page_size=10, largest_page=100)


def page(*ids: str, total: int | None = None, per_page: int | None = None) -> PeoplePage:
    """A page with people of these ids."""
    people = tuple(Person(id=known_as) for known_as in ids)
    return PeoplePage(people, total, per_page, len(ids))


class Pages:
    """Pages by number, whatever the size; past the last nobody, or whatever `beyond` says."""

    def __init__(self, *pages: PeoplePage, beyond: PeoplePage | None = None) -> None:
        self.fetched: list[int] = []
        self._pages = pages
        self._beyond = beyond or page()

    async def fetch(self, number: int, _size: int) -> PeoplePage:
        self.fetched.append(number)
        return self._pages[number - 1] if number <= len(self._pages) else self._beyond

    def listing(self, most: int = 100) -> PeopleListing:
        return PeopleListing(self.fetch, Limits(most_pages=most))


async def read(listing: PeopleListing) -> list[str]:
    """The ids of everybody, in order."""
    return [person.id async for person in listing]


async def test_everybody_comes_once_in_page_order() -> None:
    pages = Pages(page("1", "2", total=4), page("3", "2", total=4), page("4", total=4))
    listing = pages.listing()
    assert [person.id async for person in listing] == ["1", "2", "3", "4"]
    assert (listing.total, listing.received, listing.complete) == (4, 4, True)
    assert pages.fetched == [1, 2, 3]


async def test_nothing_is_known_before_the_first_page() -> None:
    listing = Pages(page("1", total=2), page("2", total=2)).listing()
    assert (listing.total, listing.received, listing.complete) == (None, 0, False)
    await anext(listing)
    assert (listing.total, listing.received, listing.complete) == (2, 1, False)


async def test_a_service_that_ignores_paging_is_asked_once_more_and_found_out() -> None:
    pages = Pages(beyond=page("1", "2", total=9))
    listing = pages.listing()
    assert [person.id async for person in listing] == ["1", "2"]
    assert (listing.total, listing.received, listing.complete) == (9, 2, False)
    assert pages.fetched == [1, 2]


async def test_a_service_that_gives_fewer_than_it_counts_is_not_complete() -> None:
    listing = Pages(page("1", "2", total=5), page("3", total=5)).listing()
    assert [person.id async for person in listing] == ["1", "2", "3"]
    assert not listing.complete


async def test_without_a_count_a_short_page_is_the_last() -> None:
    pages = Pages(page("1", "2"), page("3", "4"), page("5"))
    listing = pages.listing()
    assert [person.id async for person in listing] == ["1", "2", "3", "4", "5"]
    assert (listing.total, listing.complete) == (None, True)
    # Nobody knows where the end is before it has come, so a little more is asked for.
    assert pages.fetched[:3] == [1, 2, 3]
    assert len(pages.fetched) <= 6


async def test_without_a_count_the_page_size_told_shows_the_end() -> None:
    pages = Pages(page("1", per_page=50))
    assert [person.id async for person in pages.listing()] == ["1"]
    assert pages.fetched == [1]


async def test_a_short_page_in_the_middle_is_not_the_end_where_there_is_a_count() -> None:
    listing = Pages(page("1", total=4), page("2", "3", total=4), page("4", total=4)).listing()
    assert len([person async for person in listing]) == 4
    assert listing.complete


async def test_a_count_below_what_came_is_no_count() -> None:
    listing = Pages(page("1", "2", total=1), page("3", "4", total=0)).listing()
    assert [person.id async for person in listing] == ["1", "2", "3", "4"]
    assert (listing.total, listing.complete) == (None, True)


async def test_a_count_that_moves_is_followed() -> None:
    listing = Pages(page("1", "2", total=3), page("3", "4", total=4)).listing()
    assert len([person async for person in listing]) == 4
    assert (listing.total, listing.complete) == (4, True)


async def test_after_the_end_nothing_is_fetched_any_more() -> None:
    pages = Pages(beyond=page("1", "2"))
    listing = pages.listing()
    assert [person.id async for person in listing] == ["1", "2"]
    assert [person.id async for person in listing] == []
    assert listing.complete
    assert pages.fetched == [1, 2]


@pytest.mark.parametrize("total", [914_699, None])
async def test_a_service_that_gives_one_later_page_again_and_again_is_found_out(
    total: int | None,
) -> None:
    pages = Pages(page("1", total=total), beyond=page("2", "3", total=total, per_page=1))
    listing = pages.listing(most=20_000)
    assert await read(listing) == ["1", "2", "3"]
    assert not listing.complete
    assert len(pages.fetched) < 100


async def test_a_page_past_the_end_that_counts_nobody_says_nothing_of_those_who_came() -> None:
    pages = Pages(page("1", "2", total=5), page("3", total=5), beyond=page(total=0))
    listing = pages.listing()
    assert await read(listing) == ["1", "2", "3"]
    assert (listing.total, listing.received, listing.complete) == (5, 3, False)


async def test_nobody_is_counted_less_often_than_received() -> None:
    listing = Pages(page("1", "2", total=4), page("3", total=4), beyond=page(total=1)).listing()
    await read(listing)
    assert listing.total is not None
    assert listing.total >= listing.received


async def test_nor_do_two_pages_in_turn_lead_on_for_ever() -> None:
    asked: list[int] = []

    async def fetch(number: int, _size: int) -> PeoplePage:
        asked.append(number)
        return page(str(number % 2), f"{number % 2} too", total=10**6)

    listing = PeopleListing(fetch, Limits())
    assert sorted(await read(listing)) == ["0", "0 too", "1", "1 too"]
    assert not listing.complete
    assert len(asked) < 200


async def test_a_list_without_end_is_given_up() -> None:
    async def endless(number: int, _size: int) -> PeoplePage:
        return page(str(number))

    listing = PeopleListing(endless, Limits(most_pages=7))
    assert len([person async for person in listing]) == 7
    assert not listing.complete


async def test_batches_are_the_pages_without_repetitions() -> None:
    listing = Pages(page("1", "2", total=3), page("2", "3", total=3)).listing()
    batches = [[person.id for person in batch] async for batch in listing.pages()]
    assert batches == [["1", "2"], ["3"]]
    assert listing.complete


async def test_batches_begin_where_reading_one_by_one_stopped() -> None:
    listing = Pages(page("1", "2", total=3), page("3", total=3)).listing()
    assert (await anext(listing)).id == "1"
    assert [[person.id for person in batch] async for batch in listing.pages()] == [["2"], ["3"]]
    with pytest.raises(StopAsyncIteration):
        await anext(listing)


async def test_after_an_error_the_same_page_can_be_asked_for_again() -> None:
    pages = Pages(page("1", total=2), page("2", total=2))
    failures = [ServiceFault("t", "m")]

    async def fetch(number: int, size: int) -> PeoplePage:
        if number == 2 and failures:
            raise failures.pop()
        return await pages.fetch(number, size)

    listing = PeopleListing(fetch, Limits())
    assert (await anext(listing)).id == "1"
    with pytest.raises(ServiceFault):
        await anext(listing)
    assert not listing.complete
    assert (await anext(listing)).id == "2"
    assert listing.complete


async def test_a_reading_that_is_over_is_gone_from_memory_at_once() -> None:
    """Its plan knows everybody by id."""
    others = {id(each) for each in plans_in_memory()}
    listing = ListedService([str(number) for number in range(300)]).listing(SMALL)
    (plan,) = (weakref.ref(each) for each in plans_in_memory() if id(each) not in others)
    assert len(await read(listing)) == 300
    del listing
    assert plan() is None


def plans_in_memory() -> list[PagePlan]:
    """The readings that are held by anything."""
    return [each for each in gc.get_objects() if isinstance(each, PagePlan)]


async def test_a_first_page_that_is_all_there_is_is_asked_for_once() -> None:
    service = ListedService([str(number) for number in range(9)])
    assert await read(service.listing(SMALL)) == service.people
    assert service.asked == [(1, 10)]


async def test_after_a_small_first_page_large_ones_are_asked_for() -> None:
    service = ListedService([str(number) for number in range(1000)])
    listing = service.listing(SMALL)
    assert await read(listing) == service.people
    assert listing.complete
    assert service.asked[:2] == [(1, 10), (1, 100)]
    assert all(10 < size <= 100 for _, size in service.asked[1:])
    assert len(service.asked) < 15


@pytest.mark.parametrize("count", [1, 9, 10, 11, 99, 100, 101, 250, 1000])
@pytest.mark.parametrize("tells_size", [True, False])
@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize(("fixed", "most"), [(None, 100), (None, 60), (None, 7), (25, 100)])
async def test_whatever_size_a_service_gives_everybody_comes_in_order(
    count: int, tells_size: bool, counts: bool, fixed: int | None, most: int
) -> None:
    people = [str(number) for number in range(count)]
    service = ListedService(people, fixed, most, counts, tells_size)
    listing = service.listing(SMALL)
    assert await read(listing) == people
    assert (listing.complete, listing.received) == (True, count)
    assert listing.total == (count if counts else None)
    real = fixed or min(most, 100)
    assert len(service.asked) <= count / real * 1.4 + 8


async def test_a_size_that_is_refused_is_not_asked_for_again() -> None:
    service = ListedService([str(number) for number in range(95)])

    async def fetch(number: int, size: int) -> PeoplePage:
        if size > 10:
            raise InputRefused("t", "m")
        return await service.fetch(number, size)

    listing = PeopleListing(fetch, SMALL)
    assert await read(listing) == service.people
    assert listing.complete


async def test_a_service_that_honours_sizes_and_no_numbers_gives_its_largest_page() -> None:
    people = [str(number) for number in range(240)]

    async def fetch(_number: int, size: int) -> PeoplePage:
        return page(*people[:size], total=240, per_page=size)

    listing = PeopleListing(fetch, SMALL)
    assert await read(listing) == people[:100]
    assert (listing.total, listing.complete) == (240, False)


async def test_a_page_told_to_be_larger_than_it_is_loses_nobody() -> None:
    people = [str(number) for number in range(240)]

    async def fetch(number: int, _size: int) -> PeoplePage:
        return page(*people[(number - 1) * 50 : number * 50], total=240, per_page=1000)

    assert await read(PeopleListing(fetch, SMALL)) == people


async def test_what_a_page_holds_told_as_the_count_of_all_is_seen_through() -> None:
    people = [str(number) for number in range(95)]

    async def fetch(number: int, _size: int) -> PeoplePage:
        found = people[(number - 1) * 10 : number * 10]
        return page(*found, total=len(found), per_page=10)

    listing = PeopleListing(fetch, SMALL)
    assert await read(listing) == people
    assert (listing.total, listing.complete) == (None, True)


@pytest.mark.parametrize("empty", [2, 3])
async def test_an_empty_page_in_the_middle_is_not_the_end(empty: int) -> None:
    people = [str(number) for number in range(45)]

    async def fetch(number: int, _size: int) -> PeoplePage:
        if number == empty:
            return page(total=45, per_page=10)
        return page(*people[(number - 1) * 10 : number * 10], total=45, per_page=10)

    listing = PeopleListing(fetch, Limits(page_size=25))
    came = await read(listing)
    assert came == [known for known in people if int(known) // 10 != empty - 1]
    assert not listing.complete


async def test_a_count_far_too_large_is_not_chased() -> None:
    service = ListedService([str(number) for number in range(45)], fixed=10)

    async def fetch(number: int, size: int) -> PeoplePage:
        found = await service.fetch(number, size)
        return PeoplePage(found.people, 1_000_000, found.per_page, found.sent)

    listing = PeopleListing(fetch, SMALL)
    assert await read(listing) == service.people
    assert (listing.total, listing.complete) == (1_000_000, False)
    assert len(service.asked) < 20


@pytest.fixture
async def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Has the clock of the event loop go on by so many seconds."""
    loop = asyncio.get_running_loop()
    real, late = loop.time, [0.0]
    monkeypatch.setattr(loop, "time", lambda: real() + late[0])

    def wait(seconds: float) -> None:
        late[0] += seconds

    return wait


def behind_a_line(
    service: ListedService, wait: Callable[[float], None], way: float, each: float
) -> Fetch:
    """Each page takes the `way` there and back, and so many seconds more for `each` person."""

    async def fetch(number: int, size: int) -> PeoplePage:
        found = await service.fetch(number, size)
        wait(way + each * found.sent)
        return found

    return fetch


async def test_a_slow_line_gets_no_large_pages(wait: Callable[[float], None]) -> None:
    service = ListedService([str(number) for number in range(900)])
    fetch = behind_a_line(service, wait, way=0.0, each=0.018)
    limits = Limits(page_size=50, page_seconds=2.0)
    assert await read(PeopleListing(fetch, limits)) == service.people
    assert max(size for _, size in service.asked) == 100


@pytest.mark.parametrize("most", [1000, 300, 100])
async def test_a_service_that_is_far_away_is_asked_for_its_largest_pages(
    most: int, wait: Callable[[float], None]
) -> None:
    """How long the first page takes says little there of how long a large one does."""
    service = ListedService([str(number) for number in range(5_000)], most=most)
    fetch = behind_a_line(service, wait, way=0.9, each=0.0001)
    limits = Limits(page_size=50, page_seconds=2.0, pages_at_once=1)
    assert await read(PeopleListing(fetch, limits)) == service.people
    # One beyond what is honoured shows that, and a few more overlap or were small.
    assert len(service.asked) <= 5_000 / most * 1.1 + 5


async def test_where_the_largest_pages_are_refused_smaller_ones_that_came_are_gone_on_with(
    wait: Callable[[float], None],
) -> None:
    service = ListedService([str(number) for number in range(2_000)])
    there = behind_a_line(service, wait, way=0.9, each=0.0001)

    async def fetch(number: int, size: int) -> PeoplePage:
        if size > 200:
            raise InputRefused("No", "That many are not given.")
        return await there(number, size)

    limits = Limits(page_size=50, page_seconds=2.0, pages_at_once=1)
    assert await read(PeopleListing(fetch, limits)) == service.people
    assert len(service.asked) <= 2_000 / 100 * 1.1 + 5


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcdefgh"), max_size=5),
            st.none() | st.integers(0, 9),
            st.none() | st.integers(0, 6),
        ),
        max_size=6,
    )
)
async def test_any_pages_end_and_give_nobody_twice(
    sent: list[tuple[list[str], int | None, int | None]],
) -> None:
    pages = Pages(*(page(*ids, total=total, per_page=size) for ids, total, size in sent))
    listing = pages.listing()
    ids = [person.id async for person in listing]
    assert len(ids) == len(set(ids)) == listing.received
    assert listing.total is None or not listing.complete or listing.received >= listing.total
    assert len(pages.fetched) <= 3 * (len(sent) + 9)


def test_flows_are_a_sequence_that_knows_its_total() -> None:
    flows = PeopleFlows((PeopleFlow(id="1"), PeopleFlow(id="2")), 5)
    assert [flow.id for flow in flows] == ["1", "2"]
    assert flows[1:] == (PeopleFlow(id="2"),)
    assert (len(flows), flows.total, PeopleFlow(id="1") in flows) == (2, 5, True)
    assert PeopleFlows((PeopleFlow(id="1"),)).total == 1


class OnceLookedThrough(tuple[Person, ...]):
    """People who are gone through once, and never again."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Person]:
        raise AssertionError("each of them is looked at on the event loop")


@pytest.mark.parametrize("page_again", [False, True])
def test_of_many_people_who_are_all_new_or_all_known_the_plan_looks_at_none(
    *, page_again: bool
) -> None:
    plan, large = PagePlan(Limits()), page(*map(str, range(100)), total=1_000)
    if page_again:
        plan.next_request()
        assert plan.take(large, 1.0) == large.people
    plan.next_request()
    object.__setattr__(large, "people", OnceLookedThrough(large.people))
    assert len(plan.take(large, 1.0)) == (0 if page_again else 100)


def test_the_ids_of_those_who_have_come_are_not_held() -> None:
    plan, ids = PagePlan(Limits()), [f"id {number}" for number in range(100)]
    before = [sys.getrefcount(each) for each in ids[1:]]
    for many in (0, 50):
        plan.next_request()
        assert len(plan.take(page(*ids[many : many + 50], total=1_000), 1.0)) == 50
    plan.next_request()
    again = page("somebody", ids[20], ids[70], "somebody else", total=1_000)
    assert [person.id for person in plan.take(again, 1.0)] == ["somebody", "somebody else"]
    del again
    for behind in ("another", "one more", "the last"):
        plan.next_request()
        plan.take(page(behind, total=1_000), 1.0)
    assert plan.received == 105
    # By who was first, the page is told again.
    assert [sys.getrefcount(each) for each in ids[1:]] == before


async def test_everybody_else_has_turns_while_a_large_page_that_came_again_is_forgotten() -> None:
    turns, turns_so_far = 0, []
    ids = [str(number) for number in range(50_000)]

    async def fetch(_number: int, _size: int) -> PeoplePage:
        turns_so_far.append(turns)
        return page(*ids, total=50_000)

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    assert await read(PeopleListing(fetch, Limits())) == ids
    task.cancel()
    assert len(turns_so_far) > 1
    assert turns - turns_so_far[-1] > 10
