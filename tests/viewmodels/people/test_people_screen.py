"""The People tab over a real list and a real outbox: who is shown, searched and counted."""

import asyncio

import msgspec
import pytest

from app.api.errors import Unreachable
from app.model.outbox import EntryState
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.events import PeopleChanged, PeopleProgress
from app.runtime.events import EventBus
from app.settings.saved_states import SavedState
from app.viewmodels.formatting import clock
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import BADGES_ROLE, Column
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told


def screen_of(account: AccountFixture) -> PeopleScreen:
    return PeopleScreen(account.directory, account.outbox, account.events, account.scope)


def names(screen: PeopleScreen) -> list[object]:
    table = screen.table
    return [table.data(table.index(at, Column.NAME)) for at in range(table.rowCount())]


def in_slices_of_one(account: AccountFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key press finds one row of the list within its frame."""
    slices = account.directory.slices
    monkeypatch.setattr(account.directory, "slices", lambda query, **only: slices(query, 1, **only))
    monkeypatch.setattr("app.viewmodels.people.filter_and_sort.FIRST_ANSWER_SECONDS", -1.0)


async def test_everybody_listed_is_shown_from_the_start(screen: PeopleScreen) -> None:
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_entries_typed_before_the_screen_was_made_are_on_top(account: AccountFixture) -> None:
    await account.list_people(ADA)
    account.add("Zora", "Neale")
    assert names(screen_of(account)) == ["Zora Neale", "Ada Lovelace"]


async def test_somebody_typed_is_on_top_at_once_and_gone_when_undone(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Zora", "Neale")
    account.add("Yan", "Li")
    assert names(screen)[:3] == ["Yan Li", "Zora Neale", "Ada Lovelace"]
    account.outbox.undo(entry.id)
    assert names(screen)[:2] == ["Yan Li", "Ada Lovelace"]


async def test_an_added_entry_stays_on_top_until_the_person_is_listed(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    added = await account.sent(account.add("Zora", "Neale"), EntryState.ADDED)
    assert names(screen)[0] == "Zora Neale"
    assert added.ended_at is not None
    badges = (f"added {clock(added.ended_at)}",)
    assert screen.table.data(screen.table.index(0, 0), BADGES_ROLE) == badges
    await account.directory.took(account.scripted.created[0])
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams", "Zora Neale"]


async def test_an_added_entry_is_not_shown_beside_the_person_who_came_first(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.directory.took(Person(id="new-1", firstname="Zora", lastname="Neale"))
    await account.sent(account.add("Zora", "Neale"), EntryState.ADDED)
    assert names(screen).count("Zora Neale") == 1


async def test_a_search_folds_and_answers_before_the_next_turn_of_the_loop(
    screen: PeopleScreen,
) -> None:
    screen.search("OST")
    assert names(screen) == ["Bob Øst"]
    screen.search("")
    assert len(names(screen)) == 3


async def test_a_search_shows_the_first_who_match_at_once_and_the_rest_in_slices(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices_of_one(account, monkeypatch)
    screen.search("a")
    assert names(screen) == ["Ada Lovelace"]
    told = Told(screen.state_changed)
    await account.settle()
    assert names(screen) == ["Ada Lovelace", "Eve Adams"]
    assert screen.state.count_words == "2 of 3"
    assert told.times


async def test_somebody_is_found_by_the_name_they_go_by_and_the_row_says_so(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    jonathan = Person(
        id="jon", firstname="Jonathan", preferred_name="Jonny", others=(("family", "Marsh hill"),)
    )
    await account.directory.took(jonathan)
    found = (("jonny", ("Jonny",)), ("MARSH jonathan", ("Marsh hill",)), ("jonathan", ()))
    for query, badges in found:
        screen.search(query)
        assert names(screen) == ["Jonathan"]
        assert screen.table.data(screen.table.index(0, Column.NAME), BADGES_ROLE) == badges


async def test_a_newer_key_press_ends_the_older_search(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    await account.list_people(ADA, BOB, EVE, *(Person(id=str(n), firstname="A") for n in range(9)))
    in_slices_of_one(account, monkeypatch)
    screen.search("a")
    await asyncio.sleep(0)
    screen.search("bob")
    await account.settle()
    assert names(screen) == ["Bob Øst"]


async def test_an_emptied_search_line_ends_the_search(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices_of_one(account, monkeypatch)
    screen.search("a")
    screen.search("")
    await account.settle()
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_the_same_search_again_starts_nothing(screen: PeopleScreen) -> None:
    screen.search("bob")
    told = Told(screen.state_changed)
    screen.search("bob")
    assert told.times == 0


async def test_somebody_who_came_during_a_search_is_shown_where_they_match(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("ada")
    await account.directory.took(Person(id="adam", firstname="Adam"))
    await account.directory.took(Person(id="carl", firstname="Carl"))
    assert names(screen) == ["Ada Lovelace", "Adam", "Eve Adams"]


async def test_somebody_whose_row_changed_is_painted_anew(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    assert names(screen)[0] == "Ada Lovelace"
    await account.directory.took(msgspec.structs.replace(ADA, email="new@x.org"))
    assert screen.table.data(screen.table.index(0, Column.EMAIL)) == "new@x.org"


async def test_somebody_whose_row_changed_is_painted_anew_during_a_search(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("ada lovelace")
    assert names(screen) == ["Ada Lovelace"]
    await account.directory.took(msgspec.structs.replace(ADA, phone="12345"))
    assert screen.table.data(screen.table.index(0, Column.PHONE)) == "12345"


async def test_somebody_who_got_another_name_moves_to_their_place(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.directory.took(msgspec.structs.replace(ADA, firstname="Zoe"))
    assert names(screen) == ["Bob Øst", "Eve Adams", "Zoe Lovelace"]


async def test_somebody_who_is_no_longer_listed_is_gone(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.list_people(ADA, EVE)
    assert names(screen) == ["Ada Lovelace", "Eve Adams"]


async def test_the_count_is_of_everybody_and_during_a_search_of_those_found(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    assert (screen.state.count_words, screen.state.search_hint) == ("3 people", "Search 3 people")
    screen.search("bob")
    assert screen.state.count_words == "1 of 3"
    screen.search("  ")
    assert screen.state.count_words == "3 people"
    await account.list_people(ADA)
    assert (screen.state.count_words, screen.state.search_hint) == ("1 person", "Search 1 person")


async def test_entries_on_their_way_are_not_counted_among_those_found(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    account.add("Zora", "Neale")
    screen.search("bob")
    assert screen.state.count_words == "1 of 3"


async def test_a_list_shorter_than_the_service_counts_says_so_until_it_is_whole(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    await account.list_people(ADA, BOB, total=5)
    assert screen.state.count_words == "2 of 5 shown: the account does not give more"
    await account.list_people(ADA, BOB)
    assert screen.state.count_words == "2 people"


async def started_again(account: AccountFixture) -> PeopleScreen:
    """The list as another start shows it."""
    events = EventBus(account.crashes.append)
    directory = PeopleDirectory(account.cache, events)
    screen = PeopleScreen(directory, account.outbox, events, account.scope)
    await directory.open()
    screen.restore(SavedState())
    return screen


async def test_those_whom_a_short_reading_left_out_are_told_as_kept_from_before(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    """All rows are there still: nobody may read that they are not shown."""
    await account.list_people(ADA, BOB, EVE)
    await account.read([], total=3)
    assert names(screen) == ["Ada Lovelace", "Bob Øst", "Eve Adams"]
    assert screen.state.count_words == (
        "3 people: the account gave 0 of its 3, 3 are shown as they were before"
    )
    await account.list_people(ADA, BOB, total=9)
    assert screen.state.count_words == (
        "3 people: the account gave 2 of its 9, 1 is shown as before"
    )
    await account.read([BOB], total=9, unreadable=1)
    said = (
        "3 people: the account gave 1 of its 9, 1 person could not be read, "
        "2 are shown as they were before"
    )
    assert screen.state.count_words == said
    assert (await started_again(account)).state.count_words == said
    await account.read([BOB], total=None, unreadable=1)
    assert screen.state.count_words == (
        "3 people: 1 person could not be read, 2 are shown as they were before"
    )
    await account.list_people(ADA, BOB, EVE)
    assert screen.state.count_words == "3 people"


async def test_people_who_could_not_be_read_are_told_with_their_number(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    async def said(total: int | None, unreadable: int) -> str:
        await account.read([ADA, BOB, EVE], total=total, unreadable=unreadable)
        return screen.state.count_words

    assert await said(4, 1) == "3 of 4 shown: 1 person could not be read"
    assert await said(5, 2) == "3 of 5 shown: 2 people could not be read"
    assert await said(None, 2) == "3 shown: 2 people could not be read"
    assert await said(5, 1) == (
        "3 of 5 shown: 1 person could not be read, and the account does not give more"
    )
    assert await said(3, 0) == "3 people"


async def test_people_who_could_not_be_read_are_told_at_the_next_start_too(
    account: AccountFixture,
) -> None:
    await account.read([ADA, BOB], total=5, unreadable=3)
    again = await started_again(account)
    assert again.state.count_words == "2 of 5 shown: 3 people could not be read"


async def test_how_far_the_reading_has_come_is_said_while_it_lasts(account: AccountFixture) -> None:
    screen, gate = screen_of(account), asyncio.Event()
    reading = asyncio.create_task(account.read([ADA, BOB], gate, [EVE], total=3))
    await account.until(lambda: bool(screen.state.progress_words))
    assert (screen.state.progress_words, screen.state.progress) == ("2 of 3", (2, 3))
    gate.set()
    await reading
    assert (screen.state.progress_words, screen.state.progress) == ("", None)


async def test_a_reading_of_unknown_length_is_said_without_figures(account: AccountFixture) -> None:
    screen, gate = screen_of(account), asyncio.Event()
    reading = asyncio.create_task(account.read([ADA], gate, total=None))
    await account.until(lambda: bool(screen.state.progress_words))
    assert (screen.state.progress_words, screen.state.progress) == ("Reading people", None)
    gate.set()
    await reading


async def test_a_reading_that_broke_off_is_no_longer_said(account: AccountFixture) -> None:
    screen = screen_of(account)
    with pytest.raises(Unreachable):
        await account.read([ADA], Unreachable("No connection", "No connection."), total=2)
    told = Told(screen.state_changed)
    screen.stop_progress()
    assert (screen.state.progress_words, told.times) == ("", 1)


async def test_what_makes_no_difference_to_the_list_is_not_told(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    told = Told(screen.state_changed)
    screen.stop_progress()
    await account.list_people(ADA, BOB, EVE)
    screen.search("ada")
    assert told.since()
    screen.search(" ada")
    before = screen.state
    await account.directory.took(msgspec.structs.replace(EVE, phone="12345"))
    assert screen.state is before


async def test_an_empty_table_says_the_one_next_thing(account: AccountFixture) -> None:
    screen = screen_of(account)
    assert "not been read yet" in screen.state.empty_words
    account.events.publish(PeopleProgress(0, 1))
    assert "Reading people" in screen.state.empty_words
    await account.list_people()
    assert screen.state.empty_words.startswith("Nobody is here yet. Type a name")
    await account.list_people(ADA)
    assert screen.state.empty_words == ""
    screen.search(" zz ")
    assert screen.state.empty_words == "Nobody here matches “zz”."
    screen.search("ada")
    assert screen.state.empty_words == ""


async def test_an_entry_is_enough_for_the_table_not_to_be_empty(account: AccountFixture) -> None:
    screen = screen_of(account)
    account.add("Zora", "Neale")
    assert screen.state.empty_words == ""


async def test_a_closed_account_is_heard_no_more(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.scope.close()
    told = Told(screen.state_changed)
    await account.directory.took(Person(id="new", firstname="New"))
    assert told.times == 0


async def test_an_empty_list_that_was_asked_for_is_being_read(account: AccountFixture) -> None:
    screen = screen_of(account)
    assert "not been read yet" in screen.state.empty_words
    screen.being_read(True)
    assert "Reading people" in screen.state.empty_words
    screen.being_read(False)
    assert "not been read yet" in screen.state.empty_words


async def test_a_list_that_was_never_read_is_not_said_to_be_empty(account: AccountFixture) -> None:
    screen = screen_of(account)
    assert (screen.state.count_words, screen.state.search_hint) == ("Not read yet", "Search people")
    assert {choice.text for choice in screen.state.filters} == {
        "Everybody",
        "Volunteers",
        "Administrators",
        "Without email",
        "Archived",
        "Recently added",
    }
    assert screen.state.filters[0].spoken == "Everybody"
    await account.list_people()
    assert screen.state.count_words == "0 people"
    assert screen.state.filters[0].text == "Everybody 0"


async def test_the_first_of_a_long_list_are_shown_at_once_and_those_behind_them_together(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.people.people._BETWEEN_SHOWINGS", 2.0)
    screen = screen_of(account)
    shown: list[int] = []
    account.events.subscribe(
        PeopleChanged, lambda _: shown.append(screen.table.rowCount()), account.scope
    )
    crowd = [Person(id=f"p{n}", firstname=f"First{n}") for n in range(3_000)]
    the_rest_comes = asyncio.Event()
    reading = asyncio.ensure_future(account.read(crowd, the_rest_comes, [EVE], total=3_001))
    await account.until(lambda: account.directory.count() == 3_000)
    assert len(shown) > 1
    assert 0 < shown[0] < 3_000
    assert set(shown) == {shown[0]}
    await account.until(lambda: screen.table.rowCount() == 3_000)
    assert screen.state.count_words.startswith("3,0")
    the_rest_comes.set()
    await reading
    assert screen.table.rowCount() == 3_001
