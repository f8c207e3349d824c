"""Everybody who may be the same as somebody new: the people of the list and the entries of the
outbox, kept current while they change. Who is like whom is known to `people/duplicates`.
"""

import asyncio
import logging
from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from threading import Thread
from time import perf_counter

import msgspec

from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged
from app.outbox.outbox import Outbox
from app.people.directory import PeopleDirectory
from app.people.duplicates import Duplicates, Match
from app.people.duplicates.names import compared, compared_email
from app.people.duplicates.vocabulary import load_comparison
from app.people.events import PeopleChanged, PeopleProgress, PeopleRefreshed
from app.people.search import query_words
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.runtime.turns import in_turns
from app.store.errors import StoreError
from app.store.ordering import ROW
from app.store.search_keys import SEPARATOR, search_text

_log = logging.getLogger(__name__)

Key = int | str
"""A person's row number in the local copy, or an entry's id."""
_AT_ONCE = 8
"""People read and taken in before anything else may have its turn: a millisecond or two."""
_REST_SECONDS = 0.002
"""Between two turns: whoever types, scrolls or reads meanwhile comes first."""
_MANY = 1_000
"""People who come with one reading: taking them in waits until they all have."""
_UNTIL_SECONDS = 5.0
"""After which a reading that brings nothing is not waited for: it has stopped, or is slow."""
_LOOK_SECONDS = 0.05
"""Between two looks whether it has ended, or somebody was typed meanwhile."""
_MOST_LOOKED_UP = 50
"""People of one name or one email who are taken in before others."""
_FEW = 10
"""One in so many people who wait are looked through by themselves: more of them with all others."""
_RARE_NAME = 4
"""Letters before the @ that few have in common."""
_MOST_ENTRIES = 10_000
_LAST, _FIRST, _EMAIL = range(3)
"""Where they stand in the folded key of a person."""


class KnownPerson(msgspec.Struct, frozen=True, gc=False):
    """Somebody of the list, or somebody typed here whom the list does not have."""

    id: Key
    firstname: str | None
    lastname: str | None
    email: str | None
    known_as: Person | OutboxEntry


class DuplicatesKnown(msgspec.Struct, frozen=True):
    """Everybody there is can be found now, after some had come, changed or gone."""


class DuplicateIndex:
    """Takes in and forgets a few people at a time, so that the event loop is never held."""

    def __init__(
        self, directory: PeopleDirectory, outbox: Outbox, events: EventBus, scope: TaskScope
    ) -> None:
        """Knows the entries of `outbox`; people of the list as they change, or by `take_up`."""
        self.duplicates: Duplicates[KnownPerson] = Duplicates(read=self._read)
        self._directory = directory
        self._outbox = outbox
        self._events = events
        self._typed: dict[str, None] = {}
        self._changed = _WaitingRows()
        self._waits_until = 0.0
        self._rows: Sequence[int] = ()
        self._next_row = 0
        # Sent, and the list does not have them yet.
        self._awaiting_their_row: set[str] = set()
        self._scope = scope
        self._busy = False
        # Nobody is left who would be taken in, and nothing can be begun any more.
        scope.call_on_close(self._typed.clear)
        scope.call_on_close(self._forget_changed)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleProgress, self._progressed, scope)
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(EntriesChanged, self._entries_changed, scope)

    def take_up(self) -> None:
        """Take in everybody whom the list and the outbox have by now, behind the scenes."""
        self._rows, self._next_row = self._directory.ordered_rows(), 0
        self._look_at(entry.id for entry in self._outbox.entries())

    @property
    def busy(self) -> bool:
        """Whether somebody has come, changed or gone whom it does not know of yet."""
        return self._busy

    @property
    def knows_everybody(self) -> bool:
        """Whether nobody is left: not even those who could not be read."""
        return not (self._busy or self._left)

    def of(self, new: NewPerson, *, besides: str | None = None) -> tuple[Match[KnownPerson], ...]:
        """Up to three who may be the same person, the likeliest first.

        `besides` is the entry that is being corrected: nobody is their own double. Nobody is found
        while the local copy cannot be read.
        """
        try:
            found = self.duplicates.of(new.firstname, new.lastname, new.email, limit=4)
        except StoreError as error:
            self._failed(error)
            return ()
        return tuple(each for each in found if each.person.id != besides)[:3]

    def certainly_listed(self, new: NewPerson) -> Person | None:
        """Who of the list is almost surely the same person. Raises StoreError."""
        found = self.duplicates.of(new.firstname, new.lastname, new.email, limit=_MOST_LOOKED_UP)
        certain = (each.person.known_as for each in found if each.certain)
        return next((known for known in certain if isinstance(known, Person)), None)

    def look_up(self, new: NewPerson) -> None:
        """Take in at once whoever has this very email or name, while others are still waiting to
        be taken in: nobody is added twice for having been typed early. Costs a search of the list.
        """
        if self.knows_everybody:
            return
        try:
            for keys in (self._waiting_at(new.email), self._waiting_named(new)):
                waiting = filter(self._is_waiting, keys)
                self._renew(list(islice(waiting, _MOST_LOOKED_UP)))
        except StoreError as error:
            self._failed(error)
        # Looked for once; what is searched beside it is found again.
        self._directory.forget_searches()
        self._directory.put_keys_together()

    def people(self, keys: Sequence[Hashable]) -> Mapping[Hashable, KnownPerson]:
        """Those of these who are there now, by the id they are found under."""
        try:
            return self._read(keys)
        except StoreError as error:
            self._failed(error)
            return {}

    # What happened

    def _progressed(self, _event: PeopleProgress) -> None:
        self._waits_until = perf_counter() + _UNTIL_SECONDS

    def _people_changed(self, event: PeopleChanged) -> None:
        awaiting = tuple(self._awaiting_their_row) if event.added else ()
        self._look_at((*event.removed, *event.changed, *event.added, *awaiting))

    def _entries_changed(self, event: EntriesChanged) -> None:
        # Ten thousand come at once: none is looked at alone.
        self._typed.update((entry.id, None) for entry in event.removed)
        self._typed.update(zip(event.ids, repeat(None)))
        self._begin()

    def _look_at(self, keys: Iterable[Key]) -> None:
        self._note(keys)
        self._begin()

    def _note(self, keys: Iterable[Key]) -> None:
        for key in keys:
            if isinstance(key, int):
                self._changed.note(key)
            else:
                self._typed[key] = None

    def _refreshed(self, _event: PeopleRefreshed) -> None:
        """Whoever could not be read before may be read now, and who did not come may be gone."""
        self._waits_until = 0.0
        self._note(tuple(self._awaiting_their_row))
        if self._left:
            self._begin()

    def _begin(self) -> None:
        if not self._busy:
            self._busy = True
            self._scope.spawn(self._take_in_all(), on_error=self._failed)

    # How it is done

    def _waiting_at(self, email: str) -> Iterator[Key]:
        mailbox = compared_email(search_text(email))
        if not mailbox:
            return
        name, at, domain = mailbox.rpartition("@")
        # Some mailboxes are reached by other letters as well: those at least are in each.
        is_found = query_words(name) == (name,)
        words = f"{name} {at}{domain}" if is_found else f"{at}{domain}"
        if is_found and len(name) >= _RARE_NAME:
            words = name  # of a domain many have, each would have to be looked at
        gmail = domain == "gmail.com"
        for row in self._waiting_with("mail.com" if gmail else words):
            if compared_email(self._directory.key(row).split(SEPARATOR)[_EMAIL]) == mailbox:
                yield row
        for entry in self._waiting_entries():
            if compared_email(entry.new_person.email) == mailbox:
                yield entry.id

    def _waiting_named(self, new: NewPerson) -> Iterator[Key]:
        letters = compared(new.firstname) + compared(new.lastname)
        if not letters:
            return
        for row in self._waiting_with(f"{new.firstname} {new.lastname}"):
            key = self._directory.key(row).split(SEPARATOR)
            first, last = compared(key[_FIRST]), compared(key[_LAST])
            if letters in {first + last, last + first}:
                yield row
        for entry in self._waiting_entries():
            known = entry.new_person
            if (known.firstname, known.lastname) == (new.firstname, new.lastname):
                yield entry.id

    def _waiting_with(self, words: str) -> Iterator[int]:
        """People of the list who have these words: all who have not been taken in, and perhaps
        others.
        """
        many = max(len(self._rows) - self._next_row, 0) + len(self._changed)
        few = many * _FEW < self._directory.count()
        # The keys of everybody lie side by side already, and are looked through as they lie.
        among = [*self._rows[self._next_row :], *self._changed] if few else None
        for rows in self._directory.slices(words, among=among):
            yield from rows

    def _is_waiting(self, key: Key) -> bool:
        if isinstance(key, str) or key in self._changed:
            return True
        try:
            self._rows.index(key, self._next_row)
        except ValueError:
            return False
        return True

    def _waiting_entries(self) -> Iterator[OutboxEntry]:
        for each in islice(reversed(self._typed), _MOST_ENTRIES):
            entry = self._outbox.index.get(each)
            if entry is not None:
                yield entry

    def _forget_changed(self) -> None:
        # Emptied row by row, it stays as large as it was.
        self._changed = _WaitingRows()

    async def _take_in_all(self) -> None:
        try:
            # Somebody may come in the rest that follows the last of those who were there.
            while self._left:
                async for keys in in_turns(self._key_slices(), rest_seconds=_REST_SECONDS):
                    self._take_in(keys)
                if self._waits:
                    await asyncio.sleep(_LOOK_SECONDS)
        finally:
            # Whatever changes from here on begins a run of its own.
            self._busy = False
        self._rows = ()
        self._forget_changed()
        self._events.publish(DuplicatesKnown())
        # Or the first key of a name would wait for it, longer than for a frame.
        if not load_comparison.cache_info().currsize:
            Thread(target=load_comparison, name="loading", daemon=True).start()

    @property
    def _left(self) -> bool:
        """Whether somebody is left to be taken in."""
        return bool(self._typed or self._changed) or self._next_row < len(self._rows)

    @property
    def _waits(self) -> bool:
        """Whether people come faster than they can be taken in: the reading comes first.

        Whoever is typed meanwhile is taken in all the same, and `look_up` finds who waits.
        """
        return len(self._changed) > _MANY and perf_counter() < self._waits_until

    def _take_in(self, keys: Sequence[Key]) -> None:
        try:
            self._renew(keys)
        except StoreError:
            self._note(keys)
            raise

    def _key_slices(self) -> Iterator[Sequence[Key]]:
        while keys := self._next_keys():
            yield keys

    def _next_keys(self) -> Sequence[Key]:
        """What has changed first, the latest of it: whoever was typed just now."""
        if self._typed:
            return [self._typed.popitem()[0] for _ in range(min(len(self._typed), _AT_ONCE))]
        if self._waits:
            return ()
        if self._changed:
            return [self._changed.pop() for _ in range(min(len(self._changed), _AT_ONCE))]
        first, self._next_row = self._next_row, self._next_row + _AT_ONCE
        return self._rows[first : self._next_row]

    def _renew(self, keys: Sequence[Key]) -> None:
        found = self._read(keys)
        self.duplicates.discard(key for key in keys if key not in found)
        self.duplicates.add(found.values())

    def _read(self, keys: Sequence[Hashable]) -> Mapping[Hashable, KnownPerson]:
        """Those of these who are there now, as they are now."""
        people = self._directory.people([key for key in keys if isinstance(key, int)])
        entries = (self._entry(key) for key in keys if isinstance(key, str))
        return {row: _listed(row, person) for row, person in people.items()} | {
            entry.id: _typed(entry) for entry in entries if entry is not None
        }

    def _entry(self, entry_id: str) -> OutboxEntry | None:
        """The entry, unless the list has the person it became, or would have: who was deleted."""
        entry = self._outbox.index.get(entry_id)
        self._awaiting_their_row.discard(entry_id)
        if entry is None or entry.state is not EntryState.ADDED or entry.person_id is None:
            return entry
        row = self._directory.row_of(entry.person_id)
        if row is not None or self._directory.would_have(entry.ended_at):
            return None
        self._awaiting_their_row.add(entry_id)
        return entry

    @staticmethod
    def _failed(error: Exception) -> None:
        """The list itself says what is wrong with it; here somebody is found later, or not."""
        _log.warning("whom somebody may be the same as cannot be read: %s", type(error).__name__)


class _WaitingRows:
    """Rows that were noted, each once: all who come with a first reading are, and an object and an
    entry for each would take more than all else that is known of them.
    """

    def __init__(self) -> None:
        self._in_turn = array(ROW)
        self._noted = bytearray()

    def __len__(self) -> int:
        return len(self._in_turn)

    def __iter__(self) -> Iterator[int]:
        return iter(self._in_turn)

    def __contains__(self, row: object) -> bool:
        return isinstance(row, int) and row < len(self._noted) and bool(self._noted[row])

    def note(self, row: int) -> None:
        """This one, too."""
        if row >= len(self._noted):
            self._noted.extend(bytes(row + 1 - len(self._noted)))
        if not self._noted[row]:
            self._noted[row] = 1
            self._in_turn.append(row)

    def pop(self) -> int:
        """The one that was noted last, which is so no longer."""
        row = self._in_turn.pop()
        self._noted[row] = 0
        return row


def _listed(row: int, person: Person) -> KnownPerson:
    return KnownPerson(row, person.firstname, person.lastname, person.email, person)


def _typed(entry: OutboxEntry) -> KnownPerson:
    new = entry.new_person
    return KnownPerson(entry.id, new.firstname, new.lastname, new.email, entry)
