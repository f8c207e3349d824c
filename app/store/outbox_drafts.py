"""The half-typed line, kept key by key without ever waiting for the disk.

It outlives the program being killed; only after a loss of power it may be some keys behind.
"""

import logging
import sqlite3
import threading
from typing import TYPE_CHECKING

from app.store.database import Database
from app.store.errors import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future

_log = logging.getLogger(__name__)
DRAFT = "draft"
_KEEP = "INSERT OR REPLACE INTO facts VALUES ('draft', ?)"


class Drafts:
    """Writes the newest text through a connection of its own, on the database's thread."""

    def __init__(self, database: Database, text: str) -> None:
        """`text` is what the file has."""
        self.text = text
        self._database = database
        self._unwritten: str | None = None
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def keep(self, text: str) -> None:
        """Remember `text` in the place of the one before. Returns at once; never raises."""
        if text == self.text:
            return
        self.text = text
        with self._lock:
            under_way, self._unwritten = self._unwritten is not None, text
        if not under_way:
            self._database.submit(self._write).add_done_callback(_note_failure)

    def drop(self) -> None:
        """What was typed became an entry, whose transaction takes the kept text out too."""
        self.text = ""
        with self._lock:
            self._unwritten = None

    def close(self) -> None:
        """Let go of the file once what was asked for is done."""
        self._database.submit(self._close)

    def _write(self, writer: sqlite3.Connection) -> None:
        with self._lock:
            text, self._unwritten = self._unwritten, None
        if text is not None:
            self._opened(writer).execute(_KEEP, (text,))

    def _opened(self, writer: sqlite3.Connection) -> sqlite3.Connection:
        """A connection that does not wait for the disk at each key, or in memory the only one."""
        if self._database.path is None:
            return writer
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._database.path, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA synchronous = NORMAL")
        return self._connection

    def _close(self, _writer: sqlite3.Connection) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _note_failure(written: "Future[None]") -> None:
    """Nobody waits for a draft: a disk that is full is said when the person presses Enter."""
    error = written.exception()
    if isinstance(error, StoreError):
        _log.warning("the half-typed line could not be kept: %s", error.title)
    elif error is not None:
        _log.error("the half-typed line could not be kept", exc_info=error)
