"""Asking where a file is to be saved."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from app.views.exporting.save_dialog import (
    ask_for_file,
    card_kinds,
    table_kinds,
)


@pytest.fixture
def parent(qapp: QApplication) -> Iterator[QWidget]:  # noqa: ARG001 - Qt must be there
    widget = QWidget()
    widget.show()
    yield widget
    shiboken6.delete(widget)


def test_a_name_gets_the_end_of_the_kind_that_is_chosen(parent: QWidget) -> None:
    chosen: list[str] = []
    ask_for_file(parent, "Save 2 people", "People", table_kinds(), chosen.append)
    dialog = parent.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.windowTitle() == "Save 2 people"
    assert dialog.defaultSuffix() == "xlsx"
    for kind in reversed(dialog.nameFilters()):
        dialog.selectNameFilter(kind)
        dialog.filterSelected.emit(kind)
        assert f"*.{dialog.defaultSuffix()}" in kind
    dialog.fileSelected.emit("/somewhere/people.xlsx")
    assert chosen == ["/somewhere/people.xlsx"]


def test_a_dot_in_a_name_is_not_taken_for_its_end(parent: QWidget) -> None:
    ask_for_file(parent, "Save 2 people", "St. Mary's", table_kinds(), print)
    dialog = parent.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.selectedFiles()[0].endswith("/St. Mary's.xlsx")
    dialog.selectNameFilter(dialog.nameFilters()[1])
    assert dialog.selectedFiles()[0].endswith("/St. Mary's.csv")


def test_a_name_has_no_mark_of_direction_of_a_sentence(parent: QWidget) -> None:
    ask_for_file(parent, "Save as PDF", "If \u200eمحمد\u200e is away", table_kinds(), print)
    dialog = parent.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).stem == "If محمد is away"


def test_contact_cards_have_one_kind(parent: QWidget) -> None:
    ask_for_file(parent, "Save 1 person", "People", card_kinds(), print)
    dialog = parent.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert dialog.defaultSuffix() == "vcf"
