"""The people in the database: saving, comparing, sorting and reading them.

It knows the shape of a row; connections, threads and readings of the list belong to others.
"""
# ruff: noqa: S608 - only names of columns are put together here, every value is a parameter

import contextlib
import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain, compress
from operator import itemgetter
from typing import Any

import msgspec

from app.model import field_limits
from app.model.person import Person
from app.runtime.memory import remembered_for_a_while
from app.store import kept_orders
from app.store.change_log import PeopleChanges
from app.store.database import sorted_apart, transaction
from app.store.errors import damaged, made_of_kept_values
from app.store.kept_orders import KeptOrder
from app.store.ordering import KEY_COLUMNS, ROW, IndexRow, Rows, SortKey, order_by
from app.store.person_flags import FLAGS_IN_SQL, PersonFlags
from app.store.search_keys import (
    SEPARATOR,
    PersonKeys,
    keys_of,
    keys_of_all,
    shown_word,
    with_shown_word,
)

_ADMIN = PersonFlags.ADMIN.value
_ARCHIVED = PersonFlags.ARCHIVED.value
_VOLUNTEER = PersonFlags.VOLUNTEER.value
_WITHOUT_EMAIL = PersonFlags.WITHOUT_EMAIL.value
_HAS_PHONE = PersonFlags.HAS_PHONE.value
_HAS_MOBILE = PersonFlags.HAS_MOBILE.value
_NUMBERS_GIVEN = PersonFlags.NUMBERS_GIVEN.value

_FIELDS = (
    "firstname, lastname, email, phone, mobile, date_added, date_modified, "
    "admin, archived, volunteer, preferred_name, deceased, others"
)
_KEYS = ", ".join(KEY_COLUMNS)
_VALUES = ", ".join("?" for _ in f"{_FIELDS}, {_KEYS}".split(", "))
_BEHIND = f" || char({ord(SEPARATOR)}) || "
# The last one costs memory only where there is one.
_JOINED_KEY = (
    f"{_BEHIND.join(KEY_COLUMNS[:-1])} || iif({KEY_COLUMNS[-1]} = '', '', ''{_BEHIND}"
    f"{KEY_COLUMNS[-1]})"
)
# One parameter for any number of values: a JSON array.
_OF_THESE = "IN (SELECT value FROM json_each(?))"
_UNKNOWN = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM people)"

INSERT = f"INSERT INTO people (row, id, {_FIELDS}, {_KEYS}) VALUES (?, ?, {_VALUES})"
INSERT_NEW = f"{INSERT} ON CONFLICT (id) DO NOTHING"
UPDATE = f"UPDATE people SET ({_FIELDS}, {_KEYS}) = ({_VALUES}) WHERE row = ?"
DELETE = "DELETE FROM people WHERE row = ?"
ALL_ROWS = "SELECT row FROM people"
ROWS_OF_IDS = f"SELECT id, row FROM people WHERE id {_OF_THESE}"
ROW_OF_ID = "SELECT row FROM people WHERE id = ?"
# The whole answer in one step: with a step a row, the thread that paints would stand in line for
# the interpreter at each of them while a save is under way.
PEOPLE_OF_ROWS = (
    f"SELECT json_group_array(json_array(row, id, {_FIELDS})) FROM people WHERE row {_OF_THESE}"
)
PEOPLE_OF_IDS = f"SELECT id, {_FIELDS}, row FROM people WHERE id {_OF_THESE}"
_INDEX = f"SELECT row, {_JOINED_KEY}, {FLAGS_IN_SQL}, CAST(date_added AS INTEGER) FROM people"
FLAGS_OF_ALL = f"SELECT row, {FLAGS_IN_SQL} FROM people"
INDEX_OF_ROWS = f"{_INDEX} WHERE row {_OF_THESE}"
INDEX_AFTER = f"{_INDEX} WHERE row > ? ORDER BY row LIMIT ?"
# SQLite takes the array as the outer loop, so that they come as they stand in it.
INDEX_IN_ORDER = (
    f"SELECT row, {_JOINED_KEY}, {FLAGS_IN_SQL}, CAST(date_added AS INTEGER) "
    "FROM json_each(?) AS wanted CROSS JOIN people ON people.row = wanted.value"
)


def sorted_rows(by: SortKey, *, descending: bool) -> str:
    """All rows in order."""
    return f"{ALL_ROWS} {order_by(by, descending=descending)}"


Record = tuple[Any, ...]
"""The fields of a person as SQLite keeps them, the id first."""


class PeopleDelta(msgspec.Struct, frozen=True):
    """What a save has changed, as rows, and their index rows as they are now."""

    added: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    index: tuple[IndexRow, ...] = ()
    """First of those who changed, then of those who were added, each in their order."""

    def parts(self, most: int) -> "Iterator[PeopleDelta]":
        """The same in parts of at most so many rows."""
        if len(self.index) <= most:
            yield self
            return
        many = len(self.changed)
        for start in range(0, len(self.index), most):
            end = start + most
            added = self.added[max(0, start - many) : max(0, end - many)]
            yield PeopleDelta(added, self.changed[start:end], self.index[start:end])


# People looked up, compared and written at a time: what is held for them stays small.
_LOT = 1_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_OTHERS_KEPT = 1_024
"""Of many people they are the same."""
_ROW_OF = itemgetter(0)
_encode = msgspec.json.Encoder().encode
_read_records = msgspec.json.Decoder(list[list[Any]]).decode
_read_pairs = msgspec.json.Decoder(tuple[tuple[str, str], ...]).decode


def save(
    connection: sqlite3.Connection,
    people: Sequence[Person],
    news: PeopleChanges | None = None,
    *,
    perhaps_all_new: bool = False,
) -> tuple[PeopleDelta, dict[str, int]]:
    """Put `people` in; gives what that changed, and the rows of all of them by id.

    A field that was not given (None) leaves what is known: a list may tell less of a person than
    the answer to a create did. A blank that was given replaces. What is to be told of it later is
    gathered in `news` and written with it. Where they are `perhaps_all_new`, that is tried first.
    """
    writes = _Writes(connection, news, perhaps_all_new=perhaps_all_new)
    with transaction(connection):
        # Each id once, or somebody listed twice would be both added and changed.
        single = list({person.id: person for person in people}.values())
        for start in range(0, len(single), _LOT):
            writes.save(single[start : start + _LOT])
        changed = sorted(writes.changed)
        rows, other_rows = tuple(map(_ROW_OF, writes.added)), tuple(map(_ROW_OF, changed))
        kept_orders.note_moved(connection, chain(rows, other_rows))
        if news is not None:
            news.write(connection)
    return PeopleDelta(rows, other_rows, (*changed, *writes.added)), writes.met


class _Writes:
    """What one save puts in, a lot at a time."""

    def __init__(
        self, connection: sqlite3.Connection, news: PeopleChanges | None, *, perhaps_all_new: bool
    ) -> None:
        self._connection = connection
        self._news = news
        self._perhaps_all_new = perhaps_all_new
        self.added: list[IndexRow] = []
        self.changed: list[IndexRow] = []
        self.met: dict[str, int] = {}
        """The rows of all of them, by id."""

    def save(self, lot: Sequence[Person]) -> None:
        """Who is new, who is different, and the rows of all of them."""
        told = _records(lot)
        if self._perhaps_all_new and self._add(lot, told, known_new=False):
            return
        self._perhaps_all_new = False
        known = _known(self._connection, map(_ROW_OF, told))
        new = [record[0] not in known for record in told]
        self._compare(known, lot, told)
        self._add(list(compress(lot, new)), list(compress(told, new)), known_new=True)

    def _add(self, people: Sequence[Person], told: list[Record], *, known_new: bool) -> bool:
        """Put in these; whether none of them was there. Where one was, nothing is done."""
        connection = self._connection
        first = kept_orders.last_row(connection) + 1
        rows = range(first, first + len(told))
        keys = keys_of_all(people)
        inserts = [(row, *tell, *key) for row, tell, key in zip(rows, told, keys, strict=True)]
        try:
            if known_new:
                connection.executemany(INSERT, inserts)
            else:
                connection.execute("SAVEPOINT lot")
                many = connection.executemany(INSERT_NEW, inserts).rowcount
                if many < len(inserts):
                    connection.execute("ROLLBACK TO lot")
                connection.execute("RELEASE lot")
                if many < len(inserts):
                    return False
        except (sqlite3.IntegrityError, OverflowError) as error:
            # The last row is not what was written.
            raise damaged(str(error)) from error
        self.met.update(zip(map(_ROW_OF, told), rows, strict=True))
        self.added += _index_rows(rows, told, keys)
        if self._news is not None:
            self._news.came(people)
        return True

    def _compare(
        self, known: dict[str, Record], people: Sequence[Person], told: list[Record]
    ) -> None:
        """Put in how those are other who were there."""
        updates: list[Record] = []
        for person, tell in zip(people, told, strict=True):
            found = known.get(person.id)
            if found is None:
                continue
            before, row = found[:-1], found[-1]
            # Nearly all are told as they were.
            self.met[person.id] = row
            now = before if tell == before else _joined(person, tell, before)
            if now != before:
                become = _person(now)
                keys = keys_of(become)
                updates.append((*now[1:], *keys, row))
                self.changed += _index_rows((row,), (now,), (keys,))
                if self._news is not None:
                    self._news.differs(_person(before), become)
            if self._news is not None:
                self._news.met(person.id)
        self._connection.executemany(UPDATE, updates)


def _joined(person: Person, told: Record, before: Record) -> Record:
    """What is known of `person` then: what was not told stays as it was."""
    now = tuple(old if new is None else new for new, old in zip(told, before, strict=True))
    if person.others and told[-1] != before[-1]:
        now = (*now[:-1], _merged(before[-1], person.others))
    return now


def _index_rows(
    rows: Iterable[int], records: Iterable[Record], keys: Iterable[PersonKeys]
) -> Iterator[IndexRow]:
    """As `_INDEX` reads them."""
    word = shown_word()
    # Plain numbers: the flags themselves take longer to be joined than all the rest.
    for row, record, key in zip(rows, records, keys, strict=True):
        flags = _WITHOUT_EMAIL if record[3] == "" else 0
        if record[8]:
            flags |= _ADMIN
        if record[9]:
            flags |= _ARCHIVED
        if record[10]:
            flags |= _VOLUNTEER
        if record[4]:
            flags |= _HAS_PHONE
        if record[5]:
            flags |= _HAS_MOBILE
        if record[4] is not None and record[5] is not None:
            flags |= _NUMBERS_GIVEN
        joined = SEPARATOR.join(key if key[-1] else key[:-1])
        yield row, with_shown_word(joined, word) if word else joined, flags, record[6]


def _known(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Record]:
    """The records of those who are there, each with its row behind it, by id."""
    found = connection.execute(PEOPLE_OF_IDS, (_json(ids),))
    return {record[0]: record for record in found}


def unknown(connection: sqlite3.Connection, person_ids: Iterable[str]) -> set[str]:
    """Those of these ids that nobody here has."""
    given = (json.dumps(list(person_ids)),)
    return {person_id for (person_id,) in connection.execute(_UNKNOWN, given)}


_NEAR = 2**26


class SeenRows:
    """Row numbers, a byte each: a set of a hundred thousand would take seventy times that, and
    leave memory full of holes.
    """

    def __init__(self) -> None:
        """None."""
        self._by_row = bytearray()
        self._far: set[int] = set()
        """Those that only a damaged table has."""

    def add(self, rows: Rows) -> None:
        """These, too."""
        by_row = self._by_row
        by_row.extend(bytes(max(0, min(max(rows, default=0) + 1, _NEAR) - len(by_row))))
        for row in rows:
            if row < _NEAR:
                by_row[row] = 1
            else:
                self._far.add(row)

    def missing_of(self, rows: Iterable[int]) -> tuple[int, ...]:
        """Those of `rows` that are not among these."""
        by_row, far, end = self._by_row, self._far, len(self._by_row)
        return tuple(row for row in rows if not (by_row[row] if row < end else row in far))


def unseen(connection: sqlite3.Connection, seen: SeenRows) -> tuple[int, ...]:
    """The rows of everybody who is not in `seen`."""
    return seen.missing_of(row for (row,) in connection.execute(ALL_ROWS))


def delete(connection: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Take out these rows: part of a transaction of the caller's."""
    gone = tuple(rows)
    connection.executemany(DELETE, ((row,) for row in gone))
    kept_orders.note_moved(connection, gone)


def in_lots(connection: sqlite3.Connection, rows: Sequence[int]) -> Iterator[Person]:
    """The people of very many rows, a few at a time."""
    for start in range(0, len(rows), _LOT):
        yield from read_rows(connection, rows[start : start + _LOT]).values()


def sort(connection: sqlite3.Connection, by: SortKey, *, descending: bool) -> Rows:
    """All rows in order."""
    with sorted_apart(connection) as place:
        found = place.execute(sorted_rows(by, descending=descending))
        with made_of_kept_values():
            rows = array(ROW, chain.from_iterable(found))
    if max(rows, default=0) > kept_orders.last_row(connection):
        raise damaged("a row number that nobody can have been given")
    return rows


def kept_order(connection: sqlite3.Connection, by: SortKey) -> KeptOrder:
    """All rows in order, and what each can be filtered by, as the last sorting left them."""

    def index_row(row: int) -> IndexRow | None:
        found = read_index(connection, (row,))
        return found[0] if found else None

    kept = kept_orders.find(connection, by, index_row)
    if kept is not None:
        return kept
    rows = sort(connection, by, descending=False)
    flags = bytearray(1 + max(rows, default=0))
    for row, theirs in connection.execute(FLAGS_OF_ALL):
        flags[row] = theirs
    with contextlib.suppress(sqlite3.OperationalError):  # no room: the next start sorts again
        kept_orders.keep(connection, by, rows, flags)
    return KeptOrder(rows, flags)


def count(connection: sqlite3.Connection) -> int:
    """How many people there are."""
    (found,) = connection.execute("SELECT count(*) FROM people").fetchone()
    return int(found)


def read_index(connection: sqlite3.Connection, rows: Iterable[int]) -> list[IndexRow]:
    """The index rows of `rows`."""
    return _whole(connection.execute(INDEX_OF_ROWS, (_json(rows),)).fetchall())


def read_index_in_order(connection: sqlite3.Connection, rows: Iterable[int]) -> list[IndexRow]:
    """The index rows of `rows`, in their order, without those who are gone."""
    return _whole(connection.execute(INDEX_IN_ORDER, (_json(rows),)).fetchall())


def read_index_after(connection: sqlite3.Connection, row: int, limit: int) -> list[IndexRow]:
    """The index rows of the next `limit` people behind `row`, by row number."""
    return _whole(connection.execute(INDEX_AFTER, (row, limit)).fetchall())


def _whole(index: list[IndexRow]) -> list[IndexRow]:
    """The same, with what is searched in the language spoken. Raises StoreDamaged: nobody is
    written without what they are searched by.
    """
    if any(key is None for _, key, *_ in index):
        raise damaged("somebody without a key")
    word = shown_word()
    if not word:
        return index
    return [(row, with_shown_word(key, word), flags, added) for row, key, flags, added in index]


def read_rows(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, Person]:
    """The people of `rows`, by row; a row that is gone is not in the answer."""
    (found,) = connection.execute(PEOPLE_OF_ROWS, (_json(rows),)).fetchone()
    with made_of_kept_values():
        return {row: _person(record) for row, *record in _read_records(found)}


def read_ids(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Person]:
    """The people of `ids`, by id; an id that matches nobody is not in the answer."""
    found = connection.execute(PEOPLE_OF_IDS, (_json(ids),))
    return {record[0]: _person(record) for record in found}


def row_of(connection: sqlite3.Connection, person_id: str) -> int | None:
    """The row of a person; None when nobody has that id."""
    found = connection.execute(ROW_OF_ID, (person_id,)).fetchone()
    return None if found is None else int(found[0])


def rows_of(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, int]:
    """The rows of many people, by id; an id that matches nobody is not in the answer."""
    return dict(connection.execute(ROWS_OF_IDS, (_json(ids),)))


def _json(values: Iterable[int] | Iterable[str]) -> str:
    return json.dumps(list(values))


def _records(people: Iterable[Person]) -> list[Record]:
    return [
        (
            person.id,
            person.firstname,
            person.lastname,
            person.email,
            person.phone,
            person.mobile,
            None if person.date_added is None else (person.date_added - _EPOCH) // _SECOND,
            None if person.date_modified is None else (person.date_modified - _EPOCH) // _SECOND,
            person.admin,
            person.archived,
            person.volunteer,
            person.preferred_name,
            person.deceased,
            _kept(person.others) if person.others else None,
        )
        for person in people
    ]


@remembered_for_a_while
@lru_cache(_OTHERS_KEPT)
def _kept(others: tuple[tuple[str, str], ...]) -> str | None:
    """As the database has them: without those that are blank, None where there are none."""
    pairs = [pair for pair in others if pair[1]][: field_limits.OTHERS]
    return _encode(pairs).decode() if pairs else None


def _merged(before: str | None, told: tuple[tuple[str, str], ...]) -> str | None:
    """What is known then: each field that was told replaces its own, a blank one takes it out."""
    return _kept(tuple({**dict(_others(before)), **dict(told)}.items()))


def _others(kept: str | None) -> tuple[tuple[str, str], ...]:
    """The pairs of a record. Raises StoreDamaged."""
    if kept is None:
        return ()
    with made_of_kept_values():
        return tuple(_read_pairs(kept))


def _person(record: Sequence[Any]) -> Person:
    return Person(
        id=_id(record[0]),
        firstname=_text(record[1]),
        lastname=_text(record[2]),
        email=_text(record[3]),
        phone=_text(record[4]),
        mobile=_text(record[5]),
        date_added=_moment(record[6]),
        date_modified=_moment(record[7]),
        admin=_flag(record[8]),
        archived=_flag(record[9]),
        volunteer=_flag(record[10]),
        preferred_name=_text(record[11]),
        deceased=_flag(record[12]),
        others=_others(record[13]) if record[13] is not None else (),
    )


def _id(value: object) -> str:
    if not isinstance(value, str):
        raise damaged("no text in the place of an id")
    return value


def _text(value: str | None) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise damaged("no text in the place of one")


def _moment(seconds: int | None) -> datetime | None:
    if seconds is None:
        return None
    try:
        # Not fromtimestamp(): on Windows it refuses what was before 1970.
        return field_limits.in_every_calendar(_EPOCH + seconds * _SECOND)
    except OverflowError:
        return None
    except TypeError as error:
        raise damaged("no number in the place of a date") from error


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)
