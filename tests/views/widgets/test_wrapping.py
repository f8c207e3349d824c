"""A row that wraps: every item in the room there is, in the order of reading."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.layouts import wrapping_box

LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


def places(
    qtbot: QtBot, width: int, direction: Qt.LayoutDirection, *, spread: bool = False
) -> list[tuple[int, int]]:
    """Where three items of 40 by 20 stand in a row of this width, 10 apart."""
    box, wrapping = wrapping_box(10, spread=spread)
    qtbot.addWidget(box)
    box.setLayoutDirection(direction)
    items = [QWidget() for _ in range(3)]
    for item in items:
        item.setFixedSize(40, 20)
        wrapping.insert_widget(item)
    box.resize(width, wrapping.heightForWidth(width))
    with qtbot.waitExposed(box):
        box.show()
    return [(item.x(), item.y()) for item in items]


@pytest.mark.parametrize(
    ("width", "direction", "wanted"),
    [
        (200, LEFT, [(0, 0), (50, 0), (100, 0)]),
        (100, LEFT, [(0, 0), (50, 0), (0, 30)]),
        (40, LEFT, [(0, 0), (0, 30), (0, 60)]),
        (200, RIGHT, [(160, 0), (110, 0), (60, 0)]),
        (100, RIGHT, [(60, 0), (10, 0), (60, 30)]),
    ],
)
def test_items_stand_side_by_side_and_begin_a_new_line_where_the_width_ends(
    qtbot: QtBot, width: int, direction: Qt.LayoutDirection, wanted: list[tuple[int, int]]
) -> None:
    assert places(qtbot, width, direction) == wanted


@pytest.mark.parametrize(
    ("width", "direction", "wanted"),
    [
        (200, LEFT, [(0, 0), (110, 0), (160, 0)]),
        (200, RIGHT, [(160, 0), (50, 0), (0, 0)]),
        (90, LEFT, [(0, 0), (50, 0), (0, 30)]),
    ],
)
def test_a_spread_line_has_its_room_behind_its_first_item(
    qtbot: QtBot, width: int, direction: Qt.LayoutDirection, wanted: list[tuple[int, int]]
) -> None:
    assert places(qtbot, width, direction, spread=True) == wanted


def test_a_row_of_nothing_takes_no_room(qtbot: QtBot) -> None:
    box, wrapping = wrapping_box()
    qtbot.addWidget(box)
    assert wrapping.heightForWidth(100) == 0
