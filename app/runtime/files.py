"""Opening files that have to be plain ones, and replacing a small one whole or not at all."""

import contextlib
import errno
import logging
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from app.runtime.paths import make_private_folder

OWNER_ONLY = 0o600
_FOR_ALL = 0o777
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

    What is to be written is not shared with other names (see `break_hard_links`).
    `follow_links`: for a place that a person has chosen. Raises NotRegularFileError, OSError.
    """
    if flags & (os.O_WRONLY | os.O_RDWR):
        with contextlib.suppress(FileNotFoundError):
            break_hard_links(path)
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
    _regular(path)


def is_file(path: Path) -> bool:
    """Whether there is a file; NotRegularFileError where there is something else."""
    try:
        _regular(path)
    except FileNotFoundError:
        return False
    return True


def break_hard_links(path: Path) -> None:
    """Give the file at `path` a copy of its own where it has other names too (a backup made of
    links, another person's file): what is written here must not change what they show.

    A file with one name is not opened. Raises as `refuse_other_than_file`, and where there is no
    room for a copy.
    """
    if _regular(path).st_nlink > 1:
        with _replaced(path) as file:
            _copy_into(path, file)


def read_regular(path: Path, most: int = -1) -> bytes:
    """The content of the file at `path`, of `most` bytes at most; raises as `open_regular`."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
        return file.read(most)


def copy_regular(path: Path, copy: Path) -> None:
    """Make `copy`, which is not there yet, of the file at `path`; raises as `open_regular`."""
    with os.fdopen(open_regular(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
        _copy_into(path, file)


def replace_whole(path: Path, content: bytes) -> None:
    """Put `content` in place of what was at `path`, whole or not at all: it is on the disk when
    this returns, and its owner's alone. Raises OSError; what was there is there still then.
    """
    with _replaced(path) as file:
        file.write(content)


def save_as(path: Path, content: bytes, *, new_mode: int = OWNER_ONLY) -> None:
    """Put `content` at a place that a person has chosen, whole or not at all: a link there leads
    on to its file, and a file there goes on being for whom it was; one that is made has `new_mode`.

    Raises as `replace_whole`, and NotRegularFileError.
    """
    place = Path(os.path.realpath(path))
    try:
        there = _regular(place)
    except FileNotFoundError:
        there = None
    with _replaced(place) as file:
        file.write(content)
        if sys.platform != "win32":  # a folder says there who may read what is in it
            _set_rights(file.fileno(), there, new_mode)


def move_into_place(file: Path, path: Path) -> None:
    """Put `file`, which is on the disk, in the place of `path`; so is its new name when this
    returns. Raises OSError.
    """
    file.replace(path)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Write down which file goes by which name, so that a power cut cannot bring the old one back.

    A file itself is whole on the disk by now: where a folder cannot be asked (Windows, some
    network drives), that has to do.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _regular(path: Path) -> os.stat_result:
    there = path.lstat()
    if not stat.S_ISREG(there.st_mode):
        raise NotRegularFileError(path)
    return there


if sys.platform != "win32":

    def _set_rights(descriptor: int, there: os.stat_result | None, new_mode: int) -> None:
        """Let the new file be for whom the one `there` is, as far as the system allows it."""
        mode = new_mode if there is None else stat.S_IMODE(there.st_mode) & _FOR_ALL
        if there is not None and os.fstat(descriptor).st_gid != there.st_gid:
            try:
                os.fchown(descriptor, -1, there.st_gid)
            except OSError:
                mode &= ~stat.S_IRWXG  # it is not for another group instead
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, mode)


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[IO[bytes]]:
    # mkstemp makes the file 0600 and under a name that nobody else is writing to.
    descriptor, written = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        move_into_place(Path(written), path)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise


def _copy_into(path: Path, file: IO[bytes]) -> None:
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as original:
        shutil.copyfileobj(original, file)


_log = logging.getLogger(__name__)


class KeptFile:
    """A file of the data folder; without a folder there is none, and nothing is kept."""

    def __init__(self, folder: Path | None, name: str) -> None:
        """`name` is like `settings.json`; folder and file are made when something is written."""
        self._path = folder / name if folder is not None else None

    def read(self) -> bytes | None:
        """The content; None where there is no such file or it cannot be read."""
        if self._path is None:
            return None
        try:
            return read_regular(self._path)
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("%s cannot be read: %s", self._path.name, error.strerror)
            return None

    def write(self, content: bytes) -> None:
        """Put `content` in place of what was there. Raises OSError where that fails.

        What could not be read is not replaced: it may be worth more than what is known without it.
        """
        if self._path is None:
            return
        with contextlib.suppress(FileNotFoundError):
            os.close(open_regular(self._path, os.O_RDONLY))
        folder = make_private_folder(self._path.parent)
        replace_whole(folder / self._path.name, content)

    def set_aside(self) -> None:
        """Put a damaged file where it is in nobody's way, for whoever wants to look at it."""
        if self._path is None:
            return
        _log.warning("%s is damaged and was set aside", self._path.name)
        try:
            move_into_place(self._path, self._aside(self._path))
        except OSError as error:
            _log.warning("it could not be set aside: %s", error.strerror)

    def delete(self) -> bool:
        """Remove the file and what was set aside; False when something may still be there."""
        if self._path is None:
            return True
        try:
            self._path.unlink(missing_ok=True)
            self._aside(self._path).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s cannot be deleted: %s", self._path.name, error.strerror)
            return False
        settle(self._path.parent)
        return True

    @staticmethod
    def _aside(path: Path) -> Path:
        return path.with_suffix(f".damaged{path.suffix}")
