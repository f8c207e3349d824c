"""The list of flows: what its rows say, and what is missing in each."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.viewmodels.flows.flow_list import GAPS_ROLE, FlowList, FlowRow


@pytest.fixture
def flows(qapp: QApplication) -> FlowList:  # noqa: ARG001 - Qt must be there
    missing = ("Nobody at step 1.", "Nobody at step 2.")
    flows = FlowList(lambda one: FlowRow(one, f"Flow {one}", "1 step", "2 gaps"), lambda _: missing)
    flows.show("abc")
    return flows


def test_a_screen_reader_hears_name_steps_and_gaps_and_then_each_gap(flows: FlowList) -> None:
    spoken, more = Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole
    assert flows.data(flows.index(0), spoken) == "Flow a, 1 step, 2 gaps"
    assert flows.data(flows.index(0), more) == "Nobody at step 1. Nobody at step 2."
    assert flows.data(flows.index(0), GAPS_ROLE) == ("Nobody at step 1.", "Nobody at step 2.")


def test_why_a_flow_was_found_stands_in_the_place_of_its_steps_and_is_spoken_with_them() -> None:
    row = FlowRow("a", "Flow", "1 step", found_by="step: Call")
    assert row.second_line == "step: Call"
    assert row.accessible_name == "Flow, 1 step, step: Call"
