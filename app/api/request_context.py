"""When and what was asked: the facts an administrator needs to find a request in a log.

Never a query, a body or a person: a name may stand in any of them.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from app.api.requests import Request


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One attempt at one call; `address` is the whole one, without a query."""

    request: Request
    host: str
    address: str
    asked_at: datetime

    @classmethod
    def now(cls, request: Request, host: str, address: str) -> "RequestContext":
        """The attempt that begins at this moment."""
        return cls(request, host, address, datetime.now(UTC))

    def details(
        self, *, status: int | None = None, code: int | None = None, reason: str = ""
    ) -> str:
        """One line for "Copy details"; `reason` is ours, never a piece of an answer."""
        asked = f"{self.request.method} {self.address}, {self.asked_at:%Y-%m-%d %H:%M:%S} UTC"
        parts = [asked]
        if status is not None:
            parts.append(f"HTTP {status}")
        if code is not None:
            parts.append(f"code {code}")
        if reason:
            parts.append(reason)
        return ", ".join(parts)
