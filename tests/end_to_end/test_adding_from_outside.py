"""`frontdesk add` in a process of its own, with the window open, busy and closed."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from app.container import Container
from app.demo.server import DemoAccess
from app.single_instance import SingleInstance, WindowRequest
from app.tour.main_job import shown
from app.tour.screen_reader import text_on_screen
from app.tour.script import Script, Until, click, press
from tests.end_to_end.steps import CTRL, Visit, enter_with_key, the, write

ROOT = Path(__file__).resolve().parents[2]
ADA = "Ada Lovelace ada@x.example"
CARL = "Carl Chapman carl@x.example"


class Outside:
    """Somebody in a terminal, beside the window of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._first: SingleInstance | None = None
        self._running: list[subprocess.Popen[str]] = []

    def window_is_open(self, container: Container) -> Script:
        """The window of this process is the one that later starts find."""
        self._first = SingleInstance(self._folder)
        begun = asyncio.ensure_future(self._first.begin())
        yield Until("the first", begun.done)
        self._first.when_asked(container.come_to_front, container.take)

    def says(self, *arguments: str, typed: str = "") -> "subprocess.Popen[str]":
        """Start `frontdesk` once more."""
        command = [sys.executable, "-m", "app", "--data-folder", str(self._folder), *arguments]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._running.append(process)
        assert process.stdin is not None
        process.stdin.write(typed)
        process.stdin.close()
        return process

    def ended(self, process: "subprocess.Popen[str]") -> Until:
        """Until it has ended, with nothing to say."""

        def is_so() -> bool:
            if process.poll() is None:
                return False
            assert process.stdout is not None
            assert (process.returncode, process.stdout.read()) == (0, "")
            return True

        return Until("the second start has ended", is_so)

    def end(self) -> None:
        """Nothing stays behind."""
        if self._first is not None:
            self._first.end()
        for process in self._running:
            if process.poll() is None:
                process.kill()
            process.wait(10)
            assert process.stdout is not None
            process.stdout.close()


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    person = Outside(tmp_path / "data")
    yield person
    person.end()


def line() -> QLineEdit:
    """The line for adding, which has the keyboard."""
    widget = QApplication.focusWidget()
    assert isinstance(widget, QLineEdit)
    return widget


def into_demo() -> Script:
    click(the("Try the demo account"))
    yield shown("80 people", "Up to date")


def a_connection_file_fills_the_first_page_and_waits_behind_an_account(
    container: Container, outside: Outside, folder: Path
) -> Script:
    file = folder / "riverside.frontdesk"
    file.write_text('{"name": "Riverside", "base_url": "https://riverside.example.org"}')
    yield shown("Welcome to Front Desk")
    yield outside.ended(outside.says(str(file)))
    yield shown("https://riverside.example.org")
    yield from into_demo()
    # Another one, as far as the window is told.
    container.take(WindowRequest(connection=file))
    yield shown("Sign out first to open a connection file.")


def whoever_is_added_stands_in_the_line(container: Container, outside: Outside) -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield outside.ended(outside.says("add", ADA))
    yield shown("You asked for this from outside the window.")
    assert line().text() == ADA
    container.take(WindowRequest(people="Bob Byron"))
    yield shown("2 lines not added yet")
    press(Qt.Key.Key_2, CTRL)
    yield shown("pending, after step")
    click(the("2 lines not added yet"))
    yield shown("You asked for this from outside the window.")
    assert line().text() == ADA
    press(Qt.Key.Key_Return)
    yield shown("Lovelace", "waiting")
    assert line().text() == "Bob Byron"
    press(Qt.Key.Key_Return)
    yield outside.ended(outside.says("add"))
    write("Zora Ne")
    assert line().text() == "Zora Ne"


def what_was_being_typed_comes_back_and_a_busy_window_takes_each_once(
    container: Container, outside: Outside
) -> Script:
    assert container.window.screens is not None
    quick_add = container.window.screens.quick_add
    put_into_line, taken = quick_add.give, list[str]()

    def give(text: str) -> bool:
        taken.append(text)
        return put_into_line(text)

    quick_add.give = give  # type: ignore[method-assign]  # it is only counted
    second = outside.says("add", CARL)
    time.sleep(2.5)  # busy for longer than a second start waits without a word
    assert second.poll() is None
    yield outside.ended(second)
    yield shown("You asked for this from outside the window.")
    # As a window manager does, once what the other program said after so long is closed.
    container.window.activateWindow()
    yield Until("the keyboard in the line", lambda: QApplication.focusWidget() is not None)
    assert line().text() == CARL
    assert taken == [CARL]
    press(Qt.Key.Key_Return)
    yield Until("the line from before", lambda: line().text() == "Zora Ne")
    assert (line().selectedText(), line().cursorPosition()) == ("", len("Zora Ne"))
    yield shown("Chapman", "waiting")


def several_are_looked_over_as_a_list(outside: Outside) -> Script:
    yield outside.ended(outside.says("add", "Mary Anning", "Emmy Noether"))
    yield shown("What was given", "Add 2 people", "Noether")
    people = "Zelda Quist\nGrace Hopper grace@x.example\n"
    yield outside.ended(outside.says("add", "-", typed=people))
    yield shown("What was given", "Add 2 people", "Hopper")


def which_list_to_look_over_is_asked(outside: Outside, folder: Path) -> Script:
    people = folder / "people.csv"
    people.write_text("First name,Last name\nIolo,Prydderch\n")

    def asked() -> QFileDialog | None:
        boxes = [box for box in QApplication.topLevelWidgets() if isinstance(box, QFileDialog)]
        return next((box for box in boxes if box.isVisible()), None)

    yield outside.ended(outside.says("import"))
    yield Until("a box to choose it", lambda: asked() is not None)
    box = asked()
    assert box is not None
    box.fileSelected.emit(str(people))
    box.close()
    yield shown("Add 1 person", "Prydderch")


def test_the_open_window_takes_files_people_and_lists_from_outside_and_what_was_typed_comes_back(
    visit: Visit, outside: Outside, tmp_path: Path
) -> None:
    def script(container: Container) -> Script:
        yield from outside.window_is_open(container)
        yield from a_connection_file_fills_the_first_page_and_waits_behind_an_account(
            container, outside, tmp_path
        )
        yield from whoever_is_added_stands_in_the_line(container, outside)
        yield from what_was_being_typed_comes_back_and_a_busy_window_takes_each_once(
            container, outside
        )
        yield from several_are_looked_over_as_a_list(outside)
        yield from which_list_to_look_over_is_asked(outside, tmp_path)

    visit(script)


def test_whom_somebody_names_before_anybody_is_in_waits_for_their_own_account(
    visit: Visit, access: DemoAccess
) -> None:
    def closed_at_once(container: Container) -> Script:
        yield shown("Welcome to Front Desk", f"“{ADA}” can be added once you are signed in.")
        container.window.close()

    def script(container: Container) -> Script:
        yield shown(f"“{ADA}” can be added once you are signed in.")
        yield from into_demo()
        yield shown(f"“{ADA}” can be added once you are signed in to your own account")
        assert container.window.screens is not None
        assert not container.window.screens.quick_add.state.holds_words
        container.session_screen.sign_out()
        yield shown(f"“{ADA}” can be added once you are signed in.")
        yield from enter_with_key(access)
        yield shown("You asked for this from outside the window.", "80 people")
        assert line().text() == ADA
        assert "once you are signed in" not in text_on_screen()

    visit(closed_at_once, people=ADA)
    visit(script)


def test_with_no_window_open_the_new_one_looks_several_over_once_somebody_is_in_and_not_in_the_demo(
    visit: Visit, access: DemoAccess, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("First name,Last name\nAlan,Turing\n")

    def script(container: Container) -> Script:
        yield shown("“Ada Lovelace” and 2 others can be added once you are signed in.")
        yield from into_demo()
        yield shown("“Ada Lovelace” and 2 others can be added once you are signed in to your own")
        assert container.window.screens is not None
        assert not container.window.screens.lists.begun_lists
        container.session_screen.sign_out()
        yield shown("“Ada Lovelace” and 2 others can be added once you are signed in.")
        yield from enter_with_key(access)
        yield shown("Alan", "Add 1 person")
        lists = container.window.screens.lists.begun_lists
        assert [each.title for each in lists] == ["What was given (Ada Lovelace …)", "people.csv"]
        assert "once you are signed in" not in text_on_screen()

    visit(script, people="Ada Lovelace\nGrace Hopper", list_file=people)


OPENED_BY_MACOS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QFileOpenEvent
from app import application
from app.container import Container, StartOptions

data, *files = sys.argv[1:]
def opens(file):
    QCoreApplication.sendEvent(QCoreApplication.instance(), QFileOpenEvent(file))
class Opening(Container):
    def __init__(self, *arguments):
        opens(files[0])
        super().__init__(*arguments)
    def take(self, asked):
        print(asked.connection, asked.list_file)
        super().take(asked)
class Companion:
    def stop(self): pass
def accompany(container):
    for file in files[1:]:
        opens(file)
    QTimer.singleShot(0, container.quit)
    return Companion()
application.Container = Opening
sys.exit(application.run_window(StartOptions(Path(data)), accompany))
"""


def test_files_that_macos_opens_reach_a_program_that_is_starting_and_one_that_runs(
    tmp_path: Path,
) -> None:
    files = [str(tmp_path / name) for name in ("early.frontdesk", "later.FrontDesk", "choir.csv")]
    done = subprocess.run(
        [sys.executable, "-c", OPENED_BY_MACOS, str(tmp_path / "data"), *files],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == [f"{files[0]} None", f"{files[1]} None", f"None {files[2]}"]
    assert "Traceback" not in done.stderr
