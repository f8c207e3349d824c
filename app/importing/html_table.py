"""The table in a piece of HTML, as spreadsheets and browsers put it on the clipboard.

Python's own parser reads it: it fetches nothing and expands no entity but the letters. What the
cells mean is left to others.
"""

import re
from html.parser import HTMLParser

from app.importing.source import (
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_ROWS,
    too_large,
    too_long_cell,
    too_many_rows,
)

_ROWS = frozenset({"tr", "row"})
_CELLS = frozenset({"td", "th", "cell"})
"""Excel's XML of 2003, which some programs still write, has rows and cells of its own."""
_BREAKS = frozenset({"br", "p", "div", "li", "h1", "h2", "h3", "h4"})
_UNSEEN = frozenset({"script", "style", "template", "head", "title"})
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_MOST_CELLS = 2_000_000
_MOST_CHARACTERS = 64 * 1024 * 1024
"""Of a table, with the cells and the text that merged ones give to each of their rows."""
_PIECE = 64 * 1024
_DEEPEST = 20
_MAIL = re.compile(r"mailto:([^?\s]+@[^?\s]+)", re.IGNORECASE)


def table_in(html: str) -> list[tuple[str, ...]] | None:
    """The rows of the largest table in `html`; None where there is none of two cells.

    A merged cell's text stands in its first column and in each of its rows. Raises UnreadableList
    beyond the bounds.
    """
    lowered = html.lower()
    if not any(f"<{cell}" in lowered for cell in _CELLS):
        return None
    parser = _Tables()
    try:
        for start in range(0, len(html), _PIECE):
            parser.feed(html[start : start + _PIECE])
        parser.close()
    except (ValueError, AssertionError):  # a letter of five thousand digits, a mark of no kind
        return None
    parser.end()
    tables = [table for table in parser.tables if sum(map(len, table)) > 1]
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
        self.at = 0
        self.mail = ""

    def begin_row(self) -> None:
        self.end_row()
        self.row = {}

    def begin_cell(self, columns: int, rows: int, at: int) -> None:
        """It reaches over so many columns and rows; `at` is the column where that is told, or 0."""
        self.end_cell()
        if self.row is None:
            self.begin_row()
        self.cell, self.weight, self.mail = [], 0, ""
        self.span, self.at = (columns, rows), at

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
        column = self.at
        while column in self.row or column in self.below:
            column += 1
        columns, rows = self.span
        if column + columns > MOST_COLUMNS:
            raise too_long_cell(len(self.rows) + 1)
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
    """Every table of a document that has no table within."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[tuple[str, ...]]] = []
        self._open: list[_Table] = []
        self._unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen = self._unseen or tag
        elif tag == "body":
            self._unseen = ""
        elif tag == "table" and len(self._open) < _DEEPEST:
            self._open.append(_Table())
        elif tag in _ROWS and self._open:
            self._open[-1].begin_row()
        elif tag in _CELLS and self._open:
            named = dict(attrs)
            at = _number(named.get("ss:index")) - 1
            columns, rows = _number(named.get("colspan")), _number(named.get("rowspan"))
            self._open[-1].begin_cell(columns, rows, at)
        else:
            self._inside_cell(tag, attrs)

    def _inside_cell(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._open:
            return
        if tag in _BREAKS:
            self._open[-1].write("\v")
        elif tag == "a" and (mail := _MAIL.match(dict(attrs).get("href") or "")):
            self._open[-1].mail = mail[1]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in _UNSEEN:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        elif tag == "table" and self._open:
            self._end_table()
        elif tag in _ROWS and self._open:
            self._open[-1].end_row()
        elif tag in _CELLS and self._open:
            self._open[-1].end_cell()
        elif tag in _BREAKS and self._open:
            self._open[-1].write("\v")

    def handle_data(self, data: str) -> None:
        if self._open and not self._unseen:
            self._open[-1].write(data.replace("\v", " "))

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
    return min(max(int(digits), 1), MOST_ROWS) if digits.isdecimal() and len(digits) < 7 else 1  # noqa: PLR2004
