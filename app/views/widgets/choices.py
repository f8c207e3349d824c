"""One of a few, as radio buttons side by side under their common name."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from app.viewmodels.guarded import Guarded
from app.views.widgets.basics import label
from app.views.widgets.flush import OUTSET
from app.views.widgets.wrapping import wrapping_box

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)


class Offered(Protocol[Value_co]):
    """One choice: its value and the words beside the button."""

    @property
    def value(self) -> Value_co:
        """What is told when it is chosen."""

    @property
    def words(self) -> str:
        """What stands beside it."""


class Choices(Guarded, QWidget):
    """Tab leads to the one that is chosen, the arrow keys choose another. To be set `Flush`."""

    def __init__(
        self,
        name: str,
        choices: Iterable[Offered[Value]],
        choose: Callable[[Value], object],
        parent: QWidget | None = None,
    ) -> None:
        """`choose` gets the value of what the person chooses."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[object, QAbstractButton] = {}
        self._values: dict[QAbstractButton, Value] = {}
        self._choose: Callable[[Value], object] = choose
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        caption = label(name)
        # Its place is in a `Flush`: the words begin where the buttons do.
        caption.setIndent(OUTSET)
        rows.addWidget(caption)
        box, wrapping = wrapping_box(20)
        for choice in choices:
            made = QRadioButton(choice.words)
            made.setAccessibleDescription(name)
            self._buttons[choice.value] = made
            self._values[made] = choice.value
            self._group.addButton(made)
            wrapping.insert_widget(made)
        rows.addWidget(box)
        self._group.buttonToggled.connect(self._toggled)

    def show_value(self, value: object) -> None:
        """Mark the choice with this value."""
        self._buttons[value].setChecked(True)

    def focus(self) -> None:
        """Give the keyboard to the one that is chosen."""
        chosen = self._group.checkedButton()
        if chosen is not None:
            chosen.setFocus(Qt.FocusReason.OtherFocusReason)

    def _toggled(self, chosen: QAbstractButton, on: bool) -> None:  # noqa: FBT001 - as Qt sends it
        if on:
            self._choose(self._values[chosen])
