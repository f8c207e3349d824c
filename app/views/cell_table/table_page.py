"""A page of the window with one table: its rows are copied, all of it is saved as a file, words
stand in the place of rows that are not there, and no row moves for what is said of all that.
"""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QStackedWidget

from app.runtime.words import tr
from app.viewmodels.help.help import PageKind
from app.views.cell_table.cell_table_view import CellTableView
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, label
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import ElidingLabel, announce, native_keys, set_tip


class TableWords(Protocol):
    """What the state of such a page says. What does not apply is blank."""

    @property
    def said(self) -> str:
        """What became of what somebody has just done."""

    @property
    def trouble(self) -> bool:
        """Whether that went wrong."""

    @property
    def empty_words(self) -> str:
        """What stands in the place of the rows."""


class TablePage(InnerPage):
    """Where the parts stand is each page's own."""

    page_kind = PageKind.ROWS

    def __init__(self, title: str, rows: CellTableView) -> None:
        """Nothing is laid out yet."""
        super().__init__(title)
        self.list = rows
        self._copy_button = button(tr("Copy rows"), self._copy, icon="copy")
        self._save_button = button(tr("Save as a file"), self._ask_where_to_save, icon="file")
        self._banner = Banner()
        self._empty = label("", "soft", wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._told = self._calm_said = ""
        rows.copy_wanted.connect(self._copy)
        keys = QKeySequence(QKeySequence.StandardKey.Save)
        self.bind_told(keys, self._ask_where_to_save, can_be_done=self._save_button.isEnabled)
        set_tip(self._save_button, native_keys(keys))

    def _copy(self) -> None:
        """Copy the rows that are chosen."""
        raise NotImplementedError

    def _ask_where_to_save(self) -> None:
        """Ask for the file, where there is anything to save."""
        raise NotImplementedError

    def _show_words(self, words: TableWords, beside: ElidingLabel, usual: str) -> None:
        """Show `words`; what is said is in the place of the `usual` ones where it went well."""
        # What went well is said where there is room already: no row moves that somebody is about
        # to click.
        calm = "" if words.trouble else words.said
        beside.setText(calm or usual)
        if calm and calm != self._calm_said and self.isVisible():
            announce(self, calm)
        self._calm_said = calm
        self._empty.setText(words.empty_words)
        self._pages.setCurrentIndex(1 if words.empty_words else 0)
        if words.said and words.trouble:
            self._banner.say(words.said)
        else:
            self._banner.hide()
        # Whoever does not see the rows hears that none is left.
        if words.empty_words != self._told:
            self._told = words.empty_words
            if self._told and self.isVisible():
                announce(self, self._told)
