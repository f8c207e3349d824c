"""What is asked of the list beside its order: who carries a mark, whose name starts how."""

from collections.abc import AsyncIterator, Sequence

import pytest

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.search import PeopleFilter
from app.runtime.events import EventBus
from app.store.cache import Cache
from app.store.people_rows import PersonFlags

ADA = Person(id="ada", firstname="Ada", lastname="Lovelace", email="ada@x.org", admin=True)
BOB = Person(id="bob", firstname="Bob", lastname="Øst", email="", volunteer=True)
EVE = Person(id="eve", firstname="Eve", lastname="Adams", archived=True, volunteer=True)


def fail(error: BaseException) -> None:
    raise error


@pytest.fixture
async def directory() -> AsyncIterator[PeopleDirectory]:
    """Eve Adams, Ada Lovelace and Bob Øst, in this order, in the rows 3, 1 and 2."""
    cache = Cache.open(None)
    await cache.save_people([ADA, BOB, EVE])
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.open()
    yield directory
    await cache.close()


@pytest.mark.parametrize(
    ("only", "rows"),
    [
        (PeopleFilter.EVERYBODY, [3, 1, 2]),
        (PeopleFilter.VOLUNTEERS, [3, 2]),
        (PeopleFilter.ADMINISTRATORS, [1]),
        (PeopleFilter.WITHOUT_EMAIL, [2]),
        (PeopleFilter.ARCHIVED, [3]),
    ],
)
def test_a_filter_leaves_those_who_carry_its_mark_and_counts_them(
    directory: PeopleDirectory, only: PeopleFilter, rows: Sequence[int]
) -> None:
    assert list(directory.slices("", flag=only.flag)) == [rows]
    assert directory.count(only.flag) == len(rows)


def test_a_filter_and_a_search_leave_those_who_pass_both(directory: PeopleDirectory) -> None:
    assert list(directory.slices("adams", flag=PersonFlags.VOLUNTEER)) == [[3]]
    assert list(directory.slices("ada l", flag=PersonFlags.VOLUNTEER)) == [[]]


def test_a_search_can_be_kept_to_those_found_before(directory: PeopleDirectory) -> None:
    assert list(directory.slices("ada", among=[2, 3])) == [[3]]


def test_a_name_is_found_by_how_it_starts(directory: PeopleDirectory) -> None:
    rows = directory.ordered_rows()
    assert directory.position_starting(rows, 0, "Øs") == 2
    assert directory.position_starting(rows, 0, " ") is None
