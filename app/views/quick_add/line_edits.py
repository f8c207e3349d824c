"""Edits that hand the keys of adding on: Enter, Shift+Enter, Escape, undo, and Up and Down.

What a key does is the view-model's to decide.
"""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStyle, QStyleOptionFrame, QWidget

from app.viewmodels.guarded import Guarded

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_FEWEST_LETTERS = 6


class KeyedEdit(Guarded, QLineEdit):
    """An edit in which Enter and Escape mean the whole line, not the edit."""

    save_wanted = Signal()
    family_wanted = Signal()
    """Save, and keep the last name for the next."""
    escape_wanted = Signal()
    undo_wanted = Signal()
    """Undo, where the edit itself has nothing left to undo."""

    def event(self, event: QEvent) -> bool:
        """Claim Escape before a shortcut of the window gets it."""
        claimed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if claimed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand on the keys that are not typing."""
        if not self.hand_on(event):
            super().keyPressEvent(event)

    def hand_on(self, event: QKeyEvent) -> bool:
        """Tell of a key that is not typing; False for any other."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        plain = modifiers == Qt.KeyboardModifier.NoModifier
        if event.key() in _ENTER and plain:
            self.save_wanted.emit()
        elif event.key() in _ENTER and modifiers == Qt.KeyboardModifier.ShiftModifier:
            self.family_wanted.emit()
        elif event.key() == Qt.Key.Key_Escape and plain:
            self.escape_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
            self.undo_wanted.emit()
        else:
            return False
        return True


class QuickLine(KeyedEdit):
    """The line itself: Up and Down go through the lines of this run."""

    back_wanted = Signal()
    forward_wanted = Signal()
    drop_wanted = Signal()
    """Backspace where there is nothing left to delete."""

    def hand_on(self, event: QKeyEvent) -> bool:
        """Up, Down, and Backspace in the empty line besides."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return super().hand_on(event)
        if event.key() == Qt.Key.Key_Up:
            self.back_wanted.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.forward_wanted.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.drop_wanted.emit()
        else:
            return super().hand_on(event)
        return True


class GrowingEdit(KeyedEdit):
    """As wide as what it holds; where there is less room, its text scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty, and a few letters wide."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._grow)

    def sizeHint(self) -> QSize:
        """Room for the text and for the cursor behind it."""
        return self._around(self.fontMetrics().horizontalAdvance(self.text()))

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return self._around(0)

    def _around(self, text_width: int) -> QSize:
        metrics = self.fontMetrics()
        fewest = metrics.averageCharWidth() * _FEWEST_LETTERS
        # Qt itself keeps two pixels free on either side of the text, and the cursor needs its own.
        inside = QSize(max(text_width, fewest) + metrics.averageCharWidth() + 4, metrics.height())
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        style = self.style()
        return style.sizeFromContents(QStyle.ContentsType.CT_LineEdit, option, inside, self)

    def _grow(self, _text: str) -> None:
        self.updateGeometry()
