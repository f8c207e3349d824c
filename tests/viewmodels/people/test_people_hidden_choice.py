"""Whoever is chosen and hidden by a search: shown and acted on no longer, but not forgotten."""

import pytest

from app.model.person import Person
from app.people.search import PeopleFilter
from app.viewmodels.people.copying import What
from app.viewmodels.people.menu import menu_of
from app.viewmodels.people.people_state import detail_hint
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture, Told
from tests.viewmodels.people.pane_room import Pane
from tests.viewmodels.people.people_room import row_of

HIDDEN = detail_hint(hidden=True, found=False)


@pytest.fixture
async def room(account: AccountFixture) -> Pane:
    """The pane beside a list of Ada, Bob and Eve, by first name."""
    await account.list_people(ADA, BOB, EVE)
    return Pane(account)


async def test_the_card_goes_with_the_row_and_comes_back_with_it(
    account: AccountFixture, room: Pane
) -> None:
    people = room.people
    people.choose(row_of(account, BOB))
    told = Told(room.pane.state_changed)
    people.search("ada")
    assert room.hint == HIDDEN
    assert told.since() == 1
    people.search("")
    assert room.detail.name == "Bob Øst"
    assert told.since() == 1


async def test_the_card_stays_while_the_row_is_found(account: AccountFixture, room: Pane) -> None:
    room.people.choose(row_of(account, BOB))
    told = Told(room.pane.state_changed)
    room.people.search("b")
    room.people.show_only(PeopleFilter.VOLUNTEERS)
    assert room.detail.name == "Bob Øst"
    assert told.times == 0


async def test_a_filter_hides_the_card_as_a_search_does(
    account: AccountFixture, room: Pane
) -> None:
    room.people.choose(row_of(account, BOB))
    room.people.show_only(PeopleFilter.ARCHIVED)
    assert room.hint == HIDDEN


async def test_nothing_is_done_with_somebody_who_is_not_seen(
    account: AccountFixture, room: Pane
) -> None:
    people = room.people
    people.choose(row_of(account, ADA))
    copied = Told(people.copying.copied)
    people.search("bob")
    people.copying.copy(What.EMAIL)
    opened: list[str] = []

    def open_mail(link: str) -> bool:
        opened.append(link)
        return True

    people.copying.write(open_mail)
    assert (copied.times, opened) == (0, [])
    assert len(menu_of(people, lambda _id: ())) == 1


async def test_of_several_those_who_are_seen_are_shown(room: Pane) -> None:
    people = room.people
    people.choose_spans([(0, 2)])
    people.search("e")
    assert room.several.names == ("Ada Lovelace", "Eve Adams")
    people.search("eve")
    assert room.detail.name == "Eve Adams"
    people.search("nobody at all")
    assert room.hint == HIDDEN
    people.search("")
    assert len(room.several.names) == 3


async def test_choosing_somebody_else_meanwhile_is_what_counts(
    account: AccountFixture, room: Pane
) -> None:
    room.people.choose(row_of(account, BOB))
    room.people.search("ada")
    room.people.choose(row_of(account, ADA))
    room.people.search("")
    assert room.detail.name == "Ada Lovelace"


async def test_somebody_who_is_gone_is_not_said_to_be_hidden(
    account: AccountFixture, room: Pane
) -> None:
    room.people.choose(row_of(account, BOB))
    await account.list_people(ADA, EVE)
    assert room.hint == "Choose somebody to see more."


async def test_the_card_waits_for_a_long_search_to_end(
    account: AccountFixture, room: Pane, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = room.people
    people.choose(row_of(account, EVE))
    slices = account.directory.slices
    monkeypatch.setattr(account.directory, "slices", lambda query, **only: slices(query, 1, **only))
    monkeypatch.setattr("app.viewmodels.people.filter_and_sort.FIRST_ANSWER_SECONDS", -1.0)
    told = Told(room.pane.state_changed)
    people.search("a")
    await account.settle()
    assert (room.detail.name, told.times) == ("Eve Adams", 0)


async def test_a_search_says_how_to_get_to_the_first_one_found(room: Pane) -> None:
    told = Told(room.pane.state_changed)
    room.people.search("ada")
    assert told.since() == 1
    assert room.hint.endswith("Enter in the search leads to the first one found.")
    room.people.search("nobody at all")
    assert told.since() == 1
    assert room.hint == "Choose somebody to see more."


async def test_an_entry_that_is_hidden_is_not_shown_either(
    account: AccountFixture, room: Pane
) -> None:
    entry = account.add("Zora", "Neale")
    room.people.choose(entry.id)
    room.people.search("bob")
    assert (room.hint, room.people.chosen_entry) == (HIDDEN, None)
    room.people.search("")
    assert room.detail.entry == entry


async def test_an_entry_that_is_undone_is_chosen_no_longer_among_several(
    account: AccountFixture, room: Pane
) -> None:
    entry = account.add("Zora", "Neale")
    room.people.choose_spans([(0, 1)])
    account.outbox.undo(entry.id)
    assert room.people.selection.seen == (row_of(account, ADA),)
    assert room.detail.name == "Ada Lovelace"


async def test_the_place_that_is_kept_is_that_of_whom_was_chosen(
    account: AccountFixture, room: Pane
) -> None:
    await account.directory.took(Person(id="zoe", firstname="Zoe"))
    room.people.choose(row_of(account, BOB))
    room.people.search("zoe")
    assert room.people.saved_state()["chosen_person"] == "bob"
