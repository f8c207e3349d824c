"""People who are likely there twice, as a page built when first shown: side by side, with what
differs between them marked.
"""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import in_a_row, tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.people.duplicate_groups import (
    DuplicateGroupsScreen,
    DuplicateGroupsState,
    FieldShown,
    GroupShown,
    PersonShown,
)
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.save_dialog import ask_for_file, table_kinds
from app.views.widgets.buttons import button, label, rule
from app.views.widgets.labels import ElidingLabel, announce, in_one_line
from app.views.widgets.layouts import FocusInset
from app.views.widgets.pointer import PressGuard

_BESIDE = 4
"""People side by side; more of one group stand below them."""
_AT_ONCE = 2
"""Groups that are made before they are painted; the others follow one by one."""
_BLANK = "–"
_INSET = 5
_AIR = 16
"""Pixels seen above and below what has the keyboard."""


class DuplicateGroupCard(GuardedOverrides, QWidget):
    """One group: a column for each person, a line for each field that somebody has."""

    apart = Signal(object, object)
    """Carries the group, and the one who is none of the others; None where nobody is another."""
    rest_wanted = Signal(object)
    """Carries the name of those of whom not all are shown side by side."""
    opened = Signal(object)
    """Carries the key of somebody who is to be seen in the list."""

    def __init__(self, group: GroupShown) -> None:
        """Shows `group` and nothing else; for another one another card is made."""
        super().__init__()
        self.group = group
        self.apart_button = button(tr("Not the same person"), self._tell_apart)
        self.controls: list[QWidget] = [self.apart_button]
        """In the order in which Tab leads through them."""
        names = in_a_row(person.name for person in group.people)
        self.apart_button.setAccessibleDescription(in_one_line(names))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(16, 10, 16, 0)
        rows.setSpacing(8)
        top = QHBoxLayout()
        top.addWidget(label(group.words, "strong", wraps=True), 1)
        top.addWidget(self.apart_button)
        rows.addLayout(top)
        for start in range(0, len(group.people), _BESIDE):
            rows.addLayout(self._beside(group.people[start : start + _BESIDE]))
        if group.more:
            name = group.people[0].name
            more = button(group.more, partial(self.rest_wanted.emit, name), "link")
            more.setMinimumWidth(1)
            self.controls.append(more)
            rows.addLayout(FocusInset(more))
        rows.addSpacing(6)
        rows.addWidget(rule())

    def _beside(self, people: tuple[PersonShown, ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(3)
        for column in range(1, _BESIDE + 1):
            grid.setColumnStretch(column, 1 if column <= max(len(people), 2) else 0)
        shown = [
            index
            for index in range(len(people[0].fields))
            if any(person.fields[index].value for person in self.group.people)
        ]
        for row, index in enumerate(shown, 1):
            grid.addWidget(label(people[0].fields[index].label, "small"), row, 0)
        for column, person in enumerate(people, 1):
            grid.addWidget(self._name(person), 0, column)
            for row, index in enumerate(shown, 1):
                grid.addWidget(_value(person.fields[index]), row, column)
            if len(self.group.people) > 2:  # noqa: PLR2004 - of two, one is as little the other
                grid.addWidget(self._apart_from_all(person), len(shown) + 1, column)
        return grid

    def _name(self, person: PersonShown) -> QWidget:
        said = QWidget()
        across = QHBoxLayout(said)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(6)
        open_button = button(person.name, partial(self.opened.emit, person.key), "link")
        open_button.setAccessibleName(in_one_line(person.spoken))
        open_button.setMinimumWidth(1)
        self.controls.append(open_button)
        across.addWidget(open_button)
        for words in person.badges:
            across.addWidget(label(words, "badge"))
        across.addStretch(1)
        return said

    def _apart_from_all(self, person: PersonShown) -> QPushButton:
        made = button(tr("Somebody else"), partial(self.apart.emit, self.group, person), "link")
        made.setAccessibleDescription(in_one_line(person.name))
        self.controls.append(made)
        return made

    def _tell_apart(self) -> None:
        self.apart.emit(self.group, None)


def _value(field: FieldShown) -> QLabel:
    made = ElidingLabel("differs" if field.differs else "")
    made.setText(field.value or _BLANK)
    # Under the name, which has as much air inside its ring.
    made.setContentsMargins(_INSET, 1, _INSET, 1)
    made.setAccessibleName(in_one_line(field.spoken))
    return made


class DuplicateGroupsPage(GuardedOverrides, QWidget):
    """Of a `DuplicateGroupsScreen`, whose states it is given; stands in the place of the list."""

    person_wanted = Signal(object)
    """Carries the key of somebody who is to be seen in the list."""
    rest_wanted = Signal(object)
    """Carries the name of many who are to be seen in the list."""
    left = Signal()
    """Somebody wants the list again."""

    def __init__(self, screen: DuplicateGroupsScreen) -> None:
        """Nothing is made before the page is shown."""
        super().__init__()
        self._screen = screen
        self._said = label("", "soft", wraps=True)
        self._remark = label("", "small")
        self.copy_button = button(tr("Copy list"), screen.copy, icon="copy")
        self.save_button = button(tr("Save list"), self._ask_where_to_save, icon="file")
        self.undo_button = button(tr("Undo"), screen.take_back, "link")
        self.back_button = button(tr("Back"), screen.go_back)
        self.on_button = button(tr("More"), screen.go_on)
        self._page = label("", "small")
        self._bottom = QWidget()
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.cards: list[DuplicateGroupCard] = []
        self._to_make: list[GroupShown] = []
        self._told = ""
        self._make_next = QTimer(self, singleShot=True, interval=0)
        self._make_next.timeout.connect(self._make_more)
        self._bring_into_sight = QTimer(self, singleShot=True, interval=0)
        self._bring_into_sight.timeout.connect(self._show_focused)
        self._lay_out()
        self._guard = PressGuard((self._scroll, self._bottom), self)
        screen.copied.connect(put_on_clipboard)
        self.show_state(screen.state)

    @property
    def controls(self) -> list[QWidget]:
        """What takes the keyboard, in reading order."""
        of_cards = (control for card in self.cards for control in card.controls)
        top = (self.copy_button, self.save_button, self.undo_button)
        return [*top, *of_cards, self.back_button, self.on_button]

    def undo(self) -> bool:
        """Take back who was told apart last; False where nobody was, or the list is shown."""
        wanted = self.isVisible() and self._screen.state.can_take_back
        if wanted:
            self._screen.take_back()
        return wanted

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leads back to the list."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    # How it is put together

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(16, 10, 12, 10)
        top.setSpacing(8)
        top.addWidget(self._said, 1)
        top.addWidget(self.copy_button)
        top.addWidget(self.save_button)
        rows.addLayout(top)
        rows.addWidget(rule())
        rows.addWidget(self._scrolled(), 1)
        rows.addWidget(self._empty, 1)
        self._lay_out_bottom()
        rows.addWidget(self._bottom)

    def _lay_out_bottom(self) -> None:
        rows = QVBoxLayout(self._bottom)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addWidget(rule())
        bottom = QHBoxLayout()
        bottom.setContentsMargins(16, 6, 12, 8)
        bottom.addWidget(self._remark)
        bottom.addWidget(self.undo_button)
        bottom.addStretch(1)
        bottom.addWidget(self._page)
        bottom.addWidget(self.back_button)
        bottom.addWidget(self.on_button)
        bottom.addStrut(self.back_button.sizeHint().height())
        rows.addLayout(bottom)
        self._bottom.hide()

    def _scrolled(self) -> QScrollArea:
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setProperty("role", "column")
        column = QWidget()
        column.setProperty("role", "page")
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._scroll.setWidget(column)
        return self._scroll

    # What is shown

    def show_state(self, state: DuplicateGroupsState) -> None:
        """Show the groups of this state, or let go of them."""
        if not state.shown:
            self._let_go()
            return
        # Before anything is hidden that has the keyboard.
        at = self._focused()
        self._said.setText(
            tr(
                "Each of these is likely one person. Front Desk cannot merge them: copy or save "
                "the list for whoever does so on the account's own page."
            )
        )
        nobody = bool(state.empty_words)
        self._empty.setText(state.empty_words)
        self._empty.setVisible(nobody)
        self._scroll.setVisible(not nobody)
        self.copy_button.setEnabled(not nobody)
        self.save_button.setEnabled(not nobody)
        self._remark.setText(state.remark)
        self.undo_button.setVisible(state.can_take_back)
        self._page.setText(state.page_words)
        self.back_button.setVisible(bool(state.page_words))
        self.on_button.setVisible(bool(state.page_words))
        self.back_button.setEnabled(state.can_go_back)
        self.on_button.setEnabled(state.can_go_on)
        # Nobody's room before it says anything; from then on it stays, whatever is said: nothing
        # moves that somebody is about to click.
        if state.remark or state.can_take_back or state.page_words:
            self._bottom.show()
        self._show_groups(state.groups, at)
        self._tell(state.remark or state.empty_words)

    def _tell(self, words: str) -> None:
        if words != self._told:
            self._told = words
            if words and self.isVisible():
                announce(self, words)

    def _show_groups(self, groups: tuple[GroupShown, ...], at: int) -> None:
        if [card.group for card in self.cards] + self._to_make == list(groups):
            return
        if self.cards:
            # Another group stands under the pointer now: the second click of two is not for it.
            self._guard.moved()
        known = {card.group: card for card in self.cards}
        kept = [known.pop(group) for group in groups if group in known]
        for card in known.values():
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        same_ones_first = [card.group for card in kept] == list(groups[: len(kept)])
        if not same_ones_first:
            for card in kept:
                self._column.removeWidget(card)
                card.deleteLater()
            kept = []
        self.cards = kept
        self._to_make = list(groups[len(kept) :])
        if not kept:
            self._scroll.verticalScrollBar().setValue(0)
        while self._to_make and len(self.cards) < max(_AT_ONCE, at + 1):
            self._make_card()
        self._make_next.start()
        if at >= 0:
            self._focus(at)

    def _make_more(self) -> None:
        if self._to_make:
            self._make_card()
            self._make_next.start()

    def _make_card(self) -> None:
        card = DuplicateGroupCard(self._to_make.pop(0))
        card.apart.connect(self._tell_apart)
        card.opened.connect(self.person_wanted)
        card.rest_wanted.connect(self.rest_wanted)
        self._column.insertWidget(len(self.cards), card)
        before = self.cards[-1].controls[-1] if self.cards else self.undo_button
        self.cards.append(card)
        for control in (*card.controls, self.back_button, self.on_button):
            QWidget.setTabOrder(before, control)
            before = control

    def _let_go(self) -> None:
        self._make_next.stop()
        self._to_make = []
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self.cards = []
        self._told = ""
        self._bottom.hide()

    def _focused(self) -> int:
        """The place of the group that has the keyboard, or -1."""
        focus = QApplication.focusWidget()
        if focus is None:
            return -1
        indexes = (at for at, card in enumerate(self.cards) if card.isAncestorOf(focus))
        return next(indexes, -1)

    def _focus(self, at: int) -> None:
        """Whoever told two apart is led to the next, which stands there now."""
        if self.cards:
            card = self.cards[min(at, len(self.cards) - 1)]
            card.apart_button.setFocus(Qt.FocusReason.OtherFocusReason)
            # Where it will stand is known once the others have moved up.
            self._bring_into_sight.start()
        elif self.undo_button.isVisible():
            self.undo_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_focused(self) -> None:
        at = self._focused()
        if at >= 0:
            self._scroll.ensureWidgetVisible(self.cards[at].apart_button, 0, _AIR)

    # What the person does

    def _tell_apart(self, group: object, person: object) -> None:
        if isinstance(group, GroupShown):
            self._screen.tell_apart(group, person if isinstance(person, PersonShown) else None)

    def _ask_where_to_save(self) -> None:
        title, name = tr("Save the list as a file"), Path(self._screen.file_name).stem
        ask_for_file(self, title, name, table_kinds()[::-1], self._screen.save)
