"""A PDF page by page, one sheet as a picture."""

from collections.abc import Generator, Sequence

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter

from app.runtime.words import tr, without_direction_marks
from app.viewmodels.exporting.printed_pages import POINT, PrintedPage
from app.views.exporting.printed_page_layout import lay_out, lay_out_picture
from app.views.exporting.printed_page_painting import paint_page

_RESOLUTION = 1200
_POINTS_AN_INCH = 72
_TWICE = 2
_PART = 100
"""Marks of a picture that are painted in one go."""
_MOST_PIXELS = 40_000_000
_LONGEST_SIDE = 16_000
"""Of a picture, in pixels: more than any program shows, and as much memory as there may be."""


def page_layout(page: PrintedPage) -> QPageLayout:
    """The paper of `page`, all of it to be painted on."""
    points = QSizeF(page.width / POINT, page.height / POINT)
    size = QPageSize(points, QPageSize.Unit.Point, matchPolicy=QPageSize.SizeMatchPolicy.FuzzyMatch)
    upright = QPageLayout.Orientation.Portrait
    return QPageLayout(size, upright, QMarginsF(), QPageLayout.Unit.Point, QMarginsF())


def pdf(pages: Sequence[PrintedPage], title: str, account: str) -> Generator[float, None, bytes]:
    """Write a PDF, a page a step: gives how much is done, from 0 to 1. Its value is the file."""
    content = QByteArray()
    device = QBuffer(content)
    device.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(device)
    writer.setResolution(_RESOLUTION)
    writer.setTitle(without_direction_marks(title))
    writer.setAuthor(account)
    writer.setCreator(tr("Front Desk"))
    writer.setPageLayout(page_layout(pages[0]))
    painter = QPainter(writer)
    try:
        scale = _RESOLUTION / _POINTS_AN_INCH / POINT
        painter.scale(scale, scale)
        for done, page in enumerate(pages):
            if done:
                writer.newPage()
            paint_page(painter, page)
            yield done / len(pages)
    finally:
        painter.end()
        device.close()
    return bytes(content.data())


def image(page: PrintedPage) -> Generator[float, None, QImage]:
    """Paint the sheet, a part of it a step. Its value is the picture, in two pixels a point, or
    fewer where that would be larger than can be used.
    """
    width, height = page.width / POINT, page.height / POINT
    scale = min(
        _TWICE, _LONGEST_SIDE / max(width, height), (_MOST_PIXELS / (width * height)) ** 0.5
    )
    made = QImage(QSize(round(width * scale), round(height * scale)), QImage.Format.Format_RGB32)
    made.fill("white")
    painter = QPainter(made)
    try:
        painter.scale(scale / POINT, scale / POINT)
        for start in range(0, len(page.marks), _PART):
            part = page.marks[start : start + _PART]
            paint_page(painter, PrintedPage(page.width, page.height, part))
            yield start / len(page.marks)
    finally:
        painter.end()
    return made


class PageTypesetter:
    """All of that together, for the preview's screen."""

    lay_out = staticmethod(lay_out)
    picture = staticmethod(lay_out_picture)
    pdf = staticmethod(pdf)
    image = staticmethod(image)
