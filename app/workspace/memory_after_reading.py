"""What reading a list has taken of memory is given back once all that follows from it is over."""

import asyncio
import logging
from collections.abc import Callable

from app.outbox.duplicate_groups import DuplicateGroupsChanged
from app.people.events import PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.memory import give_back_free_memory
from app.runtime.tasks import Action, TaskScope
from app.store.cache import Cache
from app.store.errors import StoreError

_log = logging.getLogger(__name__)
_FOLLOWS_WITHIN = 2.0
"""Seconds in which the screens and the orders follow a reading; nobody waits for this."""


class MemoryAfterReading:
    """Pages come and go between what stays, and leave holes that the system does not get back; and
    the database keeps what was read of it last, when everybody is compared with everybody.
    """

    def __init__(
        self,
        cache: Cache,
        events: EventBus,
        scope: TaskScope,
        *,
        give_back: Callable[[], None] = give_back_free_memory,
        follows_within: float = _FOLLOWS_WITHIN,
    ) -> None:
        """Follows `events`; `give_back` is called on a thread of its own."""
        self._cache = cache
        self._give_back = give_back
        self._follows_within = follows_within
        self._soon = Action(scope, self._once_it_is_over, second="replace")
        events.subscribe(PeopleRefreshed, self._over, scope)
        # Comparing everybody with everybody takes a while longer.
        events.subscribe(DuplicateGroupsChanged, self._over, scope)

    def _over(self, _event: PeopleRefreshed | DuplicateGroupsChanged) -> None:
        self._soon()

    async def _once_it_is_over(self) -> None:
        await asyncio.sleep(self._follows_within)
        try:
            await self._cache.let_go_of_pages()
        except StoreError as error:
            _log.warning("the database keeps its memory: %s", type(error).__name__)
        await asyncio.to_thread(self._give_back)
