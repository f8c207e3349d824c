"""The page on which a list is looked over before its people are added, built for each such list."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QVBoxLayout

from app.importing.columns import ColumnField, field_words
from app.runtime.words import tr, trn
from app.viewmodels.already_here import DuplicateHint, hints_spoken
from app.viewmodels.help.help import PageKind
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_state import BulkAction, ColumnMenu, ReviewState, RowAction
from app.viewmodels.importing.review_table import FIELD_OF, Part
from app.viewmodels.menu_items import MenuItem
from app.views.exporting.save_dialog import ask_for_file, table_kinds
from app.views.importing.review_list import ReviewCell, ReviewList
from app.views.widgets.already_here import MOST, AlreadyHere, opening_keys
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, card, label, rule
from app.views.widgets.chips import Chips
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import (
    announce,
    literal,
    native_keys,
    set_tip,
)
from app.views.widgets.menus import Menu, RowMenu, menu_of_items
from app.views.widgets.pointer import PointerRest, PressGuard


class ReviewPage(InnerPage):
    """Bound to a `ReviewScreen`."""

    page_kind = PageKind.REVIEW

    person_wanted = Signal(object, object)
    """Carries the `DuplicateHint` of somebody to be opened, and the screen that this is bound to:
    there is a way back to the cell.
    """
    title_is_short = True

    def __init__(self, screen: ReviewScreen) -> None:
        """Nothing is asked before somebody does something."""
        super().__init__(screen.state.title)
        self._screen = screen
        self._about = label("", "soft")
        self._sheets = QComboBox()
        # Unlike as wide as the first of them, which is seldom the longest.
        self._sheets.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._sheets.setAccessibleName(tr("Sheet"))
        self._banner = Banner()
        self._chips = Chips(tr("Which rows are shown"))
        self._bulk = [button("", partial(self._act, at), "link") for at in range(3)]
        self._columns = button(tr("Columns ▾"), self._open_columns_menu)
        self.list = ReviewList(screen.table)
        self._uncompared = label("", "problem", wraps=True)
        self._beside = label("", "soft", wraps=True)
        self._left_out = label("", "small", wraps=True)
        self._discard = button(tr("Discard"), self._ask_to_discard)
        self._discard_for_good = button(tr("Discard for good"), screen.discard)
        self._discard_for_good.hide()
        self._save = button(tr("Save as a list"), self._ask_where_to_save)
        self.add_button = button("", self._add, "primary")
        self._already_here = AlreadyHere(self, takes_keyboard=False)
        self._hints_told = self._calm_said = ""
        self._returns_to_cell = False
        self._positions: object = None
        """What of the state decides where on the page anything stands."""
        self._rest = PointerRest((self,), self)
        self._columns.setAccessibleName(tr("Columns"))
        set_tip(self._columns, tr("What the columns of the list are taken for"))
        self._lay_out()
        self._bind()
        self._show(screen.state)

    # How it is put together

    def _lay_out(self) -> None:
        self.head_row.addWidget(self._about)
        self.head_row.addWidget(self._sheets)
        self.head_row.addStretch(1)
        inside = QVBoxLayout()
        inside.setContentsMargins(20, 0, 20, 12)
        inside.setSpacing(12)
        inside.addWidget(self._banner)
        surface = card()
        rows = QVBoxLayout(surface)
        rows.setContentsMargins(1, 8, 1, 1)
        rows.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(9, 0, 12, 6)
        top.setSpacing(8)
        top.addWidget(self._chips, 1)
        for each in self._bulk:
            top.addWidget(each)
        top.addWidget(self._columns)
        rows.addLayout(top)
        rows.addWidget(rule())
        rows.addWidget(self.list, 1)
        rows.addWidget(rule())
        bottom = QHBoxLayout()
        bottom.setContentsMargins(17, 10, 12, 10)
        bottom.setSpacing(12)
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self._uncompared)
        said.addWidget(self._beside)
        said.addWidget(self._left_out)
        bottom.addLayout(said, 1)
        for widget in (self._discard_for_good, self._discard, self._save, self.add_button):
            # However many lines are said beside them, they stay where they are.
            bottom.addWidget(widget, 0, Qt.AlignmentFlag.AlignBottom)
        rows.addLayout(bottom)
        inside.addWidget(surface, 1)
        self._banner.stand_above(surface)
        self._guard = PressGuard((surface,), self)
        self.body.addLayout(inside, 1)

    def _bind(self) -> None:
        screen, save_keys = self._screen, QKeySequence(QKeySequence.StandardKey.Save)
        screen.state_changed.connect(self._show_or_wait)
        screen.hints_changed.connect(self._show_hints)
        self._banner.closed.connect(screen.dismiss)
        self._chips.chosen.connect(self._choose_chip)
        self._sheets.textActivated.connect(self._choose_sheet)
        self.list.left_out_wanted.connect(screen.leave_out_or_take_in)
        self.list.taken_in_wanted.connect(screen.take_in)
        self.list.repair_wanted.connect(screen.repair)
        self.list.menu_wanted.connect(self._open_row_menu)
        screen.verdict_told.connect(self._tell_verdict)
        self.list.typing.connect(screen.typing)
        self.list.typing_ended.connect(screen.typing_ended)
        self.list.moved.connect(self._show_already_here)
        self.list.installEventFilter(self)
        self._already_here.open_wanted.connect(self._open_person)
        self.list.columns_shared.connect(self._tell_columns)
        self.list.heading_menu_wanted.connect(self._open_heading_menu)
        self.bind_told("Alt+M", self._repair, offered=False)
        self.bind_told("Ctrl+Enter", self._add, can_be_done=self.add_button.isEnabled)
        for keys in ("Ctrl+Shift+Z", "Ctrl+Y"):
            self.bind_told(keys, self._redo, can_be_done=lambda: screen.review.can_redo)
        self.bind_told(save_keys, self._ask_where_to_save)
        for at in range(MOST):
            act = partial(self._already_here.open, at)
            self.bind_told(opening_keys(at), act, offered=False)
        set_tip(self.add_button, tr("Ctrl+Enter"))
        set_tip(self._save, native_keys(save_keys))

        for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            # Whoever wants to look before Enter is on the rows with one key.
            look = QShortcut(QKeySequence(key), self.add_button)
            look.setContext(Qt.ShortcutContext.WidgetShortcut)
            look.activated.connect(self.list.focus_first)

    # What the window asks of a page

    def opened(self) -> None:
        """The keyboard is where Enter adds everybody, or on the rows where there is nobody; whoever
        went to look at somebody types on.
        """
        if self.list.return_to_cell():
            pass
        elif self.add_button.isEnabled():
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.list.focus_first()
        self._screen.look(on=True)
        announce(self, self._screen.state.spoken)

    @property
    def cell(self) -> ReviewCell | None:
        """Where somebody is in the rows, or was when another page was opened above this one; None
        elsewhere on the page.
        """
        return self.list.cell if self.keyboard_at is self.list else None

    def return_to(self, cell: ReviewCell | None) -> None:
        """Have the keyboard come back there when the page is shown."""
        self._returns_to_cell = cell is not None
        if cell is not None:
            self.list.go_to_cell(cell)
        else:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """The cell that is returned to is seen, which it cannot be before the rows have room."""
        super().showEvent(event)
        if self._returns_to_cell:
            self._returns_to_cell = False
            self.list.scrollTo(self.list.currentIndex())

    def left(self) -> None:
        """Whoever goes elsewhere comes back to it later."""
        self._screen.look(on=False)

    def undo(self) -> bool:
        """Take back what was done here last."""
        self.list.take_typed()
        self._screen.undo()
        return True

    # What is shown

    def _show_or_wait(self, state: ReviewState) -> None:
        """What comes by itself, and would move something, waits until the pointer rests."""
        if self._screen.by_itself and _positions(state) != self._positions:
            self._rest.then(self._catch_up)
        else:
            self._rest.forget()
            self._show(state)

    def _catch_up(self) -> None:
        with self._guard.watched(self._chips, *self._chips.buttons, *self._bulk, self._columns):
            self._show(self._screen.state)

    def _show(self, state: ReviewState) -> None:
        self._positions = _positions(state)
        self.rename(state.title)
        self._about.setText(state.about)
        self._show_sheets(state)
        on = next(at for at, chip in enumerate(state.chips) if chip.verdict is state.shown)
        self._chips.show_choices(state.chips, on)
        for at, chip in enumerate(state.chips):
            self._chips.mark(at, amber=chip.wants_somebody, shown=chip.is_shown or at == on)
        for at, each in enumerate(self._bulk):
            words = state.bulk[at][1] if at < len(state.bulk) else ""
            each.setText(words)
            each.setVisible(bool(words))
        self._show_uncompared(state)
        self._beside.setText(state.beside_words)
        # What went well is said where there is room already: no row moves that somebody is about
        # to click.
        calm = "" if state.trouble else state.said
        last = calm or state.held_words or tr("Ctrl+Z undoes · Delete leaves a row out")
        self._left_out.setText(" · ".join(filter(None, (state.left_out_words, last))))
        if calm and calm != self._calm_said and self.isVisible():
            announce(self, calm)
        self._calm_said = calm
        self.add_button.setText(state.add_words)
        # It grows with a count and never shrinks: what stands before it stays where it is.
        self.add_button.setMinimumWidth(
            max(self.add_button.minimumWidth(), self.add_button.sizeHint().width())
        )
        # Whatever is under way takes the keyboard from nothing.
        self.add_button.setEnabled(state.can_add or state.is_added)
        if state.is_added or not self._screen.has_changes:
            self._ask_no_more()
        if state.said and state.trouble:
            self._banner.say(state.said)
        elif state.put_away_words:
            back = self._screen.bring_back
            self._banner.say(state.put_away_words, tr("Back to it"), back, calm=True)
        else:
            self._banner.hide()

    def _show_uncompared(self, state: ReviewState) -> None:
        new = state.uncompared_words != self._uncompared.text()
        self._uncompared.setText(state.uncompared_words)
        self._uncompared.setVisible(bool(state.uncompared_words))
        if new and state.uncompared_words:
            announce(self, state.uncompared_words)

    def _tell_columns(self) -> None:
        """That there are columns for which the list has no room."""
        more = self.list.not_shown_count
        words = trn("{n} more column ▾", "{n} more columns ▾", more) if more else tr("Columns ▾")
        if words != self._columns.text():
            self._columns.setText(words)

    def _show_sheets(self, state: ReviewState) -> None:
        self._sheets.setVisible(bool(state.sheets))
        if self._sheets.count() != len(state.sheets):
            self._sheets.clear()
            self._sheets.addItems(list(state.sheets))
        self._sheets.setCurrentText(state.sheet)

    # Who may be the one that is typed

    def _show_hints(self, hints: tuple[DuplicateHint, ...]) -> None:
        """Below the cell that is typed into, over the rows: nothing moves."""
        self._already_here.show_hints(hints)
        before, self._hints_told = self._hints_told, hints_spoken(hints)
        line = self.list.edited_line
        if line is not None:
            line.setAccessibleDescription(self._hints_told)
            if self._hints_told and self._hints_told != before:
                announce(line, self._hints_told)
        self._show_already_here()

    def _show_already_here(self) -> None:
        panel, line, rows = self._already_here, self.list.edited_line, self.list.viewport()
        within = QRect(rows.mapTo(self, QPoint()), rows.size())
        if line is None or not panel.has_somebody or not line.geometry().intersects(rows.rect()):
            panel.hide()
            return
        top = line.mapTo(self, QPoint()).y()
        panel.place_beside(QRect(within.x(), top, within.width(), line.height()), within)
        panel.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What stands below a cell goes with the rows, wherever they are put."""
        if watched is self.list and event.type() in {QEvent.Type.Move, QEvent.Type.Resize}:
            self._show_already_here()
        return super().eventFilter(watched, event)

    def _open_person(self, hint: DuplicateHint) -> None:
        self.list.leave_cell()
        self.person_wanted.emit(hint, self._screen)

    def _tell_verdict(self, words: object) -> None:
        """Whoever does not see the row hears what the change has made of it."""
        announce(self.list, str(words))

    # What the person does

    def _add(self) -> None:
        self.list.take_typed()
        self._screen.add()
        if words := self._screen.state.held_words:
            announce(self, words)

    def _redo(self) -> None:
        self.list.take_typed()
        self._screen.redo()

    def _choose_chip(self, number: int) -> None:
        self.list.take_typed()
        self._screen.show_only(self._screen.state.chips[number].verdict)

    def _choose_sheet(self, sheet: str) -> None:
        self._screen.choose_sheet(sheet)
        # Another page shows that one; this one stays what it was.
        self._sheets.setCurrentText(self._screen.state.sheet)

    def _act(self, at: int) -> None:
        self.list.take_typed()
        bulk = self._screen.state.bulk
        if at < len(bulk):
            self._screen.act(BulkAction(bulk[at][0]))

    def _repair(self) -> None:
        """Put the chosen rows right; as long as none is chosen, the first that can be."""
        if not self.list.chosen:
            self.list.choose_first_repair()
        if positions := self.list.chosen:
            self._screen.repair(positions)

    def _open_row_menu(self, position: object) -> None:
        menu = self.row_menu()
        if menu is not None and isinstance(position, QPoint):
            menu_of_items(*menu, self).popup(position)

    def row_menu(self) -> RowMenu | None:
        """What can be done with the rows that are chosen, while they can be changed; what is
        typed is taken first, which may leave something else to be done.
        """
        self.list.take_typed()
        if not self._screen.table.takes_typing:
            return None
        return self._screen.row_menu(self.list.chosen), self._do

    def _do(self, item: MenuItem) -> None:
        self.list.take_typed()
        match item.action:
            case RowAction.REPAIR:
                self._repair()
            case RowAction.TAKE_IN:
                self._screen.take_in(self.list.chosen)
            case RowAction.LEAVE_OUT:
                self._screen.leave_out(self.list.chosen)
            case _:
                raise ValueError(item.action)

    def _ask_to_discard(self) -> None:
        """At once where nothing was done to it; else another button does, and this one keeps it:
        the second click of two loses nothing.
        """
        if self._discard_for_good.isVisible():
            self._ask_no_more()
        elif not self._screen.has_changes:
            self._screen.discard()
        else:
            # What is clicked next stays under the pointer.
            self._discard.setMinimumWidth(self._discard.width())
            self._discard.setText(tr("Keep it"))
            self._discard_for_good.show()
            announce(self, tr("“Discard for good” loses the list and what you changed in it."))

    def _ask_no_more(self) -> None:
        """It is answered, or there is nothing left that would be lost."""
        self._discard_for_good.hide()
        self._discard.setText(tr("Discard"))

    def _ask_where_to_save(self) -> None:
        name, save = self._screen.file_name, self._screen.save
        ask_for_file(self, tr("Save the list as a file"), name, table_kinds(), save)

    # The menus of the columns

    def _open_columns_menu(self) -> None:
        menu = self._menu()
        for each in self._screen.state.columns:
            self._add_choices(menu.addMenu(literal(self._column_words(each))), each)
        headings = self._screen.state.headings_row
        if headings is not None:
            menu.addSeparator()
            action = menu.addAction(tr("The first row says what is in the columns"))
            action.setCheckable(True)
            action.setChecked(headings)
            action.triggered.connect(self._take_first_row)
        below = self._columns.rect().bottomLeft()
        menu.popup(self._columns.mapToGlobal(below))

    def _take_first_row(self, on: bool) -> None:  # noqa: FBT001 - as Qt sends it
        self.list.take_typed()
        self._screen.take_first_row_for_headings(on=on)

    def _open_heading_menu(self, section: object, position: object) -> None:
        """What the columns of the list behind this one are taken for."""
        if not isinstance(section, int) or not isinstance(position, QPoint):
            return
        behind = self._behind(section)
        menu = self._menu()
        if len(behind) == 1:
            menu.addSection(literal(self._column_words(behind[0])))
            self._add_choices(menu, behind[0])
        else:
            for each in behind:
                self._add_choices(menu.addMenu(literal(self._column_words(each))), each)
        menu.popup(position)

    def _behind(self, section: int) -> list[ColumnMenu]:
        """The columns of the source that one of the table shows; all, where it shows none."""
        column, columns = self._screen.table.columns[section], self._screen.state.columns
        if column.part is Part.BESIDE:
            found = [each for each in columns if each.heading == column.heading]
        else:
            wanted = {FIELD_OF[column.part]}
            if column.part is not Part.EMAIL:
                wanted.add(ColumnField.NAME)
            found = [each for each in columns if each.field in wanted]
        return found or list(columns)

    def _menu(self) -> QMenu:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    @staticmethod
    def _column_words(column: ColumnMenu) -> str:
        return tr("“{heading}”: {field}", heading=column.heading, field=field_words(column.field))

    def _add_choices(self, menu: QMenu, column: ColumnMenu) -> None:
        group = QActionGroup(menu)
        for field in ColumnField:
            action = menu.addAction(field_words(field))
            action.setCheckable(True)
            action.setChecked(field is column.field)
            group.addAction(action)
            action.triggered.connect(partial(self._take, column.column, field))

    def _take(self, column: int, field: ColumnField, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - as Qt sends it
        self.list.take_typed()
        self._screen.take_column(column, field)


def _positions(state: ReviewState) -> object:
    """Where anything stands is other where this is: chips and buttons that come and go, and what
    is said above the rows or below them.
    """
    return (
        [chip.is_shown for chip in state.chips],
        state.bulk,
        state.uncompared_words,
        state.trouble and state.said,
        state.put_away_words,
    )
