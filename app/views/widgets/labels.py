"""Labels of every kind: text from outside, cut with dots, broken where the line ends; tool tips;
and what a screen reader is to read out.
"""

import re
import unicodedata
from html import escape
from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTableWidgetItem


def native_keys(keys: QKeySequence) -> str:
    """The keys as this system writes them; blank for none."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


def announce(widget: QWidget, sentence: str, *, urgent: bool = False) -> None:
    """Have `sentence` read out; `urgent` interrupts what is being read."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # noqa: PLC0415 - not to start

    event = QAccessibleAnnouncementEvent(widget, sentence)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


def direction_of(text: str) -> Qt.LayoutDirection:
    """That of the first letter that has one; a number without letters reads from the left."""
    strong = (unicodedata.bidirectional(sign) for sign in text)
    first = next((kind for kind in strong if kind in {"L", "R", "AL"}), "L")
    return Qt.LayoutDirection.LeftToRight if first == "L" else Qt.LayoutDirection.RightToLeft


_LONGEST_LINE = 4096
"""Letters: more than the widest screen has room for in one line."""
_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
_PRINTED = (
    dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | dict.fromkeys(_CONTROLS, " ")
    | dict.fromkeys(_TURNING, "\u200b")
    | {ord("\n"): "\n"}
)


_IN_NO_FONT = re.compile("[\U00034000-\U000dffff\U000e1000-\U0010ffff]")
"""Planes without a character, and the private ones: every font there is would be looked through."""


def printed(text: str) -> str:
    """`text` with something harmless for each character that cannot be printed; as long as it was.

    Lines stay lines.
    """
    if text.isascii() and text.isprintable():
        return text
    return _IN_NO_FONT.sub("\ufffd", text.translate(_PRINTED))


def in_one_line(text: str) -> str:
    """The same in one line; what is behind the end of any line is not looked at."""
    return printed(text[:_LONGEST_LINE]).replace("\n", " ")


class PlainLabel(GuardedOverrides, QLabel):
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
    return in_one_line(text).replace("[*]", "[*][*]")


_LONGEST = 600


_TOLD = "told_tip"
"""What a widget has told of itself by its tip."""
NOTHING_MORE = " "
"""A description that adds nothing to the name: were there none, Qt would tell the tip, or what
stands in an empty field.
"""


def set_tip(shown: "QWidget | QTableWidgetItem", text: str) -> None:
    """Have `text` told, letter for letter, under the pointer and by a screen reader that has no
    other description, nor reads the same already; blank tells nothing.
    """
    tip = plain_tip(text)
    if isinstance(shown, QWidget) and shown.accessibleDescription() in {"", shown.property(_TOLD)}:
        # Or it would be told as it is written, with the marks around it; and also where nothing is.
        told = NOTHING_MORE if text and text == _name(shown) else text
        shown.setAccessibleDescription(told)
        shown.setProperty(_TOLD, told)
    shown.setToolTip(tip)


def _name(shown: QWidget) -> str:
    """What it is called by itself, for whoever does not see it."""
    named = shown.accessibleName()
    return named or (shown.text() if isinstance(shown, QLabel) else "")


def show_tip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show `text` now, at `place` on the screen; blank takes away what is shown."""
    QToolTip.showText(place, plain_tip(text), widget)


def plain_tip(text: str) -> str:
    """`text` as Qt shows it letter for letter, wrapped when it is long; blank stays so.

    What is longer than anybody reads under a pointer ends with dots.
    """
    text = printed(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>" if text else ""


_LEAST_LETTERS = 8
_DOTS = "…"
_NARROWEST = 2
"""Pixels: on an average no letter of any font that can be read is narrower."""
_WIDEST = 1_000
"""Letters: what is longer is wider than any place there is for it."""


def fitting(text: str, width: int, lines: int = 1) -> str:
    """As much of `text` as could fit into `lines` lines of `width` pixels, with dots where cut."""
    most = (max(width, 0) // _NARROWEST + _LEAST_LETTERS) * lines
    return text if len(text) <= most else f"{text[:most]}{_DOTS}"


def elided(text: str, metrics: QFontMetrics, width: int) -> str:
    """`text` in one line of `width` pixels, its end cut with dots where it is wider."""
    if _soon_measured(text):
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
    asked = (text, width, _face(metrics))
    if asked not in _ELIDED:
        _make_room(_ELIDED)
        shown = metrics.elidedText(fitting(text, width), Qt.TextElideMode.ElideRight, width)
        _ELIDED[asked] = shown
    return _ELIDED[asked]


def advance(text: str, metrics: QFontMetrics) -> int:
    """How wide `text` is in one line, in whole pixels that suffice for it to be `elided` nowhere;
    of a very long one, how wide enough of it is.
    """
    if _soon_measured(text):
        return _rounded_up(text, metrics)
    asked = (text, _face(metrics))
    if asked not in _ADVANCES:
        _make_room(_ADVANCES)
        _ADVANCES[asked] = _rounded_up(text[:_WIDEST], metrics)
    return _ADVANCES[asked]


def _rounded_up(text: str, metrics: QFontMetrics) -> int:
    # Qt rounds to the nearest pixel, and cuts what is wider by a fraction; a layout gives some
    # scripts, such as Devanagari, one pixel more.
    return metrics.horizontalAdvance(text) + (1 if text.isascii() else 2) if text else 0


_ELIDED: dict[tuple[str, int, tuple[int, ...]], str] = {}
_ADVANCES: dict[tuple[str, tuple[int, ...]], int] = {}
"""What was measured: whatever is on the screen is painted and laid out again and again, and letters
for which other fonts have to be looked through take a hundred times as long as plain ones.
"""
_MOST_MEASURED = 4_000
_SHORT = 60


def _soon_measured(text: str) -> bool:
    return len(text) <= _SHORT and text.isascii()


def _face(metrics: QFontMetrics) -> tuple[int, ...]:
    """What tells two fonts apart, or the same on another screen, by what letters take up."""
    return metrics.height(), metrics.ascent(), metrics.horizontalAdvance("Wfim 1")


def _make_room(measured: dict[Any, Any]) -> None:
    if len(measured) >= _MOST_MEASURED:
        measured.clear()


class ElidingLabel(PlainLabel):
    """One line of plain text; `text()` stays the whole."""

    def __init__(self, role: str = "") -> None:
        """`role` as the style sheet knows it."""
        super().__init__()
        self.setProperty("role", role)

    def setText(self, text: str) -> None:
        """Show `text`, as far as there is room."""
        super().setText(text)
        self._tell_whole()

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters is enough."""
        whole = super().minimumSizeHint()
        least = self.fontMetrics().averageCharWidth() * _LEAST_LETTERS
        return QSize(min(whole.width(), least), whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What does not fit any more can still be read."""
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, event: QPaintEvent) -> None:
        """As much as fits, from the side on which lines begin.

        The dots stand where the text goes on: at the right of an English name in a mirrored window.
        """
        with QPainter(self) as painter:
            painter.setLayoutDirection(direction_of(self.text()))
            self.style().drawItemText(
                painter,
                self.contentsRect(),
                int(self._side() | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter),
                self.palette(),
                self.isEnabled(),
                self._shown(),
                self.foregroundRole(),
            )

    def _side(self) -> Qt.AlignmentFlag:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        return Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft

    def _shown(self) -> str:
        return elided(self.text(), self.fontMetrics(), self.contentsRect().width())

    def _tell_whole(self) -> None:
        set_tip(self, self.text() if self._shown() != self.text() else "")


def broken_lines(text: str, font: QFont, width: int, direction: Qt.LayoutDirection) -> list[str]:
    """The lines that a text read in that direction is broken into, without the blanks at their
    ends, where a line has room for `width` pixels.
    """
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    option.setTextDirection(direction)
    layout = QTextLayout(text.replace("\n", _NEW_LINE), font)
    layout.setTextOption(option)
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        end = line.textStart() + line.textLength()
        lines.append(layout.text()[line.textStart() : end].rstrip(f" {_NEW_LINE}"))
    layout.endLayout()
    return lines


_NEW_LINE = "\u2028"
_FEWEST_LETTERS = 6


class ValueLabel(PlainLabel):
    """Plain text on as many lines as it needs, cut nowhere."""

    def __init__(self, text: str, role: str = "") -> None:
        """`role` is one of the style sheet's for labels."""
        super().__init__(text)
        self.setProperty("role", role)
        self._asked: tuple[int, str, str, bool] | None = None
        self._layout = QTextLayout()
        self._height = 0
        self._measured: tuple[str, str, bool] | None = None
        self._heights: dict[int, int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at `width`; layouts ask for a few widths again and again."""
        shown = self._now()
        if shown != self._measured:
            self._measured = shown
            self._heights.clear()
        if width not in self._heights:
            self._heights[width] = self._lay_out(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """All in one line."""
        metrics = self.fontMetrics()
        return QSize(advance(self.text(), metrics), metrics.height())

    def minimumSizeHint(self) -> QSize:
        """Wide enough for a few letters."""
        metrics = self.fontMetrics()
        return QSize(metrics.averageCharWidth() * _FEWEST_LETTERS, metrics.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines from the leading edge; a number reads as it does everywhere."""
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            self._lay_out(self.width())
            self._layout.draw(painter, QPointF())

    def _now(self) -> tuple[str, str, bool]:
        """What its lines depend on besides their width."""
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        return self.text(), self.font().key(), mirrored

    def _lay_out(self, width: int) -> int:
        """How high its lines are; worked out once for a painting after the other. Only a word that
        is longer than a line is broken.
        """
        text, font, mirrored = self._now()
        asked = (width, text, font, mirrored)
        if asked == self._asked:
            return self._height
        self._asked = asked
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(direction_of(text))
        self._layout = QTextLayout(text.replace("\n", _NEW_LINE), self.font())
        self._layout.setTextOption(option)
        self._layout.beginLayout()
        metrics = self.fontMetrics()
        height, leading = 0.0, metrics.leading()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            # In a script of another font a line may be lower; beside it stand those of this one.
            down = max(0.0, metrics.ascent() - line.ascent())
            line.setPosition(QPointF(0, height + down))
            height += max(down + line.height(), metrics.height()) + leading
        self._layout.endLayout()
        self._height = ceil(height - leading)
        return self._height
