"""The quick-add line with its reading below: typed, corrected and saved without a mouse."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.quick_add import Field, QuickAdd
from app.views.widgets.basics import button, card, label
from app.views.widgets.wrapping import wrapping_box

_FIELD_MINIMUM = 90


class QuickAddCard(QWidget):
    """The line, its three fields, and one remark; all decisions are the view-model's."""

    saved = Signal()

    def __init__(self, quick_add: QuickAdd, parent: QWidget | None = None) -> None:
        """Bind to `quick_add`."""
        super().__init__(parent)
        self._quick_add = quick_add
        self.line = QLineEdit()
        self.line.setProperty("role", "quick")
        self.line.setPlaceholderText(tr("Add a person: Ada Lovelace ada@example.org"))
        self.line.setAccessibleName(tr("Add a person"))
        self.line.setAccessibleDescription(tr("Type name and email, then press Enter"))
        self._add = button(tr("Add"), self._save, "primary")
        self._add.setToolTip(tr("Enter"))
        self._fields: dict[Field, _ReadingField] = {
            "firstname": _ReadingField(tr("First"), tr("First name")),
            "lastname": _ReadingField(tr("Last"), tr("Last name")),
            "email": _ReadingField(tr("Email"), tr("Email")),
        }
        self._remark = label("", "problem", wraps=True)
        self._lay_out()
        self._bind()
        self._show()

    def focus_line(self) -> None:
        """Put the cursor into the line, ready to type."""
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()

    def _lay_out(self) -> None:
        surface = card()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(surface)
        rows = QVBoxLayout(surface)
        rows.setContentsMargins(14, 12, 14, 12)
        rows.setSpacing(8)
        first = QHBoxLayout()
        first.setSpacing(10)
        first.addWidget(self.line, 1)
        first.addWidget(self._add)
        rows.addLayout(first)
        self._reading, wrapping = wrapping_box()
        wrapping.insert_widget(label(tr("Read as"), "small"))
        for field in self._fields.values():
            wrapping.insert_widget(field)
        rows.addWidget(self._reading)
        rows.addWidget(self._remark)

    def _bind(self) -> None:
        self.line.textEdited.connect(self._quick_add.type)
        self.line.returnPressed.connect(self._save)
        for name, field in self._fields.items():
            field.bind(self, name)
        self._quick_add.changed.connect(self._show)
        self._quick_add.line_replaced.connect(self._replace_line)

    def edit(self, name: Field, value: str) -> None:
        """One field was corrected by hand."""
        self._quick_add.edit(name, value)

    def _save(self) -> None:
        if self._quick_add.save():
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self.saved.emit()

    def _replace_line(self) -> None:
        self.line.setText(self._quick_add.typed)
        if self._quick_add.typed:
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        person = self._quick_add.new_person
        self._reading.setVisible(not self._quick_add.empty)
        self._add.setEnabled(not self._quick_add.empty)
        self._fields["firstname"].show_value(person.firstname)
        self._fields["lastname"].show_value(person.lastname)
        self._fields["email"].show_value(person.email)
        self._remark.setText(self._quick_add.remark)
        self._remark.setVisible(bool(self._quick_add.remark))

    def save_from_field(self) -> None:
        """Enter in a field saves like Enter in the line."""
        self._save()


class _ReadingField(QWidget):
    """A short name and a line that grows with what it holds."""

    def __init__(self, name: str, accessible_name: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        caption = label(name, "small")
        self._edit = QLineEdit()
        self._edit.setProperty("role", "reading")
        self._edit.setAccessibleName(accessible_name)
        caption.setBuddy(self._edit)
        row.addWidget(caption)
        row.addWidget(self._edit)
        self._grow()

    def bind(self, owner: QuickAddCard, name: Field) -> None:
        """Tell `owner` of corrections by hand, and of Enter."""
        _FieldBinding(self._edit, owner, name)

    def show_value(self, value: str) -> None:
        """Show the reading, without moving the cursor of somebody who is typing here."""
        if self._edit.text() != value:
            self._edit.setText(value)
        self._grow()

    def _grow(self) -> None:
        wanted = self._edit.fontMetrics().horizontalAdvance(self._edit.text()) + 32
        self._edit.setFixedWidth(max(_FIELD_MINIMUM, min(wanted, 320)))


class _FieldBinding(QObject):
    """Joins one field to the card, with the field's name remembered."""

    def __init__(self, edit: QLineEdit, owner: QuickAddCard, name: Field) -> None:
        super().__init__(edit)
        self._owner = owner
        self._name = name
        edit.textEdited.connect(self._edited)
        edit.returnPressed.connect(owner.save_from_field)

    def _edited(self, value: str) -> None:
        self._owner.edit(self._name, value)
