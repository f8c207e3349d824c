"""Why nobody is sent for now, and when it is tried again."""

import asyncio

from app.outbox.events import PauseChanged, PauseReason
from app.runtime.events import EventBus

_MORE_WHERE_ASKED = 15
"""The longest wait is so many times as long where the service asks for it: a quarter of an hour."""
_TRUSTED = 8
"""Of the shortest wait: after three in vain it is not what the service says alone."""
NO_GOOD_ANSWER = frozenset({PauseReason.UNREACHABLE, PauseReason.SERVICE_FAULT})
TRANSIENT = frozenset({PauseReason.NO_ROOM, *NO_GOOD_ANSWER})
"""These pass by themselves: after a while it is tried again."""


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
        self._asked = False
        self.put_offs = 0
        """How often it was put off: an answer to what left before says nothing of now."""

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
        return bool(self._sentences.keys() - TRANSIENT)

    @property
    def halts_reading(self) -> bool:
        """Whether not even the list is read to make sure of somebody."""
        return bool(self._sentences.keys() - TRANSIENT - {PauseReason.NOT_COMPARED})

    def is_in_force(self, reason: PauseReason) -> bool:
        """Whether this is one of the reasons, told or not."""
        return reason in self._sentences

    def stop(self, reason: PauseReason, sentence: str) -> None:
        """Send nothing until `lift`."""
        self._sentences[reason] = sentence
        self._tell()

    def put_off(self, reason: PauseReason, sentence: str, asked: float = 0.0) -> None:
        """Try again in a while, each time a longer one.

        `asked`: so many seconds the service wants to be left alone, 0 where it does not say; it is
        taken at its word until it has been wrong a few times. Where it is put off already, by
        another that was on its way too, the longer wait holds.
        """
        now = asyncio.get_running_loop().time()
        asked = min(asked, self._longest * _MORE_WHERE_ASKED)
        if self.not_before > now:
            self.not_before = max(self.not_before, now + asked)
        else:
            trusted = asked > 0 and self._retry_in < self._shortest * _TRUSTED
            self.not_before = now + (asked if trusted else max(self._retry_in, asked))
            self._retry_in = min(self._retry_in * 2, self._longest)
        self.put_offs += 1
        self._asked = asked > 0
        if reason in NO_GOOD_ANSWER:
            for other in NO_GOOD_ANSWER - {reason}:
                self._sentences.pop(other, None)
        self.stop(reason, sentence)

    def hurry(self) -> None:
        """Try at once what would be tried in a while."""
        self.not_before = 0.0

    def answered(self) -> bool:
        """The service has given somebody else a good answer: whether what was put off because it
        gave none is tried at once. Where it wants to be left alone it is.
        """
        hurries = not self._asked and not NO_GOOD_ANSWER.isdisjoint(self._sentences)
        if hurries:
            self.hurry()
        return hurries

    def lift(self, *reasons: PauseReason) -> None:
        """These reasons are gone; without any that passes by itself nothing is waited for."""
        for reason in reasons:
            self._sentences.pop(reason, None)
        if not TRANSIENT & self._sentences.keys():
            self._retry_in, self.not_before = self._shortest, 0.0
        self._tell()

    def _tell(self) -> None:
        now = (self.reason, self.sentence)
        if now != self._told:
            self._told = now
            self._events.publish(PauseChanged(self.reason))
