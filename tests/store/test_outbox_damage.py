"""Damaged files: noticed, set aside and named; what can be read is rescued, nothing invented."""

import logging
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.model.outbox import EntryState, OutboxEntry
from app.store.outbox import OutboxStore
from app.store.outbox_record import Record, decode, encode, scan
from tests.store.outbox_entries import NOON, entry

NAME = "outbox.sqlite3"
FLIPS = 100
CUTS = 40
STATES = (EntryState.WAITING, EntryState.NOT_SURE, EntryState.REFUSED)


@pytest.fixture(scope="module")
def shelf() -> Iterator[Path]:
    """In memory where there is such a disk: hundreds of files are opened here."""
    shared = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
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
def killed(shelf: Path, written: dict[str, OutboxEntry]) -> Path:
    """An outbox whose program was killed: much of it is in the log only."""
    file = shelf / "killed" / NAME
    store = OutboxStore.open(shelf / "running" / NAME)
    _fill(store, written)
    shutil.copytree(shelf / "running", file.parent)
    (file.parent / "outbox.lock").unlink()
    store.close_now()
    assert log_of(file).stat().st_size > 200_000
    return file


def _fill(store: OutboxStore, written: dict[str, OutboxEntry]) -> None:
    for one in written.values():
        store.write(one)
    store.write(*(entry(n, EntryState.ADDED, person_id=str(n)) for n in range(100, 140)))


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


def log_of(file: Path) -> Path:
    return file.with_name(NAME + "-wal")


def opened(template: Path, shelf: Path, part: str, damage: Callable[[bytes], bytes]) -> OutboxStore:
    """The outbox opened from a copy of which one file is damaged."""
    place = shelf / "tried"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(template.parent, place)
    hurt = place / part
    hurt.write_bytes(damage(hurt.read_bytes()))
    return OutboxStore.open(place / NAME)


def check(store: OutboxStore, written: dict[str, OutboxEntry]) -> bool:
    """Whether it was rescued; what came out was written, and nothing is missing without a word."""
    found = {one.id: one for one in store.entries()}
    rescue = store.rescue
    store.close_now()
    assert found.keys() <= written.keys()
    if rescue is None:
        assert found == written
        return False
    for entry_id, one in found.items():
        before = written[entry_id]
        assert (one.typed, one.new_person) == (before.typed, before.new_person)
        refused = before.state is EntryState.REFUSED
        assert one.state is (EntryState.REFUSED if refused else EntryState.NOT_SURE)
    assert Path(rescue.path).exists()
    assert rescue.may_miss or found.keys() == written.keys()
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


def test_a_flipped_bit_in_the_file_changes_nothing_or_is_noticed(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    rescued = [
        check(opened(closed, shelf, NAME, flipped(*flip)), written)
        for flip in flips(closed.stat().st_size, FLIPS, 1)
    ]
    assert any(rescued)


def test_a_flipped_bit_in_the_log_changes_nothing_or_is_noticed(
    killed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    log = log_of(killed)
    rescued = [
        check(opened(killed, shelf, log.name, flipped(*flip)), written)
        for flip in flips(log.stat().st_size, FLIPS // 4, 2)
    ]
    assert any(rescued)


def test_a_file_that_was_cut_off_gives_what_is_left_of_it(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    chance, size = random.Random(3), closed.stat().st_size  # noqa: S311 - a repeatable draw
    for cut in (0, 1, 99, 100, 511, 512, 8191, 8192, *chance.sample(range(size), CUTS)):
        assert check(opened(closed, shelf, NAME, shortened(cut)), written)


def test_a_log_that_was_cut_off_gives_a_beginning_of_what_was_written(
    killed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    log = log_of(killed)
    chance = random.Random(4)  # noqa: S311 - a repeatable draw
    for cut in (0, 1, 31, 32, *chance.sample(range(log.stat().st_size), CUTS)):
        store = opened(killed, shelf, log.name, shortened(cut))
        found = store.entries()
        store.close_now()
        assert found == tuple(written.values())[: len(found)]


def test_overwritten_pieces_anywhere_leave_the_rest(
    closed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    chance, size = random.Random(5), closed.stat().st_size  # noqa: S311 - a repeatable draw
    for start in chance.sample(range(size), CUTS):
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


def test_a_log_without_its_file_is_read_too(
    killed: Path, shelf: Path, written: dict[str, OutboxEntry]
) -> None:
    place = shelf / "tried"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(killed.parent, place)
    (place / NAME).unlink()
    store = OutboxStore.open(place / NAME)
    assert {one.id for one in store.entries()} == written.keys()
    store.close_now()


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
