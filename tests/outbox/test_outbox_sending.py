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
from app.outbox.events import (
    EntriesChanged,
    PauseChanged,
    PauseReason,
    PersonAdded,
)
from app.outbox.outbox import Outbox

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeBench

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
NO_LINE = Unreachable("No line", "The service cannot be reached.", transient=True)
SIGNED_OUT = NotAuthorised("Sign in", "Sign in again.", status=401)


async def test_a_person_goes_from_waiting_over_sending_to_added(make_bench: "MakeBench") -> None:
    bench = make_bench()
    entry = bench.add("Ada")
    await bench.settle()
    told = [event.changed for event in bench.told if isinstance(event, EntriesChanged)]
    changes = [entry for (entry,) in told]
    assert [change.state.value for change in changes] == ["waiting", "sending", "added"]
    assert {change.id for change in changes} == {entry.id}
    assert bench.last().person_id == "id-1"
    added = [event for event in bench.told if isinstance(event, PersonAdded)]
    assert [(event.entry.id, event.person.firstname) for event in added] == [(entry.id, "Ada")]


async def test_entries_leave_in_the_order_they_were_typed_and_one_at_a_time(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench()
    names = [f"Ada{number}" for number in range(20)]
    for name in names:
        bench.add(name)
    await bench.settle()
    assert bench.scripted.asked == names
    assert bench.scripted.most_at_once == 1
    assert bench.states() == ["added"] * 20


async def test_nothing_runs_while_nobody_waits_or_nobody_is_signed_in(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench()
    bench.service = None
    bench.add("Ada")
    assert not bench.scope.busy
    bench.service = bench.scripted
    bench.outbox.resume()
    await bench.settle()
    assert bench.states() == ["added"]


async def test_a_held_entry_costs_one_wake_up_however_long_it_is_held(
    make_bench: "MakeBench", monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    timers: list[float] = []
    call_at = loop.call_at
    bench = make_bench(hold=LONG)
    bench.add("Ada")

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
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(LOST)
    entry = bench.add("Ada")
    await bench.settle()
    assert bench.states() == ["not sure"]
    bench.outbox.send_now()
    bench.outbox.pause()
    bench.outbox.resume()
    bench.add("Bob")
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob"]
    assert bench.outbox.needs_person_count == 1
    assert bench.outbox.send_again(entry.id) is not None
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob", "Ada"]
    assert bench.states() == ["added", "added"]


async def test_after_a_lost_reply_nobody_else_is_sent_before_a_read_gets_through(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(LOST, backoff=(LONG, LONG))
    bench.scripted.reads_refused = [NO_LINE]
    for name in ("Ada", "Grace", "Hana"):
        bench.add(name)
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_LINE)
    assert bench.scripted.asked == ["Ada"]
    assert bench.states() == ["not sure", "waiting", "waiting"]
    bench.outbox.resume()
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Grace", "Hana"]
    assert bench.states() == ["not sure", "added", "added"]


async def test_a_fault_of_the_service_with_an_open_outcome_is_not_sure(
    make_bench: "MakeBench",
) -> None:
    fault = ServiceFault("Broken", "The service failed.", status=500, outcome_unknown=True)
    bench = make_bench(fault)
    bench.add("Ada")
    await bench.settle()
    assert bench.states() == ["not sure"]
    assert "may or may not have been added" in bench.last().reason


@pytest.mark.parametrize("error", [SIGNED_OUT, TokenExpired("Sign in", "It has run out.")])
async def test_a_refused_credential_pauses_and_signing_in_goes_on(
    make_bench: "MakeBench", error: NotAuthorised
) -> None:
    bench = make_bench(error)
    bench.add("Ada")
    bench.add("Bob")
    await bench.settle()
    assert bench.states() == ["waiting", "waiting"]
    assert bench.outbox.pause_reason is PauseReason.SIGN_IN
    assert bench.outbox.pause_sentence == error.message
    assert PauseChanged(PauseReason.SIGN_IN, error.message) in bench.told
    bench.outbox.send_now()
    await bench.settle()
    assert bench.scripted.asked == ["Ada"]
    bench.outbox.resume()
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Ada", "Bob"]
    assert bench.outbox.pause_reason is None


@pytest.mark.parametrize(
    "error", [NO_LINE, TooSlow("Slow", "No room."), TooManyRequests("Busy", "Too many.")]
)
async def test_what_never_left_waits_and_is_tried_again_by_itself(
    make_bench: "MakeBench", error: BaseException
) -> None:
    bench = make_bench(error, error, error)
    bench.add("Ada")
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_LINE)
    assert bench.states() == ["waiting"]
    await bench.settle()
    assert bench.scripted.asked == ["Ada"] * 4
    assert bench.states() == ["added"]
    assert bench.outbox.pause_reason is None
    assert bench.told.count(PauseChanged(None, "")) == 1


@pytest.mark.parametrize("ask", [Outbox.send_now, Outbox.resume])
async def test_try_now_does_not_wait_for_the_next_try(
    make_bench: "MakeBench", ask: Callable[[Outbox], None]
) -> None:
    bench = make_bench(NO_LINE, backoff=(LONG, LONG))
    bench.add("Ada")
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_LINE)
    ask(bench.outbox)
    await bench.settle()
    assert bench.states() == ["added"]


async def test_typing_more_does_not_hammer_an_unreachable_service(make_bench: "MakeBench") -> None:
    bench = make_bench(NO_LINE, backoff=(LONG, LONG))
    for number in range(10):
        bench.add(f"Ada{number}")
        await asyncio.sleep(0.001)
    assert bench.scripted.asked == ["Ada0"]
    assert bench.outbox.waiting_count == 10


async def test_undoing_the_last_one_waiting_ends_the_pause_for_the_line(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(NO_LINE, backoff=(LONG, LONG))
    entry = bench.add("Ada")
    await bench.until(lambda: bench.outbox.pause_reason is PauseReason.NO_LINE)
    bench.outbox.undo(entry.id)
    await bench.settle()
    assert bench.outbox.pause_reason is None


async def test_an_error_nobody_expected_is_reported_and_the_others_go(
    make_bench: "MakeBench",
) -> None:
    error = KeyError("a bug")
    bench = make_bench(error)
    bench.add("Ada")
    bench.add("Bob")
    await bench.settle()
    assert bench.crashes == [error]
    assert bench.states() == ["not sure", "added"]


async def test_closing_while_sending_leaves_not_sure_and_what_waits_waiting(
    make_bench: "MakeBench",
) -> None:
    bench = make_bench(asyncio.Event())
    bench.add("Ada")
    bench.add("Bob")
    await bench.until(lambda: bench.scripted.asked == ["Ada"])
    await bench.outbox.close()
    assert bench.states() == ["not sure", "waiting"]
    assert [entry.typed for entry in bench.outbox.unsent()] == [
        "Ada Lovelace a@x.org",
        "Bob Lovelace a@x.org",
    ]
    bench.outbox.send_now()
    bench.outbox.resume()
    bench.add("Cyd")
    assert not bench.scope.busy
    assert bench.scripted.asked == ["Ada"]


async def test_closing_before_anybody_was_asked_leaves_everybody_waiting(
    make_bench: "MakeBench",
) -> None:
    bench, go_on = make_bench(), threading.Event()
    bench.add("Ada")
    bench.store._database.submit(lambda _: go_on.wait())
    # It is still to be written that she leaves; the service has not been asked.
    await bench.until(lambda: bench.states() == ["sending"])
    closing = asyncio.gather(bench.outbox.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert bench.states() == ["waiting"]
    assert [entry.state.value for entry in bench.store.entries()] == ["waiting"]
    assert bench.scripted.asked == []


async def test_closing_the_scope_ends_the_sender_in_the_same_way(make_bench: "MakeBench") -> None:
    bench = make_bench(asyncio.Event())
    bench.add("Ada")
    bench.add("Bob")
    await bench.until(lambda: bench.scripted.asked == ["Ada"])
    await bench.scope.close()
    assert bench.states() == ["not sure", "waiting"]
    assert bench.crashes == []
