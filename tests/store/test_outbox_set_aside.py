"""An account that had another address for a while: whoever was set aside meanwhile comes back."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import checks
import msgspec
import pytest

from app.model.outbox import EntryState, OutboxEntry
from app.store.outbox import damaged_file
from app.store.outbox.outbox import OutboxStore, Rescue
from app.store.outbox.owner import set_aside_for, set_aside_for_others
from app.store.schema import VERSION
from tests.store.outbox_entries import NOON, entry, ids

HERE = "one https://a.example.org"
THERE = "one https://b.example.org"
ELSEWHERE = "one https://c.example.org"
HALF_TYPED = "Grace Ho"


@pytest.fixture
def file() -> Iterator[Path]:
    """The file of an outbox that is not there yet: in memory where there is such a disk."""
    with tempfile.TemporaryDirectory(dir=checks.own_folder()) as name:
        yield Path(name) / "accounts" / "one" / "outbox.sqlite3"


def opened(file: Path, account: str, *write: OutboxEntry, draft: str = "") -> OutboxStore:
    store = OutboxStore.open(file, account)
    if write:
        store.write(*write)
    if draft:
        store.keep_draft(draft)
    return store


def visited(file: Path, account: str, *write: OutboxEntry, draft: str = "") -> None:
    """Somebody has the account at this address, adds people and closes."""
    opened(file, account, *write, draft=draft).close_now()


def tell_all(store: OutboxStore) -> list[Rescue]:
    """What a person reads, one after the other."""
    told = []
    while (rescue := store.rescue) is not None:
        told.append(rescue)
        store.rescue_was_told()
    return told


def aside(file: Path) -> list[Path]:
    """What lies beside the account's folder."""
    return sorted(file.parent.parent.glob("outbox-*"))


def added(number: int) -> OutboxEntry:
    return entry(number, EntryState.ADDED, person_id=f"p{number}", ended_at=entry(number).typed_at)


def test_who_was_set_aside_is_there_again_at_the_old_address(file: Path) -> None:
    visited(file, HERE, entry(1), entry(2, EntryState.NOT_SURE), added(3), draft=HALF_TYPED)
    visited(file, THERE)
    for _ in range(2):
        store = opened(file, HERE)
        assert store.entries() == (entry(1), entry(2, EntryState.NOT_SURE))
        assert store.latest() == (added(3),)
        assert (store.draft(), store.rescue) == (HALF_TYPED, None)
        assert aside(file) == []
        store.close_now()


def test_people_of_both_addresses_stay_apart_however_often_it_changes(file: Path) -> None:
    visited(file, HERE, entry(1), draft="here")
    visited(file, THERE, entry(2), draft="there")
    for _ in range(3):
        for account, number, draft in ((HERE, 1, "here"), (THERE, 2, "there")):
            store = opened(file, account)
            assert (ids(store.entries()), store.draft()) == (ids([entry(number)]), draft)
            store.close_now()
    assert len([one for one in aside(file) if one.suffix == ".sqlite3"]) == 1


def test_each_is_there_once_and_in_order_where_others_were_added_meanwhile(
    file: Path, tmp_path: Path
) -> None:
    """As where the file was out of reach for a while."""
    visited(file, HERE, entry(1), entry(5), entry(6), added(2), added(8), draft="older")
    visited(file, THERE)
    hidden = [(one, shutil.move(one, tmp_path / one.name)) for one in aside(file)]
    sent = msgspec.structs.replace(added(6), ended_at=NOON.replace(minute=9))
    visited(file, HERE, entry(3), added(4), sent, draft="newer")
    for there, here in hidden:
        shutil.move(here, there)
    store = opened(file, HERE)
    assert ids(store.entries()) == ids([entry(1), entry(3), entry(5)])
    assert ids(store.latest()) == ids([added(2), added(4), added(8), sent])
    assert store.draft() == "newer"
    store.close_now()


def test_nobody_is_alarmed_about_a_file_with_nobody_in_it(file: Path) -> None:
    visited(file, HERE)
    for account in (THERE, HERE, ELSEWHERE):
        store = opened(file, account)
        assert store.rescue is None
        assert aside(file) == []
        store.close_now()


def test_a_rescue_is_told_though_the_address_changes_before_anybody_reads_it(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE, entry(2), entry(3))
    store = opened(file, ELSEWHERE)
    told = [one.names for one in tell_all(store)]
    assert told == [("Łucja1 Lovelace",), ("山田2 Lovelace", "O'Brien3 Lovelace")]
    store.close_now()
    store = opened(file, ELSEWHERE)
    assert store.rescue is None
    store.close_now()


def test_what_is_told_later_is_still_true(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE, entry(2))
    visited(file, ELSEWHERE)
    store = opened(file, HERE)
    assert [one.names for one in tell_all(store)] == [("山田2 Lovelace",)]
    store.close_now()


def test_a_damaged_file_keeps_what_nobody_was_told_of_the_one_before(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE, entry(2))
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE entries SET state = 'sent'")
    store = opened(file, THERE)
    assert [one.other_account for one in tell_all(store)] == [True, False]
    store.close_now()


def test_a_file_that_was_damaged_while_it_lay_aside_comes_back_as_not_sure(file: Path) -> None:
    visited(file, HERE, entry(1), added(2))
    visited(file, THERE)
    (there,) = aside(file)
    there.write_bytes(there.read_bytes().replace(b'"revision":1', b'"revision":7', 1))
    for _ in range(2):
        store = opened(file, HERE)
        kept = [*store.entries(), *store.latest()]
        assert len(kept) == 1
        assert all(one.state in {EntryState.NOT_SURE, EntryState.ADDED} for one in kept)
        assert store.rescue is not None
        assert store.rescue.may_miss
        assert Path(store.rescue.path).exists()
        assert aside(file) == []
        store.close_now()


def test_a_line_that_has_become_an_entry_makes_room_for_the_one_set_aside(file: Path) -> None:
    visited(file, HERE, draft=HALF_TYPED)
    visited(file, THERE)
    there = aside(file)
    hidden = [one.rename(file.parent.parent.parent / one.name) for one in there]
    store = opened(file, HERE, draft="Ada")
    store.write(entry(1), clear_draft=True)
    store.close_now()
    for one, place in zip(hidden, there, strict=True):
        one.rename(place)
    for _ in range(2):
        store = opened(file, HERE)
        assert (ids(store.entries()), store.draft()) == (ids([entry(1)]), HALF_TYPED)
        store.close_now()


def test_what_holds_people_back_holds_them_back_again(file: Path) -> None:
    store = opened(file, HERE, entry(1))
    store.set_metadata("held", "yes")
    store.close_now()
    visited(file, THERE)
    store = opened(file, HERE)
    assert store.metadata("held") == "yes"
    store.close_now()


@pytest.mark.skipif(os.name != "posix", reason="pipes and links")
def test_what_is_no_file_is_passed_over(file: Path) -> None:
    visited(file, HERE)
    folder = file.parent.parent
    os.mkfifo(folder / "outbox-other-account-2024-05-03.sqlite3")
    (folder / "outbox-other-account-2024-05-04.sqlite3").symlink_to(file)
    (folder / "outbox-other-account-2024-05-05.sqlite3").mkdir()
    (folder / "outbox-other-account-2024-05-06.sqlite3").write_text("no database")
    visited(file, HERE)
    assert len(aside(file)) == 4


def test_a_damaged_number_of_the_version_keeps_nobody_waiting(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE)
    (there,) = aside(file)
    with contextlib.closing(sqlite3.connect(there)) as connection:
        connection.execute("PRAGMA user_version = 65")
    store = opened(file, HERE)
    assert (ids(store.entries()), store.rescue) == (ids([entry(1)]), None)
    store.close_now()


def test_a_file_of_a_newer_version_waits_where_it_lies(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE)
    (there,) = aside(file)
    for version, back in ((VERSION + 1, []), (VERSION, [entry(1)])):
        with contextlib.closing(sqlite3.connect(there)) as connection, connection:
            connection.execute(f"PRAGMA user_version = {version}")
            said = (str(version),)
            connection.execute("UPDATE facts SET value = ? WHERE name = 'version'", said)
        store = opened(file, HERE)
        assert ids(store.entries()) == ids(back)
        assert there.exists() is not bool(back)
        store.close_now()


def cut(data: bytes) -> bytes:
    return data[:60_000]


def without_first_page(data: bytes) -> bytes:
    return bytes(8192) + data[8192:]


@pytest.mark.parametrize("damage", [cut, without_first_page])
def test_whoever_stands_whole_in_a_file_that_no_longer_says_for_whom_it_is_comes_back(
    file: Path, damage: Callable[[bytes], bytes]
) -> None:
    people = [entry(number) for number in range(1, 9)]
    visited(file, HERE, *people)
    store = opened(file, THERE)
    tell_all(store)
    store.close_now()
    (there,) = aside(file)
    there.write_bytes(damage(there.read_bytes()))
    visited(file, ELSEWHERE)
    assert there in aside(file)
    store = opened(file, HERE)
    assert {one.id for one in store.entries()} == {one.id for one in people}
    assert all(one.state is EntryState.NOT_SURE for one in store.entries())
    assert store.rescue is not None
    assert (store.rescue.entries, store.rescue.may_miss) == (8, True)
    store.close_now()


def test_a_damaged_file_is_still_known_as_an_accounts_at_any_address(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE)
    (there,) = aside(file)
    there.write_bytes(bytes(8192) + there.read_bytes()[8192:])
    assert set_aside_for(file, "one") == [there]
    assert set_aside_for(file, "two") == []
    assert set_aside_for_others(file.parent.parent, file.name, {"one"}) == []
    assert set_aside_for_others(file.parent.parent, file.name, {"two"}) == [there]


def test_a_folder_in_the_place_of_a_half_typed_line_holds_nobody_back(file: Path) -> None:
    visited(file, HERE, entry(1))
    visited(file, THERE)
    (there,) = aside(file)
    there.with_suffix(".draft").mkdir()
    for _ in range(2):
        store = opened(file, HERE)
        assert ids(store.entries()) == ids([entry(1)])
        store.close_now()


def test_a_file_that_asks_for_an_answer_without_end_is_given_up(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(damaged_file, "_LONGEST_LOOK", 0.2)
    visited(file, HERE, entry(1))
    visited(file, THERE)
    (there,) = aside(file)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    with contextlib.closing(sqlite3.connect(there)) as connection, connection:
        connection.execute("DROP TABLE facts")
        view = "CREATE VIEW facts AS {} SELECT 'name' AS name, max(x) AS value FROM n"
        connection.execute(view.format(endless))
    store = opened(file, HERE)
    assert {one.id for one in store.entries()} == {entry(1).id}
    store.close_now()


def test_a_rescue_that_does_not_say_what_it_is_of_takes_its_place_and_costs_no_file(
    file: Path,
) -> None:
    visited(file, "", entry(1))
    rescued = file.with_name(f"{file.name}.rescued")
    visited(rescued, "", entry(2))
    store = opened(file, "")
    assert ids(store.entries()) == ids((entry(2),))
    store.close_now()
    (damaged,) = file.parent.glob("*damaged*")
    assert damaged != file
    store = opened(damaged, "")
    assert ids(store.entries()) == ids((entry(1),))
    store.close_now()
    assert not rescued.exists()
