"""The rows of the gaps: who is meant is read in the smallest window, in any language."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.gaps import GapRow
from app.viewmodels.flows.rows_on_demand import ROW_ROLE
from app.views.flows.gaps_page import GapDelegate

SMALLEST = 726
"""What a row has in a window of 784, beside a bar that scrolls."""


def painted(view: QListView, row: GapRow) -> QImage:
    item = QStandardItem()
    item.setData(row, ROW_ROLE)
    model = QStandardItemModel()
    model.appendRow(item)
    delegate, option = GapDelegate(view), QStyleOptionViewItem()
    option.font, option.fontMetrics = view.font(), view.fontMetrics()
    height = delegate.sizeHint(option, model.index(0, 0)).height()
    option.rect = QRect(0, 0, SMALLEST, height)
    image = QImage(SMALLEST, height, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.setFont(view.font())
        delegate.paint(painter, option, model.index(0, 0))
    return image


def gap(words: str, remark: str = "", *, flow: str = "Welcome", step: str = "") -> GapRow:
    return GapRow(FlowPlace("f1", None), words, flow, step, remark, highlights=((), (), (), ()))


@pytest.mark.parametrize(
    "words",
    [
        "Archived, deceased administrator: Harriet L{}",
        "Niemand ist für diesen Schritt verantwortlic{}",
        "Jemand, der nicht in Ihrer Liste ist (…ost{})",
    ],
)
def test_nobody_is_cut_off_where_the_window_is_small(qtbot: QtBot, words: str) -> None:
    view = QListView()
    qtbot.addWidget(view)
    one, other = (painted(view, gap(words.format(end))) for end in "fo")
    assert one != other
    one, other = (painted(view, gap("Nobody", words.format(end))) for end in "fo")
    assert one != other


@pytest.mark.parametrize(
    ("flow", "step"),
    [
        ("Neu im Kindergottesdiens{}", "3 · Schulung"),
        ("Raumvermietung", "6 · Gespräch über Mitarbeit (ausstehen{})"),
        ("Vermietung der Räume im Gemeindehaus und Garten {}", ""),
    ],
)
def test_flows_and_steps_with_long_words_stand_whole_there(
    qtbot: QtBot, flow: str, step: str
) -> None:
    view = QListView()
    qtbot.addWidget(view)
    one, other = (
        painted(view, gap("Niemand", flow=flow.format(end), step=step.format(end))) for end in "bd"
    )
    assert one != other
