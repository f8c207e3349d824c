"""The menu of the People table, built from what the screen offers for the chosen rows."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from app.viewmodels.people_menu import Groups, Offer, Offers
from app.views.widgets.icons import icon
from app.views.widgets.plain_text import literal

Act = Callable[[Offer], object]


def people_menu(groups: Groups, act: Act, parent: QWidget) -> QMenu:
    """A menu that goes away once it is closed; `act` gets what was chosen. Show it by `popup`."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for number, group in enumerate(groups):
        if number:
            menu.addSeparator()
        for line in group:
            if isinstance(line, Offers):
                _add_offers(menu, line, act)
            else:
                menu.addAction(_action(line, act, menu))
    return menu


def _add_offers(menu: QMenu, offers: Offers, act: Act) -> None:
    beside = menu.addMenu(literal(offers.words))
    if offers.icon:
        beside.setIcon(icon(offers.icon))
    for offer in offers.offers:
        beside.addAction(_action(offer, act, beside))


def _action(offer: Offer, act: Act, menu: QMenu) -> QAction:
    action = QAction(literal(offer.words), menu)
    if offer.icon:
        action.setIcon(icon(offer.icon))
    if offer.keys:
        # Said here; they work without the menu.
        action.setShortcut(QKeySequence(offer.keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    if offer.checked is not None:
        action.setCheckable(True)
        action.setChecked(offer.checked)
    action.setEnabled(offer.enabled)
    action.triggered.connect(partial(_chosen, act, offer))
    return action


def _chosen(act: Act, offer: Offer, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - as Qt sends it
    act(offer)
