"""The main states of the window once somebody is signed in, each reached from the one before.

Steps are found by what they do and never by their words, so they can be walked in any language.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from uuid import uuid4

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QListView,
    QProgressBar,
    QTableView,
)

from app.container import Container
from app.demo.credentials import API_KEY
from app.model.outbox import Doubt, EntryState
from app.runtime.words import tr
from app.tour.main_job import add_elsewhere
from app.tour.screen_reader import visible
from app.tour.script import Script, Until, click, press
from app.viewmodels.exporting.print_requests import PrintAllFlows
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.notices import Notice, NoticeAction
from app.viewmodels.outbox.entry_actions import what_happened
from app.viewmodels.people.table import state_words
from app.viewmodels.small_window.recent_entries import RecentEntriesState
from app.views.command_palette.command_palette import CommandPalette
from app.views.exporting.preview_page import PreviewPage
from app.views.flows.by_person_page import ByPersonPage
from app.views.flows.gaps_page import GapListView
from app.views.flows.people_added_chart import PeopleAddedChart
from app.views.flows.what_is_new_page import NewsListView
from app.views.help.help_page import HelpPage
from app.views.importing.progress import ProgressStrip
from app.views.importing.result import ResultPage
from app.views.importing.review_list import ReviewList
from app.views.settings.about import AboutPage
from app.views.small_window.small_page import SmallPage
from app.views.widgets.already_here import AlreadyHere
from tests.end_to_end.steps import CTRL, write

LONG_PERSON = (
    "Maximiliane-Konstantina von Hohenzollern-Sigmaringen "
    "maximiliane.konstantina.von.hohenzollern@gemeinde-am-stadtrand.example"
)
NOTICE = Notice(
    "The service could not be reached, and nobody knows yet whether two people were added.",
    NoticeAction.COPY_DETAILS,
    details="details",
)
LONG_NOTICE = Notice(
    "The service asks for a pause because it had many requests. Try again in a minute; what you "
    "typed is kept. It says: Too many requests. Please wait a moment.",
    NoticeAction.COPY_DETAILS,
    details="details",
)
"""Two lines of a small window."""
NEEDED = Notice(
    "2 people need you: Maximiliane-Konstantina von Hohenzollern and Grace Lindqvist.",
    NoticeAction.SHOW_NEEDED,
)
LIST = (
    "First name\tLast name\tEmail\tPhone number of the parents\tNotes\n"
    "Maximiliane-Konstantina\tvon Hohenzollern-Sigmaringen\tmaximiliane@gmial.com\t0410 220 118\n"
    "John & Mary\tSmith\tsmiths@example.org\t\tvegetarian\n"
    "Grace\tLindqvist\tgrace@lindqvist.example\t\t\n"
    "\t\tinfo@hall.example\t\t\n"
    "John\tSmith\tsmiths@example.org\t\t\n"
)
"""Copied rows, with something to be said of each."""
_INSIDE = 14
MANY = 60
"""More rows than any search leaves."""


@dataclass(frozen=True)
class State:
    """A state and the way to it from the state before."""

    name: str
    reach: Callable[[Container], Script]
    once: bool = False
    """Looked at in the smallest sizes only."""
    small: bool = False
    """In the small window, and looked at in sizes of that."""


def _people(_container: Container) -> Script:
    # While they are read the status bar says so, which moves what stands there.
    yield Until("people", lambda: _rows(QTableView) > MANY and not any(visible(QProgressBar)))


def _somebody(_container: Container) -> Script:
    yield from _search_people("grace lindqvist", 1)
    yield from _choose_first()


def _nobody(_container: Container) -> Script:
    yield from _search_people("zzzz", 0)


def _typing(_container: Container) -> Script:
    yield from _search_people("", MANY)
    yield from _type_over(LONG_PERSON)


def _telephone(_container: Container) -> Script:
    yield from _type_over("Noor noor@gmial.com 0400 771 020")


def _already_here(_container: Container) -> Script:
    yield from _type_over("Grace Lindqvist grace@lindqvist.example")
    yield Until("who is here", lambda: any(visible(AlreadyHere)))
    press(Qt.Key.Key_Return)
    yield from moment()


def _long_names(_container: Container) -> Script:
    yield from _type_over(LONG_PERSON)
    press(Qt.Key.Key_Return)
    yield from moment()
    yield from _search_people("maximiliane", 1)
    yield from _choose_first()


def _flow(row: int) -> Callable[[Container], Script]:
    def reach(_container: Container) -> Script:
        press(Qt.Key.Key_2, CTRL)
        yield Until("flows", lambda: _rows(QListView) > row)
        _click(QListView, row)
        yield from moment()

    return reach


def _by_person(_container: Container) -> Script:
    press(Qt.Key.Key_2, CTRL)
    press(Qt.Key.Key_2)
    yield Until("who has how much", lambda: any(visible(ByPersonPage)))
    press(Qt.Key.Key_Home)
    yield from moment()


def _somebody_away(_container: Container) -> Script:
    page = next(w for w in visible(ByPersonPage) if isinstance(w, ByPersonPage))
    click(page.away_button)
    yield from moment()


def _gaps(_container: Container) -> Script:
    press(Qt.Key.Key_2, CTRL)
    press(Qt.Key.Key_3)
    yield Until("the gaps", lambda: any(visible(GapListView)))
    yield from moment()


def _gap_found(_container: Container) -> Script:
    press(Qt.Key.Key_F, CTRL)
    write("coffee")
    yield Until("one of them", lambda: _rows(QListView) == 1)
    yield from moment()


def _gap_led_to(_container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    yield Until("the flow", lambda: not any(visible(GapListView)))
    yield from moment()


def _banner(container: Container) -> Script:
    press(Qt.Key.Key_1, CTRL)
    container.session_screen.say(NOTICE)
    # It waits for the pointer to rest.
    yield Until("the banner", container.window.banner.isVisible)
    yield from moment()


def _review(container: Container) -> Script:
    container.window.list_given.emit(CopiedList(LIST))
    yield Until("the review", lambda: any(visible(ReviewList)))
    yield from moment()


def _leave_review(_container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    yield Until("the lists", lambda: not any(visible(ReviewList)))
    yield from moment()


def _list_on_its_way(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    screens.lists.go_on()
    yield Until("the review", lambda: any(visible(ReviewList)))
    yield from moment()
    press(Qt.Key.Key_Return)
    yield Until("the strip", lambda: any(visible(ProgressStrip)))
    press(Qt.Key.Key_1, CTRL)
    yield from moment()


def _all_said_at_once(container: Container) -> Script:
    """A list on its way, trouble of the moment, and who needs somebody."""
    container.session_screen.pin(NEEDED)
    yield from moment()


def _all_said_in_more_lines(container: Container) -> Script:
    container.session_screen.say(LONG_NOTICE)
    yield from moment()


def _result(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    container.session_screen.say(NOTICE)
    container.window.result_wanted.emit(screens.progress.state.lists[0].id)
    yield Until("each row", lambda: any(visible(ResultPage)) and _rows(QTableView) > 1)
    yield from moment()


def _leave_result(_container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    yield Until("the lists", lambda: not any(visible(ResultPage)))
    yield from moment()


def _preview(container: Container) -> Script:
    container.window.print_wanted.emit(PrintAllFlows())
    yield Until("pages", lambda: any(visible(PreviewPage)) and _has_pages(container))
    yield from moment()


def _preview_of_flow(container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_2, CTRL)
    yield from moment()
    press(Qt.Key.Key_P, CTRL)
    yield Until("pages", lambda: any(visible(PreviewPage)) and _has_pages(container))
    yield from moment()


def _no_printer(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    screens.printing.no_printer()
    yield Until("a sentence", lambda: bool(screens.printing.state.said))
    yield from moment()


def _has_pages(container: Container) -> bool:
    screens = container.window.screens
    return screens is not None and bool(screens.printing.state.pages)


def _page(entry: str) -> Callable[[Container], Script]:
    """What an entry of the menu leads to; the entry is found in whatever language is spoken."""

    def reach(container: Container) -> Script:
        action = next(a for a in container.window.actions() if a.text() == tr(entry))
        action.trigger()
        yield from moment()

    return reach


def _about(container: Container) -> Script:
    yield from _page("About Front Desk")(container)
    # What is found out later moves the rest once more.
    yield Until("all versions", lambda: _versions_are_known(container))
    yield from moment()


def _versions_are_known(container: Container) -> bool:
    page = container.window.findChild(AboutPage)
    words = [each.text() for each in page.findChildren(QLabel)] if page is not None else []
    return "Chromium" in words and tr("looking") not in words


def _news_in_the_status_bar(container: Container) -> Script:
    """Somebody else has added people, like nobody there is, of whom the next reading tells."""
    account = container.session_screen.account
    assert account is not None
    for _ in range(3):
        add_elsewhere(account.base_url, API_KEY, f"{uuid4().hex} {uuid4().hex}")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_1, CTRL)
    press(Qt.Key.Key_F5)
    link = container.window.status_bar.news
    yield Until(
        "news in the status bar", lambda: link.isVisible() and not any(visible(QProgressBar))
    )
    yield from moment()


def _what_is_new(container: Container) -> Script:
    container.window.status_bar.news.click()
    yield Until("what is new", lambda: any(visible(PeopleAddedChart)) and _rows(NewsListView) > 1)
    yield from moment()


def _help(_container: Container) -> Script:
    press(Qt.Key.Key_F1)
    yield Until("the help", lambda: any(visible(HelpPage)))
    yield from moment()


def _menu(container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    yield from moment()
    # It has an event loop of its own.
    QTimer.singleShot(0, container.window.header.menu_button.showMenu)
    yield Until("the menu", lambda: QApplication.activePopupWidget() is not None)


def _palette(container: Container) -> Script:
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.close()
        container.window.activateWindow()
    yield Until("the keyboard", lambda: QApplication.focusWindow() is not None)
    press(Qt.Key.Key_K, CTRL)
    yield Until("the palette", lambda: any(visible(CommandPalette)))
    yield from moment()


def _palette_with(text: str) -> Callable[[Container], Script]:
    def reach(_container: Container) -> Script:
        press(Qt.Key.Key_A, CTRL)
        write(text)
        yield from moment()

    return reach


def small_window(_container: Container) -> Script:
    """From the large one, with nothing open above it."""
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)
    yield Until("the small window", lambda: any(visible(SmallPage)))
    yield from moment()


def _small_palette(container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    yield from _palette(container)


def _small_typing(_container: Container) -> Script:
    press(Qt.Key.Key_Escape)
    yield from _type_over("Noor noor@gmial.com 0400 771 020")


def _small_in_doubt(container: Container) -> Script:
    """Whoever was typed last, as if the answer had got lost, with all that can be decided then."""
    press(Qt.Key.Key_Escape)
    screens = container.window.screens
    assert screens is not None
    recent = screens.recent_entries
    first, *others = recent.state.entries
    entry = recent._outbox.index.get(first.id)
    assert entry is not None
    entry = replace(entry, state=EntryState.NOT_SURE, doubt=Doubt.ABSENT)
    asked = replace(
        first,
        state=entry.state,
        state_words=state_words(entry.state),
        needs_person=True,
        can_undo=False,
        why=tr("Close"),
        sentence=what_happened(entry, None, None),
        actions=recent._entry_actions.actions_for(entry),
    )
    recent.state_changed.emit(RecentEntriesState((asked, *others)))
    yield from moment()


STATES = (
    State("people", _people),
    State("somebody chosen", _somebody),
    State("nobody found", _nobody, once=True),
    State("typing somebody", _typing),
    State("typing a phone number", _telephone, once=True),
    State("somebody who is here", _already_here),
    State("long names", _long_names),
    State("first flow", _flow(0)),
    *(State(f"flow {row + 1}", _flow(row), once=True) for row in range(1, 7)),
    State("by person", _by_person),
    State("somebody away", _somebody_away, once=True),
    State("gaps", _gaps),
    State("gap found", _gap_found, once=True),
    State("gap led to", _gap_led_to),
    State("banner", _banner),
    State("list looked over", _review),
    State("list begun", _leave_review, once=True),
    State("list on its way", _list_on_its_way),
    State("all that is said at once", _all_said_at_once, once=True),
    State("all that is said in more lines", _all_said_in_more_lines, once=True),
    State("result of a list", _result),
    State("list and its strip", _leave_result, once=True),
    State("history", _page("History")),
    State("preview of all flows", _preview),
    State("preview of a flow", _preview_of_flow),
    State("no printer", _no_printer),
    State("news in the status bar", _news_in_the_status_bar),
    State("what is new", _what_is_new),
    State("settings", _page("Settings")),
    State("about", _about, once=True),
    State("help", _help),
    State("menu", _menu, once=True),
    State("palette", _palette),
    State("somebody in the palette", _palette_with("har"), once=True),
    State("nothing in the palette", _palette_with("zzzz"), once=True),
    State("small window", small_window, small=True),
    State("palette of the small window", _small_palette, small=True),
    State("typing in the small window", _small_typing, small=True),
    State("somebody who is here, in the small window", _already_here, small=True),
    State("in doubt in the small window", _small_in_doubt, small=True),
)


def moment() -> Script:
    """For what comes with the next events."""
    end = time.monotonic() + 0.12
    yield Until("a moment", lambda: time.monotonic() >= end)


def _search_people(text: str, at_least: int) -> Script:
    press(Qt.Key.Key_1, CTRL)
    press(Qt.Key.Key_F, CTRL)
    _write_over(text)
    most = MANY - 1 if at_least < MANY else 10 * MANY
    yield Until(f"people found by {text}", lambda: at_least <= _rows(QTableView) <= most)


def _type_over(text: str) -> Script:
    press(Qt.Key.Key_N, CTRL)
    _write_over(text)
    yield from moment()


def _write_over(text: str) -> None:
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Delete)
    write(text)


def _choose_first() -> Script:
    _click(QTableView, 0)
    yield from moment()


def _view(kind: type[QAbstractItemView]) -> QAbstractItemView | None:
    return next((w for w in visible(kind) if isinstance(w, QAbstractItemView)), None)


def _rows(kind: type[QAbstractItemView]) -> int:
    view = _view(kind)
    return view.model().rowCount() if view is not None else 0


def _click(kind: type[QAbstractItemView], row: int) -> None:
    view = _view(kind)
    assert view is not None
    index = view.model().index(row, 0)
    view.scrollTo(index)
    # Where the line begins: further in there may be something that can be clicked itself.
    cell = view.visualRect(index)
    x = cell.right() - _INSIDE if view.isRightToLeft() else cell.left() + _INSIDE
    click(view.viewport(), QPoint(x, cell.center().y()))
