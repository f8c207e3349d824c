"""The pane beside the list, or above it in a narrow window: one person or entry, field by field,
with what can be done.
"""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.model.outbox import OutboxEntry
from app.runtime.words import tr
from app.viewmodels.flows.cards import Administers, FlowLink
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.outbox.entry_actions import Decision
from app.viewmodels.people.person_pane import Detail, DetailField, PaneState, PersonPane, Several
from app.views.exporting.mail_program import open_mail
from app.views.widgets.buttons import CopyButton, ElidingLink, button, card, label, rule, set_flag
from app.views.widgets.labels import ValueLabel, set_tip
from app.views.widgets.layouts import FocusInset, wrapping_box
from app.views.widgets.pill import Avatar
from app.views.widgets.pointer import PressGuard


def top(detail: Detail) -> QHBoxLayout:
    """The round mark, the name and the badges."""
    across = QHBoxLayout()
    across.setSpacing(12)
    across.addWidget(Avatar(detail.initials), 0, Qt.AlignmentFlag.AlignTop)
    names = QVBoxLayout()
    names.setSpacing(4)
    names.addWidget(ValueLabel(detail.name, "heading"))
    if detail.badges:
        box, wrapping = wrapping_box(4)
        for badge in detail.badges:
            wrapping.insert_widget(label(badge, "badge"))
        names.addWidget(box)
    across.addLayout(names, 1)
    return across


def field_rows(field: DetailField, write: Callable[[], object]) -> QVBoxLayout:
    """The field's name with what can be done, and below it the value on the whole width.

    `write` begins a mail to the person.
    """
    rows = QVBoxLayout()
    rows.setSpacing(0)
    box, across = wrapping_box(2, spread=True)
    across.insert_widget(label(field.name, "small"))
    if field.mail:
        across.insert_widget(_mail(field, write))
    if field.copy:
        told = tr("Copy {field}", field=field.name)
        across.insert_widget(CopyButton(told, partial(str, field.copy)))
    rows.addWidget(box)
    rows.addWidget(ValueLabel(field.value, "" if field.copy else "soft"))
    return rows


def candidate_box(fields: Sequence[DetailField]) -> QFrame:
    """Somebody in the list who may be the one, set apart from what was typed."""
    box = QFrame()
    box.setProperty("role", "aside")
    box.setAccessibleName(tr("The person in the list"))
    rows = QVBoxLayout(box)
    rows.setContentsMargins(12, 10, 12, 10)
    rows.setSpacing(8)
    for field in fields:
        said = QVBoxLayout()
        said.setSpacing(0)
        said.addWidget(label(field.name, "small"))
        said.addWidget(ValueLabel(field.value))
        rows.addLayout(said)
    return box


def flow_rows(flow: Administers, follow: Callable[[FlowLink], object]) -> QVBoxLayout:
    """The flow's name and what of it somebody administers, each a link."""
    rows = QVBoxLayout()
    rows.setSpacing(1)
    told = tr("Show the flow {name}", name=flow.flow_name)
    whole = _link(flow.flow_link, told, follow)
    set_flag(whole, "strong", value=True)
    rows.addLayout(FocusInset(whole))
    for link in flow.links:
        told = tr("Show {step} in the flow {name}", step=link.words, name=flow.flow_name)
        within = QHBoxLayout()
        # A space is mirrored, the margins of a layout are not.
        within.setContentsMargins(0, 0, 0, 0)
        within.addSpacing(12)
        within.addWidget(_link(link, told, follow))
        within.addStretch(1)
        rows.addLayout(within)
    return rows


def _mail(field: DetailField, write: Callable[[], object]) -> QPushButton:
    made = button(tr("Write"), write, "link", icon="mail")
    made.setAccessibleName(tr("Write a mail to {email}", email=field.copy))
    return made


def _link(link: FlowLink, told: str, follow: Callable[[FlowLink], object]) -> QWidget:
    made = ElidingLink(link.words, partial(follow, link))
    made.setAccessibleName(told)
    set_tip(made, told)
    return made


class PersonPaneView(GuardedOverrides, QWidget):
    """Bound to a `PersonPane`; built anew for each row that is chosen."""

    load_wanted = Signal(object)
    """Carries the id of somebody of whom all is to be seen that they administer."""
    flow_wanted = Signal(object)
    """Carries a `FlowLink`: the flow, and the step of it where one was followed."""
    correct_wanted = Signal(object)
    """Carries the entry that somebody wants to correct in the quick-add line."""
    close_wanted = Signal()

    def __init__(self, pane: PersonPane, parent: QWidget | None = None, *, delay: int = 0) -> None:
        """Bind to `pane`.

        `delay`: milliseconds in which a list beside it is painted before the card is built anew,
        which takes longer than a frame, and nothing is built that is not seen; 0 builds it at once.
        """
        super().__init__(parent)
        self._pane = pane
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(delay)
        self._later.timeout.connect(self._show_now)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Details"))
        self._scroll.installEventFilter(self)
        self._surface = card()
        inside = QVBoxLayout(self._surface)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.setSpacing(0)
        self.close_button = button(tr("Close"), self.close_wanted.emit, "link", icon="close")
        self.close_button.setAccessibleName(tr("Close the details"))
        self.close_button.hide()
        inside.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTrailing)
        inside.addWidget(self._scroll)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._surface)
        self._guard = PressGuard((self,), self)
        self._shown = pane.state
        pane.state_changed.connect(self._show)
        self._build(self._shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The card wears the ring while it is scrolled by keyboard."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            set_flag(self._surface, "ring", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def lie_above(self, *, on: bool) -> None:
        """Whether it covers a part of the list, and so can be closed."""
        self.setProperty("stands_above", on)
        self.close_button.setVisible(on)
        set_flag(self._surface, "above", on)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what has changed while nobody looked."""
        super().showEvent(event)
        self._show(self._pane.state)

    def catch_up(self) -> None:
        """Show what the pane says now, without waiting any longer."""
        self._later.stop()
        shown = self._pane.state
        if shown != self._shown:
            self._build(shown)

    def _show(self, _state: PaneState) -> None:
        if not self._later.interval():
            self.catch_up()
        elif not self._later.isActive():
            self._later.start()

    def _show_now(self) -> None:
        if self.isVisible():
            self.catch_up()

    def _build(self, shown: PaneState) -> None:
        before, self._shown = self._shown, shown
        had, bar = self._focused_name(), self._scroll.verticalScrollBar()
        seen_from = bar.value()
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
        if _is_of_the_same(before, shown):
            bar.setValue(seen_from)
        if had is not None:
            self._focus_again(had)
        if self.underMouse() and _is_of_the_same(before, shown):
            # Nobody has chosen that: where a button was, there may be another by now.
            self._guard.moved()

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
            rows.addWidget(ValueLabel(name))
        if several.more:
            rows.addWidget(label(several.more, "soft", wraps=True))
        box, wrapping = wrapping_box()
        wrapping.insert_widget(_acting(tr("Copy emails"), self._pane.copy_emails, "copy"))
        write = partial(self._pane.write, open_mail)
        wrapping.insert_widget(_acting(tr("Write to them"), write, "mail"))
        rows.addWidget(box)

    def _fill(self, rows: QVBoxLayout, detail: Detail) -> None:
        rows.addLayout(top(detail))
        if detail.sentence:
            role = "" if detail.needs_person else "soft"
            rows.addWidget(label(detail.sentence, role, wraps=True))
        if detail.candidate:
            rows.addWidget(candidate_box(detail.candidate))
        if detail.entry is not None and detail.actions:
            rows.addWidget(self._entry_buttons(detail, detail.entry))
        for field in detail.fields:
            rows.addLayout(field_rows(field, partial(self._pane.write, open_mail)))
        if detail.administers:
            rows.addWidget(rule())
            rows.addWidget(label(tr("Administers"), "small"))
            for flow in detail.administers:
                rows.addLayout(flow_rows(flow, self.flow_wanted.emit))
            if detail.administers_more:
                see_all = partial(self.load_wanted.emit, detail.person_id)
                more = button(detail.administers_more, see_all, "link")
                rows.addLayout(FocusInset(more))

    def _entry_buttons(self, detail: Detail, entry: OutboxEntry) -> QWidget:
        box, wrapping = wrapping_box()
        for action in detail.actions:
            act: Callable[[], object] = partial(self._pane.decide, entry, action.decision)
            if action.decision is Decision.CORRECT:
                act = partial(self.correct_wanted.emit, entry)
            wrapping.insert_widget(_acting(action.words, act, action.icon))
        return box


def _is_of_the_same(before: PaneState, shown: PaneState) -> bool:
    return isinstance(before, Detail) and isinstance(shown, Detail) and before.name == shown.name


def _acting(words: str, act: Callable[[], object], icon: str = "") -> QPushButton:
    made = button(words, act, icon=icon)
    made.setAccessibleName(words)
    return made
