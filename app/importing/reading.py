"""A file or what was copied, as one table: what it is, is decided by its content.

Each format has a reader of its own in this room; what the columns mean is left to `columns.py`.
"""

import os
from pathlib import Path

from app.importing.delimited import find_dialect, read_rows
from app.importing.source import (
    MOST_ROWS,
    SourceKind,
    SourceRow,
    SourceTable,
    UnreadableList,
    nobody_in_it,
)
from app.runtime.files import open_regular
from app.runtime.words import tr

__all__ = [
    "MOST_ROWS",
    "SourceKind",
    "SourceRow",
    "SourceTable",
    "UnreadableList",
    "looks_like_many",
    "read_clipboard",
    "read_file",
]

_MOST_BYTES = 64 * 1024 * 1024


def read_file(path: Path, sheet: str | None = None) -> SourceTable:  # noqa: ARG001
    """The list in the file at `path`, of a workbook its `sheet` or the first with something in it.

    It blocks, for seconds where the file is large: called in a worker thread. Raises
    UnreadableList, and nothing else, whatever the file is.
    """
    try:
        with os.fdopen(open_regular(path, os.O_RDONLY, follow_links=True), "rb") as file:
            content = file.read(_MOST_BYTES)
    except OSError as error:
        raise UnreadableList(tr("The file cannot be read."), details=str(error)) from error
    try:
        text, encoding = content.decode("utf-8-sig"), "utf-8"
    except UnicodeError:
        text, encoding = content.decode("cp1252", "replace"), "cp1252"
    return _of_text(text, path.name, encoding)


def read_clipboard(text: str, html: str = "") -> SourceTable:  # noqa: ARG001
    """The list that was copied: the table in `html` where there is one, else what `text` says.

    Raises UnreadableList.
    """
    return _of_text(text, tr("what was copied"), None)


def looks_like_many(text: str) -> bool:
    """Whether `text` is several people: several lines, or a To line with several addresses."""
    return len([line for line in text.splitlines() if line.strip()]) > 1


def _of_text(text: str, name: str, encoding: str | None) -> SourceTable:
    dialect = find_dialect(text)
    if dialect is not None:
        rows = read_rows(text, dialect)
        kind = SourceKind.CSV
    else:
        rows = [
            SourceRow(number, (line.strip(),))
            for number, line in enumerate(text.splitlines(), start=1)
        ]
        kind = SourceKind.LINES
    if not any(any(row.cells) for row in rows):
        raise nobody_in_it()
    separator = dialect.separator if dialect else None
    return SourceTable(name, kind, rows, encoding=encoding, separator=separator)
