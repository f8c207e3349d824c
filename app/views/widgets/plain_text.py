"""Text from outside, shown letter for letter: no markup, no underlined letter, no second column.

Tooltips are `tips`'; where a text comes from, and how long it may be, is left to others.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.viewmodels.guarded import Guarded


class PlainLabel(Guarded, QLabel):
    """The one kind of label there is: Qt's own guesses whether a text is markup."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        """Shows `text`."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


def literal(text: str) -> str:
    """`text` for a button or a menu, where Qt underlines the letter behind an ampersand.

    In a menu a tab would begin the column of the keys.
    """
    return text.replace("&", "&&").replace("\t", " ")


def window_title(text: str) -> str:
    """`text` for the frame of a window, where Qt puts a star in place of `[*]`, or nothing."""
    return text.replace("[*]", "[*][*]")
