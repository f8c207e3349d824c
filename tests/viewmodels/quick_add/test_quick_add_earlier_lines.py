"""Up, Down, Escape and undo in the quick-add line: nobody is lost, nobody is added twice."""

import asyncio

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import EntryState
from app.viewmodels.quick_add.input_history import Origin
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import left_words, origin_remark
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.quick_add.typing_room import (
    names,
    quick_add,
    refused,
    said,
    save,
    says,
    typed,
)

OUT = "{} is out of the list for correcting. Enter puts it back corrected, Escape as it was."


@pytest.fixture
def line(account: AccountFixture) -> QuickAdd:
    return quick_add(account)


async def sent(account: AccountFixture, line: QuickAdd, text: str) -> None:
    """Somebody was typed, saved, and is with the account now."""
    save(line, text)
    await account.sent(account.outbox.entries()[-1], EntryState.ADDED)


async def test_up_has_nowhere_to_go_before_anybody_was_saved(line: QuickAdd) -> None:
    told = Told(line.state_changed)
    assert not line.back()
    assert not line.forward()
    assert told.times == 0


async def test_up_takes_a_held_entry_out_of_the_list_for_correcting(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Grace Hopper", "Ada Lovelase ada@x.org")
    replaced = Told(line.line_replaced)
    assert line.back()
    assert (line.state.typed, replaced.times) == ("Ada Lovelase ada@x.org", 1)
    assert typed(account) == ["Grace Hopper"]
    assert said(line) == [OUT.format("Ada Lovelase")]
    line.type("Ada Lovelace ada@x.org")
    assert line.save()
    assert names(account) == ["Grace Hopper", "Ada Lovelace"]
    assert line.state.empty


async def test_escape_puts_an_entry_back_as_it_was(account: AccountFixture, line: QuickAdd) -> None:
    line.type("Ada 020 7946 0958")
    line.edit("lastname", "Lovelace")
    line.save()
    (before,) = account.outbox.entries()
    line.back()
    line.type("Somebody else")
    assert line.escape()
    (after,) = account.outbox.entries()
    assert (after.typed, after.new_person) == (before.typed, before.new_person)
    assert (line.state.empty, said(line)) == (
        True,
        ["Ada Lovelace is in the list again, as before."],
    )


async def test_what_was_corrected_and_left_comes_back_with_the_next_up(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelase")
    line.back()
    line.type("Ada Lovelace, Countess")
    line.escape()
    assert names(account) == ["Ada Lovelase"]
    line.back()
    assert (line.state.typed, typed(account)) == ("Ada Lovelace, Countess", [])


async def test_several_ups_go_further_back_and_each_entry_passed_is_in_the_list_again(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper", "Mary Jackson")
    seen = []
    while line.back():
        seen.append((line.state.typed, sorted(typed(account))))
    assert seen == [
        ("Mary Jackson", ["Ada Lovelace", "Grace Hopper"]),
        ("Grace Hopper", ["Ada Lovelace", "Mary Jackson"]),
        ("Ada Lovelace", ["Grace Hopper", "Mary Jackson"]),
    ]


async def test_down_goes_forward_again_to_the_line_that_was_being_typed(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    line.type("Mary Jack")
    line.edit("email", "mary@x.org")
    line.back()
    line.back()
    assert line.forward()
    assert line.state.typed == "Grace Hopper"
    assert line.forward()
    assert (line.state.typed, line.state.person.email) == ("Mary Jack", "mary@x.org")
    assert sorted(typed(account)) == ["Ada Lovelace", "Grace Hopper"]
    assert not line.forward()


async def test_what_was_being_typed_comes_back_after_the_correction(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelase")
    line.type("Grace Hop")
    line.back()
    line.type("Ada Lovelace")
    assert line.save()
    assert (line.state.typed, names(account)) == ("Grace Hop", ["Ada Lovelace"])


async def test_somebody_already_sent_is_a_copy_and_added_again_only_by_a_second_enter(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Ada Lovelace")
    line.back()
    assert said(line) == [
        "Ada Lovelace was added already, and sent is final. Enter adds a second person."
    ]
    assert not line.save()
    assert says(line, "Press Enter once more to add Ada Lovelace a second time")
    assert typed(account) == ["Ada Lovelace"]
    assert line.save()
    assert typed(account) == ["Ada Lovelace", "Ada Lovelace"]


async def test_a_copy_of_somebody_sent_that_says_another_is_added_at_once(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Ada Lovelace")
    line.back()
    line.type("Byron Lovelace")
    assert line.save()
    assert names(account) == ["Ada Lovelace", "Byron Lovelace"]
    line.back()
    line.back()
    assert line.state.typed == "Ada Lovelace"


async def test_typing_after_the_warning_asks_anew(account: AccountFixture, line: QuickAdd) -> None:
    await sent(account, line, "Ada Lovelace")
    line.back()
    line.save()
    line.type("Ada Lovelace ")
    assert not line.save()
    assert typed(account) == ["Ada Lovelace"]


async def test_an_entry_on_its_way_says_so_and_stays_where_it_is(
    account: AccountFixture, line: QuickAdd
) -> None:
    gate = asyncio.Event()
    account.scripted.answers = [gate]
    save(line, "Ada Lovelace")
    (entry,) = account.outbox.entries()
    await account.sent(entry, EntryState.SENDING)
    line.back()
    assert says(line, "is on the way to the account already.")
    assert typed(account) == ["Ada Lovelace"]
    line.escape()
    assert said(line) == ["Nothing was changed."]
    gate.set()
    await account.sent(entry, EntryState.ADDED)


async def test_a_refused_entry_is_corrected_in_its_place(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Ada Lovelace")
    line.type("Grace Hop")
    line.correct(entry)
    assert said(line) == ["The name is too long. Correct it, then press Enter to send it."]
    line.edit("lastname", "L")
    assert line.save()
    assert account.entry(entry.id).new_person.full_name == "Ada L"
    assert line.state.typed == "Grace Hop"


async def test_a_line_whose_entry_is_gone_says_to_look_first(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Ada Lovelace")
    account.outbox.dismiss(account.outbox.entries()[0].id)
    line.back()
    assert says(line, "Look whether the person is in the list")
    assert not line.save()


async def test_escape_puts_a_typed_line_away_and_up_or_undo_brings_it_back(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Love")
    line.edit("email", "ada@x.org")
    assert line.escape()
    assert (line.state.empty, said(line)) == (True, [left_words(Origin.NEW, "")])
    assert not line.escape()
    remark = origin_remark(Origin.NOT_ADDED, None)
    assert remark
    for bring_back in (line.back, line.undo_last):
        assert bring_back()
        assert (line.state.typed, line.state.person.email) == ("Ada Love", "ada@x.org")
        assert said(line) == [remark.words]
        assert line.escape()
    line.back()
    assert line.save()
    assert typed(account) == ["Ada Love"]


async def test_undo_while_something_is_typed_keeps_both(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace")
    line.type("Grace Hop")
    assert line.undo_last()
    assert (line.state.typed, typed(account)) == ("Grace Hop", [])
    taken_back = "Ada Lovelace is taken back and not added."
    # Elsewhere in a line that is typed, Up leads to its beginning.
    up = "Up at the beginning of this line leads to that one."
    assert said(line) == [f"{taken_back} {up}"]
    line.back()
    assert line.state.typed == "Ada Lovelace"
    assert line.escape()
    assert said(line) == [f"Put away and not added. {up}"]
    line.back()
    assert line.state.typed == "Ada Lovelace"
    line.forward()
    assert line.state.typed == "Grace Hop"


async def test_who_is_taken_back_from_an_earlier_line_is_found_behind_it(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Grace Hopper")
    save(line, "Ada Lovelace")
    line.back()
    line.back()
    assert line.state.typed == "Grace Hopper"
    assert line.undo(account.outbox.entries()[-1].id)
    assert says(line, "Ada Lovelace is taken back and not added. Down leads to that line.")
    line.forward()
    assert line.state.typed == "Ada Lovelace"


async def test_undo_takes_the_one_saved_last_also_after_others_were_put_back(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    line.back()
    line.back()
    line.escape()
    assert typed(account) == ["Grace Hopper", "Ada Lovelace"]
    line.undo_last()
    assert (line.state.typed, typed(account)) == ("Grace Hopper", ["Ada Lovelace"])


async def test_undo_after_up_leaves_the_correction(account: AccountFixture, line: QuickAdd) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    line.back()
    assert line.undo_last()
    assert (line.state.empty, typed(account)) == (True, ["Ada Lovelace", "Grace Hopper"])


async def test_undo_that_comes_too_late_says_so(account: AccountFixture, line: QuickAdd) -> None:
    await sent(account, line, "Ada Lovelace")
    assert not line.undo(account.outbox.entries()[0].id)
    assert says(line, "Too late to take back")


async def test_an_undo_elsewhere_while_an_earlier_line_stands_here_leaves_it_there(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    ada = account.outbox.entries()[0]
    line.back()
    assert line.undo(ada.id)
    assert line.state.typed == "Grace Hopper"
    line.escape()
    assert typed(account) == ["Grace Hopper"]


async def test_an_entry_that_cannot_be_put_back_stays_in_the_line(
    account: AccountFixture, line: QuickAdd, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    line.back()

    def full(*_: object) -> None:
        raise ExpectedError("Disk full", "There is no room.")

    with monkeypatch.context() as patched:
        patched.setattr(account.outbox, "put_back", full)
        for leave in (line.escape, line.back, line.forward, line.put_back):
            leave()
            assert (line.state.typed, said(line)[0]) == ("Grace Hopper", "There is no room.")
    assert line.put_back()
    assert typed(account) == ["Ada Lovelace", "Grace Hopper"]


async def test_at_the_end_of_the_program_an_entry_out_for_correcting_is_put_back(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace")
    assert line.put_back()
    line.back()
    assert line.put_back()
    assert typed(account) == ["Ada Lovelace"]


async def test_closing_would_lose_what_is_typed_put_aside_or_out_for_correcting(
    line: QuickAdd,
) -> None:
    save(line, "Ada Lovelace")
    held = [line.state.holds_words]
    line.back()
    line.type("")
    held.append(line.state.holds_words)
    line.escape()
    held.append(line.state.holds_words)
    line.type("Grace Hop")
    held.append(line.state.holds_words)
    assert held == [False, True, False, True]


async def test_undo_brings_back_the_line_that_was_put_away_last(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    assert line.undo_last()
    assert line.state.typed == "Grace Hopper"
    assert line.undo_last()
    assert (line.state.typed, names(account)) == ("Grace Hopper", [])
    assert line.escape()
    assert said(line) == [left_words(Origin.NOT_ADDED, "")]
    assert line.undo_last()
    assert line.state.typed == "Grace Hopper"
    assert line.back()
    assert line.state.typed == "Ada Lovelace"


def type_over(line: QuickAdd, text: str) -> None:
    """Instead of all that stands there."""
    line.type(text, over=(0, len(line.state.typed)))


async def test_a_line_that_was_refused_is_offered_to_be_typed_over(line: QuickAdd) -> None:
    offered = Told(line.line_offered)
    line.type("only@email.example")
    line.edit("email", "other@email.example")
    assert not line.save()
    assert offered.times == 1
    type_over(line, "B")
    line.type("Bob")
    assert (line.state.person.firstname, line.state.person.email) == ("Bob", "")
    line.type("only@email.example")
    assert line.state.person.email == "other@email.example", "undone, fields and all"


async def test_a_line_put_aside_is_not_lost_where_another_is_typed_over_the_one_before_it(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Lovelace")
    assert line.escape()
    line.type("Greta Half")
    assert line.back()
    type_over(line, "B")
    line.type("Bob Quirk")
    line.type("Ada Lovelace")
    assert line.state.recalled, "undone, it is the line it was"
    type_over(line, "B")
    line.type("Bob Quirk")
    assert line.save()
    assert names(account) == ["Bob Quirk"]
    found = []
    while line.back():
        found.append(line.state.typed)
    assert {"Ada Lovelace", "Greta Half"} <= set(found)


async def test_a_line_typed_over_one_that_was_taken_back_leaves_that_to_be_found(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace")
    offered = Told(line.line_offered)
    assert line.undo_last()
    assert offered.times == 1
    type_over(line, "B")
    assert not line.state.recalled
    line.type("Bob Quirk")
    assert line.save()
    assert names(account) == ["Bob Quirk"]
    line.back()
    line.escape()
    assert line.back()
    assert line.back()
    assert line.state.typed == "Ada Lovelace"


async def test_what_was_typed_over_a_line_that_was_taken_back_can_be_undone(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace")
    line.undo_last()
    type_over(line, "B")
    line.type("Ada Lovelace")
    assert line.state.recalled
    assert line.save()
    assert names(account) == ["Ada Lovelace"]
    assert line.back()
    assert not line.back(), "it is remembered once"
