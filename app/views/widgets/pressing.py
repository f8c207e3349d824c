"""Buttons that Enter presses when they have the keyboard, and only then.

Qt's own way is to let a dialog press one of its buttons for whoever types Enter anywhere in it:
that sends what was meant to stay in a field.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from app.viewmodels.guarded import Guarded
from app.views.widgets.plain_text import literal

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def pressed_by(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press `button` if the key is Enter; False for any other. A key held down presses once."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() not in _ENTER or held:
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


class Button(Guarded, QPushButton):
    """A push button as all of ours are; Space presses it too."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        """Named `text`."""
        super().__init__(parent)
        self.setText(text)
        self.setAutoDefault(False)

    def setText(self, text: str) -> None:
        """Name it `text`, in which an ampersand is an ampersand."""
        super().setText(literal(text))

    def text(self) -> str:
        """What is read on it."""
        return super().text().replace("&&", "&")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses."""
        if not pressed_by(self, event):
            super().keyPressEvent(event)


class ToolButton(Guarded, QToolButton):
    """The same with a picture above all; where it has a menu, Enter opens it."""

    def setText(self, text: str) -> None:
        """Name it `text`, in which an ampersand is an ampersand."""
        super().setText(literal(text))

    def text(self) -> str:
        """What is read on it."""
        return super().text().replace("&&", "&")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses."""
        if not pressed_by(self, event):
            super().keyPressEvent(event)
