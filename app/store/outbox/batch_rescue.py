"""Batches out of a file that is damaged: their texts, however much of the tables around them is
left, and what is gone made anew of the people who were taken with them.

Which file that is, and what is told of it, is left to `rescue`.
"""

import contextlib
import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from app.model.outbox import Batch, BatchRow, EntryState, OutboxEntry
from app.runtime.words import tr
from app.store.outbox import batches, rows
from app.store.outbox.batches import TABLES, TOGETHER, KeptText
from app.store.outbox.rows import unsigned

_decode_batch = msgspec.json.Decoder(Batch).decode
_decode_rows = msgspec.json.Decoder(tuple[BatchRow, ...]).decode
_HEAD = re.compile(rb"([0-9a-f]{32}(?:/(?:[0-9]{6}|list))?)[0-9a-f]{16} ")
"""The id of a row and, right behind it, how a text that is signed begins."""
_TEXT = 13
"""SQLite's file format: a text of n bytes is said as twice n and this."""
_PAGE_SIZE_AT = 16
_MOST_ROWS = 1_000_000
"""More than any list has."""


def readable(connection: sqlite3.Connection) -> Iterator[KeptText]:
    """Of a file that may be damaged, or older than batches, what is as it was written."""
    for table, column in TABLES.items():
        for it_id, text in rows.readable(connection, table, column):
            kept = KeptText(table, it_id, text.decode(errors="replace"))
            if unsigned(kept.text):
                yield kept


def scan(data: bytes) -> Iterator[KeptText]:
    """Every whole text anywhere in the bytes of a file, those that go over several pages too."""
    size = int.from_bytes(data[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2])
    # A damaged first page says nothing of it: then it is as every outbox is made.
    page_size = size if size in {512 << n for n in range(7)} else 8192
    for found in _HEAD.finditer(data):
        kept_id = found[1].decode()
        text = _text_behind(data, found.start(), found.end(1), page_size)
        if text is not None and unsigned(text) and (table := _table_of(kept_id, text)):
            yield KeptText(table, kept_id, text)


def _text_behind(data: bytes, id_at: int, text_at: int, page_size: int) -> str | None:
    """The text of the row whose id stands there, as its header says (SQLite, Record Format)."""
    for digits in range(1, 5):
        header = data[id_at - digits - 3 : id_at]
        id_type = 2 * (text_at - id_at) + _TEXT
        if header[:3] == bytes((digits + 3, 0, id_type)) and len(header) == digits + 3:
            length = _number(header[3:]) - _TEXT
            if length > 0 and not length % 2:
                row = _row(data, id_at, len(header) + text_at - id_at + length // 2, page_size)
                with contextlib.suppress(UnicodeDecodeError):
                    return row[text_at - id_at :].decode()
    return None


def _number(digits: bytes) -> int:
    """SQLite's way to write a number: seven bits in each byte."""
    number = 0
    for digit in digits:
        number = number << 7 | digit & 0x7F
    return number


def _row(data: bytes, begin: int, size: int, page_size: int) -> bytes:
    """What follows from there of a row of that many bytes, its header among them: what has no room
    on the page stands on others, each of which begins with the number of the next.
    """
    header = _header_before(data, begin)
    most, least = page_size - 35, (page_size - 12) * 32 // 255 - 23
    here = size
    if size > most:
        here = least + (size - least) % (page_size - 4)
        here = here if here <= most else least
    end = begin - header + here
    parts, left = [data[begin:end]], size - here
    following = int.from_bytes(data[end : end + 4])
    while left > 0 and 0 < following <= len(data) // page_size:
        page = data[(following - 1) * page_size : following * page_size]
        parts.append(page[4 : 4 + left])
        left -= page_size - 4
        following = int.from_bytes(page[:4])
    return b"".join(parts)


def _header_before(data: bytes, begin: int) -> int:
    return next(
        size for size in range(4, 8) if data[begin - size] == size and data[begin - size + 1] == 0
    )


def _table_of(kept_id: str, text: str) -> str:
    if kept_id.endswith("/list"):
        return "review_sources"
    if "/" in kept_id:
        return "batch_rows"
    with contextlib.suppress(msgspec.DecodeError):
        return "batches" if _decode_batch(unsigned(text)).id == kept_id else ""
    return "reviews"


class Mended(NamedTuple):
    """Batches that are whole again, with all else that was kept beside them, and the names of those
    of which something could not be read. `people` stand in their rows, and nowhere else any more.
    """

    texts: list[KeptText]
    incomplete: tuple[str, ...]
    people: tuple[OutboxEntry, ...]


def mended(found: Iterable[KeptText], entries: Iterable[OutboxEntry]) -> Mended:
    """What was `found` of a damaged file, the first of each, and what is missing made anew of its
    entries: how they are counted and in which row each stands, not what else stood in the row.
    """
    texts: dict[tuple[str, str], KeptText] = {}
    for text in found:
        texts.setdefault(text[:2], text)
    people: dict[str, dict[int, OutboxEntry]] = defaultdict(dict)
    for entry in entries:
        if entry.batch is not None and 0 <= entry.row < _MOST_ROWS:
            people[entry.batch][entry.row] = entry
    known: list[Batch] = []
    parts: dict[str, dict[int, tuple[BatchRow, ...]]] = defaultdict(dict)
    result: list[KeptText] = []
    for one in texts.values():
        # A file that somebody made may hold anything.
        with contextlib.suppress(msgspec.DecodeError, ValueError):
            if one.table == "batches":
                known.append(_decode_batch(unsigned(one.text)))
            elif one.table == "batch_rows":
                batch_id, _, first = one.id.rpartition("/")
                parts[batch_id][int(first)] = _decode_rows(unsigned(one.text))
            else:
                result.append(one)
    heads = {batch.id: batch for batch in known}
    gone = _without_head(heads, people, parts)
    made = [_head_of(one, people[one], parts[one]) for one in gone]
    incomplete = [batch.name for batch in made]
    for batch in sorted((*known, *made), key=lambda each: each.taken_at):
        chunks = list(_chunks(batch, people[batch.id], parts[batch.id]))
        if batch.id in heads and any(is_new for is_new, _ in chunks):
            incomplete.append(batch.name)
        result += (batches.head(batch), *(chunk for _, chunk in chunks))
    lost = [one for batch in known for one in _lost(batch, people[batch.id], parts[batch.id])]
    return Mended(result, tuple(incomplete), tuple(lost))


def _lost(
    batch: Batch,
    people: Mapping[int, OutboxEntry],
    parts: Mapping[int, Sequence[BatchRow]],
) -> Iterator[OutboxEntry]:
    """Whoever was taken with it and is nowhere else: also those who are done are kept with it."""
    for first, part in parts.items():
        for number, row in enumerate(part, first):
            new = row.new_person
            if new is not None and number not in people and batch.end is None:
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
    heads: Mapping[str, Batch],
    people: Mapping[str, Mapping[int, OutboxEntry]],
    parts: Mapping[str, Mapping[int, Sequence[BatchRow]]],
) -> list[str]:
    """Batches that somebody was in; not those that were forgotten for being older than others."""
    oldest = min((batch.taken_at for batch in heads.values()), default=None)
    return [
        batch_id
        for batch_id, entries in people.items()
        if batch_id not in heads
        and (
            batch_id in parts
            or oldest is None
            or any(not entry.done or entry.typed_at >= oldest for entry in entries.values())
        )
    ]


def _head_of(
    batch_id: str,
    people: Mapping[int, OutboxEntry],
    parts: Mapping[int, Sequence[BatchRow]],
) -> Batch:
    behind = [max(people) + 1, *(first + len(part) for first, part in parts.items())]
    read = {first + at: row for first, part in parts.items() for at, row in enumerate(part)}
    sent = {number for number, row in read.items() if row.new_person is not None}
    width = max((len(row.cells) for row in read.values()), default=0)
    return Batch(
        id=batch_id,
        name=tr("List from a damaged file"),
        headings=("",) * width,
        taken_at=min(entry.typed_at for entry in people.values()),
        rows=max(behind),
        total=len(sent.union(people)),
    )


def _chunks(
    batch: Batch,
    people: Mapping[int, OutboxEntry],
    parts: Mapping[int, Sequence[BatchRow]],
) -> Iterator[tuple[bool, KeptText]]:
    """All rows of a batch, and of each part whether it is made anew."""
    lines = (part[0].line - first for first, part in parts.items() if part)
    before = next(lines, 1)
    blank = ("",) * len(batch.headings)
    for first in range(0, min(batch.rows, _MOST_ROWS), TOGETHER):
        part = parts.get(first, ())
        numbers = range(first, min(first + TOGETHER, batch.rows))
        if len(part) == len(numbers):
            yield False, batches.chunk(batch, first, part)
            continue
        rows = []
        for number in numbers:
            entry = people.get(number)
            gone = tr("not readable in the damaged file") if entry is None else ""
            person = None if entry is None else entry.new_person
            rows.append(BatchRow(number + before, blank, person, gone))
        yield True, batches.chunk(batch, first, rows)
