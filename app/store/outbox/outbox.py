"""People who are not sent yet, and what became of those who were: one file, one program at a time.

What a row is, whose a file is, and what becomes of one that is damaged or another account's, is
left to `rows`, `owner` and `rescue`.
"""

import contextlib
import logging
import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from app.model.outbox import Batch, BatchRow, OutboxEntry
from app.runtime.files import is_file, read_regular
from app.runtime.program_lock import ProgramLock
from app.runtime.words import tr
from app.store.database import Database, Result, Work, has_tables_of, said_in_words
from app.store.errors import (
    UNREADABLE,
    StoreDamaged,
    StoreError,
    StoreTooNew,
    damaged,
)
from app.store.folding import fold
from app.store.outbox import batches, rescue, reviews, rows
from app.store.outbox.damaged_file import copy_of, is_newer, leftovers
from app.store.outbox.drafts import Drafts
from app.store.outbox.owner import ACCOUNT, belongs_elsewhere
from app.store.outbox.rescue import PRAGMAS, RESCUE, Rescue
from app.store.outbox.reviews import KeptReview
from app.store.outbox.rows import KeptText
from app.store.schema import OUTBOX_TABLES, VERSION


class OutboxInUse(StoreError):
    """Another window or program has this outbox open; two would send everybody twice."""


__all__ = ["OutboxInUse", "OutboxStore", "Rescue"]

_log = logging.getLogger(__name__)
Item = TypeVar("Item")
Cursor = TypeVar("Cursor")
KEPT_IN_HISTORY = 10_000
"""So many entries that are done are kept, the newest; older ones go when the outbox is opened."""
ROWS_OF_BATCHES_KEPT = 100_000
"""So many rows of batches are kept with all their entries, the newest; the others go likewise."""
_PART = 200
_SMALLEST = 512  # bytes; SQLite takes a shorter file for a new one
_TITLE = b"SQLite format 3\x00"
_NO_LOG = b"\x01\x01"
"""Of a file that rests in no write-ahead log; with any other SQLite makes one, or only reads."""
_LOCK_TIMEOUT = 1.0  # seconds; only a program that is none of ours can hold the file at all


class OutboxStore:
    """The entries of one account, by one program at a time.

    `write` returns once the disk has it; what is awaited is done in the order it was asked for and
    ends even when the caller is cancelled. Everything may raise StoreError, which changes nothing.
    """

    def __init__(self, database: Database, lock: ProgramLock | None) -> None:
        """Use `open`. In memory there is no `lock`."""
        self._database = database
        self._lock = lock
        self._changes = database.run_now(_changes_by_others)
        kept = database.run_now(rows.all_metadata)
        self._rescues = [one for one in rescue.decode_rescues(kept.get(RESCUE)) if one.path]
        self._drafts = Drafts(database.path, kept, database.submit)

    @classmethod
    def open(cls, path: Path | None, account: str = "") -> "OutboxStore":
        """The outbox in the file `path`, or in memory when there is none.

        The folder is made for its owner alone. A damaged file is set aside and what can be read of
        it rescued; one of another `account` is set aside with everybody (see `rescue`), and
        one of this account that was set aside is taken back. A file that names no account is taken
        to be this one's from then on; where `account` is blank nobody asks. Raises OutboxInUse
        while another program has it, StoreTooNew for one of a newer version, which stays as it is,
        and StoreError where it cannot be made.
        """
        if path is None:
            return cls(_open(None), None)
        lock = _locked(path)
        with contextlib.ExitStack() as undoing:
            undoing.callback(lock.release)
            database = _opened(path, account)
            undoing.callback(database.close_now)
            if account:
                database.run_now(partial(rescue.take_back, path=path, account=account))
            store = cls(database, lock)
            undoing.pop_all()
        return store

    async def close(self) -> None:
        """Finish what was asked for, let go of the file and let another program have it."""
        if not self._database.closed:
            await self._database.close()
            self._release()

    def close_now(self) -> None:
        """The same where there is no event loop."""
        if not self._database.closed:
            self._database.close_now()
            self._release()

    def entries(self) -> tuple[OutboxEntry, ...]:
        """Those that are not done, in the order they were typed."""
        return self._now(rows.read_open)

    def latest(self) -> tuple[OutboxEntry, ...]:
        """The last few that are done, in the order they ended."""
        found = self._now(partial(rows.read_done, after=rows.LAST, limit=_PART))
        return tuple(entry for _, entry in reversed(found))

    def write(self, *entries: OutboxEntry, clear_draft: bool = False) -> None:
        """Keep the entries as they are now, all or none; when this returns they are durable.

        `clear_draft`: the half-typed line has become one of them, and is forgotten with it.
        """
        metadata = self._drafts.metadata_when_dropped if clear_draft else {}
        self._change_now(partial(rows.write, entries=entries, metadata=metadata))
        if clear_draft:
            self._drafts.drop()

    async def save(self, *entries: OutboxEntry) -> None:
        """The same for the sender, and for many at once: the disk works and the window goes on."""
        await self._change(partial(rows.write, entries=entries))

    async def take_batch(
        self,
        batch: Batch,
        batch_rows: Sequence[BatchRow],
        entries: Sequence[OutboxEntry],
        review: str = "",
    ) -> None:
        """Keep a new batch, all its rows and its entries, all or nothing, as `save` does.

        `review` is the id of the list it was, which is not kept as one any more.
        """
        # Made in parts, so that an Enter meanwhile waits for one part, and then for the disk.
        texts: list[KeptText] = []
        new: list[rows.NewRow] = []
        for first in range(0, len(batch_rows), batches.TOGETHER):
            part = batch_rows[first : first + batches.TOGETHER]
            texts.append(await self._made(partial(batches.chunk, batch, first, part)))
        for first in range(0, len(entries), _PART):
            new += await self._made(partial(rows.new_rows, entries[first : first + _PART]))
        await self._change(
            partial(batches.take, batch=batch, chunks=texts, entries=new, review=review)
        )

    def write_batch(self, batch: Batch) -> None:
        """Keep how a batch stands now, durable when this returns."""
        self._change_now(partial(rows.write_texts, texts=[batches.head(batch)]))

    def batches(self) -> tuple[Batch, ...]:
        """Every batch that is kept, the oldest first."""
        return self._now(batches.read)

    def batch_texts(self) -> tuple[KeptText, ...]:
        """All batches and their rows, and lists that are looked over, for another outbox."""
        return tuple(self._now(rows.read_texts))

    def done_of_batches(self) -> tuple[OutboxEntry, ...]:
        """The entries of all batches that are done."""
        return self._now(batches.read_all_done)

    def add_batch_texts(self, texts: Sequence[KeptText]) -> None:
        """Keep those that are not there, before their entries; durable when this returns."""
        if texts:
            self._change_now(partial(rows.add_texts, texts=texts))

    def batch_states(self, batch_id: str) -> tuple[dict[int, str], dict[int, str]]:
        """The states, as text, of its entries that are not done and of those that are, by row."""
        return self._now(partial(batches.states, batch_id=batch_id))

    async def batch_rows(self, batch_id: str) -> tuple[BatchRow, ...]:
        """All rows of a batch, in their order."""
        read = partial(batches.read_rows, batch_id=batch_id, limit=_PART // batches.TOGETHER * 4)
        return tuple([row async for part in self._parts(read, "") for row in part])

    async def batch_done(self, batch_id: str) -> tuple[OutboxEntry, ...]:
        """The entries of a batch that are done, in the order of its rows."""
        read = partial(batches.read_done, batch_id=batch_id, limit=_PART)
        return tuple([entry async for entry in self._parts(read, "")])

    async def claimed(self, person_ids: Sequence[str]) -> frozenset[str]:
        """Which of these people were added by an entry."""
        return await self._do(partial(rows.claimed, person_ids=person_ids))

    async def added_people(self) -> frozenset[str]:
        """Everybody who was added by an entry that is kept."""
        return await self._do(rows.added_people)

    async def history(self, query: str = "", limit: int = 200) -> tuple[OutboxEntry, ...]:
        """What is done, the newest first: added, or taken off the list. Every word is in it."""
        words, found = fold(query).split(), list[OutboxEntry]()
        read = partial(rows.read_done, limit=_PART)
        async with contextlib.aclosing(self._parts(read, rows.LAST)) as everybody:
            async for entry in everybody:
                if _has(entry, words):
                    found.append(entry)
                if len(found) >= limit:
                    break
        return tuple(found)

    def draft(self) -> str:
        """The half-typed line as it was kept last; blank for none."""
        return self._drafts.text

    def keep_draft(self, text: str) -> None:
        """Keep the half-typed line. Never waits and never raises."""
        if not self._database.closed:
            self._drafts.keep(text)

    def reviews(self) -> tuple[KeptReview, ...]:
        """How each list stands that somebody looks over, the one begun last at the end."""
        return self._now(reviews.read)

    async def read_reviews(self) -> tuple[KeptReview, ...]:
        """The same beside what the window does."""
        return await self._do(reviews.read)

    def review_texts(self) -> tuple[KeptText, ...]:
        """The same and the lists themselves, to be put into another outbox."""
        return tuple(text for text in self.batch_texts() if text.table in reviews.TABLES)

    async def keep_review(self, review: KeptReview, source: bytes | None = None) -> None:
        """Keep how a list stands, and as it was read where that is new."""
        texts = await self._made(partial(reviews.texts, review, source))
        await self._change(partial(rows.write_texts, texts=texts))

    async def review_source(self, review_id: str) -> bytes:
        """A list as it was read. Raises StoreDamaged where it is not there."""
        return await self._do(partial(reviews.read_source, review_id=review_id))

    async def forget_review(self, review_id: str) -> None:
        """It was discarded: leave no byte of it."""
        await self._change(partial(reviews.forget, review_id=review_id))

    def metadata(self, name: str) -> str | None:
        """What is kept under `name` about the whole outbox, or None."""
        return self._now(partial(rows.get_metadata, name=name))

    def set_metadata(self, name: str, value: str | None) -> None:
        """Keep a value under `name`, durable when this returns; None forgets it."""
        self._change_now(partial(rows.write, metadata={name: value}))

    @property
    def rescue(self) -> Rescue | None:
        """The oldest file that was set aside and that nobody was told of, or None."""
        return self._rescues[0] if self._rescues else None

    def rescue_was_told(self) -> None:
        """The person has read what `rescue` says: it is the next one's turn, if there is one."""
        self.set_metadata(RESCUE, rescue.encode_rescues(self._rescues[1:]))
        self._rescues = self._rescues[1:]

    def _keep_others_out(self) -> None:
        """Raises OutboxInUse where the lock's file was deleted and another program has a new one,
        or had one and has changed something: whoever both of them hold would be sent twice.
        """
        path = self._database.path
        if path is None or self._lock is None or self._lock.is_held:
            return
        self._lock.release()
        lock = _locked(path)
        if self._now(_changes_by_others) != self._changes:
            lock.release()
            raise _in_use()
        self._lock = lock

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _change_now(self, work: Work[None]) -> None:
        self._keep_others_out()
        self._now(work)

    async def _change(self, work: Work[None]) -> None:
        self._keep_others_out()
        await self._do(work)

    def _now(self, work: Work[Result]) -> Result:
        with _in_words_of_the_outbox():
            return self._database.run_now(work)

    async def _parts(
        self, read: Callable[..., list[tuple[Cursor, Item]]], after: Cursor
    ) -> AsyncGenerator[Item, None]:
        """What `read` gives behind a place, each with its own: in parts, so that an Enter meanwhile
        does not wait for a long history, or list.
        """
        while part := await self._do(partial(read, after=after)):
            for _, item in part:
                yield item
            after = part[-1][0]

    async def _made(self, work: Callable[[], Result]) -> Result:
        return await self._do(lambda _: work())

    async def _do(self, work: Work[Result]) -> Result:
        with _in_words_of_the_outbox():
            return await self._database.run(work)


def _locked(path: Path) -> ProgramLock:
    """Have the outbox alone. Raises OutboxInUse, StoreError, OSError."""
    lock = ProgramLock(path.with_suffix(".lock"))
    with said_in_words():
        if lock.take():
            return lock
    raise _in_use()


def _in_use() -> OutboxInUse:
    return OutboxInUse(
        tr("Front Desk is open already"),
        tr("Another Front Desk on this computer is using this account. Close it first."),
    )


def _changes_by_others(connection: sqlite3.Connection) -> int:
    """Another number each time another connection has changed the file (SQLite's documents)."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return int(version)


def _opened(path: Path, account: str) -> Database:
    """The database of a file that may be missing, damaged, half-way through a rescue, or whose
    program was killed: then what that has left is first tried on a copy, for SQLite takes it away.
    """
    with said_in_words():
        try:
            rescue.finish(path)
            left = leftovers(path)
            if not left and not is_file(path):
                rescue.begin(path)
            head = read_regular(path, _SMALLEST) if is_file(path) else b""
            if len(head) < _SMALLEST or head[:16] != _TITLE or head[18:20] != _NO_LOG:
                raise damaged("the file is not there, or not ours")
            if left:
                with copy_of(path) as copy:
                    _refuse_losses(copy)
                    _open(copy, account).close_now()
            return _open(path, account)
        except StoreTooNew:
            if is_newer(path):
                raise
            why = "the number of the version is damaged"
        except StoreDamaged as error:
            why = type(error).__name__  # its details may quote a person's row
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise  # a mistake of ours is no reason to give up a good file
        except UNREADABLE as error:
            why = type(error).__name__
        _log.warning("the outbox is set aside: %s", why)
        rescue.set_aside(path, account)
    return _open(path, account)


def _open(path: Path | None, account: str = "") -> Database:
    return Database(
        path,
        OUTBOX_TABLES,
        durable=True,
        check=partial(_check, account=account),
        made=rows.put_sum,
        pragmas=PRAGMAS,
        lock_timeout=_LOCK_TIMEOUT,
    )


def _check(connection: sqlite3.Connection, account: str) -> None:
    """Look at everything: what is not as it was written is said now, not when it is looked for."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise damaged(found)
    if not has_tables_of(connection, OUTBOX_TABLES):
        raise damaged("its tables are others")
    if rows.get_metadata(connection, "version") != str(VERSION):
        raise damaged("its version is another")
    rows.check(connection)
    signed = rows.get_metadata(connection, ACCOUNT)
    if belongs_elsewhere(signed, account):
        raise damaged("it belongs to another account")
    if account and signed != rows.signed(account):
        rows.write(connection, metadata={ACCOUNT: rows.signed(account)})
    batches.forget_old(connection, ROWS_OF_BATCHES_KEPT)
    rows.forget_old(connection, KEPT_IN_HISTORY)


def _refuse_losses(copy: Path) -> None:
    """Raise StoreDamaged where SQLite, taking up the journal that was left, passes over what was
    committed: a damaged journal may say that there was nothing before.
    """
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        if connection.execute("PRAGMA user_version").fetchone() == (0,):
            raise damaged("nothing is left of it")


def _has(entry: OutboxEntry, words: Sequence[str]) -> bool:
    new = entry.new_person
    text = fold(f"{entry.typed} {new.full_name} {new.email} {new.phone} {entry.reason_words}")
    return all(word in text for word in words)


@contextlib.contextmanager
def _in_words_of_the_outbox() -> Iterator[None]:
    try:
        yield
    except StoreDamaged as error:
        raise StoreDamaged(
            tr("What was typed cannot be kept"),
            tr(
                "The file for people who are not sent yet is damaged. Close Front Desk and start "
                "it again: what can be read of the file is rescued."
            ),
            details=error.details,
        ) from error
