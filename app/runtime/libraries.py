"""Whether a module could not be loaded because this system lacks a shared library that it needs, or
has a damaged one; and how that is said.
"""

from pathlib import Path

from app.runtime.words import tr


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
