"""What somebody took the columns of a list for, to be taken the same way for headings like these.

It holds headings and words for fields, never a cell of a list. What they mean is left to the room
that reads lists.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.settings.key_value_store import KeyValueStore

_MOST = 50
"""Kinds of lists. An office has a handful; what was not met for long is forgotten first."""
_LONGEST = 4_000
"""Characters of the headings of one list."""


class ColumnChoices:
    """The choices by headings."""

    def __init__(self, folder: Path | None, *, on_disk: bool = True) -> None:
        """`folder` holds the file; without it, or not `on_disk`, they end with this run."""
        self._kept = KeyValueStore(
            folder, "columns.json", tuple[str, ...], most=_MOST, on_disk=on_disk
        )
        self.keep_on_disk = self._kept.keep_on_disk

    def all(self) -> Mapping[str, Sequence[str]]:
        """The words for the fields, from the left, by the key of the headings."""
        return self._kept.all()

    def keep(self, key: str, fields: Sequence[str]) -> None:
        """Remember what the columns with these headings were taken for."""
        if len(key) <= _LONGEST:
            self._kept.keep(key, tuple(fields))
