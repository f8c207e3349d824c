"""One reading of everybody at the service, with tasks of its own: several pages are under way side
by side and given in order, each id once; which ones is the plan's matter.

Nothing outlives it: pages that are under way when it is stopped or forgotten are cancelled.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Container
from typing import TypeAlias

import msgspec

from app.api.errors import ApiError, InputRefused, NotFound
from app.api.pagination.page_plan import PagePlan, PageRequest, PeoplePage
from app.api.requests import Limits
from app.api.service import MetPage
from app.model.person import Person
from app.runtime.tasks import TaskScope

_MAY_BE_NONE = (InputRefused, NotFound)
_FORGOTTEN_AT_ONCE = 2_000
Fetch: TypeAlias = Callable[[int, int], Awaitable[PeoplePage]]


class _PendingPage(msgspec.Struct):
    """A page on its way; how it ended is kept as a value, since nobody may be there to catch it."""

    task: "asyncio.Task[None] | None" = None
    page: PeoplePage | None = None
    error: Exception | None = None
    seconds: float = 0.0

    async def fetch(self, fetch: Fetch, request: PageRequest) -> None:
        """Fetch it, and note how that ended."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            self.page = await fetch(request.number, request.size)
        except Exception as error:  # noqa: BLE001 - whoever reads gets it, whatever it is
            self.error = error
        by_itself = None if self.page is None else self.page.seconds
        self.seconds = clock() - begun if by_itself is None else by_itself

    async def let_go(self, new: tuple[Person, ...]) -> None:
        """Forget whoever is on the page and not among the `new`, with turns for everybody else:
        a service may give the same hundred thousand people on one page after the other.
        """
        left = [] if self.page is None or self.page.people is new else list(self.page.people)
        self.page = None
        while left:
            del left[-_FORGOTTEN_AT_ONCE:]
            await asyncio.sleep(0)

    @property
    def came(self) -> bool:
        """Whether it ended by itself."""
        return self.page is not None or self.error is not None


class ReadAhead:
    """Keeps the pages under way that a plan asks for."""

    def __init__(self, fetch: Fetch, plan: PagePlan) -> None:
        """`fetch` gives a page by its number, from 1, and the size that is asked for."""
        self._fetch = fetch
        self._plan = plan
        self.met: list[MetPage] = []
        """Pages of which everybody was given, or is known; whoever asks for them takes them out."""
        self._scope = TaskScope("reading ahead", _never, ApiError)
        self._pages: dict[PageRequest, _PendingPage] = {}

    def __del__(self) -> None:
        """Whoever gave up reading half-way has no other way to say so."""
        for page in self._pages.values():
            if page.task is not None and not page.task.get_loop().is_closed():
                page.task.cancel()

    async def next_page(self) -> tuple[tuple[Person, ...], bool]:
        """Who is new on the next page, and whether all on it are known instead; raises the ApiError
        of a page, and ends the others then.

        The page that failed is asked for again when reading goes on.
        """
        try:
            came = await self._next()
            new, page = self._judged(came), came.page
            known = page is not None and bool(page.known)
            if page is not None and page.digest:
                self.met.append(MetPage(page.digest, page.ids, known))
            del page
            await came.let_go(new)
        except BaseException:
            await self.stop()
            raise
        return new, known

    async def stop(self) -> None:
        """End what is under way; it is asked for again when reading goes on."""
        self._plan.drop()
        ending = self._forget()
        if ending:
            await asyncio.wait(ending)

    async def _next(self) -> _PendingPage:
        """The page that was asked for first, or one behind it that failed before."""
        plan = self._plan
        while True:
            self._forget()
            while (request := plan.next_request(self._waiting_count())) is not None:
                page = self._pages[request] = _PendingPage()
                page.task = self._scope.spawn(page.fetch(self._fetch, request))
            first = self._pages[plan.out[0]]
            if first.came:
                del self._pages[plan.out[0]]
                return first
            if first.task is None or first.task.done():
                # The client was closed under way; asking again says so.
                await self.stop()
            elif (failed := self._failed()) is not None:
                return failed
            else:
                # One that has come already would end the wait at once, again and again.
                tasks = (page.task for page in self._pages.values())
                waited = [task for task in tasks if task is not None and not task.done()]
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)

    def _failed(self) -> _PendingPage | None:
        """A page whose error ends the reading wherever it stands; past the end some are none."""
        pages = (page for page in self._pages.values() if page.error is not None)
        return next((page for page in pages if not isinstance(page.error, _MAY_BE_NONE)), None)

    def _judged(self, came: _PendingPage) -> tuple[Person, ...]:
        if came.page is not None:
            return self._plan.take(came.page, came.seconds)
        error = came.error
        if isinstance(error, _MAY_BE_NONE) and self._plan.goes_on_after(error):
            return ()
        raise error or AssertionError

    def _waiting_count(self) -> int:
        """How many pages came before one in front of them, which is not there yet."""
        out = self._plan.out
        if not out or self._pages[out[0]].came:
            return 0
        return sum(page.came for page in self._pages.values())

    def _forget(self) -> "list[asyncio.Task[None]]":
        """Cancel what the plan does not wait for any more."""
        idle = [request for request in self._pages if request not in self._plan.out]
        ending = [page.task for page in map(self._pages.pop, idle) if page.task is not None]
        for task in ending:
            task.cancel()
        return ending


def _never(error: BaseException) -> None:
    raise error


class PeopleListing(AsyncIterator[Person]):
    """Everybody, in the order of the pages; fetched as it is read, to be read once.

    A few pages are fetched ahead, side by side. An error ends the reading with an ApiError, and
    the pages under way with it; reading on asks for them again. Whoever stops half-way leaves
    nothing behind once the listing is closed or forgotten.
    """

    def __init__(
        self,
        fetch: Fetch,
        limits: Limits,
        hides_somebody: Callable[[int], Awaitable[bool]] | None = None,
        recognise: Callable[[Container[bytes]], None] | None = None,
    ) -> None:
        """`fetch` gives a page by its number, from 1, and the size that is asked for; a page past
        the end has nobody on it. `hides_somebody` asks whether there are more than it counted.
        `recognise` is told by which digests pages are known.
        """
        self._hides_somebody = hides_somebody
        self._recognise = recognise
        self._plan = PagePlan(limits)
        self._ahead = ReadAhead(fetch, self._plan)
        self._batch: tuple[Person, ...] = ()
        self._given = 0
        self._closed = False

    @property
    def total(self) -> int | None:
        """How many the service counts, as last told, and never fewer than have come; None before
        the first page and when untold.
        """
        total = self._plan.total
        return None if total is None else max(total, self.received)

    @property
    def received(self) -> int:
        """How many different people have come so far."""
        return self._plan.received

    @property
    def complete(self) -> bool:
        """Whether the end was reached with no fewer people than the service counts.

        Also False where the list never stood still long enough to be sure of everybody, and where
        somebody could not be read.
        """
        return self._plan.complete

    @property
    def unreadable(self) -> int:
        """How many entries were sent and could not be read as people, so far."""
        return self._plan.unreadable

    async def hides_somebody(self) -> bool:
        """Ask whether the service left people out for the way in which it was asked; another
        reading is asked for in another way then. Raises ApiError.
        """
        if self._hides_somebody is None or self.total is None:
            return False
        return await self._hides_somebody(self.total)

    def recognise(self, known: Container[bytes]) -> None:
        """See `service.RecognisesPages`."""
        if self._recognise is not None:
            self._recognise(known)

    def met_pages(self) -> tuple[MetPage, ...]:
        """See `service.RecognisesPages`."""
        met, self._ahead.met = self._ahead.met, []
        return tuple(met)

    def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        """The same reading in batches, each a page without those who came before; none is empty
        unless pages are recognised.
        """
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
        while self._given == len(self._batch):
            batch = await self._fetch_batch()
            if batch is None:
                raise StopAsyncIteration
            self._batch, self._given = batch, 0
        self._given += 1
        return self._batch[self._given - 1]

    async def _rest_or_next(self) -> tuple[Person, ...] | None:
        rest = self._batch[self._given :]
        self._batch, self._given = (), 0
        return rest or await self._fetch_batch()

    async def _fetch_batch(self) -> tuple[Person, ...] | None:
        """The people of the next page that brings somebody new, nobody of one that is known; None
        at the end.
        """
        while not (self._closed or self._plan.ended):
            new, known = await self._ahead.next_page()
            if new or known:
                return new
        return None


class _Batches(AsyncIterator[tuple[Person, ...]]):
    """An object and not a generator: one that is given up half-way leaves nothing to finish."""

    def __init__(
        self,
        take: Callable[[], Awaitable[tuple[Person, ...] | None]],
        close: Callable[[], Awaitable[None]],
    ) -> None:
        self._take = take
        self._close = close

    async def __anext__(self) -> tuple[Person, ...]:
        batch = await self._take()
        if batch is None:
            raise StopAsyncIteration
        return batch

    async def aclose(self) -> None:
        """End the reading and every page under way."""
        await self._close()
