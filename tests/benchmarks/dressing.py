"""What it costs to change between light and dark, and to more contrast, with a long list kept: from
the choice to the painted window, on the page of the people and in the settings.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from typing import ClassVar, cast

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QRadioButton

from app.application import run_window
from app.container import Container, StartOptions
from app.demo.options import DemoOptions
from app.demo.server import DemoAccess, DemoServer
from app.tour.main_job import shown
from app.tour.script import Runner, Script, click, press
from app.views.look.theme import theme_of
from tests.end_to_end.steps import CTRL, enter_with_key, the

PEOPLE, QUICK_PEOPLE = 100_000, 300
_TIMES, _QUICK_TIMES = 5, 1


@dataclass(frozen=True, slots=True)
class DressFigure:
    """Processor time of the window's thread, in seconds: half of the changes, and the longest."""

    HEAD: ClassVar[str] = f"{'people':>9}{'p50 ms':>10}{'most ms':>10}"

    step: str
    people: int
    p50: float
    most: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        return f"{self.people:9}{self.p50 * 1000:10.1f}{self.most * 1000:10.1f}"


def figures(*, quick: bool) -> list[DressFigure]:
    """Each page, one after the other, in one window."""
    people, times = (QUICK_PEOPLE, _QUICK_TIMES) if quick else (PEOPLE, _TIMES)
    # A process of its own, as a window is.
    command = [sys.executable, "-P", "-m", __name__, str(people), str(times)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [DressFigure(*json.loads(line)) for line in done.stdout.splitlines()]


def _in_a_window(people: int, times: int) -> list[DressFigure]:
    found: list[DressFigure] = []
    problems: list[str] = []
    service = DemoServer(DemoOptions(people=people))
    access = service.start()
    try:

        def accompany(container: Container) -> Runner:
            def ended(problem: str) -> None:
                problems.append(problem)
                container.quit()

            return Runner(_changes(found, access, people, times), ended)

        with tempfile.TemporaryDirectory() as folder:
            run_window(StartOptions(data_folder=Path(folder)), accompany)
    finally:
        service.stop()
    if problems != [""]:
        raise RuntimeError(f"dressing: {problems}")
    return found


def _changes(found: list[DressFigure], access: DemoAccess, people: int, times: int) -> Script:
    theme = theme_of(cast(QApplication, QApplication.instance()))

    def measure(step: str, *changes: Callable[[], object]) -> None:
        took = [_seconds(change) for _ in range(times) for change in changes]
        found.append(DressFigure(step, people, median(took), max(took)))

    yield from enter_with_key(access)
    yield shown("Up to date", f"{people:,}")
    measure("people", lambda: theme.choose("dark"), lambda: theme.choose("light"))
    measure("contrast", lambda: theme.set_contrast(True), lambda: theme.set_contrast(False))
    press(Qt.Key.Key_Comma, CTRL)
    yield shown("Order of names")
    measure(
        "settings",
        lambda: click(the("Dark", QRadioButton)),
        lambda: click(the("Light", QRadioButton)),
    )


def _seconds(change: Callable[[], object]) -> float:
    _settle()
    began = time.thread_time()
    change()
    _settle()
    return time.thread_time() - began


def _settle() -> None:
    for _ in range(6):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, 0)


if __name__ == "__main__":
    for each in _in_a_window(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{json.dumps(astuple(each))}\n")
