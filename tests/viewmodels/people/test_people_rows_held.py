"""While somebody points at the rows, those of a list that is sent stay on top: some, and only as
long as what is searched is the same.
"""

import asyncio

import pytest

from app.model.outbox import BatchRow, EntryState, NewPerson
from app.model.person import Person
from app.outbox.events import PersonAdded
from app.people.search import PeopleFilter
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.people_room import names, screen_of


async def take(account: AccountFixture, many: int, first: int = 0) -> list[str]:
    """Names of a list that waits from now on."""
    each = [f"P{n:03}" for n in range(first, first + many)]
    rows = [BatchRow(line, (name,), NewPerson(firstname=name)) for line, name in enumerate(each, 2)]
    await account.outbox.batches.take("list.csv", ["Name"], rows)
    return each


async def send(account: AccountFixture, many: int) -> None:
    """They are sent; so many of them come into the list, each as soon as they are there."""

    async def come(person: Person) -> None:
        await account.directory.took(person)

    def added(event: PersonAdded) -> None:
        account.scope.spawn(come(event.person))

    account.events.subscribe(PersonAdded, added, account.scope)
    account.outbox.send_now()
    await account.until(lambda: account.directory.count() == 1 + many)


def on_top(screen: PeopleScreen) -> list[object]:
    return names(screen)[: screen.table.rowCount() - screen.table.people_count]


async def test_who_keeps_the_row_on_top_stands_in_the_list_only_afterwards(
    account: AccountFixture,
) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    three = await take(account, 3)
    screen.hold_rows(on=True)
    await send(account, 3)
    await account.settle()
    assert names(screen) == [*three[::-1], "Eve Adams"]
    assert screen.state.count_words == "4 people"
    screen.show_only(PeopleFilter.WITHOUT_EMAIL)
    await account.settle()
    screen.show_only(PeopleFilter.EVERYBODY)
    await account.settle()
    assert names(screen) == ["Eve Adams", *three]
    assert screen.state.count_words == "4 people"


async def test_who_keeps_the_row_on_top_comes_into_the_list_once_nobody_points_at_it(
    account: AccountFixture,
) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    three = await take(account, 3)
    screen.search("P0")
    screen.hold_rows(on=True)
    await send(account, 3)
    await account.settle()
    assert names(screen) == three[::-1]
    screen.hold_rows(on=False)
    assert names(screen) == three


async def test_whoever_searches_is_shown_nobody_who_is_not_found(account: AccountFixture) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    both = await take(account, 2)
    screen.hold_rows(on=True)
    await send(account, 2)
    await account.settle()
    assert on_top(screen) == both[::-1]
    screen.search("Eve")
    await account.settle()
    assert names(screen) == ["Eve Adams"]


async def test_whoever_is_sent_during_a_search_that_does_not_find_them_is_not_counted(
    account: AccountFixture,
) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    screen.search("Eve")
    both = await take(account, 2)
    screen.hold_rows(on=True)
    await send(account, 2)
    await account.settle()
    assert (on_top(screen), screen.state.count_words) == (both[::-1], "1 of 3")


@pytest.mark.parametrize("near", [256, 1])
async def test_nobody_has_two_rows_when_others_come_before_them(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch, near: int
) -> None:
    monkeypatch.setattr("app.viewmodels.people.filter_and_sort._NEAR", near)
    await account.list_people(EVE)
    screen = screen_of(account)
    three = await take(account, 3)
    screen.hold_rows(on=True)
    await send(account, 3)
    await account.settle()
    await account.directory.took(ADA)
    assert names(screen) == [*three[::-1], "Ada Lovelace", "Eve Adams"]
    await account.directory.took(BOB)
    assert names(screen) == [*three[::-1], "Ada Lovelace", "Bob Øst", "Eve Adams"]


async def test_who_is_found_and_not_in_the_list_yet_keeps_the_row_when_they_come(
    account: AccountFixture,
) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    both = await take(account, 2)
    screen.hold_rows(on=True)
    account.outbox.send_now()
    await account.until(lambda: account.outbox.unsent_count == 0)
    screen.search("P0")
    await account.settle()
    for person in account.scripted.created:
        await account.directory.took(person)
    await account.settle()
    assert on_top(screen) == both[::-1]


async def test_who_was_sent_before_and_is_not_in_the_list_yet_keeps_the_row_too(
    account: AccountFixture,
) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    both = await take(account, 2)
    account.outbox.send_now()
    await account.until(lambda: account.outbox.unsent_count == 0)
    screen.hold_rows(on=True)
    for person in account.scripted.created:
        await account.directory.took(person)
    assert on_top(screen) == both[::-1]
    screen.hold_rows(on=False)
    assert on_top(screen) == []


async def test_of_a_long_list_the_newest_hundred_keep_their_rows(account: AccountFixture) -> None:
    await account.list_people(EVE)
    screen = screen_of(account)
    several = await take(account, 102)
    screen.hold_rows(on=True)
    await send(account, 102)
    assert on_top(screen) == several[:1:-1]
    several += await take(account, 1, first=102)
    answered = asyncio.Event()
    account.scripted.answers = [answered]
    account.outbox.send_now()
    await account.until(lambda: account.outbox.entries()[-1].state is EntryState.SENDING)
    # Who was sent first has made room for somebody who is not even answered.
    assert on_top(screen) == several[:2:-1]
    answered.set()
    await account.until(lambda: account.directory.count() == 1 + 103)
    assert on_top(screen) == several[:2:-1]
