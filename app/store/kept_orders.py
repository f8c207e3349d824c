"""The list of people in order, kept as it was sorted last, so that no start has to sort.

Whoever comes, changes or goes is noted as moved, and put in their place when the order is asked
for. What an order is, and what a row looks like, is left to `ordering` and `people_rows`.
"""

import sqlite3
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar, cast

import msgspec

from app.store.database import transaction
from app.store.errors import damaged
from app.store.ordering import NEVER, ROW, IndexRow, Rows, SortedRows, SortKey, ranks

Value = TypeVar("Value", int, str)

LAST_ROW = "SELECT max(seq) FROM sqlite_sequence WHERE name = 'people'"
_MOST_ROWS = 2**27
"""Memory has room for every row up to the last."""
_MOST_MOVED = 2_000
"""Each is looked for in the database, so that of more of them sorting anew takes less time."""


class KeptOrder(msgspec.Struct, frozen=True):
    """All rows in order, and by row number what each can be filtered by."""

    rows: Rows
    flags: bytearray


def note_moved(connection: sqlite3.Connection, rows: Iterable[int]) -> None:
    """These came, changed or went: part of a transaction of the caller's."""
    if connection.execute("SELECT 1 FROM orders LIMIT 1").fetchone() is None:
        return
    connection.executemany("INSERT INTO moved (row) VALUES (?)", ((row,) for row in rows))
    (many,) = connection.execute("SELECT count(*) FROM moved").fetchone()
    if many > _MOST_MOVED:
        connection.execute("DELETE FROM orders")
        connection.execute("DELETE FROM moved")


def keep(connection: sqlite3.Connection, by: SortKey, rows: Rows, flags: Sequence[int]) -> None:
    """Keep the order of everybody there is now; `flags` is looked up by row number, and blank for
    whoever is gone.
    """
    ordered, by_row = _bytes(rows), bytes(flags)
    with transaction(connection):
        (moved,) = connection.execute(
            "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'moved'"
        ).fetchone()
        connection.execute(
            "INSERT OR REPLACE INTO orders (sort_key, rows, flags, checksum, moved)"
            " VALUES (?, ?, ?, ?, ?)",
            (by.value, ordered, by_row, _checksum(ordered, by_row), moved),
        )
        connection.execute("DELETE FROM moved WHERE serial <= (SELECT min(moved) FROM orders)")


def find(
    connection: sqlite3.Connection, by: SortKey, index_row: Callable[[int], IndexRow | None]
) -> KeptOrder | None:
    """The order of everybody there is now; None where it was not kept, or is not one.

    `index_row` reads what memory holds of a single row; None for one that is gone.
    """
    found = connection.execute(
        "SELECT rows, flags, checksum, moved FROM orders WHERE sort_key = ?", (by.value,)
    ).fetchone()
    if found is None:
        return None
    # Nothing here may look at every row: that is what a start would wait for.
    kept, by_row, checksum, upto = found
    # One damaged bit would have memory made for billions of people.
    are_bytes = isinstance(kept, bytes) and isinstance(by_row, bytes)
    if not are_bytes or _checksum(kept, by_row) != checksum:
        return None
    moved = {
        row for (row,) in connection.execute("SELECT row FROM moved WHERE serial > ?", (upto,))
    }
    last = last_row(connection)
    if not all(_is_row(row, last) for row in moved):
        return None
    rows, flags = _rows(kept), bytearray(by_row)
    flags.extend(bytes(max(0, 1 + max(moved, default=0) - len(flags))))
    if not moved:
        return KeptOrder(rows, flags)
    known = _Known(index_row)
    order = SortedRows(
        array(ROW, [row for row in rows if row not in moved]),
        ranks(by, _Column(known, 1, ""), _Column(known, 3, NEVER)),
    )
    there = [row for row in moved if known[row] is not None]
    try:
        order.put_in(there)
    except LookupError:
        # Somebody of the order is not in the table: it is another's, or the table is damaged.
        return None
    for row in moved:
        flags[row] = 0
    for row in there:
        flags[row] = _Column(known, 2, 0)[row]
    return KeptOrder(order.shown(descending=False), flags)


def last_row(connection: sqlite3.Connection) -> int:
    """The highest row number that anybody was given. Raises StoreDamaged."""
    (last,) = connection.execute(LAST_ROW).fetchone()
    if not _is_row(last or 0, _MOST_ROWS):
        raise damaged("a row number that nobody can have been given")
    return int(last or 0)


def _is_row(row: object, last: int) -> bool:
    return isinstance(row, int) and 0 <= row <= last


class _Known(dict[int, IndexRow | None]):
    """Rows that were read once: those in the middle of a list are compared with again and again."""

    def __init__(self, read: Callable[[int], IndexRow | None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, row: int) -> IndexRow | None:
        found = self[row] = self._read(row)
        return found


class _Column(Generic[Value]):
    """One value of each row that is known."""

    def __init__(self, known: _Known, at: int, blank: Value) -> None:
        self._known, self._at = known, at
        self._blank: Value = blank

    def __getitem__(self, row: int) -> Value:
        """Raises KeyError where there is nobody."""
        found = self._known[row]
        if found is None:
            raise KeyError(row)
        value = found[self._at]
        return self._blank if value is None else cast("Value", value)


def _bytes(rows: Rows) -> bytes:
    if sys.byteorder == "little":
        return rows.tobytes()
    turned = array(ROW, rows)
    turned.byteswap()
    return turned.tobytes()


def _rows(kept: bytes) -> Rows:
    rows = array(ROW, kept)
    if sys.byteorder != "little":
        rows.byteswap()
    return rows


def _checksum(rows: bytes, flags: bytes) -> int:
    return zlib.crc32(flags, zlib.crc32(rows))
