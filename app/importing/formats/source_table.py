"""A list as it was read: rows of cells, whatever format they came from.

What the columns mean and who stands in a row is decided above, in `columns.py` and `review.py`.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from app.model.errors import ExpectedError
from app.runtime.words import tr

MOST_ROWS = 60_000
"""Of one list, its headings and blank rows among them: 50,000 people are taken in any case."""
MOST_LINES = 8 * MOST_ROWS
"""Of one text: some programs write the lines of an address one below the other."""
LONGEST_CELL = 32_767
"""Characters, as many as Excel takes: more is no list of people."""
MOST_COLUMNS = 1_000
"""Of one list, empty ones on the right left out."""


class SourceKind(StrEnum):
    """What a list was read from, by its content.

    LINES has one cell in every row, to be read like the quick-add line.
    """

    CSV = "csv"
    WORKBOOK = "workbook"
    VCARD = "vcard"
    CLIPBOARD = "clipboard"
    ADDRESSES = "addresses"
    LINES = "lines"


class SourceRow(msgspec.Struct, frozen=True, gc=False):
    """`line` counts from 1 in the file or the sheet; `cells` has no line breaks at its ends."""

    line: int
    cells: tuple[str, ...]

    def cell(self, place: int) -> str:
        """The cell at a place; blank where the row is shorter."""
        return self.cells[place] if place < len(self.cells) else ""


class SourceTable(msgspec.Struct, frozen=True):
    """The rows of one list, in its own order; all rows have the same number of cells.

    `headings` are given only where the format itself says them (vCard, ADDRESSES); elsewhere the
    first row may be headings. `known_as` are the same in English, whatever language they are said
    in: by them a column is known, for two words of one language may be one of another. `sheet` was
    read, of the `sheets` that a person could choose. `encoding` is told where the file did not
    say it itself, and `title` where what stood above the list is in no row here.
    """

    name: str
    kind: SourceKind
    rows: Sequence[SourceRow]
    headings: tuple[str, ...] | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    encoding: str | None = None
    known_as: tuple[str, ...] | None = None
    title: str = ""


class UnreadableList(ExpectedError):
    """The list cannot be read; the message says why and what to do."""

    def __init__(self, message: str, *, details: str = "") -> None:
        """`message` is one sentence for the person."""
        super().__init__(tr("The list"), message, details=details)


def too_many_rows() -> UnreadableList:
    """The sentence for a list of more than MOST_ROWS."""
    return UnreadableList(
        tr(
            "The list has more than {most} rows, which is as many as are taken at once: "
            "save it in several parts.",
            most=f"{MOST_ROWS:,}",
        )
    )


def too_large() -> UnreadableList:
    """The sentence for what takes too much room or time, whatever its rows are."""
    return UnreadableList(
        tr(
            "This is much too large for a list of people: up to {most} rows are taken.",
            most=f"{MOST_ROWS:,}",
        )
    )


def too_long_cell(line: int) -> UnreadableList:
    """The sentence for a cell that holds no name, email or note."""
    return UnreadableList(
        tr(
            "Line {line} has more text in one cell than a list of people has: "
            "is a quotation mark missing there?",
            line=line,
        )
    )


def too_many_columns() -> UnreadableList:
    """The sentence for a list of more than MOST_COLUMNS."""
    return UnreadableList(
        tr(
            "The list has more than {most} columns: leave out those that say nothing about people.",
            most=f"{MOST_COLUMNS:,}",
        )
    )


def no_list() -> UnreadableList:
    """The sentence for what is something else."""
    return UnreadableList(
        tr("This is no list: a workbook, a CSV file or contacts (vCard) can be read.")
    )


def nobody_in_it() -> UnreadableList:
    """The sentence for a list without a row."""
    return UnreadableList(tr("There is nobody in this list."))


def headings_alone() -> UnreadableList:
    """The sentence for a list that says what would be in its columns."""
    return UnreadableList(tr("There are headings in this list, and nobody below them."))
