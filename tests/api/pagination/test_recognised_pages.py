"""A page that comes as it came before is not read again, and whatever is other is."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ApiError
from app.api.pagination.people_pages import FurtherFields
from app.api.requests import Limits
from app.model.change import ChangeKind
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store import known_pages
from app.store.cache import Cache
from app.store.ordering import SortKey
from tests.api.conftest import KEY, Act, Asked, ScriptedService

Body = Callable[[bytes], bytes]
LIMITS = Limits(page_size=50, largest_page=50, first_pause=0.001, deadline=10.0)


def people(count: int = 240) -> list[dict[str, str]]:
    """As they are sent."""
    return [
        {"id": f"p{n}", "firstname": f"F{n}", "lastname": f"L{n % 17}", "email": f"{n}@x.org"}
        for n in range(count)
    ]


def paged(service: ScriptedService, everybody: list[dict[str, str]], change: Body = bytes) -> Act:
    """Pages of these people as they are then, each `change`d on its way."""
    asked_before = 0

    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        nonlocal asked_before
        asked_before += 1
        number, size = (int(asked.parameters.get(name, ["1"])[0]) for name in ("page", "page_size"))
        found = everybody[(number - 1) * size : number * size]
        page = {"page": number, "per_page": size, "total": len(everybody), "person": found}
        answer = {"generated_in": f"0.{asked_before}", "status": "ok", "people": page}
        body = change(json.dumps(answer, separators=(",", ":")).encode())
        await service.body(body, media="application/json")(asked, writer)

    return act


def fail(error: BaseException) -> None:
    raise error


@pytest.fixture
async def client(service: ScriptedService) -> AsyncIterator[ServiceClient]:
    async with ServiceClient(service.base_url, ApiKey(KEY), limits=LIMITS) as client:
        yield client


@pytest.fixture
async def cache(tmp_path: Path) -> AsyncIterator[Cache]:
    cache = Cache.open(tmp_path / "cache.db")
    yield cache
    await cache.close()


async def read(client: ServiceClient, cache: Cache) -> list[int]:
    """How many people each page gave to be taken in."""
    listing = client.people()
    listing.recognise(await cache.known_pages())
    given = [len(batch) async for batch in listing.pages()]
    assert listing.complete
    assert listing.received == listing.total
    return given


async def test_of_a_list_that_is_as_it_was_nobody_is_read_again(
    service: ScriptedService, client: ServiceClient, cache: Cache
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    everybody = people()
    service.answers(paged(service, everybody))
    for _ in range(3):
        result = await directory.refresh(client)
        assert (result.received, result.total, result.complete) == (240, 240, True)
        assert directory.count() == 240
    assert set(await read(client, cache)) == {0}
    everybody[77]["lastname"] = "Married"
    given = await read(client, cache)
    assert sum(bool(many) for many in given) <= 2  # pages overlap
    assert sum(given) >= 1


@pytest.mark.parametrize(
    "change",
    [
        lambda everybody: everybody[120].update(lastname="Married"),
        lambda everybody: everybody.pop(5),
        lambda everybody: everybody.insert(0, {"id": "new", "lastname": "New"}),
        lambda everybody: everybody.append({"id": "new", "lastname": "New"}),
        lambda everybody: everybody.reverse(),
        lambda everybody: everybody.clear(),
        lambda everybody: everybody.__setitem__(slice(100, 200), people(400)[300:]),
    ],
)
async def test_whatever_is_other_is_there_after_the_next_reading(
    service: ScriptedService,
    client: ServiceClient,
    cache: Cache,
    change: Callable[[list[dict[str, str]]], object],
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    everybody = people()
    service.answers(paged(service, everybody))
    for _ in range(2):
        await directory.refresh(client)
    for _ in range(2):
        change(everybody)
        await directory.refresh(client)
        ids = {each["id"]: each for each in everybody}
        known = await directory.people_by_id(ids)
        assert {key: one.lastname for key, one in known.items()} == {
            key: each["lastname"] for key, each in ids.items()
        }
        assert directory.count() == len(ids)
        assert directory.ordered_rows() == await cache.order(SortKey.LAST_NAME)


async def test_what_was_changed_here_becomes_what_the_account_says(
    service: ScriptedService, client: ServiceClient, cache: Cache
) -> None:
    directory = PeopleDirectory(cache, EventBus(fail))
    service.answers(paged(service, people()))
    await directory.refresh(client)
    await cache.save_people([Person(id="p7", lastname="Otherwise")])
    await directory.refresh(client)
    found = directory.person("p7")
    assert found is not None
    assert found.lastname == "L7"


async def test_a_service_that_takes_further_fields_by_now_is_found_out_though_nobody_changed(
    service: ScriptedService, cache: Cache
) -> None:
    takes_them = False

    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        further = takes_them and "preferred_name" in asked.parameters["fields[]"]
        called = {"preferred_name": "P"} if further else {}
        await paged(service, [each | called for each in people()])(asked, writer)

    async def called_by() -> list[str | None]:
        further = FurtherFields()  # as at the start of the program
        async with ServiceClient(
            service.base_url, ApiKey(KEY), limits=LIMITS, further=further
        ) as client:
            await directory.refresh(client)
        known = await directory.people_by_id(["p0", "p239"])
        return [known[key].preferred_name for key in ("p0", "p239")]

    directory = PeopleDirectory(cache, EventBus(fail))
    service.answers(act)
    assert await called_by() == [None, None]
    takes_them = True
    assert await called_by() == ["P", "P"]


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.replace(b'"status":"ok"', b'"status":"fail"'),
        lambda body: body.replace(b'"total":', b'"total":1,"total":', 1),
        lambda body: body.replace(b'"page":', b'"total":240,"page":', 1),
        lambda body: body[:-1],
        lambda body: body + b"}",
        lambda body: body.replace(b'{"id":"p9",', b'{"id":"p9","id":"p9",'),
        lambda body: body.replace(b'"F9"', b'"\\ud800"'),
        lambda body: body.replace(b'"F9"', b"NaN"),
        lambda body: body.replace(b'"F9"', b'"\xff"'),
        lambda body: body.replace(b'"id":"p9"', b'"id":""'),
        lambda body: body.replace(b'"total":240', b'"total":-1'),
        lambda body: body.replace(b'"total":240', b'"total":"240"'),
        lambda body: body.replace(b'"total":240', b'"total":241'),
        lambda body: body.replace(b'"total":240', b'"total":2.4.0'),
    ],
)
async def test_an_answer_is_judged_alike_whether_its_page_is_known_or_not(
    service: ScriptedService, client: ServiceClient, cache: Cache, change: Body
) -> None:
    async def told(directory: PeopleDirectory) -> tuple[object, ...]:
        service.answers(paged(service, people(), change))
        try:
            result: object = await directory.refresh(client)
        except ApiError as error:
            result = type(error), error.message
        missing = directory.missing if not isinstance(result, tuple) else None
        return result, missing and missing.unreadable

    known = PeopleDirectory(cache, EventBus(fail))
    service.answers(paged(service, people()))
    await known.refresh(client)
    fresh = Cache.open(None)
    assert await told(known) == await told(PeopleDirectory(fresh, EventBus(fail)))
    await fresh.close()


async def test_nobody_on_a_page_that_is_as_it_was_is_gone_however_many_others_have_changed(
    service: ScriptedService, client: ServiceClient, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_pages, "_MOST_CHANGED", 40)
    everybody = people()
    service.answers(paged(service, everybody))
    directory = PeopleDirectory(cache, EventBus(fail))
    await directory.refresh(client)
    await directory.refresh(client)
    for one in everybody[:60]:
        one["lastname"] = "Changed"
    result = await directory.refresh(client)
    assert result.complete
    assert directory.count() == len(everybody)
    kinds = {told.change.kind for told in await cache.changes(limit=1_000)}
    assert ChangeKind.GONE not in kinds
