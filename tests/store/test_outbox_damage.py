"""Damaged files: noticed, set aside and named; what can be read is rescued, nothing invented.

A sample of the damage; `python3 packaging/dev.py whole damage` does all of it.
"""

import contextlib
import logging
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import checks
import msgspec
import pytest

from app.model.cause import Cause, CauseKind
from app.model.outbox import EntryState, OutboxEntry
from app.store.database import transaction
from app.store.errors import StoreDamaged
from app.store.outbox import damaged_file
from app.store.outbox import rows as outbox_rows
from app.store.outbox.outbox import OutboxStore
from app.store.outbox.rows import Record, decode, encode, scan
from tests.samples import sample
from tests.store.outbox_entries import NOON, entry

NAME = "outbox.sqlite3"
FLIPS = 100
CUTS = 40
NEVER_TOLD = range(200, 230)
DONE = tuple(entry(number, EntryState.ADDED, person_id=str(number)) for number in range(100, 140))
STATES = (EntryState.WAITING, EntryState.NOT_SURE, EntryState.REFUSED)


@pytest.fixture(scope="module")
def shelf() -> Iterator[Path]:
    """In memory where there is such a disk: hundreds of files are opened here."""
    with tempfile.TemporaryDirectory(dir=checks.own_folder()) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def written() -> dict[str, OutboxEntry]:
    """What the outboxes of these tests hold, by id: enough for several pages."""
    entries = [entry(number, STATES[number % 3], typed="x" * number * 20) for number in range(40)]
    return {one.id: one for one in entries}


@pytest.fixture(scope="module")
def closed(shelf: Path, written: dict[str, OutboxEntry]) -> Path:
    """An outbox that was closed: everything is in one file."""
    file = shelf / "closed" / NAME
    store = OutboxStore.open(file)
    _fill(store, written)
    store.close_now()
    return file


@pytest.fixture(scope="module")
def cut_short(shelf: Path, written: dict[str, OutboxEntry]) -> Path:
    """The same, killed in the middle of one more commit that changes everybody and adds some.

    What stood in the file before is in the journal, and a part of what is new in the file.
    """
    file = shelf / "cut short" / NAME
    store = OutboxStore.open(shelf / "running" / NAME)
    _fill(store, written)

    def begin(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA cache_size = 3")
        with transaction(connection):
            outbox_rows.put(connection, _unacknowledged(written))
            shutil.copytree(shelf / "running", file.parent)

    store._database.run_now(begin)
    store.close_now()
    (file.parent / "outbox.lock").unlink()
    assert journal_of(file).stat().st_size > 50_000
    return file


def _fill(store: OutboxStore, written: dict[str, OutboxEntry]) -> None:
    for one in written.values():
        store.write(one)
    store.write(*DONE)


def _unacknowledged(written: dict[str, OutboxEntry]) -> list[OutboxEntry]:
    sending = [
        msgspec.structs.replace(one, state=EntryState.SENDING, reason="y" * 400)
        for one in written.values()
        if one.state is EntryState.WAITING
    ]
    return [*sending, *(entry(number, typed="z" * 900) for number in NEVER_TOLD)]


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


def journal_of(file: Path) -> Path:
    return file.with_name(NAME + "-journal")


def opened(template: Path, shelf: Path, part: str, damage: Callable[[bytes], bytes]) -> OutboxStore:
    """The outbox opened from a copy of which one file is damaged."""
    place = shelf / "tried"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template.parent, place)
    hurt = place / part
    hurt.write_bytes(damage(hurt.read_bytes()))
    return OutboxStore.open(place / NAME)


def check(store: OutboxStore, written: dict[str, OutboxEntry], lost: int | None = None) -> bool:
    """Whether it was rescued; what came out was written, and nothing is missing without a word.

    `lost`: at most so many are missing, be it with a word.
    """
    found = {one.id: one for one in store.entries()}
    done = {one.id: one for one in store.latest()}
    rescue = store.rescue
    store.close_now()
    if rescue is None:
        assert found == written
        assert tuple(done.values()) == DONE
        return False
    maybe = written | {one.id: one for one in map(entry, NEVER_TOLD)}
    for entry_id, one in found.items():
        before = maybe[entry_id]
        assert one.new_person == before.new_person
        refused = before.state is EntryState.REFUSED
        assert one.state is (EntryState.REFUSED if refused else EntryState.NOT_SURE)
        assert one.typed == before.typed or entry_id not in written
        if before.state is EntryState.WAITING:
            assert one.cause == Cause(CauseKind.DAMAGED_FILE)
    assert all(one in DONE for one in done.values())
    missing = len(written.keys() - found.keys()) + len(DONE) - len(done)
    assert Path(rescue.path).exists()
    assert rescue.may_miss or not missing
    assert lost is None or missing <= lost
    return True


def flips(size: int, often: int, seed: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)  # noqa: S311 - a repeatable draw
    drawn = [(chance.randrange(size), chance.randrange(8)) for _ in range(often)]
    return [*drawn, *((place, place % 8) for place in range(0, 110, 3))]


def flipped(place: int, bit: int) -> Callable[[bytes], bytes]:
    def flip(data: bytes) -> bytes:
        changed = bytearray(data)
        changed[place] ^= 1 << bit
        return bytes(changed)

    return flip


def shortened(length: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:length]


@pytest.mark.parametrize(
    ("template", "end", "often", "one_in"),
    [
        ("closed", "", FLIPS, 8),
        ("cut_short", "", FLIPS // 4, 5),
        ("cut_short", "-journal", FLIPS // 2, 8),
    ],
)
def test_a_flipped_bit_changes_nothing_or_is_noticed(  # noqa: PLR0917 - what is tried, and where
    template: str,
    end: str,
    often: int,
    one_in: int,
    shelf: Path,
    written: dict[str, OutboxEntry],
    request: pytest.FixtureRequest,
) -> None:
    file: Path = request.getfixturevalue(template)
    part = NAME + end
    size = file.with_name(part).stat().st_size
    rescued = [
        check(opened(file, shelf, part, flipped(*flip)), written, lost=1)
        for flip in sample(flips(size, often, len(part)), one_in)
    ]
    assert any(rescued)


def test_a_sentence_of_sqlite_that_is_no_text_is_damage_too(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    """It quotes from the damaged words of the tables."""
    data = closed.read_bytes()
    for table in (b"CREATE TABLE entries", b"CREATE TABLE history", b"CREATE INDEX"):
        begin = data.index(table)
        for place in sample(range(begin + 9, begin + 180, 9), 8):
            assert check(opened(closed, shelf, NAME, flipped(place, 7)), written, lost=0)


@pytest.mark.parametrize("template", ["closed", "cut_short"])
def test_what_is_not_damaged_is_not_called_damaged(
    template: str, shelf: Path, written: dict[str, OutboxEntry], request: pytest.FixtureRequest
) -> None:
    file: Path = request.getfixturevalue(template)
    assert not check(opened(file, shelf, NAME, lambda data: data), written)


def test_a_journal_that_says_there_was_nothing_before_takes_nobody_away(
    cut_short: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    journal = journal_of(cut_short).name
    store = opened(cut_short, shelf, journal, lambda data: data[:16] + bytes(4) + data[20:])
    assert check(store, written, lost=0)


def test_an_entry_that_is_gone_without_a_trace_is_noticed(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    for statement in (
        "DELETE FROM entries WHERE place = 7",
        "DELETE FROM history WHERE place = 40",
        "UPDATE history SET person_id = 'somebody else' WHERE place = 3",
        "DELETE FROM entries WHERE place = 7; UPDATE facts SET value = '' WHERE name = 'sum'",
    ):
        place = shelf / "tried"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(closed.parent, place)
        with contextlib.closing(sqlite3.connect(place / NAME)) as connection:
            connection.executescript(statement)
        assert check(OutboxStore.open(place / NAME), written)


def test_a_sum_that_is_none_is_told_by_the_next_change_and_rescued_at_the_next_start(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    for text in ("zz", ""):
        store = opened(closed, shelf, NAME, lambda data: data)
        with contextlib.closing(sqlite3.connect(shelf / "tried" / NAME)) as connection:
            connection.execute("UPDATE facts SET value = ? WHERE name = 'sum'", (text,))
            connection.commit()
        with pytest.raises(StoreDamaged, match="start it again"):
            store.write(entry(300))
        store.close_now()
        assert check(OutboxStore.open(shelf / "tried" / NAME), written, lost=0)


def test_a_file_that_was_cut_off_gives_what_is_left_of_it(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    chance, size = random.Random(3), closed.stat().st_size  # noqa: S311 - a repeatable draw
    cuts = (0, 1, 99, 100, 511, 512, 8191, 8192, *chance.sample(range(size), CUTS))
    for cut in sample(cuts, 6):
        assert check(opened(closed, shelf, NAME, shortened(cut)), written)


def test_overwritten_pieces_anywhere_leave_the_rest(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    draw, size = random.Random(5), closed.stat().st_size  # noqa: S311 - a repeatable draw
    for start in sample(draw.sample(range(size), CUTS), 6):
        chance = random.Random(start)  # noqa: S311 - a repeatable draw
        many = chance.randrange(1, 20_000)
        filler = chance.randbytes(many) if start % 2 else bytes(many)

        def overwrite(data: bytes, at: int = start, new: bytes = filler) -> bytes:
            return (data[:at] + new + data[at + len(new) :])[: len(data)]

        check(opened(closed, shelf, NAME, overwrite), written)


@pytest.mark.parametrize("data", [b"", b"no database at all " * 900, bytes(40_000)])
def test_a_file_of_something_else_is_set_aside(closed: Path, shelf: Path, data: bytes) -> None:
    store = opened(closed, shelf, NAME, lambda _: data)
    assert store.rescue is not None
    assert (store.rescue.entries, store.rescue.may_miss) == (0, True)
    assert Path(store.rescue.path).read_bytes() == data
    store.close_now()


def test_a_damaged_header_loses_nobody(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    store = opened(closed, shelf, NAME, lambda data: bytes(100) + data[100:])
    assert {one.id for one in store.entries()} == written.keys()
    assert len(store.latest()) == 40
    assert store.rescue is not None
    assert store.rescue.entries == len(written) + 40
    store.close_now()


def test_a_rescue_is_named_until_the_person_was_told(closed: Path, shelf: Path) -> None:
    store = opened(closed, shelf, NAME, lambda data: bytes(100) + data[100:])
    store.close_now()
    for _ in range(2):
        store = OutboxStore.open(shelf / "tried" / NAME)
        assert store.rescue is not None
        store.close_now()
    store = OutboxStore.open(shelf / "tried" / NAME)
    store.rescue_was_told()
    assert store.rescue is None
    store.close_now()
    store = OutboxStore.open(shelf / "tried" / NAME)
    assert store.rescue is None
    store.close_now()


def test_a_second_damaged_file_of_one_day_gets_a_name_of_its_own(closed: Path, shelf: Path) -> None:
    store = opened(closed, shelf, NAME, lambda data: bytes(100) + data[100:])
    store.close_now()
    file = shelf / "tried" / NAME
    file.write_bytes(b"?" * 5000)
    store = OutboxStore.open(file)
    store.close_now()
    assert len(list(file.parent.glob("outbox-damaged-*.sqlite3"))) == 2


def test_a_record_is_found_in_any_bytes_and_only_as_it_was_written() -> None:
    record = Record(entry(1, typed='}{"outbox_entry":1,"sum":"', candidate_added=NOON), 7)
    text = encode(record).encode()
    assert decode(text) == record
    assert list(scan(b"\x00\xff{" + text + b"}" + text)) == [record, record]
    for place in range(len(text)):
        assert decode(text[:place]) is None
        for bit in range(8):
            assert list(scan(flipped(place, bit)(text))) == []
    assert decode(text + b" ") is None
    assert decode(None) is None


@pytest.mark.skipif(os.name != "posix", reason="names of bytes are POSIX names")
def test_a_damaged_file_is_set_aside_in_a_folder_whose_name_is_no_text(
    closed: Path, tmp_path: Path
) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xe9e"))
    folder.mkdir()
    (folder / NAME).write_bytes(closed.read_bytes()[:5000])
    store = OutboxStore.open(folder / NAME)
    store.close_now()
    assert [file.name for file in folder.iterdir() if "damaged" in file.name]


def test_of_a_file_that_says_everywhere_that_a_long_row_begins_little_is_put_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, pages = 512, 40
    size = page * pages
    # Three columns, the last nearly as long as the file, in the numbers of SQLite.
    kind = 13 + 2 * (size - 2 * page)
    header = bytes([6, 0, ord("M"), kind >> 14 | 0x80, kind >> 7 & 0x7F | 0x80, kind & 0x7F])
    data = bytearray((b"\x01" + header) * (size // 7) + bytes(size % 7))
    data[:18] = b"SQLite format 3\x00\x02\x00"
    put_together, wanted = damaged_file._payload, list[int]()

    def count(read: bytes, begin: int, whole: int, page_size: int) -> bytes:
        wanted.append(whole)
        return put_together(read, begin, whole, page_size)

    monkeypatch.setattr(damaged_file, "_payload", count)
    assert damaged_file.carve([bytes(data)]) == ([], [])
    assert wanted
    assert sum(wanted) <= 4 * size
