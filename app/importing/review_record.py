"""A list that is looked over as it is kept over a restart: as it was read, once, and what somebody
has changed in it since.

Where it is kept is known in `store/outbox/reviews`.
"""

import os
from pathlib import Path

import msgspec

from app.importing.formats.source_table import SourceKind, SourceTable
from app.importing.list_name import name_of
from app.importing.review import Review, ReviewChanges


class ReviewRecord(msgspec.Struct, frozen=True):
    """What differs from a fresh review, and what the list is called; `path` is its file's. `given`:
    it was named outside of the window.
    """

    name: str
    kind: SourceKind
    changes: ReviewChanges
    path: bytes = b""
    given: bool = False

    @property
    def file(self) -> Path | None:
        """The file that it came from, if it did."""
        return Path(os.fsdecode(self.path)) if self.path else None


_decode_record = msgspec.json.Decoder(ReviewRecord).decode
_decode_source = msgspec.msgpack.Decoder(SourceTable).decode


def record_of(review: Review, path: Path | None, *, given: bool = False) -> ReviewRecord:
    """How it stands now."""
    table, file = review.table, b"" if path is None else os.fsencode(path)
    return ReviewRecord(name_of(review), table.kind, review.changes(), file, given)


def encode_record(record: ReviewRecord) -> str:
    """The record as text. Raises UnicodeEncodeError where a name is no text."""
    return msgspec.json.encode(record).decode()


def decode_record(text: str) -> ReviewRecord | None:
    """The record again; None where this is none."""
    try:
        return _decode_record(text)
    except msgspec.DecodeError:
        return None


def encode_source(table: SourceTable) -> bytes:
    """The list as it was read. Raises as above."""
    return msgspec.msgpack.encode(table)


def decode_source(data: bytes) -> SourceTable:
    """The list again. Raises msgspec.DecodeError where this is none."""
    return _decode_source(data)
