"""Lists under way: how far they are, paused, stopped, taken back, and told by quarters."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.api.errors import ApiError, TooManyRequests, Unreachable
from app.model.outbox import BatchRow, NewPerson
from app.model.person import Person
from app.outbox.batches import BatchProgress
from app.outbox.events import BatchesChanged, PauseReason
from app.viewmodels.formatting import moment_words
from app.viewmodels.importing.progress import (
    ProgressFacts,
    ProgressScreen,
    ProgressState,
    progress_state,
    progress_words,
)
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.viewmodels.importing.list_import import ReturnedList

NO = ApiError("Refused", "The account takes one person per email.")
UNREACHABLE = Unreachable("No connection", "No connection.")
HEADINGS = ("Name", "Class")


def row(line: int, name: str) -> BatchRow:
    return BatchRow(line, (name, f"class {line}"), NewPerson(firstname=name, lastname="Lovelace"))


def rows(count: int) -> "list[BatchRow]":
    return [row(line, f"Ada{line}") for line in range(2, count + 2)]


class Room:
    """A screen over the outbox of an account."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.screen = ProgressScreen(account.outbox, account.events, account.scope)
        self.states: list[ProgressState] = []
        self.returned: list[ReturnedList] = []
        self.failed: list[Exception] = []
        self.screen.state_changed.connect(self.states.append)
        self.screen.returned.connect(self.returned.append)
        self.screen.failed.connect(self.failed.append)

    async def take(self, count: int, name: str = "lunch.xlsx") -> str:
        batch = await self.account.outbox.batches.take(name, HEADINGS, rows(count))
        return batch.id

    @property
    def words(self) -> "Sequence[str]":
        return [one.progress_words for one in self.screen.state.lists]

    async def until_words(self, *words: str) -> None:
        await self.account.until(lambda: tuple(self.words) == words)


def known(**other: object) -> BatchProgress:
    facts: dict[str, object] = {
        "id": "b", "name": "lunch.xlsx", "total": 27, "added": 12, "refused": 1, "not_sure": 0,
        "not_sent": 0, "waiting": 14, "paused": False, "undoable": False, "ended": False,
        "end": None, "pace": 36.0, "seconds_left": 19.0,
    }  # fmt: skip
    return BatchProgress(**facts | other)  # type: ignore[arg-type]  # each is what it is above


@pytest.mark.parametrize(
    ("one", "pause", "words"),
    [
        (known(), None, "12 of 27 added, 1 refused, about 20 seconds left"),
        (known(refused=0, seconds_left=4.0), None, "12 of 27 added, a few seconds left"),
        (known(refused=0, seconds_left=70.0), None, "12 of 27 added, about 1 minute left"),
        (known(refused=0, seconds_left=9000.0), None, "12 of 27 added, about 2 hours left"),
        (known(refused=0, seconds_left=None), None, "12 of 27 added"),
        (known(refused=0, paused=True), None, "12 of 27 added, paused"),
        (known(refused=0), PauseReason.UNREACHABLE, "12 of 27 added, waiting for the connection"),
        (known(refused=0), PauseReason.SERVICE_FAULT, "12 of 27 added, waiting for the service"),
        (
            known(added=0, refused=0, waiting=27, undoable=True),
            None,
            "0 of 27 added, not sent yet, Ctrl+Z takes all of them back",
        ),
        (
            known(added=24, refused=2, not_sure=1, waiting=0, ended=True),
            PauseReason.UNREACHABLE,
            "24 of 27 added, 2 refused, 1 not sure",
        ),
        (
            known(refused=0, paused=True, left_out=7),
            None,
            "12 of 27 added, paused, 7 left out",
        ),
        (
            known(added=27, refused=0, waiting=0, ended=True, left_out=7),
            None,
            "27 of 27 added, 7 left out",
        ),
        (
            known(refused=0, not_sent=15, waiting=0, ended=True, came_late=1),
            None,
            "12 of 27 added, 15 not sent, 1 of them only came back after it was stopped",
        ),
    ],
)
def test_a_list_says_how_far_it_is_and_what_it_waits_for(
    one: BatchProgress, pause: PauseReason | None, words: str
) -> None:
    assert progress_words(one, pause) == words


def test_the_status_bar_says_all_that_are_under_way_and_only_two_have_a_line() -> None:
    lists = (known(), known(id="c", total=3, added=1, waiting=2), known(id="d", added=0, total=5))
    state = progress_state(ProgressFacts(lists=(*lists, known(id="e", ended=True))))
    assert [one.id for one in state.lists] == ["b", "c"]
    assert state.more_words == "and 2 more lists"
    assert state.status_bar_words == "13 of 35 added"
    assert progress_state(ProgressFacts(lists=(known(ended=True),))).status_bar_words == ""


async def test_lists_that_are_called_alike_are_told_apart_by_when_they_were_taken(
    account: AccountFixture,
) -> None:
    room = Room(account)
    await room.take(2, "lunch.xlsx")
    await room.take(2, "choir.csv")
    assert room.screen.state.lists[0].name_words == "Adding from lunch.xlsx"
    await room.take(2, "lunch.xlsx")
    (batch, *_) = account.outbox.batches.all()
    time = moment_words(batch.taken_at)
    assert room.screen.state.lists[0].name_words == f"Adding from lunch.xlsx, {time}"
    assert room.screen.state.lists[1].name_words == "Adding from choir.csv"
    assert room.screen.state.more_words == "and 1 more list"
    assert room.screen.state.more_than_one_words == "and 2 more lists"


async def test_a_list_is_shown_from_when_it_is_taken_until_it_is_put_away(
    account: AccountFixture,
) -> None:
    account.outbox.set_hold_seconds(0.0)
    account.scripted.answers = [NO]
    room = Room(account)
    assert room.screen.state == ProgressState()
    batch = await room.take(4)
    await room.until_words("3 of 4 added, 1 refused")
    (line,) = room.screen.state.lists
    assert (line.name_words, line.done, line.total) == ("Added from lunch.xlsx", 4, 4)
    assert (line.pause_words, line.stop_words) == ("", "Close")
    room.screen.stop(batch)
    assert [one.id for one in room.screen.state.lists] == [batch]
    room.screen.put_away(batch)
    assert room.words == []
    assert room.returned == []


async def test_a_list_that_comes_puts_those_away_that_were_added_whole(
    account: AccountFixture,
) -> None:
    account.outbox.set_hold_seconds(0.0)
    account.scripted.answers = [NO]
    room = Room(account)
    await room.take(2, "refused.csv")
    await room.until_words("1 of 2 added, 1 refused")
    await room.take(2, "whole.csv")
    await room.until_words("1 of 2 added, 1 refused", "2 of 2 added")
    await room.take(3, "new.csv")
    await room.until_words("1 of 2 added, 1 refused", "3 of 3 added")


async def test_a_list_that_has_ended_is_shown_on_where_all_is_built_anew(
    account: AccountFixture,
) -> None:
    room, another = Room(account), Room(account)
    await room.take(3)
    account.outbox.send_now()
    await room.until_words("3 of 3 added")
    again = Room(account)
    assert again.words == []
    again.screen.take_over(another.screen)
    assert again.words == ["3 of 3 added"]


async def test_a_paused_list_says_so_and_goes_on(account: AccountFixture) -> None:
    room = Room(account)
    batch = await room.take(3)
    room.screen.pause_or_go_on(batch)
    account.outbox.send_now()
    assert room.words == ["0 of 3 added, paused"]
    assert room.screen.state.lists[0].pause_words == "Go on"
    await asyncio.sleep(0.02)
    assert account.scripted.created == []
    room.screen.pause_or_go_on(batch)
    account.outbox.send_now()
    await room.until_words("3 of 3 added")


async def test_who_was_not_sent_comes_back_to_be_looked_over_with_what_is_kept_beside(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.batches._ON_THE_WAY", 0.0)
    account.outbox.set_hold_seconds(0.0)
    held = asyncio.Event()
    account.scripted.answers = [held] * 4
    room = Room(account)
    batch = await room.take(6)
    await account.until(lambda: len(account.scripted.answers) < 4)
    room.screen.stop(batch)
    await account.until(lambda: bool(room.returned))
    table = room.returned[0].table
    assert table.name == "lunch.xlsx"
    assert table.headings == ("First name", "Last name", "Email", "Class")
    assert table.rows[-1].cells == ("Ada7", "Lovelace", "", "class 7")
    assert room.screen.state.lists == ()
    held.set()
    await account.until(lambda: len(account.scripted.created) + len(table.rows) == 6)


async def test_whoever_comes_back_long_after_the_stop_is_told_until_that_is_put_away(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.outbox.batches._ON_THE_WAY", 0.0)
    account.outbox.set_hold_seconds(0.0)
    held, asked = asyncio.Event(), asyncio.Event()

    async def too_late(*_name: str) -> Person:
        asked.set()
        await held.wait()
        raise TooManyRequests("Busy", "The service has too much to do.", retry_after=0.01)

    monkeypatch.setattr(account.scripted, "create_person", too_late)
    room = Room(account)
    batch = await room.take(6)
    await account.until(asked.is_set)
    room.screen.stop(batch)
    await account.until(lambda: bool(room.returned))
    late = 6 - len(room.returned[0].table.rows)
    assert late
    assert room.words == []
    held.set()
    await room.until_words(
        f"0 of 6 added, 6 not sent, {late} of them only came back after it was stopped"
    )
    (line,) = room.screen.state.lists
    assert (line.id, line.stop_words, line.ended) == (batch, "Close", True)
    assert room.screen.state.spoken.endswith("after it was stopped.")
    room.screen.put_away(batch)
    account.events.publish(BatchesChanged((batch,)))
    assert room.words == []


async def test_the_list_taken_last_is_taken_back_while_nobody_of_it_has_left(
    account: AccountFixture,
) -> None:
    room = Room(account)
    assert not room.screen.take_back_newest()
    await room.take(3)
    assert room.screen.state.lists[0].stop_words == "Take back"
    assert room.screen.take_back_newest()
    await account.until(lambda: bool(room.returned))
    assert len(room.returned[0].table.rows) == 3
    assert account.outbox.unsent_count == 0
    assert room.screen.state.lists == ()


async def test_whoever_was_typed_after_a_list_is_taken_back_before_it(
    account: AccountFixture,
) -> None:
    room = Room(account)
    await room.take(3)
    promise = "0 of 3 added, not sent yet, Ctrl+Z takes all of them back"
    assert room.words == [promise]
    grace = account.add("Grace")
    assert not room.screen.take_back_newest()
    assert room.words == ["0 of 3 added"]
    account.outbox.undo(grace.id)
    assert room.words == [promise]


async def test_a_list_that_has_begun_to_leave_is_not_taken_back(account: AccountFixture) -> None:
    account.outbox.set_hold_seconds(0.0)
    account.scripted.answers = [asyncio.Event()] * 4
    room = Room(account)
    await room.take(6)
    await account.until(lambda: len(account.scripted.answers) < 4)
    assert not room.screen.take_back_newest()


async def test_it_is_spoken_of_by_quarters(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However fast they are sent here.
    monkeypatch.setattr("app.outbox.batches._BETWEEN_TELLINGS", 0.0)
    account.outbox.set_hold_seconds(0.0)
    room = Room(account)
    await room.take(40)
    await room.until_words("40 of 40 added")
    spoken = list(dict.fromkeys(state.spoken for state in room.states if state.spoken))
    assert spoken[0].startswith("Adding from lunch.xlsx: 0 of 40 added")
    assert spoken[-1] == "Added from lunch.xlsx: 40 of 40 added."
    assert 3 <= len(spoken) <= 5


async def test_a_list_under_way_is_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "private" / "outbox.db"
    before = ReconcilingAccountFixture(path)
    await before.open()
    room = Room(before)
    batch = await room.take(3, "choir.csv")
    room.screen.pause_or_go_on(batch)
    await before.close()
    after = ReconcilingAccountFixture(path)
    await after.open()
    try:
        again = Room(after)
        assert [one.name_words for one in again.screen.state.lists] == ["Adding from choir.csv"]
        assert again.words == ["0 of 3 added, paused"]
        assert again.screen.state.status_bar_words == "0 of 3 added"
        # Nobody of it has left: it is taken back as before.
        assert again.screen.take_back_newest()
        await after.until(lambda: bool(again.returned))
        assert len(again.returned[0].table.rows) == 3
    finally:
        await after.close()


async def test_a_lost_line_is_said_in_the_list(account: AccountFixture) -> None:
    account.outbox.set_hold_seconds(0.0)
    account.scripted.answers = [UNREACHABLE] * 8
    room = Room(account)
    await room.take(3)
    await account.until(lambda: "waiting for the connection" in "".join(room.words))


async def test_a_list_with_rows_left_out_stays_until_somebody_puts_it_away(
    account: AccountFixture,
) -> None:
    account.outbox.set_hold_seconds(0.0)
    room = Room(account)
    left_out = BatchRow(9, ("", "class 9"), None, "needs a name", NewPerson(email="a@x.org"))
    await account.outbox.batches.take("lunch.xlsx", HEADINGS, [*rows(2), left_out])
    await room.until_words("2 of 2 added, 1 left out")
    await room.take(2, "new.csv")
    await room.until_words("2 of 2 added, 1 left out", "2 of 2 added")


def test_a_list_under_way_has_its_buttons_however_many_have_ended() -> None:
    whole, cut = known(id="whole", ended=True, added=27), known(id="cut", ended=True)
    going, later = known(id="going"), known(id="later")
    shown = progress_state(ProgressFacts((whole, cut, going)))
    assert [one.id for one in shown.lists] == ["going", "cut"]
    assert shown.lists[0].pause_words == "Pause"
    shown = progress_state(ProgressFacts((whole, going, cut, later)))
    assert [one.id for one in shown.lists] == ["going", "later"]


def test_a_list_keeps_its_place_as_long_as_it_is_shown() -> None:
    whole, cut = known(id="whole", ended=True, added=27), known(id="cut", ended=True)
    going, later = known(id="going"), known(id="later")
    for lists, places, then in (
        ((whole, going), ("whole", "going"), ["whole", "going"]),
        ((going, whole), ("whole", "going"), ["whole", "going"]),
        ((cut, going), ("cut",), ["cut", "going"]),
        ((whole, cut, known(id="third", ended=True)), ("whole", "third"), ["whole", "third"]),
        ((whole, going, later), ("whole", "going"), ["later", "going"]),
        ((going,), ("whole", "going"), ["going"]),
    ):
        state = progress_state(ProgressFacts(lists, places=places))
        assert [one.id for one in state.lists] == then


def test_one_that_ends_takes_no_room_for_one_from_another() -> None:
    cut, whole = known(id="cut", ended=True), known(id="whole", ended=True, added=27)
    going = known(id="going")
    for lists, before, then in (
        ((cut, going), "", "going"),
        ((cut, going), "cut", "going"),
        ((cut, whole), "whole", "whole"),
        ((cut, whole), "", "cut"),
        ((), "whole", ""),
    ):
        assert progress_state(ProgressFacts(lists, in_front=before)).in_front == then
