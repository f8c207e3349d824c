"""How often a window wakes up that nobody touches, in each state it may be left in.

A process of its own is brought there by keys and mouse, and then watched from outside: each time
one of its threads has slept and goes on is a wake-up, as the system counts them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import QObject, QSocketNotifier, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow

from app.application import run_window
from app.container import Container, StartOptions
from app.demo.server import DemoAccess
from app.tour.main_job import shown
from app.tour.script import Runner, Script, Until, click, press, type_text
from tests.end_to_end.steps import CTRL, enter_with_key, the
from tests.end_to_end.test_adding_a_list import look_over

_SECONDS, _QUICK_SECONDS = 10.0, 0.1
_AT_REST, _QUICK_AT_REST = 12.0, 0.05
"""Seconds after which nothing goes on any more of what somebody has done; the text cursor stands
still after ten.
"""
_HOLD, _QUICK_HOLD = 10, 3
"""Seconds until whoever was added is sent: time enough to pause a list in."""
BARE = "bare window"
_BARE_WINDOW = "tests.benchmarks.memory_window"
"""A program that loads nothing of ours."""


@dataclass(frozen=True, slots=True)
class IdleFigure:
    """How often all threads of a process woke up in so many seconds, and what that makes a minute;
    `busy` is what they took of the processor, in seconds.
    """

    HEAD: ClassVar[str] = f"{'seconds':>9}{'wake-ups':>10}{'a minute':>10}{'busy ms':>10}"

    step: str
    seconds: float
    wake_ups: int
    busy: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        minute = self.wake_ups * 60 / self.seconds
        return f"{self.seconds:9.0f}{self.wake_ups:10}{minute:10.0f}{self.busy * 1000:10.1f}"


def figures(*, quick: bool) -> list[IdleFigure]:
    """Each state after the other; nothing where the system does not count."""
    if not sys.platform.startswith("linux"):
        return []
    found: list[IdleFigure] = []
    with tempfile.TemporaryDirectory() as folder, _demo_service() as (access, service):
        for program, states in _PROGRAMS.items():
            hold = str(_QUICK_HOLD if quick else _HOLD)
            ours = ["--folder", f"{folder}/ours", "--access", access, "--hold", hold]
            command = [_BARE_WINDOW, "bare"] if program == "bare" else [__name__, *ours]
            with _window(command) as window:
                for state in states:
                    if state == _OFFLINE:
                        service.terminate()
                        service.wait()
                    _bring(window, state)
                    time.sleep(_QUICK_AT_REST if quick else _AT_REST)
                    found.append(_watched(window, state, _QUICK_SECONDS if quick else _SECONDS))
    return found


@contextmanager
def _demo_service() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "app", "demo-service", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            yield service.stdout.readline(), service
        finally:
            service.terminate()


@contextmanager
def _window(module: list[str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", *module]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as window:
        try:
            yield window
        finally:
            window.terminate()


def _bring(window: subprocess.Popen[str], state: str) -> None:
    """Have the window brought into this state. Raises RuntimeError where it does not come there."""
    assert window.stdin is not None
    assert window.stdout is not None
    window.stdin.write(f"{state}\n")
    window.stdin.flush()
    said = window.stdout.readline().strip()
    if said != state:
        raise RuntimeError(f"{state}: {said}")


def _watched(window: subprocess.Popen[str], state: str, seconds: float) -> IdleFigure:
    before, begun = _counted(window.pid), time.monotonic()
    time.sleep(seconds)
    wakes, busy = (now - then for now, then in zip(_counted(window.pid), before, strict=True))
    return IdleFigure(state, time.monotonic() - begun, round(wakes), busy)


def _counted(process: int) -> tuple[float, float]:
    """How often its threads woke up since the start, and the seconds of the processor they took."""
    wakes = busy = 0.0
    for thread in Path(f"/proc/{process}/task").iterdir():
        for line in (thread / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                wakes += int(line.split()[1])
        busy += int((thread / "schedstat").read_text().split()[0]) / 1e9
    return wakes, busy


# What stands in front of the window in its own process


def _first_page(_access: DemoAccess) -> Script:
    yield shown("Welcome to Front Desk")


def _minimised(_access: DemoAccess) -> Script:
    for window in _main_windows():
        window.showMinimized()
    yield from ()


def _in_front() -> Script:
    windows = _main_windows()
    for window in windows:
        window.showNormal()
        window.activateWindow()
    yield Until("the window in front", lambda: all(each.isActiveWindow() for each in windows))


def _main_windows() -> list[QMainWindow]:
    windows = QApplication.topLevelWidgets()
    return [window for window in windows if isinstance(window, QMainWindow)]


def _in_the_line(access: DemoAccess) -> Script:
    yield from _in_front()
    yield from enter_with_key(access)
    yield shown("240 people")
    press(Qt.Key.Key_N, CTRL)


def _in_the_list(_access: DemoAccess) -> Script:
    click(the("People", QAbstractItemView))
    yield shown("240 people")


def _added(_access: DemoAccess) -> Script:
    press(Qt.Key.Key_N, CTRL)
    yield shown("240 people")
    type_text("Zora Brandt zora@brandt.example")
    press(Qt.Key.Key_Return)
    yield shown("241 people")


def _list_paused(_access: DemoAccess) -> Script:
    yield from look_over("241 people")
    press(Qt.Key.Key_Return)
    yield shown("0 of 3 added")
    click(the("Pause"))
    yield shown("paused", "Go on")


def _offline(_access: DemoAccess) -> Script:
    yield from _in_front()
    press(Qt.Key.Key_F5)
    yield shown("Offline")


_OFFLINE = "offline"
_PROGRAMS: dict[str, dict[str, Callable[[DemoAccess], Script]]] = {
    "bare": {BARE: _first_page},
    "ours": {
        "first page": _first_page,
        "first page, minimised": _minimised,
        "in the line": _in_the_line,
        "in the list": _in_the_list,
        "somebody added": _added,
        "list paused": _list_paused,
        "minimised": _minimised,
        _OFFLINE: _offline,
        "offline, minimised": _minimised,
    },
}
"""The states of one process after the other, and the way to each from the one before."""


class _Visitor(QObject):
    """Does what leads to the state that is asked for on the input, and says when it is there."""

    def __init__(self, access: DemoAccess, ways: dict[str, Callable[[DemoAccess], Script]]) -> None:
        super().__init__()
        self._access = access
        self._ways = ways
        self._runner: Runner | None = None
        self._asked = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._asked.activated.connect(self._hear)

    def stop(self) -> None:
        self._asked.setEnabled(False)

    def _hear(self) -> None:
        state = sys.stdin.readline().strip()
        if state not in self._ways:
            self._asked.setEnabled(False)
            return
        self._runner = Runner(
            self._ways[state](self._access), lambda problem: _say(problem or state)
        )


def _say(line: str) -> None:
    sys.stdout.write(line.replace("\n", " ") + "\n")
    sys.stdout.flush()


def main() -> int:
    """Our window, as one of the programs that are watched."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--access", required=True)
    parser.add_argument("--hold", type=int, required=True)
    asked = parser.parse_args()
    access = DemoAccess(**json.loads(asked.access))
    asked.folder.mkdir(mode=0o700)
    (asked.folder / "settings.json").write_text(json.dumps({"hold_seconds": asked.hold}))

    def accompany(_container: Container) -> _Visitor:
        QGuiApplication.setQuitOnLastWindowClosed(False)
        return _Visitor(access, _PROGRAMS["ours"])

    return run_window(StartOptions(data_folder=asked.folder), accompany)


if __name__ == "__main__":
    sys.exit(main())
