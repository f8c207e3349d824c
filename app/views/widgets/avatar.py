"""A round mark with a person's initials."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded import Guarded
from app.views.theme import colour, sized, tokens

_SIZE = 52


class Avatar(Guarded, QWidget):
    """Decoration only: the name stands beside it."""

    def __init__(self, initials: str, parent: QWidget | None = None) -> None:
        """`initials` are at most two letters."""
        super().__init__(parent)
        self._initials = initials
        self.setFixedSize(_SIZE, _SIZE)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the mark in the colours in force."""
        look = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.accent_ground))
        painter.drawEllipse(self.rect())
        painter.setPen(colour(look.accent))
        painter.setFont(sized(self.font(), 1.4))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._initials)
