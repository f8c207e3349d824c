"""Waiting for a moment or for news, whichever comes first: how sender and checker pass the time."""

import asyncio


async def moment_came(until: float, news: asyncio.Event) -> bool:
    """True when the loop's clock says `until`; False when there is news to look at first."""
    if until <= asyncio.get_running_loop().time():
        return True
    try:
        async with asyncio.timeout_at(until):
            await news.wait()
    except TimeoutError:
        return not news.is_set()
    return False
