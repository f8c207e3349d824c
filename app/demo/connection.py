"""The one thing faults need that ASGI does not offer: ending the connection under a request."""

from typing import Protocol

from starlette.types import Scope

EXTENSION = "frontdesk.connection"


class ClientConnection(Protocol):
    """The connection a request arrived on, as `listener` hands it through the ASGI scope."""

    def close(self) -> None:
        """Send what was written, then end."""

    def reset(self) -> None:
        """End at once, so that the other side sees a reset."""


class _NoConnection:
    """Stands in where the server gives no hold of its connections."""

    def close(self) -> None:
        pass

    def reset(self) -> None:
        pass


def connection_of(scope: Scope) -> ClientConnection:
    """The connection of this request."""
    found: ClientConnection = scope.get("extensions", {}).get(EXTENSION, _NoConnection())
    return found
