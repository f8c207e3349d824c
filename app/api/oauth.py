"""Signing in on the account's own page: the address to open and the answer in the redirect.

The non-web flow of api-spec, Authentication; showing the page is left to the window.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from urllib.parse import quote, unquote

from app.api.addresses import Place, base_address, read_place
from app.api.errors import AddressRefused, AuthorisationFailed
from app.api.oauth_errors import authorisation_failed, is_known_error, no_answer
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

DEFAULT_REDIRECT_ADDRESS = "http://127.0.0.1:38973/signed-in"

PERMISSIONS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "ManagePeople": lambda: tr("See everybody and add people"),
        "ManageGroups": lambda: tr("See and change groups"),
        "ManageServices": lambda: tr("See and change services"),
        "ManageSongs": lambda: tr("See and change songs"),
        "ManageCalendar": lambda: tr("See and change calendars and events"),
        "ManageFinancials": lambda: tr("See and change financial records"),
        "AdministerAccount": lambda: tr("Administer the whole account"),
    }
)
"""Every value of `scope` the document names, with what it grants in plain words."""

_LONGEST_ANSWER = 16 * 1024
_LONGEST_LIFE = timedelta(days=3650)
_LIFE_UNTOLD = timedelta(hours=1)
_TOKEN = re.compile(r"[!-~]+")
_QUERY_OR_HASH = re.compile(r"[?#]")


@dataclass(frozen=True, slots=True)
class Grant:
    """Access the account's page gave; when it ends is UTC. The token is not shown by `repr`."""

    access_token: str
    expires_at: datetime

    def __repr__(self) -> str:
        """Without the token."""
        return f"Grant(•••, {self.expires_at:%Y-%m-%d %H:%M:%S})"


@dataclass(frozen=True, slots=True)
class AuthorisationRequest:
    """One attempt to sign in; `redirect_uri` is exactly as registered, without query or hash."""

    base_url: str
    client_id: str
    redirect_uri: str
    scope: tuple[str, ...] = ("ManagePeople",)

    @property
    def address(self) -> str:
        """The page to open. Raises AddressRefused when `base_url` is no web address."""
        asked = {
            "type": "user_agent",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": ",".join(self.scope),
        }
        return f"{base_address(self.base_url)}/oauth?{_encoded(asked)}"

    def is_answer(self, url: str) -> bool:
        """Whether `url` is the redirect address itself: scheme, host, port and path, exactly.

        A beginning that is alike is not enough, and a user name in it never belongs there.
        """
        expected = _place(self.redirect_uri)
        return expected is not None and _place(url) == expected

    def read_answer(self, url: str, now: datetime) -> Grant:
        """The access in a redirect for which `is_answer` holds; `now` is UTC.

        The hash is read before the query. A refresh token is ignored: this flow issues none,
        whatever the hash says. Raises AuthorisationFailed for an error value, and for an answer
        that holds neither.
        """
        if not self.is_answer(url) or len(url) > _LONGEST_ANSWER:
            raise no_answer()
        head, _, in_hash = url.partition("#")
        in_query = head.partition("?")[2]
        for part in (in_hash, in_query):
            values = _values(part)
            error = _error_in(values)
            if error is not None:
                raise authorisation_failed(error, values.get("error_description", ""))
            if values.get("access_token"):
                return _grant(values, now)
        raise no_answer()


def _encoded(asked: Mapping[str, str]) -> str:
    """A query with every mark in it escaped: the commas of `scope` must be %2C."""
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in asked.items())


def _place(url: str) -> Place | None:
    try:
        place = read_place(_QUERY_OR_HASH.split(url, maxsplit=1)[0])
    except AddressRefused:
        return None
    return Place(place.scheme, place.host, place.port, place.path or "/")


def _values(encoded: str) -> dict[str, str]:
    """Names and values of a query or hash; AuthorisationFailed where a name stands twice.

    A plus sign stays one: access tokens may hold it, unescaped.
    """
    values: dict[str, str] = {}
    for pair in encoded.split("&"):
        name, _, value = pair.partition("=")
        name = unquote(name)
        if name in values and name:
            raise no_answer()
        values[name] = unquote(value)
    return values


def _error_in(values: dict[str, str]) -> str | None:
    """The error value; the document does not say which name carries it, most often `error`."""
    if values.get("error"):
        return values["error"]
    return next((value for value in values.values() if is_known_error(value)), None)


def _grant(values: dict[str, str], now: datetime) -> Grant:
    token = values["access_token"]
    if not _TOKEN.fullmatch(token):
        raise no_answer()
    remember_secret(token)
    return Grant(token, now + _life(values.get("expires_in", "")))


def _life(seconds: str) -> timedelta:
    """How long the access holds; an hour where the page does not say."""
    if not seconds:
        return _LIFE_UNTOLD
    if not (seconds.isascii() and seconds.isdigit()) or int(seconds[:12]) == 0:
        raise no_answer()
    return min(timedelta(seconds=int(seconds[:12])), _LONGEST_LIFE)


__all__ = [
    "DEFAULT_REDIRECT_ADDRESS",
    "PERMISSIONS",
    "AuthorisationFailed",
    "AuthorisationRequest",
    "Grant",
]
