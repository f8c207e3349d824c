"""How a typed line is read, as fields to correct, and the phone number that can only be copied."""

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.viewmodels.typed_line import Field
from app.views.quick_add_line import GrowingEdit
from app.views.widgets.basics import label, set_flag
from app.views.widgets.copy_button import CopyButton


class ReadingField(Guarded, QFrame):
    """A short name and the value of one field, in one frame that grows with the value."""

    corrected = Signal(str, str)
    """Carries the field's name and its value, after somebody typed in it."""

    def __init__(
        self, field: Field, name: str, accessible_name: str, parent: QWidget | None = None
    ) -> None:
        """`name` stands before the value; `accessible_name` is said in its place."""
        super().__init__(parent)
        self._field = field
        self.setProperty("role", "reading")
        caption = label(name, "small")
        self.edit = GrowingEdit()
        self.edit.setFrame(False)
        self.edit.setAccessibleName(accessible_name)
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(self._edited)
        caption.setBuddy(self.edit)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(2)
        row.addWidget(caption)
        row.addWidget(self.edit, 1)

    def show_value(self, value: str) -> None:
        """Show the reading, without moving the cursor of somebody who is typing here."""
        if self.edit.text() != value:
            self.edit.setText(value)
            self.edit.setCursorPosition(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The frame wears the ring while the edit inside it has the keyboard."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            set_flag(self, "ring", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def _edited(self, value: str) -> None:
        self.corrected.emit(self._field, value)


class PhoneChip(Guarded, QFrame):
    """A phone number that was typed: nothing can be done with it here but copying it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Hidden until there is a number."""
        super().__init__(parent)
        self.setProperty("role", "aside")
        self._number = label("")
        self.copy = CopyButton(tr("Copy the phone number"), self._number.text)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 4, 1)
        row.setSpacing(6)
        row.addWidget(label(tr("Phone"), "small"))
        row.addWidget(self._number)
        row.addWidget(self.copy)
        self.hide()

    def show_number(self, number: str) -> None:
        """Show `number`, or nothing when it is blank."""
        if number != self._number.text():
            self._number.setText(number)
            self.copy.text_changed()
        self.setVisible(bool(number))
