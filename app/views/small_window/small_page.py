"""What the small window shows, built when it is first opened: the line for adding, what became of
whoever was typed last, and the way to a list that waits to be looked over.

The line is that of the People tab, lent for as long as this is shown.
"""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.model.outbox import EntryState
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.outbox.entry_actions import EntryAction
from app.viewmodels.small_window.recent_entries import (
    MOST,
    RecentEntries,
    RecentEntriesState,
    RecentEntry,
)
from app.views.people.people_tab import PeopleTab
from app.views.widgets.buttons import ElidingLink, button, empty_page, label, rule, set_flag
from app.views.widgets.labels import ElidingLabel, set_tip
from app.views.widgets.layouts import FocusInset, wrapping_box
from app.views.widgets.pointer import PressGuard
from app.views.widgets.spoken_roles import speak_as, speak_place

_MARGIN = 14
_LEAST_LIST = 24
"""Pixels: a name."""


class _EntryRow(GuardedOverrides, QWidget):
    """One of those who were typed; the sentence about them opens below their name."""

    def __init__(self, page: "RecentEntryList") -> None:
        super().__init__()
        speak_as(self, "ListItem")
        self._page = page
        self._shown: RecentEntry | None = None
        self._rule = rule()
        self._name = ElidingLabel()
        self._state = label("", "soft")
        self.undo = button(tr("Undo"), self._undo, "link", icon="undo")
        self.why = button("", self._ask_why, "link")
        self._sentence = label("", "soft", wraps=True)
        self._actions: QWidget | None = None
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        across = QHBoxLayout()
        across.setSpacing(8)
        across.addWidget(self._name, 1)
        across.addWidget(self._state)
        for each in (self.undo, self.why):
            across.addWidget(each)
        # As high with a way to take somebody back as without: nobody moves when they are sent.
        self._name.setMinimumHeight(self.undo.sizeHint().height())
        self._rows.addWidget(self._rule)
        self._rows.addLayout(across)
        self._rows.addWidget(self._sentence)

    def show_entry(self, entry: RecentEntry | None, *, first: bool) -> None:
        """Show this one; None: nobody."""
        before, self._shown = self._shown, entry
        self.setVisible(entry is not None)
        if entry is None or (entry == before and self._rule.isHidden() is first):
            return
        self._rule.setHidden(first)
        self._name.setText(entry.name)
        self._state.setText(entry.state_words)
        if entry.needs_person:
            set_flag(self._state, "role", "problem")
        else:
            added = entry.state is EntryState.ADDED
            set_flag(self._state, "role", "added" if added else "soft")
        self.setAccessibleName(f"{entry.name}, {entry.state_words}")
        for made, shown in ((self.undo, entry.can_undo), (self.why, bool(entry.why))):
            made.setVisible(shown)
            # There are many of these on one page.
            made.setAccessibleDescription(entry.name)
        self.why.setText(entry.why)
        self._sentence.setText(entry.sentence)
        self._sentence.setVisible(bool(entry.sentence))
        if before is None or before.actions != entry.actions:
            self._show_actions(entry.actions)

    @property
    def is_open(self) -> bool:
        """Whether the sentence about them is shown."""
        return self._shown is not None and bool(self._shown.sentence)

    def _show_actions(self, actions: tuple[EntryAction, ...]) -> None:
        if self._actions is not None:
            self._rows.removeWidget(self._actions)
            self._actions.hide()
            self._actions.deleteLater()
            self._actions = None
        if actions:
            self._actions, wrapping = wrapping_box()
            self._rows.addWidget(self._actions)
            before = self.why
            for action in actions:
                act = partial(self._decide, action)
                made = button(action.words, act, icon=action.icon)
                wrapping.insert_widget(made)
                QWidget.setTabOrder(before, made)
                before = made

    def _undo(self) -> None:
        if self._shown is not None:
            self._page.recent.undo(self._shown.id)

    def _ask_why(self) -> None:
        if self._shown is not None:
            self._page.recent.ask_why(self._shown.id)

    def _decide(self, action: EntryAction) -> None:
        if self._shown is not None:
            self._page.decided.emit()
            self._page.recent.decide(self._shown.id, action.decision)


class RecentEntryList(GuardedOverrides, QFrame):
    """Bound to `RecentEntries`; scrolls where there is no room for all of them."""

    decided = Signal()
    """Before what somebody says of one is done: what was pressed for it will be gone."""

    def __init__(self, recent: RecentEntries) -> None:
        """Show whoever `recent` has, as soon as it looks."""
        super().__init__()
        self.setProperty("role", "card")
        self.recent = recent
        self._begun_list = ElidingLink("", recent.go_on_with_list)
        self._empty: QLabel = label("", "soft", wraps=True)
        self._rows = [_EntryRow(self) for _ in range(MOST)]
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # In a low window it gives way to the line and what is said of it.
        self._scroll.setMinimumHeight(_LEAST_LIST)
        # The buttons in it take the keyboard, and it follows them.
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        page.setProperty("role", "page")
        speak_as(page, "List")
        page.setAccessibleName(tr("Typed"))
        inside = QVBoxLayout(page)
        inside.setContentsMargins(_MARGIN, 6, _MARGIN, 6)
        inside.setSpacing(4)
        inside.addLayout(FocusInset(self._begun_list))
        for each in (self._empty, *self._rows):
            inside.addWidget(each)
        inside.addStretch(1)
        self._scroll.setWidget(page)
        around = QVBoxLayout(self)
        around.setContentsMargins(1, 1, 1, 1)
        around.addWidget(self._scroll)
        self.controls = [
            self._begun_list,
            *(each for row in self._rows for each in (row.undo, row.why)),
        ]
        """What takes the keyboard, in reading order, besides what opens below one of them."""
        self._guard = PressGuard((self,), self)
        self._places: tuple[object, ...] = ()
        """What decides where anything stands."""
        recent.state_changed.connect(self._show)
        self._show(recent.state)

    def _show(self, state: RecentEntriesState) -> None:
        places = (bool(state.begun_list_words), *(entry.id for entry in state.entries))
        before, self._places = self._places, places
        self._begun_list.setText(state.begun_list_words)
        set_tip(self._begun_list, state.begun_list_words)
        self._begun_list.setVisible(bool(state.begun_list_words))
        for place, row in enumerate(self._rows):
            there = place < len(state.entries)
            row.show_entry(state.entries[place] if there else None, first=not place)
            if there:
                speak_place(row, place + 1, len(state.entries))
        self._empty.setText(state.empty_words)
        self._empty.setVisible(bool(state.empty_words))
        if any(entry.sentence for entry in state.entries):
            # What opens below one of them finds its place after this.
            QTimer.singleShot(0, self, self._show_opened)
        if places != before and self.underMouse():
            # Where somebody's button was, another one's may be by now.
            self._guard.moved()

    def _show_opened(self) -> None:
        for row in self._rows:
            if row.is_open:
                self._scroll.ensureWidgetVisible(row, 0, 0)


class SmallPage(GuardedOverrides, QWidget):
    """Has the line while an account is shown, and else the way to the large window."""

    large_wanted = Signal()
    above_wanted = Signal(bool)
    """Whether the small window is to stay above other windows."""

    def __init__(self) -> None:
        """Nobody is signed in."""
        super().__init__()
        self._recent: RecentEntries | None = None
        self._list: RecentEntryList | None = None
        self._lender: PeopleTab | None = None
        self.to_large = button(tr("Large window"), self.large_wanted.emit, "primary")
        self._nobody = empty_page(
            label(tr("You are not signed in. The large window has the ways in."), wraps=True),
            self.to_large,
        )
        self.above = QCheckBox(tr("Above other windows"))
        self.above.toggled.connect(self.above_wanted)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(_MARGIN, 0, _MARGIN, 4)
        self._rows.setSpacing(8)
        self._rows.addWidget(self._nobody, 1)
        self._rows.addLayout(FocusInset(self.above))

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        self._rows.setSpacing(4 if on else 8)
        self._rows.setContentsMargins(_MARGIN, 0, _MARGIN, 0 if on else 4)

    def borrow_line(self, people: PeopleTab, recent: RecentEntries) -> None:
        """Show the line of `people`, and whoever was typed there last."""
        self._let_go()
        self._nobody.hide()
        line = people.quick_add
        self._lender, self._recent, self._list = people, recent, RecentEntryList(recent)
        self._list.decided.connect(self.focus_first)
        line.shrink(on=True, covered_last=self.above)
        line.keep_room_for(1)
        self._rows.insertWidget(0, line)
        self._rows.insertWidget(1, self._list, 1)
        line.show()
        before = line.last_control
        for each in (*self._list.controls, self.above):
            QWidget.setTabOrder(before, each)
            before = each
        # A screen reader goes through them as they lie: it stands below the others.
        self.above.raise_()
        recent.look(on=True)

    def return_line(self) -> None:
        """The line stands above the list of people again, if it was lent."""
        lender = self._let_go()
        if lender is not None:
            lender.take_line_back()

    def _let_go(self) -> PeopleTab | None:
        lender, self._lender = self._lender, None
        if self._recent is not None:
            self._recent.look(on=False)
            self._recent = None
        if self._list is not None:
            self._rows.removeWidget(self._list)
            self._list.hide()
            self._list.deleteLater()
            self._list = None
        if lender is not None:
            self._rows.removeWidget(lender.quick_add)
            lender.quick_add.shrink(on=False)
        self._nobody.show()
        return lender

    def focus_first(self) -> None:
        """Put the keyboard into the line, or on what there is instead."""
        if self._lender is not None:
            self._lender.quick_add.focus_line()
        else:
            self.to_large.setFocus(Qt.FocusReason.OtherFocusReason)
