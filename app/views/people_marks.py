"""One line of a row: cut with dots, its marked letters on a ground and underlined.

Plain letters that stand in the order they are read are drawn in one go, which is fast enough for a
whole screen at each key press. Whatever else a marked name is written in takes the slower way.
"""

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter

from app.people.search import Span
from app.views.theme import Tokens
from app.views.widgets.eliding import elided
from app.views.widgets.marked_text import draw_line
from app.views.widgets.plain_text import in_one_line

_PLAIN = re.compile("[ -~\u00a0-\u024f\u0370-\u03ff\u0400-\u052f\u1e00-\u1eff]*")
"""Latin, Greek and Cyrillic, put together: one sign a letter, from left to right."""
_DOTS = "…"
_FROM_LEFT, _AS_IT_BEGINS, _END = "\u2066", "\u2068", "\u2069"
_VERTICALLY = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT = int(Qt.AlignmentFlag.AlignLeft | _VERTICALLY)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | _VERTICALLY)


def apart(text: str, *, from_left: bool) -> str:
    """`text` to be painted in the order in which it is read, whatever way its window runs.

    `from_left` for what is no words: in a line from the right Qt would paint the groups of a phone
    number in the wrong order. Otherwise the first letter decides. Never for the clipboard.
    """
    return f"{_FROM_LEFT if from_left else _AS_IT_BEGINS}{text}{_END}"


def draw_plain(
    painter: QPainter, place: QRect, text: str, *, is_number: bool, mirrored: bool
) -> None:
    """Draw `text` in the painter's font and ink in the middle of `place`, cut with dots."""
    shown = elided(in_one_line(text), painter.fontMetrics(), place.width())
    if mirrored or not shown.isascii():
        shown = apart(shown, from_left=is_number)
    painter.drawText(place, _RIGHT if mirrored else _LEFT, shown)


def draw_marked(
    painter: QPainter,
    place: QRect,
    text: str,
    marks: Sequence[Span],
    look: Tokens,
    *,
    mirrored: bool,
) -> None:
    """The same with the `marks` of it, in the ink of the theme."""
    metrics, text = painter.fontMetrics(), in_one_line(text)
    shown = elided(text, metrics, place.width())
    whole = len(shown) if shown == text else len(shown) - len(_DOTS)
    seen = [(start, min(end, whole)) for start, end in marks if start < whole]
    if not _PLAIN.fullmatch(text):
        found = [(start, end - start) for start, end in seen]
        draw_line(painter, place, shown, found, look.text, mirrored=mirrored)
        return
    left = place.left()
    if mirrored:
        left = place.right() + 1 - metrics.horizontalAdvance(shown)
    baseline = place.top() + (place.height() - metrics.height()) // 2 + metrics.ascent()
    ground, ink = QColor(look.mark), QColor(look.text)
    for start, end in seen:
        x = left + metrics.horizontalAdvance(shown[:start])
        width = left + metrics.horizontalAdvance(shown[:end]) - x
        painter.fillRect(x, baseline - metrics.ascent(), width, metrics.height(), ground)
        painter.fillRect(x, baseline + metrics.underlinePos(), width, 1, ink)
    # Letters that are read from the left, which in a mirrored window is to be said: or the dots
    # would come before them, and every letter stand beside its mark.
    painter.drawText(left, baseline, apart(shown, from_left=True) if mirrored else shown)
