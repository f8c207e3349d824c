"""The list of flows by name; the chosen one stays chosen when they are read again."""

from PySide6.QtCore import QItemSelection, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QWidget

from app.runtime.words import tr
from app.viewmodels.flows import FlowsScreen
from app.viewmodels.guarded import Guarded
from app.views.flow_delegate import FlowDelegate

_INTO = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class FlowNames(Guarded, QListView):
    """Bound to the list of a `FlowsScreen`."""

    entered = Signal()
    """Enter: somebody wants to go into the chosen flow."""
    focus_changed = Signal(bool)
    """Whether it has the keyboard now; what stands around it shows that."""

    def __init__(self, screen: FlowsScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.setAccessibleName(tr("Flows"))
        self.setProperty("role", "flows")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(screen.list)
        self.setItemDelegate(FlowDelegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for signal in (screen.list.modelReset, screen.list.rowsInserted, screen.list.rowsRemoved):
            signal.connect(self._show_chosen)
        screen.flow_changed.connect(self._show_chosen)
        self._show_chosen()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Choose the flow that was selected by key or click."""
        super().selectionChanged(selected, deselected)
        if self._screen.list.changing:
            return
        indexes = selected.indexes()
        flow_id = self._screen.list.flow_id_at(indexes[0].row()) if indexes else None
        if flow_id is not None and flow_id != self._screen.chosen:
            self._screen.choose(flow_id)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard has come."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)  # noqa: FBT003 - a signal's value

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard has gone."""
        super().focusOutEvent(event)
        self.focus_changed.emit(False)  # noqa: FBT003 - a signal's value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes into the flow."""
        if event.key() in _INTO:
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Takes the room it is given."""
        return QSize(120, 200)

    def minimumSizeHint(self) -> QSize:
        """May be squeezed: names are cut with dots."""
        return QSize(60, 60)

    def _show_chosen(self) -> None:
        position = self._screen.list.position_of(self._screen.chosen)
        index = QModelIndex() if position is None else self._screen.list.index(position, 0)
        if self.currentIndex() != index:
            self.setCurrentIndex(index)
