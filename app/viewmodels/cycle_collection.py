"""Reference cycles are collected on the thread of the event loop, and on no other.

A cycle may hold a Qt object, which has to end on the thread it lives on. Python collects wherever
the threshold happens to be passed: reading an answer or a database would end widgets from outside.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QAbstractEventDispatcher


@contextmanager
def cycles_collected_by_the_event_loop() -> Iterator[None]:
    """Collect on this thread, each time its event loop has nothing left to do; Python no longer.

    The thresholds stay Python's own. Nothing is woken up for it: a loop that sleeps makes no
    garbage. Raises RuntimeError where this thread has no event loop of Qt's.
    """
    dispatcher = QAbstractEventDispatcher.instance()
    if dispatcher is None:
        raise RuntimeError("this thread has no event loop of Qt's")
    was_enabled = gc.isenabled()
    gc.disable()
    dispatcher.aboutToBlock.connect(_collect_what_is_due)
    try:
        yield
    finally:
        dispatcher.aboutToBlock.disconnect(_collect_what_is_due)
        if was_enabled:
            gc.enable()


def _collect_what_is_due() -> None:
    """The oldest generation that is due, as Python does it."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation] > 0:
            gc.collect(generation)
            return
