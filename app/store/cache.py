"""The disposable copy of people and flows as last seen, and which readings of them are under way.

Only somebody whom a whole reading has not met is gone; deleting is left to the table.
"""

import logging
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from app.model.change import Change, LoggedChange
from app.model.flow import PeopleFlow
from app.model.person import Person
from app.store import change_log, kept_orders, people_rows
from app.store.change_log import CutChanges, Unseen
from app.store.database import Database, Result, Work, has_tables_of, remove_files, transaction
from app.store.errors import (
    StoreDamaged,
    StoreError,
    StoreTooNew,
    damaged,
    made_of_kept_values,
)
from app.store.folding import FOLDING
from app.store.kept_orders import KeptOrder
from app.store.known_pages import KnownPages
from app.store.ordering import ROW, IndexRow, Rows, SortKey
from app.store.people_rows import PeopleDelta, SeenRows
from app.store.schema import CACHE_TABLES


class Shortfall(msgspec.Struct, frozen=True):
    """What a list was short of: the service gave `received` of `total` (None: it does not count).

    `unreadable` came and could not be read; `kept` of those it left out are known from before.
    """

    received: int
    total: int | None
    unreadable: int = 0
    kept: int = 0


class FullReads:
    """Kept in memory: a reading that a restart has cut short proves nothing about anybody."""

    def __init__(self) -> None:
        """Nothing is being read."""
        self._seen: dict[int, SeenRows] = {}
        self._files: dict[int, int] = {}
        self._last = 0

    def begin(self, file_number: int) -> int:
        """Start a reading into this file and give its number."""
        self._last += 1
        self._seen[self._last] = SeenRows()
        self._files[self._last] = file_number
        return self._last

    def saw(self, rows: Rows) -> None:
        """These people are there now, whichever way they were met: every reading has seen them."""
        for seen in self._seen.values():
            seen.add(rows)

    def seen(self, number: int) -> SeenRows:
        """Whom the reading has seen so far. Raises KeyError for one that is not under way."""
        return self._seen[number]

    def end(self, number: int) -> SeenRows:
        """Whom the reading has seen. Raises KeyError for one that is not under way."""
        del self._files[number]
        return self._seen.pop(number)

    def is_of(self, file_number: int, number: int) -> bool:
        """Whether the reading began with this file, so that all it brought is in there."""
        return self._files[number] == file_number

    def give_up(self, number: int) -> None:
        """Forget a reading that was broken off."""
        self._seen.pop(number, None)
        self._files.pop(number, None)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(PeopleFlow).decode
_decode_shortfall = msgspec.json.Decoder(Shortfall | None).decode


def save(connection: sqlite3.Connection, flows: Iterable[PeopleFlow]) -> None:
    """Put `flows`, in their order, in the place of those that were there: part of a transaction of
    the caller's.
    """
    rows = ((place, _encode(flow).decode()) for place, flow in enumerate(flows))
    connection.execute("DELETE FROM flows")
    connection.executemany("INSERT INTO flows (place, flow) VALUES (?, ?)", rows)


def read(connection: sqlite3.Connection) -> tuple[PeopleFlow, ...]:
    """All flows in their order. Raises StoreDamaged."""
    found = connection.execute("SELECT flow FROM flows ORDER BY place")
    with made_of_kept_values():
        return tuple(_decode(flow) for (flow,) in found)


def set_metadata(connection: sqlite3.Connection, name: str, value: str | int) -> None:
    """Keep what is known of the whole copy under `name`."""
    connection.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def get_metadata(connection: sqlite3.Connection, name: str) -> str | int | None:
    """What is known under `name`; None when that is nothing."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else found[0]


def get_time(connection: sqlite3.Connection, name: str) -> datetime | None:
    """The same as a time, UTC."""
    seconds = get_metadata(connection, name)
    try:
        return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) else None
    except (ValueError, OverflowError, OSError):
        return None


def set_shortfall(connection: sqlite3.Connection, name: str, missing: Shortfall | None) -> None:
    """Keep what the list is short of under `name`; None where it was whole."""
    set_metadata(connection, name, "" if missing is None else _encode(missing).decode())


def get_shortfall(connection: sqlite3.Connection, name: str) -> Shortfall | None:
    """The same; None, too, where it cannot be read."""
    try:
        found: Shortfall | None = _decode_shortfall(str(get_metadata(connection, name) or "null"))
    except msgspec.DecodeError:
        return None
    return found


_log = logging.getLogger(__name__)
_ROOM = "cache_size = -8192"
"""KiB, for the index of ids, in which those who come lie all over; let go of after a reading."""
_PEOPLE_MISSING = "people missing"
_FLOWS_MISSING = "flows missing"
_PEOPLE_AS_OF = "people as of"
_PEOPLE_WHOLE = "people whole"
_FLOWS_AS_OF = "flows as of"
_FLOWS_WERE_WHOLE = "flows were whole"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Cache:
    """People under stable row numbers, and flows in the service's order.

    What is awaited is done on the database's thread, in the order it was asked for, and ends even
    when the caller is cancelled. The rest reads a little, at once, and is meant for painting: it
    does not wait for a save. Everything may raise StoreError; awaited work that finds the file
    damaged makes it anew, empty, before it raises StoreDamaged.
    """

    def __init__(
        self, database: Database, now: Callable[[], datetime], *, tells_changes: bool
    ) -> None:
        """Use `open`."""
        self._database = database
        self._now = now
        self.tells_changes = tells_changes
        """Whether what the readings change is kept for a while, to be told."""
        self._full_reads = FullReads()
        self._known_pages = KnownPages()
        self._added_here: set[str] = set()
        """Who was added from this computer, and is not here yet. The database's thread's alone."""
        self._forgetters: list[Callable[[], None]] = []

    @classmethod
    def open(
        cls,
        path: Path | None,
        account: str = "",
        *,
        now: Callable[[], datetime] = _utc_now,
        tells_changes: bool = True,
    ) -> "Cache":
        """The cache in the file `path`, or in memory when there is none.

        The folder is made for its owner alone. A damaged file, one of a newer version, one with
        keys of another folding and one of another `account` (unless that is blank) are replaced by
        an empty one. Raises StoreError where the file cannot be made.
        """
        try:
            database = _open(path, account)
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise  # a mistake of ours is no reason to give up a good file
        except (StoreDamaged, StoreTooNew, sqlite3.Error) as error:
            _log.warning("the cache is made anew: %s", type(error).__name__)
            remove_files(path)
            database = _open(path, account)
        return cls(database, now, tells_changes=tells_changes)

    async def close(self) -> None:
        """Finish what was asked for and let go of the file."""
        await self._database.close()

    def close_now(self) -> None:
        """The same where there is nothing else to do meanwhile."""
        self._database.close_now()

    async def let_go_of_pages(self) -> None:
        """Hold nothing of the file in memory that nobody has just asked for."""
        await self._database.let_go_of_pages()

    async def in_memory(self) -> "Cache":
        """The same in memory, with when it was read: for whoever lets go of the file."""
        copy = Cache(_open(None, ""), self._now, tells_changes=self.tells_changes)
        try:
            await self.copy_into(copy)
        except BaseException:
            copy.close_now()
            raise
        return copy

    async def copy_into(self, other: "Cache") -> None:
        """Have `other` of the same account hold what this one holds, with when it was read.

        Whose `other` is stays as it was opened. It can be used meanwhile, and closed: what is read
        there is what it held before, and what it is to save waits.
        """
        await self._do(other.fill_from)

    def fill_from(self, source: sqlite3.Connection) -> None:
        """See `copy_into`: work for the thread of the other one, which waits for ours."""
        try:
            filling = self._database.submit(partial(self._fill_from, source))
        except RuntimeError:
            return  # closed meanwhile: there is nobody to look at it
        filling.result()

    def _fill_from(self, source: sqlite3.Connection, _own: sqlite3.Connection) -> None:
        self._known_pages = KnownPages()
        filled = self._database.fill_from(source)
        if not self.tells_changes:
            _forget_changes(filled)

    def when_made_anew(self, forget: Callable[[], None]) -> None:
        """Call `forget` whenever damage was found and everything kept here is gone."""
        self._forgetters.append(forget)

    async def begin_full_read(self) -> int:
        """A reading of the whole list of people begins; gives its number."""
        return await self._do(lambda _: self._full_reads.begin(self._database.file_number))

    async def known_pages(self) -> frozenset[bytes]:
        """The digests of pages whose people are here as the page told them, in this run."""
        return await self._do(self._digests_known)

    async def save_people(
        self,
        people: Sequence[Person],
        *,
        added_here: bool = False,
        pages: Sequence[tuple[bytes, Collection[str], bool]] = (),
    ) -> PeopleDelta:
        """Put `people` in; every full read under way has now seen them.

        `pages` of which everybody is in then: digest, ids, and whether it was recognised, so that
        nobody on it was given anew.

        A field that was not given (None) leaves what is known of it. Somebody of whom nothing has
        changed is not in the answer. `added_here`: they come from this computer.
        """
        return await self._do(
            partial(self._save_people, people, added_here=added_here, pages=pages)
        )

    async def were_added_here(self, person_ids: Collection[str]) -> bool:
        """These were added from this computer: no reading that brings them tells them as news, and
        whom one has told already are news no longer; whether there was any of those.
        """
        if not (person_ids and self.tells_changes):
            return False
        return await self._do(partial(self._were_added_here, person_ids))

    async def finish_full_read(
        self, number: int, *, complete: bool, missing: Shortfall | None = None
    ) -> tuple[int, ...]:
        """The reading came to its end, short of what is `missing`; gives the rows of those who are
        gone.

        Nobody is gone unless it was `complete`: whoever it has not met is `kept` then, of which
        `people_missing` tells how many they are. Raises KeyError for a full read that is not under
        way, and StoreDamaged where the file was made anew since it began: whom it brought before
        that is lost.
        """
        gone = await self._do(
            partial(self._finish_full_read, number, complete=complete, missing=missing)
        )
        if gone is None:
            raise damaged("the file was made anew while the list was read")
        return gone

    async def misses_somebody(self, number: int) -> bool:
        """Whether there is anybody whom the reading has not met so far."""
        return await self._do(partial(self._misses_somebody, number))

    async def give_up_full_read(self, number: int) -> None:
        """The reading was broken off: it says nothing about those it had not met yet."""
        await self._do(lambda _: self._full_reads.give_up(number))

    async def order(self, by: SortKey, *, descending: bool = False) -> Rows:
        """All rows sorted; those without a value come last in either direction."""
        return await self._do(partial(people_rows.sort, by=by, descending=descending))

    async def kept_order(self, by: SortKey) -> KeptOrder:
        """The same ascending, as the last sorting left it, with what each can be filtered by."""
        return await self._do(partial(people_rows.kept_order, by=by))

    async def keep_order(self, by: SortKey, rows: Rows, flags: Sequence[int]) -> None:
        """Keep this order of everybody there is, so that the next start need not sort.

        `flags` by row number. Where there is no room for it, it is done without.
        """
        try:
            await self._do(partial(kept_orders.keep, by=by, rows=rows, flags=flags))
        except StoreDamaged:
            raise
        except StoreError as error:
            _log.warning("the order of the list is not kept: %s", error.details)

    async def index_rows(self, rows: Sequence[int]) -> list[IndexRow]:
        """What memory holds of these people, in their order, without those who are gone."""
        return await self._do(partial(people_rows.read_index_in_order, rows=rows))

    def index_rows_now(self, rows: Sequence[int]) -> list[IndexRow]:
        """The same of a few at once."""
        return self._database.read(partial(people_rows.read_index_in_order, rows=rows))

    async def people_count(self) -> int:
        """How many people there are."""
        return await self._do(people_rows.count)

    async def search_keys(self, after: int, limit: int) -> list[IndexRow]:
        """What memory holds of the next `limit` people behind the row `after`, by row number.

        In parts, because the whole of a long list would be held twice for a moment.
        """
        return await self._do(partial(people_rows.read_index_after, row=after, limit=limit))

    async def people_by_id(self, ids: Iterable[str]) -> dict[str, Person]:
        """Many people at once, by id; an id that matches nobody is not in the answer."""
        return await self._do(partial(people_rows.read_ids, ids=tuple(ids)))

    def read_people(self, rows: Sequence[int]) -> dict[int, Person]:
        """One screenful, by row; a row that is gone meanwhile is not in the answer, nor is anybody
        once the file is closed: a window may still paint what is about to go.
        """
        if self._database.closed:
            return {}
        return self._database.read(partial(people_rows.read_rows, rows=rows))

    def row_of(self, person_id: str) -> int | None:
        """The row of a person; None when nobody has that id."""
        return self._database.read(partial(people_rows.row_of, person_id=person_id))

    def rows_of(self, ids: Iterable[str]) -> dict[str, int]:
        """The same of many at once; an id that matches nobody is not in the answer."""
        return self._database.read(partial(people_rows.rows_of, ids=tuple(ids)))

    def person(self, person_id: str) -> Person | None:
        """The person with that id, or None."""
        found = self._database.read(partial(people_rows.read_ids, ids=(person_id,)))
        return found.get(person_id)

    @property
    def people_as_of(self) -> datetime | None:
        """When the list of people was last read to its end, UTC."""
        return self._database.read(partial(get_time, name=_PEOPLE_AS_OF))

    @property
    def people_whole(self) -> bool:
        """Whether that reading was `complete`, so that nobody the service has is unknown here."""
        return self._database.read(partial(get_metadata, name=_PEOPLE_WHOLE)) == 1

    @property
    def people_missing(self) -> Shortfall | None:
        """What that reading was short of; None where it was not."""
        return self._database.read(partial(get_shortfall, name=_PEOPLE_MISSING))

    async def save_flows(
        self,
        flows: Sequence[PeopleFlow],
        missing: Shortfall | None = None,
        changes: Sequence[Change] = (),
        *,
        whole: bool | None = None,
    ) -> None:
        """Keep `flows`, in their order, in the place of those before, and what is `missing`.

        `changes` is what is other than before; where nothing was kept before there is no news.
        `whole`: whether the service gave every flow it has; None where nothing missing says so.
        """
        whole = missing is None if whole is None else whole
        await self._do(partial(self._save_flows, flows, missing, changes, whole=whole))

    async def flows(self) -> tuple[PeopleFlow, ...]:
        """The flows in the service's order."""
        return await self._do(read)

    @property
    def flows_as_of(self) -> datetime | None:
        """When the flows were last read, UTC."""
        return self._database.read(partial(get_time, name=_FLOWS_AS_OF))

    @property
    def flows_missing(self) -> Shortfall | None:
        """What that reading was short of; None where it was not."""
        return self._database.read(partial(get_shortfall, name=_FLOWS_MISSING))

    @property
    def flows_were_whole(self) -> bool:
        """Whether any reading has given every flow the service had."""
        return self._database.read(_flows_were_whole)

    async def unseen_changes(self) -> Unseen:
        """What nobody has looked at yet of what the readings have changed."""
        return await self._do(self._unseen)

    async def changes(self, before: int | None = None, limit: int = 1_000) -> list[LoggedChange]:
        """The next `limit` changes older than the serial number `before`, newest first."""
        now = self._now()
        return await self._do(partial(change_log.read, before=before, limit=limit, now=now))

    async def cut_changes(self) -> list[CutChanges]:
        """How many changes there were besides, too many to be kept one by one; newest first."""
        return await self._do(partial(change_log.read_cut, now=self._now()))

    async def mark_changes_seen(self, serial: int) -> None:
        """Somebody looks now at all changes up to the number `serial`."""
        await self._do(partial(change_log.mark_seen, serial=serial, now=self._now()))

    def _unseen(self, connection: sqlite3.Connection) -> Unseen:
        began = get_time(connection, _FLOWS_AS_OF)
        return change_log.read_unseen(connection, self._now(), began)

    async def _do(self, work: Work[Result]) -> Result:
        try:
            return await self._database.run(work)
        except StoreDamaged:
            _log.warning("the cache was damaged and is made anew")
            self._known_pages = KnownPages()
            await self._database.start_afresh()
            for forget in self._forgetters:
                forget()
            raise

    def _digests_known(self, connection: sqlite3.Connection) -> frozenset[bytes]:
        return self._known_pages.digests(people_rows.count(connection))

    def _save_people(
        self,
        people: Sequence[Person],
        connection: sqlite3.Connection,
        *,
        added_here: bool,
        pages: Sequence[tuple[bytes, Collection[str], bool]] = (),
    ) -> PeopleDelta:
        news, as_of = None, get_time(connection, _PEOPLE_AS_OF)
        if self.tells_changes:
            news = change_log.gathering(
                connection,
                self._now(),
                as_of=as_of,
                added_here=added_here,
                known_here=self._added_here,
            )
        delta, met = people_rows.save(connection, people, news, perhaps_all_new=as_of is None)
        self._full_reads.saw(array(ROW, met.values()))
        known = self._known_pages
        known.note_changed(delta.changed)
        for digest, ids, recognised in pages:
            if recognised:
                rows_met = known.rows_met(digest)
                if rows_met is None:
                    rows_met = array(ROW, people_rows.rows_of(connection, ids).values())
                self._full_reads.saw(rows_met)
            else:
                # Pages overlap: some came with the save before.
                before = [one for one in ids if one not in met]
                found = people_rows.rows_of(connection, before) if before else {}
                if len(found) == len(before):
                    known.remember(
                        digest, [*found.values(), *(met[one] for one in ids if one in met)]
                    )
        return delta

    def _were_added_here(self, person_ids: Collection[str], connection: sqlite3.Connection) -> bool:
        self._added_here.update(people_rows.unknown(connection, person_ids))
        with transaction(connection):
            return change_log.correct_added_here(connection, person_ids)

    def _misses_somebody(self, number: int, connection: sqlite3.Connection) -> bool:
        return bool(people_rows.unseen(connection, self._full_reads.seen(number)))

    def _finish_full_read(
        self,
        number: int,
        connection: sqlite3.Connection,
        *,
        complete: bool,
        missing: Shortfall | None,
    ) -> tuple[int, ...] | None:
        is_all_there = self._full_reads.is_of(self._database.file_number, number)
        seen = self._full_reads.end(number)
        if not is_all_there:
            return None
        unseen = people_rows.unseen(connection, seen) if complete or missing is not None else ()
        gone = unseen if complete else ()
        if missing is not None:
            missing = msgspec.structs.replace(missing, kept=len(unseen) - len(gone))
        now = self._now()
        with transaction(connection):
            known = complete and change_log.was_whole(connection, now)
            change_log.note_reading(connection, now if self.tells_changes else None)
            if self.tells_changes:
                change_log.forget_old(connection, now)
                left = people_rows.in_lots(connection, gone if known else ())
                change_log.write_gone(connection, left, now)
            people_rows.delete(connection, gone)
            set_metadata(connection, _PEOPLE_WHOLE, int(complete))
            set_shortfall(connection, _PEOPLE_MISSING, missing)
            self._set_time(connection, _PEOPLE_AS_OF)
        self._known_pages.note_changed(gone)
        if complete:
            self._known_pages.reading_ended()
        connection.execute("PRAGMA shrink_memory")
        return gone

    def _save_flows(
        self,
        flows: Sequence[PeopleFlow],
        missing: Shortfall | None,
        changes: Sequence[Change],
        connection: sqlite3.Connection,
        *,
        whole: bool,
    ) -> None:
        now = self._now()
        before = get_metadata(connection, _FLOWS_AS_OF)
        whole = whole or _flows_were_whole(connection)
        with transaction(connection):
            save(connection, flows)
            change_log.note_reading(connection, now if self.tells_changes else None)
            if self.tells_changes and before is not None:
                change_log.forget_old(connection, now)
                named = change_log.with_names(changes, _names(connection, changes))
                change_log.write(connection, named, int(now.timestamp()))
            set_shortfall(connection, _FLOWS_MISSING, missing)
            set_metadata(connection, _FLOWS_WERE_WHOLE, int(whole))
            self._set_time(connection, _FLOWS_AS_OF)

    def _set_time(self, connection: sqlite3.Connection, name: str) -> None:
        set_metadata(connection, name, int(self._now().timestamp()))


def _flows_were_whole(connection: sqlite3.Connection) -> bool:
    return get_metadata(connection, _FLOWS_WERE_WHOLE) == 1


def _names(connection: sqlite3.Connection, changes: Iterable[Change]) -> dict[str, str]:
    """By id what the administrators are called who came or went."""
    ids = {one.id for change in changes for one in (*change.came, *change.gone)}
    found = people_rows.read_ids(connection, ids) if ids else {}
    return {person_id: person.full_name for person_id, person in found.items()}


def _forget_changes(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        change_log.forget_all(connection)


def _open(path: Path | None, account: str) -> Database:
    check = partial(_check, account=account)
    return Database(path, CACHE_TABLES, durable=False, check=check, pragmas=(_ROOM,))


def _check(connection: sqlite3.Connection, *, account: str) -> None:
    """One whose tables are not ours, whose keys were folded by another rule, or that says it is
    another account's, is damaged. One that names no account is this one's from now on.
    """
    if not has_tables_of(connection, CACHE_TABLES):
        raise damaged("its tables are others")
    for name, meant in (("folding", FOLDING), ("account", account)):
        kept = get_metadata(connection, name)
        if kept is None and meant:
            set_metadata(connection, name, meant)
        elif meant and kept != meant:
            raise damaged(f"its {name} is another")
