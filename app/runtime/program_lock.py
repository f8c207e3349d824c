"""A file that one program at a time can have: the system gives it back with the program's end."""

import contextlib
import os
from pathlib import Path

from filelock import FileLock, Timeout

from app.runtime.files import OWNER_ONLY, refuse_other_than_file
from app.runtime.paths import make_private_folder


class ProgramLock:
    """Had or not; it is never waited for, and nothing is written into its file."""

    def __init__(self, path: Path) -> None:
        """`path`: the file, which is made when it is taken and stays, with the folder around it."""
        self._path = path
        self._file: os.stat_result | None = None
        self._lock = FileLock(
            path,
            mode=OWNER_ONLY,
            thread_local=False,
            blocking=False,
            # A mere file would outlive a killed program and lock everybody out.
            fallback_to_soft=False,
        )

    def take(self) -> bool:
        """False where another program has it. Raises NotRegularFileError, OSError."""
        make_private_folder(self._path.parent)
        with contextlib.suppress(FileNotFoundError):
            refuse_other_than_file(self._path)
        try:
            self._lock.acquire()
            self._file = self._path.stat()
        except Timeout:
            return False
        return True

    @property
    def is_held(self) -> bool:
        """Whether it still keeps others out: a file that was deleted meanwhile does not."""
        try:
            return self._file is not None and os.path.samestat(self._file, self._path.stat())
        except OSError:
            return False

    def release(self) -> None:
        """Let another program have it."""
        self._file = None
        self._lock.release()
