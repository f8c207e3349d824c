"""What it costs to look a list over: from the file to its rows on the screen, each compared with
everybody in the account.

The window beside it is answering meanwhile: its busiest turn is told with the rest.
"""

import asyncio
import csv
import gc
import io
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

os.environ.setdefault("QT_API", "pyside6")

import shiboken6
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget
from qasync import QEventLoop

from app.exporting.table import write_table
from app.model.errors import ExpectedError
from app.model.person import Person
from app.model.verdict import Verdict
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.column_choices import ColumnChoices
from app.settings.settings import SettingsStore
from app.store.cache import Cache
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.importing.list_import import ListImport
from app.views.importing.review_page import ReviewPage
from tests.benchmarks.duplicates import made_up_people
from tests.benchmarks.figures import application_of_all_rows
from tests.benchmarks.turns import Turns
from tests.fuzz.runs import resident
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from app.viewmodels.importing.review import ReviewScreen

ROWS, PEOPLE = 10_000, 100_000
QUICK_ROWS, QUICK_PEOPLE = 50, 300
_HEADINGS = ("First name", "Last name", "Email", "Phone", "Note")
_KNOWN_ROWS = 4
"""One row of so many is somebody of the account."""
_BETWEEN_LOOKS = 4
"""Milliseconds: the reading is done in another thread, and is to be held up as little as it is."""
_SAVED_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class ImportFigure:
    """One file: seconds until its rows were painted, the worst turns of the event loop meanwhile in
    seconds, bytes that the process has grown by; how many rows are there already.
    """

    HEAD: ClassVar[str] = (
        f"{'rows':>8}{'people':>9}{'here':>7}{'seconds':>10}{'of cpu':>8}"
        f"{'turn ms':>10}{'busy ms':>10}{'MB':>7}"
    )

    step: str
    rows: int
    people: int
    here: int
    seconds: float
    processor: float
    """Seconds, of all threads: what other programs want of the computer is not in it."""
    longest_turn: float
    busiest_turn: float
    grown: int

    @property
    def line(self) -> str:
        """As the table shows it."""
        turns = f"{self.longest_turn * 1000:10.1f}{self.busiest_turn * 1000:10.1f}"
        return (
            f"{self.rows:8}{self.people:9}{self.here:7}{self.seconds:10.2f}{self.processor:8.2f}{turns}"
            f"{self.grown / 2**20:7.0f}"
        )


def figures(*, quick: bool) -> list[ImportFigure]:
    """The same list in every format."""
    rows, people = (QUICK_ROWS, QUICK_PEOPLE) if quick else (ROWS, PEOPLE)
    found: list[ImportFigure] = []
    loop = QEventLoop(application_of_all_rows())
    with (
        TemporaryDirectory(prefix="frontdesk-bench-") as folder,
        cycles_collected_by_the_event_loop(),
        loop,
    ):
        loop.run_until_complete(_measure(Path(folder), rows, people, found))
    return found


async def _measure(folder: Path, rows: int, many: int, found: list[ImportFigure]) -> None:
    chance = random.Random(12)  # noqa: S311 - the same names each time
    people = made_up_people(chance, many)
    window = _AccountWindow(folder)
    await window.fill(people)
    # As long as the program runs these are loaded once.
    await window.look_over(_save_csv(folder / "warm.csv", _list(chance, people, 10)))
    cells = _list(chance, people, rows)
    # As in the program: what is there before anybody comes is looked through no more.
    gc.freeze()
    for name, save in (
        ("people.csv", _save_csv),
        ("people.latin1.csv", _save_latin1),
        ("people.xlsx", _save_xlsx),
        ("people.vcf", _save_contacts),
    ):
        found.append(await window.look_over(save(folder / name, cells)))
    await window.close()


def _list(chance: random.Random, people: Sequence[Person], rows: int) -> list[Sequence[str]]:
    """Rows as offices have them: some are here, others are not."""
    others = made_up_people(chance, rows)
    cells: list[Sequence[str]] = []
    for number, other in enumerate(others):
        known = number % _KNOWN_ROWS == 0
        person = chance.choice(people) if known else other
        email = person.email if known else f"new{number}@example.com"
        first, last = person.firstname or "", person.lastname or ""
        cells.append((first, f"{last}" if known else f"{last}é", email or "", "0171 123", "choir"))
    return cells


def _save_csv(path: Path, rows: Sequence[Sequence[str]], encoding: str = "utf-8") -> Path:
    text = io.StringIO()
    csv.writer(text).writerows((_HEADINGS, *rows))
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def _save_latin1(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    return _save_csv(path, rows, "latin-1")


def _save_xlsx(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    write_table(path, _HEADINGS, rows)
    return path


def _save_contacts(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    cards = (
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nN:{last};{first};;;\r\nFN:{first} {last}\r\n"
        f"EMAIL;type=INTERNET;type=pref:{email}\r\nTEL;type=CELL:{phone}\r\nNOTE:{note}\r\n"
        "END:VCARD\r\n"
        for first, last, email, phone, note in rows
    )
    path.write_text("".join(cards), "utf-8")
    return path


async def _nothing_new() -> bool:
    """The list is whole as it is."""
    return True


class _Painted(QObject):
    """Says when a widget was painted for the first time."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.once = asyncio.Event()
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if event.type() == QEvent.Type.Paint:
            self.once.set()
        return False


class _AccountWindow:
    """Everybody of one account, and the page on which a list is looked over."""

    def __init__(self, folder: Path) -> None:
        self._crashes: list[BaseException] = []
        events = EventBus(self._crashes.append)
        self._scope = TaskScope("bench", self._crashes.append, ExpectedError)
        self._cache = Cache.open(folder / "cache.sqlite3")
        self._directory = PeopleDirectory(self._cache, events)
        self._store = OutboxStore.open(folder / "outbox.sqlite3")
        self._outbox = Outbox(
            events,
            self._scope,
            SignedInTo(None),
            store=self._store,
            people=DirectoryPeople(self._directory, events, self._scope, _nothing_new),
            hold_seconds=0,
        )
        self._duplicates = DuplicateIndex(self._directory, self._outbox, events, self._scope)
        self._lists = ListImport(
            self._outbox,
            self._duplicates,
            SettingsStore(None, events),
            choices=ColumnChoices(None),
            events=events,
            scope=self._scope,
        )
        self._window = QWidget()
        self._window.resize(1000, 700)
        self._inside = QVBoxLayout(self._window)
        self._people = 0

    async def fill(self, people: Sequence[Person]) -> None:
        """Put everybody into the account, ready to be compared with."""
        for start in range(0, len(people), _SAVED_AT_ONCE):
            await self._cache.save_people(people[start : start + _SAVED_AT_ONCE])
        await self._directory.open()
        self._duplicates.take_up()
        self._people = len(people)
        self._window.show()
        await _until(lambda: not self._duplicates.busy)

    async def look_over(self, file: Path) -> ImportFigure:
        """Open the file as if it was dropped on the window, until its rows are painted."""
        turns, before = Turns(rest=_BETWEEN_LOOKS), (resident() or 0)
        opened: asyncio.Future[ReviewScreen] = asyncio.get_running_loop().create_future()
        self._lists.opened.connect(opened.set_result)
        begun, processor = time.perf_counter(), time.process_time()
        self._lists.add_from_list(file)
        screen = await opened
        page = ReviewPage(screen)
        painted = _Painted(page.list.viewport())
        self._inside.addWidget(page)
        page.opened()
        await painted.once.wait()
        await asyncio.sleep(0)
        seconds, processor = time.perf_counter() - begun, time.process_time() - processor
        turns.stop()
        counts = {chip.verdict: chip.count for chip in screen.state.chips}
        grown = (resident() or 0) - before
        self._lists.opened.disconnect(opened.set_result)
        screen.ended.emit(screen)
        shiboken6.delete(page)
        if self._crashes:
            raise self._crashes[0]
        return ImportFigure(
            file.name,
            counts[None],
            self._people,
            counts.get(Verdict.ALREADY_HERE, 0),
            seconds,
            processor,
            turns.longest,
            turns.busiest,
            grown,
        )

    async def close(self) -> None:
        await self._outbox.close()
        await self._scope.close()
        await self._cache.close()
        await self._store.close()
        self._window.close()


async def _until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 - looks from outside
        await asyncio.sleep(0.01)
