"""A damaged outbox set aside, and a new one made of what can be read of it.

Nothing is deleted and nothing is sent by itself: what was not known to have ended is not sure.
Every step can be broken off and is taken up at the next opening.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import msgspec

from app.model.outbox import Doubt, EntryState
from app.runtime.words import tr
from app.store.database import Database, remove_files, transaction
from app.store.outbox_damage import log_of, read_copy
from app.store.outbox_drafts import DRAFT
from app.store.outbox_record import Record, newest, scan
from app.store.outbox_rows import put_record, remember
from app.store.schema import OUTBOX_MIGRATIONS

RESCUE = "rescue"
PRAGMAS = (
    "page_size = 8192",
    "secure_delete = ON",
    "cell_size_check = ON",
    "fullfsync = ON",
    "wal_autocheckpoint = 200",
)
"""A large page holds an entry in one piece; macOS reaches the disk only with `fullfsync`; a short
log is looked through quickly after a crash."""
_KNOWN_ENDS = frozenset({EntryState.ADDED, EntryState.REFUSED})


class Rescue(msgspec.Struct, frozen=True):
    """What became of a damaged outbox: where it lies now, and how many entries were read of it.

    `may_miss` says that there may have been more.
    """

    path: str
    entries: int
    may_miss: bool


def set_aside(path: Path) -> None:
    """Put a new outbox with what can be read in the place of the one at `path`.

    The old one lies beside it under the day's date. Raises OSError and StoreError.
    """
    records, whole, draft = _read_all(path)
    aside = _free_name(path)
    new = _beside(path, ".new")
    make_new(new)
    found = Rescue(str(aside), len(records), not whole)
    with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
        with transaction(connection):
            for record in records:
                put_record(connection, _doubted(record))
            remember(connection, RESCUE, msgspec.json.encode(found).decode())
            remember(connection, DRAFT, draft or None)
        connection.execute("PRAGMA journal_mode = DELETE")
    os.replace(new, _beside(path, ".rescued"))  # noqa: PTH105 - reads as what it is
    finish(path)


def finish(path: Path) -> None:
    """Take up a rescue that has everything it needs, if there is one. Raises OSError."""
    rescued = _beside(path, ".rescued")
    if not rescued.exists():
        return
    aside = _free_name(path)
    with contextlib.closing(sqlite3.connect(rescued)) as connection:
        noted = connection.execute("SELECT value FROM facts WHERE name = ?", (RESCUE,)).fetchone()
    if noted is not None:
        aside = path.with_name(Path(msgspec.json.decode(noted[0], type=Rescue).path).name)
    for here, there in ((log_of(path), log_of(aside)), (path, aside)):
        if here.exists():
            here.rename(there)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    rescued.rename(path)


def make_new(path: Path) -> None:
    """An empty outbox at `path`, whole or not there at all. Raises StoreError."""
    remove_files(path)
    Database(path, OUTBOX_MIGRATIONS, durable=True, pragmas=PRAGMAS).close_now()


def begin(path: Path) -> None:
    """Make the first outbox of an account; one of no bytes is therefore never a new one."""
    new = _beside(path, ".new")
    make_new(new)
    os.replace(new, path)  # noqa: PTH105 - reads as what it is


def _read_all(path: Path) -> tuple[list[Record], bool, str]:
    """The newest record of each entry, whether that is sure to be all, and the draft."""
    data = [file.read_bytes() for file in (path, log_of(path)) if file.exists()]
    copied = read_copy(path)
    raw = [record for part in data for record in scan(part)]
    found = newest([*copied.records, *raw])
    whole = copied.whole and found.keys() == newest(copied.records).keys()
    in_order = sorted(found.values(), key=lambda record: record.entry.typed_at)
    return in_order, whole, copied.draft


def _doubted(record: Record) -> Record:
    """As it is, or not sure: a later revision, in which it left, may be what is missing."""
    entry = record.entry
    if entry.done or entry.state in _KNOWN_ENDS:
        return record
    doubted = msgspec.structs.replace(
        entry,
        state=EntryState.NOT_SURE,
        doubt=Doubt.LOOKING,
        looks=0,
        candidate_id=None,
        candidate_added=None,
        knew_all=entry.knew_all and entry.state is not EntryState.WAITING,
        reason=tr("This was read from a damaged file. The person may or may not have been added."),
    )
    return Record(doubted, record.revision + 1)


def _free_name(path: Path) -> Path:
    return next(name for name in _names(path) if not (name.exists() or log_of(name).exists()))


def _names(path: Path) -> Iterator[Path]:
    stem = f"{path.stem}-damaged-{date.today().isoformat()}"  # noqa: DTZ011 - the person's own day
    yield path.with_name(stem + path.suffix)
    for number in range(2, 10_000):
        yield path.with_name(f"{stem}-{number}{path.suffix}")


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
