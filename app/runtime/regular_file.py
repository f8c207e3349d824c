"""Opening a file that has to be a plain one.

In its place somebody may have put a link, which leads the writing elsewhere, or a pipe or a device,
which is waited for for ever. On Windows there are none to fall for.
"""

import errno
import os
import stat
from pathlib import Path

OWNER_ONLY = 0o600
# A link in the last place fails the opening, a pipe with nobody at its other end waits for nobody.
_GUARDED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_MEANS_NO_FILE = frozenset({errno.ELOOP, errno.ENXIO, errno.EISDIR})


class NotRegularFileError(OSError):
    """There is something else than a file under this name: a folder, link, pipe or device."""

    def __init__(self, path: Path) -> None:
        """`path` is the name."""
        super().__init__(errno.EINVAL, "not a regular file", str(path))


def open_regular(path: Path, flags: int, *, follow_links: bool = False) -> int:
    """A descriptor of the file at `path`; one that is made is its owner's alone.

    `follow_links`: for a place that a person has chosen. Raises NotRegularFileError, OSError.
    """
    guarded = flags | _GUARDED | _BINARY | (0 if follow_links else _NO_LINK)
    try:
        descriptor = os.open(path, guarded, OWNER_ONLY)
    except OSError as error:
        if error.errno in _MEANS_NO_FILE:
            raise NotRegularFileError(path) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegularFileError(path)
    return descriptor


def refuse_other_than_file(path: Path) -> None:
    """Raises NotRegularFileError, or OSError where there is nothing; nothing is opened."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise NotRegularFileError(path)


def read_regular(path: Path) -> bytes:
    """The content of the file at `path`; raises as `open_regular`."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
        return file.read()
