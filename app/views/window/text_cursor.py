"""The text cursor blinks while somebody writes, and stands still once nothing is typed for a while.

A window that is left alone, which nearly always leaves it in a field, then wakes the computer for
nothing: each blink paints the field and all that it stands on.
"""

import contextlib

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides

_REST_MS = 10_000
_BY_A_PERSON = frozenset(
    {QEvent.Type.KeyPress, QEvent.Type.InputMethod, QEvent.Type.MouseButtonPress}
)
_FIELDS = ("QLineEdit", "QTextEdit", "QPlainTextEdit")
"""By name: to ask for the classes, PySide would first have to make them."""
_STILL = 0
_AS_THE_SYSTEM_HAS_IT = -1


class TextCursorRest(GuardedOverrides, QObject):
    """Watches the field that has the keyboard, for as long as the application is there."""

    def __init__(self, application: QApplication, rest: int = _REST_MS) -> None:
        """The cursor stands still after `rest` milliseconds."""
        super().__init__(application)
        self._application = application
        self._watched: QWidget | None = None
        self._rest = QTimer(self, singleShot=True, interval=rest)
        self._rest.timeout.connect(self._stand_still)
        application.focusChanged.connect(self._focus_moved)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Whoever writes or clicks into the field sees it blink again."""
        if event.type() in _BY_A_PERSON:
            self._blink()
        return super().eventFilter(watched, event)

    def _focus_moved(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._watched is not None:
            with contextlib.suppress(RuntimeError):  # the field may be gone
                self._watched.removeEventFilter(self)
            self._watched = None
        self._rest.stop()
        if now is not None and any(map(now.inherits, _FIELDS)):
            self._watched = now
            now.installEventFilter(self)
            self._blink()

    def _blink(self) -> None:
        self._application.setCursorFlashTime(_AS_THE_SYSTEM_HAS_IT)
        self._rest.start()

    def _stand_still(self) -> None:
        self._application.setCursorFlashTime(_STILL)
