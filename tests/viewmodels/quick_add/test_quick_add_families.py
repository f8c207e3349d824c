"""Shift+Enter: the last name stays for the next person until somebody says otherwise."""

import pytest

from app.model.outbox import EntryState
from app.viewmodels.quick_add.quick_add import QuickAdd
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.quick_add.typing_room import names, quick_add, said, save, says

KEPT = "The last name stays Lovelace. Escape drops it."


@pytest.fixture
def line(account: AccountFixture) -> QuickAdd:
    return quick_add(account)


@pytest.fixture
async def family(line: QuickAdd) -> QuickAdd:
    """Ada Lovelace was saved, and her last name is kept."""
    save(line, "Ada Lovelace ada@x.org", keep_last_name=True)
    return line


async def test_the_last_name_stays_and_is_shown_and_nobody_is_typed_yet(family: QuickAdd) -> None:
    assert (family.state.typed, family.state.empty, family.state.shows_reading) == ("", True, True)
    assert (family.state.person.lastname, family.state.person.email) == ("Lovelace", "")
    assert said(family)[-1] == KEPT
    assert family.state.placeholder == "First name of the next Lovelace"


async def test_the_last_name_alone_is_not_saved(account: AccountFixture, family: QuickAdd) -> None:
    assert not family.save()
    assert not family.save(keep_last_name=True)
    assert names(account) == ["Ada Lovelace"]


async def test_typing_a_first_name_is_the_next_of_the_family(
    account: AccountFixture, family: QuickAdd
) -> None:
    family.type("Mary Ann mary@x.org")
    assert said(family) == [KEPT]
    assert family.save(keep_last_name=True)
    family.type("Byron")
    assert family.save()
    assert names(account) == ["Ada Lovelace", "Mary Ann Lovelace", "Byron Lovelace"]


async def test_enter_alone_ends_the_family(family: QuickAdd) -> None:
    save(family, "Byron")
    assert (family.state.kept_last_name, family.state.shows_reading) == ("", False)


async def test_a_line_with_a_last_name_of_its_own_has_that(family: QuickAdd) -> None:
    family.type("King, William")
    assert (family.state.person.firstname, family.state.person.lastname) == ("William", "King")


async def test_escape_drops_the_last_name_first_and_keeps_what_is_typed(family: QuickAdd) -> None:
    family.type("Grace Hopper")
    assert family.state.person.firstname == "Grace Hopper"
    assert family.escape()
    assert (family.state.typed, family.state.kept_last_name) == ("Grace Hopper", "")
    assert (family.state.person.firstname, family.state.person.lastname) == ("Grace", "Hopper")


async def test_emptying_the_last_name_drops_it_and_loses_no_other_word(family: QuickAdd) -> None:
    family.type("Mary Ann")
    family.edit("lastname", "")
    assert family.state.kept_last_name == ""
    assert (family.state.person.firstname, family.state.person.lastname) == ("Mary Ann", "")


async def test_emptying_the_last_name_before_anything_is_typed_leaves_an_empty_line(
    family: QuickAdd,
) -> None:
    family.edit("lastname", "")
    assert (family.state.empty, family.state.shows_reading) == (True, False)
    assert not family.drop_last_name()


async def test_emptying_the_line_keeps_the_last_name(family: QuickAdd) -> None:
    family.type("Byr")
    family.type("")
    assert family.state.kept_last_name == "Lovelace"


async def test_correcting_the_last_name_corrects_it_for_those_who_follow(
    account: AccountFixture, family: QuickAdd
) -> None:
    family.edit("lastname", "King")
    assert family.state.empty
    save(family, "William", keep_last_name=True)
    save(family, "Ralph")
    assert names(account) == ["Ada Lovelace", "William King", "Ralph King"]


async def test_somebody_without_a_last_name_leaves_none_to_keep(line: QuickAdd) -> None:
    save(line, "Madonna", keep_last_name=True)
    assert (line.state.kept_last_name, line.state.shows_reading) == ("", False)
    assert says(line, "Madonna added.")


async def test_up_in_a_family_comes_back_to_the_family(
    account: AccountFixture, family: QuickAdd
) -> None:
    family.back()
    assert (family.state.typed, family.state.kept_last_name) == ("Ada Lovelace ada@x.org", "")
    family.forward()
    assert family.state.kept_last_name == "Lovelace"
    assert names(account) == ["Ada Lovelace"]


async def test_correcting_the_one_who_gave_the_name_corrects_the_family(
    account: AccountFixture, line: QuickAdd
) -> None:
    save(line, "Ada Lovelase", keep_last_name=True)
    line.back()
    save(line, "Ada Lovelace")
    assert line.state.kept_last_name == "Lovelace"
    save(line, "Byron")
    assert names(account) == ["Ada Lovelace", "Byron Lovelace"]


async def test_one_of_a_family_comes_back_with_the_name_they_were_saved_with(
    account: AccountFixture, family: QuickAdd
) -> None:
    save(family, "Mary Ann")
    family.undo_last()
    assert (family.state.typed, family.state.person.full_name) == ("Mary Ann", "Mary Ann Lovelace")
    assert family.save()
    (_, entry) = account.outbox.entries()
    assert entry.state is EntryState.WAITING
    assert entry.new_person.firstname == "Mary Ann"
