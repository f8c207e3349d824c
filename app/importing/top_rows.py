"""The rows at the top of a list: its title, and the headings of its columns.

What a heading means is known in `headings`, what the columns are taken for in `columns`.
"""

from collections.abc import Sequence
from itertools import pairwise

from app.importing.cell_kinds import has_email, is_number
from app.importing.formats.source_table import SourceRow
from app.importing.headings import (
    Meaning,
    are_headings_of_people,
    could_be_a_name,
    meaning_of,
)
from app.people.parsing.tokenizer import find_phones

_TOP = 8
"""Rows among which titles and headings are looked for."""
_FARTHEST = 30
"""The same for headings of which there is no doubt."""
_MOST_IN_A_TITLE = 2
"""Cells that are filled in a title row above headings."""
_LONGEST_HEADING = 8
"""Words of a heading with none beside it."""
_FEWEST_BELOW = 2
_NEARLY_ALL = 0.8
_HALF = 0.5


def position_of_headings(rows: Sequence[SourceRow], width: int, looked_at: int) -> int | None:
    """The place of the row of headings, or None; so many rows below one are looked at.

    What stands above a report, about a meeting perhaps, may look like headings, too, or like
    a table: those of the people are below.
    """
    for position, row in enumerate(rows[:_FARTHEST]):
        filled = _filled(row)
        if any("@" in cell for cell in filled):
            break
        if are_headings_of_people(filled) and not any(map(is_number, filled)):
            return position
    return _first_like_headings(rows, width, looked_at)


def _first_like_headings(rows: Sequence[SourceRow], width: int, looked_at: int) -> int | None:
    for position, row in enumerate(rows[:_TOP]):
        filled = _filled(row)
        if _are_headings(filled, row, rows[position + 1 : position + 1 + looked_at], width):
            return position
        if len(filled) > _MOST_IN_A_TITLE or any("@" in cell for cell in filled):
            return None
    return None


def say_what_is_below(cells: Sequence[str]) -> bool:
    """Whether cells are headings by what they mean, whatever stands below them."""
    filled = [cell for cell in cells if cell.strip()]
    if any("@" in cell or find_phones(cell) for cell in filled):
        return False
    meanings = [(cell, meaning) for cell in filled if (meaning := meaning_of(cell)) is not None]
    sure = [cell for cell, meaning in meanings if not could_be_a_name(cell)]
    useful = any(meaning is not Meaning.NOT_SENT for _, meaning in meanings)
    if useful and (len(meanings) > 1 or sure or len(filled) == len(cells) == 1):
        return True
    return len(sure) > 1 and len(meanings) >= _HALF * len(filled)


def _are_headings(
    filled: Sequence[str], row: SourceRow, below: Sequence[SourceRow], width: int
) -> bool:
    if not filled or any("@" in cell or find_phones(cell) for cell in filled):
        return False
    if len(filled) == 1 < width and len(filled[0].split()) > _LONGEST_HEADING:
        return False  # a sentence above the list, whatever it speaks of
    if say_what_is_below([row.cell(position) for position in range(width)]):
        return True
    # What stands above emails or numbers and is neither is what they are called.
    return len(filled) > 1 and any(
        _is_unlike(row.cells[position], [each.cell(position) for each in below])
        for position in range(min(width, len(row.cells)))
    )


def _is_unlike(above: str, below: Sequence[str]) -> bool:
    filled = [cell for cell in below if cell.strip()]
    if not above.strip() or len(filled) < 2:  # noqa: PLR2004 - one cell is no column
        return False
    if any(sign.isdigit() for sign in above):
        return False
    return any(
        sum(map(test, filled)) >= _NEARLY_ALL * len(filled) and not test(above)
        for test in (has_email, is_number)
    )


def titles_above_rows(rows: Sequence[SourceRow]) -> int:
    """How many rows without headings below them say what the list is about.

    A single cell above rows of several may be somebody: it is a title with a blank row below it, or
    where it says a year.
    """
    titles = 0
    for position, row in enumerate(rows[:_TOP]):
        filled = _filled(row)
        if len(filled) > 1 or any(map(_says_somebody, filled)):
            break
        if not filled or any(map(str.isdigit, filled[0])):
            titles = position + 1
    below = [filled for row in rows[titles:] if (filled := _filled(row))]
    several = sum(len(filled) > 1 for filled in below)
    is_list = len(below) >= _FEWEST_BELOW and several >= _NEARLY_ALL * len(below)
    return titles if is_list else 0


def titles_above_lines(rows: Sequence[SourceRow]) -> int:
    """The same of a list whose rows are whole lines, blank ones left out."""
    titles = 0
    for position, (row, following) in enumerate(pairwise(rows[: _TOP + 1])):
        line = row.cell(0)
        if _says_somebody(line):
            break
        if following.line > row.line + 1 or any(map(str.isdigit, line)):
            titles = position + 1
    below = [row.cell(0) for row in rows[titles:]]
    is_list = len(below) >= _FEWEST_BELOW and sum(map(has_email, below)) >= _NEARLY_ALL * len(below)
    return titles if is_list else 0


def _filled(row: SourceRow) -> list[str]:
    return [cell for cell in row.cells if cell.strip()]


def _says_somebody(cell: str) -> bool:
    return has_email(cell) or bool(find_phones(cell))
