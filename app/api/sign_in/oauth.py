"""Signing in on the account's own page: the address to open and the answer in the redirect
(api-spec, Authentication), without a client secret (non-web flow) and with one (web flow).

Showing the page is left to the window, exchanging a code to `token_endpoint`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

import msgspec

from app.api.addresses import base_address
from app.api.sign_in.redirect_response import (
    as_query,
    is_visible,
    leads_to,
    no_answer,
    raise_error_in,
    read_redirect,
)
from app.runtime.secrets import remember_secret
from app.runtime.words import tr

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

LEAST_PERMISSIONS = ("ManagePeople",)
"""What Front Desk cannot do without: no smaller permission shows people and flows."""
_LONGEST_LIFE = timedelta(days=3650)
_LIFE_UNTOLD = timedelta(hours=1)


class Grant(msgspec.Struct, frozen=True):
    """Access the account's page gave; when it ends is UTC. The token is not shown by `repr`."""

    access_token: str
    expires_at: datetime

    def __repr__(self) -> str:
        """Without the token."""
        return f"Grant(•••, {self.expires_at:%Y-%m-%d %H:%M:%S})"


class AuthorisationRequest(msgspec.Struct, frozen=True):
    """One attempt to sign in; `redirect_uri` is exactly as registered, without query or hash."""

    base_url: str
    client_id: str
    redirect_uri: str
    scope: tuple[str, ...] = LEAST_PERMISSIONS

    @property
    def address(self) -> str:
        """The page to open. Raises AddressRefused when `base_url` is no web address."""
        asked = {
            "type": "user_agent",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": ",".join(self.scope),
        }
        return f"{base_address(self.base_url)}/oauth?{as_query(asked)}"

    def is_answer(self, url: str) -> bool:
        """Whether `url` is the redirect address itself: scheme, host, port and path, exactly."""
        return leads_to(self.redirect_uri, url)

    def answers_this_attempt(self, _url: str) -> bool:
        """Whether a redirect says whose it is: never, this flow has no state."""
        return False

    def read_answer(self, url: str, now: datetime) -> Grant:
        """The access in a redirect for which `is_answer` holds; `now` is UTC.

        The hash is read before the query. A refresh token is ignored: this flow issues none,
        whatever the hash says. Raises AuthorisationFailed for an error value, and for an answer
        that holds neither.
        """
        for values in read_redirect(self.redirect_uri, url):
            raise_error_in(values)
            if values.get("access_token"):
                return _grant(values, now)
        raise no_answer()


def in_order(permissions: Iterable[str]) -> tuple[str, ...]:
    """These permissions, each once, in the order in which the document lists them."""
    asked = frozenset(permissions)
    return tuple(value for value in PERMISSIONS if value in asked)


def life_of_access(seconds: str) -> timedelta | None:
    """How long access holds, from `expires_in` as digits; an hour where it is blank.

    None for what is no number of seconds from 1 on (api-spec, Limits: token lifetime).
    """
    if not seconds:
        return _LIFE_UNTOLD
    if not (seconds.isascii() and seconds.isdigit()) or int(seconds[:12]) == 0:
        return None
    return min(timedelta(seconds=int(seconds[:12])), _LONGEST_LIFE)


def _grant(values: dict[str, str], now: datetime) -> Grant:
    token, life = values["access_token"], life_of_access(values.get("expires_in", ""))
    if life is None or not is_visible(token):
        raise no_answer()
    remember_secret(token)
    return Grant(token, now + life)


_STATE_BYTES = 32


@dataclass(frozen=True, slots=True)
class OneTimeCode:
    """What the account's page gave: good for one exchange, with this redirect address."""

    code: str = field(repr=False)
    redirect_uri: str


@dataclass(frozen=True, slots=True)
class TokenGrant:
    """Access and, where the service gave one, the refresh token that gets the next.

    `expires_at`, UTC, is when the access token ends. Neither token is shown by `repr`.
    """

    access_token: str = field(repr=False)
    expires_at: datetime
    refresh_token: str | None = field(default=None, repr=False)


def new_state() -> str:
    """A state that nobody can guess."""
    import secrets  # noqa: PLC0415 - no start signs in

    return secrets.token_urlsafe(_STATE_BYTES)


@dataclass(frozen=True, slots=True)
class WebAuthorisationRequest:
    """One attempt to sign in; `redirect_uri` is exactly as registered, without query or hash.

    `state` belongs to this attempt alone and has to come back with its code.
    """

    base_url: str
    client_id: str
    redirect_uri: str
    scope: tuple[str, ...] = LEAST_PERMISSIONS
    state: str = field(default_factory=new_state, repr=False)

    @property
    def address(self) -> str:
        """The page to open. Raises AddressRefused when `base_url` is no web address."""
        asked = {
            "type": "web_server",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": ",".join(self.scope),
            "state": self.state,
        }
        return f"{base_address(self.base_url)}/oauth?{as_query(asked)}"

    def is_answer(self, url: str) -> bool:
        """Whether `url` is the redirect address itself: scheme, host, port and path, exactly."""
        return leads_to(self.redirect_uri, url)

    def answers_this_attempt(self, url: str) -> bool:
        """Whether a redirect that `read_answer` could read, error or not, has this one's state."""
        redirect = read_redirect(self.redirect_uri, url)
        return any(self._is_ours(values.get("state", "")) for values in redirect)

    def read_answer(self, url: str, _now: datetime) -> OneTimeCode:
        """The code in a redirect for which `is_answer` holds.

        It stands in the query, and the state with it. An error is read from query and hash, with
        any state or none: it gives nothing away, and somebody waits for its words. Where anybody
        may lead to the redirect address, ask `answers_this_attempt` as well. Raises
        AuthorisationFailed for an error value, for no code, and for one that comes with another
        state than this attempt's, or with none: it answers somebody else.
        """
        in_hash, in_query = read_redirect(self.redirect_uri, url)
        for values in (in_query, in_hash):
            raise_error_in(values)
        code = in_query.get("code", "")
        if not (is_visible(code) and self._is_ours(in_query.get("state", ""))):
            raise no_answer()
        remember_secret(code)
        return OneTimeCode(code, self.redirect_uri)

    def _is_ours(self, state: str) -> bool:
        import hmac  # noqa: PLC0415 - as above

        sent = state.encode("utf-8", "replace")
        return bool(self.state) and hmac.compare_digest(sent, self.state.encode())


SignInRequest = AuthorisationRequest | WebAuthorisationRequest
"""What a window can show the account's page for."""
SignInAnswer = Grant | OneTimeCode
"""What comes of it, in the same order."""
