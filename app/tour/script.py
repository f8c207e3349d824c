"""A script of steps that wait for what they expect to see, run from the event loop's own timer, and
the keys and the mouse they use, sent as the window system sends them: never a call of a method.

It is no task: pressing a key lets other events through, and inside a task that would wake others.
"""

from collections.abc import Callable, Generator
from time import monotonic

import msgspec
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.widgets.pointer import Settling

_LOOK_AGAIN_MS = 40
"""Nobody sees and clicks sooner; of clicks a few milliseconds after a painting some were lost."""
_KEYBOARD_COMES = 2.0
"""Seconds within which a window that has just come gets the keyboard; another may keep it."""
_NOTCH = 120
"""Eighths of a degree: one notch of a wheel."""


class Until(msgspec.Struct, frozen=True):
    """Wait until `seen` is true; `what` says in words what was waited for.

    `settled`: and until nothing is on its way to another place, nor the keyboard to a window, as
    who looks at the screen does.
    """

    what: str
    seen: Callable[[], bool]
    seconds: float = 30.0
    settled: bool = True


Script = Generator[Until, None, None]


class Runner(GuardedOverrides, QObject):
    """Runs one script and tells once how it ended."""

    def __init__(self, script: Script, ended: Callable[[str], None]) -> None:
        """`ended` gets a blank text when all was seen, else what was not."""
        super().__init__()
        self._script = script
        self._ended = ended
        self._until: Until | None = None
        self._begun = monotonic()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_AGAIN_MS)

    def stop(self) -> None:
        """Look no further."""
        self._timer.stop()
        self._script.close()

    def _look(self) -> None:
        try:
            problem = self._step()
        except StopIteration:
            self._ended("")
        except Exception as error:  # noqa: BLE001 - whatever it was, the tour has failed
            self._ended(f"{type(error).__name__}: {error}")
        else:
            if problem:
                self._ended(problem)
            else:
                self._timer.start(_LOOK_AGAIN_MS)

    def _step(self) -> str:
        until = self._until
        if self._is_over(until):
            self._until = next(self._script)
            self._begun = monotonic()
            return ""
        if until is not None and monotonic() - self._begun > until.seconds:
            seconds = round(until.seconds)
            return tr("not seen within {n} s: {what}", n=seconds, what=until.what)
        return ""

    def _is_over(self, until: Until | None) -> bool:
        if until is None:  # it has not begun
            return self._has_keyboard()
        # Asked first, as what is seen mostly takes reading all that stands on the screen.
        if until.settled and not (self._has_keyboard() and Settling.is_over_everywhere()):
            return False
        return until.seen()

    def _has_keyboard(self) -> bool:
        has_window = QGuiApplication.focusWindow() is not None
        return has_window or monotonic() - self._begun > _KEYBOARD_COMES


def click(widget: QWidget, place: QPoint | None = None) -> None:
    """Press and release the left button on `widget`, in its middle unless `place` says where.

    Whatever lies above the widget there gets the click instead, as it would from a person. What is
    out of sight on a page is brought into sight first, by the wheel.
    """
    window = _window_of(widget)
    place = place or widget.rect().center()
    _scroll_to(widget, place)
    where = widget.mapTo(widget.window(), place)
    QTest.mouseMove(window, where)
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)


def _scroll_to(widget: QWidget, place: QPoint) -> None:
    """Turn the wheel over the page until `place` is in sight, or the page is at its end."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is None:
        return
    page, bar = area.viewport(), area.verticalScrollBar()
    while not page.rect().contains(there := widget.mapTo(page, place)):
        before, middle = bar.value(), page.rect().center()
        notch = QPoint(0, _NOTCH if there.y() < 0 else -_NOTCH)
        wheel = QWheelEvent(
            QPointF(middle),
            QPointF(page.mapToGlobal(middle)),
            QPoint(),
            notch,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,  # noqa: FBT003 - not inverted
        )
        QApplication.sendEvent(page, wheel)
        if bar.value() == before:
            return


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
