"""What a key of the palette has painted: the palette alone, and no turn long."""

from collections.abc import Iterator
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.viewmodels.command_palette.command import Command, CommandKind
from app.viewmodels.command_palette.command_palette import CommandPaletteScreen
from app.viewmodels.guarded_overrides import GuardedOverrides
from app.views.command_palette import command_palette
from app.views.command_palette.command_palette import CommandPalette
from app.views.look.theme import SPACE, Theme
from app.views.widgets.labels import advance
from tests.views.slow_texts import SlowTexts

ROWS = 12
PATIENCE = 1_000
"""Times that the palette gets a turn."""


class Behind(GuardedOverrides, QWidget):
    """What the palette lies above."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        super().paintEvent(event)
        self.painted += 1


@pytest.fixture
def behind(qapp: QApplication) -> Iterator[Behind]:
    # With its style sheet, which has a say in what is painted alone.
    (qapp.findChild(Theme) or Theme(qapp)).choose("system")
    window = QWidget()
    behind = Behind()
    QVBoxLayout(window).addWidget(behind)
    window.resize(800, 600)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    yield behind
    shiboken6.delete(window)


def palette_over(behind: Behind) -> CommandPalette:
    """With the caret still."""
    QApplication.setCursorFlashTime(0)
    palette = CommandPalette(CommandPaletteScreen(), behind.window())
    texts = [f"Save the {at}th list" for at in range(ROWS)]
    commands = [Command(CommandKind.ACTION, words, words) for words in texts]
    palette.open([(command, object) for command in commands], None)
    QTest.qWait(50)
    return palette


def test_a_key_has_nothing_painted_that_lies_behind(behind: Behind) -> None:
    palette = palette_over(behind)
    QTest.keyClicks(palette.field, "s")
    QTest.qWait(50)
    before = behind.painted
    QTest.keyClicks(palette.field, "av")
    QTest.qWait(50)
    assert behind.painted == before


def test_what_is_found_less_of_uncovers_nothing_that_lies_behind(behind: Behind) -> None:
    palette = palette_over(behind)
    before = behind.painted
    QTest.keyClicks(palette.field, "11th")
    QTest.qWait(50)
    assert palette.list.model().rowCount() == 1
    assert behind.painted == before


def test_what_is_said_where_nothing_is_found_uncovers_nothing_that_lies_behind(
    behind: Behind,
) -> None:
    palette = palette_over(behind)
    before, shown = behind.painted, list[QImage]()
    for typed in ("zzz", "z", "\b\b\b\b"):
        QTest.keyClicks(palette.field, typed)
        QTest.qWait(50)
        found = palette.list.model().rowCount()
        said, text = palette.list.accessibleDescription(), palette.field.text()
        assert (said, found) == ((f"Nothing here matches “{text}”.", 0) if text else ("", ROWS))
        shown.append(palette.list.grab().toImage())
    assert behind.painted == before
    # Another sentence each time, and the rows once it is gone.
    assert len({each.cacheKey() for each in shown if shown.count(each) == 1}) == len(shown)


def test_keys_that_wait_together_are_searched_for_in_one_go(behind: Behind) -> None:
    searched: list[str] = []

    class Screen(CommandPaletteScreen):
        def search(self, query: str) -> None:
            searched.append(query)
            super().search(query)

    palette = CommandPalette(Screen(), behind.window())
    save = [Command(CommandKind.ACTION, each, each) for each in ("Save", "Sail")]
    done: list[str] = []
    palette.open([(one, partial(done.append, one.words)) for one in save], None)
    QTest.qWait(50)
    searched.clear()
    QTest.keyClicks(palette.field, "sail" * 50)
    QTest.qWait(50)
    assert searched == ["s", "sail" * 50]
    # Whoever goes on by Enter has what was typed by then.
    palette.field.clear()
    QTest.qWait(50)
    QTest.keyClicks(palette.field, "sai")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["Sail"]


def test_keys_read_the_same_where_lines_begin_on_the_right(
    behind: Behind, qapp: QApplication
) -> None:
    palette = CommandPalette(CommandPaletteScreen(), behind.window())
    keys = "Ctrl+,"
    # The first row is the chosen one, on a ground of its own.
    commands = [Command(CommandKind.ACTION, each, each, keys=keys) for each in ("Add", "Settings")]
    palette.open([(command, object) for command in commands], None)
    wide = advance(keys, palette.list.fontMetrics())

    def comma(left: int) -> float:
        """Where in the keys the lowest of them stands."""
        row = palette.list.visualRect(palette.list.model().index(1, 0))
        place = QRect(left, row.top(), wide, row.height())
        shown = palette.list.viewport().grab(place).toImage()
        ground = shown.pixel(0, 0)
        ink = [
            (y, x) for y in range(row.height()) for x in range(wide) if shown.pixel(x, y) != ground
        ]
        return max(ink)[1] / wide

    assert comma(palette.list.viewport().width() - 3 * SPACE - wide) > 0.5
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        QTest.qWait(50)
        assert comma(3 * SPACE) > 0.5
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_rows_that_take_long_are_painted_in_turns(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    palette, texts = palette_over(behind), SlowTexts(monkeypatch)
    monkeypatch.setattr(command_palette, "draw_line", texts)
    palette.list.viewport().update()
    for _ in range(PATIENCE):
        if len({*texts.painted}) >= 8:
            break
        QTest.qWait(10)
    texts.stop()
    assert len({*texts.painted}) >= 8
    assert texts.most_in_a_turn < 8 / 2
