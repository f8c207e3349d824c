"""Wakes up when time alone changes how the connection is described, and at no other moment."""

from collections.abc import Callable
from datetime import UTC, datetime
from math import ceil

from PySide6.QtCore import QObject, Qt, QTimer

from app.accounts.session import Session, SessionState
from app.runtime.tasks import TaskScope
from app.viewmodels.guarded import Guarded
from app.viewmodels.session_words import seconds_until_other_words

_LONGEST_MS = 2**31 - 1
"""The longest time a timer of Qt can be set to."""


class StateClock(Guarded, QObject):
    """Tells when the words for the end of a sign-in are others, and when that end has come."""

    def __init__(self, session: Session, scope: TaskScope, tell: Callable[[], None]) -> None:
        """Stands still until it is wound; ends with `scope`."""
        super().__init__()
        self._session = session
        self._tell = tell
        # Qt's usual timers may be early by a twentieth: an hour and more in a day.
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._time_has_passed)
        scope.call_on_close(self._timer.stop)

    def wind(self) -> None:
        """Look anew when to wake up: the session is another."""
        seconds = seconds_until_other_words(self._session, datetime.now(UTC))
        if seconds is None:
            self._timer.stop()
        else:
            self._timer.start(min(ceil(seconds * 1000), _LONGEST_MS))

    def _time_has_passed(self) -> None:
        # Asking for the state is what ends a session whose time is over.
        if self._session.state is SessionState.SIGNED_IN:
            self.wind()
        self._tell()
