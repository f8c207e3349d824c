"""How long the event loop is busy at a time."""

import time

from PySide6.QtCore import QObject, Qt, QTimer


class Turns(QObject):
    """The longest turn since `begin`, in seconds: by the clock, and processor time of the thread.

    The clock tells of the disk and of other programs on this computer as well; processor time of
    this program alone.
    """

    def __init__(self, rest: int = 0) -> None:
        """Look again after `rest` milliseconds: work in another thread is held up by each look."""
        super().__init__()
        self._rest = rest / 1000
        self.begin()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(rest)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def begin(self) -> None:
        """Forget all turns so far, and what this one has done."""
        self.longest = self.busiest = 0.0
        self._mark()

    def stop(self) -> None:
        """Look no longer."""
        self._timer.stop()

    def _mark(self) -> None:
        self._busy, self._clock = time.thread_time(), time.perf_counter()

    def _tick(self) -> None:
        self.longest = max(self.longest, time.perf_counter() - self._clock - self._rest)
        self.busiest = max(self.busiest, time.thread_time() - self._busy)
        self._mark()
