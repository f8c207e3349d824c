"""Going to a name by typing its first letters, among people and entries on their way."""

import pytest

from app.model.person import Person
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.selection import TypeAhead
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import screen_of

AARON = Person(id="aaron", firstname="Aaron", lastname="Zed")


class Clock:
    """Seconds, as the test lets them go by."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def screen(account: AccountFixture) -> PeopleScreen:
    """Aaron, Ada, Bob and Eve, by first name."""
    await account.list_people(ADA, BOB, EVE, AARON)
    return screen_of(account)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ahead(account: AccountFixture, screen: PeopleScreen, clock: Clock) -> TypeAhead:
    return TypeAhead(account.directory, screen.table, now=clock)


def test_letters_that_follow_quickly_are_one_beginning(ahead: TypeAhead, clock: Clock) -> None:
    assert ahead.type("e", -1, 1.0) == 3
    clock.now = 0.9
    assert ahead.type("v", 3, 1.0) == 3
    clock.now = 2.0
    assert ahead.type("b", 3, 1.0) == 2


def test_the_same_letter_goes_from_one_name_to_the_next(ahead: TypeAhead, clock: Clock) -> None:
    assert ahead.type("a", -1, 1.0) == 0
    clock.now = 5.0
    assert ahead.type("a", 0, 1.0) == 1
    clock.now = 9.0
    assert ahead.type("a", 1, 1.0) == 0


def test_a_letter_twice_is_a_beginning_where_a_name_has_it(ahead: TypeAhead) -> None:
    assert ahead.type("a", 0, 1.0) == 1
    assert ahead.type("a", 1, 1.0) == 0


def test_a_letter_twice_goes_on_where_no_name_has_it(ahead: TypeAhead) -> None:
    assert ahead.type("b", -1, 1.0) == 2
    assert ahead.type("b", 2, 1.0) == 2


def test_a_blank_belongs_to_a_beginning_under_way(ahead: TypeAhead) -> None:
    for letters, at in (("a", 0), ("d", 1), ("a", 1), (" ", 1), ("l", 1)):
        assert ahead.type(letters, at, 1.0) == 1
    assert ahead.type("x", 1, 1.0) is None


def test_a_blank_that_begins_nothing_goes_nowhere(ahead: TypeAhead) -> None:
    assert ahead.type(" ", 0, 1.0) is None
    assert ahead.type("b", 0, 1.0) == 2


async def test_entries_are_names_like_the_others(account: AccountFixture, ahead: TypeAhead) -> None:
    account.add("Eva", "Typed")
    account.add("Zora", "Neale")
    assert ahead.type("e", -1, 0.0) == 1
    assert ahead.type("e", 1, 0.0) == 5
    assert ahead.type("e", 5, 0.0) == 1
    assert ahead.type("z", 4, 0.0) == 0


async def test_only_names_that_are_shown_are_gone_to(
    screen: PeopleScreen, ahead: TypeAhead
) -> None:
    screen.search("eve")
    assert ahead.type("b", 0, 0.0) is None
    assert ahead.type("e", 0, 0.0) == 0
