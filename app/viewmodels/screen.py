"""What every screen has: one frozen state, which is given to the view whenever it is another.

How the state is made of what is known is each screen's own.
"""

from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from app.viewmodels.guarded import Guarded

StateT = TypeVar("StateT")


class Screen(Guarded, QObject, Generic[StateT]):
    """Compares states, so that the view hears of each only once."""

    state_changed = Signal(object)
    """Carries the state that is to be shown now."""

    def __init__(self, state: StateT, parent: QObject | None = None) -> None:
        """`state` is shown until there is another."""
        super().__init__(parent)
        self.state = state
        """What is shown now."""

    def _set_state(self, state: StateT) -> None:
        """Show this from now on; nothing is told where it is what is shown already."""
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)
