"""Sends whoever waits once their hold is over: those who were typed one after another, a batch's
people up to four at once where the service bears it; nobody while there is a pause.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from app.api.errors import (
    ApiError,
    NotAuthorised,
    ServiceFault,
    TooManyRequests,
    TooSlow,
    Unreachable,
    UnreadableAnswer,
    was_never_sent,
)
from app.api.service import Service
from app.model.cause import Cause, CauseKind
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.entries import Entries
from app.outbox.entry_index import is_on_its_own
from app.outbox.events import PauseReason
from app.outbox.known_people import KnownPeople
from app.outbox.pauses import NO_GOOD_ANSWER, TRANSIENT, Pauses
from app.outbox.person_matching import is_somebody_else
from app.runtime.tasks import TaskScope, moment_came
from app.runtime.words import tr
from app.store.errors import StoreError

_MOST = 4
_SOON, _SLOWLY, _LATER = 4, 25, 100
"""So many answers in a row before there may be one more on the way: at first, after the service had
too much to do, and where more at once were no faster."""
_WORTH_IT = 1.1
# With outcome_unknown False these say that nothing was taken and that a later try may go through.
_NOT_TAKEN = (Unreachable, TooSlow, TooManyRequests)


class Width:
    """How many may be on their way at once: one at first, and one more whenever that has made it
    faster, as far as `_MOST`. A service that answers four at a time as fast as one gets four.
    """

    def __init__(self) -> None:
        """Nothing is known of the service."""
        self.now = 1
        self._needed = _SOON
        self._answers = 0
        self._seconds = 0.0
        self._rate = 0.0
        self._is_new = False

    def answered(self, seconds: float) -> None:
        """An answer came after `seconds`."""
        self._answers += 1
        self._seconds += seconds
        if self._answers < self._needed:
            return
        rate = self.now * self._answers / max(self._seconds, 1e-6)
        if self._is_new and rate < self._rate * _WORTH_IT:
            self._set(self.now - 1, needed=_LATER)
        elif self.now < _MOST:
            self._rate = rate
            self._set(self.now + 1, needed=self._needed)
            self._is_new = True
        else:
            self._set(self.now, needed=self._needed)

    def lost(self) -> None:
        """An answer was lost: whoever waits now would perhaps be lost with it."""
        self._set(1, needed=self._needed)

    def turned_away(self) -> None:
        """The service had too much to do: one at a time, and each time longer than before."""
        self._set(1, needed=min(max(self._needed * 2, _SLOWLY), _LATER))

    def _set(self, width: int, *, needed: int) -> None:
        self.now, self._needed, self._is_new = width, needed, False
        self._answers, self._seconds = 0, 0.0


class SignedIn(Protocol):
    """Whoever is signed in, as the outbox asks it; what a session is besides is left to others."""

    @property
    def service(self) -> Service | None:
        """Where people are sent; None while nobody can be."""


class OutboxSender:
    """At most one task that decides who leaves, and one for each on the way; they live only while
    somebody waits and may be sent: idle is silent.
    """

    def __init__(
        self,
        entries: Entries,
        pauses: Pauses,
        scope: TaskScope,
        session: SignedIn,
        people: KnownPeople | None,
        *,
        hold_seconds: float,
        on_doubt: Callable[[], None],
    ) -> None:
        """`on_doubt` is called when the reply to an entry was lost."""
        self.hold_seconds = hold_seconds
        """How long an entry that is taken from now on is held."""
        self._entries = entries
        self._pauses = pauses
        self._scope = scope
        self._session = session
        self._people = people
        self._on_doubt = on_doubt
        self._width = Width()
        self._under_way: dict[str, tuple[OutboxEntry, asyncio.Task[None]]] = {}
        self._due: dict[str, float] = {}
        self._news = asyncio.Event()
        self._doubtful = False
        self._deciding: set[asyncio.Task[None]] = set()
        self._closed = False
        scope.call_on_close(self._shut)

    def hold(self, entries: Iterable[OutboxEntry], seconds: float) -> None:
        """Send `entries` when `seconds` have passed. Measured by a clock that nobody can set."""
        due = asyncio.get_running_loop().time() + seconds
        self._due.update((entry.id, due) for entry in entries)
        self.wake()

    @property
    def holds(self) -> dict[str, float]:
        """Until when each entry is held, by the loop's clock and the id of each."""
        return dict(self._due)

    def take_up(self, holds: Mapping[str, float]) -> None:
        """Hold as long as the one before this in the same run did."""
        self._due.update(holds)

    def forget(self, entries: Iterable[OutboxEntry]) -> None:
        """`entries` were taken back: the next one may be due."""
        for entry in entries:
            self._due.pop(entry.id, None)
        self.wake()

    def wake(self) -> None:
        """Look again at what is to be done: something was added, taken away or allowed."""
        self._news.set()
        if not self._deciding and self._has_work():
            task = self._scope.spawn(self._send_all())
            self._deciding.add(task)
            task.add_done_callback(self._ended)

    def hurry(self) -> None:
        """Cut short every hold."""
        self._due.clear()
        self.wake()

    async def close(self) -> None:
        """End the sender; an entry on its way becomes not sure."""
        if self._closed:
            return
        self._shut()
        await asyncio.sleep(0)  # who was told to leave has begun to, and can be told to stop
        while tasks := {task for _, task in self._under_way.values()} | self._deciding:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        # What cannot be written even now is made sure of at the next start.
        with contextlib.suppress(StoreError):
            await self._entries.write_late()

    async def _send_all(self) -> None:
        while self._has_work():
            self._news.clear()
            try:
                if not await self._time_has_come():
                    continue
                if not self._entries.owes or await self._kept(self._entries.write_late()):
                    await self._send_next()
            except Exception as error:  # noqa: BLE001 - reported; what waits has to go all the same
                self._report(error)

    def _report(self, error: Exception) -> None:
        self._scope.report(error)
        self._pauses.put_off(PauseReason.NO_ROOM, tr("Sending is tried again in a while."))

    async def _send_next(self) -> None:
        service, entry = self._session.service, self._next()
        if service is None or entry is None or self._time_for(entry) > self._now():
            return  # what was written meanwhile has changed who is next, or when
        if await self._answers(service):
            await self._send(service, entry)

    async def _send(self, service: Service, waiting: OutboxEntry) -> None:
        """Everybody who was typed goes this way. What was written before a step outlives it."""
        known_ids, knew_all = await self._known(waiting.new_person)
        if self._next() is not waiting or self._time_for(waiting) > self._now():
            return  # undone, corrected, halted or put off meanwhile
        try:
            entry = await self._entries.sending(waiting, known_ids, knew_all=knew_all)
        except StoreError as error:
            self._pauses.put_off(PauseReason.NO_ROOM, error.message)
            return
        self._due.pop(entry.id, None)
        if self._closed or self._pauses.not_before > self._now():
            await self._kept(self._entries.back(entry))
            return
        task = self._scope.spawn(self._go(service, entry))
        self._under_way[entry.id] = (entry, task)
        # Ended before its first step, a task never gets to the work it wraps.
        task.add_done_callback(lambda _task: self._arrived(entry))

    async def _go(self, service: Service, entry: OutboxEntry) -> None:
        try:
            await self._kept(self._arrive(service, entry))
        except Exception as error:  # noqa: BLE001 - reported; the others still have to go
            self._report(error)
        finally:
            self._arrived(entry)

    async def _arrive(self, service: Service, entry: OutboxEntry) -> None:
        new, put_offs = entry.new_person, self._pauses.put_offs
        began = self._now()
        try:
            person = await self._created(service, new)
        except ApiError as error:
            await self._failed(entry, error, put_offs)
        except asyncio.CancelledError as cancelled:
            if was_never_sent(cancelled):
                await self._entries.back(entry)
            else:
                await self._lost(entry, Cause(CauseKind.CUT_SHORT))
            raise
        except Exception as error:  # noqa: BLE001 - reported below; the others still have to go
            self._scope.report(error)
            await self._lost(entry, Cause(CauseKind.UNEXPECTED))
        else:
            self._width.answered(self._now() - began)
            self._came_through(put_offs)
            await self._entries.added(entry, person)

    async def _failed(self, entry: OutboxEntry, error: ApiError, put_offs: int) -> None:
        if error.outcome_unknown:
            self._doubtful = True
            self._width.lost()
            await self._lost(entry, Cause(_in_doubt(error)), error.service_words)
        elif isinstance(error, NotAuthorised):
            self._pauses.stop(PauseReason.SIGN_IN, error.message)
            await self._entries.back(entry)
        elif isinstance(error, _NOT_TAKEN):
            if isinstance(error, TooManyRequests):
                self._width.turned_away()
            self._put_off(error)
            await self._entries.back(entry)
        else:
            self._came_through(put_offs)
            why = error.message if error.cause is None else error.cause
            await self._entries.refused(entry, why, error.service_words)

    def _came_through(self, put_offs: int) -> None:
        """The service has answered what left after so many put-offs."""
        if self._pauses.put_offs == put_offs:
            self._pauses.lift(*NO_GOOD_ANSWER)

    async def _lost(self, entry: OutboxEntry, cause: Cause, service_words: str = "") -> None:
        try:
            await self._entries.not_sure(entry, cause, service_words)
        finally:
            self._on_doubt()

    def _has_work(self) -> bool:
        someone = self._under_way or self._entries.owes or self._next() is not None
        return not self._closed and bool(someone)

    def _next(self) -> OutboxEntry | None:
        """Who is to be sent next, held or not: in order, but behind nobody it looks like; and of a
        batch only where nobody who was typed may go.
        """
        if self._closed or self._pauses.halted or self._session.service is None:
            return None
        if len(self._under_way) >= self._width.now:
            return None
        index, now = self._entries.index, self._now()
        alone = any(is_on_its_own(entry) for entry, _ in self._under_way.values())
        both = (None if alone else index.next_typed(), index.next_of_a_batch())
        may_go = (entry for entry in both if entry is not None)
        return min(may_go, key=lambda entry: max(now, self._due.get(entry.id, now)), default=None)

    async def _time_has_come(self) -> bool:
        """True when it is time for the next one; False when there is news to look at first."""
        entry = self._next()
        if entry is None and not self._entries.owes:
            await self._news.wait()  # of those on the way
            return False
        until = self._pauses.not_before if entry is None else self._time_for(entry)
        return await moment_came(until, self._news)

    def _time_for(self, entry: OutboxEntry) -> float:
        """When it may leave, by the clock of the event loop."""
        return max(self._due.get(entry.id, 0.0), self._pauses.not_before)

    async def _known(self, new: NewPerson) -> tuple[list[str], bool]:
        """The ids of this name that are there already, and whether those are all there are."""
        if self._people is None:
            return [], False
        try:
            known = await self._people.namesakes(new)
        except StoreError:
            return [], False
        return [person.id for person in known], self._people.whole

    async def _created(self, service: Service, new: NewPerson) -> Person:
        person = await service.create_person(new.firstname, new.lastname, new.email)
        if self._is_of_somebody_else(person.id, new):
            raise UnreadableAnswer(
                tr("Answer not understood"),
                tr("The answer could not be read."),
                details="the id of a new person is that of another",
                outcome_unknown=True,
            )
        return person

    def _is_of_somebody_else(self, person_id: str, new: NewPerson) -> bool:
        """Whether an answer names somebody who was there before: it says nothing of who was sent,
        and those of the list must not be written over.
        """
        index = self._entries.index
        if index.has_added(person_id):
            added = (each for each in index.of(EntryState.ADDED) if each.person_id == person_id)
            if any(is_somebody_else(each.new_person, new) for each in added):
                return True
        try:
            known = None if self._people is None else self._people.person(person_id)
        except StoreError:
            return False
        return known is not None and is_somebody_else(known, new)

    async def _answers(self, service: Service) -> bool:
        """After an answer got lost, one small read has to come back before anybody else is sent.

        Otherwise a bad stretch of the network would make everybody who waits unsure, one by one.
        """
        if not self._doubtful:
            return True
        try:
            await service.check()
        except NotAuthorised as error:
            self._pauses.stop(PauseReason.SIGN_IN, error.message)
        except ApiError as error:
            self._put_off(error)
        except Exception as error:  # noqa: BLE001 - reported below; the others still have to go
            self._doubtful = False
            self._scope.report(error)
        else:
            self._doubtful = False
        return not self._doubtful

    async def _kept(self, work: Awaitable[None]) -> bool:
        """Do what ends in writing; False, and a pause, where this computer cannot keep it."""
        try:
            await work
        except StoreError as error:
            self._pauses.put_off(PauseReason.NO_ROOM, error.message)
            return False
        self._pauses.lift(PauseReason.NO_ROOM)
        return True

    def _put_off(self, error: ApiError) -> None:
        fault = isinstance(error, ServiceFault)
        reason = PauseReason.SERVICE_FAULT if fault else PauseReason.UNREACHABLE
        self._pauses.put_off(reason, error.message, error.retry_after or 0.0)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def _shut(self) -> None:
        self._closed = True

    def _arrived(self, entry: OutboxEntry) -> None:
        self._under_way.pop(entry.id, None)
        self._news.set()

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._deciding.discard(task)
        if not self._entries.index.count(EntryState.WAITING) and not self._entries.owes:
            self._pauses.lift(*TRANSIENT)
        self.wake()


def _in_doubt(error: ApiError) -> CauseKind:
    """What became of the answer, which leaves open what became of the person."""
    match error:
        case ServiceFault():
            return CauseKind.SERVICE_FAULT
        case TooSlow():
            return CauseKind.TOO_SLOW
        case UnreadableAnswer():
            return CauseKind.UNREADABLE
    return CauseKind.LOST
