"""The files themselves, read by a PDF reader and by Qt: their words, their paper, their colours."""

import io
from collections.abc import Iterator

import msgspec
import pytest
from pypdf import PageObject, PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.settings.settings import PaperSize
from app.viewmodels.exporting.print_content import PrintedDocument, PrintedSection
from app.viewmodels.exporting.printed_pages import PrintedPage
from app.views.exporting.typesetter import image, pdf
from app.views.look.theme import LIGHT, Theme
from tests.views.exporting.documents import (
    NAMES,
    booklet,
    finished,
    finished_picture,
    flow,
    pages_of,
    step,
)


@pytest.fixture(autouse=True)
def _fonts(qapp: QApplication) -> None:
    """Nothing can be painted without them."""


def painted(page: PrintedPage) -> QImage:
    return finished(image(page))


def words_of(page: PageObject) -> str:
    """Its text; what stands between two words is a blank of one kind or another."""
    return " ".join(page.extract_text().split())


def read(document: PrintedDocument, paper: PaperSize = PaperSize.A4) -> PdfReader:
    pages = pages_of(document, paper)
    content = finished(pdf(pages, document.title, document.account))
    return PdfReader(io.BytesIO(content))


def test_the_words_of_each_page_are_in_the_file_and_can_be_searched() -> None:
    document = booklet(flow("Coffee and affairs", 30), flow("Baptism", 4))
    reader = read(document)
    texts = [words_of(page) for page in reader.pages]
    assert "Contents" in texts[0]
    assert "Page 1 of" in texts[0]
    assert "Coffee and affairs" in texts[1]
    assert "Baptism" in texts[-1]
    assert all("Riverside" in text and "3 May 2024" in text for text in texts)


def test_the_file_says_what_it_is_and_whose() -> None:
    document = booklet(flow("F", 2))
    # A mark of direction, as a sentence with a name has it.
    told = read(msgspec.structs.replace(document, title=f"\u200e{document.title}")).metadata
    assert told is not None
    assert (told.title, told.author, told.creator) == ("People flows", "Riverside", "Front Desk")


@pytest.mark.parametrize(
    ("paper", "points"), [(PaperSize.A4, (595, 842)), (PaperSize.LETTER, (612, 792))]
)
def test_it_is_on_the_paper_that_was_chosen(paper: PaperSize, points: tuple[int, int]) -> None:
    for page in read(booklet(flow("F", 40)), paper).pages:
        assert (round(page.mediabox.width), round(page.mediabox.height)) == points


def test_names_in_every_script_are_letters_in_the_file() -> None:
    """Not one of them is a box: each has its own letters in a font that has them."""
    everybody = PrintedSection("F", (), (step("1", "S", *NAMES),))
    reader = read(PrintedDocument("F", sections=(everybody,)))
    text = words_of(reader.pages[0])
    for letters in ("王小明", "김민준", "Łukasz Øst", "שרה"):
        assert letters in text or letters[::-1] in text


def test_the_end_of_an_id_is_not_torn_from_the_dots_before_it() -> None:
    unknown = step("1", "S", "somebody not in your list (…9f2c)")
    page = read(PrintedDocument("F", sections=(PrintedSection("F", (), (unknown,)),))).pages[0]
    # What joins them is as wide as nothing, and stands in the file as a blank.
    assert "(…9f2c)" in [line.replace("\t", "") for line in page.extract_text().split("\n")]


@pytest.fixture
def dark(qapp: QApplication) -> Iterator[None]:
    theme = qapp.findChild(Theme) or Theme(qapp)
    theme.choose("dark")
    yield
    theme.choose("light")
    qapp.setStyleSheet("")


def test_pages_are_light_in_a_dark_window(dark: None) -> None:  # noqa: ARG001 - it dresses the window
    sheet = painted(finished_picture(flow("Flow", 6)))
    assert sheet.pixelColor(2, 2).name() == LIGHT.card
    darkest = min(sheet.pixelColor(x, 60).lightness() for x in range(sheet.width()))
    assert darkest < 100


def test_where_lines_begin_on_the_right_the_page_does() -> None:
    def left_share(sheet: QImage) -> float:
        half = sheet.width() // 2
        inked = [
            x
            for x in range(0, sheet.width(), 2)
            for y in range(20, sheet.height(), 2)
            if sheet.pixelColor(x, y).lightness() < 160
        ]
        return sum(x < half for x in inked) / len(inked)

    page = finished_picture(flow("Flow", 1))
    assert left_share(painted(page)) == 1
    QApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        assert left_share(painted(page)) == 0
    finally:
        QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_a_picture_is_twice_as_fine_as_its_size_and_of_a_huge_flow_no_larger_than_can_be_used() -> (
    None
):
    page = finished_picture(flow("Flow", 6))
    made = painted(page)
    assert made.width() == round(page.width / 10 * 2)
    assert made.height() == pytest.approx(page.height / 10 * 2, abs=1)
    huge = painted(finished_picture(flow("Flow", 3_000)))
    assert 0 < huge.height() <= 16_000
    assert huge.width() * huge.height() <= 41_000_000
