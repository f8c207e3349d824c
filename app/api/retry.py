"""Rules when a request goes out, whatever it asks for: again after a failed attempt, and in turn
once a service has asked for a pause (429). Attempts and errors are others' business.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import count
from types import TracebackType
from typing import Self, TypeVar

from app.api.errors import ApiError, TooSlow, Unreachable, note_never_left
from app.api.requests import Limits

Answer = TypeVar("Answer")


async def with_retries(
    attempt: Callable[[float], Awaitable[Answer]], *, creates: bool, limits: Limits
) -> Answer:
    """What `attempt` gives, tried again where that can help and does no harm.

    `attempt` is told how many seconds are left. Raises the ApiError of the last attempt, at the
    latest when `limits.deadline` is over.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + limits.deadline
    for number in count(1):
        try:
            return await attempt(end - clock())
        except ApiError as error:
            pause = _pause(error, number, limits)
            allowed = never_left(error) if creates else error.transient
            if not allowed or number >= limits.tries or clock() + pause >= end:
                raise
        try:
            await asyncio.sleep(pause)
        except asyncio.CancelledError as cancelled:
            # A create comes here only when it certainly stayed.
            note_never_left(cancelled)
            raise
    raise AssertionError  # pragma: no cover - the loop above has no end of its own


def never_left(error: ApiError) -> bool:
    """Whether a create certainly stayed here: no connection came about, so nothing was sent."""
    about_connection = isinstance(error, Unreachable | TooSlow)
    return error.transient and about_connection and not error.outcome_unknown


def _pause(error: ApiError, number: int, limits: Limits) -> float:
    if error.retry_after is not None:
        return min(error.retry_after, limits.longest_wait)
    longest: float = limits.first_pause * 2 ** (number - 1)
    # Clients that failed together must not come back together.
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret depends on it


_CALM_AFTER = 20


class RateLimit:
    """Shared by all reads of one client: nobody storms a service that has just been too busy."""

    def __init__(self, longest_wait: float) -> None:
        """`longest_wait`, in seconds, caps what the service may ask for."""
        self._longest_wait = longest_wait
        self._until = 0.0
        self._fine = _CALM_AFTER
        self.one_by_one = asyncio.Lock()

    @property
    def busy(self) -> bool:
        """Whether the service asked for a pause not long ago."""
        return self._fine < _CALM_AFTER

    @property
    def pause(self) -> float:
        """For how many seconds nobody may ask."""
        return max(0.0, self._until - asyncio.get_running_loop().time())

    def asked_to_wait(self, seconds: float) -> None:
        """The service was too busy, and wants nobody for so long."""
        now = asyncio.get_running_loop().time()
        self._fine = 0
        self._until = max(self._until, now + min(seconds, self._longest_wait))

    def answered(self) -> None:
        """A read went through; after enough of them, reads go side by side again."""
        self._fine += 1


class Slot:
    """One read's place in the queue; once it has its turn it keeps it through its retries.

    So whoever was turned away goes again before anybody new, and three attempts are enough.
    """

    def __init__(self, rate_limit: RateLimit) -> None:
        """Nobody is kept waiting yet."""
        self._rate_limit = rate_limit
        self._mine = False

    async def come(self) -> None:
        """Wait until this read may be sent."""
        if self._rate_limit.busy and not self._mine:
            await self._rate_limit.one_by_one.acquire()
            self._mine = True
        if self._rate_limit.busy:
            await asyncio.sleep(self._rate_limit.pause)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._mine:
            self._rate_limit.one_by_one.release()
