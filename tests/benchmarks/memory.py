"""What a window holds of memory for each person, after the first reading and after many more.

Each window is a process of its own (`memory_window`) with real files and a real service, looked at
from outside once everybody who came is compared with everybody: all that is in memory of it, as the
system counts it, the libraries whole, also where other programs have them loaded: how many of those
there are just now is no matter of ours. Beside it stands a bare window of Qt's with an empty table,
and ours with next to nobody in it.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtCore import QObject, QSocketNotifier

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.application import run_window
from app.container import Container, StartOptions
from tests.benchmarks.reading import _service, _shown, end_of_reading

COUNTS = ((10_000, 200), (100_000, 20))
"""People, and how often they are read again."""
QUICK_COUNTS = ((300, 2),)
NOBODY = 10
_AT_REST, _QUICK_AT_REST = 5.0, 0.2
"""Seconds after which what follows a reading is over."""
_EARLIER = 10
"""One in so many of the readings: what grows has grown by then, and goes on."""
BARE = "bare window"


@dataclass(frozen=True, slots=True)
class MemoryFigure:
    """Bytes of a process; for each person above the bare window, and above ours with nobody."""

    HEAD: ClassVar[str] = f"{'people':>8}{'readings':>10}{'MB':>9}{'B each':>9}{'people B':>10}"

    step: str
    people: int
    readings: int
    bytes: int
    per_person: float
    of_people: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        return (
            f"{self.people:8}{self.readings:10}{self.bytes / 1e6:9.1f}"
            f"{self.per_person:9.0f}{self.of_people:10.0f}"
        )


def figures(*, quick: bool) -> list[MemoryFigure]:
    """The bare window, ours with next to nobody, and ours with each number of people."""
    if not sys.platform.startswith("linux"):
        return []
    rest = _QUICK_AT_REST if quick else _AT_REST
    with _window(["bare"]) as window:
        bare = _read_times(window, 0, rest)
    found = [MemoryFigure(BARE, 0, 0, bare, 0.0, 0.0)]
    empty = _measured(NOBODY, (1,), rest)[0]
    found.append(MemoryFigure("nobody", NOBODY, 1, empty, 0.0, 0.0))
    for people, times in QUICK_COUNTS if quick else COUNTS:
        readings = (1, 1 + max(1, times // _EARLIER), 1 + times)
        for many, held in zip(readings, _measured(people, readings, rest), strict=True):
            step = "first" if many == 1 else "again"
            each = (held - bare) / people, (held - empty) / people
            found.append(MemoryFigure(step, people, many, held, *each))
    return found


_AIM, _AIM_PEOPLE = 300, 100_000
"""Bytes for each of so many people, above the bare window."""
_WHY = (
    "most are arrays of what each is searched by and compared with (about 210), and what Python "
    "keeps of a reading, in pools that are half empty (about 125)"
)


def beyond_aim(figures: Sequence[MemoryFigure]) -> list[str]:
    """By how much the aim is missed, and why; nothing where it is reached."""
    empty, bare = (
        next((one.bytes for one in figures if one.step == step), 0) for step in ("nobody", BARE)
    )
    return [
        f"{one.step} {one.people}: {one.per_person - _AIM:.0f} B over the aim of {_AIM}; the "
        f"window without anybody is {(empty - bare) / one.people:.0f} of them, of the "
        f"{one.of_people:.0f} for people {_WHY}"
        for one in figures
        if one.people >= _AIM_PEOPLE and one.per_person > _AIM
    ]


def _measured(people: int, readings: Sequence[int], rest: float) -> list[int]:
    """Bytes of a window with so many people, once they have been read so often."""
    with _service(people) as (address, key), TemporaryDirectory() as folder:
        arguments = ["ours", "--folder", folder, "--address", address, "--people", str(people)]
        with _window([*arguments, "--key", key]) as window:
            return [_read_times(window, many, rest) for many in readings]


@contextmanager
def _window(arguments: list[str]) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", "-m", "tests.benchmarks.memory_window", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as window:
        try:
            yield window
        finally:
            window.terminate()


def _read_times(window: subprocess.Popen[str], readings: int, rest: float) -> int:
    """Bytes once the window has read so often. Raises RuntimeError where it does not hold all."""
    assert window.stdin is not None
    assert window.stdout is not None
    window.stdin.write(f"{readings}\n")
    window.stdin.flush()
    said = window.stdout.readline().strip()
    if said != str(readings):
        raise RuntimeError(f"{readings}: {said}")
    time.sleep(rest)
    return _resident(window.pid)


def _resident(process: int) -> int:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the system does not say")


# What stands in the process of a window


class _Reader(QObject):
    """Reads until as many readings have ended as the input asks for, and says so then."""

    def __init__(self, container: Container, people: int) -> None:
        super().__init__()
        self._container = container
        self._people = people
        self._read = 0
        self._begun = datetime.now(UTC)
        self._task: asyncio.Task[None] | None = None
        self._asked = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._asked.activated.connect(self._hear)

    def stop(self) -> None:
        self._asked.setEnabled(False)

    def _hear(self) -> None:
        line = sys.stdin.readline().strip()
        if line:
            self._task = asyncio.ensure_future(self._until(int(line)))
        else:
            self._asked.setEnabled(False)

    async def _until(self, readings: int) -> None:
        workspace = await _shown(self._container)
        while self._read < readings:
            if self._read:
                self._begun = datetime.now(UTC)
                workspace.refresh()
            try:
                await end_of_reading(workspace, self._begun, self._people)
            except RuntimeError as error:
                _say(f"{self._read} ended, {error}")
                return
            self._read += 1
        # Which takes a while longer, and then stays.
        index, groups = workspace._duplicates, workspace._duplicate_groups
        while not index.knows_everybody or groups.busy:  # noqa: ASYNC110 - looks from outside
            await asyncio.sleep(0.05)
        _say(str(self._read))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run_ours(folder: Path, address: str, key: str, people: int) -> int:
    """Our window, in this process."""
    connection = folder / "connection.json"
    write_connection(connection, ConnectionDetails(name="Bench", base_url=address))
    options = StartOptions(folder / "data", connection=connection, api_key=key)
    return run_window(options, lambda container: _Reader(container, people))
