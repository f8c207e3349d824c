"""A service that asks for a pause gets one from everybody: all wait, and nobody storms back."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.api.errors import TooManyRequests
from app.api.requests import Limits

if TYPE_CHECKING:
    from tests.api.conftest import Act, Asked, ScriptedService

MANY = 400


class Door:
    """A service with people on fixed pages that lets so many in between two pauses."""

    def __init__(self, service: "ScriptedService", lets_in: int, retry_after: str) -> None:
        self._service = service
        self._lets_in = lets_in
        self._room = lets_in
        self._retry_after = retry_after
        self._closed_until = 0.0
        self.inside = self.most_inside = self.turned_away = self.during_the_pause = 0

    def lets_in(self, many: int) -> None:
        """From now on let so many in."""
        self._lets_in = self._room = many

    def act(self, pause: float) -> "Act":
        """Answer with a page, or ask for a pause of this many seconds and mean it."""

        async def act(asked: "Asked", writer: asyncio.StreamWriter) -> None:
            now = asyncio.get_running_loop().time()
            if now < self._closed_until:
                self.during_the_pause += 1
            if now >= self._closed_until and self._room == 0:
                self._room = self._lets_in
                await self._turn_away(asked, writer)
                self._closed_until = asyncio.get_running_loop().time() + pause
            elif now < self._closed_until:
                await self._turn_away(asked, writer)
            else:
                self._room -= 1
                await self._let_in(asked, writer)

        return act

    async def _turn_away(self, asked: "Asked", writer: asyncio.StreamWriter) -> None:
        self.turned_away += 1
        await self._service.fail(429, 429, Retry_After=self._retry_after)(asked, writer)

    async def _let_in(self, asked: "Asked", writer: asyncio.StreamWriter) -> None:
        number = int(asked.parameters["page"][0])
        ids = [str(known) for known in range((number - 1) * 10, number * 10)]
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        await asyncio.sleep(0.002)
        self.inside -= 1
        answer = self._service.people(*ids, total=MANY, per_page=10)
        await answer(asked, writer)


async def test_all_pages_wait_out_the_pause_and_then_go_one_by_one(
    service: "ScriptedService",
) -> None:
    door = Door(service, 13, "1")
    service.answers(door.act(0.15))
    limits = Limits(first_pause=0.001, longest_wait=0.2)
    async with service.client(limits) as client:
        listing = client.people()
        assert [person.id async for person in listing] == [str(known) for known in range(MANY)]
    assert listing.complete
    assert door.most_inside <= 4
    # Those that were under way when the pause began could not know of it; nobody else came.
    assert door.during_the_pause <= 3


async def test_another_read_waits_out_the_pause_as_well(service: "ScriptedService") -> None:
    door = Door(service, 0, "1")
    service.answers(door.act(0.1))
    async with service.client(Limits(first_pause=0.001, longest_wait=0.15)) as client:
        first = asyncio.create_task(client.check())
        await service.is_asked()
        door.lets_in(9)
        await asyncio.sleep(0.01)
        await client.check()
        await first
    assert door.during_the_pause == 0
    assert len(service.asked) == 3


async def test_a_service_that_lets_one_in_at_a_time_is_read_to_the_end(
    service: "ScriptedService",
) -> None:
    door = Door(service, 1, "1")
    service.answers(door.act(0.0))
    limits = Limits(first_pause=0.001, longest_wait=0.005)
    async with service.client(limits) as client:
        assert len([person async for person in client.people()]) == MANY


@pytest.mark.parametrize("as_date", [True, False])
async def test_a_pause_may_be_a_date_and_is_capped(
    service: "ScriptedService", as_date: bool
) -> None:
    moment = datetime.now(UTC) + timedelta(days=3)
    asked = moment.strftime("%a, %d %b %Y %H:%M:%S GMT") if as_date else "250000"
    service.answers(service.fail(429, 429, Retry_After=asked), service.people("1", total=1))
    async with service.client(Limits(longest_wait=0.01, first_pause=50.0)) as client:
        assert [person.id async for person in client.people()] == ["1"]


async def test_a_service_that_is_always_too_busy_says_so_after_three_attempts(
    service: "ScriptedService",
) -> None:
    service.answers(service.fail(429, 429, Retry_After="3600"))
    async with service.client(Limits(longest_wait=0.01)) as client:
        with pytest.raises(TooManyRequests) as caught:
            await anext(client.people())
    assert caught.value.retry_after == 3600.0
    assert len(service.asked) == 3


async def test_a_busy_service_turns_every_page_away_at_most_three_times(
    service: "ScriptedService",
) -> None:
    first = json.dumps(
        {"status": "ok", "people": {"total": 400, "per_page": 10, "person": [{"id": "a"}] * 10}}
    ).encode()
    second = json.dumps(
        {"status": "ok", "people": {"total": 400, "per_page": 10, "person": [{"id": "b"}] * 10}}
    ).encode()
    busy = service.fail(429, 429, Retry_After="0")
    service.answers(service.body(first), service.body(second), busy)
    async with service.client() as client:
        with pytest.raises(TooManyRequests):
            [person async for person in client.people()]
    pages = [asked.parameters["page"][0] for asked in service.asked[2:]]
    assert max(pages.count(number) for number in pages) <= 3
