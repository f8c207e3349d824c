"""The People table by itself as it is seen, clicked and moved through by keys, with its menu: where
it stands among the other parts of the tab is `people_tab`'s.
"""

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyleOptionViewItem,
)

from app.runtime.words import tr
from app.viewmodels.cell_table import Index
from app.viewmodels.people.copying import What
from app.viewmodels.people.people import PeopleScreen
from app.views.cell_table.cell_delegate import CellDelegate, ring
from app.views.cell_table.cell_table_view import RowTableView
from app.views.people.column_widths import PeopleColumns
from app.views.people.selection_keeper import SelectionKeeper
from app.views.widgets.menus import asks_for_menu, by_mouse

_Action = QAbstractItemView.CursorAction
_Select = QItemSelectionModel.SelectionFlag
_MANY = 1_000
_Reason = Qt.FocusReason
_LED_HERE = frozenset({_Reason.OtherFocusReason, _Reason.ShortcutFocusReason})
"""Somebody wants to go on in the list, from the search for one."""
_TABS = frozenset({_Reason.TabFocusReason, _Reason.BacktabFocusReason})


class PeopleTableView(RowTableView):
    """Shows the table of a `PeopleScreen`, and tells it what the person does with it."""

    undo_clicked = Signal(object)
    """Carries the key of a waiting entry that is to be taken back."""
    paste_wanted = Signal()
    """Rows that were copied elsewhere are to be added."""
    detail_wanted = Signal()
    """The keyboard is to go on to the detail beside the list."""
    menu_wanted = Signal(object)
    """Carries the place on the screen where the menu belongs."""

    def __init__(self, screen: PeopleScreen) -> None:
        """Bind to `screen`."""
        super().__init__(tr("People"))
        self._screen = screen
        self._table = screen.table
        self._undoing: object = None
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._paint_again)
        self._ringed = False
        self._only_below = False
        """Whether all that awaits its place since the last painting comes below what is seen."""
        self._table.rowsAboutToBeInserted.connect(self._look_where_rows_come)
        self._table.rowsAboutToBeRemoved.connect(self._lay_out_all)
        self._table.modelAboutToBeReset.connect(self._lay_out_all)
        self._selection_keeper = SelectionKeeper(self, screen)
        with self._selection_keeper.quietly():  # somebody may be chosen in it already
            self.setModel(self._table)
        self._selection_keeper.has_model()
        self.setMouseTracking(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.columns = PeopleColumns(self, screen)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self.on_keys(QKeySequence.StandardKey.Copy, self._copy)
        self.on_keys(QKeySequence.StandardKey.Paste, self.paste_wanted)

    # What the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter leads to the detail, the menu keys open the menu."""
        if asks_for_menu(event):
            self.menu_wanted.emit(self.menu_position())
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.detail_wanted.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next name that starts with what is typed."""
        interval = QApplication.keyboardInputInterval() / 1000
        current = self.currentIndex()
        at = self._screen.type_ahead.type(search, current.row(), interval)
        if at is not None:
            self.setCurrentIndex(self._table.index(at, max(current.column(), 0)))

    def moveCursor(self, action: _Action, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Home and End lead to the first and the last row: a row is one person."""
        if action in {_Action.MoveHome, _Action.MoveEnd} and self._table.rowCount():
            row = 0 if action is _Action.MoveHome else self._table.rowCount() - 1
            return self._table.index(row, max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Where the mouse is, or below the row that the keyboard is at."""
        self.menu_wanted.emit(event.globalPos() if by_mouse(event) else self.menu_position())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Where an entry can be taken back a click does that alone; anywhere else it chooses."""
        self._undoing = self._undone_at(event)
        if self._undoing is None:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Pressed and let go on the same mark: that is meant."""
        undoing, self._undoing = self._undoing, None
        if undoing is None:
            super().mouseReleaseEvent(event)
        elif undoing == self._undone_at(event):
            self.undo_clicked.emit(undoing)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A hand where an entry can be taken back."""
        if self._undoing is None:
            super().mouseMoveEvent(event)
        hand = self._undo_key(event.position().toPoint()) is not None
        shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _undone_at(self, event: QMouseEvent) -> object:
        if event.button() is not Qt.MouseButton.LeftButton:
            return None
        return self._undo_key(event.position().toPoint())

    def _undo_key(self, point: QPoint) -> object:
        """The key of the waiting entry that a click at `point` takes back, or None."""
        index = self.indexAt(point)
        if self._table.entry_at(index.row()) is None:
            return None
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        target = self._delegate.undo_rect(option, index)
        return self._table.key_at(index.row()) if target and target.contains(point) else None

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell the screen who is chosen now."""
        super().selectionChanged(selected, deselected)
        if not self._selection_keeper.quiet:
            with self._selection_keeper.quietly():
                self._screen.choose_spans(self.chosen_spans)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """The ring goes around whole rows, of which Qt paints only one cell anew."""
        super().currentChanged(current, previous)
        if self._ringed:
            self.viewport().update()
        for index in (current, previous):
            if index.isValid():
                self._repaint_row(index.row())

    def _copy(self) -> None:
        self._screen.copying.copy(What.ROW)

    # What is seen

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The row that has the keyboard gets its ring; coming with nobody chosen chooses one."""
        super().focusInEvent(event)
        self._repaint_focus()
        led_here = event.reason() in _LED_HERE
        by_tab = event.reason() in _TABS and not self._screen.state.chosen
        if (led_here or by_tab) and not self.selectionModel().hasSelection():
            self._choose_in_sight()

    def _choose_in_sight(self) -> None:
        """The row that has the keyboard, or the first on the screen where that one is not seen."""
        top = max(self.verticalScrollBar().value(), 0)
        below = self.currentIndex().row() - top
        row = top + below if 0 <= below < self._selection_keeper.rows_in_sight() else top
        if row < self._table.rowCount():
            index = self._table.index(row, max(self.currentIndex().column(), 0))
            flags = _Select.ClearAndSelect | _Select.Rows
            self.selectionModel().setCurrentIndex(index, flags)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """And loses it."""
        super().focusOutEvent(event)
        self._repaint_focus()

    def rowsInserted(self, parent: Index, first: int, last: int) -> None:
        """Make room for the rows; many on top have taken most of what a turn has, and are painted
        in one of their own.
        """
        super().rowsInserted(parent, first, last)
        if first == 0 and last >= _MANY:
            self.viewport().setUpdatesEnabled(False)
            self._next_turn.start()

    def _look_where_rows_come(self, _parent: Index, first: int, _last: int) -> None:
        """Of a long search the rest comes later: what is seen is not painted twice for a key."""
        self._lay_out_all()
        self.executeDelayedItemsLayout()
        lowest = self.rowAt(self.viewport().height() - 1)
        self._only_below = 0 <= lowest < first

    def _lay_out_all(self) -> None:
        self._only_below = False

    def doItemsLayout(self) -> None:
        """Rows that come below make the list longer, and nothing else."""
        if self._only_below:
            self._only_below = False
            self.updateGeometries()
        else:
            super().doItemsLayout()

    def _paint_again(self) -> None:
        self.viewport().setUpdatesEnabled(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in the colours in force."""
        with QPainter(self.viewport()) as painter:
            self._delegate.paint_rows(painter, event, self, self._table)
            self._ringed = self._wears_the_ring()
            if self._ringed:
                ring(painter, self.viewport().rect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What comes above or below the list may leave it lower."""
        super().resizeEvent(event)
        self._selection_keeper.keep_chosen_in_sight(event.oldSize().height())

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """What is painted around the whole list does not move with the rows."""
        super().scrollContentsBy(dx, dy)
        if self._ringed or self._wears_the_ring():
            self.viewport().update()

    def _wears_the_ring(self) -> bool:
        """The row that has the keyboard wears it; the whole list only where that one is unseen."""
        row = self.visualRect(self.currentIndex())
        return self.hasFocus() and not row.intersects(self.viewport().rect())

    def share_columns(self) -> None:
        """Share the width among the columns, unless the person has set them."""
        self.columns.share()

    def take_font(self) -> None:
        """The cells are painted in the font of the table."""
        self._delegate.take_font()

    def _repaint_focus(self) -> None:
        if self._ringed or self._wears_the_ring():
            self.viewport().update()
        self._repaint_row(self.currentIndex().row())

    def _repaint_row(self, row: int) -> None:
        top, height = self.rowViewportPosition(row), self.rowHeight(row)
        self.viewport().update(QRect(0, top, self.viewport().width(), height))
