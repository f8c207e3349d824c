"""The outbox over a real file: what a stop of any kind leaves behind, and how it goes on."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.api.error_responses import refusal
from app.api.errors import TooSlow, note_never_left
from app.api.requests import RequestContext, create_person
from app.model.errors import ExpectedError
from app.model.outbox import BatchRow, Doubt, EntryState, NewPerson
from app.model.person import Person
from app.outbox.events import PauseReason
from app.outbox.outbox import Outbox
from app.runtime.events import EventBus
from app.runtime.paths import resource
from app.runtime.words import use_language
from app.store.outbox.outbox import OutboxInUse, OutboxStore
from tests.outbox.conftest import ScriptedList
from tests.signed_in import SignedInTo

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the outbox of an account lies."""
    return tmp_path / "accounts" / "one" / "outbox.sqlite3"


async def test_who_waited_is_sent_at_the_next_start_without_being_held_again(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    for name in ("Ada", "Bob", "Cyd"):
        first.add(name)
    await first.close()
    second = make_outbox(path=file, hold=LONG)
    assert second.outbox.waited_at_start == 3
    assert second.states() == ["waiting"] * 3
    second.outbox.resume()
    await second.settle()
    assert second.scripted.asked == ["Ada", "Bob", "Cyd"]
    assert first.scripted.asked == []


async def test_who_was_on_the_way_is_not_sure_and_then_made_sure(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(asyncio.Event(), path=file, people=ScriptedList())
    first.add("Ada")
    first.add("Bob")
    await first.until(lambda: first.scripted.asked == ["Ada"])
    await first.close()
    people = ScriptedList()
    people.there.append(Person(id="new", firstname="Ada", lastname="Lovelace", email="a@x.org"))
    second = make_outbox(path=file, people=people)
    assert second.states() == ["not sure", "waiting"]
    second.outbox.resume()
    await second.settle()
    assert second.scripted.asked == ["Bob"]
    assert [entry.person_id for entry in second.outbox.entries()] == ["new", "id-1"]


async def test_who_had_not_left_when_the_work_ended_waits_and_is_sent_at_the_next_start(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    never = asyncio.CancelledError()
    note_never_left(never)
    first = make_outbox(never, path=file, people=ScriptedList())
    first.add("Ada")
    await first.until(lambda: first.scripted.asked == ["Ada"])
    await first.close()
    second = make_outbox(path=file, people=ScriptedList())
    assert second.states() == ["waiting"]
    second.outbox.resume()
    await second.settle()
    assert second.states() == ["added"]


async def test_what_could_not_be_sent_of_somebody_is_there_to_copy_after_a_restart_too(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file)
    typed = NewPerson(firstname="Ada", phone="020 7946 0000")
    entry = first.outbox.add("Ada 020 7946 0000", typed)
    await first.settle()
    assert first.outbox.index.unsendable_details("id-1") == typed
    first.outbox.dismiss(entry.id)
    assert first.outbox.index.unsendable_details("id-1") == typed
    first.add("Bob")
    first.outbox.add("Cyd 3", NewPerson(firstname="Cyd", leftover="3"))
    await first.settle()
    await first.close()
    second = make_outbox(path=file)
    assert second.outbox.index.unsendable_details("id-2") is None
    assert second.outbox.index.unsendable_details("id-3") == NewPerson(
        firstname="Cyd", leftover="3"
    )


async def test_a_question_stays_one_while_the_list_is_read_once_more(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(LOST, path=file, people=ScriptedList())
    first.add("Ada")
    await first.settle()
    assert first.last().doubt is Doubt.ABSENT
    await first.close()
    people = ScriptedList()
    second = make_outbox(path=file, people=people)
    assert (second.last().doubt, second.outbox.needs_person_count) == (Doubt.ABSENT, 1)
    second.outbox.resume()
    await second.settle()
    assert people.readings == 1
    assert (second.last().doubt, second.outbox.needs_person_count) == (Doubt.ABSENT, 1)
    assert second.last().reason == first.last().reason


@pytest.fixture
def spoken() -> Iterator[Callable[[str], None]]:
    """Has a language be spoken until the end."""
    yield lambda code: use_language(resource("translations"), [code])
    use_language(resource("translations"), [])


async def test_why_somebody_was_not_added_is_told_in_the_language_that_is_spoken_then(
    make_outbox: "MakeOutbox", file: Path, spoken: Callable[[str], None]
) -> None:
    asked = RequestContext.now(create_person("Ada", "", ""), "example.org", "https://example.org")
    no = refusal(asked, 400, code=250, words="This plan has ended.")
    answers = (no, refusal(asked, 403), LOST, RuntimeError("a fault"), asyncio.Event())
    spoken("de")
    first = make_outbox(*answers, path=file)
    for name in ("Ada", "Bob", "Cyd", "Dan", "Eve"):
        first.add(name)
    await first.until(lambda: first.scripted.asked[-1:] == ["Eve"])
    first.crashes.clear()
    assert "angenommen" in first.outbox.entries()[0].reason_words
    await first.close()
    spoken("en")
    second = make_outbox(path=file)
    not_accepted = "The service did not accept this: something is missing or not right."
    open_end = "The person may or may not have been added."
    assert [entry.reason_words for entry in second.outbox.entries()] == [
        f"{not_accepted} It says: This plan has ended.",
        "Your sign-in does not allow this. Ask an administrator of the account.",
        f"The service took too long to answer. {open_end}",
        f"Something unexpected happened on the way. {open_end}",
        f"This was on its way when the work ended. {open_end}",
    ]
    ada = second.outbox.entries()[0]
    second.outbox.dismiss(ada.id)
    assert [found.id for found in await second.outbox.store.history("missing plan", 10)] == [ada.id]
    spoken("de")
    assert not await second.outbox.store.history("missing plan", 10)
    second.outbox.send_again(second.outbox.entries()[0].id)
    assert second.outbox.entries()[0].reason_words == ""


async def test_who_has_come_to_the_list_since_is_no_question_any_more(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(LOST, path=file, people=ScriptedList())
    first.add("Ada")
    await first.settle()
    await first.close()
    people = ScriptedList()
    people.there.append(Person(id="new", firstname="Ada", lastname="Lovelace", email="a@x.org"))
    second = make_outbox(path=file, people=people)
    second.outbox.resume()
    await second.settle()
    assert (second.last().state, second.last().person_id) == (EntryState.ADDED, "new")


async def test_what_was_just_added_is_shown_for_a_day_and_then_only_in_the_history(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file)
    first.add("Ada")
    first.add("Bob")
    await first.settle()
    first.outbox.dismiss(first.outbox.entries()[1].id)
    await first.close()
    second = make_outbox(path=file)
    assert [entry.typed[:3] for entry in second.outbox.entries()] == ["Ada"]
    later = Outbox(
        EventBus(second.crashes.append),
        second.scope,
        SignedInTo(None),
        store=second.store,
        hold_seconds=0.0,
        now=lambda: datetime.now(UTC) + timedelta(days=2),
    )
    assert later.entries() == ()
    assert [entry.typed[:3] for entry in await later.store.history()] == ["Bob", "Ada"]
    assert [entry.typed[:3] for entry in await later.store.history("ADA")] == ["Ada"]


async def test_what_was_undone_is_in_the_history_and_never_sent(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    first.outbox.undo(first.add("Ada").id)
    await first.close()
    second = make_outbox(path=file)
    second.outbox.resume()
    await second.settle()
    assert (second.outbox.entries(), second.scripted.asked) == ((), [])
    (undone,) = await second.outbox.store.history()
    assert (undone.state, undone.taken_off is not None) == (EntryState.WAITING, True)


async def test_a_half_typed_line_is_kept_until_it_is_an_entry(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    first.outbox.store.keep_draft("Ada")
    await first.close()
    second = make_outbox(path=file, hold=LONG)
    assert second.outbox.store.draft() == "Ada"
    second.add("Ada \ud83d\ude00")
    assert second.outbox.store.draft() == ""
    assert second.last().new_person.firstname == "Ada \U0001f600"
    await second.close()


async def test_marks_that_nobody_sees_are_kept_in_no_name_and_no_email(
    make_outbox: "MakeOutbox",
) -> None:
    box = make_outbox(hold=LONG)
    typed = NewPerson(firstname="\u202eAda\u200b", lastname="Love\xadlace", email="ada\u200b@x.org")
    kept = box.outbox.add("Ada", typed).new_person
    assert (kept.full_name, kept.email) == ("Ada Lovelace", "ada@x.org")
    await box.close()


async def test_the_hold_for_another_organisation_outlives_the_program(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    first.add("Ada")
    first.outbox.hold_until_recognised()
    await first.close()
    second = make_outbox(path=file)
    assert second.outbox.pause_reason is PauseReason.OTHER_ORGANISATION
    second.outbox.resume()
    second.outbox.send_now()
    await second.settle()
    assert second.scripted.asked == []
    second.outbox.recognised()
    await second.settle()
    assert second.scripted.asked == ["Ada"]
    await second.close()
    third = make_outbox(path=file)
    assert third.outbox.pause_reason is None


def misspell(file: Path) -> None:
    """A byte of somebody's name flips on the disk."""
    file.write_bytes(file.read_bytes().replace(b"Ada Lovelace", b"Adb Lovelace"))


async def test_whom_the_organisation_is_known_by_outlives_the_program_and_a_damaged_file(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    assert first.outbox.known_people == ()
    first.add("Ada")
    first.outbox.remember_people(f"person {number}" for number in range(200))
    sample = first.outbox.known_people
    assert "person 0" in sample
    assert len(sample) < 100
    await first.close()
    second = make_outbox(path=file, hold=LONG)
    assert second.outbox.known_people == sample
    await second.close()
    misspell(file)
    third = make_outbox(path=file, hold=LONG)
    assert third.store.rescue is not None
    assert third.outbox.known_people == sample


async def test_nobody_new_is_taken_before_it_is_said_whose_account_it_is(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(hold=LONG)
    subject.outbox.hold_until_recognised()
    subject.add("Ada")
    subject.outbox.take_nobody("First say whose account it is.")
    with pytest.raises(ExpectedError, match="First say whose"):
        subject.add("Bob")
    with pytest.raises(ExpectedError, match="First say whose"):
        await subject.outbox.batches.take("list", (), [BatchRow(1, (), subject.person("Bob"))])
    (ada,) = subject.outbox.entries()
    assert subject.outbox.edit(ada.id, "Ada", ada.new_person)
    assert [one.new_person.firstname for one in subject.outbox.entries()] == ["Ada"]
    subject.outbox.recognised()
    subject.add("Bob")
    assert subject.outbox.unsent_count == 2


async def test_a_second_program_cannot_send_the_same_people(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    subject = make_outbox(path=file)
    with pytest.raises(OutboxInUse):
        OutboxStore.open(file)
    await subject.close()
    make_outbox(path=file)


async def test_a_rescued_outbox_makes_sure_of_everybody_and_sends_nobody(
    make_outbox: "MakeOutbox", file: Path
) -> None:
    first = make_outbox(path=file, hold=LONG)
    first.add("Ada")
    first.add("Bob")
    await first.close()
    damage(file)
    people = ScriptedList()
    people.there.append(Person(id="new", firstname="Ada", lastname="Lovelace", email="a@x.org"))
    second = make_outbox(path=file, people=people)
    rescue = second.store.rescue
    assert rescue is not None
    assert (rescue.entries, Path(rescue.path).parent) == (2, file.parent)
    second.outbox.resume()
    await second.settle()
    # Nobody knows whether the list was whole before: a person has to tell.
    assert [entry.doubt for entry in second.outbox.entries()] == [Doubt.LOOKS_LIKE, Doubt.ABSENT]
    assert second.scripted.asked == []


def damage(file: Path) -> None:
    file.write_bytes(bytes(100) + file.read_bytes()[100:])


async def test_a_clock_that_was_moved_sends_nobody_early_and_holds_nobody_longer(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox()
    clock = [datetime(2024, 5, 3, 12, tzinfo=UTC)]
    outbox = Outbox(
        EventBus(subject.crashes.append),
        subject.scope,
        subject.session,
        store=subject.store,
        hold_seconds=LONG,
        now=lambda: clock[0],
    )
    entry = outbox.add("Ada", subject.person("Ada"))
    clock[0] += timedelta(days=365)
    await asyncio.sleep(0.02)
    assert subject.scripted.asked == []
    outbox.undo(entry.id)
    outbox.set_hold_seconds(0.02)
    clock[0] -= timedelta(days=3650)
    outbox.add("Bob", subject.person("Bob"))
    await subject.until(lambda: subject.scripted.asked == ["Bob"])
    await outbox.close()
