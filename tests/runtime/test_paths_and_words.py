"""Carried files are found, private folders are private, sentences take their values."""

import os
import stat
from pathlib import Path

import pytest

from app.runtime.paths import make_private_folder, resource
from app.runtime.words import tr, trn

posix = pytest.mark.skipif(os.name != "posix", reason="these are POSIX permissions")


def test_the_style_sheet_is_found_among_the_resources() -> None:
    assert (resource("style") / "frontdesk.qss").is_file()


def test_a_resource_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        resource("no-such-thing")


@posix
def test_a_folder_that_is_made_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    assert make_private_folder(tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


@posix
@pytest.mark.parametrize("mode", [0o755, 0o777, 0o2775, 0o500])
def test_a_folder_that_was_there_keeps_its_rights(tmp_path: Path, mode: int) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs").chmod(mode)
    assert stat.S_IMODE(make_private_folder(tmp_path / "theirs").stat().st_mode) == mode


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    for name in ("file", "nowhere", "file/below"):
        with pytest.raises(OSError, match=name.partition("/")[0]):
            make_private_folder(tmp_path / name)


def test_sentences_take_their_values_and_their_number() -> None:
    assert tr("Added {name}.", name="{odd}") == "Added {odd}."
    assert tr("100 % {sure}") == "100 % {sure}"
    assert trn("{n} person", "{n} people", 1) == "1 person"
    assert trn("{n} person", "{n} people", 0) == "0 people"
