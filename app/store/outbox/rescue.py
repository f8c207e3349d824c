"""An outbox set aside, and a new one in its place: with what can be read of it if it was damaged,
with nobody if it is another account's, whose people come back once that one is opened again.

Nobody is deleted and nothing is sent by itself: what was not known to have ended is not sure.
Every step can be broken off and is taken up at the next opening. Apart from `outbox`, because files
are found, read and taken away here that nobody opens.
"""

import contextlib
import logging
import os
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from hashlib import blake2s
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec

from app.model.cause import Cause, CauseKind
from app.model.outbox import Doubt, EntryState, OutboxEntry
from app.runtime.files import copy_regular, is_file, move_into_place, read_regular, settle
from app.runtime.paths import is_there, shown
from app.store.database import Database, remove_files, transaction
from app.store.errors import UNREADABLE, StoreError
from app.store.outbox import rows
from app.store.outbox.batch_rescue import mended
from app.store.outbox.carving import carve
from app.store.outbox.drafts import DRAFT, DRAFTS, Drafts, draft_of
from app.store.outbox.rows import KeptText, Record, newest, unsigned
from app.store.schema import OUTBOX_MIGRATIONS

_log = logging.getLogger(__name__)
ACCOUNT = "account"
RESCUE = "rescue"
PRAGMAS = ("page_size = 8192", "secure_delete = ON", "cell_size_check = ON", "fullfsync = ON")
"""A large page holds an entry in one piece; macOS reaches the disk only with `fullfsync`."""
_FILES_OWN = frozenset({ACCOUNT, DRAFT, DRAFTS, RESCUE})
"""What says something about a file and nothing about the people in it."""
_NAMED = 3
_LONGEST_LOOK = 10.0
"""Seconds for the statements about one file; the largest outbox takes a fraction of one."""
_LONGEST_GLANCE = 0.2
"""Seconds for the one row that says for whom a file is."""
_OTHER_ACCOUNT = "other-account"
_MARK = re.compile(r"\b[0-9a-f]{12}\b")
_KNOWN_ENDS = frozenset({EntryState.ADDED, EntryState.REFUSED})


class Rescue(msgspec.Struct, frozen=True):
    """What became of a damaged outbox: where it lies now, and how many entries were read of it.

    `may_miss` says that there may have been more. With `other_account` it was set aside because it
    is another account's: nobody in it was taken over, `entries` are those who were not sent, and
    `names` the first few of them. No `path`: there was nothing in it, and nobody has to be told.
    `lists` are called so of which not every row could be read as it stood.
    """

    path: str
    entries: int
    may_miss: bool
    other_account: bool = False
    names: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


class _Contents(NamedTuple):
    """What could be read of an outbox, and whether that is all there was."""

    records: list[Record]
    metadata: dict[str, str]
    texts: list[KeptText]
    whole: bool
    newer: bool
    lists: tuple[str, ...] = ()
    """Those of which not every row could be read as it stood."""


def set_aside(path: Path, account: str) -> None:
    """Put a new outbox for `account` in the place of the one at `path`.

    The old one lies beside it under the day's date, and another account's beside this account's
    folder, where only that account's *Forget* reaches. Raises OSError and StoreError.
    """
    records, metadata, texts, whole, _, lists = _read_out(path)
    # What nobody was told of an earlier one would otherwise go with this file.
    earlier = decode_rescues(metadata.pop(RESCUE, None))
    in_order = sorted(records, key=_place)
    if belongs_elsewhere(metadata.get(ACCOUNT), account):
        unsent = [record.entry for record in in_order if not record.entry.done]
        begun = any(text.table == "reviews" for text in texts)
        empty = whole and not (records or begun or _half_typed(path, metadata))
        why = ".".join(_marks(unsigned(metadata[ACCOUNT])))
        aside = _free_name(path.parent.parent, path, f"{_OTHER_ACCOUNT}-{why}")
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


def set_aside_for(path: Path, account: str) -> list[Path]:
    """Every file that was set aside beside the folder of `path` and is signed for this account: an
    id, a blank and its address, or the id alone for any address.
    """
    found = _all_set_aside(path.parent.parent, path.name)
    return [aside for aside in found if _mark(account) in _marks_of(aside)]


def set_aside_for_others(above: Path, name: str, account_ids: Collection[str]) -> list[Path]:
    """Those that are for none of these accounts, or nobody can say for whom.

    `above` has the accounts' folders, `name` is what the outbox in each is called.
    """
    marks = {_mark(account_id) for account_id in account_ids}
    return [aside for aside in _all_set_aside(above, name) if marks.isdisjoint(_marks_of(aside))]


def unsent_aside(aside: Path) -> tuple[tuple[OutboxEntry, ...], bool]:
    """Who is not done in a file that was set aside, and whether that is surely everybody.

    Raises OSError and StoreError.
    """
    found = _read_out(aside)
    unsent = (record.entry for record in found.records if not record.entry.done)
    return tuple(unsent), found.whole and not found.newer


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
        remove_files(_beside(path, end))
    rescued = _beside(path, ".rescued")
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
    _beside(path, "-shm").unlink(missing_ok=True)
    move_into_place(rescued, path)


def remove(path: Path) -> None:
    """Delete a closed outbox and what lies beside it, but for its lock. Raises as above."""
    draft_of(path).unlink(missing_ok=True)
    remove_files(path)


def begin(path: Path) -> None:
    """Make the first outbox of an account; one of no bytes is therefore never a new one."""
    move_into_place(_new(path), path)


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


def is_newer(path: Path) -> bool:
    """Whether a newer version wrote the file: it says so in two places, that one damaged byte may
    not pass for it. Raises OSError, StoreError.
    """
    with copy_of(path) as copy, _connected(copy) as connection:
        return _is_newer(connection)


def decode_rescues(kept: str | None) -> list[Rescue]:
    """What rescues have left to be told in the outboxes that they made, the oldest first."""
    with contextlib.suppress(msgspec.DecodeError):
        found = msgspec.json.decode(kept or "[]", type=list[Rescue] | Rescue)
        return [found] if isinstance(found, Rescue) else found
    return []


def encode_rescues(rescues: Sequence[Rescue]) -> str | None:
    """The same as it is kept; None where there is nothing to tell."""
    return msgspec.json.encode(rescues).decode() if rescues else None


def belongs_elsewhere(kept: str | None, account: str) -> bool:
    """Whether another account than this was signed; where none was, or it is damaged, not."""
    return account not in {"", unsigned(kept) or account}


def _new(path: Path) -> Path:
    """An empty outbox beside `path`."""
    new = _beside(path, ".new")
    remove_files(new)
    Database(new, OUTBOX_MIGRATIONS, durable=True, pragmas=PRAGMAS).close_now()
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
    move_into_place(new, _beside(path, ".rescued"))
    finish(path)


def _take_in(connection: sqlite3.Connection, path: Path, aside: Path) -> None:
    found, theirs, texts, whole, newer, lists = _read_out(aside)
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
    moves = [(one, _beside(aside, one.name.removeprefix(path.name))) for one in leftovers(path)]
    if with_draft:
        moves.append((draft_of(path), draft_of(aside)))
    for here, there in (*moves, (path, aside)):
        if here.exists():
            here.rename(there)
    settle(aside.parent)


def _read_out(path: Path) -> _Contents:
    """What SQLite gives, and where that is not whole, what stands in the bytes."""
    with copy_of(path) as copy, _connected(copy) as connection:
        metadata, newer = _metadata(connection), _is_newer(connection)
        with contextlib.suppress(*UNREADABLE, StoreError):
            if rows.is_whole(connection):
                both = rows.read_all(connection), metadata, rows.read_texts(connection)
                return _Contents(*both, whole=True, newer=newer)
        # As SQLite has taken up what was left beside it, and as it lies there.
        with contextlib.suppress(*UNREADABLE):
            connection.execute("PRAGMA wal_checkpoint")
        files = filter(is_file, (copy, path, *leftovers(path)))
        records, found = carve(map(read_regular, files))
    texts, lists, lost = mended(found, [record.entry for record in records])
    # Whoever reads this doubts each of them: they may have been sent.
    records += [Record(entry, 1) for entry in lost]
    return _Contents(records, metadata, texts, whole=False, newer=newer, lists=lists)


@contextlib.contextmanager
def _connected(copy: Path, most: float | None = None) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        # A file that somebody made may ask for an answer that never ends.
        until = monotonic() + (_LONGEST_LOOK if most is None else most)
        connection.set_progress_handler(lambda: monotonic() > until, 100_000)
        yield connection


def _metadata(connection: sqlite3.Connection) -> dict[str, str]:
    with contextlib.suppress(*UNREADABLE):
        return rows.all_metadata(connection)
    return {}


def _is_newer(connection: sqlite3.Connection) -> bool:
    number, said = 0, ""
    with contextlib.suppress(*UNREADABLE):
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        said = rows.get_metadata(connection, "version") or ""
    known = len(OUTBOX_MIGRATIONS)
    return number > known and not (said.isdecimal() and int(said) <= known)


def _marks(account: str) -> list[str]:
    """Of the account and of that at its address."""
    return [_mark(account.partition(" ")[0]), _mark(account)]


def _mark(account: str) -> str:
    """Stands in a file's name for an account, or it at its address."""
    return blake2s(account.encode(), digest_size=6).hexdigest()


def _all_set_aside(above: Path, name: str) -> list[Path]:
    with contextlib.suppress(OSError):  # a folder that cannot be, or be looked into, has none
        found = above.glob(f"{Path(name).stem}-{_OTHER_ACCOUNT}-*{Path(name).suffix}")
        return sorted(filter(_is_plain_file, found))
    return []


def _is_plain_file(aside: Path) -> bool:
    with contextlib.suppress(OSError):
        return is_file(aside)
    return False


def _marks_of(aside: Path) -> list[str]:
    """For whom it is signed; where that cannot be read, it is known by its name."""
    try:
        with copy_of(aside) as copy, _connected(copy, _LONGEST_GLANCE) as connection:
            if owner := unsigned(_metadata(connection).get(ACCOUNT)):
                return _marks(owner)
    except (StoreError, OSError) as error:
        _log.warning("a file that was set aside cannot be read: %s", error)
    return _MARK.findall(aside.name)


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


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
