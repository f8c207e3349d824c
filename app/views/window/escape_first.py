"""Escape for what comes before all else in a window, wherever the keyboard is there."""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides


class EscapeFirst(GuardedOverrides, QObject):
    """Hears the keys before whoever has the keyboard, as long as it is wanted."""

    def __init__(
        self, within: QWidget, is_wanted: Callable[[], bool], act: Callable[[], object]
    ) -> None:
        """In the window that `within` is part of; `is_wanted` is asked whenever it is to `follow`,
        and when the keyboard goes elsewhere.
        """
        super().__init__(within)
        self._within = within
        self._is_wanted = is_wanted
        self._act = act
        self._heard: QWidget | None = None
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]  # there is one before any widget

    def follow(self, _what: object = None) -> None:
        """It may be wanted by now, or no longer."""
        self._follow_focus(None, QApplication.focusWidget())

    def _follow_focus(self, _before: object, now: object) -> None:
        if self._heard is not None and shiboken6.isValid(self._heard):
            self._heard.removeEventFilter(self)
        self._heard = None
        # A window that goes has the keyboard go elsewhere, when it is no window any more.
        if not shiboken6.isValid(self._within):
            return
        window = self._within.window()
        here = now if isinstance(now, QWidget) else window
        # What lies over the window for a moment is left by it before all else.
        keeps = getattr(here, "keeps_escape", False)
        if self._is_wanted() and here.window() is window and not keeps:
            self._heard = here
            here.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Where a key is a shortcut of somebody's it is asked for before it is pressed."""
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            self._act()
            return True
        return False
