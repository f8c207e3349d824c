"""One step of a flow as a card: its number on the upper edge, what it says, the steps inside it."""

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.viewmodels.flow_cards import StepCard
from app.viewmodels.guarded import Guarded
from app.views.step_body import Follow, StepBody
from app.views.theme import RADIUS_CARD, Tokens, colour, sized, tokens
from app.views.widgets.basics import label
from app.views.widgets.kept_views import KeptViews, appear
from app.views.widgets.pill import NamePill

_PADDING = 14
_SET_ANEW = frozenset(
    {QEvent.Type.LayoutDirectionChange, QEvent.Type.FontChange, QEvent.Type.StyleChange}
)
_EDGE = 14
"""How far from the corner number and badge stand on the upper edge."""


class StepCardView(Guarded, QWidget):
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
        self._inside = KeptViews(self._make_body)
        self._bodies: list[StepBody] = [self._own]
        self._join: QLabel | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setSpacing(8)
        self._rows.addWidget(self._own)
        self._rows.addStretch(1)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set_margins()

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

    def show_step(self, step: StepCard) -> None:
        """Show `step`; what says the same as before is left alone."""
        if step == self._step:
            return
        self._step = step
        self.setAccessibleName(step.accessible_name)
        self._own.show_step(step, 0)
        self._show_inside(list(step.inside()))
        self._show_join(step)
        alone = all(isinstance(stop, StepCardView) for stop in self.stops())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if alone else Qt.FocusPolicy.NoFocus)
        self.updateGeometry()
        self.update()

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
            self.update()
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows belong to whoever knows the other cards."""
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        """Another font or direction: number and badge stand elsewhere."""
        super().changeEvent(event)
        if event.type() in _SET_ANEW:
            self._set_margins()
            self._place_join()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the badge on the upper edge."""
        super().resizeEvent(event)
        self._place_join()

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

    def _edge(self, step: StepCard, look: Tokens) -> QPen:
        """Whole when active, dashed when not, dotted when it waits; thick for what is meant now."""
        if self.hasFocus() or self._pointed_out is not None:
            return QPen(colour(look.accent), 2)
        if not step.is_pending:
            return QPen(colour(look.line), 1)
        style = Qt.PenStyle.DotLine if step.waits else Qt.PenStyle.DashLine
        return QPen(colour(look.shadow), 1, style)

    def _paint_number(self, painter: QPainter, step: StepCard, look: Tokens) -> None:
        font = self._number_font()
        painter.setFont(font)
        height = self._number_height()
        width = max(painter.fontMetrics().horizontalAdvance(step.number) + 16, height)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        place = QRect(self.width() - _EDGE - width if mirrored else _EDGE, 0, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.soft if step.is_pending else look.accent))
        painter.drawRoundedRect(place, height / 2, height / 2)
        painter.setPen(colour(look.card if step.is_pending else look.on_accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, step.number)

    def _number_font(self) -> QFont:
        return sized(self.font(), 0.9, bold=True)

    def _number_height(self) -> int:
        return self.fontMetrics().height() + 2

    def _show_inside(self, inside: list[tuple[int, StepCard]]) -> None:
        views = self._inside.take([step.step_id for _, step in inside])
        for place, (view, (depth, step)) in enumerate(zip(views, inside, strict=True), 1):
            view.show_step(step, depth)
            if self._rows.indexOf(view) != place:
                self._rows.insertWidget(place, view)
        appear(self._rows, views)
        self._bodies = [self._own, *views]

    def _show_join(self, step: StepCard) -> None:
        if self._join is None and step.people_join_here:
            self._join = label(step.join_words, "join")
            self._join.setParent(self)
        if self._join is not None:
            self._join.setVisible(step.people_join_here)
            self._place_join()

    def _place_join(self) -> None:
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

    def _set_margins(self) -> None:
        top = self._number_height() + 6
        self._rows.setContentsMargins(_PADDING, top, _PADDING, _PADDING)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed as far as its words wrap."""
        return QSize(1, super().minimumSizeHint().height())
