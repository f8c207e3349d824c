"""However long a text is, showing it costs what showing a screenful of it costs."""

from collections.abc import Callable
from time import perf_counter

import pytest
from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from app.flows.administrators import Standing
from app.model.person import Person
from app.viewmodels.cells import cells_of_person
from app.viewmodels.flow_cards import Pill
from app.viewmodels.table import CELL_ROLE
from app.views.people_delegate import PeopleDelegate
from app.views.widgets.eliding import elided, fitting
from app.views.widgets.marked_text import MarkedLabel
from app.views.widgets.pill import NamePill
from app.views.widgets.tips import plain_tip

SHORT, LONG = "Łódź 山田 " * 100, "Łódź 山田 " * 50_000


def marked(text: str) -> QWidget:
    label = MarkedLabel("title", 3)
    label.show_text(text, [(1, 4)])
    label.resize(300, label.heightForWidth(300))
    label.sizeHint()
    return label


def pill(text: str) -> QWidget:
    made = NamePill()
    made.show_pill(Pill("p", text, text, Standing.FOUND))
    made.resize(200, made.sizeHint().height())
    return made


def cell(text: str) -> QWidget:
    class OneCell(QStringListModel):
        def data(self, _index: object, role: int = 0) -> object:
            return cells[0] if role == CELL_ROLE else None

    cells = cells_of_person(Person(id="1", firstname=text), ("lodz",), is_new=True)
    view = QTableView()
    model = OneCell(["x"] * 20, view)
    view.setModel(model)
    view.setItemDelegate(PeopleDelegate(view))
    return view


def seconds(make: Callable[[str], QWidget], text: str) -> float:
    begun = perf_counter()
    make(text).grab()
    return perf_counter() - begun


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("make", [marked, pill, cell])
def test_a_text_without_end_is_shown_as_fast_as_one_that_fills_the_room(
    make: Callable[[str], QWidget],
) -> None:
    light = min(seconds(make, SHORT) for _ in range(3))
    # What Python does with each letter (folding, escaping) is far less than this.
    assert seconds(make, LONG) < 40 * light + 0.2


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
