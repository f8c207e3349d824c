"""One small file that is replaced whole or not at all, for its owner's eyes only.

What stands in it, and what to do when that cannot be understood, is left to whoever keeps it.
"""

import contextlib
import logging
import os
import tempfile
from pathlib import Path

from app.runtime.paths import make_private_folder
from app.runtime.regular_file import open_regular, read_regular

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
        # mkstemp makes the file 0600 and under a name that nobody else is writing to.
        descriptor, written = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(written).replace(self._path)
        except BaseException:
            Path(written).unlink(missing_ok=True)
            raise
        _settle(folder)

    def set_aside(self) -> None:
        """Put a damaged file where it is in nobody's way, for whoever wants to look at it."""
        if self._path is None:
            return
        _log.warning("%s is damaged and was set aside", self._path.name)
        try:
            self._path.replace(self._aside(self._path))
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
        _settle(self._path.parent)
        return True

    @staticmethod
    def _aside(path: Path) -> Path:
        return path.with_suffix(f".damaged{path.suffix}")


def _settle(folder: Path) -> None:
    """Write down which file goes by which name, so that a power cut cannot bring the old one back.

    The file itself is whole on the disk by now: where a folder cannot be asked (Windows, some
    network drives), that has to do.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
