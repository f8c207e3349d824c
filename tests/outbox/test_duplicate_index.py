"""Everybody who may be the same as somebody new, followed while the list and the outbox change."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.model.outbox import EntryState, NewPerson
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex
from app.people.duplicates.vocabulary import load_comparison
from app.people.events import PeopleProgress
from app.store.errors import StoreError
from tests.viewmodels.conftest import ADA, EVE, AccountFixture

NEW_ADA = NewPerson(firstname="Ada", lastname="Lovelace", email="ada@x.org")


@pytest.fixture
async def account(qapp: QApplication) -> AsyncIterator[AccountFixture]:  # noqa: ARG001 - Qt must be there
    """An account's rooms; an entry is sent when the test says so."""
    account = AccountFixture()
    await account.open()
    yield account
    await account.close()
    assert account.crashes == []


async def found(account: AccountFixture, new: NewPerson) -> list[object]:
    """Who may be the same, once all that has changed is known."""
    await account.settle_duplicates()
    return [match.person.known_as for match in account.duplicates.of(new)]


async def test_people_are_found_as_the_list_has_them_now(account: AccountFixture) -> None:
    assert await found(account, NEW_ADA) == []
    await account.list_people(ADA, EVE)
    assert await found(account, NEW_ADA) == [ADA]

    renamed = msgspec.structs.replace(ADA, firstname="Zoë", lastname="Quirk", email="zoe@y.org")
    await account.list_people(renamed, EVE)
    assert await found(account, NEW_ADA) == []
    assert await found(account, NewPerson(firstname="Zoe", lastname="Quirk")) == [renamed]

    await account.list_people(EVE)
    assert await found(account, NewPerson(firstname="Zoe", lastname="Quirk")) == []


async def test_the_first_name_typed_waits_for_nothing_to_be_loaded(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_comparison.cache_clear()
    monkeypatch.delitem(sys.modules, "rapidfuzz", raising=False)
    account.duplicates.take_up()
    await account.settle_duplicates()
    await account.until(lambda: "rapidfuzz" in sys.modules)


async def test_an_entry_is_found_until_the_list_has_the_person_it_became(
    account: AccountFixture,
) -> None:
    entry = account.add("Ada", "Lovelace", "ada@x.org")
    assert await found(account, NEW_ADA) == [entry]
    added = await account.sent(entry, EntryState.ADDED)
    (person,) = account.scripted.created
    assert await found(account, NEW_ADA) == [added]
    await account.directory.took(person)
    assert await found(account, NEW_ADA) == [person]


async def test_who_was_added_here_and_deleted_since_is_here_no_longer(
    account: AccountFixture,
) -> None:
    added = await account.sent(account.add("Ada", "Lovelace", "ada@x.org"), EntryState.ADDED)
    assert await found(account, NEW_ADA) == [added]

    await account.list_people(EVE)
    assert await found(account, NEW_ADA) == []
    later = DuplicateIndex(account.directory, account.outbox, account.events, account.scope)
    later.take_up()
    while later.busy:  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.001)
    assert later.of(NEW_ADA) == ()


async def test_a_list_that_is_not_whole_tells_of_nobody_that_they_are_gone(
    account: AccountFixture,
) -> None:
    added = await account.sent(account.add("Ada", "Lovelace", "ada@x.org"), EntryState.ADDED)
    await account.read([EVE], total=2)
    assert await found(account, NEW_ADA) == [added]


async def test_one_who_is_taken_back_is_found_no_longer_and_nobody_is_their_own_double(
    account: AccountFixture,
) -> None:
    entry = account.add("Ada", "Lovelace", "ada@x.org")
    assert await found(account, NEW_ADA) == [entry]
    assert account.duplicates.of(NEW_ADA, besides=entry.id) == ()
    account.outbox.undo(entry.id)
    assert account.duplicates.of(NEW_ADA) == (), "at once, though it is forgotten a moment later"
    assert await found(account, NEW_ADA) == []


async def test_what_was_there_before_is_taken_up_in_many_turns(account: AccountFixture) -> None:
    crowd = [Person(id=f"p{n}", firstname=f"First{n}", lastname=f"Last{n}") for n in range(1_200)]
    await account.list_people(*crowd)
    waiting = account.add("Ada", "Lovelace", "ada@x.org")
    later = DuplicateIndex(account.directory, account.outbox, account.events, account.scope)

    turns = 0
    later.take_up()
    while later.busy:
        await asyncio.sleep(0)
        turns += 1

    assert turns > 10
    assert [match.person.known_as for match in later.of(NEW_ADA)] == [waiting]
    assert [
        match.person.known_as
        for match in later.of(NewPerson(firstname="First1199", lastname="Last1199"))
    ][:1] == [crowd[-1]]


async def test_of_those_who_were_waiting_nothing_is_held_once_they_are_known(
    account: AccountFixture,
) -> None:
    await account.settle_duplicates()
    before = own_sizes(account.duplicates)
    await account.list_people(*(Person(id=f"p{n}", firstname=f"First{n}") for n in range(1_200)))
    await account.settle_duplicates()
    assert own_sizes(account.duplicates) == before


def own_sizes(index: DuplicateIndex) -> dict[str, int]:
    """What each of its fields takes: emptied key by key, a dict stays as large as it was."""
    return {name: sys.getsizeof(value) for name, value in vars(index).items()}


async def test_while_a_long_list_comes_those_who_are_typed_are_taken_in_and_nobody_else(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = account.duplicates
    crowd = [Person(id=f"p{n}", firstname=f"First{n}", lastname=f"Last{n}") for n in range(1_200)]
    the_rest_comes = asyncio.Event()
    reading = asyncio.ensure_future(
        account.read(crowd, the_rest_comes, [EVE], total=len(crowd) + 1)
    )
    read: set[int] = set()
    people = account.directory.people

    def noting(rows: Sequence[int]) -> Mapping[int, Person]:
        read.update(rows)
        return people(rows)

    told: list[PeopleProgress] = []
    account.events.subscribe(PeopleProgress, told.append, account.scope)
    await account.until(lambda: bool(told))
    monkeypatch.setattr(account.directory, "people", noting)
    await asyncio.sleep(0.1)
    assert (read, index.knows_everybody) == (set(), False)

    waiting = account.add("Ada", "Lovelace", "ada@x.org")
    await account.until(lambda: bool(index.of(NEW_ADA)))
    assert [match.person.known_as for match in index.of(NEW_ADA)] == [waiting]
    somebody = NewPerson(firstname="First7", lastname="Last7")
    index.look_up(somebody)
    assert index.of(somebody)[0].person.known_as == crowd[7]

    the_rest_comes.set()
    await reading
    assert (await found(account, NewPerson(firstname="First1199", lastname="Last1199")))[:1] == [
        crowd[-1]
    ]
    assert index.knows_everybody


async def test_while_nearly_all_wait_they_are_looked_through_as_the_list_has_them(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, slices = account.duplicates, account.directory.slices
    asked: list[object] = []

    def noting(query: str, *, among: Sequence[int] | None = None) -> Iterator[Sequence[int]]:
        asked.append(among)
        return slices(query, among=among)

    monkeypatch.setattr(account.directory, "slices", noting)
    crowd = [
        Person(id=f"p{n}", firstname=f"First{n}", lastname=f"Last{n}", email=f"some{n}@x.org")
        for n in range(300)
    ]
    await account.list_people(*crowd)
    index.look_up(NewPerson(firstname="Last7", lastname="First7"))
    index.look_up(NewPerson(firstname="Somebody", email="some8+news@x.org"))
    assert asked == [None] * 3
    for n in (7, 8):
        found = index.of(NewPerson(firstname=f"First{n}", lastname=f"Last{n}"))
        assert found[0].person.known_as == crowd[n]
    await account.settle_duplicates()
    await account.list_people(*crowd[:-1], msgspec.structs.replace(crowd[-1], phone="1"))
    index.look_up(NewPerson(firstname="First299", lastname="Last299"))
    assert None not in asked[3:]


async def test_who_comes_just_when_all_others_were_taken_in_is_taken_in_as_well(
    account: AccountFixture,
) -> None:
    first = account.add("Bob", "Øst")
    bob = NewPerson(firstname="Bob", lastname="Øst")
    while not account.duplicates.of(bob):  # noqa: ASYNC110 - turn by turn
        await asyncio.sleep(0)
    assert account.duplicates.busy
    second = account.add("Ada", "Lovelace", "ada@x.org")
    assert await found(account, NEW_ADA) == [second]
    assert await found(account, bob) == [first]


async def test_who_could_not_be_read_is_taken_in_after_the_next_reading_of_the_list(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = account.duplicates
    people, is_readable = account.directory.people, False

    def read(rows: Sequence[int]) -> Mapping[int, Person]:
        if not is_readable:
            raise StoreError("Not read", "Not now.")
        return people(rows)

    monkeypatch.setattr(account.directory, "people", read)
    await account.list_people(ADA)
    await account.settle_duplicates()
    assert (index.busy, index.knows_everybody) == (False, False)
    is_readable = True
    await account.list_people(ADA)
    assert await found(account, NEW_ADA) == [ADA]


async def test_closing_an_account_whose_people_are_still_being_taken_in_ends_that(
    account: AccountFixture,
) -> None:
    index = account.duplicates
    await account.list_people(*(Person(id=f"p{n}", firstname=f"First{n}") for n in range(2_000)))
    assert index.busy
    await account.scope.close()
    await asyncio.sleep(0)
    assert not index.busy
