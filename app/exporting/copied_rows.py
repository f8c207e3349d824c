"""Rows for the clipboard, as text and as a table: nothing in either is calculated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from app.runtime.spreadsheet import spreadsheet_cell

_TEXT = "mso-number-format:'\\@'"
"""Spreadsheets keep the cell as the text it is: a leading nought, a long number."""


@dataclass(frozen=True, slots=True)
class CopiedRows:
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
