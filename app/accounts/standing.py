"""Where a session stands, and what it publishes when that changes, as frozen data."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from app.accounts.account import Account

if TYPE_CHECKING:
    from app.api.service import Service


class SessionState(StrEnum):
    """What the window may show."""

    SIGNED_OUT = "signed out"
    SIGNED_IN = "signed in"
    EXPIRED = "expired"
    """The account is known, but its credential is over, refused or out of reach."""


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """Published whenever restoring, signing in or out has ended, and when access is over."""

    state: SessionState
    account: Account | None


@dataclass(frozen=True, slots=True)
class LineChanged:
    """Published when the service is out of reach, and when it is back. `last_heard` is UTC."""

    online: bool
    last_heard: datetime | None


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A service and the key under which its outcomes count; an older service has another."""

    key: object
    service: "Service"


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything about a session that changes together."""

    state: SessionState
    account: Account | None = None
    link: Link | None = None
    this_run_only: bool = False
    remembered: bool = True
    notice: str = ""
    entered: bool = False

    def is_linked_by(self, key: object) -> bool:
        """Whether what is told under this key still counts."""
        return self.link is not None and self.link.key is key
