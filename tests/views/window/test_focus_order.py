"""Tab in a window whose page was made after its status bar: from the top down, and round again."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.window.focus_order import FocusOrder


class Window(QWidget):
    """A head with two buttons, a page that is made last, and a status bar with one."""

    def __init__(self) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        self.head = [QPushButton("first", self), QPushButton("second", self)]
        self.status_bar = [QPushButton("status bar", self)]
        self.page = QWidget()
        for each in (*self.head, self.page, *self.status_bar):
            rows.addWidget(each)
        inside = QVBoxLayout(self.page)
        for name in ("upper", "lower"):
            inside.addWidget(QPushButton(name))
        self._order = FocusOrder(
            self,
            self.page,
            above=[self.head],
            below=[self.status_bar],
            step=super().focusNextPrevChild,
        )

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - as Qt has it
        return self._order.move(forward=forward)

    def walk(self, key: Qt.Key, times: int) -> list[str]:
        seen = []
        for _ in range(times):
            focus = QApplication.focusWidget()
            assert isinstance(focus, QPushButton)
            seen.append(focus.text())
            QTest.keyClick(focus, key)
        return seen


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    window = Window()
    window.show()
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    window.head[0].setFocus()
    yield window
    shiboken6.delete(window)


def test_it_leads_from_the_top_down_and_round_again(window: Window) -> None:
    assert window.walk(Qt.Key.Key_Tab, 6) == [
        "first",
        "second",
        "upper",
        "lower",
        "status bar",
        "first",
    ]


def test_it_leads_back_the_same_way(window: Window) -> None:
    backwards = ["first", "status bar", "lower", "upper", "second", "first"]
    assert window.walk(Qt.Key.Key_Backtab, 6) == backwards


def test_what_is_hidden_or_cannot_be_pressed_is_passed_by(window: Window) -> None:
    window.status_bar[0].hide()
    window.head[1].setEnabled(False)
    assert window.walk(Qt.Key.Key_Tab, 4) == ["first", "upper", "lower", "first"]


def test_an_empty_page_is_passed_by(window: Window) -> None:
    for each in window.page.findChildren(QPushButton):
        each.setEnabled(False)
    assert window.walk(Qt.Key.Key_Tab, 4) == ["first", "second", "status bar", "first"]
    assert window.walk(Qt.Key.Key_Backtab, 3) == ["second", "first", "status bar"]


def test_what_something_else_lies_on_is_passed_by_and_what_is_seen_in_part_is_not(
    window: Window,
) -> None:
    upper = window.page.findChildren(QPushButton)[0]
    above = QWidget(window.page)
    above.setGeometry(upper.geometry())
    above.show()
    assert window.walk(Qt.Key.Key_Tab, 5) == ["first", "second", "lower", "status bar", "first"]
    assert window.walk(Qt.Key.Key_Backtab, 4) == ["second", "first", "status bar", "lower"]
    above.resize(above.width() // 3, above.height())
    assert window.walk(Qt.Key.Key_Tab, 3) == ["second", "upper", "lower"]
