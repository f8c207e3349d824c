"""Texts that take long to paint, by a clock that only they move."""

import pytest
from PySide6.QtCore import QObject, QRect, QTimer

from app.views.widgets import highlighted_text

SLOW = 0.02
"""Seconds of the processor that a text takes."""


class SlowTexts(QObject):
    """Stands where a text is painted; knows which were, and the most that were in one turn."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.painted: list[str] = []
        self.most_in_a_turn = 0
        self._before = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        patch.setattr(highlighted_text, "thread_time", lambda: SLOW * len(self.painted))

    def __call__(
        self, _painter: object, _place: QRect, text: str, *_more: object, **_: object
    ) -> None:
        self.painted.append(text)

    def stop(self) -> None:
        """Count no longer."""
        self._timer.stop()
        self._tick()

    def _tick(self) -> None:
        self.most_in_a_turn = max(self.most_in_a_turn, len(self.painted) - self._before)
        self._before = len(self.painted)
