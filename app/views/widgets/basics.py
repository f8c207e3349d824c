"""Labels, buttons and cards in the few roles the style sheet knows."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget


def label(text: str, role: str = "", *, wraps: bool = False) -> QLabel:
    """A label that shows plain text only: what the service sends is never read as markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wraps)
    if wraps:
        made.setMinimumWidth(1)
    return made


def button(text: str, on_click: Callable[[], object], role: str = "") -> QPushButton:
    """A push button that runs `on_click`."""
    made = QPushButton(text)
    made.setProperty("role", role)
    made.setAutoDefault(False)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if role == "link":
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    made.clicked.connect(lambda _checked=False: on_click())
    return made


def card() -> QFrame:
    """A raised surface with a hairline around it."""
    made = QFrame()
    made.setProperty("role", "card")
    return made


def rule() -> QFrame:
    """A hairline."""
    made = QFrame()
    made.setProperty("role", "rule")
    return made


def set_flag(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at, and have it look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
