"""What a step says on its card: its name, its administrators, what is missing or waited for.

What stands here is set out by hand: Qt's layouts inside layouts ask each other many times over, for
every card of every flow that somebody goes past.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QPainter,
    QPainterPath,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.runtime.words import tr
from app.viewmodels.flows.cards import Pill, StepCard
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.look.theme import colour, tokens
from app.views.widgets.banner import GapLabel
from app.views.widgets.buttons import label
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.layouts import ReusedViews
from app.views.widgets.pill import NamePill
from app.views.widgets.spoken_roles import speak_as, speak_as_chosen

_LINE = 1.4


def draw_arrow(painter: QPainter, rect: QRectF, *, mirrored: bool) -> None:
    """An arrow across `rect`, from one step to the next."""
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_pen(tokens().soft))
        centre, half = rect.center(), rect.width() * 0.28
        tip = QPointF(centre.x() - half if mirrored else centre.x() + half, centre.y())
        back = half * 0.7 if mirrored else -half * 0.7
        tail = QPointF(centre.x() + half if mirrored else centre.x() - half, centre.y())
        painter.drawLine(tail, tip)
        painter.drawLine(tip, tip + QPointF(back, -abs(back)))
        painter.drawLine(tip, tip + QPointF(back, abs(back)))


def draw_pause(painter: QPainter, rect: QRectF) -> None:
    """Two bars in a ring: a step that is not active."""
    with QPainterStateGuard(painter):
        with_ring = _ring(painter, rect)
        x, y = with_ring.center().x(), with_ring.center().y()
        high, apart = with_ring.height() * 0.2, with_ring.width() * 0.13
        for side in (-apart, apart):
            painter.drawLine(QPointF(x + side, y - high), QPointF(x + side, y + high))


def draw_wait(painter: QPainter, rect: QRectF) -> None:
    """A clock: a step that waits for one before it."""
    with QPainterStateGuard(painter):
        ring = _ring(painter, rect)
        hands = QPainterPath(ring.center() + QPointF(0, -ring.height() * 0.3))
        hands.lineTo(ring.center())
        hands.lineTo(ring.center() + QPointF(ring.width() * 0.22, ring.height() * 0.1))
        painter.drawPath(hands)


def _ring(painter: QPainter, rect: QRectF) -> QRectF:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(tokens().soft))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = rect.adjusted(1, 1, -1, -1)
    painter.drawEllipse(inside)
    return inside


def _pen(ink: str) -> QPen:
    pen = QPen(colour(ink), _LINE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


_GAP = 6


class AdministratorBox:
    """Names in lines that wrap; they stay with their people when they are shown again."""

    def __init__(
        self, around: QWidget, followed: Callable[[str], object], before: QWidget | None = None
    ) -> None:
        """All of it lies in `around`. `followed` is told the id of a person; `before` stands in
        front of the names.
        """
        self._around = around
        self._followed = followed
        self._before = [before] if before is not None else []
        for each in self._before:
            each.setParent(around)
        self._names = ReusedViews(self._make_name)
        self._notes = ReusedViews(self._make_gap_label)
        self._more: QLabel | None = None
        self._views: list[QWidget] = []
        self._shown: list[NamePill] = []

    @property
    def empty(self) -> bool:
        """Whether nothing is shown."""
        return not self._views

    def names(self) -> list[QWidget]:
        """The names that can be followed, in order."""
        return list(self._shown)

    def name_of(self, person_id: str) -> NamePill | None:
        """The name of that person."""
        found = (v for v in self._shown if v.pill is not None and v.pill.person_id == person_id)
        return next(found, None)

    def show_all(self, pills: Sequence[Pill], where: str, more: str = "") -> None:
        """Show these administrators; `where` says what they administer, for who does not see it.

        `more` says how many there are besides them.
        """
        named = [pill for pill in pills if pill.can_follow]
        others = [pill for pill in pills if not pill.can_follow]
        names = self._names.take([pill.person_id for pill in named])
        notes = self._notes.take([pill.person_id for pill in others])
        by_id: dict[str, QWidget] = {}
        for name, pill in zip(names, named, strict=True):
            by_id[pill.person_id] = name
            name.show_pill(pill, where)
        for note, pill in zip(notes, others, strict=True):
            by_id[pill.person_id] = note
            tip = tr("{who}: no name comes with the id {id}.", who=pill.text, id=pill.person_id)
            note.say(pill.text, tip)
        those = [by_id[pill.person_id] for pill in pills]
        views = [*self._before, *those, *self._counted(more)] if pills else []
        for view in self._views:
            if view not in views:
                view.hide()
        for view in views:
            if view.isHidden():
                view.show()
        self._views, self._shown = views, names

    def set_out(self, rect: QRect, *, mirrored: bool = False, move: bool = True) -> int:
        """Break the lines in `rect` and, with `move`, have all stand there; gives their height.

        In a line all stand in the middle of the highest; no line is wider than `rect`.
        """
        width, top = rect.width(), 0
        line: list[tuple[QWidget, int, int, int]] = []
        x = height = 0
        for view in self._views:
            wide, high = _size_at(view, width)
            if line and x + wide > width:
                if move:
                    _set_line(line, rect, top, height, mirrored=mirrored)
                top += height + _GAP
                line, x, height = [], 0, 0
            line.append((view, x, wide, high))
            x += wide + _GAP
            height = max(height, high)
        if move:
            _set_line(line, rect, top, height, mirrored=mirrored)
        return top + height

    def mark(self, pills: Sequence[Pill]) -> None:
        """Mark what was searched in the names of these, who are shown."""
        named = [pill for pill in pills if pill.can_follow]
        for view, pill in zip(self._shown, named, strict=True):
            view.mark(pill)

    def _counted(self, more: str) -> list[QWidget]:
        if more and self._more is None:
            self._more = label("", "soft")
            self._more.setParent(self._around)
        if more and self._more is not None:
            self._more.setText(more)
        return [self._more] if more and self._more is not None else []

    def _make_name(self) -> NamePill:
        view = NamePill(self._around)
        view.followed.connect(self._followed)
        return view

    def _make_gap_label(self) -> GapLabel:
        return GapLabel(self._around)


def _size_at(view: QWidget, width: int) -> tuple[int, int]:
    """How wide and high it is where there are `width` pixels."""
    size = view.sizeHint()
    wide = min(size.width(), width)
    return wide, view.heightForWidth(wide) if view.hasHeightForWidth() else size.height()


def _set_line(
    line: list[tuple[QWidget, int, int, int]],
    rect: QRect,
    top: int,
    height: int,
    *,
    mirrored: bool,
) -> None:
    for view, x, wide, high in line:
        left = rect.left() + (rect.width() - x - wide if mirrored else x)
        view.setGeometry(left, rect.top() + top + (height - high) // 2, wide, high)


_SET_ANEW = frozenset(
    {QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
)


class AdministratorLine(GuardedOverrides, QWidget):
    """Administrators in a page of other things, as high as their lines are."""

    def __init__(self, followed: Callable[[str], object], before: QWidget) -> None:
        """See `AdministratorBox`."""
        super().__init__()
        self.box = AdministratorBox(self, followed, before)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_all(self, pills: Sequence[Pill], where: str, more: str) -> None:
        """See `AdministratorBox`; nothing at all where there is nobody."""
        self.box.show_all(pills, where, more)
        self.setVisible(not self.box.empty)
        self._set_out()
        self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        """The height of the lines at `width`."""
        return self.box.set_out(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """Its height is asked for at the width there is."""
        return QSize(1, 1)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return QSize(1, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self._set_out()

    def event(self, event: QEvent) -> bool:
        """What is in it has another size, or stands on the other side."""
        done = super().event(event)
        if event.type() in _SET_ANEW or event.type() == QEvent.Type.LayoutRequest:
            self._set_out()
            self.updateGeometry()
        return done

    def _set_out(self) -> None:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        self.box.set_out(self.rect(), mirrored=mirrored)


Follow = Callable[[str, str], None]
"""Is told the step's id and the person's."""
_INDENT = 12
_DEEPEST = 4
"""Steps that lie deeper are not set further in: there would be no room for their names."""
_NAME_LINES = 3


class StepBody(GuardedOverrides, QWidget):
    """Shows a `StepCard` without the steps inside it."""

    def __init__(self, follow: Follow, parent: QWidget | None = None) -> None:
        """`follow` is called when somebody follows a name."""
        super().__init__(parent)
        self._follow = follow
        self._step: StepCard | None = None
        self._depth = -1
        self._pointed_out = False
        self._name = HighlightedLabel("strong", _NAME_LINES, self)
        self._join: QLabel | None = None
        self._state: _StateLine | None = None
        self._missing: GapLabel | None = None
        self._administrators = AdministratorBox(self, self._followed)
        self._above: list[QWidget] = [self._name]
        self._below: list[QWidget] = []

    @property
    def step(self) -> StepCard | None:
        """What it shows."""
        return self._step

    @property
    def administrators(self) -> AdministratorBox:
        """Who administers it."""
        return self._administrators

    def show_step(self, step: StepCard, depth: int) -> None:
        """Show `step`, `depth` steps inside others (0: none)."""
        if (step, depth) == (self._step, self._depth):
            return
        if depth != self._depth:
            self._set_in(depth)
        self._step = step
        self._show_name(step)
        join = self._show_join(step.join_words if step.people_join_here and depth else "")
        self._above = [self._name, *join, *self._show_state(step)]
        self._below = self._show_missing(step.missing_words)
        where = tr("{step}. Press Enter to show this person.", step=step.heading)
        self._administrators.show_all(step.pills, where, step.others_words)
        if depth:
            self.setAccessibleName(step.accessible_name)

    def mark(self, step: StepCard) -> None:
        """Mark what was searched: `step` is the one that it shows, but for the marks."""
        self._step = step
        self._show_name(step)
        self._administrators.mark(step.pills)

    def set_out(self, width: int, *, move: bool = True) -> int:
        """Set out all rows in `width` pixels (unless only asked: no `move`); gives their height."""
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        deep = _INDENT * min(max(self._depth, 0), _DEEPEST)
        rect = QRect(0 if mirrored else deep, 0, max(width - deep, 1), 0)
        between = 4 if self._depth else 6
        for row in self._above:
            rect.moveTop(self._set_row(row, rect, mirrored=mirrored, move=move) + between)
        if not self._administrators.empty:
            high = self._administrators.set_out(rect, mirrored=mirrored, move=move)
            rect.moveTop(rect.top() + high + between)
        for row in self._below:
            rect.moveTop(self._set_row(row, rect, mirrored=mirrored, move=move) + between)
        return rect.top() - between

    def _set_row(self, row: QWidget, rect: QRect, *, mirrored: bool, move: bool) -> int:
        """Set out one row; gives where it ends."""
        wide = rect.width()
        if row is self._join or row is self._missing:
            wide = min(row.sizeHint().width(), wide)
        high = row.heightForWidth(wide) if row is not self._join else row.sizeHint().height()
        if move:
            left = rect.left() + (rect.width() - wide if mirrored else 0)
            row.setGeometry(left, rect.top(), wide, high)
        return rect.top() + high

    def point_out(self, *, yes: bool) -> None:
        """Whether somebody came for this step."""
        if yes != self._pointed_out:
            self._pointed_out = yes
            if self._depth:
                speak_as_chosen(self, on=yes)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line before a step inside another; its ground when somebody came for it."""
        if not self._depth or self._step is None:
            return
        painter = QPainter(self)
        look = tokens()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        deep = _INDENT * min(self._depth, _DEEPEST)
        x = self.width() - deep + _INDENT - 2 if mirrored else deep - _INDENT
        painter.fillRect(
            x, 0, 2, self.height(), colour(look.accent if self._pointed_out else look.line)
        )
        if self._pointed_out:
            start = 0 if mirrored else x + 2
            width = x if mirrored else self.width() - start
            painter.fillRect(start, 0, width, self.height(), colour(look.selection))

    def _set_in(self, depth: int) -> None:
        self._depth = depth
        self._name.setProperty("role", "" if depth else "strong")
        if depth:
            speak_as(self, "ListItem")
            speak_as_chosen(self, on=self._pointed_out)

    def _show_name(self, step: StepCard) -> None:
        before = f"{step.number}  " if self._depth else ""
        highlights = [(start + len(before), length) for start, length in step.highlights]
        self._name.show_text(f"{before}{step.name}", highlights)

    def _show_state(self, step: StepCard) -> list[QWidget]:
        if self._state is None and step.is_pending:
            self._state = _StateLine(self)
        if self._state is None:
            return []
        self._state.show_state(step.pending_words, waits=step.waits)
        return _seen(self._state, yes=step.is_pending)

    def _show_join(self, words: str) -> list[QWidget]:
        if self._join is None and words:
            self._join = label(words, "join")
            self._join.setParent(self)
        return _seen(self._join, yes=bool(words))

    def _show_missing(self, words: str) -> list[QWidget]:
        if self._missing is None and words:
            self._missing = GapLabel(self)
        if self._missing is None:
            return []
        self._missing.say(words)
        return _seen(self._missing, yes=bool(words))

    def _followed(self, person_id: object) -> None:
        if self._step is not None:
            self._follow(self._step.step_id, str(person_id))


def _seen(row: QWidget | None, *, yes: bool) -> list[QWidget]:
    """What is seen of it; that which is not is hidden."""
    if row is not None:
        row.setVisible(yes)
    return [row] if row is not None and yes else []


class _StateLine(GuardedOverrides, QWidget):
    """A sign and the words for a step that is not active."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = HighlightedLabel("small", _NAME_LINES, self)
        self._waits = False

    def show_state(self, words: str, *, waits: bool) -> None:
        self._words.show_text(words, ())
        self._waits = waits
        self.update()

    def heightForWidth(self, width: int) -> int:
        side = self.fontMetrics().height()
        return max(side, self._words.heightForWidth(max(width - side - _GAP, 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_out()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in _SET_ANEW or event.type() == QEvent.Type.LayoutRequest:
            self._set_out()
        return done

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = self.fontMetrics().height()
        rect = QRectF(self.width() - side if self._is_mirrored() else 0, 0, side, side)
        (draw_wait if self._waits else draw_pause)(painter, rect)

    def _set_out(self) -> None:
        before = self.fontMetrics().height() + _GAP
        left = 0 if self._is_mirrored() else before
        width = max(self.width() - before, 1)
        self._words.setGeometry(left, 0, width, self.height())

    def _is_mirrored(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft
