"""Everybody, as a list: what memory holds of each, in which order, and how it is kept current.

Rows themselves are read from the cache when they are painted; who shows them is not known here.
"""

import asyncio
import contextlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from app.model.person import Person
from app.people.events import NewsCorrected, PeopleChanged, PeopleRefreshed
from app.people.list_reader import TOGETHER, ListReader, MetPages
from app.people.packed_keys import END, KeyText, PackedKeys
from app.people.row_flags import RowFlags
from app.people.search import (
    SLICE,
    ListedKeys,
    position_starting,
    query_words,
    search_slices,
    words_of_names,
)
from app.runtime.events import EventBus
from app.store.cache import Cache, Shortfall
from app.store.errors import StoreDamaged, damaged
from app.store.ordering import (
    NEVER,
    ROW,
    TEXT_FIELDS,
    ByRow,
    IndexRow,
    Rows,
    SortedRows,
    SortKey,
    ranks,
)
from app.store.people_rows import PeopleDelta
from app.store.person_flags import PersonFlags
from app.store.search_keys import search_text

if TYPE_CHECKING:
    from app.api.service import ListedPeople, Service


Value = TypeVar("Value")
Found = TypeVar("Found")


class RefreshResult(msgspec.Struct, frozen=True):
    """How much of the list came; not `complete` when the service gave less than it counted."""

    received: int
    total: int | None
    complete: bool


# People taken in at a time: what the event loop does for each part stays under a frame.
_PART = 500
_BY_NAME = frozenset({SortKey.FIRST_NAME, SortKey.LAST_NAME})
_BETWEEN_ADDITIONS = 0.25
"""Seconds, too short to be noticed, in which those who are added are gathered."""
_KEYS_AT_ONCE = 16_000
"""Looked at in well under a frame."""
_FEW = 10
"""One in so many keys may lie elsewhere: that hardly slows a search down."""


class PeopleDirectory:
    """About 90 bytes a person: a folded key, flags, a date and a place in the order, by row."""

    def __init__(self, cache: Cache, events: EventBus) -> None:
        """`open` reads what `cache` has; until then there is nobody."""
        self._cache = cache
        self._events = events
        # One piece of work at a time: an order sorted before a change must not arrive after it.
        self._turn = asyncio.Lock()
        self._by = SortKey.LAST_NAME
        self._descending = False
        self._as_of: datetime | None = None
        self._whole_as_of: datetime | None = None
        """The start of the last reading that gave everybody, in an earlier run its end, UTC."""
        self._missing: Shortfall | None = None
        self._just_added: dict[str, Person] = {}
        self._next_additions = 0.0
        self._order: SortedRows
        self._keys: PackedKeys
        self._flags: RowFlags
        self._listed: ListedKeys | None
        self._orders: dict[SortKey, SortedRows] = {}
        self._forget()
        cache.when_made_anew(self._begin_again)

    @property
    def sorted_by(self) -> tuple[SortKey, bool]:
        """What the list is sorted by, and whether descending."""
        return self._by, self._descending

    @property
    def as_of(self) -> datetime | None:
        """When the list was last read to its end, UTC; None when it never was."""
        return self._as_of

    def would_have(self, added_at: datetime | None) -> bool:
        """Whether somebody who was added then, UTC, would stand in the list by now: who does not
        has been deleted.
        """
        since = self._whole_as_of
        return since is not None and added_at is not None and added_at < since

    @property
    def missing(self) -> Shortfall | None:
        """What that reading was short of, in whichever run it was; None when it was whole."""
        return self._missing

    @property
    def whole(self) -> bool:
        """Whether that reading gave as many people as the service counts. Raises StoreError."""
        return self._as_of is not None and self._cache.people_whole

    async def open(self, by: SortKey = SortKey.LAST_NAME, *, descending: bool = False) -> None:
        """Have everybody who is kept on this computer in this order, ready to be shown.

        What the list is searched by is left to `read_keys`. Raises StoreError; a damaged cache
        begins empty.
        """
        async with self._turn:
            # The cache has been made anew then: there is nobody, which is what it holds.
            with contextlib.suppress(StoreDamaged):
                await self._load(by)
            self._descending = descending

    async def read_keys(self) -> None:
        """Read what everybody is searched by, in the order of the list. Raises StoreError.

        A search that comes first reads what it needs by itself.
        """
        async with self._turn:
            with contextlib.suppress(StoreDamaged):
                await self._read_rest()

    async def refresh(self, service: "Service") -> RefreshResult:
        """Read the whole list from `service`, telling of each part as it comes.

        Somebody the service no longer lists is removed, but only after a full read without them,
        by the service's own count. Raises ApiError and StoreError; what came until then is kept,
        but where the cache turns out to be damaged everybody is forgotten: refresh again.
        """
        async with self._turn:
            # What could not be shown when it was opened is not news, and would never come.
            if not self.ordered_rows() and await self._cache.people_count():
                await self._load(self._by)
                self._events.publish(PeopleChanged(added=tuple(self.ordered_rows())))
        number, begun = await self._cache.begin_full_read(), datetime.now(UTC)
        anybody_before = len(self.ordered_rows()) > 0
        try:
            listing = await self._read_list(service)
            # Nobody is gone because the service minds in which way it was asked for them.
            if (
                anybody_before
                and listing.complete
                and await self._cache.misses_somebody(number)
                and await listing.hides_somebody()
            ):
                listing = await self._read_list(service)
            return await self._finish(number, listing, begun)
        except BaseException:
            await self._cache.give_up_full_read(number)
            raise

    async def _read_list(self, service: "Service") -> "ListedPeople":
        return await ListReader(self._cache, self._events, self._take, self.count).read(service)

    async def took(self, person: Person) -> int:
        """Put in somebody who was just added at the service; gives the row.

        The first at once; whoever is added right behind is put in together with others, so that
        the list is not shown anew for each of many. Raises StoreError.
        """
        self._just_added[person.id] = person
        await asyncio.sleep(self._next_additions - asyncio.get_running_loop().time())
        async with self._turn:
            await self._take_just_added(person.id)
        row = self.row_of(person.id)
        if row is None:
            raise KeyError(person.id)
        return row

    async def were_added_here(self, person_ids: Collection[str]) -> None:
        """These were added from this computer, in whichever run: they are nobody's news.

        Raises StoreError.
        """
        if await self._cache.were_added_here(person_ids):
            self._events.publish(NewsCorrected())

    async def sort(self, by: SortKey, *, descending: bool = False) -> None:
        """Sort the list; turning it round costs nothing, nor does an order there was before.

        Raises StoreError.
        """
        async with self._turn:
            if by is not self._by:
                order = self._orders.get(by)
                if order is None:
                    order = self._in_order((await self._cache.kept_order(by)).rows, by)
                self._orders[self._by] = self._order
                self._by = by
                self._order = order
            self._descending = descending

    async def pack_keys(self) -> None:
        """Have the keys lie in memory in the order in which a search goes through them.

        As they came they lie all over it, and a search takes several times as long. For a moment
        they are there twice.
        """
        rows = self.ordered_rows()
        if not self._all_read:
            return
        for _ in self._keys.packing(rows, SLICE):
            await asyncio.sleep(0)
            if rows is not self.ordered_rows():
                return
        self._scattered = 0
        self._listed = None

    def ordered_rows(self) -> Rows:
        """All rows in order. Not to be changed; a later change makes a new array."""
        return self._order.shown(descending=self._descending)

    def positions(self) -> Callable[[Sequence[int], int], int | None]:
        """What tells where somebody stands among rows that are in the order of the list as it is
        now, None for nowhere. It raises LookupError once that is another one, and until the
        keys have been read.
        """
        everybody = self.ordered_rows()

        def position(rows: Sequence[int], row: int) -> int | None:
            is_known = self._all_read and 0 < row < len(self._keys)
            if self.ordered_rows() is not everybody or not is_known:
                raise LookupError(row)
            return self._order.position_in(rows, row, descending=self._descending)

        return position

    def recently_added(self) -> Mapping[int, float]:
        """Who was added from this computer lately: row, and when (seconds, UTC)."""
        return self._flags.recently_added

    def mark_recently_added(self, rows: Mapping[int, float]) -> None:
        """These were, too."""
        self._flags.mark_recently_added(rows)

    def slices(
        self,
        query: str,
        slice_size: int = SLICE,
        *,
        flag: PersonFlags | None = None,
        among: Sequence[int] | None = None,
        names_begin: Sequence[str] = (),
    ) -> Iterator[Sequence[int]]:
        """The rows that match `query` and carry `flag`, in order, as they are now, in slices.

        With `names_begin`, those alone in whose names each of these folded words begins one. Looks
        only `among` these rows, where they are given: what an earlier query found. Stop asking when
        there is a newer one; let the event loop run between two slices. Ends early where everybody
        is forgotten meanwhile, which is told by an event. Raises StoreError.
        """
        rows = self.ordered_rows() if among is None else self._known_of(among)
        found = search_slices(
            self._listed_keys(rows),
            query_words(query),
            slice_size,
            flags=self._flags.by_row,
            flag=flag or 0,
            names_begin=names_begin,
        )
        return self._until_forgotten(found)

    def words_of_names(self) -> Iterator[set[str]]:
        """The folded words of everybody's first and last names, in slices, some of them again in
        the next. Ends as `slices` does. Raises StoreError.
        """
        return self._until_forgotten(self._words_of(self.ordered_rows()))

    def _words_of(self, rows: Rows) -> Iterator[set[str]]:
        for start in range(0, len(rows), SLICE):
            yield words_of_names(self._text_of(rows[start : start + SLICE]))

    def forget_searches(self) -> None:
        """Nothing is searched any more: hold nothing of what was found for the letters typed."""
        if self._listed is not None:
            self._listed.forget_searches()

    def put_keys_together(self) -> None:
        """Nobody has searched for a while: the next search may take a little longer."""
        if self._listed is not None:
            self._listed.put_together()

    def position_starting(self, rows: Sequence[int], begin: int, typed: str) -> int | None:
        """Where in `rows` the next name from `begin` on starts with what was `typed`, or None."""
        last = self._by is SortKey.LAST_NAME
        prefix = search_text(typed)
        if not prefix:
            return None
        is_list = rows is self.ordered_rows()
        are_known = is_list or self._known_of(rows) is rows
        return position_starting(
            rows,
            self._key_by_row if are_known else _ReadKeys(self.key),
            self._text_of if are_known else self._text_of_some,
            begin,
            prefix,
            by_last_name=last,
            descending=self._descending if is_list and self._by in _BY_NAME else None,
        )

    def key(self, row: int) -> str:
        """The folded key of a row, for `matches`; blank for one that is gone."""
        return self._key_by_row[row] if row < len(self._keys) else ""

    def rows_beginning(self, beginning: str) -> Iterator[list[int]]:
        """The rows whose folded key begins so, in slices: let the event loop run between two.

        Raises StoreError, also where everybody is forgotten meanwhile: that nobody else begins so
        could not be told.
        """
        all_keys = self._keys
        yield from self._until_forgotten(self._keys_beginning(beginning))
        if self._keys is not all_keys:
            raise damaged("the list was forgotten while it was looked through")

    def times_added(self) -> Iterator[list[int]]:
        """When each was added, of whom that is known: seconds, UTC; in slices as a search."""
        return self._until_forgotten(self._times())

    def flags(self, row: int) -> PersonFlags:
        """What a row can be filtered by; nothing for one that is gone."""
        return self._flags.of(row)

    def count(self, flag: PersonFlags | None = None) -> int:
        """How many people there are, or how many of them carry `flag`, one of `FILTERS`."""
        return len(self.ordered_rows()) if flag is None else self._flags.count(flag)

    @property
    def blank_for_all(self) -> frozenset[PersonFlags]:
        """Of `HAS_PHONE` and `HAS_MOBILE` what the list says of nobody, where it tells of them."""
        return self._flags.blank_for_all(self.count())

    def people(self, rows: Sequence[int]) -> dict[int, Person]:
        """One screenful, by row; a row that is gone meanwhile is not in the answer."""
        return self._cache.read_people(rows)

    async def people_by_id(self, ids: Iterable[str]) -> dict[str, Person]:
        """Many people at once, by id; an id that matches nobody is not in the answer."""
        return await self._cache.people_by_id(ids)

    def person(self, person_id: str) -> Person | None:
        """The person with that id, or None."""
        return self._cache.person(person_id)

    def row_of(self, person_id: str) -> int | None:
        """The row of a person; None when nobody has that id."""
        return self._cache.row_of(person_id)

    def has_taken_in(self, row: int) -> bool:
        """Whether somebody whom the database has stands in the list: memory follows a moment later,
        and tells of it.
        """
        return row < len(self._keys)

    def rows_of(self, ids: Iterable[str]) -> dict[str, int]:
        """The rows of those of these people whom the list has, by id."""
        return self._cache.rows_of(ids)

    async def _load(self, by: SortKey) -> None:
        kept = await self._cache.kept_order(by)
        self._keys = PackedKeys(len(kept.flags))
        self._flags.take_over(kept.flags)
        self._added = array("q", [NEVER]) * len(kept.flags)
        self._all_read = False
        self._orders.clear()
        self._order_kept = True
        self._by, self._order = by, self._in_order(kept.rows, by)
        self._as_of = self._cache.people_as_of
        self._missing = self._cache.people_missing
        if self._cache.people_whole:
            self._whole_as_of = self._as_of

    async def _read_rest(self) -> None:
        """Read the keys that no search has needed yet, in the order in which they are searched.

        Here and below: where everybody is forgotten during a wait, there is nothing left to read.
        """
        if self._all_read:
            return
        all_keys, rows = self._keys, self.ordered_rows()
        for start in range(0, len(rows), SLICE):
            part = self._unread_of(rows[start : start + SLICE])
            if part:
                index = await self._cache.index_rows(part)
                if self._keys is not all_keys:
                    return
                self._note_read(part, index)
                # The cache puts a cancellation off until it has answered: it comes here.
                await asyncio.sleep(0)
                if self._keys is not all_keys:
                    return
        await self._have_read_all()

    async def _have_read_all(self) -> None:
        all_keys, there = self._keys, 0
        for start in range(0, len(all_keys), _KEYS_AT_ONCE):
            part = slice(start, start + _KEYS_AT_ONCE)
            there += sum(all_keys.there(part))
            await asyncio.sleep(0)
            if self._keys is not all_keys:
                return
        self._all_read = True
        rows = self._order.shown(descending=False)
        many = await self._cache.people_count()
        if self._keys is not all_keys:
            return
        if there == len(rows) == many:
            self._order = self._in_order(rows, self._by)
        else:
            # The order that was kept is not that of these people.
            await self._sort_anew()

    async def _sort_anew(self) -> None:
        """The order that was kept is not that of these people."""
        all_keys, by, gone = self._keys, self._by, tuple(self.ordered_rows())
        rows = await self._cache.order(by)
        if self._keys is not all_keys:
            return
        self._forget()
        try:
            await self._note_all(rows)
        finally:
            # Where that failed there is nobody, of which nobody else has told.
            self._events.publish(PeopleChanged(added=tuple(self.ordered_rows()), removed=gone))

    async def _note_all(self, rows: Rows) -> None:
        """Hold everybody there is, whose order is that of `rows`."""
        all_keys, last = self._keys, 0
        while part := await self._cache.search_keys(last, SLICE):
            if self._keys is not all_keys:
                return
            self._note(part)
            last = part[-1][0]
        if self._keys is all_keys:
            self._order = self._in_order(rows, self._by)

    def _until_forgotten(self, slices: Iterator[Found]) -> Iterator[Found]:
        """`slices` of what is held now, and of nothing else."""
        all_keys = self._keys

        def each() -> Iterator[Found]:
            while self._keys is all_keys and (found := next(slices, None)) is not None:
                yield found

        return each()

    def _keys_beginning(self, beginning: str) -> Iterator[list[int]]:
        for _ in self._rest_read():
            yield []
        for start in range(0, len(self._keys), SLICE):
            rows = range(start, min(start + SLICE, len(self._keys)))
            keys = zip(rows, self._keys.text_of(rows).read().split(END), strict=True)
            yield [row for row, key in keys if key and key.startswith(beginning)]

    def _times(self) -> Iterator[list[int]]:
        for _ in self._rest_read():
            yield []
        for start in range(0, len(self._keys), _KEYS_AT_ONCE):
            part = slice(start, start + _KEYS_AT_ONCE)
            added = zip(self._keys.there(part), self._added[part], strict=True)
            yield [when for is_there, when in added if is_there and when != NEVER]

    def _known_of(self, rows: Sequence[int]) -> Sequence[int]:
        """`rows` without those of a list that was forgotten since."""
        end = len(self._keys)
        return rows if max(rows, default=0) < end else [row for row in rows if row < end]

    def _rest_read(self) -> Iterator[None]:
        """Read them here and now, a slice a step, for whoever asks before all have been read."""
        rows = self.ordered_rows() if not self._all_read else ()
        for start in range(0, len(rows), SLICE):
            self._read_now(rows[start : start + SLICE])
            yield

    def _read_now(self, rows: Sequence[int]) -> None:
        part = self._unread_of(rows)
        if part:
            self._note_read(part, self._cache.index_rows_now(part))

    def _unread_of(self, rows: Sequence[int]) -> list[int]:
        return self._keys.unread_of(rows)

    def _note_read(self, rows: Sequence[int], index: Sequence[IndexRow]) -> None:
        self._keys.discard(rows)
        self._write_down(index)

    def _begin_again(self) -> None:
        everybody = tuple(self.ordered_rows())
        self._forget()
        self._as_of = self._whole_as_of = self._missing = None
        if everybody:
            self._events.publish(PeopleChanged(removed=everybody))

    def _forget(self) -> None:
        # Looked up by row number; row numbers begin with 1.
        self._keys = PackedKeys()
        self._all_read = True
        self._order_kept = False
        self._scattered = 0
        self._listed = None
        self._flags = RowFlags()
        self._added = array("q")
        self._orders.clear()
        self._order = self._in_order(array(ROW), self._by)

    async def _take(self, people: list[Person], pages: MetPages) -> None:
        """Put in all of these, who are let go of meanwhile, and note whole pages."""
        while people or pages:
            # In parts: a service may give everybody in one page.
            many = TOGETHER if len(people) > 2 * TOGETHER else len(people)
            part, people[:many] = people[:many], []
            now, pages = ((), pages) if people else (pages, ())
            async with self._turn:
                await self._read_rest()
                await self._follow_in_parts(await self._cache.save_people(part, pages=now))

    async def _follow_in_parts(self, delta: PeopleDelta) -> None:
        """Have memory do what the cache has done, with turns for everybody else in between."""
        all_keys, parts = self._keys, delta.parts(_PART)
        try:
            while self._keys is all_keys and (part := next(parts, None)) is not None:
                await self._follow(partial(self._apply, part))
                await asyncio.sleep(0)
        finally:
            # Cancelled in between: memory must not stay behind the cache.
            while self._keys is all_keys and (part := next(parts, None)) is not None:
                await self._follow(partial(self._apply, part))

    async def _take_just_added(self, person_id: str) -> None:
        """Put in all who were added until now, unless that was done with this one among them."""
        if person_id not in self._just_added:
            return
        await self._read_rest()
        added, self._just_added = self._just_added, {}
        self._next_additions = asyncio.get_running_loop().time() + _BETWEEN_ADDITIONS
        try:
            delta = await self._cache.save_people(tuple(added.values()), added_here=True)
        except BaseException:
            # Each of the others tries again, and hears of it.
            self._just_added = added | self._just_added
            self._just_added.pop(person_id, None)
            raise
        await self._follow(partial(self._apply, delta))

    async def _finish(self, number: int, listing: "ListedPeople", begun: datetime) -> RefreshResult:
        async with self._turn:
            # Without the service's count nobody can say that a full read was whole.
            whole = listing.complete and listing.total is not None
            missing = None if listing.complete else _shortfall(listing)
            removed = await self._cache.finish_full_read(number, complete=whole, missing=missing)
            self._as_of, self._missing = self._cache.people_as_of, self._cache.people_missing
            if whole:
                self._whole_as_of = begun
            all_keys = self._keys
            await self._read_rest()
            if self._keys is all_keys:
                await self._follow(partial(self._remove, removed))
            await self._keep_order()
        if self._scattered * _FEW > len(self.ordered_rows()):
            await self.pack_keys()
        result = RefreshResult(listing.received, listing.total, listing.complete)
        self._events.publish(PeopleRefreshed(result.complete))
        return result

    async def _follow(self, change: Callable[[], None]) -> None:
        """Have memory do what the cache has done. In an order that was damaged where it is kept
        somebody may not be found: then all are sorted.
        """
        try:
            change()
        except LookupError:
            await self._sort_anew()

    async def _keep_order(self) -> None:
        if not self._order_kept:
            rows = self._order.shown(descending=False)
            all_keys = self._keys
            await self._cache.keep_order(self._by, rows, self._flags.to_be_kept())
            self._order_kept = self._keys is all_keys

    def _apply(self, delta: PeopleDelta) -> None:
        """Memory follows at once what the cache has done: nothing is awaited in between."""
        if not delta.index:
            return
        self._order_kept = False
        self._orders.clear()
        self._order.take_out(delta.changed)
        self._note(delta.index)
        self._order.put_in((*delta.added, *delta.changed))
        self._events.publish(PeopleChanged(added=delta.added, changed=delta.changed))

    def _remove(self, rows: tuple[int, ...]) -> None:
        if not rows:
            return
        self._order_kept = False
        self._orders.clear()
        self._order.take_out(rows)
        self._keys.discard(rows)
        self._flags.discard(rows)
        self._events.publish(PeopleChanged(removed=rows))

    def _note(self, index: Sequence[IndexRow]) -> None:
        self._scattered += len(index)
        self._make_room(max((row for row, *_ in index), default=0))
        self._write_down(index)

    def _write_down(self, index: Sequence[IndexRow]) -> None:
        self._keys.put([row for row, *_ in index], [key for _, key, *_ in index])
        self._flags.put(index)
        for row, *_, added in index:
            self._added[row] = NEVER if added is None else added

    def _make_room(self, row: int) -> None:
        missing = row + 1 - len(self._keys)
        if missing > 0:
            self._keys.make_room(row + 1)
            self._flags.make_room(row + 1)
            self._added.extend([NEVER] * missing)

    def _in_order(self, rows: Rows, by: SortKey) -> SortedRows:
        in_utf_8 = None
        if self._all_read and by in TEXT_FIELDS:
            in_utf_8 = partial(self._keys.encoded, TEXT_FIELDS[by])
        return SortedRows(rows, ranks(by, self._key_by_row, self._added_by_row), in_utf_8)

    @property
    def _key_by_row(self) -> ByRow[str]:
        return self._keys if self._all_read else _ReadKeys(self._key_of)

    @property
    def _added_by_row(self) -> ByRow[int]:
        return self._added if self._all_read else _ReadKeys(self._added_of)

    def _key_of(self, row: int) -> str:
        self._read_now((row,))
        return self._keys[row]

    def _added_of(self, row: int) -> int:
        self._read_now((row,))
        return self._added[row]

    def _listed_keys(self, rows: Sequence[int]) -> ListedKeys:
        if rows is not self.ordered_rows():
            return ListedKeys(rows, self._text_of)
        if self._listed is None or self._listed.rows is not rows:
            self._listed = ListedKeys(rows, self._text_of)
        return self._listed

    def _text_of(self, rows: Sequence[int]) -> KeyText:
        if not self._all_read:
            self._read_now(rows)
        return self._keys.text_of(rows)

    def _text_of_some(self, rows: Sequence[int]) -> KeyText:
        """The same where some may be of a list that was forgotten."""
        return KeyText.of(map(self.key, rows))


class _ReadKeys(Generic[Value]):
    """What is looked up by row, and read where it has not been."""

    def __init__(self, read: Callable[[int], Value]) -> None:
        self._read = read

    def __getitem__(self, row: int) -> Value:
        return self._read(row)


def _shortfall(listing: "ListedPeople") -> Shortfall:
    return Shortfall(listing.received, listing.total, getattr(listing, "unreadable", 0))
