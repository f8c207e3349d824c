"""Draws pages, in the colours of the light theme and the fonts of the system; and says how high a
text is, for the layout.
"""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPainterStateGuard,
    QPen,
    QTextLayout,
    QTextOption,
)

from app.viewmodels.exporting.printed_pages import (
    POINT,
    Arrow,
    Box,
    Ink,
    PrintedPage,
    Side,
    Text,
    TextStyle,
)
from app.views.look.theme import LIGHT, colour
from app.views.widgets.labels import printed

_SIZES = {
    TextStyle.COVER: (26.0, True),
    TextStyle.TITLE: (18.0, True),
    TextStyle.HEADING: (12.0, True),
    TextStyle.NAME: (10.0, True),
    TextStyle.BODY: (9.5, False),
    TextStyle.SMALL: (8.0, False),
}
"""In points, and whether it is bold."""
_DOTS = "…"
_NARROWEST = 2 * POINT
"""No letter that can be read is narrower on an average."""
_NEW_LINE = "\u2028"
_OPEN_ID = "(…\u2060"
"""The end of an id stays in the line of the dots before it."""
_MEASURED = 50_000
_HAIRLINE = 0.6 * POINT


def line_height(style: TextStyle) -> float:
    """The height of one line of Latin letters, in units of a page."""
    return _faces(_family())[style][1].lineSpacing()


def text_height(words: str, style: TextStyle, width: float, most_lines: int) -> float:
    """How high `words` are in lines of `width`, in units of a page."""
    return _height(_family(), words, style.value, round(width), most_lines)


def text_width(words: str, style: TextStyle) -> float:
    """How wide `words` are in one line, in units of a page."""
    return _faces(_family())[style][1].horizontalAdvance(printed(words))


def broken_text(words: str, style: TextStyle, width: float, most_lines: int) -> tuple[str, ...]:
    """`words` in pieces of at most `most_lines` lines of `width` each, none of them cut."""
    font, metrics = _faces(_family())[style]
    text = _as_set(words)
    if _NEW_LINE not in text and metrics.horizontalAdvance(text) <= width:
        return (words,)
    pieces = []
    most = _most_letters(width, most_lines)
    while text:
        layout = _broken(text[:most], font, width, most_lines, Qt.AlignmentFlag.AlignLeft)
        end = most
        if layout.lineCount() > most_lines:
            units = text[:most].encode("utf-16-le")[: 2 * layout.lineAt(most_lines).textStart()]
            end = len(units.decode("utf-16-le", "ignore"))
        pieces.append(text[:end].strip().replace(_OPEN_ID, "(…").replace(_NEW_LINE, "\n"))
        text = text[end:]
    return tuple(pieces) or (words,)


def paint_page(painter: QPainter, page: PrintedPage) -> None:
    """Draw `page` from the painter's origin; a scale has to make its units the device's.

    Where the window is mirrored the page is, too.
    """
    mirrored = QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in page.marks:
            left = page.width - mark.x - mark.width if mirrored else mark.x
            if isinstance(mark, Text):
                _paint_text(painter, mark, left, mirrored=mirrored)
            elif isinstance(mark, Box):
                _paint_box(painter, mark, left)
            else:
                _paint_arrow(painter, mark, left, mirrored=mirrored)


def _paint_text(painter: QPainter, text: Text, left: float, *, mirrored: bool) -> None:
    side = {
        Side.BEGIN: Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft,
        Side.END: Qt.AlignmentFlag.AlignLeft if mirrored else Qt.AlignmentFlag.AlignRight,
        Side.MIDDLE: Qt.AlignmentFlag.AlignHCenter,
    }[text.side]
    font = _faces(_family())[text.style][0]
    layout = _set(text.words, font, text.width, text.most_lines, side)
    painter.setPen(colour(_ink(text.ink)))
    layout.draw(painter, QPointF(left, text.y))


def _paint_box(painter: QPainter, box: Box, left: float) -> None:
    if box.edge is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        pen = QPen(colour(_ink(box.edge)), _HAIRLINE)
        if box.dashed:
            pen.setDashPattern([5, 4])
        painter.setPen(pen)
    brush = colour(getattr(LIGHT, box.ground)) if box.ground else Qt.BrushStyle.NoBrush
    painter.setBrush(brush)
    rect = QRectF(left, box.y, box.width, box.height)
    painter.drawRoundedRect(rect, box.radius, box.radius)


def _paint_arrow(painter: QPainter, arrow: Arrow, left: float, *, mirrored: bool) -> None:
    tip, tail = left + arrow.width, left
    if mirrored:
        tip, tail = tail, tip
    back = (tail - tip) * 0.4
    painter.setPen(QPen(colour(LIGHT.shadow), _HAIRLINE * 1.6))
    painter.drawLine(QLineF(tail, arrow.y, tip, arrow.y))
    for side in (-1, 1):
        painter.drawLine(QLineF(tip, arrow.y, tip + back, arrow.y + side * abs(back)))


def _ink(ink: Ink) -> str:
    return str(getattr(LIGHT, ink.value))


def _family() -> str:
    return QGuiApplication.font().family()


@lru_cache(maxsize=4)
def _faces(_family: str) -> dict[TextStyle, tuple[QFont, QFontMetricsF]]:
    """The application's own font in each style. Its letters keep their distance in every size."""
    made = {}
    for style, (points, bold) in _SIZES.items():
        font = QFont(QGuiApplication.font())
        font.setPixelSize(round(points * POINT))
        font.setBold(bold)
        # A search in a PDF finds no "ﬀ" for "ff".
        font.setFeature(QFont.Tag("liga"), 0)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        made[style] = (font, QFontMetricsF(font))
    return made


@lru_cache(maxsize=_MEASURED)
def _height(family: str, words: str, style: str, width: int, most_lines: int) -> float:
    """Keys of texts and numbers alone: the collector of cycles would look at those of a booklet
    again and again, and at each `TextStyle` in them, for longer than a frame.
    """
    font, metrics = _faces(family)[TextStyle(style)]
    if words.isascii() and "\n" not in words and metrics.horizontalAdvance(words) <= width:
        return metrics.lineSpacing()
    layout = _set(words, font, width, most_lines, Qt.AlignmentFlag.AlignLeft)
    last = layout.lineAt(layout.lineCount() - 1)
    return max(last.y() + last.height(), metrics.lineSpacing())


def _set(
    words: str, font: QFont, width: float, most_lines: int, side: Qt.AlignmentFlag
) -> QTextLayout:
    """`words` in at most as many lines, the last of them cut with dots where there is more."""
    text = _as_set(words)
    most = _most_letters(width, most_lines)
    text = text if len(text) <= most else f"{text[:most]}{_DOTS}"
    layout = _broken(text, font, width, most_lines, side)
    if layout.lineCount() <= most_lines:
        return layout
    units = text.encode("utf-16-le")
    start = layout.lineAt(most_lines - 1).textStart()
    before = units[: 2 * start].decode("utf-16-le", "ignore")
    rest = units[2 * start :].decode("utf-16-le", "ignore").replace(_NEW_LINE, " ")
    cut = QFontMetricsF(font).elidedText(rest, Qt.TextElideMode.ElideRight, width)
    return _broken(before + cut, font, width, most_lines, side, one_more=False)


def _as_set(words: str) -> str:
    return printed(words).replace("\n", _NEW_LINE).replace("(…", _OPEN_ID)


def _most_letters(width: float, most_lines: int) -> int:
    """More than as many lines can hold."""
    return (int(width / _NARROWEST) + 1) * most_lines


def _broken(
    text: str,
    font: QFont,
    width: float,
    most_lines: int,
    side: Qt.AlignmentFlag,
    *,
    one_more: bool = True,
) -> QTextLayout:
    """As many lines, and one more where there is more text."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    layout.beginLayout()
    height = 0.0
    while layout.lineCount() < most_lines + one_more and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
    layout.endLayout()
    return layout
