"""The half-typed line, kept key by key in a small file of its own without waiting for the disk: a
commit at each key would make the Enter after it wait.

It outlives the program being killed; after a loss of power it may be some keys behind. Which line
became an entry is said by the outbox itself, so that it never comes back beside that entry.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from app.runtime.files import open_regular, read_regular
from app.store.database import Work

_log = logging.getLogger(__name__)
DRAFT = "draft"
"""The half-typed line out of a file that was set aside; it stands in for one that is not there."""
DRAFTS = "drafts taken"


def draft_of(path: Path) -> Path:
    """Where the half-typed line of the outbox at `path` lies."""
    return path.with_suffix(".draft")


class Drafts:
    """The newest text and its file: a line with a number and a length, then the text."""

    def __init__(
        self,
        path: Path | None,
        metadata: Mapping[str, str],
        submit: Callable[[Work[None]], object],
    ) -> None:
        """For the outbox at `path`, of which `metadata` is kept. `submit`: of its database.

        How many lines became entries stands there: a file with another number is out of date.
        """
        self._path = path and draft_of(path)
        taken = metadata.get(DRAFTS, "")
        self._number = int(taken) if taken.isdecimal() else 0
        self._submit = submit
        self._unwritten: bytes | None = None
        self._lock = threading.Lock()
        self.text = self._read(metadata.get(DRAFT, ""))

    @property
    def metadata_when_dropped(self) -> dict[str, str | None]:
        """What is to be kept beside the entry that the line has become."""
        return {DRAFT: None, DRAFTS: str(self._number + 1)}

    def keep(self, text: str) -> None:
        """Remember `text` in the place of the one before. Returns at once; never raises."""
        if text != self.text:
            self.text = text
            data = text.encode(errors="replace")
            self._later(b"%d %d\n%b" % (self._number, len(data), data))

    def drop(self) -> None:
        """What was typed became an entry, and with it every text kept before is out of date."""
        self.text, self._number = "", self._number + 1
        self._later(b"")

    def _later(self, content: bytes) -> None:
        # One write waits at most, whatever is typed meanwhile: an Enter comes behind it.
        with self._lock:
            under_way, self._unwritten = self._unwritten is not None, content
        if self._path is not None and not under_way:
            self._submit(self._write)

    def _read(self, before: str) -> str:
        if self._path is None:
            return before
        try:
            head, data = read_regular(self._path).split(b"\n", 1)
            number, length = map(int, head.split())
        except FileNotFoundError:
            return before
        except (OSError, ValueError):
            return ""
        return data[:length].decode(errors="replace") if number == self._number else ""

    def _write(self, _connection: sqlite3.Connection) -> None:
        with self._lock:
            content, self._unwritten = self._unwritten, None
        try:
            if self._path is not None and content is not None:
                _put(self._path, content)
        except OSError as error:
            # A disk that is full is said when the person presses Enter.
            _log.warning("the half-typed line could not be kept: %s", error.strerror)


def _put(path: Path, content: bytes) -> None:
    if not content:
        path.unlink(missing_ok=True)
        return
    # One write over what is there: a kill leaves this text or the one before.
    file = open_regular(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.write(file, content)
        os.ftruncate(file, len(content))
    finally:
        os.close(file)
