"""What a person can ask of the outbox: undo, edit, send again, dismiss, pause."""

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.api.errors import (
    InputRefused,
    TooSlow,
)
from app.model.errors import ExpectedError
from app.model.outbox import NewPerson
from app.outbox.events import (
    EntriesChanged,
    PersonAdded,
)
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeBench

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
REFUSAL = InputRefused("Refused", "The name is too long.", code=250, status=400)


async def test_a_person_without_any_name_is_not_taken(make_bench: "MakeBench") -> None:
    bench = make_bench()
    with pytest.raises(ExpectedError, match="first name or a last name"):
        bench.outbox.add("a@x.org", NewPerson(firstname=" ", email="a@x.org"))
    assert bench.outbox.entries() == ()
    assert bench.told == []


async def test_a_held_entry_can_be_undone_and_gives_the_typed_line_back(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(hold=LONG)
    entry = bench.add("Ada")
    await asyncio.sleep(0.01)
    undone = bench.outbox.undo(entry.id)
    assert undone is not None
    assert undone.typed == "Ada Lovelace a@x.org"
    assert bench.outbox.entries() == ()
    (told,) = bench.told[-1:]
    assert isinstance(told, EntriesChanged)
    assert (told.changed, [gone.id for gone in told.removed]) == ((), [entry.id])
    await bench.settle()
    assert bench.scripted.asked == []


async def test_what_is_on_its_way_or_has_arrived_cannot_be_undone(make_bench: "MakeBench") -> None:
    answer = asyncio.Event()
    bench = make_bench(answer)
    entry = bench.add("Ada")
    await bench.until(lambda: bench.states() == ["sending"])
    assert bench.outbox.undo(entry.id) is None
    answer.set()
    await bench.settle()
    assert bench.outbox.undo(entry.id) is None
    assert bench.states() == ["added"]


async def test_undoing_the_first_lets_the_next_go(make_bench: "MakeBench") -> None:
    bench = make_bench(hold=LONG)
    first = bench.add("Ada")
    bench.hold = 0.0
    bench.add("Bob")
    await asyncio.sleep(0.01)
    assert bench.states() == ["waiting", "waiting"]
    bench.outbox.undo(first.id)
    await bench.settle()
    assert bench.scripted.asked == ["Bob"]


async def test_send_now_cuts_the_hold_short(make_bench: "MakeBench") -> None:
    bench = make_bench(hold=LONG)
    entry = bench.add("Ada")
    bench.add("Bob")
    await asyncio.sleep(0.01)
    bench.outbox.send_now()
    await bench.settle()
    assert bench.outbox.entries()[0].send_at < entry.send_at
    assert bench.states() == ["added", "added"]


async def test_a_refusal_keeps_the_reason_and_what_was_typed(make_bench: "MakeBench") -> None:
    bench = make_bench(REFUSAL)
    entry = bench.add("Ada")
    bench.add("Bob")
    await bench.settle()
    assert bench.states() == ["refused", "added"]
    refused = bench.outbox.entries()[0]
    assert refused.reason == "The name is too long."
    assert refused.typed == entry.typed
    assert bench.outbox.needs_person_count == 1


async def test_a_refused_entry_is_corrected_held_again_and_sent(make_bench: "MakeBench") -> None:
    bench = make_bench(REFUSAL)
    entry = bench.add("Adaaaa")
    await bench.settle()
    bench.hold = LONG
    changed = bench.outbox.edit(entry.id, NewPerson(firstname="Ada"))
    assert changed is not None
    assert (changed.state.value, changed.reason) == ("waiting", "")
    assert changed.typed == entry.typed
    await asyncio.sleep(0.01)
    assert bench.scripted.asked == ["Adaaaa"]
    bench.outbox.send_now()
    await bench.settle()
    assert bench.scripted.asked == ["Adaaaa", "Ada"]


async def test_an_edit_without_any_name_changes_nothing(make_bench: "MakeBench") -> None:
    bench = make_bench(hold=LONG)
    entry = bench.add("Ada")
    with pytest.raises(ExpectedError):
        bench.outbox.edit(entry.id, NewPerson())
    assert bench.last() == entry


async def test_an_entry_on_its_way_not_sure_or_added_cannot_be_edited(
    make_bench: "MakeBench",
) -> None:
    answer = asyncio.Event()
    bench = make_bench(LOST, answer)
    new = NewPerson(firstname="Eve")
    lost, sent = bench.add("Ada"), bench.add("Bob")
    await bench.until(lambda: bench.states() == ["not sure", "sending"])
    assert bench.outbox.edit(lost.id, new) is None
    assert bench.outbox.edit(sent.id, new) is None
    answer.set()
    await bench.settle()
    assert bench.outbox.edit(sent.id, new) is None


async def test_pausing_lets_what_is_on_its_way_arrive_and_holds_the_rest(
    make_bench: "MakeBench",
) -> None:
    answer = asyncio.Event()
    bench = make_bench(answer)
    bench.add("Ada")
    bench.add("Bob")
    await bench.until(lambda: bench.states() == ["sending", "waiting"])
    bench.outbox.pause()
    answer.set()
    await bench.settle()
    assert bench.states() == ["added", "waiting"]
    bench.outbox.resume()
    await bench.settle()
    assert bench.states() == ["added", "added"]


async def test_only_what_is_done_or_needs_a_person_can_be_dismissed(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(REFUSAL, LOST)
    done = [bench.add(name) for name in ("Ada", "Bob", "Cyd")]
    await bench.settle()
    bench.hold = LONG
    held = bench.add("Dan")
    assert bench.states() == ["refused", "not sure", "added", "waiting"]
    lost_by_closing = [entry.state.value for entry in bench.outbox.unsent()]
    assert lost_by_closing == ["refused", "not sure", "waiting"]
    assert not bench.outbox.dismiss(held.id)
    assert [bench.outbox.dismiss(entry.id) for entry in done] == [True, True, True]
    assert [entry.id for entry in bench.outbox.entries()] == [held.id]
    assert bench.outbox.needs_person_count == 0
    assert not bench.outbox.dismiss(done[0].id)


async def test_a_listener_may_act_on_the_outbox_while_it_is_told(make_bench: "MakeBench") -> None:
    bench = make_bench()
    events = EventBus(bench.crashes.append)
    outbox = Outbox(
        events, bench.scope, lambda: bench.service, store=bench.store, hold_seconds=lambda: 0.0
    )
    events.subscribe(PersonAdded, lambda event: _dismissed(outbox, event), bench.scope)
    for name in ("Ada", "Bob"):
        outbox.add(name, NewPerson(firstname=name))
    await bench.settle()
    assert outbox.entries() == ()
    assert bench.crashes == []


def _dismissed(outbox: Outbox, event: PersonAdded) -> None:
    assert outbox.dismiss(event.entry.id)
