"""One entry as text: JSON that says what it is, which revision, and whether it is as written.

It can be found in the bytes of a file without the table around it; others know where to look.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2s
from typing import NamedTuple

import msgspec

from app.model.outbox import OutboxEntry

_HEAD = re.compile(
    rb'\{"outbox_entry":1,"sum":"([0-9a-f]{16})","revision":([0-9]{1,9}),"bytes":([0-9]{1,9}),'
    rb'"entry":'
)
_decode_entry = msgspec.json.Decoder(OutboxEntry).decode


class Record(NamedTuple):
    """An entry and how often it had been written; of two records the higher revision is newer."""

    entry: OutboxEntry
    revision: int


def encode(record: Record) -> str:
    """The record as one line of JSON."""
    body = msgspec.json.encode(record.entry)
    number = str(record.revision)
    head = f'{{"outbox_entry":1,"sum":"{_sum(number.encode(), body)}","revision":{number},'
    return f'{head}"bytes":{len(body)},"entry":{body.decode()}}}'


def decode(text: object) -> Record | None:
    """The record of a column's bytes; None when it is not exactly what was written."""
    if not isinstance(text, bytes):
        return None
    head = _HEAD.match(text)
    found = None if head is None else _read(text, head)
    return found[0] if found is not None and found[1] == len(text) else None


def scan(data: bytes) -> Iterator[Record]:
    """Every whole record anywhere in `data`, old revisions too."""
    for head in _HEAD.finditer(data):
        found = _read(data, head)
        if found is not None:
            yield found[0]


def newest(records: Iterable[Record]) -> dict[str, Record]:
    """The newest record of each entry, by id, in the order the entries were met."""
    found: dict[str, Record] = {}
    for record in records:
        known = found.get(record.entry.id)
        if known is None or known.revision < record.revision:
            found[record.entry.id] = record
    return found


def _read(data: bytes, head: "re.Match[bytes]") -> tuple[Record, int] | None:
    """The record that begins at `head`, and where it ends."""
    end = head.end() + int(head[3])
    body = data[head.end() : end]
    if data[end : end + 1] != b"}" or _sum(head[2], body) != head[1].decode():
        return None
    try:
        return Record(_decode_entry(body), int(head[2])), end + 1
    except msgspec.DecodeError:
        return None


def _sum(number: bytes, body: bytes) -> str:
    return blake2s(number + b":" + body, digest_size=8).hexdigest()
