"""The People table as a widget: fixed row heights, columns sized once, the chosen row kept."""

from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.runtime.words import tr
from app.viewmodels.people import PeopleScreen
from app.viewmodels.table import Column, Key
from app.views.people_delegate import PeopleDelegate
from app.views.theme import ROW_HEIGHT

_SHARES = {
    Column.NAME: 0.31,
    Column.EMAIL: 0.28,
    Column.PHONE: 0.145,
    Column.MOBILE: 0.145,
    Column.ADDED: 0.12,
}
"""How the columns share the width until somebody sets one by hand."""


class PeopleList(QTableView):
    """Shows the table of a `PeopleScreen` and keeps its chosen row chosen."""

    undo_clicked = Signal(object)

    def __init__(self, screen: PeopleScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self._top: Key | None = None
        self._set_by_hand = False
        self._sharing = False
        self.setAccessibleName(tr("People"))
        self.setModel(screen.table)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._size_rows_and_columns()
        delegate = PeopleDelegate(self)
        delegate.undo_clicked.connect(self.undo_clicked)
        self.setItemDelegate(delegate)
        screen.table.modelAboutToBeReset.connect(self._remember_place)
        screen.table.modelReset.connect(self._return_to_place)
        screen.chosen_changed.connect(self._show_chosen)
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self._copy)

    def _size_rows_and_columns(self) -> None:
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(max(ROW_HEIGHT, self.fontMetrics().height() * 2))
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(60)
        columns.sectionResized.connect(self._resized)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width among the columns, unless the person has set them."""
        super().resizeEvent(event)
        if not self._set_by_hand:
            self._sharing = True
            for column, share in _SHARES.items():
                self.setColumnWidth(column, int(self.viewport().width() * share))
            self._sharing = False

    def _resized(self, _column: int, _before: int, _after: int) -> None:
        if not self._sharing:
            self._set_by_hand = True

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Tell the screen who is chosen now."""
        super().selectionChanged(selected, deselected)
        rows = self.selectionModel().selectedRows()
        if len(rows) == 1:
            self._screen.choose(self._screen.table.key_at(rows[0].row()))

    def _remember_place(self) -> None:
        self._top = self._screen.table.key_at(self.rowAt(0))

    def _return_to_place(self) -> None:
        top = self._screen.table.position_of(self._top)
        if top is not None:
            self.scrollTo(
                self._screen.table.index(top, 0), QAbstractItemView.ScrollHint.PositionAtTop
            )
        self._show_chosen(scroll=False)

    def _show_chosen(self, *, scroll: bool = True) -> None:
        position = self._screen.table.position_of(self._screen.chosen)
        if position is None:
            return
        index = self._screen.table.index(position, max(self.currentIndex().column(), 0))
        if not self.selectionModel().isRowSelected(position):
            self.selectRow(position)
        if scroll:
            self.scrollTo(index)

    def _copy(self) -> None:
        table = self._screen.table
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        lines = [
            "\t".join(str(table.index(row, column).data() or "") for column in Column)
            for row in rows
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))
