"""Text that ends in three dots where the room ends, and a label that says the whole as a tool tip.

Nobody asks Qt to lay out more of a text than could fit: a long one, or letters with a hundred
accents each, would take it seconds.
"""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent

from app.views.widgets.direction import direction_of
from app.views.widgets.plain_text import PlainLabel
from app.views.widgets.tips import set_tip

_LEAST_LETTERS = 8
_DOTS = "…"
_NARROWEST = 2
"""Pixels: on an average no letter of any font that can be read is narrower."""
_WIDEST = 1_000
"""Letters: what is longer is wider than any place there is for it."""


def fitting(text: str, width: int, lines: int = 1) -> str:
    """As much of `text` as could fit into `lines` lines of `width` pixels, with dots where cut."""
    most = (max(width, 0) // _NARROWEST + _LEAST_LETTERS) * lines
    return text if len(text) <= most else f"{text[:most]}{_DOTS}"


def elided(text: str, metrics: QFontMetrics, width: int) -> str:
    """`text` in one line of `width` pixels, its end cut with dots where it is wider."""
    return metrics.elidedText(fitting(text, width), Qt.TextElideMode.ElideRight, width)


def advance(text: str, metrics: QFontMetrics) -> int:
    """How wide `text` is in one line, in pixels; of a very long one, how wide enough of it is."""
    return metrics.horizontalAdvance(text[:_WIDEST])


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
        return elided(self.text(), self.fontMetrics(), self.contentsRect().width())

    def _tell_whole(self) -> None:
        set_tip(self, self.text() if self._shown() != self.text() else "")
