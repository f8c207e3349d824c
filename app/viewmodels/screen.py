"""What every screen has: one frozen state, given to the view whenever it is another; and the one
sentence on what was just done there.

How the state is made of what is known is each screen's own.
"""

from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.model.errors import ExpectedError
from app.viewmodels.guarded_overrides import GuardedOverrides

StateT = TypeVar("StateT")


class Screen(GuardedOverrides, QObject, Generic[StateT]):
    """Compares states, so that the view hears of each only once."""

    state_changed = Signal(object)
    """Carries the state that is to be shown now."""

    def __init__(self, state: StateT) -> None:
        """`state` is shown until there is another."""
        super().__init__()
        self.state = state
        """What is shown now."""

    def _set_state(self, state: StateT) -> None:
        """Show this from now on; nothing is told where it is what is shown already."""
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)


class ActionFeedback(GuardedOverrides, QObject):
    """Whatever does something for a screen says here, in one sentence, how it went."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing is said."""
        super().__init__(parent)
        self.sentence = ""
        """Blank once the next step is taken."""
        self.is_error = False
        """Whether the sentence is about something that went wrong."""
        self.details = ""
        """What the sentence has no room for, to be copied."""

    def say(self, sentence: str, *, is_error: bool = False, details: str = "") -> None:
        """Say this in place of what was said before."""
        if (sentence, is_error, details) != (self.sentence, self.is_error, self.details):
            self.sentence, self.is_error, self.details = sentence, is_error, details
            self.changed.emit()

    def say_error(self, error: Exception) -> None:
        """Say what was in the way."""
        words = error.message if isinstance(error, ExpectedError) else str(error)
        self.say(words, is_error=True)
