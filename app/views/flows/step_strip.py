"""The steps of one flow as cards in lines that wrap, joined by arrows, nested ones inside: of very
many, a few are made in each turn of the event loop.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil
from time import thread_time

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import (
    QLabel,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.flows.cards import StepCard
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.flows.step_body import Follow, StepBody, draw_arrow
from app.views.look.theme import RADIUS_CARD, ThemeColours, colour, dressing, sized, tokens
from app.views.widgets.buttons import label
from app.views.widgets.labels import advance
from app.views.widgets.layouts import ReusedViews
from app.views.widgets.pill import NamePill
from app.views.widgets.spoken_roles import speak_as, speak_as_chosen, speak_place

_PADDING = 14
_BETWEEN_BODIES = 8
_SET_ANEW = frozenset(
    {QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
)
_KEPT_BODIES = 4
_EDGE = 14
"""How far from the corner number and badge stand on the upper edge."""


class StepCardView(GuardedOverrides, QWidget):
    """Shows a `StepCard` and the steps inside it.

    A card without a name that could be followed takes the keyboard itself, so that nobody who goes
    from name to name misses a step.
    """

    def __init__(self, follow: Follow, parent: QWidget | None = None) -> None:
        """`follow` is called when somebody follows a name."""
        super().__init__(parent)
        self._follow = follow
        self._step: StepCard | None = None
        self._pointed_out: str | None = None
        self._own = StepBody(follow, self)
        self._inside = ReusedViews(self._make_body)
        self._bodies: list[StepBody] = [self._own]
        self._whole: StepCard | None = None
        self._join: QLabel | None = None
        self._number_font = sized(self.font(), 0.9, bold=True)
        speak_as(self, "ListItem")
        speak_as_chosen(self, on=False)

    @property
    def step(self) -> StepCard | None:
        """What it shows."""
        return self._step

    @property
    def bodies(self) -> list[StepBody]:
        """The step itself and those inside it, in reading order."""
        return self._bodies

    def stops(self) -> list[QWidget]:
        """What takes the keyboard here, in reading order."""
        return [name for body in self._bodies for name in body.administrators.names()] or [self]

    def pill_of(self, step_id: str, person_id: str) -> NamePill | None:
        """The name of a person in a step of this card."""
        for body in self._bodies:
            found = body.administrators.name_of(person_id)
            if found is not None and body.step is not None and body.step.step_id == step_id:
                return found
        return None

    def show_bit_by_bit(self, step: StepCard) -> Iterator[None]:
        """Show `step`, each of the steps inside it in turn; nothing where it is shown already.

        Whoever asks may pause behind any of them, and then calls `settle`.
        """
        if step == self._whole:
            return
        self._step, self._whole = step, None
        self.setAccessibleName(step.accessible_name)
        self._own.show_step(step, 0)
        self._show_join(step)
        self._bodies = [self._own]
        inside = list(step.inside())
        yield
        views = self._inside.one_by_one([each.step_id for _, each in inside])
        places = _places(step)
        for view, (depth, each), place in zip(views, inside, places, strict=True):
            view.show_step(each, depth)
            speak_place(view, *place)
            self._bodies.append(view)
            yield
        self._whole = step
        self.settle()

    def mark(self, step: StepCard) -> None:
        """Mark what was searched: `step` is the one it shows wholly, but for the marks."""
        if step is not self._whole:
            self._step = self._whole = step
            steps = (step, *(each for _, each in step.inside()))
            for body, each in zip(self._bodies, steps, strict=True):
                body.mark(each)

    def settle(self) -> None:
        """Show what there is so far, without what was there before."""
        self._inside.hide_others()
        for body in self._bodies:
            if body.isHidden():
                body.show()
        alone = not any(body.administrators.names() for body in self._bodies)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if alone else Qt.FocusPolicy.NoFocus)
        self.update()

    def height_at(self, width: int) -> int:
        """Its height where it is `width` pixels wide."""
        room = width - 2 * _PADDING
        heights = [body.set_out(room, move=False) for body in self._bodies]
        return self._top() + sum(heights) + _BETWEEN_BODIES * (len(heights) - 1) + _PADDING

    def set_out(self, rect: QRect) -> None:
        """Stand in `rect`, and have all that is in it stand where it belongs."""
        self.setGeometry(rect)
        top, room = self._top(), rect.width() - 2 * _PADDING
        for body in self._bodies:
            high = body.set_out(room)
            body.setGeometry(_PADDING, top, room, high)
            top += high + _BETWEEN_BODIES
        self._lay_out_join()

    def let_go(self, *, shown: bool) -> Iterator[StepBody]:
        """Delete most of the views of steps that were inside another one; see `ReusedViews`. Not
        `shown`: of those inside the last one, too.
        """
        if not shown:
            self._whole, self._bodies = None, [self._own]
            self._inside.take(())
        return self._inside.let_go(_KEPT_BODIES)

    def point_out(self, step_id: str | None) -> QWidget | None:
        """Mark the step somebody came for, and give its view when it is in this card."""
        found: QWidget | None = None
        for body in self._bodies:
            it_is = body.step is not None and step_id is not None and body.step.step_id == step_id
            body.point_out(yes=it_is)
            if it_is:
                found = self if body is self._own else body
        own = step_id if found is self else None
        if own != self._pointed_out:
            self._pointed_out = own
            speak_as_chosen(self, on=own is not None)
            self.update()
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows belong to whoever knows the other cards."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Another font or direction: number and badge stand elsewhere."""
        super().changeEvent(event)
        if event.type() in _SET_ANEW:
            self._number_font = sized(self.font(), 0.9, bold=True)
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, edge and number in the colours in force."""
        step, look = self._step, tokens()
        if step is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = self._edge(step, look)
        half = pen.widthF() / 2
        painter.setPen(pen)
        painter.setBrush(colour(look.selection if self._pointed_out else look.card))
        top = self._number_height() / 2
        whole = QRectF(self.rect()).adjusted(half, top + half, -half, -half)
        painter.drawRoundedRect(whole, RADIUS_CARD, RADIUS_CARD)
        self._paint_number(painter, step, look)

    def _edge(self, step: StepCard, look: ThemeColours) -> QPen:
        """Whole when active, dashed when not, dotted when it waits; thick for what is meant now."""
        if self.hasFocus() or self._pointed_out is not None:
            return QPen(colour(look.accent), 2)
        if not step.is_pending:
            return QPen(colour(look.line), 1)
        style = Qt.PenStyle.DotLine if step.waits else Qt.PenStyle.DashLine
        return QPen(colour(look.shadow), 1, style)

    def _paint_number(self, painter: QPainter, step: StepCard, look: ThemeColours) -> None:
        painter.setFont(self._number_font)
        height = self._number_height()
        width = max(advance(step.number, painter.fontMetrics()) + 16, height)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        pill = QRect(self.width() - _EDGE - width if mirrored else _EDGE, 0, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.soft if step.is_pending else look.accent))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setPen(colour(look.card if step.is_pending else look.on_accent))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, step.number)

    def _number_height(self) -> int:
        return self.fontMetrics().height() + 2

    def _show_join(self, step: StepCard) -> None:
        if self._join is None and step.people_join_here:
            self._join = label(step.join_words, "join")
            self._join.setParent(self)
        if self._join is not None:
            self._join.setVisible(step.people_join_here)

    def _lay_out_join(self) -> None:
        if self._join is None:
            return
        size = self._join.sizeHint()
        width = min(size.width(), self.width() - 4 * _EDGE)
        top = max((self._number_height() - size.height()) // 2, 0)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        start = _EDGE if mirrored else self.width() - _EDGE - width
        self._join.setGeometry(QRect(start, top, width, size.height()))

    def _make_body(self) -> StepBody:
        return StepBody(self._follow, self)

    def _top(self) -> int:
        """Where the first body begins."""
        return self._number_height() + 6

    def sizeHint(self) -> QSize:
        """Whoever sets it asks for its height at the width there is; at others it is not worked
        out.
        """
        return QSize(1, 1)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed as far as its words wrap."""
        return QSize(1, 1)


def _places(step: StepCard) -> Iterator[tuple[int, int]]:
    """For each step inside this one, in reading order, which of its neighbours it is, and of how
    many.
    """
    for place, each in enumerate(step.nested, 1):
        yield place, len(step.nested)
        yield from _places(each)


_SMALLEST = 13.5
"""Least width of a card, in heights of the font's line: about 220 pixels at 10 points."""
_WIDEST = 1.7
"""Most width of a card, as a multiple of the least: beyond that a line is hard to read."""
_BETWEEN = 14
"""Pixels between two lines of cards."""


_FIRST_SECONDS = 0.016
"""How long views are filled before the event loop has its turn: names, and steps inside others.

Of the processor: with other programs busy, a flow of a few steps comes in one go as well.
"""
_PAUSE_MS = 50
"""Behind what is in sight: that is to be seen first, and whoever holds a key down goes past it."""
_KEPT_CARDS = 24
"""For the next flow, as many as most have; each more would be dressed when the theme changes."""
_TIDY_AFTER_MS, _TIDY_SECONDS = 2_000, 0.004
_MORE_SECONDS = (0.008, 0.012)
"""The same in each of the turns after the first: at least, and at most where what came before
takes as long to be laid out and painted again.
"""


class StepStrip(GuardedOverrides, QWidget):
    """Shows the steps of one flow; a card stays with its step when the flow is shown again.

    Of another flow those in sight come at once, the others turn by turn behind them; so they do of
    a flow with very many or very long names.
    """

    grown = Signal()
    """There are more cards than before."""

    def __init__(self, follow: Follow) -> None:
        """`follow` is called when somebody follows a name."""
        super().__init__()
        speak_as(self, "List")
        self.setAccessibleName(tr("Steps"))
        self._follow = follow
        self._views = ReusedViews(self._make_card)
        self._cards: list[StepCardView] = []
        self._steps: tuple[StepCard, ...] = ()
        self._filling: Iterator[None] = iter(())
        self._paused_at = 0.0
        self._pointed_out: str | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.show_more)
        self._tidying: Iterator[object] = iter(())
        self._tidy = QTimer(self)
        self._tidy.setSingleShot(True)
        self._tidy.timeout.connect(self._let_go)
        self._layout = _StripLayout(self._smallest)
        self.setLayout(self._layout)
        # What stands is not painted again when more come below.
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def growing(self) -> bool:
        """Whether there is more to come."""
        return self._later.isActive()

    def show_steps(self, steps: tuple[StepCard, ...], in_sight: int | None = None) -> None:
        """Show these steps, and now not many more of them than `in_sight` pixels have room for.

        None: whoever looks may have scrolled to any of them.
        """
        self._tidy.stop()
        self._steps, self._cards = steps, []
        self._layout.expect(len(steps))
        self._filling = self._fill(steps)
        self._fill_for(_FIRST_SECONDS, in_sight=in_sight)

    def mark(self, steps: tuple[StepCard, ...]) -> bool:
        """Mark what was searched in these steps, which are shown; not while there are more to come.

        Tells whether that was done.
        """
        if self.growing:
            return False
        self._steps = steps
        for card, step in zip(self._cards, steps, strict=True):
            card.mark(step)
        return True

    def show_more(self) -> None:
        """Show the next cards now; the event loop would in its next turn."""
        least, most = _MORE_SECONDS
        self._fill_for(max(least, min(thread_time() - self._paused_at, most)))
        self.grown.emit()

    def set_out(self) -> None:
        """Have all the cards stand where they belong at the size there is."""
        self._layout.activate()

    def _reach(self, step_id: str) -> None:
        """Somebody looks for this step, which may be among those to come."""
        for index in range(max(len(self._cards) - 1, 0), len(self._steps)):
            step = self._steps[index]
            if step_id in {step.step_id, *(each.step_id for _, each in step.inside())}:
                if self.growing:
                    self._fill_for(0, cards=index + 1)
                    self.grown.emit()
                return

    def _fill(self, steps: tuple[StepCard, ...]) -> Iterator[None]:
        views = self._views.one_by_one([step.step_id for step in steps])
        for place, (view, step) in enumerate(zip(views, steps, strict=True), 1):
            self._cards.append(view)
            speak_place(view, place, len(steps))
            for _ in view.show_bit_by_bit(step):
                yield
            view.point_out(self._pointed_out)

    def _fill_for(self, seconds: float, *, cards: int = 0, in_sight: int | None = None) -> None:
        """Fill one view at least, and at least so many whole cards; see `show_steps`."""
        until = thread_time() + seconds
        enough = self._layout.lines_as_high_as(in_sight, self.width())
        # Once for all the cards, not once for each that appears.
        self._layout.setEnabled(False)
        self._later.stop()
        for _ in self._filling:
            late = thread_time() > until or enough(self._cards)
            if late and len(self._cards) > cards:
                self._cards[-1].settle()
                self._later.start(0 if in_sight is None else _PAUSE_MS)
                break
        self._views.hide_others()
        self._layout.hold(self._cards)
        self._layout.setEnabled(True)
        self._layout.invalidate()
        self.updateGeometry()
        self._paused_at = thread_time()
        if not self.growing:
            self._tidying = self._left_over()
            self._tidy.start(_TIDY_AFTER_MS)

    def _let_go(self) -> None:
        """Delete a few of the views of flows that were shown before."""
        until = thread_time() + _TIDY_SECONDS
        for _ in self._tidying:
            if thread_time() > until:
                self._tidy.start(0)
                return

    def _left_over(self) -> Iterator[object]:
        for card in self._views.let_go(_KEPT_CARDS):
            self._layout.forget(card)
            yield card
        for card in self._views.every:
            yield from card.let_go(shown=card in self._cards)

    def stops(self) -> list[QWidget]:
        """What takes the keyboard, in reading order."""
        return [stop for card in self._cards for stop in card.stops()]

    def pill_of(self, step_id: str, person_id: str) -> NamePill | None:
        """The name of a person in a step."""
        self._reach(step_id)
        found = (card.pill_of(step_id, person_id) for card in self._cards)
        return next((view for view in found if view is not None), None)

    def stop_of(self, step_id: str | None) -> QWidget | None:
        """What takes the keyboard first in a step or, where nothing does, in its card."""
        for card in self._cards:
            for body in card.bodies:
                if step_id is not None and body.step is not None and body.step.step_id == step_id:
                    return (body.administrators.names() or card.stops())[0]
        return None

    def point_out(self, step_id: str | None) -> QWidget | None:
        """Mark the step somebody came for, and no other; gives its view."""
        self._pointed_out = step_id
        if step_id is not None:
            self._reach(step_id)
        found = [card.point_out(step_id) for card in self._cards]
        return next((view for view in found if view is not None), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint an arrow between two cards of a line."""
        painter = QPainter(self)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        wanted = event.rect()
        rects = [card.geometry() for card in self._cards]
        for here, there in pairwise(rects):
            if here.top() == there.top() and wanted.intersects(here.united(there)):
                start, end = (there, here) if mirrored else (here, there)
                gap = QRect(start.right() + 1, here.top(), end.left() - start.right() - 1, 1)
                middle = QRectF(gap.left(), here.center().y() - 8, gap.width(), 24)
                draw_arrow(painter, middle, mirrored=mirrored)

    def changeEvent(self, event: QEvent) -> None:
        """Another font needs cards of another width."""
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._layout.invalidate()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        """As its cards: the height is asked for at the width there is."""
        return self._layout.minimumSize()

    def _smallest(self) -> int:
        return round(self.fontMetrics().height() * _SMALLEST)

    def _make_card(self) -> StepCardView:
        made = StepCardView(self._follow, self)
        made.hide()
        return made


class _StripLayout(GuardedOverrides, QLayout):
    """As many cards in a line as have room, the lines as even as can be."""

    def __init__(self, smallest: Callable[[], int]) -> None:
        """`smallest` gives the least width of a card."""
        super().__init__()
        self._smallest = smallest
        self._items: list[QLayoutItem] = []
        self._cards: list[StepCardView] = []
        self._made: dict[QWidget, QLayoutItem] = {}
        self._expected = 0
        self._heights: dict[int, list[int]] = {}
        self._stands_in: QRect | None = None
        self.setContentsMargins(0, 0, 0, 0)

    def expect(self, many: int) -> None:
        """There will be so many cards: those that come first stay where they are set."""
        self._expected = many

    def hold(self, cards: list[StepCardView]) -> None:
        """Hold these cards and no others."""
        for card in cards:
            if card not in self._made:
                self.addWidget(card)
        self._cards = cards
        self._items = [self._made[card] for card in cards]

    def forget(self, card: StepCardView) -> None:
        """It is about to be deleted, and is not among those that are held."""
        self._made.pop(card, None)

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more item (Qt's own way in, with items that remember what they were asked)."""
        card = item.widget()
        if card is not None:
            self._made[card] = item

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

    def lines_as_high_as(
        self, height: int | None, width: int
    ) -> Callable[[list[StepCardView]], bool]:
        """Tells, each time it is asked, whether the first of these cards fill as many whole lines
        as are higher than `height`, `width` pixels wide; None: they never do.

        The last card may be half filled: its line is looked at when the next one has begun.
        """
        columns, card = self._columns(width)
        left, looked_at = height, 0

        def enough(cards: list[StepCardView]) -> bool:
            nonlocal left, looked_at
            while left is not None and left >= 0 and len(cards) > looked_at + columns:
                line = cards[looked_at : looked_at + columns]
                left -= max(each.height_at(card) for each in line) + _BETWEEN
                looked_at += columns
            return left is not None and left < 0

        return enough

    def invalidate(self) -> None:
        """Something in the cards is another."""
        self._heights.clear()
        self._stands_in = None
        super().invalidate()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at `width`."""
        parent = self.parentWidget()
        if parent is not None and dressing():
            return parent.height()
        heights = self._line_heights(width)
        if heights:
            # With room for those that are to come at once: a scroll bar that came with them would
            # have what is in sight already stand elsewhere, and be painted again.
            heights = heights + [min(heights)] * (self._lines(width) - len(heights))
        return sum(heights) + _BETWEEN * max(len(heights) - 1, 0)

    def setGeometry(self, rect: QRect) -> None:
        """Set the cards into `rect`."""
        super().setGeometry(rect)
        if self._stands_in == rect or dressing():
            return
        self._stands_in = QRect(rect)
        columns, card = self._columns(rect.width())
        heights = self._line_heights(rect.width())
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        top = rect.top()
        moved = QRegion()
        for line, height in enumerate(heights):
            for column, view in enumerate(self._cards[line * columns : (line + 1) * columns]):
                x = column * (card + self._gap())
                left = rect.right() + 1 - x - card if mirrored else rect.left() + x
                stands = QRect(left, top, card, height)
                if view.isHidden():
                    moved += stands
                elif view.geometry() != stands:
                    moved += view.geometry().united(stands)
                view.set_out(stands)
            top += height + _BETWEEN
        # Not before: where it stood before would be painted again. And all at once: each that
        # appears has Qt lay out all of them.
        self.setEnabled(False)
        for view in self._cards:
            if view.isHidden():
                view.show()
        self.setEnabled(True)
        if parent is not None and not moved.isEmpty():
            # The arrows around those.
            gap = self._gap() + 1
            parent.update(moved.boundingRect().adjusted(-gap, 0, gap, 0))

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
        many = max(self._expected, len(self._items))
        lines = max(ceil(many / most), 1)
        columns = max(ceil(many / lines), 1)
        share = (width - gap * (columns - 1)) // columns
        return columns, max(min(share, round(least * _WIDEST)), 1)

    def _lines(self, width: int) -> int:
        """How many lines there will be."""
        columns, _ = self._columns(width)
        return ceil(max(self._expected, len(self._items)) / columns)

    def _line_heights(self, width: int) -> list[int]:
        if width not in self._heights:
            columns, card = self._columns(width)
            tall = [view.height_at(card) for view in self._cards]
            starts = range(0, len(tall), columns)
            self._heights[width] = [max(tall[start : start + columns]) for start in starts]
        return self._heights[width]
