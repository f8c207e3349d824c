"""The People tab: the quick-add line on top, everybody below, the chosen one beside."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from app.viewmodels.desk import DeskScreens
from app.views.people_list import PeopleList
from app.views.person_card import PersonCard
from app.views.quick_add_card import QuickAddCard
from app.views.widgets.basics import card, label

_PANE_WIDTH = 290


class PeopleTab(QWidget):
    """Bound to the screens of one account."""

    flow_wanted = Signal(object)
    """Carries a flow's id: the person followed a link to it."""

    def __init__(self, screens: DeskScreens, parent: QWidget | None = None) -> None:
        """Bind to `screens`."""
        super().__init__(parent)
        self._people = screens.people
        self._quick_add_model = screens.quick_add
        self.quick_add = QuickAddCard(screens.quick_add)
        self.list = PeopleList(screens.people)
        self._count = label("", "small")
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.person = PersonCard(screens.person)
        self.person.flow_wanted.connect(self.flow_wanted)
        self.person.correct_wanted.connect(self._correct)
        self.list.undo_clicked.connect(screens.quick_add.undo)
        self._lay_out()
        screens.people.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(20, 4, 20, 12)
        across.setSpacing(14)
        left = QVBoxLayout()
        left.setSpacing(12)
        left.addWidget(self.quick_add)
        left.addWidget(self._list_card(), 1)
        across.addLayout(left, 1)
        self.person.setFixedWidth(_PANE_WIDTH)
        across.addWidget(self.person)

    def _list_card(self) -> QWidget:
        surface = card()
        rows = QVBoxLayout(surface)
        rows.setContentsMargins(1, 8, 1, 6)
        rows.setSpacing(6)
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 12, 0)
        top.addWidget(self._count)
        top.addStretch(1)
        rows.addLayout(top)
        holder = QWidget()
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._pages = QStackedLayout(holder)
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._empty)
        rows.addWidget(holder, 1)
        return surface

    def _show(self) -> None:
        words = self._people.empty_words
        self._empty.setText(words)
        self._pages.setCurrentWidget(self._empty if words else self.list)
        self._count.setText(self._people.count_words)

    def _correct(self, entry: object) -> None:
        self._quick_add_model.correct(entry)  # type: ignore[arg-type]  # the card sends entries only
        self.quick_add.focus_line()
