"""Many sign-ins, readings and sign-outs in the real window: nothing of them stays behind."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, press
from app.workspace.workspace import Workspace
from tests.end_to_end.steps import Serve, Visit, choose_in_menu, enter_with_key
from tests.endurance import AT_LENGTH, ROUNDS, WARM_UP, Held, tell

_LEFT = 1
"""So few of those that were closed may be left until cycles are looked for."""


def test_signing_in_reading_again_and_signing_out_leaves_nothing_open_and_piles_up_nothing(
    visit: Visit, serve: Serve
) -> None:
    access = serve(people=60).start()
    held: list[Held] = []
    closed: list[weakref.ref[Workspace]] = []

    def script(container: Container) -> Script:
        for number in range(WARM_UP + ROUNDS):
            if number in {WARM_UP, WARM_UP + ROUNDS // 2}:
                yield from at_rest(container)
                # Until here nobody collected by hand: what is left would be left on a desk.
                assert held or how_many_are_left(closed) <= _LEFT
                held.append(Held.now())
            yield from a_day(container, access, closed)
        yield from at_rest(container)
        held.append(Held.now())

    visit(script)
    assert len(closed) == WARM_UP + ROUNDS
    before, half_way, after = held
    tell("sign in, read again, sign out", before, half_way, after)


def test_only_an_account_that_was_closed_or_shown_anew_is_looked_through_for_cycles_and_let_go(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        closed: list[weakref.ref[Workspace]] = []
        yield from enter_with_key(access)
        yield Until("both lists", both_read(container))
        gc.collect()
        # Else a collection takes about as long as a frame, while somebody types or scrolls.
        assert not of_the_program(container._switcher.shown, container.window)
        for language in ("de", ""):
            yield Until("both lists", both_read(container))
            before = weakref.ref(shown_by(container))
            closed.append(before)
            container._settings.change(language=language)
            yield Until("shown anew", another_shown(container, before))
        yield Until("both lists", both_read(container))
        assert how_many_are_left(closed) <= _LEFT
        last = weakref.ref(shown_by(container))
        yield from choose_in_menu(container, "Sign out")
        yield Until("the account let go", lambda: is_gone(last))

    visit(script)


def shown_by(container: Container) -> Workspace:
    """The account that is shown."""
    shown = container._switcher.shown
    assert shown is not None
    return shown


def another_shown(container: Container, before: Callable[[], object]) -> Callable[[], bool]:
    """Whether other screens stand where those of `before` stood."""
    return lambda: container._switcher.shown not in {None, before()}


def how_many_are_left(closed: Sequence[Callable[[], object]]) -> int:
    """How many of them are still in memory."""
    return sum(one() is not None for one in closed)


def is_gone(one: Callable[[], object]) -> bool:
    """Whether nothing is left of it, once cycles are collected."""
    gc.collect()
    return one() is None


def of_the_program(*these: object) -> list[object]:
    """Those of them that a collection looks at."""
    looked_at = {id(one) for one in gc.get_objects()}
    return [one for one in these if id(one) in looked_at]


def a_day(
    container: Container, access: DemoAccess, closed: list["weakref.ref[Workspace]"]
) -> Script:
    """Sign in with a key, read everything again, and sign out of an account more that is closed."""
    yield from enter_with_key(access)
    yield shown("60 people")
    for _ in range(2):
        yield Until("both lists", both_read(container))
        press(Qt.Key.Key_F5)
    yield Until("both lists", both_read(container))
    closed.append(weakref.ref(shown_by(container)))
    yield from choose_in_menu(container, "Sign out")
    yield shown("Welcome to Front Desk")


def both_read(container: Container) -> Callable[[], bool]:
    """Whether nothing is being read any more."""
    return lambda: (
        container._switcher.shown is not None and not container._switcher.shown._reading()
    )


def at_rest(container: Container) -> Script:
    """Wait until what the last round began has ended: the account it was in, its threads, and at
    length its timers.
    """
    busy = {"vault"}
    yield Until("the account closed", lambda: container._switcher.shown is None)
    yield Until(
        "the threads ending",
        lambda: (
            container.window.isVisible()
            and not busy & {thread.name for thread in threading.enumerate()}
        ),
    )
    if ROUNDS >= AT_LENGTH:
        yield Until("the timers running out", nobody_waits, seconds=180)


def nobody_waits() -> bool:
    """Whether no limit that was met long ago is left: qasync keeps each until its time has come."""
    timers: Any = asyncio.get_event_loop()
    waiting = timers._timer._SimpleTimer__callbacks.values()
    return not any(handle.cancelled() for handle in waiting)
