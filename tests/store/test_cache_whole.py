"""Whether the last reading of the list was whole is known at the next start, too."""

from pathlib import Path

import pytest

from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store.cache import Cache


@pytest.mark.parametrize("complete", [True, False])
async def test_whether_the_last_pass_was_whole_outlives_the_program(
    tmp_path: Path, *, complete: bool
) -> None:
    path = tmp_path / "cache.sqlite3"
    cache = Cache.open(path)
    assert not cache.people_whole
    await cache.finish_pass(await cache.begin_pass(), complete=complete)
    await cache.close()
    cache = Cache.open(path)
    directory = PeopleDirectory(cache, EventBus(lambda _: None))
    await directory.open()
    assert (cache.people_whole, directory.whole) == (complete, complete)
    await cache.close()


async def test_a_list_that_was_never_read_is_not_whole() -> None:
    cache = Cache.open(None)
    assert not PeopleDirectory(cache, EventBus(lambda _: None)).whole
    await cache.close()
