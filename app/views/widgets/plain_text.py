"""Text from outside, shown letter for letter: no markup, no underlined letter, no second column.

What cannot be printed is not: a sign that turns the order of letters would turn the rest of a
sentence, too. Tooltips are `tips`'; where a text comes from, and how long it may be, is left to
others.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.viewmodels.guarded import Guarded

_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
_PRINTED = (
    dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | dict.fromkeys(_CONTROLS, " ")
    | dict.fromkeys(_TURNING, "\u200b")
    | {ord("\n"): "\n"}
)


def printed(text: str) -> str:
    """`text` with something harmless for each character that cannot be printed; as long as it was.

    Lines stay lines.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_PRINTED)


def in_one_line(text: str) -> str:
    """The same in one line."""
    return printed(text).replace("\n", " ")


class PlainLabel(Guarded, QLabel):
    """The one kind of label there is: Qt's own guesses whether a text is markup."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        """Shows `text`."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show `text`."""
        super().setText(printed(text))


def literal(text: str) -> str:
    """`text` for a button or a menu, where Qt underlines the letter behind an ampersand.

    In a menu a tab would begin the column of the keys.
    """
    return in_one_line(text).replace("&", "&&")


def window_title(text: str) -> str:
    """`text` for the frame of a window, where Qt puts a star in place of `[*]`, or nothing."""
    return text.replace("[*]", "[*][*]")
