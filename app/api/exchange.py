"""One question to the service and its answer read, retries included.

It joins the line, the envelope and the reading; which questions there are is left to the client.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.api import calls
from app.api.calls import Call
from app.api.envelope import open_envelope, wrong_types
from app.api.errors import InputRefused, NotFound
from app.api.formats.tree import Tree
from app.api.limits import Limits
from app.api.listing import PeoplePage
from app.api.resources import ListResult, read_list, read_person
from app.api.retry import persist
from app.api.transport import Transport

Result = TypeVar("Result")
_NONE_MATCH = 404


@dataclass(frozen=True, slots=True)
class Items(Generic[Result]):
    """A list as read: its items in order, and the counts the service told."""

    items: tuple[Result, ...] = ()
    total: int | None = None
    per_page: int | None = None


class Exchange:
    """Asks one service in one format; every method raises ApiError and nothing else."""

    def __init__(self, transport: Transport, format_name: str, limits: Limits) -> None:
        """`limits` hold for each question with all its retries."""
        self._transport = transport
        self._format = format_name
        self._limits = limits

    async def ask(
        self, call: Call, key: str, read: Callable[[dict[str, Tree]], Result | None]
    ) -> Result:
        """What `read` makes of the envelope that answers `call`; None from it is wrong types."""

        async def attempt(seconds: float) -> Result:
            occasion = self._transport.occasion(call)
            reply = await self._transport.send(occasion, seconds)
            result = read(open_envelope(reply, occasion, self._format, key))
            if result is None:
                raise wrong_types(reply, occasion, f"wrong types under {key}")
            return result

        return await persist(attempt, creates=call.creates, limits=self._limits)

    async def ask_list(
        self, call: Call, key: str, item_key: str, read: Callable[[Tree], Result | None]
    ) -> Items[Result]:
        """The items under `key`; the service's "none match" is an empty list (api-spec, Errors)."""

        def read_items(envelope: dict[str, Tree]) -> Items[Result] | None:
            listed = read_list(envelope.get(key), item_key)
            return None if listed is None else _readable(listed, read)

        try:
            return await self.ask(call, key, read_items)
        except NotFound as error:
            if error.code != _NONE_MATCH:
                raise
            return Items()


class PeoplePages:
    """The pages of everybody; one object per reading, since it learns how the service is asked."""

    def __init__(self, exchange: Exchange, page_size: int) -> None:
        """`page_size` is what is asked for; the service may give another."""
        self._exchange = exchange
        self._page_size = page_size
        self._plain = False

    async def page(self, number: int) -> PeoplePage:
        """The page with this number, from 1.

        The document shows no parameters: where the first page is refused, it is asked for again
        without them, and so are those that follow.
        """
        try:
            return await self._fetch(number)
        except InputRefused:
            if number > 1 or self._plain:
                raise
        self._plain = True
        return await self._fetch(number)

    async def _fetch(self, number: int) -> PeoplePage:
        plain = calls.plain_people_page(number)
        call = plain if self._plain else calls.people_page(number, self._page_size)
        found = await self._exchange.ask_list(call, "people", "person", read_person)
        return PeoplePage(found.items, found.total, found.per_page)


def _readable(listed: ListResult, read: Callable[[Tree], Result | None]) -> Items[Result] | None:
    """The items that can be read; None when there are some and not one of them can."""
    found = tuple(item for sent in listed.items if (item := read(sent)) is not None)
    if listed.items and not found:
        return None
    return Items(found, listed.total, listed.per_page)
