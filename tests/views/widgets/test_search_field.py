"""The line in which rows are searched: what stands in it while it is empty."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.views.widgets.labels import advance
from app.views.widgets.search_field import SearchField


@pytest.mark.parametrize("wide", [True, False])
def test_what_is_searched_is_read_whole_and_its_keys_where_both_have_room(
    qtbot: QtBot, *, wide: bool
) -> None:
    field = SearchField()
    qtbot.addWidget(field)
    field.setMinimumWidth(0)
    field.setMaximumWidth(2_000)
    words = "Search people, flows, steps"
    needed = advance(words, field.fontMetrics())
    field.resize(needed + (200 if wide else 60), 34)
    with qtbot.waitExposed(field):
        field.show()
    field.setPlaceholderText(words)
    keys = next(each for each in field.findChildren(QLabel) if each.text())
    assert keys.isVisible() is wide
    margins = field.textMargins()
    assert field.width() - margins.left() - margins.right() >= needed
    field.setText("Ada")
    assert not keys.isVisible()
