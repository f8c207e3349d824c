"""Lists that somebody looks over: how each stands, and the list as it was read.

What stands in them is made above. Apart from `rows` because nobody in them is taken yet: one
that cannot be read costs that list, and nobody who was added.
"""

import base64
import binascii
import sqlite3
import zlib
from typing import NamedTuple

from app.store.database import transaction
from app.store.errors import damaged
from app.store.outbox import rows
from app.store.outbox.rows import KeptText

TABLES = frozenset({"reviews", "review_sources"})
_READ = "SELECT id, review FROM reviews ORDER BY place"
_HAS_SOURCE = "SELECT 1 FROM review_sources WHERE id = ?"
_READ_SOURCE = "SELECT source FROM review_sources WHERE id = ?"


class KeptReview(NamedTuple):
    """How a list stands, as text."""

    id: str
    text: str


def read(connection: sqlite3.Connection) -> tuple[KeptReview, ...]:
    """Every one whose list is there, too; the one begun last at the end."""
    found = connection.execute(_READ).fetchall()
    return tuple(
        KeptReview(it_id, rows.unsigned(text))
        for it_id, text in found
        if connection.execute(_HAS_SOURCE, (_source_id(it_id),)).fetchone()
    )


def read_source(connection: sqlite3.Connection, review_id: str) -> bytes:
    """The list as it was read. Raises StoreDamaged where it is not as it was written."""
    found = connection.execute(_READ_SOURCE, (_source_id(review_id),)).fetchone()
    try:
        return zlib.decompress(base64.b64decode(rows.unsigned(found[0] if found else "")))
    except (binascii.Error, zlib.error) as error:
        raise damaged("a list in the outbox is not as it was written") from error


def texts(review: KeptReview, source: bytes | None) -> list[KeptText]:
    """How a list stands now, and the list where it is new, as they are kept."""
    kept = [KeptText("reviews", review.id, rows.signed(review.text))]
    if source is not None:
        packed = base64.b64encode(zlib.compress(source, 1)).decode()
        kept.append(KeptText("review_sources", _source_id(review.id), rows.signed(packed)))
    return kept


def forget(connection: sqlite3.Connection, review_id: str) -> None:
    """Leave no byte of it."""
    with transaction(connection):
        remove(connection, review_id)


def remove(connection: sqlite3.Connection, review_id: str) -> None:
    """The same inside a transaction of the caller's."""
    connection.execute("DELETE FROM reviews WHERE id = ?", (review_id,))
    connection.execute("DELETE FROM review_sources WHERE id = ?", (_source_id(review_id),))


def _source_id(review_id: str) -> str:
    return f"{review_id}/list"
