"""The People tab over a real list and a real outbox: who is shown, searched and counted."""

import asyncio

import msgspec
import pytest

from app.api.errors import Unreachable
from app.model.outbox import EntryState
from app.model.person import Person
from app.people.directory import PeopleDirectory, PeopleProgress
from app.runtime.events import EventBus
from app.settings.saved_views import SavedView
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import BADGES_ROLE, Column
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told


def screen_of(office: AccountFixture) -> PeopleScreen:
    return PeopleScreen(office.directory, office.outbox, office.events, office.scope)


@pytest.fixture
async def screen(office: AccountFixture) -> PeopleScreen:
    """Ada, Bob and Eve, sorted by first name."""
    await office.list_people(ADA, BOB, EVE)
    return screen_of(office)


def names(screen: PeopleScreen) -> list[object]:
    table = screen.table
    return [table.data(table.index(at, Column.NAME)) for at in range(table.rowCount())]


def in_slices_of_one(office: AccountFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key press finds one row of the list within its frame."""
    slices = office.directory.slices
    monkeypatch.setattr(office.directory, "slices", lambda query, **only: slices(query, 1, **only))
    monkeypatch.setattr("app.viewmodels.people.filter_runner.FIRST_ANSWER_SECONDS", -1.0)


async def test_everybody_listed_is_shown_from_the_start(screen: PeopleScreen) -> None:
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_entries_typed_before_the_screen_was_made_are_on_top(office: AccountFixture) -> None:
    await office.list_people(ADA)
    office.add("Zora", "Neale")
    assert names(screen_of(office)) == ["Zora Neale", "Ada Lovelace"]


async def test_somebody_typed_is_on_top_at_once_and_gone_when_undone(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    entry = office.add("Zora", "Neale")
    office.add("Yan", "Li")
    assert names(screen)[:3] == ["Yan Li", "Zora Neale", "Ada Lovelace"]
    office.outbox.undo(entry.id)
    assert names(screen)[:2] == ["Yan Li", "Ada Lovelace"]


async def test_an_added_entry_stays_on_top_until_the_person_is_listed(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.sent(office.add("Zora", "Neale"), EntryState.ADDED)
    assert names(screen)[0] == "Zora Neale"
    assert screen.table.data(screen.table.index(0, 0), BADGES_ROLE) == ("added",)
    await office.directory.took(office.scripted.created[0])
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams", "Zora Neale"]


async def test_an_added_entry_is_not_shown_beside_the_person_who_came_first(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.directory.took(Person(id="new-1", firstname="Zora", lastname="Neale"))
    await office.sent(office.add("Zora", "Neale"), EntryState.ADDED)
    assert names(screen).count("Zora Neale") == 1


async def test_a_search_folds_and_answers_before_the_next_turn_of_the_loop(
    screen: PeopleScreen,
) -> None:
    screen.search("OST")
    assert names(screen) == ["Bob Øst"]
    screen.search("")
    assert len(names(screen)) == 3


async def test_a_search_shows_the_first_who_match_at_once_and_the_rest_in_slices(
    office: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices_of_one(office, monkeypatch)
    screen.search("a")
    assert names(screen) == ["Ada Lovelace"]
    told = Told(screen.state_changed)
    await office.settle()
    assert names(screen) == ["Ada Lovelace", "Eve Adams"]
    assert screen.state.count_words == "2 of 3"
    assert told.times


async def test_a_newer_key_press_ends_the_older_search(
    office: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.list_people(ADA, BOB, EVE, *(Person(id=str(n), firstname="A") for n in range(9)))
    in_slices_of_one(office, monkeypatch)
    screen.search("a")
    await asyncio.sleep(0)
    screen.search("bob")
    await office.settle()
    assert names(screen) == ["Bob Øst"]


async def test_an_emptied_search_line_ends_the_search(
    office: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices_of_one(office, monkeypatch)
    screen.search("a")
    screen.search("")
    await office.settle()
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_the_same_search_again_starts_nothing(screen: PeopleScreen) -> None:
    screen.search("bob")
    told = Told(screen.state_changed)
    screen.search("bob")
    assert told.times == 0


async def test_somebody_who_came_during_a_search_is_shown_where_they_match(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("ada")
    await office.directory.took(Person(id="adam", firstname="Adam"))
    await office.directory.took(Person(id="carl", firstname="Carl"))
    assert names(screen) == ["Ada Lovelace", "Adam", "Eve Adams"]


async def test_somebody_whose_row_changed_is_painted_anew(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    assert names(screen)[0] == "Ada Lovelace"
    await office.directory.took(msgspec.structs.replace(ADA, email="new@x.org"))
    assert screen.table.data(screen.table.index(0, Column.EMAIL)) == "new@x.org"


async def test_somebody_whose_row_changed_is_painted_anew_during_a_search(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("ada lovelace")
    assert names(screen) == ["Ada Lovelace"]
    await office.directory.took(msgspec.structs.replace(ADA, phone="12345"))
    assert screen.table.data(screen.table.index(0, Column.PHONE)) == "12345"


async def test_somebody_who_got_another_name_moves_to_their_place(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.directory.took(msgspec.structs.replace(ADA, firstname="Zoe"))
    assert names(screen) == ["Bob Øst", "Eve Adams", "Zoe Lovelace"]


async def test_somebody_who_is_no_longer_listed_is_gone(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.list_people(ADA, EVE)
    assert names(screen) == ["Ada Lovelace", "Eve Adams"]


async def test_the_count_is_of_everybody_and_during_a_search_of_those_found(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    assert (screen.state.count_words, screen.state.search_hint) == ("3 people", "Search 3 people")
    screen.search("bob")
    assert screen.state.count_words == "1 of 3"
    screen.search("  ")
    assert screen.state.count_words == "3 people"
    await office.list_people(ADA)
    assert (screen.state.count_words, screen.state.search_hint) == ("1 person", "Search 1 person")


async def test_entries_on_their_way_are_not_counted_among_those_found(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    office.add("Zora", "Neale")
    screen.search("bob")
    assert screen.state.count_words == "1 of 3"


async def test_a_list_shorter_than_the_service_counts_says_so_until_it_is_whole(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.list_people(ADA, BOB, total=5)
    assert screen.state.count_words == "2 of 5 shown: the account does not give more"
    await office.list_people(ADA, BOB)
    assert screen.state.count_words == "2 people"


async def test_people_who_could_not_be_read_are_told_with_their_number(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    async def said(total: int | None, unreadable: int) -> str:
        await office.read([ADA, BOB, EVE], total=total, unreadable=unreadable)
        return screen.state.count_words

    assert await said(4, 1) == "3 of 4 shown: 1 person could not be read"
    assert await said(5, 2) == "3 of 5 shown: 2 people could not be read"
    assert await said(None, 2) == "3 shown: 2 people could not be read"
    assert await said(5, 1) == (
        "3 of 5 shown: 1 person could not be read, and the account does not give more"
    )
    assert await said(3, 0) == "3 people"


async def test_people_who_could_not_be_read_are_told_at_the_next_start_too(
    office: AccountFixture,
) -> None:
    await office.read([ADA, BOB], total=5, unreadable=3)
    events = EventBus(office.crashes.append)
    directory = PeopleDirectory(office.cache, events)
    screen = PeopleScreen(directory, office.outbox, events, office.scope)
    await directory.open()
    screen.restore(SavedView())
    assert screen.state.count_words == "2 of 5 shown: 3 people could not be read"


async def test_how_far_the_reading_has_come_is_said_while_it_lasts(office: AccountFixture) -> None:
    screen, gate = screen_of(office), asyncio.Event()
    reading = asyncio.create_task(office.read([ADA, BOB], gate, [EVE], total=3))
    await office.until(lambda: bool(screen.state.progress_words))
    assert (screen.state.progress_words, screen.state.progress) == ("2 of 3", (2, 3))
    gate.set()
    await reading
    assert (screen.state.progress_words, screen.state.progress) == ("", None)


async def test_a_reading_of_unknown_length_is_said_without_figures(office: AccountFixture) -> None:
    screen, gate = screen_of(office), asyncio.Event()
    reading = asyncio.create_task(office.read([ADA], gate, total=None))
    await office.until(lambda: bool(screen.state.progress_words))
    assert (screen.state.progress_words, screen.state.progress) == ("Reading people", None)
    gate.set()
    await reading


async def test_a_reading_that_broke_off_is_no_longer_said(office: AccountFixture) -> None:
    screen = screen_of(office)
    with pytest.raises(Unreachable):
        await office.read([ADA], Unreachable("No connection", "No connection."), total=2)
    told = Told(screen.state_changed)
    screen.stop_progress()
    assert (screen.state.progress_words, told.times) == ("", 1)


async def test_what_makes_no_difference_to_the_list_is_not_told(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    told = Told(screen.state_changed)
    screen.stop_progress()
    await office.list_people(ADA, BOB, EVE)
    screen.search("ada")
    assert told.since()
    screen.search(" ada")
    before = screen.state
    await office.directory.took(msgspec.structs.replace(EVE, phone="12345"))
    assert screen.state is before


async def test_an_empty_table_says_the_one_next_thing(office: AccountFixture) -> None:
    screen = screen_of(office)
    assert "not been read yet" in screen.state.empty_words
    office.events.publish(PeopleProgress(0, 1))
    assert "Reading people" in screen.state.empty_words
    await office.list_people()
    assert screen.state.empty_words.startswith("Nobody is here yet. Type a name")
    await office.list_people(ADA)
    assert screen.state.empty_words == ""
    screen.search(" zz ")
    assert screen.state.empty_words == "Nobody here matches “zz”."
    screen.search("ada")
    assert screen.state.empty_words == ""


async def test_an_entry_is_enough_for_the_table_not_to_be_empty(office: AccountFixture) -> None:
    screen = screen_of(office)
    office.add("Zora", "Neale")
    assert screen.state.empty_words == ""


async def test_a_closed_account_is_heard_no_more(
    office: AccountFixture, screen: PeopleScreen
) -> None:
    await office.scope.close()
    told = Told(screen.state_changed)
    await office.directory.took(Person(id="new", firstname="New"))
    assert told.times == 0


async def test_an_empty_list_that_was_asked_for_is_being_read(office: AccountFixture) -> None:
    screen = screen_of(office)
    assert "not been read yet" in screen.state.empty_words
    screen.being_read(True)
    assert "Reading people" in screen.state.empty_words
    screen.being_read(False)
    assert "not been read yet" in screen.state.empty_words
