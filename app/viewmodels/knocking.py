"""A key that was given at the start, tried again until the service is there to take it.

What is said meanwhile is left to the session's screen.
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import chain, repeat

from app.accounts.account import Account
from app.accounts.reconnect import WAITS
from app.accounts.session import Session
from app.accounts.turns import OvertakenError
from app.api.errors import ApiError, TooSlow, Unreachable, UnreadableAnswer
from app.model.errors import ExpectedError
from app.runtime.tasks import Action, TaskScope


def may_pass(error: Exception) -> bool:
    """Whether the same key may well be taken a little later: nobody has refused it."""
    about_line = isinstance(error, (Unreachable, TooSlow, UnreadableAnswer))
    return about_line or (isinstance(error, ApiError) and error.passing)


class Knocking:
    """Signs in without a word, ever more rarely, while nothing else is under way."""

    def __init__(
        self,
        session: Session,
        scope: TaskScope,
        *,
        free: Callable[[], bool],
        on_error: Callable[[Exception], None],
        waits: Sequence[float] | None = None,
    ) -> None:
        """`free` says whether nobody is signing in now; `on_error` gets what ends the knocking.

        `waits` are seconds between two tries, the last one repeats.
        """
        self._session = session
        self.given: tuple[Account, str] | None = None
        """The key and the account it is for; None ends the knocking."""
        self._free = free
        self._waits = WAITS if waits is None else waits
        self.begin = Action(scope, self._knock, second="drop", on_error=on_error)

    async def _knock(self) -> None:
        for seconds in chain(self._waits, repeat(self._waits[-1])):
            await asyncio.sleep(seconds)
            given = self.given
            if given is None or (self._free() and await self._answered(*given)):
                return

    async def _answered(self, account: Account, key: str) -> bool:
        try:
            await self._session.sign_in(account, key, remember=False)
        except OvertakenError:
            return False
        except ExpectedError as error:
            if may_pass(error):
                return False
            raise
        return True
