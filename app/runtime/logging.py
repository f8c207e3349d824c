"""The log: one small rotating file, no person, no response body, no secret in any line."""

import contextlib
import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path
from typing import TypedDict

from app.runtime.files import OWNER_ONLY, open_regular, read_regular
from app.runtime.paths import make_private_folder
from app.runtime.secrets import redact

_BYTES = 512 * 1024
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# They write addresses or whole requests at INFO and below.
_TALKATIVE = ("httpx", "httpcore", "asyncio", "keyring", "uvicorn", "qasync", "urllib3")


_LAST_LINES = 50


class _Text(TypedDict):
    encoding: str
    errors: str


# A path may have signs in it that are none.
_TEXT: _Text = {"encoding": "utf-8", "errors": "backslashreplace"}


class _Nowhere(logging.NullHandler):
    """Where there is no file, lines go nowhere: on stderr nobody reads them."""


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and takes the secrets out of the result."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be written."""
        return redact(super().format(record))


class PrivateLog(logging.handlers.RotatingFileHandler):
    """A rotating file that only its owner can read; so are the ones it was rotated to."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened before the first line."""
        super().__init__(path, maxBytes=_BYTES, backupCount=1, delay=True, **_TEXT)
        self.setFormatter(RedactingFormatter(_FORMAT))

    def _open(self) -> TextIOWrapper:
        """Give the file its rights when it is made, and an older one, open to all, now."""
        return open(_opened(Path(self.baseFilename)), "a", **_TEXT)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A line that finds no room, or no file any more, is left out: the work goes on."""

    def close(self) -> None:
        """Close the file, also where what is left to be written finds no room."""
        with contextlib.suppress(OSError):
            super().close()


def write_log_to(folder: Path) -> Path:
    """Send the program's log to `folder`/frontdesk.log and give that path back.

    Raises OSError where the folder cannot be written, or something else than a file is there.
    """
    root = logging.getLogger()
    root.addHandler(_Nowhere())
    path = make_private_folder(folder) / "frontdesk.log"
    with contextlib.suppress(OSError):
        os.close(_opened(path.with_name(f"{path.name}.1"), make=False))
    os.close(_opened(path))
    root.addHandler(PrivateLog(path))
    root.setLevel(logging.INFO)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    return path


def close_log() -> None:
    """Take the file handlers off the log and close them."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, (PrivateLog, _Nowhere)):
            root.removeHandler(handler)
            handler.close()


def last_lines() -> str:
    """The end of the log, to be copied for whoever helps; empty where there is none to read."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, PrivateLog):
            with contextlib.suppress(OSError):
                text = read_regular(Path(handler.baseFilename)).decode(errors="replace")
                return redact("\n".join(text.splitlines()[-_LAST_LINES:]))
    return ""


def _opened(path: Path, *, make: bool = True) -> int:
    """A descriptor to write at the end of a log; what was left open to others is
    closed to them. Raises OSError.
    """
    flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if make else 0)
    descriptor = open_regular(path, flags)
    if os.name == "posix":
        os.fchmod(descriptor, OWNER_ONLY)
    return descriptor
