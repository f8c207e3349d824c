"""Where Tab leads in a window whose middle comes and goes: from the top down to the status bar.

Qt goes by when a widget was made, and so puts a page that is made later behind the status bar. By
itself: which parts there are is told by the window, and what is in them is asked of Qt.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

_ABOVE, _PAGE, _BELOW = range(3)
_MOST_STEPS = 16
"""More than there are controls above and below the page together."""
_AIR = 24
"""Pixels between what has the keyboard and the edge of what is seen of a page."""


class FocusOrder:
    """Knows the controls above and below the page by name; within the page Qt's order holds."""

    def __init__(
        self,
        window: QWidget,
        page: QWidget,
        *,
        above: Sequence[Sequence[QWidget]],
        below: Sequence[Sequence[QWidget]],
        step: Callable[[bool], bool],
    ) -> None:
        """`above` and `below` are groups of controls in reading order, which may grow; `step` is
        Qt's own next one.
        """
        self._window = window
        self._page = page
        self._controls = {_ABOVE: above, _BELOW: below}
        self._step = step

    def move(self, *, forward: bool) -> bool:
        """Put the keyboard on the next control that is seen, or the one before; False when there
        is none.
        """
        for _ in range(_MOST_STEPS):
            if not self._moved(forward=forward):
                return False
            here = self._window.focusWidget()
            _bring_into_sight(here)
            if not _is_covered(here):
                break
        return True

    def _moved(self, *, forward: bool) -> bool:
        part, index = self._here()
        way = 1 if forward else -1
        if part == _PAGE:
            if self._step(forward) and self._in_page():
                return True
        elif self._focus(part, index + way, forward=forward):
            return True
        beyond = ((part + way * far) % 3 for far in (1, 2, 3))
        return any(self._enter(each, forward=forward) for each in beyond)

    def _here(self) -> tuple[int, int]:
        """The part that has the keyboard and, above and below, the place in it."""
        here = self._window.focusWidget()
        for part in (_ABOVE, _BELOW):
            ready = self._ready(part)
            if here in ready:
                return part, ready.index(here)
        return _PAGE, 0

    def _enter(self, part: int, *, forward: bool) -> bool:
        if part != _PAGE:
            return self._focus(part, 0 if forward else len(self._ready(part)) - 1, forward=forward)
        # Qt's own way there passes by the few controls that it has in another place.
        return any(self._step(forward) and self._in_page() for _ in range(_MOST_STEPS))

    def _focus(self, part: int, index: int, *, forward: bool) -> bool:
        ready = self._ready(part)
        if not 0 <= index < len(ready):
            return False
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        ready[index].setFocus(reason)
        return True

    def _ready(self, part: int) -> list[QWidget]:
        controls = chain.from_iterable(self._controls[part])
        return [each for each in controls if each.isVisible() and each.isEnabled()]

    def _in_page(self) -> bool:
        here = self._window.focusWidget()
        return self._page.isAncestorOf(here)


def _is_covered(control: QWidget | None) -> bool:
    """Whether something that stands above its neighbours lies on the whole of it."""
    if control is None:
        return False
    rect, window = control.rect(), control.window()
    for place in (rect.center(), rect.topLeft(), rect.bottomRight()):
        there = window.childAt(control.mapTo(window, place))
        if there is None or control is there or control.isAncestorOf(there):
            return False
        if there.isAncestorOf(control):
            return False
    return True


def _bring_into_sight(control: QWidget | None) -> None:
    """A page that is scrolled follows Tab inside it, but not one that comes from outside."""
    at = control.parentWidget() if control is not None else None
    while control is not None and at is not None:
        if isinstance(at, QScrollArea):
            at.ensureWidgetVisible(control, 0, _AIR)
        at = at.parentWidget()
