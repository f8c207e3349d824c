"""What somebody took the columns of a list for, to be taken the same way for headings like these.

It holds headings and words for fields, never a cell of a list. What they mean is left to the room
that reads lists.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from app.runtime.files import KeptFile

_log = logging.getLogger(__name__)
_MOST = 50
"""Kinds of lists. An office has a handful; what was not met for long is forgotten first."""
_LONGEST = 4_000
"""Characters of the headings of one list."""
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_Choices = dict[str, tuple[str, ...]]


class ColumnChoices:
    """The choices by headings, the newest last. Each call reads the file: two windows may share it.

    To lose one is no harm that anybody has to be told of, so nothing here raises.
    """

    def __init__(self, folder: Path | None, *, on_disk: bool = True) -> None:
        """`folder` holds the file; without it, or not `on_disk`, they end with this run."""
        self._file = KeptFile(folder, "columns.json")
        self._can_be_on_disk = folder is not None
        self._on_disk = on_disk and self._can_be_on_disk
        self._in_memory: _Choices = {}
        if not self._on_disk:
            self._file.delete()

    def all(self) -> Mapping[str, Sequence[str]]:
        """The words for the fields, from the left, by the key of the headings."""
        return self._read()

    def keep(self, key: str, fields: Sequence[str]) -> None:
        """Remember what the columns with these headings were taken for."""
        choices = self._read()
        if len(key) > _LONGEST or choices.get(key) == tuple(fields):
            return
        choices.pop(key, None)
        self._write(dict([*choices.items(), (key, tuple(fields))][-_MOST:]))

    def keep_on_disk(self, *, on: bool) -> bool:
        """Whether they outlive this run from now on; False when the file could not follow.

        Not `on` deletes the file; those of this run stay until its end.
        """
        if on is self._on_disk or not self._can_be_on_disk:
            return True
        choices = self._read()
        self._on_disk = on
        self._in_memory = {} if on else choices
        return self._write(choices) if on else self._file.delete()

    def _read(self) -> _Choices:
        if not self._on_disk:
            return dict(self._in_memory)
        content = self._file.read()
        if content is None:
            return {}
        try:
            return msgspec.json.decode(content, type=_Choices)
        except _UNREADABLE:
            self._file.set_aside()
            return {}

    def _write(self, choices: _Choices) -> bool:
        if not self._on_disk:
            self._in_memory = choices
            return True
        try:
            self._file.write(msgspec.json.encode(choices))
        except OSError as error:
            _log.warning("what columns were taken for cannot be kept: %s", error.strerror)
            return False
        return True
