"""Whoever was typed last, as the small window tells of them."""

from datetime import UTC, datetime

import msgspec
import pytest

from app.model.outbox import EntryState
from app.outbox.events import EntriesChanged
from app.viewmodels.formatting import clock
from app.viewmodels.outbox.entry_actions import Decision, EntryActions
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.screen import ActionFeedback
from app.viewmodels.small_window.recent_entries import MOST, RecentEntries
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.importing.lists import Lists
from tests.viewmodels.quick_add.typing_room import quick_add, refused


@pytest.fixture
def line(account: AccountFixture) -> QuickAdd:
    return quick_add(account)


@pytest.fixture
def recent(account: AccountFixture, line: QuickAdd) -> RecentEntries:
    actions = EntryActions(account.outbox, account.scope, ActionFeedback())
    screen = RecentEntries(
        account.outbox, line, actions, account.events, account.scope, lists=Lists(account).lists
    )
    screen.look(on=True)
    return screen


def told(recent: RecentEntries) -> list[tuple[str, str]]:
    return [(entry.name, entry.state_words) for entry in recent.state.entries]


async def test_the_newest_stand_first_each_with_what_became_of_them(
    account: AccountFixture, recent: RecentEntries
) -> None:
    assert recent.state.empty_words == "Whoever you add stands here."
    await account.sent(account.add("Ada", "Lovelace"), EntryState.ADDED)
    await refused(account, "Mary Smith")
    account.add("Grace", "Hopper")
    now = clock(datetime.now(UTC))
    assert [name for name, _ in told(recent)] == ["Grace Hopper", "Mary Smith", "Ada Lovelace"]
    assert [words for _, words in told(recent)] == ["waiting", "refused", f"added {now}"]
    assert [entry.can_undo for entry in recent.state.entries] == [True, False, False]
    assert [entry.why for entry in recent.state.entries] == ["", "Why?", ""]
    assert recent.state.empty_words == ""


async def test_only_the_last_few_are_told_and_nobody_of_a_list(
    account: AccountFixture, recent: RecentEntries
) -> None:
    for number in range(MOST + 2):
        account.add("Person", str(number))
    assert [name for name, _ in told(recent)] == [
        f"Person {number}" for number in reversed(range(2, MOST + 2))
    ]
    (listed,) = [entry for entry in account.outbox.entries() if entry.typed == "Person 13"]
    of_a_list = msgspec.structs.replace(listed, batch="list")
    shown = (*account.outbox.entries()[:-1], of_a_list)
    account.outbox.entries = lambda: shown  # type: ignore[method-assign]  # as if they came with a list
    account.events.publish(EntriesChanged((of_a_list,)))
    assert told(recent)[0] == ("Person 12", "waiting")


async def test_nothing_is_told_while_nobody_looks(
    account: AccountFixture, recent: RecentEntries
) -> None:
    recent.look(on=False)
    heard = Told(recent.state_changed)
    account.add("Ada", "Lovelace")
    assert heard.times == 0
    recent.look(on=True)
    assert [entry.name for entry in recent.state.entries] == ["Ada Lovelace"]


async def test_why_somebody_was_refused_is_told_where_they_stand_with_what_can_be_done(
    account: AccountFixture, line: QuickAdd, recent: RecentEntries
) -> None:
    entry = await refused(account, "Mary Smith")
    recent.ask_why(entry.id)
    (mary,) = recent.state.entries
    assert (mary.sentence, mary.why) == ("The name is too long.", "Close")
    assert [one.decision for one in mary.actions] == [
        Decision.CORRECT,
        Decision.SEND_AGAIN,
        Decision.DISMISS,
    ]
    recent.ask_why(entry.id)
    assert recent.state.entries[0].sentence == ""
    recent.ask_why(entry.id)
    recent.decide(entry.id, Decision.CORRECT)
    assert (line.state.typed, recent.state.entries[0].sentence) == ("Mary Smith", "")
    line.escape()
    recent.decide(entry.id, Decision.DISMISS)
    assert recent.state.entries == ()


async def test_who_waits_is_taken_back_into_the_line(
    account: AccountFixture, line: QuickAdd, recent: RecentEntries
) -> None:
    recent.undo(account.add("Ada", "Lovelace").id)
    assert (line.state.typed, recent.state.entries) == ("Ada Lovelace", ())
