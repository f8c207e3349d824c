"""A list that changes while it is read: nobody twice, nobody dropped who was there throughout."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.requests import Limits
from tests.api.listed import ListedService

SMALL = Limits(page_size=10, largest_page=100)
SIZES = [(None, 100), (None, 60), (25, 100)]


def crowd(many: int = 400) -> list[str]:
    """Ids in order."""
    return [f"p{number}" for number in range(many)]


def change(service: ListedService, at: int, what: Callable[[list[str]], object]) -> None:
    """Before page `at` is given (from 0), do something to the list."""

    def before(asked: int) -> None:
        if asked == at:
            what(service.people)

    service.before = before


async def read(service: ListedService) -> tuple[list[str], bool]:
    """Everybody who came, and whether the reading was complete."""
    listing = service.listing(SMALL)
    came = [person.id async for person in listing]
    assert len(came) == len(set(came)) == listing.received
    return came, listing.complete


@pytest.mark.parametrize(("fixed", "most"), SIZES)
@pytest.mark.parametrize("at", range(8))
async def test_somebody_taken_off_the_front_drops_nobody(
    fixed: int | None, most: int, at: int
) -> None:
    service = ListedService(crowd(), fixed, most)
    change(service, at, lambda people: people.pop(0))
    came, complete = await read(service)
    assert set(service.people) <= set(came)
    assert complete


@pytest.mark.parametrize(("fixed", "most"), SIZES)
@pytest.mark.parametrize("at", range(8))
async def test_somebody_put_in_front_drops_nobody_and_comes_too(
    fixed: int | None, most: int, at: int
) -> None:
    service = ListedService(crowd(), fixed, most)
    change(service, at, lambda people: people.insert(0, "new"))
    came, complete = await read(service)
    assert sorted(came) == sorted(service.people)
    assert complete


@pytest.mark.parametrize(("fixed", "most"), SIZES)
async def test_a_whole_page_put_in_front_is_not_taken_for_a_service_that_ignores_paging(
    fixed: int | None, most: int
) -> None:
    service = ListedService(crowd(), fixed, most)
    change(service, 1, lambda people: people.__setitem__(slice(0, 0), crowd_of_new(fixed or 10)))
    came, complete = await read(service)
    assert sorted(came) == sorted(service.people)
    assert complete


def crowd_of_new(many: int) -> list[str]:
    """Ids nobody had."""
    return [f"new{number}" for number in range(many)]


@pytest.mark.parametrize(("fixed", "most"), SIZES)
@pytest.mark.parametrize("at", range(12))
async def test_many_taken_off_the_front_drop_nobody(fixed: int | None, most: int, at: int) -> None:
    service = ListedService(crowd(), fixed, most)
    change(service, at, lambda people: people.__delitem__(slice(0, 40)))
    came, complete = await read(service)
    assert set(service.people) <= set(came)
    assert complete


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize("counts", [True, False])
async def test_one_gone_and_one_come_is_seen_though_the_count_is_the_same(
    at: int, counts: bool
) -> None:
    service = ListedService(crowd(), None, 60, counts=counts)

    def swap(people: list[str]) -> None:
        people.append("new")
        del people[0]

    change(service, at, swap)
    came, _ = await read(service)
    assert set(crowd()[1:]) <= set(came)


async def test_where_pages_overlap_a_small_shift_costs_no_second_reading() -> None:
    still = ListedService(crowd(2000))
    await read(still)
    service = ListedService(crowd(2000))
    change(service, 6, lambda people: people.pop(0))
    came, _ = await read(service)
    assert set(service.people) <= set(came)
    assert len(service.asked) <= len(still.asked) + 1


@pytest.mark.parametrize(("fixed", "most"), SIZES)
async def test_a_list_that_never_stands_still_is_given_up_honestly(
    fixed: int | None, most: int
) -> None:
    service = ListedService(crowd(), fixed, most)
    service.before = lambda _asked: service.people.__delitem__(slice(0, 30 if fixed else 3))
    came, complete = await read(service)
    assert set(service.people) <= set(came) or not complete
    assert len(service.asked) < 3 * 40


async def test_a_service_that_lists_somebody_twice_for_good_is_not_read_for_ever() -> None:
    people = crowd(100)
    people[60:60] = people[:3]
    service = ListedService(people, fixed=25)
    came, complete = await read(service)
    assert (sorted(came), complete) == (sorted(crowd(100)), False)
    assert len(service.asked) <= 2 * 6


@given(
    many=st.integers(0, 350),
    sizes=st.sampled_from([*SIZES, (None, 7), (10, 100)]),
    seed=st.integers(0, 10_000),
    often=st.floats(0, 0.3),
)
async def test_whoever_was_there_throughout_comes_whenever_a_reading_is_complete(
    many: int, sizes: tuple[int | None, int], seed: int, often: float
) -> None:
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not secret
    fixed, most = sizes
    service = ListedService(crowd(many), fixed, most)
    gone: set[str] = set()
    overlapping = fixed is None and most >= 60

    def before(asked: int) -> None:
        if chance.random() >= often:
            return
        if chance.random() < 0.5 and service.people:
            gone.add(service.people.pop(chance.randrange(len(service.people))))
        else:
            # Where nothing overlaps, a list that loses and gains the same number tells nothing.
            place = chance.randrange(len(service.people) + 1) if overlapping or not gone else 0
            service.people.insert(place, f"new{asked}")

    service.before = before
    throughout = set(crowd(many))
    came, complete = await read(service)
    if complete and (overlapping or not gone):
        assert throughout - gone <= set(came)
    assert len(service.asked) < 260
