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
    from tests.outbox.conftest import MakeBench, OutboxFixture

LONG = 3600.0
LOST = TooSlow("Too slow", "No reply.", outcome_unknown=True)
NO_LINE = Unreachable("No line", "The service cannot be reached.", transient=True)


def ada(person_id: str, email: str | None = "a@x.org") -> Person:
    return Person(id=person_id, firstname="ada", lastname="LOVELACE", email=email)


def sure(bench: "OutboxFixture") -> tuple[EntryState, Doubt]:
    """How the first entry stands."""
    entry = bench.outbox.entries()[0]
    return entry.state, entry.doubt


async def test_a_new_person_with_the_name_and_the_email_settles_it(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList(ada("known"))
    bench = make_bench(LOST, people=people)
    people.there.append(ada("new"))
    bench.add("Ada")
    await bench.settle()
    (entry,) = bench.outbox.entries()
    assert (entry.state, entry.person_id) == (EntryState.ADDED, "new")
    assert entry.known_ids == ("known",)
    assert bench.scripted.asked == ["Ada"]
    assert people.readings == 1
    assert not [event for event in bench.told if isinstance(event, PersonAdded)]


async def test_while_it_is_looked_for_nobody_has_to_do_anything(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people, looks=(LONG,))
    bench.add("Ada")
    await bench.until(lambda: bench.states() == ["not sure"])
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.LOOKING)
    assert (bench.outbox.needs_person_count, bench.outbox.looked_for_count) == (0, 1)


async def test_after_looking_in_vain_a_person_is_needed_and_nothing_is_sent(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList(ada("known"), Person(id="b", firstname="Bob", lastname="Lovelace"))
    bench = make_bench(LOST, people=people)
    bench.add("Ada")
    await bench.settle()
    assert people.readings == 3
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert bench.outbox.needs_person_count == 1
    bench.outbox.send_now()
    bench.outbox.resume()
    await bench.settle()
    assert bench.scripted.asked == ["Ada"]


async def test_one_that_shows_up_late_is_still_found(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people, looks=(0.0, 0.01, 0.01, 0.01, 0.01))
    bench.add("Ada")
    await bench.until(lambda: people.readings >= 2)
    people.there.append(ada("new"))
    await bench.settle()
    assert bench.last().person_id == "new"


async def test_those_absent_are_sent_again_together_but_open_questions_stay(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList(whole=False)
    bench = make_bench(LOST, LOST, LOST, people=people)
    for name in ("Ada", "Bob", "Cyd"):
        bench.add(name)
    people.there.append(ada("candidate"))
    await bench.settle()
    assert [entry.doubt for entry in bench.outbox.entries()] == [
        Doubt.LOOKS_LIKE,
        Doubt.ABSENT,
        Doubt.ABSENT,
    ]
    again = await bench.outbox.send_all_again()
    assert [entry.typed[:3] for entry in again] == ["Bob", "Cyd"]
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob", "Cyd", "Bob", "Cyd"]
    assert bench.states() == ["not sure", "added", "added"]


async def asked(bench: "OutboxFixture", people: ScriptedList, *there: Person) -> str:
    """An entry about which a person is asked; gives its id."""
    people.there += there
    entry = bench.add("Ada")
    await bench.settle()
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.LOOKS_LIKE)
    assert bench.outbox.needs_person_count == 1
    return entry.id


async def test_a_person_says_that_it_is_the_one(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people)
    entry_id = await asked(bench, people, ada("perhaps", ""))
    assert bench.last().candidate_id == "perhaps"
    settled = bench.outbox.confirm_candidate(entry_id)
    assert settled is not None
    assert (settled.state, settled.person_id) == (EntryState.ADDED, "perhaps")
    assert bench.outbox.confirm_candidate(entry_id) is None
    assert bench.scripted.asked == ["Ada"]


async def test_a_person_says_that_it_is_not_and_the_looking_goes_on(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList(whole=False)
    bench = make_bench(LOST, people=people)
    entry_id = await asked(bench, people, ada("one"), ada("two"))
    bench.outbox.reject_candidate(entry_id)
    await bench.settle()
    assert bench.last().candidate_id == "one"
    bench.outbox.reject_candidate(entry_id)
    await bench.settle()
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert set(bench.last().known_ids) == {"one", "two"}
    assert bench.scripted.asked == ["Ada"]


async def test_one_person_is_not_the_answer_to_two_questions(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, LOST, people=people)
    people.there.append(ada("perhaps", ""))
    first = bench.add("Ada")
    other = msgspec.structs.replace(bench.person("Ada"), email="other@x.org")
    bench.outbox.add("Ada other@x.org", other)
    await bench.settle()
    assert [entry.candidate_id for entry in bench.outbox.entries()] == ["perhaps", "perhaps"]
    bench.outbox.confirm_candidate(first.id)
    await bench.settle()
    assert bench.last().candidate_id is None
    assert bench.last().doubt is Doubt.ABSENT


async def test_who_is_undone_while_the_list_is_asked_does_not_leave(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList()
    people.answers.clear()
    bench = make_bench(people=people)
    first = bench.add("Ada")
    second = bench.add("Bob")
    await asyncio.sleep(0.01)
    assert bench.outbox.undo(first.id) is not None
    changed = bench.outbox.edit(second.id, bench.person("Bobby"))
    assert changed is not None
    people.answers.set()
    await bench.settle()
    assert bench.scripted.asked == ["Bobby"]


async def test_sending_again_is_possible_beside_the_question(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people)
    entry_id = await asked(bench, people, ada("perhaps", ""))
    bench.outbox.send_again(entry_id)
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Ada"]
    assert bench.last().person_id == "id-2"
    assert bench.last().candidate_id is None


async def test_an_entry_alike_waits_until_the_first_is_settled(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people, looks=(LONG,))
    first = bench.add("Ada")
    second = bench.add("ADA")
    bench.add("Bob")
    await bench.until(lambda: bench.states() == ["not sure", "waiting", "added"])
    held_up_by = bench.outbox.held_up_by(second.id)
    assert held_up_by is not None
    assert held_up_by.id == first.id
    bench.outbox.dismiss(first.id)
    await bench.settle()
    assert bench.scripted.asked == ["Ada", "Bob", "ADA"]


async def test_settling_the_first_by_the_list_lets_the_one_alike_go(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people, looks=(0.02, 0.02))
    bench.add("Ada")
    bench.add("Ada")
    await bench.until(lambda: bench.states()[0] == "not sure")
    people.there.append(ada("new"))
    await bench.settle()
    assert bench.states() == ["added", "added"]
    assert bench.scripted.asked == ["Ada", "Ada"]
    # The first is known when the second leaves, so that nobody takes one for the other.
    assert bench.last().known_ids == ("new",)


async def test_while_the_list_cannot_be_read_no_look_is_counted(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    people.refused = [NO_LINE] * 6
    bench = make_bench(LOST, people=people)
    bench.add("Ada")
    await bench.until(lambda: people.readings > 4)
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.LOOKING)
    assert bench.outbox.entries()[0].looks == 0
    people.there.append(ada("new"))
    await bench.settle()
    assert bench.last().person_id == "new"


async def test_try_now_reads_at_once_a_list_that_could_not_be_read(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList()
    people.refused = [NO_LINE]
    bench = make_bench(LOST, people=people, backoff=(LONG, LONG), looks=(0.0,))
    bench.add("Ada")
    await bench.until(lambda: people.readings == 1)
    await asyncio.sleep(0.01)
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.LOOKING)
    bench.outbox.send_now()
    await bench.until(lambda: sure(bench) == (EntryState.NOT_SURE, Doubt.ABSENT))


async def test_without_a_service_nobody_is_looked_for(make_bench: "MakeBench") -> None:
    people = ScriptedList()
    bench = make_bench(LOST, people=people)
    bench.add("Ada")
    await bench.until(lambda: bench.states() == ["not sure"])
    bench.service = None
    await bench.settle()
    readings = people.readings
    assert sure(bench)[1] is Doubt.LOOKING
    bench.service = bench.scripted
    bench.outbox.resume()
    await bench.settle()
    assert people.readings > readings
    assert sure(bench)[1] is Doubt.ABSENT


async def test_an_error_nobody_expected_is_reported_and_the_looking_goes_on(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList()
    error = KeyError("a bug")
    people.refused = [error]
    bench = make_bench(LOST, people=people)
    people.there.append(ada("new"))
    bench.add("Ada")
    await bench.settle()
    assert bench.crashes == [error]
    assert bench.last().person_id == "new"


async def test_a_person_who_decides_while_the_list_is_read_has_the_last_word(
    make_bench: "MakeBench",
) -> None:
    people = ScriptedList()
    bench = make_bench(LOST, asyncio.Event(), people=people, looks=(0.0, LONG))
    people.there.append(ada("new"))
    claimed = bench.store.claimed
    entry = bench.add("Ada")

    async def dismissed_meanwhile(person_ids: list[str]) -> frozenset[str]:
        found = await claimed(person_ids)
        assert bench.outbox.dismiss(entry.id)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.store, "claimed", dismissed_meanwhile)
        await bench.settle()
    assert bench.outbox.entries() == ()
    assert [one.state for one in await bench.outbox.history()] == [EntryState.NOT_SURE]


async def test_without_a_list_a_lost_reply_needs_a_person_at_once(make_bench: "MakeBench") -> None:
    bench = make_bench(LOST)
    bench.add("Ada")
    await bench.settle()
    assert sure(bench) == (EntryState.NOT_SURE, Doubt.ABSENT)
    assert bench.outbox.needs_person_count == 1
