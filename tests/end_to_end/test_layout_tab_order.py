"""The Tab key leads from the quick-add line past every control and back, as one reads."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.runtime.words import tr
from app.tour.screen_reader import named
from app.tour.script import Script, press
from tests.end_to_end.layout_states import STATES, moment
from tests.end_to_end.steps import CTRL, HoldFor, Visit
from tests.end_to_end.tab_round import problems_of, tab_round

ON_THE_WAY = {"list begun"}
"""Passed through only."""
TABBED = {
    "people",
    "somebody chosen",
    "nobody found",
    "typing somebody",
    "long names",
    "first flow",
    "by person",
    "gaps",
    "banner",
    "list looked over",
    "history",
    "preview of a flow",
    "news in the status bar",
    "what is new",
    "settings",
    "about",
}


def test_tab_leads_past_every_control_in_reading_order_and_back(
    visit: Visit, access: DemoAccess, tmp_path: Path, hold_for: HoldFor
) -> None:
    hold_for(30)  # of nobody the details become others on the way round
    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))
    problems: dict[str, list[str]] = {}

    def script(container: Container) -> Script:
        for state in STATES:
            if state.name not in TABBED | ON_THE_WAY:
                continue
            yield from state.reach(container)
            if state.name in TABBED:
                start = _start()
                yield from moment()
                problems[state.name] = problems_of(container.window, tab_round(start))

    visit(script, connection=connection, api_key=access.api_key)
    assert problems == {name: [] for name in TABBED}


def _start() -> QWidget:
    """The quick-add line, or on the Flows tab and on a page whatever has the keyboard."""
    if named(tr("Add a person"), QLineEdit) is not None:
        press(Qt.Key.Key_N, CTRL)
    focused = QApplication.focusWidget()
    assert focused is not None
    return focused
