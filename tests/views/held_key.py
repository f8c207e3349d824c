"""A key that is held, as it comes under X11."""

from itertools import count

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

_PLACES = {Qt.Key.Key_Return: 36, Qt.Key.Key_Enter: 104}
_TIMES = count(10_000, 20)


def press_held(key: Qt.Key, *, repeats: int = 3) -> None:
    """Press `key` where the keyboard is, hold it wherever that goes then, and let it go."""
    _tell(QEvent.Type.KeyPress, key, next(_TIMES))
    keep_held(key, repeats=repeats)
    _tell(QEvent.Type.KeyRelease, key, next(_TIMES))


def keep_held(key: Qt.Key, *, repeats: int = 3) -> None:
    """Hold a key that was pressed before: at one time of the server it is released and pressed
    again, and Qt has seen of neither that it is a repetition.
    """
    for _ in range(repeats):
        now = next(_TIMES)
        _tell(QEvent.Type.KeyRelease, key, now)
        _tell(QEvent.Type.KeyPress, key, now)


def _tell(kind: QEvent.Type, key: Qt.Key, milliseconds: int) -> None:
    focus = QApplication.focusWidget()
    if focus is None:
        raise RuntimeError("nothing has the keyboard")
    event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, _PLACES[key], 0, 0, "\r")
    event.setTimestamp(milliseconds)
    QApplication.sendEvent(focus, event)
