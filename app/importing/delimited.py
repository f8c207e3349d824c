"""Rows of a text whose cells are held apart by a sign: CSV, TSV and what programs call so.

Which sign that is, is found out by trying: what comes out has to look like a list. The encoding
and what the cells mean are left to others.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.importing.source import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    SourceRow,
    too_long_cell,
    too_many_rows,
)

_SEPARATORS = (",", ";", "\t", "|")
_SAID = re.compile(r'"?sep=([^\r\n"])"?(?=\r|\n)', re.IGNORECASE)
"""The first line of some exports, for Excel; what follows is the separator."""
_SAMPLE = 300


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text is cut into cells."""

    separator: str
    quoted: bool = True


def read_rows(text: str, dialect: Dialect) -> list[SourceRow]:
    """Every row of `text`, padded to the longest; raises UnreadableList beyond the bounds."""
    said = _said_separator(text)
    rows: list[SourceRow] = []
    for line, cells in _records(text, dialect):
        if line == 1 and said is not None:
            continue
        if len(rows) >= MOST_ROWS and any(cells):
            raise too_many_rows()
        rows.append(SourceRow(line, cells))
    return even(rows)


def even(rows: Sequence[SourceRow]) -> list[SourceRow]:
    """The rows without empty ones at the end or empty columns behind, all of one length."""
    kept = list(rows)
    while kept and not any(kept[-1].cells):
        kept.pop()
    width = max((_filled(row.cells) for row in kept), default=0)
    return [
        row if len(row.cells) == width else SourceRow(row.line, (row.cells + ("",) * width)[:width])
        for row in kept
    ]


def _filled(cells: Sequence[str]) -> int:
    return next((n for n in range(len(cells), 0, -1) if cells[n - 1]), 0)


def find_dialect(text: str) -> Dialect | None:
    """How `text` is most likely cut; None where every line is one cell."""
    said = _said_separator(text)
    if said is not None:
        return Dialect(said)
    judged = [(_judge(text, Dialect(sign)), Dialect(sign)) for sign in _SEPARATORS]
    best, dialect = max(judged, key=lambda each: each[0])
    return dialect if best > 0 else None


def _said_separator(text: str) -> str | None:
    said = _SAID.match(text)
    return said[1] if said else None


def _judge(text: str, dialect: Dialect) -> float:
    """How much it looks like a table: the part of the rows that have the usual number of cells."""
    widths: Counter[int] = Counter()
    for number, (_, cells) in enumerate(_records(text[:100_000], dialect)):
        if number >= _SAMPLE:
            break
        if any(cells):
            widths[len(cells)] += 1
    if not widths:
        return 0
    width, often = widths.most_common(1)[0]
    return 0 if width == 1 else often / widths.total() + min(width, 20) / 1000


def _records(text: str, dialect: Dialect) -> Iterator[tuple[int, tuple[str, ...]]]:
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=dialect.separator,
        quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
        skipinitialspace=dialect.separator in ",;",
    )
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise too_long_cell(line) from error
        if len(cells) > MOST_COLUMNS:
            raise too_long_cell(line)
        yield line, tuple(cell.strip() for cell in cells)
        line = reader.line_num + 1
