"""The palette in the real window: from wherever the keyboard is, and back there."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QShortcut
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QMenu, QWidget

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.screen_reader import row_place, visible
from app.tour.script import Script, Until, click, press, type_text
from app.viewmodels.command_palette.command import Command, CommandKind, commands_of
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows_tab import FlowsView
from app.viewmodels.flows.menu import menu_of_place
from app.viewmodels.menu_items import Groups, MenuGroups, MenuItem
from app.viewmodels.people.menu import menu_of
from app.views.command_palette.command_palette import CommandPalette
from app.views.flows.flow_sheet import FlowSheet
from app.views.flows.step_strip import StepCardView
from app.views.importing.review_list import ReviewList
from app.views.people.people_table import PeopleTableView
from app.views.window.window_menu import WindowAction
from app.views.window.workspace_page import FLOWS, PEOPLE
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, the, write

ALT = Qt.KeyboardModifier.AltModifier


def palette() -> CommandPalette | None:
    return next(iter(visible(CommandPalette)), None)  # type: ignore[return-value]  # of that kind


def spoken() -> str:
    return the("Find anything", QLineEdit).accessibleDescription()


def rows() -> list[str]:
    shown_palette = palette()
    assert shown_palette is not None
    model = shown_palette.list.model()
    return [str(model.index(at, 0).data()) for at in range(model.rowCount())]


def words_in(groups: Groups) -> set[str]:
    lines = [line for group in groups for line in group]
    items = [line for line in lines if isinstance(line, MenuItem)]
    items += [item for line in lines if isinstance(line, MenuGroups) for item in line.items]
    return {item.words for item in items if item.enabled}


def look_for(text: str) -> None:
    """Type it, and let the palette catch up: keys that wait together are looked for in one go."""
    write(text)
    QApplication.processEvents()


def open_palette() -> Script:
    press(Qt.Key.Key_K, CTRL)
    yield Until("the palette", lambda: palette() is not None)


def the_line_keeps_its_text_and_a_row_is_done(container: Container) -> Script:
    press(Qt.Key.Key_N, CTRL)
    write("Ada Lovelace")
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    line.setSelection(0, 3)
    yield from open_palette()
    look_for("histroy")
    assert spoken() == "History, Ctrl+Shift+H"

    # Escape gives the keyboard back, with what was typed and chosen there.
    press(Qt.Key.Key_Escape)
    assert palette() is None
    assert QApplication.focusWidget() is line
    assert (line.text(), line.selectedText()) == ("Ada Lovelace", "Ada")

    # The arrows and Page keys choose, Enter leads to a person.
    yield from open_palette()
    look_for("har")
    yield Until("people", lambda: any("Harriet" in row for row in rows()))
    first = spoken()
    press(Qt.Key.Key_Down)
    assert spoken() != first
    press(Qt.Key.Key_PageUp)
    assert spoken() == first
    look_for("riet fair")
    press(Qt.Key.Key_Return)
    yield shown("harriet@fairweather-lowe.example")
    assert palette() is None
    screens = container.window.screens
    assert screens is not None
    assert screens.people.chosen_person is not None
    assert screens.people.chosen_person.lastname == "Fairweather-Lowe"
    assert line.text() == "Ada Lovelace"

    # A key of the window does what it does, also where that is in sight, and nothing is open then.
    for key, leads_to in ((Qt.Key.Key_1, None), (Qt.Key.Key_N, line)):
        press(Qt.Key.Key_1, CTRL)
        before = leads_to or QApplication.focusWidget()
        yield from open_palette()
        press(key, CTRL)
        assert palette() is None
        assert QApplication.focusWidget() is before

    # The mouse: a row does what it says, a press beside the palette closes it.
    yield from open_palette()
    over = palette()
    assert over is not None
    assert rows()[0] == "Harriet Fairweather-Lowe"
    look_for("gaps")
    place = row_place(over.list, "Gaps")
    assert place is not None
    click(over.list.viewport(), place)
    yield Until("closed", lambda: palette() is None)
    assert screens.flows_tab.state.view is FlowsView.GAPS
    yield from open_palette()
    click(over, QPoint(5, 5))
    yield Until("closed", lambda: palette() is None)


def the_line_is_as_it_was_where_something_came_over_the_window(_container: Container) -> Script:
    press(Qt.Key.Key_N, CTRL)
    write("Half Typ")
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    yield from open_palette()
    press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is line
    type_text("ed")
    assert (line.text(), line.selectedText()) == ("Half Typed", "")
    line.setSelection(7, -3)
    press(Qt.Key.Key_F1)
    yield shown("Keys and help")
    press(Qt.Key.Key_Escape)
    yield Until("the line", lambda: QApplication.focusWidget() is line)
    assert (line.selectedText(), line.cursorPosition()) == (" Ty", 4)


def all_that_menu_and_keys_of_the_window_do_is_in_it(container: Container) -> Script:
    window = container.window
    menu = window.findChild(QMenu)
    assert isinstance(menu, QMenu)
    yield from open_palette()
    offered = {each.words for each in window.available.offered}
    screens = window.screens
    assert screens is not None
    of_rows = words_in(menu_of(screens.people, screens.flows.administered_by))
    assert set(rows()) == offered | of_rows
    assert len(rows()) == len(set(rows())), "nothing is offered twice"
    in_menu = {each.text() for each in menu.actions() if each.text() and each.isVisible()}
    assert in_menu - offered == {"Find anything…"}
    # Nothing else has keys in the whole of the window.
    with_keys = [each for each in window.actions() if not each.shortcut().isEmpty()]
    assert {"Ctrl+N", "Ctrl+F", "Ctrl+1", "F5"} <= {
        each.shortcut().toString() for each in with_keys
    }
    assert all(isinstance(each, WindowAction) for each in with_keys)
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    assert not window.findChildren(QShortcut, options=direct)


def what_the_menu_of_the_chosen_rows_does_is_in_it(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    yield from open_palette()
    look_for("harriet fair")
    press(Qt.Key.Key_Return)
    yield shown("harriet@fairweather-lowe.example")
    yield from open_palette()
    menu = menu_of(screens.people, screens.flows.administered_by)
    assert words_in(menu) <= set(rows())
    ids = [command.id for command, _ in commands_of(menu)]
    assert len(ids) == len(set(ids)), "each is done, and remembered, by itself"
    look_for("copy email")
    press(Qt.Key.Key_Return)
    assert QApplication.clipboard().text() == "harriet@fairweather-lowe.example"

    # Of the flows as of the people; who was meant is kept by nobody.
    press(Qt.Key.Key_2, CTRL)
    yield Until("a flow", lambda: screens.flows.state.chosen is not None)
    yield from open_palette()
    place = FlowPlace(str(screens.flows.state.chosen))
    assert words_in(menu_of_place(screens.flows.known, place)) <= set(rows())
    press(Qt.Key.Key_Escape)
    assert screens.named.recent[0] == "action:MenuAction.COPY_EMAILS"


def who_runs_a_step_is_told_and_enter_leads_to_it(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    press(Qt.Key.Key_1, CTRL)
    yield from open_palette()
    look_for("coffee")
    assert spoken() == "Coffee with staff, Newcomers · nobody"
    press(Qt.Key.Key_Return)
    assert palette() is None
    state = screens.flows.state
    yield Until("the step", lambda: state.flow is not None and state.step_id is not None)
    assert screens.flows_tab.state.view is FlowsView.FLOWS
    step = next(
        each for each in visible(StepCardView) if "Coffee with staff" in each.accessibleName()
    )
    # What is offered is of that step, and then of the one that has the keyboard, by the words and
    # keys of its menu.
    yield from open_palette()
    assert "Copy step" in rows()
    press(Qt.Key.Key_Escape)
    sheet = container.window.findChild(FlowSheet)
    assert isinstance(sheet, FlowSheet)
    press(Qt.Key.Key_Return)
    yield Until("in the flow", lambda: _is_within(sheet, QApplication.focusWidget()))
    place, _ = sheet.in_hand()
    assert place == FlowPlace(str(state.chosen), state.step_id)
    yield from open_palette()
    offered = words_in(menu_of_place(screens.flows.known, place))
    assert "Copy step" in offered
    assert offered <= set(rows())
    assert len(rows()) == len(set(rows())), "nothing is offered twice"
    press(Qt.Key.Key_Escape)
    assert step.isVisible()
    # Whoever has gone down to a row stays with it where more comes; a letter begins at the first.
    yield from open_palette()
    press(Qt.Key.Key_Down)
    chosen = spoken()
    screens.named.use(Command(CommandKind.ACTION, "quit", "Quit"))
    screens.named.found_more.emit()
    assert rows()[0] == "Quit"
    assert spoken() == chosen
    look_for("q")
    assert spoken().startswith("Quit")
    press(Qt.Key.Key_Escape)


def _is_within(around: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and around.isAncestorOf(widget)


def what_can_be_done_with_rows_that_are_looked_over_is_in_it(container: Container) -> Script:
    people = container.window.findChild(PeopleTableView)
    assert isinstance(people, PeopleTableView)
    press(Qt.Key.Key_1, CTRL)
    people.setFocus()
    QGuiApplication.clipboard().setText(
        "First name\tLast name\tEmail\nZora\tQuimby\tzora@gmial.com\nUma\tQuimby\tu@x.org\n"
    )
    press(Qt.Key.Key_V, CTRL)
    yield shown("Zora", "Uma", "Discard")
    press(Qt.Key.Key_Down)
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), ReviewList))
    yield from open_palette()
    assert rows()[-2:] == ["Use zora@gmail.com", "Take in"]
    look_for("use zora")
    assert spoken() == "Use zora@gmail.com, Alt+M"
    press(Qt.Key.Key_Return)
    yield shown("zora@gmail.com")
    assert isinstance(QApplication.focusWidget(), ReviewList)
    yield from open_palette()
    look_for("leave out")
    press(Qt.Key.Key_Return)
    yield shown("1 row is left out")
    # Nobody sees in the small window which rows these are.
    press(Qt.Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)
    yield Until("small", lambda: container.window.sizes.small)
    yield from open_palette()
    assert not {"Take in", "Leave out"} & set(rows())
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)
    yield Until("large", lambda: not container.window.sizes.small)
    yield from open_palette()
    look_for("small window")
    assert rows()[0] == "Small window"
    press(Qt.Key.Key_Escape)


def what_others_call_it_leads_there_too(container: Container) -> Script:
    press(Qt.Key.Key_1, CTRL)
    yield from open_palette()
    for typed, leads_to in (
        ("import", "Add from a list…"),
        ("excel", "Add from a list…"),
        ("pdf", "Print…"),
        ("log out", "Sign out"),
        ("new person", "Add a person"),
        ("undo", "Take back the last change"),
        ("delete", "Take back the last change"),
        ("dark", "Colours"),
    ):
        press(Qt.Key.Key_A, CTRL)
        look_for(typed)
        assert rows()[:1] == [leads_to], typed
    # From a settings page that is shown already, too.
    for typed, name in (
        ("language", "The language of the system"),
        ("keep nothing", "Keep nothing of my work on this computer"),
        ("privacy", "Keep nothing of my work on this computer"),
        ("hold", "Hold a new person for"),
        ("forget account", "Forget the account"),
    ):
        press(Qt.Key.Key_A, CTRL)
        look_for(typed)
        press(Qt.Key.Key_Return)
        yield Until(name, partial(_has_keyboard_in_sight, name))
        yield from open_palette()
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Escape)
    yield Until("the lists", lambda: container.window.page is None)


def _has_keyboard_in_sight(name: str) -> bool:
    """Whether what is called so has the keyboard, and all of it is seen."""
    here = QApplication.focusWidget()
    if here is None or name not in (here.accessibleName() or getattr(here, "text", str)()):
        return False
    return here.visibleRegion().boundingRect() == here.rect()


def alt_left_leads_back_from_where_it_led(container: Container) -> Script:
    screens = container.window.screens
    assert screens is not None
    press(Qt.Key.Key_N, CTRL)
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    press(Qt.Key.Key_A, CTRL)
    write("Half typed")
    # From the line: to a person, to a step.
    for typed, there in (("harriet fair", PEOPLE), ("coffee", FLOWS)):
        yield from open_palette()
        look_for(typed)
        yield Until(typed, lambda: bool(rows()))
        press(Qt.Key.Key_Return)
        yield Until("there", partial(_tab_is, container, there))
        assert not line.hasFocus()
        press(Qt.Key.Key_Left, ALT)
        yield Until("the line", line.hasFocus)
        assert line.text() == "Half typed"
    # From a view of the flows: to a person, to a step.
    press(Qt.Key.Key_2, CTRL)
    screens.flows_tab.show(FlowsView.GAPS)
    for typed, there in (("harriet fair", PEOPLE), ("coffee", FLOWS)):
        yield from open_palette()
        look_for(typed)
        yield Until(typed, lambda: bool(rows()))
        press(Qt.Key.Key_Return)
        yield Until("there", partial(_tab_is, container, there))
        press(Qt.Key.Key_Left, ALT)
        yield Until("the flows", partial(_tab_is, container, FLOWS))
        assert screens.flows_tab.state.view is FlowsView.GAPS
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_Escape)


def _tab_is(container: Container, tab: int) -> bool:
    return container.window.header.tabs.currentIndex() == tab


def a_press_is_not_for_a_row_that_came_under_the_pointer_just_now(container: Container) -> Script:
    yield from open_palette()
    over = palette()
    assert over is not None
    viewport = over.list.viewport()
    place = over.list.visualRect(over.list.model().index(0, 0)).center()
    QCursor.setPos(viewport.mapToGlobal(place))
    yield Until("the pointer", lambda: QCursor.pos() == viewport.mapToGlobal(place))
    before = rows()
    # Few keys: by the last of many, the row of the first would have stood there for long.
    look_for("hi")
    assert rows()[0] != before[0]
    click(viewport, place)
    assert palette() is not None
    assert container.window.page is None


def it_gives_way_where_the_keyboard_goes_elsewhere(container: Container) -> Script:
    yield from open_palette()
    # As where somebody is added from outside.
    container.window.type_person()
    assert palette() is None
    assert QApplication.focusWidget() is the("Add a person", QLineEdit)


def it_goes_with_the_account_whose_people_it_offers(container: Container) -> Script:
    yield from open_palette()
    look_for("har")
    # As where another account is on its way in.
    container.window.show_first_start()
    assert palette() is None
    yield Until("nothing more", lambda: True)


def the_first_page_has_it_too() -> Script:
    yield shown("Welcome to Front Desk")
    field = QApplication.focusWidget()
    yield from open_palette()
    assert "Settings" in rows()
    assert "Add a person" not in rows()
    here = ["Open a connection file", "Try the demo account", "Type them in", "Use an API key"]
    assert set(here) <= set(rows())
    look_for("type them")
    press(Qt.Key.Key_Return)
    assert QApplication.focusWidget() is the("Address", QLineEdit)
    yield from open_palette()
    assert "Type them in" not in rows()
    press(Qt.Key.Key_Escape)
    click(the("Type them in"))
    assert field is not None
    field.setFocus()
    yield from open_palette()
    press(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is field
    press(Qt.Key.Key_N, CTRL)
    yield shown("People can be added once you are signed in.")
    yield from open_palette()
    look_for("settings")
    press(Qt.Key.Key_Return)
    yield shown("Accounts on this computer")


def it_opens_in_the_small_window_too(container: Container) -> Script:
    window = container.window
    press(Qt.Key.Key_N, CTRL)
    line = QApplication.focusWidget()
    press(Qt.Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)
    yield shown("Large window")
    yield from open_palette()
    assert window.sizes.small
    # Whom the menu of the rows is about nobody sees there.
    assert "Copy email address" not in rows()
    look_for("window")
    assert ("Large window" in rows(), "Small window" in rows()) == (True, False)
    press(Qt.Key.Key_Escape)
    assert window.sizes.small
    assert QApplication.focusWidget() is line
    yield from open_palette()
    look_for("harriet fair")
    press(Qt.Key.Key_Return)
    yield shown("harriet@fairweather-lowe.example")
    assert not window.sizes.small


def test_everything_is_found_from_wherever_the_keyboard_is(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("Up to date")
        yield from all_that_menu_and_keys_of_the_window_do_is_in_it(container)
        press(Qt.Key.Key_Escape)
        yield from the_line_keeps_its_text_and_a_row_is_done(container)
        yield from what_the_menu_of_the_chosen_rows_does_is_in_it(container)
        yield from a_press_is_not_for_a_row_that_came_under_the_pointer_just_now(container)
        press(Qt.Key.Key_Escape)
        yield from what_others_call_it_leads_there_too(container)
        yield from alt_left_leads_back_from_where_it_led(container)
        yield from it_opens_in_the_small_window_too(container)
        yield from who_runs_a_step_is_told_and_enter_leads_to_it(container)
        yield from what_can_be_done_with_rows_that_are_looked_over_is_in_it(container)
        yield from it_gives_way_where_the_keyboard_goes_elsewhere(container)
        yield from it_goes_with_the_account_whose_people_it_offers(container)

    visit(script)


def the_chosen_row_stays_where_it_is_opened_anew(container: Container) -> None:
    """As it is when the lists come: Enter does what it would have done."""
    look_for("s")
    first_row = spoken()
    press(Qt.Key.Key_Down)
    chosen = spoken()
    assert chosen != first_row
    available = container.window.available
    in_palette = available.typed_in_palette
    assert in_palette is not None
    available.reopen_palette(*in_palette)
    assert spoken() == chosen


def test_what_was_used_is_first_after_a_restart(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "places.json"

    def first(container: Container) -> Script:
        yield from the_first_page_has_it_too()
        press(Qt.Key.Key_Escape)
        yield from enter_with_key(access)
        yield shown("Up to date")
        yield from the_line_is_as_it_was_where_something_came_over_the_window(container)
        yield from open_palette()
        look_for("settings")
        assert not kept.exists()
        press(Qt.Key.Key_Return)
        yield shown("Accounts on this computer")
        # At once: whoever kills the program now finds it again.
        assert '"recent_commands":["action:settings"]' in kept.read_text()
        nothing = the("Keep nothing of my work on this computer", QCheckBox)
        screens = container.window.screens
        click(nothing)
        yield Until("nothing kept", lambda: not kept.exists())
        yield Until("the lists", lambda: container.window.screens not in {None, screens})
        yield from open_palette()
        look_for("history")
        press(Qt.Key.Key_Return)
        yield shown("Save as a file")
        assert not kept.exists()
        yield from open_palette()
        look_for("settings")
        press(Qt.Key.Key_Return)
        yield shown("Accounts on this computer")
        click(nothing)

    def second(container: Container) -> Script:
        # Whether the lists are there yet or not: with them come those who are in them.
        yield Until("the window", container.window.isVisible)
        yield from open_palette()
        look_for("harriet f")
        yield Until("the lists", lambda: container.window.screens is not None)
        yield Until("her", lambda: "Harriet Fairweather-Lowe" in rows())
        assert the("Find anything", QLineEdit).hasFocus()
        press(Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is the("Add a person", QLineEdit)
        yield from open_palette()
        assert rows()[0] == "Settings"
        the_chosen_row_stays_where_it_is_opened_anew(container)

    visit(first)
    visit(second)
