"""What the outbox asks of the list of people: who has the same name, and to be read again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from app.model import field_limits
from app.model.outbox import NewPerson
from app.model.person import Person
from app.people.directory import PeopleDirectory, PeopleRefreshed
from app.runtime.events import EventBus, Owner
from app.store.search_keys import SEPARATOR, as_typed, search_text


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
        for rows in self._directory.rows_beginning(beginning):
            found += rows
            await asyncio.sleep(0)
        return tuple(self._directory.people(found).values())

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole."""
        return await self._refresh()

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._last_was_whole = event.complete


Identity: TypeAlias = tuple[str, str]
"""A name and an email, folded."""


def identity(new: NewPerson) -> Identity:
    """What tells an entry from others in the list: two with the same one could be taken for one."""
    return _name_key(new.firstname, new.lastname), _email_key(new.email)


def same_email(one: str | None, other: str | None) -> bool:
    """Whether two emails are one, or both missing; letters large or small, entities decoded."""
    return _email_key(one) == _email_key(other)


def _email_key(email: str | None) -> str:
    return as_typed(email or "").strip().casefold()


def _name_key(firstname: str, lastname: str) -> str:
    """How the key of everybody of this name begins; a list tells no more of a name than is kept."""
    last, first = (
        field_limits.shortened(name, field_limits.NAME) for name in (lastname, firstname)
    )
    return f"{search_text(last)}{SEPARATOR}{search_text(first)}{SEPARATOR}"
