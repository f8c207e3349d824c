"""The table in a piece of HTML, as spreadsheets and browsers put it on the clipboard.

What the cells mean is left to others.
"""

import re
from html.parser import HTMLParser

from app.importing.formats.reading_stop import reading_stop
from app.importing.formats.source_table import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    too_large,
    too_long_cell,
    too_many_columns,
    too_many_rows,
)

_CELLS = frozenset({"td", "th"})
_BREAKS = frozenset({"br", "p", "div", "li", "h1", "h2", "h3", "h4"})
_UNSEEN = frozenset({"script", "style", "template", "head", "title"})
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_MOST_CELLS = 2_000_000
_MOST_CHARACTERS = 64 * 1024 * 1024
"""Of a table, with the cells and the text that merged ones give to each of their rows."""
_LONGEST_NUMBER = 6
_DEEPEST = 20
_MAIL = re.compile(r"mailto:([^?\s]+@[^?\s]+)", re.IGNORECASE)
_Attributes = list[tuple[str, str | None]]


def table_in(html: str) -> list[tuple[str, ...]] | None:
    """The rows of the largest table in `html`; None where there is none of two cells.

    A merged cell's text stands in its first column and in each of its rows. Raises UnreadableList
    beyond the bounds.
    """
    if not re.search(r"<t[dh]\b", html, re.IGNORECASE):
        return None
    found = _Tables()
    try:
        # It is never closed: what has no end would be tried again at each of its characters.
        found.feed(html + "</table>")
    except (ValueError, AssertionError):  # a letter of five thousand digits, an unknown section
        return None
    found.end()
    tables = [table for table in found.tables if sum(map(len, table)) > 1]
    return max(tables, key=lambda rows: sum(map(len, rows)), default=None)


class _Table:
    """One table while it is read; `below` is what merged cells give to the rows to come."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []
        self.row: dict[int, str] | None = None
        self.below: dict[int, tuple[int, str]] = {}
        self.cell: list[str] | None = None
        self.weight = 0
        self.cells = self.characters = 0
        self.span = (1, 1)
        self.mail = ""

    def begin_row(self) -> None:
        self.end_row()
        self.row = {}

    def begin_cell(self, columns: int, rows: int) -> None:
        """It reaches over so many columns and rows."""
        self.end_cell()
        if self.row is None:
            self.begin_row()
        self.cell, self.weight, self.mail = [], 0, ""
        self.span = columns, rows

    def write(self, text: str) -> None:
        if self.cell is not None:
            self.weight += len(text)
            if self.weight > LONGEST_CELL * 4:
                raise too_long_cell(len(self.rows) + 1)
            self.cell.append(text)

    def end_cell(self) -> None:
        if self.cell is None or self.row is None:
            return
        lines = (_BLANKS.sub(" ", line).strip() for line in "".join(self.cell).split("\v"))
        text = "\n".join(line for line in lines if line)
        if self.mail and self.mail.casefold() not in text.casefold():
            text = f"{text} <{self.mail}>".strip()
        if len(text) > LONGEST_CELL:
            raise too_long_cell(len(self.rows) + 1)
        column = 0
        while column in self.row or column in self.below:
            column += 1
        columns, rows = self.span
        if column + columns > MOST_COLUMNS:
            raise too_many_columns()
        for place in range(column, column + columns):
            value = text if place == column else ""
            self.row[place] = value
            if rows > 1:
                self.below[place] = (rows, value)
        self.cell = None

    def end_row(self) -> None:
        self.end_cell()
        if self.row is None:
            return
        below: dict[int, tuple[int, str]] = {}
        for column, (rows, text) in self.below.items():
            self.row.setdefault(column, text)
            if rows > 1:
                below[column] = (rows - 1, text)
        self.below = below
        if len(self.rows) >= MOST_ROWS and any(self.row.values()):
            raise too_many_rows()
        width = max(self.row, default=-1) + 1
        self.cells += width
        self.characters += sum(map(len, self.row.values()))
        if self.cells > _MOST_CELLS or self.characters > _MOST_CHARACTERS:
            raise too_large()
        self.rows.append(tuple(self.row.get(column, "") for column in range(width)))
        self.row = None


class _Tables(HTMLParser):
    """Every table of a document; one within another is a table of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[tuple[str, ...]]] = []
        self._open: list[_Table] = []
        self._unseen = ""
        self._stop = reading_stop()

    def handle_data(self, data: str) -> None:
        if self._open and not self._unseen:
            self._open[-1].write(data.replace("\v", " "))

    def handle_startendtag(self, tag: str, attrs: _Attributes) -> None:
        self.handle_starttag(tag, attrs)
        if tag in _UNSEEN:
            self.handle_endtag(tag)

    def handle_starttag(self, tag: str, attrs: _Attributes) -> None:
        self._stop.check()
        if tag in _UNSEEN:
            self._unseen = self._unseen or tag
        elif tag == "body":
            self._unseen = ""
        elif tag == "table" and len(self._open) < _DEEPEST:
            self._open.append(_Table())
        elif not self._open:
            return
        elif tag == "tr":
            self._open[-1].begin_row()
        elif tag in _CELLS:
            said = dict(attrs)
            self._open[-1].begin_cell(_number(said.get("colspan")), _number(said.get("rowspan")))
        elif tag in _BREAKS:
            self._open[-1].write("\v")
        elif tag == "a" and (mail := _MAIL.match(dict(attrs).get("href") or "")):
            self._open[-1].mail = mail[1]

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        elif not self._open:
            return
        elif tag == "table":
            self._end_table()
        elif tag == "tr":
            self._open[-1].end_row()
        elif tag in _CELLS:
            self._open[-1].end_cell()
        elif tag in _BREAKS:
            self._open[-1].write("\v")

    def end(self) -> None:
        """What was never closed ends here."""
        while self._open:
            self._end_table()

    def _end_table(self) -> None:
        table = self._open.pop()
        table.end_row()
        self.tables.append(table.rows)


def _number(text: str | None) -> int:
    digits = (text or "").strip()
    is_number = digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
    return min(max(int(digits), 1), MOST_ROWS) if is_number else 1
