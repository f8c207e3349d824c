"""This program as it is installed: the command that starts it once more, for work that needs a
process of its own; whether an update has replaced it meanwhile; and whether a module could not be
loaded because this system lacks a shared library that it needs, or has a damaged one.
"""

import sys
from pathlib import Path

from app.runtime.words import tr

READ_WORKBOOK = "read-workbook"
"""The subcommand that reads one workbook; no person gives it."""


def own_command(*arguments: str) -> list[str]:
    """The command that starts it: of a frozen build the program, else its package."""
    itself = [] if getattr(sys, "frozen", False) else ["-m", "app"]
    return [sys.executable, *itself, *arguments]


class Executable:
    """The file of a frozen build that was started: an update lays another one in its place, while
    what this process has not loaded yet is read from among the new ones.
    """

    def __init__(self) -> None:
        """As it is now. A checkout has no such file: there it is never another."""
        self._file = Path(sys.executable) if getattr(sys, "frozen", False) else None
        self._started = self._known = self._marks()

    @property
    def is_another(self) -> bool:
        """Whether there is another one now than the one that was started."""
        return self._marks() not in {None, self._started}

    def was_replaced(self) -> bool:
        """Whether there is another one since this was asked last; one that is gone is none yet."""
        marks = self._marks()
        replaced = None not in {marks, self._known} and marks != self._known
        self._known = marks or self._known
        return replaced

    def _marks(self) -> tuple[int, int] | None:
        try:
            there = self._file.stat() if self._file is not None else None
        except OSError:
            return None
        return (there.st_mtime_ns, there.st_size) if there is not None else None


def lacks_library(problem: ImportError) -> bool:
    """As the loader tells it (`libX.so.1: cannot open shared object file`). Where a module and
    another do not fit each other, as after an update, nothing is to be installed.
    """
    return ".so" in str(problem)


def load_words(problem: ImportError) -> str:
    """What the loader has said: a damaged library by its file's name, not by where it lies."""
    library, colon, why = str(problem).partition(":")
    return tr(
        "A library that Front Desk needs cannot be loaded: {problem}.",
        problem=f"{Path(library).name}{colon}{why}",
    )


def is_of_qt(problem: ImportError) -> bool:
    """Whether it was a part of Qt that could not be loaded (the loader calls its module `QtGui`),
    or nobody knows what.
    """
    module = problem.name or "Qt"
    return module.startswith(("Qt", "PySide6", "Shiboken", "shiboken6"))
