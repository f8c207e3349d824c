"""The line at the foot: who waits, what is being read, how fresh the list is."""

import asyncio

import pytest

from app.api.errors import Unreachable
from app.model.outbox import EntryState
from app.viewmodels.people import PeopleScreen
from app.viewmodels.status import StatusLine
from app.viewmodels.wording import clock
from tests.viewmodels.conftest import ADA, BOB, NOON, Office, Told

LOST = Unreachable("No connection", "No connection.", outcome_unknown=True)
UP_TO_DATE = f"Up to date, {clock(NOON)}"


@pytest.fixture
def people(office: Office) -> PeopleScreen:
    return PeopleScreen(
        office.directory, office.outbox, office.events, office.scope, refresh=lambda: None
    )


@pytest.fixture
def line(office: Office, people: PeopleScreen) -> StatusLine:
    return StatusLine(people, office.directory, office.outbox, office.events, office.scope)


async def test_nothing_is_said_before_anything_has_happened(line: StatusLine) -> None:
    assert (line.words, line.progress) == ("", None)


async def test_it_says_when_the_list_was_read(office: Office, line: StatusLine) -> None:
    told = Told(line.changed)
    await office.list_people(ADA)
    assert line.words == UP_TO_DATE
    assert told.times


async def test_it_says_how_far_a_reading_has_come(office: Office, line: StatusLine) -> None:
    await office.list_people(ADA)
    gate = asyncio.Event()
    reading = asyncio.create_task(office.read([ADA], gate, [BOB], total=2))
    await office.until(lambda: line.progress is not None)
    assert (line.words, line.progress) == ("1 of 2", (1, 2))
    gate.set()
    await reading
    assert (line.words, line.progress) == (UP_TO_DATE, None)


async def test_a_reading_that_broke_off_is_told(
    office: Office, people: PeopleScreen, line: StatusLine
) -> None:
    with pytest.raises(Unreachable):
        await office.read([ADA], LOST, total=2)
    assert line.words == "1 of 2"
    told = Told(line.changed)
    people.stop_progress()
    assert (line.words, told.times) == ("", 1)


async def test_those_who_wait_are_counted_before_the_rest(office: Office, line: StatusLine) -> None:
    await office.list_people(ADA)
    told = Told(line.changed)
    entry = office.add("Zora")
    assert told.since()
    assert line.words == f"1 waiting to be sent   {UP_TO_DATE}"
    office.add("Yan")
    assert line.words == f"2 waiting to be sent   {UP_TO_DATE}"
    told.since()
    office.outbox.undo(entry.id)
    assert told.since()
    assert line.words == f"1 waiting to be sent   {UP_TO_DATE}"


async def test_those_who_need_somebody_are_counted_too(office: Office, line: StatusLine) -> None:
    office.scripted.answers = [LOST, LOST]
    first = await office.sent(office.add("Zora"), EntryState.NOT_SURE)
    assert line.words == "1 needs you"
    await office.sent(office.add("Yan"), EntryState.NOT_SURE)
    office.add("Xenia")
    assert line.words == "1 waiting to be sent   2 need you"
    office.outbox.dismiss(first.id)
    assert line.words == "1 waiting to be sent   1 needs you"


async def test_those_who_were_added_are_counted_no_more(office: Office, line: StatusLine) -> None:
    await office.sent(office.add("Zora"), EntryState.ADDED)
    assert line.words == ""
