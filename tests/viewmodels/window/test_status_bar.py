"""The status bar: who waits, what is being read, how fresh the list is."""

import asyncio
from datetime import datetime, tzinfo
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.api.errors import InputRefused, Unreachable
from app.model.outbox import BatchRow, Doubt, EntryState, NewPerson
from app.outbox.events import PauseReason
from app.people.search import PeopleFilter
from app.viewmodels.formatting import clock, day_and_clock
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.window.status_bar import StatusBarScreen, waiting_words
from tests.viewmodels.conftest import ADA, BOB, NOON, AccountFixture, Told
from tests.viewmodels.people.people_room import screen_of
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture

AWAY = Unreachable("No connection", "No connection.")
LOST = Unreachable("No connection", "No connection.", outcome_unknown=True)
UP_TO_DATE = f"As of {day_and_clock(NOON)}"


@pytest.fixture
def people(account: AccountFixture) -> PeopleScreen:
    return PeopleScreen(account.directory, account.outbox, account.events, account.scope)


@pytest.fixture
def line(account: AccountFixture, people: PeopleScreen) -> StatusBarScreen:
    return StatusBarScreen(people, account.directory, account.outbox, account.events, account.scope)


def words(line: StatusBarScreen) -> str:
    """Everything it says."""
    state = line.state
    parts = (state.waiting_words, state.looked_for_words, state.needed_words)
    people = ", ".join(part for part in parts if part)
    return "   ".join(part for part in (people, state.freshness_words) if part)


async def test_nothing_is_said_before_anything_has_happened(line: StatusBarScreen) -> None:
    assert (words(line), line.state.progress) == ("", None)


async def test_it_says_when_the_list_was_read(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    told = Told(line.state_changed)
    await account.list_people(ADA)
    assert words(line) == UP_TO_DATE
    assert told.times


async def test_it_says_who_was_added_last_and_when(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    first = account.add("Zora", "Neale")
    assert line.state.added_words == ""
    added = await account.sent(first, EntryState.ADDED)
    assert added.ended_at is not None
    assert line.state.added_words == f"Zora Neale added, {clock(added.ended_at)}"
    account.scripted.answers = [InputRefused("Refused", "Too long.")]
    await account.sent(account.add("Ada"), EntryState.REFUSED)
    assert line.state.added_words.startswith("Zora Neale added")
    await account.sent(account.add("Yan", "Li"), EntryState.ADDED)
    assert line.state.added_words.startswith("Yan Li added")


async def test_the_last_of_a_list_is_told_once_the_list_has_ended(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    said: list[str] = []
    line.state_changed.connect(lambda state: said.append(state.added_words))
    await account.sent(account.add("Zora", "Neale"), EntryState.ADDED)
    people = [NewPerson(firstname=name) for name in ("Ada", "Bob", "Eve")]
    rows = [BatchRow(at, (one.firstname,), one) for at, one in enumerate(people)]
    await account.outbox.batches.take("choir.csv", ("Name",), rows)
    account.outbox.send_now()
    await account.until(lambda: line.state.added_words.startswith("Eve added"))
    assert line.state.batches_words == ""
    assert not [one for one in said if one.startswith(("Ada", "Bob"))]


async def test_it_says_how_far_a_reading_has_come(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    await account.list_people(ADA)
    gate = asyncio.Event()
    reading = asyncio.create_task(account.read([ADA], gate, [BOB], total=2))
    await account.until(lambda: line.state.progress is not None)
    assert (words(line), line.state.progress) == ("1 of 2", (1, 2))
    gate.set()
    await reading
    assert (words(line), line.state.progress) == (UP_TO_DATE, None)


async def test_a_reading_that_broke_off_is_told(
    account: AccountFixture, people: PeopleScreen, line: StatusBarScreen
) -> None:
    with pytest.raises(Unreachable):
        await account.read([ADA], LOST, total=2)
    assert words(line) == "1 of 2"
    told = Told(line.state_changed)
    people.stop_progress()
    assert (words(line), told.times) == ("", 1)


async def test_those_who_wait_are_counted_before_the_rest(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    await account.list_people(ADA)
    told = Told(line.state_changed)
    entry = account.add("Zora")
    assert told.since()
    assert words(line) == f"1 waiting   {UP_TO_DATE}"
    account.add("Yan")
    assert words(line) == f"2 waiting   {UP_TO_DATE}"
    told.since()
    account.outbox.undo(entry.id)
    assert told.since()
    assert words(line) == f"1 waiting   {UP_TO_DATE}"


async def test_those_who_need_somebody_are_counted_too(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    account.scripted.answers = [LOST, LOST]
    first = await account.sent(account.add("Zora"), EntryState.NOT_SURE)
    assert words(line) == "1 needs you"
    await account.sent(account.add("Yan"), EntryState.NOT_SURE)
    account.add("Xenia")
    assert words(line) == "1 waiting, 2 need you"
    account.outbox.dismiss(first.id)
    assert words(line) == "1 waiting, 1 needs you"


async def test_those_who_were_added_are_counted_no_more(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    await account.sent(account.add("Zora"), EntryState.ADDED)
    assert words(line) == ""


async def test_a_list_read_on_this_day_is_called_up_to_date(
    account: AccountFixture, line: StatusBarScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnThatDay(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "OnThatDay":
            return cls(NOON.year, NOON.month, NOON.day, NOON.hour, 1, tzinfo=tz)

    monkeypatch.setattr("app.viewmodels.formatting.datetime", OnThatDay)
    await account.list_people(ADA)
    assert words(line) == f"Up to date, {clock(NOON)}"


async def test_those_who_wait_say_what_for(account: AccountFixture, line: StatusBarScreen) -> None:
    account.scripted.answers = [AWAY]
    account.add("Zora")
    account.outbox.send_now()
    await account.until(lambda: bool(line.state.waiting_details))
    assert line.state.waiting_words == "1 waiting for the connection"
    assert line.state.waiting_details == AWAY.message


async def test_those_who_wait_can_be_gone_to_also_when_search_and_filter_hide_them(
    account: AccountFixture, people: PeopleScreen, line: StatusBarScreen
) -> None:
    await account.list_people(ADA)
    entry = account.add("Zora")
    people.search("ada")
    people.show_only(PeopleFilter.ARCHIVED)
    assert people.table.position_of(entry.id) is None
    assert line.choose_waiting()
    assert people.selection.first == entry.id
    assert people.table.position_of(entry.id) is not None
    assert not line.choose_needed()


async def test_those_who_need_somebody_can_be_gone_to(
    account: AccountFixture, people: PeopleScreen, line: StatusBarScreen
) -> None:
    account.scripted.answers = [LOST]
    lost = await account.sent(account.add("Zora"), EntryState.NOT_SURE)
    account.add("Yan")
    assert line.choose_needed()
    assert people.selection.first == lost.id


@pytest.fixture
def on_that_day(monkeypatch: pytest.MonkeyPatch) -> None:
    class OnThatDay(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "OnThatDay":
            return cls(NOON.year, NOON.month, NOON.day, NOON.hour, 1, tzinfo=tz)

    monkeypatch.setattr("app.viewmodels.formatting.datetime", OnThatDay)


@pytest.mark.usefixtures("on_that_day")
async def test_a_list_is_not_called_up_to_date_while_the_line_is_down(
    account: AccountFixture, line: StatusBarScreen
) -> None:
    await account.list_people(ADA)
    assert line.state.freshness_words == f"Up to date, {clock(NOON)}"
    told = Told(line.state_changed)
    line.follow_lists(reading=False, in_touch=False)
    assert (line.state.freshness_words, told.times) == (f"List as of {clock(NOON)}", 1)
    line.follow_lists(reading=False, in_touch=False)
    assert told.times == 1


async def test_a_reading_is_told_before_anybody_has_come(line: StatusBarScreen) -> None:
    line.follow_lists(reading=True, in_touch=True)
    state = line.state
    assert (state.freshness_words, state.under_way, state.progress) == (
        "Reading both lists",
        True,
        None,
    )
    line.follow_lists(reading=False, in_touch=True)
    assert (line.state.freshness_words, line.state.under_way) == ("", False)


async def test_those_who_are_looked_for_stand_apart_from_those_who_need_somebody(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> None:
    account = ReconcilingAccountFixture(tmp_path / "private" / "outbox.db", looks=(600.0,))
    await account.open()
    await account.list_people(ADA)
    people = screen_of(account)
    line = StatusBarScreen(people, account.directory, account.outbox, account.events, account.scope)
    account.scripted.answers = [InputRefused("Refused", "Too long.")]
    refused = await account.sent(account.add("Yan", "Li"), EntryState.REFUSED)
    lost = await account.lose("Zora", "Neale")
    await account.doubted(lost, Doubt.LOOKING)
    account.add("Xenia")
    assert words(line) == f"1 waiting, 1 being looked for, 1 needs you   {UP_TO_DATE}"
    assert line.choose_looked_for()
    assert people.selection.first == lost.id
    assert line.choose_needed()
    assert people.selection.first == refused.id
    await account.close()
    assert account.crashes == []


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (None, "2 waiting"),
        (PauseReason.UNREACHABLE, "2 waiting for the connection"),
        (PauseReason.SERVICE_FAULT, "2 waiting for the service"),
        (PauseReason.SIGN_IN, "2 waiting for you to sign in"),
        (PauseReason.OTHER_ORGANISATION, "2 waiting until it is certain whose list this is"),
        (PauseReason.NO_ROOM, "2 waiting for room on this computer"),
        (PauseReason.BY_HAND, "2 waiting, paused"),
    ],
)
def test_every_reason_to_wait_has_its_words(reason: PauseReason | None, said: str) -> None:
    assert waiting_words(2, reason) == said
