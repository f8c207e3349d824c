"""What stands where a file belongs: links lead nowhere, pipes and devices are not waited for."""

import logging
import os
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
from app.runtime.files import KeptFile, NotRegularFileError, open_regular
from app.runtime.logging import close_log, write_log_to
from app.store.cache import Cache
from app.store.errors import StoreError
from app.store.outbox import OutboxStore
from app.workspace.local_files import open_local_files, unsent_in

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
    before = (tmp_path / "settings.json").lstat()
    with pytest.raises(OSError, match="regular"):
        KeptFile(tmp_path, "settings.json").write(b"mine")
    assert (tmp_path / "settings.json").lstat() == before


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
    before = draft.lstat()
    again = OutboxStore.open(tmp_path / "outbox.sqlite3")
    assert again.draft() == ""
    again.close_now()
    assert draft.lstat() == before


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
