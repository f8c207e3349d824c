"""One question to the service and its answer read, retries included.

It joins the line, the envelope and the reading; which questions there are is left to the client.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from app.api import calls, line
from app.api.calls import Call, ListAs
from app.api.course import PeoplePage
from app.api.envelope import is_timed, open_envelope, wrong_types
from app.api.errors import InputRefused, NotFound, TooManyRequests
from app.api.formats.tree import Tree
from app.api.limits import Limits
from app.api.occasion import Occasion
from app.api.pace import Pace, Turn
from app.api.reply import Reply
from app.api.resources import ListResult, read_list, read_person
from app.api.retry import persist
from app.api.transport import Transport

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Items(Generic[Result]):
    """A list as read: its items in order, how many entries were sent, and the counts as told."""

    items: tuple[Result, ...] = ()
    total: int | None = None
    per_page: int | None = None
    sent: int = 0


class Exchange:
    """Asks one service in one format; every method raises ApiError and nothing else."""

    def __init__(self, transport: Transport, format_name: str, limits: Limits) -> None:
        """`limits` hold for each question with all its retries."""
        self._transport = transport
        self._format = format_name
        self._limits = limits
        self._pace = Pace(limits.longest_wait)
        self._reading = asyncio.Lock()

    def within(self, limits: Limits) -> "Exchange":
        """The same exchange under other limits; a pause that was asked for holds for both."""
        other = Exchange(self._transport, self._format, limits)
        other._pace = self._pace
        return other

    async def ask(
        self, call: Call, key: str, read: Callable[[dict[str, Tree]], Result | None]
    ) -> Result:
        """What `read` makes of the envelope that answers `call`; None from it is wrong types."""

        async with Turn(self._pace) as turn:

            async def attempt(seconds: float) -> Result:
                occasion = self._transport.occasion(call)
                left = seconds if call.creates else await self._wait(turn, occasion, seconds)
                reply = await self._transport.send(occasion, left)
                async with self._reading:
                    # Pages that come together must not hold up the loop together.
                    await asyncio.sleep(0)
                    result = read(self._opened(reply, occasion, key))
                if result is None:
                    raise wrong_types(reply, occasion, f"wrong types under {key}")
                return result

            return await persist(attempt, creates=call.creates, limits=self._limits)

    async def _wait(self, turn: Turn, occasion: Occasion, seconds: float) -> float:
        """Wait until a read may be sent; gives how many of its `seconds` are left."""
        clock = asyncio.get_running_loop().time
        end = clock() + seconds
        try:
            async with asyncio.timeout(seconds):
                await turn.come()
        except TimeoutError as error:
            raise line.too_slow(occasion, "kept waiting", in_doubt=False) from error
        return end - clock()

    def _opened(self, reply: Reply, occasion: Occasion, key: str) -> dict[str, Tree]:
        try:
            envelope = open_envelope(reply, occasion, self._format, key)
        except TooManyRequests as error:
            wait = error.retry_after
            self._pace.asked_to_wait(self._limits.first_pause if wait is None else wait)
            raise
        self._pace.answered()
        return envelope

    async def ask_list(
        self, call: Call, key: str, item_key: str, read: Callable[[Tree], Result | None]
    ) -> Items[Result]:
        """The items under `key`; the service's "none match" is an empty list (api-spec, Errors).

        Anybody else's 404, and an answer that only says "ok" (a health page's), are no lists.
        """

        def read_items(envelope: dict[str, Tree]) -> Items[Result] | None:
            # Seen in the field: the items may stand in the envelope itself.
            bare = key not in envelope and item_key in envelope
            if not (bare or key in envelope or is_timed(envelope)):
                return None
            listed = read_list(envelope if bare else envelope.get(key), item_key)
            return None if listed is None else _readable(listed, read)

        try:
            return await self.ask(call, key, read_items)
        except NotFound as error:
            if error.none_match is None:
                raise
            return Items()


class PeoplePages:
    """The pages of everybody; one object per reading, since it learns how the service is asked."""

    def __init__(self, exchange: Exchange, list_as: ListAs) -> None:
        """Nothing is known of the service yet."""
        self._exchange = exchange
        self._list_as = list_as
        self._plain = False
        self._taken = False

    async def page(self, number: int, size: int) -> PeoplePage:
        """The page with this number, from 1, where `size` people a page are asked for.

        The document shows no parameters: where the first page is refused, it is asked for again
        without them, and so are those that follow.
        """
        try:
            return await self._fetch(number, size)
        except InputRefused:
            if number > 1 or self._plain or self._taken:
                raise
        self._plain = True
        return await self._fetch(number, size)

    async def _fetch(self, number: int, size: int) -> PeoplePage:
        plain = calls.plain_people_page(number)
        call = plain if self._plain else calls.people_page(number, size, self._list_as)
        found = await self._exchange.ask_list(call, "people", "person", read_person)
        self._taken = True
        return PeoplePage(found.items, found.total, found.per_page, found.sent)


def _readable(listed: ListResult, read: Callable[[Tree], Result | None]) -> Items[Result] | None:
    """The items that can be read; None when there are some and not one of them can."""
    found = tuple(item for sent in listed.items if (item := read(sent)) is not None)
    if listed.items and not found:
        return None
    return Items(found, listed.total, listed.per_page, len(listed.items))
