"""The entries of the outbox and how each may change: the one place where their state changes.

Kept in memory; `_write` and `_erase` are where they become durable. When to send is not known here.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.people.outbox_events import EntryChanged, EntryRemoved, PersonAdded
from app.runtime.events import EventBus

NEEDS_PERSON = frozenset({EntryState.REFUSED, EntryState.NOT_SURE})


class OutboxBook:
    """Holds the entries in the order they were typed; publishes each change after it was made."""

    def __init__(self, events: EventBus) -> None:
        """`events` hears EntryChanged, EntryRemoved and PersonAdded."""
        self._events = events
        self._entries: dict[str, OutboxEntry] = {}

    def all(self) -> tuple[OutboxEntry, ...]:
        """Every entry, newest last."""
        return tuple(self._entries.values())

    def count(self, states: Iterable[EntryState]) -> int:
        """How many entries stand in one of `states`."""
        wanted = frozenset(states)
        return sum(entry.state in wanted for entry in self._entries.values())

    def find(self, entry_id: str, states: Iterable[EntryState]) -> OutboxEntry | None:
        """The entry if it is here and in one of `states`."""
        entry = self._entries.get(entry_id)
        return entry if entry is not None and entry.state in frozenset(states) else None

    def first_waiting(self) -> OutboxEntry | None:
        """The next one to send."""
        waiting = (e for e in self._entries.values() if e.state is EntryState.WAITING)
        return next(waiting, None)

    def take(self, entry: OutboxEntry) -> OutboxEntry:
        """Put a new entry behind the others."""
        return self._write(entry)

    def wait(
        self, entry: OutboxEntry, send_at: datetime, new_person: NewPerson | None = None
    ) -> OutboxEntry:
        """The entry is to be sent (again), not before `send_at`, perhaps with other words."""
        person = entry.new_person if new_person is None else new_person
        waiting = EntryState.WAITING
        return self._change(entry, state=waiting, send_at=send_at, new_person=person, reason="")

    def sending(self, entry: OutboxEntry) -> OutboxEntry:
        """The entry is on its way: from here on nobody but the service knows."""
        return self._change(entry, state=EntryState.SENDING, reason="")

    def added(self, entry: OutboxEntry, person: Person) -> OutboxEntry:
        """The service has answered with the new person."""
        done = self._change(entry, state=EntryState.ADDED, reason="", person_id=person.id)
        self._events.publish(PersonAdded(done, person))
        return done

    def refused(self, entry: OutboxEntry, reason: str) -> OutboxEntry:
        """The service said no; nobody was added."""
        return self._change(entry, state=EntryState.REFUSED, reason=reason)

    def not_sure(self, entry: OutboxEntry, reason: str) -> OutboxEntry:
        """Nobody knows whether the person was added."""
        return self._change(entry, state=EntryState.NOT_SURE, reason=reason)

    def remove(self, entry: OutboxEntry) -> OutboxEntry:
        """Take an entry off the list for good."""
        self._erase(entry.id)
        self._events.publish(EntryRemoved(entry.id))
        return entry

    def _change(self, entry: OutboxEntry, **fields: object) -> OutboxEntry:
        return self._write(msgspec.structs.replace(entry, **fields))

    def _write(self, entry: OutboxEntry) -> OutboxEntry:
        self._entries[entry.id] = entry
        self._events.publish(EntryChanged(entry))
        return entry

    def _erase(self, entry_id: str) -> None:
        del self._entries[entry_id]
