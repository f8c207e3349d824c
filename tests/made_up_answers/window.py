"""Run as a program: puts made-up answers through the real window, a round after the other.

Its argument is one JSON object. Before and after each round it writes one line; whoever started it
notices when it dies in between, or falls silent.
"""

import asyncio
import faulthandler
import gc
import json
import logging
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import qasync
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QPoint,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QTableView,
    QToolTip,
    QWidget,
)

from app.accounts.connection_file import ConnectionDetails, write_connection
from app.api import client
from app.api.auth import Credential
from app.api.client import ServiceClient
from app.api.requests import DEFAULT_LIMITS
from app.application import make_application
from app.container import Container, StartOptions
from app.runtime.crash import CrashReporter
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import Runner, Script, Until, click, press, type_text
from app.views.flows.flow_sheet import FlowSheet
from app.views.flows.flows_page import FlowListView
from app.views.people.person_pane import PersonPaneView
from tests.made_up_answers.answers import FORMATS, GOOD, round_number
from tests.made_up_answers.service import AnsweringService

Widget = TypeVar("Widget", bound=QWidget)
CTRL = Qt.KeyboardModifier.ControlModifier
_LOOK_AGAIN_MS = 1
_MOST_HOVERED = 6
_MOST_FLOWS = 2
_OF_THE_PLATFORM = ("This plugin does not support ", "OpenType support missing")
"""There is no window manager to tell, nor a font for every script; nothing of ours is amiss."""
_IMPATIENT = replace(DEFAULT_LIMITS, first_pause=0.005, longest_wait=0.01)


def say(**what: object) -> None:
    """One line to whoever started this; it is out when this returns."""
    os.write(1, json.dumps(what).encode() + b"\n")


class Turns(QObject):
    """How long the event loop was busy at a time: processor time of its thread, and by the clock.

    The clock tells of other programs on this computer as well; processor time does not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begin()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forget all turns so far, and what this one has done."""
        self.busiest = self.longest = 0.0
        self._mark()

    def _mark(self) -> None:
        self._busy, self._clock = time.thread_time(), time.monotonic()

    def _tick(self) -> None:
        self.busiest = max(self.busiest, time.thread_time() - self._busy)
        self.longest = max(self.longest, time.monotonic() - self._clock)
        self._mark()


class InTurn:
    """The client in all three formats, of which the one in force is asked."""

    in_force = "json"

    def __init__(self, base_url: str, auth: Credential, **more: Any) -> None:
        self._clients = {
            name: ServiceClient(base_url, auth, name, limits=_IMPATIENT, **more) for name in FORMATS
        }

    def __getattr__(self, name: str) -> Any:
        return getattr(self._clients[self.in_force], name)

    async def aclose(self) -> None:
        """End them all."""
        for each in self._clients.values():
            await each.aclose()


class Problems(logging.Handler):
    """What went wrong in this round: reports of crashes, errors in the log, words of Qt."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Errors, and whatever the loop complains of."""
        if record.levelno >= logging.ERROR or record.name in {"asyncio", "qasync"}:
            self.found.append(record.getMessage())

    def hear(self, kind: QtMsgType, _where: QMessageLogContext, message: str) -> None:
        """What Qt says."""
        if kind is not QtMsgType.QtDebugMsg and not message.startswith(_OF_THE_PLATFORM):
            self.found.append(f"Qt: {message}")


@dataclass
class Trial:
    """The rounds from `first` on, and how far they have come.

    After `of_a_start` of them the window is closed and opened again, and shows what was kept.
    """

    seed: int
    first: int
    rounds: int
    folder: Path
    of_a_start: int
    service: AnsweringService
    turns: Turns
    problems: Problems
    done: int = 0
    starts: int = 0
    told: int = 0

    @property
    def over(self) -> bool:
        """Whether there is nothing more to do."""
        return self.done == self.rounds or bool(self.problems.found)

    def begin(self) -> int:
        """The service says the next thing from now on; gives the number of the round."""
        number = self.first + self.done
        say(begun=number)
        made = round_number(self.seed, number)
        self.service.answers, InTurn.in_force = made.answers, made.format
        self.turns.begin()
        return number

    def end(self, number: int) -> None:
        """Tell how the round went."""
        self.done += 1
        say(
            round=number,
            busiest=self.turns.busiest,
            longest=self.turns.longest,
            problems=self.problems.found,
        )
        self.told = len(self.problems.found)

    def tell_the_rest(self) -> None:
        """What went wrong between the rounds, at an end or a start."""
        if len(self.problems.found) > self.told:
            number = self.first + self.done
            say(round=number, busiest=0.0, longest=0.0, problems=self.problems.found)


# One start of the window


def start(trial: Trial, container: Container) -> Script:
    """Sign in where that is needed, look at what was kept, and go through some rounds."""
    yield Until("the window", container.window.isVisible)
    yield Until("the lists", lambda: _workspace(container) is not None)
    yield from _idle(container)
    yield from _look_at_all(trial.first + trial.done)
    for _ in range(min(trial.of_a_start, trial.rounds - trial.done)):
        number = trial.begin()
        yield from one_round(container, number)
        trial.end(number)
        if trial.over or container._session.service is None:
            return


def one_round(container: Container, number: int) -> Script:
    """Read both lists, and look at everything in them."""
    press(Qt.Key.Key_F5)
    yield from _idle(container)
    yield from _look_at_all(number)


def _look_at_all(number: int) -> Script:
    yield from _people(number)
    yield from _flows(number)


def _workspace(container: Container) -> Any:
    return container._switcher.shown


def _idle(container: Container) -> Script:
    yield from _moment()
    yield Until("the end of reading", lambda: not _workspace(container)._reading())
    yield from _moment()


def _moment() -> Script:
    """One turn of the event loop: what changed is laid out and painted in it."""
    looks = iter(range(1))
    yield Until("a moment", lambda: next(looks, None) is None)


def _people(number: int) -> Script:
    """The list, one of its people, and one of the things that can be done with a list."""
    press(Qt.Key.Key_1, CTRL)
    yield from _moment()
    view, pane = _seen(QTableView), _seen(PersonPaneView)
    if view is None or pane is None:
        return
    yield from _IN_TURN[number % len(_IN_TURN)](view, number // len(_IN_TURN))
    if view.model().rowCount():
        _choose(view, _row(view, number))
        yield Until("the person", lambda: not pane._later.isActive())
        pane.repaint()
        yield from _moment()


def _sort(view: QTableView, number: int) -> Script:
    header = view.horizontalHeader()
    column = number % view.model().columnCount()
    place = QPoint(header.sectionViewportPosition(column) + 9, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    yield from _moment()


def _search(_view: QTableView, _number: int) -> Script:
    press(Qt.Key.Key_F, CTRL)
    for letter in "ad":
        type_text(letter)
        yield from _moment()
    press(Qt.Key.Key_A, CTRL)
    press(Qt.Key.Key_Delete)
    yield from _moment()


def _copy(view: QTableView, number: int) -> Script:
    if view.model().rowCount():
        _choose(view, _row(view, number))
    press(Qt.Key.Key_A, CTRL)
    yield from _moment()
    press(Qt.Key.Key_C, CTRL)
    yield from _moment()


def _hover(view: QAbstractItemView, number: int) -> Script:
    columns = view.model().columnCount() if isinstance(view, QTableView) else 1
    for row in {_row(view, number), _row(view, -1 - number)}:
        for column in range(columns if row >= 0 else 0):
            index = view.model().index(row, column)
            view.scrollTo(index)
            _tell(view.viewport(), view.visualRect(index).center())
            yield from _moment()


_IN_TURN = (_sort, _hover, _search, _copy)
"""By the number of the round: every fourth does the same, which is dearer than the answers are."""


def _flows(number: int) -> Script:
    press(Qt.Key.Key_2, CTRL)
    yield from _moment()
    view, sheet = _seen(FlowListView), _seen(FlowSheet)
    if view is None or sheet is None:
        return
    yield from _hover(view, number)
    for further in range(min(view.model().rowCount(), _MOST_FLOWS)):
        _choose(view, _row(view, number + further))
        yield Until("all steps", lambda: not sheet._strip.growing)
        sheet.repaint()
        yield from _moment()
        told = [each for each in sheet.findChildren(QWidget) if each.toolTip() and each.isVisible()]
        for each in told[:: len(told) // _MOST_HOVERED + 1]:
            if shiboken6.isValid(each):
                _tell(each, each.rect().center())
                yield from _moment()


def _row(view: QAbstractItemView, number: int) -> int:
    """Another one in each round; -1 where there is none."""
    rows = view.model().rowCount()
    return number % rows if rows else -1


def _tell(widget: QWidget, place: QPoint) -> None:
    QApplication.sendEvent(
        widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
    )
    QToolTip.hideText()


def _choose(view: QAbstractItemView, row: int) -> None:
    index = view.model().index(row, 0)
    view.scrollTo(index)
    cell = view.visualRect(index)
    click(view.viewport(), QPoint(cell.left() + 14, cell.center().y()))


def _seen(kind: type[Widget]) -> Widget | None:
    return next((each for each in visible(kind) if isinstance(each, kind)), None)


# All starts


def visit(trial: Trial, application: QApplication, crashes: CrashReporter) -> None:
    """One start of the window, from its opening to its end."""
    before = set(application.topLevelWidgets())
    connection = trial.folder / "connection.json"
    write_connection(connection, ConnectionDetails(name="Made Up", base_url=trial.service.base_url))
    options = StartOptions(trial.folder / "data", connection=connection, api_key="key")
    with qasync.QEventLoop(application) as loop:
        asyncio.set_event_loop(loop)
        crashes.watch(loop)
        container = Container(options, crashes)

        def ended(problem: str) -> None:
            if problem:
                trial.problems.found.append(f"{problem}\n{text_on_screen()[:2000]}")
            container.quit()

        runner = Runner(start(trial, container), ended)
        runner._timer.setInterval(_LOOK_AGAIN_MS)
        loop.run_until_complete(container.run())
        runner.stop()
    asyncio.set_event_loop(None)
    trial.starts += 1
    for left in set(application.topLevelWidgets()) - before:
        if shiboken6.isValid(left):
            shiboken6.delete(left)


def main(told: dict[str, Any]) -> None:
    """All rounds, or those up to the first in which something went wrong."""
    faulthandler.enable()
    # What is asked for in which format is chosen anew for each round.
    client.ServiceClient = InTurn  # type: ignore[assignment, misc]  # as far as it is asked here
    application = make_application()
    problems, crashes = Problems(), CrashReporter("made up")
    logging.getLogger().addHandler(problems)
    qInstallMessageHandler(problems.hear)
    crashes.install()
    with AnsweringService(GOOD).running() as service:
        trial = Trial(
            told["seed"],
            told["first"],
            told["rounds"],
            Path(told["folder"]),
            told["of_a_start"],
            service,
            Turns(),
            problems,
        )
        while not trial.over:
            # What was read last is shown again as it was kept; whoever is let in is let in first.
            visit(trial, application, crashes)
            # The program ends with its window; here what is left of it must not end in a thread.
            gc.collect()
            InTurn.in_force, service.answers = "json", GOOD
            trial.tell_the_rest()
    qInstallMessageHandler(None)
    crashes.uninstall()
    say(ended=trial.starts)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
