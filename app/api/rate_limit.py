"""When a service asks for a pause (429), all reads wait, and then go one behind the other.

How long one read may take with its waiting is left to its own deadline.
"""

import asyncio
from types import TracebackType
from typing import Self

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
    """One read's place in the line; once it has its turn it keeps it through its retries.

    So whoever was turned away goes again before anybody new, and three attempts are enough.
    """

    def __init__(self, pace: RateLimit) -> None:
        """Nobody is kept waiting yet."""
        self._pace = pace
        self._mine = False

    async def come(self) -> None:
        """Wait until this read may be sent."""
        if self._pace.busy and not self._mine:
            await self._pace.one_by_one.acquire()
            self._mine = True
        if self._pace.busy:
            await asyncio.sleep(self._pace.pause)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._mine:
            self._pace.one_by_one.release()
