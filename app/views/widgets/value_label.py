"""A label for what has no blanks to wrap at: long email addresses break where the line ends."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views.widgets.direction import direction_of
from app.views.widgets.eliding import advance
from app.views.widgets.plain_text import PlainLabel

_BREAKS = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
_FEWEST_LETTERS = 6


class ValueLabel(PlainLabel):
    """Plain text on as many lines as it needs, cut nowhere."""

    def __init__(self, text: str, role: str = "", parent: QWidget | None = None) -> None:
        """`role` is one of the style sheet's for labels."""
        super().__init__(text, parent)
        self.setProperty("role", role)
        self._asked: tuple[int, str, str] | None = None
        self._answer = QRect()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at `width`."""
        return self._bounds(width).height()

    def sizeHint(self) -> QSize:
        """All in one line."""
        metrics = self.fontMetrics()
        return QSize(advance(self.text(), metrics) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a few letters."""
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * _FEWEST_LETTERS, metrics.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines from the leading edge; a number reads as it does everywhere."""
        painter = QPainter(self)
        painter.setLayoutDirection(direction_of(self.text()))
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self._flags(), self.text())

    def _bounds(self, width: int) -> QRect:
        """Worked out once for all who ask: layouts ask many times."""
        asked = (width, self.text(), self.font().key())
        if asked != self._asked:
            room, metrics = QRect(0, 0, width, 0), self.fontMetrics()
            self._asked = asked
            self._answer = metrics.boundingRect(room, self._flags(), self.text())
        return self._answer

    def _flags(self) -> int:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        place = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
        return int(place) | int(_BREAKS)
