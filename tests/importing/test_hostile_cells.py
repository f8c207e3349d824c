"""Cells as long as any may be, made to keep an expression trying: all of them are read and judged,
from the text of a list to its verdicts, in a time that grows as they do.
"""

import time
from collections.abc import Callable
from functools import partial

import pytest

from app.importing.column_guess import guess_columns
from app.importing.formats.source_table import LONGEST_CELL, SourceTable, UnreadableList
from app.importing.reading import read_clipboard, read_content
from app.importing.review import Review
from app.people.parsing.entry_parser import NameOrder

LONG = 16_000
assert LONG < LONGEST_CELL

# What is repeated, and what stands before and behind it.
CELLS = [
    ("", "1", "x"),
    ("", "1 ", "x"),
    ("", "(1) ", "x"),
    ("", "1.1.", "x"),
    ("", "€1", "x"),
    ("Ada", " ", "x"),
    ("Ada", "\u00a0", "x"),
    ("", "(", "x"),
    ("", "[]", "x"),
    ("", "<", ""),
    ("", "a", "@"),
    ("", "a@", ""),
    ("a@b", ".", "x"),
    ("a@b", " ", "@"),
    ("a@b.c", " ; ", "x"),
    ("", "a@b.c ::: ", ""),
    ("", "a.", "1"),
    ("", ",", "x"),
    ("", ";", "x"),
    ("", "Ada, ", ""),
    ("", "Ada ", ""),
    ("", "Ada & ", ""),
    ("", "Ada / ", ""),
    ("", "von ", ""),
    ("", "Dr. ", ""),
    ("", "'a ", ""),
    ("", "-", "x"),
    ("", "_", ""),
    ("", "e ", ""),
    ("", "www.", ""),
    ("", "tel ", ""),
    ("", "\u30a2", "x"),
    ("", "\u4e00\u30fb", ""),
]


def look_over(read: Callable[[], SourceTable]) -> None:
    try:
        table = read()
    except UnreadableList:
        return
    Review(table, guess_columns(table, {}, NameOrder.FIRST_LAST))


COLUMNS = [
    *(("Name\tEmail\tNote", place) for place in range(3)),
    ("First name\tLast name\tEmail", 0),
    ("Ada Love\tada@x.org\tChoir", 2),
]


def as_a_cell(cell: str) -> None:
    """In each of the columns that are read, with headings above them and without."""
    for first, place in COLUMNS:
        rows = [["Ada Love", "ada@x.org", "Choir"] for _ in range(3)]
        for row in rows[1:]:
            row[place] = cell
        text = "\n".join([first, *("\t".join(row) for row in rows)])
        look_over(partial(read_clipboard, text))


def as_a_heading(cell: str) -> None:
    text = f"{cell}\tEmail\n" + "Ada Love\tada@x.org\n" * 2
    look_over(partial(read_clipboard, text))


def as_a_line(cell: str) -> None:
    lines = [cell, "Ada Love ada@x.org", cell, "Bob Boole <bob@x.org>"]
    look_over(partial(read_clipboard, "\n".join(lines)))
    look_over(partial(read_content, "; ".join(lines).encode(), "list.txt"))


def seconds(put: Callable[[str], None], cell: str) -> float:
    """Of the processor: others use it, too."""
    begun = time.process_time()
    put(cell)
    return time.process_time() - begun


@pytest.mark.parametrize("put", [as_a_cell, as_a_heading, as_a_line])
def test_a_cell_takes_time_as_it_is_long_and_no_longer(put: Callable[[str], None]) -> None:
    slow = []
    for before, again, behind in CELLS:
        short, long = (
            seconds(put, before + again * (size // len(again)) + behind)
            for size in (LONG // 16, LONG)
        )
        if long > short * 40 + 0.1:  # 256 times as long, where it grows with the square
            slow.append((before, again, behind))
    assert slow == []
