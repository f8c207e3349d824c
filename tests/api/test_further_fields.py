"""Fields of a person beyond the document: read as sent, asked for only where that costs nobody."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.api.auth import ApiKey
from app.api.client import ServiceClient
from app.api.errors import ServiceFault
from app.api.formats import decode
from app.api.formats.tree import Tree
from app.api.pagination.people_pages import FurtherFields
from app.api.requests import Limits
from app.api.resources import read_created, read_person
from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.store.cache import Cache
from tests.api.conftest import KEY, Asked

if TYPE_CHECKING:
    from tests.api.conftest import ScriptedService

LIMITS = Limits(deadline=10, first_pause=0.001, page_size=20, largest_page=20, pages_at_once=1)

MO: dict[str, Tree] = {
    "id": "7",
    "firstname": "Jonathan",
    "preferred_name": "Jonny",
    "deceased": "1",
    "contact": "0",
    "family_id": "f-1",
    "family_relationship": "Spouse",
    "picture": "https://pictures.example/7.png",
    "shoe_size": "38",
}
READ = Person(
    id="7",
    firstname="Jonathan",
    preferred_name="Jonny",
    deceased=True,
    others=(
        ("contact", "0"),
        ("family_relationship", "Spouse"),
        ("family_id", "f-1"),
        ("picture", "https://pictures.example/7.png"),
    ),
)


def test_fields_beyond_the_documents_are_kept_as_sent() -> None:
    assert read_person(MO) == READ


@pytest.mark.parametrize(
    ("format_name", "body"),
    [
        (
            "xml",
            (
                b"<rsp><person id='7' deceased='1' contact='0'><firstname>Jonathan</firstname>"
                b"<preferred_name>Jonny</preferred_name><family_id>f-1</family_id>"
                b"<family_relationship>Spouse</family_relationship>"
                b"<picture>https://pictures.example/7.png</picture></person></rsp>"
            ),
        ),
        (
            "xml",
            (
                b"<rsp><person id='7' firstname='Jonathan' preferred_name='Jonny' deceased='yes' "
                b"contact='0' family_id='f-1' family_relationship='Spouse' "
                b"picture='https://pictures.example/7.png'/></rsp>"
            ),
        ),
        (
            "php",
            (
                b'a:1:{s:6:"person";a:8:{s:2:"id";s:1:"7";s:9:"firstname";s:8:"Jonathan";'
                b's:14:"preferred_name";s:5:"Jonny";s:8:"deceased";i:1;s:7:"contact";i:0;'
                b's:9:"family_id";s:3:"f-1";s:19:"family_relationship";s:6:"Spouse";'
                b's:7:"picture";s:30:"https://pictures.example/7.png";}}'
            ),
        ),
    ],
)
def test_they_are_read_in_every_format(format_name: str, body: bytes) -> None:
    tree = decode(body, format_name)
    assert isinstance(tree, dict)
    assert read_created(tree) == READ


@pytest.mark.parametrize(
    ("field", "sent", "shown"),
    [
        ("family", "", ""),
        ("family", 12, "12"),
        ("family", "x" * 5_000, "x" * 999 + "…"),
    ],
)
def test_a_further_field_is_text_of_a_bounded_length(field: str, sent: Tree, shown: str) -> None:
    person = read_person({"id": "1", field: sent})
    assert person is not None
    assert person.others == ((field, shown),)


@pytest.mark.parametrize(
    ("sent", "deceased"),
    [("0", False), ("", None), (None, None), (1, True)],
)
def test_somebody_has_died_where_a_flag_says_so(sent: Tree, deceased: bool | None) -> None:
    person = read_person({"id": "1", "deceased": sent})
    assert person is not None
    assert person.deceased is deceased


def test_a_picture_in_the_place_of_its_address_is_no_text() -> None:
    person = read_person({"id": "1", "picture": "data:image/png;base64,AAAA", "family": None})
    assert person == Person(id="1")


# Asking for them


def everybody(many: int = 50) -> list[dict[str, Any]]:
    return [{"id": str(n), "firstname": "A", "lastname": str(n), "email": ""} for n in range(many)]


def more(page: dict[str, Any], _number: int) -> "dict[str, Any] | int":
    return {**page, "person": [{**each, "preferred_name": "P"} for each in page["person"]]}


class PagedService:
    """A service with pages; `does` is what it makes of one where further fields are asked for, and
    `hidden` how many of those at the end it counts and does not show.
    """

    def __init__(self, service: "ScriptedService", many: int = 50) -> None:
        self.does: Callable[[dict[str, Any], int], dict[str, Any] | int] = more
        self.hidden = 0
        self.service = service
        self.people = everybody(many)
        self.requests: list[tuple[int, bool]] = []
        service.answers(self.act)

    async def act(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        number, size = (int(asked.parameters[name][0]) for name in ("page", "page_size"))
        further = "deceased" in asked.parameters["fields[]"]
        self.requests.append((number, further))
        shown = self.people[: len(self.people) - self.hidden]
        found = shown[(number - 1) * size : number * size]
        page = {"total": len(self.people), "per_page": size, "page": number, "person": found}
        answer = self.does(page, number) if further else page
        act = (
            self.service.fail(answer, 250)
            if isinstance(answer, int)
            else self.service.tree({"status": "ok", "generated_in": "0.1", "people": answer})
        )
        await act(asked, writer)

    @property
    def asked_for_more(self) -> list[int]:
        return [number for number, further in self.requests if further]


async def listed(office: PagedService, further: FurtherFields | None) -> tuple[list[Person], bool]:
    office.requests.clear()
    client = ServiceClient(office.service.base_url, ApiKey(KEY), limits=LIMITS, further=further)
    async with client:
        listing = client.people()
        return [person async for person in listing], listing.complete


async def test_they_come_where_the_service_takes_being_asked(service: "ScriptedService") -> None:
    office, further = PagedService(service), FurtherFields()
    people, complete = await listed(office, further)
    assert ([person.preferred_name for person in people], complete) == (["P"] * 50, True)
    assert office.requests.count((1, False)) == 1
    again, _ = await listed(office, further)
    assert again == people
    assert all(asked for _, asked in office.requests)


async def test_nobody_is_asked_who_does_not_want_them(service: "ScriptedService") -> None:
    office = PagedService(service)
    assert len((await listed(office, None))[0]) == 50
    assert office.asked_for_more == []


Does = Callable[[dict[str, Any]], dict[str, Any] | int]
BADLY: dict[str, Does] = {
    "refuses": lambda _: 400,
    "breaks down": lambda _: 500,
    "does not allow it": lambda _: 401,
    "says that there is nobody": lambda _: 404,
    "gives no list": lambda _: {"message": "fields?"},
    "leaves somebody out": lambda page: {**page, "person": page["person"][1:]},
    "counts fewer": lambda page: {**page, "total": 20},
    "leaves the email out": lambda page: {
        **page,
        "person": [{"id": each["id"], "preferred_name": "P"} for each in page["person"]],
    },
    "gives others": lambda page: {
        **page,
        "person": [{**each, "id": f"x{each['id']}"} for each in page["person"]],
    },
}


@pytest.mark.parametrize("badly", BADLY)
async def test_a_service_that_does_not_take_it_is_asked_once_and_gives_the_list_it_has(
    service: "ScriptedService", badly: str
) -> None:
    plain = await listed(PagedService(service), None)
    office, further = PagedService(service), FurtherFields()
    office.does = lambda page, _number: BADLY[badly](page)
    assert await listed(office, further) == plain
    assert set(office.asked_for_more) == {1}
    assert await listed(office, further) == plain
    assert office.asked_for_more == []


@pytest.mark.parametrize(
    "badly", ["refuses", "breaks down", "gives no list", "leaves somebody out"]
)
async def test_a_later_page_that_suffers_from_them_is_had_without(
    service: "ScriptedService", badly: str
) -> None:
    office, further = PagedService(service), FurtherFields()
    office.does = lambda page, number: BADLY[badly](page) if number > 1 else more(page, number)
    people, complete = await listed(office, further)
    assert ([person.id for person in people], complete) == ([str(n) for n in range(50)], True)
    assert further.taken is False
    await listed(office, further)
    assert office.asked_for_more == []


async def test_a_service_that_is_ill_anyway_is_not_said_to_mind_the_fields(
    service: "ScriptedService",
) -> None:
    office, further = PagedService(service), FurtherFields()
    await listed(office, further)
    service.answers(service.fail(500, 500))
    with pytest.raises(ServiceFault):
        await listed(office, further)
    assert further.taken


async def test_a_service_that_takes_no_parameters_any_more_is_asked_without_any(
    service: "ScriptedService",
) -> None:
    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        refuses = service.fail(400, 250) if "fields[]" in asked.parameters else None
        await (refuses or service.people("1", "2", total=2))(asked, writer)

    office, further = PagedService(service), FurtherFields()
    await listed(office, further)
    assert further.taken
    service.answers(act)
    people, complete = await listed(office, further)
    assert ([person.id for person in people], complete) == (["1", "2"], True)
    assert further.taken is False


async def test_a_page_that_is_short_either_way_is_looked_into_once(
    service: "ScriptedService",
) -> None:
    office, further = PagedService(service, 90), FurtherFields()
    office.hidden = 8
    _, complete = await listed(office, further)
    assert (complete, further.taken) == (False, True)
    assert len([number for number, asked_more in office.requests if not asked_more]) == 2


async def test_a_service_that_is_slow_is_not_asked_a_second_time(
    service: "ScriptedService",
) -> None:
    office, further = PagedService(service), FurtherFields()
    limits = Limits(deadline=10, first_pause=0.001, page_size=20, page_seconds=0.0)
    async with ServiceClient(
        service.base_url, ApiKey(KEY), limits=limits, further=further
    ) as client:
        assert len([person async for person in client.people()]) == 50
    assert (office.asked_for_more, further.taken) == ([], None)


async def test_the_pages_are_as_large_as_the_first_was_fast_whatever_became_of_the_question(
    service: "ScriptedService",
) -> None:
    people, sizes, wait = everybody(300), [], 0.3

    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        number, size = (int(asked.parameters[name][0]) for name in ("page", "page_size"))
        if "deceased" in asked.parameters["fields[]"]:
            await asyncio.sleep(wait)
            await service.fail(429, 250)(asked, writer)
            return
        sizes.append(size)
        found = people[(number - 1) * size : number * size]
        page = {"total": len(people), "per_page": size, "page": number, "person": found}
        await service.tree({"status": "ok", "generated_in": "0.1", "people": page})(asked, writer)

    service.answers(act)
    limits = Limits(
        deadline=10, tries=1, first_pause=0.001, page_size=20, page_seconds=1.0, pages_at_once=1
    )
    async with ServiceClient(
        service.base_url, ApiKey(KEY), limits=limits, further=FurtherFields()
    ) as client:
        assert len([person async for person in client.people()]) == len(people)
    assert max(sizes) > 20 * limits.page_seconds / wait


async def test_what_comes_unasked_is_not_asked_for(service: "ScriptedService") -> None:
    office, further = PagedService(service), FurtherFields()
    for each in office.people:
        each |= {"preferred_name": "P", "deceased": "0"}
    people, _ = await listed(office, further)
    assert {person.preferred_name for person in people} == {"P"}
    assert office.asked_for_more == []


async def test_a_service_that_takes_no_parameters_is_asked_without_any(
    service: "ScriptedService",
) -> None:
    async def act(asked: Asked, writer: asyncio.StreamWriter) -> None:
        refuses = service.fail(400, 250) if "fields[]" in asked.parameters else None
        await (refuses or service.people("1", "2", total=2))(asked, writer)

    service.answers(act)
    async with ServiceClient(
        service.base_url, ApiKey(KEY), limits=LIMITS, further=FurtherFields()
    ) as client:
        assert [person.id async for person in client.people()] == ["1", "2"]
    assert sum("deceased" in asked.target for asked in service.asked) == 0


async def test_nobody_is_gone_whom_the_service_leaves_out_for_their_sake(
    service: "ScriptedService", tmp_path: Path
) -> None:
    """It was found to take them when it was first asked, and minds them since."""
    office, further = PagedService(service), FurtherFields()
    cache = Cache.open(tmp_path / "cache.db")
    directory = PeopleDirectory(cache, EventBus(_fail))
    client = ServiceClient(service.base_url, ApiKey(KEY), limits=LIMITS, further=further)
    async with client:
        await directory.refresh(client)
        assert further.taken
        others = [each for each in office.people if each["id"] != "7"]
        office.does = lambda page, number: {
            **page,
            "total": len(others),
            "person": others[(number - 1) * 20 : number * 20],
        }
        result = await directory.refresh(client)
        assert (result.complete, result.received, further.taken) == (True, 50, False)
        assert directory.row_of("7") is not None
        assert await cache.changes() == []
        # Who is gone either way is.
        del office.people[7]
        further.taken, office.does = True, more
        await directory.refresh(client)
        assert directory.row_of("7") is None
        assert further.taken
        office.requests.clear()
        await directory.refresh(client)
        assert all(asked for _, asked in office.requests)
    await cache.close()


def _fail(error: BaseException) -> None:
    raise error
