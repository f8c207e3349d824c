"""What moves and the pointer: how long it has to rest before what comes by itself is shown, and how
soon after something has moved a press does nothing, since nobody can have seen it yet. The same of
a page that has come and the keyboard, which may be typing on for what was there before.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

import shiboken6
from PySide6.QtCore import (
    QAbstractItemModel,
    QElapsedTimer,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    Qt,
    QTimer,
)
from PySide6.QtGui import QCursor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides

if TYPE_CHECKING:
    from PySide6.QtGui import QWindow

SETTLED_MS = 400
"""So long nobody can have seen that something is another, or stands elsewhere."""
KEYS_REST_MS = 500
"""So long no key is pressed by whoever has seen that another page has come: who types on for the
one before leaves less between two letters."""
_LOOK_MS = 100
"""Between two looks at the pointer while something waits until it rests."""
_REST_LOOKS = 3
"""Looks that find it in one place: so long a pointer that moved has to rest."""
_MOST_LOOKS = 30
"""Looks: then what waits is shown all the same, and `PressGuard` alone protects."""

_HAND_SHAKES = 10
"""Pixels between the two presses of a double click."""


class Settling:
    """How long ago something moved or became another."""

    _latest: ClassVar[QElapsedTimer] = QElapsedTimer()

    def __init__(self) -> None:
        """It has not moved yet."""
        self._since = QElapsedTimer()

    def begin(self) -> None:
        """It has moved just now."""
        self._since.start()
        self._latest.start()

    @classmethod
    def expect(cls) -> None:
        """Something is about to move."""
        cls._latest.start()

    @classmethod
    def is_over_everywhere(cls) -> bool:
        """Whether nothing moved, or began to wait for the pointer, so lately that a press might do
        nothing. What waits longer than that moves later.
        """
        return not cls._latest.isValid() or cls._latest.hasExpired(SETTLED_MS)

    @property
    def over(self) -> bool:
        """Whether a press can be meant for what stands there now."""
        return not self._since.isValid() or self._since.hasExpired(SETTLED_MS)


class PressGuard(GuardedOverrides, QObject):
    """Takes presses away from what has just moved under the pointer."""

    def __init__(self, areas: tuple[QWidget, ...], parent: QObject) -> None:
        """`areas` come or move together; presses are taken from what is then under the pointer."""
        super().__init__(parent)
        self._areas = areas
        self._moved: list[QWidget] = []
        self._settling = Settling()
        self._takes_release = False
        self._window: QWindow | None = None
        self._end = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._end.timeout.connect(self._stop)

    def moved(self) -> None:
        """They have moved just now."""
        self._set_out()
        self._moved = _pointed_at(self._areas)
        if not self._moved:
            return
        self._settling.begin()
        # The window's alone, and not for longer: a filter of the whole application is also shown
        # what is being deleted, a browser's view for one, and Python cannot hold that.
        self._window = self._areas[0].window().windowHandle()
        if self._window is not None:
            self._window.installEventFilter(self)
        self._end.start()

    @contextmanager
    def watched(self, *controls: QWidget, by_words: bool = False) -> Iterator[None]:
        """What is done meanwhile may move them, or the `controls` inside them; `by_words`: one that
        says something else is another.
        """
        watched = (*self._areas, *controls)
        before = [_seen_as(each, by_words=by_words) for each in watched]
        yield
        self._set_out()
        after = [_seen_as(each, by_words=by_words) for each in watched]
        # In the place of one that has gone there is nothing, or another that has come or moved.
        if any(now is not None and now != was for was, now in zip(before, after, strict=True)):
            self.moved()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of a press nothing arrives, nor of its end."""
        kind = event.type()
        if not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        if kind in {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}:
            self._takes_release = not self._settling.over and self._is_inside(event)
            return self._takes_release
        if kind is QEvent.Type.MouseButtonRelease:
            taken, self._takes_release = self._takes_release, False
            if not self._end.isActive():
                self._stop()
            return taken
        return super().eventFilter(watched, event)

    def _set_out(self) -> None:
        for area in self._areas:
            for each in (area.parentWidget(), area):
                layout = each.layout() if each is not None else None
                if layout is not None:
                    layout.activate()

    def _is_inside(self, event: QMouseEvent) -> bool:
        place = event.globalPosition().toPoint()
        return any(
            area.isVisible() and area.rect().contains(area.mapFromGlobal(place))
            for area in self._moved
        )

    def _stop(self) -> None:
        if self._window is not None and not self._takes_release:
            with contextlib.suppress(RuntimeError):  # the window may be gone
                self._window.removeEventFilter(self)
            self._window = None


class RowGuard(GuardedOverrides, QObject):
    """Takes presses away from a row of a list that came under the pointer just now."""

    def __init__(self, view: QAbstractItemView, key_of: Callable[[QModelIndex], object]) -> None:
        """`key_of` tells a row from every other one. To be made before `view` has its model."""
        super().__init__(view)
        self._view = view
        self._key_of = key_of
        self._guard = PressGuard((view.viewport(),), self)
        self._pointed: tuple[object, ...] = ()
        """The key of the row under the pointer; empty where there is none."""

    def follow(self, model: QAbstractItemModel) -> None:
        """Note who is under the pointer before there are other rows in `model`."""
        for about in (
            model.modelAboutToBeReset,
            model.rowsAboutToBeInserted,
            model.rowsAboutToBeRemoved,
        ):
            about.connect(self._note)

    def look(self) -> None:
        """The rows are others and laid out: a press is not for whoever has come to that place."""
        pointed, self._pointed = self._pointed, ()
        if pointed and self._key_at_pointer() != pointed:
            self._guard.moved()

    def _note(self) -> None:
        if not self._pointed and self._view.viewport().underMouse():
            self._pointed = self._key_at_pointer()

    def _key_at_pointer(self) -> tuple[object, ...]:
        index = self._view.indexAt(self._view.viewport().mapFromGlobal(QCursor.pos()))
        return (self._key_of(index),) if index.isValid() else ()


class DoubleClickGuard(GuardedOverrides, QObject):
    """Takes the second press of a double click where the first has led elsewhere: what stands under
    the pointer by then nobody has meant.

    It goes by the desktop's clock: a window that is busy takes up the second press later.
    """

    def __init__(self, window: QWidget) -> None:
        """Guards all that is in `window`, once that is shown."""
        super().__init__(window)
        self._window = window
        self._watched: QWindow | None = None
        self._pressed: QWidget | None = None
        self._at = QPoint()
        self._latest = 0
        """Milliseconds; 0 where the desktop tells no time."""
        self._takes_release = False

    def watch(self) -> None:
        """The window is shown."""
        shown = self._window.windowHandle()
        if shown is not self._watched:
            self._watched = shown
            shown.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of a press that is taken nothing arrives, nor of its end."""
        if not isinstance(event, QMouseEvent):
            return super().eventFilter(watched, event)
        kind = event.type()
        if kind in {QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick}:
            self._takes_release = self._is_second(event) and not self._stands_there_still()
            if not self._takes_release:
                self._at = event.globalPosition().toPoint()
                self._pressed = self._window.childAt(self._window.mapFromGlobal(self._at))
            self._latest = event.timestamp()
            return self._takes_release
        if kind is QEvent.Type.MouseButtonRelease:
            self._latest = event.timestamp()
            taken, self._takes_release = self._takes_release, False
            return taken
        return super().eventFilter(watched, event)

    def _is_second(self, event: QMouseEvent) -> bool:
        soon = event.timestamp() - self._latest <= QApplication.doubleClickInterval()
        way = event.globalPosition().toPoint() - self._at
        return bool(self._latest) and soon and way.manhattanLength() <= _HAND_SHAKES

    def _stands_there_still(self) -> bool:
        pressed = self._pressed
        if pressed is None:
            return True
        if not shiboken6.isValid(pressed) or not pressed.isVisible():
            return False
        return pressed.rect().contains(pressed.mapFromGlobal(self._at))


class TypedAheadGuard(GuardedOverrides, QObject):
    """Takes letters, blanks and Enter away from a page that has come while somebody types on: they
    press none of its buttons and get into none of its fields.

    Until the keyboard has rested for `KEYS_REST_MS` since, or somebody clicks; keys that only lead
    about (Tab, Escape, arrows) and those with Ctrl or Alt are nobody's text, and arrive.
    """

    def __init__(self, page: QWidget) -> None:
        """Guards `page` and all that is in it."""
        super().__init__(page)
        self._page = page
        self._watched: QWindow | None = None
        self._was_key = False
        self._since = QElapsedTimer()
        self._end = QTimer(self, singleShot=True, interval=KEYS_REST_MS)
        self._end.timeout.connect(self._look)

    def begin(self) -> None:
        """The page has come."""
        shown = self._page.window().windowHandle()
        if shown is not self._watched:
            self._watched = shown
            shown.installEventFilter(self)
        self._wait()

    def led_on(self) -> None:
        """The page has put the keyboard into a field: where a key has led there, which may have
        been typed ahead as well, what comes at once is not meant for it.
        """
        if self._was_key:
            self._wait()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of a key that is taken nothing arrives."""
        if event.type() is QEvent.Type.MouseButtonPress:
            self._was_key = False
            self._end.stop()
        elif isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            self._was_key = True
            if self._end.isActive() and self._is_for_page() and _is_text(event):
                self._wait()
                return True
        return super().eventFilter(watched, event)

    def _is_for_page(self) -> bool:
        held = self._page.window().focusWidget()
        return self._page.isVisible() and self._page.isAncestorOf(held)

    def _wait(self) -> None:
        self._since.start()
        self._end.start()

    def _look(self) -> None:
        # A window that was busy takes up only now what was typed meanwhile.
        if self._since.hasExpired(KEYS_REST_MS * 3 // 2):
            self._wait()


class PointerRest(GuardedOverrides, QObject):
    """Lets something be done once the pointer does not move over some areas, or is elsewhere."""

    def __init__(self, areas: tuple[QWidget, ...], parent: QObject) -> None:
        """`areas` are what would move."""
        super().__init__(parent)
        self._areas = areas
        self._act: Callable[[], object] | None = None
        self._at = QPoint()
        self._looks = self._still = 0
        self._has_moved = False
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def then(self, act: Callable[[], object]) -> None:
        """Do `act`, in the place of what waits already: now, or within some seconds."""
        self._act = act
        if self._timer.isActive():
            return
        if not _pointed_at(self._areas):
            self._do()
            return
        Settling.expect()
        # Whether it moves nobody knows before it is looked at a second time.
        self._at, self._looks, self._still, self._has_moved = QCursor.pos(), 0, 0, False
        self._timer.start()

    def forget(self) -> None:
        """What waits is not wanted any more."""
        self._timer.stop()
        self._act = None

    def _look(self) -> None:
        before, self._at = self._at, QCursor.pos()
        self._looks += 1
        if self._at != before or QApplication.mouseButtons():
            self._has_moved, self._still = True, 0
        else:
            self._still += 1
        rests = self._still >= (_REST_LOOKS if self._has_moved else 1)
        if rests or self._looks >= _MOST_LOOKS or not _pointed_at(self._areas):
            self._do()

    def _do(self) -> None:
        act = self._act
        self.forget()
        if act is not None:
            act()


def is_pointed_at(widget: QWidget) -> bool:
    """Whether the pointer is over `widget`; the desktop is asked, which takes milliseconds."""
    return bool(_pointed_at((widget,)))


def _is_text(event: QKeyEvent) -> bool:
    """Whether somebody types with it, which presses a button, too, where a blank or Enter does."""
    held = event.modifiers() & (
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    )
    enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
    return not held and (enter or (bool(event.text()) and event.text().isprintable()))


def _seen_as(widget: QWidget, *, by_words: bool) -> tuple[QRect, str] | None:
    """Where in the window somebody sees it, and what is written on it; None where nobody does."""
    if not widget.isVisible():
        return None
    words = widget.text() if by_words and isinstance(widget, QAbstractButton) else ""
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size()), words


def _pointed_at(areas: tuple[QWidget, ...]) -> list[QWidget]:
    place = QCursor.pos()
    return [
        area
        for area in areas
        if area.isVisible() and area.rect().contains(area.mapFromGlobal(place))
    ]
