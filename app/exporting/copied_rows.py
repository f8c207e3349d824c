"""Rows for the clipboard, as text and as a table: nothing in either is calculated."""

from collections.abc import Iterable, Sequence
from html import escape

import msgspec

from app.runtime.spreadsheet import spreadsheet_cell

_TEXT = "mso-number-format:'\\@'"
"""Spreadsheets keep the cell as the text it is: a leading nought, a long number."""


class CopiedRows(msgspec.Struct, frozen=True):
    """The same rows twice; a program takes what it knows."""

    text: str
    """A row a line, tabs between the cells."""
    html: str

    def __str__(self) -> str:
        """As a program takes it that knows no tables."""
        return self.text


def copied_rows(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> CopiedRows:
    """`rows` below their `headings`."""
    lines: list[str] = []
    table: list[str] = []
    tag = "th"
    for row in (headings, *rows):
        cells = [spreadsheet_cell(cell) for cell in row]
        lines.append("\t".join(cells))
        written = "".join(f'<{tag} style="{_TEXT}">{escape(cell)}</{tag}>' for cell in cells)
        table.append(f"<tr>{written}</tr>")
        tag = "td"
    html = f'<meta charset="utf-8"><table>{"".join(table)}</table>'
    return CopiedRows("\n".join(lines), html)
