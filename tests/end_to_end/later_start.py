"""A start in a process of its own: tells what its window says, and closes it when told to.

Run as `python -m`, with the data folder as hexadecimal digits and whom to add: the first line of
what it prints is the window's text as JSON, and a line on its input closes the window. `LaterStart`
does that.
"""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QPushButton

from app import application
from app.container import StartOptions
from app.tour.screen_reader import named, text_on_screen
from app.tour.script import click, press

ROOT = Path(__file__).resolve().parent.parent.parent


class LaterStart:
    """A later start that has something to say, and the person who reads it."""

    def __init__(self, folder: Path, people: str = "") -> None:
        module = "tests.end_to_end.later_start"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, os.fsencode(folder).hex(), people],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def says(self) -> str:
        """What its window says first."""
        assert self._process.stdout is not None
        return str(json.loads(self._process.stdout.readline()))

    def closed(self) -> tuple[int, str]:
        """Close the window: the exit code, and what was said on stderr."""
        _, said = self._process.communicate("close\n", 30)
        return self._process.returncode, said

    def ended(self) -> tuple[int, str]:
        """The same where it ends by itself."""
        _, said = self._process.communicate(timeout=30)
        return self._process.returncode, said

    def kill(self) -> None:
        """It is not needed any more."""
        self._process.kill()
        self._process.communicate()


class Reader(QObject):
    """Looks at the screen until there is something to read, and closes what is there."""

    told_to_close = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._looking = QTimer(self, interval=20)
        self._looking.timeout.connect(self._look)
        self._looking.start()
        self.told_to_close.connect(self._close)

    def _look(self) -> None:
        text = text_on_screen()
        if text:
            self._looking.stop()
            print(json.dumps(text), flush=True)  # noqa: T201 - the test waits for this
            threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        if sys.stdin.readline():
            self.told_to_close.emit()

    def _close(self) -> None:
        close = named("Close", QPushButton)
        if close is not None and isinstance(close.window(), QMessageBox):
            click(close)
        else:
            press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


if __name__ == "__main__":
    folder = Path(os.fsdecode(bytes.fromhex(sys.argv[1])))
    readers: list[Reader] = []
    make = application.make_application

    def make_and_read() -> application.Application:
        """The application, with somebody in front of its windows."""
        made = make()
        readers.append(Reader())
        return made

    application.make_application = make_and_read
    sys.exit(application.run_window(StartOptions(folder, people=sys.argv[2] or None)))
