"""Nothing is cut or overlaps: any size, any scale, in longer words, and from right to left; and a
screen reader finds a name for every control.

In one of two translations and half of the states, the others in other whole runs; `python3
packaging/dev.py whole layout` looks at all of them.
"""

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.runtime import words
from app.views.widgets.buttons import label
from tests.end_to_end.layout_contrast import faint
from tests.end_to_end.layout_everywhere import (
    SAMPLE,
    TRANSLATED_AT,
    TRANSLATIONS,
    Sizes,
    summary,
    walked,
)
from tests.end_to_end.layout_rules import findings, mirror_findings, places
from tests.end_to_end.pseudo_languages import LONG, PLAIN, stretched
from tests.end_to_end.spoken import nameless
from tests.samples import sample

HALVES = 2


@pytest.mark.parametrize(
    ("first", "language", "scale", "scheme", "sizes", "turned"),
    sample([(first, *walk) for first in range(HALVES) for walk in SAMPLE], HALVES * len(SAMPLE)),
)
def test_nothing_is_cut_overlaps_or_lacks_a_name_in_any_state(
    first: int, language: str, scale: str, scheme: str, sizes: Sizes, *, turned: bool
) -> None:
    assert language in TRANSLATIONS
    assert (scale, scheme) in TRANSLATED_AT
    report = walked(scale, scheme, {language: sizes}, turned=turned, states=(first, HALVES))
    wrong = summary(report["found"])
    assert not wrong, "\n".join(wrong)


# The rules see what they should, and nothing where there is nothing


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    """An empty window of 300 by 100, whatever style the visits before have left behind."""
    application = cast("QApplication", QApplication.instance())
    style_sheet = application.styleSheet()
    application.setStyleSheet("")
    made = QWidget()
    made.resize(300, 100)
    qtbot.addWidget(made)
    yield made
    application.setStyleSheet(style_sheet)


def rules_broken(window: QWidget, qtbot: QtBot) -> list[str]:
    with qtbot.waitExposed(window):
        window.show()
    return sorted({finding.rule for finding in findings(window)})


def test_a_window_in_order_has_no_findings(window: QWidget, qtbot: QtBot) -> None:
    row = QHBoxLayout(window)
    row.addWidget(label("Ada Lovelace"))
    row.addWidget(QPushButton("Copy"))
    assert rules_broken(window, qtbot) == []


def test_a_label_too_narrow_for_its_words_is_found(window: QWidget, qtbot: QtBot) -> None:
    narrow = label("Ada Lovelace of the analytical engine")
    narrow.setParent(window)
    narrow.setGeometry(0, 0, 60, 30)
    assert "cut" in rules_broken(window, qtbot)


def test_a_wrapped_label_too_low_for_its_lines_is_found(window: QWidget, qtbot: QtBot) -> None:
    low = label("Ada Lovelace of the analytical engine", wraps=True)
    low.setParent(window)
    low.setGeometry(0, 0, 80, 20)
    assert "cut" in rules_broken(window, qtbot)


def test_what_is_too_small_to_be_hit_is_found(window: QWidget, qtbot: QtBot) -> None:
    QPushButton("Copy", window).setGeometry(0, 0, 90, 20)
    assert "small" in rules_broken(window, qtbot)


def test_neighbours_on_top_of_each_other_are_found(window: QWidget, qtbot: QtBot) -> None:
    for left in (0, 50):
        QPushButton("Copy", window).setGeometry(left, 0, 90, 40)
    assert rules_broken(window, qtbot) == ["overlap"]


def test_what_hangs_out_of_its_parent_is_found(window: QWidget, qtbot: QtBot) -> None:
    QPushButton("Copy", window).setGeometry(250, 0, 90, 40)
    assert rules_broken(window, qtbot) == ["hangs_out"]


def test_a_page_that_has_to_be_scrolled_sideways_is_found(window: QWidget, qtbot: QtBot) -> None:
    area = QScrollArea(window)
    area.resize(200, 90)
    page = QWidget()
    page.resize(260, 60)
    area.setWidget(page)
    assert rules_broken(window, qtbot) == ["hangs_out"]


def test_a_column_too_narrow_for_its_name_is_found(window: QWidget, qtbot: QtBot) -> None:
    table = QTableView(window)
    table.resize(300, 100)
    table.setModel(QStandardItemModel(0, 1, table))
    table.model().setHeaderData(0, Qt.Orientation.Horizontal, "Added to the account")
    table.setColumnWidth(0, 50)
    assert rules_broken(window, qtbot) == ["cut"]


def test_words_that_hardly_stand_out_from_their_ground_are_found(
    window: QWidget, qtbot: QtBot
) -> None:
    row = QHBoxLayout(window)
    clear, weak, unusable = QLabel("Ada Lovelace"), QLabel("Grace Hopper"), QLabel("Mary Smith")
    unusable.setEnabled(False)
    for each, ink in ((clear, "#000000"), (weak, "#b0b0b0"), (unusable, "#b0b0b0")):
        each.setStyleSheet(f"background: #ffffff; color: {ink}")
        row.addWidget(each)
    with qtbot.waitExposed(window):
        window.show()
    assert [finding.widget.split(" > ")[-1] for finding in faint(window, set())] == [
        "QLabel “Grace Hopper”"
    ]


def test_a_keyboard_that_nobody_sees_is_found(window: QWidget, qtbot: QtBot) -> None:
    area = QScrollArea(window)
    area.resize(200, 90)
    page = QWidget()
    page.resize(150, 400)
    area.setWidget(page)
    button = QPushButton("Copy", page)
    button.setGeometry(0, 300, 90, 40)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    button.setFocus()
    assert [finding.rule for finding in findings(window)] == ["unseen focus"]
    area.ensureWidgetVisible(button)
    assert list(findings(window)) == []


def test_a_menu_that_leaves_its_window_is_found(window: QWidget, qtbot: QtBot) -> None:
    menu = QMenu(window)
    for entry in ("Copy", "Print", "Save", "Quit"):
        menu.addAction(entry)
    with qtbot.waitExposed(window):
        window.show()
    menu.popup(window.mapToGlobal(QPoint(0, 0)))
    window.resize(300, menu.height())
    assert list(findings(menu)) == []
    window.resize(300, menu.height() - 1)
    menu.resize(menu.width(), menu.height() - 1)
    assert {finding.rule for finding in findings(menu)} == {"cut"}
    window.resize(300, menu.height() - 10)
    assert "leaves the window" in {finding.rule for finding in findings(menu)}
    menu.close()


def test_a_control_without_a_name_is_found(window: QWidget, qtbot: QtBot) -> None:
    row = QHBoxLayout(window)
    named, bare = QLineEdit(), QToolButton()
    named.setAccessibleName("Email")
    bare.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    row.addWidget(named)
    row.addWidget(bare)
    with qtbot.waitExposed(window):
        window.show()
    assert [where.split(" > ")[-1] for where in nameless(window)] == ["Button QToolButton “”"]


def test_what_stays_where_it_was_in_a_mirrored_window_is_found(
    window: QWidget, qtbot: QtBot
) -> None:
    row = QHBoxLayout(window)
    row.setContentsMargins(40, 4, 4, 4)
    row.addWidget(QPushButton("Copy"))
    with qtbot.waitExposed(window):
        window.show()
    before = places(window)
    window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    row.activate()
    assert [finding.rule for finding in mirror_findings(before, places(window))] == ["not mirrored"]


def test_the_long_language_is_a_third_longer_and_keeps_the_values(qapp: QApplication) -> None:
    for sentence in ("Add", "Signed in", "Added {name}.", "Why", "brr"):
        assert len(stretched(sentence)) * 3 >= len(sentence) * 4
    before = words._catalogue
    LONG.speak(qapp)
    try:
        assert "Ada" in words.tr("Added {name}.", name="Ada")
        assert "{" not in words.trn("{n} person", "{n} people", 2)
    finally:
        PLAIN.speak(qapp)
        words._catalogue = before
