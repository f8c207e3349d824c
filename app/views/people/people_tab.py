"""The People tab: quick add, the list under its filters, and the detail beside it."""

from collections.abc import Iterator
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.people.search import PeopleFilter
from app.runtime.words import tr
from app.store.ordering import SortKey
from app.viewmodels.already_here import DuplicateHint
from app.viewmodels.exporting.saving import SavedAs
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.menu_items import Groups, MenuItem
from app.viewmodels.outbox.entry_actions import Decision
from app.viewmodels.people.copying import What
from app.viewmodels.people.duplicate_groups import DuplicateGroupsScreen, DuplicateGroupsState
from app.viewmodels.people.menu import MenuAction, menu_of, sort_items, sort_keys
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.people_state import PeopleState
from app.viewmodels.people.table import SORT_OF
from app.viewmodels.workspace_screens import WorkspaceScreens
from app.views.exporting.clipboard import put_on_clipboard
from app.views.exporting.mail_program import open_mail
from app.views.people.people_table import PeopleTableView
from app.views.people.person_pane import PersonPaneView
from app.views.quick_add.quick_add import QuickAddCard
from app.views.widgets.buttons import bind_keys, button, empty_page, label, rule
from app.views.widgets.chips import ChipContent, Chips
from app.views.widgets.labels import ElidingLabel
from app.views.widgets.layouts import Overhang, StackedPages
from app.views.widgets.menus import RowMenu, menu_of_items

if TYPE_CHECKING:
    from app.viewmodels.importing.review import ReviewScreen
    from app.views.people.duplicate_groups import DuplicateGroupsPage


class PeopleCard(GuardedOverrides, QFrame):
    """Bound to a `PeopleScreen`."""

    searched = Signal()
    """The search was changed, but not by typing into it."""

    def __init__(
        self,
        screen: PeopleScreen,
        duplicate_groups: DuplicateGroupsScreen | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Bind to `screen`; `duplicate_groups`, where they are, have a chip beside the filters."""
        super().__init__(parent)
        self.setProperty("role", "card")
        self._screen = screen
        self._duplicate_groups = duplicate_groups
        self._groups: DuplicateGroupsPage | None = None
        self._before = screen.state
        self._chips = Chips(tr("Who is shown"))
        self._chips.chosen.connect(self._filter)
        # All of them now, or Tab would lead to them after the list.
        self._show_filters(screen.state)
        self.list = PeopleTableView(screen)
        self._count = label("", "small")
        self._remark = ElidingLabel("small")
        # Without words nobody is told of it, and it takes its room all the same.
        room = self._remark.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self._remark.setSizePolicy(room)
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.everybody_button = button(tr("Show everybody"), self._show_everybody)
        self._pages = StackedPages()
        self.below_filters = rule()
        """What ends the filters, above the list."""
        self._lay_out()
        screen.state_changed.connect(self._show)
        if duplicate_groups is not None:
            duplicate_groups.state_changed.connect(self._show_groups)
            # Somebody is opened who was chosen before.
            screen.sight_wanted.connect(self._hide_groups)
        self._show(screen.state)

    @property
    def groups(self) -> "DuplicateGroupsPage":
        """The page in the place of the list, built when it is first shown.

        Raises LookupError where there is none.
        """
        if self._groups is None:
            from app.views.people.duplicate_groups import DuplicateGroupsPage  # noqa: PLC0415 - as said

            if self._duplicate_groups is None:
                raise LookupError
            self._groups = groups = DuplicateGroupsPage(self._duplicate_groups)
            groups.person_wanted.connect(self._open)
            groups.left.connect(self._leave_groups)
            groups.rest_wanted.connect(self._search_group)
            self._pages.addWidget(groups)
            # Or Tab would lead to it last of all.
            before: QWidget = self.list
            for control in groups.controls:
                QWidget.setTabOrder(before, control)
                before = control
        return self._groups

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape on the chips leads back to the list, as on the page in its place."""
        groups = self._duplicate_groups
        if event.key() == Qt.Key.Key_Escape and groups is not None and groups.state.shown:
            self._leave_groups()
        else:
            super().keyPressEvent(event)

    def undo(self) -> bool:
        """Take back what was done last on the page that is in the place of the list, if any was."""
        return self._groups is not None and self._groups.undo()

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(1, 1, 1, 1)
        rows.setSpacing(0)
        self._top = QVBoxLayout()
        self._top.addWidget(self._chips)
        self._top.addLayout(self._words_below())
        self.fold(on=False)
        rows.addLayout(self._top)
        rows.addWidget(self.below_filters)
        self._pages.addWidget(self.list)
        self._pages.addWidget(empty_page(self._empty, self.everybody_button))
        rows.addWidget(self._pages, 1)

    def fold(self, *, on: bool) -> None:
        """Whether there is little room."""
        self._top.setContentsMargins(9, 2 if on else 7, 12, 2 if on else 6)
        self._top.setSpacing(0 if on else 4)
        self._chips.fold(on=on)

    def _words_below(self) -> QHBoxLayout:
        """A line of their own, and always there: what is said by the way moves neither the chips
        nor the rows that somebody is about to click.
        """
        line = QHBoxLayout()
        line.setContentsMargins(2, 0, 0, 0)
        line.setSpacing(12)
        line.addWidget(self._remark, 1)
        line.addWidget(self._count)
        for words in (self._remark, self._count):
            words.setMinimumHeight(words.fontMetrics().height())
        return line

    def _show_filters(self, state: PeopleState) -> None:
        on = next(at for at, each in enumerate(state.filters) if each.filter is state.filter)
        if self._duplicate_groups is None:
            self._chips.show_choices(state.filters, on)
            return
        groups = self._duplicate_groups.state
        choices: list[ChipContent] = [*state.filters, groups]
        self._chips.show_choices(choices, len(state.filters) if groups.shown else on)
        # How many there are is known later: that moves no row.
        self._chips.keep_room(len(state.filters), groups.text_with_count)

    def _show(self, state: PeopleState) -> None:
        before, self._before = self._before, state
        elsewhere = (before.query, before.filter, before.chosen) != (
            state.query,
            state.filter,
            state.chosen,
        )
        if self._duplicate_groups is not None and self._duplicate_groups.state.shown:
            if not elsewhere:
                return
            # A search, or somebody who is opened from elsewhere, is about the list.
            self._duplicate_groups.hide()
        self._show_list(state)

    def _show_groups(self, groups: DuplicateGroupsState) -> None:
        if groups.shown or self._groups is not None:
            # Before it is seen, and until it is not.
            self.groups.show_state(groups)
        if groups.shown:
            self._show_filters(self._screen.state)
            self._pages.setCurrentWidget(self.groups)
            self._count.setText(groups.count_words)
            self._say_remark("")
        else:
            self._show_list(self._screen.state)

    def _show_list(self, state: PeopleState) -> None:
        self._show_filters(state)
        self._empty.setText(state.empty_words)
        self.everybody_button.setVisible(state.can_show_everybody)
        self._pages.setCurrentIndex(1 if state.empty_words else 0)
        self._count.setText(state.count_words)
        self._say_remark(state.remark)

    def _say_remark(self, words: str) -> None:
        self._remark.setText(words)
        self._remark.setVisible(bool(words))

    def _filter(self, number: int) -> None:
        filters = self._screen.state.filters
        if self._duplicate_groups is not None and number >= len(filters):
            self._duplicate_groups.show()
            return
        if self._duplicate_groups is not None:
            self._duplicate_groups.hide()
        self._screen.show_only(filters[number].filter)

    def _hide_groups(self, _key: object = None) -> None:
        if self._duplicate_groups is not None:
            self._duplicate_groups.hide()

    def _leave_groups(self) -> None:
        self._hide_groups()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, key: object) -> None:
        self._leave_groups()
        self._screen.open(key)  # type: ignore[arg-type]  # the page sends keys only

    def _search_group(self, name: object) -> None:
        self._leave_groups()
        self._screen.show_only(PeopleFilter.EVERYBODY)
        self._screen.search(str(name))
        self.searched.emit()

    def _show_everybody(self) -> None:
        self._screen.show_only(PeopleFilter.EVERYBODY)


_LIST_FIRST = 20
"""Milliseconds: whoever holds an arrow key down sees the rows move without a stop."""
_PANE_SHARE = 0.26
_ROOMY = 560
"""Pixels: so high a window has room for two remarks below the line; more stand above the list."""
_PANE_WIDTHS = (284, 640)
"""The narrowest and the widest the detail beside the list becomes."""
_BESIDE = 960
"""Pixels: a tab less wide than this has room for the list alone, and the detail lies above it."""
_MOST_COVERED = 0.9


class PeopleTab(GuardedOverrides, QWidget):
    """Bound to the screens of one account."""

    load_wanted = Signal(object)
    """Carries the id of somebody of whom all is to be seen that they administer."""
    flow_wanted = Signal(object)
    """Carries a flow's id: the person followed a link to it."""
    save_wanted = Signal(object)
    """Carries a `SavedAs`: those who are chosen are to be saved in a file."""
    person_opened = Signal()
    """Somebody was opened from where they are typed, whatever is searched."""

    def __init__(self, screens: WorkspaceScreens) -> None:
        """Bind to `screens`; empty until it is built."""
        super().__init__()
        self._screens = screens
        self._people = screens.people
        self._left_the_line = False
        self._left_review: ReviewScreen | None = None
        self._covers = False
        """Whether the detail, when it is shown, lies above the list."""
        self._detail_was_shown = False
        """Whether it did so before all was built again."""

    def build(self) -> Iterator[None]:
        """Put it together, a part at each step, before it is shown.

        Each has its place from the start: the style sheet is gone through again for a widget, and
        for all in it, whenever it comes into another.
        """
        # It is told of its place when it comes there: what stands below it comes along.
        self.quick_add = QuickAddCard(self._screens.quick_add)
        self._across = QHBoxLayout(self)
        self._across.setSpacing(14)
        self._left = QVBoxLayout()
        self._across.addLayout(self._left, 1)
        self._line_place = Overhang(lambda: self.quick_add.room, self._covered_to)
        self._left.addLayout(self._line_place)
        self._line_place.addWidget(self.quick_add)
        yield
        self.quick_add.ensurePolished()
        yield
        self._card = PeopleCard(self._people, self._screens.duplicate_groups, self)
        self.list = self._card.list
        self._left.addWidget(self._card, 1)
        yield
        self._card.ensurePolished()
        yield
        self.person = PersonPaneView(self._screens.person, self, delay=_LIST_FIRST)
        self._across.addWidget(self.person)
        self.person.ensurePolished()
        for each in (self._card, self._card.below_filters):
            each.installEventFilter(self)
        self.fold(on=False)
        self._bind()

    def fold(self, *, on: bool) -> None:
        """Whether there is little room: then the rows get what they can."""
        self._across.setContentsMargins(20, 0 if on else 4, 20, 2 if on else 8)
        self._left.setSpacing(4 if on else 12)
        self.quick_add.fold(on=on)
        self._card.fold(on=on)

    def take_line_back(self) -> None:
        """The line was lent to the small window, and stands above the list again."""
        self._line_place.addWidget(self.quick_add)
        self.quick_add.show()

    def undo(self) -> bool:
        """Take back what was done last in place of the list; False where that was nothing."""
        return self._card.undo()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list gets most of what there is."""
        super().resizeEvent(event)
        narrowest, widest = _PANE_WIDTHS
        wanted = round(self.width() * _PANE_SHARE)
        self.person.setFixedWidth(min(max(wanted, narrowest), widest))
        self._stand(covers=self.width() < _BESIDE)
        self.quick_add.keep_room_for(2 if self.window().height() >= _ROOMY else 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What lies above the list goes along with it, and with the end of its filters."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._cover_list()
            self.quick_add.updateGeometry()
        return super().eventFilter(watched, event)

    def _covered_to(self, end: int) -> int:
        """What is said below the line, or of who is here already, covers all filters or none, and
        so with the names of the columns.
        """
        top, lowest = self._card.y(), max(end, self.quick_add.end_of_hints)
        for each in (self._card.below_filters, self.list.horizontalHeader()):
            if lowest > top:
                top = each.mapTo(self, each.rect().bottomLeft()).y() + 1
                end = max(end, top)
        return end

    def _stand(self, *, covers: bool) -> None:
        """Have the detail above the list, hidden until somebody wants it, or beside it."""
        if covers == self._covers:
            return
        self._covers = covers
        if covers:
            self._across.removeWidget(self.person)
        else:
            self._across.addWidget(self.person)
        self.person.lie_above(on=covers)
        focus = QApplication.focusWidget()
        in_use = focus is not None and self.person.isAncestorOf(focus)
        self.person.setVisible(not covers or in_use)
        if self._detail_was_shown:
            self._detail_was_shown = False
            self.show_detail()
        self._cover_list()

    def _cover_list(self) -> None:
        if self._covers:
            room = self._card.geometry()
            wide = min(self.person.maximumWidth(), round(room.width() * _MOST_COVERED))
            mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            left = room.left() if mirrored else room.right() + 1 - wide
            self.person.setGeometry(left, room.top(), wide, room.height())
            self.person.raise_()

    def show_detail(self) -> None:
        """Somebody means the one who is chosen: where there is no room beside the list, above."""
        if self._covers and not isinstance(self._screens.person.state, str):
            self.person.show()
            self._cover_list()

    @property
    def covers_list(self) -> bool:
        """Whether the detail lies above the list now."""
        return self._covers and not self.person.isHidden()

    def show_detail_again(self) -> None:
        """It lay above the list before all was built again: once it is known how much room there
        is, it does so once more.
        """
        if self._covers:
            self.show_detail()
        else:
            self._detail_was_shown = True

    def _close_detail(self) -> bool:
        """Let the whole list be seen again; False where it is."""
        if not self._covers or self.person.isHidden():
            return False
        # Else Qt would give the keyboard to whatever comes next.
        focus = QApplication.focusWidget()
        if focus is not None and self.person.isAncestorOf(focus):
            self.list.setFocus(Qt.FocusReason.BacktabFocusReason)
        self.person.hide()
        return True

    def close_detail(self) -> bool:
        """The same, wherever the keyboard is: it goes to the list."""
        closed = self._close_detail()
        if closed:
            self.list.setFocus(Qt.FocusReason.BacktabFocusReason)
        return closed

    def _clicked(self, _index: object) -> None:
        """With a key held down, a click chooses several, or nobody."""
        if QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self.show_detail()

    def _nobody_chosen(self, state: object) -> None:
        if isinstance(state, str):
            self._close_detail()

    def _bind(self) -> None:
        self.person.flow_wanted.connect(self.flow_wanted)
        self.person.load_wanted.connect(self.load_wanted)
        self._card.searched.connect(self.person_opened)
        self.person.correct_wanted.connect(self.correct)
        self.quick_add.open_wanted.connect(self._open)
        self.quick_add.entered.connect(self._forget_way_back)
        lists = self._screens.lists
        lists.opened.connect(self._forget_way_back)
        lists.ended.connect(self._review_ended)
        self.list.undo_clicked.connect(self._screens.quick_add.undo)
        self.list.detail_wanted.connect(self._focus_detail)
        self.list.clicked.connect(self._clicked)
        self.person.close_wanted.connect(self._leave_detail)
        self._screens.person.state_changed.connect(self._nobody_chosen)
        self.list.menu_wanted.connect(self._open_menu)
        self.list.columns.menu_wanted.connect(self._open_sort_menu)
        self._people.copying.copied.connect(put_on_clipboard)
        for column in SORT_OF:
            by_column = partial(self._people.order.sort_by_column, column)
            bind_keys(self, sort_keys(column + 1), by_column)
        bind_keys(self.person, Qt.Key.Key_Escape, self._leave_detail)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes what covers the list, and leads from somebody who was opened where they are
        typed back there.
        """
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
            return
        closed = self._close_detail()
        if not self.back_to_typing() and not closed:
            super().keyPressEvent(event)

    @property
    def can_go_back_to_typing(self) -> bool:
        """Whether `back_to_typing` leads anywhere."""
        return self._left_review is not None or self._left_the_line

    def back_to_typing(self) -> bool:
        """Return to the line, or the list that is looked over, that somebody was opened from; False
        where that was not so.
        """
        if self._left_review is not None:
            self._screens.lists.go_back_to(self._left_review)
            return True
        if self._left_the_line:
            self.quick_add.focus_line()
            return True
        return False

    def _forget_way_back(self, _screen: object = None) -> None:
        self.came_to_person(from_line=False)

    def _review_ended(self, screen: object) -> None:
        if screen is self._left_review:
            self._left_review = None

    def open_from_review(self, hint: DuplicateHint, review: "ReviewScreen") -> None:
        """Show somebody who may be the one that is typed in `review`."""
        self._show_hinted(hint)
        self._left_review = review

    def _open(self, hint: DuplicateHint) -> None:
        self._show_hinted(hint)
        self.came_to_person(from_line=True)

    def came_to_person(self, *, from_line: bool) -> None:
        """Somebody was led to who is shown; `from_line`: from the line, where there is a way
        back.
        """
        self._left_the_line, self._left_review = from_line, None

    def _show_hinted(self, hint: DuplicateHint) -> None:
        self._people.open(hint.key)
        self.person_opened.emit()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.show_detail()
        self._forget_way_back()

    def _leave_detail(self) -> None:
        self._close_detail()
        if not self.back_to_typing():
            self.list.setFocus(Qt.FocusReason.BacktabFocusReason)

    def _focus_detail(self) -> None:
        """The first thing in the pane that can be pressed gets the keyboard."""
        self.person.catch_up()
        self.show_detail()
        made_first = self.person.findChildren(QAbstractButton)
        # Closing it is what somebody comes for last.
        for made in sorted(made_first, key=lambda each: each is self.person.close_button):
            if made.isVisible() and made.isEnabled():
                made.setFocus(Qt.FocusReason.TabFocusReason)
                return

    # The menu

    def _open_menu(self, place: object) -> None:
        self._pop_up(self.row_menu()[0], place)

    def row_menu(self) -> RowMenu:
        """What can be done with the rows that are chosen, and with the list."""
        return menu_of(self._people, self._screens.flows.administered_by), self._do

    def _open_sort_menu(self, place: object) -> None:
        self._pop_up((sort_items(self._people).items,), place)

    def _pop_up(self, groups: Groups, place: object) -> None:
        if isinstance(place, QPoint):
            menu_of_items(groups, self._do, self.list).popup(place)

    def _do(self, item: MenuItem) -> None:
        people, entry = self._people, self._people.chosen_entry
        if item.action is MenuAction.SORT:
            people.order.sort_by(SortKey(str(item.value)))
        elif item.action is MenuAction.SHOW_FLOW:
            self.flow_wanted.emit(item.value)
        elif item.action is MenuAction.WRITE:
            people.copying.write(open_mail)
        elif item.action is MenuAction.SAVE_TABLE:
            self.save_wanted.emit(SavedAs.TABLE)
        elif item.action is MenuAction.SAVE_CARDS:
            self.save_wanted.emit(SavedAs.CARDS)
        elif item.action in _COPIES:
            people.copying.copy(_COPIES[item.action])
        elif entry is not None and item.value is Decision.CORRECT:
            self.correct(entry)
        elif entry is not None and isinstance(item.value, Decision):
            self._screens.person.decide(entry, item.value)

    def correct(self, entry: object) -> None:
        """Put an entry into the line, to be corrected and sent again."""
        self._screens.quick_add.correct(entry)  # type: ignore[arg-type]  # the card sends entries only
        self.quick_add.focus_line()


_COPIES: dict[Enum, What] = {
    MenuAction.COPY_ROWS: What.ROW,
    MenuAction.COPY_EMAILS: What.EMAIL,
    MenuAction.COPY_MAIL_LIST: What.MAIL_LIST,
    MenuAction.COPY_PHONES: What.PHONE,
    MenuAction.COPY_MOBILES: What.MOBILE,
    MenuAction.COPY_NAMES: What.NAME,
}
