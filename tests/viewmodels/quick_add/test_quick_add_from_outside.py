"""Lines from outside the window: one after the other, with what is being typed behind them all."""

from collections.abc import Callable

import pytest

from app.viewmodels.quick_add.input_history import Origin
from app.viewmodels.quick_add.quick_add import QuickAdd, says_several
from app.viewmodels.quick_add.quick_add_state import left_words
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.quick_add.typing_room import names, quick_add, said, save, says


def given(account: AccountFixture, *, typed: str = "", count: int = 3) -> QuickAdd:
    line = quick_add(account)
    line.type(typed)
    for number in range(count):
        assert line.give(f"Xeno{number} Out")
    return line


async def test_lines_from_outside_come_one_after_the_other_and_then_what_was_typed(
    account: AccountFixture,
) -> None:
    line = given(account, typed="Zora Ne")
    offered = Told(line.line_offered)
    for number in range(3):
        assert line.state.typed == f"Xeno{number} Out"
        assert says(line, "You asked for this from outside")
        assert not says(line, "This line is not added")
        assert line.save()
    assert line.state.typed == "Zora Ne"
    # The next key goes on with it.
    assert offered.since() == 0
    assert sorted(names(account)) == ["Xeno0 Out", "Xeno1 Out", "Xeno2 Out"]


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("", False),
        ("Ada Lovelace\n\n", False),
        ("Ada Lovelace ada@x.org", False),
        ("Ada\nBob", True),
        ("Ada <a@x.org>; Bob <b@x.org>", True),
        ("Ada Lovelace " * 300, False),
        # Reading it as one line would hold the window for seconds.
        ("Ada Lovelace " * 300_000, True),
    ],
)
def test_who_is_named_from_outside_is_one_or_several(text: str, several: bool) -> None:
    assert says_several(text) is several


async def test_how_many_are_not_added_yet_is_said_for_as_long_as_more_wait(
    account: AccountFixture,
) -> None:
    line = given(account, count=1)
    assert (line.state.behind_words, line.state.waiting_words) == ("", "1 line not added yet")
    line.give("Xeno1 Out")
    line.give("Xeno2 Out")
    assert line.state.behind_words == line.state.waiting_words == "3 lines not added yet"
    assert line.state.spoken.endswith("3 lines not added yet")
    assert line.save()
    assert line.state.behind_words == "2 lines not added yet"
    line.escape()
    assert (line.state.behind_words, line.state.waiting_words) == ("", "1 line not added yet")
    assert line.save()
    assert line.state.waiting_words == ""


async def test_who_comes_next_is_named_for_as_long_as_somebody_does(
    account: AccountFixture,
) -> None:
    line = given(account, count=3)
    assert says(line, "You asked for this from outside")
    assert says(line, "“Xeno1 Out” comes after this line")
    assert line.save()
    assert says(line, "You asked for this from outside")
    assert says(line, "“Xeno2 Out” comes after this line")
    assert line.save()
    assert not says(line, "comes after this line")
    assert line.state.typed == "Xeno2 Out"


async def test_down_leads_to_whoever_was_taken_back_though_others_wait(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Fred Held")
    for number in range(3):
        line.give(f"Xeno{number} Out")
    assert line.undo(account.outbox.entries()[0].id)
    assert says(line, "Fred Held is taken back and not added. Down leads to that line.")
    assert line.forward()
    assert line.state.typed == "Fred Held"
    assert line.back()
    assert line.save()
    assert line.state.typed == "Xeno1 Out"


async def test_the_next_comes_where_one_is_put_away_and_going_back_finds_that(
    account: AccountFixture,
) -> None:
    line = given(account, typed="Zora Ne", count=2)
    line.escape()
    assert line.state.typed == "Xeno1 Out"
    line.escape()
    assert line.state.typed == "Zora Ne"
    assert line.back()
    assert line.state.typed == "Xeno1 Out"


async def test_what_is_typed_on_a_line_from_outside_stays_when_another_comes(
    account: AccountFixture,
) -> None:
    line = given(account, count=1)
    line.type("Xeno0 Out xeno@x.org")
    line.give("Xeno1 Out")
    assert line.state.typed == "Xeno0 Out xeno@x.org"
    assert line.save()
    assert line.state.typed == "Xeno1 Out"


@pytest.mark.parametrize("restarts", [1, 3])
async def test_all_of_them_are_there_after_a_restart(
    account: AccountFixture, restarts: int
) -> None:
    line = given(account, typed="Zora Ne")
    for _ in range(restarts):
        line = quick_add(account)
        line.take_up_draft()
    seen = []
    while line.state.typed:
        seen.append(line.state.typed)
        assert line.save()
    assert seen == ["Xeno0 Out", "Xeno1 Out", "Xeno2 Out", "Zora Ne"]


async def test_somebody_typed_over_a_line_from_outside_loses_none_of_them(
    account: AccountFixture,
) -> None:
    line = given(account, typed="Zora Ne", count=2)
    line.type("A", over=(0, len(line.state.typed)))
    line.type("Ada Other")
    again = quick_add(account)
    again.take_up_draft()
    seen = []
    while again.state.typed:
        seen.append(again.state.typed)
        assert again.save()
    assert sorted(seen) == ["Ada Other", "Xeno0 Out", "Xeno1 Out", "Zora Ne"]


def delete(line: QuickAdd, how: str) -> None:
    """All that stands there: at once, or letter by letter."""
    if how == "at once":
        line.type("", over=(0, len(line.state.typed)))
    while before := line.state.typed:
        line.type(before[:-1], over=(len(before), len(before)))


@pytest.mark.parametrize("how", ["at once", "letter by letter"])
async def test_somebody_from_outside_who_is_deleted_from_the_line_comes_back_only_where_asked_for(
    account: AccountFixture, how: str
) -> None:
    line = given(account, typed="Zora Ne", count=1)
    delete(line, how)
    assert said(line) == [left_words(Origin.NOT_ADDED, "")]
    assert line.state.behind_words == "1 line not added yet", "what was being typed"
    again = quick_add(account)
    again.take_up_draft()
    assert again.state.typed == "Zora Ne"
    line.type("My Own")
    line.give("Xeno1 Out")
    assert line.state.typed == "Xeno1 Out"
    seen = []
    while line.state.typed:
        seen.append((line.state.typed, says(line, "You asked for this from outside")))
        assert line.save()
    assert seen == [("Xeno1 Out", True), ("Zora Ne", False), ("My Own", False)]
    found = list[str]()
    while line.back():
        found.append(line.state.typed)
    assert found.count("Xeno0 Out") == 1


@pytest.mark.parametrize("how", ["at once", "letter by letter"])
async def test_somebody_from_outside_whose_deletion_is_undone_waits_as_before(
    account: AccountFixture, how: str
) -> None:
    line = given(account, count=1)
    delete(line, how)
    line.type("Xeno0 Out")
    line.give("Xeno1 Out")
    assert line.state.typed == "Xeno0 Out"
    assert line.state.behind_words == "2 lines not added yet"
    assert line.save()
    assert line.state.typed == "Xeno1 Out"
    assert line.save()
    assert line.state.empty


async def test_up_is_promised_for_whoever_is_added_only_where_nothing_stands_in_the_line(
    account: AccountFixture,
) -> None:
    line = given(account, typed="Zora Ne", count=1)
    assert line.save()
    assert said(line) == ["Xeno0 Out is in the list. While it waits there, Ctrl+Z takes it back."]
    assert line.save()
    assert says(line, "Up corrects it and Ctrl+Z takes it back")


async def test_a_window_that_keeps_nothing_says_that_somebody_is_behind_the_line(
    account: AccountFixture,
) -> None:
    line = given(account, count=2)
    line.forward()
    line.forward()
    assert line.state.empty
    assert line.state.holds_words


async def test_somebody_from_outside_gets_no_last_name_that_was_kept_for_others(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Ada Lovelace ada@x.org", keep_last_name=True)
    line.give("Grace")
    assert (line.state.person.firstname, line.state.person.lastname) == ("Grace", "")
    assert line.save()
    save(line, "Byron")
    assert names(account) == ["Ada Lovelace", "Grace", "Byron Lovelace"]


@pytest.mark.parametrize("leaves", [QuickAdd.save, QuickAdd.escape])
async def test_a_line_that_was_taken_back_comes_back_after_who_is_named_from_outside(
    account: AccountFixture, leaves: Callable[[QuickAdd], object]
) -> None:
    line = quick_add(account)
    save(line, "Undone Uwe u@b.org")
    assert line.undo_last()
    assert line.state.typed == "Undone Uwe u@b.org"
    assert line.give("Xeno Out")
    assert line.state.typed == "Xeno Out"
    leaves(line)
    assert line.state.typed == "Undone Uwe u@b.org"
    assert not says(line, "You asked for this from outside")
    assert line.save()
    assert line.state.typed == ""
