"""The preview as a page, built when first opened: the sheets, the paper, and the ways to take them
along.
"""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.runtime.words import tr
from app.settings.settings import PaperSize
from app.viewmodels.exporting.print_preview import (
    PrintScreen,
    PrintState,
    pages_words,
)
from app.viewmodels.help.help import PageKind
from app.views.exporting.printed_page_view import PageView
from app.views.exporting.save_dialog import ask_for_file, paper_kinds, picture_kinds
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, card, label
from app.views.widgets.chips import Chips
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import (
    ElidingLabel,
    announce,
    native_keys,
    set_tip,
)
from app.views.widgets.layouts import wrapping_box

_PAPERS = tuple(PaperSize)
_ALL = 1_000
"""Steps of the bar."""


class _PaperChip(msgspec.Struct, frozen=True):
    text: str

    @property
    def spoken(self) -> str:
        return tr("Paper {size}", size=self.text)


class PreviewPage(InnerPage):
    """Bound to a `PrintScreen`, which has been opened on something."""

    page_kind = PageKind.PREVIEW

    title_is_short = True
    can_print = True

    def __init__(self, screen: PrintScreen) -> None:
        """Show what `screen` shows."""
        super().__init__(tr("Print preview"))
        self._screen = screen
        self.view = PageView()
        self._name = ElidingLabel("strong")
        self._page_number = label("", "small")
        self._print = button(tr("Print…"), self._ask_for_printer, "primary", icon="print")
        self._save = button(tr("Save as PDF"), self._ask_where_to_save, icon="file")
        self._picture = button(tr("Save as a picture"), self._ask_for_picture, icon="file")
        self._copy = button(tr("Copy the picture"), screen.copy_picture, icon="copy")
        self._papers = Chips(tr("Paper"))
        self._papers.chosen.connect(self._choose_paper)
        # Now, or Tab would lead to them after the pages.
        self._show_paper(screen.state.paper)
        self._smaller = button(tr("Smaller"), self.view.zoom_out, icon="remove")
        self._larger = button(tr("Larger"), self.view.zoom_in, icon="add")
        self._whole = button(tr("Whole page"), self.view.show_whole_page)
        self._size = label("", "small")
        self._banner = Banner()
        self._work = QWidget()
        self._work_words = label("", "small")
        self._bar = QProgressBar()
        self._cancel = button(tr("Cancel"), self._cancel_work, "link")
        self._empty = label("", "soft", wraps=True)
        self._sheets = QStackedWidget()
        self._working_on = ""
        self._lay_out()
        self._bind()
        self._show(screen.state)

    def opened(self) -> None:
        """The keyboard is on the pages."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def left(self) -> None:
        """Whoever goes elsewhere has no pages set behind their back."""
        self._screen.close()

    def print_out(self) -> None:
        """The keys that led here lead on to the printer."""
        self._ask_for_printer()

    # How it is put together

    def _lay_out(self) -> None:
        self.head_row.addWidget(self._name, 1)
        self.head_row.addWidget(self._page_number)
        inside = QVBoxLayout()
        inside.setContentsMargins(20, 0, 20, 12)
        inside.setSpacing(10)
        # In longer words they need more room than a small window has in one line.
        acts, line = wrapping_box()
        for each in (self._print, self._save, self._picture, self._copy):
            line.addWidget(each)
        inside.addWidget(acts)
        second = QHBoxLayout()
        second.setSpacing(8)
        second.addWidget(self._papers, 1)
        for widget in (self._smaller, self._larger, self._whole, self._size):
            second.addWidget(widget)
        inside.addLayout(second)
        inside.addWidget(self._banner)
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _ALL)
        across = QHBoxLayout(self._work)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(10)
        across.addWidget(self._work_words)
        across.addWidget(self._bar, 1)
        across.addWidget(self._cancel)
        inside.addWidget(self._work)
        surface = card()
        within = QVBoxLayout(surface)
        within.setContentsMargins(1, 1, 1, 1)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sheets.addWidget(self.view)
        self._sheets.addWidget(self._empty)
        within.addWidget(self._sheets)
        inside.addWidget(surface, 1)
        self._banner.stand_above(self._work, surface)
        self.body.addLayout(inside, 1)

    def _bind(self) -> None:
        screen = self._screen
        screen.state_changed.connect(self._show)
        self._banner.closed.connect(screen.dismiss)
        self.view.page_changed.connect(self._show_page_number)
        self.view.zoom_changed.connect(self._show_size)
        for keys, act, pressed in (
            (QKeySequence(QKeySequence.StandardKey.Save), self._ask_where_to_save, self._save),
            (QKeySequence("Ctrl++"), self.view.zoom_in, self._larger),
            (QKeySequence("Ctrl+-"), self.view.zoom_out, self._smaller),
            (QKeySequence("Ctrl+0"), self.view.show_whole_page, self._whole),
        ):
            self.bind_told(keys, act, can_be_done=pressed.isEnabled)
            set_tip(pressed, native_keys(keys))
        print_keys = QKeySequence(QKeySequence.StandardKey.Print)
        set_tip(self._print, native_keys(print_keys))

    # What is shown

    def _show(self, state: PrintState) -> None:
        self._name.setText(state.title)
        self._show_paper(state.paper)
        self.view.show_pages(state.pages)
        self._empty.setText(state.empty_words)
        self._sheets.setCurrentIndex(1 if state.empty_words else 0)
        for each in (self._print, self._save):
            each.setEnabled(bool(state.pages))
        for each in (self._picture, self._copy):
            each.setVisible(state.has_picture)
        self._show_work(state)
        if state.said:
            self._banner.say(state.said, calm=not state.trouble)
        else:
            self._banner.hide()

    def _show_paper(self, paper: PaperSize) -> None:
        choices = [_PaperChip(each.value) for each in _PAPERS]
        self._papers.show_choices(choices, _PAPERS.index(paper))

    def _show_work(self, state: PrintState) -> None:
        self._work.setVisible(bool(state.work_words))
        self._work_words.setText(state.work_words)
        self._bar.setAccessibleName(state.work_words)
        self._bar.setValue(round(state.work_share * _ALL))
        if state.work_words != self._working_on:
            self._working_on = state.work_words
            if state.work_words:
                announce(self, state.work_words)

    def _show_page_number(self, page: object) -> None:
        many = len(self._screen.state.pages)
        self._page_number.setText(pages_words(int(str(page)), many) if page and many else "")

    def _show_size(self, zoom: object) -> None:
        self._size.setText(tr("{percent} %", percent=round(float(str(zoom)) * 100)))

    # What the person does

    def _choose_paper(self, index: object) -> None:
        self._screen.choose_paper(_PAPERS[int(str(index))])

    def _cancel_work(self) -> None:
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._screen.cancel()

    def _ask_for_printer(self) -> None:
        pages = self._screen.state.pages
        if not pages:
            return
        # To look for printers takes its time, which no start of the program has.
        from app.views.exporting.printer import ask_for_printer  # noqa: PLC0415 - see above

        if not ask_for_printer(self, pages, self._screen.print_on):
            self._screen.no_printer()

    def _ask_where_to_save(self) -> None:
        if self._screen.state.pages:
            name, save = self._screen.file_name, self._screen.save
            ask_for_file(self, tr("Save as PDF"), name, paper_kinds(), save)

    def _ask_for_picture(self) -> None:
        if self._screen.state.has_picture:
            name, save = self._screen.file_name, self._screen.save_picture
            ask_for_file(self, tr("Save as a picture"), name, picture_kinds(), save)
