"""Somebody typed is in the list at once, goes out when held long enough, and is never lost."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.container import Container
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press, type_text
from tests.end_to_end.lossy_connection import LossyConnection
from tests.end_to_end.steps import CTRL, HoldFor, Visit, click_row, enter_with_key, gone, the, write


@pytest.fixture(autouse=True)
def _short_hold(hold_for: HoldFor) -> None:
    """Entries are held for half a second, so that a visit does not last minutes."""
    hold_for(1)


def typed_line() -> str:
    line = the("Add a person", QLineEdit)
    assert isinstance(line, QLineEdit)
    return line.text()


def ready_to_type() -> Script:
    """Have the keyboard in the empty line for adding."""
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Delete)
    yield Until("an empty line", lambda: typed_line() == "")


def a_line_without_a_name_stays_and_says_why() -> Script:
    yield from ready_to_type()
    type_text("zora@example.org")
    press(Qt.Key.Key_Return)
    yield shown("Type a first name or a last name")
    assert typed_line() == "zora@example.org"


def a_typed_person_is_waiting_at_once_and_then_in_the_list() -> Script:
    yield from ready_to_type()
    type_text("Zora Neale zora@example.org")
    yield shown("Zora", "Neale", "zora@example.org")
    press(Qt.Key.Key_Return)
    assert "waiting" in text_on_screen()
    assert typed_line() == ""
    yield shown("81 people")
    assert "waiting" not in text_on_screen()


def a_likely_slip_in_an_email_is_said_while_typing_and_blocks_nothing() -> Script:
    yield from ready_to_type()
    write("Iolo Halvorsen iolo@gmial.com")
    yield shown("gmail.com")
    press(Qt.Key.Key_Return)
    yield shown("82 people")


def a_field_corrected_by_hand_is_what_is_sent() -> Script:
    yield from ready_to_type()
    write("Tadeo Quispe Abara")
    yield shown("Tadeo Quispe", "Abara")
    click(the("Last name", QLineEdit))
    press(Qt.Key.Key_A, CTRL)
    write("Quispe Abara")
    click(the("First name", QLineEdit))
    press(Qt.Key.Key_A, CTRL)
    type_text("Tadeo")
    press(Qt.Key.Key_Return)
    yield shown("83 people")
    press(Qt.Key.Key_F, CTRL)
    type_text("abara")
    yield shown("Tadeo Quispe Abara", "1 of 83")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Escape)


def undo_takes_a_held_person_back_into_the_line(container: Container) -> Script:
    container._settings.change(hold_seconds=30)
    yield from ready_to_type()
    write("Maren Held")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Z, CTRL)
    yield gone("1 waiting")
    assert typed_line() == "Maren Held"


def a_service_that_went_away_keeps_them_waiting_and_gets_them_when_it_is_back(
    container: Container, service: DemoServer
) -> Script:
    container._settings.change(hold_seconds=1)
    service.stop()
    yield from ready_to_type()
    write("Zora Hurston")
    press(Qt.Key.Key_Return)
    yield shown("Offline", "1 waiting", "Zora Hurston")
    press(Qt.Key.Key_F5)
    yield shown("could not reach")
    service.start()
    yield shown("Signed in", "84 people")
    yield gone("1 waiting")
    yield gone("could not reach")


def test_whoever_is_typed_is_told_what_is_missing_or_looks_wrong_waits_and_is_in_the_list_or_undone(
    visit: Visit, service: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = service.start()
    monkeypatch.setattr("app.accounts.reconnect.WAITS", (0.3,))

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        yield from a_line_without_a_name_stays_and_says_why()
        yield from a_typed_person_is_waiting_at_once_and_then_in_the_list()
        yield from a_likely_slip_in_an_email_is_said_while_typing_and_blocks_nothing()
        yield from a_field_corrected_by_hand_is_what_is_sent()
        yield from undo_takes_a_held_person_back_into_the_line(container)
        yield from a_service_that_went_away_keeps_them_waiting_and_gets_them_when_it_is_back(
            container, service
        )

    visit(script)


def test_a_lost_reply_is_not_sure_and_is_never_sent_again_by_itself(
    visit: Visit, access: DemoAccess
) -> None:
    with LossyConnection(access.base_url, lost="/people/create") as line:

        def script(_container: Container) -> Script:
            yield from enter_with_key(replace(access, base_url=line.base_url))
            yield shown("80 people")
            press(Qt.Key.Key_N, CTRL)
            write("Zora Neale")
            press(Qt.Key.Key_Return)
            yield shown("1 needs you", "not sure")
            click_row("Zora Neale")
            yield shown("This looks like the one, added", "Send again", "81 people")
            click(the("Yes, that is the one"))
            yield gone("1 needs you")
            press(Qt.Key.Key_H, CTRL | Qt.KeyboardModifier.ShiftModifier)
            yield shown("Copy rows", "Added", "1 entry")
            press(Qt.Key.Key_Escape)
            yield shown("81 people")

        visit(script)
    assert line.asked.count("/v1/people/create.json") == 1
