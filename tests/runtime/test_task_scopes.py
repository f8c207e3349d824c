"""Tasks are owned, end with their owner, and lose no error."""

import asyncio
import inspect

import pytest

from app.runtime.tasks import Action, TaskScope


class ToldError(Exception):
    """Stands for an expected error."""


@pytest.fixture
def crashes() -> list[BaseException]:
    return []


@pytest.fixture
def scope(crashes: list[BaseException]) -> TaskScope:
    return TaskScope("test", crashes.append, ToldError)


async def fail(error: Exception) -> None:
    await asyncio.sleep(0)
    raise error


async def test_an_expected_error_goes_to_whoever_asked_for_the_work(
    scope: TaskScope, crashes: list[BaseException]
) -> None:
    heard: list[Exception] = []
    await scope.spawn(fail(ToldError("no line")), on_error=heard.append)
    assert [str(error) for error in heard] == ["no line"]
    assert crashes == []


async def test_an_expected_error_nobody_asked_for_is_a_crash(
    scope: TaskScope, crashes: list[BaseException]
) -> None:
    await scope.spawn(fail(ToldError("unheard")))
    assert [str(error) for error in crashes] == ["unheard"]


async def test_any_other_error_is_a_crash(scope: TaskScope, crashes: list[BaseException]) -> None:
    heard: list[Exception] = []
    await scope.spawn(fail(ValueError("a mistake")), on_error=heard.append)
    assert [str(error) for error in crashes] == ["a mistake"]
    assert heard == []


async def test_closing_cancels_waits_and_starts_nothing_more(scope: TaskScope) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append("work")

    scope.call_on_close(lambda: cleaned.append("subscription"))
    scope.spawn(work())
    await asyncio.sleep(0)
    await scope.close()
    assert cleaned == ["subscription", "work"]
    assert not scope.busy
    with pytest.raises(RuntimeError, match="closed"):
        scope.spawn(work())


async def test_who_is_ended_and_starts_something_before_hearing_of_it_is_no_crash(
    scope: TaskScope, crashes: list[BaseException]
) -> None:
    async def sleep() -> None:
        await asyncio.sleep(0)

    async def puts_its_end_off() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            scope.spawn(sleep())

    scope.spawn(puts_its_end_off())
    await asyncio.sleep(0)
    await scope.close()
    assert crashes == []


async def test_an_action_asked_for_by_who_is_ended_begins_nothing_and_lets_no_error_out(
    scope: TaskScope, crashes: list[BaseException]
) -> None:
    """Asked by a signal, the error would end in a slot, where it is a crash."""
    begun: list[bool] = []

    async def sleep() -> None:
        await asyncio.sleep(0)

    action = Action(scope, sleep, second="drop")

    async def puts_its_end_off() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            begun.append(action())

    scope.spawn(puts_its_end_off())
    await asyncio.sleep(0)
    await scope.close()
    assert begun == [False]
    assert crashes == []


async def test_a_dropping_action_runs_once_for_two_clicks(scope: TaskScope) -> None:
    runs: list[int] = []
    gate = asyncio.Event()

    async def work(number: int) -> None:
        runs.append(number)
        await gate.wait()

    action = Action(scope, work, second="drop")
    assert action(1)
    await asyncio.sleep(0)
    assert not action(2)
    gate.set()
    await asyncio.sleep(0.01)
    assert runs == [1]
    assert not action.running


async def test_what_is_asked_in_the_turn_in_which_a_run_has_ended_is_not_dropped(
    scope: TaskScope,
) -> None:
    runs: list[int] = []
    go_on = asyncio.Event()

    async def work() -> None:
        runs.append(len(runs))
        await go_on.wait()

    action = Action(scope, work, second="drop")
    assert action()
    await asyncio.sleep(0)
    go_on.set()
    asked: list[bool] = []
    # Behind the last step of the run, and before anybody was told of its end.
    asyncio.get_running_loop().call_soon(lambda: asked.append(action()))
    await action.ended()
    assert asked == [True]
    assert runs == [0, 1]


async def test_a_replacing_action_never_shows_the_older_answer(scope: TaskScope) -> None:
    answers: list[str] = []
    gates = {"old": asyncio.Event(), "new": asyncio.Event()}

    async def work(question: str) -> None:
        await gates[question].wait()
        answers.append(question)

    action = Action(scope, work, second="replace")
    action("old")
    await asyncio.sleep(0)
    action("new")
    for gate in gates.values():
        gate.set()
    await asyncio.sleep(0.01)
    assert answers == ["new"]


async def test_what_is_asked_for_again_runs_once_more_however_often_it_was_asked(
    scope: TaskScope,
) -> None:
    runs: list[int] = []
    gate = asyncio.Event()

    async def work(number: int) -> None:
        runs.append(number)
        await gate.wait()

    action = Action(scope, work, second="replace")
    for number in range(4):
        action.again(number)
        await asyncio.sleep(0)
    assert runs == [0]
    gate.set()
    await action.ended()
    assert runs == [0, 3]


async def test_nothing_runs_again_once_it_was_given_up_or_asked_for_otherwise(
    scope: TaskScope,
) -> None:
    runs: list[str] = []

    async def work(name: str) -> None:
        runs.append(name)
        await asyncio.sleep(0)

    action = Action(scope, work, second="replace")
    action.again("given up")
    await asyncio.sleep(0)
    action.again("never")
    action.cancel()
    action.again("replaced")
    await asyncio.sleep(0)
    action.again("never either")
    action("other")
    await action.ended()
    assert runs == ["given up", "replaced", "other"]


@pytest.mark.parametrize("is_done", [True, False])
async def test_an_action_that_goes_on_when_it_has_ended_ends_with_its_scope(
    scope: TaskScope, *, is_done: bool
) -> None:
    failed: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failed.append(context))
    gate = asyncio.Event()

    async def work() -> None:
        await gate.wait()

    def go_on() -> None:
        if not going_on.running:
            going_on()

    going_on = Action(scope, work, second="drop", on_change=go_on)
    again = Action(scope, work, second="drop")

    going_on()
    for _ in range(2):
        again.again()
    await asyncio.sleep(0)
    if is_done:
        gate.set()
        await asyncio.sleep(0)
    await scope.close()
    await asyncio.sleep(0)
    assert failed == []


async def test_an_action_tells_when_it_begins_and_when_it_has_ended(scope: TaskScope) -> None:
    seen: list[bool] = []

    async def work() -> None:
        await asyncio.sleep(0)

    action = Action(scope, work, second="drop", on_change=lambda: seen.append(action.running))
    action()
    await asyncio.sleep(0.01)
    assert seen == [True, False]


async def test_work_cancelled_before_its_first_step_is_closed_without_a_warning(
    scope: TaskScope, crashes: list[BaseException]
) -> None:
    async def work() -> None:
        raise AssertionError("must not begin")

    coroutine = work()
    scope.spawn(coroutine).cancel()
    await scope.close()
    assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CLOSED
    assert crashes == []
