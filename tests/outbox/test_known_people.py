"""The directory as the outbox asks it: people of one name, whether the list is whole, and that
whoever was added stands in it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, cast

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import NewPerson
from app.model.person import Person
from app.outbox.events import PersonAdded
from app.outbox.known_people import DirectoryPeople
from app.people.directory import PeopleDirectory
from app.runtime.events import EventBus
from app.runtime.tasks import TaskScope
from app.store.cache import Cache
from app.store.errors import StoreError
from tests.outbox.conftest import Listing
from tests.store.outbox_entries import entry

if TYPE_CHECKING:
    from app.api.service import Service


class Room:
    """A directory before a service that lists what it is given."""

    def __init__(self) -> None:
        self.crashes: list[BaseException] = []
        self.events = events = EventBus(self.crashes.append)
        self.scope = TaskScope("list", self.crashes.append, ExpectedError)
        self.cache = Cache.open(None)
        self.directory = PeopleDirectory(self.cache, events)
        self.known = DirectoryPeople(self.directory, events, self.scope, self._refresh)
        self._listing = Listing()

    def people(self) -> Listing:
        return self._listing

    async def read(self, people: Sequence[Person], total: int | None = None) -> bool:
        self._listing = Listing(people, total=total)
        return await self.known.read_again()

    async def _refresh(self) -> bool:
        return (await self.directory.refresh(cast("Service", self))).complete


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    """Nobody is known yet."""
    room = Room()
    await room.directory.open()
    yield room
    await room.scope.close()
    await room.cache.close()


def person(number: int, firstname: str | None, lastname: str | None) -> Person:
    return Person(id=f"p{number}", firstname=firstname, lastname=lastname, email=f"{number}@x.org")


async def names(room: Room, firstname: str, lastname: str) -> list[str]:
    found = await room.known.namesakes(NewPerson(firstname=firstname, lastname=lastname))
    return sorted(person.id for person in found)


async def test_people_of_one_name_are_found_however_it_is_written(room: Room) -> None:
    await room.read(
        [
            person(1, "Zoë", "O'Brien"),
            person(2, "ZOE", "Obrien"),
            person(3, "Zoë", "O'Brien-Roy"),
            person(4, "Zoë Ann", "O'Brien"),
            person(5, "O'Brien", "Zoë"),
            person(6, "Madonna", ""),
            person(7, None, "Øst"),
            *(person(number, f"First{number}", "Last") for number in range(100, 9_000)),
        ]
    )
    assert await names(room, "zoe", "o’brien") == ["p1", "p2"]
    assert await names(room, "MADONNA", "") == ["p6"]
    assert await names(room, "", "Øst") == ["p7"]
    assert await names(room, "First8999", "Last") == ["p8999"]
    assert await names(room, "First", "Last") == []


async def test_a_list_is_whole_once_it_was_read_to_its_end(room: Room) -> None:
    told = [room.known.whole]
    for total in (1, 5, 1):
        assert await room.read([person(1, "A", "B")], total) is (total == 1)
        told.append(room.known.whole)
    assert told == [False, True, False, True]


@pytest.mark.parametrize(
    ("listed", "typed"),
    [
        ("O&#039;Brien", "O'Brien"),
        ("O&#39;Brien", "O'Brien"),
        ("O&#x27;Brien", "O’Brien"),
        ("O&apos;Brien", "O'Brien"),
        ("O&amp;#039;Brien", "O'Brien"),
        ("O'Brien", "O&#039;Brien"),
        ("&Oslash;st", "Øst"),
        ("M&uuml;ller", "Müller"),
        ("Fish &amp; Sons", "Fish & Sons"),
        ("Bo &quot;B&quot; &lt;Co&gt;", 'Bo "B" <Co>'),
    ],
)
async def test_names_listed_with_entities_are_those_that_were_typed(
    room: Room, listed: str, typed: str
) -> None:
    await room.read([person(1, listed, listed), person(2, "Bo", "Brien")])
    assert await names(room, typed, typed) == ["p1"]
    found = room.directory.person("p1")
    assert found is not None
    assert found.lastname == listed  # shown as it was sent


async def test_what_only_looks_like_an_entity_is_left_as_it_is(room: Room) -> None:
    await room.read([person(1, "R&D", "A&notin"), person(2, "&#99999999;", "&;&nosuchname;")])
    assert await names(room, "R&D", "A&notin") == ["p1"]
    assert await names(room, "&#99999999;", "&;&nosuchname;") == ["p2"]


async def settle(room: Room) -> None:
    async with asyncio.timeout(20):
        while room.scope.busy:  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.001)


async def test_whoever_was_added_stands_in_the_list(room: Room) -> None:
    room.events.publish(PersonAdded(entry(1), person(1, "Ada", "Lovelace")))
    await settle(room)
    row = room.directory.row_of("p1")
    assert row is not None
    assert room.directory.people([row])[row].firstname == "Ada"


async def test_a_list_that_cannot_take_them_is_no_crash(
    room: Room, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_person: Person) -> int:
        raise StoreError("No room", "There is no room on this computer.", details="disk full")

    monkeypatch.setattr(room.directory, "took", full)
    room.events.publish(PersonAdded(entry(1), person(1, "Ada", "Lovelace")))
    await settle(room)
    assert room.crashes == []
    assert "could not be put into the list" in caplog.text
    assert "Ada" not in caplog.text
