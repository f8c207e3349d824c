"""Where somebody was in each account, and what is left of it when they do not want it kept."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from app.settings.saved_states import SavedState, SavedStateStore

FLOWS = SavedState(tab=1, columns={"name": 240, "email": 180}, chosen_flow="12", window="AdnQ")
PEOPLE = SavedState(sort="added", descending=True, filter="volunteers", chosen_person="77")


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir()) if folder.exists() else []


def test_an_account_begins_where_a_newcomer_begins(folder: Path) -> None:
    assert SavedStateStore(folder).of("a") == SavedState()
    assert not folder.exists()


def test_each_account_has_its_own_place_at_the_next_start(folder: Path) -> None:
    book = SavedStateStore(folder)
    book.keep("a", FLOWS)
    book.keep("b", PEOPLE)
    again = SavedStateStore(folder)
    assert (again.of("a"), again.of("b"), again.of("c")) == (FLOWS, PEOPLE, SavedState())


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_only_its_owner_may_read_the_places(folder: Path) -> None:
    SavedStateStore(folder).keep("a", FLOWS)
    assert [stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()] == [0o600]


def test_a_place_that_did_not_change_is_not_written_again(folder: Path) -> None:
    book = SavedStateStore(folder)
    book.keep("a", FLOWS)
    before = (folder / "places.json").stat().st_ino
    book.keep("a", FLOWS)
    assert (folder / "places.json").stat().st_ino == before


def test_only_the_accounts_used_last_keep_their_place(folder: Path) -> None:
    book = SavedStateStore(folder)
    for number in range(19):
        book.keep(f"a{number}", SavedState(tab=number))
    book.keep("a0", SavedState(tab=100))
    book.keep("one more", PEOPLE)
    book.keep("and another", FLOWS)
    assert (book.of("a0").tab, book.of("a1").tab, book.of("a2").tab) == (100, 0, 2)
    assert len(json.loads((folder / "places.json").read_text())) == 20


def test_a_forgotten_account_leaves_nothing_and_stays_forgotten(folder: Path) -> None:
    book = SavedStateStore(folder)
    book.keep("a", FLOWS)
    book.keep("b", PEOPLE)
    assert book.forget("a")
    book.keep("a", FLOWS)  # its page was still closing
    assert SavedStateStore(folder).of("a") == SavedState()
    assert set(json.loads((folder / "places.json").read_text())) == {"b"}
    assert SavedStateStore(folder).of("b") == PEOPLE


def test_forgetting_is_not_claimed_when_the_file_cannot_be_written(
    folder: Path, full_disk: Callable[[], None]
) -> None:
    book = SavedStateStore(folder)
    for account in ("a", "b"):
        book.keep(account, FLOWS)
    full_disk()
    assert not book.forget("a")
    assert book.forget("never seen")


def test_a_place_that_cannot_be_written_harms_nobody(
    folder: Path, full_disk: Callable[[], None]
) -> None:
    book = SavedStateStore(folder)
    full_disk()
    book.keep("a", FLOWS)
    assert names(folder) == []


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"a": 1'])
def test_damaged_places_are_set_aside(content: bytes, folder: Path) -> None:
    folder.mkdir()
    (folder / "places.json").write_bytes(content)
    book = SavedStateStore(folder)
    assert book.of("a") == SavedState()
    book.keep("a", FLOWS)
    assert SavedStateStore(folder).of("a") == FLOWS
    assert names(folder) == ["places.damaged.json", "places.json"]


def test_one_account_that_cannot_be_read_costs_only_itself(folder: Path) -> None:
    folder.mkdir()
    written = {"a": {"tab": "first"}, "b": {"tab": 1, "of a later version": []}}
    (folder / "places.json").write_text(json.dumps(written))
    book = SavedStateStore(folder)
    assert (book.of("a"), book.of("b")) == (SavedState(), SavedState(tab=1))
    assert book.forget("a")
    assert set(json.loads((folder / "places.json").read_text())) == {"b"}


def test_keeping_nothing_deletes_the_file_and_places_last_for_this_run(folder: Path) -> None:
    folder.mkdir()
    (folder / "places.damaged.json").write_text("from an earlier damage")
    book = SavedStateStore(folder)
    book.keep("a", FLOWS)
    assert book.keep_on_disk(on=False)
    assert names(folder) == []
    book.keep("b", PEOPLE)
    assert (book.of("a"), book.of("b")) == (FLOWS, PEOPLE)
    assert names(folder) == []
    assert book.keep_on_disk(on=True)
    assert SavedStateStore(folder).of("b") == PEOPLE


def test_a_start_that_keeps_nothing_leaves_nothing_from_before(folder: Path) -> None:
    SavedStateStore(folder).keep("a", FLOWS)
    assert SavedStateStore(folder, on_disk=False).of("a") == SavedState()
    assert names(folder) == []


def test_without_a_folder_there_is_nothing_to_keep_on(folder: Path) -> None:
    book = SavedStateStore(None)
    book.keep("a", FLOWS)
    assert book.keep_on_disk(on=True)
    assert (book.of("a"), book.forget("a"), book.of("a")) == (FLOWS, True, SavedState())
    assert not folder.exists()
