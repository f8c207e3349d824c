"""Readings of the whole list that are under way, and whom each has seen.

Only somebody whom a whole reading has not met is gone; deleting is left to the table.
"""

from collections.abc import Iterable


class Passes:
    """Kept in memory: a reading that a restart has cut short proves nothing about anybody."""

    def __init__(self) -> None:
        """Nothing is being read."""
        self._seen: dict[int, set[int]] = {}
        self._last = 0

    def begin(self) -> int:
        """Start a reading and give its number."""
        self._last += 1
        self._seen[self._last] = set()
        return self._last

    def saw(self, rows: Iterable[int]) -> None:
        """These people are there now, whichever way they were met: every reading has seen them."""
        met = tuple(rows)
        for seen in self._seen.values():
            seen.update(met)

    def end(self, number: int) -> set[int]:
        """Whom the reading has seen. Raises KeyError for one that is not under way."""
        return self._seen.pop(number)

    def give_up(self, number: int) -> None:
        """Forget a reading that was broken off."""
        self._seen.pop(number, None)
