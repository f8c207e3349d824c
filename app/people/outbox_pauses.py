"""Why the outbox does not send at present, and when an obstacle that passes is tried again."""

import asyncio

from app.people.outbox_events import PauseChanged, PauseReason
from app.runtime.events import EventBus

_PASSING = frozenset({PauseReason.NO_ROOM, PauseReason.NO_LINE})


class Pauses:
    """The reasons in force, each with its sentence; the gravest is told. Publishes PauseChanged."""

    def __init__(self, events: EventBus, backoff: tuple[float, float]) -> None:
        """`backoff`: seconds to the first and to the longest wait before the next try."""
        self._events = events
        self._shortest, self._longest = backoff
        self._sentences: dict[PauseReason, str] = {}
        self._told: tuple[PauseReason | None, str] = (None, "")
        self._retry_in = self._shortest
        self.not_before = 0.0
        """When to try again, by the clock of the event loop."""

    @property
    def reason(self) -> PauseReason | None:
        """The gravest of the reasons in force, or None."""
        return next((reason for reason in PauseReason if reason in self._sentences), None)

    @property
    def sentence(self) -> str:
        """The same in one sentence; blank when nothing is in the way."""
        return self._sentences.get(self.reason, "") if self.reason is not None else ""

    @property
    def halted(self) -> bool:
        """Whether nothing is even tried before somebody did something."""
        return bool(self._sentences.keys() - _PASSING)

    def stop(self, reason: PauseReason, sentence: str) -> None:
        """Send nothing until `lift`."""
        self._sentences[reason] = sentence
        self._tell()

    def put_off(self, reason: PauseReason, sentence: str, at_least: float = 0.0) -> None:
        """Try again in a while, each time a longer one; `at_least` in seconds."""
        wait = max(self._retry_in, min(at_least, self._longest))
        self.not_before = asyncio.get_running_loop().time() + wait
        self._retry_in = min(self._retry_in * 2, self._longest)
        self.stop(reason, sentence)

    def hurry(self) -> None:
        """Try at once what would be tried in a while."""
        self.not_before = 0.0

    def lift(self, *reasons: PauseReason) -> None:
        """These reasons are gone; without any that passes by itself nothing is waited for."""
        for reason in reasons:
            self._sentences.pop(reason, None)
        if not _PASSING & self._sentences.keys():
            self._retry_in, self.not_before = self._shortest, 0.0
        self._tell()

    def _tell(self) -> None:
        now = (self.reason, self.sentence)
        if now != self._told:
            self._told = now
            self._events.publish(PauseChanged(*now))
