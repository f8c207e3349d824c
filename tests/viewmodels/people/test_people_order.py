"""Sorting the People table: by every column, both ways, and what it does to what is chosen."""

import pytest
from PySide6.QtCore import Qt

from app.model.person import Person
from app.store.errors import StoreError
from app.store.ordering import SortKey
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import SORT_OF, Column
from tests.viewmodels.conftest import ADA, BOB, EVE, NOON, AccountFixture
from tests.viewmodels.people.people_room import names, row_of, screen_of

ACROSS = Qt.Orientation.Horizontal
ZOE = Person(
    id="zoe",
    firstname="Zoe",
    lastname="Aas",
    email="a@x.org",
    phone="1",
    mobile="2",
    date_added=NOON,
)


@pytest.fixture
async def screen(account: AccountFixture) -> PeopleScreen:
    """Ada, Bob, Eve and Zoe, by first name."""
    await account.list_people(ADA, BOB, EVE, ZOE)
    return screen_of(account)


@pytest.mark.parametrize("column", list(Column))
async def test_a_column_is_sorted_by_what_it_shows_and_says_so(
    account: AccountFixture, screen: PeopleScreen, column: Column
) -> None:
    screen.order.sort_by_column(column)
    await account.settle()
    assert names(screen)[0] == "Zoe Aas"
    headers = [str(screen.table.headerData(each, ACROSS)) for each in Column]
    assert [each for each in Column if headers[each][-1] in "▴▾"] == [column]


async def test_the_same_column_again_turns_the_list_round(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.order.sort_by_column(Column.EMAIL)
    await account.settle()
    assert names(screen)[:2] == ["Zoe Aas", "Ada Lovelace"]
    screen.order.sort_by_column(Column.EMAIL)
    await account.settle()
    assert names(screen)[:2] == ["Ada Lovelace", "Zoe Aas"]
    assert screen.order.now == (SortKey.EMAIL, True)


async def test_a_column_that_nothing_is_sorted_by_leaves_the_list_as_it_is(
    screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = screen.order.now
    monkeypatch.delitem(SORT_OF, Column.MOBILE)
    screen.order.sort_by_column(Column.MOBILE)
    assert screen.order.now == before


async def test_the_newest_come_first_when_it_is_asked_who_was_added(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.order.sort_by_column(Column.ADDED)
    await account.settle()
    assert screen.order.now == (SortKey.ADDED, True)


async def test_names_can_be_sorted_by_last_name_and_turned_round_by_the_header(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.order.sort_by(SortKey.LAST_NAME)
    await account.settle()
    assert names(screen) == ["Zoe Aas", "Eve Adams", "Ada Lovelace", "Bob Øst"]
    screen.order.sort_by_column(Column.NAME)
    await account.settle()
    assert screen.order.now == (SortKey.LAST_NAME, True)


async def test_a_later_wish_takes_the_place_of_the_one_under_way(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.order.sort_by(SortKey.EMAIL)
    screen.order.sort_by(SortKey.LAST_NAME)
    await account.settle()
    assert screen.order.now == (SortKey.LAST_NAME, False)
    assert names(screen)[0] == "Zoe Aas"


async def test_what_is_found_and_chosen_stays_so_in_another_order(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("a")
    screen.choose(row_of(account, ADA))
    screen.order.sort_by(SortKey.LAST_NAME)
    await account.settle()
    assert names(screen) == ["Zoe Aas", "Eve Adams", "Ada Lovelace"]
    assert screen.chosen_person == ADA


async def test_an_order_that_could_not_be_made_is_said_and_the_list_stays(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("No room", "There is no room left on this computer.")

    monkeypatch.setattr(account.cache, "kept_order", fail)
    screen.order.sort_by(SortKey.EMAIL)
    await account.settle()
    assert screen.state.remark == "There is no room left on this computer."
    assert (names(screen)[0], screen.order.now[0]) == ("Ada Lovelace", SortKey.FIRST_NAME)
