"""What the outbox asks of the list of people: who has the same name, and to be read again."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Protocol

from app.model import bounds
from app.model.outbox import NewPerson
from app.model.person import Person
from app.people.directory import PeopleDirectory, PeopleRefreshed
from app.runtime.events import EventBus, Owner
from app.store.keys import SEPARATOR, as_typed, search_text

# Rows looked at before others get their turn: well under a frame.
_SLICE = 4_000


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
        beginning = _name_key(new.firstname, new.lastname)
        found: list[int] = []
        for rows in self._slices():
            found += [row for row in rows if self._directory.key(row).startswith(beginning)]
            await asyncio.sleep(0)
        return tuple(self._directory.people(found).values())

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole."""
        return await self._refresh()

    def _slices(self) -> Iterator[list[int]]:
        rows = self._directory.ordered_rows()
        for start in range(0, len(rows), _SLICE):
            yield list(rows[start : start + _SLICE])

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._last_was_whole = event.complete


def same_person(one: NewPerson, other: NewPerson) -> bool:
    """Whether two entries cannot be told apart in the list: the same name and email."""
    names = [_name_key(new.firstname, new.lastname) for new in (one, other)]
    return names[0] == names[1] and same_email(one.email, other.email)


def same_email(one: str | None, other: str | None) -> bool:
    """Whether two emails are one, or both missing; letters large or small, entities decoded."""
    return as_typed(one or "").strip().casefold() == as_typed(other or "").strip().casefold()


def _name_key(firstname: str, lastname: str) -> str:
    """How the key of everybody of this name begins; a list tells no more of a name than is kept."""
    last, first = (bounds.shortened(name, bounds.NAME) for name in (lastname, firstname))
    return f"{search_text(last)}{SEPARATOR}{search_text(first)}{SEPARATOR}"
