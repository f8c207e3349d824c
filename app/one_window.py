"""One window per data folder: a second start raises the first window and ends.

Who is first is decided by a lock of the system, which ends with its program, however that ends.
Where the first one listens is named after the folder, the same way on every system.
"""

import contextlib
import getpass
import hashlib
import time
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

from filelock import FileLock, Timeout
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.runtime.paths import make_private_folder
from app.viewmodels.guarded import Guarded

_RAISE = b"raise\n"
_DONE = b"done\n"
_LOOK_AGAIN = 0.1  # seconds
_PATIENCE = 8.0
"""Seconds for a first one that is starting, busy or just ending; then it counts as hanging."""


class Start(Enum):
    """What became of a start."""

    FIRST = auto()
    RAISED = auto()
    """Another window of this folder was there, and has come to the front."""
    NO_ANSWER = auto()
    """Another program has this folder, but does not answer."""


class OneWindow(Guarded, QObject):
    """Held by the first one until it ends; asked by every later one."""

    def __init__(self, data_folder: Path, patience: float = _PATIENCE) -> None:
        """Nothing is asked before `begin`; `patience` is in seconds."""
        super().__init__()
        self._folder = data_folder
        self._patience = patience
        self._name = _name_of(data_folder)
        self._lock = FileLock(
            data_folder / "window.lock",
            mode=0o600,
            thread_local=False,
            blocking=False,
            # A mere file would outlive a killed program and shut everybody out.
            fallback_to_soft=False,
        )
        self._server: QLocalServer | None = None
        self._raise: Callable[[], None] | None = None

    def begin(self) -> Start:
        """Be the first, or have the first one raise its window; waits as long as that takes."""
        until = time.monotonic() + self._patience
        while not self._is_first():
            left = until - time.monotonic()
            if left <= 0:
                return Start.NO_ANSWER
            if _asked_first_one(self._name, left):
                return Start.RAISED
            # It is starting, and does not listen yet, or ending, and does no more.
            time.sleep(min(_LOOK_AGAIN, max(left, 0)))
        self._listen()
        return Start.FIRST

    def when_asked(self, show: Callable[[], None]) -> None:
        """Call `show` whenever somebody starts the program again; also for those who did already.

        They are answered only then, so that a program which hangs does not pass for one that works.
        """
        self._raise = show
        if self._server is not None:
            self._answer_all()

    def end(self) -> None:
        """Let another one be the first."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lock.release()

    def _is_first(self) -> bool:
        try:
            make_private_folder(self._folder)
            self._lock.acquire()
        except Timeout:
            return False
        except OSError:
            # A folder that cannot be written holds nothing that two windows could spoil.
            return True
        return True

    def _listen(self) -> None:
        # Left there by one that was killed; nobody listens, for the lock is ours.
        QLocalServer.removeServer(self._name)
        self._server = server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._answer_all)
        server.listen(self._name)

    def _answer_all(self) -> None:
        server = self._server
        while server is not None and self._raise is not None and server.hasPendingConnections():
            asking = server.nextPendingConnection()
            asking.disconnected.connect(asking.deleteLater)
            self._raise()
            asking.write(_DONE)
            asking.flush()
            asking.disconnectFromServer()


def _asked_first_one(name: str, seconds: float) -> bool:
    """Whether the first one has answered that its window is raised."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    milliseconds = max(1, round(seconds * 1000))
    try:
        if not socket.waitForConnected(milliseconds):
            return False
        socket.write(_RAISE)
        socket.flush()
        return socket.waitForReadyRead(milliseconds) and bytes(socket.readAll().data()) == _DONE
    finally:
        socket.abort()


def _name_of(folder: Path) -> str:
    """The same for every way to write the folder's path, and another for every user."""
    with contextlib.suppress(OSError):
        folder = folder.resolve()
    user = ""
    with contextlib.suppress(OSError, KeyError, ImportError):
        user = getpass.getuser()
    return "frontdesk-" + hashlib.sha256(f"{user}\n{folder}".encode()).hexdigest()[:24]
