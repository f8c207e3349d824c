"""An event loop on Qt's for tests that press keys and the mouse in a task of it."""

import asyncio
from collections import deque

import qasync
from PySide6.QtCore import QTimerEvent
from PySide6.QtWidgets import QApplication


class EventLoop(qasync.QEventLoop):  # type: ignore[misc]  # untyped
    """As the program's, but that no task wakes while another runs.

    QTest has Qt handle what has come before it returns (a press on a window, a move of the mouse,
    a wait): in the middle of the task that called it. Whichever other task woke just then could not
    be entered, which asyncio only logs, and would never run again: not even to be cancelled, so
    that the test waited for it for ever.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._timer = _Timers(self)


class _Timers(qasync._SimpleTimer):  # type: ignore[misc]  # untyped
    """Run what is due in its order, once no task is running."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._loop = loop
        self._handles: dict[int, asyncio.Handle] = {}
        self._due: deque[asyncio.Handle] = deque()

    def add_callback(self, handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
        self._handles[self.startTimer(int(max(0, delay) * 1000))] = handle
        return handle

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802 - Qt's
        self.killTimer(event.timerId())
        handle = self._handles.pop(event.timerId(), None)
        if self._stopped:
            return
        if handle is not None:
            self._due.append(handle)
        if asyncio.current_task(self._loop) is not None:
            self.startTimer(1)  # to look again
            return
        while self._due:
            handle = self._due.popleft()
            if not handle.cancelled():
                handle._run()
