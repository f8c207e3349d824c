"""From the start of the process to the painted list, with the people on this computer.

Beside it stands a bare window of Qt's with an empty table, painted as well: no program in Python
and Qt is there sooner. Both are started in turns, each as a process of its own with real files.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import ClassVar

from app.accounts.account import Account, AuthMethod
from app.accounts.folders import CACHE, AccountFolders
from app.accounts.registry import AccountRegistry
from app.store.cache import Cache
from app.store.ordering import SortKey
from tests.benchmarks.duplicates import made_up_people
from tests.benchmarks.figures import FLOOR

COUNTS = (1_000, 10_000, 100_000)
MILLION = 1_000_000
QUICK_COUNTS = (300,)
_STARTS = 7
_QUICK_STARTS = 1
_AT_ONCE = 5_000
_AIM = 1.5
_AIM_PEOPLE = 1_000
_WHY = (
    "the program's own modules are loaded, and its header, line and list are built, dressed and "
    "painted, each about half of what is over"
)
_ROOT = Path(__file__).parents[2]
_BARE = """
import json, sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QTableWidget

class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            QTimer.singleShot(0, self.tell)
        return False

    def tell(self):
        print(json.dumps({"painted": time.monotonic(), "tables": 1}))
        application.quit()

application = QApplication(sys.argv)
table, painted = QTableWidget(0, 5), Painted()
table.viewport().installEventFilter(painted)
table.resize(1180, 760)
table.show()
application.exec()
"""


@dataclass(frozen=True, slots=True)
class StartFigure:
    """Seconds from the start of the process to the painted list: half took less, the worst."""

    HEAD: ClassVar[str] = f"{'people':>8}{'starts':>8}{'p50 ms':>10}{'worst ms':>10}{'floors':>8}"

    step: str
    people: int
    starts: int
    p50: float
    worst: float
    floors: float
    """How many times the bare window's."""

    @property
    def line(self) -> str:
        """As the table shows it."""
        times = "".join(f"{each * 1000:10.0f}" for each in (self.p50, self.worst))
        return f"{self.people:8}{self.starts:8}{times}{self.floors:8.2f}"


def figures(*, quick: bool, million: bool = False) -> list[StartFigure]:
    """The bare window and the program, started in turns, for each number of people."""
    found: list[StartFigure] = []
    starts = _QUICK_STARTS if quick else _STARTS
    counts = QUICK_COUNTS if quick else COUNTS
    for count in (*counts, MILLION) if million else counts:
        with TemporaryDirectory(prefix="frontdesk-bench-") as folder:
            asyncio.run(keep_people(Path(folder), count))
            ours = [sys.executable, "-P", "-m", "tests.end_to_end.started_window", folder]
            bare = [sys.executable, "-P", "-c", _BARE]
            # The first of each warms what every later one finds: bytecode and the disk's cache.
            warming = 0 if quick else 1
            pairs = [(_start(bare), _start(ours)) for _ in range(starts + warming)][warming:]
        floor = _middle([seconds for seconds, _ in pairs])
        for step, seconds in ((FLOOR, [a for a, _ in pairs]), ("list", [b for _, b in pairs])):
            p50 = _middle(seconds)
            found.append(StartFigure(step, count, starts, p50, max(seconds), p50 / floor))
    return found


def beyond_aim(figures: Sequence[StartFigure]) -> list[str]:
    """By how much the aim is missed, and why; nothing where it is reached."""
    return [
        f"{one.step} {one.people}: {one.floors:.2f} times the bare window, "
        f"{one.floors - _AIM:.2f} over the aim of {_AIM}: {_WHY}"
        for one in figures
        if one.step == "list" and one.people >= _AIM_PEOPLE and one.floors > _AIM
    ]


async def keep_people(folder: Path, count: int) -> None:
    """What stays of an account with so many people whose sign-in is over."""
    account = Account(
        id="bench", name="Bench", base_url="https://bench.example.org", auth_method=AuthMethod.KEY
    )
    AccountRegistry(folder).keep(account)
    owner = f"{account.id} {account.base_url}"
    cache = Cache.open(AccountFolders(folder).make(account.id) / CACHE, owner)
    people = made_up_people(random.Random(12), count)  # noqa: S311 - the same names each time
    number = await cache.begin_full_read()
    for start in range(0, count, _AT_ONCE):
        await cache.save_people(people[start : start + _AT_ONCE])
    await cache.finish_full_read(number, complete=True)
    await cache.kept_order(SortKey.FIRST_NAME)
    await cache.close()


def _start(command: Sequence[str]) -> float:
    """Seconds until the process says that its table was painted. A clock of the whole system."""
    begun = monotonic()
    done = subprocess.run(
        command,
        cwd=_ROOT,
        env=os.environ | {"PYTHONPATH": str(_ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = json.loads(done.stdout.splitlines()[0])
    if not told["tables"]:
        raise RuntimeError("no table was painted")
    return float(told["painted"]) - begun


def _middle(seconds: Sequence[float]) -> float:
    return sorted(seconds)[len(seconds) // 2]
