"""The real program in a process of its own, which types as a person would and is killed (-9).

Run as `python -m`, it reads what to do from its arguments: the data folder, the connection file
(blank for none), and the steps of `STEPS` by name. The key is in the environment, as everywhere.
"""

import contextlib
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.application import run_window
from app.container import Container, StartOptions
from app.tour.main_job import shown
from app.tour.script import Runner, Script, Until, press, type_text
from app.views.importing.review_list import ReviewList
from app.views.people.people_table import PeopleTableView
from tests.end_to_end.kept_files import typed_line
from tests.end_to_end.steps import CTRL, gone, write


def kill() -> None:
    """The end, with no warning to anything in this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def kept_line() -> bytes:
    """The half-typed line as it is on the disk."""
    return b"".join(file.read_bytes() for file in Path(sys.argv[1]).glob("accounts/*/*.draft"))


def after_enter() -> Script:
    """Press Enter and be killed at once."""
    yield shown("80 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    write("Zora Acknowledged")
    press(Qt.Key.Key_Return)
    kill()


def while_editing() -> Script:
    """See that whoever was acknowledged is sent; edit somebody who waits, and be killed."""
    yield shown("81 people", "Up to date")
    yield gone("1 waiting")
    assert typed_line() == ""
    press(Qt.Key.Key_N, CTRL)
    write("Zora Waiting")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Up)
    type_text(" of Nowhere")
    assert typed_line() == "Zora Waiting of Nowhere"
    kill()


def looking_over_a_list_and_between_two_keys() -> Script:
    """See that who was edited is sent as they were; correct one of three rows and leave one out;
    type half a name as a person does, and be killed with the last key still in the air.
    """
    yield shown("82 people", "Up to date")
    assert typed_line() == ""
    press(Qt.Key.Key_F, CTRL)
    press(Qt.Key.Key_Down)
    yield Until("the list", lambda: isinstance(QApplication.focusWidget(), PeopleTableView))
    rows = "".join(f"Zora{n}\tQuimby\tzora{n}@quimby.example\n" for n in range(3))
    QGuiApplication.clipboard().setText(f"First name\tLast name\tEmail\n{rows}")
    press(Qt.Key.Key_V, CTRL)
    yield shown("Add 3 people")
    press(Qt.Key.Key_Down)
    yield Until("the rows", lambda: isinstance(QApplication.focusWidget(), ReviewList))
    press(Qt.Key.Key_Delete)
    yield shown("Add 2 people")
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_F2)
    type_text("Zelda")
    press(Qt.Key.Key_Return)
    yield shown("Zelda")
    yield Until("the change kept", lambda: "Zelda" in kept_lists())
    press(Qt.Key.Key_Escape)
    yield shown("Go on with")
    press(Qt.Key.Key_N, CTRL)
    press(Qt.Key.Key_A, CTRL)
    type_text("Zora Half-Typed zora@example")
    yield Until("every key so far kept", lambda: b"zora@example" in kept_line())
    type_text("X")
    kill()


def kept_lists() -> str:
    """What is kept of lists that are looked over, as another program reads the disk."""
    found = ""
    for file in Path(sys.argv[1]).glob("accounts/*/outbox.sqlite3"):
        with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as outbox:
            found += "".join(text for (text,) in outbox.execute("SELECT review FROM reviews"))
    return found


def told_to_end() -> Script:
    """Press Enter, and be told to end as at a logout."""
    yield shown("80 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    write("Zora Logged-Out")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    os.kill(os.getpid(), signal.SIGTERM)
    yield Until("the end", lambda: False)


def wait() -> Script:
    """Stay on the first page until somebody else ends it."""
    yield shown("Welcome to Front Desk")
    print("ready", flush=True)  # noqa: T201 - the test waits for this
    yield Until("the end", lambda: False, seconds=60)


STEPS: Mapping[str, Callable[[], Script]] = {
    step.__name__: step
    for step in (
        after_enter,
        while_editing,
        looking_over_a_list_and_between_two_keys,
        told_to_end,
        wait,
    )
}


def accompany(_container: Container) -> Runner:
    """Somebody in front of the screen."""
    return Runner(STEPS[sys.argv[3]](), sys.exit)


if __name__ == "__main__":
    options = StartOptions(
        data_folder=Path(sys.argv[1]),
        connection=Path(sys.argv[2]) if sys.argv[2] else None,
        api_key=os.environ.get("FRONTDESK_API_KEY", ""),
    )
    sys.exit(run_window(options, accompany))
