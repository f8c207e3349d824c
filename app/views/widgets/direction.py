"""From which side a text is read, whichever side the window's lines begin on."""

import unicodedata

from PySide6.QtCore import Qt


def direction_of(text: str) -> Qt.LayoutDirection:
    """That of the first letter that has one; a number without letters reads from the left."""
    strong = (unicodedata.bidirectional(sign) for sign in text)
    first = next((kind for kind in strong if kind in {"L", "R", "AL"}), "L")
    return Qt.LayoutDirection.LeftToRight if first == "L" else Qt.LayoutDirection.RightToLeft
