"""The half-typed line on the disk, and a disk that takes nothing: what was typed is still there."""

from collections.abc import Callable

import pytest

from app.model.outbox import OutboxEntry
from app.store.errors import StoreError
from app.viewmodels.quick_add.typed_line import TypedLine, draft_of, lines_of
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.quick_add.typing_room import names, quick_add, save, says, typed

FULL = "The disk of this computer is full."
Fill = Callable[..., None]


@pytest.fixture
def disk_takes(account: AccountFixture, monkeypatch: pytest.MonkeyPatch) -> Fill:
    """From now on the disk takes so many writes, and then it is full."""
    write = account.store.write

    def fill(writes: int) -> None:
        left = [writes]

        def full(*entries: OutboxEntry, clear_draft: bool = False) -> None:
            if not left[0]:
                raise StoreError("No room left", FULL)
            left[0] -= 1
            write(*entries, clear_draft=clear_draft)

        monkeypatch.setattr(account.store, "write", full)

    return fill


async def test_each_key_is_kept_and_the_next_start_has_the_line(account: AccountFixture) -> None:
    line = quick_add(account)
    line.type("Zora N")
    assert account.outbox.store.draft() == "Zora N"
    again = quick_add(account)
    again.take_up_draft()
    assert again.state.typed == "Zora N"
    assert says(again, "You had typed this")


async def test_a_field_corrected_by_hand_and_a_kept_last_name_come_back_too(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Zora Neale", keep_last_name=True)
    line.type("Alice")
    line.edit("email", "alice@example.org")
    before = line.state.person
    again = quick_add(account)
    again.take_up_draft()
    assert again.state.person == before
    assert again.state.kept_last_name == "Neale"


async def test_of_an_entry_that_is_edited_only_the_line_behind_it_is_kept(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Zora Neale")
    line.type("Alice")
    line.back()
    line.type("Zora Neale H")
    again = quick_add(account)
    again.take_up_draft()
    assert (again.state.typed, names(account)) == ("Alice", ["Zora Neale"])


async def test_a_saved_line_is_no_draft_any_more(account: AccountFixture) -> None:
    save(quick_add(account), "Zora Neale")
    again = quick_add(account)
    again.take_up_draft()
    assert again.state.typed == ""


async def test_looking_at_a_line_that_was_sent_makes_no_draft_of_it(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Zora Neale")
    account.outbox.set_hold_seconds(0.0)
    account.outbox.send_now()
    await account.settle()
    line.back()
    assert line.state.typed == "Zora Neale"
    assert account.outbox.store.draft() == ""


@pytest.mark.parametrize("lone", ["\ud800", "a\udfff b"])
async def test_half_a_character_in_a_corrected_line_is_kept_as_well_as_can_be(lone: str) -> None:
    (line,) = lines_of(draft_of([TypedLine("Zora", {"lastname": lone})]))
    assert line.typed == "Zora"
    assert "\ufffd" in draft_of([TypedLine(lone)])


@pytest.mark.parametrize("damaged", ["\x1f[", '\x1f[{"typed": 1}]', "\x1f[]"])
async def test_a_damaged_draft_stops_no_start(account: AccountFixture, damaged: str) -> None:
    account.outbox.store.keep_draft(damaged)
    quick_add(account).take_up_draft()


async def test_adding_on_a_full_disk_says_so_and_the_line_stays(
    account: AccountFixture, disk_takes: Fill
) -> None:
    line = quick_add(account)
    disk_takes(0)
    line.type("Zora Neale")
    assert not line.save()
    assert line.state.typed == "Zora Neale"
    assert says(line, FULL)
    assert typed(account) == []


async def test_undoing_on_a_full_disk_says_so_and_the_entry_stays(
    account: AccountFixture, disk_takes: Fill
) -> None:
    line = quick_add(account)
    save(line, "Zora Neale")
    disk_takes(0)
    assert not line.undo(account.outbox.entries()[0].id)
    assert says(line, FULL)
    assert names(account) == ["Zora Neale"]
