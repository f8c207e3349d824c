"""Whether a key press is a new one, or the one before it that is held still."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent


class _Keyboard:
    """The one there is. Under X11 a key that is held comes as one release and press after another,
    each pair at one time of the server; Qt marks them as repeated only where it had read the press
    when it told of the release.
    """

    released: tuple[Qt.Key | int, int, int] | None = None
    """The key, the place on the keyboard, and the time of the last release."""


def note_release(event: QKeyEvent) -> None:
    """Remember when a key was released, for `is_held`: whoever asks that is told of both."""
    _Keyboard.released = _moment(event)


def is_held(event: QKeyEvent) -> bool:
    """Whether the key of this press is held since an earlier one. A press that comes from no
    keyboard is always new.
    """
    comes_from_keyboard = bool(event.nativeScanCode())
    return event.isAutoRepeat() or (comes_from_keyboard and _moment(event) == _Keyboard.released)


def _moment(event: QKeyEvent) -> tuple[Qt.Key | int, int, int]:
    return event.key(), event.nativeScanCode(), event.timestamp()
