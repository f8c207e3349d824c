"""The places somebody was led from, one behind the other: the way back, and forward again.

Only who follows something leaves a place behind. What a place looks like is known elsewhere.
"""

from collections import deque
from collections.abc import Callable

import msgspec

from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import ReturnPoint

_MOST = 50
"""Places in each direction; the oldest are forgotten."""


class Visit(msgspec.Struct, frozen=True):
    """Somebody was there."""

    view: str | None
    """The view of the flows; None: the people."""
    place: FlowPlace | None = None
    """The flow that was shown, and the step of it that somebody came for."""
    name: ReturnPoint | None = None
    """The name that was followed from there."""
    person_id: str | None = None
    """Who was chosen among the people."""
    query: str = ""
    """What was searched among them."""


AMONG_PEOPLE = Visit(None)
"""Nobody chosen, nothing searched."""


class Visits:
    """The way from where somebody is; where that is, they say when they go."""

    def __init__(self) -> None:
        """Nobody was led anywhere yet."""
        self._behind = deque[Visit](maxlen=_MOST)
        self._ahead = deque[Visit](maxlen=_MOST)

    @property
    def last(self) -> Visit | None:
        """Where the way back leads."""
        return self._behind[-1] if self._behind else None

    @property
    def next(self) -> Visit | None:
        """Where the way forward leads."""
        return self._ahead[-1] if self._ahead else None

    def leave(self, here: Visit) -> None:
        """Somebody is led on from here."""
        self._behind.append(here)
        self._ahead.clear()

    def back(self, here: Visit) -> Visit | None:
        """Go one back from here; None where nothing is behind."""
        return self._go(self._behind, self._ahead, here)

    def forward(self, here: Visit) -> Visit | None:
        """Go one forward from here; None where nothing is ahead."""
        return self._go(self._ahead, self._behind, here)

    def forget(self) -> None:
        """Somebody has gone elsewhere by themselves."""
        self._behind.clear()
        self._ahead.clear()

    def forget_last(self) -> None:
        """Nothing was there to be led to."""
        if self._behind:
            self._behind.pop()

    def keep(self, is_there: Callable[[Visit], bool]) -> None:
        """The way back leads past the places that are not there any more."""
        while self._behind and not is_there(self._behind[-1]):
            self._behind.pop()

    @staticmethod
    def _go(source: deque[Visit], other: deque[Visit], here: Visit) -> Visit | None:
        if not source:
            return None
        other.append(here)
        return source.pop()
