"""A key-value store of the newest few: in a file, or in memory where nothing is to be kept.

What they mean is left to whoever keeps them.
"""

import logging
from pathlib import Path
from types import GenericAlias
from typing import Generic, TypeVar

import msgspec

from app.runtime.files import KeptFile

_log = logging.getLogger(__name__)
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
Value = TypeVar("Value")


class KeyValueStore(Generic[Value]):
    """A few values, the newest last. Each call reads the file: two windows may share it.

    To lose one is no harm that anybody has to be told of, so nothing here raises.
    """

    def __init__(
        self, folder: Path | None, name: str, kind: type[Value], *, most: int, on_disk: bool
    ) -> None:
        """`folder` holds the file called `name`; without it, or not `on_disk`, the values end with
        this run. Of more than `most`, the oldest are let go.
        """
        self._file = KeptFile(folder, name)
        self._name = name
        self._kind = GenericAlias(dict, (str, kind))
        self._most = most
        self._can_be_on_disk = folder is not None
        self._on_disk = on_disk and self._can_be_on_disk
        self._in_memory: dict[str, Value] = {}
        if not self._on_disk:
            self._file.delete()

    def all(self) -> dict[str, Value]:
        """The values by key, as they are kept now; a copy."""
        if not self._on_disk:
            return dict(self._in_memory)
        content = self._file.read()
        if content is None:
            return {}
        try:
            values: dict[str, Value] = msgspec.json.decode(content, type=self._kind)
        except _UNREADABLE:
            self._file.set_aside()
            return {}
        return values

    def keep(self, key: str, value: Value) -> bool:
        """Put in a value, as the newest one where it is not as it was; not one that no file can
        hold, such as half of a sign that was copied. False where it does not outlive this run.
        """
        try:
            msgspec.json.encode({key: value})
        except UnicodeEncodeError:
            _log.warning("what cannot be written is not kept in %s", self._name)
            return False
        values = self.all()
        if values.get(key) == value:
            return self._on_disk
        values.pop(key, None)
        written = self._write(dict([*values.items(), (key, value)][-self._most :]))
        return written and self._on_disk

    def forget(self, key: str) -> bool:
        """Strike one out; False when the file may still have it."""
        values = self.all()
        return values.pop(key, None) is None or self._write(values)

    def keep_on_disk(self, *, on: bool) -> bool:
        """Whether they outlive this run from now on; False when the file could not follow.

        Not `on` deletes the file; those of this run stay until its end.
        """
        if on is self._on_disk or not self._can_be_on_disk:
            return True
        values = self.all()
        self._on_disk = on
        self._in_memory = {} if on else values
        return self._write(values) if on else self._file.delete()

    def _write(self, values: dict[str, Value]) -> bool:
        if not self._on_disk:
            self._in_memory = values
            return True
        try:
            self._file.write(msgspec.json.encode(values))
        except OSError as error:
            _log.warning("%s cannot be written: %s", self._name, error.strerror)
            # A full disk has no room for an empty one either, but lets go of this one.
            return not values and self._file.delete()
        return True
