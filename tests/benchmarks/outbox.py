"""What waiting people cost: taken, searched, undone and sent, from one to ten thousand.

Outbox and list are files of their own; the service answers at once, so that only our part counts.
What a turn of the event loop takes on this computer today says the turn in which Qt's own table
comes to show the same rows.
"""

import asyncio
import gc
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

os.environ.setdefault("QT_API", "pyside6")

from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView, QVBoxLayout, QWidget
from qasync import QEventLoop

from app.model.errors import ExpectedError
from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.known_people import DirectoryPeople
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.settings.settings import SettingsStore
from app.store.cache import Cache
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.cycle_collection import cycles_collected_by_the_event_loop
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.window.status_bar import StatusBarScreen, StatusBarState
from app.views.people.people_tab import PeopleCard
from app.views.quick_add.quick_add import QuickAddCard
from tests.benchmarks.figures import Figure, Measure, application_of_all_rows, new_people, rows_of
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from app.api.service import Service

COUNTS = (1, 300, 2_000, 10_000)
QUICK_COUNTS = (1, 4)
_MOST_TYPED = 300
_LONG = 1e6
"""Seconds: nobody is sent before that is asked for."""


def figures(*, quick: bool) -> list[Figure]:
    """Every step with each number of people."""
    counts = QUICK_COUNTS if quick else COUNTS
    application = application_of_all_rows()
    found: list[Figure] = []

    async def measure() -> None:
        for people in counts:
            with TemporaryDirectory(prefix="frontdesk-bench-") as folder:
                window = AccountWindow(Path(folder))
                # As in the program: what is there before anybody waits is looked through no more.
                gc.freeze()
                found.extend(await window.figures(people))
                await window.close()

    loop = QEventLoop(application)
    with cycles_collected_by_the_event_loop(), loop:
        loop.run_until_complete(measure())
    return found


class _AnsweringService:
    """Adds everybody at once."""

    def __init__(self) -> None:
        self.created = 0

    async def create_person(self, firstname: str, lastname: str, email: str) -> Person:
        await asyncio.sleep(0)
        self.created += 1
        number = f"new-{self.created}"
        return Person(id=number, firstname=firstname, lastname=lastname, email=email)


async def _nothing_new() -> bool:
    """The list is whole as it is."""
    return True


class AccountWindow:
    """The line, the list and the status bar of one account, as they are in the window."""

    def __init__(self, folder: Path) -> None:
        self._crashes: list[BaseException] = []
        events = EventBus(self._crashes.append)
        self._scope = TaskScope("bench", self._crashes.append, ExpectedError)
        self._cache = Cache.open(folder / "cache.sqlite3")
        self._directory = PeopleDirectory(self._cache, events)
        self._store = OutboxStore.open(folder / "outbox.sqlite3")
        self._session = SignedInTo(None)
        self._outbox = Outbox(
            events,
            self._scope,
            self._session,
            store=self._store,
            people=DirectoryPeople(self._directory, events, self._scope, _nothing_new),
            hold_seconds=_LONG,
        )
        self._people = people = PeopleScreen(self._directory, self._outbox, events, self._scope)
        self._duplicates = DuplicateIndex(self._directory, self._outbox, events, self._scope)
        self._quick_add = QuickAdd(
            self._outbox,
            self._duplicates,
            SettingsStore(None, events),
            events,
            self._scope,
        )
        self._status = StatusBarScreen(people, self._directory, self._outbox, events, self._scope)
        self._status.state_changed.connect(self._say)
        self.line = QuickAddCard(self._quick_add)
        self.list = PeopleCard(people)
        self._window = QWidget()
        rows = QVBoxLayout(self._window)
        rows.addWidget(self.line)
        rows.addWidget(self.list)
        self._window.resize(1000, 700)
        self._measure = Measure()

    async def show(self, people: Sequence[Person] = ()) -> None:
        """The window, with these people in its list."""
        number = await self._cache.begin_full_read()
        await self._cache.save_people(people)
        await self._cache.finish_full_read(number, complete=True)
        await self._directory.open()
        await self._directory.read_keys()
        self._window.show()
        self._duplicates.take_up()
        for _ in range(20):
            await asyncio.sleep(0.01)

    async def figures(self, people: int) -> list[Figure]:
        """Each step with so many people."""
        await self.show()
        several = new_people(people)
        one_by_one: Sequence[tuple[str, Callable[[], Awaitable[object]]]] = (
            ("typed one by one", lambda: self._type(several)),
            ("undone one by one", self._undo),
        )
        together: Sequence[tuple[str, Callable[[], Awaitable[object]]]] = (
            ("taken together", lambda: self._take(several)),
            ("searched", self._search),
            ("undone together", self._undo_all),
            ("taken again", lambda: self._take(several)),
            ("sent", self._send),
        )
        # Nobody types ten thousand, and each waits for the disk.
        steps = [*one_by_one, *together] if people <= _MOST_TYPED else together
        found = [await self._by_qt(several)]
        found += [await self._measure.figure(step, people, work) for step, work in steps]
        if self._crashes:
            raise self._crashes[0]
        return found

    async def _by_qt(self, several: Sequence[tuple[str, NewPerson]]) -> Figure:
        rows, table = QStandardItemModel(), QTableView()
        for typed, new in several:
            texts = (new.full_name, new.email, "", "", typed)
            rows.appendRow([QStandardItem(text) for text in texts])
        table.resize(self._window.size())
        table.show()
        await asyncio.sleep(0.2)

        async def show_rows() -> None:
            table.setModel(rows)

        figure = await self._measure.figure("Qt's own table", len(several), show_rows)
        table.close()
        return figure

    async def _type(self, several: Sequence[tuple[str, NewPerson]]) -> None:
        for typed, _ in several:
            self._quick_add.type(typed)
            await asyncio.sleep(0)  # no two keys come in one turn
            assert self._quick_add.save()
            await asyncio.sleep(0)

    async def _undo(self) -> None:
        for entry in reversed(self._outbox.entries()):
            self._outbox.undo(entry.id)
            await asyncio.sleep(0)

    async def _take(self, several: Sequence[tuple[str, NewPerson]]) -> None:
        self._batch = await self._outbox.batches.take("list", ("Name",), rows_of(several))

    async def _search(self) -> None:
        for query in ("l", "lo", "lov", "lo", ""):
            self._people.search(query)
            await asyncio.sleep(0)

    async def _undo_all(self) -> None:
        assert await self._outbox.batches.undo(self._batch.id)

    async def _send(self) -> None:
        self._session.service = cast("Service", _AnsweringService())
        self._outbox.send_now()
        while self._outbox.unsent_count or self._scope.busy:  # noqa: ASYNC110 - looks from outside
            await asyncio.sleep(0.001)

    def _say(self, state: StatusBarState) -> None:
        self._window.setWindowTitle(f"{state.waiting_words} {state.needed_words}")

    async def close(self) -> None:
        self._measure.stop()
        await self._outbox.close()
        await self._scope.close()
        await self._cache.close()
        await self._store.close()
        self._window.close()
