"""The rows of any list saved as a file; what is said of one that was written, or could not be."""

import asyncio
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from app.runtime.words import tr, trn
from app.viewmodels.screen import ActionFeedback

Row = TypeVar("Row")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_AT_ONCE = 100
"""Rows that are let go of before another thread has its turn."""


class ListedTable(msgspec.Struct, frozen=True):
    """The rows of one view, as they are listed when it is asked for."""

    title: str
    """What is saved and how much of it, in words."""
    name: str
    """What the file is called until a person chooses another name."""
    headings: tuple[str, ...]
    rows: Callable[[], Iterator[tuple[str, ...]]]
    """Gives each row from the top; there may be many, so they are read when they are saved."""


async def save_rows(
    path: Path,
    write: Callable[[], object],
    many: int,
    feedback: ActionFeedback,
    gathered: list[Row] | None = None,
) -> None:
    """Have `write` put so many rows into the file, in a thread, and say how that went; see
    `written_in_thread`.
    """
    try:
        await written_in_thread(write, gathered)
    except OSError as error:
        feedback.say(not_saved_words(path, error), is_error=True)
        return
    feedback.say(
        trn("{n} row is saved in {file}.", "{n} rows are saved in {file}.", many, file=path.name)
    )


async def written_in_thread(write: Callable[[], object], gathered: list[Row] | None = None) -> None:
    """Have `write` do so, and let go of what was `gathered` for it there: whoever drops the last
    reference to a hundred thousand rows stands still for longer than a frame.
    """

    def work() -> None:
        try:
            write()
        finally:
            while gathered:
                del gathered[-_AT_ONCE:]

    await asyncio.to_thread(work)


def not_saved_words(path: Path, error: OSError) -> str:
    """What kept a file from being written, in one sentence."""
    if isinstance(error, PermissionError):
        return tr(
            "{file} could not be saved: this folder cannot be written to, or the file is open in "
            "another program.",
            file=path.name,
        )
    if isinstance(error, FileNotFoundError):
        return tr("{file} could not be saved: its folder is not there any more.", file=path.name)
    if error.errno in _NO_ROOM:
        return tr("{file} could not be saved: there is no room left there.", file=path.name)
    return tr("{file} could not be saved: {reason}.", file=path.name, reason=error.strerror or "")
