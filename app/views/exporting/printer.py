"""The printers of this computer, imported when somebody prints: to look for them takes its time.

Whether there is one, which is chosen, and pages sent to it.
"""

from collections.abc import Callable, Generator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPainterStateGuard
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QWidget

from app.runtime.words import tr, without_direction_marks
from app.viewmodels.exporting.print_preview import PrintJob
from app.viewmodels.exporting.printed_pages import PrintedPage
from app.views.exporting.printed_page_painting import paint_page
from app.views.exporting.typesetter import page_layout


class PagesToPrinter:
    """The pages that somebody chose, in the size and order they chose, to one printer."""

    def __init__(self, printer: QPrinter) -> None:
        """`printer` as it was set in the dialog."""
        self._printer = printer

    def print_pages(self, pages: Sequence[PrintedPage], title: str) -> Generator[float, None, bool]:
        """A page a step, with how much is done; the value in the end is whether it was taken.

        Given up half-way, nothing is printed.
        """
        printer = self._printer
        printer.setDocName(without_direction_marks(title))
        printer.setCreator(tr("Front Desk"))
        printer.setFullPage(True)
        painter = QPainter()
        if not painter.begin(printer):
            return False
        whole = False
        try:
            chosen = self._chosen(pages)
            for done, page in enumerate(chosen):
                if done and not printer.newPage():
                    return False
                self._paint(painter, page)
                yield done / len(chosen)
            whole = printer.printerState() is not QPrinter.PrinterState.Error
        finally:
            if not whole:
                printer.abort()
            painter.end()
        return whole

    def _chosen(self, pages: Sequence[PrintedPage]) -> Sequence[PrintedPage]:
        printer = self._printer
        first, last = printer.fromPage(), printer.toPage()
        if printer.printRange() is QPrinter.PrintRange.PageRange and first:
            pages = pages[first - 1 : last or None]
        backwards = printer.pageOrder() is QPrinter.PageOrder.LastPageFirst
        return pages[::-1] if backwards else pages

    def _paint(self, painter: QPainter, page: PrintedPage) -> None:
        """As large as its sheet; on another paper than it was set for, as large as that has room
        for.
        """
        paper = self._printer.pageLayout().fullRectPixels(self._printer.resolution())
        scale = min(paper.width() / page.width, paper.height() / page.height)
        with QPainterStateGuard(painter):
            painter.translate(
                (paper.width() - page.width * scale) / 2, (paper.height() - page.height * scale) / 2
            )
            painter.scale(scale, scale)
            paint_page(painter, page)


def ask_for_printer(
    parent: QWidget, pages: Sequence[PrintedPage], done: Callable[[PrintJob, str], None]
) -> bool:
    """Ask which printer, which pages and how many; `done` gets the job and the printer's name.

    False, and nobody is asked, where this computer has no printer.
    """
    if not QPrinterInfo.availablePrinterNames():
        return False
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPageLayout(page_layout(pages[0]))
    dialog = QPrintDialog(printer, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Print"))
    dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintPageRange)
    dialog.setMinMax(1, len(pages))

    def chosen(result: int) -> None:
        if result:
            done(PagesToPrinter(printer), printer.printerName() or tr("the file"))

    dialog.finished.connect(chosen)
    QDialog.open(dialog)  # its own wants a slot by name
    return True
