"""Sheets below each other as they will be printed, enlarged as somebody likes: they scroll and
paint themselves, and leave every button to the page around them.
"""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPainterStateGuard,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from app.runtime.words import tr
from app.viewmodels.exporting.print_preview import page_words, pages_words
from app.viewmodels.exporting.printed_pages import POINT, PrintedPage
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.exporting.printed_page_painting import paint_page
from app.views.look.theme import RING, colour, tokens
from app.views.widgets.labels import in_one_line

_AROUND = 16
_PIXELS_A_POINT = 96 / 72
ZOOMS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
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
        larger = [each for each in ZOOMS if each > now + 0.01]
        smaller = [each for each in reversed(ZOOMS) if each < now - 0.01]
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
        words = page_words(self._pages[page - 1])[:_LONGEST_SPOKEN] if page else ""
        name = pages_words(page, len(self._pages)) if page else tr("Pages")
        self.setAccessibleName(name)
        self.setAccessibleDescription(in_one_line(words))
        self.page_changed.emit(page)
