"""How one flow is painted in the list: its name, its steps, and a mark where something misses."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QPainter, QPainterStateGuard, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.runtime.words import trn
from app.viewmodels.flow_list import GAPS_ROLE, ROW_ROLE, FlowRow
from app.viewmodels.guarded import Guarded
from app.views.theme import Tokens, colour, sized, tokens
from app.views.widgets.icons import icon
from app.views.widgets.marked_text import draw_line
from app.views.widgets.plain_text import in_one_line
from app.views.widgets.tips import show_tip

Index = QModelIndex | QPersistentModelIndex
_MARGIN = 14
_AIR = 9
_BETWEEN = 3
_BAR = 3
_MOST_IN_A_TIP = 8


class FlowDelegate(Guarded, QStyledItemDelegate):
    """Two lines: the name with the mark opposite; the number of steps or why it was found below."""

    def __init__(self, parent: QWidget) -> None:
        """`parent` is the view; rows get its font."""
        super().__init__(parent)
        self._warning = icon("warning", "amber")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The same height for every flow."""
        lines = option.fontMetrics.height() + QFontMetrics(_small(option.font)).height()
        return QSize(120, lines + 2 * _AIR + _BETWEEN)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the flow in the colours in force."""
        row = index.data(ROW_ROLE)
        if not isinstance(row, FlowRow):
            return
        look = tokens()
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        with QPainterStateGuard(painter):
            self._ground(painter, option, look, mirrored=mirrored)
            inside = option.rect.adjusted(_MARGIN, _AIR, -_MARGIN, -_AIR)
            first = QRect(inside.topLeft(), QSize(inside.width(), option.fontMetrics.height()))
            small = _small(option.font)
            below = QRect(first.bottomLeft(), QSize(inside.width(), QFontMetrics(small).height()))
            below.translate(0, _BETWEEN + 1)
            taken = self._gaps(painter, first, row.gaps_words, small, mirrored=mirrored)
            name = first.adjusted(taken, 0, 0, 0) if mirrored else first.adjusted(0, 0, -taken, 0)
            painter.setFont(option.font)
            draw_line(painter, name, row.name, row.name_marks, look.text, mirrored=mirrored)
            painter.setFont(small)
            draw_line(
                painter, below, row.second_line, row.found_marks, look.soft, mirrored=mirrored
            )

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Say the whole name, why it was found, and what is missing."""
        row = index.data(ROW_ROLE)
        if event.type() is not QEvent.Type.ToolTip or not isinstance(row, FlowRow):
            return False
        show_tip(event.globalPos(), _tip(row, index.data(GAPS_ROLE)), view)
        return True

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, look: Tokens, *, mirrored: bool
    ) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.setPen(QPen(colour(look.line)))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if not state & QStyle.StateFlag.State_Selected:
            return
        painter.fillRect(rect.adjusted(0, 0, 0, -1), colour(look.selection))
        # A bar tells the chosen one by more than its ground.
        x = rect.right() + 1 - _BAR if mirrored else rect.left()
        painter.fillRect(QRect(x, rect.top(), _BAR, rect.height() - 1), colour(look.accent))

    def _gaps(
        self, painter: QPainter, line: QRect, words: str, font: QFont, *, mirrored: bool
    ) -> int:
        """Paint sign and words at the end of the line; gives the width they take."""
        if not words:
            return 0
        metrics = QFontMetrics(font)
        side = metrics.height()
        width = metrics.horizontalAdvance(words) + side + 6
        start = line.left() if mirrored else line.right() + 1 - width
        place = QRect(start, line.top(), width, line.height())
        sign = QRect(place.left(), place.center().y() - side // 2 + 1, side, side)
        text = place.adjusted(side + 4, 0, 0, 0)
        if mirrored:
            sign.moveRight(place.right())
            text = place.adjusted(0, 0, -side - 4, 0)
        self._warning.paint(painter, sign)
        painter.setFont(font)
        draw_line(painter, text, words, (), tokens().amber, mirrored=mirrored)
        return width + 8


def _small(font: QFont) -> QFont:
    return sized(font, 0.88)


def _tip(row: FlowRow, gaps: Sequence[str]) -> str:
    more = len(gaps) - _MOST_IN_A_TIP
    lines = [row.name, row.found_by, *gaps[:_MOST_IN_A_TIP]]
    if more > 0:
        lines.append(trn("and {n} more", "and {n} more", more))
    return "\n".join(in_one_line(line) for line in lines if line)
