"""How a row of the People table is painted: name, badges, hairline, and who is chosen."""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.model.outbox import EntryState
from app.viewmodels.table import BADGES_ROLE, KEY_ROLE, STATE_ROLE
from app.views.theme import Tokens, colour, sized, tokens

Index = QModelIndex | QPersistentModelIndex
_MARGIN = 12
_GAP = 6
_BADGE_PADDING = 6
_MARK_WIDTH = 3
_NEEDS_PERSON = frozenset({EntryState.REFUSED, EntryState.NOT_SURE})


class PeopleDelegate(QStyledItemDelegate):
    """Paints one cell; the state beside a waiting entry can be clicked to undo it."""

    undo_clicked = Signal(object)
    """Carries the key of the entry."""

    def __init__(self, parent: QWidget) -> None:
        """`parent` is the view; rows get its font."""
        super().__init__(parent)
        self._small = sized(parent.font(), 0.85)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as name and badges together."""
        text = str(index.data() or "")
        width = option.fontMetrics.horizontalAdvance(text) + 2 * _MARGIN
        small = QFontMetrics(self._small)
        for badge in index.data(BADGES_ROLE) or ():
            width += small.horizontalAdvance(badge) + 2 * _BADGE_PADDING + _GAP
        return QSize(width, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell in the colours in force."""
        look = tokens()
        rect: QRect = option.rect
        painter.save()
        self._ground(painter, option, index, look)
        state = index.data(STATE_ROLE)
        font = QFont(option.font)
        font.setItalic(state is not None)
        painter.setFont(font)
        painter.setPen(colour(look.text))
        words = index.data(BADGES_ROLE) or ()
        small = QFontMetrics(self._small)
        badges_width = sum(small.horizontalAdvance(w) + 2 * _BADGE_PADDING + _GAP for w in words)
        space = rect.width() - 2 * _MARGIN - badges_width
        text = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, max(space, 24)
        )
        inside = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        painter.drawText(inside, _leading(option), text)
        for badge, place in self._badge_places(option, index):
            amber = state in _NEEDS_PERSON
            self._badge(painter, badge, place, look.amber if amber else look.soft, look)
        painter.restore()

    def editorEvent(
        self, event: QEvent, model: object, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click on the state of a waiting entry asks to undo it."""
        if (
            isinstance(event, QMouseEvent)
            and event.type() is QEvent.Type.MouseButtonRelease
            and index.data(STATE_ROLE) is EntryState.WAITING
            and any(
                place.contains(event.position()) for _, place in self._badge_places(option, index)
            )
        ):
            self.undo_clicked.emit(index.data(KEY_ROLE))
            return True
        return False

    def _ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, look: Tokens
    ) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour(look.selection))
            active = state & QStyle.StateFlag.State_Active
            if index.column() == 0 and active:
                mirrored = option.direction is Qt.LayoutDirection.RightToLeft
                x = rect.right() + 1 - _MARK_WIDTH if mirrored else rect.left()
                painter.fillRect(
                    QRect(x, rect.top(), _MARK_WIDTH, rect.height()), colour(look.accent)
                )
        painter.setPen(QPen(colour(look.line)))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _badge_places(self, option: QStyleOptionViewItem, index: Index) -> list[tuple[str, QRectF]]:
        words = index.data(BADGES_ROLE) or ()
        if not words:
            return []
        rect: QRect = option.rect
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        font = QFont(option.font)
        font.setItalic(index.data(STATE_ROLE) is not None)
        small = QFontMetrics(self._small)
        widths = [small.horizontalAdvance(word) + 2 * _BADGE_PADDING for word in words]
        name = QFontMetrics(font).horizontalAdvance(str(index.data() or ""))
        room = rect.width() - 2 * _MARGIN - sum(widths) - _GAP * len(widths)
        x = _MARGIN + min(name, max(room, 24)) + _GAP + 2
        height = small.height() + 4
        places = []
        for word, width in zip(words, widths, strict=True):
            left = rect.right() - x - width if mirrored else rect.left() + x
            top = rect.center().y() - height / 2
            places.append((word, QRectF(left, top, width, height)))
            x += width + _GAP
        return places

    def _badge(self, painter: QPainter, word: str, place: QRectF, ink: str, look: Tokens) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small)
        painter.setPen(QPen(colour(look.line if ink == look.soft else ink)))
        painter.drawRoundedRect(place, 5, 5)
        painter.setPen(colour(ink))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, word)


def _leading(option: QStyleOptionViewItem) -> int:
    mirrored = option.direction is Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute)
