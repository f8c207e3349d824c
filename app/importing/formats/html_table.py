"""The table in a piece of HTML, as spreadsheets and browsers put it on the clipboard.

It is read by a scanner of our own, in a time that grows with its length alone, whatever it is:
Python's begins anew at every sign that is never closed. It fetches nothing and expands no entity
but the letters. What the cells mean is left to others.
"""

import re
from html import unescape

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

_ROWS = frozenset({"tr", "row"})
_CELLS = frozenset({"td", "th", "cell"})
"""Excel's XML of 2003, which some programs still write, has rows and cells of its own."""
_BREAKS = frozenset({"br", "p", "div", "li", "h1", "h2", "h3", "h4"})
_UNSEEN = frozenset({"script", "style", "template", "head", "title"})
_BLANKS = re.compile(r"[ \t\r\n\f\xa0]+")
_MOST_CELLS = 2_000_000
_MOST_CHARACTERS = 64 * 1024 * 1024
"""Of a table, with the cells and the text that merged ones give to each of their rows."""
_LONGEST_TAG = 64 * 1024
"""Characters: what a longer one says beside its name is a picture, or nothing."""
_DEEPEST = 20
_MARKUP = re.compile(r"<(?=[a-zA-Z/!?])")
_NAME = re.compile(r"(?:/\s*)?[a-zA-Z][^\s/>]*")
_SIGN = re.compile(r">|=\s*[\"']?")
_ATTRIBUTE = re.compile(r"""(?<![^\s=/>"'])([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_COMMENT = "!--"
_VERBATIM = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")
}
"""What stands in these is no markup, up to their own end."""
_MAIL = re.compile(r"mailto:([^?\s]+@[^?\s]+)", re.IGNORECASE)


def table_in(html: str) -> list[tuple[str, ...]] | None:
    """The rows of the largest table in `html`; None where there is none of two cells.

    A merged cell's text stands in its first column and in each of its rows. Raises UnreadableList
    beyond the bounds.
    """
    lowered = html.lower()
    if not any(f"<{cell}" in lowered for cell in _CELLS):
        return None
    found = _Tables()
    try:
        _scan(html, found)
    except ValueError:  # a letter of five thousand digits
        return None
    found.end()
    tables = [table for table in found.tables if sum(map(len, table)) > 1]
    return max(tables, key=lambda rows: sum(map(len, rows)), default=None)


def _scan(html: str, into: "_Tables") -> None:
    """Every text and tag in their order; what is never closed ends the document, as in browsers."""
    stop = reading_stop()
    at = 0
    while (markup := _MARKUP.search(html, at)) is not None:
        stop.check()
        into.text(html, at, markup.start())
        at = markup.end()
        if html.startswith(_COMMENT, at):
            # Its first dashes may be its last, too.
            at = html.find("-->", at + 1) + len("-->")
            if at < len("-->"):
                return
            continue
        name = _NAME.match(html, at)
        end = _end_of_tag(html, name.end()) if name else html.find(">", at) + 1
        if end <= 0:
            return
        if name is not None:
            tag = "".join(name[0].lower().split())
            into.tag(tag, html, name.end(), end - 1)
            if tag in _VERBATIM and html[end - 2] != "/":
                closed = _VERBATIM[tag].search(html, end)
                if closed is None:
                    return
                end = closed.start()
        at = end
    into.text(html, at, len(html))


def _end_of_tag(html: str, at: int) -> int:
    """Behind the tag whose name ends at `at`; 0 where it is never closed."""
    stop = reading_stop()
    while (sign := _SIGN.search(html, at)) is not None:
        stop.check()
        at = sign.end()
        if sign[0] == ">":
            return at
        quote = sign[0][-1]
        if quote in {'"', "'"}:
            at = max(at, html.find(quote, at) + 1)
    return 0


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


class _Tables:
    """Every table of a document that has no table within."""

    def __init__(self) -> None:
        self.tables: list[list[tuple[str, ...]]] = []
        self._open: list[_Table] = []
        self._unseen = ""

    def text(self, html: str, start: int, end: int) -> None:
        """There it stands."""
        if start < end and self._open and not self._unseen:
            self._open[-1].write(unescape(html[start:end]).replace("\v", " "))

    def tag(self, name: str, html: str, start: int, end: int) -> None:
        """`name` in small letters, of an end with the stroke before it; the rest of it stands from
        `start` to `end`.
        """
        if name.startswith("/"):
            self._end_tag(name[1:])
            return
        self._start_tag(name, html[start:end] if end - start <= _LONGEST_TAG else "")
        if name in _UNSEEN and html[end - 1] == "/":
            self._end_tag(name)

    def _start_tag(self, tag: str, rest: str) -> None:
        if tag in _UNSEEN:
            self._unseen = self._unseen or tag
        elif tag == "body":
            self._unseen = ""
        elif tag == "table" and len(self._open) < _DEEPEST:
            self._open.append(_Table())
        elif tag in _ROWS and self._open:
            self._open[-1].begin_row()
        elif tag in _CELLS and self._open:
            named = _attributes(rest)
            at = _number(named.get("ss:index")) - 1
            columns, rows = _number(named.get("colspan")), _number(named.get("rowspan"))
            self._open[-1].begin_cell(columns, rows, at)
        elif tag in _BREAKS and self._open:
            self._open[-1].write("\v")
        elif tag == "a" and self._open and (mail := _MAIL.match(_attributes(rest).get("href", ""))):
            self._open[-1].mail = mail[1]

    def _end_tag(self, tag: str) -> None:
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

    def end(self) -> None:
        """What was never closed ends here."""
        while self._open:
            self._end_table()

    def _end_table(self) -> None:
        table = self._open.pop()
        table.end_row()
        self.tables.append(table.rows)


def _attributes(rest: str) -> dict[str, str]:
    """What a tag says beside its name; the names in small letters."""
    return {
        found[1].lower(): unescape(found[2] or found[3] or found[4] or "")
        for found in _ATTRIBUTE.finditer(rest)
    }


def _number(text: str | None) -> int:
    digits = (text or "").strip()
    return min(max(int(digits), 1), MOST_ROWS) if digits.isdecimal() and len(digits) < 7 else 1  # noqa: PLR2004
