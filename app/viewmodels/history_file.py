"""The history as a file for a spreadsheet: its columns, and the writing."""

import csv
import io
import os
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from app.model.outbox import OutboxEntry
from app.runtime.spreadsheet import spreadsheet_cell
from app.runtime.words import tr
from app.viewmodels.history_words import moment_of, outcome_words
from app.viewmodels.wording import local

_MARK = "\ufeff"
"""Without it before the first letter, spreadsheets read accents as two letters each."""


def history_csv(entries: Iterable[OutboxEntry]) -> bytes:
    """The entries as comma separated values, UTF-8 with a byte order mark, a header first.

    Times are in this computer's zone; the cells are as `spreadsheet_cell` makes them.
    """
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(_header())
    rows.writerows([spreadsheet_cell(cell) for cell in _cells(entry)] for entry in entries)
    return (_MARK + text.getvalue()).encode()


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` in place of what was there, whole or not at all. Raises OSError."""
    descriptor, written = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(path)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise


def _header() -> list[str]:
    return [
        tr("When"),
        tr("First name"),
        tr("Last name"),
        tr("Email"),
        tr("Phone, kept here"),
        tr("Not used"),
        tr("What became of it"),
        tr("Reason"),
        tr("Typed at"),
        tr("Typed"),
        tr("Id in the account"),
    ]


def _cells(entry: OutboxEntry) -> list[str]:
    new = entry.new_person
    return [
        _local(moment_of(entry)),
        new.firstname,
        new.lastname,
        new.email,
        new.phone,
        new.leftover,
        outcome_words(entry),
        entry.reason,
        _local(entry.typed_at),
        entry.typed,
        entry.person_id or "",
    ]


def _local(moment: datetime) -> str:
    """As every spreadsheet reads it, whatever its language."""
    return local(moment).strftime("%Y-%m-%d %H:%M:%S")
