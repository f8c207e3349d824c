"""The rows of an outbox, and one entry as text: JSON that says what it is, which revision, and
whether it is as written, so that it can be found without the table around it.

A sum over all rows says whether one is missing: SQLite's own check does not see a row that is gone,
nor a value that is another. Files and threads are left to others.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b, blake2s
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from app.model.outbox import OutboxEntry
from app.store.database import transaction
from app.store.errors import UNREADABLE, damaged

_HEAD = re.compile(
    rb'\{"outbox_entry":1,"sum":"([0-9a-f]{16})","revision":([0-9]{1,9}),"bytes":([0-9]{1,9}),'
    rb'"entry":'
)
_decode_entry = msgspec.json.Decoder(OutboxEntry).decode


class KeptText(NamedTuple):
    """A list, or a part of one, as it is kept in that table: signed text."""

    table: str
    id: str
    text: str


class Record(NamedTuple):
    """An entry and how often it had been written; of two records the higher revision is newer."""

    entry: OutboxEntry
    revision: int


def encode(record: Record) -> str:
    """The record as one line of JSON."""
    body = msgspec.json.encode(record.entry)
    number = str(record.revision)
    head = f'{{"outbox_entry":1,"sum":"{_record_sum(number.encode(), body)}","revision":{number},'
    return f'{head}"bytes":{len(body)},"entry":{body.decode()}}}'


def decode(text: object) -> Record | None:
    """The record of a column's bytes; None when it is not exactly what was written."""
    if not isinstance(text, bytes):
        return None
    head = _HEAD.match(text)
    found = None if head is None else _read(text, head)
    return found[0] if found is not None and found[1] == len(text) else None


def scan(data: bytes) -> Iterator[Record]:
    """Every whole record anywhere in `data`, old revisions too."""
    for head in _HEAD.finditer(data):
        found = _read(data, head)
        if found is not None:
            yield found[0]


def newest(records: Iterable[Record]) -> dict[str, Record]:
    """The newest record of each entry, by id, in the order the entries were met."""
    found: dict[str, Record] = {}
    for record in records:
        known = found.get(record.entry.id)
        if known is None or known.revision < record.revision:
            found[record.entry.id] = record
    return found


def _read(data: bytes, head: "re.Match[bytes]") -> tuple[Record, int] | None:
    """The record that begins at `head`, and where it ends."""
    end = head.end() + int(head[3])
    body = data[head.end() : end]
    if data[end : end + 1] != b"}" or _record_sum(head[2], body) != head[1].decode():
        return None
    try:
        return Record(_decode_entry(body), int(head[2])), end + 1
    except msgspec.DecodeError:
        return None


def _record_sum(number: bytes, body: bytes) -> str:
    return blake2s(number + b":" + body, digest_size=8).hexdigest()


_SUMMED = {
    "entries": "{0}.id, {0}.place, {0}.revision, {0}.state, NULL, CAST({0}.entry AS BLOB)",
    "history": """
        {0}.id, -{0}.place, {0}.revision, {0}.state, {0}.person_id, CAST({0}.entry AS BLOB)
    """,
    "facts": "{0}.name, NULL, NULL, NULL, NULL, {0}.value",
    "batches": "{0}.id, {0}.place, NULL, NULL, NULL, CAST({0}.batch AS BLOB)",
    "batch_rows": "{0}.id, {0}.place, NULL, NULL, NULL, CAST({0}.rows AS BLOB)",
    "reviews": "{0}.id, {0}.place, NULL, NULL, NULL, CAST({0}.review AS BLOB)",
    "review_sources": "{0}.id, {0}.place, NULL, NULL, NULL, CAST({0}.source AS BLOB)",
}
"""Each table, and what is summed of a row of it."""
# `version` is written by migrations, and held against SQLite's own number.
_NOT_SUMMED = {"facts": "{0}.name IN ('sum', 'version')"}
_ALL = "SELECT {columns} FROM {table} WHERE NOT {not_summed}"
_CARRY = """
    CREATE TEMP TRIGGER {change}_of_{table} AFTER {change} ON main.{table}
    WHEN NOT {not_summed} BEGIN
        UPDATE facts SET value = {total} WHERE name = 'sum';
    END
"""
_TOTALS = {
    "INSERT": ("new", "carried(value, 1, {new})"),
    # No row of the facts is ever called otherwise: the one is summed where the other is.
    "UPDATE": ("new", "carried(carried(value, -1, {old}), 1, {new})"),
    "DELETE": ("old", "carried(value, -1, {old})"),
}
"""By what is done to a row: the one that says whether it is summed, and what the sum is then."""
TEXT_COLUMNS = {
    "batches": "batch",
    "batch_rows": "rows",
    "review_sources": "source",
    "reviews": "review",
}
"""Whatever is signed text under an id, by table and column, so that it can be read out of one file
into another.
"""
_TEXTS = "SELECT id, CAST({column} AS TEXT) FROM {table} ORDER BY place"
_ADD = "INSERT OR IGNORE INTO {table} (id, {column}) VALUES (?, ?)"
_NOW = """
    INSERT INTO {table} (id, {column}) VALUES (?, ?)
    ON CONFLICT (id) DO UPDATE SET {column} = excluded.{column}
"""
_REVISIONS = """
    SELECT id, max(revision) FROM (
        SELECT id, revision FROM entries WHERE id IN (SELECT value FROM json_each(:ids)) UNION ALL
        SELECT id, revision FROM history WHERE id IN (SELECT value FROM json_each(:ids))
    ) GROUP BY id
"""
_OPEN = """
    INSERT INTO entries (id, revision, state, entry) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET (revision, state, entry) =
        (excluded.revision, excluded.state, excluded.entry)
"""
_DONE = """
    INSERT INTO history (id, revision, state, entry, person_id) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET (revision, state, entry, person_id) =
        (excluded.revision, excluded.state, excluded.entry, excluded.person_id)
"""
_FACT = """
    INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
_LEFT = "DELETE FROM entries WHERE id = ?"
_ALL_OPEN = "SELECT CAST(entry AS BLOB) FROM entries ORDER BY place"
_ALL_DONE = "SELECT CAST(entry AS BLOB) FROM history ORDER BY place"
_DONE_BEFORE = """
    SELECT place, CAST(entry AS BLOB) FROM history WHERE place < ? ORDER BY place DESC LIMIT ?
"""
_CLAIMED = """
    SELECT person_id FROM history WHERE state = 'added' AND person_id IN (
        SELECT value FROM json_each(?)
    )
"""
_ADDED = "SELECT person_id FROM history WHERE state = 'added' AND person_id IS NOT NULL"
# Those of a batch stay as long as the batch does, whose id theirs begin with.
_FORGET = """
    DELETE FROM history WHERE id IN (
        SELECT id FROM history
        WHERE substr(id, 1, instr(id, '.') - 1) NOT IN (SELECT id FROM batches)
        ORDER BY place DESC LIMIT -1 OFFSET ?
    )
"""

Done = tuple[int, OutboxEntry]
NewRow = tuple[str, int, str, str]
"""An entry as it is written the first time."""
_Summed = str | bytes | int | None
Metadata = Mapping[str, str | None]
"""What is kept by name about the whole outbox; None forgets it."""
_NONE: Metadata = MappingProxyType({})
LAST = 2**62
"""Behind every place there is."""


def write(
    connection: sqlite3.Connection, entries: Sequence[OutboxEntry] = (), metadata: Metadata = _NONE
) -> None:
    """Keep `entries` as they are now, and `metadata` beside them, all or nothing."""
    with transaction(connection):
        put(connection, entries)
        put_metadata(connection, metadata)


def put(connection: sqlite3.Connection, entries: Sequence[OutboxEntry]) -> None:
    """Write `entries` as they are now. Inside a transaction of the caller's, as all that `put`s."""
    ids = _json([entry.id for entry in entries])
    before = dict(connection.execute(_REVISIONS, {"ids": ids}).fetchall())
    put_records(connection, [Record(each, before.get(each.id, 0) + 1) for each in entries])


def put_metadata(connection: sqlite3.Connection, metadata: Metadata) -> None:
    """Write what is known by name."""
    for name, value in metadata.items():
        if value is None:
            connection.execute("DELETE FROM facts WHERE name = ?", (name,))
        else:
            connection.execute(_FACT, (name, value))


def new_rows(entries: Iterable[OutboxEntry]) -> list[NewRow]:
    """What `put_new` writes: made before the transaction, which is the shorter for it."""
    return [(one.id, 1, one.state.value, encode(Record(one, 1))) for one in entries]


def put_new(connection: sqlite3.Connection, entries: Iterable[NewRow]) -> None:
    """Write entries of whom nothing is written yet and that are not done."""
    connection.executemany(_OPEN, entries)


def put_records(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """Write entries under revisions that are known."""
    open_ones: list[NewRow] = []
    done: list[tuple[str, int, str, str, str | None]] = []
    for entry, revision in records:
        row = (entry.id, revision, entry.state.value, encode(Record(entry, revision)))
        if entry.done:
            done.append((*row, entry.person_id))
        else:
            open_ones.append(row)
    connection.executemany(_OPEN, open_ones)
    connection.executemany(_LEFT, [(row[0],) for row in done])
    connection.executemany(_DONE, done)


def read_all(connection: sqlite3.Connection) -> list[Record]:
    """Every entry, those that are done last. Raises StoreDamaged where one is not as written."""
    both = (connection.execute(_ALL_OPEN), connection.execute(_ALL_DONE))
    return [_record(text) for found in both for (text,) in found]


def put_all(connection: sqlite3.Connection, records: Iterable[Record]) -> None:
    """Write these in the place of all that are there."""
    connection.execute("DELETE FROM entries")
    connection.execute("DELETE FROM history")
    put_records(connection, records)


def read_open(connection: sqlite3.Connection) -> tuple[OutboxEntry, ...]:
    """The entries that are not done, in order. Raises StoreDamaged where one is not as written."""
    return tuple(read_entry(text) for (text,) in connection.execute(_ALL_OPEN))


def read_done(connection: sqlite3.Connection, after: int, limit: int) -> list[Done]:
    """The next `limit` that were done, the newest first, behind the one of that place. Raises as
    above.

    With each comes its place.
    """
    found = connection.execute(_DONE_BEFORE, (after, limit))
    return [(place, read_entry(text)) for place, text in found]


def claimed(connection: sqlite3.Connection, person_ids: Sequence[str]) -> frozenset[str]:
    """Which of these people were added by an entry."""
    return frozenset(row[0] for row in connection.execute(_CLAIMED, (_json(person_ids),)))


def added_people(connection: sqlite3.Connection) -> frozenset[str]:
    """Everybody who was added by an entry."""
    return frozenset(row[0] for row in connection.execute(_ADDED))


def forget_old(connection: sqlite3.Connection, keep: int) -> None:
    """Keep the newest `keep` of what is done, and leave no byte of the rest."""
    connection.execute(_FORGET, (keep,))


def get_metadata(connection: sqlite3.Connection, name: str) -> str | None:
    """What is kept under `name` about the whole outbox, or None."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def all_metadata(connection: sqlite3.Connection) -> dict[str, str]:
    """All of it by name, but what is about the file itself."""
    found = connection.execute("SELECT name, value FROM facts WHERE name NOT IN ('sum', 'version')")
    return {str(name): str(value) for name, value in found}


def check(connection: sqlite3.Connection) -> None:
    """Raise StoreDamaged unless every row is there as it was written; whatever is changed from here
    on carries the sum.
    """
    if not is_whole(connection):
        raise damaged("the rows do not add up to what was written")
    connection.create_function("carried", -1, _carried)
    for table in _SUMMED:
        summed = {row: _summed(table, row) for row in ("old", "new")}
        columns = {row: each["columns"] for row, each in summed.items()}
        for change, (row, total) in _TOTALS.items():
            which, then = summed[row]["not_summed"], total.format(**columns)
            connection.execute(
                _CARRY.format(table=table, change=change, not_summed=which, total=then)
            )


def put_sum(connection: sqlite3.Connection) -> None:
    """Keep the sum over the rows as they are, of a file that nobody has opened yet."""
    put_metadata(connection, {"sum": _sum(connection)})


def read_texts(connection: sqlite3.Connection) -> list[KeptText]:
    """Whatever is as it was written, of a file that may be damaged."""
    found: list[KeptText] = []
    for table, column in TEXT_COLUMNS.items():
        with contextlib.suppress(*UNREADABLE):
            asked = connection.execute(_TEXTS.format(table=table, column=column))
            found += [KeptText(table, *row) for row in asked if unsigned(row[1])]
    return found


def put_texts(connection: sqlite3.Connection, texts: Iterable[KeptText]) -> None:
    """Write those that are not there."""
    _put_texts(connection, _ADD, texts)


def add_texts(connection: sqlite3.Connection, texts: Iterable[KeptText]) -> None:
    """Keep those that are not there, all or nothing."""
    with transaction(connection):
        _put_texts(connection, _ADD, texts)


def write_texts(connection: sqlite3.Connection, texts: Iterable[KeptText]) -> None:
    """Keep texts as they are now, in the place of what is there, all or nothing."""
    with transaction(connection):
        _put_texts(connection, _NOW, texts)


def _put_texts(connection: sqlite3.Connection, statement: str, texts: Iterable[KeptText]) -> None:
    for table, kept_id, text in texts:
        connection.execute(
            statement.format(table=table, column=TEXT_COLUMNS[table]), (kept_id, text)
        )


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether the rows add up to the sum that is kept."""
    return get_metadata(connection, "sum") == _sum(connection)


def _sum(connection: sqlite3.Connection) -> str:
    total = 0
    for table in _SUMMED:
        asked = _ALL.format(table=table, **_summed(table, table))
        total += sum(map(_of_row, connection.execute(asked)))
    return _as_text(total)


def _summed(table: str, row: str) -> dict[str, str]:
    """What is summed of a row that SQL calls by that name, and whether it is not."""
    not_summed = _NOT_SUMMED.get(table, "0")
    return {"columns": _SUMMED[table].format(row), "not_summed": not_summed.format(row)}


def _carried(total: str, sign: int, *row: _Summed) -> str:
    """Adding up does not depend on the order, so a change costs what changes, not all."""
    return _as_text(int(total, 16) + sign * _of_row(row))


def _of_row(row: tuple[_Summed, ...]) -> int:
    return int.from_bytes(blake2b(msgspec.msgpack.encode(row), digest_size=8).digest())


def _as_text(total: int) -> str:
    return f"{total % 2**64:020x}"


def signed(text: str) -> str:
    """The text as it is kept where nothing else says whether it is as it was written."""
    return f"{blake2s(text.encode(), digest_size=8).hexdigest()} {text}"


def unsigned(kept: str | None) -> str:
    """The text again; blank where there is none, or it is not as it was written."""
    text = (kept or "").partition(" ")[2]
    return text if kept == signed(text) else ""


def read_entry(text: bytes) -> OutboxEntry:
    """The entry of a column's bytes. Raises StoreDamaged where it is not as it was written."""
    return _record(text).entry


def _record(text: bytes) -> Record:
    record = decode(text)
    if record is None:
        raise damaged("an entry of the outbox is not as it was written")
    return record


def _json(values: Sequence[str]) -> str:
    return msgspec.json.encode(values).decode()
