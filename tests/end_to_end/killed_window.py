"""The real program in a process of its own, which types as a person would and is killed (-9).

Run as `python -m`, it reads what to do from its arguments: the data folder, the connection file,
and the steps of `STEPS` by name. The key is in the environment, as everywhere.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt

from app.application import run_window
from app.container import Container, StartOptions
from app.tour.main_job import shown
from app.tour.script import Runner, Script, Until, press, type_text
from tests.end_to_end.steps import CTRL


def kill() -> None:
    """The end, with no warning to anything in this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def between_two_keys() -> Script:
    """Type half a name as a person does, and be killed with the last key still in the air."""
    yield shown("240 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    type_text("Zora Half-Typed zora@example")
    yield Until("every key so far kept", lambda: b"zora@example" in kept_line())
    type_text("X")
    kill()


def kept_line() -> bytes:
    """The half-typed line as it is on the disk."""
    return b"".join(file.read_bytes() for file in Path(sys.argv[1]).glob("accounts/*/*.draft"))


def after_enter() -> Script:
    """Press Enter and be killed at once."""
    yield shown("240 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    type_text("Zora Acknowledged")
    press(Qt.Key.Key_Return)
    kill()


def while_correcting() -> Script:
    """Take somebody who waits back into the line, and be killed."""
    yield shown("240 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    type_text("Zora Corrected")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Up)
    kill()


def told_to_end() -> Script:
    """Press Enter, and be told to end as at a logout."""
    yield shown("240 people", "Up to date")
    press(Qt.Key.Key_N, CTRL)
    type_text("Zora Logged-Out")
    press(Qt.Key.Key_Return)
    yield shown("1 waiting")
    os.kill(os.getpid(), signal.SIGTERM)
    yield shown("something that is never shown")


def wait() -> Script:
    """Stay until somebody else ends it."""
    yield shown("240 people", "Up to date")
    print("ready", flush=True)  # noqa: T201 - the test waits for this
    yield shown("something that is never shown")


STEPS: Mapping[str, Callable[[], Script]] = {
    step.__name__: step
    for step in (between_two_keys, after_enter, while_correcting, told_to_end, wait)
}


def accompany(_container: Container) -> Runner:
    """Somebody in front of the screen."""
    return Runner(STEPS[sys.argv[3]](), sys.exit)


if __name__ == "__main__":
    options = StartOptions(
        data_folder=Path(sys.argv[1]),
        connection=Path(sys.argv[2]),
        api_key=os.environ["FRONTDESK_API_KEY"],
    )
    sys.exit(run_window(options, accompany))
