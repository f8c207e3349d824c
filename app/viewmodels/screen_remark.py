"""The one sentence of a screen on what was just done, or on what was in the way."""

from PySide6.QtCore import QObject, Signal

from app.model.errors import ExpectedError
from app.viewmodels.guarded import Guarded


class ScreenRemark(Guarded, QObject):
    """Whatever does something for a screen says here how it went."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is said."""
        super().__init__(parent)
        self.sentence = ""
        """Blank once the next step is taken."""

    def say(self, sentence: str) -> None:
        """Say this in place of what was said before."""
        if sentence != self.sentence:
            self.sentence = sentence
            self.changed.emit()

    def say_error(self, error: Exception) -> None:
        """Say what was in the way."""
        self.say(error.message if isinstance(error, ExpectedError) else str(error))
