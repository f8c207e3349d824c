"""A file or what was copied, as one table: what it is, is decided by its content.

Each format has a reader of its own in `formats/`; what the columns mean is left to `columns.py`.
"""

import errno
import os
import re
from collections.abc import Iterable
from pathlib import Path

from app.importing.formats.address_line import read_addresses
from app.importing.formats.delimited import even, find_separator, read_rows, rows_by_blanks
from app.importing.formats.encodings import decode
from app.importing.formats.html_table import table_in
from app.importing.formats.line_blocks import people_in_lines
from app.importing.formats.source_table import (
    LONGEST_CELL,
    MOST_ROWS,
    SourceKind,
    SourceRow,
    SourceTable,
    UnreadableList,
    no_list,
    nobody_in_it,
    too_large,
    too_long_cell,
    too_many_rows,
)
from app.importing.formats.vcard import is_vcard, read_vcards
from app.importing.formats.workbook_bounds import COMPOUND, PACKED
from app.importing.formats.workbook_process import read_workbook_apart
from app.importing.list_name import COPIED
from app.people.parsing.entry_parser import first_of, read_entry
from app.runtime.files import NotRegularFileError, open_regular
from app.runtime.words import tr

__all__ = [
    "MOST_ROWS",
    "SourceKind",
    "SourceRow",
    "SourceTable",
    "UnreadableList",
    "looks_like_many",
    "read_clipboard",
    "read_content",
    "read_file",
    "read_lines",
]

_MOST_BYTES = 64 * 1024 * 1024
_MOST_COPIED = 16 * 1024 * 1024
"""Characters."""
_LOOKED_AT = 20_000
_OTHER_FILE = re.compile(
    r"\s*(?:\{\\rtf|%PDF-|%!PS|<\?xml|<svg|\[\s*\{\s*\"|\{\s*\"|dn:\s*\w+=|BEGIN:VCALENDAR)",
    re.IGNORECASE,
)
"""What is text, and means something to another program: RTF, PDF, XML, JSON, LDIF, calendars."""
_LOCK_MARKS = (".~lock.", "~$")
"""Of files beside a list that somebody has open: they say who, and hold nobody of the list."""
_IN_USE = frozenset({errno.EACCES, errno.EBUSY, errno.ETXTBSY})
_SHARING_VIOLATION = (32, 33)


def read_file(path: Path, sheet: str | None = None) -> SourceTable:
    """The list in the file at `path`, of a workbook its `sheet`, or the first with people.

    It blocks, for seconds where the file is large: called in a worker thread. Raises
    UnreadableList, and nothing else, whatever the file is.
    """
    if path.name.startswith(_LOCK_MARKS):
        raise no_list()
    return read_content(_content(path), path.name, sheet)


def read_content(content: bytes, name: str, sheet: str | None = None) -> SourceTable:
    """The list in a file of this content and name; otherwise as `read_file`."""
    if content.startswith((PACKED, COMPOUND)):
        return read_workbook_apart(content, name, sheet)
    decoded = decode(content)
    if decoded is None:
        raise no_list()
    return _of_text(decoded[0], name, decoded[1])


def read_clipboard(text: str, html: str = "", name: str = COPIED) -> SourceTable:
    """The list that was copied: the table in `html` where there is one, else what `text` says.

    Raises UnreadableList.
    """
    if 0 < len(html) <= _MOST_COPIED:
        rows = table_in(html)
        if rows is not None:
            return _of_table(rows, name)
    if len(text) > _MOST_COPIED:
        raise too_large()
    return _of_text(text.replace("\0", ""), name, None, SourceKind.CLIPBOARD)


def looks_like_many(text: str) -> bool:
    """Whether `text` is several people: several lines, or a To line with several addresses.

    Several lines may be one person, as in a signature.
    """
    if read_addresses(text[:_LOOKED_AT]) is not None:
        return True
    return first_of(text[:_LOOKED_AT], read_entry)[1] or is_vcard(text)


def read_lines(text: str, name: str) -> SourceTable:
    """Somebody in each line, though together they look like the lines of one person.

    Raises UnreadableList.
    """
    lines = enumerate(text.replace("\0", "").splitlines(), start=1)
    return _of_lines(lines, name, None)


def _content(path: Path) -> bytes:
    try:
        with os.fdopen(open_regular(path, os.O_RDONLY, follow_links=True), "rb") as file:
            before = os.fstat(file.fileno())
            if before.st_size > _MOST_BYTES:
                raise too_large()
            content = file.read(_MOST_BYTES + 1)
            after = os.fstat(file.fileno())
    except OSError as error:
        raise _unopened(error) from error
    except ValueError as error:  # a name with a NUL in it
        raise _unopened(OSError(errno.ENOENT, str(error))) from error
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or (
        len(content) != after.st_size
    ):
        raise UnreadableList(
            tr("The file changed while it was read: try again once it is saved or copied.")
        )
    if not content:
        raise nobody_in_it()
    return content


def _unopened(error: OSError) -> UnreadableList:
    details = error.strerror or type(error).__name__
    if isinstance(error, NotRegularFileError):
        sentence = tr("This is no file: choose the file with the list.")
    elif isinstance(error, FileNotFoundError):
        sentence = tr("The file is not there any more.")
    elif getattr(error, "winerror", None) in _SHARING_VIOLATION:
        sentence = tr("Another program holds the file: close it there and try again.")
    elif error.errno in _IN_USE:
        sentence = tr("The file may not be read: it is another person's, or in use elsewhere.")
    else:
        sentence = tr("The file cannot be read: copy it to this computer and try again.")
    return UnreadableList(sentence, details=details)


def _of_text(
    text: str, name: str, encoding: str | None, kind: SourceKind = SourceKind.CSV
) -> SourceTable:
    if is_vcard(text):
        return read_vcards(text, name, encoding)
    if text[:_LOOKED_AT].lstrip()[:1] == "<" and (table := table_in(text)) is not None:
        return _of_table(table, name)
    if _OTHER_FILE.match(text[:_LOOKED_AT]):
        raise no_list()
    if (addresses := read_addresses(text)) is not None:
        return _of_addresses(addresses, name, encoding)
    separator = find_separator(text)
    if separator is None:
        if (columns := rows_by_blanks(text)) is not None:
            return SourceTable(name, kind, columns, encoding=encoding)
        return _of_lines(people_in_lines(text), name, encoding)
    rows = read_rows(text, separator)
    if not rows:
        raise nobody_in_it()
    return SourceTable(name, kind, rows, encoding=encoding)


def _of_table(table: list[tuple[str, ...]], name: str) -> SourceTable:
    rows = even([SourceRow(number, cells) for number, cells in enumerate(table, start=1)])
    if not rows:
        raise nobody_in_it()
    return SourceTable(name, SourceKind.CLIPBOARD, rows)


def _of_addresses(addresses: list[tuple[str, str]], name: str, encoding: str | None) -> SourceTable:
    if len(addresses) > MOST_ROWS:
        raise too_many_rows()
    rows = [SourceRow(number, cells) for number, cells in enumerate(addresses, start=1)]
    headings = (tr("Name"), tr("Email"))
    return SourceTable(
        name,
        SourceKind.ADDRESSES,
        rows,
        headings,
        encoding=encoding,
        known_as=("Name", "Email"),
    )


def _of_lines(lines: Iterable[tuple[int, str]], name: str, encoding: str | None) -> SourceTable:
    rows: list[SourceRow] = []
    for number, line in lines:
        if len(line) > LONGEST_CELL:
            raise too_long_cell(number)
        if any(letter.isalnum() for letter in line):
            if len(rows) >= MOST_ROWS:
                raise too_many_rows()
            rows.append(SourceRow(number, (line.strip().strip('"'),)))
    if not rows:
        raise nobody_in_it()
    return SourceTable(name, SourceKind.LINES, rows, encoding=encoding)
