"""How one flow is painted in the list: its name, its steps, and a mark where something misses."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.viewmodels.flow_list import GAPS_ROLE, STEPS_ROLE
from app.views.theme import colour, sized, tokens

_MARGIN = 14
_AIR = 9


class FlowDelegate(QStyledItemDelegate):
    """Two lines: the name with the mark opposite, the number of steps below."""

    def __init__(self, parent: QWidget) -> None:
        """`parent` is the view; rows get its font."""
        super().__init__(parent)
        self._small = sized(parent.font(), 0.88)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The same height for every flow."""
        lines = option.fontMetrics.height() + QFontMetrics(self._small).height()
        return QSize(120, lines + 2 * _AIR + 4)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the flow in the colours in force."""
        look = tokens()
        rect: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour(look.selection))
            if option.state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(
                    QRect(rect.left(), rect.top(), 3, rect.height()), colour(look.accent)
                )
        painter.setPen(QPen(colour(look.line)))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        inside = rect.adjusted(_MARGIN, _AIR, -_MARGIN, -_AIR)
        gaps = str(index.data(GAPS_ROLE) or "")
        small = QFontMetrics(self._small)
        room = inside.width() - (small.horizontalAdvance(gaps) + 10 if gaps else 0)
        leading = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
        trailing = int(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignTop)
        painter.setPen(colour(look.text))
        painter.setFont(option.font)
        name = option.fontMetrics.elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(inside, leading, name)
        painter.setFont(self._small)
        painter.setPen(colour(look.amber))
        painter.drawText(inside, trailing, gaps)
        painter.setPen(colour(look.soft))
        below = inside.adjusted(0, option.fontMetrics.height() + 4, 0, 0)
        painter.drawText(below, leading, str(index.data(STEPS_ROLE) or ""))
        painter.restore()
