"""A sentence on amber with a warning sign: something is missing here."""

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views.theme import colour, tokens
from app.views.widgets.icons import icon
from app.views.widgets.marked_text import MarkedLabel
from app.views.widgets.tips import set_tip

_LINES = 4
_AIR = 3
_RADIUS = 10
_SET_ANEW = frozenset(
    {QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
)


class GapNote(MarkedLabel):
    """No wider than its words; it wraps where there is less room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Says nothing yet."""
        super().__init__("problem", _LINES, parent)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_margins()

    def say(self, words: str, tip: str = "") -> None:
        """Show `words`; `tip` says more."""
        # The dots before the end of an id stay with it when the line breaks.
        self.show_text(words.replace("…", "…\N{WORD JOINER}"), ())
        self.setAccessibleName(words)
        if tip:
            set_tip(self, tip)

    def changeEvent(self, event: QEvent) -> None:
        """Room for the sign, on the side where the line begins."""
        super().changeEvent(event)
        if event.type() in _SET_ANEW:
            self._set_margins()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and sign, then the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(tokens().amber_ground))
        painter.drawRoundedRect(self.rect(), _RADIUS, _RADIUS)
        side = self.fontMetrics().height()
        start = self.width() - 8 - side if self.is_mirrored() else 8
        icon("warning", "amber").paint(painter, QRect(start, _AIR, side, side))
        painter.end()
        super().paintEvent(event)

    def _set_margins(self) -> None:
        sign = self.fontMetrics().height() + 14
        mirrored = self.is_mirrored()
        self.setContentsMargins(10 if mirrored else sign, _AIR, sign if mirrored else 10, _AIR)
