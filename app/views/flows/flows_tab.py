"""The Flows tab: the flows on the left, the chosen one as a strip of steps with their names."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_state import FlowsState
from app.viewmodels.guarded import Guarded
from app.views.flows.flow_list import FlowListView
from app.views.flows.flow_sheet import FlowSheet
from app.views.widgets.buttons import card, label, set_flag

_LIST_WIDTH = 15.5
"""Width of the list, in heights of the font's line."""
_MOST_OF_THE_TAB = 0.36


class FlowsTab(Guarded, QWidget):
    """Bound to a `FlowsScreen`."""

    person_wanted = Signal(object)
    """Carries a person's id: somebody followed a name."""

    def __init__(self, screen: FlowsScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self._screen = screen
        self.list = FlowListView(screen)
        self.sheet = FlowSheet(screen)
        self.missing = label("", "soft", wraps=True)
        self._left = card()
        self._lay_out()
        screen.state_changed.connect(self._show)
        self._show(screen.state)
        self.list.entered.connect(self.sheet.focus_first)
        self.list.focus_changed.connect(self._show_ring)
        self.sheet.left.connect(self.focus_flow)
        self.sheet.person_wanted.connect(self.person_wanted)

    def focus_flow(self) -> None:
        """Put the keyboard on the chosen flow."""
        self.list.setFocus()

    def return_to_place(self) -> bool:
        """Go back to the name that was followed last; False when there is nowhere to go back to."""
        place = self._screen.go_back()
        if place is not None:
            self.sheet.return_to(place)
        return place is not None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list grows with the font, and never takes the steps' room."""
        super().resizeEvent(event)
        wanted = round(self.fontMetrics().height() * _LIST_WIDTH)
        self._left.setFixedWidth(min(wanted, round(self.width() * _MOST_OF_THE_TAB)))

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(20, 4, 20, 12)
        across.setSpacing(16)
        inside = QVBoxLayout(self._left)
        inside.setContentsMargins(0, 8, 0, 8)
        self.missing.setContentsMargins(12, 4, 12, 4)
        inside.addWidget(self.list, 1)
        inside.addWidget(self.missing)
        across.addWidget(self._left)
        right = card()
        around = QVBoxLayout(right)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self.sheet)
        across.addWidget(right, 1)

    def _show(self, state: FlowsState) -> None:
        self._left.setVisible(state.has_flows)
        self.missing.setText(state.missing_words)
        self.missing.setVisible(bool(state.missing_words))

    def _show_ring(self, has_keyboard: bool) -> None:  # noqa: FBT001 - as the list sends it
        set_flag(self._left, "ring", value=has_keyboard)
