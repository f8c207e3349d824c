"""What every reader gives, and the one error with which every reader fails (one that would cost too
much is a kind of it, in `decoding_budget`).
"""

from typing import TypeAlias

from app.api.errors import UnreadableAnswer
from app.model.errors import retranslatable_error
from app.runtime.words import tr

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | float | bool | None"


@retranslatable_error
def unreadable(reason: str) -> UnreadableAnswer:
    """The error for a body that is no document; `reason` holds nothing of the body."""
    return UnreadableAnswer(
        tr("Answer not understood"),
        tr("The service gave an answer that Front Desk cannot read. Try again in a moment."),
        details=reason,
    )
