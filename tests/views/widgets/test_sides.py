"""Where lines begin and end, from either side: cut names, links and ticks in line with words."""

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QCheckBox, QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.look.theme import Theme
from app.views.widgets.buttons import button, card, label
from app.views.widgets.labels import ElidingLabel
from app.views.widgets.layouts import FocusInset

LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
SIDES = pytest.mark.parametrize("side", [LEFT, RIGHT], ids=["left", "right"])


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> object:
    """The application as it is dressed, in the light theme."""
    made = Theme(qapp)
    made.choose("light")
    yield made
    shiboken6.delete(made)


def ink(picture: QImage) -> QRect:
    """The smallest box around everything that is not the ground."""
    ground = picture.pixel(0, 0)
    found = [
        QPoint(x, y)
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixel(x, y) != ground
    ]
    assert found
    xs, ys = [each.x() for each in found], [each.y() for each in found]
    return QRect(QPoint(min(xs), min(ys)), QPoint(max(xs), max(ys)))


def painted(qtbot: QtBot, text: str, side: Qt.LayoutDirection) -> QImage:
    window = QWidget()
    window.setLayoutDirection(side)
    row = QHBoxLayout(window)
    made = ElidingLabel("heading")
    made.setText(text)
    row.addWidget(made)
    window.resize(160, 60)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window.grab().toImage()


def low(picture: QImage, columns: QRect) -> bool:
    """Whether there is nothing but dots: ink of no more than three pixels in height."""
    return ink(picture.copy(columns)).height() <= 3


@SIDES
@pytest.mark.parametrize(
    ("name", "goes_on"),
    [
        ("Riverside Community Centre of the North", RIGHT),
        ("St. Mary (old) and all the saints of the North", RIGHT),
        ("كنيسة الجماعة على النهر في الشمال", LEFT),
    ],
)
def test_the_dots_of_a_cut_name_stand_where_the_name_goes_on(
    qtbot: QtBot, name: str, goes_on: Qt.LayoutDirection, side: Qt.LayoutDirection
) -> None:
    """And not where the lines of the window end."""
    picture = painted(qtbot, name, side)
    box = ink(picture)
    at_left = QRect(box.left() - 2, 0, 7, picture.height())
    at_right = QRect(box.right() - 5, 0, 7, picture.height())
    assert (low(picture, at_left), low(picture, at_right)) == (goes_on is LEFT, goes_on is RIGHT)


def test_a_short_name_stands_where_lines_begin(qtbot: QtBot) -> None:
    left, right = (ink(painted(qtbot, "Ada", side)) for side in (LEFT, RIGHT))
    assert left.left() < 20
    assert right.right() > 140


@SIDES
@pytest.mark.parametrize("name", ["Grace Lindqvist", "0400 771 020", "نور الدين"])
def test_a_name_in_any_script_begins_where_the_lines_of_the_window_begin(
    qtbot: QtBot, name: str, side: Qt.LayoutDirection
) -> None:
    window = QWidget()
    row = QHBoxLayout(window)
    row.addWidget(label(name), 1)
    window.setLayoutDirection(side)
    window.resize(300, 60)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    box = ink(window.grab().toImage())
    assert box.left() < 20 if side is LEFT else box.right() > 280


@SIDES
def test_a_link_and_a_tick_begin_where_the_words_above_them_begin(
    qtbot: QtBot, side: Qt.LayoutDirection
) -> None:
    window = card()
    window.setLayoutDirection(side)
    rows = QVBoxLayout(window)
    rows.setContentsMargins(18, 18, 18, 18)
    # Qt sets a link out by its first letter: this mark counts as one that is read leftwards.
    text = "H" * 8 if side is LEFT else "\N{RIGHT-TO-LEFT MARK}" + "H" * 8
    words, link, tick = label(text), button(text, list, "link"), QCheckBox("Keep")
    rows.addWidget(words)
    rows.addLayout(FocusInset(link))
    rows.addLayout(FocusInset(tick))
    window.resize(300, 160)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    link.clearFocus()
    picture = window.grab().toImage()

    def start(widget: QWidget) -> int:
        box = ink(picture.copy(QRect(4, widget.y() + 3, window.width() - 8, widget.height() - 6)))
        return box.left() if side is LEFT else box.right()

    assert abs(start(link) - start(words)) <= 1
    assert abs(start(tick) - start(words)) <= 2


def test_lines_that_are_broken_in_a_script_from_the_right_begin_one_below_the_other(
    qtbot: QtBot,
) -> None:
    window = QWidget()
    window.setLayoutDirection(RIGHT)
    row = QVBoxLayout(window)
    # With and without a Latin word at the end of a line, where the blank is another one.
    made = label("الجماعة " * 12 + "Front Desk " * 6 + "الجماعة " * 8, wraps=True)
    row.addWidget(made)
    window.resize(300, 200)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    picture = made.grab().toImage()
    ground = picture.pixel(0, 0)
    height = made.fontMetrics().height()
    whole = ink(picture)
    ends = []
    for top in range(whole.top(), whole.bottom(), height):
        line = picture.copy(0, top, picture.width(), height)
        if any(line.pixel(x, y) != ground for x in range(line.width()) for y in range(height)):
            ends.append(ink(line).right())
    assert len(ends) > 3
    assert max(ends) - min(ends) <= 2
