"""Whether a list that is being read is still wanted: asked by whoever reads, told by who waits.

It is found without being handed on, in the thread that reads and in what that calls.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class ReadingStoppedError(Exception):
    """Nobody waits for the list any more: no sentence is said about it."""


class ReadingStop:
    """One list's; `stop` may be called from any thread."""

    def __init__(self) -> None:
        """It is wanted."""
        self._is_stopped = False
        self._ends: list[Callable[[], None]] = []
        self._lock = Lock()

    def stop(self) -> None:
        """The list is not wanted any more."""
        with self._lock:
            self._is_stopped = True
            ends = tuple(self._ends)
        for end in ends:
            end()

    def check(self) -> None:
        """Raises ReadingStoppedError once it is stopped."""
        if self._is_stopped:
            raise ReadingStoppedError

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """Call `end` where it is stopped meanwhile, or was before."""
        with self._lock:
            self._ends.append(end)
            is_stopped = self._is_stopped
        try:
            if is_stopped:
                end()
            yield
        finally:
            with self._lock:
                self._ends.remove(end)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """What is read within, in this thread, asks this one."""
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)


_current: ContextVar[ReadingStop] = ContextVar("reading_stop", default=ReadingStop())  # noqa: B039


def reading_stop() -> ReadingStop:
    """That of the list which is read here; one that nobody stops, where nobody said."""
    return _current.get()
