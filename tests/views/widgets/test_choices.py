"""Choices of which one is on: Tab comes to that one, whichever way it comes."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QRadioButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.chips import Chips, RadioChoices


@dataclass(frozen=True)
class Choice:
    text: str

    @property
    def spoken(self) -> str:
        return self.text

    @property
    def value(self) -> str:
        return self.text

    @property
    def words(self) -> str:
        return self.text


CHOICES = tuple(map(Choice, ("one", "two", "three")))


def chips() -> QWidget:
    made = Chips("Chips")
    made.show_choices(CHOICES, 0)
    made.show_choices(CHOICES, 1)
    return made


def radio_choices() -> QWidget:
    made = RadioChoices("Choices", CHOICES)
    made.show_value("two")
    return made


@pytest.mark.parametrize("make", [chips, radio_choices])
@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_leads_to_the_choice_that_is_on_before_any_has_had_the_keyboard(
    qtbot: QtBot, make: object, key: Qt.Key
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    rows = QVBoxLayout(window)
    before, after = QLineEdit(), QLineEdit()
    for widget in (before, make(), after):  # type: ignore[operator]
        rows.addWidget(widget)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    (before if key is Qt.Key.Key_Tab else after).setFocus()
    QTest.keyClick(window, key)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QRadioButton)
    assert focused.text() == "two"
