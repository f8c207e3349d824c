"""The list of flows: rows are asked for when they are seen, and stay when others come and go."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from app.viewmodels.flows.flow_list import GAPS_ROLE, ROW_ROLE, FlowList, FlowRow
from tests.viewmodels.conftest import Told


class Rows:
    """Gives the row of each flow, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gaps: tuple[str, ...] = ()

    def __call__(self, flow_id: str) -> FlowRow:
        self.asked.append(flow_id)
        return FlowRow(flow_id, f"Flow {flow_id}", "1 step", "2 gaps" if self.gaps else "")

    def missing(self, _flow_id: str) -> Sequence[str]:
        return self.gaps


@pytest.fixture
def rows(qapp: QApplication) -> Rows:  # noqa: ARG001 - Qt must be there
    return Rows()


@pytest.fixture
def flows(rows: Rows) -> FlowList:
    flows = FlowList(rows, rows.missing)
    flows.show_flows("abc")
    return flows


LISTS = ["", "abc", "ab", "bc", "ac", "b", "xabcy", "axbyc", "xyz", "cba", "acb"]


@pytest.mark.parametrize("first", LISTS)
def test_a_view_can_follow_each_change_of_the_list(rows: Rows, first: str) -> None:
    for then in LISTS:
        flows = FlowList(rows, rows.missing)
        mode = QAbstractItemModelTester.FailureReportingMode.Warning
        tester = QAbstractItemModelTester(flows, mode, flows)
        flows.show_flows(first)
        flows.show_flows(then)
        assert tester.model() is flows
        assert flows.flow_ids == tuple(then)
        assert not flows.changing


@pytest.mark.parametrize("then", ["xabcy", "bc", "axbyc", "xb", "b"])
def test_a_row_that_stays_is_the_same_row_for_the_view(flows: FlowList, then: str) -> None:
    kept, reset = QPersistentModelIndex(flows.index(1)), Told(flows.modelReset)
    flows.show_flows(then)
    assert reset.times == 0
    assert kept.row() == then.index("b")


def test_flows_in_another_order_begin_anew(flows: FlowList) -> None:
    reset = Told(flows.modelReset)
    flows.show_flows("cab")
    assert reset.times == 1


def test_a_list_that_changes_in_a_hundred_places_begins_anew(rows: Rows) -> None:
    flows = FlowList(rows, rows.missing)
    flows.show_flows([str(n) for n in range(200)])
    reset = Told(flows.modelReset)
    flows.show_flows([str(n) for n in range(0, 200, 2)])
    assert reset.times == 1


def test_only_rows_that_are_seen_are_worked_out_and_each_once(rows: Rows, flows: FlowList) -> None:
    assert rows.asked == []
    for role in (Qt.ItemDataRole.DisplayRole, ROW_ROLE, Qt.ItemDataRole.AccessibleTextRole):
        flows.data(flows.index(1), int(role))
    assert rows.asked == ["b"]


def test_the_same_flows_say_anew_what_they_are(rows: Rows, flows: FlowList) -> None:
    flows.data(flows.index(0))
    told, reset = Told(flows.dataChanged), Told(flows.modelReset)
    flows.show_flows("abc")
    flows.data(flows.index(0))
    assert (told.times, reset.times, rows.asked) == (1, 0, ["a", "a"])


def test_a_screen_reader_hears_name_steps_and_gaps_and_then_each_gap(
    rows: Rows, flows: FlowList
) -> None:
    rows.gaps = ("Nobody at step 1.", "Nobody at step 2.")
    spoken, more = Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole
    assert flows.data(flows.index(0), spoken) == "Flow a, 1 step, 2 gaps"
    assert flows.data(flows.index(0), more) == "Nobody at step 1. Nobody at step 2."
    assert flows.data(flows.index(0), GAPS_ROLE) == rows.gaps


def test_why_a_flow_was_found_stands_in_the_place_of_its_steps_and_is_spoken_with_them() -> None:
    row = FlowRow("a", "Flow", "1 step", found_by="step: Call")
    assert row.second_line == "step: Call"
    assert row.accessible_name == "Flow, 1 step, step: Call"


def test_a_flow_is_found_by_its_place_and_its_place_by_the_flow(flows: FlowList) -> None:
    assert [flows.flow_id_at(at) for at in (-1, 0, 2, 3)] == [None, "a", "c", None]
    assert [flows.position_of(each) for each in ("a", "c", "x", None)] == [0, 2, None, None]
    assert flows.rowCount(flows.index(0)) == 0
    assert flows.data(QModelIndex()) is None
    assert flows.data(flows.index(0), Qt.ItemDataRole.DecorationRole) is None
