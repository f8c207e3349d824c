"""Lines from outside the window: one after the other, with what is being typed behind them all."""

from collections.abc import Callable

import pytest

from app.viewmodels.quick_add.quick_add import QuickAdd, says_several
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.quick_add.typing_room import names, quick_add, save, says


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
    seen = []
    while line.state.typed:
        seen.append(line.state.typed)
        assert line.save()
    assert seen == ["Ada Other", "Xeno1 Out", "Zora Ne"]
    while line.back():
        seen.append(line.state.typed)
    assert "Xeno0 Out" in seen


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
