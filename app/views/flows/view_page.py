"""What every view of the Flows tab is: a page that hands the keyboard to its rows, and prints."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QWidget

from app.viewmodels.exporting.print_requests import PrintRequest
from app.viewmodels.guarded import Guarded


class ViewPage(Guarded, QWidget):
    """With a focus proxy instead, Tab would pass by what stands above the rows."""

    print_wanted = Signal(object)
    """Carries a `PrintRequest`."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes on to the rows."""
        super().focusInEvent(event)
        self.rows_to_focus().setFocus(event.reason())

    def rows_to_focus(self) -> QWidget:
        """Where somebody goes on who comes to the page, or comes back to it."""
        raise NotImplementedError

    def print_request(self) -> PrintRequest | None:
        """What is shown, to be printed; None where there is nothing."""
        raise NotImplementedError

    def print_shown(self) -> None:
        """Ask for what is shown to be printed."""
        request = self.print_request()
        if request is not None:
            self.print_wanted.emit(request)
