"""Who of the list is there twice, followed while it changes, and remembered where they are not."""

from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.model.person import Person
from app.outbox.duplicate_groups import DuplicateGroups, DuplicateGroupsChanged, Two
from app.outbox.duplicate_index import DuplicatesKnown
from app.people.events import PeopleChanged, PeopleRefreshed
from app.runtime.events import EventBus
from app.store.outbox.outbox import OutboxStore
from tests.viewmodels.conftest import ADA, EVE, AccountFixture

ADDA = Person(id="adda", firstname="Adda", lastname="Lovelace")
LIZ = Person(id="liz", firstname="Liz", lastname="Fry")
ELIZABETH = Person(id="elizabeth", firstname="Elizabeth", lastname="Fry", email="fry@x.org")
TWICE = [{"ada", "adda"}, {"liz", "elizabeth"}]


@pytest.fixture
async def account(qapp: QApplication) -> AsyncIterator[AccountFixture]:  # noqa: ARG001 - Qt must be there
    """An account's rooms."""
    account = AccountFixture()
    await account.open()
    yield account
    await account.close()
    assert account.crashes == []


def looking(
    account: AccountFixture, *, keep: bool = True, told_apart: Sequence[Two] = ()
) -> DuplicateGroups:
    return DuplicateGroups(
        account.duplicates,
        account.directory,
        account.store,
        account.events,
        account.scope,
        keep=keep,
        told_apart=told_apart,
    )


async def shown(account: AccountFixture, found: DuplicateGroups) -> list[set[str]]:
    """The groups by the service's ids, once nothing is under way."""
    await account.until(lambda: not (account.duplicates.busy or found.busy))
    groups = ({each.known_as.id for each in group.people} for group in found.groups)
    return sorted(groups, key=sorted)


async def test_they_are_found_once_the_list_was_read_and_followed_while_it_changes(
    account: AccountFixture,
) -> None:
    found = looking(account)
    assert await shown(account, found) == []
    assert found.groups == ()
    await account.list_people(ADA, EVE, ADDA, LIZ, ELIZABETH)
    assert await shown(account, found) == TWICE
    assert found.known

    renamed = msgspec.structs.replace(LIZ, firstname="Lionel", lastname="Walden")
    await account.list_people(ADA, EVE, ADDA, renamed, ELIZABETH)
    assert await shown(account, found) == TWICE[:1]
    await account.list_people(EVE, ADDA, LIZ, ELIZABETH)
    assert await shown(account, found) == TWICE[1:]
    await account.directory.took(Person(id="new", firstname="Eve", lastname="Adams"))
    assert await shown(account, found) == [*TWICE[1:], {"eve", "new"}]


async def test_who_goes_just_when_others_are_looked_at_is_in_no_group(
    account: AccountFixture,
) -> None:
    found = looking(account)
    await account.list_people(ADA, EVE, ADDA)
    assert await shown(account, found) == TWICE[:1]
    eve = account.directory.row_of("eve")
    assert eve is not None
    reading = await account.cache.begin_full_read()
    await account.cache.save_people((EVE, ADDA))
    gone = list(await account.cache.finish_full_read(reading, complete=True))

    def are_told_as_gone(_: DuplicatesKnown) -> None:
        if gone:
            account.events.publish(PeopleChanged(removed=(gone.pop(),)))

    account.events.subscribe(DuplicatesKnown, are_told_as_gone, account.scope)
    account.events.publish(PeopleChanged(changed=(eve,)))
    assert await shown(account, found) == []
    assert not gone


async def test_an_entry_that_waits_is_nobody_of_the_list(account: AccountFixture) -> None:
    found = looking(account)
    account.add("Ada", "Lovelace")
    await account.list_people(ADA, EVE)
    assert await shown(account, found) == []
    assert found.known


async def test_a_reading_without_news_looks_at_nobody_again(account: AccountFixture) -> None:
    found = looking(account)
    await account.list_people(ADA, ADDA)
    await account.settle()
    told: list[object] = []
    account.events.subscribe(DuplicateGroupsChanged, told.append, account.scope)
    await account.list_people(ADA, ADDA)
    await account.settle()
    assert not told
    assert len(found.groups) == 1


async def test_of_very_many_who_have_changed_none_is_held(account: AccountFixture) -> None:
    events = EventBus(account.crashes.append)
    found = DuplicateGroups(
        account.duplicates, account.directory, account.store, events, account.scope
    )
    people, part = 50_000, 500
    for first in range(0, people, part):
        events.publish(PeopleChanged(added=tuple(range(first, first + part))))
    assert len(found._changed) < people / 10
    await account.list_people(ADA, ADDA)
    await account.settle()
    events.publish(PeopleRefreshed(complete=True))
    assert await shown(account, found) == [{"ada", "adda"}]


async def test_whoever_was_told_apart_stays_so_over_a_restart_until_that_is_taken_back(
    account: AccountFixture,
) -> None:
    found = looking(account)
    await account.list_people(ADA, ADDA, LIZ, ELIZABETH)
    assert await shown(account, found) == TWICE
    rows = [account.directory.row_of(one) or 0 for one in ("ada", "adda")]
    found.tell_apart([(rows[1], rows[0])])
    assert await shown(account, found) == TWICE[1:]

    again = looking(account)
    await account.list_people(ADA, ADDA, LIZ, ELIZABETH, EVE)
    assert await shown(account, again) == TWICE[1:]
    assert not again.can_take_back

    found.take_back()
    assert await shown(account, found) == TWICE
    assert not found.can_take_back


async def test_where_nothing_is_kept_nobody_is_remembered_and_what_was_is_gone(
    account: AccountFixture,
) -> None:
    kept = looking(account)
    await account.list_people(ADA, ADDA)
    await shown(account, kept)
    pair = (account.directory.row_of("ada") or 0, account.directory.row_of("adda") or 0)
    kept.tell_apart([pair])
    assert written(account.store)
    for_now = looking(account, keep=False)
    assert not written(account.store)
    await account.list_people(ADA, ADDA, EVE)
    assert await shown(account, for_now) == TWICE[:1]
    for_now.tell_apart([pair])
    assert await shown(account, for_now) == []
    assert not written(account.store)


async def test_who_was_told_apart_stays_so_when_somebody_chooses_to_keep_something_or_nothing(
    account: AccountFixture,
) -> None:
    for_now = looking(account, keep=False)
    await account.list_people(ADA, ADDA)
    await shown(account, for_now)
    pair = (account.directory.row_of("ada") or 0, account.directory.row_of("adda") or 0)
    for_now.tell_apart([pair])
    kept = looking(account, told_apart=for_now.told_apart)
    assert written(account.store)
    await account.list_people(ADA, ADDA, EVE)
    assert await shown(account, kept) == []
    nothing = looking(account, keep=False, told_apart=kept.told_apart)
    assert not written(account.store)
    assert nothing.told_apart == (("ada", "adda"),)
    await account.list_people(ADA, ADDA)
    assert await shown(account, nothing) == []


async def test_more_pairs_than_anybody_looks_at_do_not_grow_the_file(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.duplicate_groups._MOST_TOLD_APART", 1)
    found = looking(account)
    await account.list_people(ADA, ADDA, LIZ, ELIZABETH)
    await account.settle()
    for one, other in (("ada", "adda"), ("liz", "elizabeth")):
        row = account.directory.row_of
        found.tell_apart([(row(one) or 0, row(other) or 0)])
    assert written(account.store).count("[") == 2


def written(store: OutboxStore) -> str:
    return store.metadata("told apart") or ""


@pytest.mark.parametrize("damaged", ["{", '[["a"]]', "[1]"])
async def test_what_cannot_be_read_of_it_is_as_if_nobody_was_told_apart(
    account: AccountFixture, damaged: str
) -> None:
    account.store.set_metadata("told apart", damaged)
    found = looking(account)
    await account.list_people(ADA, ADDA)
    assert await shown(account, found) == TWICE[:1]
