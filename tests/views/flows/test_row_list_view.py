"""The lists of the Flows tab: what is painted of them when something changes."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QCursor, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from app.viewmodels.cell_table import Index
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.views.flows.row_list_view import RowDelegate, RowListView
from tests.views.moment import Moment

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@dataclass(frozen=True)
class Row:
    name: str

    @property
    def accessible_name(self) -> str:
        return self.name


class PaintedRows(RowDelegate):
    """Keeps which rows were painted, and what they said."""

    painted: list[tuple[int, str]] = []  # noqa: RUF012 - of the one list there is

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.painted.append((index.row(), str(index.data())))
        super().paint(painter, option, index)


def test_of_rows_that_stay_only_those_that_say_something_else_are_painted(run: Run) -> None:
    async def work() -> None:
        said = {str(n): f"row {n}" for n in range(100)}
        rows = RowsOnDemand[str, Row](lambda key: Row(said[key]))
        rows.show(said)
        view = RowListView(rows, "rows", PaintedRows)
        view.resize(200, 300)
        view.show()
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert len(PaintedRows.painted) > 3
        PaintedRows.painted.clear()
        said.update({"1": "another", "99": "out of sight"})
        rows.show(said)
        QCoreApplication.sendPostedEvents()
        await asyncio.sleep(0.05)
        assert PaintedRows.painted == [(1, "another")]
        view.close()

    run(work())


def test_a_press_is_not_for_a_row_that_came_under_the_pointer_just_now(
    moment: Moment, run: Run
) -> None:
    async def work() -> None:
        said = {str(n): f"row {n}" for n in range(5)}
        rows = RowsOnDemand[str, Row](lambda key: Row(said[key]))
        rows.show(said)
        view = RowListView(rows, "rows", PaintedRows)
        view.resize(200, 300)
        view.show()
        await asyncio.sleep(0.1)
        place = view.visualRect(rows.index(2, 0)).center()
        QCursor.setPos(view.viewport().mapToGlobal(place))
        await asyncio.sleep(0.1)
        said = {"new": "one more", **said}
        rows.show(said)
        await asyncio.sleep(0.05)
        where = view.viewport().mapTo(view, place)
        press = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
        QTest.mouseClick(view.windowHandle(), *press)
        assert not view.selectionModel().hasSelection()
        moment.passes()
        QTest.mouseClick(view.windowHandle(), *press)
        assert [index.data() for index in view.selectionModel().selectedIndexes()] == ["row 1"]
        view.close()

    run(work())
