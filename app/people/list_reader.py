"""One reading of the list from the service, with tasks of its own: who has come is put in, in
parts, while the next are asked for.

What putting in means is left to `directory`.
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine
from typing import TYPE_CHECKING, TypeAlias

from app.api.service import RecognisesPages
from app.model.person import Person
from app.people.events import PeopleProgress
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.errors import StoreError

if TYPE_CHECKING:
    from app.api.service import ListedPeople, Service

MetPages: TypeAlias = "tuple[tuple[bytes, Collection[str], bool], ...]"
"""As `Cache.save_people` takes them."""
TOGETHER = 5_000
"""People written at a time: each transaction writes much of the index of ids anew."""
_OF_THE_LIST = 8
"""One in so many, while the list is short: then they are few who come later."""
_SHOWN_WITHIN = 1.0
"""Seconds in which those who come are gathered, and not in the list yet."""


class ListReader:
    """One reading. Parts are put in one at a time, so that no more come meanwhile than the next
    part may have; who has come does not wait for a page that is slow.
    """

    def __init__(
        self,
        cache: Cache,
        events: EventBus,
        take: Callable[[list[Person], MetPages], Coroutine[object, object, None]],
        listed_count: Callable[[], int],
    ) -> None:
        """`take` puts people in, who are let go of meanwhile, and notes whole pages."""
        self._cache = cache
        self._events = events
        self._take = take
        self._listed_count = listed_count
        # How it ended is kept as a value: whoever waits for it hears of it.
        self._errors: list[BaseException] = []
        self._scope = TaskScope("taking people in", self._errors.append, StoreError)
        self._scope.call_on_close(self._stop_timer)
        self._under_way: asyncio.Task[None] | None = None
        self._gathered: list[Person] = []
        self._pages: MetPages = ()
        # What has come and was not told, in order.
        self._untold: list[PeopleProgress] = []
        # When the last part was in, by the loop's clock.
        self._last = -_SHOWN_WITHIN
        self._timer: asyncio.TimerHandle | None = None

    async def read(self, service: "Service") -> "ListedPeople":
        """Put in everybody whom the service lists, and tell of each part. Raises ApiError and
        StoreError; what came until then is put in, also where the caller is cancelled.
        """
        listing = service.people()
        if isinstance(listing, RecognisesPages):
            listing.recognise(await self._cache.known_pages())
        try:
            await self._take_as_they_come(listing)
        except BaseException:
            # Put in no more than the cache has by now.
            await self._scope.close()
            raise
        return listing

    async def _take_as_they_come(self, listing: "ListedPeople") -> None:
        try:
            async for batch in listing.pages():
                self._gathered += batch
                del batch
                self._pages += _met_pages(listing)
                self._untold.append(PeopleProgress(listing.received, listing.total))
                await self._go_on()
        except asyncio.CancelledError:
            # That somebody has given up matters more than what is in the way of those.
            with contextlib.suppress(StoreError):
                await self._put_in_all(listing)
            raise
        except Exception:
            await self._put_in_all(listing)  # what came is kept
            raise
        await self._put_in_all(listing)

    async def _go_on(self) -> None:
        """Begin to put in who has come where that is due. Raises what was in the way of others."""
        many = len(self._gathered)
        enough = min(TOGETHER, self._listed_count() // _OF_THE_LIST)
        is_due = many >= enough or asyncio.get_running_loop().time() - self._last >= _SHOWN_WITHIN
        # To wait for those before would be to ask for nobody meanwhile.
        if many >= TOGETHER or (is_due and not self._scope.busy):
            await self._end()
            self._begin()
        elif not self._scope.busy:
            self._tell(self._told())
            self._begin_later()

    async def _put_in_all(self, listing: "ListedPeople") -> None:
        """Everybody who has come; gives when they are in. Raises what was in the way."""
        self._pages += _met_pages(listing)
        await self._end()
        self._begin()
        await self._end()

    def _begin(self) -> None:
        self._stop_timer()
        people, self._gathered = self._gathered, []
        pages, self._pages = self._pages, ()
        self._under_way = self._scope.spawn(self._put_in(people, pages, self._told()))

    def _begin_later(self) -> None:
        if self._timer is None and (self._gathered or self._pages):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self._last + _SHOWN_WITHIN, self._begin_unasked)

    def _begin_unasked(self) -> None:
        self._timer = None
        # What was in the way of those before is told first, and then nobody goes on.
        if not (self._scope.busy or self._errors):
            self._begin()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _end(self) -> None:
        if self._under_way is not None:
            # Whoever gives up waiting does not end it.
            await asyncio.wait({self._under_way})
        if self._errors:
            raise self._errors.pop()

    async def _put_in(
        self, people: list[Person], pages: MetPages, told: list[PeopleProgress]
    ) -> None:
        await self._take(people, pages)
        self._tell(told)
        self._last = asyncio.get_running_loop().time()
        self._begin_later()

    def _told(self) -> list[PeopleProgress]:
        told, self._untold = self._untold, []
        return told

    def _tell(self, told: list[PeopleProgress]) -> None:
        for each in told:
            self._events.publish(each)


def _met_pages(listing: "ListedPeople") -> MetPages:
    met = listing.met_pages() if isinstance(listing, RecognisesPages) else ()
    return tuple((page.digest, page.ids, page.known) for page in met)
