"""Pages that stand before or beside the lists: every control has a name, Tab reaches it in order,
and who has the keyboard can be seen.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, click, press
from app.views.look.theme import theme_of
from tests.end_to_end.layout_rules import path
from tests.end_to_end.layout_states import STATES, moment
from tests.end_to_end.spoken import nameless
from tests.end_to_end.steps import Visit, choose_in_menu, enter_with_key, the, unfold
from tests.end_to_end.tab_round import problems_of, tab_round

REACH = {state.name: state.reach for state in STATES}
Way = Callable[[Container, DemoAccess], Script]


def first_start(_container: Container, _access: DemoAccess) -> Script:
    yield shown("Welcome to Front Desk")


def fields_of_both_ways(container: Container, access: DemoAccess) -> Script:
    yield from first_start(container, access)
    unfold("Use an API key", "API key, to use an API key")
    unfold()
    yield shown("Client ID", "Use this key")


def help_for_the_administrator(container: Container, access: DemoAccess) -> Script:
    yield from first_start(container, access)
    click(the("For the administrator"))
    yield shown("Save a connection file")


def known_accounts(container: Container, access: DemoAccess) -> Script:
    yield from _signed_in(access)
    yield from choose_in_menu(container, "Sign out")
    yield shown("Sign in to Riverside again")


def question_before_forgetting(container: Container, access: DemoAccess) -> Script:
    yield from _signed_in(access)
    yield from REACH["settings"](container)
    yield shown("Forget this account")
    the("Forget this account").setFocus()
    press(Qt.Key.Key_Return)
    yield shown("Keep it")


def _signed_in(access: DemoAccess) -> Script:
    yield from enter_with_key(access)
    yield shown("80 people", "Up to date")


PAGES: dict[str, Way] = {
    "first start": first_start,
    "fields of both ways": fields_of_both_ways,
    "help for the administrator": help_for_the_administrator,
    "known accounts": known_accounts,
    "question before forgetting": question_before_forgetting,
}


@pytest.mark.parametrize("page", PAGES)
def test_every_control_of_a_page_has_a_name_and_tab_reaches_it_in_order(
    visit: Visit, access: DemoAccess, page: str
) -> None:
    wrong: list[str] = []

    def script(container: Container) -> Script:
        yield from PAGES[page](container, access)
        yield from moment()
        start = QApplication.focusWidget()
        assert start is not None
        wrong.extend(nameless(container.window))
        wrong.extend(problems_of(container.window, tab_round(start)))

    visit(script)
    assert wrong == []


def test_enter_opens_the_window_s_menu_and_every_entry_in_it_has_a_name(
    visit: Visit, access: DemoAccess
) -> None:
    wrong: list[str] = ["never opened"]

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        wrong[:] = nameless(menu)
        wrong.extend("blank" for a in menu.actions() if not a.isSeparator() and not a.text())
        menu.close()

    def script(container: Container) -> Script:
        yield from _signed_in(access)
        the("Menu", QToolButton).setFocus()
        # The menu runs a loop of its own while it is open: it is looked at through a timer.
        QTimer.singleShot(200, container.window, look)
        press(Qt.Key.Key_Return)
        yield from moment()

    visit(script)
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("states", [["people", "somebody chosen"], ["people", "first flow"]])
def test_wherever_tab_leads_the_window_shows_it(
    visit: Visit, access: DemoAccess, tmp_path: Path, scheme: str, states: list[str]
) -> None:
    """Each control on the way looks another with the keyboard than without."""
    connection = tmp_path / "connection.json"
    write_connection(connection, ConnectionDetails(name="Riverside", base_url=access.base_url))
    unseen: list[str] = []

    def script(container: Container) -> Script:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme_of(application).choose(scheme)
        for state in states:
            yield from REACH[state](container)
        yield Until("the keyboard somewhere", lambda: QApplication.focusWidget() is not None)
        start = QApplication.focusWidget()
        assert start is not None
        way = tab_round(start)
        assert len(way) > 8
        unseen.extend(_without_a_mark(container.window, way))
        theme_of(application).choose("light")

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
