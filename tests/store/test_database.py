"""The thread, the two ways in, and what is left on the disk."""

import asyncio
import ctypes
import ctypes.util
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.database import Database, transaction
from app.store.errors import StoreDamaged, StoreError, StoreTooNew

WORDS = ("CREATE TABLE words (word TEXT)",)


def add(word: str) -> Callable[[sqlite3.Connection], None]:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO words (word) VALUES (?)", (word,))

    return work


def all_words(connection: sqlite3.Connection) -> list[str]:
    return [word for (word,) in connection.execute("SELECT word FROM words")]


async def test_what_was_written_on_the_thread_is_read_at_once(path: Path | None) -> None:
    database = Database(path, WORDS, durable=False)
    await database.run(add("ada"))
    assert database.read(all_words) == ["ada"]
    await database.close()


async def test_what_was_read_of_a_file_is_held_until_it_is_let_go_of(tmp_path: Path) -> None:
    database = Database(tmp_path / "file.db", WORDS, durable=False)
    library = ctypes.CDLL(ctypes.util.find_library("sqlite3"))
    library.sqlite3_memory_used.restype = ctypes.c_int64
    if not library.sqlite3_memory_used():
        pytest.skip("Python has another SQLite of its own")
    for _ in range(500):
        await database.run(add("a" * 1_000))
    assert len(database.read(all_words)) == 500
    before = library.sqlite3_memory_used()
    await database.let_go_of_pages()
    assert before - library.sqlite3_memory_used() > 500_000
    assert len(database.read(all_words)) == 500
    await database.close()
    await database.let_go_of_pages()  # what comes late has nothing to do


async def test_work_is_done_in_the_order_it_was_asked_for_on_one_thread(path: Path | None) -> None:
    database = Database(path, WORDS, durable=False)
    threads = await asyncio.gather(*(database.run(lambda _: threading.get_ident()),) * 3)
    await asyncio.gather(*(database.run(add(word)) for word in "abc"))
    assert len({*threads}) == 1
    assert threading.get_ident() not in threads
    assert database.read(all_words) == ["a", "b", "c"]
    await database.close()


async def test_both_threads_may_ask_the_same_at_once(path: Path | None) -> None:
    """Seen from Python 3.12 on, in memory: "bad parameter or other API misuse"."""
    database = Database(path, WORDS, durable=False)
    await database.run(add("ada"))

    def ask(connection: sqlite3.Connection) -> int:
        question = "SELECT count(*) FROM words WHERE word = ?"
        asked = (connection.execute(question, ("ada",)).fetchone()[0] for _ in range(5_000))
        return sum(asked)

    asking = database.submit(ask)
    assert database.read(ask) == 5_000
    assert asking.result() == 5_000
    await database.close()


async def test_closing_ends_the_thread_and_refuses_more_work(path: Path | None) -> None:
    before = threading.active_count()
    database = Database(path, WORDS, durable=True)
    last = asyncio.gather(database.run(add("last")))
    await asyncio.sleep(0)
    await database.close()
    await database.close()
    await last
    assert threading.active_count() == before
    with pytest.raises(RuntimeError):
        await database.run(add("late"))


async def test_who_is_cancelled_can_still_put_away_what_was_begun() -> None:
    database = Database(None, WORDS, durable=False)
    put_away = False

    def note(_connection: sqlite3.Connection) -> None:
        nonlocal put_away
        put_away = True

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await database.run(note)

    task = asyncio.get_running_loop().create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert put_away
    await database.close()


async def test_a_cancelled_caller_is_told_what_was_done_and_cancelled_then() -> None:
    database = Database(None, WORDS, durable=False)
    go_on = threading.Event()
    told: list[str] = []

    async def caller() -> None:
        told.append(await database.run(lambda _: str(go_on.wait())))
        await asyncio.sleep(0)
        told.append("not cancelled")

    task = asyncio.get_running_loop().create_task(caller())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["True"]
    await database.close()


async def test_a_cancelled_caller_who_asks_for_more_once_it_is_closed_is_cancelled() -> None:
    database = Database(None, WORDS, durable=False)
    go_on = threading.Event()

    async def caller() -> None:
        await database.run(lambda _: go_on.wait())
        await database.run(add("more"))

    task = asyncio.get_running_loop().create_task(caller())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await database.close()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_deadline_around_work_still_ends_in_a_timeout() -> None:
    database = Database(None, WORDS, durable=False)
    go_on = threading.Event()
    asyncio.get_running_loop().call_later(0.05, go_on.set)

    async def wait_too_long() -> None:
        async with asyncio.timeout(0.01):
            await database.run(lambda _: go_on.wait())
            await asyncio.sleep(1)

    with pytest.raises(TimeoutError):
        await wait_too_long()
    await database.close()


async def test_a_reader_of_a_file_does_not_wait_for_a_transaction(tmp_path: Path) -> None:
    database = Database(tmp_path / "kept" / "words.db", WORDS, durable=False)
    loop, begun, go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def slowly(connection: sqlite3.Connection) -> None:
        with transaction(connection):
            add("ada")(connection)
            loop.call_soon_threadsafe(begun.set)
            go_on.wait()

    writing = asyncio.gather(database.run(slowly))
    await begun.wait()
    assert database.read(all_words) == []
    go_on.set()
    await writing
    assert database.read(all_words) == ["ada"]
    await database.close()


async def test_half_a_piece_of_work_is_not_kept(path: Path | None) -> None:
    database = Database(path, WORDS, durable=False)

    def half(connection: sqlite3.Connection) -> None:
        with transaction(connection):
            add("ada")(connection)
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the test's own
        await database.run(half)
    assert database.read(all_words) == []
    await database.close()


async def test_a_file_whose_tables_could_not_be_made_is_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "words.db"
    with pytest.raises(sqlite3.OperationalError):
        Database(path, (*WORDS, "nonsense"), durable=False)
    await Database(path, WORDS, durable=False).close()


async def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "words.db"
    database = Database(path, WORDS, durable=False)
    await database.run(lambda c: c.execute("PRAGMA user_version = 2"))
    await database.close()
    with pytest.raises(StoreTooNew):
        Database(path, WORDS, durable=False)


async def test_while_the_file_is_replaced_a_read_is_told_that_it_is_damaged(
    path: Path | None,
) -> None:
    database = Database(path, WORDS, durable=False)
    await database.run(add("ada"))
    go_on = threading.Event()
    held = asyncio.ensure_future(database.run(lambda _: go_on.wait()))
    replaced = [asyncio.ensure_future(database.start_afresh()) for _ in range(2)]
    await asyncio.sleep(0)
    try:
        with pytest.raises(StoreDamaged):
            database.read(all_words)
    finally:
        go_on.set()
    await asyncio.gather(held, *replaced)
    assert database.read(all_words) == []
    await database.run(add("bob"))
    assert database.read(all_words) == ["bob"]
    await database.close()


async def test_a_file_that_could_not_be_replaced_is_replaced_once_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "words.db"
    database = Database(path, WORDS, durable=False)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError):
        await database.start_afresh()
    with pytest.raises(StoreDamaged):
        await database.run(all_words)
    with pytest.raises(StoreDamaged):
        database.read(all_words)
    path.rmdir()
    await database.start_afresh()
    await database.run(add("ada"))
    assert database.read(all_words) == ["ada"]
    await database.close()


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a person's folder by other means")
async def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "words.db"
    path.parent.mkdir(mode=0o755)
    path.touch(0o644)
    database = Database(path, WORDS, durable=False)
    await database.run(add("ada"))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755
    files = sorted(path.parent.iterdir())
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    await database.close()


@pytest.mark.parametrize(
    ("durable", "journal", "mode"),
    [pytest.param(False, "wal", 1, id="cache"), pytest.param(True, "truncate", 3, id="precious")],
)
async def test_a_file_has_the_journal_and_is_as_durable_as_asked(
    tmp_path: Path, durable: bool, journal: str, mode: int
) -> None:
    database = Database(tmp_path / "kept" / "words.db", WORDS, durable=durable)
    assert await database.run(lambda c: c.execute("PRAGMA journal_mode").fetchone()) == (journal,)
    assert await database.run(lambda c: c.execute("PRAGMA synchronous").fetchone()) == (mode,)
    await database.close()


async def test_the_way_in_for_painting_cannot_write_to_a_file(tmp_path: Path) -> None:
    database = Database(tmp_path / "kept" / "words.db", WORDS, durable=False)
    with pytest.raises(StoreError):
        database.read(add("ada"))
    await database.close()


def test_a_file_that_is_no_database_is_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "words.db"
    path.parent.mkdir()
    path.write_bytes(b"not a database, by any means. " * 100)
    with pytest.raises(StoreDamaged):
        Database(path, WORDS, durable=False)


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file stands here")
    with pytest.raises(StoreError) as raised:
        Database(tmp_path / "kept" / "words.db", WORDS, durable=False)
    assert str(tmp_path) not in raised.value.message
