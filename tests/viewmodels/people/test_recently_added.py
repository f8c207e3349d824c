"""Who was added from here: on the way, just now, and by the history."""

from datetime import timedelta

import msgspec
from PySide6.QtCore import Qt

from app.model.outbox import EntryState, OutboxEntry
from app.people.search import PeopleFilter
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
