"""The People table in a window whose lines begin on the right: numbers, dots and marks in place."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.model.person import Person
from app.viewmodels.people.copying import What
from app.viewmodels.people.table import Column
from app.views.cell_table.cell_delegate import draw_highlighted, draw_plain
from app.views.look.theme import LIGHT
from tests.views.people.people_tab_fixture import PeopleTabFixture, Run, with_people_tab

WIDE, HIGH = 300, 30
LONG = "Bartholomew Longfellow of the Long Lane"
PHONE = "(02) 5550 3591"
ARABIC = "محمد عبد الرحمن " * 6
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
RIGHT = int(Qt.AlignmentFlag.AlignRight | _MIDDLE)
BEN = Person(id="ben", firstname="Ben", phone=PHONE, mobile="+64 4 555 0173")


@contextmanager
def drawing(picture: QImage, *, mirrored: bool) -> Iterator[QPainter]:
    """A painter whose lines run as the window's do."""
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    right, left = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
    painter.setLayoutDirection(right if mirrored else left)
    yield painter
    painter.end()


def blank() -> QImage:
    return QImage(WIDE, HIGH, QImage.Format.Format_RGB32)


def elided(text: str, room: int) -> str:
    return QFontMetrics(QApplication.font()).elidedText(text, Qt.TextElideMode.ElideRight, room)


@pytest.mark.parametrize(
    ("text", "room"),
    [(PHONE, WIDE), ("Ada (Lovelace)", WIDE), (LONG, 150), ("somebody@example.org", 90)],
)
@pytest.mark.usefixtures("qapp")
def test_a_text_reads_the_same_but_for_the_side_it_stands_on(text: str, room: int) -> None:
    place = QRect(WIDE - room, 0, room, HIGH)
    found, expected = blank(), blank()
    with drawing(found, mirrored=True) as painter:
        draw_plain(painter, place, text, is_number=text == PHONE, mirrored=True)
    with drawing(expected, mirrored=False) as painter:
        painter.drawText(place, RIGHT, elided(text, room))
    assert found == expected


@pytest.mark.parametrize(
    ("text", "highlights", "room"),
    [
        (PHONE, ((1, 7),), WIDE),
        ("Ada (Lovelace)", ((4, 8),), WIDE),
        (LONG, ((0, 4), (12, 16)), 150),
        ("somebody@example.org", ((3, 7),), 90),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_letters_and_their_marks_stand_together(
    text: str, highlights: tuple[tuple[int, int], ...], room: int
) -> None:
    left = WIDE - QFontMetrics(QApplication.font()).horizontalAdvance(elided(text, room))
    found, expected = blank(), blank()
    with drawing(found, mirrored=True) as painter:
        place = QRect(WIDE - room, 0, room, HIGH)
        draw_highlighted(painter, place, text, highlights, LIGHT, mirrored=True)
    with drawing(expected, mirrored=False) as painter:
        draw_highlighted(
            painter, QRect(left, 0, room, HIGH), text, highlights, LIGHT, mirrored=False
        )
    assert found == expected


@pytest.mark.usefixtures("qapp")
def test_a_name_written_from_the_right_is_cut_at_its_end_in_any_window() -> None:
    found = blank()
    with drawing(found, mirrored=False) as painter:
        place = QRect(0, 0, WIDE, HIGH)
        draw_plain(painter, place, ARABIC, is_number=False, mirrored=False)
    assert 0 < len(inked_rows(found, range(8))) <= 3
    assert len(inked_rows(found, range(WIDE - 12, WIDE))) > 3


def inked_rows(picture: QImage, columns: range) -> set[int]:
    """The rows in which there is ink; dots have few."""
    return {y for y in range(HIGH) for x in columns if picture.pixelColor(x, y).lightness() < 200}


def test_what_is_copied_holds_no_sign_that_only_painting_needs(
    run: Run, qapp: QApplication
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        copied: list[object] = []
        subject.screen.copying.copied.connect(copied.append)
        subject.click(0, Column.PHONE)
        subject.picture()
        subject.screen.copying.copy(What.ROW)
        # The apostrophe keeps the plus when it is pasted into a spreadsheet.
        assert str(copied[0]).split("\n")[1:] == ["Ben\t\t(02) 5550 3591\t'+64 4 555 0173\t"]

    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        with_people_tab(run, work, BEN)
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
