"""What was typed and what became of it, durable: the precious file of an account.

It knows how entries are written, found again after any end of the program, and rescued. What an
entry may become, and when, is decided above.
"""

import errno
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from app.model.outbox import OutboxEntry
from app.runtime.words import tr
from app.store import outbox_rows as rows
from app.store.database import Database, Result, Work, transaction
from app.store.errors import StoreDamaged, StoreError, StoreTooNew, damaged, store_error
from app.store.folding import fold
from app.store.outbox_damage import is_foreign, log_of, loses_entries
from app.store.outbox_drafts import DRAFT, Drafts
from app.store.outbox_lock import OutboxInUse, take_lock
from app.store.outbox_rescue import PRAGMAS, RESCUE, Rescue, begin, finish, set_aside
from app.store.schema import OUTBOX_MIGRATIONS

__all__ = ["OutboxInUse", "OutboxStore", "Rescue"]

_log = logging.getLogger(__name__)
KEPT_IN_HISTORY = 10_000
"""So many entries that are done are kept, the newest; older ones go when the outbox is opened."""
_PART = 200
_PATIENCE = 1.0  # seconds; only a program that is none of ours can hold the file at all


class OutboxStore:
    """The entries of one account, by one program at a time.

    `write` returns once the disk has it; what is awaited is done in the order it was asked for and
    ends even when the caller is cancelled. Everything may raise StoreError, which changes nothing.
    """

    def __init__(self, database: Database, unlock: Callable[[], None]) -> None:
        """Use `open`."""
        self._database = database
        self._unlock = unlock
        self._closed = False
        self.rescue = database.run_now(_read_rescue)
        self._drafts = Drafts(database, database.run_now(partial(rows.recall, name=DRAFT)) or "")

    @classmethod
    def open(cls, path: Path | None) -> "OutboxStore":
        """The outbox in the file `path`, or in memory when there is none.

        The folder is made for its owner alone. A damaged file is set aside and what can be read of
        it rescued (see `rescue`). Raises OutboxInUse while another program has it, StoreTooNew for
        one of a newer version, which is left as it is, and StoreError where it cannot be made.
        """
        if path is None:
            return cls(_open(None), _nothing)
        unlock = take_lock(path)
        try:
            return cls(_opened(path), unlock)
        except BaseException:
            unlock()
            raise

    async def close(self) -> None:
        """Finish what was asked for, let go of the file and let another program have it."""
        if not self._closed:
            self._closed = True
            self._drafts.close()
            await self._database.close()
            self._unlock()

    def close_now(self) -> None:
        """The same where there is no event loop."""
        if not self._closed:
            self._closed = True
            self._drafts.close()
            self._database.close_now()
            self._unlock()

    def entries(self) -> tuple[OutboxEntry, ...]:
        """Those that are not done, in the order they were typed."""
        return self._now(rows.read_open)

    def latest(self) -> tuple[OutboxEntry, ...]:
        """The last few that are done, in the order they ended."""
        found = self._now(partial(rows.read_done, before=rows.LAST, limit=_PART))
        return tuple(entry for _, entry in reversed(found) if entry is not None)

    def write(self, *entries: OutboxEntry, clear_draft: bool = False) -> None:
        """Keep the entries as they are now, all or none; when this returns they are durable.

        `clear_draft`: the half-typed line has become one of them, and is forgotten with it.
        """
        self._now(partial(_write, entries=entries, clear_draft=clear_draft))
        if clear_draft:
            self._drafts.drop()

    async def save(self, entry: OutboxEntry) -> None:
        """The same for the sender, which does not hold the window while the disk works."""
        await self._do(partial(_write, entries=(entry,), clear_draft=False))

    async def claimed(self, person_ids: Sequence[str]) -> frozenset[str]:
        """Which of these people were added by an entry."""
        return await self._do(partial(rows.claimed, person_ids=person_ids))

    async def history(self, query: str = "", limit: int = 200) -> tuple[OutboxEntry, ...]:
        """What is done, the newest first: added, or taken off the list. Every word is in it."""
        words, before = fold(query).split(), rows.LAST
        found: list[OutboxEntry] = []
        # In parts, so that an Enter meanwhile does not wait for a long history.
        while part := await self._do(partial(rows.read_done, before=before, limit=_PART)):
            found += [entry for _, entry in part if entry is not None and _has(entry, words)]
            before = part[-1][0]
            if len(found) >= limit:
                break
        return tuple(found[:limit])

    def draft(self) -> str:
        """The half-typed line as it was kept last; blank for none."""
        return self._drafts.text

    def keep_draft(self, text: str) -> None:
        """Keep the half-typed line. Never waits and never raises."""
        if not self._closed:
            self._drafts.keep(text)

    def fact(self, name: str) -> str | None:
        """Something small that was noted, or None."""
        return self._now(partial(rows.recall, name=name))

    def note(self, name: str, value: str | None) -> None:
        """Note something small, durable when this returns; None forgets it."""
        self._now(partial(rows.remember, name=name, value=value))

    def rescue_was_told(self) -> None:
        """The person has read what `rescue` says: do not say it again at the next start."""
        self.note(RESCUE, None)
        self.rescue = None

    def _now(self, work: Work[Result]) -> Result:
        try:
            return self._database.run_now(work)
        except StoreDamaged as error:
            raise _in_words_of_the_outbox(error) from error

    async def _do(self, work: Work[Result]) -> Result:
        try:
            return await self._database.run(work)
        except StoreDamaged as error:
            raise _in_words_of_the_outbox(error) from error


def _opened(path: Path) -> Database:
    """The database of a file that may be missing, damaged, or half-way through a rescue."""
    try:
        finish(path)
        if not path.exists() and not log_of(path).exists():
            begin(path)
        elif not path.exists() or is_foreign(path) or loses_entries(path):
            raise damaged("something is missing")
        return _open(path)
    except StoreTooNew:
        if not _only_looks_newer(path):
            raise
        return _rescued(path, "the number of the version is damaged")
    except StoreDamaged as error:
        return _rescued(path, error.details)
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise  # a mistake of ours is no reason to give up a good file
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return _rescued(path, str(error))
    except OSError as error:
        raise _in_words(error) from error


def _rescued(path: Path, why: str) -> Database:
    _log.warning("the outbox is damaged and is set aside: %s", why)
    try:
        set_aside(path)
    except OSError as error:
        raise _in_words(error) from error
    return _open(path)


def _in_words(error: OSError) -> Exception:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StoreError(
            tr("No room left"),
            tr("The disk of this computer is full. Free some room, then try again."),
            details=str(error.strerror),
        )
    return store_error(error) or error


def _open(path: Path | None) -> Database:
    return Database(
        path,
        OUTBOX_MIGRATIONS,
        durable=True,
        check=_check,
        pragmas=PRAGMAS,
        patience=_PATIENCE,
    )


def _check(connection: sqlite3.Connection) -> None:
    """Read everything that is not done; what is done is looked at when it is read."""
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise damaged(found)
    rows.read_open(connection)
    rows.recall(connection, DRAFT)
    rows.recall(connection, RESCUE)
    rows.forget_old(connection, KEPT_IN_HISTORY)


def _only_looks_newer(path: Path) -> bool:
    """Whether the file itself says, in another place, that it is none of a newer version."""
    try:
        connection = sqlite3.connect(path)
        try:
            noted = rows.recall(connection, "version")
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError):
        return False
    return noted is not None and noted.isdigit() and int(noted) <= len(OUTBOX_MIGRATIONS)


def _write(
    connection: sqlite3.Connection, entries: Iterable[OutboxEntry], *, clear_draft: bool
) -> None:
    with transaction(connection):
        rows.put(connection, entries)
        if clear_draft:
            rows.remember(connection, DRAFT, None)


def _read_rescue(connection: sqlite3.Connection) -> Rescue | None:
    noted = rows.recall(connection, RESCUE)
    try:
        return None if noted is None else msgspec.json.decode(noted, type=Rescue)
    except msgspec.DecodeError:
        return None


def _has(entry: OutboxEntry, words: Sequence[str]) -> bool:
    new = entry.new_person
    text = fold(f"{entry.typed} {new.full_name} {new.email} {new.phone} {entry.reason}")
    return all(word in text for word in words)


def _in_words_of_the_outbox(error: StoreDamaged) -> StoreDamaged:
    return StoreDamaged(
        tr("What was typed cannot be kept"),
        tr(
            "The file for people who are not sent yet is damaged. Close Front Desk and start it "
            "again: what can be read of the file is rescued."
        ),
        details=error.details,
    )


def _nothing() -> None:
    """There is no file, so nothing was locked."""
