"""What is to be said of a row of a list, and its name in words.

Its value is what is kept on disk and told to programs, whatever the language.
"""

from enum import StrEnum

from app.runtime.words import tr


class Verdict(StrEnum):
    """What is to be said of a row; the first that holds, but for READY."""

    EMPTY = "empty"
    NEEDS_A_NAME = "needs a name"
    NOT_A_PERSON = "not a person"
    EMAIL_LOOKS_WRONG = "email looks wrong"
    ALREADY_HERE = "already here"
    CHECK_NAME = "check name"
    TWICE = "twice in this list"
    READY = "ready"


def verdict_words(verdict: Verdict, *, left_out: bool = False) -> str:
    """A verdict as it is told; a row that is ready, and left out all the same, is just that."""
    return {
        Verdict.READY: tr("left out") if left_out else tr("ready"),
        Verdict.ALREADY_HERE: tr("already here"),
        Verdict.TWICE: tr("twice in this list"),
        Verdict.CHECK_NAME: tr("check name"),
        Verdict.NEEDS_A_NAME: tr("needs a name"),
        Verdict.NOT_A_PERSON: tr("not a person?"),
        Verdict.EMAIL_LOOKS_WRONG: tr("email looks wrong"),
        Verdict.EMPTY: tr("empty"),
    }[verdict]
