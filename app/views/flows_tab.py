"""The Flows tab: the flows on the left, the chosen one as a strip of steps with their names."""

from PySide6.QtCore import QItemSelection, QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.viewmodels.flows import FlowsScreen
from app.views.flow_delegate import FlowDelegate
from app.views.step_card import StepCardView
from app.views.widgets.basics import card, label
from app.views.widgets.pill import NamePill
from app.views.widgets.wrapping import WrappingLayout, wrapping_box

_LIST_WIDTH = 262


class FlowsTab(QWidget):
    """Bound to a `FlowsScreen`."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""

    def __init__(self, screen: FlowsScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.list = _FlowList(screen)
        self._title = label("", "title", wraps=True)
        self._summary = label("", "soft", wraps=True)
        self._empty = label("", "soft", wraps=True)
        self._admins, self._admins_layout = wrapping_box(6)
        self._steps, self._steps_layout = wrapping_box(14, even=True)
        self._scroll = QScrollArea()
        self._lay_out()
        screen.flow_changed.connect(self._show_flow)
        self._show_flow()

    def focus_flow(self) -> None:
        """Put the keyboard on the chosen flow."""
        self.list.setFocus()

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(20, 4, 20, 12)
        across.setSpacing(16)
        left = card()
        left.setFixedWidth(_LIST_WIDTH)
        inside = QVBoxLayout(left)
        inside.setContentsMargins(1, 8, 1, 8)
        inside.addWidget(self.list)
        across.addWidget(left)
        right = card()
        across.addWidget(right, 1)
        around = QVBoxLayout(right)
        around.setContentsMargins(1, 1, 1, 1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setProperty("role", "page")
        self._scroll.setWidget(page)
        around.addWidget(self._scroll)
        rows = QVBoxLayout(page)
        rows.setContentsMargins(22, 18, 22, 18)
        rows.setSpacing(10)
        for widget in (self._title, self._summary, self._admins, self._empty):
            rows.addWidget(widget)
        rows.addSpacing(6)
        rows.addWidget(self._steps)
        rows.addStretch(1)

    def _show_flow(self) -> None:
        flow = self._screen.flow
        place = self._scroll.verticalScrollBar().value()
        self._title.setText(flow.name if flow else "")
        self._summary.setText(flow.summary if flow else "")
        self._empty.setText(self._screen.empty_words)
        self._empty.setVisible(bool(self._screen.empty_words))
        self._admins.setVisible(bool(flow and flow.pills))
        _clear(self._admins_layout)
        _clear(self._steps_layout)
        if flow is None:
            return
        if flow.pills:
            self._admins_layout.insert_widget(label(tr("Run by"), "soft"))
        for pill in flow.pills:
            view = NamePill(pill)
            view.followed.connect(self.person_wanted)
            self._admins_layout.insert_widget(view)
        for step in flow.steps:
            card_view = StepCardView(step)
            card_view.person_wanted.connect(self.person_wanted)
            self._steps_layout.insert_widget(card_view)
        self._scroll.verticalScrollBar().setValue(place)


class _FlowList(QListView):
    """The flows by name; the chosen one stays chosen when they are read again."""

    def __init__(self, screen: FlowsScreen) -> None:
        super().__init__()
        self._screen = screen
        self.setAccessibleName(tr("Flows"))
        self.setModel(screen.list)
        self.setItemDelegate(FlowDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        screen.list.modelReset.connect(self._show_chosen)
        screen.flow_changed.connect(self._show_chosen)
        self._show_chosen()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Choose the flow that was selected by key or click."""
        super().selectionChanged(selected, deselected)
        indexes = selected.indexes()
        if indexes:
            flow_id = self._screen.list.flow_id_at(indexes[0].row())
            if flow_id is not None:
                self._screen.choose(flow_id)

    def sizeHint(self) -> QSize:
        """Takes the room it is given."""
        return QSize(_LIST_WIDTH, 200)

    def _show_chosen(self) -> None:
        position = self._screen.list.position_of(self._screen.chosen)
        index = QModelIndex() if position is None else self._screen.list.index(position, 0)
        if self.currentIndex() != index:
            self.setCurrentIndex(index)


def _clear(layout: WrappingLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
