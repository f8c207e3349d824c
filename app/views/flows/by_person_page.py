"""A way of reading the flows: by person, everybody with their load on the left, what the chosen one
administers beside, and what would have nobody if they were away.

The page is made when somebody first chooses that way.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.runtime.words import in_a_row, tr
from app.viewmodels.exporting.print_requests import PrintAway, PrintPeople
from app.viewmodels.flows.by_person import ByPersonScreen, ByPersonState, PersonPage
from app.views.exporting.clipboard import put_on_clipboard
from app.views.flows.by_person_lists import LoadListView, PostListView
from app.views.flows.flows_tab_page import FlowsTabPage
from app.views.widgets.buttons import button, card, label, set_flag
from app.views.widgets.chips import Chips
from app.views.widgets.labels import (
    ValueLabel,
    announce,
    native_keys,
    set_tip,
)
from app.views.widgets.layouts import wrapping_box
from app.views.widgets.pill import Avatar

_LIST_WIDTH = 24
"""Width of the list of people, in heights of the font's line."""
_LEAST_OF_THE_VIEW, _MOST_OF_THE_VIEW = 0.2, 0.42
_AVATAR = 40
_AWAY_KEYS = QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Return)


class ByPersonPage(FlowsTabPage):
    """Bound to a `ByPersonScreen`."""

    place_wanted = Signal(object)
    """Carries a `FlowPlace`: somebody followed a line."""
    person_wanted = Signal(object)
    """Carries the id of somebody who is to be seen in the list of people."""
    write_wanted = Signal(object)
    """Carries the ids of those who are to be written to."""

    def __init__(self, screen: ByPersonScreen) -> None:
        """Bind to `screen`."""
        super().__init__()
        self._screen = screen
        self._shown: PersonPage | None = None
        self.orders = Chips(tr("Sort by"))
        # All of them now, or Tab would lead to them after the list.
        self.orders.show_choices(screen.state.orders, 0)
        self.people = LoadListView(screen.people)
        self._figure = label("", "small", wraps=True)
        self.print_all_button = button(tr("Print all"), self._print_all, "link")
        set_tip(self.print_all_button, tr("A page for everybody in this list"))
        self.person_button = button("", self._show_person, "link")
        self.away_button = button("", self._turn_away)
        set_tip(self.away_button, native_keys(_AWAY_KEYS))
        # Also from the search line: a name and this key are the answer.
        QShortcut(_AWAY_KEYS, self).activated.connect(self._turn_away)
        self.copy_button = button(tr("Copy"), screen.copy, icon="copy")
        self.write_button = button(tr("Write to them"), self._write, icon="mail")
        self.print_button = button(tr("Print"), self.print_shown)
        self.posts = PostListView(screen.posts)
        self._avatar = Avatar("", size=_AVATAR)
        self._badge = label("", "badge")
        self._summary = ValueLabel("", "soft")
        self._nothing = label("", "soft", wraps=True)
        self._whole = label("", "small", wraps=True)
        self._tell_whole("")
        self._empty = label("", "soft", wraps=True)
        self._left, self._right, self._sheet = card(), card(), QWidget()
        self._left_from: QWidget = self.people
        self._lay_out()
        self.orders.chosen.connect(self._sort)
        self.people.chosen.connect(self._choose)
        self.people.entered.connect(self._enter)
        self.people.focus_changed.connect(self._ring_left)
        self.posts.focus_changed.connect(self._ring_right)
        self.posts.followed.connect(self.place_wanted)
        self.posts.left.connect(self.focus_first)
        self.posts.whole_changed.connect(self._tell_whole)
        screen.people.modelReset.connect(self._select_chosen)
        screen.copied.connect(self._to_clipboard)
        screen.state_changed.connect(self._show)
        self._show(screen.state)

    def rows_to_focus(self) -> QWidget:
        """The people, or the lines of one of them for who comes back to one."""
        return self._left_from

    def focus_first(self) -> None:
        """Put the keyboard on the chosen one."""
        self.people.setFocus(Qt.FocusReason.OtherFocusReason)

    def print_request(self) -> PrintPeople | PrintAway | None:
        """What is shown of somebody; None where there is nobody."""
        if self._shown is None:
            return None
        person_id = self._shown.person_id
        return PrintAway(person_id) if self._screen.state.away else PrintPeople((person_id,))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list grows with the font, and never takes the other's room."""
        super().resizeEvent(event)
        wanted = round(self.fontMetrics().height() * _LIST_WIDTH)
        wanted = max(wanted, round(self.width() * _LEAST_OF_THE_VIEW))
        self._left.setFixedWidth(min(wanted, round(self.width() * _MOST_OF_THE_VIEW)))

    # How it is put together

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(16)
        inside = QVBoxLayout(self._left)
        inside.setContentsMargins(1, 8, 1, 8)
        inside.setSpacing(6)
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 12, 0)
        top.setSpacing(8)
        top.addWidget(label(tr("Sort by"), "small"))
        top.addWidget(self.orders, 1)
        inside.addLayout(top)
        inside.addWidget(self.people, 1)
        bottom = QHBoxLayout()
        bottom.setContentsMargins(14, 0, 14, 0)
        bottom.addWidget(self._figure, 1)
        bottom.addWidget(self.print_all_button, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(bottom)
        across.addWidget(self._left)
        rows = QVBoxLayout(self._right)
        rows.setContentsMargins(1, 1, 1, 1)
        rows.addWidget(self._sheet, 1)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(24, 24, 24, 24)
        rows.addWidget(self._empty, 1)
        self._lay_out_sheet()
        across.addWidget(self._right, 1)

    def _lay_out_sheet(self) -> None:
        rows = QVBoxLayout(self._sheet)
        rows.setContentsMargins(20, 18, 18, 12)
        rows.setSpacing(10)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._avatar, 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout()
        names.setSpacing(2)
        named = QHBoxLayout()
        named.setSpacing(8)
        self._name = ValueLabel("", "heading")
        named.addWidget(self._name)
        named.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignTop)
        named.addStretch(1)
        names.addLayout(named)
        names.addWidget(self._summary)
        top.addLayout(names, 1)
        rows.addLayout(top)
        box, wrapping = wrapping_box(8)
        for each in (
            self.away_button,
            self.copy_button,
            self.write_button,
            self.print_button,
            self.person_button,
        ):
            wrapping.insert_widget(each)
        rows.addWidget(box)
        rows.addWidget(self._nothing)
        rows.addWidget(self.posts, 1)
        rows.addWidget(self._whole)

    # What is shown

    def _show(self, state: ByPersonState) -> None:
        self._left.setVisible(state.has_people)
        on = next(at for at, one in enumerate(state.orders) if one.order is state.order)
        self.orders.show_choices(state.orders, on)
        self._figure.setText(state.figure_words)
        self.people.setAccessibleDescription(state.figure_words)
        self._select_chosen()
        self.print_all_button.setVisible(state.found > 1)
        page = state.page
        self._empty.setText(state.empty_words)
        self._empty.setVisible(page is None)
        self._sheet.setVisible(page is not None)
        if page is not None:
            self._show_page(page, away=state.away)
        else:
            self._shown = None

    def _show_page(self, page: PersonPage, *, away: bool) -> None:
        before, self._shown = self._shown, page
        self._avatar.show_initials(page.initials)
        self._name.setText(page.name)
        self._name.updateGeometry()
        self._badge.setText(in_a_row(page.badges))
        self._badge.setVisible(bool(page.badges))
        self._summary.setText(page.summary)
        self._summary.updateGeometry()
        self.away_button.setText(page.away_words)
        self.write_button.setVisible(away and bool(page.write_to))
        self.person_button.setText(tr("Show in People"))
        set_tip(self.person_button, tr("Show {name}", name=page.name))
        self.person_button.setVisible(page.can_follow)
        self._nothing.setText(page.empty_words)
        self._nothing.setVisible(bool(page.empty_words))
        self.posts.setAccessibleDescription(f"{page.name}. {page.summary}")
        if before is None or (before.person_id, before.summary) != (page.person_id, page.summary):
            self.copy_button.setText(tr("Copy"))

    def _select_chosen(self) -> None:
        self.people.show_chosen(self._screen.state.chosen)

    def _ring_left(self, has_keyboard: bool) -> None:  # noqa: FBT001 - as the list sends it
        set_flag(self._left, "ring", value=has_keyboard)
        if has_keyboard:
            self._left_from = self.people

    def _ring_right(self, has_keyboard: bool) -> None:  # noqa: FBT001 - as the list sends it
        set_flag(self._right, "ring", value=has_keyboard)
        if has_keyboard:
            # Whoever follows a line comes back to it.
            self._left_from = self.posts

    def _tell_whole(self, words: object) -> None:
        self._whole.setText(str(words))
        self._whole.setVisible(bool(words))

    # What the person does

    def _choose(self, person_id: object) -> None:
        self._screen.choose(str(person_id))

    def _enter(self) -> None:
        self.posts.setFocus(Qt.FocusReason.OtherFocusReason)

    def _sort(self, place: object) -> None:
        if isinstance(place, int):
            self._screen.sort_by(self._screen.state.orders[place].order)

    def _turn_away(self) -> None:
        self._screen.show_away(yes=not self._screen.state.away)

    def _print_all(self) -> None:
        self.print_wanted.emit(PrintPeople(self._screen.people.keys))

    def _write(self) -> None:
        if self._shown is not None:
            self.write_wanted.emit(self._shown.write_to)

    def _show_person(self) -> None:
        if self._shown is not None:
            self.person_wanted.emit(self._shown.person_id)

    def _to_clipboard(self, copied: object) -> None:
        put_on_clipboard(copied)
        self.copy_button.setText(tr("Copied"))
        announce(self, tr("Copied"))
