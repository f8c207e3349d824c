"""The log: one small rotating file, no person, no response body, no secret in any line."""

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

from app.runtime.paths import make_private_folder
from app.runtime.secrets import redact

_BYTES = 512 * 1024
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# They write addresses or whole requests at INFO and below.
_TALKATIVE = ("httpx", "httpcore", "asyncio", "keyring", "uvicorn", "qasync", "urllib3")
_OWNER_ONLY = 0o600


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and takes the secrets out of the result."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be written."""
        return redact(super().format(record))


class PrivateLog(logging.handlers.RotatingFileHandler):
    """A rotating file that only its owner can read; so are the ones it was rotated to."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened before the first line."""
        super().__init__(path, maxBytes=_BYTES, backupCount=1, encoding="utf-8", delay=True)
        self.setFormatter(RedactingFormatter(_FORMAT))

    def _open(self) -> TextIOWrapper:
        """Give the file its rights when it is made, and an older one, open to all, now."""
        opened = open(self.baseFilename, "a", encoding="utf-8", opener=_privately)  # noqa: SIM115 - the handler closes it
        if os.name == "posix":
            os.fchmod(opened.fileno(), _OWNER_ONLY)
        return opened


def write_log_to(folder: Path) -> Path:
    """Send the program's log to `folder`/frontdesk.log and give that path back.

    Raises OSError where the folder cannot be written.
    """
    path = make_private_folder(folder) / "frontdesk.log"
    _close_to_others(path)
    root = logging.getLogger()
    root.addHandler(PrivateLog(path))
    root.setLevel(logging.INFO)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    return path


def close_log() -> None:
    """Take the file handlers off the log and close them."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, PrivateLog):
            root.removeHandler(handler)
            handler.close()


def _privately(path: str, flags: int) -> int:
    return os.open(path, flags, _OWNER_ONLY)


def _close_to_others(path: Path) -> None:
    """What an earlier version wrote for everybody to read."""
    if os.name == "posix":
        for written in path.parent.glob(f"{path.name}*"):
            written.chmod(_OWNER_ONLY)
