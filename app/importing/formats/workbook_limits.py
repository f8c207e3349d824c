"""How large a workbook may be, what reading it may cost, and what is said of one that is none, or
too large.

What it says of its size is looked at in `workbook_bounds`; memory and time end in
`workbook_process`.
"""

from app.importing.formats.source_table import MOST_ROWS, UnreadableList, no_list
from app.runtime.words import tr

MOST_CELLS = 8_000_000
"""Of what is laid out at once as rectangles, at 32 bytes each."""
MOST_MEMORY = 2 << 30
"""Bytes of addresses, where the system counts them."""
MOST_PROCESSOR_TIME = 30
"""Seconds, where the system counts them."""
LONGEST_READING = 90.0
"""Seconds; for systems that count neither, and for what waits."""


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


def too_wide(bottom: int) -> UnreadableList:
    """The sentence for a sheet whose cells reach too far, down to this row."""
    return UnreadableList(
        tr(
            "There are cells far from the others in the workbook, down to row {row}: "
            "copy the list into a new one.",
            row=f"{bottom:,}",
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
