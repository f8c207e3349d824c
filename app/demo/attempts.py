"""What the account page remembers between two pages: attempts to authorise, and who is signed in.

An attempt's id is the secret its forms carry: nobody else can know it, so no other page can answer
for the person. It is good for one decision and for half an hour.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.demo.credentials import User
from app.demo.permissions import Permission

ATTEMPT_SECONDS = 30 * 60
SESSION_SECONDS = 8 * 60 * 60
MOST_REMEMBERED = 1000

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One program asking one person for permissions, and where the answer goes."""

    redirect_uri: str
    permissions: tuple[Permission, ...]
    user: User | None = None

    @property
    def missing(self) -> tuple[Permission, ...]:
        """What the person who is signed in may not allow."""
        allowed = self.user.may_allow if self.user else frozenset()
        return tuple(asked for asked in self.permissions if asked not in allowed)


class Remembered(Generic[_Value]):
    """Values under ids nobody can guess, each for a while; the oldest make room for new ones."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._values: OrderedDict[str, tuple[float, _Value]] = OrderedDict()

    def add(self, value: _Value) -> str:
        """Remember a value; gives its id."""
        while len(self._values) >= MOST_REMEMBERED:
            self._values.popitem(last=False)
        key = secrets.token_urlsafe(24)
        self._values[key] = (self._clock() + self._seconds, value)
        return key

    def find(self, key: str) -> _Value | None:
        """The value of this id while it is good."""
        until, value = self._values.get(key, (0.0, None))
        return value if self._clock() < until else None

    def change(self, key: str, value: _Value) -> None:
        """Put another value under an id that is known; its time goes on."""
        until, _ = self._values[key]
        self._values[key] = (until, value)

    def take(self, key: str) -> _Value | None:
        """The value of this id, which is good no longer."""
        value = self.find(key)
        self._values.pop(key, None)
        return value
