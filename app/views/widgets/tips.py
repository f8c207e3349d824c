"""Tooltips that show what the account sends as it is: Qt would read some of it as markup.

No other place gives Qt a tooltip, so that none can forget.
"""

from html import escape

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QTableWidgetItem, QToolTip, QWidget

from app.views.widgets.plain_text import printed

_LONGEST = 600


def set_tip(shown: QWidget | QTableWidgetItem, text: str) -> None:
    """Have `text` told, letter for letter, under the pointer; blank tells nothing."""
    shown.setToolTip(plain_tip(printed(text)))


def show_tip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show `text` now, at `place` on the screen; blank takes away what is shown."""
    QToolTip.showText(place, plain_tip(text), widget)


def plain_tip(text: str) -> str:
    """`text` as Qt shows it letter for letter, wrapped when it is long; blank stays so.

    What is longer than anybody reads under a pointer ends with dots.
    """
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if text else ""
