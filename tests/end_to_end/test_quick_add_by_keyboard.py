"""Ten people added by keyboard alone in the whole program, every key counted."""

import asyncio
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Script, Until, press, type_text
from app.views.people.people_tab import PeopleCard
from app.views.people.people_table import PeopleTableView
from app.views.quick_add.quick_add import QuickAddCard
from app.views.widgets.already_here import AlreadyHere
from tests.end_to_end.steps import CTRL, HoldFor, Visit, click_row, enter_with_key, write

NO = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
TEN = (
    "Zora Neale z@neale.example",
    "Neale, Abel <a@neale.example>",
    "Kit Jonson kit@jonson.exampl",
    "Dot Vaughan d@vaughan.example",
    "Mary Jackson",
    "Noor van der Berg n@berg.example",
    "Ann Easley",
    "Tina Darden",
    "Gladys West",
    "Eve Boyd",
)


HELD = frozenset({Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt})


class Keys(QObject):
    """Counts what is pressed, whoever presses it: once each, and a chord is one."""

    def __init__(self) -> None:
        super().__init__()
        self.typed = 0
        self.others: list[Qt.Key] = []

    def watch(self, window: QWidget) -> None:
        """Keys arrive at the system's window first; from there they are handed down."""
        window.windowHandle().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt names it
        """Only looks."""
        # What a shortcut takes is never pressed in the eyes of the window, but it is let go.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyRelease:
            plain = event.modifiers() in {Qt.KeyboardModifier.NoModifier, SHIFT}
            if plain and event.text().isprintable() and event.text():
                self.typed += 1
            elif event.key() not in HELD:
                self.others.append(Qt.Key(event.key()))
        return False


def _ten_people(*, undone: str) -> Script:
    press(Qt.Key.Key_N, CTRL)
    for number, line in enumerate(TEN, 1):
        type_text(line)
        press(Qt.Key.Key_Return)
        if number == 3:
            press(Qt.Key.Key_Up)
            type_text("e")
            press(Qt.Key.Key_Return)
        if number == 7:
            type_text(undone)
            press(Qt.Key.Key_Return)
            press(Qt.Key.Key_Z, CTRL)
            press(Qt.Key.Key_Escape)
    yield shown("90 people", "Up to date")


def test_ten_people_one_corrected_and_one_undone_take_16_keys_besides_their_text(
    visit: Visit, access: DemoAccess, hold_for: HoldFor
) -> None:
    hold_for(2)
    undone, keys = "Some Else", Keys()

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        keys.watch(container.window)
        yield from _ten_people(undone=undone)

    visit(script)
    assert keys.typed == len("".join(TEN)) + len("e") + len(undone)
    # An Enter for each of the ten, for the one corrected, for the one undone.
    assert keys.others.count(Qt.Key.Key_Return) == 12
    besides = [key for key in keys.others if key != Qt.Key.Key_Return]
    assert besides == [Qt.Key.Key_N, Qt.Key.Key_Up, Qt.Key.Key_Z, Qt.Key.Key_Escape]
    added = asyncio.run(_newest(access))
    assert len(added) == 10
    assert "Kit Jonson kit@jonson.example" in added
    assert "Noor van der Berg n@berg.example" in added
    assert not any(undone in one for one in added)


async def _newest(access: DemoAccess) -> set[str]:
    """Who is with the service and was not there before: the demo's own were added long ago."""
    client = ServiceClient(access.base_url, ApiKey(access.api_key))
    everybody = [person async for person in client.people()]
    await client.aclose()
    today = datetime.now(UTC) - timedelta(hours=1)
    return {
        f"{person.full_name} {person.email}".strip()
        for person in everybody
        if person.date_added is not None and person.date_added > today
    }


def back_to_the_place() -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield shown("Newcomers")
    click_row("Newcomers")
    yield shown("Welcome call")
    place = QApplication.focusWidget()
    press(Qt.Key.Key_N, CTRL)
    write("Zora Neale")
    press(Qt.Key.Key_Return)
    assert "waiting" in text_on_screen()
    press(Qt.Key.Key_Escape)
    yield shown("Welcome call")
    assert QApplication.focusWidget() is place
    press(Qt.Key.Key_F, CTRL)
    search = QApplication.focusWidget()
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is search
    yield shown("81 people")


def back_to_the_line() -> Script:
    press(Qt.Key.Key_1, CTRL)
    press(Qt.Key.Key_F, CTRL)
    write("siobhan")
    yield shown("1 of 81")
    press(Qt.Key.Key_N, CTRL)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    write("Grace Lindqvist")
    for back in ((Qt.Key.Key_Left, ALT), (Qt.Key.Key_Escape,)):
        yield shown("Already here?", "same name")
        press(Qt.Key.Key_1, ALT)
        yield shown("grace@lindqvist.example", "Administers", "81 people")
        assert "Already here?" not in text_on_screen()
        assert "siobhan" not in text_on_screen(), "a search that hides them is no longer on"
        press(*back)
        assert QApplication.focusWidget() is line
        assert line.text() == "Grace Lindqvist"
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_Down)
    yield Until("the list", lambda: isinstance(QApplication.focusWidget(), PeopleTableView))
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Left, ALT)
    assert isinstance(QApplication.focusWidget(), PeopleTableView), "nobody was opened since"
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_Return)
    yield shown("Enter again adds a second one.")
    press(Qt.Key.Key_Return)
    assert "waiting" in text_on_screen()
    yield shown("82 people")


RESTS = 8
"""Looks in which nothing moved: the window is laid out."""
SIZES = {
    "Umber": QSize(900, 500),
    "Tawny": QSize(788, 540),
    "Quince": QSize(1_366, 728),
}
WITH_REMARKS = "Yrsa 0412 345 678 (choir)"
REMARKS = ("Kept, not sent: (choir)", "takes no phone number here")


def type_the_end(text: str) -> None:
    """Paste most of it, as only what stands there in the end is looked at."""
    QGuiApplication.clipboard().setText(text[:-3])
    press(Qt.Key.Key_V, CTRL)
    type_text(text[-3:])


def no_line_that_is_typed_moves_the_list_in_a_window_of_any_height(container: Container) -> Script:
    def place() -> QPoint:
        people = container.window.findChild(PeopleTableView)
        assert people is not None
        return people.mapTo(container.window, QPoint())

    def rests() -> bool:
        seen.append(place())
        return len(seen) >= RESTS and seen[-RESTS:] == [seen[-1]] * RESTS

    def filters_are_whole() -> bool:
        """All of them are covered, or none."""
        card = container.window.findChild(PeopleCard)
        assert card is not None
        top, end = card.y(), card.y() + card.below_filters.geometry().bottom() + 1
        seen = (*visible(QuickAddCard), *visible(AlreadyHere))
        ends = [each.geometry().bottom() + 1 for each in seen]
        return max(ends) <= top or max(ends) >= end

    def no_filter_is_covered() -> bool:
        card = container.window.findChild(PeopleCard)
        assert card is not None
        seen = (*visible(QuickAddCard), *visible(AlreadyHere))
        return len(seen) > 1 and all(each.geometry().bottom() < card.y() for each in seen)

    for family, size in SIZES.items():
        container.window.resize(size)
        seen: list[QPoint] = []
        yield Until("its size", rests)
        before = place()
        for typed, keys in (
            (f"Bartholomew Longfellow-{family} bartholomew@{family}-longfellow.example", NO),
            (f"Zora {family}", SHIFT),
            (WITH_REMARKS, NO),
        ):
            type_the_end(typed)
            yield shown("Read as", family, *(REMARKS if typed is WITH_REMARKS else ()))
            yield Until("whole filters", filters_are_whole)
            assert place() == before
            press(Qt.Key.Key_Return, keys)
            yield shown("Undo (Ctrl+Z)")
            assert place() == before
        type_the_end("Alice Ashworth alice.ashworth@example.org")
        yield shown("Already here?", "same email")
        yield Until("filters beside it", no_filter_is_covered)
        assert place() == before
        press(Qt.Key.Key_A, CTRL)
        press(Qt.Key.Key_Backspace)
        for typed in ("Alice Ashworth alice@gmial.com", "Bob Builder bob@gmial.com"):
            type_the_end(typed)
            yield shown("Did you mean")
            yield Until("whole filters", filters_are_whole)
            assert place() == before
            press(Qt.Key.Key_A, CTRL)
            press(Qt.Key.Key_Backspace)


def test_escape_leads_back_to_where_adding_began_or_to_the_line_which_moves_no_list(
    visit: Visit, access: DemoAccess, hold_for: HoldFor
) -> None:
    hold_for(1)

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        yield from back_to_the_place()
        yield from back_to_the_line()
        container._settings.change(hold_seconds=5)
        yield from no_line_that_is_typed_moves_the_list_in_a_window_of_any_height(container)

    visit(script)
