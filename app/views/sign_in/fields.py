"""A field of the first page: its name above it, what is wrong with it below it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.runtime.words import tr
from app.viewmodels.guarded import Guarded
from app.views.widgets.basics import button, label, set_flag
from app.views.widgets.tips import set_tip

_LETTERS_SHOWN = 50
"""Of an address that is offered: more would make the page wider than its window."""
_OFFER_KEYS = QKeySequence("Alt+M")
"""As in the quick-add line: what is offered is put in place of what was typed."""


class FormField(Guarded, QWidget):
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
        self._suggestion = ""
        self._offer = button("", self._take_suggestion, "link")
        self._offer.hide()
        self._keys = QShortcut(_OFFER_KEYS, self)
        self._keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._keys.activated.connect(self._take_suggestion)
        self._beside = QHBoxLayout()
        self._beside.setSpacing(8)
        self._beside.addWidget(self.line, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(caption)
        rows.addLayout(self._beside)
        rows.addWidget(self._problem)
        rows.addWidget(self._offer, 0, Qt.AlignmentFlag.AlignLeading)

    def put_beside(self, widget: QWidget) -> None:
        """Set a button behind the line."""
        self._beside.addWidget(widget)

    def hide_letters(self) -> None:
        """What is typed here is nobody else's business."""
        self.line.setEchoMode(QLineEdit.EchoMode.Password)

    def show_problem(self, sentence: str, suggestion: str = "") -> None:
        """Say what is wrong and put the keyboard here; blank: nothing is.

        `suggestion` may have been meant: it is offered, and taken only by who says so.
        """
        if (sentence, suggestion) == (self._problem.text(), self._suggestion):
            return
        self._show_offer(suggestion)
        self._problem.setText(sentence)
        self._problem.setVisible(bool(sentence))
        said = f"{sentence} {self._offer.accessibleName()}" if suggestion else sentence
        self.line.setAccessibleDescription(said)
        set_flag(self.line, "wrong", bool(sentence))
        if sentence:
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self.line.selectAll()

    def _show_offer(self, suggestion: str) -> None:
        self._suggestion = suggestion
        words = tr("Did you mean {address}?", address=suggestion) if suggestion else ""
        is_long = len(suggestion) > _LETTERS_SHOWN
        shown = f"{suggestion[: _LETTERS_SHOWN - 1]}…" if is_long else suggestion
        keys = _OFFER_KEYS.toString(QKeySequence.SequenceFormat.NativeText)
        self._offer.setText(f"{tr('Did you mean {address}?', address=shown)}  {keys}")
        set_tip(self._offer, suggestion if is_long else "")
        self._offer.setAccessibleName(words)
        self._offer.setAccessibleDescription(tr("{keys} puts it right", keys=keys))
        self._offer.setVisible(bool(suggestion))
        self._keys.setEnabled(bool(suggestion))

    def _take_suggestion(self) -> None:
        if self._suggestion:
            self.line.setText(self._suggestion)
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)
            self.corrected.emit()

    def _edited(self) -> None:
        if self._problem.text():
            self.corrected.emit()
