"""Batches, lists of people that were taken together: how each stands, and its rows as the source
has them.

The people in them are entries like all others, left to `rows`. Apart from it because nothing
here is sent: a batch that cannot be read costs its result, and nobody.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from app.model.outbox import Batch, BatchRow, OutboxEntry
from app.store.database import transaction
from app.store.errors import damaged
from app.store.outbox import reviews, rows
from app.store.outbox.rows import KeptText

Kept = TypeVar("Kept")
TOGETHER = 100
"""So many rows of a batch are kept as one text: fifty thousand are five hundred of them."""
decode_batch = msgspec.json.Decoder(Batch).decode
decode_rows = msgspec.json.Decoder(tuple[BatchRow, ...]).decode
_HEADS = "SELECT batch FROM batches ORDER BY place"
_ROWS = "SELECT id, rows FROM batch_rows WHERE id > ? AND id < ? ORDER BY id LIMIT ?"
_STATES = """
    SELECT CAST(substr(id, length(:first) + 1) AS INTEGER), state FROM {table}
    WHERE id > :first AND id < :last
"""
_DONE = """
    SELECT id, CAST(entry AS BLOB) FROM history WHERE id > ? AND id < ? ORDER BY id LIMIT ?
"""
_ALL_DONE = """
    SELECT CAST(entry AS BLOB) FROM history
    WHERE substr(id, 1, instr(id, '.') - 1) IN (SELECT id FROM batches) ORDER BY id
"""
_UNFINISHED = "SELECT 1 FROM entries WHERE id > ? AND id < ? LIMIT 1"


def chunk(batch: Batch, first: int, part: Sequence[BatchRow]) -> KeptText:
    """The rows of the batch from the `first` on, at most `TOGETHER`, as they are kept."""
    text = rows.signed(msgspec.json.encode(part).decode())
    return KeptText("batch_rows", f"{batch.id}/{first:06}", text)


def take(
    connection: sqlite3.Connection,
    batch: Batch,
    chunks: Iterable[KeptText],
    entries: Iterable[rows.NewRow],
    review: str = "",
) -> None:
    """Keep a batch that is new, and everybody in it, at once; the review that it was is gone with
    that, or somebody would be asked to add all of them once more.
    """
    with transaction(connection):
        if review:
            reviews.remove(connection, review)
        rows.put_texts(connection, [head(batch), *chunks])
        rows.put_new(connection, entries)


def texts(batch: Batch, all_rows: Sequence[BatchRow]) -> list[KeptText]:
    """All that is kept of a batch but its entries."""
    chunks = range(0, len(all_rows), TOGETHER)
    parts = [chunk(batch, first, all_rows[first : first + TOGETHER]) for first in chunks]
    return [head(batch), *parts]


def read(connection: sqlite3.Connection) -> tuple[Batch, ...]:
    """Every batch, the oldest first. Raises StoreDamaged where one is not as written."""
    return tuple(_read(text, decode_batch) for (text,) in connection.execute(_HEADS))


def read_rows(
    connection: sqlite3.Connection, batch_id: str, after: str, limit: int
) -> list[tuple[str, tuple[BatchRow, ...]]]:
    """The rows of the next `limit` texts behind the one called `after` (blank: from the first), by
    what each is called. Raises as above.
    """
    found = connection.execute(_ROWS, (after or f"{batch_id}/", f"{batch_id}0", limit))
    return [(chunk_id, _read(text, decode_rows)) for chunk_id, text in found]


def states(connection: sqlite3.Connection, batch_id: str) -> tuple[dict[int, str], dict[int, str]]:
    """The states, as text, of its entries that are not done and of those that are, by row."""
    span = {"first": f"{batch_id}.", "last": f"{batch_id}/"}
    in_work, done = (
        dict(connection.execute(_STATES.format(table=table), span).fetchall())
        for table in ("entries", "history")
    )
    return in_work, done


def read_done(
    connection: sqlite3.Connection, batch_id: str, after: str, limit: int
) -> list[tuple[str, OutboxEntry]]:
    """The next of its entries that are done, by their ids; `after` as of `read_rows`."""
    found = connection.execute(_DONE, (after or f"{batch_id}.", f"{batch_id}/", limit))
    return [(entry_id, rows.read_entry(text)) for entry_id, text in found]


def read_all_done(connection: sqlite3.Connection) -> tuple[OutboxEntry, ...]:
    """The same of every batch, at once."""
    return tuple(rows.read_entry(text) for (text,) in connection.execute(_ALL_DONE))


def forget_old(connection: sqlite3.Connection, keep: int) -> None:
    """Keep the newest batches, with `keep` rows in all, and whichever has somebody unsettled."""
    left, old = keep, []
    for batch in reversed(read(connection)):
        left -= batch.rows
        span = (f"{batch.id}.", f"{batch.id}/")
        if left < 0 and not connection.execute(_UNFINISHED, span).fetchone():
            old.append(batch.id)
    for batch_id in old:
        span = (f"{batch_id}/", f"{batch_id}0")
        with transaction(connection):
            connection.execute("DELETE FROM batches WHERE id = ?", (batch_id,))
            connection.execute("DELETE FROM batch_rows WHERE id > ? AND id < ?", span)


def head(batch: Batch) -> KeptText:
    """How the batch stands, as it is kept."""
    return KeptText("batches", batch.id, rows.signed(msgspec.json.encode(batch).decode()))


def _read(text: str, decode: Callable[[str], Kept]) -> Kept:
    try:
        return decode(rows.unsigned(text))
    except msgspec.DecodeError as error:
        raise damaged("a batch in the outbox is not as it was written") from error
