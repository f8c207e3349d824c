"""Signing in on the account's own page for an organisation that has a client secret.

The web flow of api-spec, Authentication: the address to open, and the one-time code in the
redirect. Exchanging the code is left to `token_endpoint`, showing the page to the window.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from datetime import datetime

from app.api.addresses import base_address
from app.api.sign_in.oauth import LEAST_PERMISSIONS, AuthorisationRequest, Grant
from app.api.sign_in.redirect_response import (
    as_query,
    is_visible,
    leads_to,
    no_answer,
    raise_error_in,
    read_redirect,
)
from app.runtime.secrets import remember_secret

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
        sent = state.encode("utf-8", "replace")
        return bool(self.state) and hmac.compare_digest(sent, self.state.encode())


SignInRequest = AuthorisationRequest | WebAuthorisationRequest
"""What a window can show the account's page for."""
SignInAnswer = Grant | OneTimeCode
"""What comes of it, in the same order."""
