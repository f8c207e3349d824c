"""Texts of any length and any characters: none costs more than a screenful or leaves its place."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QRect, QStringListModel, Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from app.flows.administrators import AdministratorStatus
from app.model.person import Person
from app.viewmodels.cell_table import CELL_ROLE
from app.viewmodels.flows.cards import Pill
from app.viewmodels.people.table import cells_of_person
from app.views.cell_table.cell_delegate import CellDelegate, draw_highlighted, draw_plain
from app.views.look.theme import sized, tokens
from app.views.widgets import highlighted_text
from app.views.widgets.highlighted_text import HighlightedLabel
from app.views.widgets.labels import (
    PlainLabel,
    advance,
    elided,
    fitting,
    literal,
    plain_tip,
    printed,
    set_tip,
)
from app.views.widgets.pill import NamePill

SHORT, LONG = "Łódź 山田 " * 100, "Łódź 山田 " * 50_000


def marked(text: str) -> QWidget:
    label = HighlightedLabel("title", 3)
    label.show_text(text, [(1, 4)])
    label.resize(300, label.heightForWidth(300))
    label.sizeHint()
    return label


def pill(text: str) -> QWidget:
    made = NamePill()
    made.show_pill(Pill("p", text, text, AdministratorStatus.FOUND))
    made.resize(200, made.sizeHint().height())
    return made


def cell(text: str) -> QWidget:
    class OneCell(QStringListModel):
        def data(self, _index: object, role: int = 0) -> object:
            return cells[0] if role == CELL_ROLE else None

    cells = cells_of_person(Person(id="1", firstname=text), ("lodz",), datetime.now(UTC))
    view = QTableView()
    model = OneCell(["x"] * 20, view)
    view.setModel(model)
    view.setItemDelegate(CellDelegate(view))
    return view


SHOWN: dict[str, Callable[[str], QWidget]] = {"marked": marked, "a pill": pill, "a cell": cell}


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("way", SHOWN)
def test_a_text_without_end_is_shown_as_one_that_fills_the_room(way: str) -> None:
    shown, long = (SHOWN[way](text).grab().toImage() for text in (SHORT, LONG))
    assert shown == long


@pytest.mark.usefixtures("qapp")
def test_only_what_could_fit_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []

    class Layout(QTextLayout):
        def __init__(self, text: str, font: QFont) -> None:
            super().__init__(text, font)
            laid_out.append(len(text))

    monkeypatch.setattr(highlighted_text, "QTextLayout", Layout)
    marked(LONG).grab()
    assert laid_out
    assert max(laid_out) < 3 * len(SHORT)


def test_what_is_cut_before_it_is_laid_out_looks_the_same(qapp: QApplication) -> None:
    metrics = QFontMetrics(qapp.font())
    for text in ("Ada", "Ada Lovelace " * 40, "iiii" * 300, ""):
        for width in (0, 20, 180, 900):
            whole = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            assert elided(text, metrics, width) == whole


def test_only_what_could_fit_is_kept_and_dots_say_that_there_is_more() -> None:
    assert fitting("Ada", 100) == "Ada"
    assert fitting("x" * 1_000_000, 100).endswith("x…")
    assert len(fitting("x" * 1_000_000, 100)) < 100
    assert len(fitting("x" * 1_000_000, 100, lines=3)) < 300


def test_a_tip_ends_where_nobody_would_read_on() -> None:
    assert len(plain_tip("x" * 1_000_000)) < 1_000
    assert "…" in plain_tip("x" * 1_000_000)


def drawn(text: str, highlights: list[tuple[int, int]] | None = None) -> QImage:
    picture = QImage(300, 60, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    place = QRect(10, 20, 280, 20)
    if highlights is None:
        draw_plain(painter, place, text, is_number=False, mirrored=False)
    else:
        draw_highlighted(painter, place, text, highlights, tokens(), mirrored=False)
    painter.end()
    return picture


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("highlights", [None, [(0, 3)]])
@pytest.mark.parametrize("control", ["\n", "\t", "\0", "\r", "\x1b", "\x85", "\u2028"])
def test_a_control_character_in_a_cell_is_a_blank(
    control: str, highlights: list[tuple[int, int]] | None
) -> None:
    assert drawn(f"Ada{control}Lovelace", highlights) == drawn("Ada Lovelace", highlights)


@pytest.mark.usefixtures("qapp")
def test_a_name_does_not_turn_the_sentence_around_it() -> None:
    sentence = PlainLabel("\u202eAda\u2067 was added.\ud800")
    assert sentence.text() == "\u200bAda\u200b was added.\ufffd"
    assert PlainLabel("one\ntwo\tthree").text() == "one\ntwo three"
    set_tip(sentence, "\u202eAda")
    assert "\u202e" not in sentence.toolTip()
    assert literal("Tom & \u202eAda\n") == "Tom && \u200bAda "


@pytest.mark.parametrize("text", ["Ada", "山田 Łódź " * 20])
def test_what_was_measured_in_one_font_is_measured_anew_in_another(
    qapp: QApplication, text: str
) -> None:
    font = qapp.font()
    small, large = QFontMetrics(font), QFontMetrics(sized(font, 2, bold=True))
    for metrics in (small, large, small):
        assert 0 <= advance(text, metrics) - metrics.horizontalAdvance(text) <= 2
        shown = elided(text, metrics, 60)
        assert shown == metrics.elidedText(text, Qt.TextElideMode.ElideRight, 60)


def test_what_has_the_width_it_was_measured_with_is_not_cut(qapp: QApplication) -> None:
    text = "Personne d'autre pour cette étape, à Łódź"
    for size in (0.75, 0.88, 1, 1.3):
        metrics = QFontMetrics(sized(qapp.font(), size))
        for end in range(len(text) + 1):
            assert elided(text[:end], metrics, advance(text[:end], metrics)) == text[:end]


def test_what_no_font_has_is_shown_as_one_sign_that_some_have() -> None:
    assert printed("a\U0006e020\U000fee91\U0010ffff\n") == "a\ufffd\ufffd\ufffd\n"
    # Flags of regions, emoji, rare Han signs.
    whole = "\U0001f3f4\U000e0067\U000e0062\U000e007f \U0001fae8 \U00020bb7\U00030ede"
    assert printed(whole) == whole
