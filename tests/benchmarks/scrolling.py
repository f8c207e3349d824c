"""What a frame costs while somebody moves through a very long list: by wheel, thumb and keys.

Beside it a table of Qt's own of the same size: over items that Qt holds itself, the floor, and over
a plain model in Python.
"""

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import ClassVar

os.environ.setdefault("QT_API", "pyside6")

import msgspec
import shiboken6
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    Qt,
)
from PySide6.QtGui import QStandardItem, QStandardItemModel, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHeaderView, QTableView, QVBoxLayout, QWidget
from qasync import QEventLoop

from app.model.errors import ExpectedError
from app.model.person import Person
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.ordering import SortKey
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.people.people import PeopleScreen
from app.views.people.people_tab import PeopleCard
from tests.benchmarks.duplicates import made_up_people
from tests.benchmarks.figures import FLOOR, application_of_all_rows
from tests.signed_in import SignedInTo

PEOPLE, QUICK_PEOPLE = 1_000_000, 2_000
_FRAMES, _QUICK_FRAMES = 300, 20
_LOT = 50_000
_NOTCH = 120
_DIFFERENT = 20_000
"""So many made-up people, with other addresses each time, are as good as any number of others."""
PLAIN_MODEL = "plain model"
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class FrameFigure:
    """From what somebody does to the painted frame, in seconds: processor time of the thread, half
    of the frames and 99 of 100; and by the clock the same 99. `blank` frames had a row on the
    screen that was not there yet.
    """

    HEAD: ClassVar[str] = (
        f"{'people':>9}{'p50 ms':>10}{'p99 ms':>10}{'clock p99':>10}{'frames':>8}{'blank':>7}"
    )

    step: str
    people: int
    frames: int
    p50: float
    p99: float
    clock_p99: float
    blank: int
    times_the_floor: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        times = (self.p50, self.p99, self.clock_p99)
        shown = "".join(f"{each * 1000:10.2f}" for each in times)
        beside = f"{self.times_the_floor:8.1f} times the floor"
        return f"{self.people:9}{shown}{self.frames:8}{self.blank:7}{beside}"


def figures(*, quick: bool) -> list[FrameFigure]:
    """Each way through the list, in one window."""
    found: list[FrameFigure] = []
    loop = QEventLoop(application_of_all_rows())
    with cycles_collected_by_the_event_loop(), loop, tempfile.TemporaryDirectory() as folder:
        loop.run_until_complete(_measure(found, Path(folder), quick=quick))
    return found


async def _measure(found: list[FrameFigure], folder: Path, *, quick: bool) -> None:
    many, frames = (QUICK_PEOPLE, _QUICK_FRAMES) if quick else (PEOPLE, _FRAMES)
    some = list(islice(_people(many), 1_000))
    for step, model in ((FLOOR, _of_items(some)), (PLAIN_MODEL, _PlainModel(some))):
        view = QTableView()
        view.setModel(model)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        window = _in_a_window(view)
        found.append(_Frames(view, len(some), found).figure(step, _by_wheel, frames))
        shiboken6.delete(window)
    list_window = _ListWindow(folder)
    await list_window.fill(many)
    frames_of_list = _Frames(await list_window.show(), many, found)
    for step, way in _WAYS.items():
        found.append(frames_of_list.figure(step, way, frames))
        await asyncio.sleep(0.01)
    await list_window.close()


Ways = Iterator[Callable[[], object]]
"""What somebody does for each frame."""


class _Frames:
    """Takes the time of each frame of one table."""

    def __init__(self, view: QTableView, people: int, before: Sequence[FrameFigure]) -> None:
        self._view = view
        self._people = people
        self._before = before

    def figure(self, step: str, way: Callable[[QTableView], Ways], frames: int) -> FrameFigure:
        """So many `frames` of this way through the list."""
        self._view.setFocus()
        self._view.scrollToTop()
        QApplication.processEvents()
        busy, clock, blank = [], [], 0
        for act in islice(way(self._view), frames):
            at = self._stands_at()
            began, began_clock = time.thread_time(), time.perf_counter()
            act()
            QApplication.processEvents()
            busy.append(time.thread_time() - began)
            clock.append(time.perf_counter() - began_clock)
            if self._stands_at() == at:
                raise AssertionError(f"{step}: the list has not moved")
            blank += self._shows_a_blank_row()
        p50, floor = median(busy), next((one.p50 for one in self._before), 0)
        return FrameFigure(
            step,
            self._people,
            len(busy),
            p50=p50,
            p99=quantiles(busy, n=100)[-1],
            clock_p99=quantiles(clock, n=100)[-1],
            blank=blank,
            times_the_floor=p50 / floor if floor else 1.0,
        )

    def _stands_at(self) -> tuple[int, int]:
        return self._view.verticalScrollBar().value(), self._view.currentIndex().row()

    def _shows_a_blank_row(self) -> bool:
        view, model = self._view, self._view.model()
        first, last = view.rowAt(0), view.rowAt(view.viewport().height() - 1)
        rows = range(first, (last if last >= 0 else model.rowCount() - 1) + 1)
        return not all(model.index(row, 0).data() for row in rows)


def _by_wheel(view: QTableView) -> Ways:
    """A notch at a time."""
    middle = QPointF(view.viewport().rect().center())
    place = view.viewport().mapToGlobal(middle)
    while True:
        yield lambda: QApplication.sendEvent(
            view.viewport(),
            QWheelEvent(
                middle,
                place,
                QPoint(),
                QPoint(0, -_NOTCH),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )


def _by_thumb(view: QTableView) -> Ways:
    """Dragged up and down the whole list, somewhere else in each frame."""
    chance, bar = random.Random(5), view.verticalScrollBar()  # noqa: S311 - the same each time
    while True:
        yield lambda: bar.setSliderPosition(chance.randrange(1, bar.maximum()))


def _by_page_down(view: QTableView) -> Ways:
    """Held down."""
    while True:
        yield lambda: QTest.keyPress(view, Qt.Key.Key_PageDown)


def _by_end_and_home(view: QTableView) -> Ways:
    """There and back."""
    while True:
        yield lambda: QTest.keyPress(view, Qt.Key.Key_End)
        yield lambda: QTest.keyPress(view, Qt.Key.Key_Home)


def _by_type_ahead(view: QTableView) -> Ways:
    """A letter each time, after a pause: it leads to the next name that begins with it."""
    patience = QApplication.keyboardInputInterval()
    while True:
        for letter in "trbvng":
            QApplication.setKeyboardInputInterval(0)
            yield partial(view.keyboardSearch, letter)
            QApplication.setKeyboardInputInterval(patience)


_WAYS: dict[str, Callable[[QTableView], Ways]] = {
    "wheel": _by_wheel,
    "thumb": _by_thumb,
    "page down": _by_page_down,
    "end and home": _by_end_and_home,
    "type-ahead": _by_type_ahead,
}


class _ListWindow:
    """The list of people of one account, on the disk, in a window."""

    def __init__(self, folder: Path) -> None:
        self._crashes: list[BaseException] = []
        report = self._crashes.append
        self._events = EventBus(report)
        self._scope = TaskScope("bench", report, ExpectedError)
        self._cache = Cache.open(folder / "cache.sqlite3")
        self._store = OutboxStore.open(None)
        self._directory = PeopleDirectory(self._cache, self._events)

    async def fill(self, many: int) -> None:
        """Keep so many people."""
        number, people = await self._cache.begin_full_read(), _people(many)
        while lot := list(islice(people, _LOT)):
            await self._cache.save_people(lot)
        await self._cache.finish_full_read(number, complete=True)

    async def show(self) -> QTableView:
        """The list with everybody in it."""
        await self._directory.open(SortKey.FIRST_NAME)
        await self._directory.read_keys()
        outbox = Outbox(
            self._events,
            self._scope,
            SignedInTo(None),
            store=self._store,
            hold_seconds=10.0,
        )
        screen = PeopleScreen(self._directory, outbox, self._events, self._scope)
        card = PeopleCard(screen)
        self._window = _in_a_window(card)
        while card.list.model().rowCount() < self._directory.count():  # noqa: ASYNC110 - looks on
            await asyncio.sleep(0.01)
        return card.list

    async def close(self) -> None:
        await self._scope.close()
        await self._cache.close()
        await self._store.close()
        shiboken6.delete(self._window)
        if self._crashes:
            raise self._crashes[0]


class _PlainModel(QAbstractTableModel):
    """What is written first: each cell asked for in Python."""

    def __init__(self, people: Sequence[Person]) -> None:
        super().__init__()
        self._people = people

    def rowCount(self, _parent: _Index | None = None) -> int:  # noqa: N802 - Qt's
        return len(self._people)

    def columnCount(self, _parent: _Index | None = None) -> int:  # noqa: N802 - Qt's
        return len(_COLUMNS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return _COLUMNS[index.column()](self._people[index.row()])


def _of_items(people: Sequence[Person]) -> QStandardItemModel:
    model = QStandardItemModel()
    for person in people:
        model.appendRow([QStandardItem(cell(person)) for cell in _COLUMNS])
    return model


def _in_a_window(widget: QWidget) -> QWidget:
    window = QWidget()
    window.resize(1180, 900)
    QVBoxLayout(window).addWidget(widget)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    return window


def _people(many: int) -> Iterator[Person]:
    """Made up; half have a phone, a third a mobile."""
    chance = random.Random(13)  # noqa: S311 - the same names each time
    some = made_up_people(chance, min(many, _DIFFERENT))
    for number in range(many):
        person = some[number % len(some)]
        yield msgspec.structs.replace(
            person,
            id=f"{number:08x}-0000-4000-8000-000000000000",
            lastname=f"{person.lastname} {number // len(some)}",
            phone=f"020 7946 {number % 10_000:04}" if number % 2 else "",
            mobile=f"+44 7700 900{number % 1_000:03}" if number % 3 == 0 else "",
            date_added=_FIRST_DAY + timedelta(hours=number % 50_000),
            volunteer=number % 5 == 0,
            admin=number % 50 == 0,
        )


_FIRST_DAY = datetime(2018, 1, 1, tzinfo=UTC)
_COLUMNS: tuple[Callable[[Person], str], ...] = (
    lambda person: person.full_name,
    lambda person: person.email or "",
    lambda person: person.phone or "",
    lambda person: person.mobile or "",
    lambda person: f"{person.date_added:%d/%m/%Y}",
)
