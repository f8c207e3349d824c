"""Who was added from here: on the way, just now, and by the history."""

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.people.search import PeopleFilter
from app.store.people_rows import PeopleDelta
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Column
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import names, screen_of

RECENT = PeopleFilter.RECENTLY_ADDED


def count(screen: PeopleScreen) -> int | None:
    return next(each.count for each in screen.state.filters if each.filter is RECENT)


async def add(account: AccountFixture, firstname: str) -> OutboxEntry:
    entry = await account.sent(account.add(firstname), EntryState.ADDED)
    await account.directory.took(account.scripted.created[-1])
    return entry


async def test_they_are_counted_and_shown_the_newest_on_top_below_who_is_on_the_way(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    assert count(screen) == 0
    await add(account, "Zora")
    await add(account, "Yan")
    assert count(screen) == 2
    screen.show_only(RECENT)
    assert names(screen) == ["Yan", "Zora"]
    assert screen.state.count_words == "2 people, all today"
    assert screen.table.headerData(Column.ADDED, Qt.Orientation.Horizontal) == "Added ▾"
    account.add("Xia")
    assert (names(screen), count(screen)) == (["Xia", "Yan", "Zora"], 3)
    assert screen.state.count_words == "3 people, all today"
    screen.search("zor")
    assert names(screen) == ["Zora"]


async def test_somebody_added_while_they_are_shown_stands_there_once(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.show_only(RECENT)
    assert screen.state.empty_words == "Nobody was added from here in the last 30 days."
    await add(account, "Zora")
    assert (names(screen), count(screen)) == (["Zora"], 1)
    await account.list_people(ADA, BOB, EVE, *account.scripted.created)
    assert (names(screen), count(screen)) == (["Zora"], 1)


@pytest.mark.parametrize("search", ["", "ada"])
async def test_nobody_is_left_out_of_the_count_or_counted_twice_while_a_list_is_sent(
    account: AccountFixture,
    screen: PeopleScreen,
    monkeypatch: pytest.MonkeyPatch,
    search: str,
) -> None:
    for name in ("Zora", "Yan", "Xia"):
        account.add(name)
    screen.show_only(RECENT)
    screen.search(search)
    seen: set[tuple[object, ...]] = set()
    keep = account.cache.save_people

    async def see() -> None:
        await asyncio.sleep(0)  # as it is painted
        today = "" if search else screen.state.count_words
        seen.add((len(names(screen)), today, count(screen)))

    async def kept(*people: Any, **more: Any) -> PeopleDelta:
        delta = await keep(*people, **more)
        # On the disk, and not in memory yet, when the next of the list is heard of.
        account.outbox.edit(waiting.id, "corrected", NewPerson(firstname="Willem"))
        await see()
        return delta

    monkeypatch.setattr(account.cache, "save_people", kept)
    account.scripted.answers += [None, None, asyncio.Event()]
    account.outbox.send_now()
    waiting = account.add("Wim")
    await account.until(lambda: len(account.scripted.created) == 2)
    await see()
    for person in list(account.scripted.created):
        await account.directory.took(person)
        await see()
    assert seen == {(1, "", 4) if search else (4, "4 people, all today", 4)}
    assert count(screen) == 4


async def test_whoever_was_deleted_on_the_accounts_page_is_no_longer_among_them(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await add(account, "Zora")
    screen.show_only(RECENT)
    await account.list_people(ADA, BOB, EVE)
    assert (names(screen), count(screen)) == ([], 0)


async def test_earlier_days_are_known_from_the_history(account: AccountFixture) -> None:
    await account.list_people(ADA, BOB, EVE)
    for person, days in ((ADA, 2), (BOB, 20), (EVE, 40)):
        entry = await add(account, f"Typed {days}")
        ended = entry.ended_at
        assert ended is not None
        then = ended - timedelta(days=days)
        account.store.write(msgspec.structs.replace(entry, person_id=person.id, ended_at=then))
    later = screen_of(account)
    later.show_only(RECENT)
    await later.recently_added.read_history()
    await account.settle()
    assert names(later)[-2:] == [ADA.full_name, BOB.full_name]
    assert EVE.full_name not in names(later)


async def test_sorted_by_hand_they_stand_as_the_list_does(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    for name in ("Abel", "Zora", "Mia"):
        await add(account, name)
    screen.show_only(RECENT)
    assert names(screen) == ["Mia", "Zora", "Abel"]
    screen.order.sort_by_column(Column.NAME)
    await account.settle()
    assert names(screen) in (["Abel", "Mia", "Zora"], ["Zora", "Mia", "Abel"])
    screen.show_only(PeopleFilter.EVERYBODY)
    screen.show_only(RECENT)
    assert names(screen) == ["Mia", "Zora", "Abel"]


async def test_who_is_on_the_way_is_counted_also_where_the_list_was_never_read(
    account: AccountFixture,
) -> None:
    screen = screen_of(account)
    screen.show_only(RECENT)
    assert screen.state.count_words == "Not read yet"
    account.add("Zora")
    assert screen.state.count_words == "1 person, all today"
