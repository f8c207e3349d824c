"""The small shapes of the strip of steps, drawn in the colours and the size of the text."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterStateGuard, QPen

from app.views.theme import colour, tokens

_LINE = 1.4


def draw_arrow(painter: QPainter, place: QRectF, *, mirrored: bool) -> None:
    """An arrow across `place`, from one step to the next."""
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_pen(tokens().soft))
        centre, half = place.center(), place.width() * 0.28
        tip = QPointF(centre.x() - half if mirrored else centre.x() + half, centre.y())
        back = half * 0.7 if mirrored else -half * 0.7
        tail = QPointF(centre.x() + half if mirrored else centre.x() - half, centre.y())
        painter.drawLine(tail, tip)
        painter.drawLine(tip, tip + QPointF(back, -abs(back)))
        painter.drawLine(tip, tip + QPointF(back, abs(back)))


def draw_pause(painter: QPainter, place: QRectF) -> None:
    """Two bars in a ring: a step that is not active."""
    with QPainterStateGuard(painter):
        with_ring = _ring(painter, place)
        x, y = with_ring.center().x(), with_ring.center().y()
        high, apart = with_ring.height() * 0.2, with_ring.width() * 0.13
        for side in (-apart, apart):
            painter.drawLine(QPointF(x + side, y - high), QPointF(x + side, y + high))


def draw_wait(painter: QPainter, place: QRectF) -> None:
    """A clock: a step that waits for one before it."""
    with QPainterStateGuard(painter):
        ring = _ring(painter, place)
        hands = QPainterPath(ring.center() + QPointF(0, -ring.height() * 0.3))
        hands.lineTo(ring.center())
        hands.lineTo(ring.center() + QPointF(ring.width() * 0.22, ring.height() * 0.1))
        painter.drawPath(hands)


def _ring(painter: QPainter, place: QRectF) -> QRectF:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(tokens().soft))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = place.adjusted(1, 1, -1, -1)
    painter.drawEllipse(inside)
    return inside


def _pen(ink: str) -> QPen:
    pen = QPen(colour(ink), _LINE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen
