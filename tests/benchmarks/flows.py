"""What it costs to open each view of the Flows tab, and to search in it, in an account with very
many flows: from the key to what is painted.
"""

import asyncio
import gc
import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, ClassVar, cast

os.environ.setdefault("QT_API", "pyside6")

import msgspec
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtGui import QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget
from qasync import QEventLoop

from app.flows.administrators import administrator_ids
from app.flows.catalogue import FlowCatalogue
from app.model.errors import ExpectedError
from app.model.flow import PeopleFlow, Step
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.search_keys import search_text
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.flows.search import gap_marks, pending_marks
from app.viewmodels.flows.what_is_new.what_is_new import WhatIsNewScreen
from app.views.flows.flows_tab import FlowsTab
from tests.benchmarks.duplicates import made_up_people
from tests.benchmarks.figures import application_of_all_rows
from tests.benchmarks.turns import Turns

if TYPE_CHECKING:
    from app.api.service import Service

FLOWS, STEPS, TOGETHER, ADMINISTRATORS = 1_000, 20, 3, 500
QUICK_FLOWS = 20
_OPENINGS, _QUICK_OPENINGS = 10, 2
_TYPED = ("meeting arranged", "flow 77", "an", "pending", "nobody like that")
_QUICK_TYPED = ("nob",)
"""Some are found by its first letters, and none by all."""
_LOOKS = 10
"""How often it is looked whether the screen has come up with the window, a frame and more apart."""
_STEP_NAMES = ("Interest noted", "First call", "Form received", "Meeting arranged", "References")


@dataclass(frozen=True, slots=True)
class ViewFigure:
    """From a key to the painted view, in seconds of the thread's processor time: the first time,
    half of the times, the longest; by the clock, half of the times; and the busiest turn of the
    event loop until all that follows from the key had come to its end.
    """

    HEAD: ClassVar[str] = (
        f"{'flows':>8}{'first ms':>10}{'p50 ms':>10}{'worst ms':>10}{'clock ms':>10}{'busy ms':>10}"
    )

    step: str
    flows: int
    first: float
    p50: float
    worst: float
    clock: float
    busiest_turn: float

    @property
    def line(self) -> str:
        """As the table shows it."""
        times = (self.first, self.p50, self.worst, self.clock, self.busiest_turn)
        return f"{self.flows:8}" + "".join(f"{each * 1000:10.1f}" for each in times)


def figures(*, quick: bool) -> list[ViewFigure]:
    """Read once; each view opened and opened again, and searched key by key."""
    found: list[ViewFigure] = []
    loop = QEventLoop(application_of_all_rows())
    with cycles_collected_by_the_event_loop(), loop:
        loop.run_until_complete(_measure(found, quick=quick))
    return found


async def _measure(found: list[ViewFigure], *, quick: bool) -> None:
    window = _FlowsWindow(quick=quick)
    await window.fill()
    # As in the program: what is there before anybody comes is looked through no more.
    gc.freeze()
    found.append(await window.read())
    for view in window.views:
        found.append(await window.open(view))
        found.append(await window.search(view))
    await window.close()


class _Watch:
    """Takes times, of the processor and of the clock, each from the last `begin`."""

    def __init__(self) -> None:
        self.busy: list[float] = []
        self.clock: list[float] = []
        self.begin()

    def begin(self) -> None:
        self._busy, self._clock = time.thread_time(), time.perf_counter()

    def stop(self) -> None:
        self.busy.append(time.thread_time() - self._busy)
        self.clock.append(time.perf_counter() - self._clock)


class _Painted(QObject):
    """Says when a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._painted = asyncio.Event()
        widget.installEventFilter(self)

    async def next(self) -> None:
        self._painted.clear()
        await self._painted.wait()
        await asyncio.sleep(0)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if event.type() == QEvent.Type.Paint:
            self._painted.set()
        return False


class _Service:
    """Gives these flows."""

    def __init__(self, flows: tuple[PeopleFlow, ...]) -> None:
        self.flows = flows

    async def people_flows(self) -> Sequence[PeopleFlow]:
        return self.flows


class _FlowsWindow:
    """The Flows tab of one account."""

    def __init__(self, *, quick: bool) -> None:
        self._crashes: list[BaseException] = []
        self._events = EventBus(self._crashes.append)
        self._scope = TaskScope("bench", self._crashes.append, ExpectedError)
        self._cache = Cache.open(None)
        self._directory = PeopleDirectory(self._cache, self._events)
        self._catalogue = FlowCatalogue(self._cache, self._events)
        self._quick = quick
        self._many = QUICK_FLOWS if quick else FLOWS
        self._flows = FlowsScreen(self._catalogue, self._directory, self._events, self._scope)
        self._screen = FlowsTabScreen(
            self._flows,
            by_person=ByPersonScreen(self._flows, self._scope),
            gaps=GapsScreen(self._flows, self._directory, self._events, self._scope),
            what_is_new=WhatIsNewScreen(
                self._cache,
                self._catalogue,
                self._directory,
                self._flows,
                events=self._events,
                scope=self._scope,
            ),
            scope=self._scope,
        )
        self._tab = FlowsTab(self._screen)
        self._found_by: dict[str, tuple[str, ...]] = {}
        self._window = QWidget()
        self._window.resize(1180, 760)
        QVBoxLayout(self._window).addWidget(self._tab)

    @property
    def views(self) -> Sequence[FlowsView]:
        """The flows last: they are in sight when the window opens."""
        return (*self._screen.shown_views[1:], FlowsView.FLOWS)

    async def fill(self) -> None:
        chance = random.Random(12)  # noqa: S311 - the same names each time
        people = made_up_people(chance, ADMINISTRATORS)
        reading = await self._cache.begin_full_read()
        await self._cache.save_people(people)
        await self._cache.finish_full_read(reading, complete=True)
        self._service = _Service(made_up_flows(chance, self._many, [one.id for one in people]))
        await self._cache.save_flows([_before(flow) for flow in self._service.flows])
        await self._directory.open()
        self._window.show()

    async def read(self) -> ViewFigure:
        """From the flows that the service gives to all that is known of them."""
        await self._catalogue.open()
        await self._settle()
        turns, watch = Turns(), _Watch()
        await self._catalogue.refresh(cast("Service", self._service))
        await self._settle()
        watch.stop()
        turns.stop()
        return self._figure("read", watch, turns)

    async def open(self, view: FlowsView) -> ViewFigure:
        """With the key that opens it, from another view."""
        turns, watch = Turns(), _Watch()
        other = FlowsView.GAPS if view is FlowsView.FLOWS else FlowsView.FLOWS
        for _ in range(_QUICK_OPENINGS if self._quick else _OPENINGS):
            watch.begin()
            self._tab.show_view(view)
            await _Painted(self._tab.page(view)).next()
            watch.stop()
            await self._settle()
            self._tab.show_view(other)
            await self._settle()
        turns.stop()
        self._tab.show_view(view)
        return self._figure(f"open {view.value}", watch, turns)

    async def search(self, view: FlowsView) -> ViewFigure:
        """Key by key."""
        turns, watch = Turns(), _Watch()
        painted = _Painted(self._tab.page(view))
        for typed in _QUICK_TYPED if self._quick else _TYPED:
            for end in range(1, len(typed) + 1):
                watch.begin()
                self._screen.search(typed[:end])
                # Also where what is found stays the same: of what has not changed, one pixel.
                self._tab.page(view).update(0, 0, 1, 1)
                await painted.next()
                watch.stop()
                await self._settle()
            self._screen.search("")
            await self._settle()
        turns.stop()
        if view is FlowsView.FLOWS:
            await self._check_again()
        return self._figure(f"search {view.value}", watch, turns)

    async def close(self) -> None:
        await self._scope.close()
        await self._cache.close()
        shiboken6.delete(self._window)
        if self._crashes:
            raise self._crashes[0]

    async def _check_again(self) -> None:
        """The same keys once more, which takes none of the time that was taken."""
        for typed in _QUICK_TYPED if self._quick else _TYPED:
            for end in range(1, len(typed) + 1):
                self._screen.search(typed[:end])
                await self._settle()
                self._check(typed[:end])
                await self._check_screen(typed[:end])
            self._screen.search("")
            await self._settle()

    def _check(self, query: str) -> None:
        """No figure stands where anything but what is asked for was listed, or nothing painted."""
        words = search_text(query).split()
        wanted = tuple(
            flow.id
            for flow in self._service.flows
            if all(any(word in text for text in self._texts(flow)) for word in words)
        )
        rows = self._flows.list
        if rows.keys != wanted:
            raise AssertionError(f"{query}: {len(rows.keys)} flows listed, {len(wanted)} expected")
        flow = self._flows.state.flow
        if bool(wanted) is (flow is None) or (flow is not None and flow.flow_id not in wanted):
            raise AssertionError(f"{query}: another flow is shown than those that are listed")

    async def _check_screen(self, query: str) -> None:
        """The rows on the screen are what would be painted now: nothing there is of before."""
        if QGuiApplication.platformName() != "xcb":
            return  # no other lets what is on the screen be read
        rows = self._tab.flows.list.viewport()
        place = QRect(rows.mapTo(self._window, QPoint()), rows.size())
        for _ in range(_LOOKS):
            seen = self._window.screen().grabWindow(
                self._window.winId(), place.x(), place.y(), place.width(), place.height()
            )
            if _same(seen, self._window.grab(place)):
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"{query}: the screen shows something else than is listed")

    def _texts(self, flow: PeopleFlow) -> tuple[str, ...]:
        """All that a flow is found by."""
        if flow.id not in self._found_by:
            known = self._flows.known
            people = map(known.administrators.person, administrator_ids(flow))
            said = [flow.name or "", *(step.name or "" for step in flow.steps)]
            said += [person.full_name for person in people if person is not None]
            for gap in known.gaps.of(flow.id):
                said += gap_marks(gap)
            if any(step.pending for step in flow.steps):
                said += pending_marks()
            self._found_by[flow.id] = tuple(map(search_text, said))
        return self._found_by[flow.id]

    def _figure(self, step: str, watch: "_Watch", turns: Turns) -> ViewFigure:
        return ViewFigure(
            step,
            self._many,
            first=watch.busy[0],
            p50=median(watch.busy),
            worst=max(watch.busy),
            clock=median(watch.clock),
            busiest_turn=turns.busiest,
        )

    async def _settle(self) -> None:
        while self._scope.busy:  # noqa: ASYNC110 - looks from outside
            await asyncio.sleep(0.002)
        await asyncio.sleep(0.01)


def _same(one: QPixmap, other: QPixmap) -> bool:
    plain = QImage.Format.Format_RGB32
    return one.toImage().convertToFormat(plain) == other.toImage().convertToFormat(plain)


def _before(flow: PeopleFlow) -> PeopleFlow:
    """As it was a reading earlier: nobody ran it, and its last step was not there."""
    return msgspec.structs.replace(flow, admins=(), steps=flow.steps[:-1])


def made_up_flows(chance: random.Random, many: int, ids: Sequence[str]) -> tuple[PeopleFlow, ...]:
    """No two steps are called the same, and hardly two have the same people: the hardest case."""
    return tuple(
        PeopleFlow(
            id=f"flow-{flow}",
            name=f"Flow {flow}",
            admins=tuple(chance.sample(ids, 2)),
            steps=tuple(
                Step(
                    id=f"step-{flow}-{place}",
                    name=f"{_STEP_NAMES[place % len(_STEP_NAMES)]} {flow}.{place}",
                    status="pending" if chance.random() < 0.02 else "",
                    entry_point="y" if place == 0 else "",
                    admins=tuple(chance.sample(ids, TOGETHER)) if chance.random() < 0.99 else (),
                )
                for place in range(STEPS)
            ),
        )
        for flow in range(many)
    )
