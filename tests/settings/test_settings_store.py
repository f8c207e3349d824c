"""What somebody chose, and the file that brings it to the next start."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from app.model.errors import ExpectedError
from app.settings.settings import NameOrderChoice, Settings, SettingsStore, ThemeChoice
from tests.settings.conftest import Listener


def test_a_newcomer_has_the_defaults(folder: Path, listener: Listener) -> None:
    book = SettingsStore(folder, listener.events)
    assert book.settings == Settings(
        theme=ThemeChoice.SYSTEM,
        name_order=NameOrderChoice.FIRST_LAST,
        hold_seconds=5,
        keep_on_this_computer=True,
        motion=True,
    )
    assert not folder.exists()


def test_a_choice_holds_at_once_and_at_the_next_start(folder: Path, listener: Listener) -> None:
    book = SettingsStore(folder, listener.events)
    changed = book.change(theme=ThemeChoice.DARK, hold_seconds=0)
    assert (changed.theme, changed.hold_seconds) == (ThemeChoice.DARK, 0)
    assert listener.heard == [changed] == [book.settings]
    book.change(name_order=NameOrderChoice.LAST_FIRST, motion=False, keep_on_this_computer=False)
    assert SettingsStore(folder, listener.events).settings == Settings(
        theme=ThemeChoice.DARK,
        name_order=NameOrderChoice.LAST_FIRST,
        hold_seconds=0,
        keep_on_this_computer=False,
        motion=False,
    )


def test_choosing_what_is_chosen_already_tells_nobody(folder: Path, listener: Listener) -> None:
    book = SettingsStore(folder, listener.events)
    book.change(hold_seconds=5)
    assert listener.heard == []
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_only_its_owner_may_read_the_file(folder: Path, listener: Listener) -> None:
    SettingsStore(folder, listener.events).change(motion=False)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()] == [0o600]


def test_without_a_folder_a_choice_lasts_for_this_run(listener: Listener) -> None:
    book = SettingsStore(None, listener.events)
    book.change(hold_seconds=9)
    assert book.change(motion=False).hold_seconds == 9
    assert SettingsStore(None, listener.events).settings.hold_seconds == 5


@pytest.mark.parametrize("seconds", [-1, 31])
def test_a_hold_out_of_range_is_refused_and_changes_nothing(
    seconds: int, folder: Path, listener: Listener
) -> None:
    book = SettingsStore(folder, listener.events)
    with pytest.raises(ValueError, match="hold_seconds"):
        book.change(hold_seconds=seconds)
    assert book.settings == Settings()
    assert listener.heard == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'"dark"', b"\xff\xfe", b'{"theme": "dark"', b"[" * 100_000]
)
def test_a_damaged_file_is_set_aside_and_the_defaults_hold(
    content: bytes, folder: Path, listener: Listener
) -> None:
    folder.mkdir()
    (folder / "settings.json").write_bytes(content)
    book = SettingsStore(folder, listener.events)
    assert book.settings == Settings()
    assert (folder / "settings.damaged.json").read_bytes() == content
    book.change(hold_seconds=7)
    assert SettingsStore(folder, listener.events).settings.hold_seconds == 7


def test_what_cannot_be_understood_costs_only_itself(folder: Path, listener: Listener) -> None:
    folder.mkdir()
    written = {"theme": "sepia", "hold_seconds": 99, "motion": False, "sound": "loud"}
    (folder / "settings.json").write_text(json.dumps(written))
    assert SettingsStore(folder, listener.events).settings == Settings(motion=False)
    assert [each.name for each in folder.iterdir()] == ["settings.json"]


def test_what_a_newer_version_wrote_is_still_there_for_it(folder: Path, listener: Listener) -> None:
    folder.mkdir()
    written = {"theme": "sepia", "hold_seconds": {"add": 9}, "sound": [1], "motion": False}
    (folder / "settings.json").write_text(json.dumps(written), "utf-8")
    book = SettingsStore(folder, listener.events)
    book.change(contrast=True)
    kept = json.loads((folder / "settings.json").read_text("utf-8"))
    assert kept == {**kept, **written, "contrast": True}
    assert book.settings == Settings(motion=False, contrast=True)
    # Chosen here, it is what was chosen here.
    book.change(theme=ThemeChoice.SYSTEM)
    kept = json.loads((folder / "settings.json").read_text("utf-8"))
    assert kept == {**kept, **written, "theme": "system"}


def test_a_choice_that_cannot_be_written_holds_until_the_end(
    folder: Path, listener: Listener, full_disk: Callable[[], None]
) -> None:
    book = SettingsStore(folder, listener.events)
    book.change(hold_seconds=9)
    full_disk()
    with pytest.raises(ExpectedError, match="holds until you close the window"):
        book.change(theme=ThemeChoice.DARK)
    assert book.settings == listener.heard[-1] == Settings(hold_seconds=9, theme=ThemeChoice.DARK)
    assert [each.name for each in folder.iterdir()] == ["settings.json"]
    assert SettingsStore(folder, listener.events).settings == Settings(hold_seconds=9)


def test_what_could_not_be_written_is_written_with_the_next_choice(
    folder: Path, listener: Listener
) -> None:
    book = SettingsStore(folder, listener.events)
    book.change(motion=False)
    away = folder.rename(folder.with_name("away"))
    folder.write_text("a file where the folder belongs")
    with pytest.raises(ExpectedError):
        book.change(theme=ThemeChoice.DARK)
    folder.unlink()
    away.rename(folder)
    book.change(hold_seconds=9)
    kept = SettingsStore(folder, listener.events).settings
    assert kept == Settings(theme=ThemeChoice.DARK, hold_seconds=9, motion=False)


def test_two_windows_do_not_undo_each_others_choices(folder: Path, listener: Listener) -> None:
    one, other = (SettingsStore(folder, listener.events) for _ in range(2))
    one.change(theme=ThemeChoice.DARK)
    other.change(hold_seconds=9)
    assert other.settings == Settings(theme=ThemeChoice.DARK, hold_seconds=9)
    assert SettingsStore(folder, listener.events).settings == other.settings
