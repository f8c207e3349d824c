"""Coming back to the place in the list where somebody was when the program was closed."""

import msgspec
import pytest

from app.model.person import Person
from app.people.search import PeopleFilter
from app.settings.saved_states import SavedState
from app.store.ordering import SortKey
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told
from tests.viewmodels.people.people_room import names, row_of, screen_of


class Wanted:
    """The rows that were to be the first on the screen."""

    def __init__(self, screen: PeopleScreen) -> None:
        self.keys: list[object] = []
        screen.list_restoring.first_wanted.connect(self._hear)

    def _hear(self, key: object) -> None:
        self.keys.append(key)


async def test_the_places_hold_ids_and_nothing_else_of_anybody(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.show_only(PeopleFilter.EVERYBODY)
    screen.order.sort_by(SortKey.LAST_NAME, descending=True)
    await account.settle()
    screen.choose(row_of(account, BOB))
    screen.list_restoring.columns = {"name": 200}
    screen.list_restoring.scrolled(row_of(account, EVE), by_hand=True)
    kept = msgspec.structs.replace(SavedState(tab=1), **screen.saved_state())
    assert kept == SavedState(
        tab=1,
        columns={"name": 200},
        sort="last name",
        descending=True,
        filter="everybody",
        chosen_person="bob",
        top_person="eve",
    )


async def test_at_the_start_of_the_list_and_with_an_entry_chosen_there_is_nobody_to_keep(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.list_restoring.scrolled(row_of(account, ADA), by_hand=True)
    assert screen.saved_state()["top_person"] is None
    entry = account.add("Zora")
    screen.choose(entry.id)
    assert (screen.saved_state()["chosen_person"], screen.saved_state()["top_person"]) == (
        None,
        "ada",
    )
    screen.list_restoring.scrolled(entry.id, by_hand=True)
    assert screen.saved_state()["top_person"] is None


async def test_places_are_restored_over_a_list_that_is_there(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    wanted, widths = Wanted(screen), Told(screen.list_restoring.widths_restored)
    screen.restore(
        SavedState(
            columns={"name": 200, "email": 90},
            sort="last name",
            descending=True,
            filter="everybody",
            chosen_person="bob",
            top_person="eve",
        )
    )
    await account.settle()
    assert names(screen) == ["Bob Øst", "Ada Lovelace", "Eve Adams"]
    assert screen.chosen_person == BOB
    assert wanted.keys[-1] == row_of(account, EVE)
    assert (screen.list_restoring.columns, widths.times) == ({"name": 200, "email": 90}, 1)


async def test_a_filter_is_restored(screen: PeopleScreen) -> None:
    screen.restore(SavedState(filter="archived"))
    assert (screen.state.filter, names(screen)) == (PeopleFilter.ARCHIVED, ["Eve Adams"])


async def test_places_of_a_later_version_leave_everything_as_it_is(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.restore(SavedState(sort="birthday", filter="members", chosen_person="nobody"))
    await account.settle()
    assert (screen.state.filter, len(names(screen))) == (PeopleFilter.EVERYBODY, 3)
    assert screen.order.now == (SortKey.FIRST_NAME, False)
    assert screen.selection.first is None


async def test_whoever_is_not_listed_yet_is_waited_for_and_kept_meanwhile(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    wanted = Wanted(screen)
    screen.restore(SavedState(chosen_person="bob", top_person="eve"))
    assert (screen.saved_state()["chosen_person"], screen.saved_state()["top_person"]) == (
        "bob",
        "eve",
    )
    await account.directory.took(ADA)
    assert (screen.selection.first, wanted.keys) == (None, [])
    await account.directory.took(EVE)
    await account.directory.took(BOB)
    assert screen.chosen_person == BOB
    assert set(wanted.keys) == {row_of(account, EVE)}


async def test_nobody_is_waited_for_once_the_list_has_come_to_its_end(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    screen.restore(SavedState(chosen_person="bob"))
    await account.list_people(ADA)
    await account.directory.took(BOB)
    assert screen.selection.first is None


@pytest.mark.parametrize("step", ["choose", "search", "filter"])
async def test_nobody_is_waited_for_once_the_person_goes_elsewhere(
    account: AccountFixture, step: str
) -> None:
    await account.directory.took(ADA)
    screen = screen_of(account)
    screen.restore(SavedState(chosen_person="bob", top_person="bob"))
    if step == "choose":
        screen.choose(row_of(account, ADA))
    elif step == "search":
        screen.search("b")
    else:
        screen.show_only(PeopleFilter.VOLUNTEERS)
    before, wanted = screen.selection.first, Wanted(screen)
    await account.directory.took(BOB)
    assert (screen.selection.first, wanted.keys) == (before, [])


async def test_a_list_scrolled_by_hand_is_not_scrolled_back(account: AccountFixture) -> None:
    screen = screen_of(account)
    wanted = Wanted(screen)
    screen.restore(SavedState(chosen_person="bob", top_person="bob"))
    screen.list_restoring.scrolled(None, by_hand=True)
    await account.directory.took(BOB)
    assert (screen.chosen_person, wanted.keys) == (BOB, [])


async def test_somebody_hidden_by_the_filter_is_shown_by_going_to_them(
    screen: PeopleScreen, account: AccountFixture
) -> None:
    screen.show_only(PeopleFilter.ARCHIVED)
    assert screen.choose_person("bob")
    assert (screen.state.filter, screen.chosen_person) == (PeopleFilter.EVERYBODY, BOB)
    told = Told(screen.sight_wanted)
    assert screen.choose_person("bob")
    assert told.times == 1
    assert not screen.choose_person(Person(id="nobody").id)
    assert account.directory.count() == 3
