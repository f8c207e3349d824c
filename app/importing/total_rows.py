"""Which rows of a list are no person: they count those above them, say when the list was written,
or what is in its columns.

The words they begin with stand beside those of headings, in `resources/lists/headings.toml`.
"""

import re
from collections.abc import Sequence

from app.importing.headings import are_headings_of_people, heading_words, words_of

_BETWEEN_CELLS = re.compile(r"[,;|\t]")


def says_no_person(cells: Sequence[str]) -> bool:
    """Whether a row counts the others ("Total | 11"), says when the list was written ("Exported on
    9/12/2026") or what is in the columns.
    """
    first = next(filter(_is_in_letters, cells), "")
    if not first or any("@" in cell for cell in cells):
        return False
    begins = next((word for word in words_of(first) if not word.isdigit()), "")
    known = heading_words()
    if begins in known.single["totals"]:
        counted = known.single["totals"] | known.single["counted"]
        words = (word for cell in cells for word in words_of(cell))
        return all(word in counted or word.isdigit() for word in words)
    if begins in known.single["footers"] and sum(map(bool, cells)) == 1:
        return any(map(str.isdigit, first))
    parts = [part for cell in cells for part in _BETWEEN_CELLS.split(cell) if part]
    return "".join(words_of(parts[0])) in known.meanings and are_headings_of_people(parts)


def _is_in_letters(cell: str) -> bool:
    return any(map(str.isalpha, cell))
