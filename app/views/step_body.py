"""What a step says, be it a card of its own or a step inside one: name, state, administrators."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.flow_cards import StepCard
from app.viewmodels.guarded import Guarded
from app.views.administrator_box import AdministratorBox
from app.views.step_shapes import draw_pause, draw_wait
from app.views.theme import colour, tokens
from app.views.widgets.basics import label
from app.views.widgets.gap_note import GapNote
from app.views.widgets.marked_text import MarkedLabel

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
        self._name = MarkedLabel("strong", _NAME_LINES)
        self._join: QLabel | None = None
        self._state: _StateLine | None = None
        self._missing: GapNote | None = None
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
        before = f"{step.number}  " if depth else ""
        marks = [(start + len(before), length) for start, length in step.marks]
        self._name.show_text(f"{before}{step.name}", marks)
        self._show_state(step)
        self._show_join(step.join_words if step.people_join_here and depth else "")
        self._show_missing(step.missing_words)
        where = tr("{step}. Press Enter to show this person.", step=step.heading)
        self._administrators.show_all(step.pills, where, step.others_words)
        if depth:
            self.setAccessibleName(step.accessible_name)

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
            self._missing = GapNote()
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
        self._words = MarkedLabel("small", _NAME_LINES)
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
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(self._sign.geometry())
        (draw_wait if self._waits else draw_pause)(painter, place)

    def _side(self) -> QSize:
        height = self.fontMetrics().height()
        return QSize(height, height)
