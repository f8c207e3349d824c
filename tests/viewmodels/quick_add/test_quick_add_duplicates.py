"""Who may be the same person stands below the line; where it is certain, Enter is wanted twice."""

import msgspec
import pytest

from app.model.outbox import EntryState
from app.model.person import Person
from app.viewmodels.formatting import day
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import second_words
from tests.viewmodels.conftest import ADA, NOON, AccountFixture
from tests.viewmodels.quick_add.typing_room import names, quick_add, refused, says, typed

GRACE = Person(
    id="grace",
    firstname="Grace",
    lastname="Lindqvist",
    email="grace@lindqvist.example",
    date_added=NOON,
)
EVE = Person(id="eve", firstname="Eve", lastname="Marchetti", archived=True)


@pytest.fixture
async def line(account: AccountFixture) -> QuickAdd:
    """The line of an account that has three people."""
    line = quick_add(account)
    await account.list_people(ADA, GRACE, EVE)
    await account.settle()
    return line


def found(line: QuickAdd) -> list[str]:
    return [hint.name for hint in line.state.hints]


async def test_who_may_be_the_same_is_shown_while_somebody_types(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Grace Lindquist")
    (hint,) = line.state.hints
    assert (hint.name, hint.initials, hint.email) == (
        "Grace Lindqvist",
        "GL",
        "grace@lindqvist.example",
    )
    assert hint.about == f"one letter differs, added {day(NOON)}"
    assert hint.key == account.directory.row_of("grace")
    assert "Grace Lindqvist, grace@lindqvist.example, one letter" in line.state.spoken
    line.type("")
    assert (line.state.hints, "Lindqvist" in line.state.spoken) == ((), False)


async def test_a_weak_likeness_costs_no_key(account: AccountFixture, line: QuickAdd) -> None:
    line.type("Grace Lindquist")
    assert line.state.hints
    assert line.save()
    assert names(account) == ["Grace Lindquist"]
    assert line.state.hints == ()


async def test_a_certain_one_needs_enter_twice_and_says_so(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Grace Lindqvist")
    assert line.state.warning == ""
    assert not line.save()
    assert (line.state.warning, names(account)) == (second_words(), [])
    assert second_words() in line.state.spoken
    assert line.save()
    assert (line.state.warning, names(account)) == ("", ["Grace Lindqvist"])


@pytest.mark.parametrize(
    "text",
    ["Zoe Quirk", "Quirk, Zoë", "Zoe Nobody z.o.e.quirk+choir@gmail.com", "O'Brien, Sean", "Bo Li"],
)
async def test_a_certain_one_is_asked_about_while_the_list_is_still_being_taken_in(
    account: AccountFixture, text: str
) -> None:
    line = quick_add(account)
    await account.list_people(
        Person(id="zoe", firstname="Zoë", lastname="Quirk", email="zoe.quirk@googlemail.com"),
        Person(id="sean", firstname="Sean", lastname="O&#039;Brien"),
        *(Person(id=f"p{n}", firstname=f"First{n}", lastname=f"Last{n}") for n in range(2_000)),
    )
    account.add("Bo", "Li")
    line.type(text)
    assert account.duplicates.busy
    assert not line.save()
    assert account.duplicates.busy
    assert line.state.warning == second_words()
    assert line.save()


async def test_typing_after_the_first_enter_asks_anew(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Grace Lindqvist")
    assert not line.save()
    line.type("Grace Lindqvist ")
    assert line.state.warning == ""
    assert not line.save(keep_last_name=True)
    line.edit("email", "grace@lindqvist.example")
    assert (line.state.warning, line.save(), names(account)) == ("", False, [])


async def test_a_field_corrected_by_hand_is_compared_as_well(line: QuickAdd) -> None:
    line.type("Grace Hopper")
    assert found(line) == []
    line.edit("lastname", "Lindqvist")
    assert found(line) == ["Grace Lindqvist"]


async def test_somebody_archived_is_said_to_be(line: QuickAdd) -> None:
    line.type("Eve Marchetti")
    assert [hint.about for hint in line.state.hints] == ["same name, archived"]


async def test_somebody_typed_a_moment_ago_is_found_and_how_they_stand(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Dorothy Vaughan")
    await account.settle_duplicates()
    line.type("Dorothy Vaughan")
    assert [hint.about for hint in line.state.hints] == [
        "same name, typed here, refused by the account"
    ]
    line.correct(entry)
    assert found(line) == [], "nobody is their own double"
    assert line.save()

    line.type("Zora Neale")
    assert line.save()
    await account.settle_duplicates()
    line.type("Zora Neale")
    assert [hint.about for hint in line.state.hints] == [
        "same name, typed here, waiting to be sent"
    ]
    assert not line.save()


async def test_who_becomes_known_while_a_line_stands_there_is_shown_and_asked_about(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Mary Jackson mary@x.org")
    assert found(line) == []
    mary = Person(id="mary", firstname="Mary", lastname="Jackson", email="mary@x.org")
    await account.list_people(ADA, GRACE, EVE, mary)
    await account.settle_duplicates()
    assert found(line) == ["Mary Jackson"]
    assert not line.save()
    other = msgspec.structs.replace(mary, id="mary2")
    await account.list_people(ADA, GRACE, EVE, mary, other)
    await account.settle_duplicates()
    assert line.state.warning == "", "of the second one nobody was warned"
    assert not line.save()
    assert line.save()
    assert names(account) == ["Mary Jackson"]


async def test_a_line_of_somebody_who_was_added_is_asked_about_once(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Annie Easley annie@x.org")
    assert line.save()
    await account.sent(account.outbox.entries()[-1], EntryState.ADDED)
    await account.settle_duplicates()
    assert line.back()
    assert not line.save()
    assert "Enter again adds a second one." in line.state.warning
    assert line.save()


async def test_where_a_name_is_missing_that_is_said_and_nothing_else(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("grace@lindqvist.example")
    assert found(line) == ["Grace Lindqvist"]
    assert not line.save()
    assert (line.state.warning, says(line, "Type a first name or a last name"), typed(account)) == (
        "",
        True,
        [],
    )
