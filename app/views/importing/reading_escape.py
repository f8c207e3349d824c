"""Escape while a list is being read: it ends that, wherever in the window the keyboard is."""

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.viewmodels.guarded import Guarded
from app.viewmodels.importing.list_import import ListImport


class EscapeEndsReading(Guarded, QObject):
    """Hears the keys before whoever has the keyboard, as long as it is said that a list is read."""

    def __init__(self, lists: ListImport, within: QWidget) -> None:
        """In the window that `within` is part of."""
        super().__init__(within)
        self._lists = lists
        self._within = within
        self._heard: QWidget | None = None
        lists.begun_changed.connect(self._follow)
        QApplication.instance().focusChanged.connect(self._follow_focus)  # type: ignore[union-attr]  # there is one before any widget

    def _follow(self) -> None:
        self._follow_focus(None, QApplication.focusWidget())

    def _follow_focus(self, _before: object, now: object) -> None:
        if self._heard is not None and shiboken6.isValid(self._heard):
            self._heard.removeEventFilter(self)
        self._heard = None
        window = self._within.window()
        here = now if isinstance(now, QWidget) else window
        if self._lists.reading_words and here.window() is window:
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
            self._lists.stop_reading()
            return True
        return False
