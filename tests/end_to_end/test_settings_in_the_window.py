"""The settings as a page of the real window: gone to by key, acting at once, still so next time."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, press, type_text
from app.views.look.theme import DARK, theme_of, tokens
from app.views.people.people_table import PeopleTableView
from tests.end_to_end.steps import CTRL, Visit, click_row, enter_with_key, gone, the, write


@pytest.fixture(autouse=True)
def _the_systems_theme_again(dressed: QApplication) -> Iterator[None]:
    yield
    theme_of(dressed).choose("system")


def open_settings() -> Script:
    press(Qt.Key.Key_Comma, CTRL)
    yield shown("Settings", "Accounts on this computer")


def test_a_choice_acts_at_once_and_at_the_next_start_and_an_account_is_forgotten(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "accounts.json"

    def first(_container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("Up to date")
        yield from open_settings()
        press(Qt.Key.Key_Right)
        press(Qt.Key.Key_Right)
        yield Until("the dark theme", lambda: tokens() == DARK)
        for _ in range(3):
            press(Qt.Key.Key_Tab)
        press(Qt.Key.Key_Right)
        press(Qt.Key.Key_Tab)
        press(Qt.Key.Key_A, CTRL)
        type_text("0")
        press(Qt.Key.Key_Return)
        yield shown("sent at once")
        press(Qt.Key.Key_Escape)
        yield gone("Accounts on this computer")
        press(Qt.Key.Key_N, CTRL)
        write("Testerson Tess")
        press(Qt.Key.Key_Return)
        yield Until("sent without being held", lambda: "81 people" in text_on_screen(), 4)
        yield shown("Tess Testerson")

    def second(container: Container) -> Script:
        assert tokens() == DARK
        yield shown("81 people", "Up to date")
        yield from open_settings()
        yield shown("sent at once")
        press(Qt.Key.Key_Escape)
        yield gone("Accounts on this computer")
        yield from another_order_reads_the_line_anew()
        press(Qt.Key.Key_N, CTRL)
        press(Qt.Key.Key_A, CTRL)
        press(Qt.Key.Key_Backspace)
        container.window.about_wanted.emit()
        yield shown("About Front Desk", "Made with", "anyio")
        press(Qt.Key.Key_Escape)
        yield gone("Made with")
        yield from is_forgotten()
        yield Until("the list without it", lambda: b"Riverside" not in kept.read_bytes())

    visit(first)
    visit(second)


def first_name() -> str:
    field = the("First name", QLineEdit)
    assert isinstance(field, QLineEdit)
    return field.text()


def another_order_reads_the_line_anew() -> Script:
    click_row("Alice Ashworth")
    press(Qt.Key.Key_N, CTRL)
    write("Ada Lovelace")
    yield Until("the reading", lambda: first_name() == "Lovelace")
    yield from open_settings()
    for _ in range(3):
        press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Escape)
    yield gone("Accounts on this computer")
    yield Until("the other reading", lambda: first_name() == "Ada")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Escape)
    # Where it was before the line, and not at what it passed on the way from the settings.
    assert isinstance(QApplication.focusWidget(), PeopleTableView)


def is_forgotten() -> Script:
    yield from open_settings()
    yield shown("Riverside", "in use")
    for _ in range(11):
        press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Space)
    yield shown("You will be signed out.")
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Space)
    yield shown("Welcome to Front Desk")
    yield gone("Sign in to Riverside again")
    address = the("Address, to use an API key", QLineEdit)
    assert isinstance(address, QLineEdit)
    yield Until("the address being gone too", lambda: not address.text())
