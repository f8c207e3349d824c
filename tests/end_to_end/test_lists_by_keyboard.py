"""A list of people brought in in front of a real service: pasted, dropped, named at the start."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.container import Container
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Script, Until, press, type_text
from app.views.importing.review_list import ReviewList
from app.views.people.people_table import PeopleTableView
from app.workspace.workspace import Workspace
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, gone

HEAD = "First name\tLast name\tEmail\n"
TWENTY = HEAD + "".join(f"Zora{n}\tQuimby\tzora{n}@quimby.example\n" for n in range(20))
TO_LINE = "Zora Quimby <zora@quimby.example>; Wilma Quimby <wilma@quimby.example>"
Key = Qt.Key
NO_KEY = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def on_the_list() -> Script:
    """Have the keyboard on the list of people, as somebody who looks through it does."""
    yield shown("80 people", "Up to date")
    press(Key.Key_F, CTRL)
    press(Key.Key_Down)
    yield Until("the list", lambda: isinstance(QApplication.focusWidget(), PeopleTableView))


def has_keyboard(words: str) -> bool:
    button = QApplication.focusWidget()
    return isinstance(button, QPushButton) and button.text() == words


def paste_twenty() -> Script:
    """Until their review is there."""
    QGuiApplication.clipboard().setText(TWENTY)
    press(Key.Key_V, CTRL)
    yield Until("the review", lambda: has_keyboard("Add 20 people"))


def alt_1_leads_from_a_cell_to_whoever_is_here_and_escape_back_to_it() -> Script:
    typed = "grace@lindqvist.example"

    def cell() -> str | None:
        line = QApplication.focusWidget()
        in_list = isinstance(line, QLineEdit) and isinstance(_list_around(line), ReviewList)
        return line.text() if in_list and isinstance(line, QLineEdit) else None

    press(Key.Key_Down)
    press(Key.Key_Right)
    press(Key.Key_Right)
    type_text(typed)
    assert cell() == typed
    yield shown("Already here?", "Grace Lindqvist", "same email", "Alt+1")
    press(Key.Key_1, Qt.KeyboardModifier.AltModifier)
    yield Until("the list", lambda: isinstance(QApplication.focusWidget(), PeopleTableView))
    yield shown("Go on with “What was copied (", "Grace Lindqvist")
    press(Key.Key_Escape)
    yield Until("the cell", lambda: cell() == typed)
    yield shown("Already here?", "same email")
    type_text(".au")
    press(Key.Key_Return)
    yield gone("Already here?")
    yield shown(typed + ".au", "Add 20 people")


def _list_around(line: QWidget) -> QWidget | None:
    viewport = line.parentWidget()
    return viewport.parentWidget() if viewport is not None else None


def it_is_left_without_a_question_and_gone_on_with() -> Script:
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), ReviewList))
    press(Key.Key_Delete)
    yield shown("Add 19 people", "1 row is left out")
    # What is gone to from there leads back there, and not to the lists.
    for away, keys, back, again in (
        (Key.Key_Comma, CTRL, Key.Key_Escape, NO_KEY),
        (Key.Key_M, CTRL | SHIFT, Key.Key_M, CTRL | SHIFT),
    ):
        press(away, keys)
        yield gone("Add 19 people")
        press(back, again)
        yield shown("Add 19 people")
        assert isinstance(QApplication.focusWidget(), ReviewList)
    # The small window keeps its Escape, and the help leads back through the settings.
    press(Key.Key_M, CTRL | SHIFT)
    yield gone("Add 19 people")
    press(Key.Key_Escape)
    press(Key.Key_M, CTRL | SHIFT)
    yield shown("Add 19 people")
    press(Key.Key_Comma, CTRL)
    # The status bar leads to it from every other page.
    yield shown("Settings", "Go on with")
    press(Key.Key_F1)
    yield shown("Keys and help", "Go on with")
    press(Key.Key_Escape)
    yield shown("Settings")
    press(Key.Key_Escape)
    yield shown("Add 19 people")
    press(Key.Key_Escape)
    yield shown("Go on with", "80 people")
    go_on_with_it()
    yield shown("Add 19 people")
    yield gone("Go on with")
    press(Key.Key_Z, CTRL)
    yield shown("Add 20 people")


def go_on_with_it() -> None:
    link = next(
        each
        for each in QApplication.allWidgets()
        if isinstance(each, QPushButton) and each.isVisible() and "Go on" in each.text()
    )
    link.setFocus()
    press(Key.Key_Return)


def it_is_still_there_when_somebody_chooses_anew_what_is_kept(container: Container) -> Script:
    press(Key.Key_Down)
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), ReviewList))
    press(Key.Key_Delete)
    yield shown("Add 19 people")
    press(Key.Key_Comma, CTRL)
    yield shown("Settings")
    # Who was told apart is so afterwards, too, whether it is kept from then on or no more.
    now = container._switcher.shown
    assert now is not None
    yield Until("all of the account", partial(_rests, now))
    now._duplicate_groups.tell_apart([(1, 2)])
    said = now._duplicate_groups.told_apart
    assert said
    for keep in (True, False):
        container._settings.change(keep_on_this_computer=keep)
        yield Until("the account anew", partial(_is_anew, container, now))
        now = container._switcher.shown
        assert now is not None
        assert now._duplicate_groups.told_apart == said
    press(Key.Key_Escape)
    yield shown("Add 19 people")
    assert isinstance(QApplication.focusWidget(), ReviewList)
    press(Key.Key_Escape)
    yield shown("Go on with", "80 people")


def _rests(workspace: Workspace) -> bool:
    return not workspace._scope.busy


def _is_anew(container: Container, before: Workspace) -> bool:
    return container._switcher.shown not in {None, before}


def closing_the_window_asks_before_work_on_it_is_lost(container: Container) -> Script:
    container.window.close()
    yield shown(
        "You changed “What was copied (",
        "”, and nobody of it is added yet. That would be lost.",
    )
    container.window.close()
    yield Until("the window gone", lambda: not container.window.isVisible())


def test_a_list_that_was_begun_is_corrected_left_and_gone_on_with_and_never_lost_without_a_question(
    visit: Visit, access: DemoAccess
) -> None:
    def script(container: Container) -> Script:
        container._settings.change(keep_on_this_computer=False)
        yield from enter_with_key(access)
        yield from on_the_list()
        yield from paste_twenty()
        yield from alt_1_leads_from_a_cell_to_whoever_is_here_and_escape_back_to_it()
        yield from it_is_left_without_a_question_and_gone_on_with()
        yield from it_is_still_there_when_somebody_chooses_anew_what_is_kept(container)
        yield from closing_the_window_asks_before_work_on_it_is_lost(container)

    visit(script)


def drop(container: Container, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window, place = container.window, container.window.rect().center()
    held = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0))
    QApplication.sendEvent(window, QDragEnterEvent(place, *held))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), *held))


def back_to_the_lists() -> Script:
    """Escape leaves what is looked over."""
    press(Key.Key_Escape)
    yield shown("80 people", "Up to date")


def one_that_is_named_or_dropped_before_anybody_is_in_waits(
    container: Container, access: DemoAccess, folder: Path
) -> Script:
    yield shown("“sunday.csv” can be added once you are signed in.")
    drop(container, folder / "monday.csv")
    yield shown("The list is opened once you are signed in.")
    yield from enter_with_key(access)
    yield shown("sunday.csv", "Add 20 people")
    assert container.window.screens is not None
    lists = container.window.screens.lists.begun_lists
    assert [each.title for each in lists] == ["monday.csv", "sunday.csv"]
    press(Key.Key_Escape)
    yield shown("monday.csv", "Add 20 people")
    yield from back_to_the_lists()


def one_that_is_dropped_on_the_window_is_looked_over(container: Container, folder: Path) -> Script:
    drop(container, folder / "tuesday.csv")
    yield shown("tuesday.csv", "Add 20 people")
    yield from back_to_the_lists()


def one_that_cannot_be_read_is_one_sentence_until_another_one_opens(
    container: Container, folder: Path
) -> Script:
    drop(container, folder / "picture.csv")
    yield Until("a sentence", lambda: container.session_screen.state.notice is not None)
    yield shown("80 people")
    yield from on_the_list()
    container.window.list_given.emit(folder / "lunch.xlsx")
    yield shown("“lunch.xlsx” is not opened.")
    yield from paste_twenty()
    yield gone("is not opened")
    yield from back_to_the_lists()


def one_that_is_pasted_into_the_line_is_looked_over_whole_and_the_line_stays() -> Script:
    many = HEAD + "".join(f"Zora{n}\tQuimby\tzora{n}@quimby.example\n" for n in range(1_200))
    press(Key.Key_N, CTRL)
    type_text("Ada")
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit)
    for text, words in ((many, "Add 1,200 people"), (TO_LINE, "Add 2 people")):
        QGuiApplication.clipboard().setText(text)
        press(Key.Key_V, CTRL)
        yield shown(words)
        yield from back_to_the_lists()
        assert (line.text(), line.isVisible()) == ("Ada", True)
        line.setFocus()


def people_typed_one_behind_the_other_are_looked_over_whatever_was_copied_before() -> Script:
    QGuiApplication.clipboard().setText(TWENTY)
    press(Key.Key_N, CTRL)
    press(Key.Key_A, CTRL)
    type_text(TO_LINE)
    press(Key.Key_Return)
    yield shown("Add 2 people", "Wilma")
    yield from back_to_the_lists()


def escape_ends_the_reading_wherever_the_keyboard_is(folder: Path) -> Script:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder / "list.xlsx"))])
    yield from on_the_list()
    QGuiApplication.clipboard().setMimeData(data)
    press(Key.Key_V, CTRL)
    yield shown("Reading list.xlsx… Escape stops it.")
    press(Key.Key_Escape)
    yield gone("Reading list.xlsx")
    yield shown("80 people")
    press(Key.Key_V, CTRL)
    yield shown("Reading list.xlsx… Escape stops it.")
    press(Key.Key_F, CTRL)
    type_text("zzzz")
    press(Key.Key_Escape)
    yield gone("Reading list.xlsx")
    yield shown("zzzz")
    press(Key.Key_Escape)
    yield gone("zzzz")
    yield from on_the_list()
    press(Key.Key_V, CTRL)
    yield shown("Reading list.xlsx… Escape stops it.")
    press(Key.Key_Comma, CTRL)
    yield shown("Settings")
    press(Key.Key_Escape)
    press(Key.Key_Escape)
    yield shown("80 people")
    yield gone("Reading list.xlsx")


def twenty_copied_rows_need_three_keys() -> Script:
    yield from on_the_list()
    yield from paste_twenty()
    press(Key.Key_Return)
    yield shown("100 people")


def test_a_list_is_looked_over_however_it_comes_or_said_to_be_none_and_added_by_three_keys(
    visit: Visit,
    access: DemoAccess,
    hold_for: Callable[[int], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold_for(0)
    for name in ("sunday.csv", "monday.csv", "tuesday.csv"):
        (tmp_path / name).write_text(TWENTY.replace("\t", ","))
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    (tmp_path / "lunch.xlsx").write_bytes(b"PK\3\4 and nothing behind it")
    (tmp_path / "list.xlsx").write_bytes(b"PK\3\4")

    def script(container: Container) -> Script:
        yield from one_that_is_named_or_dropped_before_anybody_is_in_waits(
            container, access, tmp_path
        )
        yield from one_that_is_dropped_on_the_window_is_looked_over(container, tmp_path)
        yield from one_that_cannot_be_read_is_one_sentence_until_another_one_opens(
            container, tmp_path
        )
        yield from one_that_is_pasted_into_the_line_is_looked_over_whole_and_the_line_stays()
        yield from people_typed_one_behind_the_other_are_looked_over_whatever_was_copied_before()
        monkeypatch.setattr(
            "app.importing.formats.workbook_process.own_command",
            lambda *_: [sys.executable, "-c", "import time; time.sleep(600)"],
        )
        yield from escape_ends_the_reading_wherever_the_keyboard_is(tmp_path)
        yield from twenty_copied_rows_need_three_keys()

    visit(script, list_file=tmp_path / "sunday.csv")
