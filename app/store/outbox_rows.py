"""The statements of the outbox: entries that still have a way to go, and those that are done.

It knows the tables; what an entry means is known to those who use it.
"""

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec

from app.model.outbox import OutboxEntry
from app.store.database import transaction
from app.store.errors import damaged
from app.store.outbox_record import Record, decode, encode

_REVISION = """
    SELECT max(revision) FROM (
        SELECT revision FROM entries WHERE id = ?1 UNION ALL
        SELECT revision FROM history WHERE id = ?1
    )
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
_LEFT = "DELETE FROM entries WHERE id = ?"
_ALL_OPEN = "SELECT id, revision, state, CAST(entry AS BLOB) FROM entries ORDER BY place"
_DONE_BEFORE = """
    SELECT place, CAST(entry AS BLOB) FROM history WHERE place < ? ORDER BY place DESC LIMIT ?
"""
_CLAIMED = """
    SELECT person_id FROM history WHERE state = 'added' AND person_id IN (
        SELECT value FROM json_each(?)
    )
"""
_TOO_OLD = """
    DELETE FROM history WHERE place <= (
        SELECT place FROM history ORDER BY place DESC LIMIT 1 OFFSET ?
    )
"""

Done = tuple[int, OutboxEntry | None]
LAST = 2**62
"""Behind every place there is."""


def put(connection: sqlite3.Connection, entries: Iterable[OutboxEntry]) -> None:
    """Write `entries` as they are now. Inside a transaction of the caller's."""
    for entry in entries:
        (before,) = connection.execute(_REVISION, (entry.id,)).fetchone()
        put_record(connection, Record(entry, (before or 0) + 1))


def put_record(connection: sqlite3.Connection, record: Record) -> None:
    """Write one entry under a revision that is known."""
    entry, text = record.entry, encode(record)
    row = (entry.id, record.revision, entry.state.value, text)
    if entry.done:
        connection.execute(_LEFT, (entry.id,))
        connection.execute(_DONE, (*row, entry.person_id))
    else:
        connection.execute(_OPEN, row)


def read_open(connection: sqlite3.Connection) -> tuple[OutboxEntry, ...]:
    """The entries that are not done, in order. Raises StoreDamaged where one is not as written."""
    found: list[OutboxEntry] = []
    for *columns, text in connection.execute(_ALL_OPEN):
        record = decode(text)
        if record is None or columns != [record.entry.id, record.revision, record.entry.state]:
            raise damaged("an entry of the outbox is not as it was written")
        found.append(record.entry)
    return tuple(found)


def read_done(connection: sqlite3.Connection, before: int, limit: int) -> list[Done]:
    """The next `limit` that were done before the place `before`, the newest first.

    One that is not as it was written has None in its place.
    """
    found = connection.execute(_DONE_BEFORE, (before, limit))
    return [
        (place, None if (read := decode(text)) is None else read.entry) for place, text in found
    ]


def claimed(connection: sqlite3.Connection, person_ids: Sequence[str]) -> frozenset[str]:
    """Which of these people were added by an entry."""
    ids = msgspec.json.encode(person_ids).decode()
    return frozenset(person_id for (person_id,) in connection.execute(_CLAIMED, (ids,)))


def forget_old(connection: sqlite3.Connection, keep: int) -> None:
    """Keep the newest `keep` of what is done, and leave no byte of the rest."""
    with transaction(connection):
        gone = connection.execute(_TOO_OLD, (keep,)).rowcount
    if gone > 0:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def recall(connection: sqlite3.Connection, name: str) -> str | None:
    """A fact that was noted, or None."""
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if found is None else str(found[0])


def remember(connection: sqlite3.Connection, name: str, value: str | None) -> None:
    """Note a fact; None forgets it."""
    if value is None:
        connection.execute("DELETE FROM facts WHERE name = ?", (name,))
    else:
        connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
