"""Lists of people taken together: paused, gone on with, stopped and undone as one, how far each is,
and what became of every row of its source.

Their people are entries like all others: `entries` changes them, `sender` sends them, and each can
be decided about alone. What stands here outlives the program as they do.
"""

import asyncio
import uuid
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from itertools import chain
from time import monotonic

import msgspec

from app.model.outbox import Batch, BatchEnd, BatchRow, EntryState, NewPerson, OutboxEntry
from app.outbox.entries import Entries
from app.outbox.events import BatchesChanged, EntriesChanged
from app.outbox.new_entry import new_entry
from app.outbox.sender import OutboxSender
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.turns import in_turns
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore

__all__ = ["Batch", "BatchEnd", "BatchProgress", "BatchResultRow", "BatchRow", "Batches", "Outcome"]

_WINDOW = 60.0
"""Seconds that the pace is taken from."""
_ENOUGH = 3
"""So many people in that time before it is a pace."""
_BETWEEN_TELLINGS = 0.1
"""Seconds: of what was sent meanwhile is told once."""
_TOGETHER = 500
"""So many are taken off the list in one transaction: an Enter meanwhile waits for one."""
_ON_THE_WAY = 2.0
"""Seconds that a stop waits for those on the way: whoever comes back is given with the others."""


def _clock() -> float:
    """Seconds, by a clock that nobody can set."""
    return monotonic()


class Outcome(StrEnum):
    """What became of a row."""

    LEFT_OUT = "left out"
    """It was not to be sent; the row says why."""
    WAITING = "waiting"
    SENDING = "sending"
    ADDED = "added"
    REFUSED = "refused"
    """The service said no, and why; corrected and sent again, it is the same row."""
    NOT_SURE = "not sure"
    NOT_SENT = "not sent"
    """It was taken back before it left, alone or with the batch."""


class BatchProgress(msgspec.Struct, frozen=True):
    """How far a batch is. Of `total` people each is counted once; `waiting` has those on their way.

    `pace` is in people per minute, of the last minute, and with `seconds_left` None where nothing
    can be said. `undoable`: nobody of it has left. `ended`: nobody waits any more and nobody is on
    the way (some may still need a person). `end` says that a person has ended it before. `left_out`
    rows are none of `total`. `came_late` counts those who were taken off in this run after their
    list had been ended and given back: nobody was given them to review.
    """

    id: str
    name: str
    total: int
    added: int
    refused: int
    not_sure: int
    not_sent: int
    waiting: int
    paused: bool
    undoable: bool
    ended: bool
    end: BatchEnd | None
    pace: float | None
    seconds_left: float | None
    left_out: int = 0
    came_late: int = 0


class BatchResultRow(msgspec.Struct, frozen=True):
    """What became of one row of the source. `new_person` is as it was corrected last, and of a row
    that was left out as it was read, where that is known; `reason` is the service's sentence, or
    what the review called it that was left out; blank for neither. `other` and `anyway` are those
    of the BatchRow, `service_words` those of the entry while it is refused.
    """

    line: int
    cells: tuple[str, ...]
    new_person: NewPerson | None
    outcome: Outcome
    reason: str
    entry_id: str | None
    other: str = ""
    anyway: bool = False
    service_words: str = ""


class _Tally(msgspec.Struct):
    """A batch and the outcome of each of its people, by the number of the row."""

    batch: Batch
    outcomes: dict[int, Outcome]
    counts: Counter[Outcome] = msgspec.field(default_factory=Counter)
    settled: deque[float] = msgspec.field(default_factory=deque)
    """When the last of them were, by a clock that nobody can set."""
    since: float = msgspec.field(default_factory=_clock)
    """When it began to go, or went on."""

    def put(self, row: int, outcome: Outcome) -> None:
        before = self.outcomes.get(row)
        self.outcomes[row] = outcome
        self.counts[outcome] += 1
        if before is not None:
            self.counts[before] -= 1
        if outcome is Outcome.SENDING and self.counts[outcome] == 1 and not self.settled:
            # While it was held, or nothing could be sent, nobody went at any pace.
            self.since = _clock()
        if before in _UNDER_WAY and outcome in _SETTLED:
            self.settled.append(_clock())
            self._forget_old()

    def pace(self) -> float | None:
        """People per minute."""
        self._forget_old()
        if len(self.settled) < _ENOUGH:
            return None
        span = min(_WINDOW, _clock() - self.since)
        return len(self.settled) * 60 / max(span, 1.0)

    def _forget_old(self) -> None:
        oldest = max(self.since, _clock() - _WINDOW)
        while self.settled and self.settled[0] < oldest:
            self.settled.popleft()


class Batches:
    """The batches of one account; publishes BatchesChanged, once for what was changed together."""

    def __init__(
        self,
        store: OutboxStore,
        entries: Entries,
        sender: OutboxSender,
        events: EventBus,
        scope: TaskScope,
        *,
        now: Callable[[], datetime],
        check_open: Callable[[], None],
    ) -> None:
        """Takes up what `store` has. `check_open` raises while nobody new is to be taken."""
        self._store = store
        self._entries = entries
        self._sender = sender
        self._events = events
        self._scope = scope
        self._now = now
        self._check_open = check_open
        self._batches = {batch.id: batch for batch in store.batches()}
        self._tallies: dict[str, _Tally] = {}
        self._being_taken_off: set[str] = set()
        self._came_late: Counter[str] = Counter()
        self._awaited: dict[str, asyncio.Event] = {}
        """Set when nobody is on the way any more of a batch that is being stopped."""
        self._untold: dict[str, None] = {}
        self._telling: asyncio.TimerHandle | None = None
        self._told_again_at = 0.0
        scope.call_on_close(self._stop_telling)
        self._halt()
        events.subscribe(EntriesChanged, self._entries_changed, scope)

    async def take(
        self,
        name: str,
        headings: Sequence[str],
        rows: Sequence[BatchRow],
        review: str = "",
        *,
        sheet: str = "",
        title: str = "",
        sheets: tuple[str, ...] = (),
        file: bytes = b"",
    ) -> Batch:
        """Take everybody of `rows` who is to be sent, and keep the rows: all of it is durable when
        this returns, or nothing is taken. They are held together, then sent in their order.
        `review`: as which the list was kept until now, which ends in the same moment. Where it is
        from is as in `Batch`.

        Raises ExpectedError where one of them has no name, and while nobody new is to be taken.
        """
        self._check_open()
        hold, now = self._sender.hold_seconds, self._now()
        people = [row.new_person for row in rows if row.new_person is not None]
        batch = Batch(
            id=uuid.uuid4().hex,
            name=name,
            headings=tuple(headings),
            taken_at=now,
            rows=len(rows),
            total=len(people),
            sheet=sheet,
            title=title,
            sheets=sheets,
            file=file,
        )
        entries = [entry async for entry in in_turns(_entries_of(batch, rows, now, hold))]
        self._sender.hold(entries, hold)
        left = iter(entries)
        try:
            await self._entries.take_batch(batch, rows, entries, review)
            tally = self._tallies[batch.id] = _Tally(batch, {})
            # None in the turn in which they are shown: that one is long enough.
            await asyncio.sleep(0)
            async for entry in in_turns(left):
                self._count(tally, entry)
        except BaseException:
            # Whoever stops waiting for what is kept by now must not keep it from being there.
            if entries and self._entries.index.get(entries[0].id) is not None:
                self._took(batch, left)
            else:
                self._sender.forget(entries)
            raise
        self._took(batch, left)
        return batch

    def _took(self, batch: Batch, uncounted: Iterable[OutboxEntry]) -> None:
        tally = self._tallies.setdefault(batch.id, _Tally(batch, {}))
        for entry in uncounted:
            self._count(tally, entry)
        self._batches[batch.id] = batch
        self._events.publish(BatchesChanged((batch.id,)))
        self._sender.wake()

    def _count(self, tally: _Tally, taken: OutboxEntry) -> None:
        """As it stands now: it may have gone on, or been taken back."""
        now = self._entries.index.get(taken.id)
        tally.put(taken.row, Outcome.NOT_SENT if now is None else self._outcome(now))

    def pause(self, batch_id: str) -> None:
        """Start nobody more of it until `go_on`, after a restart too. Raises StoreError."""
        self._set_paused(batch_id, paused=True)

    def go_on(self, batch_id: str) -> None:
        """Send on. Raises StoreError."""
        self._set_paused(batch_id, paused=False)

    async def stop(self, batch_id: str) -> tuple[BatchRow, ...]:
        """Take off the list who was not sent, and give their rows, as corrected last, to be
        reviewed again, with those that were left out, in the order of the source. Who is on the way
        arrives; whoever comes back from there soon is given, too. Raises StoreError: the rest is
        taken off later.
        """
        return await self._take_back(batch_id, BatchEnd.STOPPED)

    async def undo(self, batch_id: str) -> tuple[BatchRow, ...]:
        """The same where nobody of it has left yet; nothing, and no rows, where somebody has."""
        return await self._take_back(batch_id, BatchEnd.UNDONE) if self._undoable(batch_id) else ()

    def all(self) -> tuple[Batch, ...]:
        """Every batch that is kept, the newest first."""
        return tuple(reversed(self._batches.values()))

    def unfinished(self) -> tuple[Batch, ...]:
        """Those of whom somebody waits or is on the way, the newest first. Costs no reading."""
        states = (EntryState.WAITING, EntryState.SENDING)
        found = {entry.batch for state in states for entry in self._entries.index.of(state)}
        return tuple(batch for batch in self.all() if batch.id in found)

    def progress(self, batch_id: str) -> BatchProgress | None:
        """How far it is; None for one that is not kept."""
        tally = self._tally(batch_id)
        if tally is None:
            return None
        batch, counts = tally.batch, tally.counts
        waiting = sum(counts[outcome] for outcome in _UNDER_WAY)
        goes = waiting and not batch.paused
        pace = tally.pace() if goes else None
        return BatchProgress(
            id=batch.id,
            name=batch.name,
            total=batch.total,
            added=counts[Outcome.ADDED],
            refused=counts[Outcome.REFUSED],
            not_sure=counts[Outcome.NOT_SURE] + batch.total - counts.total(),
            not_sent=counts[Outcome.NOT_SENT],
            waiting=waiting,
            paused=batch.paused,
            undoable=self._undoable(batch_id),
            ended=not waiting,
            end=batch.end,
            pace=pace,
            seconds_left=None if pace is None else waiting * 60 / pace,
            left_out=batch.rows - batch.total,
            came_late=self._came_late[batch_id],
        )

    async def result(self, batch_id: str) -> tuple[BatchResultRow, ...]:
        """Every row of its source, in order, with what became of it. Raises StoreError.

        Nothing for a batch that is not kept.
        """
        tally = self._tally(batch_id)
        if tally is None:
            return ()
        rows = await self._store.batch_rows(batch_id)
        done = {entry.row: entry for entry in await self._store.batch_done(batch_id)}
        found = []
        async for number, row in in_turns(enumerate(rows)):
            entry_id = tally.batch.entry_id(number)
            entry = self._entries.index.get(entry_id) or done.get(number)
            if row.new_person is None or entry is None:
                # A person whose entry is gone was in a damaged file: nobody knows.
                left = Outcome.LEFT_OUT if row.new_person is None else Outcome.NOT_SURE
                person = row.new_person or row.as_read
                found.append(
                    BatchResultRow(
                        row.line, row.cells, person, left, row.left_out, None, row.other, row.anyway
                    )
                )
                continue
            outcome = tally.outcomes.get(number) or self._outcome(entry)
            found.append(
                BatchResultRow(
                    row.line,
                    row.cells,
                    entry.new_person,
                    outcome,
                    entry.reason_words,
                    entry_id,
                    row.other,
                    row.anyway,
                    entry.service_words if outcome is Outcome.REFUSED else "",
                )
            )
        return tuple(found)

    # What is known of each

    def _tally(self, batch_id: str | None) -> _Tally | None:
        """Counted anew from the store where nobody of it was here when the program started."""
        batch = None if batch_id is None else self._batches.get(batch_id)
        if batch is None:
            return None
        if batch.id not in self._tallies:
            in_work, done = self._store.batch_states(batch.id)
            outcomes = {row: _OF_DONE[state] for row, state in done.items()}
            for row, state in in_work.items():
                # What is not written yet stands here alone.
                entry = self._entries.index.get(batch.entry_id(row))
                outcomes[row] = Outcome(state) if entry is None else self._outcome(entry)
            # Counted as text, which is fast: a large batch is counted while a window waits.
            counts = Counter({_OF_DONE[state]: n for state, n in Counter(done.values()).items()})
            counts.update(outcomes[row] for row in in_work)
            self._tallies[batch.id] = _Tally(batch, outcomes, counts)
        return self._tallies[batch.id]

    def _outcome(self, entry: OutboxEntry) -> Outcome:
        ended = entry.batch in self._batches and self._batches[entry.batch].end is not None
        if entry.state is EntryState.WAITING and (
            entry.taken_off is not None or (ended and not entry.sent_again)
        ):
            return Outcome.NOT_SENT
        return _OF_STATE[entry.state.value]

    def _undoable(self, batch_id: str) -> bool:
        tally = self._tally(batch_id)
        if tally is None:
            return False
        waiting, gone = tally.counts[Outcome.WAITING], tally.counts[Outcome.NOT_SENT]
        return waiting > 0 and tally.counts.total() == waiting + gone

    def _entries_changed(self, event: EntriesChanged) -> None:
        parts = (event.changed, event.removed)
        told = {one.batch: None for part in parts for one in part if one.batch is not None}
        # One that nobody has asked for is counted when somebody does.
        if not self._tallies.keys().isdisjoint(told):
            for entry in chain(*parts):
                if (tally := self._tallies.get(entry.batch or "")) is not None:
                    tally.put(entry.row, self._outcome(entry))
                    if entry.batch in self._awaited and not tally.counts[Outcome.SENDING]:
                        self._awaited[entry.batch].set()
        known = [batch_id for batch_id in told if batch_id in self._batches]
        if known:
            self._tell_soon(known)
            self.clear()

    def _tell_soon(self, batch_ids: Iterable[str]) -> None:
        """At once, but a while after the last time: people are sent faster than anybody reads."""
        self._untold.update(dict.fromkeys(batch_ids))
        if self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_at(max(self._told_again_at, loop.time()), self._tell)

    def _tell(self) -> None:
        self._stop_telling()
        self._told_again_at = asyncio.get_running_loop().time() + _BETWEEN_TELLINGS
        told, self._untold = tuple(self._untold), {}
        self._events.publish(BatchesChanged(told))

    def _stop_telling(self) -> None:
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None

    # What a person asks for

    def _set_paused(self, batch_id: str, *, paused: bool) -> None:
        batch = self._batches.get(batch_id)
        if batch is not None and batch.end is None and batch.paused is not paused:
            self._change(msgspec.structs.replace(batch, paused=paused))
            self._events.publish(BatchesChanged((batch_id,)))
            self._sender.wake()

    def _change(self, batch: Batch) -> None:
        """Durable when it returns, or StoreError and nothing has changed."""
        before = self._batches[batch.id]
        self._batches[batch.id] = batch
        self._halt()
        try:
            self._store.write_batch(batch)
        except StoreError:
            self._batches[batch.id] = before
            self._halt()
            raise
        tally = self._tallies.get(batch.id)
        if tally is not None:
            tally.batch = batch
            tally.since = _clock()

    def _halt(self) -> None:
        halted = (one.id for one in self._batches.values() if one.paused or one.end is not None)
        self._entries.index.halt(halted)

    async def _take_back(self, batch_id: str, end: BatchEnd) -> tuple[BatchRow, ...]:
        batch = self._batches.get(batch_id)
        if batch is None:
            return ()
        if batch.end is None:
            # From here on nobody of it leaves, and a start after a kill takes off who is left.
            self._change(msgspec.structs.replace(batch, end=end, paused=False))
        gone: dict[int, NewPerson] = {}
        self._being_taken_off.add(batch_id)
        try:
            async for entry in self._take_off(batch_id):
                gone[entry.row] = entry.new_person
            self._events.publish(BatchesChanged((batch_id,)))
            await self._nobody_on_the_way(batch_id)
            async for entry in self._take_off(batch_id):
                gone[entry.row] = entry.new_person
        finally:
            self._being_taken_off.discard(batch_id)
        back: list[BatchRow] = []
        if gone or batch.rows > batch.total:
            rows = await self._store.batch_rows(batch_id)
            async for number, row in in_turns(enumerate(rows)):
                if row.new_person is None:
                    back.append(row)
                elif number in gone:
                    back.append(msgspec.structs.replace(row, new_person=gone[number]))
        return tuple(back)

    async def _nobody_on_the_way(self, batch_id: str) -> None:
        tally = self._tally(batch_id)
        if tally is None or not tally.counts[Outcome.SENDING]:
            return
        event = self._awaited[batch_id] = asyncio.Event()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), _ON_THE_WAY)
        finally:
            del self._awaited[batch_id]

    async def _take_off(self, batch_id: str) -> AsyncIterator[OutboxEntry]:
        while part := self._entries.index.waiting_with(batch_id, _TOGETHER):
            await self._entries.remove_all(part)
            self._sender.forget(part)
            for entry in part:
                yield entry

    def clear(self) -> None:
        """Take off who waits with a batch that was ended: the program was killed before they were,
        or they came back from the way. Their rows say so; nobody is given them to review.
        """
        for batch in self._batches.values():
            left = batch.end is not None and batch.id not in self._being_taken_off
            if left and self._entries.index.waiting_with(batch.id, 1):
                self._being_taken_off.add(batch.id)
                # Where it cannot be written, nobody is sent either, and the next start tries again.
                self._scope.spawn(self._clear(batch.id), on_error=lambda _error: None)

    async def _clear(self, batch_id: str) -> None:
        try:
            async for _ in self._take_off(batch_id):
                self._came_late[batch_id] += 1
            self._events.publish(BatchesChanged((batch_id,)))
        finally:
            self._being_taken_off.discard(batch_id)


def _entries_of(
    batch: Batch, rows: Sequence[BatchRow], now: datetime, hold: float
) -> Iterable[OutboxEntry]:
    for number, row in enumerate(rows):
        if row.new_person is not None:
            typed = f"{row.new_person.full_name} {row.new_person.email}".strip()
            entry = new_entry(typed, row.new_person, now, hold)
            yield msgspec.structs.replace(
                entry, id=batch.entry_id(number), batch=batch.id, row=number
            )


_UNDER_WAY = frozenset({Outcome.WAITING, Outcome.SENDING})
_SETTLED = frozenset({Outcome.ADDED, Outcome.REFUSED, Outcome.NOT_SURE})
_OF_STATE = {state.value: Outcome(state.value) for state in EntryState}
"""By text: fifty thousand are looked up."""
_OF_DONE = _OF_STATE | {EntryState.WAITING.value: Outcome.NOT_SENT}
"""Whoever is done although they wait was taken back."""
