"""What every view of the Flows tab is: a page that hands the keyboard to its rows, and prints; and
what those are that show one list.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from app.runtime.words import tr
from app.viewmodels.exporting.print_requests import PrintRequest
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.flows.row_list_view import LeadingListView
from app.views.widgets.buttons import button, card, empty_page, label, set_flag


class FlowsTabPage(GuardedOverrides, QWidget):
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


class FlowsTabListPage(FlowsTabPage):
    """One list in a card, and words in its place where nothing is listed.

    Where the card, the stack and the button for printing stand is left to each page.
    """

    place_wanted = Signal(object)
    """Carries the `FlowPlace` of a row: somebody wants to go there."""

    def __init__(self, rows: LeadingListView, *actions: QAbstractButton) -> None:
        """`actions` stand below the words that stand in the place of `rows`."""
        super().__init__()
        self.list = rows
        self.print_button = button(tr("Print"), self.print_shown, icon="print")
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(rows)
        self._pages.addWidget(empty_page(self._empty, *actions))
        self._card = card()
        rows.focus_changed.connect(self._show_ring)
        rows.place_wanted.connect(self.place_wanted)

    def rows_to_focus(self) -> QWidget:
        """The list."""
        return self.list

    def _show_empty(self, words: str) -> None:
        """Blank: the list."""
        self._empty.setText(words)
        self._pages.setCurrentIndex(1 if words else 0)
        if self.hasFocus() and not words:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_ring(self, has_keyboard: bool) -> None:  # noqa: FBT001 - as the list sends it
        set_flag(self._card, "ring", value=has_keyboard)
