"""What every view of the Flows tab is: a page that hands the keyboard on to its rows."""

from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded import Guarded


class ViewPage(Guarded, QWidget):
    """With a focus proxy instead, Tab would pass by what stands above the rows."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes on to the rows."""
        super().focusInEvent(event)
        self.rows_to_focus().setFocus(event.reason())

    def rows_to_focus(self) -> QWidget:
        """Where somebody goes on who comes to the page, or comes back to it."""
        raise NotImplementedError
