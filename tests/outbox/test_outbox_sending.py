"""How entries leave: in order, one at a time, after the hold, and what each end means."""

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from app.api.errors import (
    NotAuthorised,
    ServiceFault,
    TokenExpired,
    TooManyRequests,
    TooSlow,
    Unreachable,
)
from app.model.outbox import EntryState
from app.outbox.events import (
    EntriesChanged,
    PauseChanged,
    PauseReason,
    PersonAdded,
)
from app.outbox.outbox import Outbox

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
UNREACHABLE = Unreachable("No line", "The service cannot be reached.", transient=True)
SIGNED_OUT = NotAuthorised("Sign in", "Sign in again.", status=401)


async def test_a_person_goes_from_waiting_over_sending_to_added(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox()
    entry = subject.add("Ada")
    await subject.settle()
    told = [event.changed for event in subject.told if isinstance(event, EntriesChanged)]
    changes = [entry for (entry,) in told]
    assert [change.state.value for change in changes] == ["waiting", "sending", "added"]
    assert {change.id for change in changes} == {entry.id}
    assert subject.last().person_id == "id-1"
    added = [event for event in subject.told if isinstance(event, PersonAdded)]
    assert [(event.entry.id, event.person.firstname) for event in added] == [(entry.id, "Ada")]


async def test_entries_leave_in_the_order_they_were_typed_and_one_at_a_time(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    names = [f"Ada{number}" for number in range(20)]
    for name in names:
        subject.add(name)
    await subject.settle()
    assert subject.scripted.asked == names
    assert subject.scripted.most_at_once == 1
    assert subject.states() == ["added"] * 20


async def test_nothing_runs_while_nobody_waits_or_nobody_is_signed_in(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    subject.session.service = None
    subject.add("Ada")
    assert not subject.scope.busy
    subject.session.service = subject.scripted
    subject.outbox.resume()
    await subject.settle()
    assert subject.states() == ["added"]


async def test_a_held_entry_costs_one_wake_up_however_long_it_is_held(
    make_outbox: "MakeOutbox", monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    timers: list[float] = []
    call_at = loop.call_at
    subject = make_outbox(hold=LONG)
    subject.add("Ada")

    def noted(when: float, *rest: Any, **more: Any) -> asyncio.TimerHandle:
        timers.append(when)
        return call_at(when, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "call_at", noted)
        for _ in range(50):
            await asyncio.sleep(0)
    assert len(timers) == 1
    assert timers[0] > loop.time() + LONG / 2


async def test_a_lost_reply_is_not_sure_and_never_sent_again_by_itself(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(LOST)
    entry = subject.add("Ada")
    await subject.settle()
    assert subject.states() == ["not sure"]
    subject.outbox.send_now()
    subject.outbox.pause()
    subject.outbox.resume()
    subject.add("Bob")
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Bob"]
    assert subject.outbox.needs_person_count == 1
    assert subject.outbox.send_again(entry.id) is not None
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Bob", "Ada"]
    assert subject.states() == ["added", "added"]


async def test_after_a_lost_reply_nobody_else_is_sent_before_a_read_gets_through(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(LOST, backoff=(LONG, LONG))
    subject.scripted.reads_refused = [UNREACHABLE]
    for name in ("Ada", "Grace", "Hana"):
        subject.add(name)
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    assert subject.scripted.asked == ["Ada"]
    assert subject.states() == ["not sure", "waiting", "waiting"]
    subject.outbox.resume()
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Grace", "Hana"]
    assert subject.states() == ["not sure", "added", "added"]


async def test_a_service_with_a_problem_is_not_a_lost_line_and_once_it_answers_they_go_on(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(LOST, backoff=(LONG, LONG))
    subject.scripted.reads_refused = [UNREACHABLE, ServiceFault("Broken", "It failed.", status=500)]
    for name in ("Ada", "Grace"):
        subject.add(name)
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    subject.outbox.service_answered()
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.SERVICE_FAULT)
    subject.outbox.service_answered()
    await subject.settle()
    assert subject.states() == ["not sure", "added"]
    assert subject.outbox.pause_reason is None


async def test_a_service_that_wants_to_be_left_alone_is_whatever_else_it_answers(
    make_outbox: "MakeOutbox",
) -> None:
    busy = TooManyRequests("Busy", "Too many.", retry_after=LONG)
    subject = make_outbox(busy, backoff=(LONG, LONG))
    subject.add("Ada")
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    subject.outbox.service_answered()
    await asyncio.sleep(0.01)
    assert subject.scripted.asked == ["Ada"]


async def test_a_fault_of_the_service_with_an_open_outcome_is_not_sure(
    make_outbox: "MakeOutbox",
) -> None:
    fault = ServiceFault("Broken", "The service failed.", status=500, outcome_unknown=True)
    subject = make_outbox(fault)
    subject.add("Ada")
    await subject.settle()
    assert subject.states() == ["not sure"]
    assert "may or may not have been added" in subject.last().reason


@pytest.mark.parametrize("error", [SIGNED_OUT, TokenExpired("Sign in", "It has run out.")])
async def test_a_refused_credential_pauses_and_signing_in_goes_on(
    make_outbox: "MakeOutbox", error: NotAuthorised
) -> None:
    subject = make_outbox(error)
    subject.add("Ada")
    subject.add("Bob")
    await subject.settle()
    assert subject.states() == ["waiting", "waiting"]
    assert subject.outbox.pause_reason is PauseReason.SIGN_IN
    assert subject.outbox.pause_sentence == error.message
    assert PauseChanged(PauseReason.SIGN_IN) in subject.told
    subject.outbox.send_now()
    await subject.settle()
    assert subject.scripted.asked == ["Ada"]
    subject.outbox.resume()
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Ada", "Bob"]
    assert subject.outbox.pause_reason is None


@pytest.mark.parametrize(
    "error", [UNREACHABLE, TooSlow("Slow", "No room."), TooManyRequests("Busy", "Too many.")]
)
async def test_what_never_left_waits_and_is_tried_again_by_itself(
    make_outbox: "MakeOutbox", error: BaseException
) -> None:
    subject = make_outbox(error, error, error)
    subject.add("Ada")
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    assert subject.states() == ["waiting"]
    await subject.settle()
    assert subject.scripted.asked == ["Ada"] * 4
    assert subject.states() == ["added"]
    assert subject.outbox.pause_reason is None
    assert subject.told.count(PauseChanged(None)) == 1


@pytest.mark.parametrize("ask", [Outbox.send_now, Outbox.resume])
async def test_try_now_does_not_wait_for_the_next_try(
    make_outbox: "MakeOutbox", ask: Callable[[Outbox], None]
) -> None:
    subject = make_outbox(UNREACHABLE, backoff=(LONG, LONG))
    subject.add("Ada")
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    ask(subject.outbox)
    await subject.settle()
    assert subject.states() == ["added"]


async def test_typing_more_does_not_hammer_an_unreachable_service(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(UNREACHABLE, backoff=(LONG, LONG))
    for number in range(10):
        subject.add(f"Ada{number}")
        await asyncio.sleep(0.001)
    assert subject.scripted.asked == ["Ada0"]
    states = [entry.state for entry in subject.outbox.entries()]
    assert states == [EntryState.WAITING] * 10


async def test_undoing_the_last_one_waiting_ends_the_pause_for_the_line(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(UNREACHABLE, backoff=(LONG, LONG))
    entry = subject.add("Ada")
    await subject.until(lambda: subject.outbox.pause_reason is PauseReason.UNREACHABLE)
    subject.outbox.undo(entry.id)
    await subject.settle()
    assert subject.outbox.pause_reason is None


async def test_an_error_nobody_expected_is_reported_and_the_others_go(
    make_outbox: "MakeOutbox",
) -> None:
    error = KeyError("a bug")
    subject = make_outbox(error)
    subject.add("Ada")
    subject.add("Bob")
    await subject.settle()
    assert subject.crashes == [error]
    assert subject.states() == ["not sure", "added"]


async def test_closing_while_sending_leaves_not_sure_and_what_waits_waiting(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(asyncio.Event())
    subject.add("Ada")
    subject.add("Bob")
    await subject.until(lambda: subject.scripted.asked == ["Ada"])
    await subject.outbox.close()
    assert subject.states() == ["not sure", "waiting"]
    assert [entry.typed for entry in subject.outbox.unsent()] == [
        "Ada Lovelace a@x.org",
        "Bob Lovelace a@x.org",
    ]
    subject.outbox.send_now()
    subject.outbox.resume()
    subject.add("Cyd")
    assert not subject.scope.busy
    assert subject.scripted.asked == ["Ada"]


async def test_closing_before_anybody_was_asked_leaves_everybody_waiting(
    make_outbox: "MakeOutbox",
) -> None:
    subject, go_on = make_outbox(), threading.Event()
    subject.add("Ada")
    subject.store._database.submit(lambda _: go_on.wait())
    # It is still to be written that she leaves; the service has not been asked.
    await subject.until(lambda: subject.states() == ["sending"])
    closing = asyncio.gather(subject.outbox.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert subject.states() == ["waiting"]
    assert [entry.state.value for entry in subject.store.entries()] == ["waiting"]
    assert subject.scripted.asked == []


async def test_closing_the_scope_ends_the_sender_in_the_same_way(make_outbox: "MakeOutbox") -> None:
    subject = make_outbox(asyncio.Event())
    subject.add("Ada")
    subject.add("Bob")
    await subject.until(lambda: subject.scripted.asked == ["Ada"])
    await subject.scope.close()
    assert subject.states() == ["not sure", "waiting"]
    assert subject.crashes == []
