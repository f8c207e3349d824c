"""This program itself, as it is started once more for work that needs a process of its own."""

import sys

READ_WORKBOOK = "read-workbook"
"""The subcommand that reads one workbook; no person gives it."""


def this_program(*arguments: str) -> list[str]:
    """The command that starts it: of a frozen build the program, else its package."""
    itself = [] if getattr(sys, "frozen", False) else ["-m", "app"]
    return [sys.executable, *itself, *arguments]
