"""Whether a failed attempt is made again, and when; attempts and errors are others' business."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

from app.api.errors import ApiError, TooSlow, Unreachable
from app.api.limits import Limits

Answer = TypeVar("Answer")


async def with_retries(
    attempt: Callable[[float], Awaitable[Answer]], *, creates: bool, limits: Limits
) -> Answer:
    """What `attempt` gives, tried again where that can help and does no harm.

    `attempt` is told how many seconds are left. Raises the ApiError of the last attempt, at the
    latest when `limits.deadline` is over.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + limits.deadline
    for number in count(1):
        try:
            return await attempt(end - clock())
        except ApiError as error:
            pause = _pause(error, number, limits)
            allowed = never_left(error) if creates else error.transient
            if not allowed or number >= limits.tries or clock() + pause >= end:
                raise
        await asyncio.sleep(pause)
    raise AssertionError  # pragma: no cover - the loop above has no end of its own


def never_left(error: ApiError) -> bool:
    """Whether a create certainly stayed here: no connection came about, so nothing was sent."""
    on_the_line = isinstance(error, Unreachable | TooSlow)
    return error.transient and on_the_line and not error.outcome_unknown


def _pause(error: ApiError, number: int, limits: Limits) -> float:
    if error.retry_after is not None:
        return min(error.retry_after, limits.longest_wait)
    longest: float = limits.first_pause * 2 ** (number - 1)
    # Clients that failed together must not come back together.
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret depends on it
