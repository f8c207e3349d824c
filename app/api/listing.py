"""Everybody, read page by page to the end, each person once, whatever the service makes of paging.

Which pages are asked for is the course's matter, and how one is fetched its maker's.
"""

from collections.abc import AsyncIterator, Awaitable, Callable

from app.api.course import Course
from app.api.limits import Limits
from app.api.read_ahead import Fetch, ReadAhead
from app.model.person import Person


class PeopleListing(AsyncIterator[Person]):
    """Everybody, in the order of the pages; fetched as it is read, to be read once.

    A few pages are fetched ahead, side by side. An error ends the reading with an ApiError, and
    the pages under way with it; reading on asks for them again. Whoever stops half-way leaves
    nothing behind once the listing is closed or forgotten.
    """

    def __init__(self, fetch: Fetch, limits: Limits) -> None:
        """`fetch` gives a page by its number, from 1, and the size that is asked for; a page past
        the end has nobody on it.
        """
        self._course = Course(limits)
        self._ahead = ReadAhead(fetch, self._course)
        self._batch: tuple[Person, ...] = ()
        self._given = 0
        self._closed = False

    @property
    def total(self) -> int | None:
        """How many the service counts, as last told; None before the first page and when untold."""
        return self._course.total

    @property
    def received(self) -> int:
        """How many different people have come so far."""
        return len(self._course.ids)

    @property
    def complete(self) -> bool:
        """Whether the end was reached with no fewer people than the service counts.

        Also False where the list never stood still long enough to be sure of everybody, and where
        somebody could not be read.
        """
        return self._course.complete

    @property
    def unreadable(self) -> int:
        """How many entries were sent and could not be read as people, so far."""
        return self._course.unreadable

    def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        """The same reading in batches, each a page without those who came before; none is empty."""
        return _Batches(self._rest_or_next, self.aclose)

    async def aclose(self) -> None:
        """End the reading and every page under way; nobody comes any more."""
        self._closed = True
        self._batch, self._given = (), 0
        await self._ahead.stop()

    async def pause(self) -> None:
        """End every page under way; reading on asks for them again."""
        await self._ahead.stop()

    def __aiter__(self) -> "PeopleListing":
        return self

    async def __anext__(self) -> Person:
        if self._given == len(self._batch):
            self._batch, self._given = await self._fetch_batch(), 0
        if not self._batch:
            raise StopAsyncIteration
        self._given += 1
        return self._batch[self._given - 1]

    async def _rest_or_next(self) -> tuple[Person, ...]:
        rest = self._batch[self._given :]
        self._batch, self._given = (), 0
        return rest or await self._fetch_batch()

    async def _fetch_batch(self) -> tuple[Person, ...]:
        """The people of the next page that brings somebody new; nobody at the end."""
        while not (self._closed or self._course.ended):
            if new := await self._ahead.next_page():
                return new
        return ()


class _Batches(AsyncIterator[tuple[Person, ...]]):
    """An object and not a generator: one that is given up half-way leaves nothing to finish."""

    def __init__(
        self,
        take: Callable[[], Awaitable[tuple[Person, ...]]],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._take = take
        self._close = close

    async def __anext__(self) -> tuple[Person, ...]:
        batch = await self._take()
        if not batch:
            raise StopAsyncIteration
        return batch

    async def aclose(self) -> None:
        """End the reading and every page under way."""
        await self._close()
