"""Texts as a spreadsheet takes them for text, in a cell and as rows for the clipboard: nothing in
them is calculated, no cell becomes two.

Which cells there are, and where they go, is left to others.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

import msgspec

from app.runtime.words import without_direction_marks

_BEGINS_A_FORMULA = frozenset("=+-@\N{MINUS SIGN}")
_NOT_PRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})
_PASSED_OVER = frozenset({"Cf", "Zs"})
_QUOTES = frozenset("\"'")
_PIECES = re.compile("([;,])")
"""Both, because which of them ends a cell depends on the country and on what was last chosen."""
_TEXT = "mso-number-format:'\\@'"
"""Spreadsheets keep the cell as the text it is: a leading nought, a long number."""


def spreadsheet_cell(text: str) -> str:
    """`text` on one line, harmless in a file of separated values and on the clipboard.

    An apostrophe, which spreadsheets read as "this is text", stands before whatever would be
    calculated: at the beginning, and behind a semicolon or comma, where another country's
    spreadsheet begins a cell. A phone number gets one too (`'+61 400 000 000`): calculated it would
    lose its plus, and what follows the apostrophe is still the whole number. The marks of direction
    that a sentence on the screen has are left out.
    """
    printed = "".join(
        " " if unicodedata.category(letter) in _NOT_PRINTED else letter
        for letter in without_direction_marks(text)
    )
    line = " ".join(printed.split())
    return "".join(f"'{piece}" if _calculated(piece) else piece for piece in _PIECES.split(line))


def _calculated(piece: str) -> bool:
    """Whether the first letter that counts begins a formula, in any width it is typed in."""
    for letter in piece:
        if letter in _QUOTES or unicodedata.category(letter) in _PASSED_OVER:
            continue
        return unicodedata.normalize("NFKC", letter)[:1] in _BEGINS_A_FORMULA
    return False


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
