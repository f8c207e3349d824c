"""What every table of ours is, and one painted like the People table for pages of their own: the
history, a list's result.
"""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.viewmodels.cell_table import CellTable
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.cell_table.cell_delegate import MARGIN, CellDelegate
from app.views.look.theme import ROW_HEIGHT
from app.views.widgets.labels import advance
from app.views.widgets.menus import asks_for_menu, by_mouse
from app.views.widgets.pointer import RowGuard


class RowTableView(GuardedOverrides, QTableView):
    """Whole rows are chosen, as high as the font wants; what is in them is a kind's own."""

    def __init__(self, name: str) -> None:
        """`name` is what a screen reader calls it. It has no model yet."""
        super().__init__()
        self._own_viewport()
        self.setProperty("role", "people")
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.size_rows()

    def _own_viewport(self) -> None:
        """One that Python made: of Qt's, PySide would look for what kind of widget it is, and build
        a class for every kind there is on the way.
        """
        viewport = QWidget()
        viewport.setObjectName("qt_scrollarea_viewport")
        viewport.setBackgroundRole(QPalette.ColorRole.Base)
        viewport.setAutoFillBackground(True)
        self.setViewport(viewport)

    @property
    def chosen_spans(self) -> list[tuple[int, int]]:
        """The first and the last row of each stretch that is chosen, in no order."""
        chosen = self.selectionModel().selection()
        parts = [chosen.at(number) for number in range(chosen.size())]
        return [(part.top(), part.bottom()) for part in parts]

    @property
    def chosen_rows(self) -> list[int]:
        """The rows that are chosen, from the top."""
        return sorted({row for top, end in self.chosen_spans for row in range(top, end + 1)})

    def menu_position(self) -> QPoint:
        """Where on the screen the menu belongs that the keyboard opens: at its row, if seen."""
        within = self.viewport().rect()
        cell = self.visualRect(self.currentIndex()) & within
        return self.viewport().mapToGlobal((cell if cell.isValid() else within).center())

    def size_rows(self) -> None:
        """Have the rows as high as the font wants them."""
        height = max(ROW_HEIGHT, self.fontMetrics().height() * 2)
        self.verticalHeader().setDefaultSectionSize(height)

    def keep_column_widths(self) -> None:
        """Nobody drags them: a kind shares the width among its columns."""
        columns = self.horizontalHeader()
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        columns.setHighlightSections(False)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def share_columns(self) -> None:
        """Share the width there is among the columns, as a kind does."""
        raise NotImplementedError

    def take_font(self) -> None:
        """The font is another one: what a kind keeps of it follows."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The columns share the width there is."""
        super().resizeEvent(event)
        self.share_columns()

    def changeEvent(self, event: QEvent) -> None:
        """Rows and columns grow with the font."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.size_rows()
            self.take_font()
            self.share_columns()

    def on_keys(
        self, keys: QKeySequence.StandardKey, wanted: Callable[[], None] | SignalInstance
    ) -> None:
        """Have `keys` ask for `wanted` while the table has the keyboard."""
        pressed = QShortcut(QKeySequence(keys), self)
        pressed.setContext(Qt.ShortcutContext.WidgetShortcut)
        pressed.activated.connect(wanted)


class CellTableView(RowTableView):
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
    ) -> None:
        """Show `table`, called `name` to a screen reader.

        A column is as wide as its text in `widest`; `shares` says how the others share the rest.
        """
        super().__init__(name)
        self._table = table
        self._shares = shares
        self._widest = widest
        # Before the view hears of other rows, and behind it.
        self._row_guard = RowGuard(self, lambda index: table.key_at(index.row()))
        self._row_guard.follow(table)
        self.setModel(table)
        for changed in (table.modelReset, table.rowsInserted, table.rowsRemoved):
            changed.connect(self._row_guard.look)
        self._delegate = CellDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.keep_column_widths()
        self.on_keys(QKeySequence.StandardKey.Copy, self.copy_wanted)

    def focus_first(self) -> None:
        """Put the keyboard on the rows, and on the first of them where none has it."""
        model = self.model()
        if model.rowCount() and not self.currentIndex().isValid():
            self.setCurrentIndex(model.index(0, 0))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The menu keys open the menu."""
        if asks_for_menu(event):
            self.menu_wanted.emit(self.menu_position())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Where the mouse is, or at the row that the keyboard is at."""
        self.menu_wanted.emit(event.globalPos() if by_mouse(event) else self.menu_position())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in the colours in force."""
        with QPainter(self.viewport()) as painter:
            self._delegate.paint_rows(painter, event, self, self._table)

    def take_font(self) -> None:
        """The cells are painted in the font of the table."""
        self._delegate.take_font()

    def share_columns(self) -> None:
        """Some columns have what they need; the others share what is left."""
        metrics = self.fontMetrics()
        widths = {
            column: advance(text, metrics) + 2 * MARGIN for column, text in self._widest().items()
        }
        room = max(self.viewport().width() - sum(widths.values()), 0)
        shares = sum(self._shares.values())
        shared = {column: room * share // shares for column, share in self._shares.items()}
        shared[max(shared)] += room - sum(shared.values())
        for column, width in (widths | shared).items():
            self.setColumnWidth(column, width)
