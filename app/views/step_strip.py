"""The steps of a flow in their order: cards that share the width of each line, arrows between."""

from collections.abc import Callable, Iterable
from math import ceil

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget, QWidgetItem

from app.viewmodels.flow_cards import StepCard
from app.viewmodels.guarded import Guarded
from app.views.step_body import Follow
from app.views.step_card import StepCardView
from app.views.step_shapes import draw_arrow
from app.views.widgets.kept_views import KeptViews, appear
from app.views.widgets.pill import NamePill

_SMALLEST = 13.5
"""Least width of a card, in heights of the font's line: about 220 pixels at 10 points."""
_WIDEST = 1.7
"""Most width of a card, as a multiple of the least: beyond that a line is hard to read."""
_BETWEEN = 14
"""Pixels between two lines of cards."""


_AT_ONCE = 80
"""Views that are filled before the event loop has its turn: names, and steps inside others."""
_A_TURN = 40
"""The same in each of the turns after the first, in which those before are laid out again."""


class StepStrip(Guarded, QWidget):
    """Shows the steps of one flow; a card stays with its step when the flow is shown again.

    Of a flow with very many steps and names the first come at once, the others turn by turn.
    """

    grown = Signal()
    """There are more cards than before."""

    def __init__(self, follow: Follow, parent: QWidget | None = None) -> None:
        """`follow` is called when somebody follows a name."""
        super().__init__(parent)
        self._follow = follow
        self._views = KeptViews(self._make_card)
        self._cards: list[StepCardView] = []
        self._steps: tuple[StepCard, ...] = ()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._show_more)
        self._layout = _StripLayout(self._smallest)
        self.setLayout(self._layout)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def cards(self) -> list[StepCardView]:
        """The cards in the order of the steps."""
        return self._cards

    def show_steps(self, steps: tuple[StepCard, ...]) -> None:
        """Show these steps."""
        before, self._steps = self._steps[: len(self._cards)], steps
        costs = list(map(_views_of, steps))
        for place, (old, new) in enumerate(zip(before, steps, strict=False)):
            if old == new:
                costs[place] = 0
        self._show_first(_as_many_as(costs, _AT_ONCE))

    def _show_more(self) -> None:
        done = len(self._cards)
        self._show_first(done + _as_many_as(map(_views_of, self._steps[done:]), _A_TURN))
        self.grown.emit()

    def _reach(self, step_id: str) -> None:
        """Somebody looks for this step, which may be among those to come."""
        for place in range(len(self._cards), len(self._steps)):
            step = self._steps[place]
            if step_id in {step.step_id, *(each.step_id for _, each in step.inside())}:
                self._show_first(place + 1)
                self.grown.emit()
                return

    def _show_first(self, many: int) -> None:
        steps = self._steps[:many]
        # Once for all the cards, not once for each that appears.
        self._layout.setEnabled(False)
        views = self._views.take([step.step_id for step in steps])
        for view, step in zip(views, steps, strict=True):
            view.show_step(step)
        if views != self._cards:
            self._cards = views
            self._layout.hold(views)
        self._layout.setEnabled(True)
        self._layout.invalidate()
        self.updateGeometry()
        self.update()
        if many < len(self._steps):
            self._later.start()
        else:
            self._later.stop()

    def stops(self) -> list[QWidget]:
        """What takes the keyboard, in reading order."""
        return [stop for card in self._cards for stop in card.stops()]

    def pill_of(self, step_id: str, person_id: str) -> NamePill | None:
        """The name of a person in a step."""
        self._reach(step_id)
        found = (card.pill_of(step_id, person_id) for card in self._cards)
        return next((view for view in found if view is not None), None)

    def point_out(self, step_id: str | None) -> QWidget | None:
        """Mark the step somebody came for, and no other; gives its view."""
        if step_id is not None:
            self._reach(step_id)
        found = [card.point_out(step_id) for card in self._cards]
        return next((view for view in found if view is not None), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an arrow between two cards of a line."""
        painter = QPainter(self)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        for card, following in zip(self._cards, self._cards[1:], strict=False):
            here, there = card.geometry(), following.geometry()
            if here.top() == there.top():
                start, end = (there, here) if mirrored else (here, there)
                gap = QRect(start.right() + 1, here.top(), end.left() - start.right() - 1, 1)
                middle = QRectF(gap.left(), here.center().y() - 8, gap.width(), 24)
                draw_arrow(painter, middle, mirrored=mirrored)

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs cards of another width."""
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._layout.invalidate()
        super().changeEvent(event)

    def _smallest(self) -> int:
        return round(self.fontMetrics().height() * _SMALLEST)

    def _make_card(self) -> StepCardView:
        return StepCardView(self._follow, self)


def _views_of(step: StepCard) -> int:
    return 1 + len(step.pills) + sum(map(_views_of, step.nested))


def _as_many_as(costs: Iterable[int], left: int) -> int:
    """How many of these, from the first on, can be had for what is left; one at least."""
    many = 0
    for cost in costs:
        if many and cost > left:
            break
        left -= cost
        many += 1
    return many


class _StripLayout(Guarded, QLayout):
    """As many cards in a line as have room, the lines as even as can be."""

    def __init__(self, smallest: Callable[[], int]) -> None:
        """`smallest` gives the least width of a card."""
        super().__init__()
        self._smallest = smallest
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, list[int]] = {}
        self.setContentsMargins(0, 0, 0, 0)

    def hold(self, cards: list[StepCardView]) -> None:
        """Hold these cards and no others."""
        self._items.clear()
        for card in cards:
            self.addChildWidget(card)
            self._items.append(QWidgetItem(card))
        appear(self, cards)

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more item (Qt's own way in)."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at `index`, or None behind the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give the item at `index` away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Takes no more room than it needs."""
        return Qt.Orientation(0)

    def invalidate(self) -> None:
        """Something in the cards is another."""
        self._heights.clear()
        super().invalidate()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at `width`."""
        heights = self._line_heights(width)
        return sum(heights) + _BETWEEN * max(len(heights) - 1, 0)

    def setGeometry(self, rect: QRect) -> None:
        """Set the cards into `rect`."""
        super().setGeometry(rect)
        columns, card = self._columns(rect.width())
        heights = self._line_heights(rect.width())
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        top = rect.top()
        for line, height in enumerate(heights):
            for place, item in enumerate(self._items[line * columns : (line + 1) * columns]):
                x = place * (card + self._gap())
                left = rect.right() + 1 - x - card if mirrored else rect.left() + x
                item.setGeometry(QRect(left, top, card, height))
            top += height + _BETWEEN

    def sizeHint(self) -> QSize:
        """One card."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """May be squeezed: a card alone in its line is as wide as the line."""
        return QSize(1, 1 if self._items else 0)

    def _gap(self) -> int:
        return round(self._smallest() * 0.11)

    def _columns(self, width: int) -> tuple[int, int]:
        """How many cards stand in a line, and how wide each of them is."""
        gap, least = self._gap(), min(self._smallest(), max(width, 1))
        most = max((width + gap) // (least + gap), 1)
        lines = max(ceil(len(self._items) / most), 1)
        columns = max(ceil(len(self._items) / lines), 1)
        share = (width - gap * (columns - 1)) // columns
        return columns, max(min(share, round(least * _WIDEST)), 1)

    def _line_heights(self, width: int) -> list[int]:
        if width not in self._heights:
            columns, card = self._columns(width)
            tall = [item.heightForWidth(card) for item in self._items]
            starts = range(0, len(tall), columns)
            self._heights[width] = [max(tall[start : start + columns]) for start in starts]
        return self._heights[width]
