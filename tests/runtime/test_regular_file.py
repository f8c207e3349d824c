"""What stands where a file belongs: links lead nowhere, pipes and devices are not waited for."""

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.connection_file import (
    ConnectionDetails,
    ConnectionFileError,
    read_connection,
    write_connection,
)
from app.accounts.folders import AccountFolders
from app.model.person import Person
from app.runtime.data_folder import trouble_with
from app.runtime.files import KeptFile, NotRegularFileError, open_regular, save_as
from app.runtime.logging import close_log, write_log_to
from app.runtime.program_lock import ProgramLock
from app.store.cache import Cache
from app.store.database import transaction
from app.store.errors import StoreError
from app.store.outbox.outbox import OutboxStore
from app.workspace.local_files import open_local_files, unsent_in
from tests.store.outbox_entries import entry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has none of these")

Trap = Callable[[Path], None]


def a_link(path: Path) -> None:
    path.symlink_to(victim(path))


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("made-elsewhere"))


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_folder(path: Path) -> None:
    path.mkdir()


TRAPS = (a_link, a_dangling_link, a_pipe, a_device, a_folder)


def victim(path: Path) -> Path:
    """Somebody else's file, which stays as it is."""
    file = path.with_name("victim")
    if not file.exists():
        file.write_bytes(b"untouched")
        file.chmod(0o644)
    return file


def as_it_is(path: Path) -> tuple[int, int, int, int]:
    """Whether it is the same later: not when it was last looked at, which looking changes."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


@pytest.fixture(autouse=True)
def _nothing_elsewhere_changes(tmp_path: Path) -> Iterator[None]:
    file = victim(tmp_path / "any")
    level = logging.getLogger().level
    yield
    close_log()
    logging.getLogger().setLevel(level)
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"untouched", 0o644)
    assert not (tmp_path / "made-elsewhere").exists()


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_RDWR | os.O_CREAT])
def test_nothing_but_a_file_is_opened(tmp_path: Path, trap: Trap, flags: int) -> None:
    trap(tmp_path / "log")
    with pytest.raises(NotRegularFileError):
        open_regular(tmp_path / "log", flags)


def test_a_place_that_somebody_chose_may_be_a_link_to_a_file(tmp_path: Path) -> None:
    a_link(tmp_path / "chosen")
    os.close(open_regular(tmp_path / "chosen", os.O_RDONLY, follow_links=True))


@pytest.mark.parametrize("trap", TRAPS)
def test_the_log_is_written_to_a_file_or_not_at_all(tmp_path: Path, trap: Trap) -> None:
    trap(tmp_path / "frontdesk.log")
    with pytest.raises(OSError, match="regular"):
        write_log_to(tmp_path)


@pytest.mark.parametrize("trap", TRAPS)
def test_a_log_that_is_exchanged_while_it_is_written_leads_nowhere(
    tmp_path: Path, trap: Trap, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write_log_to(tmp_path)
    path.unlink()
    trap(path)
    logging.getLogger("desk").info("a line")
    close_log()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("trap", TRAPS)
def test_an_older_log_of_that_kind_costs_nothing(tmp_path: Path, trap: Trap) -> None:
    trap(tmp_path / "frontdesk.log.1")
    path = write_log_to(tmp_path)
    logging.getLogger("desk").info("a line")
    assert "a line" in path.read_text()


@pytest.mark.parametrize("trap", TRAPS)
def test_a_kept_file_is_read_from_a_file_or_not_at_all(tmp_path: Path, trap: Trap) -> None:
    trap(tmp_path / "settings.json")
    assert KeptFile(tmp_path, "settings.json").read() is None


@pytest.mark.parametrize("trap", TRAPS)
def test_a_kept_file_takes_the_place_of_nothing_that_could_not_be_read(
    tmp_path: Path, trap: Trap
) -> None:
    trap(tmp_path / "settings.json")
    before = as_it_is(tmp_path / "settings.json")
    with pytest.raises(OSError, match="regular"):
        KeptFile(tmp_path, "settings.json").write(b"mine")
    assert as_it_is(tmp_path / "settings.json") == before


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("name", ["outbox.sqlite3", "outbox.sqlite3-wal", "outbox.draft"])
def test_an_account_whose_files_are_none_is_opened_in_memory_and_says_so(
    tmp_path: Path, trap: Trap, name: str
) -> None:
    folders = AccountFolders(tmp_path / "data")
    account = Account(
        id="a", name="Riverside", base_url="https://a.example.org", auth_method=AuthMethod.KEY
    )
    trap(folders.make(account.id) / name)
    victim(folders.of(account.id) / "any")
    copy = open_local_files(folders, account, keep=True)
    assert not copy.kept
    assert "not kept" in copy.said
    copy.close_now()
    kept = unsent_in(folders, folders.of(account.id), account)
    assert kept.entries == ()
    assert bool(kept.unread) is (name != "outbox.draft")  # which is nobody who waits


@pytest.mark.parametrize("trap", TRAPS)
def test_a_half_typed_line_whose_file_is_exchanged_meanwhile_leads_nowhere(
    tmp_path: Path, trap: Trap
) -> None:
    draft = tmp_path / "outbox.draft"
    store = OutboxStore.open(tmp_path / "outbox.sqlite3")
    trap(draft)
    store.keep_draft("Ada Lovelace")
    store.close_now()
    before = as_it_is(draft)
    again = OutboxStore.open(tmp_path / "outbox.sqlite3")
    assert again.draft() == ""
    again.close_now()
    assert as_it_is(draft) == before


def test_a_half_typed_line_is_not_read_through_a_link(tmp_path: Path) -> None:
    draft, elsewhere = tmp_path / "outbox.draft", tmp_path / "elsewhere"
    store = OutboxStore.open(tmp_path / "outbox.sqlite3")
    store.keep_draft("Ada Lovelace")
    store.close_now()
    draft.rename(elsewhere)
    draft.symlink_to(elsewhere)
    store = OutboxStore.open(tmp_path / "outbox.sqlite3")
    assert store.draft() == ""
    store.close_now()


@pytest.mark.parametrize("trap", TRAPS)
def test_lists_whose_file_is_none_are_read_again_and_the_outbox_is_kept(
    tmp_path: Path, trap: Trap
) -> None:
    folders = AccountFolders(tmp_path / "data")
    account = Account(
        id="a", name="Riverside", base_url="https://a.example.org", auth_method=AuthMethod.KEY
    )
    trap(folders.make(account.id) / "cache.sqlite3")
    victim(folders.of(account.id) / "any")
    copy = open_local_files(folders, account, keep=True)
    assert copy.kept
    assert copy.said
    assert "damaged" not in copy.said
    copy.close_now()


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_database_is_a_file_with_files_beside_it(tmp_path: Path, trap: Trap, end: str) -> None:
    trap(tmp_path / f"cache.sqlite3{end}")
    with pytest.raises(StoreError):
        Cache.open(tmp_path / "cache.sqlite3")


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("end", ["", "-wal", "-journal", ".rescued"])
def test_an_outbox_is_read_from_files_or_not_at_all(tmp_path: Path, trap: Trap, end: str) -> None:
    place = tmp_path / "outbox.sqlite3"
    OutboxStore.open(place).close_now()
    place.with_name(place.name + end).unlink(missing_ok=True)
    trap(place.with_name(place.name + end))
    before = as_it_is(place.with_name(place.name + end))
    with pytest.raises(StoreError):
        OutboxStore.open(place)
    assert as_it_is(place.with_name(place.name + end)) == before
    assert [file.name for file in tmp_path.iterdir() if "damaged" in file.name] == []


@pytest.mark.parametrize("trap", TRAPS)
def test_a_lock_is_had_on_a_file_or_not_at_all(tmp_path: Path, trap: Trap) -> None:
    trap(tmp_path / "window.lock")
    with pytest.raises(NotRegularFileError):
        ProgramLock(tmp_path / "window.lock").take()


def test_a_lock_is_had_once_and_leaves_the_other_names_of_its_file_alone(tmp_path: Path) -> None:
    (tmp_path / "window.lock").hardlink_to(victim(tmp_path / "any"))
    lock = ProgramLock(tmp_path / "window.lock")
    assert lock.take()
    assert not ProgramLock(tmp_path / "window.lock").take()
    lock.release()
    assert ProgramLock(tmp_path / "window.lock").take()
    assert (tmp_path / "window.lock").samefile(victim(tmp_path / "any"))


@pytest.mark.parametrize("trap", [a_pipe, a_device, a_folder])
def test_a_connection_is_read_from_a_file_and_saved_as_one(tmp_path: Path, trap: Trap) -> None:
    trap(tmp_path / "riverside.json")
    with pytest.raises(ConnectionFileError, match="could not be opened"):
        read_connection(tmp_path / "riverside.json")
    with pytest.raises(ConnectionFileError, match="could not be saved"):
        write_connection(
            tmp_path / "riverside.json",
            ConnectionDetails(name="a", base_url="https://a.example.org"),
        )


@pytest.mark.parametrize("trap", [a_pipe, a_device, a_folder])
def test_what_is_saved_where_somebody_chose_takes_the_place_of_a_file_alone(
    tmp_path: Path, trap: Trap
) -> None:
    chosen = tmp_path / "history.csv"
    trap(chosen)
    before = as_it_is(chosen)
    with pytest.raises(OSError, match="regular"):
        save_as(chosen, b"rows")
    assert as_it_is(chosen) == before


def test_what_is_saved_under_a_link_that_somebody_chose_is_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "chosen").symlink_to(tmp_path / "file")
    for content in (b"rows", b"other rows"):
        save_as(tmp_path / "chosen", content)
        assert (tmp_path / "chosen").is_symlink()
        assert (tmp_path / "file").read_bytes() == content


@pytest.mark.parametrize("mode", [0o664, 0o644, 0o640, 0o600])
def test_what_is_saved_over_a_file_is_for_whom_that_was(tmp_path: Path, mode: int) -> None:
    chosen = tmp_path / "history.csv"
    chosen.write_bytes(b"rows")
    chosen.chmod(mode)
    save_as(chosen, b"other rows")
    assert chosen.read_bytes() == b"other rows"
    assert stat.S_IMODE(chosen.stat().st_mode) == mode


def test_what_is_saved_over_a_file_stays_with_its_group_or_is_for_no_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may give a file to any group")
    chosen = tmp_path / "history.csv"
    chosen.write_bytes(b"rows")
    os.chown(chosen, -1, 12345)
    chosen.chmod(0o664)
    save_as(chosen, b"other rows")
    assert (chosen.stat().st_gid, stat.S_IMODE(chosen.stat().st_mode)) == (12345, 0o664)

    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refused)
    save_as(chosen, b"rows again")
    assert chosen.stat().st_gid != 12345
    assert stat.S_IMODE(chosen.stat().st_mode) == 0o604


def test_a_new_file_is_its_owners_alone_but_a_connection_is_for_colleagues(tmp_path: Path) -> None:
    save_as(tmp_path / "history.csv", b"rows")
    assert stat.S_IMODE((tmp_path / "history.csv").stat().st_mode) == 0o600
    connection = ConnectionDetails(name="a", base_url="https://a.example.org")
    write_connection(tmp_path / "riverside.json", connection)
    assert stat.S_IMODE((tmp_path / "riverside.json").stat().st_mode) == 0o644


@pytest.mark.parametrize("name", ["frontdesk.log", "frontdesk.log.1"])
def test_a_log_with_another_name_goes_on_in_a_file_of_its_own(tmp_path: Path, name: str) -> None:
    (tmp_path / name).hardlink_to(victim(tmp_path / "any"))
    path = write_log_to(tmp_path)
    logging.getLogger("desk").info("a line")
    assert "a line" in path.read_text()
    assert (tmp_path / name).read_text().startswith("untouched")
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["settings.json", "window.lock"])
def test_looking_at_the_folder_takes_no_file_away_from_its_other_names(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).hardlink_to(victim(tmp_path / "any"))
    assert trouble_with(tmp_path) is None
    assert (tmp_path / name).samefile(victim(tmp_path / "any"))


def test_a_kept_file_with_another_name_is_read_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "settings.json").hardlink_to(victim(tmp_path / "any"))
    file = KeptFile(tmp_path, "settings.json")
    assert file.read() == b"untouched"
    file.write(b"mine")
    assert file.read() == b"mine"


def test_a_backup_made_of_links_stays_as_it_was(tmp_path: Path) -> None:
    left, backup = left_by_a_kill(tmp_path), tmp_path / "backup"
    shutil.copytree(left, backup, copy_function=os.link)
    before = content_of(backup)
    assert before["outbox.sqlite3-journal"]
    assert before["cache.sqlite3-wal"]
    store = OutboxStore.open(left / "outbox.sqlite3")
    assert store.draft() == "Grace"
    assert len(store.entries()) == len(KEPT)
    store.write(*map(entry, KEPT))
    store.keep_draft("Grace Hopper")
    store.close_now()
    cache = Cache.open(left / "cache.sqlite3")
    assert cache.person("1") is not None
    asyncio.run(cache.save_people([Person(id="2")]))
    cache.close_now()
    assert content_of(backup) == before
    assert content_of(left).keys() < before.keys()


KEPT = range(40)


def left_by_a_kill(tmp_path: Path) -> Path:
    """The files of an account whose program was killed in the middle of a change."""
    folder, left = tmp_path / "account", tmp_path / "left"
    store = OutboxStore.open(folder / "outbox.sqlite3")
    cache = Cache.open(folder / "cache.sqlite3")
    asyncio.run(cache.save_people([Person(id="1")]))
    store.write(*(entry(number, typed="x" * 900) for number in KEPT))
    store.keep_draft("Grace")

    def copy_in_the_middle(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA cache_size = 1")
        with transaction(connection):
            connection.execute("DELETE FROM entries")
            shutil.copytree(folder, left)

    store._database.run_now(copy_in_the_middle)
    store.close_now()
    cache.close_now()
    return left


def content_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}
