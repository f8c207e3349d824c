"""Up, Down, Escape and undo in the quick-add line: nobody is lost, nobody is added twice."""

import asyncio

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import left_words
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

EDITING = "Editing {}. Enter saves, Esc leaves it as it was."


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


async def test_up_edits_the_newest_who_waits_and_enter_replaces_the_entry(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Grace Hopper", "Ada Lovelase ada@x.org")
    before = account.outbox.entries()
    replaced = Told(line.line_replaced)
    assert line.back()
    assert (line.state.typed, replaced.times) == ("Ada Lovelase ada@x.org", 1)
    assert said(line) == [EDITING.format("Ada Lovelase")]
    line.type("Ada Lovelace ada@x.org")
    assert account.outbox.entries() == before, "as it was until Enter"
    assert line.save()
    assert [one.id for one in account.outbox.entries()] == [one.id for one in before]
    assert typed(account) == ["Grace Hopper", "Ada Lovelace ada@x.org"]
    assert names(account) == ["Grace Hopper", "Ada Lovelace"]
    assert line.state.empty


@pytest.mark.parametrize("leave", ["escape", "clear", "undo"])
async def test_leaving_the_line_leaves_the_entry_as_it_was(
    account: AccountFixture, line: QuickAdd, leave: str
) -> None:
    line.type("Ada 020 7946 0958")
    line.edit("lastname", "Lovelace")
    line.save()
    before = account.outbox.entries()
    line.back()
    line.type("Somebody else")
    match leave:
        case "escape":
            assert line.escape()
        case "undo":
            assert line.undo_last()
        case _:
            line.type("")
    assert account.outbox.entries() == before
    assert (line.state.empty, said(line)) == (True, ["Nothing was changed."])
    await account.sent(before[0], EntryState.ADDED)


async def test_who_is_edited_is_sent_only_once_the_line_is_left(
    account: AccountFixture, line: QuickAdd
) -> None:
    account.outbox.set_hold_seconds(0.0)
    save(line, "Ada Lovelase")
    (ada,) = account.outbox.entries()
    line.back()
    save_other = account.add("Bob")
    await account.until(lambda: account.entry(save_other.id).state is EntryState.ADDED)
    assert account.entry(ada.id) == ada
    line.escape()
    await account.until(lambda: account.entry(ada.id).state is EntryState.ADDED)


async def test_a_start_edits_who_waits_from_before(account: AccountFixture) -> None:
    account.add("Ada", "Lovelase")
    line = quick_add(account)
    assert line.back()
    assert said(line) == [EDITING.format("Ada Lovelase")]
    save(line, "Ada Lovelace")
    assert names(account) == ["Ada Lovelace"]


async def test_up_and_down_go_through_the_lines_to_the_one_being_typed(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    line.type("Mary Jack")
    line.edit("email", "mary@x.org")
    before = account.outbox.entries()
    seen = []
    while line.back():
        seen.append(line.state.typed)
    while line.forward():
        seen.append(line.state.typed)
    assert seen == ["Grace Hopper", "Ada Lovelace", "Grace Hopper", "Mary Jack"]
    assert line.state.person.email == "mary@x.org"
    assert account.outbox.entries() == before


async def test_what_was_being_typed_comes_back_after_the_edit(
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
    for same in ("Ada Lovelace", "Ada Lovelace "):
        line.type(same)
        assert not line.save()
        assert "Enter again adds a second one." in line.state.warning
    assert typed(account) == ["Ada Lovelace"]
    assert line.save()
    assert names(account) == ["Ada Lovelace", "Ada Lovelace"]


async def test_a_copy_that_says_another_is_added_at_once_and_found_when_it_is_left(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Ada Lovelace")
    line.back()
    line.type("Byron Lovelace")
    assert line.forward()
    assert line.state.empty
    assert line.back()
    assert line.state.typed == "Byron Lovelace"
    assert line.save()
    assert names(account) == ["Ada Lovelace", "Byron Lovelace"]
    line.back()
    line.back()
    assert line.state.typed == "Ada Lovelace"


async def test_an_entry_on_its_way_is_copied_and_stays_where_it_is(
    account: AccountFixture, line: QuickAdd
) -> None:
    gate = asyncio.Event()
    account.scripted.answers = [gate]
    save(line, "Ada Lovelace")
    (entry,) = account.outbox.entries()
    await account.sent(entry, EntryState.SENDING)
    line.back()
    assert not line.save()
    line.escape()
    assert said(line) == ["Nothing was changed."]
    assert typed(account) == ["Ada Lovelace"]
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


async def test_somebody_who_left_meanwhile_is_not_edited(
    account: AccountFixture, line: QuickAdd
) -> None:
    await sent(account, line, "Ada Lovelace")
    line.type("Grace Hop")
    line.correct(account.outbox.entries()[0])
    assert says(line, "Too late to take back")
    assert line.state.typed == "Grace Hop"


async def test_an_entry_taken_off_the_list_while_it_is_edited_leaves_its_line_as_a_new_one(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.correct(await refused(account, "Ada Lovelace"))
    line.type("Ada Love")
    assert account.outbox.dismiss(account.outbox.entries()[0].id)
    assert (line.state.typed, line.state.recalled, said(line)) == ("Ada Love", False, [])
    assert account.outbox.store.draft() == "Ada Love"
    assert line.save()
    assert names(account) == ["Ada Love"]


async def test_escape_puts_a_typed_line_away_and_up_or_undo_brings_it_back(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Love")
    line.edit("email", "ada@x.org")
    assert line.escape()
    assert (line.state.empty, said(line)) == (True, [left_words()])
    assert not line.escape()
    for bring_back in (line.back, line.undo_last):
        assert bring_back()
        assert (line.state.typed, line.state.person.email) == ("Ada Love", "ada@x.org")
        assert line.escape()
    line.back()
    assert line.save()
    assert typed(account) == ["Ada Love"]
    assert line.back()
    assert not line.back(), "it is remembered once"


async def test_undo_while_something_is_typed_keeps_both(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace")
    line.type("Grace Hop")
    assert line.undo_last()
    assert (line.state.typed, typed(account)) == ("Grace Hop", [])
    assert said(line) == [left_words()]
    line.back()
    assert line.state.typed == "Ada Lovelace"
    line.forward()
    assert line.state.typed == "Grace Hop"


async def test_undo_elsewhere_while_an_entry_is_edited(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    ada, grace = account.outbox.entries()
    line.back()
    assert line.undo(ada.id)
    assert (line.state.typed, said(line)[0]) == ("Grace Hopper", left_words())
    assert line.undo(grace.id)
    assert (line.state.typed, typed(account)) == ("Grace Hopper", [])
    assert not line.state.recalled


async def test_undo_that_comes_too_late_says_so(account: AccountFixture, line: QuickAdd) -> None:
    await sent(account, line, "Ada Lovelace")
    assert not line.undo(account.outbox.entries()[0].id)
    assert says(line, "Too late to take back")


async def test_a_change_that_cannot_be_kept_leaves_the_entry_and_the_line(
    account: AccountFixture, line: QuickAdd, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(line, "Ada Lovelase")
    before = account.outbox.entries()
    line.back()
    line.type("Ada Lovelace")

    def full(*_: object) -> None:
        raise ExpectedError("Disk full", "There is no room.")

    with monkeypatch.context() as patched:
        patched.setattr(account.store, "write", full)
        assert not line.save()
    assert (line.state.typed, said(line)[0]) == ("Ada Lovelace", "There is no room.")
    assert account.outbox.entries() == before
    assert line.save()
    assert names(account) == ["Ada Lovelace"]


async def test_closing_would_lose_what_is_typed_but_no_entry(line: QuickAdd) -> None:
    save(line, "Ada Lovelace")
    held = [line.state.holds_words]
    line.back()
    held.append(line.state.holds_words)
    line.escape()
    line.type("Grace Hop")
    held.append(line.state.holds_words)
    line.back()
    held.append(line.state.holds_words)
    assert held == [False, False, True, True]


async def test_undo_again_takes_back_the_one_before(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelace", "Grace Hopper")
    assert line.undo_last()
    assert line.state.typed == "Grace Hopper"
    assert line.undo_last()
    assert (line.state.typed, names(account)) == ("Grace Hopper", [])
    assert line.escape()
    assert said(line) == [left_words()]
    assert line.undo_last()
    assert line.state.typed == "Grace Hopper"
    assert line.back()
    assert line.state.typed == "Ada Lovelace"


@pytest.mark.parametrize("undone", [True, False])
async def test_a_line_that_is_typed_over_is_found_again(
    account: AccountFixture, line: QuickAdd, undone: bool
) -> None:
    offered = Told(line.line_offered)
    if undone:
        save(line, "Ada Lovelace")
        line.undo_last()
    else:
        line.type("only@email.example")
        line.edit("firstname", "@")
        line.save()
    assert offered.times == 1
    before = line.state.typed
    line.type("B", over=(0, len(before)))
    line.type("Bob Quirk")
    assert line.state.person.firstname == "Bob"
    assert line.save()
    assert names(account) == ["Bob Quirk"]
    line.back()
    line.back()
    assert line.state.typed == before


async def test_the_line_being_typed_comes_back_when_the_edited_entry_is_taken_off_elsewhere(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Zora Neale")
    line.type("Alice Walker")
    line.back()
    account.outbox.undo(account.outbox.entries()[0].id)
    await asyncio.sleep(0)
    line.type("Zora Hurston")
    assert line.save()
    await asyncio.sleep(0)
    assert "Alice Walker" in line.state.typed


async def test_a_change_is_found_again_when_closing_sends_the_edited_entry_as_it_was(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Zora Neale")
    line.back()
    line.type("Zora Neale Hurston")
    account.outbox.send_now()
    line.escape()
    line.back()
    assert line.state.typed == "Zora Neale Hurston"


async def test_what_is_kept_beside_somebody_stays_when_they_are_edited(
    account: AccountFixture, line: QuickAdd
) -> None:
    ada = NewPerson(
        firstname="Ada",
        lastname="King",
        email="ada@x.org",
        phone="0123 456789",
        leftover="Class: 3b",
    )
    line.correct(account.outbox.add("Ada King ada@x.org", ada))
    line.edit("email", "ada@y.org")
    assert line.save() or line.save()
    new = account.outbox.entries()[0].new_person
    assert (new.email, new.phone, new.leftover) == ("ada@y.org", ada.phone, ada.leftover)
