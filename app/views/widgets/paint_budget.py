"""Painting that never takes long: what is left when a turn is over is painted in the next.

Letters of a script that was not painted before have other fonts looked through for them, which can
take as long for one name as a whole screenful takes otherwise.
"""

from math import inf
from time import thread_time

from PySide6.QtCore import QRect, QTimer
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QWidget

from app.viewmodels.guarded import Guarded

_SECONDS = 0.03
"""Of the processor, for all texts of one painting; a screenful of plain ones takes a third."""


class PaintBudget(Guarded, QTimer):
    """How much time is left for the texts of one painting of a widget."""

    def __init__(self, painted: QWidget) -> None:
        """Without `begin` there is as much as anybody wants."""
        super().__init__(painted)
        self._painted = painted
        self._until = inf
        self._begun = False
        self._left_out = QRegion()
        self.setSingleShot(True)
        self.timeout.connect(self._paint_the_rest)

    def begin(self) -> None:
        """A painting begins."""
        self._begun = False
        self._until = thread_time() + _SECONDS

    def allows(self, place: QRect) -> bool:
        """Whether the text at `place` may be painted now, as the first may in each painting.

        Else `place` is painted again in the next turn.
        """
        if not self._begun or thread_time() <= self._until:
            self._begun = True
            return True
        self._left_out += place
        self.start()
        return False

    def _paint_the_rest(self) -> None:
        place, self._left_out = self._left_out, QRegion()
        self._painted.update(place)
