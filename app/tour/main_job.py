"""The main job as a script, station by station: what is done and seen, whoever runs it."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from urllib.request import Request, urlopen

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QPushButton, QTabBar, QWidget

from app.demo.server import DemoAccess
from app.runtime.words import in_a_row, tr, trn
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
from app.viewmodels.formatting import number
from app.views.look.theme import DARK, tokens
from app.views.widgets.chips import Chip

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
    yield from _small(picture)
    yield from _settings(picture)
    yield from _in_the_dark(picture)


def _first_start(access: DemoAccess, picture: Callable[[str], object]) -> Script:
    yield shown(tr("Open a connection file"), tr("Try the demo account"), tr("Use an API key"))
    picture("first-start")
    click(_the(tr("Type them in"), QPushButton))
    yield Until(tr("the fields"), lambda: named(tr("Client ID"), QLineEdit) is not None)
    for name, text in (
        (tr("Name"), "Riverside Community"),
        (tr("Address"), access.base_url),
        (tr("Client ID"), access.client_id),
        (tr("Redirect address"), access.redirect_uri),
    ):
        field = _the(name, QLineEdit)
        click(field)
        press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        type_text(text)
    yield shown(access.base_url, access.client_id)
    click(_the(tr("Sign in"), QPushButton))


def _account_page(page: Page, access: DemoAccess, picture: Callable[[str], object]) -> Script:
    yield Until(tr("the account's page"), lambda: page.says("Sign in"))
    yield from click_on_page("input[name=user]")
    type_text(access.user)
    yield from click_on_page("input[name=password]")
    type_text(access.password)
    yield from _let_paint()
    picture("account-page")
    yield from click_on_page("button", "Sign in")


def _consent(page: Page, picture: Callable[[str], object]) -> Script:
    yield Until(tr("the consent page"), lambda: page.says("Allow") and page.says("Refuse"))
    yield from _let_paint()
    picture("consent")
    yield from click_on_page("button", "Allow")
    yield Until(tr("the browser closing"), lambda: web_view() is None)


def _people(picture: Callable[[str], object]) -> Script:
    yield shown(tr("Signed in"), _people_in_all(240), _up_to_date())
    picture("people")


def _quick_add(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_text(NEWCOMER)
    yield shown("Noor", "van der Berg", "noor@riverside.example")
    picture("quick-add")
    press(Qt.Key.Key_Return)
    yield shown("Noor van der Berg", tr("waiting"))
    picture("waiting")
    yield Until(tr("the new person in the list"), lambda: _people_in_all(241) in text_on_screen())
    press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    type_text("noor van der")
    yield Until(tr("the new person found"), lambda: _found(1, 241) in text_on_screen())
    picture("in-the-list")
    press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_Delete)
    yield shown(_people_in_all(241))


def _already_here(picture: Callable[[str], object]) -> Script:
    """Somebody who is there already: told while they are typed, and asked about at Enter."""
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    type_text("Grace Lindquist grace@lindqvist.example")
    yield shown(tr("Already here?"), "Grace Lindqvist", tr("same email"))
    press(Qt.Key.Key_Return)
    yield shown(tr("Enter again adds a second one. Once sent, nobody can be taken back."))
    yield from _let_paint()
    picture("already-here")
    press(Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    yield Until(tr("the person beside the list"), lambda: _opened("Grace Lindqvist"))
    press(Qt.Key.Key_Escape)
    yield Until(tr("the line once more"), lambda: tr("Already here?") in text_on_screen())
    press(Qt.Key.Key_Escape)
    yield shown(tr("Not added. Press Up to bring it back."))


def _maybe_twice(picture: Callable[[str], object]) -> Script:
    """Who is in the account twice by now, side by side, and back to the list."""
    yield from _click_on_chip(rf"{re.escape(tr('Maybe twice'))} \d")
    yield shown(_each_is_one(), tr("Not the same person"))
    yield from _let_paint()
    picture("maybe-twice")
    yield from _click_on_chip(re.escape(tr("Everybody")))
    gone = _each_is_one()
    yield Until(tr("the list once more"), lambda: gone not in text_on_screen())


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
    yield shown(
        tr("already here"), tr("email looks wrong"), tr("needs a name"), tr("twice in this list")
    )
    yield shown(
        tr("from “{origin}”", origin="John & Mary Smith"),
        in_a_row(("Grace Lindqvist", tr("same email"))),
        _adds(8),
    )
    press(Qt.Key.Key_Down)
    for _ in range(3):
        press(Qt.Key.Key_Down)
    yield from _let_paint()
    picture("review")
    press(Qt.Key.Key_M, Qt.KeyboardModifier.AltModifier)
    yield shown("zoe@gmail.com", _adds(9))
    press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    yield shown(_adds(8))
    click(_the(tr("Discard"), QPushButton))
    yield shown(_people_in_all(241))


def _opened(name: str) -> bool:
    """Whether the card beside the list shows somebody of this name, and the line has no keys."""
    return tr("Already here?") not in text_on_screen() and text_on_screen().count(name) > 1


def _flows(picture: Callable[[str], object]) -> Script:
    tabs = next(w for w in visible(QTabBar) if isinstance(w, QTabBar))
    click(tabs, tabs.tabRect(1).center())
    yield shown(tr("Newcomers"), _steps(6))
    yield from _click_row(tr("Newcomers"))
    yield shown(
        tr("Welcome call"), "Grace Lindqvist", tr("nobody administers this step"), tr("pending")
    )
    yield from _let_paint()
    picture("flows")


def _by_person(picture: Callable[[str], object]) -> Script:
    """All that one of them has, and what is left if they are away."""
    press(Qt.Key.Key_2)
    yield from _click_row("Ruth Adeyemi")
    yield shown(
        in_a_row(
            (
                _steps(4),
                trn("{n} whole flow", "{n} whole flows", 2),
                trn("in {n} flow", "in {n} flows", 3),
            )
        ),
        tr("alone on {count}", count=number(3)),
        tr("Preparation evenings"),
        tr("Baptism"),
    )
    away = tr("If {name} is away", name="Ruth")
    click(_the(away, QPushButton))
    yield shown(tr("Show everything"))
    click(_the(tr("Show everything"), QPushButton))
    yield shown(tr("Preparation evenings"), tr("with {names}", names="Pieter de Vries"))
    yield from _let_paint()
    picture("by-person")
    press(Qt.Key.Key_1)
    yield shown(tr("nobody administers this step"))


def _gaps(picture: Callable[[str], object]) -> Script:
    """What is missing in all flows, and from one gap to its step and back."""
    press(Qt.Key.Key_3)
    yield shown(
        _begun(tr("nobody administers this step")),
        in_a_row((tr("archived"), tr("deceased"))),
        _begun(tr("no steps yet")),
    )
    yield from _let_paint()
    picture("gaps")
    press(Qt.Key.Key_Return)
    back = tr("Back to {view}", view=tr("Gaps"))
    yield shown(back, tr("Coffee with staff"))
    press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    yield Until(tr("the gaps again"), lambda: back not in text_on_screen())
    press(Qt.Key.Key_1)
    yield shown(tr("Newcomers"), tr("Welcome call"), "Grace Lindqvist")


def _person(picture: Callable[[str], object]) -> Script:
    click(_the("Grace Lindqvist", QPushButton))
    yield shown("grace@lindqvist.example", tr("Administers"), tr("Newcomers"))
    yield from _let_paint()
    picture("person")


def _search(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    type_text("siobhan")
    yield shown("Siobhán Ní Dhomhnaill", _found(1, 241))
    yield from _let_paint()
    picture("search")
    press(Qt.Key.Key_Escape)
    yield shown(_people_in_all(241))


def _on_its_way(picture: Callable[[str], object]) -> Script:
    """A longer list is added, looked at while it goes, and told row by row."""
    QGuiApplication.clipboard().setText(LUNCH)
    press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    yield shown(_adds(_ADDED))
    press(Qt.Key.Key_Return)
    yield shown(
        _added_of_all(number(0)),
        tr("not sent yet, Ctrl+Z takes all of them back"),
        tr("Take back"),
    )
    yield Until(tr("some of them added"), _some_are_added)
    picture("progress")
    yield shown(_added_of_all(number(_ADDED)))
    click(_the(tr("See each"), QPushButton))
    yield shown(
        tr("What became of the list"),
        f"{tr('Added')} {number(_ADDED)}",
        tr("{outcome}: {reason}", outcome=tr("Left out"), reason=tr("email looks wrong")),
    )
    yield from _let_paint()
    picture("result")
    press(Qt.Key.Key_Escape)
    yield shown(tr("Close"))
    click(_the(tr("Close"), QPushButton))
    yield shown(_people_in_all(_LATER))


def _added_of_all(added: str) -> str:
    return trn("{added} of {n} added", "{added} of {n} added", _ADDED, added=added)


def _some_are_added() -> bool:
    added = re.search(re.escape(_added_of_all("\0")).replace("\0", r"(\d+)"), text_on_screen())
    return added is not None and int(added[1]) >= _MIDWAY


def _what_is_new(access: DemoAccess, picture: Callable[[str], object]) -> Script:
    """Somebody else has added people meanwhile: the status bar says so, and leads to it."""
    for name in _BY_OTHERS:
        add_elsewhere(access.base_url, access.api_key, name)
    press(Qt.Key.Key_F5)
    yield shown(
        _people_in_all(_LATER + len(_BY_OTHERS)),
        trn("{n} person new", "{n} people new", len(_BY_OTHERS)),
    )
    press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    yield shown(f"{tr('What is new')} {number(len(_BY_OTHERS))}")
    press(Qt.Key.Key_4)
    yield shown(
        tr("{many} came", many=_people_in_all(len(_BY_OTHERS))),
        tr("People added"),
        tr("{many} added here", many="").strip(),
        tr("{n} this month", n="").strip(),
    )
    yield from _let_paint()
    picture("what-is-new")
    press(Qt.Key.Key_1)
    press(Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    yield shown(_people_in_all(_LATER + len(_BY_OTHERS)), _up_to_date())


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


def _small(picture: Callable[[str], object]) -> Script:
    """The window beside the mail, with somebody half typed, and the large one again."""
    other_size = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(Qt.Key.Key_M, other_size)
    yield shown(tr("Large window"), "Noor van der Berg", tr("Above other windows"))
    type_text("Ewa Wojcik ewa@riverside.example")
    yield shown("Wojcik", "ewa@riverside.example")
    yield from _let_paint()
    picture("small")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_M, other_size)
    yield shown(_people_in_all(_LATER + len(_BY_OTHERS)), _up_to_date())


def _settings(picture: Callable[[str], object]) -> Script:
    press(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    yield shown(tr("Settings"), tr("Order of names"), tr("Accounts on this computer"))
    yield from _let_paint()
    picture("settings")
    # From light, or from what the system has, to dark: the last of the three.
    onward = Qt.Key.Key_Left if QGuiApplication.isRightToLeft() else Qt.Key.Key_Right
    press(onward)
    press(onward)


def _in_the_dark(picture: Callable[[str], object]) -> Script:
    yield Until(tr("the dark theme"), lambda: tokens() == DARK)
    press(Qt.Key.Key_Escape)
    yield shown(_people_in_all(_LATER + len(_BY_OTHERS)), _up_to_date())
    yield from _let_paint()
    picture("people-dark")
    press(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    yield shown(tr("Newcomers"), _steps(6), tr("nobody administers this step"))
    yield from _let_paint()
    picture("flows-dark")


def _people_in_all(count: int) -> str:
    return trn("{n} person", "{n} people", count)


def _up_to_date() -> str:
    return tr("Up to date, {time}", time="").strip(", ")


def _found(count: int, among: int) -> str:
    return tr("{shown} of {all}", shown=number(count), all=number(among))


def _adds(count: int) -> str:
    return trn("Add {n} person", "Add {n} people", count)


def _steps(count: int) -> str:
    return trn("{n} step", "{n} steps", count)


def _each_is_one() -> str:
    return tr(
        "Each of these is likely one person. Front Desk cannot merge them: copy or save the list "
        "for whoever does so on the account's own page."
    )


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def shown(*texts: str) -> Until:
    """Wait until all of these stand on the screen."""

    return Until(", ".join(texts), partial(stands_on_screen, *texts))


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
    yield Until(tr("the next pictures"), lambda: next(looks, None) is None)
