"""Reading an answer away from the event loop, for as long as somebody waits for it.

It knows threads and the loop; what is read, and what that may cost, is left to its caller and to
the budget of the formats.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from functools import partial
from traceback import clear_frames
from typing import TypeVar

from app.api.formats.decoding_budget import Abandoned, Budget

Result = TypeVar("Result")
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
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()
    work = partial(_perform, read, budget, future, loop)
    threading.Thread(target=work, name="reading an answer", daemon=True).start()
    try:
        return await future
    finally:
        budget.give_up()


def _perform(
    read: Callable[[Budget], Result],
    budget: Budget,
    future: "asyncio.Future[Result]",
    loop: asyncio.AbstractEventLoop,
) -> None:
    settle: Callable[[], None]
    try:
        settle = partial(future.set_result, read(budget))
    except Abandoned:
        return
    except Exception as error:  # noqa: BLE001 - raised again where it is waited for
        _let_go(error)
        settle = partial(future.set_exception, error)
    # A loop that was closed in the meantime says so with a RuntimeError: nobody listens.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_unless_cancelled, future, settle)


def _unless_cancelled(future: "asyncio.Future[Result]", settle: Callable[[], None]) -> None:
    if not future.done():
        settle()


def _let_go(error: BaseException) -> None:
    """Frames hold the document and half its tree, for as long as somebody keeps the error."""
    this_one = error.__traceback__
    error.__traceback__ = this_one.tb_next if this_one else None
    chain: BaseException | None = error
    while chain is not None:
        clear_frames(chain.__traceback__)
        chain = chain.__cause__ or chain.__context__
