"""A text as a spreadsheet takes it for text: nothing in it is calculated, no cell becomes two.

Which cells there are, and where they go, is left to others.
"""

import re
import unicodedata

from app.runtime.words import without_direction_marks

_BEGINS_A_FORMULA = frozenset("=+-@\N{MINUS SIGN}")
_NOT_PRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})
_PASSED_OVER = frozenset({"Cf", "Zs"})
_QUOTES = frozenset("\"'")
_PIECES = re.compile("([;,])")
"""Both, because which of them ends a cell depends on the country and on what was last chosen."""


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
