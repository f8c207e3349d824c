"""The filters of the People tab: exclusive, counted over the whole list, joined with the search."""

import asyncio
from functools import partial

import msgspec
import pytest

from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.people.search import PeopleFilter
from app.runtime.turns import in_turns
from app.viewmodels.formatting import clock
from app.viewmodels.people import filter_and_sort
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.people_state import nobody_words
from app.viewmodels.people.table import BADGES_ROLE, Column
from tests.viewmodels.conftest import ADA, BOB, AccountFixture, Told
from tests.viewmodels.people.people_room import names, row_of, screen_of


@pytest.mark.parametrize(
    ("only", "left"),
    [
        (PeopleFilter.VOLUNTEERS, ["Bob Øst"]),
        (PeopleFilter.ADMINISTRATORS, ["Ada Lovelace"]),
        (PeopleFilter.WITHOUT_EMAIL, ["Bob Øst"]),
        (PeopleFilter.ARCHIVED, ["Eve Adams"]),
    ],
)
async def test_a_filter_leaves_those_who_pass_it(
    screen: PeopleScreen, only: PeopleFilter, left: list[str]
) -> None:
    screen.show_only(only)
    assert (names(screen), screen.state.count_words) == (left, "1 of 3")
    screen.show_only(PeopleFilter.EVERYBODY)
    assert (len(names(screen)), screen.state.count_words) == (3, "3 people")


async def test_every_filter_says_how_many_of_the_whole_list_pass(screen: PeopleScreen) -> None:
    screen.search("ada")
    screen.show_only(PeopleFilter.ARCHIVED)
    assert [choice.text for choice in screen.state.filters] == [
        "Everybody 3",
        "Volunteers 1",
        "Administrators 1",
        "Without email 1",
        "Archived 1",
        "Recently added 0",
    ]
    assert screen.state.filters[1].spoken == "Volunteers, 1"


async def test_a_filter_and_a_search_are_joined(screen: PeopleScreen) -> None:
    screen.search("ada")
    assert names(screen) == ["Ada Lovelace", "Eve Adams"]
    screen.show_only(PeopleFilter.ARCHIVED)
    assert names(screen) == ["Eve Adams"]
    screen.search("adam")
    assert names(screen) == ["Eve Adams"]
    screen.search("ada l")
    assert names(screen) == []
    screen.show_only(PeopleFilter.ADMINISTRATORS)
    assert names(screen) == ["Ada Lovelace"]


async def test_a_word_typed_letter_by_letter_and_taken_back_finds_what_it_did(
    screen: PeopleScreen,
) -> None:
    found: dict[str, list[object]] = {}
    for query in ("a", "ad", "ada", "adam", "ada", "ad", "a"):
        screen.search(query)
        assert found.setdefault(query, names(screen)) == names(screen)
    assert found["ada"] == ["Ada Lovelace", "Eve Adams"]


async def test_what_a_search_took_of_memory_is_let_go_once_nobody_has_searched_for_a_while(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_and_sort, "SEARCHED_AGAIN_SECONDS", 0.02)
    let_go: list[None] = []
    monkeypatch.setattr(account.directory, "put_keys_together", lambda: let_go.append(None))
    screen = screen_of(account)
    await asyncio.sleep(0.04)
    assert not let_go
    screen.search("a")
    await account.until(lambda: bool(let_go))
    await asyncio.sleep(0.04)
    assert let_go == [None]


async def test_what_was_found_is_let_go_behind_the_painting_unless_somebody_types_on(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[None] = []
    monkeypatch.setattr(account.directory, "forget_searches", lambda: forgotten.append(None))
    screen.search("a")
    screen.search("")
    assert not forgotten
    screen.search("ad")
    await asyncio.sleep(0.2)
    assert not forgotten
    screen.search("")
    await account.until(lambda: bool(forgotten))


async def test_an_empty_answer_says_what_nobody_is_and_offers_everybody(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.show_only(PeopleFilter.ARCHIVED)
    screen.search("zz")
    assert screen.state.empty_words == "Nobody archived matches “zz”."
    offered = screen.state.can_show_everybody
    screen.show_only(PeopleFilter.EVERYBODY)
    assert screen.state.empty_words == "Nobody here matches “zz”."
    assert (offered, screen.state.can_show_everybody) == (True, False)
    screen.search("")
    await account.list_people(ADA)
    screen.show_only(PeopleFilter.WITHOUT_EMAIL)
    assert screen.state.empty_words == nobody_words("", PeopleFilter.WITHOUT_EMAIL)


@pytest.mark.parametrize("only", [each for each in PeopleFilter if each.flag])
async def test_every_filter_has_a_sentence_for_nobody(
    account: AccountFixture, only: PeopleFilter
) -> None:
    await account.list_people(Person(id="x", firstname="X", email="x@x.org"))
    screen = screen_of(account)
    screen.show_only(only)
    alone = screen.state.empty_words
    screen.search("y")
    assert alone
    assert "“y”" in screen.state.empty_words


async def test_somebody_who_no_longer_passes_leaves_the_filtered_list(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.show_only(PeopleFilter.VOLUNTEERS)
    await account.directory.took(msgspec.structs.replace(BOB, volunteer=False))
    assert names(screen) == []
    assert screen.state.empty_words == "Nobody here is a volunteer."


async def test_news_during_a_long_answer_is_shown_at_once_and_whole(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [Person(id=str(n), firstname=f"P{n:02}", volunteer=True) for n in range(30)]
    await account.list_people(*people)
    screen = screen_of(account)
    slices = account.directory.slices
    monkeypatch.setattr(account.directory, "slices", lambda query, **only: slices(query, 4, **only))
    monkeypatch.setattr("app.viewmodels.people.filter_and_sort.FIRST_ANSWER_SECONDS", -1.0)
    screen.show_only(PeopleFilter.VOLUNTEERS)
    await account.settle()
    resets, table = Told(screen.table.modelReset), screen.table
    await account.directory.took(Person(id="new", firstname="P10a", volunteer=True))
    assert table.people_count == 30
    await account.directory.took(Person(id="newer", firstname="P10b", volunteer=True))
    await account.settle()
    assert (table.people_count, screen.state.count_words) == (32, "32 of 32")
    assert resets.times <= 2


async def test_a_search_changed_while_news_is_looked_through_answers_the_search(
    account: AccountFixture, screen: PeopleScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.search("a")
    slices = account.directory.slices
    monkeypatch.setattr(account.directory, "slices", lambda query, **only: slices(query, 1, **only))
    monkeypatch.setattr("app.viewmodels.people.filter_and_sort.FIRST_ANSWER_SECONDS", -1.0)
    await account.directory.took(Person(id="abel", firstname="Abel"))
    screen.search("eve")
    await account.settle()
    assert names(screen) == ["Eve Adams"]
    await asyncio.sleep(0)
    assert names(screen) == ["Eve Adams"]


# Entries on their way


async def test_a_search_finds_entries_as_it_finds_people(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    account.add("Zora", "Neale", "zora@x.org")
    screen.search("bob")
    assert names(screen) == ["Bob Øst"]
    screen.search("neale x.org")
    assert names(screen) == ["Zora Neale"]
    screen.search("")
    assert names(screen)[0] == "Zora Neale"


async def test_an_entry_that_was_corrected_is_found_by_what_it_says_now(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Zora", "Neale")
    screen.search("neale")
    assert names(screen) == ["Zora Neale"]
    account.outbox.edit(entry.id, "corrected", NewPerson(firstname="Zora", lastname="Hurston"))
    assert names(screen) == []
    screen.search("hurston")
    assert names(screen) == ["Zora Hurston"]


@pytest.mark.parametrize("turns", range(1, 6))
async def test_an_entry_corrected_while_many_are_made_ready_is_found_by_what_it_says_now(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    monkeypatch.setattr("app.viewmodels.people.people._MANY", 2)
    one_a_turn = partial(in_turns, turn_seconds=-1)
    monkeypatch.setattr("app.viewmodels.people.entries_shown.in_turns", one_a_turn)
    _, entry = account.add("Grace", "Hopper"), account.add("Zora", "Neale")
    screen = screen_of(account)
    for _ in range(turns):
        await asyncio.sleep(0)
    account.outbox.edit(entry.id, "corrected", NewPerson(firstname="Zora", lastname="Hurston"))
    for _ in range(10):
        await asyncio.sleep(0)
    screen.search("hurston")
    assert names(screen) == ["Zora Hurston"]
    screen.search("neale")
    assert names(screen) == []


async def test_whoever_is_typed_during_a_search_is_seen_all_the_same(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.search("bob")
    account.add("Zora", "Neale")
    assert names(screen) == ["Zora Neale", "Bob Øst"]
    await account.read([ADA, BOB], total=2)  # somebody has gone, and all are looked at anew
    assert names(screen) == ["Zora Neale", "Bob Øst"]
    screen.show_only(PeopleFilter.VOLUNTEERS)
    assert names(screen) == ["Bob Øst"]


async def test_an_entry_without_email_is_among_those_without(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    account.add("Zora", "Neale", "zora@x.org")
    account.add("Yan", "Li")
    screen.show_only(PeopleFilter.WITHOUT_EMAIL)
    assert names(screen) == ["Yan Li", "Bob Øst"]


async def test_somebody_added_in_this_run_says_so(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    added = await account.sent(account.add("Zora", "Neale"), EntryState.ADDED)
    assert added.ended_at is not None
    said = (f"added {clock(added.ended_at)}",)
    assert screen.table.data(screen.table.index(0, Column.NAME), BADGES_ROLE) == said
    await account.directory.took(account.scripted.created[0])
    assert names(screen)[-1] == "Zora Neale"
    at = screen.table.index(3, Column.NAME)
    assert screen.table.data(at, BADGES_ROLE) == said


async def test_the_chosen_entry_becomes_the_chosen_person(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    entry = account.add("Zora", "Neale")
    screen.choose(entry.id)
    await account.sent(entry, EntryState.ADDED)
    added = account.scripted.created[0]
    await account.directory.took(added)
    assert screen.selection.first == row_of(account, added)
    assert screen.chosen_person == added
