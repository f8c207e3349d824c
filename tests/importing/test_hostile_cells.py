"""Cells as long as any may be, made to keep an expression trying: whoever stands beside them is
read. That all is read and judged in a time that grows as they do, `dev.py whole growth` measures.
"""

from collections.abc import Callable, Sequence
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


def look_over(read: Callable[[], SourceTable]) -> Review | None:
    try:
        table = read()
    except UnreadableList:
        return None
    return Review(table, guess_columns(table, {}, NameOrder.FIRST_LAST))


COLUMNS = [
    *(("Name\tEmail\tNote", place) for place in range(3)),
    ("First name\tLast name\tEmail", 0),
    ("Ada Love\tada@x.org\tChoir", 2),
]


def as_cells(cells: Sequence[str], headings: str, place: int) -> Review | None:
    """In a column that is read, each between two rows of somebody."""
    ada = ["Ada Love", "ada@x.org", "Choir"]
    rows = [ada]
    for cell in cells:
        rows += [[*ada[:place], cell, *ada[place + 1 :]], ada]
    return look_over(partial(read_clipboard, "\n".join([headings, *map("\t".join, rows)])))


def as_a_cell(cell: str) -> Sequence[Review | None]:
    """In each of the columns that are read, with headings above them and without."""
    return [as_cells([cell], *each) for each in COLUMNS]


def as_a_heading(cell: str) -> Sequence[Review | None]:
    text = f"{cell}\tEmail\n" + "Ada Love\tada@x.org\n" * 2
    return [look_over(partial(read_clipboard, text))]


def as_a_line(cell: str) -> Sequence[Review | None]:
    lines = [cell, "Ada Love ada@x.org", cell, "Bob Boole <bob@x.org>"]
    return [
        look_over(partial(read_clipboard, "\n".join(lines))),
        look_over(partial(read_content, "; ".join(lines).encode(), "list.txt")),
    ]


PUT: dict[str, Callable[[str], Sequence[Review | None]]] = {
    "a cell": as_a_cell,
    "a heading": as_a_heading,
    "a line": as_a_line,
}


def hostile(before: str, again: str, behind: str, length: int = LONG) -> str:
    return before + again * (length // len(again)) + behind


@pytest.mark.parametrize(("headings", "place"), COLUMNS)
def test_whoever_stands_between_hostile_cells_is_read(headings: str, place: int) -> None:
    looked_over = as_cells([hostile(*cell) for cell in CELLS], headings, place)
    assert looked_over is not None
    others = looked_over.rows[::-2]
    assert [row.email for row in others] == ["ada@x.org"] * (len(CELLS) + 1)


@pytest.mark.parametrize("put", [as_a_heading, as_a_line])
def test_whoever_stands_below_a_hostile_heading_or_line_is_read(
    put: Callable[[str], Sequence[Review | None]],
) -> None:
    last = "ada@x.org" if put is as_a_heading else "bob@x.org"
    for cell in CELLS:
        looked_over = put(hostile(*cell))[0]
        if looked_over is None:
            assert (put, cell) == (as_a_line, ("a@b.c", " ; ", "x")), "more columns than are read"
        else:
            assert looked_over.rows[-1].email == last
