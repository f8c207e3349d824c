"""The outbox as a file and in memory: what was written is there again, in order, for its owner."""

import contextlib
import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from app.model.outbox import EntryState
from app.store.errors import StoreTooNew
from app.store.outbox import drafts
from app.store.outbox import outbox as outbox_module
from app.store.outbox import rows as outbox_rows
from app.store.outbox.outbox import OutboxInUse, OutboxStore
from app.store.schema import OUTBOX_TABLES
from tests.store.outbox_entries import NOON, entry, ids

FILES = {"outbox.sqlite3", "outbox.lock"}


@pytest.fixture(params=["file", "memory"])
def where(request: pytest.FixtureRequest, file: Path) -> Path | None:
    """Where an outbox is: in a folder that is not there yet, or nowhere."""
    return file if request.param == "file" else None


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of an outbox that is not there yet."""
    return tmp_path / "accounts" / "one" / "outbox.sqlite3"


@pytest.fixture
async def store(where: Path | None) -> AsyncIterator[OutboxStore]:
    """An empty outbox."""
    store = OutboxStore.open(where)
    yield store
    await store.close()


async def test_entries_come_in_the_order_they_were_typed_whatever_is_written_later(
    store: OutboxStore,
) -> None:
    typed = [entry(number) for number in range(5)]
    for one in typed:
        store.write(one)
    changed = msgspec.structs.replace(typed[1], state=EntryState.SENDING, known_ids=("x", "y"))
    store.write(changed)
    assert store.entries() == (typed[0], changed, *typed[2:])


async def test_several_entries_are_written_together(store: OutboxStore) -> None:
    store.write(*(entry(number) for number in range(3)))
    assert len(store.entries()) == 3


@pytest.mark.parametrize("state", [EntryState.SENDING, EntryState.ADDED])
async def test_what_a_change_costs_does_not_grow_with_those_who_wait_and_those_who_are_done(
    state: EntryState,
) -> None:
    def steps(many: int) -> int:
        """Of SQLite's machine, in hundreds, for ten changes beside `many` who wait or are done."""
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            for statement in OUTBOX_TABLES:
                connection.execute(statement)
            outbox_rows.put_sum(connection)
            outbox_rows.check(connection)
            done = [entry(10_000 + number, EntryState.ADDED) for number in range(many)]
            outbox_rows.put(connection, [*map(entry, range(10 + many)), *done])
            taken: list[int] = []
            connection.set_progress_handler(lambda: taken.append(1), 100)
            for number in range(10):
                outbox_rows.put(connection, [entry(number, state)])
            return len(taken)

    assert steps(500) < 2 * steps(0)


async def test_what_was_written_is_there_after_a_restart(file: Path) -> None:
    store = OutboxStore.open(file)
    rich = entry(
        1,
        EntryState.NOT_SURE,
        typed="Ada\x00 \u2028 'x' \U0001f600",
        candidate_id="c",
        candidate_added=NOON,
        looks=2,
        knew_all=True,
    )
    store.write(rich)
    await store.save(entry(2))
    await store.close()
    store = OutboxStore.open(file)
    assert store.entries() == (rich, entry(2))
    assert store.rescue is None
    await store.close()


async def test_what_is_done_leaves_the_list_and_stays_in_the_history(store: OutboxStore) -> None:
    done = entry(1, EntryState.ADDED, person_id="p1", ended_at=NOON)
    undone = entry(2, taken_off=NOON)
    store.write(entry(1), entry(2), entry(3))
    store.write(done)
    store.write(undone)
    assert store.entries() == (entry(3),)
    assert await store.history() == (undone, done)
    assert store.latest() == (done, undone)
    assert await store.claimed(["p1", "p2"]) == {"p1"}


async def test_the_history_is_searched_by_words_without_accents(store: OutboxStore) -> None:
    many = [entry(number, EntryState.ADDED, person_id=str(number)) for number in range(450)]
    store.write(*many)
    assert ids(await store.history("lovelace LUCJA1")) == ids(
        one for one in reversed(many) if one.new_person.firstname.startswith("Łucja1")
    )
    assert ids(await store.history("a7@x.org")) == [entry(7).id]
    assert len(await store.history("", limit=5)) == 5
    assert await store.history("nobody") == ()


async def test_the_history_keeps_the_newest_and_no_byte_of_the_rest(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_module, "KEPT_IN_HISTORY", 10)
    store = OutboxStore.open(file)
    store.write(entry(0), *(entry(n, EntryState.ADDED, person_id=str(n)) for n in range(1, 31)))
    left = as_after_a_kill(file)
    await store.close()
    store = OutboxStore.open(left)
    assert ids(await store.history()) == ids(entry(number) for number in range(30, 20, -1))
    assert store.entries() == (entry(0),)
    assert b"a20@x.org" not in content(left.with_name("outbox.sqlite3-journal"))
    await store.close()
    kept = content(left)
    assert b"a20@x.org" not in kept
    assert b"a21@x.org" in kept


async def test_the_draft_is_there_after_a_restart_and_goes_with_the_entry_it_becomes(
    file: Path,
) -> None:
    store = OutboxStore.open(file)
    for end in range(1, 13):
        store.keep_draft("Ada Lovelace"[:end])
    assert store.draft() == "Ada Lovelace"
    await store.close()
    store = OutboxStore.open(file)
    assert store.draft() == "Ada Lovelace"
    store.keep_draft("Ada Lovelace a")
    store.write(entry(1), clear_draft=True)
    assert store.draft() == ""
    await store.close()
    store = OutboxStore.open(file)
    assert store.draft() == ""
    assert len(store.entries()) == 1
    await store.close()
    store.keep_draft("too late, and no reason to crash")


@pytest.mark.parametrize(
    "kept", [b"", b"1", b"0 4\nGr", b"0 9\nGr\xff\xfe", b"5 5\nGrace", b"x y\n"]
)
def test_a_damaged_draft_or_one_of_another_time_is_no_reason_not_to_open(
    file: Path, kept: bytes
) -> None:
    OutboxStore.open(file).close_now()
    file.with_suffix(".draft").write_bytes(kept)
    store = OutboxStore.open(file)
    assert store.draft() in {"", "Gr", "Gr\ufffd\ufffd"}
    store.close_now()


def test_a_line_that_became_an_entry_does_not_come_back_from_the_file_of_its_draft(
    file: Path,
) -> None:
    store = OutboxStore.open(file)
    store.keep_draft("Ada Lovelace")
    assert store.entries() == ()
    draft = file.with_suffix(".draft").read_bytes()
    store.write(entry(1), clear_draft=True)
    store.close_now()
    assert not file.with_suffix(".draft").exists()
    file.with_suffix(".draft").write_bytes(draft)  # as if killed before it was taken away
    store = OutboxStore.open(file)
    assert store.draft() == ""
    store.close_now()


async def test_a_draft_in_memory_is_kept_for_the_run(store: OutboxStore) -> None:
    store.keep_draft("Ad")
    store.keep_draft("Ada")
    assert store.draft() == "Ada"
    store.write(entry(1), clear_draft=True)
    assert store.draft() == ""


async def test_what_is_kept_under_a_name_is_forgotten_with_none(
    store: OutboxStore,
) -> None:
    assert store.metadata("held") is None
    store.set_metadata("held", "yes")
    assert store.metadata("held") == "yes"
    store.set_metadata("held", None)
    assert store.metadata("held") is None


@pytest.mark.skipif(os.name != "posix", reason="folders are settled there")
def test_the_name_of_a_new_outbox_is_on_the_disk_before_anybody_is_in_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[tuple[Path, bool]] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            settled.extend((one, one.exists()) for one in (file, *found_aside()))

    def found_aside() -> list[Path]:
        return list(file.parent.glob("outbox-damaged-*.sqlite3"))

    monkeypatch.setattr(os, "fsync", fsync)
    OutboxStore.open(file).close_now()
    assert settled == [(file, True)]
    settled.clear()
    file.write_bytes(bytes(100) + file.read_bytes()[100:])
    OutboxStore.open(file).close_now()
    (aside,) = found_aside()
    # What is new is there to be taken up, the old one has its other name, the new one has its own.
    assert settled == [(file, True), (file, False), (aside, True), (file, True), (aside, True)]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
async def test_only_the_owner_can_read_any_of_it(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    store.keep_draft("x")
    assert store.entries()  # asked for after the draft, so that is written
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()}
    await store.close()
    assert modes.keys() == {*FILES, "outbox.sqlite3-journal", "outbox.draft"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_a_closed_outbox_leaves_two_files_and_can_be_opened_by_another(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    with pytest.raises(OutboxInUse, match="using this account"):
        OutboxStore.open(file)
    await store.close()
    await store.close()
    assert {each.name for each in file.parent.iterdir()} == FILES
    store = OutboxStore.open(file)
    assert len(store.entries()) == 1
    await store.close()


async def test_an_outbox_that_could_not_be_opened_is_not_locked(file: Path) -> None:
    store = OutboxStore.open(file)
    await store.close()
    _set_version(file, 99, noted=99)
    for _ in range(2):
        with pytest.raises(StoreTooNew):
            OutboxStore.open(file)


def test_a_newer_version_is_refused_and_left_as_it_is(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    store.close_now()
    _set_version(file, 99, noted=99)
    before = file.read_bytes()
    with pytest.raises(StoreTooNew, match="newer version"):
        OutboxStore.open(file)
    assert file.read_bytes() == before
    assert {each.name for each in file.parent.iterdir()} == FILES


async def test_a_damaged_number_of_the_version_does_not_pass_for_a_newer_one(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    await store.close()
    _set_version(file, 65, noted=1)
    store = OutboxStore.open(file)
    assert ids(store.entries()) == [entry(1).id]
    assert store.rescue is not None
    await store.close()


def test_a_file_of_another_account_is_set_aside_with_everybody_in_it(file: Path) -> None:
    other = OutboxStore.open(file, "other https://b.example.org")
    other.write(entry(1), entry(2), entry(3, EntryState.ADDED, person_id="p"))
    other.keep_draft("Grace")
    other.close_now()
    store = OutboxStore.open(file, "ours https://a.example.org")
    assert (store.entries(), store.latest(), store.draft()) == ((), (), "")
    rescue = store.rescue
    assert rescue is not None
    assert (rescue.entries, rescue.other_account, rescue.may_miss) == (2, True, False)
    store.write(entry(4))
    store.close_now()
    store = OutboxStore.open(file, "ours https://a.example.org")
    assert ids(store.entries()) == [entry(4).id]
    store.close_now()
    assert "other-account" in Path(rescue.path).name
    other = OutboxStore.open(Path(rescue.path), "other https://b.example.org")
    assert (ids(other.entries()), other.draft()) == ([entry(1).id, entry(2).id], "Grace")
    other.close_now()


def test_a_file_that_names_no_account_is_the_first_ones_who_opens_it(file: Path) -> None:
    store = OutboxStore.open(file)
    store.write(entry(1))
    store.close_now()
    for account, others in (("", False), ("ours", False), ("ours", False), ("other", True)):
        store = OutboxStore.open(file, account)
        assert (store.rescue is not None) is others
        assert (len(store.entries()) == 1) is not others
        store.close_now()


def test_a_damaged_file_of_another_account_is_not_rescued_into_this_one(file: Path) -> None:
    other = OutboxStore.open(file, "other")
    other.write(entry(1))
    other.close_now()
    connection = sqlite3.connect(file)
    connection.execute("UPDATE entries SET state = 'sent'")
    connection.commit()
    connection.close()
    store = OutboxStore.open(file, "ours")
    assert store.entries() == ()
    assert store.rescue is not None
    assert (store.rescue.other_account, store.rescue.may_miss) == (True, True)
    store.close_now()


def test_a_damaged_note_of_the_account_is_damage_and_no_other_account(file: Path) -> None:
    store = OutboxStore.open(file, "ours")
    store.write(entry(1))
    store.close_now()
    connection = sqlite3.connect(file)
    connection.execute("UPDATE facts SET value = replace(value, 'ours', 'our3')")
    connection.commit()
    connection.close()
    store = OutboxStore.open(file, "ours")
    assert ids(store.entries()) == [entry(1).id]
    assert store.rescue is not None
    assert not store.rescue.other_account
    store.close_now()


def _set_version(file: Path, number: int, *, noted: int) -> None:
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("UPDATE facts SET value = ? WHERE name = 'version'", (str(noted),))
    connection.commit()
    connection.close()


def as_after_a_kill(file: Path) -> Path:
    """The outbox as it lies there now, elsewhere."""
    left = file.parent.with_name("left") / file.name
    shutil.copytree(file.parent, left.parent)
    return left


def content(file: Path) -> bytes:
    return file.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be deleted")
async def test_no_two_programs_write_the_same_outbox_though_its_lock_was_deleted(
    file: Path,
) -> None:
    first = OutboxStore.open(file)
    first.write(entry(1))
    file.with_suffix(".lock").unlink()
    second = OutboxStore.open(file)
    with pytest.raises(OutboxInUse):
        first.write(entry(2))
    with pytest.raises(OutboxInUse):
        await first.save(entry(1, EntryState.SENDING))
    with pytest.raises(OutboxInUse):
        first.set_metadata("held", "yes")
    assert second.entries() == (entry(1),)
    second.close_now()
    first.write(entry(2))
    first.close_now()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be deleted")
async def test_what_another_program_has_changed_meanwhile_is_not_written_over(file: Path) -> None:
    first = OutboxStore.open(file)
    first.write(entry(1))
    file.with_suffix(".lock").unlink()
    second = OutboxStore.open(file)
    second.write(entry(1, EntryState.ADDED, person_id="p1", ended_at=NOON))
    second.close_now()
    for _ in range(2):
        with pytest.raises(OutboxInUse):
            await first.save(entry(1, EntryState.SENDING))
    first.close_now()
    third = OutboxStore.open(file)
    assert third.entries() == ()
    third.close_now()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be deleted")
def test_a_lock_that_was_deleted_is_had_again(file: Path) -> None:
    store = OutboxStore.open(file)
    file.with_suffix(".lock").unlink()
    store.write(entry(1))
    with pytest.raises(OutboxInUse):
        OutboxStore.open(file)
    store.close_now()


def test_however_much_is_typed_while_the_disk_is_busy_one_write_of_it_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, written, go_on = drafts._put, list[bytes](), threading.Event()

    def count(path: Path, content: bytes) -> None:
        written.append(content)
        put(path, content)

    monkeypatch.setattr(drafts, "_put", count)
    store = OutboxStore.open(tmp_path / "outbox.sqlite3")
    busy = store._database.submit(lambda _: go_on.wait())
    for end in range(1, 13):
        store.keep_draft("Grace Hopper"[:end])
    go_on.set()
    busy.result()
    store.close_now()
    assert [content.split(b"\n")[1] for content in written] == [b"Grace Hopper"]
    store = OutboxStore.open(tmp_path / "outbox.sqlite3")
    assert store.draft() == "Grace Hopper"
    store.close_now()
