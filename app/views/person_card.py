"""The detail pane: one person with copy buttons and links, one entry with what can be done, or how
many are chosen.
"""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.model.outbox import OutboxEntry
from app.runtime.words import tr
from app.viewmodels.deciding import Decision
from app.viewmodels.guarded import Guarded
from app.viewmodels.person import Detail, PersonPane, Several
from app.views.person_rows import candidate_box, field_rows, flow_rows, open_mail, top
from app.views.widgets.basics import button, card, label, rule, set_flag
from app.views.widgets.wrapping import wrapping_box


class PersonCard(Guarded, QWidget):
    """Bound to a `PersonPane`; built anew for each row that is chosen."""

    flow_wanted = Signal(object)
    """Carries a `FlowLink`: the flow, and the step of it where one was followed."""
    correct_wanted = Signal(object)
    """Carries the entry that somebody wants to correct in the quick-add line."""

    def __init__(
        self, pane: PersonPane, parent: QWidget | None = None, *, patience: int = 0
    ) -> None:
        """Bind to `pane`.

        `patience`: milliseconds in which a list beside it is painted before the card is built anew,
        which takes longer than a frame; 0 builds it at once.
        """
        super().__init__(parent)
        self._pane = pane
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(patience)
        self._later.timeout.connect(self.catch_up)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Details"))
        self._scroll.installEventFilter(self)
        self._surface = card()
        inside = QVBoxLayout(self._surface)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self._scroll)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._surface)
        self._shown: Detail | Several | str = pane.hint
        pane.changed.connect(self._show)
        self._build(self._shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card wears the ring while it is scrolled by keyboard."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            set_flag(self._surface, "ring", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def catch_up(self) -> None:
        """Show what the pane says now, without waiting any longer."""
        self._later.stop()
        shown = self._pane.several or self._pane.detail or self._pane.hint
        if shown != self._shown:
            self._build(shown)

    def _show(self) -> None:
        if not self._later.interval():
            self.catch_up()
        elif not self._later.isActive():
            self._later.start()

    def _build(self, shown: Detail | Several | str) -> None:
        self._shown = shown
        had = self._focused_name()
        page = QWidget()
        page.setProperty("role", "page")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(18, 18, 18, 18)
        rows.setSpacing(10)
        if isinstance(shown, Several):
            self._fill_several(rows, shown)
        elif isinstance(shown, Detail):
            self._fill(rows, shown)
        else:
            rows.addWidget(label(shown, "soft", wraps=True))
        rows.addStretch(1)
        self._scroll.setWidget(page)
        if had is not None:
            self._focus_again(had)

    def _focused_name(self) -> str | None:
        """What has the keyboard in here, by the name a screen reader gives it; None outside."""
        focused = QApplication.focusWidget()
        if focused is None or not self.isAncestorOf(focused):
            return None
        return focused.accessibleName()

    def _focus_again(self, name: str) -> None:
        """The page is another one, but the keyboard stays where it was, or at least here."""
        for found in self._scroll.findChildren(QPushButton):
            if found.accessibleName() == name:
                found.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_several(self, rows: QVBoxLayout, several: Several) -> None:
        rows.addWidget(label(several.heading, "heading", wraps=True))
        for name in several.names:
            rows.addWidget(label(name, wraps=True))
        if several.more:
            rows.addWidget(label(several.more, "soft", wraps=True))
        box, wrapping = wrapping_box()
        wrapping.insert_widget(_acting(tr("Copy emails"), self._pane.copy_emails, "copy"))
        if several.mail:
            write = partial(open_mail, several.mail)
            wrapping.insert_widget(_acting(tr("Write to them"), write, "mail"))
        rows.addWidget(box)

    def _fill(self, rows: QVBoxLayout, detail: Detail) -> None:
        rows.addLayout(top(detail))
        if detail.sentence:
            role = "" if detail.needs_person else "soft"
            rows.addWidget(label(detail.sentence, role, wraps=True))
        if detail.candidate:
            rows.addWidget(candidate_box(detail.candidate))
        if detail.entry is not None and detail.offers:
            rows.addWidget(self._entry_buttons(detail, detail.entry))
        for field in detail.fields:
            rows.addLayout(field_rows(field))
        if detail.administers:
            rows.addWidget(rule())
            rows.addWidget(label(tr("Administers"), "small"))
            for flow in detail.administers:
                rows.addLayout(flow_rows(flow, self.flow_wanted.emit))
            if detail.administers_more:
                rows.addWidget(label(detail.administers_more, "soft"))

    def _entry_buttons(self, detail: Detail, entry: OutboxEntry) -> QWidget:
        box, wrapping = wrapping_box()
        for offer in detail.offers:
            act: Callable[[], object] = partial(self._pane.decide, entry, offer.decision)
            if offer.decision is Decision.CORRECT:
                act = partial(self.correct_wanted.emit, entry)
            wrapping.insert_widget(_acting(offer.words, act, offer.icon))
        return box


def _acting(words: str, act: Callable[[], object], icon: str = "") -> QPushButton:
    made = button(words, act, icon=icon)
    made.setAccessibleName(words)
    return made
