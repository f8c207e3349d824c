"""A disk that is full, closed or busy: it is said, what was kept is kept, and it goes on."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path

import filelock  # noqa: F401 - loaded before this process gives up its rights
import pytest

from app.model.errors import ExpectedError
from app.model.outbox import OutboxEntry
from app.store.errors import StoreError
from app.store.outbox import outbox as outbox_module
from app.store.outbox.outbox import OutboxStore
from tests.store.conftest import may_mount
from tests.store.outbox_entries import entry

LONG = "x" * 30_000
NOBODY = 65534


def fill(disk: Path) -> Path:
    """Leave no room on the disk; gives what is in the way."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue
    return filler


@may_mount
def test_a_full_disk_refuses_what_is_new_and_keeps_what_was_acknowledged(small_disk: Path) -> None:
    file = small_disk / "one" / "outbox.sqlite3"
    store = OutboxStore.open(file)
    store.write(entry(1))
    filler = fill(small_disk)
    refused(lambda: store.write(entry(2, typed=LONG)), "full")
    store.keep_draft("Grace")
    assert store.entries() == (entry(1),)
    filler.unlink()
    store.write(entry(2, typed=LONG))
    store.close_now()
    store = OutboxStore.open(file)
    assert store.entries() == (entry(1), entry(2, typed=LONG))
    store.close_now()


@may_mount
def test_an_outbox_that_was_closed_on_a_full_disk_opens_with_everything(small_disk: Path) -> None:
    file = small_disk / "one" / "outbox.sqlite3"
    store = OutboxStore.open(file)
    typed = (entry(number, typed=LONG[:3000]) for number in range(500))
    kept = list(takewhile(partial(fits, store), typed))
    assert 10 < len(kept) < 500
    store.close_now()
    store = OutboxStore.open(file)
    assert store.rescue is None
    assert store.entries() == tuple(kept)
    store.close_now()


@may_mount
def test_a_full_disk_keeps_a_damaged_outbox_from_being_set_aside_but_not_from_being_there(
    small_disk: Path,
) -> None:
    file = small_disk / "one" / "outbox.sqlite3"
    store = OutboxStore.open(file)
    store.write(entry(1))
    store.close_now()
    file.write_bytes(bytes(100) + file.read_bytes()[100:])
    before = file.read_bytes()
    filler = fill(small_disk)
    refused(lambda: OutboxStore.open(file), "full")
    assert file.read_bytes() == before
    filler.unlink()
    store = OutboxStore.open(file)
    assert [one.id for one in store.entries()] == [entry(1).id]
    store.close_now()


def test_a_file_that_may_not_grow_refuses_and_goes_on_later(tmp_path: Path) -> None:
    store = OutboxStore.open(tmp_path / "one" / "outbox.sqlite3")
    store.write(entry(1))
    limit(store, 1)
    refused(lambda: store.write(entry(2), entry(3, typed=LONG), clear_draft=True), "full")
    assert store.entries() == (entry(1),)
    limit(store, 1_000_000)
    store.write(entry(2), entry(3, typed=LONG))
    assert len(store.entries()) == 3
    store.close_now()


def limit(store: OutboxStore, pages: int) -> None:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    store._database.run_now(work)


def test_a_file_that_another_program_holds_refuses_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "_LOCK_TIMEOUT", 0.02)
    file = tmp_path / "one" / "outbox.sqlite3"
    store = OutboxStore.open(file)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused(lambda: store.write(entry(1)), "")
    other.execute("ROLLBACK")
    other.close()
    assert store.entries() == ()
    store.write(entry(1))
    assert store.entries() == (entry(1),)
    store.close_now()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_folder_that_is_closed_is_said_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    with somebody_else():
        refused(lambda: OutboxStore.open(folder / "one" / "outbox.sqlite3"), "")
    assert list(folder.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("not a folder")
    refused(lambda: OutboxStore.open(tmp_path / "one" / "outbox.sqlite3"), "")


@contextlib.contextmanager
def somebody_else() -> Iterator[None]:
    """Without root's right to go anywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def fits(store: OutboxStore, one: OutboxEntry) -> bool:
    """Write it, if there is room."""
    try:
        store.write(one)
    except StoreError:
        return False
    return True


def refused(work: Callable[[], object], word: str) -> None:
    """It ends in a sentence for a person that has the word in it."""
    with pytest.raises(StoreError) as caught:
        work()
    assert isinstance(caught.value, ExpectedError)
    assert word in str(caught.value)
