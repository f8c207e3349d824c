"""How many people were added in each month, as bars that paint themselves; each says its
figures when pointed at or stepped to, and all of them are told to who cannot see them.
"""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.runtime.words import tr, with_own_digits
from app.viewmodels.flows.what_is_new.people_added import PeopleAdded
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import RADIUS_SMALL, RING, colour, sized, tokens
from app.views.widgets.labels import advance, announce, show_tip

_SMALL = 0.88
_HIGHEST = 260
_WIDEST = 26
_GAP = 0.3
"""Of a bar's place, before the next."""
_LEAST = 2.0
"""Pixels of a bar of anybody at all."""
_PALE = 0.45
_AIR = 6
_YEAR_GAP = 12


class PeopleAddedChart(GuardedOverrides, QWidget):
    """Shows a `PeopleAdded`; the arrow keys lead from month to month."""

    month_chosen = Signal(object)
    """Carries what is said of a month that somebody stepped to; blank for none."""

    def __init__(self) -> None:
        """Nothing is shown."""
        super().__init__()
        self._added = PeopleAdded()
        self._chosen: int | None = None
        self.setAccessibleName(tr("People added, by month"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(_HIGHEST)

    def show_added(self, added: PeopleAdded) -> None:
        """Show these months from now on."""
        if added != self._added:
            self._added = added
            self._choose(None)
            self.setAccessibleDescription(f"{added.summary}. {added.spoken}".strip())
            self.update()

    def bar_at(self, point: QPointF) -> int | None:
        """The number of the month that has its bar above or below `point`; None for none."""
        for number in range(len(self._added.months)):
            column = self._column(number)
            if column.left() <= point.x() < column.right():
                return number
        return None

    def bar(self, number: int) -> QRectF:
        """Where the bar of a month stands; of no height where nobody was added."""
        column, one = self._column(number), self._added.months[number]
        height = column.height() * one.count / max(self._added.most, 1)
        height = max(height, _LEAST) if one.count else 0.0
        air = column.width() * _GAP / 2
        return column.adjusted(air, column.height() - height, -air, 0)

    def sizeHint(self) -> QSize:
        """Takes the room it is given."""
        return QSize(240, 220)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed."""
        return QSize(80, 80)

    def event(self, event: QEvent) -> bool:
        """What is pointed at says its figures."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self.bar_at(QPointF(event.pos()))
            words = self._added.months[number].words if number is not None else ""
            show_tip(event.globalPos(), words, self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows lead to the month before or after, Home and End to the first and the last."""
        last = len(self._added.months) - 1
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        here = last if self._chosen is None else self._chosen
        before, after = (1, -1) if mirrored else (-1, 1)
        # The first press says where the keyboard is.
        ways = {
            Qt.Key.Key_Left: here if self._chosen is None else here + before,
            Qt.Key.Key_Right: here if self._chosen is None else here + after,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if last < 0 or event.key() not in ways:
            super().keyPressEvent(event)
            return
        self._choose(min(max(ways[Qt.Key(event.key())], 0), last))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Nothing is stepped to any more."""
        super().focusOutEvent(event)
        self._choose(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A ring says where the keyboard is."""
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars, this month's strong, and the years below."""
        look, painter = tokens(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bars = self._bars()
        months = self._added.months
        for number in range(len(months)):
            ink = colour(look.accent)
            strong = number in {len(months) - 1, self._chosen}
            ink.setAlphaF(1.0 if strong else _PALE)
            painter.setBrush(ink)
            painter.setPen(Qt.PenStyle.NoPen)
            there = self.bar(number)
            painter.drawRoundedRect(there, min(2.0, there.width() / 3), 2.0)
        painter.setPen(QPen(colour(look.edge)))
        painter.drawLine(bars.bottomLeft(), bars.bottomRight())
        self._paint_years(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(look.accent), RING))
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(inside, RADIUS_SMALL, RADIUS_SMALL)

    def _paint_years(self, painter: QPainter) -> None:
        """Each under its first month, where there is room."""
        painter.setFont(sized(self.font(), _SMALL))
        painter.setPen(colour(tokens().soft))
        metrics = QFontMetrics(painter.font())
        taken: list[QRect] = []
        last: int | None = None
        for number, one in enumerate(self._added.months):
            if one.year == last:
                continue
            last, words = one.year, with_own_digits(one.year)
            width = advance(words, metrics)
            column = self._column(number)
            mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            left = round(column.right() - width if mirrored else column.left())
            left = min(max(left, _AIR), self.width() - _AIR - width)
            rect = QRect(left, round(column.bottom()) + 4, width, metrics.height())
            if not any(rect.adjusted(-_YEAR_GAP, 0, _YEAR_GAP, 0).intersects(t) for t in taken):
                taken.append(rect)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)

    def _bars(self) -> QRectF:
        """The room that the bars have."""
        years = QFontMetrics(sized(self.font(), _SMALL)).height() + 6
        return QRectF(self.rect()).adjusted(_AIR, _AIR, -_AIR, -years - _AIR)

    def _column(self, number: int) -> QRectF:
        """The place of a month, from the top to the line the bars stand on."""
        bars = self._bars()
        width = min(bars.width() / max(len(self._added.months), 1), _WIDEST)
        start = number * width
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = bars.right() - start - width if mirrored else bars.left() + start
        return QRectF(left, bars.top(), width, bars.height())

    def _choose(self, number: int | None) -> None:
        if number == self._chosen:
            return
        self._chosen = number
        words = self._added.months[number].words if number is not None else ""
        self.month_chosen.emit(words)
        if words:
            announce(self, words)
        self.update()
