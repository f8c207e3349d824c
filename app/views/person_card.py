"""The detail pane: one person with copy buttons and links, or one entry with what can be done."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.model.outbox import OutboxEntry
from app.runtime.words import tr
from app.viewmodels.person import Administers, Detail, DetailField, PersonPane
from app.views.widgets.avatar import Avatar
from app.views.widgets.basics import button, card, label, rule
from app.views.widgets.wrapping import wrapping_box


class PersonCard(QWidget):
    """Bound to a `PersonPane`; built anew for each row that is chosen."""

    flow_wanted = Signal(object)
    correct_wanted = Signal(object)

    def __init__(self, pane: PersonPane, parent: QWidget | None = None) -> None:
        """Bind to `pane`."""
        super().__init__(parent)
        self._pane = pane
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        surface = card()
        inside = QVBoxLayout(surface)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self._scroll)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(surface)
        self._shown: Detail | None = None
        pane.changed.connect(self._show)
        self._build(None)

    def _show(self) -> None:
        detail = self._pane.detail
        if detail != self._shown:
            self._build(detail)

    def _build(self, detail: Detail | None) -> None:
        self._shown = detail
        page = QWidget()
        page.setProperty("role", "page")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(18, 18, 18, 18)
        rows.setSpacing(10)
        if detail is None:
            rows.addWidget(label(tr("Choose somebody to see more."), "soft", wraps=True))
        else:
            self._fill(rows, detail)
        rows.addStretch(1)
        self._scroll.setWidget(page)

    def _fill(self, rows: QVBoxLayout, detail: Detail) -> None:
        rows.addLayout(_top(detail))
        if detail.sentence:
            rows.addWidget(label(detail.sentence, "soft", wraps=True))
        if detail.entry is not None:
            rows.addWidget(self._entry_buttons(detail, detail.entry))
        for field in detail.fields:
            rows.addLayout(_field(field))
        if detail.administers:
            rows.addWidget(rule())
            rows.addWidget(label(tr("Administers"), "small"))
            for flow in detail.administers:
                rows.addLayout(self._flow(flow))

    def _entry_buttons(self, detail: Detail, entry: OutboxEntry) -> QWidget:
        box, wrapping = wrapping_box()
        if detail.can_undo:
            wrapping.insert_widget(button(tr("Undo"), partial(self._pane.undo, entry)))
        if detail.can_correct:
            correct = partial(self.correct_wanted.emit, entry)
            wrapping.insert_widget(button(tr("Correct and send"), correct))
        if detail.needs_person:
            wrapping.insert_widget(button(tr("Send again"), partial(self._pane.send_again, entry)))
            wrapping.insert_widget(
                button(tr("Take off the list"), partial(self._pane.dismiss, entry))
            )
        return box

    def _flow(self, flow: Administers) -> QVBoxLayout:
        rows = QVBoxLayout()
        rows.setSpacing(2)
        follow = partial(self.flow_wanted.emit, flow.flow_id)
        link = button(flow.flow_name, follow, "link")
        link.setAccessibleName(tr("Show the flow {name}", name=flow.flow_name))
        rows.addWidget(link)
        for line in flow.lines:
            text = label(line, wraps=True)
            text.setContentsMargins(5, 0, 0, 0)
            rows.addWidget(text)
        return rows


def _top(detail: Detail) -> QHBoxLayout:
    top = QHBoxLayout()
    top.setSpacing(12)
    top.addWidget(Avatar(detail.initials))
    names = QVBoxLayout()
    names.setSpacing(4)
    names.addWidget(label(detail.name, "heading", wraps=True))
    if detail.badges:
        box, wrapping = wrapping_box(4)
        for badge in detail.badges:
            wrapping.insert_widget(label(badge, "badge"))
        names.addWidget(box)
    top.addLayout(names, 1)
    return top


def _field(field: DetailField) -> QVBoxLayout:
    rows = QVBoxLayout()
    rows.setSpacing(1)
    rows.addWidget(label(field.name, "small"))
    across = QHBoxLayout()
    value = label(field.value, "" if field.copy else "soft", wraps=True)
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    across.addWidget(value, 1)
    if field.copy:
        copy = button(tr("Copy"), partial(_copy, field.copy), "link")
        copy.setAccessibleName(tr("Copy {field}", field=field.name))
        across.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
    rows.addLayout(across)
    return rows


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
