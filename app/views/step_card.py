"""One step of a flow as a card: number, name, what is special about it, who administers it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.viewmodels.flow_cards import StepCard
from app.views.widgets.basics import label, set_flag
from app.views.widgets.pill import NamePill
from app.views.widgets.wrapping import wrapping_box

WIDTH = 236


class StepCardView(QFrame):
    """Shows a `StepCard`; nested steps stand inside it, indented."""

    person_wanted = Signal(object)

    def __init__(self, step: StepCard, parent: QWidget | None = None) -> None:
        """Build the card of `step`."""
        super().__init__(parent)
        self.setProperty("role", "step")
        self.setProperty("pending", step.is_pending)
        self.setAccessibleName(step.accessible_name)
        self.setFixedWidth(WIDTH)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(14, 12, 14, 14)
        rows.setSpacing(6)
        rows.addLayout(self._top(step))
        self._fill(rows, step)
        rows.addStretch(1)

    def _top(self, step: StepCard) -> QHBoxLayout:
        top = QHBoxLayout()
        number = label(step.number, "number")
        set_flag(number, "pending", step.is_pending)
        top.addWidget(number)
        top.addStretch(1)
        if step.people_join_here:
            top.addWidget(label(step.join_words, "join"))
        return top

    def _fill(self, rows: QVBoxLayout, step: StepCard) -> None:
        name = label(step.name, "strong", wraps=True)
        rows.addWidget(name)
        if step.pending_words:
            rows.addWidget(label(step.pending_words, "small", wraps=True))
        rows.addWidget(self._administrators(step))
        for nested in step.nested:
            rows.addWidget(self._nested(nested))

    def _nested(self, step: StepCard) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "nested")
        frame.setAccessibleName(step.accessible_name)
        rows = QVBoxLayout(frame)
        rows.setContentsMargins(10, 2, 0, 2)
        rows.setSpacing(4)
        rows.addWidget(label(f"{step.number}  {step.name}", "soft", wraps=True))
        if step.pending_words:
            rows.addWidget(label(step.pending_words, "small", wraps=True))
        rows.addWidget(self._administrators(step))
        for deeper in step.nested:
            rows.addWidget(self._nested(deeper))
        return frame

    def _administrators(self, step: StepCard) -> QWidget:
        if step.missing_words:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(label(step.missing_words, "missing"), 0, Qt.AlignmentFlag.AlignLeading)
            row.addStretch(1)
            return line
        box, wrapping = wrapping_box(6)
        for pill in step.pills:
            view = NamePill(pill)
            view.followed.connect(self.person_wanted)
            wrapping.insert_widget(view)
        return box
