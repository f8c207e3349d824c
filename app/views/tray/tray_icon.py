"""The icon in the tray of the desktop, with a mark for whoever waits or needs somebody; and whether
there is a tray.

Imported once somebody has chosen to have an icon, or opens the settings, which say whether there
can be one: no other start needs it.
"""

import sys
from typing import cast

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.runtime.paths import resource
from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.tray.tray import TrayScreen, TrayState
from app.views.look.icons import icon
from app.views.look.theme import colour, theme_of, tokens
from app.views.widgets.labels import set_tray_tip

_SIDE, _MARK = 64, 13
"""Pixels of the picture, which the tray makes as large as it likes, and half the mark's width."""


def tray_available() -> bool:
    """Whether this desktop has a tray now."""
    return QSystemTrayIcon.isSystemTrayAvailable()


class TrayIcon(GuardedOverrides, QObject):
    """Bound to a `TrayScreen`; there is nothing of it before somebody wants it."""

    add_wanted = Signal()
    open_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, screen: TrayScreen) -> None:
        """Shown as soon as `screen` says so, or as the desktop has a tray."""
        super().__init__()
        self._screen = screen
        self._icon: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        screen.state_changed.connect(self._show)
        theme_of(cast(QApplication, QApplication.instance())).changed.connect(self._dress)
        self._show(screen.state)

    def say(self, words: str) -> None:
        """Say something beside the icon."""
        if self._icon is not None:
            self._icon.showMessage(tr("Front Desk"), words, _picture(self._screen.state))

    def say_anew(self) -> None:
        """Another language is spoken."""
        self.close()
        self._show(self._screen.state)

    def close(self) -> None:
        """Take it away."""
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
        if self._menu is not None:
            self._menu.deleteLater()
        self._icon = self._menu = None

    def _show(self, state: TrayState) -> None:
        if not state.shown:
            self.close()
            return
        if self._icon is None:
            self._menu = self._made_menu()
            self._icon = QSystemTrayIcon(self)
            self._icon.setContextMenu(self._menu)
            self._icon.activated.connect(self._activated)
            self._icon.messageClicked.connect(self.open_wanted)
        self._icon.setIcon(_picture(state))
        set_tray_tip(self._icon, state.tip)
        self._icon.show()

    def _dress(self) -> None:
        """In the colours of another theme."""
        if self._icon is not None:
            self._icon.setIcon(_picture(self._screen.state))

    def _made_menu(self) -> QMenu:
        menu = QMenu()
        menu.addAction(icon("add"), tr("Add a person"), self.add_wanted.emit)
        menu.addAction(tr("Open Front Desk"), self.open_wanted.emit)
        menu.addSeparator()
        menu.addAction(icon("close"), tr("Quit"), self.quit_wanted.emit)
        return menu

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # macOS opens the menu at the same press.
        if reason is QSystemTrayIcon.ActivationReason.Trigger and sys.platform != "darwin":
            self.open_wanted.emit()


def _picture(state: TrayState) -> QIcon:
    """The program's own, with a round mark in its corner: amber where somebody is needed."""
    plain = QIcon(str(resource("icons") / "frontdesk.svg"))
    if not (state.waits or state.needs_person):
        return plain
    picture: QPixmap = plain.pixmap(_SIDE, _SIDE, QIcon.Mode.Normal)
    look, at = tokens(), QPointF(picture.width() - _MARK - 1, picture.height() - _MARK - 1)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(look.ground))
        painter.drawEllipse(at, _MARK + 1, _MARK + 1)
        painter.setBrush(colour(look.amber if state.needs_person else look.accent))
        painter.drawEllipse(at, _MARK - 3, _MARK - 3)
    return QIcon(picture)
