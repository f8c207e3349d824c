"""What is to be said of a row of a list, and its name in words.

Its value is what is kept on disk and told to programs, whatever the language.
"""

from enum import StrEnum
from typing import assert_never

from app.runtime.words import tr


class Verdict(StrEnum):
    """What is to be said of a row; the first that holds, but for READY."""

    EMPTY = "empty"
    NEEDS_A_NAME = "needs a name"
    EMAIL_LOOKS_WRONG = "email looks wrong"
    ALREADY_HERE = "already here"
    TWICE = "twice in this list"
    READY = "ready"


def verdict_words(verdict: Verdict, *, left_out: bool = False) -> str:
    """A verdict as it is told; a row that is ready, and left out all the same, is just that."""
    match verdict:
        case Verdict.READY:
            return tr("left out") if left_out else tr("ready")
        case Verdict.ALREADY_HERE:
            return tr("already here")
        case Verdict.TWICE:
            return tr("twice in this list")
        case Verdict.NEEDS_A_NAME:
            return tr("needs a name")
        case Verdict.EMAIL_LOOKS_WRONG:
            return tr("email looks wrong")
        case Verdict.EMPTY:
            return tr("empty")
    assert_never(verdict)
