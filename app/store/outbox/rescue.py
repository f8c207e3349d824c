"""An outbox set aside, and a new one in its place: with what can be read of it if it was damaged,
with nobody if it is another account's, whose people come back once that one is opened again.

Nobody is deleted and nothing is sent by itself: what was not known to have ended is not sure.
Every step can be broken off and is taken up at the next opening. Apart from `outbox`, because files
are found, read and taken away here that nobody opens.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path

import msgspec

from app.model.cause import Cause, CauseKind
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.runtime.files import is_file, move_into_place, settle
from app.runtime.paths import is_there, shown
from app.store.database import Database, remove_files, transaction
from app.store.outbox import rows
from app.store.outbox.damaged_file import beside, leftovers, read_out
from app.store.outbox.drafts import DRAFT, DRAFTS, Drafts, draft_of
from app.store.outbox.owner import ACCOUNT, belongs_elsewhere, set_aside_for, why_aside
from app.store.outbox.rows import KeptText, Record, newest, unsigned
from app.store.schema import OUTBOX_TABLES

RESCUE = "rescue"
PRAGMAS = ("page_size = 8192", "secure_delete = ON", "cell_size_check = ON", "fullfsync = ON")
"""A large page holds an entry in one piece; macOS reaches the disk only with `fullfsync`."""
_FILES_OWN = frozenset({ACCOUNT, DRAFT, DRAFTS, RESCUE})
"""What says something about a file and nothing about the people in it."""
_NAMED = 3
_KNOWN_ENDS = frozenset({EntryState.ADDED, EntryState.REFUSED})


class Rescue(msgspec.Struct, frozen=True):
    """What became of a damaged outbox: where it lies now, and how many entries were read of it.

    `may_miss` says that there may have been more. With `other_account` it was set aside because it
    is another account's: nobody in it was taken over, `entries` are those who were not sent, and
    `names` the first few of them. No `path`: there was nothing in it, and nobody has to be told.
    `lists` are called so of which not every row could be read as it stood.

    It is kept in the outbox until somebody was told.
    """

    path: str
    entries: int
    may_miss: bool
    other_account: bool = False
    names: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def set_aside(path: Path, account: str) -> None:
    """Put a new outbox for `account` in the place of the one at `path`.

    The old one lies beside it under the day's date, and another account's beside this account's
    folder, where only that account's *Forget* reaches. Raises OSError and StoreError.
    """
    records, metadata, texts, whole, _, lists = read_out(path)
    # What nobody was told of an earlier one would otherwise go with this file.
    earlier = decode_rescues(metadata.pop(RESCUE, None))
    in_order = sorted(records, key=_place)
    if belongs_elsewhere(metadata.get(ACCOUNT), account):
        unsent = [record.entry for record in in_order if not record.entry.done]
        begun = any(text.table == "reviews" for text in texts)
        empty = whole and not (records or begun or _half_typed(path, metadata))
        why = why_aside(unsigned(metadata[ACCOUNT]))
        aside = _free_name(path.parent.parent, path, why)
        found = Rescue(
            "" if empty else shown(aside),
            len(unsent),
            not whole,
            other_account=True,
            names=tuple(map(_name, unsent[:_NAMED])),
        )
        _replace(path, [*earlier, found], [], {}, ())
    else:
        aside = _free_name(path.parent, path, "damaged")
        found = Rescue(shown(aside), len(records), not whole, lists=lists)
        doubted = [_doubted(record) for record in in_order]
        _replace(path, [*earlier, found], doubted, metadata, texts)


def take_back(connection: sqlite3.Connection, path: Path, account: str) -> None:
    """Bring back who was set aside while `account` had another address, or its files' place.

    `connection` is to the outbox at `path`. A file goes only once all that is in it is here; where
    that was broken off, doing it again changes nothing. Raises OSError, StoreError.
    """
    for aside in set_aside_for(path, account):
        _take_in(connection, path, aside)
    earlier = decode_rescues(rows.get_metadata(connection, RESCUE))
    # Gone from there: its own account has taken it back, be it this one.
    above = path.parent.parent
    true = [
        one for one in earlier if not one.other_account or is_there(above / Path(one.path).name)
    ]
    if true != earlier:
        rows.write(connection, metadata={RESCUE: encode_rescues(true)})


def finish(path: Path) -> None:
    """Take up a rescue that has everything it needs. Raises OSError, StoreError."""
    for end in (".look", ".new"):  # of a program that was killed, with people in it
        remove_files(beside(path, end))
    rescued = beside(path, ".rescued")
    if not is_file(rescued):
        return
    with contextlib.closing(sqlite3.connect(rescued)) as connection:
        known = decode_rescues(rows.get_metadata(connection, RESCUE))
    found = (
        known[-1]
        if known
        else Rescue(shown(_free_name(path.parent, path, "damaged")), 0, may_miss=True)
    )
    if found.path:
        folder = path.parent.parent if found.other_account else path.parent
        _move(path, folder / Path(found.path).name, with_draft=found.other_account)
    else:
        remove(path)
    beside(path, "-shm").unlink(missing_ok=True)
    move_into_place(rescued, path)


def remove(path: Path) -> None:
    """Delete a closed outbox and what lies beside it, but for its lock. Raises as above."""
    draft_of(path).unlink(missing_ok=True)
    remove_files(path)


def begin(path: Path) -> None:
    """Make the first outbox of an account; one of no bytes is therefore never a new one."""
    move_into_place(_new(path), path)


def decode_rescues(kept: str | None) -> list[Rescue]:
    """What rescues have left to be told in the outboxes that they made, the oldest first."""
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(kept or "[]", type=list[Rescue])
    return []


def encode_rescues(rescues: Sequence[Rescue]) -> str | None:
    """The same as it is kept; None where there is nothing to tell."""
    return msgspec.json.encode(rescues).decode() if rescues else None


def _new(path: Path) -> Path:
    """An empty outbox beside `path`."""
    new = beside(path, ".new")
    remove_files(new)
    Database(new, OUTBOX_TABLES, durable=True, made=rows.put_sum, pragmas=PRAGMAS).close_now()
    return new


def _replace(
    path: Path,
    rescues: list[Rescue],
    records: list[Record],
    metadata: dict[str, str],
    texts: Iterable[KeptText],
) -> None:
    """The last of `rescues` is about the file at `path` now."""
    new = _new(path)
    connecting = contextlib.closing(sqlite3.connect(new, isolation_level=None))
    with connecting as connection, transaction(connection):
        rows.put_texts(connection, texts)
        rows.put_records(connection, records)
        rows.put_metadata(connection, {**metadata, RESCUE: encode_rescues(rescues)})
        rows.put_sum(connection)
    move_into_place(new, beside(path, ".rescued"))
    finish(path)


def _take_in(connection: sqlite3.Connection, path: Path, aside: Path) -> None:
    found, theirs, texts, whole, newer, lists = read_out(aside)
    if newer:
        return  # there may be more in it than this program would take over
    damaged = None if whole else _free_name(path.parent, path, "damaged")
    rescues = decode_rescues(rows.get_metadata(connection, RESCUE))
    if damaged is not None:
        found = list(map(_doubted, found))
        told = Rescue(shown(damaged), len(found), may_miss=True, lists=lists)
        rescues = [*(one for one in rescues if one != told), told]
    ours = rows.all_metadata(connection)
    half_typed = "" if _half_typed(path, ours) else _half_typed(aside, theirs)
    metadata = {name: theirs[name] for name in theirs.keys() - ours.keys() - _FILES_OWN}
    if half_typed:
        metadata[DRAFT] = half_typed
    with transaction(connection):
        rows.put_texts(connection, texts)
        everybody = newest([*rows.read_all(connection), *found]).values()
        rows.put_all(connection, sorted(everybody, key=_place))
        rows.put_metadata(connection, {**metadata, RESCUE: encode_rescues(rescues)})
    if half_typed:
        draft_of(path).unlink(missing_ok=True)  # it is blank, or its line has become an entry
    if damaged is not None:
        _move(aside, damaged, with_draft=False)
    with contextlib.suppress(OSError):  # somebody put something else in the place of the line
        draft_of(aside).unlink(missing_ok=True)
    remove_files(aside)


def _move(path: Path, aside: Path, *, with_draft: bool) -> None:
    """The file last: as long as it is here, all of this is done once more."""
    moves = [(one, beside(aside, one.name.removeprefix(path.name))) for one in leftovers(path)]
    if with_draft:
        moves.append((draft_of(path), draft_of(aside)))
    for here, there in (*moves, (path, aside)):
        if here.exists():
            here.rename(there)
    settle(aside.parent)


def _half_typed(path: Path, metadata: dict[str, str]) -> str:
    return Drafts(path, metadata, lambda _: None).text


def _place(record: Record) -> tuple[bool, datetime]:
    """What goes before what: as they were typed, then those that are done, as they ended."""
    entry = record.entry
    ended = entry.ended_at or entry.taken_off if entry.done else None
    return entry.done, ended or entry.typed_at


def _name(entry: OutboxEntry) -> str:
    new = entry.new_person
    return new.full_name or new.email or entry.typed


_DAMAGED = Cause(CauseKind.DAMAGED_FILE)


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
        reason=str(_DAMAGED),
        cause=_DAMAGED,
    )
    return Record(doubted, record.revision + 1)


def _free_name(folder: Path, path: Path, why: str) -> Path:
    stem = f"{path.stem}-{why}-{date.today().isoformat()}"  # noqa: DTZ011 - the person's own day
    names = (f"{stem}{'' if number == 1 else f'-{number}'}" for number in range(1, 10_000))
    free = (folder / (name + path.suffix) for name in names)
    return next(name for name in free if not (os.path.lexists(name) or leftovers(name)))
