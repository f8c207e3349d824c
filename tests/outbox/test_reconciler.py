"""Lost replies: the list is read again until it tells, a person is asked where it cannot."""

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from app.api.errors import TooSlow, Unreachable
from app.model.outbox import Doubt, EntryState
from app.model.person import Person
from app.outbox.events import PersonAdded
from tests.outbox.conftest import ScriptedList

if TYPE_CHECKING:
    from tests.outbox.conftest import MakeOutbox, OutboxFixture

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
UNREACHABLE = Unreachable("No line", "The service cannot be reached.", transient=True)


def ada(person_id: str, email: str | None = "a@x.org") -> Person:
    return Person(id=person_id, firstname="ada", lastname="LOVELACE", email=email)


def sure(subject: "OutboxFixture") -> tuple[EntryState, Doubt]:
    """How the first entry stands."""
    entry = subject.outbox.entries()[0]
    return entry.state, entry.doubt


async def test_a_new_person_with_the_name_and_the_email_settles_it(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList(ada("known"))
    subject = make_outbox(LOST, people=people)
    people.there.append(ada("new"))
    subject.add("Ada")
    await subject.settle()
    (entry,) = subject.outbox.entries()
    assert (entry.state, entry.person_id) == (EntryState.ADDED, "new")
    assert entry.known_ids == ("known",)
    assert subject.scripted.asked == ["Ada"]
    assert people.readings == 1
    assert not [event for event in subject.told if isinstance(event, PersonAdded)]


@pytest.mark.parametrize(
    "other",
    [
        Person(id="id-1", firstname="Grace", lastname="Hopper", email="g@x.org"),
        Person(id="id-1", firstname="Grace", lastname="Lovelace", email="a@x.org"),
        ada("id-1", "another@x.org"),
    ],
)
async def test_an_answer_that_names_somebody_else_is_not_believed(
    make_outbox: "MakeOutbox", other: Person
) -> None:
    people = ScriptedList(other)
    subject = make_outbox(people=people, looks=(0.01,))
    subject.add("Ada")
    await subject.until(lambda: subject.states() == ["not sure"])
    assert subject.last().reason.startswith("The answer could not be read.")
    assert not [event for event in subject.told if isinstance(event, PersonAdded)]
    people.there.append(ada("new"))
    await subject.settle()
    assert (subject.last().state, subject.last().person_id) == (EntryState.ADDED, "new")


@pytest.mark.parametrize("email", ["A@X.org", "", None])
async def test_who_came_into_the_list_before_the_answer_did_is_the_one(
    make_outbox: "MakeOutbox", email: str | None
) -> None:
    subject = make_outbox(people=ScriptedList(ada("id-1", email)))
    subject.add("Ada")
    await subject.settle()
    assert (subject.last().state, subject.last().person_id) == (EntryState.ADDED, "id-1")


async def test_two_answers_that_name_one_person_are_not_believed_twice(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(people=ScriptedList(), looks=(LONG,))
    subject.add("Ada")
    await subject.settle()
    subject.scripted.asked.clear()  # it counts from one on again
    subject.add("Bob")
    await subject.until(lambda: subject.states() == ["added", "not sure"])


async def test_while_it_is_looked_for_nobody_has_to_do_anything(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people, looks=(LONG,))
    subject.add("Ada")
    await subject.until(lambda: subject.states() == ["not sure"])
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.LOOKING)
    assert (subject.outbox.needs_person_count, subject.outbox.looked_for_count) == (0, 1)


async def test_after_looking_in_vain_a_person_is_needed_and_nothing_is_sent(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList(ada("known"), Person(id="b", firstname="Bob", lastname="Lovelace"))
    subject = make_outbox(LOST, people=people)
    subject.add("Ada")
    await subject.settle()
    assert people.readings == 3
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert subject.outbox.needs_person_count == 1
    subject.outbox.send_now()
    subject.outbox.resume()
    await subject.settle()
    assert subject.scripted.asked == ["Ada"]


async def test_one_that_shows_up_late_is_still_found(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people, looks=(0.0, 0.01, 0.01, 0.01, 0.01))
    subject.add("Ada")
    await subject.until(lambda: people.readings >= 2)
    people.there.append(ada("new"))
    await subject.settle()
    assert subject.last().person_id == "new"


async def test_whoever_is_sent_again_and_lost_again_is_looked_for_at_once(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, LOST, people=people, looks=(0.0, LONG))
    entry = subject.add("Ada")
    await subject.until(lambda: subject.outbox.entries()[0].looks == 1)
    await asyncio.sleep(0.01)  # the next look is an hour away
    people.there.append(ada("new"))
    assert subject.outbox.send_again(entry.id)
    await subject.settle()
    assert (subject.last().state, people.readings) == (EntryState.ADDED, 2)


async def test_those_absent_are_sent_again_together_but_open_questions_stay(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList(whole=False)
    subject = make_outbox(LOST, LOST, LOST, people=people)
    for name in ("Ada", "Bob", "Cyd"):
        subject.add(name)
    people.there.append(ada("candidate"))
    await subject.settle()
    assert [entry.doubt for entry in subject.outbox.entries()] == [
        Doubt.LOOKS_LIKE,
        Doubt.ABSENT,
        Doubt.ABSENT,
    ]
    again = await subject.outbox.send_all_again()
    assert [entry.typed[:3] for entry in again] == ["Bob", "Cyd"]
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Bob", "Cyd", "Bob", "Cyd"]
    assert subject.states() == ["not sure", "added", "added"]


async def asked(subject: "OutboxFixture", people: ScriptedList, *there: Person) -> str:
    """An entry about which a person is asked; gives its id."""
    people.there += there
    entry = subject.add("Ada")
    await subject.settle()
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.LOOKS_LIKE)
    assert subject.outbox.needs_person_count == 1
    return entry.id


async def test_a_person_says_that_it_is_the_one(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people)
    entry_id = await asked(subject, people, ada("perhaps", ""))
    assert subject.last().candidate_id == "perhaps"
    settled = subject.outbox.confirm_candidate(entry_id)
    assert settled is not None
    assert (settled.state, settled.person_id) == (EntryState.ADDED, "perhaps")
    assert subject.outbox.confirm_candidate(entry_id) is None
    assert subject.scripted.asked == ["Ada"]


async def test_a_person_says_that_it_is_not_and_the_looking_goes_on(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList(whole=False)
    subject = make_outbox(LOST, people=people)
    entry_id = await asked(subject, people, ada("one"), ada("two"))
    subject.outbox.reject_candidate(entry_id)
    await subject.settle()
    assert subject.last().candidate_id == "one"
    subject.outbox.reject_candidate(entry_id)
    await subject.settle()
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert set(subject.last().known_ids) == {"one", "two"}
    assert subject.scripted.asked == ["Ada"]


async def test_one_person_is_not_the_answer_to_two_questions(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, LOST, people=people)
    people.there.append(ada("perhaps", ""))
    first = subject.add("Ada")
    other = msgspec.structs.replace(subject.person("Ada"), email="other@x.org")
    subject.outbox.add("Ada other@x.org", other)
    await subject.settle()
    assert [entry.candidate_id for entry in subject.outbox.entries()] == ["perhaps", "perhaps"]
    subject.outbox.confirm_candidate(first.id)
    await subject.settle()
    assert subject.last().candidate_id is None
    assert subject.last().doubt is Doubt.ABSENT


async def test_who_is_undone_while_the_list_is_asked_does_not_leave(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    people.answers.clear()
    subject = make_outbox(people=people)
    first = subject.add("Ada")
    second = subject.add("Bob")
    await asyncio.sleep(0.01)
    assert subject.outbox.undo(first.id) is not None
    changed = subject.outbox.edit(second.id, "corrected", subject.person("Bobby"))
    assert changed is not None
    people.answers.set()
    await subject.settle()
    assert subject.scripted.asked == ["Bobby"]


async def test_sending_again_is_possible_beside_the_question(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people)
    entry_id = await asked(subject, people, ada("perhaps", ""))
    subject.outbox.send_again(entry_id)
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Ada"]
    assert subject.last().person_id == "id-2"
    assert subject.last().candidate_id is None


async def test_an_entry_alike_waits_until_the_first_is_settled(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people, looks=(LONG,))
    first = subject.add("Ada")
    second = subject.add("ADA")
    subject.add("Bob")
    await subject.until(lambda: subject.states() == ["not sure", "waiting", "added"])
    held_up_by = subject.outbox.held_up_by(second.id)
    assert held_up_by is not None
    assert held_up_by.id == first.id
    subject.outbox.dismiss(first.id)
    await subject.settle()
    assert subject.scripted.asked == ["Ada", "Bob", "ADA"]


async def test_settling_the_first_by_the_list_lets_the_one_alike_go(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people, looks=(0.02, 0.02))
    subject.add("Ada")
    subject.add("Ada")
    await subject.until(lambda: subject.states()[0] == "not sure")
    people.there.append(ada("new"))
    await subject.settle()
    assert subject.states() == ["added", "added"]
    assert subject.scripted.asked == ["Ada", "Ada"]
    # The first is known when the second leaves, so that nobody takes one for the other.
    assert subject.last().known_ids == ("new",)


async def test_while_the_list_cannot_be_read_no_look_is_counted(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    people.refused = [UNREACHABLE] * 6
    subject = make_outbox(LOST, people=people)
    subject.add("Ada")
    await subject.until(lambda: people.readings > 4)
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.LOOKING)
    assert subject.outbox.entries()[0].looks == 0
    people.there.append(ada("new"))
    await subject.settle()
    assert subject.last().person_id == "new"


async def test_try_now_reads_at_once_a_list_that_could_not_be_read(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    people.refused = [UNREACHABLE]
    subject = make_outbox(LOST, people=people, backoff=(LONG, LONG), looks=(0.0,))
    subject.add("Ada")
    await subject.until(lambda: people.readings == 1)
    await asyncio.sleep(0.01)
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.LOOKING)
    subject.outbox.send_now()
    await subject.until(lambda: sure(subject) == (EntryState.NOT_SURE, Doubt.ABSENT))


async def test_without_a_service_nobody_is_looked_for(make_outbox: "MakeOutbox") -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, people=people)
    subject.add("Ada")
    await subject.until(lambda: subject.states() == ["not sure"])
    subject.session.service = None
    await subject.settle()
    readings = people.readings
    assert sure(subject)[1] is Doubt.LOOKING
    subject.session.service = subject.scripted
    subject.outbox.resume()
    await subject.settle()
    assert people.readings > readings
    assert sure(subject)[1] is Doubt.ABSENT


async def test_an_error_nobody_expected_is_reported_and_the_looking_goes_on(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    error = KeyError("a bug")
    people.refused = [error]
    subject = make_outbox(LOST, people=people)
    people.there.append(ada("new"))
    subject.add("Ada")
    await subject.settle()
    assert subject.crashes == [error]
    assert subject.last().person_id == "new"


async def test_a_person_who_decides_while_the_list_is_read_has_the_last_word(
    make_outbox: "MakeOutbox",
) -> None:
    people = ScriptedList()
    subject = make_outbox(LOST, asyncio.Event(), people=people, looks=(0.0, LONG))
    people.there.append(ada("new"))
    claimed = subject.store.claimed
    entry = subject.add("Ada")

    async def dismissed_meanwhile(person_ids: list[str]) -> frozenset[str]:
        found = await claimed(person_ids)
        assert subject.outbox.dismiss(entry.id)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subject.store, "claimed", dismissed_meanwhile)
        await subject.settle()
    assert subject.outbox.entries() == ()
    assert [one.state for one in await subject.outbox.store.history()] == [EntryState.NOT_SURE]


async def test_without_a_list_a_lost_reply_needs_a_person_at_once(
    make_outbox: "MakeOutbox",
) -> None:
    subject = make_outbox(LOST)
    subject.add("Ada")
    await subject.settle()
    assert sure(subject) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert subject.outbox.needs_person_count == 1
