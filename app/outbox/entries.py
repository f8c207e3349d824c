"""The entries of the outbox and how each may change: the one place where their state changes.

What a person does is durable before it shows. What the sender does shows at once and is written in
the same order; when to send is not known here.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta

import msgspec

from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntryChanged, EntryRemoved, PersonAdded
from app.runtime.events import EventBus
from app.runtime.words import tr
from app.store.outbox import OutboxStore

_SHOWN_AFTER_A_RESTART = timedelta(days=1)


class Entries:
    """Holds the entries in the order they were typed; publishes each change after it was made."""

    def __init__(
        self,
        store: OutboxStore,
        events: EventBus,
        now: Callable[[], datetime],
        *,
        can_look: bool,
    ) -> None:
        """Takes up what `store` has. `events` hears EntryChanged, EntryRemoved and PersonAdded.

        Not `can_look`: there is no list to make sure with, so a doubt needs a person at once.
        """
        self._first_doubt = Doubt.LOOKING if can_look else Doubt.ABSENT
        self._store = store
        self._events = events
        self._now = now
        self._unwritten: dict[str, OutboxEntry] = {}
        self._entries: dict[str, OutboxEntry] = {}
        for entry in (*self._lately_added(), *map(self._after_a_restart, store.entries())):
            self._entries[entry.id] = entry

    def all(self) -> tuple[OutboxEntry, ...]:
        """Every entry, newest last."""
        return tuple(self._entries.values())

    def of(self, states: Collection[EntryState]) -> tuple[OutboxEntry, ...]:
        """The entries that stand in one of `states`."""
        return tuple(entry for entry in self._entries.values() if entry.state in states)

    def find(self, entry_id: str, states: Collection[EntryState]) -> OutboxEntry | None:
        """The entry if it is here and in one of `states`."""
        entry = self._entries.get(entry_id)
        return entry if entry is not None and entry.state in states else None

    # By a person: durable when it returns, or StoreError and nothing has changed

    def take(self, entry: OutboxEntry) -> OutboxEntry:
        """Put a new entry behind the others; the half-typed line has become it."""
        self._store.write(entry, clear_draft=True)
        return self._show(entry)

    def wait(
        self,
        entries: Iterable[OutboxEntry],
        send_at: datetime,
        new_person: NewPerson | None = None,
    ) -> tuple[OutboxEntry, ...]:
        """They are to be sent (again), not before `send_at`, perhaps with other words."""
        waiting = [
            msgspec.structs.replace(
                entry,
                state=EntryState.WAITING,
                send_at=send_at,
                new_person=entry.new_person if new_person is None else new_person,
                reason="",
                # Those held longer, or corrected before they left, were never sent.
                sent_again=entry.sent_again + (entry.state is not EntryState.WAITING),
                **_NO_DOUBT,
            )
            for entry in entries
        ]
        return self._write(waiting)

    def settle(self, entry: OutboxEntry, person_id: str) -> OutboxEntry:
        """A person says who in the list it is."""
        (settled,) = self._write([self._ended(entry, EntryState.ADDED, person_id=person_id)])
        return settled

    def doubt_again(self, entry: OutboxEntry) -> OutboxEntry:
        """A person says that it is not the candidate."""
        not_the_one = [] if entry.candidate_id is None else [entry.candidate_id]
        changes = _NO_DOUBT | {"known_ids": (*entry.known_ids, *not_the_one), "looks": entry.looks}
        (doubted,) = self._write([msgspec.structs.replace(entry, **changes)])
        return doubted

    def remove(self, entry: OutboxEntry) -> OutboxEntry:
        """Take an entry off the list; the history keeps it."""
        self._store.write(msgspec.structs.replace(entry, taken_off=self._now()))
        del self._entries[entry.id]
        self._unwritten.pop(entry.id, None)
        self._events.publish(EntryRemoved(entry.id))
        return entry

    # By the sender: shows at once; StoreError from `sending` means that it must not leave

    async def sending(
        self, entry: OutboxEntry, known_ids: Iterable[str], *, knew_all: bool
    ) -> OutboxEntry:
        """The entry is about to leave, durably: from then on nobody but the service knows."""
        leaving = msgspec.structs.replace(
            entry,
            state=EntryState.SENDING,
            reason="",
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

    async def refused(self, entry: OutboxEntry, reason: str) -> None:
        """The service said no; nobody was added."""
        await self._note(self._ended(entry, EntryState.REFUSED, reason=reason))

    async def not_sure(self, entry: OutboxEntry, reason: str) -> None:
        """Nobody knows whether the person was added."""
        await self._note(self._doubted(entry, reason))

    # By those who make sure

    async def found(self, entry: OutboxEntry, person_id: str) -> None:
        """The list has it: it was added."""
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
        """Write what could not be written when it happened. Raises StoreError."""
        while self._unwritten:
            entry = next(iter(self._unwritten.values()))
            await self._store.save(entry)
            if self._unwritten.get(entry.id) is entry:
                del self._unwritten[entry.id]

    async def claimed(self, people: Iterable[Person]) -> frozenset[str]:
        """The ids of those of `people` whom an entry has added."""
        ids = [person.id for person in people]
        lately = {entry.person_id for entry in self.of({EntryState.ADDED}) if entry.person_id}
        return await self._store.claimed(ids) | lately

    @property
    def owes(self) -> bool:
        """Whether something that happened is not written yet."""
        return bool(self._unwritten)

    def _ended(self, entry: OutboxEntry, state: EntryState, **fields: object) -> OutboxEntry:
        known = {"reason": "", "ended_at": self._now()} | _NO_DOUBT | fields
        return msgspec.structs.replace(entry, state=state, **known)

    def _write(self, entries: Iterable[OutboxEntry]) -> tuple[OutboxEntry, ...]:
        together = tuple(entries)
        if together:
            self._store.write(*together)
        for entry in together:
            self._unwritten.pop(entry.id, None)
            self._show(entry)
        return together

    async def _note(self, entry: OutboxEntry) -> None:
        """Show what is known already; where it cannot be kept, what the file says is no less safe.

        An entry that stays SENDING in the file is never sent again by itself, but made sure.
        """
        self._unwritten[entry.id] = entry
        self._show(entry)
        await self.write_late()

    def _show(self, entry: OutboxEntry) -> OutboxEntry:
        self._entries[entry.id] = entry
        self._events.publish(EntryChanged(entry))
        return entry

    def _lately_added(self) -> list[OutboxEntry]:
        """Those whose person the list may not have yet: it is read, and kept, apart from this."""
        since = self._now() - _SHOWN_AFTER_A_RESTART
        return [
            entry
            for entry in self._store.latest()
            if entry.taken_off is None and entry.ended_at is not None and entry.ended_at > since
        ]

    def _after_a_restart(self, entry: OutboxEntry) -> OutboxEntry:
        """What was on its way is not sure, and who was looked for is looked for anew.

        It need not be written: read again, it is taken the same way.
        """
        if entry.state is EntryState.SENDING:
            reason = tr("This was on its way when the work ended.")
            open_end = tr("The person may or may not have been added.")
            return self._doubted(entry, f"{reason} {open_end}")
        if entry.state is EntryState.NOT_SURE and entry.doubt is not Doubt.LOOKS_LIKE:
            return self._doubted(entry, entry.reason)
        return entry

    def _doubted(self, entry: OutboxEntry, reason: str) -> OutboxEntry:
        changes = _NO_DOUBT | {"doubt": self._first_doubt, "reason": reason}
        return msgspec.structs.replace(entry, state=EntryState.NOT_SURE, **changes)


_NO_DOUBT = {
    "doubt": Doubt.LOOKING,
    "looks": 0,
    "candidate_id": None,
    "candidate_added": None,
}
