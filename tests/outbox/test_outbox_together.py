"""Many people at once: one transaction, one event, and nobody lost, sent or shown half-way."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.entries import in_slices
from app.outbox.events import EntriesChanged
from app.store.errors import StoreError
from app.store.outbox import OutboxStore
from tests.outbox.conftest import ScriptedList
from tests.outbox.test_outbox_sending import LOST

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeBench, OutboxFixture

LONG = 600.0


def several(bench: "OutboxFixture", *names: str) -> list[tuple[str, NewPerson]]:
    return [(f"{name} Lovelace", bench.person(name)) for name in names]


def told(bench: "OutboxFixture") -> list[tuple[list[str], list[str]]]:
    """Who was new or other, and who was gone, event by event."""
    return [
        ([entry.typed[:3] for entry in each.changed], [entry.typed[:3] for entry in each.removed])
        for each in bench.told
        if isinstance(each, EntriesChanged)
    ]


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries were written in each transaction."""
    found: list[int] = []
    write, save = OutboxStore.write, OutboxStore.save

    def written(store: OutboxStore, *entries: OutboxEntry, clear_draft: bool = False) -> None:
        found.append(len(entries))
        write(store, *entries, clear_draft=clear_draft)

    async def saved(store: OutboxStore, *entries: OutboxEntry) -> None:
        found.append(len(entries))
        await save(store, *entries)

    monkeypatch.setattr(OutboxStore, "write", written)
    monkeypatch.setattr(OutboxStore, "save", saved)
    return found


async def test_many_are_taken_and_undone_in_one_transaction_told_once(
    make_bench: "MakeBench", transactions: list[int]
) -> None:
    bench = make_bench(hold=LONG)
    taken = await bench.outbox.add_all(several(bench, "Ada", "Bob", "Cyd"))
    assert [entry.typed[:3] for entry in bench.store.entries()] == ["Ada", "Bob", "Cyd"]
    undone = await bench.outbox.undo_all([entry.id for entry in taken[:2]])
    assert undone == taken[:2]
    assert told(bench) == [(["Ada", "Bob", "Cyd"], []), ([], ["Ada", "Bob"])]
    assert transactions == [3, 2]
    assert bench.outbox.entries() == bench.store.entries() == taken[2:]
    assert {entry.typed[:3] for entry in await bench.outbox.history()} == {"Ada", "Bob"}


async def test_those_taken_together_are_held_and_then_sent_in_their_order(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(hold=LONG)
    await bench.outbox.add_all(several(bench, "Ada", "Bob", "Cyd"))
    await asyncio.sleep(0.01)
    assert bench.scripted.asked == []
    bench.outbox.send_now()
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob", "Cyd"]


async def test_where_one_has_no_name_nobody_is_taken(make_bench: "MakeBench") -> None:
    bench = make_bench()
    with pytest.raises(ExpectedError):
        await bench.outbox.add_all([*several(bench, "Ada"), ("?", NewPerson(email="a@x.org"))])
    assert bench.outbox.entries() == bench.store.entries() == ()


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_store: OutboxStore, *_entries: OutboxEntry) -> None:
        await asyncio.sleep(0)
        raise StoreError("No room", "The disk is full.")

    monkeypatch.setattr(OutboxStore, "save", full)


async def test_what_cannot_be_kept_is_not_taken_and_not_undone(
    make_bench: "MakeBench", monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = make_bench(hold=LONG)
    taken = await bench.outbox.add_all(several(bench, "Ada", "Bob"))
    before = len(bench.told)
    with monkeypatch.context() as patched:
        refuse(patched)
        with pytest.raises(StoreError):
            await bench.outbox.add_all(several(bench, "Cyd"))
        with pytest.raises(StoreError):
            await bench.outbox.undo_all([entry.id for entry in taken])
    assert (bench.outbox.entries(), len(bench.told)) == (taken, before)
    bench.outbox.send_now()
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob"]


Meanwhile = Callable[["OutboxFixture", str], object]
MEANWHILE: dict[str, Meanwhile] = {
    "sent": lambda bench, _id: bench.outbox.send_now(),
    "undone": lambda bench, entry_id: bench.outbox.undo(entry_id),
    "corrected": lambda bench, entry_id: bench.outbox.edit(entry_id, bench.person("Eve")),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE)
async def test_whoever_is_being_undone_is_not_sent_and_does_not_come_back(
    make_bench: "MakeBench", meanwhile: Meanwhile
) -> None:
    bench = make_bench(hold=LONG)
    taken = await bench.outbox.add_all(several(bench, "Ada", "Bob"))
    undoing = asyncio.ensure_future(bench.outbox.undo_all([entry.id for entry in taken]))
    await asyncio.sleep(0)
    meanwhile(bench, taken[0].id)
    await undoing
    await bench.settle()
    assert bench.scripted.asked == []
    assert bench.outbox.entries() == bench.store.entries() == ()


async def test_whoever_left_before_is_not_undone_with_the_others(make_bench: "MakeBench") -> None:
    bench = make_bench()
    sent = bench.add("Ada")
    await bench.settle()
    bench.hold = LONG
    (held,) = await bench.outbox.add_all(several(bench, "Bob"))
    assert await bench.outbox.undo_all([sent.id, held.id, "nobody"]) == (held,)
    assert bench.states() == ["added"]


async def test_whoever_is_being_sent_again_can_not_be_taken_off_meanwhile(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(LOST, LOST, people=ScriptedList(whole=False))
    for name in ("Ada", "Bob"):
        bench.add(name)
    await bench.settle()
    assert {entry.doubt for entry in bench.outbox.entries()} == {Doubt.ABSENT}
    before = len(told(bench))
    again = asyncio.ensure_future(bench.outbox.send_all_again())
    await asyncio.sleep(0)
    assert not bench.outbox.dismiss(bench.outbox.entries()[0].id)
    await again
    assert told(bench)[before] == (["Ada", "Bob"], [])
    await bench.settle()
    assert bench.states() == ["added", "added"]
    assert bench.scripted.asked == ["Ada", "Bob", "Ada", "Bob"]


async def test_one_answer_for_several_who_were_asked_about_is_told_once(
    make_bench: "MakeBench", transactions: list[int]
) -> None:
    people = ScriptedList(whole=False)
    bench = make_bench(LOST, LOST, people=people)
    # Neither may wait behind the other, and both may be the one in the list.
    for email in ("a@x.org", ""):
        new = NewPerson(firstname="Ada", lastname="Lovelace", email=email)
        bench.outbox.add("Ada Lovelace", new)
    people.there.append(Person(id="one", firstname="Ada", lastname="Lovelace", email=""))
    await bench.settle()
    first, second = bench.outbox.entries()
    assert (first.candidate_id, second.candidate_id) == ("one", "one")
    before, written = len(told(bench)), len(transactions)
    bench.outbox.confirm_candidate(first.id)
    assert told(bench)[before:] == [(["Ada", "Ada"], [])]
    assert transactions[written:] == [2]
    (settled, doubted) = bench.outbox.entries()
    assert (settled.state, settled.person_id) == (EntryState.ADDED, "one")
    assert doubted.known_ids == ("one",)


async def test_telling_of_many_takes_a_turn_of_its_own() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await asyncio.sleep(0)
    last = [turns async for _ in in_slices(range(3))][-1]
    assert turns > last
    task.cancel()
