"""Asks the desktop by D-Bus, once the window stands, whether things on its screen move: Qt can be
asked that from 6.12 on only.

On Linux, where the portal of the desktop tells it. What somebody chose here is left to `theme`.
"""

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtDBus import (
    QDBusConnection,
    QDBusMessage,
    QDBusPendingCallWatcher,
    QDBusVariant,
)

from app.viewmodels.guarded_overrides import GuardedOverrides

_SERVICE = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_ASKED: dict[tuple[str, str], Callable[[object], bool]] = {
    ("org.freedesktop.appearance", "reduced-motion"): lambda value: value != 1,
    ("org.gnome.desktop.interface", "enable-animations"): lambda value: value is not False,
}
"""By namespace and key: whether things move, by its value. Older desktops know the second alone."""
_TIMEOUT_MS = 5_000
_CHANGED = "1changed(QDBusMessage)"
"""The one before the name is what Qt calls a slot."""


class DesktopMotion(GuardedOverrides, QObject):
    """Asks once, and hears of every change; a desktop that says nothing has nothing against it."""

    told = Signal(object)
    """Carries whether things move."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Ask; the answers come later."""
        super().__init__(parent)
        self._moves: dict[tuple[str, str], bool] = {}
        self._bus = QDBusConnection.sessionBus()
        if self._bus.isConnected():
            self._bus.connect(
                _SERVICE,
                _PATH,
                _INTERFACE,
                "SettingChanged",
                self,
                _CHANGED,  # type: ignore[call-overload]  # a text is what it takes
            )
            for namespace, key in _ASKED:
                self._ask(namespace, key)

    @Slot(QDBusMessage)
    def changed(self, message: QDBusMessage) -> None:
        """Another value of one of all settings there are."""
        told = message.arguments()
        if len(told) == _CHANGE_PARTS and (told[0], told[1]) in _ASKED:
            self._take((str(told[0]), str(told[1])), told[2])

    def _ask(self, namespace: str, key: str) -> None:
        question = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
        question.setArguments([namespace, key])
        waiting = QDBusPendingCallWatcher(self._bus.asyncCall(question, _TIMEOUT_MS), self)
        waiting.setProperty("asked", [namespace, key])
        waiting.finished.connect(self._answered)

    def _answered(self, waiting: QDBusPendingCallWatcher) -> None:
        namespace, key = cast(list[str], waiting.property("asked"))
        told = waiting.reply().arguments()
        # Where there is no such desktop, or it does not know the setting.
        if not waiting.isError() and told:
            self._take((namespace, key), told[0])
        waiting.deleteLater()

    def _take(self, asked: tuple[str, str], value: object) -> None:
        while isinstance(value, QDBusVariant):
            value = value.variant()
        self._moves[asked] = _ASKED[asked](value)
        self.told.emit(all(self._moves.values()))


_CHANGE_PARTS = 3
"""Namespace, key and value."""
