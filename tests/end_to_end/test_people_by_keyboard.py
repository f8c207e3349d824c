"""The People tab by keyboard in front of a real service: from the search to the flows and back."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, press, type_text
from app.views.people.people_table import PeopleTableView
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, gone, write

SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


def menu() -> QMenu | None:
    popup = QApplication.activePopupWidget()
    return popup if isinstance(popup, QMenu) else None


def choose(*path: str) -> Script:
    """Walk down the open menu to each of these lines, into those that open another."""
    for words in path:
        yield Until(f"a menu with {words}", partial(offered, words))
        opened = menu()
        assert opened is not None
        for _ in range(len(opened.actions())):
            press_in_menu(Key.Key_Down)
            active = opened.activeAction()
            if active.text() == words:
                break
        press_in_menu(Key.Key_Return)


def press_in_menu(key: Qt.Key) -> None:
    opened = menu()
    assert opened is not None
    QTest.keyClick(opened, key)


def offered(words: str) -> bool:
    opened = menu()
    return opened is not None and words in [action.text() for action in opened.actions()]


def headers() -> list[object]:
    """What stands above the columns of the list that has the keyboard."""
    view = QApplication.focusWidget()
    assert isinstance(view, PeopleTableView)
    return [view.model().headerData(each, Qt.Orientation.Horizontal) for each in range(5)]


def in_list() -> bool:
    return isinstance(QApplication.focusWidget(), PeopleTableView)


def test_from_the_search_through_the_list_to_the_detail_the_menu_and_a_flow_without_the_mouse(
    visit: Visit, access: DemoAccess
) -> None:
    """Sorted, typed ahead and copied on the way."""

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        press(Key.Key_Tab)
        while not in_list():
            press(Key.Key_Tab)
        type_text("grace l")
        yield shown("grace@lindqvist.example")
        press(Key.Key_2, CTRL | SHIFT)
        yield Until("the order", lambda: "Email ▴" in headers())
        press(Key.Key_C, CTRL)
        yield shown("1 row copied.")
        heading, row = QGuiApplication.clipboard().text().split("\n")
        assert heading.startswith("Name\tEmail\t")
        assert row.startswith("Grace Lindqvist\tgrace@lindqvist")
        assert QGuiApplication.clipboard().mimeData().hasHtml()
        press(Key.Key_F10, SHIFT)
        yield from choose("Copy email")
        yield shown("1 email address copied.")
        assert QGuiApplication.clipboard().text() == "grace@lindqvist.example"
        press(Key.Key_F, CTRL)
        write("grace lind")
        yield shown("1 of 80")
        press(Key.Key_Down)
        yield Until("the list", in_list)
        yield shown("grace@lindqvist.example", "Administers")
        press(Key.Key_Return)
        yield Until("the detail", lambda: isinstance(QApplication.focusWidget(), QAbstractButton))
        press(Key.Key_Escape)
        yield Until("the list", in_list)
        # Where the detail lies above the list, as on 1920 x 1080 at 200 %, Escape closes it also
        # from the header.
        container.window.resize(944, 492)
        yield gone("Administers")
        press(Key.Key_Return)
        yield shown("Administers")
        container.window.header.menu_button.setFocus()
        press(Key.Key_Escape)
        yield gone("Administers")
        assert in_list()
        press(Key.Key_Menu)
        yield from choose("Show in flows", "Newcomers")
        yield shown("Newcomers", "Welcome call")

    visit(script)
