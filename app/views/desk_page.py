"""The two tabs of one account; following a link leads from one to the other and back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.viewmodels.desk import DeskScreens
from app.views.flows_tab import FlowsTab
from app.views.people_tab import PeopleTab

PEOPLE, FLOWS = 0, 1


class DeskPage(QStackedWidget):
    """People and Flows; which one is shown is chosen in the header."""

    people_wanted = Signal()
    flows_wanted = Signal()

    def __init__(self, screens: DeskScreens, parent: QWidget | None = None) -> None:
        """Bind both tabs to `screens`."""
        super().__init__(parent)
        self.screens = screens
        self.people = PeopleTab(screens)
        self.flows = FlowsTab(screens.flows)
        self.addWidget(self.people)
        self.addWidget(self.flows)
        self.people.flow_wanted.connect(self._show_flow)
        self.flows.person_wanted.connect(self._show_person)

    def search(self, text: str) -> None:
        """Search in the tab that is shown."""
        if self.currentIndex() == PEOPLE:
            self.screens.people.search(text)
        else:
            self.screens.flows.search(text)

    def search_text(self) -> str:
        """What the shown tab is searched for."""
        people = self.currentIndex() == PEOPLE
        return self.screens.people.query if people else self.screens.flows.query

    def _show_flow(self, flow_id: object) -> None:
        self.screens.flows.choose(str(flow_id))
        self.flows_wanted.emit()
        self.flows.focus_flow()

    def _show_person(self, person_id: object) -> None:
        if self.screens.people.choose_person(str(person_id)):
            self.people_wanted.emit()
            self.people.list.setFocus()
