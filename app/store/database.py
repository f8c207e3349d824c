"""One SQLite database with a thread of its own for all work, and a second way in for painting.

It knows connections, threads and versions; what the tables mean is left to those who use it.
"""

import asyncio
import contextlib
import functools
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from app.runtime.files import OWNER_ONLY, break_hard_links, open_regular
from app.runtime.paths import make_private_folder
from app.runtime.words import tr
from app.store.errors import StoreTooNew, damaged, store_error
from app.store.schema import VERSION

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]
Tables = Sequence[str]
"""The statements that make the tables of a new file."""

_READER_WAITS = 0.25  # seconds; only a file being recovered makes a reader wait at all
_WRITER_WAITS = 5.0
_BESIDE = ("-wal", "-shm", "-journal")
_STATEMENTS_KEPT = 128
_PAGES_AT_A_TIME = 64  # copied in one step, for which a reader of a database in memory waits


class Database:
    """A file, or a database in memory when there is no path.

    A file in WAL mode has two connections, and SQLite never lets a reader wait for the writer. In
    memory, and where it is `durable`, there is one, used from both sides: SQLite lets one step in
    at a time, so a reader waits for a single step of the writer's, and work on the thread is made
    of short ones (`sorted_apart` for those that cannot be). A shared cache would wait for the same
    steps, and lock tables besides.
    """

    def __init__(
        self,
        path: Path | None,
        tables: Tables,
        *,
        durable: bool,
        check: Work[None] | None = None,
        made: Work[None] | None = None,
        pragmas: Sequence[str] = (),
        lock_timeout: float = _WRITER_WAITS,
    ) -> None:
        """Open, or create with `tables`.

        `durable`: what was committed survives a loss of power, at the price of a wait for the disk,
        and rests in no log, whose damaged parts SQLite forgets without a word.
        `check` may look at the database and raise. `made` is done once, together with making the
        tables, all or nothing. `pragmas` as in `page_size = 8192`, for the writer.
        `lock_timeout`: seconds it waits for another program. Raises StoreError.
        """
        self.path = path
        self._tables = tuple(tables)
        self._durable = durable
        self._pragmas = tuple(pragmas)
        self._lock_timeout = lock_timeout
        self._check = check
        self._made = made
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._closed = False
        self._writer = self._open_writer()
        self._reader: sqlite3.Connection | None = None
        """None while the file is being replaced, or where it could not be. Where both sides use
        one connection, that is the writer as it is now.
        """
        self._left_behind: list[sqlite3.Connection] = []
        """Databases in memory in whose place another came: somebody may be reading one just now."""
        self._replacements = 0
        self._has_file = True
        self.file_number = 1
        """Which file this is, counted from the first: for work on the database's thread."""
        try:
            self._reader = self._open_reader()
        except BaseException:
            self._writer.close()
            raise

    async def run(self, work: Work[Result]) -> Result:
        """Do `work` on the database's thread, after all that was asked for before.

        What was begun is always told: a caller that is cancelled meanwhile gets the result first
        and the cancellation at its next wait. Raises StoreError, and what `work` raises; where the
        database is closed, RuntimeError, or CancelledError in a caller that was cancelled before.
        """
        if self._closed:
            caller = asyncio.current_task()
            if caller is not None and caller.cancelling():
                # It was told a result first, and asks for more with that: nobody waits for it.
                raise asyncio.CancelledError
            raise RuntimeError("the database is closed")
        return await self._run(work)

    def run_now(self, work: Work[Result]) -> Result:
        """Do `work` on the database's thread, and wait there: when this returns, it is done.

        For what a person must not go on without. Raises StoreError, and what `work` raises.
        """
        return self.submit(work).result()

    def submit(self, work: Work[Result]) -> "Future[Result]":
        """Ask for `work` on the database's thread; errors, as of `run`, are in the answer."""
        if self._closed:
            raise RuntimeError("the database is closed")
        return self._thread.submit(self._work, work)

    def read(self, work: Work[Result]) -> Result:
        """Do a small read at once, on the thread of the event loop. Raises StoreError; while the
        file is being replaced, that it is damaged.
        """
        if self._reader is None:
            raise damaged("it is being made anew")
        with said_in_words():
            return work(self._writer if self._shares_connection else self._reader)

    def fill_from(self, source: sqlite3.Connection) -> sqlite3.Connection:
        """Hold what is behind `source` in the place of what is here, and give the way in to it:
        work for this database's thread, while nothing is written to `source`.

        Whoever reads meanwhile sees what was here before. Raises what the `check` raises.
        """
        if self.path is not None:
            source.backup(self._writer, pages=_PAGES_AT_A_TIME)
            if self._check is not None:
                self._check(self._writer)
            return self._writer
        # SQLite may crash where a connection is used that a copy is being made into.
        whole = self._open_writer()
        try:
            source.backup(whole, pages=_PAGES_AT_A_TIME)
            if self._check is not None:
                self._check(whole)
        except BaseException:
            whole.close()
            raise
        self._left_behind.append(self._writer)
        self._writer = whole
        return whole

    async def let_go_of_pages(self) -> None:
        """Hold nothing of the file that was read or written before. Raises StoreError."""
        if self._closed:
            return
        if self._reader is not None and not self._shares_connection:
            self.read(_let_go_of_pages)
        await self.run(_let_go_of_pages)

    async def start_afresh(self) -> None:
        """Throw the file away and go on with an empty one; work asked for later finds that one."""
        self._close_reader()
        self._reader = None
        self._replacements += 1
        try:
            await self.run(self._replace)
        finally:
            self._replacements -= 1
        # Another one that was asked for takes this file away as well.
        if not (self._replacements or self._closed):
            self._reader = self._open_reader()

    @property
    def closed(self) -> bool:
        """Whether nothing can be asked for any more."""
        return self._closed

    async def close(self) -> None:
        """Finish what was asked for and end the thread and the connections."""
        if self._closed:
            return
        self._closed = True
        self._close_reader()
        await self._run(self._close)
        self._thread.shutdown()

    def close_now(self) -> None:
        """The same where there is no event loop, or nothing else to do meanwhile."""
        if self._closed:
            return
        self._closed = True
        self._close_reader()
        self._thread.submit(self._work, self._close).result()
        self._thread.shutdown()

    async def _run(self, work: Work[Result]) -> Result:
        waiting = asyncio.wrap_future(self._thread.submit(self._work, work))
        postponed = False
        while not waiting.done():
            try:
                await asyncio.wait({waiting})
            except asyncio.CancelledError:
                postponed = True
        caller = asyncio.current_task()
        if postponed and caller is not None:
            caller.uncancel()
            caller.cancel()
        return waiting.result()

    def _work(self, work: Work[Result]) -> Result:
        if not self._has_file and work not in (self._replace, self._close):
            raise damaged("it could not be made anew")
        with said_in_words():
            return work(self._writer)

    def _open_writer(self) -> sqlite3.Connection:
        with said_in_words():
            if self.path is not None:
                _make_private_file(self.path)
            connection = self._connect(self._lock_timeout)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        for pragma in self._pragmas:
            connection.execute(f"PRAGMA {pragma}")
        journal, synchronous = ("TRUNCATE", "EXTRA") if self._durable else ("WAL", "NORMAL")
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        if self.path is None:
            with _COPYING:  # an empty copy takes a fifth of making the tables
                _empty(self._tables, self._made, self._pragmas).backup(connection)
        else:
            _make_tables(connection, self._tables, self._made)
        if self._check is not None:
            self._check(connection)

    def _close_reader(self) -> None:
        if self._reader is not None and not self._shares_connection:
            self._reader.close()

    def _open_reader(self) -> sqlite3.Connection:
        if self._shares_connection:
            return self._writer
        with said_in_words():
            connection = self._connect(_READER_WAITS)
            connection.execute("PRAGMA query_only = ON")
        return connection

    @property
    def _shares_connection(self) -> bool:
        """Whether both threads use one: in memory there is no other, and the outbox has no log."""
        return self.path is None or self._durable

    def _connect(self, waits: float) -> sqlite3.Connection:
        # Two threads that ask one connection for the same words at once would be given the same
        # prepared statement, from Python 3.12 on: where they share it, none is kept.
        connection = sqlite3.connect(
            self.path or ":memory:",
            timeout=waits,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=0 if self._shares_connection else _STATEMENTS_KEPT,
        )
        # Or a large sort would leave names in the system's folder for temporary files.
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

    def _close(self, connection: sqlite3.Connection) -> None:
        if self._durable:
            # Takes away the empty journal, which is kept only to be at hand.
            with contextlib.suppress(sqlite3.Error):
                connection.execute("PRAGMA journal_mode = DELETE")
        for each in (*self._left_behind, connection):
            each.close()

    def _replace(self, _connection: sqlite3.Connection) -> None:
        self._has_file = False
        self._writer.close()
        remove_files(self.path)
        self._writer = self._open_writer()
        self._has_file = True
        self.file_number += 1


def _let_go_of_pages(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA shrink_memory")


def has_tables_of(connection: sqlite3.Connection, tables: Tables) -> bool:
    """Whether its tables are to the letter what `tables` make."""
    return _tables_in(connection) == _tables_meant(tuple(tables))


@functools.cache
def _tables_meant(tables: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Made once: each account that is opened asks for those of its two databases."""
    return _tables_in(_empty(tables))


_COPYING = threading.Lock()


@functools.cache
def _empty(
    tables: tuple[str, ...],
    made: Work[None] | None = None,
    pragmas: tuple[str, ...] = (),
) -> sqlite3.Connection:
    """A database in memory with these tables and nothing in them, to be copied and never written
    to; `pragmas` say how large its pages are.
    """
    empty = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for pragma in pragmas:
        empty.execute(f"PRAGMA {pragma}")
    _make_tables(empty, tables, made)
    return empty


def _tables_in(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Name and text of each table and index."""
    return frozenset(connection.execute("SELECT name, sql FROM sqlite_schema"))


def remove_files(path: Path | None) -> None:
    """Delete a closed database and what SQLite keeps beside it. Raises StoreError."""
    if path is not None:
        with said_in_words():
            # The file first: without what was left beside it, it would pass for a damaged one.
            for end in ("", *_BESIDE):
                path.with_name(path.name + end).unlink(missing_ok=True)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is written inside, or none of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has ended the transaction already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def sorted_apart(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Where to sort a whole table: a sort is one long step, and in memory readers wait for a step.

    Gives `connection` for a file, and a copy, made in short steps, of a database in memory.
    """
    # Asked inside: the name of a folder need be no text, and could not be read out here.
    named = "SELECT 1 FROM pragma_database_list WHERE name = 'main' AND file <> ''"
    if connection.execute(named).fetchone():
        yield connection
        return
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        copy.execute("PRAGMA temp_store = MEMORY")
        connection.backup(copy, pages=_PAGES_AT_A_TIME)
        yield copy


def _make_tables(connection: sqlite3.Connection, tables: Tables, made: Work[None] | None) -> None:
    """Unless the file has them. Raises StoreTooNew."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise StoreTooNew(
            tr("Made by a newer Front Desk"),
            tr("What is kept on this computer was written by a newer version of Front Desk."),
        )
    if version < VERSION:
        with transaction(connection):  # all in one: the disk is waited for once
            for statement in tables:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
            if made is not None:
                made(connection)


def _make_private_file(path: Path) -> None:
    """SQLite opens whatever is there, and waits for a pipe: it must be a file before."""
    make_private_folder(path.parent)
    descriptor = open_regular(path, os.O_CREAT | os.O_RDWR)
    try:
        if os.name == "posix":
            os.fchmod(descriptor, OWNER_ONLY)
    finally:
        os.close(descriptor)
    for beside in _BESIDE:
        # Not opened: closing one would let go of the locks that this process has on it.
        with contextlib.suppress(FileNotFoundError):
            break_hard_links(path.with_name(path.name + beside))


@contextlib.contextmanager
def said_in_words() -> Iterator[None]:
    """What SQLite and the system raise inside is a StoreError, but for mistakes of the program."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise damaged(str(error)) from error
    except (sqlite3.Error, OSError) as error:
        said = store_error(error)
        if said is None:
            raise
        raise said from error
