"""Text of the account's own, with the words that were searched for marked in it.

It is drawn as it is, never read as markup, and breaks inside a word where the word is longer than
the line. Painting never takes long: what is left when a turn is over is painted in the next.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from time import thread_time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QRegion,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import colour, sized, tokens
from app.views.widgets.labels import PlainLabel, advance, elided, fitting, in_one_line, set_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCharFormat

Highlights = Sequence[tuple[int, int]]
_DOTS = "…"
_NEW_LINE = "\u2028"
"""What a text layout takes for the end of a line."""


def draw_line(
    painter: QPainter,
    rect: QRect,
    text: str,
    found: Highlights,
    ink: str,
    *,
    mirrored: bool,
    strong: Highlights = (),
    amber: Highlights = (),
    fits: bool = False,
) -> None:
    """Draw one line in the painter's font, cut with dots, at the height of `rect`'s middle.

    `strong` stands out, `amber` says that something is missing there. With `fits`, the text is
    known to be one line that has room.
    """
    metrics = painter.fontMetrics()
    # Bold letters are wider, and so wide the line would break before they are seen.
    widest = QFontMetrics(sized(painter.font(), 1, bold=True)) if strong else metrics
    shown = text if fits else elided(in_one_line(text), widest, rect.width())
    top = rect.top() + (rect.height() - metrics.height()) / 2
    if not mirrored and _is_plain(shown):
        # Which takes a third of the time of a layout; what is read from the right needs one.
        at = QPointF(rect.left(), top + metrics.ascent())
        _draw_plain(painter, at, shown, found, ink, strong=strong, amber=amber)
        return
    formats: list[QTextLayout.FormatRange] = []
    if strong or amber:
        from PySide6.QtGui import QTextCharFormat  # noqa: PLC0415 - see `_draw`

        bold, missing = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        missing.setForeground(colour(tokens().amber))
        formats = [*_ranges(shown, strong, bold), *_ranges(shown, amber, missing)]
    # A layout adds fractions of pixels up, by which what was measured to fit may be too wide.
    font, width = painter.font(), rect.width()
    layout = _layout(shown, font, width, 1, mirrored=mirrored, formats=formats, wraps=False)
    _draw(painter, layout, QPointF(rect.left(), top), found, ink)


def draw_lines(
    painter: QPainter,
    rect: QRect,
    text: str,
    found: Highlights,
    ink: str,
    *,
    lines: int,
    mirrored: bool,
) -> None:
    """The same in as many as `lines` lines around `rect`'s middle, the last one cut with dots."""
    metrics, text = painter.fontMetrics(), in_one_line(text)
    if advance(text, metrics) <= rect.width():
        draw_line(painter, rect, text, found, ink, mirrored=mirrored)
        return
    layout = _in_lines(text, painter.font(), rect.width(), lines, mirrored=mirrored)
    height = min(layout.lineCount(), lines) * metrics.lineSpacing()
    top = rect.top() + (rect.height() - height) / 2
    _draw(painter, layout, QPointF(rect.left(), top), found, ink)


def _draw_plain(
    painter: QPainter,
    at: QPointF,
    text: str,
    found: Highlights,
    ink: str,
    *,
    strong: Highlights = (),
    amber: Highlights = (),
) -> None:
    """Draw a line that needs no layout, piece by piece, from `at` on its base line.

    A layout draws all of it once more for each piece that was found.
    """
    before = painter.pen()
    if not (found or strong or amber):
        painter.setPen(QColor(ink))
        painter.drawText(at, text)
        painter.setPen(before)
        return
    look, font = tokens(), painter.font()
    x = at.x()
    ends = {end for start, length in (*found, *strong, *amber) for end in (start, start + length)}
    cuts = sorted({0, len(text), *(end for end in ends if end < len(text))})
    for start, end in pairwise(cuts):
        piece, marked = text[start:end], _covers(found, start)
        face = _face(font, strong=_covers(strong, start), marked=marked)
        metrics = QFontMetricsF(face)
        width = metrics.horizontalAdvance(piece)
        if marked:
            high = QRectF(x, at.y() - metrics.ascent(), width, metrics.height())
            painter.fillRect(high, colour(look.mark))
        missing = not marked and _covers(amber, start)
        painter.setPen(colour(look.text if marked else look.amber if missing else ink))
        painter.setFont(face)
        painter.drawText(QPointF(x, at.y()), piece)
        x += width
    painter.setFont(font)
    painter.setPen(before)


_LATIN = re.compile("[ -~\u00a1-\u00ac\u00ae-\u024f\u1e00-\u1eff…]*")
"""One letter stands behind the other here, whichever they are."""


def _is_plain(text: str) -> bool:
    return text.isascii() or _LATIN.fullmatch(text) is not None


def _face(font: QFont, *, strong: bool, marked: bool) -> QFont:
    if not (strong or marked):
        return font
    face = QFont(font)
    if strong:
        face.setWeight(QFont.Weight.DemiBold)
    if marked:
        face.setUnderline(True)
    return face


def _covers(spans: Highlights, place: int) -> bool:
    return any(start <= place < start + length for start, length in spans)


class HighlightedLabel(PlainLabel):
    """A wrapping label of at most `lines` lines; what does not fit is in its tooltip."""

    def __init__(self, role: str, lines: int, parent: QWidget | None = None) -> None:
        """`role` is the style sheet's."""
        super().__init__(parent=parent)
        self.setProperty("role", role)
        self._lines = lines
        self._highlights: Highlights = ()
        self._heights: dict[int, int] = {}
        self._painted: tuple[int, bool, QTextLayout] | None = None
        self._hints: tuple[QSize, QSize] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str, found: Highlights) -> None:
        """Show `text` with the characters in `found` marked."""
        if text != self.text():
            self._measure_anew()
            self.setText(text)
            set_tip(self, text)
        if tuple(found) != tuple(self._highlights):
            self._highlights = tuple(found)
            self.update()

    def limit(self, lines: int) -> None:
        """From now on have at most as many lines."""
        if lines != self._lines:
            self._lines = lines
            self._measure_anew()
            self.updateGeometry()
            self.update()

    def setContentsMargins(self, left: int, top: int, right: int, bottom: int) -> None:  # type: ignore[override]  # one way is enough
        """Other margins, another size."""
        self._measure_anew()
        super().setContentsMargins(left, top, right, bottom)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of the lines at `width`; layouts ask for it many times."""
        if width not in self._heights:
            self._heights[width] = self._measure(width)
        return self._heights[width]

    def changeEvent(self, event: QEvent) -> None:
        """Another font, another size."""
        self._measure_anew()
        super().changeEvent(event)

    def _measure(self, width: int) -> int:
        around = self.contentsMargins()
        room = width - around.left() - around.right()
        if "\n" not in self.text() and width >= self.sizeHint().width():
            lines = 1  # which is far sooner known than how a text breaks
        else:
            text = fitting(self.text(), room, self._lines)
            layout = _layout(text, self.font(), room, self._lines, mirrored=self.is_mirrored())
            lines = max(1, min(layout.lineCount(), self._lines))
        return lines * self.fontMetrics().lineSpacing() + around.top() + around.bottom()

    def sizeHint(self) -> QSize:
        """In one line."""
        return self._sizes()[0]

    def minimumSizeHint(self) -> QSize:
        """May be squeezed: it wraps anywhere."""
        return self._sizes()[1]

    def _sizes(self) -> tuple[QSize, QSize]:
        if self._hints is None:
            metrics, around = self.fontMetrics(), self.contentsMargins()
            longest = max((advance(line, metrics) for line in self.text().split("\n")), default=0)
            height = metrics.lineSpacing()
            sizes = QSize(longest, height), QSize(1, height)
            self._hints = sizes[0].grownBy(around), sizes[1].grownBy(around)
        return self._hints

    def _measure_anew(self) -> None:
        self._heights.clear()
        self._hints = self._painted = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines; the last one that has room is cut with dots when there are more."""
        with QPainter(self) as painter:
            ink = self.palette().color(self.foregroundRole()).name()
            room = self.contentsRect()
            asked = room.width(), self.is_mirrored()
            if self._painted is None or self._painted[:2] != asked:
                self._painted = (*asked, self._shortened(room.width()))
            layout = self._painted[2]
            alone = layout.lineCount() == 1 and not self.is_mirrored() and _is_plain(layout.text())
            if self._highlights and alone:
                at = QPointF(room.left(), room.top() + layout.lineAt(0).ascent())
                _draw_plain(painter, at, layout.text(), self._highlights, ink)
            else:
                _draw(painter, layout, QPointF(room.topLeft()), self._highlights, ink)

    def _shortened(self, width: int) -> QTextLayout:
        mirrored = self.is_mirrored()
        return _in_lines(self.text(), self.font(), width, self._lines, mirrored=mirrored)

    def is_mirrored(self) -> bool:
        """Whether lines begin on the right."""
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft


def _in_lines(text: str, font: QFont, width: int, lines: int, *, mirrored: bool) -> QTextLayout:
    """No more than `lines`; the last one is cut with dots where there is more text."""
    text = fitting(text, width, lines)
    layout = _layout(text, font, width, lines, mirrored=mirrored)
    if layout.lineCount() <= lines:
        return layout
    start = layout.lineAt(lines - 1).textStart()
    units = text.encode("utf-16-le")
    before = units[: 2 * start].decode("utf-16-le", "ignore")
    rest = units[2 * start :].decode("utf-16-le", "ignore")
    metrics = QFontMetrics(font)
    room = width - advance(_DOTS, metrics)
    text = before + elided(rest, metrics, room)
    return _layout(text, font, width, lines, mirrored=mirrored)


def _layout(
    text: str,
    font: QFont,
    width: int,
    lines: int,
    *,
    mirrored: bool,
    formats: Sequence[QTextLayout.FormatRange] = (),
    wraps: bool = True,
) -> QTextLayout:
    """As many `lines`, and one more where there is more text."""
    layout = QTextLayout(text.replace("\n", _NEW_LINE), font)
    if formats:
        layout.setFormats(formats)
    option = QTextOption()
    wrap = QTextOption.WrapMode
    option.setWrapMode(wrap.WrapAtWordBoundaryOrAnywhere if wraps else wrap.NoWrap)
    # A name in another script stands where the window begins its lines, as all others do.
    side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    spacing = QFontMetrics(font).lineSpacing()
    layout.beginLayout()
    height = 0
    while layout.lineCount() <= lines and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        line.setPosition(QPointF(0, height))
        height += spacing
    layout.endLayout()
    return layout


def _draw(painter: QPainter, layout: QTextLayout, at: QPointF, found: Highlights, ink: str) -> None:
    """Draw it in `ink`, what was found on the ground for it and underlined."""
    before = painter.pen()
    painter.setPen(QColor(ink))
    if found:
        look = tokens()
        # What it can say is a long list, which no start needs.
        from PySide6.QtGui import QTextCharFormat  # noqa: PLC0415 - see above

        mark = QTextCharFormat()
        mark.setForeground(colour(look.text))
        mark.setBackground(colour(look.mark))
        mark.setFontUnderline(True)
        layout.draw(painter, at, _ranges(layout.text(), found, mark))
    else:
        layout.draw(painter, at)
    painter.setPen(before)


def _ranges(
    text: str, spans: Highlights, style: "QTextCharFormat"
) -> list[QTextLayout.FormatRange]:
    """These characters of `text`, which may be cut, in `style`."""
    return [
        _range(_units(text[:start]), _units(text[start : start + length]), style)
        for start, length in spans
        if start < len(text)
    ]


def _range(start: int, length: int, style: "QTextCharFormat") -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, style
    return made


def _units(text: str) -> int:
    """Qt counts in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_SECONDS = 0.03
"""Of the processor, for all texts of one painting; a screenful of plain ones takes a third."""


class PaintBudget(GuardedOverrides, QTimer):
    """How much time is left for the texts of one painting of a widget."""

    def __init__(self, painted: QWidget) -> None:
        """Without `begin` there is as much as anybody wants."""
        super().__init__(painted)
        self._painted = painted
        self._until = inf
        self._begun = False
        self._left_out = QRegion()
        self.setSingleShot(True)
        self.timeout.connect(self._paint_the_rest)

    def begin(self) -> None:
        """A painting begins."""
        self._begun = False
        self._until = thread_time() + _SECONDS

    def allows(self, rect: QRect) -> bool:
        """Whether the text at `rect` may be painted now, as the first may in each painting.

        Else `rect` is painted again in the next turn.
        """
        if not self._begun or thread_time() <= self._until:
            self._begun = True
            return True
        self._left_out += rect
        self.start()
        return False

    def _paint_the_rest(self) -> None:
        region, self._left_out = self._left_out, QRegion()
        self._painted.update(region)
