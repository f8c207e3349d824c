"""Copied rows on their way through the whole program: taken back, paused over a restart, added."""

import asyncio
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QRadioButton

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError, ServiceFault
from app.container import Container
from app.demo.options import Fault
from app.demo.server import DemoAccess
from app.importing.review import Review
from app.model.person import Person
from app.tour.main_job import shown
from app.tour.script import Script, Until, click, press
from app.views.importing.review_list import ReviewList
from app.views.widgets.labels import ElidingLabel
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Serve,
    Visit,
    click_row,
    enter_with_key,
    gone,
    the,
    write,
)

FEW_LINES = 4
SHIFT = Qt.KeyboardModifier.ShiftModifier
ROWS = (
    "First name\tLast name\tEmail\tBrings\n"
    "Iolo\tPrydderch\tiolo@prydderch.example\tbread\n"
    "Maren\tHalvorsen\tmaren@halvorsen.example\tsoup\n"
    "Tadeo\tQuispe\ttadeo@quispe.example\tcake\n"
    "Grace\tLindqvist\tgrace@lindqvist.example\tsalad\n"
)


def look_over(there: str = "80 people") -> Script:
    """Paste the rows into the line for adding, which leads to the page they are looked over on."""
    yield shown(there)
    QGuiApplication.clipboard().setText(ROWS)
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_V, CTRL)
    yield shown("Add 3 people")


TAKEN_BACK = ("Iolo Prydderch", "Iolo Prydderch")
"""The lists that were taken back before, by key and by button."""


def lists_that_have_no_line_of_their_own_are_one_click_away() -> Script:
    for name in ("Iolo", "Maren", "Tadeo"):
        QGuiApplication.clipboard().setText(f"First name\tLast name\n{name}\tQuispe\n")
        press(Qt.Key.Key_N, CTRL)
        press(Qt.Key.Key_V, CTRL)
        yield shown("Add 1 person")
        press(Qt.Key.Key_Return)
        yield shown(f"what was copied ({name} Quispe …)" if name != "Tadeo" else "and 1 more")
    click(the("and 1 more list"))
    yield Until("the lists", lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu, button = QApplication.activePopupWidget(), the("Lists that were added")
    assert isinstance(menu, QMenu)
    assert abs(menu.y() - button.mapToGlobal(button.rect().bottomLeft()).y()) < button.height()
    assert [each.text().split(",")[0] for each in menu.actions()] == [
        f"What was copied ({name} …)"
        for name in ("Tadeo Quispe", "Maren Quispe", "Iolo Quispe", *TAKEN_BACK)
    ]
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    yield shown("What became of the list", "What was copied (Tadeo Quispe …)")


def test_lists_that_are_held_are_taken_back_by_key_and_button_and_each_is_one_click_away(
    visit: Visit, access: DemoAccess, hold_for: HoldFor
) -> None:
    hold_for(30)

    def script(_container: Container) -> Script:
        yield from enter_with_key(access)
        yield from look_over()
        press(Qt.Key.Key_Return)
        yield shown("0 of 3 added, not sent yet", "Take back")
        # The keyboard is where it was before the list was looked over.
        line = QApplication.focusWidget()
        assert isinstance(line, QLineEdit)
        press(Qt.Key.Key_Z, CTRL)
        yield shown("Add 3 people", "Brings")
        press(Qt.Key.Key_Return)
        yield shown("0 of 3 added, not sent yet")
        click(the("Take back"))
        yield shown("Add 3 people", "Brings")
        press(Qt.Key.Key_Escape)
        yield gone("not sent yet")
        yield shown("80 people", "Up to date")
        assert QApplication.focusWidget() is line
        yield from lists_that_have_no_line_of_their_own_are_one_click_away()

    visit(script)


def in_a_low_window_a_sentence_of_trouble_and_a_list_are_both_read_whole(
    container: Container,
) -> Script:
    trouble = (
        "The service asks for a pause because it had many requests. Try again in a minute; what "
        "you typed is kept. It says: Too many requests. Please wait a moment."
    )
    container.window.resize(container.window.minimumSize())
    yield shown("3 of 3 added, 1 left out", "Added from what was copied")
    container.session_screen.say_error(ServiceFault("Busy", trouble, details="status: 429"))
    yield shown(trouble)
    lines = container.window.banner.height() / container.window.fontMetrics().height()
    assert lines < FEW_LINES
    strip = container.window.progress.findChildren(ElidingLabel)
    words = [each for each in strip if each.isVisible() and each.text()]
    assert len(words) > 1
    assert all(each.width() >= each.sizeHint().width() for each in words)


def test_who_was_refused_is_corrected_from_the_result_and_sent_again_and_a_low_window_tells_it_all(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_for(0)
    create = ServiceClient.create_person

    async def refuse_maren(
        self: ServiceClient, firstname: str, lastname: str, email: str
    ) -> Person:
        if firstname == "Maren":
            raise ApiError("Refused", "The account takes no Maren.")
        return await create(self, firstname, lastname, email)

    monkeypatch.setattr(ServiceClient, "create_person", refuse_maren)

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield from look_over()
        press(Qt.Key.Key_Return)
        yield shown("2 of 3 added, 1 refused")
        click(the("See each"))
        yield shown("Refused 1", "Refused: The account takes no Maren.")
        click(the("Refused 1", QRadioButton))
        yield gone("iolo@prydderch.example")
        click_row("Maren Halvorsen")
        press(Qt.Key.Key_Return)
        yield shown("The account takes no Maren. Correct it")
        press(Qt.Key.Key_A, CTRL)
        write("Marion Halvorsen marion@halvorsen.example")
        press(Qt.Key.Key_Return)
        yield shown("3 of 3 added")
        yield from in_a_low_window_a_sentence_of_trouble_and_a_list_are_both_read_whole(container)

    visit(script)


def a_long_list_is_put_right_and_a_row_of_it_left_out_as_the_window_closes(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> Script:
    repair = Review.repair

    def repair_slowly(review: Review, positions: range) -> object:
        time.sleep(1.2)  # longer than any other work may take to end
        return repair(review, positions)

    monkeypatch.setattr(Review, "repair", repair_slowly)
    rows = "".join(f"Fn{n}\tQuispe\tfn{n}@gmial.com\n" for n in range(400))
    QGuiApplication.clipboard().setText(f"First name\tLast name\tEmail\n{rows}")
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_V, CTRL)
    yield shown("Email looks wrong", "400")
    press(Qt.Key.Key_Down)
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), ReviewList))
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_PageUp)
    press(Qt.Key.Key_Delete)
    container.window.close()


def it_is_gone_on_with_as_was_asked() -> Script:
    yield shown("Go on with “What was copied (Fn1 Quispe …)”")


def test_what_goes_on_after_a_restart_is_a_paused_list_with_every_row_told_and_one_being_changed(
    visit: Visit, access: DemoAccess, hold_for: HoldFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_for(30)

    def pause(container: Container) -> Script:
        yield from enter_with_key(access)
        yield from look_over()
        press(Qt.Key.Key_Return)
        yield shown("0 of 3 added, not sent yet")
        click(the("Pause"))
        yield shown("0 of 3 added, paused", "Go on")
        yield from a_long_list_is_put_right_and_a_row_of_it_left_out_as_the_window_closes(
            container, monkeypatch
        )

    def go_on(_container: Container) -> Script:
        yield shown("0 of 3 added, paused")
        yield from it_is_gone_on_with_as_was_asked()
        click(the("Go on"))
        yield shown("3 of 3 added", "Close")
        click(the("See each"))
        yield shown("Added 3", "Was here already 1", "iolo@prydderch.example")
        press(Qt.Key.Key_Escape)
        click(the("Close"))
        press(Qt.Key.Key_N, CTRL)
        press(Qt.Key.Key_H, CTRL | SHIFT)
        yield shown("History", "Lists that were added")

    visit(pause)
    visit(go_on)


def test_nobody_of_the_account_is_added_again_before_its_list_was_read(
    visit: Visit, serve: Serve, hold_for: HoldFor
) -> None:
    hold_for(0)
    slow = serve(faults=(Fault.parse("slow"),), slow_seconds=1.2).start()

    def script(_container: Container) -> Script:
        yield from enter_with_key(slow)
        yield shown("People")
        press(Qt.Key.Key_N, CTRL)
        write("Grace Lindqvist")
        yield shown("The list of the account is not read yet.")
        press(Qt.Key.Key_Return)
        yield shown("1 waiting for the list of the account")
        QGuiApplication.clipboard().setText(ROWS)
        press(Qt.Key.Key_V, CTRL)
        yield shown("nobody here is compared with it")
        press(Qt.Key.Key_Return)
        yield shown("Nobody is added before")
        yield shown("Add 3 people", "Already here 1")
        yield shown("Grace Lindqvist was not added. Already in the account: Grace Lindqvist")

    visit(script)
    assert asyncio.run(_people_named(slow, "Lindqvist")) == 1


async def _people_named(access: DemoAccess, lastname: str) -> int:
    client = ServiceClient(access.base_url, ApiKey(access.api_key))
    try:
        return len([one async for one in client.people() if one.lastname == lastname])
    finally:
        await client.aclose()
