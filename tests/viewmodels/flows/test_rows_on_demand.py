"""A list of rows: they are asked for when they are seen, and stay when others come and go."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from app.viewmodels.flows.rows_on_demand import ROW_ROLE, RowsOnDemand
from tests.viewmodels.conftest import Told


@dataclass(frozen=True)
class Letter:
    name: str

    @property
    def accessible_name(self) -> str:
        return f"the letter {self.name}"


class Rows:
    """Gives the row of each key, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, key: str) -> Letter:
        self.asked.append(key)
        return Letter(key)


@pytest.fixture
def read(qapp: QApplication) -> Rows:  # noqa: ARG001 - Qt must be there
    return Rows()


@pytest.fixture
def rows(read: Rows) -> RowsOnDemand[str, Letter]:
    rows = RowsOnDemand[str, Letter](read)
    rows.show("abc")
    return rows


LISTS = ["", "abc", "ab", "bc", "ac", "b", "xabcy", "axbyc", "xyz", "cba", "acb"]


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("first", LISTS)
def test_a_view_can_follow_each_change_of_the_list(
    read: Rows, first: str, *, in_place: bool
) -> None:
    for then in LISTS:
        rows = RowsOnDemand[str, Letter](read)
        mode = QAbstractItemModelTester.FailureReportingMode.Warning
        tester = QAbstractItemModelTester(rows, mode, rows)
        rows.show(first, in_place=in_place)
        rows.show(then, in_place=in_place)
        assert tester.model() is rows
        assert rows.keys == tuple(then)
        assert [rows.index(at).data() for at in range(rows.rowCount())] == list(then)
        assert not rows.changing


@pytest.mark.parametrize("then", ["xabcy", "bc", "axbyc", "xb", "b"])
def test_a_row_that_stays_is_the_same_row_for_the_view(
    rows: RowsOnDemand[str, Letter], then: str
) -> None:
    kept, reset = QPersistentModelIndex(rows.index(1)), Told(rows.modelReset)
    rows.show(then, in_place=True)
    assert reset.times == 0
    assert kept.row() == then.index("b")


@pytest.mark.parametrize(("then", "in_place"), [("cab", True), ("xabc", False)])
def test_rows_in_another_order_or_wholly_others_begin_anew(
    rows: RowsOnDemand[str, Letter], then: str, *, in_place: bool
) -> None:
    reset = Told(rows.modelReset)
    rows.show(then, in_place=in_place)
    assert reset.times == 1


def test_a_list_that_changes_in_a_hundred_places_begins_anew(read: Rows) -> None:
    rows = RowsOnDemand[str, Letter](read)
    rows.show([str(n) for n in range(200)])
    reset = Told(rows.modelReset)
    rows.show([str(n) for n in range(0, 200, 2)], in_place=True)
    assert reset.times == 1


def test_only_rows_that_are_seen_are_worked_out_and_each_once(
    read: Rows, rows: RowsOnDemand[str, Letter]
) -> None:
    assert read.asked == []
    for role in (Qt.ItemDataRole.DisplayRole, ROW_ROLE, Qt.ItemDataRole.AccessibleTextRole):
        rows.data(rows.index(1), int(role))
    assert read.asked == ["b"]


def test_of_the_same_keys_only_what_says_something_else_is_told(qapp: QApplication) -> None:  # noqa: ARG001
    said = {"a": "a", "b": "b", "c": "c"}
    rows = RowsOnDemand[str, Letter](lambda key: Letter(said[key]))
    rows.show("abc")
    told: list[int] = []
    rows.dataChanged.connect(lambda first, last: told.extend((first.row(), last.row())))
    reset, listed = Told(rows.modelReset), Told(rows.listed)
    assert [rows.index(at).data() for at in (0, 1)] == ["a", "b"]
    # Of the last nobody has asked what it says, so nobody shows it.
    said.update(b="other", c="new")
    rows.show("abc")
    assert (told, reset.times, listed.times) == ([1, 1], 0, 0)
    assert [rows.index(at).data() for at in range(3)] == ["a", "other", "new"]


def test_of_very_many_rows_that_were_seen_all_are_told_at_once(read: Rows) -> None:
    rows = RowsOnDemand[str, Letter](read)
    rows.show([str(n) for n in range(1000)])
    for at in range(1000):
        rows.row_at(at)
    told = Told(rows.dataChanged)
    rows.say_anew()
    assert (told.times, len(read.asked)) == (1, 1000)


@pytest.mark.parametrize("in_place", [True, False])
def test_other_rows_are_told_of_once_however_many_come_and_go(
    rows: RowsOnDemand[str, Letter], *, in_place: bool
) -> None:
    listed = Told(rows.listed)
    rows.show("xaycz", in_place=in_place)
    assert listed.times == 1


def test_keys_that_were_read_again_are_the_same_rows(read: Rows) -> None:
    rows = RowsOnDemand[str, Letter](read, same=lambda one, other: one[0] == other[0])
    rows.show(["a1", "b1"])
    reset = Told(rows.modelReset)
    rows.show(["a2", "b2"])
    assert (reset.times, rows.keys, rows.position_of("b3")) == (0, ("a2", "b2"), 1)


def test_rows_that_are_put_behind_the_others_leave_those_where_they_are(
    rows: RowsOnDemand[str, Letter],
) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    tester = QAbstractItemModelTester(rows, mode, rows)
    kept, reset = QPersistentModelIndex(rows.index(2)), Told(rows.modelReset)
    more = [str(n) for n in range(1200)]
    rows.append(more)
    assert tester.model() is rows
    assert (kept.row(), reset.times) == (2, 0)
    assert rows.keys == ("a", "b", "c", *more)
    assert rows.index(rows.rowCount() - 1).data() == "1199"


def test_a_row_says_its_name_its_whole_and_what_is_spoken(
    rows: RowsOnDemand[str, Letter],
) -> None:
    spoken = Qt.ItemDataRole.AccessibleTextRole
    first = rows.index(0)
    assert (first.data(), first.data(ROW_ROLE)) == ("a", Letter("a"))
    assert first.data(spoken) == "the letter a"
    assert first.data(Qt.ItemDataRole.DecorationRole) is None


def test_a_row_is_found_by_its_place_and_its_place_by_the_key(
    rows: RowsOnDemand[str, Letter],
) -> None:
    assert [rows.key_at(at) for at in (-1, 0, 2, 3)] == [None, "a", "c", None]
    assert [rows.row_at(at) for at in (-1, 3)] == [None, None]
    assert [rows.position_of(each) for each in ("a", "c", "x", None)] == [0, 2, None, None]
    assert rows.rowCount(rows.index(0)) == 0
    assert rows.data(QModelIndex()) is None


def test_rows_can_be_chosen_and_not_edited(rows: RowsOnDemand[str, Letter]) -> None:
    chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    assert rows.flags(rows.index(0)) == chosen
    assert rows.flags(QModelIndex()) == Qt.ItemFlag.NoItemFlags
