"""What can be read of an outbox file that nobody opens, however much of it is damaged; the file
itself is not touched.

Entries and texts are found in its bytes, whatever is left of the tables around them: rows are known
by how they begin, and each says itself whether it is as it was written. What is gone of a batch is
made anew of the people who were taken with it. Which file that is, and what becomes of it, is left
to `rescue`, and to `owner`, which asks who is in one that was set aside.
"""

import contextlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import msgspec

from app.model.outbox import Batch, BatchRow, EntryState, OutboxEntry
from app.runtime.files import copy_regular, is_file, read_regular
from app.runtime.words import tr
from app.store.database import remove_files
from app.store.errors import UNREADABLE, StoreError
from app.store.outbox import batches, rows
from app.store.outbox.batches import decode_batch, decode_rows
from app.store.outbox.rows import KeptText, Record, decode, newest, scan, unsigned
from app.store.schema import VERSION

_LONGEST_LOOK = 10.0
"""Seconds for the statements about one file; the largest outbox takes a fraction of one."""
_ROW = re.compile(rb"([\x80-\xff]{0,3}[\x00-\x7f])([\x04-\x0c])\x00[MW\[]")
"""The place of a row, how long its header is, and how that begins, with the place that stands
elsewhere and an id of 32, 37 or 39 letters (SQLite, Record Format).
"""
_MOST_READ = 4
"""So many times the size of a file are put together of it at most: the rows that are in it are no
longer than the file, and one that somebody made may say of each byte that a long row begins there.
"""
_NUMBER_SIZES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0, 0)
_PAGE_SIZE_AT = 16
_MOST_ROWS = 1_000_000
"""More than any list has."""
_People = Mapping[int, OutboxEntry]
_Rows = Mapping[int, BatchRow]


class Contents(NamedTuple):
    """What could be read of an outbox, and whether that is all there was."""

    records: list[Record]
    metadata: dict[str, str]
    texts: list[KeptText]
    whole: bool
    newer: bool
    lists: tuple[str, ...] = ()
    """Those of which not every row could be read as it stood."""


def read_out(path: Path) -> Contents:
    """What SQLite gives, and where that is not whole, what stands in the bytes."""
    with copy_of(path) as copy, connected(copy) as connection:
        metadata, newer = metadata_of(connection), _is_newer(connection)
        with contextlib.suppress(*UNREADABLE, StoreError):
            if rows.is_whole(connection):
                both = rows.read_all(connection), metadata, rows.read_texts(connection)
                return Contents(*both, whole=True, newer=newer)
        # As SQLite has taken up what was left beside it, and as it lies there.
        files = filter(is_file, (copy, path, *leftovers(path)))
        records, found = carve(map(read_regular, files))
    texts, lists, lost = _mended(found, [record.entry for record in records])
    # Whoever reads this doubts each of them: they may have been sent.
    records += [Record(entry, 1) for entry in lost]
    return Contents(records, metadata, texts, whole=False, newer=newer, lists=lists)


def leftovers(path: Path) -> list[Path]:
    """What a killed program has left beside its file: a journal, or none."""
    journal = beside(path, "-journal")
    return [journal] if is_file(journal) and journal.stat().st_size else []


@contextlib.contextmanager
def copy_of(path: Path) -> Iterator[Path]:
    """A copy for SQLite to take up what was left beside the file, which is not touched.

    Raises OSError where there is no room for one.
    """
    copy = beside(path, ".look")
    try:
        remove_files(copy)  # a program that was killed may have left one
        for here in (path, *leftovers(path)):
            if is_file(here):
                copy_regular(here, beside(copy, here.name.removeprefix(path.name)))
        yield copy
    finally:
        remove_files(copy)


def is_newer(path: Path) -> bool:
    """Whether a newer version wrote the file: it says so in two places, that one damaged byte may
    not pass for it. Raises OSError, StoreError.
    """
    with copy_of(path) as copy, connected(copy) as connection:
        return _is_newer(connection)


@contextlib.contextmanager
def connected(copy: Path, most: float | None = None) -> Iterator[sqlite3.Connection]:
    """A connection to such a copy, whose statements may take so many seconds at `most`."""
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        # A file that somebody made may ask for an answer that never ends.
        until = monotonic() + (_LONGEST_LOOK if most is None else most)
        connection.set_progress_handler(lambda: monotonic() > until, 100_000)
        yield connection


def metadata_of(connection: sqlite3.Connection) -> dict[str, str]:
    """What is said about the whole file, as far as that can be read."""
    with contextlib.suppress(*UNREADABLE):
        return rows.all_metadata(connection)
    return {}


def _is_newer(connection: sqlite3.Connection) -> bool:
    number, said = 0, ""
    with contextlib.suppress(*UNREADABLE):
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        said = rows.get_metadata(connection, "version") or ""
    return number > VERSION and not (said.isdecimal() and int(said) <= VERSION)


def beside(path: Path, end: str) -> Path:
    """What lies in the same folder under the same name with this `end`."""
    return path.with_name(path.name + end)


def carve(files: Iterable[bytes]) -> tuple[list[Record], list[KeptText]]:
    """The newest record of each entry, and each text once: of several, the one of the first file,
    and in that of the first place.
    """
    records: list[Record] = []
    texts: dict[tuple[str, str], KeptText] = {}
    for data in files:
        records += scan(data)
        here: list[tuple[int, KeptText]] = []
        for place, kept_id, value in _rows_in(data):
            record, text = decode(value), value.decode(errors="replace")
            if record is not None:
                records.append(record)
            elif unsigned(text):
                here.append((place, KeptText(_table_of(kept_id, text), kept_id, text)))
        for _, kept in sorted(here):
            texts.setdefault(kept[:2], kept)
    return list(newest(records).values()), list(texts.values())


def _rows_in(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    """The place, the id and the last column of whatever looks like a row of ours."""
    size = int.from_bytes(data[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2])
    # A damaged first page says nothing of it: then it is as every outbox is made.
    page_size = size if size in {512 << n for n in range(7)} else 8192
    left = _MOST_READ * len(data)
    for found in _ROW.finditer(data):
        begin, length = found.start(2), found[2][0]
        sizes = list(map(_size, _varints(data[begin + 1 : begin + length])))
        whole = length + sum(sizes)
        if len(sizes) > 1 and whole <= min(len(data), left):
            left -= whole
            row = _payload(data, begin, whole, page_size)
            kept_id = row[length : length + sizes[1]].decode(errors="replace")
            yield next(_varints(found[1])), kept_id, row[whole - sizes[-1] :]


def _varints(data: bytes) -> Iterator[int]:
    """SQLite's way to write numbers: seven bits in each byte."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            yield number
            number = 0


def _size(kind: int) -> int:
    """How many bytes a value has that is said to be of this kind."""
    return (kind - 12) // 2 if kind >= len(_NUMBER_SIZES) else _NUMBER_SIZES[kind]


def _payload(data: bytes, begin: int, size: int, page_size: int) -> bytes:
    """So many bytes of a row: what has no room on the page stands on others, each of which begins
    with the number of the next.
    """
    most, least = page_size - 35, (page_size - 12) * 32 // 255 - 23
    here = size
    if size > most:
        here = least + (size - least) % (page_size - 4)
        here = here if here <= most else least
    parts, left = [data[begin : begin + here]], size - here
    following = int.from_bytes(data[begin + here : begin + here + 4])
    while left > 0 and 0 < following <= len(data) // page_size:
        page = data[(following - 1) * page_size : following * page_size]
        parts.append(page[4 : 4 + left])
        left -= page_size - 4
        following = int.from_bytes(page[:4])
    return b"".join(parts)


def _table_of(kept_id: str, text: str) -> str:
    if "/" in kept_id:
        return "review_sources" if kept_id.endswith("/list") else "batch_rows"
    with contextlib.suppress(msgspec.DecodeError):
        if decode_batch(unsigned(text)).id == kept_id:
            return "batches"
    return "reviews"


class _Mended(NamedTuple):
    """Batches that are whole again, with all else that was kept beside them, and the names of those
    of which something could not be read. `people` stand in their rows, and nowhere else any more.
    """

    texts: list[KeptText]
    incomplete: tuple[str, ...]
    people: tuple[OutboxEntry, ...]


def _mended(found: Iterable[KeptText], entries: Iterable[OutboxEntry]) -> _Mended:
    """What was `found` of a damaged file, and what is missing made anew of its entries: how they
    are counted and in which row each stands, not what else stood in the row.
    """
    people: dict[str, dict[int, OutboxEntry]] = defaultdict(dict)
    for entry in entries:
        if entry.batch is not None and 0 <= entry.row < _MOST_ROWS:
            people[entry.batch][entry.row] = entry
    known: list[Batch] = []
    rows: dict[str, dict[int, BatchRow]] = defaultdict(dict)
    result: list[KeptText] = []
    for one in found:
        # A file that somebody made may hold anything.
        with contextlib.suppress(msgspec.DecodeError, ValueError):
            if one.table == "batches":
                known.append(decode_batch(unsigned(one.text)))
            elif one.table == "batch_rows":
                batch_id, _, first = one.id.rpartition("/")
                part = decode_rows(unsigned(one.text))
                # Its id is not signed with it: one bit of that may have it stand among others.
                if int(first) in range(0, _MOST_ROWS, batches.TOGETHER):
                    rows[batch_id].update(enumerate(part, int(first)))
            else:
                result.append(one)
    gone = _without_head(known, people, rows)
    made = [_head_of(one, people[one], rows[one]) for one in gone]
    incomplete = [batch.name for batch in made]
    for batch in sorted((*known, *made), key=lambda each: each.taken_at):
        theirs = rows[batch.id]
        if batch in known and any(number not in theirs for number in _row_numbers(batch)):
            incomplete.append(batch.name)
        result += batches.texts(batch, list(_all_rows(batch, people[batch.id], theirs)))
    lost = [one for batch in known for one in _lost(batch, people[batch.id], rows[batch.id])]
    return _Mended(result, tuple(incomplete), tuple(lost))


def _lost(batch: Batch, people: _People, rows: _Rows) -> Iterator[OutboxEntry]:
    """Whoever was taken with it and is nowhere else: also those who are done are kept with it."""
    for number, row in rows.items():
        new = row.new_person
        is_of_it = number < batch.rows and batch.end is None
        if new is not None and number not in people and is_of_it:
            yield OutboxEntry(
                id=batch.entry_id(number),
                typed=" ".join(filter(None, (new.full_name, new.email))),
                new_person=new,
                state=EntryState.WAITING,
                typed_at=batch.taken_at,
                send_at=batch.taken_at,
                batch=batch.id,
                row=number,
            )


def _without_head(
    known: Iterable[Batch], people: Mapping[str, _People], rows: Mapping[str, _Rows]
) -> list[str]:
    """Batches that somebody was in; not those that were forgotten for being older than others."""
    heads = {batch.id: batch.taken_at for batch in known}
    oldest = min(heads.values(), default=None)
    return [
        batch_id
        for batch_id, entries in people.items()
        if batch_id not in heads
        and (
            batch_id in rows
            or oldest is None
            or any(not entry.done or entry.typed_at >= oldest for entry in entries.values())
        )
    ]


def _head_of(batch_id: str, people: _People, rows: _Rows) -> Batch:
    sent = {number for number, row in rows.items() if row.new_person is not None}
    width = max((len(row.cells) for row in rows.values()), default=0)
    return Batch(
        id=batch_id,
        name=tr("List from a damaged file"),
        headings=("",) * width,
        taken_at=min(entry.typed_at for entry in people.values()),
        rows=max((*people, *rows)) + 1,
        total=len(sent.union(people)),
    )


def _row_numbers(batch: Batch) -> range:
    return range(min(batch.rows, _MOST_ROWS))


def _all_rows(batch: Batch, people: _People, rows: _Rows) -> Iterator[BatchRow]:
    """Those that were read, and the others made anew."""
    before = next((row.line - number for number, row in rows.items()), 1)
    blank = ("",) * len(batch.headings)
    for number in _row_numbers(batch):
        if number in rows:
            yield rows[number]
            continue
        entry = people.get(number)
        gone = tr("not readable in the damaged file") if entry is None else ""
        person = None if entry is None else entry.new_person
        yield BatchRow(number + before, blank, person, gone)
