"""Who of the list is likely there twice, followed while it changes, and whom somebody told apart.

They are looked for in a thread of their own once a reading is over, and among the few who have
changed after that. Who is like whom is known to `people/duplicates`.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

import msgspec

from app.outbox.duplicate_index import DuplicateIndex, DuplicatesKnown, KnownPerson
from app.people.directory import PeopleDirectory
from app.people.duplicates import AlikePair, DuplicateGroup
from app.people.events import PeopleChanged, PeopleProgress, PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore

_log = logging.getLogger(__name__)

Two: TypeAlias = tuple[str, str]
"""The service's ids of two people."""
_TOLD_APART = "told apart"
_MOST_TOLD_APART = 2_000
"""Pairs that are remembered, the newest: a file stays small, and who was told apart years ago may
be asked about again.
"""
_MANY = 1_000
"""Changes from which on looking through everybody is quicker than looking at each."""
_AT_ONCE = 8


class DuplicateGroupsChanged(msgspec.Struct, frozen=True):
    """Others than before are likely to be there twice."""


class DuplicateGroups:
    """The groups as they are now, the surest first; people of the list alone, by row number."""

    def __init__(
        self,
        index: DuplicateIndex,
        directory: PeopleDirectory,
        store: OutboxStore,
        events: EventBus,
        scope: TaskScope,
        *,
        keep: bool = True,
        told_apart: Sequence[Two] = (),
    ) -> None:
        """Nobody is looked for before `index` knows everybody of a list that was read whole.

        Who was told apart is kept in `store`, or, where nothing is to be kept, for this run alone.
        `told_apart` were so in this run already, whatever was to be kept then.
        """
        self.groups: Sequence[DuplicateGroup[KnownPerson]] = ()
        self.known = False
        """Whether everybody was looked through; until then there may be more."""
        self._index = index
        self._duplicates = index.duplicates
        self._directory = directory
        self._store = store
        self._events = events
        self._keep = keep
        self._told_apart: list[Two] = []
        self._steps: list[frozenset[Two]] = []
        self._rows_apart: dict[Two, tuple[int, int]] = {}
        self._pairs: list[AlikePair] = []
        self._changed: set[int] = set()
        # More than are looked at one by one: who they are is not noted then.
        self._many_changed = False
        self._reading = False
        self._going_on = True
        self._follow = Action(
            scope, self._follow_changes, second="drop", on_error=self._failed, on_change=self._go_on
        )
        scope.call_on_close(self._stop)
        self._take_up()
        self._take_over(told_apart)
        events.subscribe(PeopleChanged, self._people_changed, scope)
        events.subscribe(PeopleProgress, self._progressed, scope)
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(DuplicatesKnown, self._begin, scope)

    @property
    def told_apart(self) -> tuple[Two, ...]:
        """Who was said not to be the same person, by the service's ids."""
        return tuple(self._told_apart)

    @property
    def busy(self) -> bool:
        """Whether they are being looked for."""
        return self._follow.running

    def tell_apart(self, pairs: Iterable[tuple[int, int]]) -> None:
        """The two rows of each pair are not the same person: remembered. Raises StoreError."""
        several = tuple(pairs)
        people = self._directory.people([row for two in several for row in two])
        new = {
            _two(people[one].id, people[other].id): (one, other)
            for one, other in several
            if one in people and other in people
        }
        self._remember([*(two for two in self._told_apart if two not in new), *new])
        if new:
            self._steps.append(frozenset(new))
        self._rows_apart |= new
        self._divide(new.values())

    @property
    def can_take_back(self) -> bool:
        """Whether somebody was told apart whom that can be taken back of."""
        return bool(self._steps)

    def take_back(self) -> None:
        """Those told apart last may be the same after all; once more, those before them, back to
        the start of this run. Raises StoreError.
        """
        if not self._steps:
            return
        last = self._steps[-1]
        self._remember([two for two in self._told_apart if two not in last])
        self._steps.pop()
        for two in last:
            self._rows_apart.pop(two, None)
        self._set(self._duplicates.grouped(self._pairs, self._rows_apart.values()))

    # What happened

    def _people_changed(self, event: PeopleChanged) -> None:
        if self._many_changed:
            return
        self._changed.update(event.added, event.changed, event.removed)
        if len(self._changed) > _MANY:
            self._changed, self._many_changed = set(), True

    def _progressed(self, _event: PeopleProgress) -> None:
        self._reading = True

    def _refreshed(self, _event: PeopleRefreshed) -> None:
        self._reading = False
        self._begin()

    # How it is done

    def _begin(self, _event: DuplicatesKnown | None = None) -> None:
        if self._to_do:
            self._follow()

    def _go_on(self) -> None:
        """Something may have changed while a run was ending."""
        if self._to_do and not self._follow.running and not self._follow.failed:
            self._follow()

    @property
    def _to_do(self) -> bool:
        if not self._going_on or self._index.busy or self._directory.as_of is None:
            return False
        if self._looks_through_all:
            return not self._reading
        return bool(self._changed)

    @property
    def _looks_through_all(self) -> bool:
        return not self.known or self._many_changed

    async def _follow_changes(self) -> None:
        # Somebody may have changed since this was begun whom the index does not know of yet.
        if not self._to_do:
            return
        if self._looks_through_all:
            await self._look_through_all()
        else:
            await self._look_at_changed()

    async def _look_through_all(self) -> None:
        self._changed, self._many_changed = set(), False
        try:
            found = await asyncio.to_thread(self._duplicates.pairs, lambda: self._going_on)
            await self._find_rows_apart()
        except BaseException:
            self._changed, self._many_changed = set(), True
            raise
        self._pairs = _of_the_list(found)
        groups = await self._grouped()
        self.known = True
        self._set(groups)

    async def _look_at_changed(self) -> None:
        changed, self._changed = self._changed, set()
        before = [pair for pair in self._pairs if pair.one in changed or pair.other in changed]
        found: list[AlikePair] = []
        rows = sorted(changed)
        for start in range(0, len(rows), _AT_ONCE):
            found += _of_the_list(self._duplicates.pairs_of(rows[start : start + _AT_ONCE]))
            await asyncio.sleep(0)
        if before or found:
            gone = set(map(id, before))
            self._pairs = [pair for pair in self._pairs if id(pair) not in gone] + found
            self._set(await self._grouped())

    async def _find_rows_apart(self) -> None:
        """The rows of those told apart: they are others once the list has been made anew."""
        self._rows_apart = {}
        for place, two in enumerate(self._told_apart):
            one, other = map(self._directory.row_of, two)
            if one is not None and other is not None:
                self._rows_apart[two] = (one, other)
            if not place % _AT_ONCE:
                await asyncio.sleep(0)

    async def _grouped(self) -> Sequence[DuplicateGroup[KnownPerson]]:
        pairs, apart = tuple(self._pairs), tuple(self._rows_apart.values())
        return await asyncio.to_thread(self._duplicates.grouped, pairs, apart)

    def _divide(self, apart: Collection[tuple[int, int]]) -> None:
        """At once, and the groups alone in which two were told apart: somebody waits for it."""
        groups: list[DuplicateGroup[KnownPerson]] = []
        for group in self.groups:
            if any(one in group.ids and other in group.ids for one, other in apart):
                groups += self._duplicates.grouped(group.pairs, self._rows_apart.values())
            else:
                groups.append(group)
        self._set(groups)

    def _set(self, groups: Sequence[DuplicateGroup[KnownPerson]]) -> None:
        self.groups = groups
        self._events.publish(DuplicateGroupsChanged())

    def _take_up(self) -> None:
        try:
            written = self._store.metadata(_TOLD_APART)
            if written and not self._keep:
                self._store.set_metadata(_TOLD_APART, None)
            elif written:
                self._told_apart = msgspec.json.decode(written, type=list[Two])
        except msgspec.MsgspecError:
            self._told_apart = []
        except StoreError as error:
            self._failed(error)

    def _take_over(self, told_apart: Sequence[Two]) -> None:
        known = set(self._told_apart)
        if new := [two for two in told_apart if two not in known]:
            try:
                self._remember([*self._told_apart, *new])
            except StoreError as error:
                self._told_apart += new
                self._failed(error)

    def _remember(self, told_apart: list[Two]) -> None:
        kept = told_apart[-_MOST_TOLD_APART:]
        if self._keep:
            written = msgspec.json.encode(kept).decode() if kept else None
            self._store.set_metadata(_TOLD_APART, written)
        self._told_apart = kept

    def _stop(self) -> None:
        self._going_on = False
        self._changed.clear()

    @staticmethod
    def _failed(error: Exception) -> None:
        """The list itself says what is wrong with it; here they are looked for another time."""
        _log.warning("who is there twice cannot be found now: %s", type(error).__name__)


def _two(one: str, other: str) -> Two:
    return (one, other) if one < other else (other, one)


def _of_the_list(pairs: Iterable[AlikePair]) -> list[AlikePair]:
    """Without entries of the outbox: they can still be taken back, and are told of elsewhere."""
    return [pair for pair in pairs if isinstance(pair.one, int) and isinstance(pair.other, int)]
