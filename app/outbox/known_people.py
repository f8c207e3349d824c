"""What the outbox asks of the list of people: who has the same name, and to be read again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.matching import name_key
from app.people.directory import PeopleDirectory, PeopleRefreshed
from app.runtime.events import EventBus, Owner


class KnownPeople(Protocol):
    """The people of this account, as far as this computer knows them."""

    @property
    def whole(self) -> bool:
        """Whether the list was read to its end, so that nobody in it is unknown here."""

    async def namesakes(self, new: NewPerson) -> tuple[Person, ...]:
        """Everybody with the same first and last name, folded. Raises StoreError."""

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole. Raises ApiError and StoreError."""


class DirectoryPeople:
    """The directory as the outbox asks it."""

    def __init__(
        self,
        directory: PeopleDirectory,
        events: EventBus,
        owner: Owner,
        refresh: Callable[[], Awaitable[bool]],
    ) -> None:
        """`refresh` reads the list once more, after its call, and says whether it came whole."""
        self._directory = directory
        self._refresh = refresh
        self._last_was_whole: bool | None = None
        events.subscribe(PeopleRefreshed, self._refreshed, owner)

    @property
    def whole(self) -> bool:
        """Whether the last reading came whole: of this run, else the one that was kept."""
        if self._directory.as_of is None:
            return False
        kept = self._last_was_whole
        return self._directory.whole if kept is None else kept

    async def namesakes(self, new: NewPerson) -> tuple[Person, ...]:
        """Everybody with the same first and last name, folded."""
        beginning = name_key(new.firstname, new.lastname)
        found: list[int] = []
        for rows in self._directory.rows_beginning(beginning):
            found += rows
            await asyncio.sleep(0)
        return tuple(self._directory.people(found).values())

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole."""
        return await self._refresh()

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._last_was_whole = event.complete
