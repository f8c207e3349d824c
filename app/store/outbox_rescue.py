"""An outbox set aside, and a new one in its place: with what can be read of it if it was damaged,
with nobody if it is another account's.

Nothing is deleted and nothing is sent by itself: what was not known to have ended is not sure.
Every step can be broken off and is taken up at the next opening.
"""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import date
from hashlib import blake2s
from pathlib import Path

import msgspec

from app.model.outbox import Doubt, EntryState
from app.runtime.paths import shown
from app.runtime.words import tr
from app.store import outbox_rows as rows
from app.store.database import Database, remove_files, transaction
from app.store.outbox_drafts import draft_of
from app.store.outbox_rows import Record, decode, newest, scan
from app.store.schema import OUTBOX_MIGRATIONS

ACCOUNT = "account"
DRAFT = "draft"
"""The half-typed line, as version 1 kept it."""
DRAFTS = "drafts taken"
RESCUE = "rescue"
PRAGMAS = ("page_size = 8192", "secure_delete = ON", "cell_size_check = ON", "fullfsync = ON")
"""A large page holds an entry in one piece; macOS reaches the disk only with `fullfsync`."""
_KNOWN_ENDS = frozenset({EntryState.ADDED, EntryState.REFUSED})
_ROWS = "SELECT CAST(entry AS BLOB) FROM {table} ORDER BY place {direction}"


class Rescue(msgspec.Struct, frozen=True):
    """What became of a damaged outbox: where it lies now, and how many entries were read of it.

    `may_miss` says that there may have been more. With `other_account` it was set aside because it
    is another account's: nobody in it was taken over, and `entries` are those who were not sent.
    """

    path: str
    entries: int
    may_miss: bool
    other_account: bool = False


def set_aside(path: Path, account: str) -> None:
    """Put a new outbox for `account` in the place of the one at `path`.

    The old one lies beside it under the day's date, and another account's beside this account's
    folder, where forgetting this account does not reach. Raises OSError and StoreError.
    """
    with copy_of(path) as copy, contextlib.closing(sqlite3.connect(copy)) as connection:
        facts = _facts(connection)
        records = newest([*_given(connection), *_anywhere(path)])
        whole = _is_whole(connection)
    if belongs_elsewhere(facts.get(ACCOUNT), account):
        unsent = sum(not record.entry.done for record in records.values())
        aside = _free_name(path.parent.parent, path, "other-account")
        found = Rescue(shown(aside), unsent, not whole, other_account=True)
        _replace(path, found, [], {})
    else:
        found = Rescue(shown(_free_name(path.parent, path, "damaged")), len(records), not whole)
        in_order = sorted(records.values(), key=lambda record: record.entry.typed_at)
        _replace(path, found, [_doubted(record) for record in in_order], facts)


def finish(path: Path) -> None:
    """Take up a rescue that has everything it needs, if there is one. Raises OSError."""
    rescued = _beside(path, ".rescued")
    if not rescued.exists():
        return
    with contextlib.closing(sqlite3.connect(rescued)) as connection:
        found = told(connection) or Rescue(
            shown(_free_name(path.parent, path, "damaged")), 0, may_miss=True
        )
    folder = path.parent.parent if found.other_account else path.parent
    aside = folder / Path(found.path).name
    moves = [(one, _beside(aside, one.name.removeprefix(path.name))) for one in leftovers(path)]
    if found.other_account:
        moves.append((draft_of(path), draft_of(aside)))
    for here, there in (*moves, (path, aside)):
        if here.exists():
            here.rename(there)
    _beside(path, "-shm").unlink(missing_ok=True)
    rescued.rename(path)


def told(connection: sqlite3.Connection) -> Rescue | None:
    """What a rescue has noted in the outbox that it made, until the person was told."""
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(rows.recall(connection, RESCUE) or "", type=Rescue)
    return None


def begin(path: Path) -> None:
    """Make the first outbox of an account; one of no bytes is therefore never a new one."""
    os.replace(_new(path), path)  # noqa: PTH105 - reads as what it is


def leftovers(path: Path) -> list[Path]:
    """What a killed program has left beside its file: a journal, or the log of version 1."""
    both = (_beside(path, "-journal"), _beside(path, "-wal"))
    return [one for one in both if one.exists() and one.stat().st_size]


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Path]:
    """A copy for SQLite to take up what was left beside the file, which is not touched.

    Raises OSError where there is no room for one.
    """
    copy = _beside(path, ".look")
    try:
        remove_files(copy)  # a program that was killed may have left one
        for here in (path, *leftovers(path)):
            if here.exists():
                shutil.copy2(here, _beside(copy, here.name.removeprefix(path.name)))
        yield copy
    finally:
        remove_files(copy)


def signed(account: str) -> str:
    """The account as it is noted: a damaged note is not taken for another account."""
    return f"{blake2s(account.encode(), digest_size=8).hexdigest()} {account}"


def belongs_elsewhere(noted: str | None, account: str) -> bool:
    """Whether the note names another account than this; one that names none, or is damaged, not."""
    return account not in {"", owner_noted(noted) or account}


def owner_noted(noted: str | None) -> str:
    """The account that the note names; blank where it names none, or is damaged."""
    said = (noted or "").partition(" ")[2]
    return said if noted == signed(said) else ""


def _new(path: Path) -> Path:
    """An empty outbox beside `path`."""
    new = _beside(path, ".new")
    remove_files(new)
    Database(new, OUTBOX_MIGRATIONS, durable=True, pragmas=PRAGMAS).close_now()
    return new


def _replace(path: Path, found: Rescue, records: list[Record], facts: dict[str, str]) -> None:
    new = _new(path)
    facts = facts | {RESCUE: msgspec.json.encode(found).decode()}
    connecting = contextlib.closing(sqlite3.connect(new, isolation_level=None))
    with connecting as connection, transaction(connection):
        for record in records:
            rows.put_record(connection, record)
        for name, value in facts.items():
            rows.remember(connection, name, value)
    os.replace(new, _beside(path, ".rescued"))  # noqa: PTH105 - reads as what it is
    finish(path)


def _given(connection: sqlite3.Connection) -> Iterator[Record]:
    """What SQLite gives, from either end, as far as it comes."""
    for table in ("entries", "history"):
        for direction in ("ASC", "DESC"):
            with contextlib.suppress(sqlite3.Error):
                found = connection.execute(_ROWS.format(table=table, direction=direction))
                yield from (record for (text,) in found if (record := decode(text)))


def _anywhere(path: Path) -> Iterator[Record]:
    """What stands in the bytes of the files, whatever is around it."""
    for file in (path, *leftovers(path)):
        if file.exists():
            yield from scan(file.read_bytes())


def _facts(connection: sqlite3.Connection) -> dict[str, str]:
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        return rows.recall_all(connection)
    return {}


def _is_whole(connection: sqlite3.Connection) -> bool:
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        return rows.is_whole(connection)
    return False


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


def _free_name(folder: Path, path: Path, why: str) -> Path:
    stem = f"{path.stem}-{why}-{date.today().isoformat()}"  # noqa: DTZ011 - the person's own day
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, 10_000))
    free = (folder / (name + path.suffix) for name in names)
    return next(name for name in free if not (name.exists() or leftovers(name)))


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
