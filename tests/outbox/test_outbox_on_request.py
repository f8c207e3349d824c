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
    from tests.outbox.conftest import MakeOutbox

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
REFUSAL = InputRefused("Refused", "The name is too long.", code=250, status=400)


async def test_a_person_without_any_name_is_not_taken(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox()
    with pytest.raises(ExpectedError, match="first name or a last name"):
        subject.outbox.add("a@x.org", NewPerson(firstname=" ", email="a@x.org"))
    assert subject.outbox.entries() == ()
    assert subject.told == []


async def test_a_held_entry_can_be_undone_and_gives_the_typed_line_back(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    entry = subject.add("Ada")
    await asyncio.sleep(0.01)
    undone = subject.outbox.undo(entry.id)
    assert undone is not None
    assert undone.typed == "Ada Lovelace a@x.org"
    assert subject.outbox.entries() == ()
    (told,) = subject.told[-1:]
    assert isinstance(told, EntriesChanged)
    assert (told.changed, [gone.id for gone in told.removed]) == ((), [entry.id])
    await subject.settle()
    assert subject.scripted.asked == []


async def test_what_is_on_its_way_or_has_arrived_cannot_be_undone(
    make_outbox: "MakeOutbox",
) -> None:
    answer = asyncio.Event()
    subject = make_outbox(answer)
    entry = subject.add("Ada")
    await subject.until(lambda: subject.states() == ["sending"])
    assert subject.outbox.undo(entry.id) is None
    answer.set()
    await subject.settle()
    assert subject.outbox.undo(entry.id) is None
    assert subject.states() == ["added"]


async def test_undoing_the_first_lets_the_next_go(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(hold=LONG)
    first = subject.add("Ada")
    subject.outbox.set_hold_seconds(0.0)
    subject.add("Bob")
    await asyncio.sleep(0.01)
    assert subject.states() == ["waiting", "waiting"]
    subject.outbox.undo(first.id)
    await subject.settle()
    assert subject.scripted.asked == ["Bob"]


async def test_send_now_cuts_the_hold_short(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(hold=LONG)
    entry = subject.add("Ada")
    subject.add("Bob")
    await asyncio.sleep(0.01)
    subject.outbox.send_now()
    await subject.settle()
    assert subject.outbox.entries()[0].send_at < entry.send_at
    assert subject.states() == ["added", "added"]


async def test_a_refusal_keeps_the_reason_and_what_was_typed(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(REFUSAL)
    entry = subject.add("Ada")
    subject.add("Bob")
    await subject.settle()
    assert subject.states() == ["refused", "added"]
    refused = subject.outbox.entries()[0]
    assert refused.reason == "The name is too long."
    assert refused.typed == entry.typed
    assert subject.outbox.needs_person_count == 1


async def test_a_refused_entry_is_corrected_held_again_and_sent(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(REFUSAL)
    entry = subject.add("Adaaaa")
    await subject.settle()
    subject.outbox.set_hold_seconds(LONG)
    changed = subject.outbox.edit(entry.id, "corrected", NewPerson(firstname="Ada"))
    assert changed is not None
    assert (changed.state.value, changed.reason) == ("waiting", "")
    assert changed.typed == "corrected"
    await asyncio.sleep(0.01)
    assert subject.scripted.asked == ["Adaaaa"]
    subject.outbox.send_now()
    await subject.settle()
    assert subject.scripted.asked == ["Adaaaa", "Ada"]


async def test_who_is_edited_waits_as_before_until_saved_or_left_and_holds_up_nobody(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    ada = subject.add("Ada")
    assert subject.outbox.begin_edit(ada.id) == ada
    subject.add("Bob")
    await subject.settle()
    assert subject.states() == ["waiting", "added"]
    assert subject.store.entries() == (ada,)
    subject.outbox.end_edit()
    await subject.settle()
    assert subject.states() == ["added", "added"]
    assert subject.outbox.begin_edit(ada.id) is None


async def test_an_edit_without_any_name_changes_nothing(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(hold=LONG)
    entry = subject.add("Ada")
    with pytest.raises(ExpectedError):
        subject.outbox.edit(entry.id, "corrected", NewPerson())
    assert subject.last() == entry


async def test_an_entry_on_its_way_not_sure_or_added_cannot_be_edited(
    make_outbox: "MakeOutbox",
) -> None:
    answer = asyncio.Event()
    subject = make_outbox(LOST, answer)
    new = NewPerson(firstname="Eve")
    lost, sent = subject.add("Ada"), subject.add("Bob")
    await subject.until(lambda: subject.states() == ["not sure", "sending"])
    assert subject.outbox.edit(lost.id, "corrected", new) is None
    assert subject.outbox.edit(sent.id, "corrected", new) is None
    answer.set()
    await subject.settle()
    assert subject.outbox.edit(sent.id, "corrected", new) is None


async def test_pausing_lets_what_is_on_its_way_arrive_and_holds_the_rest(
    make_outbox: "MakeOutbox",
) -> None:
    answer = asyncio.Event()
    subject = make_outbox(answer)
    subject.add("Ada")
    subject.add("Bob")
    await subject.until(lambda: subject.states() == ["sending", "waiting"])
    subject.outbox.pause()
    answer.set()
    await subject.settle()
    assert subject.states() == ["added", "waiting"]
    subject.outbox.resume()
    await subject.settle()
    assert subject.states() == ["added", "added"]


async def test_only_what_is_done_or_needs_a_person_can_be_dismissed(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(REFUSAL, LOST)
    done = [subject.add(name) for name in ("Ada", "Bob", "Cyd")]
    await subject.settle()
    subject.outbox.set_hold_seconds(LONG)
    held = subject.add("Dan")
    assert subject.states() == ["refused", "not sure", "added", "waiting"]
    lost_by_closing = [entry.state.value for entry in subject.outbox.unsent()]
    assert lost_by_closing == ["refused", "not sure", "waiting"]
    assert not subject.outbox.dismiss(held.id)
    assert [subject.outbox.dismiss(entry.id) for entry in done] == [True, True, True]
    assert [entry.id for entry in subject.outbox.entries()] == [held.id]
    assert subject.outbox.needs_person_count == 0
    assert not subject.outbox.dismiss(done[0].id)


async def test_a_listener_may_act_on_the_outbox_while_it_is_told(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox()
    events = EventBus(subject.crashes.append)
    outbox = Outbox(
        events,
        subject.scope,
        subject.session,
        store=subject.store,
        hold_seconds=0.0,
    )
    events.subscribe(PersonAdded, lambda event: _dismissed(outbox, event), subject.scope)
    for name in ("Ada", "Bob"):
        outbox.add(name, NewPerson(firstname=name))
    await subject.settle()
    assert outbox.entries() == ()
    assert subject.crashes == []


def _dismissed(outbox: Outbox, event: PersonAdded) -> None:
    assert outbox.dismiss(event.entry.id)
