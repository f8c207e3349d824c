"""Reading a list page by page to its end, each person once, whatever the service makes of paging.

How one page is fetched is left to whoever makes the listing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from app.model.flow import PeopleFlow
from app.model.person import Person


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """One page: the people on it, and the service's counts where it told them."""

    people: tuple[Person, ...] = ()
    total: int | None = None
    per_page: int | None = None


class PeopleListing(AsyncIterator[Person]):
    """Everybody, in the order of the pages; fetched as it is read, to be read once.

    An error ends the reading at that page with an ApiError; reading on asks for the page again.
    """

    def __init__(self, fetch: Callable[[int], Awaitable[PeoplePage]], most_pages: int) -> None:
        """`fetch` gives a page by its number, from 1; a page past the end has nobody on it."""
        self._fetch = fetch
        self._most_pages = most_pages
        self._next_page = 1
        self._ids: set[str] = set()
        self._size: int | None = None
        self._total: int | None = None
        self._ended = False
        self._batch: tuple[Person, ...] = ()
        self._given = 0

    @property
    def total(self) -> int | None:
        """How many the service counts, as last told; None before the first page and when untold."""
        return self._total

    @property
    def received(self) -> int:
        """How many different people have come so far."""
        return len(self._ids)

    @property
    def complete(self) -> bool:
        """Whether the end was reached with no fewer people than the service counts."""
        return self._ended and (self._total is None or self.received >= self._total)

    def pages(self) -> AsyncIterator[tuple[Person, ...]]:
        """The same reading in batches, each a page without those who came before; none is empty."""
        return _Batches(self._rest_or_next)

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
        if self._ended:
            return ()
        page = await self._fetch(self._next_page)
        self._next_page += 1
        new = {person.id: person for person in page.people if person.id not in self._ids}
        self._ids.update(new)
        # A count below what has come is no count.
        told = page.total if page.total is not None else self._total
        self._total = told if told is not None and told >= self.received else None
        self._ended = self._is_last(page, brought=len(new))
        return tuple(new.values())

    def _is_last(self, page: PeoplePage, *, brought: int) -> bool:
        """Whether asking on is useless; nobody new means past the end, or paging is ignored."""
        if not brought or self._next_page > self._most_pages:
            return True
        if self._total is not None:
            return self.received >= self._total
        size = page.per_page or self._size
        self._size = self._size or len(page.people)
        return size is not None and len(page.people) < size


class _Batches(AsyncIterator[tuple[Person, ...]]):
    """An object and not a generator: one that is given up half-way leaves nothing to finish."""

    def __init__(self, take: Callable[[], Awaitable[tuple[Person, ...]]]) -> None:
        self._take = take

    async def __anext__(self) -> tuple[Person, ...]:
        batch = await self._take()
        if not batch:
            raise StopAsyncIteration
        return batch


class PeopleFlows(Sequence[PeopleFlow]):
    """The flows in the service's order; `total` is how many it counts, at least those here."""

    __slots__ = ("_flows", "total")

    def __init__(self, flows: tuple[PeopleFlow, ...], total: int | None = None) -> None:
        """`total` as told by the service; None when it told nothing."""
        self._flows = flows
        self.total = max(total or 0, len(flows))

    @overload
    def __getitem__(self, index: int) -> PeopleFlow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PeopleFlow, ...]: ...
    def __getitem__(self, index: int | slice) -> PeopleFlow | tuple[PeopleFlow, ...]:
        return self._flows[index]

    def __len__(self) -> int:
        return len(self._flows)

    def __iter__(self) -> Iterator[PeopleFlow]:
        return iter(self._flows)

    def __repr__(self) -> str:
        return f"PeopleFlows({len(self._flows)} of {self.total})"
