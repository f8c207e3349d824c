"""Reference cycles are collected on the thread of the event loop, and on no other.

A cycle may hold a Qt object, which has to end on the thread it lives on. Python collects wherever
the threshold happens to be passed: reading an answer or a database would end widgets from outside.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer

from app.viewmodels.guarded_overrides import GuardedOverrides

_OF_THE_OLD = 4
"""A full collection waits until one object has come to so many."""


@contextmanager
def cycles_collected_by_the_event_loop() -> Iterator[None]:
    """Collect on this thread, in turns of its event loop of their own; Python no longer.

    The thresholds stay Python's own. Nothing is woken up for it: a loop that sleeps makes no
    garbage. Raises RuntimeError where this thread has no event loop of Qt's.
    """
    dispatcher = QAbstractEventDispatcher.instance()
    if dispatcher is None:
        raise RuntimeError("this thread has no event loop of Qt's")
    collector = _Collector()
    was_enabled = gc.isenabled()
    gc.disable()
    dispatcher.aboutToBlock.connect(collector.look)
    try:
        yield
    finally:
        dispatcher.aboutToBlock.disconnect(collector.look)
        collector.stop()
        if was_enabled:
            gc.enable()


class _Collector(GuardedOverrides, QObject):
    """Knows how many old objects the last full collection has left."""

    def __init__(self) -> None:
        super().__init__()
        self._old = 0
        self._looked_at = 0
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._collect_what_is_due)

    def look(self) -> None:
        """Collect in the next turn, if anything is due. The loop says that it is about to rest
        before each look at what waits: what was typed is painted then, and that comes first.
        """
        if gc.get_count()[0] > gc.get_threshold()[0] > 0 and not self._turn.isActive():
            self._turn.start()

    def stop(self) -> None:
        """Nothing is collected any more."""
        self._turn.stop()

    def _collect_what_is_due(self) -> None:
        """The oldest generation that is due, as Python does it."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        if counts[2] > thresholds[2] and self._old_have_grown(counts[2]):
            gc.collect()
            self._old, self._looked_at = _count_old(), 0
        else:
            gc.collect(int(counts[1] > thresholds[1]))

    def _old_have_grown(self, times: int) -> bool:
        """Whether a quarter came to those that were left: Python looks at all of them no sooner.

        With a long list in memory that takes longer than a frame, even where nothing was made.
        `times` some have grown old since.
        """
        if times == self._looked_at:
            return False
        self._looked_at = times
        there = _count_old()
        # Fewer, where many of them are looked through no more (`gc.freeze`).
        self._old = min(self._old, there)
        return there * _OF_THE_OLD >= self._old * (_OF_THE_OLD + 1)


def _count_old() -> int:
    return len(gc.get_objects(generation=2))
