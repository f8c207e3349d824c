"""Carried files are found, private folders are private, sentences take their values."""

from pathlib import Path

import pytest

from app.runtime.paths import make_private_folder, resource
from app.runtime.words import tr, trn


def test_the_style_sheet_is_found_among_the_resources() -> None:
    assert (resource("style") / "frontdesk.qss").is_file()


def test_a_resource_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        resource("no-such-thing")


def test_a_private_folder_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    assert make_private_folder(tmp_path / "open").stat().st_mode & 0o777 == 0o700
    assert make_private_folder(tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_sentences_take_their_values_and_their_number() -> None:
    assert tr("Added {name}.", name="{odd}") == "Added {odd}."
    assert tr("100 % {sure}") == "100 % {sure}"
    assert trn("{n} person", "{n} people", 1) == "1 person"
    assert trn("{n} person", "{n} people", 0) == "0 people"
