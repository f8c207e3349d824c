"""The table of the history: painted like the People table, read-only, copied from."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.history_table import HistoryTable
from app.viewmodels.history_words import HistoryColumn
from app.viewmodels.wording import day_and_clock
from app.views.people_badges import MARGIN
from app.views.people_columns import LATE
from app.views.people_delegate import PeopleDelegate
from app.views.theme import ROW_HEIGHT

_SHARES = {HistoryColumn.NAME: 3, HistoryColumn.EMAIL: 4, HistoryColumn.OUTCOME: 5}
"""How the width is shared among the columns beside the time."""


class HistoryList(Guarded, QTableView):
    """Shows a `HistoryTable`; rows are chosen as in any list."""

    copy_wanted = Signal()

    def __init__(self, table: HistoryTable, parent: QWidget | None = None) -> None:
        """Show `table`."""
        super().__init__(parent)
        self.setProperty("role", "people")
        self.setAccessibleName(tr("History"))
        self.setModel(table)
        self._delegate = PeopleDelegate(self)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in the colours in force."""
        self._delegate.begin()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The time has what it needs; the others share what is left."""
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
        when = self.fontMetrics().horizontalAdvance(day_and_clock(LATE)) + 2 * MARGIN + 2
        room, shares = max(self.viewport().width() - when, 0), sum(_SHARES.values())
        widths = {column: room * share // shares for column, share in _SHARES.items()}
        widths[HistoryColumn.OUTCOME] += room - sum(widths.values())
        for column, width in {HistoryColumn.WHEN: when, **widths}.items():
            self.setColumnWidth(column, width)
