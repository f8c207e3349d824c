"""The entries of the outbox and how each may change: the one place where their state changes.

What a person does is durable before it shows. What the sender does shows at once and is written in
the same order; when to send is not known here.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from app.model.cause import Cause, CauseKind
from app.model.outbox import Batch, BatchRow, Doubt, EntryState, OutboxEntry
from app.model.person import Person
from app.outbox.entry_index import EntryIndex
from app.outbox.events import EntriesChanged, PersonAdded, PersonFound
from app.runtime.events import EventBus
from app.runtime.turns import in_turns
from app.store.outbox.outbox import OutboxStore

_SHOWN_AFTER_A_RESTART = timedelta(days=1)


class Entries:
    """Holds the entries in the order they were typed; publishes what was changed together, once."""

    def __init__(
        self,
        store: OutboxStore,
        events: EventBus,
        now: Callable[[], datetime],
        *,
        can_look: bool,
    ) -> None:
        """Takes up what `store` has. `events` hears EntriesChanged, PersonAdded and PersonFound.

        Not `can_look`: there is no list to make sure with, so a doubt needs a person at once.
        """
        self._first_doubt = Doubt.LOOKING if can_look else Doubt.ABSENT
        self._store = store
        self._events = events
        self._now = now
        self._unwritten: dict[str, OutboxEntry] = {}
        self._writing = asyncio.Lock()
        self.index = EntryIndex()
        """To be asked, and changed from here alone."""
        for entry in (*self._lately_added(), *map(self._after_a_restart, store.entries())):
            self.index.put(entry)

    def find(self, entry_id: str, states: Collection[EntryState]) -> OutboxEntry | None:
        """The entry if it is here, in one of `states`, and nothing is being done with it."""
        entry = self.index.get(entry_id)
        if entry is None or entry.state not in states or self.index.is_reserved(entry_id):
            return None
        return entry

    # By a person: durable when it returns, or StoreError and nothing has changed

    def take(self, entry: OutboxEntry) -> OutboxEntry:
        """Put a new entry behind the others; the half-typed line has become it."""
        self._store.write(entry, clear_draft=True)
        self._show(entry)
        return entry

    async def take_batch(
        self,
        batch: Batch,
        rows: Sequence[BatchRow],
        entries: Sequence[OutboxEntry],
        review: str = "",
    ) -> None:
        """Put the people of a new batch behind the others, together with all of its rows, in the
        place of the list that somebody looked over.
        """
        await self._store.take_batch(batch, rows, entries, review)
        await self._show_in_slices(entries)

    def wait(self, entry: OutboxEntry, send_at: datetime) -> OutboxEntry:
        """It is to be sent (again), not before `send_at`."""
        (waiting,) = self._write([_waiting(entry, send_at)])
        return waiting

    async def wait_all(
        self, entries: Sequence[OutboxEntry], send_at: datetime
    ) -> tuple[OutboxEntry, ...]:
        """The same for many; until it is done nobody can ask anything else of them."""
        return await self._write_all(entries, lambda entry: _waiting(entry, send_at))

    def settle(
        self, entry: OutboxEntry, person_id: str, not_the_one: Iterable[OutboxEntry] = ()
    ) -> tuple[OutboxEntry, ...]:
        """A person says who in the list it is, and so that `not_the_one` are somebody else.

        Gives the entry as it is settled, then the others.
        """
        settled = self._ended(entry, EntryState.ADDED, person_id=person_id)
        written = self._write([settled, *map(_not_the_candidate, not_the_one)])
        self._events.publish(PersonFound(person_id))
        return written

    def doubt_again(self, entry: OutboxEntry) -> OutboxEntry:
        """A person says that it is not the candidate."""
        (doubted,) = self._write([_not_the_candidate(entry)])
        return doubted

    async def set_aside(self, entries: Sequence[OutboxEntry], causes: Mapping[str, Cause]) -> None:
        """None of these was sent, for a cause by the id of each: a person decides. Until it is
        done nobody can ask anything else of them.
        """
        await self._write_all(
            entries,
            lambda entry: self._ended(entry, EntryState.REFUSED, **_because(causes[entry.id])),
        )

    def is_there(self, entry: OutboxEntry) -> None:
        """A person says that it was added, and not as whom: nothing more is to be shown of it."""
        self.remove(self._ended(entry, EntryState.ADDED))

    def remove(self, entry: OutboxEntry) -> None:
        """Take an entry off the list; the history keeps it."""
        gone = msgspec.structs.replace(entry, taken_off=self._now())
        self._store.write(gone)
        self._forget(gone)
        self._events.publish(EntriesChanged(removed=(gone,)))

    async def remove_all(self, entries: Sequence[OutboxEntry]) -> None:
        """The same for many, none of whom is sent meanwhile."""
        ids, now = [entry.id for entry in entries], self._now()
        self.index.reserve(ids)
        try:
            gone = [
                msgspec.structs.replace(entry, taken_off=now) async for entry in in_turns(entries)
            ]
            await self._store.save(*gone)
        except BaseException:
            self.index.release(ids)
            raise
        async for entry in in_turns(gone):
            self._forget(entry)
        self._events.publish(EntriesChanged(removed=tuple(gone)))

    # By the sender: shows at once; StoreError from `sending` means that it must not leave

    async def sending(
        self, entry: OutboxEntry, known_ids: Iterable[str], *, knew_all: bool
    ) -> OutboxEntry:
        """The entry is about to leave, durably: from then on nobody but the service knows."""
        leaving = msgspec.structs.replace(
            entry,
            state=EntryState.SENDING,
            send_at=min(entry.send_at, self._now()),
            known_ids=tuple(dict.fromkeys((*entry.known_ids, *known_ids))),
            knew_all=knew_all,
        )
        self._show(leaving)
        try:
            await self._store.save(leaving)
        except BaseException:
            self._show(entry)
            raise
        return leaving

    async def back(self, entry: OutboxEntry) -> None:
        """Nothing was taken: the entry waits again."""
        await self._note(msgspec.structs.replace(entry, state=EntryState.WAITING))

    async def added(self, entry: OutboxEntry, person: Person) -> None:
        """The service has answered with the new person."""
        done = self._ended(entry, EntryState.ADDED, person_id=person.id)
        self._unwritten[entry.id] = done
        self._show(done)
        self._events.publish(PersonAdded(done, person))
        await self.write_late()

    async def refused(
        self, entry: OutboxEntry, reason: Cause | str, service_words: str = ""
    ) -> None:
        """The service said no, for a `reason` that may be known in its own words alone."""
        why = _because(reason) | {"service_words": service_words}
        await self._note(self._ended(entry, EntryState.REFUSED, **why))

    async def not_sure(self, entry: OutboxEntry, cause: Cause, service_words: str = "") -> None:
        """Nobody knows whether the person was added."""
        why = _because(cause) | {"service_words": service_words}
        await self._note(self._doubted(entry, **why))

    # By those who make sure

    async def found(self, entry: OutboxEntry, person_id: str) -> None:
        """The list has it: it was added."""
        self._events.publish(PersonFound(person_id))
        await self._note(self._ended(entry, EntryState.ADDED, person_id=person_id))

    async def looks_like(self, entry: OutboxEntry, person: Person) -> None:
        """Somebody in the list may be the one."""
        await self._note(
            msgspec.structs.replace(
                entry,
                doubt=Doubt.LOOKS_LIKE,
                candidate_id=person.id,
                candidate_added=person.date_added,
            )
        )

    async def looked(self, entry: OutboxEntry, *, last: bool) -> None:
        """The list was read and does not have it; after the `last` time a person decides."""
        doubt = Doubt.ABSENT if last else Doubt.LOOKING
        looked = msgspec.structs.replace(entry, looks=entry.looks + 1, doubt=doubt)
        await self._note(looked)

    async def write_late(self) -> None:
        """Write what is not written yet, of several at once together. Raises StoreError."""
        async with self._writing:
            while self._unwritten:
                together = tuple(self._unwritten.values())
                await self._store.save(*together)
                for entry in together:
                    if self._unwritten.get(entry.id) is entry:
                        del self._unwritten[entry.id]

    async def claimed(self, people: Iterable[Person]) -> frozenset[str]:
        """The ids of those of `people` whom an entry has added."""
        ids = [person.id for person in people]
        lately = filter(self.index.has_added, ids)
        return await self._store.claimed(ids) | frozenset(lately)

    @property
    def owes(self) -> bool:
        """Whether something that happened is not written yet."""
        return bool(self._unwritten)

    def _ended(self, entry: OutboxEntry, state: EntryState, **fields: object) -> OutboxEntry:
        known = _NO_REASON | _NO_DOUBT | {"ended_at": self._now()} | fields
        return msgspec.structs.replace(entry, state=state, **known)

    def _write(self, entries: Iterable[OutboxEntry]) -> tuple[OutboxEntry, ...]:
        together = tuple(entries)
        self._store.write(*together)
        for entry in together:
            self._unwritten.pop(entry.id, None)
        self._show(*together)
        return together

    async def _write_all(
        self, entries: Sequence[OutboxEntry], change: Callable[[OutboxEntry], OutboxEntry]
    ) -> tuple[OutboxEntry, ...]:
        ids = [entry.id for entry in entries]
        self.index.reserve(ids)
        try:
            changed = [change(entry) async for entry in in_turns(entries)]
            await self._store.save(*changed)
            for entry_id in ids:
                self._unwritten.pop(entry_id, None)
            await self._show_in_slices(changed)
        finally:
            self.index.release(ids)
        return tuple(changed)

    async def _note(self, entry: OutboxEntry) -> None:
        """Show what is known already; where it cannot be kept, what the file says is no less safe.

        An entry that stays SENDING in the file is never sent again by itself, but made sure.
        """
        self._unwritten[entry.id] = entry
        self._show(entry)
        await self.write_late()

    def _show(self, *entries: OutboxEntry) -> None:
        for entry in entries:
            self.index.put(entry)
        self._events.publish(EntriesChanged(entries))

    async def _show_in_slices(self, entries: Sequence[OutboxEntry]) -> None:
        left, before = iter(entries), self.index.changes
        try:
            async for entry in in_turns(left):
                self.index.put(entry)
        finally:
            # They are in the file: whoever stops waiting for that must not keep them from the list.
            for entry in left:
                self.index.put(entry)
            # Some may have gone on by now: told is how they stand.
            went_on = self.index.changes > before + len(entries)
            told = self.index.as_they_stand(entries) if went_on else tuple(entries)
            self._events.publish(EntriesChanged(told))

    def _forget(self, entry: OutboxEntry) -> None:
        self.index.remove(entry.id)
        self._unwritten.pop(entry.id, None)

    def _lately_added(self) -> list[OutboxEntry]:
        """Those whose person the list may not have yet: it is read, and kept, apart from this."""
        since = self._now() - _SHOWN_AFTER_A_RESTART
        return [
            entry
            for entry in self._store.latest()
            if entry.taken_off is None and entry.ended_at is not None and entry.ended_at > since
        ]

    def _after_a_restart(self, entry: OutboxEntry) -> OutboxEntry:
        """What was on its way is not sure, and who was looked for is looked for anew; a question
        that a person was asked stays one.

        It need not be written: read again, it is taken the same way.
        """
        if entry.state is EntryState.SENDING:
            return self._doubted(entry, **_because(Cause(CauseKind.CUT_SHORT)))
        if entry.state is EntryState.NOT_SURE and entry.doubt is Doubt.LOOKING:
            return self._doubted(entry)
        return entry

    def _doubted(self, entry: OutboxEntry, **why: object) -> OutboxEntry:
        changes = _NO_DOUBT | {"doubt": self._first_doubt} | why
        return msgspec.structs.replace(entry, state=EntryState.NOT_SURE, **changes)


def _waiting(entry: OutboxEntry, send_at: datetime) -> OutboxEntry:
    return msgspec.structs.replace(
        entry,
        state=EntryState.WAITING,
        send_at=send_at,
        # Those edited before they left were never sent.
        sent_again=entry.sent_again + (entry.state is not EntryState.WAITING),
        **_NO_REASON,
        **_NO_DOUBT,
    )


def _because(reason: Cause | str) -> dict[str, object]:
    """The fields that say why. The sentence is kept as well: a version that does not know the cause
    has it to show.
    """
    return {"reason": str(reason), "cause": reason if isinstance(reason, Cause) else None}


def _not_the_candidate(entry: OutboxEntry) -> OutboxEntry:
    not_the_one = [] if entry.candidate_id is None else [entry.candidate_id]
    changes = _NO_DOUBT | {"known_ids": (*entry.known_ids, *not_the_one), "looks": entry.looks}
    return msgspec.structs.replace(entry, **changes)


_NO_REASON = {"reason": "", "cause": None, "service_words": ""}
_NO_DOUBT = {
    "doubt": Doubt.LOOKING,
    "looks": 0,
    "candidate_id": None,
    "candidate_added": None,
}
