"""How large a workbook may be, what reading it may cost, what is counted of its sheets, and what is
said of one that is none, or too large.

The sheets are counted in `workbook_bounds` and `xls_bounds`; memory and time end in
`workbook_process`.
"""

import msgspec

from app.importing.formats.source_table import MOST_ROWS, UnreadableList, no_list, too_many_rows
from app.runtime.words import tr

MOST_CELLS = 8_000_000
"""Of what is laid out at once as rectangles, at 32 bytes each."""
MOST_CHARACTERS = 64 * 1024 * 1024
"""Of what is laid out at once: what several cells share, or is repeated, counts for each."""
MOST_MERGED = 200_000
"""Of one sheet: the library keeps the corners of each."""
MOST_MEMORY = 2 << 30
"""Bytes of addresses, where the system counts them."""
MOST_PROCESSOR_TIME = 30
"""Seconds, where the system counts them."""
LONGEST_READING = 90.0
"""Seconds; for systems that count neither, and for what waits."""


class WorkbookBounds(msgspec.Struct):
    """What is known of each sheet by its name; one that is not known is asked for nothing."""

    sheets: "dict[str, Extent]" = msgspec.field(default_factory=dict)

    def check_sheet(self, name: str) -> None:
        """Raises UnreadableList where reading the sheet would not end in a list."""
        extent = self.sheets.get(name)
        if extent is None:
            if not all(each.is_whole for each in self.sheets.values()):
                raise too_many_rows()
            return
        if extent.filled_rows > MOST_ROWS:
            raise too_many_rows()
        if extent.formulas and extent.formulas == extent.without_result:
            raise WithoutResultsError(
                tr(
                    "The sheet holds formulas without their results: "
                    "open it in a spreadsheet program, save it there, and try again."
                )
            )


class WithoutResultsError(UnreadableList):
    """A sheet says nothing before a program has worked it out; another of the workbook may."""


class Extent(msgspec.Struct):
    """How far the cells of a sheet reach, counted from 1, and what is in them."""

    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0
    filled_rows: int = 0
    characters: int = 0
    formulas: int = 0
    without_result: int = 0
    is_whole: bool = True

    def add(self, row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        """There is something in these cells."""
        self.top = min(self.top or row, row)
        self.left = min(self.left or column, column)
        self.bottom = max(self.bottom, row + rows - 1)
        self.right = max(self.right, column + columns - 1)

    def add_text(self, characters: int) -> None:
        """A cell says so many characters, or so many cells together; raises UnreadableList."""
        self.characters += characters
        if self.characters > MOST_CHARACTERS:
            raise too_large_workbook()

    @property
    def area(self) -> int:
        """Cells of the rectangle."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1) if self.bottom else 0


def locked() -> UnreadableList:
    """The sentence for a workbook that asks for a password."""
    return UnreadableList(
        tr(
            "The workbook is locked with a password: "
            "open it in its own program and save it without one."
        )
    )


def damaged(details: str) -> UnreadableList:
    """The sentence for a workbook that is not what it says."""
    return UnreadableList(
        tr("The workbook is damaged: open it in its own program and save it anew."),
        details=details[:500],
    )


def too_large_workbook(details: str = "") -> UnreadableList:
    """The sentence for a workbook that takes too much room or time."""
    return UnreadableList(
        tr(
            "The workbook is much too large for a list of people: up to {most} rows are taken.",
            most=f"{MOST_ROWS:,}",
        ),
        details=details,
    )


def too_wide(extent: Extent) -> UnreadableList:
    """The sentence for a sheet whose cells reach too far."""
    if extent.filled_rows > MOST_ROWS:
        return too_many_rows()
    return UnreadableList(
        tr(
            "There are cells far from the others in the workbook, down to row {row}: "
            "copy the list into a new one.",
            row=f"{extent.bottom:,}",
        )
    )


def no_workbook(names: set[str]) -> UnreadableList:
    """The sentence for a package with these parts, or a file with none, that is no workbook."""
    if any(name.startswith("Index") and name.endswith((".iwa", ".zip")) for name in names):
        return UnreadableList(
            tr("A Numbers document cannot be read: export it as CSV or Excel from Numbers.")
        )
    if "xl/workbook.bin" in names:
        return UnreadableList(
            tr("A workbook of this kind (.xlsb) cannot be read: save it as .xlsx in Excel.")
        )
    return no_list()
