"""What stands around the lists: header, sentence across the window, status bar, the ways."""

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)

from app.api.errors import Unreachable
from app.container import Container
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import shown
from app.tour.screen_reader import named, text_on_screen, visible
from app.tour.script import Script, Until, click, press, type_text
from app.viewmodels.notices import Notice, NoticeAction
from app.views.people.people_table import PeopleTableView
from app.views.people.person_pane import PersonPaneView
from app.views.widgets.pointer import KEYS_REST_MS
from app.views.window.main_window import MainWindow
from tests.end_to_end.steps import (
    CTRL,
    HoldFor,
    Visit,
    choose_in_menu,
    click_row,
    enter_with_key,
    gone,
    the,
    unfold,
    write,
)

ALT = Qt.KeyboardModifier.AltModifier


def keyboard() -> QWidget:
    """The widget that has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_the_demo_is_left_and_tried_again_with_its_sentence_its_ways_and_a_narrow_window(
    visit: Visit,
) -> None:
    def script(container: Container) -> Script:
        yield from first_page_keeps_its_place_and_what_was_typed_over_the_demo(container)
        # The sentence across the window leaves keyboard, pointer and presses to what was there.
        yield from leaves_the_keyboard_alone_and_gives_it_back(container)
        yield from waits_for_the_pointer_and_takes_no_press(container)
        yield from takes_no_press_that_came_in_the_place_of_another(container)
        # The ways lead back to where the keyboard was.
        yield from a_page_of_the_windows_own_is_left(container)
        yield from the_search_says_its_keys_and_is_cleared()
        yield from a_name_that_was_followed_leads_back()
        yield from in_a_narrow_window_the_details_lie_above_the_list(container)
        for size in (NARROW, QSize(944, 492), QSize(1180, 760)):
            yield from open_menu_at(container.window, size)

    visit(script)


def leaves_the_keyboard_alone_and_gives_it_back(container: Container) -> Script:
    press(Qt.Key.Key_N, CTRL)
    line = keyboard()
    write("Zora Ne")
    trouble = Unreachable("No connection", "No connection to somewhere.", details="dns")
    container.session_screen.report(trouble)
    yield shown("No connection to somewhere.", "Copy details", "Close")
    assert keyboard() is line
    type_text("ale")
    press(Qt.Key.Key_F6)
    assert keyboard() is the("Copy details")
    press(Qt.Key.Key_Return)
    assert QApplication.clipboard().text() == "dns"
    yield shown("Copied")
    press(Qt.Key.Key_Tab)
    assert keyboard() is the("Close")
    press(Qt.Key.Key_Escape)
    yield gone("No connection to somewhere.")
    assert keyboard() is line
    assert isinstance(line, QLineEdit)
    assert line.text() == "Zora Neale"
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Backspace)


def waits_for_the_pointer_and_takes_no_press(container: Container) -> Script:
    window, screens = container.window, container.window.screens
    assert screens is not None
    (table,) = visible(QTableView)
    assert isinstance(table, QTableView)

    def place() -> QPoint:
        return table.viewport().mapTo(window, QPoint(0, 0))

    def point(right: int) -> None:
        QCursor.setPos(table.viewport().mapToGlobal(QPoint(60 + right, 90)))

    point(0)
    before = place()
    container.session_screen.report(Unreachable("No connection", "No connection."))
    for right in range(1, 10):
        point(right)
        yield from moment(0.05)
        assert not window.banner.isVisible()
        assert place() == before
    yield Until("the sentence", window.banner.isVisible, settled=False)
    click(table.viewport(), QPoint(60, 90))
    assert place() != before
    assert screens.people.chosen_person is None
    yield from moment(0.5)
    click(table.viewport(), QPoint(60, 90))
    assert screens.people.chosen_person is not None


def takes_no_press_that_came_in_the_place_of_another(container: Container) -> Script:
    banner, session = container.window.banner, container.session_screen
    session.say(Notice("One.", NoticeAction.SIGN_IN_AGAIN))
    yield shown("One.")
    yield from moment(0.5)
    close = the("Close")
    QCursor.setPos(close.mapToGlobal(close.rect().center()))
    answered: list[bool] = []
    session.say_until_read(Notice("Two.", first=True), lambda: answered.append(True))
    click(close)
    click(close)
    assert answered == []
    yield shown("Two.")
    yield from moment(0.5)
    assert banner.isVisible()
    click(the("Close"))
    assert answered == [True]


def test_an_account_is_left_and_offered_found_again_and_leads_to_whoever_waits_and_to_a_list(
    visit: Visit, service: DemoServer, hold_for: HoldFor
) -> None:
    hold_for(30)
    access = service.start()

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        yield from account_that_was_left_is_offered_and_asks_only_for_its_key(container, access)
        yield from service_that_is_back_is_found_by_trying_now(service)
        yield from status_bar_leads_to_whoever_waits()
        yield from strip_stays_under_the_pointer(container)

    visit(script)


def account_that_was_left_is_offered_and_asks_only_for_its_key(
    container: Container, access: DemoAccess
) -> Script:
    press(Qt.Key.Key_N, CTRL)
    container.window.sign_out_wanted.emit()
    yield shown("Sign in to Riverside again")
    button = the("Sign in to Riverside again")
    assert keyboard() is button
    # For the line that was there before: a pause in between is part of it.
    for typed in ("Zed Typed ", "z@e.org"):
        yield from moment(0.1)
        type_text(typed)
    press(Qt.Key.Key_Return)
    assert keyboard() is button
    yield from moment(KEYS_REST_MS / 1000 + 0.1)
    # A longer one, and a blank that leads to the key: nor is the rest of it any.
    type_text(" Typed")
    key = the("API key, to use an API key", QLineEdit)
    yield Until("the key's field having the keyboard", lambda: keyboard() is key)
    press(Qt.Key.Key_Return)
    assert isinstance(key, QLineEdit)
    assert key.text() == ""
    assert not container.session_screen.state.busy
    click(button)
    yield Until("the key's field having the keyboard", lambda: keyboard() is key)
    type_text(access.api_key)
    press(Qt.Key.Key_Return)
    yield shown("Signed in", "80 people", "Up to date")


def service_that_is_back_is_found_by_trying_now(service: DemoServer) -> Script:
    service.stop()
    press(Qt.Key.Key_F5)
    yield shown("Offline, as of", "Try now", "80 people")
    click(the("Try now"))
    yield shown("could not reach")
    service.start()
    click(the("Try now"))
    yield shown("Signed in", "Up to date")
    yield gone("Offline, as of")
    yield gone("could not reach")


def status_bar_leads_to_whoever_waits() -> Script:
    press(Qt.Key.Key_N, CTRL)
    write("Zora Neale")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_2, CTRL)
    yield shown("6 steps", "1 waiting")
    the("1 waiting").setFocus()
    press(Qt.Key.Key_Return)
    yield shown("Zora Neale", "Typed")
    press(Qt.Key.Key_Z, CTRL)
    yield gone("1 waiting")
    # What was taken back stands in the line.
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Backspace)


def strip_stays_under_the_pointer(container: Container) -> Script:
    QGuiApplication.clipboard().setText("First name\tLast name\nIolo\tPrydderch\n")
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_V, CTRL)
    yield shown("Add 1 person")
    press(Qt.Key.Key_Return)
    yield shown("not sent yet", "Take back")
    window, button = container.window, the("Take back")

    def place() -> QPoint:
        return button.mapTo(window, QPoint())

    def point(right: int) -> None:
        QCursor.setPos(button.mapToGlobal(QPoint(4 + right, 10)))

    def has_left(before: QPoint) -> bool:
        return place() != before

    def press_there() -> None:
        QTest.mouseClick(
            window.windowHandle(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            window.mapFromGlobal(QCursor.pos()),
        )

    long = "The service takes its time today, and nobody knows how long it will be. " * 4
    for said in (Notice(long), None):
        point(0)
        before = place()
        container.session_screen.say(said)
        for right in range(1, 8):
            point(right)
            yield from moment(0.05)
            assert place() == before
        yield Until("it has moved", partial(has_left, before), settled=False)
        press_there()
        yield from moment(0.5)
        assert window.banner.isVisible() is bool(said)
        yield shown("not sent yet", "Take back")
    click(button)
    yield shown("Add 1 person")


def a_page_of_the_windows_own_is_left(container: Container) -> Script:
    press(Qt.Key.Key_N, CTRL)
    line = keyboard()
    assert isinstance(line, QLineEdit)
    page = QLineEdit("A page")
    container.window.show_page(page)
    yield shown("A page")
    assert named("Clear the search") is None
    page.setFocus()
    container.window.leave_page()
    yield gone("A page")
    assert keyboard() is line
    container.window.show_page(page)
    press(Qt.Key.Key_F, CTRL)
    yield gone("A page")


def the_search_says_its_keys_and_is_cleared() -> Script:
    yield shown("Ctrl+F")
    for clear in (by_click, by_key):
        press(Qt.Key.Key_F, CTRL)
        write("grace l")
        yield shown("1 of 80")
        assert "Ctrl+F\n" not in text_on_screen()
        clear()
        yield shown("80 people")
        assert isinstance(keyboard(), QLineEdit)
    press(Qt.Key.Key_Down)
    assert not isinstance(keyboard(), QLineEdit)


def by_click() -> None:
    click(the("Clear the search", QToolButton))


def by_key() -> None:
    press(Qt.Key.Key_Escape)


def a_name_that_was_followed_leads_back() -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield shown("Newcomers", "6 steps")
    click_row("Newcomers")
    yield shown("Welcome call", "Grace Lindqvist")
    followed = the("Administrator Grace Lindqvist", QPushButton)
    click(followed)
    yield shown("grace@lindqvist.example", "Back to Newcomers")
    press(Qt.Key.Key_Left, ALT)
    yield shown("Welcome call")
    yield Until("the name having the keyboard", lambda: keyboard() is followed)
    press(Qt.Key.Key_1, CTRL)
    yield gone("Back to Newcomers")


def first_page_keeps_its_place_and_what_was_typed_over_the_demo(container: Container) -> Script:
    yield shown("Welcome to Front Desk")
    the_window_can_be_put_where_it_was(container.window)
    unfold()
    click(the("Address", QLineEdit))
    write("riverside.example.org")
    click(the("Try the demo account"))
    yield shown("80 people", "Up to date")
    assert "Sign out" not in text_on_screen()
    yield from choose_in_menu(container, "Sign out")
    yield shown("Welcome to Front Desk", "riverside.example.org")
    click(the("Try the demo account"))
    yield shown("Demo account", "80 people", "Up to date")


def the_window_can_be_put_where_it_was(window: MainWindow) -> None:
    usual = window.size()
    window.resize(1000, 650)
    place = window.sizes.geometry_text()
    window.resize(930, 610)
    assert window.sizes.restore_geometry(place)
    assert (window.width(), window.height()) == (1000, 650)
    assert not window.sizes.restore_geometry("no such place")
    assert (window.width(), window.height()) == (1000, 650)
    assert named("Read both lists again") is None
    window.resize(usual)


NARROW = QSize(784, 552)
"""As much of a screen of 800 x 600 as its frame leaves."""


def in_a_narrow_window_the_details_lie_above_the_list(container: Container) -> Script:
    details, people = pane(container), container.window.findChild(PeopleTableView)
    assert people is not None
    container.window.resize(NARROW)
    yield Until("the list alone", lambda: not details.isVisible())
    width = people.width()
    press(Qt.Key.Key_F, CTRL)
    write("grace lindqvist")
    yield shown("1 of 80")
    press(Qt.Key.Key_Down)
    assert not details.isVisible()
    press(Qt.Key.Key_Return)
    yield Until("the details", lambda: details.isAncestorOf(keyboard()))
    assert people.width() == width
    assert container.window.rect().contains(
        QRect(details.mapTo(container.window, QPoint()), details.size())
    )
    press(Qt.Key.Key_Escape)
    assert keyboard() is people
    assert not details.isVisible()
    click_row("grace@lindqvist.example")
    assert details.isVisible()
    click(the("Close the details"))
    assert keyboard() is people
    assert not details.isVisible()
    press(Qt.Key.Key_Return)
    assert details.isAncestorOf(keyboard())
    container.window.resize(1180, 760)
    yield Until("both beside each other", lambda: people.width() < details.x())
    assert named("Close the details") is None
    assert "grace@lindqvist.example" in text_on_screen()
    container.window.resize(NARROW)
    yield Until("them above once more", lambda: people.width() == width)
    assert details.isAncestorOf(keyboard())
    press(Qt.Key.Key_Escape)
    yield from choose_first_and_clear()
    press(Qt.Key.Key_2, CTRL)
    click_row("Baptism")
    click(the("Ruth Adeyemi"))
    yield Until("whoever was followed", details.isVisible)
    press(Qt.Key.Key_Escape)
    yield Until("the list", lambda: not details.isVisible())


def choose_first_and_clear() -> Script:
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_Escape)
    yield shown("80 people")


def pane(container: Container) -> PersonPaneView:
    found = container.window.findChild(PersonPaneView)
    assert found is not None
    return found


def open_menu_at(window: MainWindow, size: QSize) -> Script:
    window.resize(size)
    yield Until("its size", lambda: window.size() == size)
    QTimer.singleShot(0, window.header.menu_button.showMenu)
    yield Until("the menu", lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    place = QRect(menu.pos(), menu.size())
    menu.close()
    assert QRect(window.mapToGlobal(QPoint()), window.size()).contains(place)


def moment(seconds: float) -> Script:
    end = time.monotonic() + seconds
    yield Until("a moment", lambda: time.monotonic() >= end, settled=False)


SMALL_SCREEN = """
import sys
import time
from pathlib import Path
from PySide6.QtCore import QSize
from app.application import make_application
from app.container import Container, StartOptions
from app.runtime.crash import CrashReporter

application = make_application()
window = Container(StartOptions(data_folder=Path(sys.argv[1])), CrashReporter("test")).window
first = window.size()
window.resize(QSize(1340, 768))
kept = window.sizes.geometry_text()
window.resize(first)
assert window.sizes.restore_geometry(kept)
print(first.width(), first.height(), window.width(), window.height())
"""
TITLE_BAR = 40


def test_on_a_small_screen_the_first_start_leaves_room_for_the_title_and_shows_the_bottom(
    tmp_path: Path,
) -> None:
    screen = {"name": "small", "x": 0, "y": 0, "width": 1366, "height": 768, "dpr": 1.0}
    dots = {"logicalDpi": 96, "logicalBaseDpi": 96}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [screen | dots]}))
    done = subprocess.run(
        [sys.executable, "-c", SMALL_SCREEN, str(tmp_path / "data")],
        env=os.environ | {"QT_QPA_PLATFORM": f"offscreen:configfile={tmp_path / 'screens.json'}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first_width, first_height, width, height = map(int, done.stdout.split())
    assert first_width == 1180
    assert first_height <= 768 - TITLE_BAR
    assert width <= 1366
    assert height <= 768 - TITLE_BAR
