"""Everybody on one card: the filters and the count, the table, or the sentence in its place."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.people.filters import PeopleFilter
from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.people import PeopleScreen
from app.views.people_list import PeopleList
from app.views.widgets.basics import button, label, rule
from app.views.widgets.chips import Chips


class PeopleCard(Guarded, QFrame):
    """Bound to a `PeopleScreen`."""

    def __init__(self, screen: PeopleScreen, parent: QWidget | None = None) -> None:
        """Bind to `screen`."""
        super().__init__(parent)
        self.setProperty("role", "card")
        self._screen = screen
        self._chips = Chips(tr("Who is shown"), self._filter)
        # All of them now, or Tab would lead to them after the list.
        self._show_filters()
        self.list = PeopleList(screen)
        self._count = label("", "small")
        self._remark = label("", "small")
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.everybody_button = button(tr("Show everybody"), self._show_everybody)
        self._pages = QStackedWidget()
        self._lay_out()
        screen.changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(1, 8, 1, 1)
        rows.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(9, 0, 12, 6)
        top.setSpacing(12)
        top.addWidget(self._chips, 1)
        top.addWidget(self._remark)
        top.addWidget(self._count)
        rows.addLayout(top)
        rows.addWidget(rule())
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._empty_page())
        rows.addWidget(self._pages, 1)

    def _empty_page(self) -> QWidget:
        page = QWidget()
        rows = QVBoxLayout(page)
        rows.setContentsMargins(24, 24, 24, 24)
        rows.setSpacing(12)
        rows.addStretch(1)
        rows.addWidget(self._empty)
        rows.addWidget(self.everybody_button, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch(1)
        return page

    def _show_filters(self) -> None:
        filters = self._screen.filters
        on = next(at for at, each in enumerate(filters) if each.filter is self._screen.filter)
        self._chips.show_choices(filters, on)

    def _show(self) -> None:
        self._show_filters()
        words = self._screen.empty_words
        self._empty.setText(words)
        self.everybody_button.setVisible(self._screen.can_show_everybody)
        self._pages.setCurrentIndex(1 if words else 0)
        self._count.setText(self._screen.count_words)
        self._remark.setText(self._screen.remark)
        self._remark.setVisible(bool(self._screen.remark))

    def _filter(self, number: int) -> None:
        self._screen.show_only(self._screen.filters[number].filter)

    def _show_everybody(self) -> None:
        self._screen.show_only(PeopleFilter.EVERYBODY)
