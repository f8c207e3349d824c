"""Who of a list is in the account already, or may be, and who comes there meanwhile."""

import asyncio
import random
import time
from typing import TYPE_CHECKING

import pytest

from app.importing.columns import ColumnField
from app.model.outbox import NewPerson
from app.model.person import Person
from app.model.verdict import Verdict
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.uncompared_people import UncomparedPeople
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.importing.review_state import BulkAction, OtherKind
from app.viewmodels.importing.review_table import Part
from tests.viewmodels.conftest import ADA, AccountFixture

if TYPE_CHECKING:
    from app.viewmodels.already_here import DuplicateHint
from tests.viewmodels.importing.lists import HEAD, ROWS, Lists, bulk, can_add, cell, chips, verdicts


async def test_what_is_asked_of_a_row_while_others_are_changed_is_told_afterwards(
    lists: Lists,
) -> None:
    others = "".join(f"Pat\tName{n}\tp{n}@x.org\t\n" for n in range(400))
    screen = await lists.review(CopiedList(HEAD + ROWS + others))
    screen.show_only(Verdict.READY)
    screen.act(BulkAction.LEAVE_OUT)
    screen.table.show_anew(None)
    cell(screen, 0, Part.DETAIL)
    await lists.account.until(lambda: "Ada Lovelace" in cell(screen, 0, Part.DETAIL))


async def test_a_likeness_that_is_not_certain_is_told_and_costs_nothing(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + "Adah\tLovelace\tother@x.org\t\n"))
    assert verdicts(screen) == ["ready"]
    cell(screen, 0, Part.DETAIL)
    await lists.account.until(lambda: "Ada Lovelace" in cell(screen, 0, Part.DETAIL))


async def test_a_first_name_alone_that_is_here_is_told_too(lists: Lists) -> None:
    lists.account.add("Madonna", "", "")
    await lists.account.settle_duplicates()
    screen = await lists.review(CopiedList(HEAD + "Madonna\t\tother@x.org\t\nCher\t\t\t\n"))
    assert verdicts(screen) == ["ready", "ready"]
    assert [cell(screen, row, Part.DETAIL) for row in range(2)] == ["", ""]
    await lists.account.until(lambda: "Perhaps Madonna" in cell(screen, 0, Part.DETAIL))
    assert "same name" in cell(screen, 0, Part.DETAIL)
    assert cell(screen, 1, Part.DETAIL) == ""


async def test_who_may_be_here_is_counted_and_shown_alone(lists: Lists) -> None:
    likely = "Adah\tLovelace\tother@x.org\t\n"
    screen = await lists.review(CopiedList(HEAD + ROWS + likely))
    assert "Perhaps" not in "".join(chips(screen))
    screen.look(on=True)
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 1")
    screen.show_only(OtherKind.PERHAPS_HERE)
    assert verdicts(screen) == ["ready"]
    assert "Ada Lovelace" in cell(screen, 0, Part.DETAIL)
    assert bulk(screen) == [BulkAction.LEAVE_OUT]
    screen.act(BulkAction.LEAVE_OUT)
    assert verdicts(screen) == ["left out"]
    screen.undo()
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 1")
    table = screen.table
    table.setData(table.index(0, table.column_of(Part.FIRSTNAME)), "Wilhelmina")
    table.setData(table.index(0, table.column_of(Part.LASTNAME)), "Zuse")
    await lists.account.until(lambda: "Perhaps" not in "".join(chips(screen)))
    assert verdicts(screen) == ["ready"]
    screen.take_column(3, ColumnField.EMAIL)
    assert (screen.state.shown, len(verdicts(screen))) == (None, 6)


async def test_of_a_long_list_too_all_who_may_be_here_are_counted(lists: Lists) -> None:
    rows = "".join(f"Bo{number:x}\tZz{number:x}\tbo{number}@x.org\t\n" for number in range(800))
    screen = await lists.review(CopiedList(HEAD + rows + "Adah\tLovelace\tother@x.org\t\n"))
    screen.look(on=True)
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 1")
    screen.show_only(OtherKind.PERHAPS_HERE)
    assert cell(screen, 0, Part.FIRSTNAME) == "Adah"


async def test_whoever_comes_while_a_list_is_looked_up_or_after_that_is_counted(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    of = DuplicateIndex.of

    def slowly(index: DuplicateIndex, person: NewPerson) -> object:
        asked.append(person)
        time.sleep(0.001)
        return of(index, person)

    monkeypatch.setattr(DuplicateIndex, "of", slowly)
    monkeypatch.setattr("app.viewmodels.importing.review._BETWEEN_LOOKS", 0.01)
    letters = random.Random(1)  # noqa: S311 - names, not secrets
    rows = [
        ("".join(letters.choices("aeiklmnorstu", k=9)), "".join(letters.choices("bdfghpvw", k=9)))
        for _ in range(300)
    ]
    lines = (f"{first}\t{last}\t{first}@x.org\t\n" for first, last in rows)
    screen = await lists.review(CopiedList(HEAD + "".join(lines)))
    screen.look(on=True)
    await lists.account.until(lambda: len(asked) > len(rows) // 4)
    lists.account.add(*rows[-1], "office@x.org")
    await lists.account.settle_duplicates()
    assert len(asked) < len(rows), "the row was looked at before, others are not yet"
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 1")
    assert cell(screen, 0, Part.DETAIL) == ""
    for at in (0, -2):
        lists.account.add(*rows[at], "office@x.org")
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 3")
    assert "office@x.org" in cell(screen, 0, Part.DETAIL)


async def test_a_cell_of_a_crowd_is_typed_into_behind_the_scenes_and_the_next_waits_its_turn(
    lists: Lists,
) -> None:
    """Who stands for all others of one name at one email is another: all are looked at anew."""
    crowd = "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(400))
    screen = await lists.review(CopiedList(HEAD + crowd))
    told: list[object] = []
    screen.verdict_told.connect(told.append)
    assert screen.state.chips[1].count == 1
    first, last = (screen.table.column_of(part) for part in (Part.FIRSTNAME, Part.LASTNAME))
    screen.table.setData(screen.table.index(0, first), "Cy")
    assert screen.state.busy
    screen.table.setData(screen.table.index(0, last), "King")
    await lists.account.until(lambda: not screen.state.busy)
    await lists.account.until(lambda: cell(screen, 0, Part.LASTNAME) == "King")
    await lists.account.until(lambda: not screen.state.busy)
    assert cell(screen, 0, Part.FIRSTNAME) == "Cy"
    assert screen.state.chips[1].count == 2
    assert len(told) == 2
    screen.table.setData(screen.table.index(500, first), "Di")
    assert not screen.state.busy


async def test_nobody_is_looked_up_for_the_count_while_nobody_looks(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + "Adah\tLovelace\tother@x.org\t\n"))
    screen.look(on=True)
    screen.look(on=False)
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert chips(screen) == ["All 1", "Ready 1"]
    screen.look(on=True)
    await lists.account.until(lambda: chips(screen)[-1] == "Perhaps here 1")


async def test_while_a_cell_is_typed_into_up_to_three_who_that_may_be_are_told(
    lists: Lists,
) -> None:
    ids = "bcde"
    alike = [Person(id=each, firstname="Mary", lastname="Quimby", email=None) for each in ids]
    await lists.account.list_people(ADA, *alike)
    await lists.account.settle_duplicates()
    screen = await lists.review(CopiedList(HEAD + ROWS))
    told: list[tuple[DuplicateHint, ...]] = []
    screen.hints_changed.connect(told.append)
    screen.typing(3, ColumnField.EMAIL, "ada@x.org")
    (ada,) = told[-1]
    assert ada.spoken.startswith("Ada Lovelace, ada@x.org, same email")
    screen.typing_ended()
    assert not told[-1]
    screen.review.edit(3, ColumnField.LASTNAME, "Quimby")
    screen.typing(3, ColumnField.FIRSTNAME, "Mary")
    assert [hint.name for hint in told[-1]] == ["Mary Quimby"] * 3


async def test_who_comes_while_a_cell_is_typed_into_is_told_as_well(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    told: list[tuple[DuplicateHint, ...]] = []
    screen.hints_changed.connect(told.append)
    screen.typing(3, ColumnField.FIRSTNAME, "Wilma Quimby")
    assert told == [()]
    wilma = NewPerson(firstname="Wilma", lastname="Quimby", email="info@hall.example")
    lists.account.outbox.add("wilma", wilma)
    await lists.account.until(lambda: bool(told[-1]))
    assert [hint.name for hint in told[-1]] == ["Wilma Quimby"]
    screen.typing_ended()
    said = len(told)
    lists.account.outbox.add("again", NewPerson(firstname="Wilma", lastname="Quimby"))
    await lists.account.settle_duplicates()
    assert len(told) == said, "nobody types any more"


async def test_who_comes_into_the_list_meanwhile_is_here_already(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + "Grace\tHopper\tgrace@x.org\t\n"))
    assert verdicts(screen) == ["ready"]
    lists.account.add("Grace", "Hopper", "grace@x.org")
    await lists.account.until(lambda: verdicts(screen) == ["already here"])
    assert not can_add(screen)


async def test_who_of_a_crowd_comes_into_the_list_is_looked_at_behind_the_scenes(
    lists: Lists,
) -> None:
    crowd = "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(400))
    screen = await lists.review(CopiedList(HEAD + crowd))
    was_busy: list[bool] = []
    screen.state_changed.connect(lambda state: was_busy.append(state.busy))
    lists.account.add("Bo", "Zz0", "office@x.org")
    await lists.account.until(lambda: "already here" in verdicts(screen)[0])
    assert True in was_busy


@pytest.mark.parametrize("known", [True, False])
async def test_who_came_in_the_last_moment_is_not_added_once_more(
    lists: Lists, *, known: bool
) -> None:
    rows = "Grace\tHopper\tgrace@x.org\t\nBob\tByron\tbob@x.org\t\n"
    screen = await lists.review(CopiedList(HEAD + rows))
    screen.look(on=False)
    lists.account.add("Grace", "Hopper", "grace@x.org")
    if known:
        await lists.account.settle_duplicates()
    assert lists.account.duplicates.busy is not known
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    names = [entry.new_person.full_name for entry in lists.account.outbox.entries()]
    assert names == ["Grace Hopper", "Bob Byron"]


async def test_a_list_nobody_looks_at_is_compared_once_somebody_does(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + "Grace\tHopper\tgrace@x.org\t\n"))
    screen.look(on=False)
    lists.account.add("Grace", "Hopper", "grace@x.org")
    await lists.account.settle_duplicates()
    await asyncio.sleep(0.05)
    assert verdicts(screen) == ["ready"]
    screen.look(on=True)
    await lists.account.until(lambda: verdicts(screen) == ["already here"])


async def test_nobody_is_added_before_the_list_of_the_account_is_read(
    account: AccountFixture,
) -> None:
    uncompared = UncomparedPeople(
        account.outbox, account.directory, account.duplicates, account.events, account.scope
    )
    uncompared.begin()
    lists = Lists(account, uncompared=uncompared)
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert "nobody here is compared with it" in screen.state.uncompared_words
    screen.add()
    screen.add()
    assert "Nobody is added before" in screen.state.uncompared_words
    await account.settle()
    assert lists.taken == []
    await account.list_people(ADA)
    await account.until(lambda: "Already here 1" in chips(screen))
    assert (screen.state.uncompared_words, screen.state.add_words) == ("", "Add 1 person")
    screen.add()
    await account.until(lambda: bool(lists.taken))


async def test_where_the_list_of_the_account_does_not_come_adding_is_asked_for_twice(
    account: AccountFixture,
) -> None:
    uncompared = UncomparedPeople(
        account.outbox, account.directory, account.duplicates, account.events, account.scope
    )
    uncompared.begin()
    uncompared.being_read(now=False)
    lists = Lists(account, uncompared=uncompared)
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.add()
    assert "Enter again" in screen.state.uncompared_words
    assert lists.taken == []
    screen.add()
    await account.until(lambda: bool(lists.taken))
    assert not account.outbox.holds_uncompared
