"""The clock by which a press comes too soon after something has moved under the pointer."""

import pytest

_MOMENT_MS = 3_600_000
"""So long that no machine is slow enough for it to pass by itself."""


class Moment:
    """It stands still but where a test has a moment pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever is made from now on goes by it."""
        self.now = 0
        monkeypatch.setattr("app.views.widgets.pointer.SETTLED_MS", _MOMENT_MS)
        monkeypatch.setattr("app.views.widgets.pointer.QElapsedTimer", lambda: _Timer(self))

    def passes(self) -> None:
        """Anybody can have seen by now what moved."""
        self.now += 2 * _MOMENT_MS


class _Timer:
    """As Qt's, by that clock."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._began: int | None = None

    def start(self) -> None:
        self._began = self._moment.now

    def isValid(self) -> bool:  # noqa: N802 - Qt's
        return self._began is not None

    def hasExpired(self, milliseconds: int) -> bool:  # noqa: N802 - Qt's
        return self._began is not None and self._moment.now - self._began > milliseconds
