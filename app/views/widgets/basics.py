"""Labels, buttons and cards in the few roles the style sheet knows."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from app.views.widgets.icons import icon as named_icon
from app.views.widgets.plain_text import PlainLabel
from app.views.widgets.pressing import Button

_INK = {"primary": "on_accent", "link": "accent"}
"""The colour of what is written on a button of that role, as a token."""


class _Words(PlainLabel):
    """Begins where the window's lines begin; Qt would have a name begin where its letters do."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._take_side()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._take_side()

    def _take_side(self) -> None:
        set_now = self.alignment()
        if set_now & Qt.AlignmentFlag.AlignHCenter:
            return
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        upright = set_now & Qt.AlignmentFlag.AlignVertical_Mask
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | upright)


def label(text: str, role: str = "", *, wraps: bool = False) -> QLabel:
    """A label that shows plain text only: what the service sends is never read as markup."""
    made = _Words(text)
    made.setProperty("role", role)
    made.setWordWrap(wraps)
    if wraps:
        made.setMinimumWidth(1)
    return made


def button(
    text: str, on_click: Callable[[], object], role: str = "", *, icon: str = ""
) -> QPushButton:
    """A button that runs `on_click` by click, Space or Enter; `icon` names one of ours for it."""
    made = Button(text)
    if icon:
        made.setIcon(named_icon(icon, _INK.get(role, "text")))
    made.setProperty("role", role)
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
