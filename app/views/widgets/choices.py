"""Choices of which one is on, whatever they look like: Tab comes to that one. Here as radio buttons
below their name; `chips` are a row of their own.
"""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.widgets.buttons import label
from app.views.widgets.layouts import OUTSET, wrapping_box

Value_co = TypeVar("Value_co", covariant=True)


def lead_tab_to(chosen: QAbstractButton, choices: Iterable[QAbstractButton]) -> None:
    """Leave the others out of the way of Tab; Qt does so only once one of them has had the keys."""
    for choice in choices:
        policy = choice.focusPolicy() & ~Qt.FocusPolicy.TabFocus
        choice.setFocusPolicy(policy | Qt.FocusPolicy.TabFocus if choice is chosen else policy)


class RadioChoice(Protocol[Value_co]):
    """One choice: its value and the words beside the button."""

    @property
    def value(self) -> Value_co:
        """What is told when it is chosen."""

    @property
    def words(self) -> str:
        """What stands beside it."""


class RadioGroup(GuardedOverrides, QWidget):
    """Tab leads to the one that is chosen, the arrow keys choose another: up and down in the row
    above or below, to the sides the one before or behind, on from the end of one row to the next.
    For a `FocusInset`.
    """

    chosen = Signal(object)
    """Carries the value of what is chosen now."""

    def __init__(
        self, name: str, choices: Iterable[RadioChoice[object]], *, captioned: bool = True
    ) -> None:
        """None of the `choices` is chosen yet; not `captioned`: `name` stands above already."""
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[object, QAbstractButton] = {}
        self._values: dict[QAbstractButton, object] = {}
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        if captioned:
            caption = label(name)
            # Its place is in a `FocusInset`: the words begin where the buttons do.
            caption.setIndent(OUTSET)
            rows.addWidget(caption)
        box, wrapping = wrapping_box(20)
        for choice in choices:
            made = QRadioButton(choice.words)
            made.setAccessibleDescription(name)
            self._buttons[choice.value] = made
            self._values[made] = choice.value
            self._group.addButton(made)
            made.installEventFilter(self)
            wrapping.insert_widget(made)
        rows.addWidget(box)
        self._group.buttonToggled.connect(self._toggled)

    def show_value(self, value: object) -> None:
        """Mark the choice with this value."""
        self._buttons[value].setChecked(True)
        lead_tab_to(self._buttons[value], self._buttons.values())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's own keys end with the row, and from its first one lead into another."""
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        way = ways.get(Qt.Key(event.key()))
        together = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if way is None or together or not isinstance(watched, QAbstractButton):
            return False
        buttons = list(self._buttons.values())
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        place = buttons.index(watched) + (-way if mirrored else way)
        if 0 <= place < len(buttons):
            buttons[place].setFocus(Qt.FocusReason.TabFocusReason)
            buttons[place].click()
        return True

    def focus(self) -> None:
        """Give the keyboard to the one that is chosen."""
        chosen = self._group.checkedButton()
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggled(self, chosen: QAbstractButton, on: bool) -> None:  # noqa: FBT001 - as Qt sends it
        if on:
            self.chosen.emit(self._values[chosen])
