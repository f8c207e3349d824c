"""A field of the first page: its name above it, what is wrong with it below it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.views.widgets.basics import label, set_flag


class FormField(QWidget):
    """One line to type in. `entered`: Enter in it; `corrected`: typing into it while wrong."""

    entered = Signal()
    corrected = Signal()

    def __init__(self, name: str, hint: str = "", *, spoken: str = "") -> None:
        """`spoken` is what a screen reader calls it, where two fields have one name."""
        super().__init__()
        self.line = QLineEdit()
        self.line.setPlaceholderText(hint)
        self.line.setAccessibleName(spoken or name)
        self.line.returnPressed.connect(self.entered)
        self.line.textEdited.connect(self._edited)
        caption = label(name)
        caption.setBuddy(self.line)
        self._problem = label("", "problem", wraps=True)
        self._problem.hide()
        self._beside = QHBoxLayout()
        self._beside.setSpacing(8)
        self._beside.addWidget(self.line, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(caption)
        rows.addLayout(self._beside)
        rows.addWidget(self._problem)

    def put_beside(self, widget: QWidget) -> None:
        """Set a button behind the line."""
        self._beside.addWidget(widget)

    def hide_letters(self) -> None:
        """What is typed here is nobody else's business."""
        self.line.setEchoMode(QLineEdit.EchoMode.Password)

    def show_problem(self, sentence: str) -> None:
        """Say what is wrong and put the keyboard here; blank: nothing is."""
        if sentence == self._problem.text():
            return
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))
        self.line.setAccessibleDescription(sentence)
        set_flag(self.line, "wrong", bool(sentence))
        if sentence:
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self.line.selectAll()

    def _edited(self) -> None:
        if self._problem.text():
            self.corrected.emit()
