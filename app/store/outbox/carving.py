"""Entries and texts out of the bytes of a damaged file, however much of the tables around them is
left: rows are known by how they begin, and each says itself whether it is as it was written.

Which file that is, and what is made of it, is left to `rescue`.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator

import msgspec

from app.store.outbox.batches import decode_batch
from app.store.outbox.rows import KeptText, Record, decode, newest, scan, unsigned

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
        sizes = list(map(_size, _numbers(data[begin + 1 : begin + length])))
        whole = length + sum(sizes)
        if len(sizes) > 1 and whole <= min(len(data), left):
            left -= whole
            row = _payload(data, begin, whole, page_size)
            kept_id = row[length : length + sizes[1]].decode(errors="replace")
            yield next(_numbers(found[1])), kept_id, row[whole - sizes[-1] :]


def _numbers(data: bytes) -> Iterator[int]:
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
