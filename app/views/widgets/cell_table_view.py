"""A table painted like the People table, for pages of their own: the history, a list's result."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.viewmodels.cell_table import CellTable
from app.viewmodels.guarded import Guarded
from app.views.widgets.cell_delegate import MARGIN, CellDelegate
from app.views.widgets.menus import asks_for_menu, by_mouse
from app.views.widgets.theme import ROW_HEIGHT


class CellTableView(Guarded, QTableView):
    """Shows a table whose cells are `Cell`s; rows are chosen as in any list."""

    copy_wanted = Signal()
    menu_wanted = Signal(object)
    """Carries the place on the screen where the menu of the chosen rows belongs."""

    def __init__(
        self,
        table: CellTable,
        name: str,
        shares: Mapping[int, int],
        widest: Callable[[], Mapping[int, str]],
        parent: QWidget | None = None,
    ) -> None:
        """Show `table`, called `name` to a screen reader.

        A column is as wide as its text in `widest`; `shares` says how the others share the rest.
        """
        super().__init__(parent)
        self._table = table
        self._shares = shares
        self._widest = widest
        self.setProperty("role", "people")
        self.setAccessibleName(name)
        self.setModel(table)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_up_headers()
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy_wanted)

    def _set_up_headers(self) -> None:
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        columns.setHighlightSections(False)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._size_rows()

    @property
    def chosen(self) -> list[int]:
        """The rows that are chosen, from the top."""
        chosen = self.selectionModel().selection()
        parts = [chosen.at(number) for number in range(chosen.size())]
        return sorted({row for part in parts for row in range(part.top(), part.bottom() + 1)})

    def focus_first(self) -> None:
        """Put the keyboard on the rows, and on the first of them where none has it."""
        model = self.model()
        if model.rowCount() and not self.currentIndex().isValid():
            self.setCurrentIndex(model.index(0, 0))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The menu keys open the menu."""
        if asks_for_menu(event):
            self.menu_wanted.emit(self._place_of_menu())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Where the mouse is, or at the row that the keyboard is at."""
        self.menu_wanted.emit(event.globalPos() if by_mouse(event) else self._place_of_menu())

    def _place_of_menu(self) -> QPoint:
        within = self.viewport().rect()
        cell = self.visualRect(self.currentIndex()) & within
        return self.viewport().mapToGlobal((cell if cell.isValid() else within).center())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in the colours in force."""
        self._delegate.paint_rows(QPainter(self.viewport()), event, self, self._table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Some columns have what they need; the others share what is left."""
        super().resizeEvent(event)
        self._share()

    def changeEvent(self, event: QEvent) -> None:
        """Rows and columns grow with the font."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._size_rows()
            self._delegate.take_font()
            self._share()

    def _size_rows(self) -> None:
        height = max(ROW_HEIGHT, self.fontMetrics().height() * 2)
        self.verticalHeader().setDefaultSectionSize(height)

    def _share(self) -> None:
        metrics = self.fontMetrics()
        widths = {
            column: metrics.horizontalAdvance(text) + 2 * MARGIN + 2
            for column, text in self._widest().items()
        }
        room = max(self.viewport().width() - sum(widths.values()), 0)
        shares = sum(self._shares.values())
        shared = {column: room * share // shares for column, share in self._shares.items()}
        shared[max(shared)] += room - sum(shared.values())
        for column, width in (widths | shared).items():
            self.setColumnWidth(column, width)
