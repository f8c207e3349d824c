"""What the outbox has to do with the list of people: who in it has the same name, that it is read
again, and that whoever was added stands in it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.events import PersonAdded, PersonFound
from app.outbox.person_matching import name_key
from app.people.directory import PeopleDirectory
from app.people.events import PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.errors import StoreError

_log = logging.getLogger(__name__)


class KnownPeople(Protocol):
    """The people of this account, as far as this computer knows them."""

    @property
    def whole(self) -> bool:
        """Whether the list was read to its end, so that nobody in it is unknown here."""

    async def namesakes(self, new: NewPerson) -> tuple[Person, ...]:
        """Everybody with the same first and last name, folded. Raises StoreError."""

    def person(self, person_id: str) -> Person | None:
        """Who has that id in the list; None where nobody has it. Raises StoreError."""

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole. Raises ApiError and StoreError."""


class DirectoryPeople:
    """The directory as the outbox asks it; it takes in whoever the outbox has added."""

    def __init__(
        self,
        directory: PeopleDirectory,
        events: EventBus,
        scope: TaskScope,
        refresh: Callable[[], Awaitable[bool]],
    ) -> None:
        """`refresh` reads the list once more, after its call, and says whether it came whole."""
        self._directory = directory
        self._refresh = refresh
        self._scope = scope
        self._last_was_whole: bool | None = None
        events.subscribe(PeopleRefreshed, self._refreshed, scope)
        events.subscribe(PersonAdded, self._person_added, scope)
        events.subscribe(PersonFound, self._person_found, scope)

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

    def person(self, person_id: str) -> Person | None:
        """Who has that id in the list; None where nobody has it."""
        return self._directory.person(person_id)

    async def read_again(self) -> bool:
        """Read the list now; True when it came whole."""
        return await self._refresh()

    def _refreshed(self, event: PeopleRefreshed) -> None:
        self._last_was_whole = event.complete

    def _person_added(self, event: PersonAdded) -> None:
        self._scope.spawn(self._put_in(event.person))

    def _person_found(self, event: PersonFound) -> None:
        self._scope.spawn(self._is_no_news(event.person_id))

    async def _is_no_news(self, person_id: str) -> None:
        try:
            await self._directory.were_added_here([person_id])
        except StoreError as error:
            _log.warning("whoever was found is told as news: %s", error.details)

    async def _put_in(self, person: Person) -> None:
        try:
            await self._directory.took(person)
        except StoreError as error:
            # They are in the account: the list has them again when it is read the next time.
            _log.warning("whoever was added could not be put into the list: %s", error.details)
