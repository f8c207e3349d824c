"""What can go wrong with a local database, said in sentences.

It knows the kinds of error SQLite tells apart; what to do about one is decided by others.
"""

import contextlib
import errno
import sqlite3
from collections.abc import Iterator

import msgspec

from app.model.errors import ExpectedError
from app.runtime.words import tr


class StoreError(ExpectedError):
    """Something on this computer keeps the local copy from being read or written."""


class StoreDamaged(StoreError):
    """The file is not what was written: damaged, cut off or not a database at all."""


class StoreTooNew(StoreError):
    """The file was written by a newer version of the program."""


UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file has SQLite raise: its sentence may quote bytes that are no text."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_NOT_AS_WRITTEN = (msgspec.DecodeError, TypeError, ValueError, OverflowError)
"""What a value of another kind than was written ends in, where it is made into ours."""
_NO_ROOM = {sqlite3.SQLITE_FULL}
_NO_WAY = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


_SAID_OF_DAMAGE = (
    "Could not decode to UTF-8",
    "JSON cannot hold BLOB values",
    "user-defined function raised exception",
)
"""What sqlite3 says, with no code of its own, where something else stands in the place of text, or
of the sum over the outbox, for which there is a function (`store/outbox/rows.py`).
"""


def store_error(error: sqlite3.Error | OSError) -> StoreError | None:
    """What `error` means for the person; None when it is a mistake of the program."""
    if isinstance(error, OSError):
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        return _no_room(error) if full else _out_of_reach(error)
    # The low byte is the kind, the rest says more about it.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in _DAMAGED or any(words in str(error) for words in _SAID_OF_DAMAGE):
        return damaged(str(error))
    if kind in _NO_ROOM:
        return _no_room(error)
    return _out_of_reach(error) if kind in _NO_WAY else None


def damaged(details: str) -> StoreDamaged:
    """The error for a file that cannot be read as what it should be."""
    return StoreDamaged(
        tr("The local copy is damaged"),
        tr("The lists kept on this computer cannot be read. Refresh to fetch them again."),
        details=details,
    )


@contextlib.contextmanager
def made_of_kept_values() -> Iterator[None]:
    """For making ours of what a table holds, and for nothing else: what cannot be made is damage.

    SQLite keeps any kind of value in any column, and a damaged byte may be the one that says which
    kind. Raises StoreDamaged.
    """
    try:
        yield
    except _NOT_AS_WRITTEN as error:
        raise damaged(str(error)) from error


def _no_room(error: Exception) -> StoreError:
    return StoreError(
        tr("No room left"),
        tr("The disk of this computer is full. Free some room, then try again."),
        details=_said(error),
    )


def _out_of_reach(error: Exception) -> StoreError:
    return StoreError(
        tr("The local copy cannot be used"),
        tr("The folder for what is kept on this computer cannot be read or written."),
        details=f"{type(error).__name__}: {_said(error)}",
    )


def _said(error: Exception) -> str:
    """Without the path, in which a name may stand."""
    return str(getattr(error, "strerror", None) or error)
