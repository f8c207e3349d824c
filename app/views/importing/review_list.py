"""The table on the page where a list is looked over: its rows are painted, walked by keyboard and
edited in place here, and what can be done with all of them stands around it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.model.verdict import Verdict, verdict_words
from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.importing.review_table import (
    BESIDE_REPAIR_ROLE,
    FIELD_OF,
    REPAIR_ROLE,
    TONE_ROLE,
    Part,
    ReviewTable,
    Tone,
)
from app.views.cell_table.cell_delegate import MARGIN, draw_plain, ring
from app.views.cell_table.cell_table_view import RowTableView
from app.views.look.theme import RADIUS_SMALL, colour, sized, tokens
from app.views.widgets.labels import advance, in_one_line, show_tip

_SELECTED = QStyle.StateFlag.State_Selected.value
_SHARES = {
    Part.FIRSTNAME: 11,
    Part.LASTNAME: 12,
    Part.EMAIL: 20,
    Part.BESIDE: 12,
    Part.DETAIL: 26,
}
"""How the width is shared among the columns beside the line numbers and the verdicts, which are
never cut.
"""
_COMFORTABLE = {
    Part.FIRSTNAME: "n" * 10,
    Part.LASTNAME: "n" * 12,
    Part.EMAIL: "n" * 21,
    Part.DETAIL: "n" * 24,
}
"""What these have, before columns that are not sent are shown beside them."""
_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_EDIT_KEYS = frozenset({Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_KEYS_GAP = 8
_LOOKED_AT = 100
"""Rows from the top whose texts have room, each up to `_LONGEST`."""
_LONGEST = {
    Part.FIRSTNAME: "n" * 28,
    Part.LASTNAME: "n" * 28,
    Part.EMAIL: "n" * 40,
    Part.DETAIL: "n" * 60,
}
_WHOLE_FIRST = ((Part.EMAIL,), (Part.FIRSTNAME, Part.LASTNAME), (Part.DETAIL,))
"""Whose texts get the room there is: an email that is cut cannot be compared."""
_SCROLLED_TO = (Part.EMAIL, Part.DETAIL)
"""What is whole wherever it ends."""
_ASIDE = "n" * 16
"""As much as columns have that are scrolled to."""


class ReviewCell(NamedTuple):
    """A cell, whichever rows are shown."""

    position: int
    """The row's in the list."""
    column: int


class ReviewDelegate(GuardedOverrides, QStyledItemDelegate):
    """Paints a cell, and makes the line to type into."""

    editing = Signal(object, object)
    """Carries the index that is being typed into, and the text."""

    def __init__(self, view: QAbstractItemView) -> None:
        """Cells get the font of `view`."""
        super().__init__(view)
        self._view = view

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A plain line, named for whoever does not see the row."""
        line = QLineEdit(parent)
        line.setProperty("role", "cell")
        heading = index.model().headerData(
            index.column(), Qt.Orientation.Horizontal, Qt.ItemDataRole.AccessibleTextRole
        )
        line.setAccessibleName(str(heading))
        kept = QPersistentModelIndex(index)
        line.textEdited.connect(lambda text: self.editing.emit(kept, text))
        return line

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Begin with what stands there. Told anew of the row, Qt asks once more: what somebody has
        typed, or is about to type over, stays.
        """
        text = str(index.data(Qt.ItemDataRole.EditRole) or "")
        if isinstance(editor, QLineEdit) and not editor.isModified() and editor.text() != text:
            editor.setText(text)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Take what was typed."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """The line is as high as its row, and never too narrow to type in."""
        editor.setGeometry(option.rect.adjusted(1, 1, -1, -2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the cell in the colours in force."""
        look, rect = tokens(), option.rect
        if option.state.value & _SELECTED:
            painter.fillRect(rect, colour(look.selection))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colour(look.line))
        inks = {
            Tone.PLAIN: look.text,
            Tone.SOFT: look.soft,
            Tone.GOOD: look.accent,
            Tone.WRONG: look.amber,
        }
        painter.setFont(option.font)
        painter.setPen(colour(inks[index.data(TONE_ROLE)]))
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        text_rect = rect.adjusted(MARGIN, 0, -MARGIN, 0)
        repair = str(index.data(REPAIR_ROLE) or "")
        if repair:
            beside = str(index.data(BESIDE_REPAIR_ROLE) or "")
            self._paint_repair(painter, text_rect, repair, beside, mirrored=mirrored)
        elif text := str(index.data() or ""):
            draw_plain(painter, text_rect, text, is_number=False, mirrored=mirrored)
        if self._view.hasFocus() and index == self._view.currentIndex():
            ring(painter, rect)

    def _paint_repair(
        self, painter: QPainter, rect: QRect, repair: str, beside: str, *, mirrored: bool
    ) -> None:
        """What was meant, the key that takes it, and as much of what is `beside` as has room."""
        look, metrics = tokens(), painter.fontMetrics()
        keys = tr("Alt+M")
        usual, small = painter.font(), sized(painter.font(), 0.85)
        painter.setPen(colour(look.accent))
        width = min(advance(in_one_line(repair), metrics), rect.width())
        draw_plain(painter, rect, repair, is_number=False, mirrored=mirrored)
        painter.setFont(small)
        box = advance(keys, painter.fontMetrics()) + 12
        if width + _KEYS_GAP + box > rect.width():
            return
        left = (
            rect.right() + 1 - width - _KEYS_GAP - box
            if mirrored
            else rect.left() + width + _KEYS_GAP
        )
        height = painter.fontMetrics().height() + 4
        around = QRect(left, rect.center().y() - height // 2, box, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look.edge))
        painter.drawRoundedRect(around, RADIUS_SMALL, RADIUS_SMALL)
        painter.setPen(colour(look.soft))
        painter.drawText(around, Qt.AlignmentFlag.AlignCenter, keys)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setFont(usual)
        past = width + box + 2 * _KEYS_GAP
        left_over = rect.adjusted(0, 0, -past, 0) if mirrored else rect.adjusted(past, 0, 0, 0)
        if beside and left_over.width() > 0:
            draw_plain(painter, left_over, beside, is_number=False, mirrored=mirrored)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """What is cut is told whole under the pointer."""
        if event.type() is not QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        text = in_one_line(str(index.data() or ""))
        cut = advance(text, view.fontMetrics()) > option.rect.width() - 2 * MARGIN
        show_tip(event.globalPos(), text if cut else "", view)
        return True


class ReviewList(RowTableView):
    """Shows a `ReviewTable`, whose cells are typed into as in a spreadsheet: F2, Enter and a double
    click go on behind what stands there, typing replaces it, and Tab leads to the next cell.
    """

    left_out_wanted = Signal(object)
    """Carries the positions of the rows to leave out, or to take in."""
    taken_in_wanted = Signal(object)
    """Carries the positions of the rows to take in."""
    repair_wanted = Signal(object)
    """Carries the positions of the rows whose emails are to be put right."""
    typing = Signal(object, object, object)
    """Carries the position of the row, the field, and what stands there so far."""
    typing_ended = Signal()
    moved = Signal()
    """The rows may stand elsewhere now."""
    menu_wanted = Signal(object)
    """Carries where to open the menu of the chosen rows, on the screen."""
    heading_menu_wanted = Signal(object, object)
    """Carries the number of the column and where to open, on the screen."""

    columns_shared = Signal()
    """Other columns may be shown now, or as many as before."""

    def __init__(self, table: ReviewTable) -> None:
        """Show `table`."""
        super().__init__(tr("The list"))
        self._table = table
        self.setModel(table)
        self._delegate = ReviewDelegate(self)
        self._delegate.editing.connect(self._typing)
        self.setItemDelegate(self._delegate)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.AnyKeyPressed | triggers.DoubleClicked)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._measured: tuple[object, dict[int, int]] = (None, {})
        """The widths of texts by column, of which columns in which font."""
        self._aside: Sequence[int] = ()
        """The columns behind the end of the lines, to be scrolled to."""
        self.keep_column_widths()
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(self._open_heading_menu)
        table.modelReset.connect(self._begin_anew)
        table.dataChanged.connect(self._make_room_for_details)
        self.verticalScrollBar().valueChanged.connect(self.moved)
        self._left_cell: QPersistentModelIndex | None = None
        self._edited = QPersistentModelIndex()

    @property
    def not_shown_count(self) -> int:
        """How many columns of what is not sent there is no room for: they are scrolled to."""
        return len(self._aside)

    # Which rows are meant

    @property
    def chosen(self) -> Sequence[int]:
        """The positions in the list of the rows that are chosen, from the top."""
        return [self._table.position_of(row) for row in self.chosen_rows]

    def choose_first_repair(self) -> None:
        """Go to the first row that can be put right, where there is one."""
        table = self._table
        parts = ((row, table.part_to_mend(row)) for row in range(table.rowCount()))
        first = next(((row, part) for row, part in parts if part is not None), None)
        if first is not None:
            row, part = first
            self._go_to(table.index(row, table.column_of(part)))
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_first(self) -> None:
        """Put the keyboard on the rows, and on the first name of the first where none has it."""
        if not self.currentIndex().isValid() and self._table.rowCount():
            self._go_to(self._table.index(0, self._table.column_of(Part.FIRSTNAME)))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def cell(self) -> ReviewCell | None:
        """The one that has the keyboard, or gets it with the rows; None for none."""
        at = self.currentIndex()
        return ReviewCell(self._table.position_of(at.row()), at.column()) if at.isValid() else None

    def go_to_cell(self, cell: ReviewCell) -> None:
        """Choose its row alone and put the keyboard there, where it is shown."""
        row = self._table.row_of(cell.position)
        if row is not None:
            self._go_to(self._table.index(row, cell.column))
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to(self, index: QModelIndex) -> None:
        """Choose the row of a cell alone, whatever keys are held meanwhile."""
        self.selectionModel().setCurrentIndex(index, _ROW)

    @property
    def is_editing(self) -> bool:
        """Whether somebody types into a cell."""
        return self.state() is QAbstractItemView.State.EditingState

    @property
    def edited_line(self) -> QLineEdit | None:
        """The line that is typed into, if one is."""
        line = self.indexWidget(self.model().index(self._edited.row(), self._edited.column()))
        return line if self.is_editing and isinstance(line, QLineEdit) else None

    def leave_cell(self) -> None:
        """Take what is typed, and go on typing there at the next `return_to_cell`."""
        cell = self._edited
        if self.take_typed():
            self._left_cell = QPersistentModelIndex(cell)

    def take_typed(self) -> bool:
        """Take what is typed, where something is: the rows are about to be others."""
        line = self.edited_line
        if line is None:
            return False
        self.commitData(line)
        self.closeEditor(line, QAbstractItemDelegate.EndEditHint.NoHint)
        return True

    def return_to_cell(self) -> bool:
        """Go on typing where that was left; False where it was not, or the row is gone."""
        cell, self._left_cell = self._left_cell, None
        if cell is None or not cell.isValid() or not self._table.takes_typing:
            return False
        index = self.model().index(cell.row(), cell.column())
        self._go_to(index)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit(index)
        self._go_behind_what_stands_there(index)
        self._typing(cell, str(index.data(Qt.ItemDataRole.EditRole) or ""))
        return True

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete leaves rows out, Insert takes them in, Enter changes the cell, Alt+Down opens the
        menu of a column.
        """
        key, plain = event.key(), not (event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
        if key == Qt.Key.Key_Delete and plain:
            if positions := self.chosen:
                self.left_out_wanted.emit(positions)
        elif key == Qt.Key.Key_Insert and plain:
            if positions := self.chosen:
                self.taken_in_wanted.emit(positions)
        elif key in _EDIT_KEYS and plain and not self.is_editing:
            index = self.currentIndex()
            if self._can_be_typed_into(index):
                self.edit(index)
                self._go_behind_what_stands_there(index)
        elif key == Qt.Key.Key_Down and event.modifiers() == Qt.KeyboardModifier.AltModifier:
            self._open_heading_menu(max(self.currentIndex().column(), 0))
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Tab goes on to the next cell that can be typed into, in whichever row it is."""
        hints = QAbstractItemDelegate.EndEditHint
        step = {hints.EditNextItem: 1, hints.EditPreviousItem: -1}.get(hint, 0)
        super().closeEditor(editor, hints.NoHint if step else hint)
        self.typing_ended.emit()
        if step:
            self._edit_next(step)

    def _go_behind_what_stands_there(self, index: QModelIndex) -> None:
        line = self.indexWidget(index)
        if isinstance(line, QLineEdit):
            line.end(False)  # noqa: FBT003 - as Qt has it: nothing is marked

    def _edit_next(self, step: int) -> None:
        columns = [at for at, each in enumerate(self._table.columns) if each.part in FIELD_OF]
        current = self.currentIndex()
        at = columns.index(current.column()) + step if current.column() in columns else 0
        row = current.row() + at // len(columns)
        if 0 <= row < self._table.rowCount():
            index = self._table.index(row, columns[at % len(columns)])
            self._go_to(index)
            if self._can_be_typed_into(index):
                self.edit(index)

    @staticmethod
    def _can_be_typed_into(index: QModelIndex) -> bool:
        return bool(index.flags() & Qt.ItemFlag.ItemIsEditable)

    def _typing(self, index: object, text: object) -> None:
        if isinstance(index, QPersistentModelIndex) and index.isValid():
            self._edited = index
            field = FIELD_OF[self._table.columns[index.column()].part]
            self.typing.emit(self._table.position_of(index.row()), field, str(text))

    # The mouse

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the rows that are chosen; the key for menus comes here, too."""
        if not self.chosen:
            return
        position = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            below = self.visualRect(self.currentIndex()).bottomLeft()
            position = self.viewport().mapToGlobal(below)
        self.menu_wanted.emit(position)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Whoever points at a cell wants to mend what stands there."""
        super().mouseDoubleClickEvent(event)
        self._go_behind_what_stands_there(self.indexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on what was probably meant takes it."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        left = event.button() is Qt.MouseButton.LeftButton
        if left and plain and index.isValid() and index.data(REPAIR_ROLE):
            self.repair_wanted.emit([self._table.position_of(index.row())])

    # The menus of the headings

    def _open_heading_menu(self, section: int) -> None:
        if self._table.columns[section].part in {Part.LINE, Part.VERDICT, Part.DETAIL}:
            return
        header = self.horizontalHeader()
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        x = header.sectionViewportPosition(section)
        x += header.sectionSize(section) if mirrored else 0
        position = header.viewport().mapToGlobal(QPoint(x, header.height()))
        self.heading_menu_wanted.emit(section, position)

    # What is seen

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Coming to the rows with the keyboard chooses one of them. The mouse chooses for itself,
        and on a scroll bar nobody.
        """
        super().focusInEvent(event)
        by_mouse = event.reason() is Qt.FocusReason.MouseFocusReason
        # By now the first cell has the keyboard, where none had; its row is not chosen.
        if not by_mouse and not self.selectionModel().hasSelection() and self._table.rowCount():
            row = max(self.currentIndex().row(), 0)
            column = max(self.currentIndex().column(), self._table.column_of(Part.FIRSTNAME))
            self._go_to(self._table.index(row, column))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes with the keyboard."""
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Where no row wears the ring, the whole list does."""
        super().paintEvent(event)
        seen = self.visualRect(self.currentIndex()).intersects(self.viewport().rect())
        if self.hasFocus() and not seen:
            with QPainter(self.viewport()) as painter:
                ring(painter, self.viewport().rect())

    def _begin_anew(self) -> None:
        """Other rows, perhaps other columns; whoever is on the list is on the first of them."""
        self.share_columns()
        if self.hasFocus():
            self.focus_first()

    def share_columns(self) -> None:
        """No heading is cut, and no email; of the columns that are not sent those stand before the
        verdict that there is room for, the others behind the end of the lines, and what is left
        over is shared. Details that have no room are whole behind the end, too.
        """
        metrics, parts = self.fontMetrics(), [each.part for each in self._table.columns]
        least = [self.horizontalHeader().sectionSizeHint(at) for at in range(len(parts))]
        texts = {
            Part.LINE: ("0" * 6,),
            Part.VERDICT: tuple(map(verdict_words, Verdict)),
        }
        for at, part in enumerate(parts):
            widest = max(advance(text, metrics) for text in texts.get(part, ("",)))
            least[at] = max(least[at], widest + 2 * MARGIN)
        needed = self._widths_of_texts(range(min(self._table.rowCount(), _LOOKED_AT)))
        comfortable = [
            max(width, advance(_COMFORTABLE.get(part, ""), metrics) + 2 * MARGIN, needed.get(at, 0))
            for at, (part, width) in enumerate(zip(parts, least, strict=True))
        ]
        shown = list(range(self._table.column_of(Part.DETAIL) + 1))
        for at in reversed([at for at in shown if parts[at] is Part.BESIDE]):
            if sum(comfortable[each] for each in shown) > self.viewport().width():
                shown.remove(at)
        if sum(comfortable[at] for at in shown) <= self.viewport().width():
            least = comfortable
        widths = {at: least[at] for at in shown}
        for whole_parts in _WHOLE_FIRST:
            missing = {
                at: max(needed.get(at, 0) - widths[at], 0)
                for at in shown
                if parts[at] in whole_parts
            }
            self._give(widths, missing, sum(missing.values()))
        self._give(widths, {at: _SHARES.get(parts[at], 0) for at in shown})
        widths[shown[-1]] += max(self.viewport().width() - sum(widths.values()), 0)
        for at in shown:
            if parts[at] in _SCROLLED_TO:
                widths[at] = max(widths[at], needed.get(at, 0))
        self._aside = [at for at in range(len(parts)) if at not in widths]
        wide = advance(_ASIDE, metrics) + 2 * MARGIN
        widths |= {at: max(least[at], wide) for at in self._aside}
        header = self.horizontalHeader()
        for position, (at, width) in enumerate(widths.items()):
            header.moveSection(header.visualIndex(at), position)
            self.setColumnWidth(at, width)
        self.columns_shared.emit()

    def _give(
        self, widths: dict[int, int], parts: Mapping[int, int], most: int | None = None
    ) -> None:
        """Share what is left of the width, up to `most`, in these parts."""
        left = max(self.viewport().width() - sum(widths.values()), 0)
        given, whole = left if most is None else min(left, most), sum(parts.values())
        for at, part in parts.items():
            widths[at] += given * part // max(whole, 1)

    def _widths_of_texts(self, rows: Iterable[int]) -> dict[int, int]:
        """Of names, emails and details, by column; what was once seen in `rows` keeps its room,
        whatever is shown of the list.
        """
        table, metrics = self._table, self.fontMetrics()
        asked = table.columns, metrics.height()
        if self._measured[0] != asked:
            self._measured = asked, {}
        widths, rows = self._measured[1], tuple(rows)
        for at, column in enumerate(table.columns):
            if column.part not in _LONGEST:
                continue
            most = advance(_LONGEST[column.part], metrics)
            for row in rows:
                text = in_one_line(str(table.index(row, at).data() or ""))
                width = min(advance(text, metrics), most) + 2 * MARGIN
                widths[at] = max(widths.get(at, 0), width)
        return widths

    def _make_room_for_details(self, first: QModelIndex, last: QModelIndex) -> None:
        """Known later than the rest, they grow behind the end of the lines: nothing moves there."""
        at = self._table.column_of(Part.DETAIL)
        rows = range(first.row(), min(last.row() + 1, _LOOKED_AT))
        needed = self._widths_of_texts(rows).get(at, 0)
        if needed > self.columnWidth(at):
            self.setColumnWidth(at, needed)
