"""The menus of the Flows tab, asked for by the right button and by the keys, and Ctrl+C there."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.exporting.mail_list import COMMA, SEMICOLON
from app.viewmodels.flows.menu import FlowAction
from app.viewmodels.importing.review_state import RowAction
from app.viewmodels.menu_items import MenuItem
from app.views.flows.flow_menus import FlowMenus
from tests.viewmodels.conftest import ADA
from tests.views.flows.flows_page_fixture import FlowsPageFixture, Run, with_flows_page

SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
NO = Qt.KeyboardModifier.NoModifier


def right_click(widget: QWidget) -> None:
    """As the system tells of it, which Qt's own clicks leave out."""
    where = widget.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, widget.mapToGlobal(where), NO)
    QApplication.sendEvent(widget, event)


def menu() -> QMenu:
    found = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu)]
    (shown,) = [one for one in found if one.isVisible()]
    return shown


def words() -> list[str]:
    return [each.text() for each in menu().actions() if not each.isSeparator()]


def choose(text: str) -> None:
    shown = menu()
    action = next(each for each in shown.actions() if each.text() == text)
    shown.setActiveAction(action)
    QTest.keyClick(shown, Qt.Key.Key_Return)


def test_the_right_button_opens_the_menu_of_what_it_is_pressed_on(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        right_click(subject.pill("Ada Lovelace", 0))
        assert words()[0] == "Show Ada Lovelace"
        choose("Show Ada Lovelace")
        assert subject.followed == ["ada"]
        right_click(subject.cards[1])
        assert words()[0] == "Copy step"
        choose("Copy step")
        assert QGuiApplication.clipboard().text().splitlines()[1].startswith("2 Step of 2")
        nested = subject.cards[2].bodies[1]
        right_click(nested)
        choose("Copy step")
        assert QGuiApplication.clipboard().text().splitlines()[1:] == ["3.1 Seating: Bob Øst"]

    with_flows_page(run, work)


def test_several_addresses_of_somebody_stand_apart_as_the_settings_say(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        two = msgspec.structs.replace(ADA, email="ada@x.org, ada@y.org")
        await subject.account.list_people(two)
        screen = subject.screen
        await subject.account.until(lambda: screen.known.administrators.person("ada") == two)
        for separator in (COMMA, SEMICOLON):
            screen.separator = separator
            right_click(subject.pill("Ada Lovelace", 0))
            choose("Copy email")
            assert QGuiApplication.clipboard().text() == f"ada@x.org{separator}ada@y.org"

    with_flows_page(run, work)


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_Menu, NO), (Qt.Key.Key_F10, SHIFT)])
def test_the_menu_keys_open_it_where_the_keyboard_is(
    run: Run, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        written: list[object] = []
        subject.tab.write_wanted.connect(written.append)
        subject.tab.focus_flow()
        QTest.keyClick(subject.tab.list, key, modifiers)
        assert words()[0] == "Copy flow"
        choose("Write to everybody who runs the flow")
        pill = subject.pill("Bob Øst", 0)
        pill.setFocus()
        QTest.keyClick(pill, key, modifiers)
        assert words()[0] == "Show Bob Øst"
        menu().close()
        card = subject.cards[1]
        card.setFocus()
        QTest.keyClick(card, key, modifiers)
        choose("Write to everybody who runs the flow or a step")
        assert written == [("bob",), ("bob", "ada", "nobody-9abc", "eve")]

    with_flows_page(run, work)


def test_a_flow_is_wanted_as_a_picture_from_its_own_menu(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        wanted: list[object] = []
        subject.tab.picture_wanted.connect(wanted.append)
        subject.tab.focus_flow()
        QTest.keyClick(subject.tab.list, Qt.Key.Key_Menu)
        choose("Copy flow as a picture")
        right_click(subject.cards[1])
        choose("Copy flow as a picture")
        assert wanted == ["w", "w"]

    with_flows_page(run, work)


def test_copying_takes_the_flow_from_the_list_and_the_step_from_a_card(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.focus_flow()
        QTest.keyClick(subject.tab.list, Qt.Key.Key_C, CTRL)
        assert QGuiApplication.clipboard().text().startswith("Welcome\n5 steps")
        pill = subject.pill("Ada Lovelace", 0)
        pill.setFocus()
        QTest.keyClick(pill, Qt.Key.Key_C, CTRL)
        assert QGuiApplication.clipboard().text() == "Welcome\n1 Step of 1: Ada Lovelace, Bob Øst"

    with_flows_page(run, work)


def test_a_line_that_nothing_is_known_of_writes_to_nobody(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        menus = FlowMenus(subject.screen, subject.window)
        written: list[object] = []
        menus.write_wanted.connect(written.append)
        told = menus.row_menu_of_person("ada")
        assert told is not None
        _, act = told
        with pytest.raises(ValueError, match="REPAIR"):
            act(MenuItem("New", RowAction.REPAIR))
        act(MenuItem("Write an email", FlowAction.WRITE, "ada"))
        assert written == ["ada"]

    with_flows_page(run, work)


def test_beside_every_row_there_is_no_menu(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        below = QPoint(5, subject.tab.list.viewport().height() - 3)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse,
            below,
            subject.tab.list.viewport().mapToGlobal(below),
            NO,
        )
        QApplication.sendEvent(subject.tab.list.viewport(), event)
        assert not [m for m in QApplication.topLevelWidgets() if isinstance(m, QMenu)]

    with_flows_page(run, work)
