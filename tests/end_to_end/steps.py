"""Steps that several visits share: how a member of staff gets in and what they do first."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from app.container import Container
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import click_on_page, shown
from app.tour.screen_reader import (
    Page,
    named,
    row_place,
    stands_on_screen,
    text_on_screen,
    visible,
    web_view,
)
from app.tour.script import Script, Until, click, press, type_text

Visit = Callable[..., Container]
"""Opens the window with the given start options and runs a script in front of it."""
Serve = Callable[..., DemoServer]
"""Makes a demo service with the given options."""
HoldFor = Callable[[int], None]
"""Sets how many seconds a new entry is held."""
CTRL = Qt.KeyboardModifier.ControlModifier


def the(name: str, kind: type[QWidget] = QPushButton) -> QWidget:
    """The visible widget of that name."""
    widget = named(name, kind)
    assert widget is not None, f"no {kind.__name__} named {name} on:\n{text_on_screen()}"
    return widget


def fill(name: str, text: str) -> None:
    """Click into a field and paste over what is there, as who is sent an address or a key does."""
    click(the(name, QLineEdit))
    press(Qt.Key.Key_A, CTRL)
    QGuiApplication.clipboard().setText(text)
    press(Qt.Key.Key_V, CTRL)


def unfold(button: str = "Type them in", field: str = "Client ID") -> None:
    """Have the fields behind `button` on the first page, unless they are there."""
    if named(field, QLineEdit) is None:
        click(the(button))


def write(text: str) -> None:
    """Paste all but the last letter and press the key of that one: where it is looked at what
    stands there in the end, and not at what each key on the way does, which paints the window.
    """
    if text[:-1]:
        QGuiApplication.clipboard().setText(text[:-1])
        press(Qt.Key.Key_V, CTRL)
    type_text(text[-1:])


def gone(text: str) -> Until:
    """Wait until this is no longer on the screen."""
    return Until(f"no more {text}", lambda: not stands_on_screen(text))


def enter_with_key(access: DemoAccess, key: str | None = None, name: str = "Riverside") -> Script:
    """Sign in with an API key by the form on the first page."""
    yield shown("Use an API key")
    unfold("Use an API key", "API key, to use an API key")
    key = access.api_key if key is None else key
    typed = {"Name": name, "Address": access.base_url, "API key": key}
    for field, text in typed.items():
        # Who is kept is told there a moment later, and a press is not for what that has moved.
        yield Until("nothing moving", lambda: True)
        fill(f"{field}, to use an API key", text)
    click(the("Use this key"))


def open_account_page(access: DemoAccess) -> Script:
    """Fill the first page and open the account's page."""
    yield from ask_for_account_page(access)
    yield Until("the embedded browser", lambda: web_view() is not None)


def ask_for_account_page(access: DemoAccess) -> Script:
    """Fill the first page and press its button, whatever comes of it."""
    yield shown("Welcome to Front Desk")
    unfold()
    fill("Address", access.base_url)
    fill("Client ID", access.client_id)
    fill("Redirect address", access.redirect_uri)
    click(the("Sign in"))


def sign_in_on_page(page: Page, user: str, password: str) -> Script:
    """Type user and password into the account's page and press its button."""
    yield Until("the sign-in page", lambda: page.says("Sign in"))
    yield from click_on_page("input[name=user]")
    press(Qt.Key.Key_A, CTRL)
    type_text(user)
    yield from click_on_page("input[name=password]")
    type_text(password)
    yield from click_on_page("button", "Sign in")


def click_row(text: str) -> None:
    """Click the first row of a list or table in which this text is seen."""
    for view in visible(QAbstractItemView):
        assert isinstance(view, QAbstractItemView)
        place = row_place(view, text)
        if place is not None:
            click(view.viewport(), place)
            return
    raise AssertionError(f"no row with {text} on:\n{text_on_screen()}")


def choose_in_menu(container: Container, words: str) -> Script:
    """Open the menu beside the search and choose an entry by keyboard."""
    menu = container.window.findChild(QMenu)
    assert isinstance(menu, QMenu)
    menu_button = named("Menu", QToolButton)
    assert menu_button is not None

    # The menu runs a loop of its own while it is open: the keys that choose come through a timer.
    def choose() -> None:
        # What it offers is known once it is open.
        offered = [one for one in menu.actions() if one.isVisible() and not one.isSeparator()]
        for _ in range([action.text() for action in offered].index(words) + 1):
            QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(200, choose)
    click(menu_button)
    yield Until("the menu closing", lambda: not menu.isVisible())
