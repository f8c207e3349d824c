"""What comes by itself waits for the pointer, and takes no press that was meant for another."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.pointer import (
    DoubleClickGuard,
    PointerRest,
    PressGuard,
)
from tests.views.moment import Moment
from tests.views.moving_pointer import MovingPointer


def in_window(
    widget: QWidget,
) -> tuple[QWindow, Qt.MouseButton, Qt.KeyboardModifier, QPoint]:
    """A press in the middle of `widget`, as it comes from the desktop: at the window."""
    window = widget.window().windowHandle()
    assert window is not None
    where = widget.mapTo(widget.window(), widget.rect().center())
    return window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where


class Page:
    """Two buttons; the pointer is over the first."""

    def __init__(self) -> None:
        self.window = QWidget()
        self.pressed: list[str] = []
        self.area, self.beside = QPushButton("Ada"), QPushButton("Grace")
        rows = QVBoxLayout(self.window)
        for button in (self.area, self.beside):
            button.clicked.connect(lambda _on, b=button: self.pressed.append(b.text()))
            rows.addWidget(button)
        self.window.resize(400, 200)
        self.window.show()
        self.done: list[str] = []
        self.rest = PointerRest((self.area,), self.window)
        self.guard = PressGuard((self.area,), self.window)

    def point(self, button: QPushButton, right: int = 0) -> None:
        QCursor.setPos(button.mapToGlobal(QPoint(20 + right, 10)))
        QApplication.processEvents()

    def click(self, button: QPushButton) -> None:
        QTest.mouseClick(*in_window(button))


@pytest.fixture
def page(moment: Moment, qtbot: QtBot) -> Iterator[Page]:  # noqa: ARG001 - it is by its clock
    page = Page()
    qtbot.waitExposed(page.window)
    page.point(page.area)
    yield page
    shiboken6.delete(page.window)


def test_it_comes_at_once_where_the_pointer_is_elsewhere(page: Page) -> None:
    page.point(page.beside)
    page.rest.then(lambda: page.done.append("came"))
    assert page.done == ["came"]


def test_it_waits_while_the_pointer_moves_and_comes_once_it_rests(
    page: Page, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pointer = MovingPointer(page.area.mapToGlobal(QPoint(20, 10)))
    monkeypatch.setattr("app.views.widgets.pointer.QCursor", pointer)
    page.rest.then(lambda: page.done.append("came"))
    QTest.qWait(550)
    assert page.done == []
    pointer.rest()
    qtbot.waitUntil(lambda: page.done == ["came"])


def test_it_comes_as_soon_as_the_pointer_leaves(page: Page) -> None:
    page.rest.then(lambda: page.done.append("came"))
    for right in range(1, 40):  # it rests nowhere
        page.point(page.beside, right)
        QTest.qWait(50)
        if page.done:
            break
    assert right < 39


def test_the_latest_takes_the_place_of_what_waits_and_may_be_forgotten(
    page: Page, qtbot: QtBot
) -> None:
    page.rest.then(lambda: page.done.append("first"))
    page.rest.then(lambda: page.done.append("second"))
    qtbot.waitUntil(lambda: page.done == ["second"])
    page.rest.then(lambda: page.done.append("third"))
    page.rest.forget()
    QTest.qWait(300)
    assert page.done == ["second"]


def test_a_press_just_after_it_moved_under_the_pointer_does_nothing(
    moment: Moment, page: Page
) -> None:
    page.guard.moved()
    page.click(page.area)
    assert page.pressed == []
    page.click(page.beside)
    assert page.pressed == ["Grace"]
    moment.passes()
    page.click(page.area)
    assert page.pressed == ["Grace", "Ada"]


def test_what_moved_elsewhere_takes_presses_at_once(page: Page) -> None:
    page.point(page.beside)
    page.guard.moved()
    page.click(page.area)
    assert page.pressed == ["Ada"]


def test_the_end_of_a_press_that_was_taken_arrives_nowhere_either(
    moment: Moment, page: Page
) -> None:
    released: list[bool] = []
    page.area.released.connect(lambda: released.append(True))
    page.guard.moved()
    QTest.mousePress(*in_window(page.area))
    moment.passes()
    page.guard._end.setInterval(0)
    QTest.qWait(1)
    QTest.mouseRelease(*in_window(page.area))
    assert (page.pressed, released) == ([], [])
    page.click(page.area)
    assert page.pressed == ["Ada"]


def test_the_second_press_of_a_double_click_is_not_for_what_the_first_brought(page: Page) -> None:
    guard = DoubleClickGuard(page.window)
    guard.watch()
    layout = page.window.layout()
    assert layout is not None
    layout.setEnabled(False)

    def give_way() -> None:
        page.area.hide()
        page.beside.setGeometry(page.area.geometry())

    page.area.clicked.connect(give_way)
    where = in_window(page.area)
    QTest.mouseDClick(*where)
    assert page.pressed == ["Ada"]
    QTest.mouseClick(*where)
    assert page.pressed == ["Ada", "Grace"]


def test_what_stays_where_it_is_takes_both_presses_of_a_double_click(page: Page) -> None:
    guard = DoubleClickGuard(page.window)
    guard.watch()
    QTest.mouseDClick(*in_window(page.area))
    assert page.pressed == ["Ada", "Ada"]
