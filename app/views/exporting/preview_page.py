"""The preview as a page, built when first opened: the sheets below each other as they will be
printed, the paper, and the ways to take them along.
"""

from collections.abc import Sequence
from math import ceil

import msgspec
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
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
from app.viewmodels.exporting.printed_pages import POINT, PrintedPage
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.viewmodels.help.help import PageKind
from app.views.exporting.printed_page_painting import paint_page
from app.views.exporting.save_dialog import ask_for_file, paper_kinds
from app.views.look.theme import RING, colour, tokens
from app.views.widgets.banner import Banner
from app.views.widgets.buttons import button, card, label
from app.views.widgets.chips import Chips
from app.views.widgets.inner_page import InnerPage
from app.views.widgets.labels import (
    ElidingLabel,
    announce,
    in_one_line,
    native_keys,
    set_tip,
)
from app.views.widgets.layouts import wrapping_box

_PAPERS = tuple(PaperSize)
_ALL = 1_000
"""Steps of the bar."""
_AROUND = 16
_PIXELS_A_POINT = 96 / 72
_ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
_LONGEST_SPOKEN = 2_000


class PageView(GuardedOverrides, QAbstractScrollArea):
    """Page Up and Page Down lead from sheet to sheet, Home and End to the first and the last."""

    page_changed = Signal(object)
    """Carries which page is looked at, from 1; 0 for none."""
    zoom_changed = Signal(object)
    """Carries how large they are against paper: 1.0 for the size of paper."""

    def __init__(self) -> None:
        """No page yet; a sheet will be as wide as there is room, and no larger than paper."""
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Pages"))
        self._pages: Sequence[PrintedPage] = ()
        self._chosen_zoom: float | None = None
        self._whole = False
        self._page = 0
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    @property
    def zoom(self) -> float:
        """How large the sheets are against paper."""
        if self._chosen_zoom is not None or not self._pages:
            return self._chosen_zoom or 1.0
        first, room = self._pages[0], self.viewport().size()
        across = (room.width() - 2 * _AROUND) * POINT / _PIXELS_A_POINT / first.width
        down = (room.height() - 2 * _AROUND) * POINT / _PIXELS_A_POINT / first.height
        return max(min(across, down) if self._whole else min(across, 1.0), 0.1)

    def show_pages(self, pages: Sequence[PrintedPage]) -> None:
        """Show these from the first one."""
        if pages is not self._pages:
            self._pages = pages
            # The first of these is another sheet than the first of those before.
            self._page = 0
            self._set_out()
            self.verticalScrollBar().setValue(0)
            self._look_anew()

    def zoom_in(self, steps: int = 1) -> None:
        """Enlarge the sheets, or, by less than no step, make them smaller."""
        now = self.zoom
        larger = [each for each in _ZOOMS if each > now + 0.01]
        smaller = [each for each in reversed(_ZOOMS) if each < now - 0.01]
        found = larger if steps > 0 else smaller
        if found:
            self._zoom_to(found[0])

    def zoom_out(self) -> None:
        """Make them smaller."""
        self.zoom_in(-1)

    def show_whole_page(self) -> None:
        """As large as one whole sheet has room; asked again, as wide as there is room."""
        self._whole = not self._whole if self._chosen_zoom is None else True
        self._zoom_to(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From sheet to sheet; the arrows scroll."""
        bar, last = self.verticalScrollBar(), len(self._pages)
        led = {
            Qt.Key.Key_PageDown: min(self._page + 1, last),
            Qt.Key.Key_PageUp: max(self._page - 1, 1),
            Qt.Key.Key_Home: 1,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if led is not None and last:
            bar.setValue(round((led - 1) * self._pitch()))
            # Of the last sheets none may come to the top.
            self._look_at(led)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes: Qt paints the frame anew, not what is in it."""
        super().focusOutEvent(event)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As wide as there is room now."""
        super().resizeEvent(event)
        self._set_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sheets in sight."""
        with QPainter(self.viewport()) as painter:
            look = tokens()
            painter.fillRect(self.viewport().rect(), colour(look.track))
            if self._pages:
                pitch, top = self._pitch(), self.verticalScrollBar().value()
                first = int(top // pitch)
                behind = ceil((top + self.viewport().height()) / pitch)
                for index in range(first, min(behind + 1, len(self._pages))):
                    self._paint_sheet(painter, self._pages[index], index * pitch - top + _AROUND)
            if self.hasFocus():
                painter.setPen(QPen(colour(look.accent), RING))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))

    def _paint_sheet(self, painter: QPainter, page: PrintedPage, top: float) -> None:
        scale = self._scale()
        width = page.width * scale
        room = self.viewport().width() - 2 * _AROUND
        left = _AROUND + max((room - width) / 2, 0) - self.horizontalScrollBar().value()
        sheet = QRectF(round(left), round(top), width, page.height * scale)
        painter.setPen(colour(tokens().edge))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRect(sheet)
        with QPainterStateGuard(painter):
            painter.setClipRect(sheet)
            painter.translate(sheet.topLeft())
            painter.scale(scale, scale)
            paint_page(painter, page)

    def _scale(self) -> float:
        return self.zoom * _PIXELS_A_POINT / POINT

    def _pitch(self) -> float:
        """From the top of one sheet to that of the next, in pixels."""
        return self._pages[0].height * self._scale() + _AROUND

    def _zoom_to(self, zoom: float | None) -> None:
        page = self._page
        self._chosen_zoom = zoom
        if zoom is not None:
            self._whole = False
        self._set_out()
        if page:
            self.verticalScrollBar().setValue(round((page - 1) * self._pitch()))
            self._look_at(page)

    def _set_out(self) -> None:
        room = self.viewport().size()
        tall = wide = 0
        if self._pages:
            tall = ceil(self._pitch() * len(self._pages)) + _AROUND
            wide = ceil(self._pages[0].width * self._scale()) + 2 * _AROUND
        for bar, size, seen in (
            (self.verticalScrollBar(), tall, room.height()),
            (self.horizontalScrollBar(), wide, room.width()),
        ):
            bar.setRange(0, max(size - seen, 0))
            bar.setPageStep(seen)
            bar.setSingleStep(40)
        self.viewport().update()
        self.zoom_changed.emit(self.zoom)

    def _scrolled(self, _value: int) -> None:
        self.viewport().update()
        self._look_anew()

    def _look_anew(self) -> None:
        if not self._pages:
            self._look_at(0)
            return
        # The sheet of which most is in sight is the one that is looked at.
        middle = self.verticalScrollBar().value() + self.viewport().height() / 2
        self._look_at(min(int(middle // self._pitch()) + 1, len(self._pages)))

    def _look_at(self, page: int) -> None:
        if page == self._page and page:
            return
        self._page = page
        words = "\n".join(self._pages[page - 1].words)[:_LONGEST_SPOKEN] if page else ""
        name = pages_words(page, len(self._pages)) if page else tr("Pages")
        self.setAccessibleName(name)
        self.setAccessibleDescription(in_one_line(words))
        self.page_changed.emit(page)


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
        for each in (self._print, self._save, self._copy):
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
        self._copy.setVisible(state.has_picture)
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
