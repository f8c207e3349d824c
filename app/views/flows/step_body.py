"""What a step says on its card: its name, its administrators, what is missing or waited for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterStateGuard, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.flows.cards import Pill, StepCard
from app.viewmodels.guarded import Guarded
from app.views.widgets.banner import GapLabel
from app.views.widgets.buttons import label
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.layouts import ReusedViews, set_in_order, wrapping_box
from app.views.widgets.pill import NamePill
from app.views.widgets.theme import colour, tokens

_LINE = 1.4


def draw_arrow(painter: QPainter, place: QRectF, *, mirrored: bool) -> None:
    """An arrow across `place`, from one step to the next."""
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(_pen(tokens().soft))
        centre, half = place.center(), place.width() * 0.28
        tip = QPointF(centre.x() - half if mirrored else centre.x() + half, centre.y())
        back = half * 0.7 if mirrored else -half * 0.7
        tail = QPointF(centre.x() + half if mirrored else centre.x() - half, centre.y())
        painter.drawLine(tail, tip)
        painter.drawLine(tip, tip + QPointF(back, -abs(back)))
        painter.drawLine(tip, tip + QPointF(back, abs(back)))


def draw_pause(painter: QPainter, place: QRectF) -> None:
    """Two bars in a ring: a step that is not active."""
    with QPainterStateGuard(painter):
        with_ring = _ring(painter, place)
        x, y = with_ring.center().x(), with_ring.center().y()
        high, apart = with_ring.height() * 0.2, with_ring.width() * 0.13
        for side in (-apart, apart):
            painter.drawLine(QPointF(x + side, y - high), QPointF(x + side, y + high))


def draw_wait(painter: QPainter, place: QRectF) -> None:
    """A clock: a step that waits for one before it."""
    with QPainterStateGuard(painter):
        ring = _ring(painter, place)
        hands = QPainterPath(ring.center() + QPointF(0, -ring.height() * 0.3))
        hands.lineTo(ring.center())
        hands.lineTo(ring.center() + QPointF(ring.width() * 0.22, ring.height() * 0.1))
        painter.drawPath(hands)


def _ring(painter: QPainter, place: QRectF) -> QRectF:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(_pen(tokens().soft))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = place.adjusted(1, 1, -1, -1)
    painter.drawEllipse(inside)
    return inside


def _pen(ink: str) -> QPen:
    pen = QPen(colour(ink), _LINE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


_GAP = 6


class AdministratorBox:
    """Fills a wrapping box; names stay with their people when they are shown again."""

    def __init__(self, followed: Callable[[str], object], before: QWidget | None = None) -> None:
        """`followed` is told the id of a person; `before` stands in front of the names."""
        self.box, self._layout = wrapping_box(_GAP)
        self._followed = followed
        self._before = [before] if before is not None else []
        self._names = ReusedViews(self._make_name)
        self._notes = ReusedViews(self._make_gap_label)
        self._more = label("", "soft")
        self._more.setParent(self.box)
        self._views: list[QWidget] = []
        self._shown: list[NamePill] = []

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
        for view, pill in zip(names, named, strict=True):
            view.show_pill(pill, where)
        for note, pill in zip(notes, others, strict=True):
            tip = tr("{who}: no name comes with the id {id}.", who=pill.text, id=pill.person_id)
            note.say(pill.text, tip)
        by_id = {
            **dict(zip((pill.person_id for pill in named), names, strict=True)),
            **dict(zip((pill.person_id for pill in others), notes, strict=True)),
        }
        views: list[QWidget] = [by_id[pill.person_id] for pill in pills]
        self._more.setText(more)
        if more:
            views.append(self._more)
        if views != self._views:
            self._views = views
            set_in_order(self._layout, [*self._before, *views])
        self._shown = names
        self._more.setVisible(bool(more))
        self.box.setVisible(bool(pills))
        self.box.updateGeometry()

    def mark(self, pills: Sequence[Pill]) -> None:
        """Mark what was searched in the names of these, who are shown."""
        named = [pill for pill in pills if pill.can_follow]
        for view, pill in zip(self._shown, named, strict=True):
            view.mark(pill)

    def _make_name(self) -> NamePill:
        view = NamePill(self.box)
        view.followed.connect(self._followed)
        return view

    def _make_gap_label(self) -> GapLabel:
        return GapLabel(self.box)


Follow = Callable[[str, str], None]
"""Is told the step's id and the person's."""
_INDENT = 12
_DEEPEST = 4
"""Steps that lie deeper are not set further in: there would be no room for their names."""
_NAME_LINES = 3


class StepBody(Guarded, QWidget):
    """Shows a `StepCard` without the steps inside it."""

    def __init__(self, follow: Follow, parent: QWidget | None = None) -> None:
        """`follow` is called when somebody follows a name."""
        super().__init__(parent)
        self._follow = follow
        self._step: StepCard | None = None
        self._depth = -1
        self._pointed_out = False
        self._name = HighlightedLabel("strong", _NAME_LINES)
        self._join: QLabel | None = None
        self._state: _StateLine | None = None
        self._missing: GapLabel | None = None
        self._administrators = AdministratorBox(self._followed)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        self._indent = across
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        across.addLayout(self._rows, 1)
        self._rows.addWidget(self._name)
        self._rows.addWidget(self._administrators.box)

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
        self._show_state(step)
        self._show_join(step.join_words if step.people_join_here and depth else "")
        self._show_missing(step.missing_words)
        where = tr("{step}. Press Enter to show this person.", step=step.heading)
        self._administrators.show_all(step.pills, where, step.others_words)
        if depth:
            self.setAccessibleName(step.accessible_name)
        # A layout inside another would keep the height of what stood there until a later turn.
        self._rows.invalidate()
        self._indent.invalidate()
        self.updateGeometry()

    def mark(self, step: StepCard) -> None:
        """Mark what was searched: `step` is the one that it shows, but for the marks."""
        self._step = step
        self._show_name(step)
        self._administrators.mark(step.pills)

    def sizeHint(self) -> QSize:
        """Its height is asked for at the width there is; at others it is not worked out."""
        return QSize(1, 1)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return QSize(1, 1)

    def point_out(self, *, yes: bool) -> None:
        """Whether somebody came for this step."""
        if yes != self._pointed_out:
            self._pointed_out = yes
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
        if self._indent.count() > 1:
            self._indent.takeAt(0)
        self._indent.insertSpacing(0, _INDENT * min(depth, _DEEPEST))
        self._rows.setSpacing(4 if depth else 6)
        self._name.setProperty("role", "" if depth else "strong")

    def _show_name(self, step: StepCard) -> None:
        before = f"{step.number}  " if self._depth else ""
        highlights = [(start + len(before), length) for start, length in step.highlights]
        self._name.show_text(f"{before}{step.name}", highlights)

    def _show_state(self, step: StepCard) -> None:
        if self._state is None and step.is_pending:
            self._state = _StateLine()
            self._rows.insertWidget(1, self._state)
        if self._state is not None:
            self._state.show_state(step.pending_words, waits=step.waits)
            self._state.setVisible(step.is_pending)

    def _show_join(self, words: str) -> None:
        if self._join is None and words:
            self._join = label(words, "join")
            self._rows.insertWidget(1, self._join, 0, Qt.AlignmentFlag.AlignLeading)
        if self._join is not None:
            self._join.setVisible(bool(words))

    def _show_missing(self, words: str) -> None:
        if self._missing is None and words:
            self._missing = GapLabel()
            self._rows.addWidget(self._missing, 0, Qt.AlignmentFlag.AlignLeading)
        if self._missing is not None:
            self._missing.say(words)
            self._missing.setVisible(bool(words))

    def _followed(self, person_id: object) -> None:
        if self._step is not None:
            self._follow(self._step.step_id, str(person_id))


class _StateLine(Guarded, QWidget):
    """A sign and the words for a step that is not active."""

    def __init__(self) -> None:
        super().__init__()
        self._words = HighlightedLabel("small", _NAME_LINES)
        self._waits = False
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self._sign = QWidget()
        self._sign.setFixedSize(self._side())
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)

    def show_state(self, words: str, *, waits: bool) -> None:
        self._words.show_text(words, ())
        self._waits = waits
        self._sign.setFixedSize(self._side())
        self.updateGeometry()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(self._sign.geometry())
        (draw_wait if self._waits else draw_pause)(painter, place)

    def _side(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height, height)
