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


def test_closing_sends_who_is_held_without_a_word(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)

    def add_and_close(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting")
        container.window.close()
        assert not container.window.isVisible()
        yield Until("the end", lambda: False)

    def come_back(_container: Container) -> Script:
        yield shown("81 people", "Up to date")
        assert "waiting" not in text_on_screen()

    visit(add_and_close, **kiosk(access))
    assert named(access, "Waiting") == 1
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


def test_closing_cuts_nobody_off_who_is_on_the_way(
    visit: Visit,
    serve: Serve,
    hold_for: HoldFor,
    kiosk: Kiosk,
    tmp_path: Path,
) -> None:
    hold_for(30)
    slow = serve(faults=(Fault(FaultKind.SLOW),), slow_seconds=1.5).start()

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


def test_closing_without_a_line_says_who_stays_and_the_next_start_sends_them(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()
    told: list[str] = []

    def add_and_close(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        service.stop()
        press(Qt.Key.Key_F5)
        yield shown("Offline")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        container.window.close()
        yield shown("1 person is not sent yet. There is no connection.", "the next start")
        told.append("before closing")
        click(the("Close Front Desk"))
        yield Until("the end", lambda: False)

    def come_back(_container: Container) -> Script:
        yield shown("81 people", "1 person was waiting and is sent now.")

    visit(add_and_close, **kiosk(access))
    assert told
    service.start()
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


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


def test_a_line_that_goes_while_the_window_closes_holds_the_program_for_nobody(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()

    def add_and_close(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        service.stop()
        yield from until_closed(container)

    def come_back(_container: Container) -> Script:
        yield shown("81 people", "1 person was waiting and is sent now.")

    visit(add_and_close, **kiosk(access))
    service.start()
    visit(come_back, **kiosk(access))
    assert named(access, "Waiting") == 1


def test_starting_again_while_the_last_are_sent_brings_the_window_back(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    reached: list[str] = []

    def close_and_start(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        container.window.close()
        container.presence.come_to_front()
        yield shown("81 people")
        yield gone("1 waiting")
        reached.append("still open")

    visit(close_and_start, **kiosk(access))
    assert reached


def test_starting_again_answers_what_was_asked_about_closing(
    visit: Visit, service: DemoServer, hold_for: HoldFor, kiosk: Kiosk
) -> None:
    hold_for(30)
    access = service.start()
    reached: list[str] = []
    question = "1 person is not sent yet."

    def close_and_start(container: Container) -> Script:
        yield shown("80 people", "Up to date")
        service.stop()
        press(Qt.Key.Key_F5)
        yield shown("Offline")
        type_person("Zora Waiting")
        press(Qt.Key.Key_Return)
        container.window.close()
        yield shown(question)
        container.presence.come_to_front()
        yield gone(question)
        service.start()
        press(Qt.Key.Key_F5)
        yield shown("81 people", "Up to date")
        reached.append("still open")

    visit(close_and_start, **kiosk(access))
    assert reached
