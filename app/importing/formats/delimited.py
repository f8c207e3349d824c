"""Rows of a text whose cells are held apart by a sign: CSV, TSV and what programs call so.

Which sign that is, is found out by trying: what comes out has to look like a list. The encoding
and what the cells mean are left to others.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_LINES,
    MOST_ROWS,
    SourceRow,
    too_long_cell,
    too_many_columns,
    too_many_rows,
)
from app.importing.top_rows import say_what_is_below

_AS_IN_PROSE = (",", ";")
_SEPARATORS = ("\t", *_AS_IN_PROSE, "|")
_SAID = re.compile(r'"?sep=([^\w\r\n" ])"?(?=\r|\n)', re.IGNORECASE)
"""The first line of some exports, for Excel; what follows the sign of equality is the separator."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ENDS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_ANY_LINE = re.compile(rf"(?=.)([^{_ENDS}]*)(?:\r\n|[{_ENDS}]|\Z)", re.DOTALL)
"""As Python tells lines apart."""
_NOT_BLANK = re.compile(r"\S")
_SAMPLE = 300
_LONGEST_SAMPLE = 64 * 1024
_TOP = 8
"""Rows among which headings are looked for."""
_LINES_IN_A_CELL = 100
"""More of them, or an end of the file, inside quotation marks: one is missing, and the line that
began it is taken as it stands."""
_ADDRESS = r'<?[^\s@<>,;"]+@[^\s@<>,;"]+>?'
_EMAILS = re.compile(rf"{_ADDRESS}(?:\s*[;,]\s*{_ADDRESS})*")
_WIDE_BLANKS = re.compile(r" {2,}|\t+ *")


def read_rows(text: str, separator: str) -> list[SourceRow]:
    """Every row of `text`, all of one length; raises UnreadableList beyond the bounds."""
    said = _SAID.match(text)
    rows: list[SourceRow] = []
    lines = _Lines(text)
    stop, has_formulas = reading_stop(), '="' in text
    for line, record in _records(lines, separator):
        cells = tuple(map(_without_formula, record)) if has_formulas else record
        stop.check()
        if line == 1 and said:
            continue
        if len(rows) >= MOST_ROWS:
            if any(cells) or not lines.rest_is_empty(separator):
                raise too_many_rows()
            break
        rows.append(SourceRow(line, cells))
    return even(rows)


def _without_formula(cell: str) -> str:
    """`="0410"`, by which programs keep Excel from taking a text for a number."""
    plain = len(cell) > len('=""') and cell.startswith('="') and cell.endswith('"')
    return cell[2:-1] if plain and '"' not in cell[2:-1] else cell


def lines_in(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number, from 1; raises UnreadableList beyond the bound."""
    # Not all at once: there may be millions of lines of nothing.
    stop = reading_stop()
    for number, found in enumerate(_ANY_LINE.finditer(text), start=1):
        stop.check()
        if number > MOST_LINES:
            if _NOT_BLANK.search(text, found.start()):
                raise too_many_rows()
            return
        yield number, found[1]


def rows_by_blanks(text: str) -> list[SourceRow] | None:
    """The rows of a text whose columns stand below each other; None where they do not."""
    rows = [
        SourceRow(number, tuple(cell.strip() for cell in _WIDE_BLANKS.split(line.strip())))
        for number, line in islice(lines_in(text), MOST_ROWS + 1)
        if line.strip()
    ]
    widths = {len(row.cells) for row in rows}
    if len(rows) < len(("one", "other")) or len(widths) != 1 or widths == {1}:
        return None
    if len(rows) > MOST_ROWS:
        raise too_many_rows()
    return rows


def even(rows: Sequence[SourceRow]) -> list[SourceRow]:
    """The rows without empty ones at either end and empty columns on the right, of one length."""
    filled = [number for number, row in enumerate(rows) if any(row.cells)]
    kept = rows[filled[0] : filled[-1] + 1] if filled else ()
    width = max((_width(row.cells) for row in kept), default=0)
    return [
        row if len(row.cells) == width else SourceRow(row.line, (row.cells + ("",) * width)[:width])
        for row in kept
    ]


def _width(cells: Sequence[str]) -> int:
    return next((n for n in range(len(cells), 0, -1) if cells[n - 1]), 0)


def find_separator(text: str) -> str | None:
    """What most likely stands between the cells of `text`; None where every line is one cell."""
    if said := _SAID.match(text):
        return said[1]
    sample = text[:_LONGEST_SAMPLE]
    judged = {separator: _judge(sample, separator) for separator in _SEPARATORS}
    best = max(_SEPARATORS, key=judged.__getitem__)
    return best if judged[best] > 0 else None


def _judge(sample: str, separator: str) -> float:
    """How much it looks like a table, 0 for not at all.

    Counted are the rows of the usual width, and the emails that have a cell to themselves, one or
    several: a line like "Lovelace, Ada ada@x.org" is no row of two cells, unless headings say so.
    """
    rows = [
        cells
        for _, cells in islice(_records(_Lines(sample), separator, lenient=True), _SAMPLE)
        if any(cells)
    ]
    if len(rows) > 1 and len(sample) == _LONGEST_SAMPLE:
        rows.pop()
    widths = Counter(map(len, rows))
    if not widths or widths.most_common(1)[0] == (1, len(rows)):
        return 0
    width, often = max(widths.items(), key=lambda each: (each[1], each[0]))
    if width == 1:
        return 0
    holding = [cell for cells in rows for cell in cells if "@" in cell]
    alone = sum(_EMAILS.fullmatch(cell) is not None for cell in holding)
    clean = alone / len(holding) if holding else 1.0
    prose = not alone and _is_prose(rows, sample)
    if not (holding and prose) and _are_below_headings(rows, separator):
        clean = 1.0
    elif separator in _AS_IN_PROSE and not alone and (holding or prose):
        return 0
    return often / len(rows) + clean / 2 + min(width, 20) / 1000


def _are_below_headings(rows: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether most rows are as wide as one at the top that says what is in them."""
    top = next((cells for cells in rows[:_TOP] if sum(map(bool, cells)) > 1), ())
    if 2 * sum(len(cells) == len(top) for cells in rows) <= len(rows):
        return False
    otherwise = {*_SEPARATORS, '"'} - {separator}
    uncut = any(otherwise.intersection(cell) or cell.startswith("'") for cell in top)
    return not uncut and say_what_is_below(top)


def _is_prose(rows: Sequence[Sequence[str]], sample: str) -> bool:
    """Whether a sign is set as people write it: once in a line, and with a blank behind it."""
    last_and_first = 2
    return max(map(len, rows)) <= last_and_first and not re.search(r"[,;]\S", sample)


def _records(
    lines: "_Lines", separator: str, *, lenient: bool = False
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The line each record begins in, from 1, and its cells; `lenient` cuts what is too long."""
    csv.field_size_limit(LONGEST_CELL)
    reader = _reader(lines, separator)
    while True:
        begun = lines.number
        try:
            lines.begin()
            cells = next(reader)
        except StopIteration:
            return
        except (_NotClosedError, csv.Error):
            lines.begin_again()
            try:
                cells = next(_reader(iter([next(lines)]), separator, quotes=False), [])
            except csv.Error as error:
                if not lenient:
                    raise too_long_cell(begun + 1) from error
                cells = []
            reader = _reader(lines, separator)
        if len(cells) > MOST_COLUMNS:
            if not lenient and any(cell.strip() for cell in islice(cells, MOST_COLUMNS, None)):
                raise too_many_columns()
            cells = cells[:MOST_COLUMNS]
        yield begun + 1, tuple(cell.strip() for cell in cells)


def _reader(lines: Iterator[str], separator: str, *, quotes: bool = True) -> Iterator[list[str]]:
    return csv.reader(
        lines,
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        skipinitialspace=separator != "\t",
    )


class _NotClosedError(Exception):
    """A quotation mark was opened and never closed."""


class _Lines(Iterator[str]):
    """The lines of a text with their ends, read once; NotClosedError where a record has no end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = self._begun_at = 0
        self.number = self._begun = 0

    def begin(self) -> None:
        """A record begins here."""
        self._begun, self._begun_at = self.number, self._at

    def rest_is_empty(self, separator: str) -> bool:
        """Whether no cell says anything from here on."""
        return (
            re.compile(rf"[\s\"{re.escape(separator)}]*+\Z").match(self._text, self._at) is not None
        )

    def begin_again(self) -> None:
        """Read on where the record began."""
        self.number, self._at = self._begun, self._begun_at

    def __next__(self) -> str:
        if self._at >= len(self._text):
            if self.number > self._begun:
                raise _NotClosedError
            raise StopIteration
        if self.number - self._begun > _LINES_IN_A_CELL:
            raise _NotClosedError
        line = _LINE.match(self._text, self._at)
        if line is None:  # the expression takes anything
            raise StopIteration
        self.number, self._at = self.number + 1, line.end()
        return line[0]
