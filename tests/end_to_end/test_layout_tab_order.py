"""The Tab key leads from the quick-add line past every control and back, as one reads."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.runtime.words import tr
from app.tour.screen_reader import named
from app.tour.script import Script, press
from tests.end_to_end.layout_states import CTRL, STATES, moment
from tests.end_to_end.steps import Visit
from tests.end_to_end.tab_round import problems_of, tab_round

REACH = {state.name: state.reach for state in STATES}


@pytest.fixture
def walked(visit: Visit, access: DemoAccess, tmp_path: Path) -> Callable[[list[str]], list[str]]:
    """Lead the window through these states, then press Tab all the way round."""
    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))

    def walk(states: list[str]) -> list[str]:
        problems: list[str] = []

        def script(container: Container) -> Script:
            for name in states:
                yield from REACH[name](container)
            start = _start()
            yield from moment()
            problems.extend(problems_of(container.window, tab_round(start)))

        visit(script, connection=connection, api_key=access.api_key)
        return problems

    return walk


@pytest.mark.parametrize(
    "states",
    [
        pytest.param(["people"], id="people"),
        pytest.param(["people", "somebody chosen", "typing somebody"], id="typing"),
        pytest.param(["people", "somebody chosen", "long names"], id="an entry"),
        pytest.param(["people", "first flow"], id="flows"),
        pytest.param(["people", "by person"], id="by person"),
        pytest.param(["people", "gaps"], id="gaps"),
        pytest.param(["people", "nobody found"], id="nobody found"),
        pytest.param(["people", "banner"], id="a banner"),
        pytest.param(["people", "settings"], id="settings"),
        pytest.param(["people", "about"], id="about"),
        pytest.param(["people", "history"], id="history"),
        pytest.param(["people", "preview of a flow"], id="preview"),
        pytest.param(["people", "news at the foot"], id="news at the foot"),
        pytest.param(["people", "news at the foot", "what is new"], id="what is new"),
    ],
)
def test_tab_leads_past_every_control_in_reading_order_and_back(
    walked: Callable[[list[str]], list[str]], states: list[str]
) -> None:
    assert walked(states) == []


def _start() -> QWidget:
    """The quick-add line, or on the Flows tab and on a page whatever has the keyboard."""
    if named(tr("Add a person"), QLineEdit) is not None:
        press(Qt.Key.Key_N, CTRL)
    focused = QApplication.focusWidget()
    assert focused is not None
    return focused
