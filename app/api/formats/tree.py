"""What every reader gives, and the one error with which every reader fails."""

from typing import Self, TypeAlias

from app.api.errors import UnreadableAnswer
from app.model.errors import retranslatable_error
from app.runtime.words import tr

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"

DEEPEST = 64
"""Levels of nesting; a flow with nested steps needs about ten."""

LONGEST_TEXT = 1024 * 1024
"""Characters of one text, bytes of one tag."""


class Unreadable(dict[str, Tree]):
    """Stands in a tree for a mapping or a text that is well-formed and yet cannot be read.

    It has no fields: a record that is one has no id, and a field that is one was not sent.
    """


class TooCostly(UnreadableAnswer):
    """The document holds more than any answer of the service may."""

    @classmethod
    def of(cls, reason: str) -> Self:
        """The error with `reason`, which holds nothing of the body."""
        return cls(
            tr("Answer too large"),
            tr("The service sent more than Front Desk can take in one answer."),
            details=reason,
        )


@retranslatable_error
def unreadable(reason: str) -> UnreadableAnswer:
    """The error for a body that is no document; `reason` holds nothing of the body."""
    return UnreadableAnswer(
        tr("Answer not understood"),
        tr("The service gave an answer that Front Desk cannot read. Try again in a moment."),
        details=reason,
    )


def too_deep() -> UnreadableAnswer:
    """The error for a document that is nested deeper than DEEPEST."""
    return unreadable(f"nested deeper than {DEEPEST} levels")


def is_broken(text: str) -> bool:
    """Whether half a character is in it, which no letter and no file can hold."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
