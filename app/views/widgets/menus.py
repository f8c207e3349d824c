"""Menus made of data, opened by the right button or the menu keys."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QListView, QMenu, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.menu_items import Groups, MenuGroups, MenuItem
from app.views.look.icons import icon
from app.views.widgets.labels import literal

_MENU_KEYS = frozenset(
    {
        (Qt.Key.Key_Menu, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier),
    }
)


def asks_for_menu(event: QKeyEvent) -> bool:
    """Whether it is one of the keys that open a menu."""
    return (event.key(), event.modifiers()) in _MENU_KEYS


def by_mouse(event: QContextMenuEvent) -> bool:
    """Whether the right button asks; the keys ask where the keyboard is."""
    return event.reason() is QContextMenuEvent.Reason.Mouse


class Menu(GuardedOverrides, QMenu):
    """Opens within its window, where it has room there: what lies behind is another program."""

    def showEvent(self, event: QShowEvent) -> None:
        """Come into the window before it is seen."""
        super().showEvent(event)
        parent = self.parentWidget()
        if parent is None:
            return
        window = parent.window()
        room = QRect(window.mapToGlobal(QPoint()), window.size())
        place = QRect(self.pos(), self.size())
        if place.width() <= room.width():
            place.moveLeft(min(max(place.left(), room.left()), room.right() + 1 - place.width()))
        if place.height() <= room.height():
            place.moveTop(min(max(place.top(), room.top()), room.bottom() + 1 - place.height()))
        self.move(place.topLeft())


Act = Callable[[MenuItem], object]
RowMenu = tuple[Groups, Act]
"""What a menu offers, and who does it."""


def menu_of_items(groups: Groups, act: Act, parent: QWidget) -> QMenu:
    """A menu that goes away once it is closed; `act` gets what was chosen. Show it by `popup`."""
    menu = Menu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for number, group in enumerate(groups):
        if number:
            menu.addSeparator()
        for line in group:
            if isinstance(line, MenuGroups):
                _add_items(menu, line, act)
            else:
                menu.addAction(_action(line, act, menu))
    return menu


def _add_items(menu: QMenu, items: MenuGroups, act: Act) -> None:
    beside = menu.addMenu(literal(items.words))
    if items.icon:
        beside.setIcon(icon(items.icon))
    for item in items.items:
        beside.addAction(_action(item, act, beside))


def _action(item: MenuItem, act: Act, menu: QMenu) -> QAction:
    action = QAction(literal(item.words), menu)
    if item.icon:
        action.setIcon(icon(item.icon))
    if item.keys:
        # Said here; they work without the menu.
        action.setShortcut(QKeySequence(item.keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    if item.checked is not None:
        action.setCheckable(True)
        action.setChecked(item.checked)
    action.setEnabled(item.enabled)
    action.triggered.connect(partial(_chosen, act, item))
    return action


def _chosen(act: Act, item: MenuItem, _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - as Qt sends it
    act(item)


class ListMenuRequests(GuardedOverrides, QObject):
    """Hears in a list where a menu is asked for, and where a row is to be copied."""

    asked = Signal(object, object)
    """Carries the row, and the point of the screen where its menu belongs."""
    copied = Signal(object, object)
    """The same of a row that is to be copied."""

    def __init__(self, view: QListView) -> None:
        """Listen to `view`."""
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The right button asks at the row below it, the keys at the row that has the keyboard."""
        if event.type() is QEvent.Type.ContextMenu and isinstance(event, QContextMenuEvent):
            if not by_mouse(event):
                self._tell(self.asked)
            elif watched is not self._view and self._view.indexAt(event.pos()).isValid():
                row = self._view.indexAt(event.pos()).row()
                self.asked.emit(row, event.globalPos())
            return True
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if asks_for_menu(event):
                return self._tell(self.asked)
            if event.matches(QKeySequence.StandardKey.Copy):
                return self._tell(self.copied)
        return False

    def _tell(self, signal: SignalInstance) -> bool:
        index = self._view.currentIndex()
        if index.isValid():
            within = self._view.visualRect(index) & self._view.viewport().rect()
            signal.emit(index.row(), self._view.viewport().mapToGlobal(within.center()))
        return index.isValid()
