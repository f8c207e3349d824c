"""An outbox set aside, and a new one in its place: with what can be read of it if it was damaged,
with nobody if it is another account's, whose people come back once that one is opened again.

Nobody is deleted and nothing is sent by itself: what was not known to have ended is not sure.
Every step can be broken off and is taken up at the next opening.
"""

import contextlib
import heapq
import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from hashlib import blake2s
from pathlib import Path

import msgspec

from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.runtime.files import copy_regular, is_file, read_regular
from app.runtime.paths import is_there, shown
from app.runtime.words import tr
from app.store import outbox_rows as rows
from app.store.database import Database, remove_files, transaction
from app.store.errors import StoreError
from app.store.outbox_drafts import Drafts, draft_of
from app.store.outbox_rows import Record, decode, newest, scan
from app.store.schema import OUTBOX_MIGRATIONS

_log = logging.getLogger(__name__)
ACCOUNT = "account"
DRAFT = "draft"
"""The half-typed line, as version 1 kept it."""
DRAFTS = "drafts taken"
RESCUE = "rescue"
PRAGMAS = ("page_size = 8192", "secure_delete = ON", "cell_size_check = ON", "fullfsync = ON")
"""A large page holds an entry in one piece; macOS reaches the disk only with `fullfsync`."""
_FILES_OWN = frozenset({ACCOUNT, DRAFT, DRAFTS, RESCUE})
"""Facts that say something about a file and nothing about the people in it."""
_NAMED = 3
_OTHER_ACCOUNT = "other-account"
_KNOWN_ENDS = frozenset({EntryState.ADDED, EntryState.REFUSED})
_ROWS = "SELECT CAST(entry AS BLOB) FROM {table} ORDER BY place {direction}"


class Rescue(msgspec.Struct, frozen=True):
    """What became of a damaged outbox: where it lies now, and how many entries were read of it.

    `may_miss` says that there may have been more. With `other_account` it was set aside because it
    is another account's: nobody in it was taken over, `entries` are those who were not sent, and
    `names` the first few of them. No `path`: there was nothing in it, and nobody has to be told.
    """

    path: str
    entries: int
    may_miss: bool
    other_account: bool = False
    names: tuple[str, ...] = ()


def set_aside(path: Path, account: str) -> None:
    """Put a new outbox for `account` in the place of the one at `path`.

    The old one lies beside it under the day's date, and another account's beside this account's
    folder, where forgetting this account does not reach. Raises OSError and StoreError.
    """
    with looked_at(path) as connection:
        facts = _facts(connection)
        records = newest([*_given(connection), *_anywhere(path)])
        whole = _is_whole(connection)
    # What nobody was told of an earlier one would otherwise go with this file.
    earlier = noted(facts.pop(RESCUE, None))
    in_order = sorted(records.values(), key=lambda record: record.entry.typed_at)
    if belongs_elsewhere(facts.get(ACCOUNT), account):
        unsent = [record.entry for record in in_order if not record.entry.done]
        empty = whole and not records and not _half_typed(path, facts)
        found = Rescue(
            "" if empty else shown(_free_name(path.parent.parent, path, _OTHER_ACCOUNT)),
            len(unsent),
            not whole,
            other_account=True,
            names=tuple(map(_name, unsent[:_NAMED])),
        )
        _replace(path, [*earlier, found], [], {})
    else:
        found = Rescue(shown(_free_name(path.parent, path, "damaged")), len(records), not whole)
        _replace(path, [*earlier, found], [_doubted(record) for record in in_order], facts)


def set_aside_as_others(path: Path) -> dict[Path, str]:
    """Every file that was set aside beside the folder of `path`, and for whom it is signed: blank
    where that cannot be read.
    """
    found = path.parent.parent.glob(f"{path.stem}-{_OTHER_ACCOUNT}-*{path.suffix}")
    return {aside: _owner(aside) for aside in sorted(found)}


def set_aside_for(path: Path, account: str) -> list[Path]:
    """Those of them that are this account's."""
    return [aside for aside, owner in set_aside_as_others(path).items() if owner == account]


def unsent_aside(aside: Path) -> tuple[tuple[OutboxEntry, ...], bool]:
    """Who is not done in a file that was set aside, and whether that is surely everybody.

    Raises OSError.
    """
    with looked_at(aside) as connection:
        whole = _is_whole(connection) and not _is_newer(connection)
        found = newest([*_given(connection), *(() if whole else _anywhere(aside))])
    return tuple(record.entry for record in found.values() if not record.entry.done), whole


def remove(path: Path) -> None:
    """Delete a closed outbox and what lies beside it. Raises OSError."""
    draft_of(path).unlink(missing_ok=True)
    # The file first: without what was left beside it, it would pass for a damaged one.
    for end in ("", "-journal", "-wal", "-shm"):
        _beside(path, end).unlink(missing_ok=True)
    path.with_suffix(".lock").unlink(missing_ok=True)


def take_back(connection: sqlite3.Connection, path: Path, account: str) -> None:
    """Bring back who was set aside while `account` had another address, or its files' place.

    `connection` is to the outbox at `path`. A file goes only once all that is in it is here; where
    that was broken off, doing it again changes nothing. Raises OSError, StoreError.
    """
    for aside in set_aside_for(path, account):
        with looked_at(aside) as theirs:
            newer = _is_newer(theirs)
        # There may be more in a newer one than this program would take over.
        if not newer:
            _take_in(connection, path, aside)
    earlier = noted(rows.recall(connection, RESCUE))
    # Gone from there: its own account has taken it back, be it this one.
    true = [one for one in earlier if not one.other_account or _lies_there(path, one)]
    if true != earlier:
        with transaction(connection):
            rows.remember(connection, RESCUE, as_note(true))


def finish(path: Path) -> None:
    """Take up a rescue that has everything it needs. Raises OSError, StoreError."""
    for end in (".look", ".new"):  # of a program that was killed, with people in it
        remove_files(_beside(path, end))
    rescued = _beside(path, ".rescued")
    if not is_file(rescued):
        return
    with contextlib.closing(sqlite3.connect(rescued)) as connection:
        known = noted(rows.recall(connection, RESCUE))
    found = (
        known[-1]
        if known
        else Rescue(shown(_free_name(path.parent, path, "damaged")), 0, may_miss=True)
    )
    if found.path:
        folder = path.parent.parent if found.other_account else path.parent
        _move(path, folder / Path(found.path).name, with_draft=found.other_account)
    else:
        for left in (*leftovers(path), draft_of(path)):
            left.unlink(missing_ok=True)
    _beside(path, "-shm").unlink(missing_ok=True)
    os.replace(rescued, path)  # noqa: PTH105 - reads as what it is


def noted(note: str | None) -> list[Rescue]:
    """What rescues have noted in the outboxes that they made, until the person was told."""
    with contextlib.suppress(msgspec.DecodeError):
        found = msgspec.json.decode(note or "[]", type=list[Rescue] | Rescue)
        return [found] if isinstance(found, Rescue) else found
    return []


def as_note(rescues: Sequence[Rescue]) -> str | None:
    """The same to be noted; None where there is nothing to tell."""
    return msgspec.json.encode(rescues).decode() if rescues else None


def begin(path: Path) -> None:
    """Make the first outbox of an account; one of no bytes is therefore never a new one."""
    os.replace(_new(path), path)  # noqa: PTH105 - reads as what it is


def leftovers(path: Path) -> list[Path]:
    """What a killed program has left beside its file: a journal, or the log of version 1."""
    both = (_beside(path, "-journal"), _beside(path, "-wal"))
    return [one for one in both if is_file(one) and one.stat().st_size]


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Path]:
    """A copy for SQLite to take up what was left beside the file, which is not touched.

    Raises OSError where there is no room for one.
    """
    copy = _beside(path, ".look")
    try:
        remove_files(copy)  # a program that was killed may have left one
        for here in (path, *leftovers(path)):
            if is_file(here):
                copy_regular(here, _beside(copy, here.name.removeprefix(path.name)))
        yield copy
    finally:
        remove_files(copy)


@contextlib.contextmanager
def looked_at(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to such a copy. Raises as above."""
    with copy_of(path) as copy, contextlib.closing(sqlite3.connect(copy)) as connection:
        yield connection


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


def _replace(path: Path, found: list[Rescue], records: list[Record], facts: dict[str, str]) -> None:
    """The last of `found` is about the file at `path` now."""
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


def _take_in(connection: sqlite3.Connection, path: Path, aside: Path) -> None:
    with looked_at(aside) as theirs:
        facts, whole = _facts(theirs), _is_whole(theirs)
        found = newest([*_given(theirs), *(() if whole else _anywhere(aside))])
    damaged = None if whole else _free_name(path.parent, path, "damaged")
    notes = noted(rows.recall(connection, RESCUE))
    if damaged is not None:
        found = {key: _doubted(record) for key, record in found.items()}
        told = Rescue(shown(damaged), len(found), may_miss=True)
        notes = [*(one for one in notes if one != told), told]
    ours = rows.recall_all(connection)
    half_typed = "" if _half_typed(path, ours) else _half_typed(aside, facts)
    with transaction(connection):
        before = rows.read_all(connection)
        both = newest([*before, *found.values()])
        known = [both.pop(record.entry.id) for record in before]
        rows.put_all(connection, heapq.merge(known, both.values(), key=_place))
        for name in facts.keys() - ours.keys() - _FILES_OWN:
            rows.remember(connection, name, facts[name])
        rows.remember(connection, RESCUE, as_note(notes))
        if half_typed:
            rows.remember(connection, DRAFT, half_typed)
    if half_typed:
        draft_of(path).unlink(missing_ok=True)  # it is blank, or its line has become an entry
    if damaged is not None:
        _move(aside, damaged, with_draft=False)
    remove(aside)


def _move(path: Path, aside: Path, *, with_draft: bool) -> None:
    """The file last: as long as it is here, all of this is done once more."""
    moves = [(one, _beside(aside, one.name.removeprefix(path.name))) for one in leftovers(path)]
    if with_draft:
        moves.append((draft_of(path), draft_of(aside)))
    for here, there in (*moves, (path, aside)):
        if here.exists():
            here.rename(there)


def _owner(aside: Path) -> str:
    """Which account a file that was set aside names; blank where that cannot be read."""
    try:
        if is_file(aside):
            with looked_at(aside) as connection:
                return owner_noted(_facts(connection).get(ACCOUNT))
    except (StoreError, OSError, sqlite3.Error) as error:
        _log.warning("a file that was set aside cannot be read: %s", error)
    return ""


def _is_newer(connection: sqlite3.Connection) -> bool:
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        return False
    return int(version) > len(OUTBOX_MIGRATIONS)


def _lies_there(path: Path, rescue: Rescue) -> bool:
    return is_there(path.parent.parent / Path(rescue.path).name)


def _half_typed(path: Path, facts: dict[str, str]) -> str:
    taken = facts.get(DRAFTS, "")
    number = int(taken) if taken.isdecimal() else 0
    return Drafts(path, number, facts.get(DRAFT, ""), lambda _: None).text


def _place(record: Record) -> tuple[bool, datetime]:
    """What goes before what: as they were typed, then those that are done, as they ended."""
    entry = record.entry
    ended = entry.ended_at or entry.taken_off if entry.done else None
    return entry.done, ended or entry.typed_at


def _name(entry: OutboxEntry) -> str:
    new = entry.new_person
    return new.full_name or new.email or entry.typed


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
        if is_file(file):
            yield from scan(read_regular(file))


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
    return next(name for name in free if not (os.path.lexists(name) or leftovers(name)))


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
