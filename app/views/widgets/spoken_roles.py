"""What kind of thing a widget of ours is to a screen reader: Qt calls each of its plain widgets a
filler, and gives nobody but its own controls another role.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.runtime.words import tr
from app.viewmodels.formatting import number

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibleInterface

_ROLE = "spoken_role"
"""The role that a widget has taken, by its name in `QAccessible.Role`."""
_CHOSEN = "spoken_as_chosen"
"""Whether it is the one that is meant now; not set where that means nothing."""


def speak_as(widget: QWidget, role: str) -> None:
    """Have a screen reader know `widget` as a `List`, `ListItem`, `Grouping` or `Dialog`, from the
    first time it asks; its name and description are those that are set, as everywhere.
    """
    _install()
    widget.setProperty(_ROLE, role)


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
    from PySide6.QtGui import QAccessible, QAccessibleStateChangeEvent  # noqa: PLC0415 - not to start

    changed = QAccessible.State()
    changed.selected = True
    QAccessible.updateAccessibility(QAccessibleStateChangeEvent(widget, changed))


_installed: list[Callable[[str, QObject], "QAccessibleInterface | None"]] = []


def _install() -> None:
    """Qt asks once for each object that a screen reader has come to; nothing before."""
    if _installed:
        return
    from PySide6.QtGui import QAccessible  # noqa: PLC0415 - as above
    from PySide6.QtWidgets import QAccessibleWidget  # noqa: PLC0415 - as above

    from app.viewmodels.guarded import Guarded  # noqa: PLC0415 - with the class below

    class _Spoken(Guarded, QAccessibleWidget):
        """The widget with the role that it has taken."""

        def state(self) -> QAccessible.State:
            """As Qt has it, and whether it is chosen."""
            state = super().state()
            chosen = self.object().property(_CHOSEN)
            if chosen is not None:
                state.selectable, state.selected = True, bool(chosen)
            return state

    def make(kind: str, asked: QObject) -> "QAccessibleInterface | None":
        # Asked once for each class that it derives from.
        role = asked.property(_ROLE) if kind == type(asked).__name__ else None
        if role is None or not isinstance(asked, QWidget):
            return None
        return _Spoken(asked, QAccessible.Role[role])

    _installed.append(make)
    QAccessible.installFactory(make)
