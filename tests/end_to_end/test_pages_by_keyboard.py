"""Pages that stand before or beside the lists: every control has a name, Tab reaches it in order,
and who has the keyboard can be seen.
"""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleInterface, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, click, press
from app.views.look.theme import theme_of
from tests.end_to_end.layout_rules import path
from tests.end_to_end.layout_states import STATES, moment
from tests.end_to_end.spoken import nameless, spoken
from tests.end_to_end.steps import CTRL, Visit, choose_in_menu, enter_with_key, the, unfold
from tests.end_to_end.tab_round import problems_of, tab_round

REACH = {state.name: state.reach for state in STATES}


def _signed_in(access: DemoAccess) -> Script:
    yield from enter_with_key(access)
    yield shown("80 people", "Up to date")


def _look_at(page: str, container: Container, wrong: list[str]) -> Script:
    """Go round the page from where the keyboard is, and note what is wrong with it."""
    yield from moment()
    start = QApplication.focusWidget()
    assert start is not None
    found = [*nameless(container.window), *problems_of(container.window, tab_round(start))]
    wrong.extend(f"{page}: {each}" for each in found)


def test_every_control_of_the_first_page_the_menu_and_the_known_accounts_has_a_name_and_is_reached(
    visit: Visit, access: DemoAccess
) -> None:
    wrong: list[str] = []

    def script(container: Container) -> Script:
        yield from _first_page(container, wrong)
        yield from _signed_in(access)
        yield from _menu(container, wrong)
        yield from _menus_tell_each_of_their_lines(container, wrong)
        yield from _question_and_known_accounts(container, wrong)

    visit(script)
    assert wrong == []


def _first_page(container: Container, wrong: list[str]) -> Script:
    yield shown("Welcome to Front Desk")
    yield from _look_at("first start", container, wrong)
    unfold("Use an API key", "API key, to use an API key")
    unfold()
    yield shown("Client ID", "Use this key")
    yield from _look_at("fields of both ways", container, wrong)
    click(the("For the administrator"))
    yield shown("Save a connection file")
    yield from _look_at("help for the administrator", container, wrong)
    click(the("Close the help for the administrator"))


def _menu(container: Container, wrong: list[str]) -> Script:
    looked: list[str] = []

    def look_at_the_menu() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        looked.append("menu")
        wrong.extend(nameless(menu))
        wrong.extend("blank" for a in menu.actions() if not a.isSeparator() and not a.text())
        menu.close()

    the("Menu", QToolButton).setFocus()
    # The menu runs a loop of its own while it is open: it is looked at through a timer.
    QTimer.singleShot(200, container.window, look_at_the_menu)
    press(Qt.Key.Key_Return)
    yield from moment()
    assert looked == ["menu"]


def _menus_tell_each_of_their_lines(container: Container, wrong: list[str]) -> Script:
    def lines() -> list[QAccessibleInterface]:
        menu = QApplication.activePopupWidget()
        assert menu is not None
        found = [each for each in spoken(menu) if each.role() is QAccessible.Role.MenuItem]
        wrong.extend(nameless(menu))
        menu.close()
        return found

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


def _question_and_known_accounts(container: Container, wrong: list[str]) -> Script:
    yield from REACH["settings"](container)
    yield shown("Forget this account")
    the("Forget this account").setFocus()
    press(Qt.Key.Key_Return)
    yield shown("Keep it")
    yield from _look_at("question before forgetting", container, wrong)
    click(the("Keep it"))
    yield from choose_in_menu(container, "Sign out")
    yield shown("Sign in to Riverside again")
    yield from moment()
    # Signing out has written into the account by now.
    assert the("Sign in to Riverside again").hasFocus()
    yield from _look_at("known accounts", container, wrong)


def test_wherever_tab_leads_the_window_shows_it(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    """Each control on the way looks another with the keyboard than without, light and dark."""
    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))
    unseen: list[str] = []

    def script(container: Container) -> Script:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        yield from REACH["people"](container)
        for state in ("somebody chosen", "first flow"):
            yield from REACH[state](container)
            yield Until("the keyboard somewhere", lambda: QApplication.focusWidget() is not None)
            start = QApplication.focusWidget()
            assert start is not None
            way = tab_round(start)
            assert len(way) > 8
            for scheme in ("dark", "light"):
                theme_of(application).choose(scheme)
                yield from moment()
                found = _without_a_mark(container.window, way)
                unseen.extend(f"{state}, {scheme}: {each}" for each in found)

    visit(script, connection=connection, api_key=access.api_key)
    assert unseen == []


def _without_a_mark(window: QWidget, way: list[QWidget]) -> list[str]:
    """The controls around which nothing changes when the keyboard comes."""
    found = []
    for control, following in zip(way, [*way[1:], way[0]], strict=True):
        control.setFocus(Qt.FocusReason.TabFocusReason)
        with_it = _around(window, control)
        following.setFocus(Qt.FocusReason.TabFocusReason)
        if with_it == _around(window, control):
            found.append(path(control))
    return found


def _around(window: QWidget, control: QWidget) -> QImage:
    place = control.rect().translated(control.mapTo(window, control.rect().topLeft()))
    return window.grab(place.adjusted(-4, -4, 4, 4)).toImage()
