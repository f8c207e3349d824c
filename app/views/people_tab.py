"""The People tab: the quick-add line on top, everybody below, who is chosen beside."""

from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from app.store.ordering import SortKey
from app.viewmodels.cells import SORT_OF
from app.viewmodels.copying import What
from app.viewmodels.deciding import Decision
from app.viewmodels.desk import DeskScreens
from app.viewmodels.guarded import Guarded
from app.viewmodels.people_menu import Deed, Groups, Offer, menu_of, sort_keys, sort_offers
from app.views.people_card import PeopleCard
from app.views.people_menu import people_menu
from app.views.person_card import PersonCard
from app.views.person_rows import open_mail
from app.views.quick_add_card import QuickAddCard

_LIST_FIRST = 20
"""Milliseconds: whoever holds an arrow key down sees the rows move without a stop."""
_PANE_SHARE = 0.26
_PANE_WIDTHS = (284, 340)
"""The narrowest and the widest the detail beside the list becomes."""


class PeopleTab(Guarded, QWidget):
    """Bound to the screens of one account."""

    flow_wanted = Signal(object)
    """Carries a flow's id: the person followed a link to it."""

    def __init__(self, screens: DeskScreens, parent: QWidget | None = None) -> None:
        """Bind to `screens`."""
        super().__init__(parent)
        self._screens = screens
        self._people = screens.people
        self.quick_add = QuickAddCard(screens.quick_add)
        self._card = PeopleCard(screens.people)
        self.list = self._card.list
        self.person = PersonCard(screens.person, patience=_LIST_FIRST)
        self._lay_out()
        self._bind()

    def _lay_out(self) -> None:
        across = QHBoxLayout(self)
        across.setContentsMargins(20, 4, 20, 12)
        across.setSpacing(14)
        left = QVBoxLayout()
        left.setSpacing(12)
        left.addWidget(self.quick_add)
        left.addWidget(self._card, 1)
        across.addLayout(left, 1)
        across.addWidget(self.person)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list gets most of what there is."""
        super().resizeEvent(event)
        narrowest, widest = _PANE_WIDTHS
        wanted = round(self.width() * _PANE_SHARE)
        self.person.setFixedWidth(min(max(wanted, narrowest), widest))

    def _bind(self) -> None:
        self.person.flow_wanted.connect(self.flow_wanted)
        self.person.correct_wanted.connect(self._correct)
        self.list.undo_clicked.connect(self._screens.quick_add.undo)
        self.list.detail_wanted.connect(self._focus_detail)
        self.list.menu_wanted.connect(self._open_menu)
        self.list.columns.menu_wanted.connect(self._open_sort_menu)
        self._people.copying.copied.connect(self._to_clipboard)
        for column in SORT_OF:
            keys = QShortcut(QKeySequence(sort_keys(column + 1)), self)
            keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            keys.activated.connect(partial(self._people.order.sort_by_column, column))
        back = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.person)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        back.activated.connect(partial(self.list.setFocus, Qt.FocusReason.BacktabFocusReason))

    def _focus_detail(self) -> None:
        """The first thing in the pane that can be pressed gets the keyboard."""
        self.person.catch_up()
        for made in self.person.findChildren(QAbstractButton):
            if made.isVisible() and made.isEnabled():
                made.setFocus(Qt.FocusReason.TabFocusReason)
                return

    # The menu

    def _open_menu(self, place: object) -> None:
        self._pop_up(menu_of(self._people, self._screens.flows.administered_by), place)

    def _open_sort_menu(self, place: object) -> None:
        self._pop_up((sort_offers(self._people).offers,), place)

    def _pop_up(self, groups: Groups, place: object) -> None:
        if isinstance(place, QPoint):
            people_menu(groups, self._do, self.list).popup(place)

    def _do(self, offer: Offer) -> None:
        people, entry = self._people, self._people.chosen_entry
        if offer.deed is Deed.SORT:
            people.order.sort_by(SortKey(str(offer.value)))
        elif offer.deed is Deed.SHOW_FLOW:
            self.flow_wanted.emit(offer.value)
        elif offer.deed is Deed.WRITE:
            open_mail(people.copying.mail_link)
        elif offer.deed in _COPIES:
            people.copying.copy(_COPIES[offer.deed])
        elif entry is not None and offer.value is Decision.CORRECT:
            self._correct(entry)
        elif entry is not None and isinstance(offer.value, Decision):
            self._screens.person.decide(entry, offer.value)

    def _correct(self, entry: object) -> None:
        self._screens.quick_add.correct(entry)  # type: ignore[arg-type]  # the card sends entries only
        self.quick_add.focus_line()

    @staticmethod
    def _to_clipboard(text: object) -> None:
        QGuiApplication.clipboard().setText(str(text))


_COPIES = {Deed.COPY_ROWS: What.ROW, Deed.COPY_EMAILS: What.EMAIL, Deed.COPY_NAMES: What.NAME}
