"""An authorisation on its way: where a browser may be sent back to, and the attempts, sign-ins and
codes that the account's pages remember between two requests.

An attempt's id is the secret its forms carry: nobody else can know it, so no other page can answer
for the person. It is good for one decision and for half an hour. A code is an id of the same kind,
good for one exchange.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Generic, TypeVar
from urllib.parse import quote, unquote, urlencode, urlsplit

import msgspec

from app.demo.credentials import Permission, User

_FORBIDDEN = frozenset('\\#<>"^`{|} ')


class WayBack(msgspec.Struct, frozen=True):
    """Where a program waits for its answer (api-spec, Authentication).

    A web_server reads it in the query and finds its `state` beside it, whatever the answer is; a
    user_agent reads it in the hash, and has no `state`, not even one it sent. Who asked for
    neither gets it in the query, the part that every kind of program can read.
    """

    redirect_uri: str
    in_hash: bool = False
    state: str | None = None

    def with_answer(self, answer: Mapping[str, str]) -> str:
        """The address to send the browser to."""
        if self.in_hash:
            return f"{self.redirect_uri}#{_encoded(answer)}"
        if self.state is not None:
            answer = {**answer, "state": self.state}
        joint = "&" if "?" in self.redirect_uri else "?"
        return f"{self.redirect_uri}{joint}{_encoded(answer)}"


def is_allowed(address: str, registered: str) -> bool:
    """Whether `address` begins with `registered` (api-spec, OAuth exchange errors) and stays there.

    Beginning alone is not enough: what follows must not change the host or leave the path. It may
    lengthen the last part of the path, since the document asks for no more than a beginning.
    """
    if not address.startswith(registered) or not _is_plain(address):
        return False
    try:
        asked, known = urlsplit(address), urlsplit(registered)
        same_place = asked.scheme == known.scheme and asked.netloc == known.netloc
    except ValueError:
        return False
    segments = unquote(unquote(asked.path)).replace("\\", "/").split("/")
    return same_place and not {".", ".."} & set(segments)


def _encoded(answer: Mapping[str, str]) -> str:
    return urlencode(answer, quote_via=quote)


def _is_plain(address: str) -> bool:
    """No character that browsers drop or read as another one, and no hash before ours."""
    return address.isascii() and address.isprintable() and not _FORBIDDEN & set(address)


class ErrorValue(StrEnum):
    """The error values of the contract."""

    INVALID_REQUEST = "invalid_request"
    UNKNOWN_CLIENT = "unknown_client"
    INVALID_REDIRECT_URI = "invalid_redirect_uri"
    SERVER_ERROR = "server_error"
    UNKNOWN_SCOPE = "unknown_scope"
    ACCESS_DENIED = "access_denied"


class Refusal(Exception):
    """An authorisation that ends here.

    `way_back` is where the program waits for the answer, None where no address may be trusted with
    it: then the person is told on a page.
    """

    def __init__(self, value: ErrorValue, message: str, way_back: WayBack | None = None) -> None:
        super().__init__(message)
        self.value = value
        self.message = message
        self.way_back = way_back


ATTEMPT_SECONDS = 30 * 60
CODE_SECONDS = 5 * 60
SESSION_SECONDS = 8 * 60 * 60
MOST_REMEMBERED = 1000

_Value = TypeVar("_Value")


class Attempt(msgspec.Struct, frozen=True):
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


class Allowed(msgspec.Struct, frozen=True):
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
