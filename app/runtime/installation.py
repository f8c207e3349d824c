"""This program as it is installed: the command that starts it once more, for work that needs a
process of its own, and whether a module could not be loaded because this system lacks a shared
library that it needs, or has a damaged one.
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


def lacks_library(problem: ImportError) -> bool:
    """As the loader tells it (`libX.so.1: cannot open shared object file`). Where a module and
    another do not fit each other nothing is to be installed.
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
