"""A small file of the data folder: replaced whole or not at all, and on the disk when it is."""

import os
import stat
from pathlib import Path

import pytest

from app.runtime.files import KeptFile

posix = pytest.mark.skipif(os.name != "posix", reason="these are POSIX permissions")


def test_what_was_written_last_is_read(tmp_path: Path) -> None:
    file = KeptFile(tmp_path / "desk", "list.json")
    assert file.read() is None
    assert not (tmp_path / "desk").exists()
    file.write(b"one")
    file.write(b"two")
    assert file.read() == b"two"
    assert [path.name for path in (tmp_path / "desk").iterdir()] == ["list.json"]


@posix
def test_only_its_owner_may_look_even_where_everybody_could_before(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)  # somebody else's choice, and none of ours
    path = tmp_path / "list.json"
    path.write_bytes(b"open")
    path.chmod(0o644)
    KeptFile(tmp_path, "list.json").write(b"mine")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@posix
def test_the_file_is_on_the_disk_before_its_name_and_the_name_before_it_counts_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[str] = []

    def note(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        named = (tmp_path / "list.json").exists()
        settled.append(f"{'folder' if is_folder else 'file'}, {'named' if named else 'unnamed'}")

    monkeypatch.setattr(os, "fsync", note)
    KeptFile(tmp_path, "list.json").write(b"one")
    assert settled == ["file, unnamed", "folder, named"]


def test_a_folder_that_cannot_be_settled_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    file = KeptFile(tmp_path, "list.json")
    file.write(b"one")
    assert file.read() == b"one"


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = KeptFile(tmp_path, "list.json")
    file.write(b"one")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        file.write(b"two")
    assert file.read() == b"one"
    assert [path.name for path in tmp_path.iterdir()] == ["list.json"]


def test_what_was_set_aside_goes_with_the_file(tmp_path: Path) -> None:
    file = KeptFile(tmp_path, "list.json")
    file.write(b"{")
    file.set_aside()
    assert (tmp_path / "list.damaged.json").read_bytes() == b"{"
    assert file.read() is None
    file.write(b"[]")
    assert file.delete()
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_nothing_is_kept() -> None:
    file = KeptFile(None, "list.json")
    file.write(b"one")
    file.set_aside()
    assert (file.read(), file.delete()) == (None, True)
