"""The row chosen in the People tab: it stays chosen, and what becomes of it is told."""

from typing import TYPE_CHECKING

import msgspec

from app.api.errors import Unreachable
from app.model.outbox import EntryState
from app.model.person import Person
from app.viewmodels.outbox.entry_actions import Decision
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told
from tests.viewmodels.people.people_room import names, row_of

if TYPE_CHECKING:
    from app.viewmodels.people.people_state import PeopleState


async def test_the_chosen_person_stays_chosen_when_others_come_before_them(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    row = row_of(account, BOB)
    screen.choose(row)
    await account.directory.took(Person(id="abel", firstname="Abel"))
    account.add("Zora", "Neale")
    assert (screen.selection.first, screen.table.position_of(row)) == (row, 3)
    assert screen.chosen_person == BOB


async def test_the_chosen_person_stays_chosen_while_a_search_hides_them(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose(row_of(account, BOB))
    screen.search("ada")
    assert screen.table.position_of(screen.selection.first) is None
    assert screen.selection.first == row_of(account, BOB)
    screen.search("")
    assert screen.table.position_of(screen.selection.first) == 1
    assert screen.chosen_person == BOB


async def test_choosing_tells_once(account: AccountFixture, screen: PeopleScreen) -> None:
    told = Told(screen.selection.changed)
    screen.choose(row_of(account, BOB))
    screen.choose(row_of(account, BOB))
    assert told.times == 1


async def test_somebody_who_is_listed_no_longer_is_chosen_no_longer(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose(row_of(account, BOB))
    told = Told(screen.selection.changed)
    await account.directory.took(msgspec.structs.replace(BOB, email="new@x.org"))
    assert told.since() == 0
    await account.list_people(ADA, EVE)
    assert told.since() == 1
    assert nobody_chosen(screen)
    assert (screen.state.chosen, screen.state.chosen_in_list) == ((), ())


async def test_one_state_says_who_is_chosen_and_who_of_them_can_be_seen(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    bob = row_of(account, BOB)
    shown: list[PeopleState] = []
    screen.state_changed.connect(shown.append)
    screen.choose(bob)
    assert [(state.chosen, state.chosen_in_list) for state in shown] == [((bob,), (bob,))]
    screen.search("ada")
    assert (shown[-1].chosen, shown[-1].chosen_in_list) == ((bob,), ())
    assert shown[-1] is screen.state


async def test_nobody_is_chosen_once_the_chosen_entry_is_off_the_list(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry, other = account.add("Zora", "Neale"), account.add("Yan", "Li")
    screen.choose(entry.id)
    account.outbox.undo(other.id)
    assert screen.chosen_entry == entry
    account.outbox.undo(entry.id)
    assert screen.selection.first is None


async def test_an_entry_nobody_is_sure_of_can_be_sent_again_or_taken_off(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    lost = Unreachable("No connection", "No connection.", outcome_unknown=True)
    account.scripted.answers = [lost, lost]
    entry = await account.sent(account.add("Zora", "Neale"), EntryState.NOT_SURE)
    screen.entry_actions.decide(entry.id, Decision.SEND_AGAIN)
    assert account.entry(entry.id).state is EntryState.WAITING
    await account.sent(entry, EntryState.NOT_SURE)
    screen.entry_actions.decide(entry.id, Decision.DISMISS)
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_going_to_somebody_whom_the_search_hides_shows_everybody(
    screen: PeopleScreen,
) -> None:
    screen.search("ada")
    assert screen.choose_person("bob")
    assert (screen.state.query, screen.chosen_person) == ("", BOB)
    assert len(names(screen)) == 3


async def test_going_to_somebody_who_is_found_keeps_the_search(screen: PeopleScreen) -> None:
    screen.search("ada")
    assert screen.choose_person("ada")
    assert (screen.state.query, screen.chosen_person) == ("ada", ADA)


async def test_going_to_an_entry_shows_everybody_where_the_search_hides_it(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Grace", "Hopper")
    screen.search("ada")
    assert screen.table.position_of(entry.id) is None
    screen.open(entry.id)
    assert (screen.state.query, screen.chosen_entry) == ("", entry)
    seen = Told(screen.sight_wanted)
    screen.open(entry.id)
    assert seen.times == 1


async def test_there_is_no_going_to_somebody_who_is_not_in_the_list(screen: PeopleScreen) -> None:
    screen.search("ada")
    assert not screen.choose_person("nobody")
    assert (screen.state.query, screen.selection.first) == ("ada", None)


def nobody_chosen(screen: PeopleScreen) -> bool:
    return screen.selection.first is None and screen.chosen_person is None
