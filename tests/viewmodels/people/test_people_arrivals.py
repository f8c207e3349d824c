"""Whoever was typed last is brought into sight: on top, then where the list has them."""

from contextlib import suppress

import pytest

from app.model.outbox import EntryState
from app.model.person import Person
from app.outbox.events import EntriesChanged
from app.viewmodels.cell_table import CELL_ROLE, Cell
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Column
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import row_of, screen_of


class Sight:
    """Every row that was to be seen, or whose person has come."""

    def __init__(self, screen: PeopleScreen) -> None:
        self.keys: list[object] = []
        screen.sight_wanted.connect(self._hear)
        screen.arrived.connect(self._hear)

    def _hear(self, key: object) -> None:
        self.keys.append(key)


async def arrived(account: AccountFixture) -> Person:
    """Whoever the service created last is in the list."""
    person = account.scripted.created[-1]
    await account.directory.took(person)
    return person


async def test_an_entry_is_seen_at_once_and_its_person_once_they_are_listed(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    sight = Sight(screen)
    entry = account.add("Zora", "Neale")
    assert sight.keys == [entry.id]
    await account.sent(entry, EntryState.ADDED)
    assert sight.keys == [entry.id]
    person = await arrived(account)
    assert sight.keys == [entry.id, row_of(account, person)]
    await account.directory.took(Person(id="abel", firstname="Abel"))
    assert len(sight.keys) == 2


async def test_an_entry_is_seen_at_once_although_all_are_made_ready_for_searches_just_then(
    account: AccountFixture,
) -> None:
    def make_ready(_event: EntriesChanged) -> None:
        made = screen._entries.make_texts()
        with suppress(StopIteration):
            while True:
                made.send(None)

    account.events.subscribe(EntriesChanged, make_ready, account.scope)  # before the list hears
    screen = screen_of(account)
    sight = Sight(screen)
    entry = account.add("Zora", "Neale")
    assert sight.keys == [entry.id]


async def test_while_others_wait_on_top_the_list_stays_with_them(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    first = account.add("Zora", "Neale")
    await account.sent(first, EntryState.ADDED)
    sight = Sight(screen)
    second = account.add("Yan", "Li")
    await arrived(account)
    assert sight.keys == [second.id]
    await account.sent(second, EntryState.ADDED)
    person = await arrived(account)
    assert sight.keys == [second.id, row_of(account, person)]


@pytest.mark.parametrize("step", ["choose", "search", "scroll"])
async def test_whoever_goes_elsewhere_is_left_there(
    account: AccountFixture, screen: PeopleScreen, step: str
) -> None:
    entry = account.add("Zora", "Neale")
    if step == "choose":
        screen.choose(row_of(account, ADA))
    elif step == "search":
        screen.search("a")
    else:
        screen.scrolled(row_of(account, ADA), by_hand=True)
    sight = Sight(screen)
    await account.sent(entry, EntryState.ADDED)
    await arrived(account)
    assert sight.keys == []


async def test_scrolling_that_is_not_by_hand_is_not_going_elsewhere(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Zora", "Neale")
    screen.scrolled(entry.id, by_hand=False)
    sight = Sight(screen)
    await account.sent(entry, EntryState.ADDED)
    person = await arrived(account)
    assert sight.keys == [row_of(account, person)]


async def test_somebody_whom_the_search_in_force_hides_is_not_looked_for(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("bob")
    sight = Sight(screen)
    entry = account.add("Zora", "Neale")
    await account.sent(entry, EntryState.ADDED)
    await arrived(account)
    assert sight.keys == [entry.id]


async def test_entries_of_before_are_no_news(account: AccountFixture, screen: PeopleScreen) -> None:
    entry = account.add("Zora", "Neale")
    again = screen_of(account)
    sight = Sight(again)
    account.outbox.edit(entry.id, "corrected", entry.new_person)
    assert sight.keys == []
    assert screen.table.rowCount() == again.table.rowCount() == 4


async def test_taking_an_entry_back_leads_nowhere(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Zora", "Neale")
    sight = Sight(screen)
    account.outbox.undo(entry.id)
    await account.directory.took(Person(id="abel", firstname="Abel"))
    assert sight.keys == []


def shown(screen: PeopleScreen) -> list[tuple[object, tuple[str, ...]]]:
    """What the rows are called, with their badges."""
    table = screen.table
    cells = [table.data(table.index(at, Column.NAME), CELL_ROLE) for at in range(table.rowCount())]
    return [(cell.text, cell.badges) for cell in cells if isinstance(cell, Cell)]


async def test_whoever_is_added_while_something_is_searched_stays_until_that_changes(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("bob")
    entry = account.add("Zora", "Neale")
    screen.choose(entry.id)
    await account.sent(entry, EntryState.ADDED)
    await arrived(account)
    (name, badges), *others = shown(screen)
    assert (name, badges[0].split()[0]) == ("Zora Neale", "added")
    assert [name for name, _ in others] == [BOB.full_name]
    assert screen.chosen_entry is not None
    # Read again, they are still there.
    await account.list_people(ADA, BOB, EVE, *account.scripted.created)
    assert [name for name, _ in shown(screen)] == ["Zora Neale", BOB.full_name]
    screen.search("bo")
    assert [name for name, _ in shown(screen)] == [BOB.full_name]
    screen.search("")
    assert "Zora Neale" in [name for name, _ in shown(screen)]
    assert screen.table.entries == ()


async def test_whoever_was_added_during_a_search_goes_with_it_once_deleted(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("bob")
    entry = account.add("Zora", "Neale")
    await account.sent(entry, EntryState.ADDED)
    await arrived(account)
    assert "Zora Neale" in [name for name, _ in shown(screen)]
    await account.list_people(ADA, BOB, EVE)
    assert [name for name, _ in shown(screen)] == [BOB.full_name]


async def test_whoever_fits_what_is_searched_becomes_one_of_the_people(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("neale")
    entry = account.add("Zora", "Neale")
    await account.sent(entry, EntryState.ADDED)
    await arrived(account)
    assert [name for name, _ in shown(screen)] == ["Zora Neale"]
    assert screen.table.entries == ()


@pytest.mark.parametrize("listed", [True, False])
async def test_whoever_was_added_and_then_deleted_goes_with_the_next_whole_reading(
    account: AccountFixture, screen: PeopleScreen, *, listed: bool
) -> None:
    entry = account.add("Zora", "Neale")
    await account.sent(entry, EntryState.ADDED)
    if listed:
        await arrived(account)
    screen.choose(screen.table.key_at(0))
    # A list that came short says nothing about who is not in it.
    await account.list_people(ADA, BOB, EVE, total=5)
    assert "Zora Neale" in [name for name, _ in shown(screen)]
    screen.choose_person("new-1") if listed else screen.choose(entry.id)
    await account.list_people(ADA, BOB, EVE)
    assert "Zora Neale" not in [name for name, _ in shown(screen)]
    assert screen.state.chosen == ()
