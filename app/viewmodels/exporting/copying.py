"""Copying rows of any list below their headings, as many as a clipboard bears; what is said."""

from collections.abc import Sequence

from app.exporting.spreadsheet import CopiedRows, copied_rows
from app.runtime.words import tr, trn
from app.viewmodels.formatting import number

MOST_COPIED = 20_000
"""Rows. Other programs take what is on the clipboard whole, and stand still for longer with it."""


def copy_rows(
    headings: Sequence[str], rows: Sequence[Sequence[str]], asked_for: int | None = None
) -> tuple[CopiedRows, str]:
    """What goes to the clipboard, and the sentence on it.

    `asked_for`: how many rows somebody wants, where `rows` are the first of them alone.
    """
    kept = rows[:MOST_COPIED]
    return copied_rows(headings, kept), rows_copied_words(len(kept), asked_for or len(rows))


def rows_copied_words(copied: int, asked_for: int) -> str:
    """That so many are copied, and where the others are got."""
    if asked_for > copied >= MOST_COPIED:
        return tr(
            "The first {count} of {all} rows are copied; for all of them, save them as a file.",
            count=number(copied),
            all=number(asked_for),
        )
    return trn("{n} row copied.", "{n} rows copied.", copied)
