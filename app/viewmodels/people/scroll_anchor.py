"""Where a list is scrolled to, and where it should be once other rows have taken its place.

Positions count rows from the top; what a pixel is, is the view's affair.
"""

from collections.abc import Callable
from enum import Enum, auto

import msgspec

from app.viewmodels.people.table import Key

_ABOVE = 3
"""Rows left above somebody who comes into sight again."""


class Reason(Enum):
    """Why the rows are others now."""

    NEWS = auto()
    """Something came, changed or went by itself: nothing under the eyes may move."""
    NARROWED = auto()
    """Something is searched or filtered: what was found is read from its start."""
    WIDENED = auto()
    """Everybody is shown again: back to where it was before, or to whom was chosen meanwhile."""
    SORTED = auto()
    """The chosen one stays under the eyes; with nobody chosen the list begins anew."""


class Seen(msgspec.Struct, frozen=True):
    """What was on the screen before: the first row, its position, and how far down the chosen."""

    top: Key | None = None
    top_position: int = 0
    chosen_below: int | None = None
    """Rows between the first and the chosen one; None when that one was out of sight."""


class ScrollAnchor:
    """Remembers where everybody was left when the list was narrowed."""

    def __init__(self) -> None:
        """At the start of the list."""
        self.reason = Reason.NEWS
        self._left: Seen | None = None
        self._chosen_then: Key | None = None

    def leave(self, seen: Seen, chosen: Key | None) -> None:
        """The whole list is about to be narrowed, while this is seen."""
        if self._left is None:
            self._left = seen
            self._chosen_then = chosen

    def top_after(
        self, seen: Seen, chosen: Key | None, position_of: Callable[[Key | None], int | None]
    ) -> int:
        """The position that should come first now; `position_of` tells where a row stands now."""
        if self.reason is Reason.NARROWED:
            self.leave(seen, chosen)
            return 0
        if self.reason is Reason.NEWS:
            return _unmoved(seen, chosen, position_of)
        left, self._left = self._left, None
        if self.reason is Reason.WIDENED and left is not None and chosen == self._chosen_then:
            return _unmoved(left, chosen, position_of)
        at = position_of(chosen)
        if at is not None:
            return max(at - (_ABOVE if seen.chosen_below is None else seen.chosen_below), 0)
        if self.reason is Reason.SORTED or left is None:
            return 0
        return _unmoved(left, chosen, position_of)


def _unmoved(
    seen: Seen, chosen: Key | None, position_of: Callable[[Key | None], int | None]
) -> int:
    """The same first row; where it is gone, the chosen one as far down as before."""
    if not seen.top_position:
        # At the very start what comes on top is to be seen.
        return 0
    top = position_of(seen.top)
    if top is not None:
        return top
    at = position_of(chosen) if seen.chosen_below is not None else None
    return seen.top_position if at is None else max(at - (seen.chosen_below or 0), 0)
