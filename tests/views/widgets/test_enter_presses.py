"""Enter presses the button that has the keyboard, and never another one."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.flows.administrators import AdministratorStatus
from app.viewmodels.flows.cards import Pill
from app.views.widgets.buttons import CopyAddress, CopyButton, ToolButton, button
from app.views.widgets.pill import NamePill
from tests.views.held_key import press_held

ENTER = [Qt.Key.Key_Return, Qt.Key.Key_Enter]


def nothing() -> None:
    """What the buttons do here, besides being heard."""


def pill() -> NamePill:
    made = NamePill()
    made.show_pill(Pill("Ada Lovelace", "Ada Lovelace", "1", AdministratorStatus.FOUND))
    return made


KINDS: dict[str, Callable[[], QAbstractButton]] = {
    "button": lambda: button("Copy", nothing),
    "primary": lambda: button("Add", nothing, "primary"),
    "link": lambda: button("Close", nothing, "link"),
    "copy": lambda: CopyButton("Copy the email", str),
    "copy an address": lambda: CopyAddress("Copy the address", str),
    "name": pill,
    "tool": ToolButton,
}


@pytest.fixture(params=[QWidget, QDialog], ids=["window", "dialog"])
def form(request: pytest.FixtureRequest, qtbot: QtBot) -> QWidget:
    """A window or a dialog with one of each button, and two fields before them."""
    made: QWidget = request.param()
    rows = QVBoxLayout(made)
    for field in (QLineEdit(), QPlainTextEdit()):
        rows.addWidget(field)
    for make in KINDS.values():
        control = make()
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        rows.addWidget(control)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    return made


def pressed_in(form: QWidget) -> list[QAbstractButton]:
    """The buttons pressed from now on, as they are pressed."""
    heard: list[QAbstractButton] = []
    for each in form.findChildren(QAbstractButton):
        each.clicked.connect(lambda _checked=False, each=each: heard.append(each))
    return heard


@pytest.mark.parametrize("key", ENTER)
def test_enter_presses_the_button_that_has_the_keyboard_and_no_other(
    form: QWidget, key: Qt.Key
) -> None:
    heard = pressed_in(form)
    buttons = form.findChildren(QAbstractButton)
    for each in buttons:
        each.setFocus()
        QTest.keyClick(each, key)
    assert heard == buttons
    assert form.isVisible()


@pytest.mark.parametrize("key", ENTER)
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_enter_typed_in_a_field_presses_no_button(
    form: QWidget, kind: type[QWidget], key: Qt.Key
) -> None:
    heard = pressed_in(form)
    field = next(iter(form.findChildren(kind)))
    field.setFocus()
    QTest.keyClick(field, key)
    assert heard == []


def test_space_presses_too(form: QWidget) -> None:
    heard = pressed_in(form)
    buttons = form.findChildren(QAbstractButton)
    for each in buttons:
        each.setFocus()
        QTest.keyClick(each, Qt.Key.Key_Space)
    assert heard == buttons


def test_enter_held_down_presses_once(form: QWidget) -> None:
    heard = pressed_in(form)
    first = next(iter(form.findChildren(QAbstractButton)))
    first.setFocus()
    for repeated in (False, True, True):
        key = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return,
            Qt.KeyboardModifier.NoModifier,
            "\r",
            repeated,
        )
        QApplication.sendEvent(first, key)
    assert heard == [first]


def test_nor_does_it_press_again_where_qt_marks_no_repetition(form: QWidget) -> None:
    assert QTest.qWaitForWindowActive(form)
    heard = pressed_in(form)
    buttons = form.findChildren(QAbstractButton)
    for each in buttons:
        each.setFocus()
        press_held(Qt.Key.Key_Return)
        press_held(Qt.Key.Key_Return, repeats=0)
    assert heard == [each for each in buttons for _ in range(2)]


def test_a_button_that_cannot_be_pressed_is_not_pressed(form: QWidget) -> None:
    heard = pressed_in(form)
    for each in form.findChildren(QAbstractButton):
        each.setEnabled(False)
        QTest.keyClick(each, Qt.Key.Key_Return)
    assert heard == []


def test_enter_opens_the_menu_of_a_button_that_has_one(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    made = ToolButton(window)
    menu = QMenu(window)
    menu.addAction("Settings")
    made.setMenu(menu)
    made.setPopupMode(ToolButton.ToolButtonPopupMode.InstantPopup)
    opened: list[bool] = []
    # The menu holds the key press up until it is closed.
    menu.aboutToShow.connect(lambda: opened.append(True))
    menu.aboutToShow.connect(menu.close, Qt.ConnectionType.QueuedConnection)
    with qtbot.waitExposed(window):
        window.show()
    QTest.keyClick(made, Qt.Key.Key_Return)
    assert opened == [True]
