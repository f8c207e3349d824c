"""Whoever was typed last is brought into sight: on top, then where the list has them."""

import pytest

from app.model.outbox import EntryState
from app.model.person import Person
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import row_of, screen_of


class Sight:
    """Every row that was to be seen."""

    def __init__(self, screen: PeopleScreen) -> None:
        self.keys: list[object] = []
        screen.sight_wanted.connect(self._hear)

    def _hear(self, key: object) -> None:
        self.keys.append(key)


@pytest.fixture
async def screen(office: AccountFixture) -> PeopleScreen:
    """Ada, Bob and Eve, by first name."""
    await office.list_people(ADA, BOB, EVE)
    return screen_of(office)


async def arrived(office: AccountFixture) -> Person:
    """Whoever the service created last is in the list."""
    person = office.scripted.created[-1]
    await office.directory.took(person)
    return person


async def test_an_entry_is_seen_at_once_and_its_person_once_they_are_listed(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    sight = Sight(screen)
    entry = office.add("Zora", "Neale")
    assert sight.keys == [entry.id]
    await office.sent(entry, EntryState.ADDED)
    assert sight.keys == [entry.id]
    person = await arrived(office)
    assert sight.keys == [entry.id, row_of(office, person)]
    await office.directory.took(Person(id="abel", firstname="Abel"))
    assert len(sight.keys) == 2


async def test_while_others_wait_on_top_the_list_stays_with_them(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    first = office.add("Zora", "Neale")
    await office.sent(first, EntryState.ADDED)
    sight = Sight(screen)
    second = office.add("Yan", "Li")
    await arrived(office)
    assert sight.keys == [second.id]
    await office.sent(second, EntryState.ADDED)
    person = await arrived(office)
    assert sight.keys == [second.id, row_of(office, person)]


@pytest.mark.parametrize("step", ["choose", "search", "scroll"])
async def test_whoever_goes_elsewhere_is_left_there(
    office: AccountFixture, screen: PeopleScreen, step: str
) -> None:
    entry = office.add("Zora", "Neale")
    if step == "choose":
        screen.choose(row_of(office, ADA))
    elif step == "search":
        screen.search("a")
    else:
        screen.scrolled(row_of(office, ADA), by_hand=True)
    sight = Sight(screen)
    await office.sent(entry, EntryState.ADDED)
    await arrived(office)
    assert sight.keys == []


async def test_scrolling_that_is_not_by_hand_is_not_going_elsewhere(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    entry = office.add("Zora", "Neale")
    screen.scrolled(entry.id, by_hand=False)
    sight = Sight(screen)
    await office.sent(entry, EntryState.ADDED)
    person = await arrived(office)
    assert sight.keys == [row_of(office, person)]


async def test_somebody_whom_the_search_in_force_hides_is_not_looked_for(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("bob")
    sight = Sight(screen)
    entry = office.add("Zora", "Neale")
    await office.sent(entry, EntryState.ADDED)
    await arrived(office)
    assert sight.keys == [entry.id]


async def test_entries_of_before_are_no_news(office: AccountFixture, screen: PeopleScreen) -> None:
    entry = office.add("Zora", "Neale")
    again = screen_of(office)
    sight = Sight(again)
    office.outbox.edit(entry.id, entry.new_person)
    assert sight.keys == []
    assert screen.table.rowCount() == again.table.rowCount() == 4


async def test_taking_an_entry_back_leads_nowhere(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    entry = office.add("Zora", "Neale")
    sight = Sight(screen)
    office.outbox.undo(entry.id)
    await office.directory.took(Person(id="abel", firstname="Abel"))
    assert sight.keys == []
