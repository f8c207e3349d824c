"""One window per data folder: a second start raises the first window and ends.

Who is first is decided by a lock of the system, which ends with its program, however that ends.
Where the first one listens is named after the folder, the same way on every system. What is said
where it does not answer is left to whoever asks.
"""

import asyncio
import contextlib
import getpass
import hashlib
import os
import sys
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from app.runtime.program_lock import ProgramLock
from app.viewmodels.guarded_overrides import GuardedOverrides

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

_DONE = b"done\n"
"""All that is ever answered: to connect is to ask. What nobody reads would have the system throw
the answer away when the connection is closed.
"""
_END = b"\n"
LONGEST_ASKED = 16 * 1024 * 1024
"""Bytes of what is asked for besides; the longest are people that somebody wants to add."""
_LONGEST_LENGTH = 20
_ASKED_WITHIN = 0.5
"""Seconds without a word from somebody who connected; what they want is to see the window then."""
_LOOK_AGAIN = 0.1
"""Seconds between two tries to be the first, or to reach it."""
_LISTEN_AFTER = 0.3
"""Seconds, in which the first window comes onto the screen: a later start asks again meanwhile."""
_TIMEOUT = 1.2
"""Seconds for a first one that is starting, busy or just ending; then somebody has to be told."""


class Start(Enum):
    """What became of a start."""

    FIRST = auto()
    RAISED = auto()
    """Another window of this folder was there, and has come to the front."""
    NO_ANSWER = auto()
    """Another program has this folder, but does not answer; it is asked on."""


class WindowRequest(msgspec.Struct, frozen=True):
    """What a start wants of the window besides seeing it: at most one of these."""

    list_file: Path | None = None
    """A list of people to look over."""
    connection: Path | None = None
    """A connection file to open."""
    people: str | None = None
    """Whom to add, one or several, as somebody would type them; blank: to begin typing."""
    chooses_list: bool = False
    """A list is to be looked over, and the window asks which."""
    small: bool = False
    """The small window is to be shown."""


class _RequestMessage(msgspec.Struct, array_like=True):
    """The same on the line; a path may have signs in it that are none."""

    list_file: bytes
    connection: bytes
    people: str | None
    chooses_list: bool
    small: bool = False


class SingleInstance(GuardedOverrides, QObject):
    """Held by the first one until it ends; asked by every later one.

    `start` is what has become of this one so far.
    """

    def __init__(
        self, data_folder: Path, timeout: float = _TIMEOUT, *, asked: WindowRequest | None = None
    ) -> None:
        """Nothing is asked before `begin`; `timeout` is in seconds.

        A first one that is running gets what is `asked` for.
        """
        super().__init__()
        self.start = Start.NO_ANSWER
        self._timeout = timeout
        self._name = _name_of(data_folder)
        self._lock = ProgramLock(data_folder / "window.lock")
        self._wanted = _written(asked or WindowRequest())
        self._asking: _Asking | None = None
        self._listen_soon = QTimer(self, singleShot=True, interval=round(_LISTEN_AFTER * 1000))
        self._listen_soon.timeout.connect(self._listen)
        self._again = QTimer(self, interval=round(_LOOK_AGAIN * 1000))
        self._again.timeout.connect(self._try_again)
        self._server: QLocalServer | None = None
        self._listens_at: tuple[Path, tuple[int, int]] | None = None
        self._watch: QFileSystemWatcher | None = None
        self._raise: Callable[[], None] | None = None
        self._take: Callable[[WindowRequest], None] | None = None
        self._settled = asyncio.Event()

    async def begin(self) -> Start:
        """Be the first, or have the first one raise its window; waits as long as that may take.

        After NO_ANSWER it is asked on, until `settled`.
        """
        self._try_again()
        if self.start is Start.NO_ANSWER:
            self._again.start()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._timeout):
                    await self.settled()
        return self.start

    async def settled(self) -> None:
        """Wait until this is the first, or the first one has raised its window, or nobody wants to
        wait any longer.
        """
        await self._settled.wait()

    def give_up(self) -> None:
        """Ask no more; `start` stays what it is."""
        self._settle(self.start)

    def when_asked(
        self, show: Callable[[], None], take: Callable[[WindowRequest], None] | None = None
    ) -> None:
        """Call `show` whenever somebody starts the program again; also for those who did already.
        `take` gets what else they want, if they want anything.

        They are answered only then, so that a program which hangs does not pass for one that works.
        """
        self._raise, self._take = show, take
        if self._server is None:
            self._listen_soon.start()
        else:
            self._answer_all()

    def answer_nobody_more(self) -> None:
        """This ends, and could keep nothing that is asked for now: whoever asks goes on asking, and
        is the first once this has ended.
        """
        self._listen_soon.stop()
        self._raise = self._take = None
        self._listens_at = None
        if self._server is not None:
            self._server.close()
            # With everybody who is connected: they hear nothing, and ask again.
            self._server.deleteLater()
            self._server = None

    def end(self) -> None:
        """Let another one be the first."""
        self.answer_nobody_more()
        self._ask_no_more()
        self._lock.release()

    def _try_again(self) -> None:
        # It is starting, and does not listen yet, or ending, and does no more.
        if self._is_first():
            self._settle(Start.FIRST)
        elif self.start is Start.NO_ANSWER:
            self._first_one.ask()

    @property
    def _first_one(self) -> "_Asking":
        """Asked only where there is one: most starts are the first, and load nothing for this."""
        if self._asking is None:
            self._asking = _Asking(self._name, self._wanted, self)
            self._asking.answered.connect(self._was_raised)
        return self._asking

    def _ask_no_more(self) -> None:
        self._again.stop()
        if self._asking is not None:
            self._asking.stop()

    def _was_raised(self) -> None:
        self._settle(Start.RAISED)

    def _settle(self, start: Start) -> None:
        self._ask_no_more()
        self.start = start
        self._settled.set()

    def _is_first(self) -> bool:
        try:
            return self._lock.take()
        except OSError:
            # A folder that cannot be written holds nothing that two windows could spoil; all the
            # same, one that is there and answers is enough.
            if self._first_one.ask_now(round(self._timeout * 1000)):
                self._settle(Start.RAISED)
            elif self._server is None:
                # Nothing else keeps a later start from being one more first.
                self._listen()
            return self.start is not Start.RAISED

    def _listen(self) -> None:
        from PySide6.QtNetwork import QLocalServer  # noqa: PLC0415 - see `_LISTEN_AFTER`

        self._server = server = QLocalServer(self)
        # With it Qt puts its socket in the place of one that was left by somebody who was killed.
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._answer_all)
        if server.listen(self._name):
            place = Path(server.fullServerName())
            with contextlib.suppress(OSError):
                self._listens_at = place, _which(place)
                # A new one each time: what is still to be told of the former would end it.
                self._watch = QFileSystemWatcher([str(place)], self)
                self._watch.fileChanged.connect(self._listen_again)

    def _listen_again(self) -> None:
        """Whoever tidies up the system's folder for temporary files takes our place there away."""
        if self._listens_at is None or self._server is None:
            return
        place, ours = self._listens_at
        with contextlib.suppress(OSError):
            if _which(place) == ours:
                return
        self._listens_at = None
        if self._watch is not None:
            self._watch.deleteLater()
            self._watch = None
        self._server.close()
        self._server.deleteLater()
        self._listen()

    def _answer_all(self) -> None:
        server = self._server
        while server is not None and self._raise is not None and server.hasPendingConnections():
            asking = server.nextPendingConnection()
            asking.disconnected.connect(asking.deleteLater)
            self._raise()
            _Hearing(asking, self._take)


class _Hearing(GuardedOverrides, QObject):
    """Hears what somebody wants who connected, and answers them."""

    def __init__(
        self, asking: "QLocalSocket", take: Callable[[WindowRequest], None] | None
    ) -> None:
        super().__init__(asking)
        self._asking = asking
        self._take = take
        self._heard = bytearray()
        self._timer = QTimer(self, singleShot=True, interval=round(_ASKED_WITHIN * 1000))
        self._timer.timeout.connect(self._heard_nothing)
        self._timer.start()
        asking.readyRead.connect(self._hear)
        self._hear()

    def _hear(self) -> None:
        if not self._timer.isActive():
            return
        more = bytes(self._asking.readAll().data())
        self._heard += more
        length, end, _ = bytes(self._heard[:_LONGEST_LENGTH]).partition(_END)
        if not end and len(self._heard) < _LONGEST_LENGTH:
            return
        wanted = int(length) if end and length.isdigit() else 0
        if wanted > LONGEST_ASKED:
            wanted = 0
        begins = len(length) + len(_END)
        if len(self._heard) - begins < wanted:
            if more:
                self._timer.start()
            return
        message = bytes(self._heard[begins : begins + wanted])
        asked = _read(message) if wanted else None
        # Heard: what fails of it now is not to be done again.
        self._timer.stop()
        take = self._take if asked != WindowRequest() else None
        if asked is not None and take is not None and not self._has_left():
            try:
                take(asked)
            except Exception as error:  # noqa: BLE001 - they are answered, and so is the next one
                sys.excepthook(type(error), error, error.__traceback__)
        self._answer()

    def _has_left(self) -> bool:
        """Somebody who did not wait for an answer was told that nothing is done, and may have asked
        again; a program that hung hears them only now.
        """
        self._asking.waitForReadyRead(1)
        return self._asking.state() is not self._asking.LocalSocketState.ConnectedState

    def _heard_nothing(self) -> None:
        """They say nothing, or this one was busy, and what they said is there by now."""
        self._timer.start()
        before = len(self._heard)
        self._asking.waitForReadyRead(1)
        self._hear()
        if self._timer.isActive() and len(self._heard) == before:
            self._answer()

    def _answer(self) -> None:
        self._timer.stop()
        self._asking.write(_DONE)
        self._asking.flush()
        self._asking.disconnectFromServer()


class _Asking(GuardedOverrides, QObject):
    """Asks the first one to raise its window, once more whenever that came to nothing."""

    answered = Signal()

    def __init__(self, name: str, wanted: bytes, parent: QObject) -> None:
        super().__init__(parent)
        self._name = name
        self._wanted = wanted
        from PySide6.QtNetwork import QLocalSocket  # noqa: PLC0415 - see `SingleInstance`

        self._socket = QLocalSocket(self)
        self._socket.setReadBufferSize(len(_DONE))
        self._socket.connected.connect(self._say)
        self._socket.readyRead.connect(self._hear)

    def ask(self) -> None:
        """Ask, unless an answer is still awaited."""
        if self._socket.state() is self._socket.LocalSocketState.UnconnectedState:
            self._socket.connectToServer(self._name)

    def ask_now(self, milliseconds: int) -> bool:
        """Whether there is an answer within that time; at once False where nobody listens."""
        self.ask()
        connected = self._socket.waitForConnected(milliseconds)
        return connected and self._socket.waitForReadyRead(milliseconds) and self._heard() == _DONE

    def stop(self) -> None:
        """Ask no more."""
        self._socket.abort()

    def _say(self) -> None:
        self._socket.write(self._wanted)
        self._socket.flush()

    def _hear(self) -> None:
        if self._heard() == _DONE:
            self.answered.emit()

    def _heard(self) -> bytes:
        # Whatever else speaks there is not the first one, and may do so at any length.
        return bytes(self._socket.peek(len(_DONE)).data())


def _written(asked: WindowRequest) -> bytes:
    """What is asked for, behind its length."""
    list_file, connection = (
        os.fsencode(path) if path is not None else b""
        for path in (asked.list_file, asked.connection)
    )
    message = msgspec.msgpack.encode(
        _RequestMessage(list_file, connection, asked.people, asked.chooses_list, asked.small)
    )
    return b"%d%s%s" % (len(message), _END, message)


def _read(message: bytes) -> WindowRequest | None:
    """What `_written` made of it; None where somebody else did."""
    try:
        heard = msgspec.msgpack.decode(message, type=_RequestMessage)
    except (msgspec.MsgspecError, UnicodeError):
        return None
    list_file, connection = (
        Path(os.fsdecode(path)) if path else None for path in (heard.list_file, heard.connection)
    )
    return WindowRequest(list_file, connection, heard.people, heard.chooses_list, heard.small)


def _which(place: Path) -> tuple[int, int]:
    """What tells a socket from another one in its place. Raises OSError."""
    there = place.lstat()
    return there.st_ino, there.st_mtime_ns


def _name_of(folder: Path) -> str:
    """The same for every way to write the folder's path, and another for every user."""
    with contextlib.suppress(OSError):
        folder = folder.resolve()
    user = ""
    with contextlib.suppress(OSError, KeyError, ImportError):
        user = getpass.getuser()
    named = user.encode("utf-8", "surrogateescape") + b"\n" + os.fsencode(folder)
    return "frontdesk-" + hashlib.sha256(named).hexdigest()[:24]
