"""The main job from the first start to the last detail, station by station."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from urllib.request import Request, urlopen

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QPushButton, QTabBar, QWidget

from app.demo.server import DemoAccess
from app.tour.screen_reader import Page, named, row_place, text_on_screen, visible, web_view
from app.tour.script import Script, Until, click, press, type_text
from app.views.widgets.chips import Chip
from app.views.widgets.theme import DARK, tokens

SIGN_UP = """First name\tLast name\tEmail\tPhone
Ada\tLovelace\tada@example.org\t0410 220 118
Bob\tvan der Berg\tbob@riverside.example\t
Grace\tLindqvist\tgrace@lindqvist.example\t
Zoë\tMüller\tzoe@gmial.com\t
\t\tinfo@hall.example\t
Ada\tLovelace\tada@example.org\t
Tarek\tFarouk\ttarek@farouk.example\t0427 391 975
小明\t王\txm.wang@example.org\t
John & Mary\tSmith\tsmiths@example.org\t
Inge\tvan den Heuvel\tinge@example.net\t
Ida\tQuist\tida@quist.example\t0481 550 126
"""
_FAMILIES = ["Prydderch", "Halvorsen", "Quispe", "Abara", "Castellano", "Mbeki"]
LUNCH = "\n".join(
    (
        SIGN_UP,
        *(
            f"{first}\t{last}\t{first.lower()}@{last.lower()}.example\t"
            for last in _FAMILIES
            for first in ("Iolo", "Maren", "Tadeo")
        ),
    )
)
"""The same with a table full of people more: 26 of them can be added at once."""
_ADDED, _LATER = 26, 241 + 26
_BY_OTHERS = ("Ines Carvalho", "Tom Ashby", "Mei-Ling Chow")
"""Who is added on another computer while the window is open."""
_MIDWAY = 8
NEWCOMER = "Noor van der Berg noor@riverside.example"


def main_job(access: DemoAccess, picture: Callable[[str], object]) -> Script:
    """Sign in through the account's page, add somebody, and see who administers each step.

    `picture` is called once per station, with its name, when its text is on the screen.
    """
    yield from _first_start(access, picture)
    page = Page()
    yield from _account_page(page, access, picture)
    yield from _consent(page, picture)
    yield from _people(picture)
    yield from _quick_add(picture)
    yield from _already_here(picture)
    yield from _maybe_twice(picture)
    yield from _review(picture)
    yield from _flows(picture)
    yield from _by_person(picture)
    yield from _gaps(picture)
    yield from _person(picture)
    yield from _search(picture)
    yield from _on_its_way(picture)
    yield from _what_is_new(access, picture)
    yield from _settings(picture)
    yield from _in_the_dark(picture)


def _first_start(access: DemoAccess, picture: Callable[[str], object]) -> Script:
    yield shown("Welcome to Front Desk", "Try the demo account", "Use an API key")
    picture("first-start")
    for name, text in (
        ("Name", "Riverside Community"),
        ("Address", access.base_url),
        ("Client ID", access.client_id),
        ("Redirect address", access.redirect_uri),
    ):
        field = _the(name, QLineEdit)
        click(field)
        press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        type_text(text)
    yield shown(access.base_url, access.client_id)
    click(_the("Sign in", QPushButton))


def _account_page(page: Page, access: DemoAccess, picture: Callable[[str], object]) -> Script:
    yield Until("the account's page", lambda: page.says("Sign in"))
    yield from click_on_page("input[name=user]")
    type_text(access.user)
    yield from click_on_page("input[name=password]")
    type_text(access.password)
    yield from _let_paint()
    picture("account-page")
    yield from click_on_page("button", "Sign in")


def _consent(page: Page, picture: Callable[[str], object]) -> Script:
    yield Until("the consent page", lambda: page.says("Allow") and page.says("Refuse"))
    yield from _let_paint()
    picture("consent")
    yield from click_on_page("button", "Allow")
    yield Until("the browser closing", lambda: web_view() is None)


def _people(picture: Callable[[str], object]) -> Script:
    yield shown("Signed in", "240 people", "Up to date")
    picture("people")


def _quick_add(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_text(NEWCOMER)
    yield shown("Noor", "van der Berg", "noor@riverside.example")
    picture("quick-add")
    press(Qt.Key.Key_Return)
    yield shown("Noor van der Berg", "waiting")
    picture("waiting")
    yield Until("the new person in the list", lambda: "241 people" in text_on_screen())
    press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    type_text("noor van der")
    yield Until("the new person found", lambda: "1 of 241" in text_on_screen())
    picture("in-the-list")
    press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_Delete)
    yield shown("241 people")


def _already_here(picture: Callable[[str], object]) -> Script:
    """Somebody who is there already: told while they are typed, and asked about at Enter."""
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_text("Grace Lindquist grace@lindqvist.example")
    yield shown("Already here?", "Grace Lindqvist", "same email")
    press(Qt.Key.Key_Return)
    yield shown("Enter again adds a second one. Once sent, nobody can be taken back.")
    yield from _let_paint()
    picture("already-here")
    press(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    yield Until("the person beside the list", lambda: _opened("Grace Lindqvist"))
    press(Qt.Key.Key_Escape)
    yield Until("the line once more", lambda: "Already here?" in text_on_screen())
    press(Qt.Key.Key_Escape)
    yield shown("Put away and not added.")


def _maybe_twice(picture: Callable[[str], object]) -> Script:
    """Who is in the account twice by now, side by side, and back to the list."""
    yield from _click_on_chip(r"Maybe twice \d")
    yield shown("Each of these is likely one person.", "Not the same person")
    yield from _let_paint()
    picture("maybe-twice")
    yield from _click_on_chip("Everybody")
    gone = "Each of these is likely one person."
    yield Until("the list once more", lambda: gone not in text_on_screen())


def _click_on_chip(words: str) -> Script:
    chips: list[Chip] = []

    def is_there() -> bool:
        chips[:] = [c for c in visible(Chip) if isinstance(c, Chip) and re.match(words, c.text())]
        return bool(chips)

    yield Until(words, is_there)
    click(chips[0])


def _review(picture: Callable[[str], object]) -> Script:
    """A sign-up sheet copied from a spreadsheet: looked over, put right, and put away again."""
    QGuiApplication.clipboard().setText(SIGN_UP)
    press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    yield shown("already here", "email looks wrong", "needs a name", "twice in this list")
    yield shown("from “John & Mary Smith”", "Grace Lindqvist, same email", "Add 8 people")
    press(Qt.Key.Key_Down)
    for _ in range(3):
        press(Qt.Key.Key_Down)
    yield from _let_paint()
    picture("review")
    press(Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
    yield shown("zoe@gmail.com", "Add 9 people")
    press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    yield shown("Add 8 people")
    click(_the("Discard", QPushButton))
    yield shown("241 people")


def _opened(name: str) -> bool:
    """Whether the card beside the list shows somebody of this name, and the line has no keys."""
    return "Already here?" not in text_on_screen() and text_on_screen().count(name) > 1


def _flows(picture: Callable[[str], object]) -> Script:
    tabs = next(w for w in visible(QTabBar) if isinstance(w, QTabBar))
    click(tabs, tabs.tabRect(1).center())
    yield shown("Newcomers", "6 steps")
    yield from _click_row("Newcomers")
    yield shown("Welcome call", "Grace Lindqvist", "nobody administers this step", "pending")
    yield from _let_paint()
    picture("flows")


def _by_person(picture: Callable[[str], object]) -> Script:
    """All that one of them has, and what is left if they are away."""
    press(Qt.Key.Key_2)
    yield from _click_row("Ruth Adeyemi")
    yield shown(
        "4 steps, 2 whole flows, in 3 flows", "alone on 3", "Preparation evenings", "Baptism"
    )
    click(_the("If Ruth is away", QPushButton))
    yield shown("If Ruth is away: nobody for", "Show everything")
    click(_the("Show everything", QPushButton))
    yield shown("Preparation evenings", "with Pieter de Vries")
    yield from _let_paint()
    picture("by-person")
    press(Qt.Key.Key_1)
    yield shown("nobody administers this step")


def _gaps(picture: Callable[[str], object]) -> Script:
    """What is missing in all flows, and from one gap to its step and back."""
    press(Qt.Key.Key_3)
    yield shown("Nobody administers this step", "archived, deceased", "No steps yet")
    yield from _let_paint()
    picture("gaps")
    press(Qt.Key.Key_Return)
    yield shown("Back to Gaps", "Coffee with staff")
    press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    yield Until("the gaps again", lambda: "Back to Gaps" not in text_on_screen())
    press(Qt.Key.Key_1)
    yield shown("Newcomers", "Welcome call", "Grace Lindqvist")


def _person(picture: Callable[[str], object]) -> Script:
    click(_the("Grace Lindqvist", QPushButton))
    yield shown("grace@lindqvist.example", "Administers", "Newcomers")
    yield from _let_paint()
    picture("person")


def _search(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    type_text("siobhan")
    yield shown("Siobhán Ní Dhomhnaill", "1 of 241")
    yield from _let_paint()
    picture("search")
    press(Qt.Key.Key_Escape)
    yield shown("241 people")


def _on_its_way(picture: Callable[[str], object]) -> Script:
    """A longer list is added, looked at while it goes, and told row by row."""
    QGuiApplication.clipboard().setText(LUNCH)
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    yield shown(f"Add {_ADDED} people")
    press(Qt.Key.Key_Return)
    yield shown(f"0 of {_ADDED} added, not sent yet", "Take back")
    yield Until("some of them added", _some_are_added)
    picture("progress")
    yield shown(f"{_ADDED} of {_ADDED} added")
    click(_the("See each", QPushButton))
    yield shown("What became of the list", f"Added {_ADDED}", "Left out: email looks wrong")
    yield from _let_paint()
    picture("result")
    press(Qt.Key.Key_Escape)
    yield shown("Close")
    click(_the("Close", QPushButton))
    yield shown(f"{_LATER} people")


def _some_are_added() -> bool:
    added = re.search(r"(\d+) of \d+ added", text_on_screen())
    return added is not None and int(added[1]) >= _MIDWAY


def _what_is_new(access: DemoAccess, picture: Callable[[str], object]) -> Script:
    """Somebody else has added people meanwhile: the foot says so, and leads to it."""
    for name in _BY_OTHERS:
        add_elsewhere(access.base_url, access.api_key, name)
    press(Qt.Key.Key_F5)
    yield shown(f"{_LATER + len(_BY_OTHERS)} people", f"{len(_BY_OTHERS)} people new")
    press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    yield shown(f"What is new {len(_BY_OTHERS)}")
    press(Qt.Key.Key_4)
    yield shown(f"{len(_BY_OTHERS)} people came", "People added", "added here", "this month")
    yield from _let_paint()
    picture("what-is-new")
    press(Qt.Key.Key_1)
    press(Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    yield shown(f"{_LATER + len(_BY_OTHERS)} people", "Up to date")


def add_elsewhere(base_url: str, api_key: str, name: str) -> None:
    """As another computer would: no key of this window is pressed for it."""
    first, _, last = name.partition(" ")
    key = b64encode(f"{api_key}:".encode()).decode()
    asked = Request(  # noqa: S310 - the demo service's own address
        f"{base_url}/v1/people/create.json",
        json.dumps({"firstname": first, "lastname": last, "email": ""}).encode(),
        {"Authorization": f"Basic {key}", "Content-Type": "application/json"},
    )
    with urlopen(asked, timeout=10) as answer:  # noqa: S310
        answer.read()


def _settings(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    yield shown("Settings", "Order of names", "Accounts on this computer")
    yield from _let_paint()
    picture("settings")
    # From light, or from what the system has, to dark: the last of the three.
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Right)


def _in_the_dark(picture: Callable[[str], object]) -> Script:
    yield Until("the dark theme", lambda: tokens() == DARK)
    press(Qt.Key.Key_Escape)
    yield shown(f"{_LATER + len(_BY_OTHERS)} people", "Up to date")
    yield from _let_paint()
    picture("people-dark")
    press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    yield shown("Newcomers", "6 steps", "nobody administers this step")
    yield from _let_paint()
    picture("flows-dark")


def shown(*texts: str) -> Until:
    """Wait until all of these stand on the screen."""

    def stand_there() -> bool:
        on_screen = text_on_screen()
        return all(text in on_screen for text in texts)

    return Until(", ".join(texts), stand_there)


def _the(name: str, kind: type[QWidget]) -> QWidget:
    widget = named(name, kind)
    if widget is None:
        raise LookupError(f"no {kind.__name__} named {name} is on the screen")
    return widget


def click_on_page(selector: str, text: str = "") -> Script:
    """Click the first element of the account's page that matches, where it is seen."""
    # A page of its own: what an earlier look still answers is about where things were then.
    page = Page()
    found: list[QPoint] = []

    def seen() -> bool:
        place = page.place_of(selector, text)
        found.extend([place] if place is not None else [])
        return bool(found)

    yield Until(f"{selector} {text}".strip(), seen)
    click(web_view(), found[-1])
    yield from _let_paint()


def _click_row(text: str) -> Script:
    def places() -> Iterator[tuple[QAbstractItemView, QPoint]]:
        for view in visible(QAbstractItemView):
            if isinstance(view, QAbstractItemView):
                place = row_place(view, text)
                if place is not None:
                    yield view, place

    yield Until(f"a row with {text}", lambda: any(True for _ in places()))
    view, place = next(places())
    click(view.viewport(), place)


def _let_paint() -> Script:
    """A browser paints in a process of its own: give it a few looks' time."""
    looks = iter(range(8))
    yield Until("the next pictures", lambda: next(looks, None) is None)
