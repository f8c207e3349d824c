"""Where an account's local copy lies, and that nothing of it is left once it was taken away."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.folders import CACHE, OUTBOX, AccountFolders, id_of_address
from app.model.outbox import Batch, BatchRow, EntryState
from app.model.person import Person
from app.outbox.unsent_people import UnsentPeople
from app.store.outbox.outbox import OutboxStore
from app.store.outbox.reviews import KeptReview
from app.viewmodels.notices import rescued
from app.workspace.local_files import (
    LocalFiles,
    Unsent,
    forget_files,
    in_memory,
    open_local_files,
    take_away,
    unsent_in,
    with_set_aside,
)
from tests.store.outbox_entries import NOON, entry, ids

ACCOUNT = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def folders(tmp_path: Path) -> AccountFolders:
    return AccountFolders(tmp_path / "data")


def kept(
    folders: AccountFolders,
    *,
    keep: bool = True,
    account_id: str = ACCOUNT,
    address: str = "https://a.example.org",
) -> LocalFiles:
    return open_local_files(folders, of(account_id, address), keep=keep)


def of(account_id: str = ACCOUNT, address: str = "https://a.example.org") -> Account:
    return Account(id=account_id, name="Office", base_url=address, auth_method=AuthMethod.KEY)


def test_every_folder_and_file_is_for_its_owner_alone(
    folders: AccountFolders, tmp_path: Path
) -> None:
    copy = kept(folders)
    made = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}
    copy.close_now()
    assert {CACHE, OUTBOX} <= {path.name for path in made}
    if os.name == "posix":
        assert {path: mode for path, mode in modes.items() if mode & 0o077} == {}


def test_an_id_that_is_no_plain_word_leads_to_no_other_folder(
    folders: AccountFolders, tmp_path: Path
) -> None:
    for strange in ("..", "../../elsewhere", "", "a/b", "con\x00", "x" * 200):
        assert folders.of(strange).parent == tmp_path / "data" / "accounts"
        assert len(folders.of(strange).name) == 64


def test_an_address_has_the_same_id_at_every_start_and_another_address_another() -> None:
    one, other = "https://a.example.org", "https://b.example.org"
    assert id_of_address(one) == id_of_address(one) != id_of_address(other)


def test_what_was_forgotten_leaves_no_byte(folders: AccountFolders, tmp_path: Path) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    (folders.of(ACCOUNT) / "outbox-damaged-2024-05-03.sqlite3").write_text("Ada")
    assert folders.forget(ACCOUNT)
    assert list((tmp_path / "data").rglob("*")) == []


def test_who_was_set_aside_is_counted_before_the_account_is_forgotten_and_goes_with_it(
    folders: AccountFolders, tmp_path: Path
) -> None:
    """However often its address was changed; another account's, from its place, stays."""
    for number, (account_id, address) in enumerate(
        [
            (ACCOUNT, "https://a.example.org"),
            (ACCOUNT, "https://b.example.org"),
            (ACCOUNT, "https://c.example.org"),
            ("other", "https://b.example.org"),
        ]
    ):
        copy = kept(folders, account_id=account_id, address=address)
        copy.store.write(entry(number))
        copy.store.keep_draft("Grace Hopper" if account_id == ACCOUNT else "")
        copy.close_now()
    others = folders.of(ACCOUNT).with_name("outbox-other-account-2024-05-03.sqlite3")
    (folders.of("other") / OUTBOX).rename(others)
    here = of(address="https://c.example.org")
    there = with_set_aside(folders, here, unsent_in(folders, folders.of(ACCOUNT), here))
    assert ids(there.entries) == ids([entry(2)])
    assert sorted(ids(there.set_aside)) == ids(map(entry, (0, 1)))
    assert there.unread == ""
    assert forget_files(folders, ACCOUNT)
    data = tmp_path / "data"
    assert [path for path in data.rglob("*") if b"Hopper" in content(path)] == []
    assert list(data.rglob("outbox-*")) == [others]
    other = OutboxStore.open(others, "other https://b.example.org")
    assert ids(other.entries()) == ids([entry(3)])
    other.close_now()
    copy = kept(folders)
    assert (copy.store.entries(), copy.store.rescue) == ((), None)
    copy.close_now()


def test_a_file_that_was_set_aside_and_cannot_be_read_whole_is_not_passed_over(
    folders: AccountFolders,
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    kept(folders, address="https://b.example.org").close_now()
    (aside,) = folders.of(ACCOUNT).parent.glob("outbox-*.sqlite3")
    aside.write_bytes(aside.read_bytes().replace(b'"revision":1', b'"revision":7', 1))
    assert with_set_aside(folders, of(), UnsentPeople()).unread
    assert forget_files(folders, ACCOUNT)
    assert not aside.exists()


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def test_where_nothing_is_to_be_kept_an_account_is_opened_in_memory_and_its_files_go(
    folders: AccountFolders,
) -> None:
    kept(folders).close_now()
    copy = kept(folders, keep=False)
    assert not copy.kept
    assert not folders.of(ACCOUNT).exists()
    copy.close_now()


def test_people_who_are_not_sent_stay_until_they_are_though_nothing_is_to_be_kept(
    folders: AccountFolders,
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    kept(folders, account_id="other").close_now()
    assert take_away(folders) == (True, 1)
    assert [one.name for one in folders.all()] == [ACCOUNT]
    assert not (folders.of(ACCOUNT) / CACHE).exists()
    copy = kept(folders, keep=False)
    assert ids(copy.store.entries()) == ids([entry(1)])
    assert copy.kept
    copy.close_now()


def test_an_outbox_in_use_is_said_and_the_window_goes_on_in_memory(
    folders: AccountFolders,
) -> None:
    first = kept(folders)
    second = kept(folders)
    assert second.said == (
        "Another Front Desk on this computer is using this account. "
        "What you type is not kept when this window closes."
    )
    assert not second.kept
    second.close_now()
    first.close_now()


def test_what_a_newer_version_wrote_is_left_as_it_is_and_the_window_goes_on_in_memory(
    folders: AccountFolders,
) -> None:
    kept(folders).close_now()
    outbox = folders.of(ACCOUNT) / OUTBOX
    with closing(sqlite3.connect(outbox)) as newer:
        newer.execute("UPDATE facts SET value = '99' WHERE name = 'version'")
        newer.execute("PRAGMA user_version = 99")
        newer.commit()
    before = outbox.read_bytes()
    copy = kept(folders)
    assert copy.said == (
        "What is kept of this account was written by a newer version of Front Desk: install that "
        "one to have it back. What you type is not kept when this window closes."
    )
    assert not copy.kept
    copy.close_now()
    assert outbox.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder belongs")
    copy = kept(AccountFolders(tmp_path / "data"))
    assert "cannot be read or written. What you type is not kept" in copy.said
    copy.close_now()


def test_a_cache_that_cannot_be_opened_costs_the_outbox_nothing(folders: AccountFolders) -> None:
    (folders.make(ACCOUNT) / CACHE).mkdir()
    copy = kept(folders)
    assert copy.kept
    assert copy.said
    copy.close_now()


def test_what_one_copy_held_another_takes_over_once() -> None:
    copy = in_memory()
    left = Unsent((entry(1), entry(2)), "half typed")
    assert copy.take_over(left)
    assert copy.take_over(left)
    assert copy.what_is_left() == left
    copy.close_now()


async def test_a_batch_is_taken_over_with_what_became_of_its_people() -> None:
    first, second = in_memory(), in_memory()
    batch = Batch(id="b" * 32, name="list", headings=("Name",), taken_at=NOON, rows=2, total=2)
    people = [
        entry(number, id=batch.entry_id(number), batch=batch.id, row=number) for number in (0, 1)
    ]
    rows = [BatchRow(line, ("?",), one.new_person) for line, one in enumerate(people, 1)]
    await first.store.take_batch(batch, rows, people)
    added = msgspec.structs.replace(people[0], state=EntryState.ADDED, ended_at=NOON)
    first.store.write(added)
    left = first.what_is_left()
    assert second.take_over(left)
    assert second.take_over(left)
    assert second.store.batches() == (batch,)
    assert await second.store.batch_rows(batch.id) == tuple(rows)
    assert second.store.entries() == (people[1],)
    assert await second.store.batch_done(batch.id) == (added,)
    first.close_now()
    second.close_now()


async def test_a_list_that_is_looked_over_goes_on_when_somebody_chooses_anew_what_is_kept(
    folders: AccountFolders,
) -> None:
    copy, review = kept(folders), KeptReview("1" * 32, "changed")
    await copy.store.keep_review(review, b"the list")
    left = copy.what_is_left()
    copy.close_now()
    copy = kept(folders, keep=False)
    assert not list(folders.all())
    assert copy.take_over(left)
    assert copy.store.reviews() == (review,)
    left = copy.what_is_left()
    copy.close_now()
    copy = kept(folders)
    assert copy.store.reviews() == ()
    assert copy.take_over(left)
    copy.close_now()
    copy = kept(folders)
    assert copy.store.reviews() == (review,)
    assert await copy.store.review_source(review.id) == b"the list"
    copy.close_now()


def test_files_that_were_exchanged_show_and_send_nobody_of_the_other_account(
    folders: AccountFolders,
) -> None:
    for number, name in enumerate(("one", "other")):
        copy = kept(folders, account_id=name)
        copy.store.write(entry(number))
        asyncio.run(copy.cache.save_people([Person(id=name)]))
        copy.close_now()
    one, other, between = (folders.of(name) for name in ("one", "other", "between"))
    one.rename(between)
    other.rename(one)
    between.rename(other)
    # The file of the second one was found in the first one's place: it has its people again.
    for name, theirs, own in (("one", entry(1), []), ("other", entry(0), [entry(1)])):
        copy = kept(folders, account_id=name)
        assert copy.kept
        assert ids(copy.store.entries()) == ids(own)
        assert copy.store.rescue is not None
        told = rescued(copy.store.rescue)
        assert told.sentence.startswith(f"{theirs.new_person.full_name} is not sent: ")
        assert "typed for another account" in told.sentence
        assert told.details == copy.store.rescue.path
        assert copy.cache.person("one") is copy.cache.person("other") is None
        set_aside = Path(copy.store.rescue.path)
        copy.store.rescue_was_told()
        if own:
            copy.store.write(msgspec.structs.replace(*own, taken_off=NOON))
        copy.close_now()
        # They are somebody's, also where this account is forgotten or nothing is to be kept.
        assert folders.forget(name)
        assert take_away(folders)[0]
        kept_aside = OutboxStore.open(set_aside)
        assert ids(kept_aside.entries()) == ids([theirs])
        kept_aside.close_now()


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example.com",
        "http://a.example.org",
        "https://a.example.org:8443",
        "https://a.example.org/b",
        "no",
    ],
)
def test_people_who_wait_for_one_address_do_not_go_to_another(
    folders: AccountFolders, address: str
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    for same in ("https://a.example.org/", "https://A.example.org:443/v1"):
        copy = kept(folders, address=same)
        assert ids(copy.store.entries()) == ids([entry(1)])
        copy.close_now()
    copy = kept(folders, address=address)
    assert copy.store.entries() == ()
    assert copy.store.rescue is not None
    assert copy.store.rescue.other_account
    copy.close_now()


def test_who_was_set_aside_comes_back_also_where_nothing_is_to_be_kept(
    folders: AccountFolders,
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    for address, there in (("https://b.example.org", []), ("https://a.example.org", [entry(1)])):
        copy = kept(folders, keep=False, address=address)
        assert ids(copy.store.entries()) == ids(there)
        copy.close_now()


def test_of_many_who_were_set_aside_three_are_named(folders: AccountFolders) -> None:
    copy = kept(folders)
    long = entry(2)
    new = msgspec.structs.replace(long.new_person, firstname="x" * 200)
    copy.store.write(entry(1), msgspec.structs.replace(long, new_person=new), entry(3), entry(4))
    copy.close_now()
    copy = kept(folders, address="https://b.example.org")
    assert copy.store.rescue is not None
    assert rescued(copy.store.rescue).sentence == (
        f"Łucja1 Lovelace, {'x' * 40}…, O'Brien3 Lovelace and 1 more are not sent: they were typed "
        "for another account or another address, and are here again when that one is opened."
    )
    copy.close_now()


def test_a_history_that_was_set_aside_is_told_in_other_words(folders: AccountFolders) -> None:
    copy = kept(folders)
    copy.store.write(entry(1, EntryState.ADDED, person_id="p"))
    copy.close_now()
    copy = kept(folders, address="https://b.example.org")
    assert copy.store.rescue is not None
    assert rescued(copy.store.rescue).sentence.startswith("What was kept here belongs to another")
    copy.close_now()


def test_a_file_of_a_newer_version_is_left_as_it_is(folders: AccountFolders) -> None:
    _make_newer(folders.make(ACCOUNT) / OUTBOX)
    copy = kept(folders)
    assert "a newer version of Front Desk" in copy.said
    copy.close_now()


@pytest.mark.parametrize("of_known_account", [True, False])
def test_looking_who_waits_says_of_an_exchanged_file_for_whom_it_is_and_moves_nothing(
    folders: AccountFolders, *, of_known_account: bool
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    other = folders.make("other")
    shutil.copy2(folders.of(ACCOUNT) / OUTBOX, other / OUTBOX)
    hillside = of(account_id="other", address="https://hillside.example.org")
    for _ in range(2):
        there = unsent_in(folders, other, hillside if of_known_account else None)
        assert (ids(there.entries), there.elsewhere) == (ids([entry(1)]), "https://a.example.org")
        assert not there.nobody
        ours = unsent_in(folders, folders.of(ACCOUNT), of() if of_known_account else None)
        assert (ids(ours.entries), ours.elsewhere) == (ids([entry(1)]), "")


def test_looking_who_waits_says_for_which_address_where_that_was_changed(
    folders: AccountFolders,
) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    there = unsent_in(folders, folders.of(ACCOUNT), of(address="https://new.example.org"))
    assert there.elsewhere == "https://a.example.org"


def test_an_outbox_that_cannot_be_read_is_not_taken_for_an_empty_one(
    folders: AccountFolders,
) -> None:
    assert unsent_in(folders, folders.of(ACCOUNT), of()).nobody
    folder = folders.make(ACCOUNT)
    assert unsent_in(folders, folder, of()).nobody
    _make_newer(folder / OUTBOX)
    assert "a newer version" in unsent_in(folders, folder, of()).unread
    assert take_away(folders) == (True, 1)
    copy = kept(folders, account_id="used")
    used = unsent_in(folders, folders.of("used"), of(account_id="used"))
    copy.close_now()
    assert "Another Front Desk" in used.unread
    assert unsent_in(folders, folders.of("used"), of(account_id="used")).nobody


def test_what_a_rescue_has_found_is_not_all_there_may_be(folders: AccountFolders) -> None:
    file = folders.make(ACCOUNT) / OUTBOX
    file.write_bytes(b"damaged")
    for _ in range(2):
        there = unsent_in(folders, file.parent, of())
        assert there.rescue is not None
        assert not there.nobody


def test_a_rescue_that_was_broken_off_half_way_is_still_somebody(folders: AccountFolders) -> None:
    copy = kept(folders)
    copy.store.write(entry(1))
    copy.close_now()
    file = folders.of(ACCOUNT) / OUTBOX
    file.rename(file.with_name(f"{OUTBOX}.rescued"))
    assert ids(unsent_in(folders, file.parent, of()).entries) == ids([entry(1)])


def _make_newer(file: Path) -> None:
    OutboxStore.open(file).close_now()
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA user_version = 2")
        connection.execute("UPDATE facts SET value = '2' WHERE name = 'version'")
