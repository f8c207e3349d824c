"""A screen reader finds a name for every control, in each of the window's main states."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.script import Script
from tests.end_to_end.layout_states import STATES
from tests.end_to_end.spoken import nameless, spoken
from tests.end_to_end.steps import Visit


def test_no_control_is_without_a_name_in_any_state(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    found: dict[str, list[str]] = {}
    roles: set[QAccessible.Role] = set()

    def script(container: Container) -> Script:
        for state in STATES:
            yield from state.reach(container)
            without = nameless(container.window)
            if without:
                found[state.name] = without
            roles.update(each.role() for each in spoken(container.window))

    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))
    visit(script, connection=connection, api_key=access.api_key)
    assert found == {}
    assert roles >= {
        QAccessible.Role.Button,
        QAccessible.Role.EditableText,
        QAccessible.Role.List,
        QAccessible.Role.PageTab,
        QAccessible.Role.Table,
    }


def test_a_control_without_a_name_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    rows = QVBoxLayout(window)
    named, bare = QLineEdit(), QToolButton()
    named.setAccessibleName("Email")
    bare.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    rows.addWidget(named)
    rows.addWidget(bare)
    with qtbot.waitExposed(window):
        window.show()
    assert [where.split(" > ")[-1] for where in nameless(window)] == ["Button QToolButton “”"]
