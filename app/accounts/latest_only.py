"""Only what was asked for last counts: attempts that replace one another, and how one learns of it.

What an attempt does, and what must be put back after one that was superseded, its owner knows.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from app.model.errors import ExpectedError
from app.runtime.words import tr

Result = TypeVar("Result")


class SupersededError(ExpectedError):
    """Signing in was given up because something newer was asked for; nothing has changed."""

    def __init__(self) -> None:
        """Says so."""
        super().__init__(tr("Signing in"), tr("Signing in was stopped."))


class LatestOnly:
    """Hands out turns; taking one ends the work of the turn before."""

    def __init__(self) -> None:
        """Nobody has had a turn."""
        self._last = object()
        self._under_way: asyncio.Task[Any] | None = None

    def take(self) -> object:
        """A new turn: from now on it alone `is_last`."""
        if self._under_way is not None:
            self._under_way.cancel()
        self._last = object()
        return self._last

    def is_last(self, turn: object) -> bool:
        """Whether nothing newer was asked for."""
        return self._last is turn

    async def run(self, turn: object, work: Awaitable[Result]) -> Result:
        """The result of `work`, done in the caller's own task, which somebody else owns.

        Raises SupersededError when a newer turn was taken; the caller's task goes on then, as it
        does after a timeout. A cancellation of the task from outside stays one.
        """
        self._under_way = task = asyncio.current_task()
        try:
            return await work
        except (asyncio.CancelledError, ExpectedError):
            if self.is_last(turn) or (task is not None and task.uncancel() > 0):
                raise
            raise SupersededError from None
        finally:
            if self._under_way is task:
                self._under_way = None
