"""Closing sends who is held, cuts nobody off, and says who stays."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from app.container import Container
from app.demo.options import Fault, FaultKind
from app.demo.server import DemoAccess, DemoServer
from app.model.outbox import EntryState
from app.store.outbox.outbox import OutboxStore
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press
from tests.end_to_end.kept_files import Kiosk, named, type_person, until_closed
from tests.end_to_end.lossy_connection import LossyConnection
from tests.end_to_end.steps import (
    HoldFor,
    Serve,
    Visit,
    gone,
    the,
)


def starting_again_while_the_last_are_sent_brings_the_window_back(
    container: Container, reached: list[str]
) -> Script:
    yield shown("80 people", "Up to date")
    type_person("Zora Early")
    press(Qt.Key.Key_Return)
    container.window.close()
    container.come_to_front()
    yield shown("81 people")
    yield gone("1 waiting")
    # Closing would have ended the visit without a word.
    reached.append("still open")


def closing_sends_who_is_held_without_a_word(container: Container) -> Script:
    type_person("Zora Waiting")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    container.window.close()
    assert not container.window.isVisible()
    yield Until("the end", lambda: False)


def test_closing_sends_who_is_held_says_who_stays_without_a_line_and_is_called_off_by_a_new_start(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()
    reached: list[str] = []
    question = "1 person is not sent yet. There is no connection."

    def first(container: Container) -> Script:
        yield from starting_again_while_the_last_are_sent_brings_the_window_back(container, reached)
        yield from closing_sends_who_is_held_without_a_word(container)

    def without_a_line(container: Container) -> Script:
        yield shown("82 people", "Up to date")
        assert "waiting" not in text_on_screen()
        service.stop()
        press(Qt.Key.Key_F5)
        yield shown("Offline")
        type_person("Zora Stays")
        press(Qt.Key.Key_Return)
        container.window.close()
        yield shown(question, "the next start")
        # Starting again answers it: the window stays, and would ask anew.
        container.come_to_front()
        yield gone(question)
        container.window.close()
        yield shown(question, "the next start")
        reached.append("asked twice")
        click(the("Close Front Desk"))
        yield Until("the end", lambda: False)

    def a_line_that_goes_meanwhile_holds_the_program_for_nobody(container: Container) -> Script:
        yield shown("83 people", "1 person was waiting and is sent now.")
        type_person("Zora Last")
        press(Qt.Key.Key_Return)
        service.stop()
        yield from until_closed(container)

    def come_back(_container: Container) -> Script:
        yield shown("84 people", "1 person was waiting and is sent now.")

    visit(first, **kiosk(access))
    assert (named(access, "Early"), named(access, "Waiting")) == (1, 1)
    visit(without_a_line, **kiosk(access))
    assert reached == ["still open", "asked twice"]
    service.start()
    visit(a_line_that_goes_meanwhile_holds_the_program_for_nobody, **kiosk(access))
    service.start()
    visit(come_back, **kiosk(access))
    for lastname in ("Early", "Waiting", "Stays", "Last"):
        assert named(access, lastname) == 1


def test_closing_cuts_nobody_off_who_is_on_the_way(
    visit: Visit,
    serve: Serve,
    hold_for: HoldFor,
    kiosk: Kiosk,
    tmp_path: Path,
) -> None:
    hold_for(30)
    slow = serve(faults=(Fault(FaultKind.SLOW),), slow_seconds=0.8).start()

    def add_and_close(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        for text in ("Zora Sent", "Ada Held"):
            type_person(text)
            press(Qt.Key.Key_Return)
        yield shown("2 waiting")
        container.window.close()
        assert not container.window.isVisible()
        yield Until("the end", lambda: False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.workspace.closing._SENDING_MILLISECONDS", 100)
        visit(add_and_close, **kiosk(slow))
    assert (named(slow, "Sent"), named(slow, "Held")) == (1, 0)
    (outbox,) = tmp_path.rglob("outbox.sqlite3")
    store = OutboxStore.open(outbox)
    states = {one.new_person.lastname: one.state for one in store.entries()}
    store.close_now()
    assert states == {"Held": EntryState.WAITING}


def test_a_question_that_goes_as_it_comes_lets_the_window_close(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk, tmp_path: Path
) -> None:
    hold_for(30)
    with LossyConnection(access.base_url, lost="nothing") as line:

        def add_and_close(container: Container) -> Script:
            yield shown("80 people", "Up to date")
            line.lost = ""
            press(Qt.Key.Key_F5)
            yield shown("Offline")
            type_person("Zora Lost")
            press(Qt.Key.Key_Return)
            # Closing tries once more, and that reply is lost as well.
            container.window.close()
            yield Until("the end", lambda: False)

        visit(add_and_close, **kiosk(replace(access, base_url=line.base_url)))
    (outbox,) = tmp_path.rglob("outbox.sqlite3")
    store = OutboxStore.open(outbox)
    assert [one.state for one in store.entries()] == [EntryState.NOT_SURE]
    store.close_now()
