"""An entry whose reply got lost, in the pane: what is said at each doubt, and what is decided."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from app.api.errors import ServiceFault
from app.model.change import ChangeKind
from app.model.outbox import Doubt, EntryState
from app.model.person import Person
from app.outbox.events import PauseReason
from app.viewmodels.cell_table import CELL_ROLE
from app.viewmodels.formatting import clock, day_and_clock
from app.viewmodels.outbox.entry_actions import Decision, what_happened
from app.viewmodels.outbox.history_table import outcome_words
from app.viewmodels.people.person_pane import DetailField
from tests.viewmodels.conftest import ADA, BOB, NOON, AccountFixture
from tests.viewmodels.people.pane_room import Pane
from tests.viewmodels.people.rows import entry
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture

ZORA = Person(id="z", firstname="Zora", lastname="Neale", date_added=NOON)
OPEN = "The person may or may not have been added."
READING = f"The answer got lost. {OPEN} Front Desk is reading the list again to see."
ABSENT = f"The answer got lost. {OPEN} Not found in the list. Send again?"


@pytest.fixture
async def account(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[ReconcilingAccountFixture]:
    account = ReconcilingAccountFixture(tmp_path / "private" / "outbox.db")
    await account.open()
    await account.list_people(ADA, BOB)
    yield account
    await account.close()
    assert account.crashes == []


@pytest.fixture
async def shown(account: ReconcilingAccountFixture) -> Pane:
    return Pane(account)


def offered(pane: Pane) -> list[Decision]:
    return [offer.decision for offer in pane.detail.actions]


async def test_while_the_list_is_read_again_nobody_has_to_wait_for_it(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> None:
    account = ReconcilingAccountFixture(tmp_path / "slow" / "outbox.db", looks=(600.0,))
    await account.open()
    await account.list_people(ADA)
    pane = Pane(account)
    lost = await account.lose("Zora", "Neale")
    pane.people.choose(lost.id)
    await account.doubted(lost, Doubt.LOOKING)
    assert (pane.detail.sentence, pane.detail.badges) == (READING, ("not sure",))
    at_once = [Decision.LOOK_NOW, Decision.IS_THERE, Decision.SEND_AGAIN]
    assert (offered(pane), pane.detail.needs_person) == (at_once, False)
    cell = pane.people.table.data(pane.people.table.index(0, 0), CELL_ROLE)
    assert not cell.needs_person  # type: ignore[attr-defined]  # a cell of the table
    await account.close()
    assert account.crashes == []


async def test_somebody_who_looks_like_the_one_is_shown_and_asked_about(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    lost = await account.lose("Zora", "Neale", "zora@x.org", there=ZORA)
    shown.people.choose(lost.id)
    await account.doubted(lost, Doubt.LOOKS_LIKE)
    detail = shown.detail
    assert detail.sentence == f"This looks like the one, added {day_and_clock(NOON)}. Is it?"
    assert detail.candidate == (
        DetailField("In the list", "Zora Neale"),
        DetailField("Email", "not given"),
        DetailField("Added", day_and_clock(NOON)),
    )
    assert [offer.words for offer in detail.actions] == [
        "Yes, that is the one",
        "No, somebody else",
        "Send again",
    ]
    assert detail.needs_person


async def test_who_was_added_today_is_asked_about_by_the_time_alone(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    now = datetime.now(UTC)
    lost = await account.lose("Zora", "Neale", there=replace(ZORA, date_added=now))
    shown.people.choose(lost.id)
    await account.doubted(lost, Doubt.LOOKS_LIKE)
    assert shown.detail.sentence == f"This looks like the one, added {clock(now)}. Is it?"


async def test_a_yes_settles_it_and_sends_nothing(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    lost = await account.lose("Zora", "Neale", there=ZORA)
    shown.people.choose(lost.id)
    asked = await account.doubted(lost, Doubt.LOOKS_LIKE)
    shown.pane.decide(asked, Decision.CONFIRM)
    settled = account.entry(lost.id)
    assert (settled.state, settled.person_id) == (EntryState.ADDED, "z")
    assert account.scripted.created == []


async def test_a_no_lets_the_looking_go_on_until_nobody_is_found(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    lost = await account.lose("Zora", "Neale", there=ZORA)
    shown.people.choose(lost.id)
    asked = await account.doubted(lost, Doubt.LOOKS_LIKE)
    shown.pane.decide(asked, Decision.REJECT)
    await account.doubted(lost, Doubt.ABSENT)
    assert shown.detail.sentence == ABSENT
    assert offered(shown) == [
        Decision.LOOK_NOW,
        Decision.IS_THERE,
        Decision.SEND_AGAIN,
        Decision.DISMISS,
    ]
    assert shown.detail.candidate == ()


async def test_looking_now_finds_who_has_come_to_the_list_meanwhile(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> None:
    account = ReconcilingAccountFixture(tmp_path / "slow" / "outbox.db", looks=(600.0,))
    await account.open()
    await account.list_people(ADA)
    pane = Pane(account)
    lost = await account.lose("Zora", "Neale", there=ZORA)
    pane.people.choose(lost.id)
    pane.pane.decide(await account.doubted(lost, Doubt.LOOKING), Decision.LOOK_NOW)
    await account.doubted(lost, Doubt.LOOKS_LIKE)
    assert pane.detail.candidate[0] == DetailField("In the list", "Zora Neale")
    await account.close()
    assert account.crashes == []


async def test_looking_now_in_vain_says_that_it_was_read(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> None:
    account = ReconcilingAccountFixture(tmp_path / "slow" / "outbox.db", looks=(600.0,) * 3)
    await account.open()
    await account.list_people(ADA)
    pane = Pane(account)
    lost = await account.lose("Zora", "Neale")
    pane.people.choose(lost.id)
    pane.pane.decide(await account.doubted(lost, Doubt.LOOKING), Decision.LOOK_NOW)
    await account.until(lambda: account.entry(lost.id).looks == 1)
    assert "The list was read again and does not have them yet" in pane.detail.sentence
    pane.pane.decide(account.entry(lost.id), Decision.LOOK_NOW)
    await account.until(lambda: account.entry(lost.id).looks == 2)
    assert "The list was read 2 times" in pane.detail.sentence
    await account.close()
    assert account.crashes == []


async def test_who_is_there_is_added_and_not_looked_for_any_more(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    lost = await account.lose("Zora", "Neale")
    shown.people.choose(lost.id)
    absent = await account.doubted(lost, Doubt.ABSENT)
    shown.pane.decide(absent, Decision.IS_THERE)
    assert account.outbox.entries() == ()
    (done,) = await account.outbox.store.history()
    assert (done.state, done.person_id, outcome_words(done)) == (EntryState.ADDED, None, "Added")
    assert account.scripted.created == []


async def test_a_problem_of_the_service_reads_as_it_is_with_its_own_words(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    entry = account.add("Zora", "Neale")
    problem = ServiceFault(
        "The service has a problem", "Try again.", outcome_unknown=True, service_words="Sorry, x7."
    )
    account.scripted.answers = [problem]
    account.outbox.send_now()
    shown.people.choose(entry.id)
    await account.doubted(entry, Doubt.ABSENT)
    assert shown.detail.sentence.startswith("The service had a problem.")
    assert DetailField("The service said", "Sorry, x7.", "Sorry, x7.") in shown.detail.fields


async def test_several_who_are_absent_are_sent_again_together(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    first = await account.lose("Zora", "Neale")
    shown.people.choose(first.id)
    await account.doubted(first, Doubt.ABSENT)
    second = await account.lose("Yan", "Li")
    await account.doubted(second, Doubt.ABSENT)
    assert [offer.words for offer in shown.detail.actions] == [
        "Look now",
        "They are there",
        "Send again",
        "Send all 2 again",
        "Take off the list",
    ]
    shown.pane.decide(first, Decision.SEND_ALL_AGAIN)
    await account.sent(first, EntryState.ADDED)
    await account.sent(second, EntryState.ADDED)
    assert len(account.scripted.created) == 2


async def test_one_of_the_same_name_says_whom_it_waits_for(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    first = await account.lose("Zora", "Neale")
    await account.doubted(first, Doubt.ABSENT)
    second = account.add("Zora", "Neale")
    shown.people.choose(second.id)
    assert shown.detail.sentence == (
        f"Waits until Zora Neale, typed {clock(first.typed_at)}, is settled: "
        "both have the same name and email."
    )
    account.outbox.dismiss(first.id)
    assert "Until then it can be undone" in shown.detail.sentence


@pytest.mark.parametrize(
    "decision",
    [Decision.CONFIRM, Decision.REJECT, Decision.SEND_AGAIN],
)
async def test_a_decision_this_computer_cannot_keep_ends_in_a_sentence(
    account: ReconcilingAccountFixture, shown: Pane, decision: Decision
) -> None:
    lost = await account.lose("Zora", "Neale", there=ZORA)
    shown.people.choose(lost.id)
    asked = await account.doubted(lost, Doubt.LOOKS_LIKE)
    account.fill_the_disk()
    shown.pane.decide(asked, decision)
    assert shown.people.state.remark == "The disk of this computer is full."
    assert account.entry(lost.id) == asked


async def test_taking_off_what_cannot_be_kept_ends_in_a_sentence(
    account: ReconcilingAccountFixture, shown: Pane
) -> None:
    lost = await account.lose("Zora", "Neale")
    absent = await account.doubted(lost, Doubt.ABSENT)
    account.fill_the_disk()
    shown.pane.decide(absent, Decision.DISMISS)
    assert shown.people.state.remark == "The disk of this computer is full."
    assert account.entry(lost.id) == absent


async def test_the_time_an_entry_was_typed_stands_in_the_table(
    account: AccountFixture, shown: Pane
) -> None:
    added = account.add("Zora", "Neale")
    table = shown.people.table
    assert table.data(table.index(0, 4)) == clock(added.typed_at)


def test_a_lost_answer_says_what_the_reading_waits_for() -> None:
    looking = entry("Zora", EntryState.NOT_SURE)
    assert what_happened(looking, None, None) == READING
    assert "Once the connection is back" in what_happened(looking, None, PauseReason.UNREACHABLE)
    assert "signed in again" in what_happened(looking, None, PauseReason.SIGN_IN)
    assert "whose list" in what_happened(looking, None, PauseReason.OTHER_ORGANISATION)


async def test_whoever_is_found_in_the_list_was_added_here_and_is_no_news(
    account: ReconcilingAccountFixture,
) -> None:
    there = replace(ZORA, email="z@x.org")
    entry = await account.lose("Zora", "Neale", "z@x.org", there=there)
    await account.until(lambda: account.entry(entry.id).state is EntryState.ADDED)
    await account.settle()
    assert (await account.cache.unseen_changes()).counts == {ChangeKind.ADDED_HERE: 1}
