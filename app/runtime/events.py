"""What happened, told upwards: typed events, heard by those who asked, on the event loop.

A room that does work publishes plain frozen objects; it never learns who listens.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar, cast

Event = TypeVar("Event")


class Owner(Protocol):
    """Whoever a subscription belongs to; it ends when its owner closes."""

    def call_on_close(self, callback: Callable[[], None]) -> None:
        """Remember `callback` for the owner's end."""


class EventBus:
    """Delivers each published event, at once and in order, to the handlers of its exact type."""

    def __init__(self, report: Callable[[BaseException], None]) -> None:
        """`report` takes what a handler raised; the other handlers still hear the event."""
        self._report = report
        self._handlers: dict[type, list[Callable[[object], None]]] = {}

    def subscribe(self, kind: type[Event], handler: Callable[[Event], None], owner: Owner) -> None:
        """Call `handler` with every event of `kind` until `owner` closes."""
        heard = cast(Callable[[object], None], handler)
        self._handlers.setdefault(kind, []).append(heard)
        owner.call_on_close(lambda: self._forget(kind, heard))

    def publish(self, event: object) -> None:
        """Tell everybody who asked. Called on the thread of the event loop only."""
        for handler in tuple(self._handlers.get(type(event), ())):
            try:
                handler(event)
            except Exception as error:  # noqa: BLE001 - one deaf listener must not silence the rest
                self._report(error)

    def _forget(self, kind: type, handler: Callable[[object], None]) -> None:
        self._handlers[kind].remove(handler)
