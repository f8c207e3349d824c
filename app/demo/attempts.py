"""What the account page remembers between two requests: attempts to authorise, who is signed in,
and the codes that were handed out.

An attempt's id is the secret its forms carry: nobody else can know it, so no other page can answer
for the person. It is good for one decision and for half an hour. A code is an id of the same kind,
good for one exchange.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.demo.credentials import User
from app.demo.permissions import Permission
from app.demo.redirects import WayBack

ATTEMPT_SECONDS = 30 * 60
CODE_SECONDS = 5 * 60
SESSION_SECONDS = 8 * 60 * 60
MOST_REMEMBERED = 1000

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One program asking one person for permissions, and where the answer goes."""

    client_id: str
    way_back: WayBack
    permissions: tuple[Permission, ...]
    wants_code: bool = False
    user: User | None = None

    @property
    def missing(self) -> tuple[Permission, ...]:
        """What the person who is signed in may not allow."""
        allowed = self.user.may_allow if self.user else frozenset()
        return tuple(asked for asked in self.permissions if asked not in allowed)


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a code stands for; only this client, with this redirect address, may exchange it."""

    client_id: str
    redirect_uri: str
    permissions: tuple[Permission, ...]


class ExpiringValues(Generic[_Value]):
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
