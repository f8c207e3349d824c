"""A screen reader finds a name for every control, in each of the window's main states."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, press
from tests.end_to_end.layout_states import STATES
from tests.end_to_end.spoken import misleading, nameless, spoken, unnamed
from tests.end_to_end.steps import CTRL, Visit, enter_with_key


def test_no_control_is_without_a_name_or_says_what_it_is_not_in_any_state(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    found: dict[str, list[str]] = {}
    roles: set[QAccessible.Role] = set()

    def script(container: Container) -> Script:
        for state in STATES:
            yield from state.reach(container)
            told = [*spoken(container.window)]
            without = [*unnamed(told), *misleading(told)]
            if without:
                found[state.name] = without
            roles.update(each.role() for each in told)

    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))
    visit(script, connection=connection, api_key=access.api_key)
    assert found == {}
    assert roles >= {
        QAccessible.Role.Button,
        QAccessible.Role.Dialog,
        QAccessible.Role.EditableText,
        QAccessible.Role.Grouping,
        QAccessible.Role.List,
        QAccessible.Role.PageTab,
        QAccessible.Role.Table,
    }


def test_menus_tell_each_of_their_lines(visit: Visit, access: DemoAccess) -> None:
    def lines() -> list[QAccessibleInterface]:
        menu = QApplication.activePopupWidget()
        assert menu is not None
        found = [each for each in spoken(menu) if each.role() is QAccessible.Role.MenuItem]
        assert nameless(menu) == []
        menu.close()
        return found

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        opened = Until("a menu", lambda: QApplication.activePopupWidget() is not None)
        QTimer.singleShot(0, container.window.header.menu_button.showMenu)
        yield opened
        said = {each.text(QAccessible.Text.Name): each for each in lines()}
        assert {"Settings", "Sign out", "Quit"} <= set(said)
        assert said["Settings"].text(QAccessible.Text.Accelerator) == "Ctrl+,"
        yield Until("the keyboard", lambda: QGuiApplication.focusWindow() is not None)
        press(Qt.Key.Key_F, CTRL)
        press(Qt.Key.Key_Down)
        press(Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        yield opened
        assert len(lines()) > 1

    visit(script)


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
