"""One account of the service as this computer knows it: everything but the credential."""

from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

import msgspec

from app.api.sign_in.oauth import LEAST_PERMISSIONS


class AuthMethod(StrEnum):
    """How somebody gets into an account."""

    PAGE = "page"
    """Through the account's own page, which grants access for a while (api-spec, Method 1)."""
    KEY = "key"
    """With an API key, which does not expire by itself (api-spec, Method 2)."""
    DEMO = "demo"
    """The demo account; nothing of it is kept."""


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An account and how to get into it. `id` is ours and names its files and its credential.

    `client_id`, `redirect_uri`, `scope` and what follows here are for PAGE only. `with_secret`:
    signing in takes a client secret, and access is renewed by itself; `access_until` is then when
    the access at hand ends. `expires_at` is None where the sign-in does not expire. Times are UTC.
    `in_vault`: whether the system vault may hold a secret of this account.
    """

    id: str
    name: str
    base_url: str
    auth_method: AuthMethod = msgspec.field(name="way_in")
    client_id: str | None = None
    redirect_uri: str | None = None
    expires_at: datetime | None = None
    in_vault: bool = True
    scope: tuple[str, ...] = LEAST_PERMISSIONS
    with_secret: bool = False
    access_until: datetime | None = None

    def __post_init__(self) -> None:
        """A time without a zone, in a list somebody edited, is UTC like all others here."""
        for name in ("expires_at", "access_until"):
            moment: datetime | None = getattr(self, name)
            if moment is not None and moment.tzinfo is None:
                msgspec.structs.force_setattr(self, name, moment.replace(tzinfo=UTC))

    def seconds_left(self, now: datetime) -> float | None:
        """How long the credential is still valid, 0 when no longer, None when it has no end."""
        if self.expires_at is None:
            return None
        return max(0.0, (self.expires_at - now).total_seconds())

    def has_expired(self, now: datetime) -> bool:
        """Whether the time given with the grant is over (api-spec, Limits: token lifetime)."""
        return self.seconds_left(now) == 0


def new_account_id() -> str:
    """An id that no other account has: 32 hexadecimal digits."""
    return uuid4().hex
