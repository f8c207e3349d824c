"""Nothing is cut or overlaps: any size, any scale, in longer words, and from right to left.

Qt takes the scale once per process, so each scale is walked in a process of its own.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.runtime import words
from app.runtime.paths import resource
from app.runtime.words import languages
from app.views.widgets.buttons import label
from tests.end_to_end.layout_rules import findings, mirror_findings, places
from tests.end_to_end.layout_states import STATES
from tests.end_to_end.pseudo_languages import BOTH, LONG, MIRRORED, PLAIN, Language, stretched

ROOT = Path(__file__).resolve().parents[2]
LEAST, SMALLEST = "944x492", "784x552"
"""What a frame leaves of 1920 x 1080 at 200 %, and of 800 x 600."""
USUAL, LARGE, LARGEST = "1180x760", "1920x1080", "3840x2160"
QUIET = {"QT_LOGGING_RULES": "qt.qpa.*=false"}


Sizes = tuple[str, ...]
EACH = (SMALLEST, USUAL, LARGEST)


@pytest.mark.timeout(110)
@pytest.mark.parametrize(
    ("scale", "sizes_of"),
    [
        ("1", {PLAIN: (*EACH, LEAST), MIRRORED: EACH}),
        ("1", {LONG: EACH}),
        ("1.5", {BOTH: (SMALLEST, LARGE)}),
        ("2", {BOTH: (SMALLEST, LARGE)}),
    ],
)
def test_nothing_is_cut_or_overlaps_in_any_state_and_language(
    scale: str, sizes_of: dict[Language, Sizes]
) -> None:
    """Sizes are in device independent pixels: 1920x1080 at a scale of 2 fills a 4K screen.

    What fits in the long language fits in the plain one; that one is walked for its mirror image.
    """
    report = walked(scale, {language.name: sizes for language, sizes in sizes_of.items()})
    seldom = sum(state.once for state in STATES)
    often = len(STATES) - seldom + 2
    narrow = [[size for size in sizes if size == SMALLEST] for sizes in sizes_of.values()]
    assert report["looks"] == sum(
        often * len(sizes) + seldom * len(least)
        for sizes, least in zip(sizes_of.values(), narrow, strict=True)
    )
    wrong = summary(report["found"])
    assert not wrong, "\n".join(wrong)


@pytest.mark.timeout(110)
@pytest.mark.parametrize("scale", ["1", "2"])
@pytest.mark.parametrize("language", sorted({*languages(resource("translations"))} - {"en"}))
def test_the_words_of_each_translation_fit(language: str, scale: str) -> None:
    """In the smallest window: what is too long there needs a shorter word in the catalogue."""
    wrong = summary(walked(scale, {language: (SMALLEST,)})["found"])
    assert not wrong, "\n".join(wrong)


def walked(scale: str, sizes_of: dict[str, Sizes]) -> dict[str, Any]:
    """What is found on a walk at this scale, in each of these languages and its sizes."""
    walks = [f"{language}:{','.join(sizes)}" for language, sizes in sizes_of.items()]
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.layout_walk", *walks],
        cwd=ROOT,
        env=os.environ | QUIET | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["troubles"] == []
    return report


def summary(found: list[dict[str, str]]) -> list[str]:
    """Each thing that is wrong once, with the first place where it was seen."""
    times = Counter((f["rule"], f["widget"], f["detail"]) for f in found)
    first = {(f["rule"], f["widget"], f["detail"]): f for f in reversed(found)}
    return [
        f"{rule}: {widget}: {detail} ({n} times, first: {first[key]['language']}, "
        f"{first[key]['state']}, {first[key]['size']})"
        for key, n in sorted(times.items())
        for rule, widget, detail in [key]
    ]


# The rules see what they should, and nothing where there is nothing


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """An empty window of 300 by 100."""
    made = QWidget()
    made.resize(300, 100)
    qtbot.addWidget(made)
    return made


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
