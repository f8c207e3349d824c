"""Making sure of entries whose reply was lost: the list is read again until it shows, or a person
is asked.

Apart from `sender`, so that nothing can be sent from here.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

from app.api.errors import ApiError
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.outbox.entries import Entries
from app.outbox.known_people import KnownPeople
from app.outbox.pauses import Pauses
from app.outbox.person_matching import judge
from app.outbox.sender import SignedIn
from app.runtime.tasks import TaskScope, moment_came
from app.store.errors import StoreError


class Reconciler:
    """At most one task, which lives only while there is somebody to look for and a service."""

    def __init__(
        self,
        entries: Entries,
        pauses: Pauses,
        scope: TaskScope,
        session: SignedIn,
        people: KnownPeople | None,
        *,
        waits: Sequence[float],
        backoff: tuple[float, float],
        on_judged: Callable[[], None],
    ) -> None:
        """`waits`: seconds before each look; after the last a person decides.

        `backoff`: seconds to the first and the longest wait before a list that cannot be read.
        `on_judged` is called whenever an entry was looked for.
        """
        self._entries = entries
        self._pauses = pauses
        self._scope = scope
        self._session = session
        self._people = people
        self._waits = tuple(waits)
        self._on_judged = on_judged
        self._shortest, self._longest = backoff
        self._retry_in = self._shortest
        self._not_before = 0.0
        self._due: dict[str, float] = {}
        # Asked about already: the list read at a start, or for a person, may have them by now.
        asked = entries.index.of(EntryState.NOT_SURE, Doubt.ABSENT)
        self._once_more = {entry.id for entry in asked} if people is not None else set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        scope.call_on_close(self._shut)

    def wake(self) -> None:
        """Look again at what is to be done: somebody is not sure, or the list can be read."""
        self._news.set()
        people = self._people
        if self._task is None and people is not None and self._looked_for():
            self._task = self._scope.spawn(self._look(people))
            self._task.add_done_callback(self._ended)

    def hurry(self, *entries: OutboxEntry) -> None:
        """Try at once what was put off; and look for `entries` now, not when their time comes."""
        self._retry_in, self._not_before = self._shortest, 0.0
        self._due.update((entry.id, 0.0) for entry in entries)
        self._once_more.update(entry.id for entry in entries if entry.doubt is Doubt.ABSENT)
        self.wake()

    def start_over(self, entries: Iterable[OutboxEntry]) -> None:
        """These are sent again: whoever is not sure once more is looked for from the beginning."""
        for entry in entries:
            self._due.pop(entry.id, None)
        self.wake()

    async def close(self) -> None:
        """End the looking; the next start looks anew."""
        self._shut()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _look(self, people: KnownPeople) -> None:
        while self._looked_for():
            self._news.clear()
            if await self._time_has_come():
                await self._read_and_judge(people)

    async def _read_and_judge(self, people: KnownPeople) -> None:
        now = asyncio.get_running_loop().time()
        due = [entry for entry in self._looked_for() if self._due.get(entry.id, now) <= now]
        if not due:
            return  # settled, or halted, while the time ran
        try:
            await people.read_again()
            for entry in due:
                await self._judge(people, entry)
        except (ApiError, StoreError):
            # Whoever reads the list says what is wrong; here it is only tried again.
            self._put_off()
        except Exception as error:  # noqa: BLE001 - reported below; those looked for are still there
            self._put_off()
            self._scope.report(error)
        else:
            self._retry_in = self._shortest

    async def _judge(self, people: KnownPeople, entry: OutboxEntry) -> None:
        namesakes = await people.namesakes(entry.new_person)
        matching = judge(entry, namesakes, await self._entries.claimed(namesakes))
        if (
            self._pauses.halts_reading
            or self._entries.find(entry.id, {EntryState.NOT_SURE}) is not entry
        ):
            return  # a person has decided meanwhile, or it may be another organisation's list
        self._due.pop(entry.id, None)
        self._once_more.discard(entry.id)
        try:
            if matching.person is None:
                last = entry.doubt is Doubt.ABSENT or entry.looks + 1 >= len(self._waits)
                await self._entries.looked(entry, last=last)
            elif matching.sure:
                await self._entries.found(entry, matching.person.id)
            else:
                await self._entries.looks_like(entry, matching.person)
        finally:
            self._on_judged()

    def _put_off(self) -> None:
        self._not_before = asyncio.get_running_loop().time() + self._retry_in
        self._retry_in = min(self._retry_in * 2, self._longest)

    def _looked_for(self) -> tuple[OutboxEntry, ...]:
        if self._closed or self._pauses.halts_reading or self._session.service is None:
            return ()
        of = self._entries.index.of
        looking = of(EntryState.NOT_SURE, Doubt.LOOKING)
        if not self._once_more:
            return looking
        absent = of(EntryState.NOT_SURE, Doubt.ABSENT)
        return (*looking, *(entry for entry in absent if entry.id in self._once_more))

    async def _time_has_come(self) -> bool:
        """True when it is time to read; False when there is news to look at first."""
        loop = asyncio.get_running_loop()
        due = (
            self._due.setdefault(entry.id, loop.time() + self._wait_before(entry))
            for entry in self._looked_for()
        )
        until = max(min(due, default=0.0), self._not_before)
        return await moment_came(until, self._news)

    def _wait_before(self, entry: OutboxEntry) -> float:
        if entry.doubt is Doubt.ABSENT:
            return 0.0
        return self._waits[min(entry.looks, len(self._waits) - 1)]

    def _shut(self) -> None:
        self._closed = True

    def _ended(self, _task: "asyncio.Task[None]") -> None:
        self._task = None
        self.wake()
