"""The pointer of the mouse as Qt tells it to the program, on its way as long as a test wants."""

import itertools

from PySide6.QtCore import QPoint


class MovingPointer:
    """In the place of Qt's `QCursor`: elsewhere each time it is asked for, until it rests.

    A test that moves the real one now and then leaves to the computer how often the program looks
    in between.
    """

    def __init__(self, place: QPoint) -> None:
        """It is within twenty pixels to the right of `place`, and rests there."""
        self._place = place
        self._way = itertools.cycle(range(1, 20))
        self._rests = False

    def rest(self) -> None:
        """It moves no more."""
        self._rests = True

    def pos(self) -> QPoint:
        """As `QCursor.pos`."""
        return self._place + QPoint(0 if self._rests else next(self._way), 0)
