"""When memory is given back: once what follows a reading is over, on another thread."""

import asyncio
import threading

from app.outbox.duplicate_groups import DuplicateGroupsChanged
from app.people.events import PeopleRefreshed
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.workspace.memory_after_reading import MemoryAfterReading


async def test_it_is_given_back_once_when_the_last_that_follows_a_reading_is_over() -> None:
    crashes: list[BaseException] = []
    threads: list[threading.Thread] = []
    given_back, loop = asyncio.Event(), asyncio.get_running_loop()

    def give_back() -> None:
        threads.append(threading.current_thread())
        loop.call_soon_threadsafe(given_back.set)

    events, scope = EventBus(crashes.append), TaskScope("test", crashes.append, ValueError)
    cache = Cache.open(None)
    MemoryAfterReading(cache, events, scope, give_back=give_back, follows_within=0.05)
    await asyncio.sleep(0.1)
    assert threads == [], "nothing was read"
    events.publish(PeopleRefreshed(complete=True))
    events.publish(DuplicateGroupsChanged())
    assert threads == []
    async with asyncio.timeout(10):
        await given_back.wait()
    await asyncio.sleep(0.1)
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    await scope.close()
    await cache.close()
    assert crashes == []
