"""Many people at once: one transaction, one event, and nobody lost, sent or shown half-way."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from app.model.outbox import Batch, BatchRow, Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.batches import Outcome, _Tally
from app.outbox.events import EntriesChanged
from app.runtime.events import EventBus
from app.runtime.turns import in_turns
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from tests.outbox.conftest import ScriptedList
from tests.outbox.test_outbox_sending import LOST

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox, OutboxFixture

LONG = 600.0


async def take(subject: "OutboxFixture", *names: str) -> str:
    rows = [BatchRow(line, (name,), subject.person(name)) for line, name in enumerate(names, 1)]
    return (await subject.outbox.batches.take("list", ("Name",), rows)).id


def told(subject: "OutboxFixture") -> list[tuple[list[str], list[str]]]:
    """Who was new or other, and who was gone, event by event."""
    return [
        ([entry.typed[:3] for entry in each.changed], [entry.typed[:3] for entry in each.removed])
        for each in subject.told
        if isinstance(each, EntriesChanged)
    ]


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries were written in each transaction."""
    found: list[int] = []
    write, save, take_batch = OutboxStore.write, OutboxStore.save, OutboxStore.take_batch

    def written(store: OutboxStore, *entries: OutboxEntry, clear_draft: bool = False) -> None:
        found.append(len(entries))
        write(store, *entries, clear_draft=clear_draft)

    async def saved(store: OutboxStore, *entries: OutboxEntry) -> None:
        found.append(len(entries))
        await save(store, *entries)

    async def taken(
        store: OutboxStore,
        one: Batch,
        rows: Sequence[BatchRow],
        entries: Sequence[OutboxEntry],
        review: str = "",
    ) -> None:
        found.append(len(entries))
        await take_batch(store, one, rows, entries, review)

    monkeypatch.setattr(OutboxStore, "take_batch", taken)
    monkeypatch.setattr(OutboxStore, "write", written)
    monkeypatch.setattr(OutboxStore, "save", saved)
    return found


async def test_many_are_taken_and_undone_in_one_transaction_told_once(
    make_outbox: "MakeOutbox", transactions: list[int]
) -> None:
    subject = make_outbox(hold=LONG)
    batch = await take(subject, "Ada", "Bob", "Cyd")
    names = ["Ada", "Bob", "Cyd"]
    assert [entry.typed[:3] for entry in subject.store.entries()] == names
    assert len(await subject.outbox.batches.undo(batch)) == 3
    assert told(subject) == [(names, []), ([], names)]
    assert transactions == [3, 3]
    assert subject.outbox.entries() == subject.store.entries() == ()
    assert {entry.typed[:3] for entry in await subject.outbox.store.history()} == set(names)


async def test_those_taken_together_are_held_and_then_sent_in_their_order(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    await take(subject, "Ada", "Bob", "Cyd")
    await asyncio.sleep(0.01)
    assert subject.scripted.asked == []
    subject.outbox.send_now()
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Bob", "Cyd"]


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_store: OutboxStore, *_entries: OutboxEntry) -> None:
        await asyncio.sleep(0)
        raise StoreError("No room", "The disk is full.")

    monkeypatch.setattr(OutboxStore, "save", full)


async def test_who_cannot_be_taken_off_is_not_sent_and_taken_off_the_next_time(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = make_outbox(hold=LONG)
    batch = await take(subject, "Ada", "Bob")
    entries, before = subject.outbox.entries(), len(told(subject))
    with monkeypatch.context() as patched:
        refuse(patched)
        with pytest.raises(StoreError):
            await subject.outbox.batches.undo(batch)
    assert (subject.outbox.entries(), len(told(subject))) == (entries, before)
    subject.outbox.send_now()
    await subject.settle()
    assert subject.scripted.asked == []
    assert len(await subject.outbox.batches.stop(batch)) == 2
    assert subject.outbox.entries() == subject.store.entries() == ()


Meanwhile = Callable[["OutboxFixture", str], object]
MEANWHILE: dict[str, Meanwhile] = {
    "sent": lambda subject, _id: subject.outbox.send_now(),
    "undone": lambda subject, entry_id: subject.outbox.undo(entry_id),
    "corrected": lambda subject, entry_id: subject.outbox.edit(
        entry_id, "corrected", subject.person("Eve")
    ),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE)
async def test_whoever_is_being_undone_is_not_sent_and_does_not_come_back(
    make_outbox: "MakeOutbox", meanwhile: Meanwhile
) -> None:
    subject = make_outbox(hold=LONG)
    batch = await take(subject, "Ada", "Bob")
    first = subject.outbox.entries()[0]
    undoing = asyncio.ensure_future(subject.outbox.batches.undo(batch))
    await asyncio.sleep(0)
    meanwhile(subject, first.id)
    assert len(await undoing) == 2
    await subject.settle()
    assert subject.scripted.asked == []
    assert subject.outbox.entries() == subject.store.entries() == ()


@pytest.mark.parametrize("meanwhile", ["undone", "corrected"])
async def test_whoever_goes_on_before_many_are_told_of_is_told_as_they_stand_by_then(
    make_outbox: "MakeOutbox", meanwhile: str
) -> None:
    subject = make_outbox(hold=LONG)
    taking = asyncio.ensure_future(take(subject, "Ada", "Bob"))
    while not subject.outbox.entries():  # noqa: ASYNC110 - looks from outside, at every turn
        await asyncio.sleep(0)
    MEANWHILE[meanwhile](subject, subject.outbox.entries()[0].id)
    await taking
    shown: dict[str, OutboxEntry] = {}
    for each in subject.told:
        if isinstance(each, EntriesChanged):
            shown |= {entry.id: entry for entry in each.changed}
            for entry in each.removed:
                shown.pop(entry.id, None)
    assert shown == {entry.id: entry for entry in subject.outbox.entries()}


async def test_whoever_is_being_sent_again_can_not_be_taken_off_meanwhile(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(LOST, LOST, people=ScriptedList(whole=False))
    for name in ("Ada", "Bob"):
        subject.add(name)
    await subject.settle()
    assert {entry.doubt for entry in subject.outbox.entries()} == {Doubt.ABSENT}
    before = len(told(subject))
    again = asyncio.ensure_future(subject.outbox.send_all_again())
    await asyncio.sleep(0)
    assert not subject.outbox.dismiss(subject.outbox.entries()[0].id)
    await again
    assert told(subject)[before] == (["Ada", "Bob"], [])
    await subject.settle()
    assert subject.states() == ["added", "added"]
    assert subject.scripted.asked == ["Ada", "Bob", "Ada", "Bob"]


async def test_one_answer_for_several_who_were_asked_about_is_told_once(
    make_outbox: "MakeOutbox", transactions: list[int]
) -> None:
    people = ScriptedList(whole=False)
    subject = make_outbox(LOST, LOST, people=people)
    # Neither may wait behind the other, and both may be the one in the list.
    for email in ("a@x.org", ""):
        new = NewPerson(firstname="Ada", lastname="Lovelace", email=email)
        subject.outbox.add("Ada Lovelace", new)
    people.there.append(Person(id="one", firstname="Ada", lastname="Lovelace", email=""))
    await subject.settle()
    first, second = subject.outbox.entries()
    assert (first.candidate_id, second.candidate_id) == ("one", "one")
    before, written = len(told(subject)), len(transactions)
    subject.outbox.confirm_candidate(first.id)
    assert told(subject)[before:] == [(["Ada", "Ada"], [])]
    assert transactions[written:] == [2]
    (settled, doubted) = subject.outbox.entries()
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
    last = [turns async for _ in in_turns(range(3))][-1]
    assert turns > last
    task.cancel()


async def test_none_of_a_batch_is_counted_in_the_turn_in_which_they_are_shown(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = make_outbox(hold=LONG)
    counted: list[int] = []
    in_that_turn: list[int] = []
    put = _Tally.put

    def counting(tally: _Tally, row: int, outcome: Outcome) -> None:
        counted.append(row)
        put(tally, row, outcome)

    publish = EventBus.publish

    def publishing(bus: EventBus, event: object) -> None:
        publish(bus, event)
        if isinstance(event, EntriesChanged):
            asyncio.get_running_loop().call_soon(lambda: in_that_turn.append(len(counted)))

    monkeypatch.setattr(_Tally, "put", counting)
    monkeypatch.setattr(EventBus, "publish", publishing)
    await take(subject, "Ada Lovelace", "Bob Hopper", "Cleo Byron")
    assert (in_that_turn, counted) == ([0], [0, 1, 2])
