"""Text of the account's own: drawn as it is, wrapped anywhere, cut with dots, marked."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.views.look.theme import tokens
from app.views.widgets.highlighted_text import HighlightedLabel, draw_line
from app.views.widgets.labels import advance, plain_tip, window_title


def shown(text: str, lines: int = 3, *found: tuple[int, int]) -> HighlightedLabel:
    label = HighlightedLabel("", lines)
    label.show_text(text, found)
    return label


def picture(label: HighlightedLabel, width: int) -> QImage:
    label.resize(width, label.heightForWidth(width))
    return label.grab().toImage()


def test_a_word_longer_than_the_line_goes_on_in_the_next(qapp: QApplication) -> None:  # noqa: ARG001
    label = shown("W" * 30)
    line = label.heightForWidth(10_000)
    assert label.heightForWidth(label.sizeHint().width() // 2 + 10) == 2 * line


def test_no_more_lines_than_allowed_and_the_last_ends_in_dots(qapp: QApplication) -> None:  # noqa: ARG001
    label, whole = shown("word " * 100, 2), shown("word " * 100, 100)
    line = label.heightForWidth(10_000)
    assert label.heightForWidth(120) == 2 * line < whole.heightForWidth(120)
    pictures = picture(label, 120), picture(whole, 120).copy(0, 0, 120, 2 * line)
    assert pictures[0] != pictures[1]
    assert "word word" in label.toolTip()


def test_each_line_of_several_begins_anew(qapp: QApplication) -> None:  # noqa: ARG001
    assert shown("a\nb").heightForWidth(500) == 2 * shown("a").heightForWidth(500)


@pytest.mark.parametrize(("text", "found"), [("Welcome call", (8, 4)), ("😀😀 call", (3, 4))])
def test_found_letters_stand_on_their_own_ground(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    text: str,
    found: tuple[int, int],
) -> None:
    plain, marked = picture(shown(text), 300), picture(shown(text, 3, found), 300)
    metrics = shown(text).fontMetrics()
    ground = [
        x
        for x in range(marked.width())
        if marked.pixelColor(x, 1).name() == tokens().mark != plain.pixelColor(x, 1).name()
    ]
    start = metrics.horizontalAdvance(text[: found[0]])
    assert ground
    assert abs(ground[0] - start) <= 2
    assert abs(ground[-1] - metrics.horizontalAdvance(text)) <= 2


def test_a_tooltip_shows_markup_letter_for_letter() -> None:
    assert plain_tip("<b>Ada</b> & co\nnext") == "<qt>&lt;b&gt;Ada&lt;/b&gt; &amp; co<br>next</qt>"
    assert plain_tip("") == ""


def test_tips_and_titles_turn_no_text_around_and_hold_no_control_sign() -> None:
    assert plain_tip("River\u202edrah\x07") == "<qt>River\u200bdrah </qt>"
    assert window_title("River\u202edrah\x07\n[*]") == "River\u200bdrah  [*][*]"


@pytest.mark.parametrize("width", [400, 60])
def test_a_line_without_marks_is_painted_as_one_with_marks_would_be(
    qapp: QApplication,  # noqa: ARG001
    width: int,
) -> None:
    text = "Ada Lovelace, ada@x.org (alone)"
    ways = []
    for found in ((), ((len(text), 1),)):
        paper = QImage(500, 40, QImage.Format.Format_RGB32)
        paper.fill(Qt.GlobalColor.white)
        painter = QPainter(paper)
        painter.setFont(QApplication.font())
        draw_line(painter, QRect(10, 5, width, 25), text, found, "#204060", mirrored=False)
        painter.end()
        ways.append(paper)
    assert ways[0] == ways[1]
    assert ways[0] != QImage(ways[0].size(), ways[0].format())


@pytest.mark.parametrize("text", ["प्रिया शर्मा", "Ελένη Παπαδοπούλου", "王 小明"])
def test_a_line_has_room_where_it_was_measured_to_have_it(
    qapp: QApplication,  # noqa: ARG001
    text: str,
) -> None:
    needed = advance(text, QFontMetrics(QApplication.font()))
    papers = []
    for width in (needed, 2 * needed):
        paper = QImage(500, 40, QImage.Format.Format_RGB32)
        paper.fill(Qt.GlobalColor.white)
        with QPainter(paper) as painter:
            painter.setFont(QApplication.font())
            draw_line(painter, QRect(10, 5, width, 25), text, (), "#204060", mirrored=False)
        papers.append(paper)
    assert papers[0] == papers[1]
    label = picture(shown(text, 1), needed)
    assert label == picture(shown(text, 1), 2 * needed).copy(label.rect())
