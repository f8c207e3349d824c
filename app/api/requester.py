"""One request to the service and its answer read, retries included.

It joins the transport, the envelope and the reading, which a large answer gets on a thread of its
own; which requests there are is left to the client.
"""

import asyncio
from collections.abc import Callable
from traceback import clear_frames
from typing import Generic, TypeAlias, TypeVar

import msgspec

from app.api import connection_errors
from app.api.envelope import is_timed, open_envelope, proves_none, says_ok, wrong_types
from app.api.errors import ApiError, NotFound, TooManyRequests
from app.api.formats.decoding_budget import Budget
from app.api.formats.tree import Tree
from app.api.requests import Limits, Request, RequestContext
from app.api.resources import ListResult, read_list
from app.api.responses import Response
from app.api.retry import RateLimit, Slot, with_retries
from app.api.transport import Transport
from app.runtime.worker_thread import WorkerThread

Result = TypeVar("Result")
Whole = TypeVar("Whole")
_Read: TypeAlias = Callable[[dict[str, Tree], Budget], Result | None]


class Items(msgspec.Struct, Generic[Result], frozen=True):
    """A list as read: its items in order, how many entries were sent, and the counts as told.

    `unreadable` are the places, from 0, of entries that were sent and could not be read.
    """

    items: tuple[Result, ...] = ()
    total: int | None = None
    per_page: int | None = None
    sent: int = 0
    unreadable: tuple[int, ...] = ()


class Requester:
    """Asks one service in one format; every method raises ApiError and nothing else."""

    def __init__(self, transport: Transport, format_name: str, limits: Limits) -> None:
        """`limits` hold for each question with all its retries."""
        self._transport = transport
        self._format = format_name
        self._limits = limits
        self._rate_limit = RateLimit(limits.longest_wait)
        self._reading = asyncio.Lock()

    @property
    def format_name(self) -> str:
        """What it asks for."""
        return self._format

    def within(self, limits: Limits) -> "Requester":
        """The same requester under other limits; a pause that was asked for holds for both."""
        other = Requester(self._transport, self._format, limits)
        other._rate_limit = self._rate_limit
        return other

    async def ask(
        self, request: Request, key: str, read: Callable[[dict[str, Tree]], Result | None]
    ) -> Result:
        """What `read` makes of the envelope that answers `request`; None from it is wrong types.

        A large answer is read on another thread.
        """
        return await self.ask_within_budget(request, key, lambda envelope, _budget: read(envelope))

    async def ask_within_budget(
        self,
        request: Request,
        key: str,
        read: _Read[Result],
        recognise: Callable[[Response], Result | None] | None = None,
    ) -> Result:
        """The same; `read` is given what reading the answer may still cost as well.

        What `recognise` makes of an answer that it knows, on the thread on which it would be read,
        stands for what `read` would.
        """
        async with Slot(self._rate_limit) as turn:

            async def attempt(seconds: float) -> Result:
                context = self._transport.context(request)
                clock = asyncio.get_running_loop().time
                end = clock() + seconds
                left = seconds if request.creates else await self._wait(turn, context, seconds)
                response = await self._transport.send(context, left)
                try:
                    async with asyncio.timeout_at(end):
                        result = await self._read(response, context, key, read, recognise)
                except TimeoutError as error:
                    raise connection_errors.too_slow(
                        context, "reading the answer", in_doubt=True
                    ) from error
                if result is None:
                    raise wrong_types(response, context, f"wrong types under {key}")
                return result

            try:
                return await with_retries(attempt, creates=request.creates, limits=self._limits)
            except ApiError as error:
                # They hold the answer, for as long as somebody keeps the error.
                clear_frames(error.__traceback__)
                raise

    async def _wait(self, turn: Slot, context: RequestContext, seconds: float) -> float:
        """Wait until a read may be sent; gives how many of its `seconds` are left."""
        clock = asyncio.get_running_loop().time
        end = clock() + seconds
        try:
            async with asyncio.timeout(seconds):
                await turn.come()
        except TimeoutError as error:
            raise connection_errors.too_slow(context, "kept waiting", in_doubt=False) from error
        return end - clock()

    async def _read(
        self,
        response: Response,
        context: RequestContext,
        key: str,
        read: _Read[Result],
        recognise: Callable[[Response], Result | None] | None,
    ) -> Result | None:
        def work(budget: Budget) -> Result | None:
            known = None if recognise is None else recognise(response)
            if known is not None:
                return known
            return read(open_envelope(response, context, self._format, key, budget), budget)

        try:
            async with self._reading:
                # Pages that come together must not hold up the loop, or fill memory, together.
                await asyncio.sleep(0)
                result = await read_apart(work, len(response.body))
        except TooManyRequests as error:
            wait = error.retry_after
            self._rate_limit.asked_to_wait(self._limits.first_pause if wait is None else wait)
            raise
        self._rate_limit.answered()
        return result

    async def ask_list(
        self,
        request: Request,
        key: str,
        item_key: str,
        read: Callable[[Tree], Result | None],
        gather: Callable[[Items[Result]], Whole],
        *,
        further_on: bool = False,
        of_people: bool = False,
        recognise: Callable[[Response], Whole | None] | None = None,
    ) -> Whole:
        """What `gather` makes of the items under `key`, on the thread on which they are read.

        The service's "none match" is an empty list (api-spec, Errors).

        Anybody else's 404, an answer that only says "ok" (a health page's) and a bare empty list
        are no lists, and neither is one in which nothing can be read, unless it is `further_on` in
        a list that can. `of_people`: "none match" has to name them, as an operation that does not
        exist is 404 in the same envelope.
        """

        def read_items(envelope: dict[str, Tree], budget: Budget) -> Whole | None:
            # Seen in the field: the items may stand in the envelope itself.
            bare = key not in envelope and item_key in envelope
            if not (bare or key in envelope or is_timed(envelope)):
                return None
            listed = read_list(envelope if bare else envelope.get(key), item_key)
            items = None if listed is None else _readable(listed, read, budget)
            if items is None:
                return None
            own = says_ok(envelope) or is_timed(envelope)
            if not (items.items or further_on) and (items.unreadable or not own):
                return None
            return gather(items)

        try:
            return await self.ask_within_budget(request, key, read_items, recognise)
        except NotFound as error:
            if error.none_match is None or (of_people and not proves_none(error.none_match)):
                raise
            return gather(Items())


def _readable(
    listed: ListResult, read: Callable[[Tree], Result | None], budget: Budget
) -> Items[Result]:
    """The items that can be read; each is let go of then, since both together weigh twice."""
    found: list[Result] = []
    bad: list[int] = []
    for place, sent in enumerate(listed.items):
        budget.check()
        item = read(sent)
        if item is None:
            bad.append(place)
        else:
            found.append(item)
        listed.items[place] = None
    return Items(tuple(found), listed.total, listed.per_page, len(listed.items), tuple(bad))


_AT_ONCE = 16 * 1024
"""Bytes that are read in less time than another thread would take its turn."""


async def read_apart(read: Callable[[Budget], Result], size: int) -> Result:
    """What `read` makes of an answer of `size` bytes; what it raises is raised here.

    A large one is read on a thread of its own, which is never joined: cancelled, or at a deadline,
    nobody waits any more, and the reading ends by itself at its next piece.
    """
    budget = Budget()
    if size <= _AT_ONCE:
        return read(budget)

    def work() -> Result:
        try:
            return read(budget)
        except Exception as error:
            _let_go(error)
            raise

    try:
        return await WorkerThread("reading an answer").run(work)
    finally:
        budget.give_up()


def _let_go(error: BaseException) -> None:
    """Frames hold the document and half its tree, for as long as somebody keeps the error."""
    this_one = error.__traceback__
    error.__traceback__ = this_one.tb_next if this_one else None
    chain: BaseException | None = error
    while chain is not None:
        clear_frames(chain.__traceback__)
        chain = chain.__cause__ or chain.__context__
