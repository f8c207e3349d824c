"""Whether a database file still gives everything that was written to it, its log included.

SQLite takes a damaged log for the tail of a write that a crash cut short and goes on without it,
saying nothing. Here that is noticed before SQLite throws the log away.
"""

import contextlib
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.store.database import remove_files
from app.store.outbox_drafts import DRAFT
from app.store.outbox_record import Record, decode, newest, scan
from app.store.schema import OUTBOX_MIGRATIONS

_SMALLEST = 512  # bytes; SQLite takes a shorter file for a new one
_TITLE = b"SQLite format 3\x00"
# With any other SQLite only reads, or says that it cannot.
_VERSIONS = frozenset({b"\x01\x01", b"\x02\x02"})
_LOG_HEADER = 32
_FRAME_HEADER = 24
_ORDERS = {b"\x37\x7f\x06\x82": "<II", b"\x37\x7f\x06\x83": ">II"}
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
_TABLES = ("entries", "history")
_ROWS = "SELECT CAST(entry AS BLOB) FROM {table} ORDER BY place {direction}"


@dataclass(frozen=True, slots=True)
class Copied:
    """What SQLite gives of a file; not `whole` when some rows could not be read as written."""

    records: tuple[Record, ...]
    whole: bool
    version: int
    """What the file itself says of the version that wrote it; 0 where it does not."""
    draft: str


def log_of(path: Path) -> Path:
    """The log that SQLite keeps beside a database."""
    return path.with_name(path.name + "-wal")


def is_foreign(path: Path) -> bool:
    """Whether the file does not even begin as a database of ours. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(_SMALLEST)
    versions = head[18:20]
    return len(head) < _SMALLEST or head[:16] != _TITLE or versions not in _VERSIONS


def loses_entries(path: Path) -> bool:
    """Whether opening the file would forget something its log holds. Raises OSError."""
    log = log_of(path)
    unread = newest(scan(_unread(log.read_bytes()))) if log.exists() else {}
    if not unread:
        return False
    given = read_copy(path)
    if given.version > len(OUTBOX_MIGRATIONS):
        return False  # its tables may be others; it is refused when it is opened
    known = newest(given.records)
    return not given.whole or any(
        entry_id not in known or known[entry_id].revision < record.revision
        for entry_id, record in unread.items()
    )


def _unread(log: bytes) -> bytes:
    """What lies behind the part of the log that SQLite reads, where damage has cut that short.

    Blank where the log simply ends: with what an older log has left there, or with parts that are
    whole but have no commit behind them, of which nobody was told that they were kept. (SQLite's
    "WAL File Format": each part carries the log's salts and a sum over all before it.)
    """
    if len(log) < _LOG_HEADER:
        return b""
    order = _ORDERS.get(log[:4])
    size, salts, total = struct.unpack(">8xI4x8s8s", log[:_LOG_HEADER])
    if order is None or _added_up(b"", log[:24], order) != total:
        return log
    step = _FRAME_HEADER + size
    for place in range(_LOG_HEADER, len(log) - step + 1, step):
        frame = log[place : place + step]
        total = _added_up(total, frame[:8] + frame[_FRAME_HEADER:], order)
        if frame[8:16] != salts or frame[16:24] != total:
            ours = frame[8:12] == salts[:4] or frame[12:16] == salts[4:]
            return log[place:] if ours else b""
    return b""


def _added_up(before: bytes, data: bytes, order: str) -> bytes:
    """SQLite's sum over `data`, going on from the sum `before`."""
    first, second = struct.unpack(">II", before or bytes(8))
    for one, other in struct.iter_unpack(order, data):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)


def read_copy(path: Path) -> Copied:
    """What can be read through SQLite, row by row from either end. The file is not touched.

    Raises OSError where there is no room for a copy beside it.
    """
    with _copy(path) as copy, contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.text_factory = lambda data: data.decode(errors="replace")
        found = [_rows(connection, table) for table in _TABLES]
        version = _fact(connection, "version")
        return Copied(
            records=tuple(record for rows, _ in found for record in rows),
            whole=all(whole for _, whole in found),
            version=int(version) if version.isdecimal() else 0,
            draft=_fact(connection, DRAFT),
        )


def _fact(connection: sqlite3.Connection, name: str) -> str:
    try:
        noted = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    except _UNREADABLE:
        return ""
    return "" if noted is None else str(noted[0])


def _rows(connection: sqlite3.Connection, table: str) -> tuple[list[Record], bool]:
    found: list[Record] = []
    for direction in ("ASC", "DESC"):
        whole = True
        try:
            rows = connection.execute(_ROWS.format(table=table, direction=direction))
            for (text,) in rows:
                record = decode(text)
                whole = whole and record is not None
                found += [record] if record is not None else []
        except _UNREADABLE:
            whole = False
        if whole:
            return found, True
    return found, False


@contextlib.contextmanager
def _copy(path: Path) -> Iterator[Path]:
    copy = path.with_name(path.name + ".look")
    try:
        remove_files(copy)  # a program that was killed may have left one
        for here, there in ((path, copy), (log_of(path), log_of(copy))):
            if here.exists():
                shutil.copy2(here, there)
        yield copy
    finally:
        remove_files(copy)
