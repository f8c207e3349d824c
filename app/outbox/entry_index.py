"""Where each entry of the outbox stands, kept with every change: who waits, who is next, how many.

Apart from `entries`, which says how an entry may change, because sender and reconciler ask it too.
Nothing asked of it looks at all entries, however many wait.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from app.model.outbox import Doubt, EntryState, NewPerson, OutboxEntry
from app.outbox.person_matching import Identity, identity

_Group = tuple[EntryState, Doubt | None]


class EntryIndex:
    """Entries in the order they were typed, by id and by where they stand."""

    def __init__(self) -> None:
        """Nobody was typed."""
        # Entries go by their place in the order: it sorts, and ids do not.
        self._positions: dict[str, int] = {}
        self._entries: dict[int, OutboxEntry] = {}
        self._all: tuple[OutboxEntry, ...] | None = None
        self._next_position = 0
        self._groups: dict[_Group, list[int]] = {
            (state, doubt): []
            for state in EntryState
            for doubt in (Doubt if state is EntryState.NOT_SURE else (None,))
        }
        # Who waits, by what is sent together: a batch, or None for who was typed and for those whom
        # a person has sent again.
        self._queues: dict[str | None, list[int]] = defaultdict(list)
        self._halted: frozenset[str] = frozenset()
        self._identities: dict[int, Identity] = {}
        self._unsettled: dict[Identity, list[int]] = defaultdict(list)
        self._person_ids: dict[str, int] = {}
        self._details: dict[str, NewPerson] = {}
        self._reserved: set[str] = set()
        self.edited: str | None = None
        """The entry that stands in the line to be edited: it is not next until it is saved or left.
        """
        self.changes = 0
        """How many were put or removed."""

    def put(self, entry: OutboxEntry) -> None:
        """The entry is new, and then the newest, or not as it was."""
        self.changes += 1
        self._all = None
        position = self._positions.get(entry.id)
        if position is None:
            position, self._next_position = self._next_position, self._next_position + 1
            self._positions[entry.id] = position
        else:
            self._leave(position)
            if self._entries[position].new_person is not entry.new_person:
                self._identities.pop(position, None)
        self._entries[position] = entry
        insort(self._groups[_group(entry)], position)
        if entry.state is EntryState.WAITING:
            insort(self._queues[_queue(entry)], position)
        if entry.state in _UNSETTLED:
            insort(self._unsettled[self._identity(position)], position)
        elif entry.state is EntryState.ADDED and entry.person_id is not None:
            self._person_ids[entry.person_id] = self._person_ids.get(entry.person_id, 0) + 1
            if entry.new_person.phone or entry.new_person.leftover:
                self._details[entry.person_id] = entry.new_person

    def remove(self, entry_id: str) -> None:
        """The entry is no longer on the list."""
        self.changes += 1
        self._all = None
        self._reserved.discard(entry_id)
        position = self._positions.pop(entry_id, None)
        if position is not None:
            self._leave(position)
            del self._entries[position]
            self._identities.pop(position, None)

    def reserve(self, entry_ids: Iterable[str]) -> None:
        """Something is being done with these: until `release` they are not found, and not next."""
        self._reserved.update(entry_ids)

    def release(self, entry_ids: Iterable[str]) -> None:
        """It has been done, or it could not be."""
        self._reserved.difference_update(entry_ids)

    def all(self) -> tuple[OutboxEntry, ...]:
        """Every entry, newest last; the very same object until one is put or removed."""
        if self._all is None:
            self._all = tuple(self._entries.values())
        return self._all

    def of(self, state: EntryState, doubt: Doubt | None = None) -> tuple[OutboxEntry, ...]:
        """The entries in this state, newest last; of those not sure all, or those with `doubt`."""
        positions = self._positions_of(state, doubt)
        return tuple(self._entries[position] for position in positions)

    def first_of(
        self, most: int, state: EntryState, doubt: Doubt | None = None
    ) -> tuple[OutboxEntry, ...]:
        """The first of them, however many there are."""
        groups = self._in_groups(state, doubt)
        positions = sorted(position for each in groups for position in each[:most])[:most]
        return tuple(self._entries[position] for position in positions)

    def count(self, state: EntryState, doubt: Doubt | None = None) -> int:
        """How many there are of them."""
        return sum(map(len, self._in_groups(state, doubt)))

    def get(self, entry_id: str | None) -> OutboxEntry | None:
        """The entry with this id, or None."""
        position = None if entry_id is None else self._positions.get(entry_id)
        return None if position is None else self._entries[position]

    def as_they_stand(self, entries: Iterable[OutboxEntry]) -> tuple[OutboxEntry, ...]:
        """These as they are now, without those that are gone."""
        positions, found = self._positions, self._entries
        return tuple([found[positions[one.id]] for one in entries if one.id in positions])

    def is_reserved(self, entry_id: str) -> bool:
        """Whether something is being done with this entry."""
        return entry_id in self._reserved

    def newest_waiting(self) -> OutboxEntry | None:
        """Who was typed last of those that wait, or None; those of a batch go with it."""
        waiting = self._queues.get(None)
        return self._entries[waiting[-1]] if waiting else None

    def typed_waiting(self) -> int:
        """How many wait on their own, with no batch."""
        return len(self._queues.get(None, ()))

    def count_of_those_who_may_go(self) -> int:
        """How many wait, but for batches that are halted."""
        return sum(len(who) for batch, who in self._queues.items() if batch not in self._halted)

    def next_typed(self) -> OutboxEntry | None:
        """The first that waits on its own, but behind nobody unsettled it could be taken for."""
        return self._next_in(self._queues.get(None, ()))

    def next_of_a_batch(self) -> OutboxEntry | None:
        """The same of the first batch that has somebody who may go and is not halted."""
        waiting = (
            batch for batch in self._queues if batch not in self._halted and batch is not None
        )
        for batch in sorted(waiting, key=lambda batch: self._queues[batch][0]):
            found = self._next_in(self._queues[batch])
            if found is not None:
                return found
        return None

    def halt(self, batches: Iterable[str]) -> None:
        """From now on nobody goes who waits with one of these, and only of these."""
        self._halted = frozenset(batches)

    def waiting_with(self, batch: str, most: int) -> list[OutboxEntry]:
        """The first who wait with this batch, in order, where nothing is being done with them."""
        waiting = (self._entries[position] for position in self._queues.get(batch, ()))
        return list(islice((one for one in waiting if one.id not in self._reserved), most))

    def unsettled_like(self, entry: OutboxEntry) -> OutboxEntry | None:
        """The first on its way, or not sure, that `entry` could be taken for; or None."""
        alike = self._unsettled.get(identity(entry.new_person))
        return self._entries[alike[0]] if alike else None

    def has_added(self, person_id: str) -> bool:
        """Whether an entry has added this person."""
        return person_id in self._person_ids

    def unsendable_details(self, person_id: str) -> NewPerson | None:
        """What was typed for somebody who was added, where some of it could not be sent."""
        return self._details.get(person_id)

    def _next_in(self, queue: Iterable[int]) -> OutboxEntry | None:
        for position in queue:
            held_up = self._unsettled and self._identity(position) in self._unsettled
            entry = self._entries[position]
            if not held_up and entry.id != self.edited and entry.id not in self._reserved:
                return entry
        return None

    def _leave(self, position: int) -> None:
        """It stands where it stood no longer."""
        entry = self._entries[position]
        _take_out(self._groups[_group(entry)], position)
        if entry.state is EntryState.WAITING:
            queue = self._queues[_queue(entry)]
            _take_out(queue, position)
            if not queue:
                del self._queues[_queue(entry)]
        if entry.state in _UNSETTLED:
            alike = self._unsettled[self._identity(position)]
            _take_out(alike, position)
            if not alike:
                del self._unsettled[self._identity(position)]
        elif entry.state is EntryState.ADDED and entry.person_id is not None:
            self._person_ids[entry.person_id] -= 1
            if not self._person_ids[entry.person_id]:
                del self._person_ids[entry.person_id]

    def _identity(self, position: int) -> Identity:
        known = self._identities.get(position)
        if known is None:
            known = self._identities[position] = identity(self._entries[position].new_person)
        return known

    def _in_groups(self, state: EntryState, doubt: Doubt | None) -> list[list[int]]:
        if state is EntryState.NOT_SURE and doubt is None:
            return [self._groups[state, each] for each in Doubt]
        return [self._groups[state, doubt]]

    def _positions_of(self, state: EntryState, doubt: Doubt | None) -> list[int]:
        groups = self._in_groups(state, doubt)
        return (
            groups[0]
            if len(groups) == 1
            else sorted(position for each in groups for position in each)
        )


_UNSETTLED = frozenset({EntryState.SENDING, EntryState.NOT_SURE})


def _group(entry: OutboxEntry) -> _Group:
    return entry.state, entry.doubt if entry.state is EntryState.NOT_SURE else None


def is_on_its_own(entry: OutboxEntry) -> bool:
    """Whether somebody asked for this one alone: it was typed, or sent once more."""
    return entry.batch is None or entry.sent_again > 0


def _queue(entry: OutboxEntry) -> str | None:
    return None if is_on_its_own(entry) else entry.batch


def _take_out(positions: list[int], position: int) -> None:
    del positions[bisect_left(positions, position)]
