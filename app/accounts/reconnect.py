"""Asking whether the service can be reached again: only while it is down, and ever more rarely."""

import asyncio
import contextlib
from collections.abc import Sequence

from app.accounts.session import ConnectionChanged, Session
from app.api.errors import ApiError
from app.runtime.events import EventBus
from app.runtime.tasks import Action, TaskScope

WAITS: Sequence[float] = (5, 10, 20, 40, 60)
"""Seconds between two questions; the last one repeats."""


class Reconnect:
    """Watches a session; once the service answers again, the session says so by itself."""

    def __init__(
        self,
        session: Session,
        events: EventBus,
        scope: TaskScope,
        waits: Sequence[float] | None = None,
    ) -> None:
        """Begin to watch; `waits` are in seconds, by default `WAITS`."""
        self._session = session
        self._waits = WAITS if waits is None else waits
        self._asking = Action(scope, self._ask_until_back, second="drop")
        events.subscribe(ConnectionChanged, self._connection_changed, scope)

    def _connection_changed(self, event: ConnectionChanged) -> None:
        if event.online:
            self._asking.cancel()
        else:
            self._asking()

    async def _ask_until_back(self) -> None:
        turn = 0
        while not self._session.online:
            await asyncio.sleep(self._waits[min(turn, len(self._waits) - 1)])
            turn += 1
            service = self._session.service
            if service is None:
                return
            # The session hears the outcome from the service itself.
            with contextlib.suppress(ApiError):
                await service.check()
