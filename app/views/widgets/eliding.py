"""A label that ends in three dots where the room ends, and says the whole as a tool tip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent

from app.views.widgets.direction import direction_of
from app.views.widgets.plain_text import PlainLabel
from app.views.widgets.tips import set_tip

_LEAST_LETTERS = 8


class ElidingLabel(PlainLabel):
    """One line of plain text; `text()` stays the whole."""

    def __init__(self, role: str = "") -> None:
        """`role` as the style sheet knows it."""
        super().__init__()
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        """Show `text`, as far as there is room."""
        super().setText(text)
        self._tell_whole()

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters is enough."""
        whole = super().minimumSizeHint()
        least = self.fontMetrics().averageCharWidth() * _LEAST_LETTERS
        return QSize(min(whole.width(), least), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What does not fit any more can still be read."""
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, event: QPaintEvent) -> None:
        """As much as fits, from the side on which lines begin.

        The dots stand where the text goes on: at the right of an English name in a mirrored window.
        """
        painter = QPainter(self)
        painter.setLayoutDirection(direction_of(self.text()))
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self._side() | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter),
            self.palette(),
            self.isEnabled(),
            self._shown(),
            self.foregroundRole(),
        )
        painter.end()

    def _side(self) -> Qt.AlignmentFlag:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        return Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft

    def _shown(self) -> str:
        width = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)

    def _tell_whole(self) -> None:
        set_tip(self, self.text() if self._shown() != self.text() else "")
