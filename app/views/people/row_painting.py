"""What is painted in a row of the People table: a line of text, its highlights, its badges.

Plain letters that stand in the order they are read are drawn in one go, which is fast enough for a
whole screen at each key press. Whatever else a marked name is written in takes the slower way.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.people.search import Span
from app.viewmodels.people.table import Cell
from app.views.widgets.highlighted_text import draw_line
from app.views.widgets.icons import icon
from app.views.widgets.labels import elided, in_one_line
from app.views.widgets.theme import ThemeColours, sized

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


def draw_highlighted(
    painter: QPainter,
    place: QRect,
    text: str,
    highlights: Sequence[Span],
    look: ThemeColours,
    *,
    mirrored: bool,
) -> None:
    """The same with the `highlights` of it, in the ink of the theme."""
    metrics, text = painter.fontMetrics(), in_one_line(text)
    shown = elided(text, metrics, place.width())
    whole = len(shown) if shown == text else len(shown) - len(_DOTS)
    seen = [(start, min(end, whole)) for start, end in highlights if start < whole]
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


MARGIN = 8
"""Between the edge of a cell and its text."""
_GAP = 6
_PADDING = 6
_LEAST_TEXT = 24
_TEXT_SHARE = 0.6
"""How much of a narrow cell is the name's before badges get any."""
_UNDO = 24
"""The side of what is clicked to undo: large enough to hit, too small to be hit in passing."""
_UNDO_ICON = 16
_TRAILING = 2
"""Between what is clicked to undo and the end of the cell."""


@dataclass(frozen=True, slots=True)
class Line:
    """One cell laid out: where its text, its badges and the undo mark stand."""

    text: QRect
    badges: tuple[tuple[str, QRectF], ...] = ()
    undo: QRect | None = None


class Badges:
    """Lays cells out for one font."""

    def __init__(self, font: QFont) -> None:
        """`font` is that of the texts; badges are written smaller."""
        self._small = sized(font, 0.85)
        self._metrics = QFontMetrics(self._small)
        self._undo = icon("undo", "accent")

    def line(self, rect: QRect, cell: Cell, text_width: int, *, mirrored: bool) -> Line:
        """Lay `cell` out in `rect`; its text would be `text_width` pixels wide."""
        if not cell.badges:
            return Line(_placed(rect, MARGIN, rect.width() - 2 * MARGIN, mirrored=mirrored))
        words = self._that_fit(rect.width() - 2 * MARGIN, cell, text_width)
        room = max(rect.width() - 2 * MARGIN - self._width(words, cell), _LEAST_TEXT)
        x = MARGIN + min(text_width, room) + _GAP
        badges = []
        for word in words:
            width = self._badge_width(word)
            badges.append((word, self._box(_placed(rect, x, width, mirrored=mirrored))))
            x += width + _GAP
        text = _placed(rect, MARGIN, room, mirrored=mirrored)
        if not cell.can_undo:
            return Line(text, tuple(badges))
        # Away from the name and always in the same place: nobody gets there by chance.
        undo = _placed(rect, rect.width() - _UNDO - _TRAILING, _UNDO, mirrored=mirrored)
        above = (undo.height() - _UNDO) // 2
        return Line(text, tuple(badges), undo.adjusted(0, above, 0, -above))

    def whole_width(self, cell: Cell, text_width: int) -> int:
        """The width of a cell in which nothing is cut or left out."""
        return text_width + 2 * MARGIN + 2 + self._width(cell.badges, cell)

    def paint(self, painter: QPainter, line: Line, ink: str, look: ThemeColours) -> None:
        """Paint the badges of a line, their words in `ink`, and what takes an entry back."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small)
        for word, place in line.badges:
            painter.setPen(QColor(look.line if ink == look.soft else ink))
            painter.drawRoundedRect(place, 5, 5)
            painter.setPen(QColor(ink))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, apart(word, from_left=False))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if line.undo is not None:
            mark = QRect(0, 0, _UNDO_ICON, _UNDO_ICON)
            mark.moveCenter(line.undo.center())
            self._undo.paint(painter, mark)

    def _that_fit(self, room: int, cell: Cell, text_width: int) -> tuple[str, ...]:
        """All of them, or as many as leave room for the name, and how many more there are."""
        left = room - min(text_width, round(room * _TEXT_SHARE))
        if cell.shorter is not None:
            return cell.badges if self._width(cell.badges, cell) <= left else cell.shorter
        kept = cell.badges
        for fewer in range(len(cell.badges) - 1, -1, -1):
            if self._width(kept, cell) <= left:
                break
            kept = (*cell.badges[:fewer], f"+{len(cell.badges) - fewer}")
        return kept

    def _width(self, words: Sequence[str], cell: Cell) -> int:
        badges = sum(self._badge_width(word) + _GAP for word in words)
        return badges + (_UNDO + _GAP if cell.can_undo else 0)

    def _badge_width(self, word: str) -> int:
        return self._metrics.horizontalAdvance(word) + 2 * _PADDING

    def _box(self, place: QRect) -> QRectF:
        height = self._metrics.height() + 4
        top = place.center().y() + 1 - height / 2
        return QRectF(place.left(), top, place.width(), height)


def _placed(rect: QRect, x: int, width: int, *, mirrored: bool) -> QRect:
    """As high as `rect`, `x` from the side on which its lines begin."""
    left = rect.right() + 1 - x - width if mirrored else rect.left() + x
    return QRect(left, rect.top(), width, rect.height())
