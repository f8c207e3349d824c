"""What kind of thing a widget of ours is to a screen reader: Qt calls each of its plain widgets a
filler, and gives nobody but its own controls another role.

Each widget has its interface registered by itself. A factory that Qt asks for all of them would be
asked about the items of the browser view as well, and PySide ends the process over those.
"""

from functools import cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.formatting import number

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAccessibleInterface

_CHOSEN = "spoken_as_chosen"
"""Whether a widget is the one that is meant now; not set where that means nothing."""
_TAKEN = "spoken_role"
"""The role that a widget has taken, by its name in `QAccessible.Role`."""
_registered: "dict[int, QAccessibleInterface]" = {}
"""By Qt's number for each: Qt deletes them with their widgets, and Python must not before."""


def speak_as(widget: QWidget, kind: str) -> None:
    """Have a screen reader know `widget` as a `List`, `ListItem`, `Grouping` or `Dialog`, which
    `kind` says, from the loop's next turn on; its name and description are those that are set.
    """
    if widget.property(_TAKEN) is None:
        widget.setProperty(_TAKEN, kind)
        # Qt knows an object by its class as well, which PySide makes anew for each object while its
        # methods are connected: it is to be what it stays.
        QTimer.singleShot(0, widget, partial(_register, widget))


def _register(widget: QWidget) -> None:
    from PySide6.QtGui import QAccessible  # noqa: PLC0415 - a start does without it

    spoken = _interfaces()(widget, QAccessible.Role[widget.property(_TAKEN)])
    which = QAccessible.registerAccessibleInterface(spoken)
    _registered[which] = spoken
    # Qt has connected its own to the same signal above, and is called first.
    widget.destroyed.connect(partial(_forget, which))


def _forget(which: int, _gone: QObject | None = None) -> None:
    _registered.pop(which, None)


@cache
def _interfaces() -> "Callable[..., QAccessibleInterface]":
    """The class of what is registered."""
    from PySide6.QtGui import QAccessible  # noqa: PLC0415 - as above
    from PySide6.QtWidgets import QAccessibleWidget  # noqa: PLC0415 - as above

    from app.viewmodels.guarded_overrides import GuardedOverrides  # noqa: PLC0415 - with the class below

    class _Spoken(GuardedOverrides, QAccessibleWidget):
        """The widget with the role that it has taken."""

        def state(self) -> QAccessible.State:
            """As Qt has it, and whether it is chosen."""
            state = super().state()
            chosen = self.object().property(_CHOSEN)
            if chosen is not None:
                state.selectable, state.selected = True, bool(chosen)
            return state

    return _Spoken


def speak_place(widget: QWidget, place: int, among: int) -> None:
    """Have `widget` described as, say, 3 of 7; `place` counts from 1."""
    words = tr("{shown} of {all}", shown=number(place), all=number(among))
    if words != widget.accessibleDescription():
        widget.setAccessibleDescription(words)


def speak_as_chosen(widget: QWidget, *, on: bool) -> None:
    """Whether `widget`, one of a list, is the one that is meant now."""
    before = widget.property(_CHOSEN)
    widget.setProperty(_CHOSEN, on)
    if before is not None and before is not on:
        _tell_chosen(widget)


def _tell_chosen(widget: QWidget) -> None:
    from PySide6.QtGui import QAccessible, QAccessibleStateChangeEvent  # noqa: PLC0415 - as above

    changed = QAccessible.State()
    changed.selected = True
    QAccessible.updateAccessibility(QAccessibleStateChangeEvent(widget, changed))
