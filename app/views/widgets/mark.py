"""One of our icons by itself, beside words that say the same."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded import Guarded
from app.views.theme import ICON
from app.views.widgets.icons import icon


class Mark(Guarded, QWidget):
    """Follows the theme, takes no keyboard and is nothing to a screen reader."""

    def __init__(self, name: str, ink: str = "text", side: int = ICON) -> None:
        """`name` and `ink` as `icon` takes them; `side` in device independent pixels."""
        super().__init__()
        self._icon = icon(name, ink)
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon in the colours in force."""
        painter = QPainter(self)
        self._icon.paint(painter, self.rect())
        painter.end()
