"""Keys and mouse, sent to the window as the window system sends them: never a call of a method."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget


def click(widget: QWidget, place: QPoint | None = None) -> None:
    """Press and release the left button on `widget`, in its middle unless `place` says where.

    Whatever lies above the widget there gets the click instead, as it would from a person.
    """
    window = _window_of(widget)
    where = widget.mapTo(widget.window(), place or widget.rect().center())
    QTest.mouseMove(window, where)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)


def type_text(text: str) -> None:
    """Press the keys of `text`, plain ASCII, in the window that has the keyboard."""
    window = _focused()
    for letter in text:
        QTest.keyClick(window, ord(letter))


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press one key in the window that has the keyboard."""
    QTest.keyClick(_focused(), key, modifiers)


def _focused() -> QWindow:
    window = QGuiApplication.focusWindow()
    if window is None:
        raise RuntimeError("no window has the keyboard")
    return window


def _window_of(widget: QWidget) -> QWindow:
    window = widget.window().windowHandle()
    if window is None:
        raise RuntimeError("the widget is in no window")
    return window
