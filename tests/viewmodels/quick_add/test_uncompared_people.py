"""Nobody who is in the account is added a second time because its list was not read yet."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import PauseReason
from app.outbox.outbox import Outbox
from app.outbox.uncompared_people import FirstReading, UncomparedPeople
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import all_the_same_words
from tests.viewmodels.conftest import ADA, BOB, AccountFixture
from tests.viewmodels.quick_add.typing_room import says

TIMEOUT = 600.0


def room(account: AccountFixture, timeout: float = TIMEOUT) -> UncomparedPeople:
    """Nobody has read this account's list so far, and somebody is just reading it."""
    account.outbox.set_hold_seconds(0.0)
    uncompared = UncomparedPeople(
        account.outbox, account.directory, account.duplicates, account.events, account.scope,
        timeout=timeout,
    )  # fmt: skip
    uncompared.begin()
    return uncompared


def line_of(account: AccountFixture, uncompared: UncomparedPeople) -> QuickAdd:
    return QuickAdd(
        account.outbox, account.duplicates, account.settings, account.events, account.scope,
        uncompared=uncompared,
    )  # fmt: skip


async def a_while() -> None:
    """Long enough for whoever may leave to have left."""
    for _ in range(50):
        await asyncio.sleep(0.001)


async def test_who_is_added_before_the_list_is_read_waits_and_is_compared_with_it(
    account: AccountFixture,
) -> None:
    line = line_of(account, room(account))
    for text in ("Ada Lovelace ada@x.org", "Grace Hopper grace@x.org"):
        line.type(text)
        assert says(line, "The list of the account is not read yet.")
        assert line.save()
    await a_while()
    assert account.scripted.created == []
    assert account.outbox.holds_uncompared
    await account.list_people(ADA, BOB)
    ada, grace = account.outbox.entries()
    await account.until(lambda: account.entry(grace.id).state is EntryState.ADDED)
    assert [one.firstname for one in account.scripted.created] == ["Grace"]
    assert account.entry(ada.id).state is EntryState.REFUSED
    assert "Ada Lovelace, ada@x.org" in account.entry(ada.id).reason
    await account.until(lambda: account.outbox.pause_reason is None)
    # A person may still know better.
    account.outbox.send_again(ada.id)
    await account.until(lambda: account.entry(ada.id).state is EntryState.ADDED)


async def test_all_who_are_there_are_set_aside_at_once_and_not_while_the_window_waits(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    room(account)
    for _ in range(3):
        account.add("Ada", "Lovelace", "ada@x.org")
    account.add("Grace", "Hopper", "grace@x.org")
    written: list[list[EntryState]] = []
    save = OutboxStore.save

    async def saving(store: OutboxStore, *entries: OutboxEntry) -> None:
        written.append([entry.state for entry in entries])
        await save(store, *entries)

    monkeypatch.setattr(OutboxStore, "save", saving)
    monkeypatch.setattr(OutboxStore, "write", None)
    await account.list_people(ADA, BOB)
    await account.until(lambda: account.outbox.entries()[-1].state is EntryState.ADDED)
    assert written[0] == [EntryState.REFUSED] * 3
    assert account.outbox.refused_count == 3


async def test_who_is_corrected_while_others_are_compared_is_not_set_aside_for_whom_they_were(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.runtime.turns.BESIDE_SECONDS", 0.0)
    room(account)
    ada, *_ = (account.add("Ada", "Lovelace", "ada@x.org") for _ in range(3))
    listed = account.duplicates.certainly_listed

    def compared(new: NewPerson) -> Person | None:
        found = listed(new)
        if account.entry(ada.id).new_person == new:
            account.outbox.edit(
                ada.id, "corrected", NewPerson(firstname="Grace", lastname="Hopper")
            )
        return found

    monkeypatch.setattr(account.duplicates, "certainly_listed", compared)
    await account.list_people(ADA, BOB)
    await account.until(lambda: account.outbox.refused_count == 2)
    await account.until(lambda: account.entry(ada.id).state is EntryState.ADDED)


async def test_nobody_goes_while_the_list_that_was_read_cannot_be_looked_into(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    room(account)
    ada = account.add("Ada", "Lovelace", "ada@x.org")
    people, is_readable = account.directory.people, False

    def read(rows: Sequence[int]) -> Mapping[int, Person]:
        if rows and not is_readable:
            raise StoreError("Not read", "Not now.")
        return people(rows)

    monkeypatch.setattr(account.directory, "people", read)
    for _ in range(2):
        await account.list_people(ADA, BOB)
        await a_while()
    assert account.outbox.holds_uncompared
    assert account.scripted.created == []
    is_readable = True
    await account.list_people(ADA, BOB)
    await account.until(lambda: account.entry(ada.id).state is EntryState.REFUSED)


async def test_a_list_of_nobody_lets_everybody_go(account: AccountFixture) -> None:
    room(account)
    entry = account.add("Ada", "Lovelace")
    await account.list_people()
    await account.until(lambda: account.entry(entry.id).state is EntryState.ADDED)


async def test_the_hold_outlives_the_program_also_where_the_list_came_last(
    account: AccountFixture,
) -> None:
    room(account)
    account.add("Ada", "Lovelace", "ada@x.org")
    again = Outbox(
        account.events, account.scope, account, store=account.store,
        hold_seconds=0.0,
    )  # fmt: skip
    assert again.pause_reason is PauseReason.NOT_COMPARED
    await account.list_people(ADA)
    await account.until(lambda: account.outbox.pause_reason is None)
    assert [entry.state for entry in account.outbox.entries()] == [EntryState.REFUSED]
    later = Outbox(
        account.events, account.scope, account, store=account.store,
        hold_seconds=0.0,
    )  # fmt: skip
    assert later.pause_reason is None


async def test_where_the_list_cannot_be_read_enter_is_wanted_twice(account: AccountFixture) -> None:
    uncompared = room(account)
    line = line_of(account, uncompared)
    line.type("Grace Hopper")
    assert line.save()
    uncompared.being_read(now=False)
    assert uncompared.first_reading is FirstReading.MISSING
    line.type("Ada Lovelace")
    assert says(line, "has not been read, so nobody knows who is there already")
    assert not line.save()
    assert line.state.warning == all_the_same_words()
    assert account.scripted.created == []
    assert line.save()
    await account.until(lambda: len(account.scripted.created) == 2)


async def test_a_reading_without_an_end_asks_after_a_while(account: AccountFixture) -> None:
    uncompared = room(account, timeout=0.02)
    line = line_of(account, uncompared)
    line.type("Ada Lovelace")
    await account.until(lambda: says(line, "has not been read"))
    assert uncompared.first_reading is FirstReading.MISSING
    assert not line.save()


async def test_a_new_reading_holds_again_whoever_is_added(account: AccountFixture) -> None:
    uncompared = room(account)
    uncompared.being_read(now=False)
    uncompared.send_all_the_same()
    uncompared.being_read(now=True)
    account.add("Ada", "Lovelace", "ada@x.org")
    await a_while()
    assert account.scripted.created == []


@pytest.mark.parametrize("read_before", [True, False])
async def test_without_a_line_people_wait_and_cost_one_key(
    account: AccountFixture, read_before: bool
) -> None:
    if read_before:
        await account.list_people(BOB)
    uncompared = room(account)
    uncompared.being_read(now=False, later=True)
    wanted = FirstReading.DONE if read_before else FirstReading.UNDER_WAY
    assert uncompared.first_reading is wanted
    assert account.outbox.holds_uncompared is not read_before
