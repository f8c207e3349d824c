"""Taking people and flows along, before a real service: as a file, by mail, from the history."""

from errno import ENOSPC
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from app.container import Container
from app.demo.server import DemoAccess
from app.exporting import table
from app.importing.reading import read_file
from app.tour.main_job import shown
from app.tour.script import Script, Until, press
from app.viewmodels.outbox.history_table import HistoryColumn
from app.viewmodels.sign_in.connection_files import ConnectionFiles
from app.views.cell_table.cell_table_view import CellTableView
from app.views.exporting.typesetter import PageTypesetter
from app.views.people.people_table import PeopleTableView
from tests.end_to_end.steps import CTRL, HoldFor, Visit, click_row, enter_with_key, gone, write
from tests.views.mail_program import bare_desktop as bare_desktop  # noqa: PLC0414 - a fixture here

pytestmark = pytest.mark.usefixtures("settles_sooner")

ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def save_as(container: Container, path: Path) -> Script:
    """Choose a name in the dialog that is open."""
    yield Until("the dialog", lambda: container.window.findChild(QFileDialog) is not None)
    dialog = container.window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    # No desktop is here to give the keyboard back.
    container.window.activateWindow()
    yield Until("the window", container.window.isActiveWindow)


def choose(container: Container, words: str) -> None:
    (menu,) = [one for one in container.window.findChildren(QMenu) if one.isVisible()]
    next(each for each in menu.actions() if each.text() == words).trigger()
    menu.close()


@pytest.mark.usefixtures("bare_desktop")
def test_the_history_leads_to_somebody_and_what_is_shown_is_saved_and_waited_for_by_closing(
    visit: Visit,
    access: DemoAccess,
    hold_for: HoldFor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold_for(0)

    def script(container: Container) -> Script:
        yield from enter_with_key(access)
        yield shown("80 people", "Up to date")
        yield from history_leads_to_somebody_and_back(container)
        yield from without_a_mail_program_addresses_are_copied(container)
        press(Qt.Key.Key_1, CTRL)
        yield from saves_what_is_shown(container, tmp_path)
        yield from forgets_what_was_said(container)
        press(Qt.Key.Key_Escape)
        press(Qt.Key.Key_1, CTRL)
        yield from waits_where_it_is_closed(container, tmp_path / "last.csv", monkeypatch)

    visit(script)
    for name, heading in (("load.csv", "Whole flows"), ("gaps.csv", "What is missing")):
        assert heading in (tmp_path / name).read_text("utf-8-sig").splitlines()[0]
    assert [row.cells[:2] for row in read_file(tmp_path / "people.csv").rows[1:]] == [
        ("Grace", "Lindqvist")
    ]
    assert "Newcomers" in {row.cells[0] for row in read_file(tmp_path / "flows.xlsx").rows}
    assert len(read_file(tmp_path / "last.csv").rows) == 84


def history_leads_to_somebody_and_back(container: Container) -> Script:
    for name in ("Zora Quill", "Yara Quill", "Ada Other"):
        press(Qt.Key.Key_N, CTRL)
        write(f"{name} {name.split()[0]}@quill.example")
        press(Qt.Key.Key_Return)
    yield shown("83 people")
    # A name that was followed before: the way back to that comes behind.
    press(Qt.Key.Key_2, CTRL)
    yield shown("Newcomers", "Grace Lindqvist")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Return)
    yield shown("Back to Newcomers")
    press(Qt.Key.Key_H, CTRL | SHIFT)
    yield shown("3 entries")
    write("quill zora")
    yield shown("1 found")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Return)
    yield shown("Back to History", "Zora Quill")
    yield Until("the list", lambda: isinstance(QApplication.focusWidget(), PeopleTableView))
    assert container.window.screens is not None
    chosen = container.window.screens.people.chosen_person
    assert chosen is not None
    assert chosen.email == "Zora@quill.example"
    press(Qt.Key.Key_Left, ALT)
    yield shown("1 found")
    yield Until("the row", lambda: row_with_keyboard() == "Zora Quill")
    press(Qt.Key.Key_Escape)
    yield shown("Back to Newcomers", "Zora Quill")
    press(Qt.Key.Key_H, CTRL | SHIFT)
    yield shown("3 entries")
    press(Qt.Key.Key_Escape)
    yield shown("Back to Newcomers")
    press(Qt.Key.Key_Left, ALT)
    yield shown("Newcomers", "Welcome call")


def without_a_mail_program_addresses_are_copied(container: Container) -> Script:
    click_row("Newcomers")
    press(Qt.Key.Key_Menu)
    choose(container, "Write to everybody who runs the flow or a step")
    yield shown("Front Desk found no mail program on this computer.")
    assert QGuiApplication.clipboard().text().count("@") > 1


def saves_what_is_shown(container: Container, folder: Path) -> Script:
    press(Qt.Key.Key_F, CTRL)
    write("nobody so called")
    yield shown("Nobody here matches")
    press(Qt.Key.Key_S, CTRL | SHIFT)
    yield shown("There is nothing to save.")
    press(Qt.Key.Key_F, CTRL)
    write("grace l")
    yield shown("grace@lindqvist.example")
    press(Qt.Key.Key_S, CTRL | SHIFT)
    yield from save_as(container, folder / "people.csv")
    yield shown("1 person is saved in people.csv.")
    click_row("grace@lindqvist.example")
    yield gone("1 person is saved in people.csv.")
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_2, CTRL)
    yield shown("Newcomers")
    press(Qt.Key.Key_S, CTRL | SHIFT)
    yield from save_as(container, folder / "flows.xlsx")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.viewmodels.notices.REMARK_SECONDS", 1.5)
        press(Qt.Key.Key_S, CTRL | SHIFT)
        yield from save_as(container, folder / "flows.xlsx")
        yield shown("flows are saved in flows.xlsx.")
        yield gone("flows are saved in flows.xlsx.")
    for key, name in ((Qt.Key.Key_2, "load.csv"), (Qt.Key.Key_3, "gaps.csv")):
        press(key)
        press(Qt.Key.Key_S, CTRL | SHIFT)
        yield from save_as(container, folder / name)
        yield shown(f"{name} is saved.")


def forgets_what_was_said(container: Container) -> Script:
    for key, modifiers in (
        (Qt.Key.Key_1, CTRL),
        (Qt.Key.Key_2, CTRL),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_H, CTRL | SHIFT),
    ):
        ConnectionFiles(container.session_screen).drop(["one.csv", "two.csv"])
        yield shown("Drop one list at a time.")
        press(key, modifiers)
        yield gone("Drop one list at a time.")


def waits_where_it_is_closed(
    container: Container, last: Path, monkeypatch: pytest.MonkeyPatch
) -> Script:
    go_on, write, fails = Event(), table.write_table, [True, False]

    def slowly(*given: Any) -> None:
        go_on.wait(20)
        go_on.clear()
        if fails.pop(0):
            raise OSError(ENOSPC, "no room")
        write(*given)

    monkeypatch.setattr(table, "write_table", slowly)
    press(Qt.Key.Key_S, CTRL | SHIFT)
    yield from save_as(container, last)
    container.window.close()
    yield shown("A file is still being saved or printed.")
    go_on.set()
    yield shown("last.csv")
    yield gone("A file is still being saved or printed.")
    # One that failed before nobody waited for it keeps no window.
    screens = container.window.screens
    assert screens is not None
    screens.printing.copy_picture_of("gone", PageTypesetter())
    yield shown("This flow is not there any more.")
    press(Qt.Key.Key_S, CTRL | SHIFT)
    yield from save_as(container, last)
    container.window.close()
    yield shown("A file is still being saved or printed.")
    assert not last.exists()
    go_on.set()
    yield Until("the end", lambda: False)


def row_with_keyboard() -> str:
    """Who stands in the row of the history that has the keyboard."""
    table = QApplication.focusWidget()
    if not isinstance(table, CellTableView) or not table.chosen_rows:
        return ""
    return str(table.model().index(table.chosen_rows[0], HistoryColumn.NAME).data())
