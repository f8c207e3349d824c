"""The window in its small size, by keyboard: the same line, and the way there and back."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from app.container import Container
from app.demo.server import DemoAccess
from app.single_instance import WindowRequest
from app.tour.main_job import shown
from app.tour.screen_reader import visible
from app.tour.script import Script, Until, click, press, type_text
from app.views.quick_add.quick_add import QuickAddCard
from app.views.small_window.small_page import RecentEntryList, SmallPage
from app.views.small_window.window_sizes import LEAST_SMALL, SMALL
from tests.end_to_end.layout_rules import findings
from tests.end_to_end.spoken import Listener, spoken
from tests.end_to_end.steps import CTRL, HoldFor, Visit, enter_with_key, gone, the, write

OTHER_SIZE = (Qt.Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)


def line() -> QLineEdit:
    """The line for adding, which has the keyboard."""
    widget = QApplication.focusWidget()
    assert isinstance(widget, QLineEdit)
    assert widget.accessibleName() == "Add a person"
    return widget


def small_is_kept(tmp_path: Path) -> bool:
    """Whether the next start has the small window."""
    return '"small":true' in (tmp_path / "data" / "places.json").read_text()


def told() -> list[tuple[str, str, str]]:
    """Role, name and description of what a screen reader comes to on the small page, in its order;
    of controls and of lists alone.
    """
    page = next(iter(visible(SmallPage)))
    kinds, named = QAccessible.Text, {"List", "ListItem", "EditableText", "Button", "CheckBox"}
    return [
        (each.role().name, each.text(kinds.Name), each.text(kinds.Description))
        for each in spoken(page)
        if each.role().name in named
    ]


def whoever_was_typed_is_heard_as_a_list() -> None:
    assert told()[0][:2] == ("EditableText", "Add a person")
    assert told()[-4:] == [
        ("List", "Typed", ""),
        ("ListItem", "Ada Lovelace, waiting", "1 of 1"),
        ("Button", "Undo", "Ada Lovelace"),
        ("CheckBox", "Above other windows", ""),
    ]


def test_the_line_goes_to_the_small_window_and_back_with_what_stands_in_it(
    visit: Visit, hold_for: HoldFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_for(30)
    monkeypatch.setattr("app.views.window.workspace_page._READ_MS", 250)
    listener = Listener(monkeypatch)

    def script(container: Container) -> Script:
        window = container.window
        yield shown("80 people")
        write("Ada Lovelac")
        first = line()
        press(Qt.Key.Key_F, CTRL)
        type_text("Ilse")
        listener.visited()
        press(*OTHER_SIZE)
        assert listener.visited() == ["Add a person"]
        told = listener.heard.count("1 of 80")
        yield shown("Large window", "Whoever you add stands here.", "Lovelac")
        assert (window.width(), line() is first, first.text()) == (380, True, "Ada Lovelac")
        press(Qt.Key.Key_E)
        press(Qt.Key.Key_Return)
        yield shown("Ada Lovelace", "waiting", "Undo")
        whoever_was_typed_is_heard_as_a_list()
        write("Grace Lindqvist")
        yield shown("Already here?")
        press(Qt.Key.Key_Return)
        yield shown("Enter again adds a second one. Once sent, nobody can be taken back.")
        press(Qt.Key.Key_Escape)
        press(Qt.Key.Key_Escape)
        assert line() is first  # there is nothing else to go to
        type_text("Zora")
        # Of the list that was searched before nobody is told where it is hidden.
        assert listener.heard.count("1 of 80") == told
        listener.visited()
        press(*OTHER_SIZE)
        assert listener.visited() == ["Add a person"]
        press(Qt.Key.Key_F, CTRL)
        press(Qt.Key.Key_Escape)
        press(Qt.Key.Key_N, CTRL)
        yield shown("80 people", "Ctrl+N add")
        assert (window.width(), line().text()) == (1180, "Zora")
        press(*OTHER_SIZE)
        yield gone("80 people")
        QApplication.clipboard().setText("Iolo Prydderch\nMaren Halvorsen\nTadeo Quispe")
        press(Qt.Key.Key_V, CTRL)
        yield shown("Add 3 people")
        assert window.width() == 1180
        press(*OTHER_SIZE)
        yield shown("Go on with “What was copied (Iolo Prydderch …)”")
        click(the("Go on with “What was copied (Iolo Prydderch …)”"))
        yield shown("Add 3 people")
        assert window.width() == 1180

    visit(script, demo=True)


def air_above_the_list() -> int:
    """Pixels between the line and whoever was typed."""
    below, above = next(iter(visible(RecentEntryList))), next(iter(visible(QuickAddCard)))
    return below.geometry().top() - above.geometry().bottom()


def nothing_is_cut_or_overlaps_in_it_as_small_as_it_gets(container: Container) -> Script:
    window = container.window
    yield shown("Large window", "Whoever you add stands here.")
    write("Ada Lovelace ada@x")
    press(Qt.Key.Key_Return)
    yield shown("waiting")
    write("Zora Neale zora@gmial.com")
    window.close()
    yield shown("Close Front Desk")
    air = []
    for size in (QSize(380, 700), SMALL, LEAST_SMALL):
        window.resize(size)
        yield Until("nothing cut", lambda: not list(findings(window)))
        air.append(air_above_the_list())
    assert air[0] > air[1] == air[2]


def test_it_is_small_again_at_the_next_start_and_above_others_if_that_was_chosen(
    visit: Visit, access: DemoAccess
) -> None:
    def choose(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people")
        container.take(WindowRequest(small=True))
        yield shown("Above other windows", "Whoever you add stands here.")
        click(the("Above other windows", QCheckBox))
        container.window.resize(400, 500)

    def look(container: Container) -> Script:
        yield shown("Large window", "Whoever you add stands here.")
        assert container.window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
        assert (container.window.width(), container.window.height()) == (400, 500)

    visit(choose)
    visit(look)


def test_where_nobody_is_in_it_leads_to_the_ways_in_and_nothing_is_cut_as_small_as_it_gets(
    visit: Visit, hold_for: HoldFor
) -> None:
    hold_for(30)

    def script(container: Container) -> Script:
        yield shown("You are not signed in. The large window has the ways in.")
        press(Qt.Key.Key_Return)  # on what has the keyboard
        yield shown("Welcome to Front Desk")
        assert container.window.width() == 1180
        press(*OTHER_SIZE)
        yield gone("Welcome to Front Desk")
        assert container.window.sizes.small
        press(*OTHER_SIZE)
        yield shown("Try the demo account")
        click(the("Try the demo account"))
        yield shown("80 people")
        press(*OTHER_SIZE)
        yield from nothing_is_cut_or_overlaps_in_it_as_small_as_it_gets(container)

    visit(script, small=True)


@pytest.mark.parametrize(("people", "is_small"), [("Ada Lovelace", True), ("Ada\nBob", False)])
def test_whoever_is_added_from_outside_with_no_window_open_stands_in_a_small_one(
    visit: Visit,
    tmp_path: Path,
    people: str,
    is_small: bool,
) -> None:
    def script(container: Container) -> Script:
        if is_small:
            yield shown("You asked for this from outside the window.", "Large window")
            assert line().text() == people
        else:
            yield shown("Add 2 people")
        assert container.window.sizes.small is is_small

    visit(script, demo=True, people=people)
    # That was for one: who starts the program next gets the window they had.
    assert not small_is_kept(tmp_path)


def test_whoever_asks_for_the_small_window_that_was_lent_has_it_again(
    visit: Visit, tmp_path: Path
) -> None:
    def script(container: Container) -> Script:
        yield shown("You asked for this from outside the window.", "Large window")
        container.take(WindowRequest(small=True))
        assert container.window.sizes.small

    visit(script, demo=True, people="Ada Lovelace")
    assert small_is_kept(tmp_path)
