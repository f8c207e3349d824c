"""The log: one small rotating file, no person, no response body, no secret in any line."""

import logging
import logging.handlers
from pathlib import Path

from app.runtime.paths import make_private_folder
from app.runtime.secrets import redact

_BYTES = 512 * 1024
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# They write addresses or whole requests at INFO and below.
_TALKATIVE = ("httpx", "httpcore", "asyncio", "keyring", "uvicorn", "qasync", "urllib3")


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and takes the secrets out of the result."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it may be written."""
        return redact(super().format(record))


def write_log_to(folder: Path) -> Path:
    """Send the program's log to `folder`/frontdesk.log and give that path back.

    Raises OSError where the folder cannot be written.
    """
    path = make_private_folder(folder) / "frontdesk.log"
    handler = logging.handlers.RotatingFileHandler(
        path, maxBytes=_BYTES, backupCount=1, encoding="utf-8", delay=True
    )
    handler.setFormatter(RedactingFormatter(_FORMAT))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    return path


def close_log() -> None:
    """Take the file handlers off the log and close them."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, logging.handlers.RotatingFileHandler):
            root.removeHandler(handler)
            handler.close()
