"""What is wrong with the data folder is known before anything is read or written there."""

import errno
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from app.runtime.data_folder import trouble_with

posix = pytest.mark.skipif(sys.platform == "win32", reason="these are POSIX files")
NAMES = (
    "accounts.json",
    "settings.json",
    "places.json",
    "frontdesk.log",
    "window.lock",
)


def sentence(folder: Path) -> str:
    trouble = trouble_with(folder)
    return trouble.sentence if trouble is not None else ""


def test_a_folder_that_can_be_used_is_made_and_left_empty(tmp_path: Path) -> None:
    assert sentence(tmp_path / "a" / "desk") == ""
    assert list((tmp_path / "a" / "desk").iterdir()) == []


@posix
def test_one_with_our_own_files_in_it_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "accounts").mkdir()
    for name in NAMES:
        (tmp_path / name).write_bytes(b"kept")
    assert sentence(tmp_path) == ""
    assert {(tmp_path / name).read_bytes() for name in NAMES} == {b"kept"}


@posix
@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "dangling link"])
@pytest.mark.parametrize("name", NAMES)
def test_each_name_that_stands_for_something_else_is_said(
    tmp_path: Path, name: str, kind: str
) -> None:
    (tmp_path / "there").touch()
    if kind == "folder":
        (tmp_path / name).mkdir()
    elif kind == "pipe":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to(tmp_path / ("there" if kind == "link" else "nowhere"))
    said = sentence(tmp_path)
    assert name in said
    assert str(tmp_path) in said
    assert not (tmp_path / "nowhere").exists()


@posix
def test_all_of_them_are_said_at_once(tmp_path: Path) -> None:
    for name in (*NAMES, "accounts"):
        os.mkfifo(tmp_path / name)
    assert all(
        name in sentence(tmp_path) for name in (*NAMES, "place of accounts.json", "accounts")
    )


@posix
def test_what_is_typed_without_the_folder_of_the_accounts_is_said_to_be_lost_with_the_window(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "settings.json")
    assert "What you type is not kept" not in sentence(tmp_path)
    os.mkfifo(tmp_path / "accounts")
    assert "What you type is not kept when this window closes." in sentence(tmp_path)


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["y" * 200] * 30)])
def test_a_name_that_is_too_long_is_said_shortly(tmp_path: Path, name: str) -> None:
    said = sentence(tmp_path / name)
    assert "its name is too long" in said
    assert len(said) < 500


@posix
def test_a_file_in_its_place_and_a_place_that_is_not_ours_are_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "there is a file of that name" in sentence(tmp_path / "file")
    assert "there is a file of that name" in sentence(tmp_path / "file" / "below")
    assert "cannot be made or written to" in sentence(Path("/proc/frontdesk"))


def test_a_disk_that_is_full_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> object:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    assert "no room left" in sentence(tmp_path)


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="its file system takes UTF-8 alone")
def test_a_name_that_is_no_text_is_used_and_can_be_shown(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    assert sentence(folder) == ""
    assert stat.S_ISDIR(folder.stat().st_mode)
    (folder / "settings.json").mkdir()
    sentence(folder).encode()
