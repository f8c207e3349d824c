"""Reading to the end: each id once, whatever a service makes of paging."""

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import ServiceFault
from app.api.listing import PeopleFlows, PeopleListing, PeoplePage
from app.model.flow import PeopleFlow
from app.model.person import Person

Fetch = Callable[[int], Awaitable[PeoplePage]]


def page(*ids: str, total: int | None = None, per_page: int | None = None) -> PeoplePage:
    """A page with people of these ids."""
    return PeoplePage(tuple(Person(id=known_as) for known_as in ids), total, per_page)


class Pages:
    """Pages by number; past the last of them nobody, or whatever `beyond` says."""

    def __init__(self, *pages: PeoplePage, beyond: PeoplePage | None = None) -> None:
        self.fetched: list[int] = []
        self._pages = pages
        self._beyond = beyond or page()

    async def fetch(self, number: int) -> PeoplePage:
        self.fetched.append(number)
        return self._pages[number - 1] if number <= len(self._pages) else self._beyond

    def listing(self, most: int = 100) -> PeopleListing:
        return PeopleListing(self.fetch, most)


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
    assert pages.fetched == [1, 2, 3]


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


async def test_a_list_without_end_is_given_up() -> None:
    async def endless(number: int) -> PeoplePage:
        return page(str(number))

    listing = PeopleListing(endless, 7)
    assert len([person async for person in listing]) == 7


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

    async def fetch(number: int) -> PeoplePage:
        if number == 2 and failures:
            raise failures.pop()
        return await pages.fetch(number)

    listing = PeopleListing(fetch, 100)
    assert (await anext(listing)).id == "1"
    with pytest.raises(ServiceFault):
        await anext(listing)
    assert not listing.complete
    assert (await anext(listing)).id == "2"
    assert listing.complete


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
    assert listing.total is None or listing.complete == (listing.received >= listing.total)
    assert len(pages.fetched) <= len(sent) + 1


def test_flows_are_a_sequence_that_knows_its_total() -> None:
    flows = PeopleFlows((PeopleFlow(id="1"), PeopleFlow(id="2")), 5)
    assert [flow.id for flow in flows] == ["1", "2"]
    assert flows[1:] == (PeopleFlow(id="2"),)
    assert (len(flows), flows.total, PeopleFlow(id="1") in flows) == (2, 5, True)
    assert PeopleFlows((PeopleFlow(id="1"),)).total == 1
