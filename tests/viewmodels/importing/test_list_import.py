"""Lists on their way to the page on which they are looked over, and what is done there."""

import asyncio
import errno
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import xlsxwriter

from app.importing.columns import ColumnField
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.reading import read_file
from app.model.outbox import NewPerson
from app.model.person import Person
from app.model.verdict import Verdict
from app.outbox.duplicate_index import DuplicateIndex
from app.outbox.uncompared_people import UncomparedPeople
from app.people.duplicates import Duplicates
from app.settings.column_choices import ColumnChoices
from app.viewmodels.importing import list_import
from app.viewmodels.importing.list_import import CopiedList, ListImport, ListSource
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_state import BulkAction, OtherKind
from app.viewmodels.importing.review_table import FIELD_OF, TONE_ROLE, Part, Tone
from tests.viewmodels.conftest import ADA, AccountFixture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.viewmodels.already_here import DuplicateHint

GRACE = Person(id="grace", firstname="Grace", lastname="Hopper", email="grace@x.org")
HEAD = "First name\tLast name\tEmail\tPhone\n"
ROWS = (
    "Ada\tLovelace\tada@x.org\t0410 220 118\n"
    "Grace\tHopper\tgrace@x.org\t\n"
    "Zoë\tMüller\tzoe@gmial.com\t\n"
    "\t\tinfo@hall.example\t\n"
    "Grace\tHopper\tgrace@x.org\t\n"
)


class Lists:
    """The lists of one account, and what came of them."""

    def __init__(
        self,
        account: AccountFixture,
        *,
        kept: bool = False,
        uncompared: UncomparedPeople | None = None,
    ) -> None:
        self.account = account
        self.choices = ColumnChoices(None)
        self.lists = ListImport(
            account.outbox,
            account.duplicates,
            account.settings,
            choices=self.choices,
            events=account.events,
            scope=account.scope,
            kept=kept,
            uncompared=uncompared,
        )
        self.opened: list[ReviewScreen] = []
        self.failed: list[Exception] = []
        self.taken: list[object] = []
        self.lists.opened.connect(self.opened.append)
        self.lists.failed.connect(self.failed.append)
        self.lists.taken.connect(self.taken.append)

    async def review(self, source: ListSource) -> ReviewScreen:
        before = len(self.opened)
        self.lists.add_from_list(source)
        await self.account.until(lambda: len(self.opened) > before)
        return self.opened[-1]

    async def is_left(self, ended: str) -> None:
        if ended == "by Escape":
            self.lists.stop_reading()
        else:
            await self.account.scope.close()

    async def is_left_at_once(self, asked: list[object], ended: str) -> None:
        """Who is here already is asked of a few rows more at most, once the list is left."""
        await self.account.until(lambda: len(asked) > 3)
        await self.is_left(ended)
        before = len(asked)
        await asyncio.sleep(0.1)
        assert len(asked) <= before + 2
        assert self.opened == []


def slow_answers(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Gives who was asked about, whether they are here already, a moment each."""
    asked: list[object] = []

    def certain(*names: object) -> None:
        asked.append(names)
        time.sleep(0.002)

    monkeypatch.setattr(Duplicates, "certain", certain)
    return asked


@pytest.fixture
async def lists(account: AccountFixture) -> Lists:
    await account.list_people(ADA)
    await account.settle_duplicates()
    return Lists(account)


def verdicts(screen: ReviewScreen) -> list[str]:
    table = screen.table
    at = table.column_of(Part.VERDICT)
    return [str(table.index(row, at).data()) for row in range(table.rowCount())]


def cell(screen: ReviewScreen, row: int, part: Part) -> str:
    return str(screen.table.index(row, screen.table.column_of(part)).data() or "")


def chips(screen: ReviewScreen) -> list[str]:
    return [chip.text for chip in screen.state.chips if chip.is_shown]


def bulk(screen: ReviewScreen) -> list[BulkAction]:
    return [action for action, _ in screen.state.bulk]


def can_add(screen: ReviewScreen) -> bool:
    return screen.state.can_add


async def test_a_list_is_opened_below_no_word_of_its_being_read(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_import, "_PATIENCE", 0.0)
    lists = Lists(account)
    said: list[str] = []
    lists.lists.begun_changed.connect(lambda: said.append(lists.lists.reading_words))
    above: list[str] = []
    lists.lists.opened.connect(lambda _list: above.append(said[-1]))
    await lists.review(CopiedList(HEAD + ROWS))
    assert said[0] == "Reading what was copied… Escape stops it."
    assert above == [""]


async def test_each_verdict_there_may_be_has_a_button_above_the_list(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    offered = [chip.verdict for chip in screen.state.chips if isinstance(chip.verdict, Verdict)]
    assert set(offered) == set(Verdict)
    assert len(offered) == len(Verdict)


async def test_copied_rows_are_looked_over_beside_who_is_here(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert verdicts(screen) == [
        "already here", "ready", "email looks wrong", "needs a name", "twice in this list",
    ]  # fmt: skip
    state = screen.state
    assert chips(screen) == [
        "All 5", "Ready 1", "Already here 1", "Twice in this list 1", "Email looks wrong 1",
        "Needs a name 1",
    ]  # fmt: skip
    assert (state.add_words, state.can_add) == ("Add 1 person", True)
    assert state.left_out_words == "4 rows are left out"
    assert "Phone" in state.beside_words
    assert cell(screen, 0, Part.BESIDE) == "0410 220 118"


async def test_the_row_says_who_is_here_and_when_they_came(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    cell(screen, 0, Part.DETAIL)
    await lists.account.until(lambda: "Ada Lovelace" in cell(screen, 0, Part.DETAIL))
    assert cell(screen, 4, Part.DETAIL) == "line 3"


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
    rows = "".join(f"Bo{number:x}\tZz{number:x}\tbo{number}@x.org\t\n" for number in range(3_000))
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
    crowd = "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(1_000))
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


async def test_everybody_who_is_not_left_out_is_taken_at_once_and_kept_with_the_rest(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS + "Bob\tByron\tbob@x.org\t0410 1\n"))
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    entries = lists.account.outbox.entries()
    assert [entry.new_person.full_name for entry in entries] == ["Grace Hopper", "Bob Byron"]
    # Told apart from whatever else was copied.
    (batch,) = lists.account.outbox.batches.all()
    assert batch.name == "what was copied (Grace Hopper …)"
    assert lists.lists.begun is None
    rows = await lists.account.outbox.batches.result(batch.id)
    assert [row.line for row in rows] == [2, 3, 4, 5, 6, 7]
    assert [row.reason for row in rows][:3] == ["already here", "", "email looks wrong"]
    assert rows[5].new_person is not None
    assert rows[5].new_person.leftover == "Phone: 0410 1"


async def test_a_list_taken_back_is_as_it_was_with_those_who_were_left_out(lists: Lists) -> None:
    progress = ProgressScreen(lists.account.outbox, lists.account.events, lists.account.scope)
    progress.returned.connect(lists.lists.add_from_list)
    screen = await lists.review(CopiedList(HEAD + ROWS + "Bob\tByron\tbob@x.org\t0410 1\n"))
    screen.leave_out_or_take_in([0])
    screen.leave_out_or_take_in([1])
    before = [verdicts(screen), chips(screen), screen.state.add_words]
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    (batch,) = lists.account.outbox.batches.all()
    rows = await lists.account.outbox.batches.result(batch.id)
    assert [row.other for row in rows][4] == "3"
    assert progress.take_back_newest()
    await lists.account.until(lambda: len(lists.opened) == 2)
    again = lists.opened[1]
    await lists.account.settle_duplicates()
    # Whoever was taken back is compared away a turn after it is known.
    await lists.account.until(lambda: verdicts(again) == before[0])
    assert [verdicts(again), chips(again), again.state.add_words] == before
    assert cell(again, 3, Part.EMAIL) == "info@hall.example"
    assert cell(again, 0, Part.BESIDE) == "0410 220 118"
    await lists.review(CopiedList(HEAD + "Eve\tKing\teve@x.org\t\n"))
    assert again in lists.lists.begun_lists


async def taken_back(
    lists: Lists, source: str | Path, *not_sent: int, taken_in: "Sequence[int]" = ()
) -> ReviewScreen:
    """The list as it is looked over again; these columns were said not to be sent, and these rows
    taken in.
    """
    progress = ProgressScreen(lists.account.outbox, lists.account.events, lists.account.scope)
    progress.returned.connect(lists.lists.add_from_list)
    screen = await lists.review(CopiedList(source) if isinstance(source, str) else source)
    for column in not_sent:
        screen.take_column(column, ColumnField.OTHER)
    if taken_in:
        screen.take_in(taken_in)
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    assert progress.take_back_newest()
    await lists.account.until(lambda: len(lists.opened) == 2)
    return lists.opened[1]


def kept_beside(screen: ReviewScreen) -> list[dict[str, str]]:
    return [dict(row.other) for row in screen.review.rows]


async def test_all_that_is_kept_beside_somebody_is_there_when_a_list_is_taken_back(
    lists: Lists,
) -> None:
    again = await taken_back(
        lists,
        "Name\tPhone\tEmail\tEmail 2\tNotes\n"
        "Dr. Bob Byron\t0410 220 118\tbob@x.org\tbob2@x.org\tafter 6; no mail\n"
        "Eve King 0411 220 119\t\teve@x.org\t\t\n",
    )
    assert kept_beside(again) == [
        {
            "Phone": "0410 220 118",
            "Notes": "after 6; no mail",
            "Other email": "bob2@x.org",
            "Not part of the name": "Dr.",
        },
        {"Phone": "0411 220 119"},
    ]
    headings = [each.heading for each in again.state.columns]
    assert headings == [
        "First name", "Last name", "Email", "Phone", "Notes", "Not part of the name", "Other email",
    ]  # fmt: skip


async def test_a_list_that_is_taken_back_says_where_it_was_from(
    lists: Lists, tmp_path: Path
) -> None:
    book = xlsxwriter.Workbook(str(tmp_path / "supper.xlsx"))
    for name in ("Sunday", "Monday"):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["Harvest supper"])
        sheet.write_row(1, 0, ["First name", "Last name", "Email"])
        sheet.write_row(2, 0, ["Bob", "King", "bob@y.org"])
        sheet.write_row(3, 0, ["Eve", "Stone", "eve@y.org"])
    book.close()
    again = await taken_back(lists, tmp_path / "supper.xlsx")
    assert (again.title, again.state.sheet) == ("supper.xlsx", "Sunday")
    assert "below “Harvest supper”" in again.state.about
    # Another sheet of the workbook can be looked over as before, and this one stays for that.
    assert again.state.sheets == ("Sunday", "Monday")
    again.choose_sheet("Monday")
    await lists.account.until(lambda: len(lists.opened) == 3)
    monday = lists.opened[2]
    assert (monday.state.sheet, monday.state.put_away_words) == ("Monday", "")
    assert lists.lists.begun_lists == [again, monday]
    monday.choose_sheet("Sunday")
    assert lists.opened[3:] == [again]
    assert lists.lists.begun_lists == [again]


async def test_the_whole_list_that_gives_way_to_its_rows_that_are_taken_back_is_named(
    lists: Lists, tmp_path: Path
) -> None:
    book = two_sheets(tmp_path / "lunch.xlsx")
    progress = ProgressScreen(lists.account.outbox, lists.account.events, lists.account.scope)
    progress.returned.connect(lists.lists.add_from_list)
    (await lists.review(book)).add()
    await lists.account.until(lambda: bool(lists.taken))
    await lists.review(book)
    assert progress.take_back_newest()
    await lists.account.until(lambda: len(lists.opened) == 3)
    again = lists.opened[2]
    assert again.state.put_away_words == "“lunch.xlsx” is put away: nothing was changed in it."
    assert lists.lists.begun_lists == [again]


async def test_a_total_that_somebody_took_in_is_taken_in_when_a_list_is_taken_back(
    lists: Lists,
) -> None:
    copied = "Name\tEmail\tGuests\nBob King\tbob@x.org\t3\nTotal\t\t3\n"
    again = await taken_back(lists, copied, taken_in=[1])
    assert verdicts(again) == ["ready", "ready"]
    assert again.review.rows[1].firstname == "Total"
    assert not again.review.rows[1].left_out


async def test_a_column_somebody_would_not_have_sent_is_not_sent_when_a_list_is_taken_back(
    lists: Lists,
) -> None:
    again = await taken_back(
        lists, "First name\tLast name\tEmail\nBob\tByron\tbob@x.org\nEve\tKing\t\n", 1, 2
    )
    rows = again.review.rows
    assert [(row.firstname, row.lastname, row.email) for row in rows] == [
        ("Bob", "", ""),
        ("Eve", "", ""),
    ]
    assert kept_beside(again) == [
        {"Last name": "Byron", "Email": "bob@x.org"},
        {"Last name": "King"},
    ]


async def test_who_is_here_is_kept_with_the_row_that_was_left_out(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    (batch,) = lists.account.outbox.batches.all()
    here = (await lists.account.outbox.batches.result(batch.id))[0]
    assert (here.reason, here.other) == ("already here", "Ada Lovelace, ada@x.org")


async def test_one_kind_is_shown_alone_and_rows_stay_where_they_are_when_they_change(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.show_only(Verdict.EMAIL_LOOKS_WRONG)
    assert verdicts(screen) == ["email looks wrong"]
    screen.repair([screen.table.place_of(0)])
    assert verdicts(screen) == ["ready"]
    assert "Email looks wrong 1" not in chips(screen)
    screen.show_only(None)
    assert screen.table.rowCount() == 5


async def test_all_of_a_kind_are_put_right_taken_in_and_left_out(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert bulk(screen) == []
    screen.show_only(Verdict.ALREADY_HERE)
    assert bulk(screen) == [BulkAction.TAKE_IN]
    screen.act(BulkAction.TAKE_IN)
    assert screen.state.add_words == "Add 2 people"
    assert bulk(screen) == [BulkAction.LEAVE_OUT]
    screen.undo()
    assert screen.state.add_words == "Add 1 person"


async def test_rows_are_left_out_and_taken_in_but_nobody_without_a_name(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.leave_out_or_take_in([1])
    assert verdicts(screen)[1] == "left out"
    assert not can_add(screen)
    screen.leave_out_or_take_in([1])
    assert can_add(screen)
    screen.leave_out_or_take_in([3])
    assert screen.state.said == "Somebody without a name cannot be added."
    assert screen.state.add_words == "Add 1 person"


async def test_a_cell_is_typed_into_and_that_can_be_undone(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    table = screen.table
    index = table.index(3, table.column_of(Part.FIRSTNAME))
    assert table.setData(index, "Hall")
    assert verdicts(screen)[3] == "ready"
    assert index.data(TONE_ROLE) is Tone.PLAIN
    screen.undo()
    assert verdicts(screen)[3] == "needs a name"
    screen.redo()
    assert cell(screen, 3, Part.FIRSTNAME) == "Hall"


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


async def test_a_column_is_taken_for_something_else_and_that_is_remembered(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.take_column(0, ColumnField.LASTNAME)
    screen.take_column(1, ColumnField.FIRSTNAME)
    assert (cell(screen, 1, Part.FIRSTNAME), cell(screen, 1, Part.LASTNAME)) == ("Hopper", "Grace")
    again = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    assert cell(again, 0, Part.FIRSTNAME) == "Byron"


async def test_the_first_row_is_somebody_where_a_person_says_so(lists: Lists) -> None:
    screen = await lists.review(CopiedList("Name\tEmail\nAda Lovelace\tada@x.org\n"))
    assert screen.state.headings_row
    screen.take_first_row_for_headings(on=False)
    assert screen.table.rowCount() == 2
    screen.undo()
    assert screen.table.rowCount() == 1


async def test_a_long_list_is_changed_behind_the_scenes(lists: Lists) -> None:
    rows = "".join(f"Ada{n}\tKing\tada{n}@y.org\t\n" for n in range(900))
    screen = await lists.review(CopiedList(HEAD + rows))
    screen.take_column(2, ColumnField.OTHER)
    assert screen.state.busy
    await lists.account.until(lambda: not screen.state.busy)
    assert cell(screen, 5, Part.EMAIL) == ""
    screen.undo()
    await lists.account.until(lambda: not screen.state.busy)
    assert cell(screen, 5, Part.EMAIL) == "ada5@y.org"


async def test_who_comes_into_the_list_meanwhile_is_here_already(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + "Grace\tHopper\tgrace@x.org\t\n"))
    assert verdicts(screen) == ["ready"]
    lists.account.add("Grace", "Hopper", "grace@x.org")
    await lists.account.until(lambda: verdicts(screen) == ["already here"])
    assert not can_add(screen)


async def test_who_of_a_crowd_comes_into_the_list_is_looked_at_behind_the_scenes(
    lists: Lists,
) -> None:
    crowd = "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(1_000))
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


async def test_a_list_that_cannot_be_read_is_said_and_what_was_begun_stays(
    lists: Lists, tmp_path: Path
) -> None:
    begun = await lists.review(CopiedList(HEAD + ROWS))
    begun.leave_out_or_take_in([1])
    lists.lists.add_from_list(tmp_path / "nowhere.csv")
    await lists.account.until(lambda: bool(lists.failed))
    assert lists.lists.begun is begun
    assert lists.opened == [begun]


async def test_a_file_that_cannot_be_read_is_named(lists: Lists, tmp_path: Path) -> None:
    path = tmp_path / "lunch.csv"
    path.write_bytes(b"")
    lists.lists.add_from_list(path)
    await lists.account.until(lambda: bool(lists.failed))
    assert str(lists.failed[0]) == "“lunch.csv” is not opened. There is nobody in this list."


async def test_a_workbook_that_is_open_elsewhere_leaves_what_was_begun_as_it_was(
    lists: Lists, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.leave_out_or_take_in([0])
    before = [(row.firstname, row.left_out) for row in screen.review.rows]

    def refuse(*_args: object, **_named: object) -> None:
        raise PermissionError(errno.EACCES, "held")

    workbook = tmp_path / "lunch.xlsx"
    workbook.write_bytes(b"PK\x03\x04")
    monkeypatch.setattr("app.importing.reading.open_regular", refuse)
    lists.lists.add_from_list(workbook)
    await lists.account.until(lambda: bool(lists.failed))

    assert str(lists.failed[0]) == (
        "“lunch.xlsx” is not opened. The file may not be read: it is another person's, or in use "
        "elsewhere."
    )
    assert lists.lists.begun is screen
    assert [(row.firstname, row.left_out) for row in screen.review.rows] == before


async def test_a_file_is_called_by_its_name_whatever_is_in_it(lists: Lists, tmp_path: Path) -> None:
    path = tmp_path / "nopeople.txt"
    path.write_text("Ada Lovelace\n", "utf-8")
    assert (await lists.review(path)).state.title == "nopeople.txt"


@pytest.mark.parametrize("copied", [HEAD + ROWS, "BEGIN:VCARD\nFN:Ada King\nEND:VCARD\n"])
async def test_what_was_copied_begins_as_a_sentence_also_when_it_comes_back(
    lists: Lists, copied: str
) -> None:
    screen = await lists.review(CopiedList(copied))
    assert screen.state.title == "What was copied"
    name, row = screen.review.table.name, SourceRow(1, ("Ada",))
    back = SourceTable(name, SourceKind.CSV, (row,), headings=("First name",))
    assert (await lists.review(back)).state.title == "What was copied"


async def test_what_was_begun_can_be_gone_on_with_until_it_is_discarded(lists: Lists) -> None:
    first = await lists.review(CopiedList(HEAD + ROWS))
    first.leave_out_or_take_in([1])
    second = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    assert lists.lists.begun is second
    second.discard()
    assert lists.lists.begun is first
    lists.lists.go_on()
    assert lists.opened[-1] is first
    first.discard()
    assert lists.lists.begun is None


async def test_a_list_nobody_touched_gives_way_to_the_next(lists: Lists) -> None:
    await lists.review(CopiedList(HEAD + ROWS))
    second = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    second.discard()
    assert lists.lists.begun is None


async def test_a_list_that_gave_way_is_named_and_there_is_a_way_back(
    lists: Lists, tmp_path: Path
) -> None:
    first = await lists.review(CopiedList(HEAD + ROWS))
    assert first.state.put_away_words == ""
    (tmp_path / "next.csv").write_text("First name,Last name\nBob,Byron\n")
    second = await lists.review(tmp_path / "next.csv")
    assert second.state.put_away_words == (
        "“What was copied” is put away: nothing was changed in it."
    )
    second.bring_back()
    await lists.account.until(lambda: len(lists.opened) > 2)
    third = lists.opened[-1]
    assert [row.firstname for row in third.review.rows][:2] == ["Ada", "Grace"]
    assert lists.lists.begun_lists == [third]
    assert third.state.put_away_words == "“next.csv” is put away: nothing was changed in it."
    third.leave_out_or_take_in([1])
    third.bring_back()
    await lists.account.until(lambda: len(lists.opened) > 3)
    fourth = lists.opened[-1]
    assert (fourth.title, fourth.path) == ("next.csv", tmp_path / "next.csv")
    assert fourth.state.put_away_words == ""
    assert lists.lists.begun_lists == [third, fourth]


def multi(number: int) -> CopiedList:
    return CopiedList(f"Multi{number} Ace\nMulti{number} Bee")


def firsts(lists: Lists) -> list[str]:
    return [screen.review.rows[0].firstname for screen in lists.lists.begun_lists]


async def test_lists_from_outside_displace_one_another_neither_while_read_nor_later(
    lists: Lists, tmp_path: Path
) -> None:
    (tmp_path / "b.csv").write_text("First name,Last name\nBob,Byron\n")
    given: list[ListSource] = [multi(0), multi(1), tmp_path / "b.csv", tmp_path / "b.csv", multi(2)]
    for source in given:
        lists.lists.add_given(source)
    # Somebody who opens another one meanwhile does not stop them.
    lists.lists.add_from_list(CopiedList(HEAD + ROWS))
    await lists.account.until(lambda: len(lists.opened) == len(given) + 1)
    seen = []
    while (begun := lists.lists.begun) is not None:
        assert isinstance(begun, ReviewScreen)
        seen.append(begun.review.rows[0].firstname)
        begun.discard()
    assert sorted(seen) == ["Bob", "Multi0", "Multi1", "Multi2"]


async def test_how_many_lists_are_begun_besides_the_one_to_go_on_with_is_said(
    lists: Lists,
) -> None:
    for number in range(3):
        lists.lists.add_given(multi(number))
    await lists.account.until(lambda: len(lists.opened) == 3)
    said = []
    while lists.lists.begun_lists:
        said.append(lists.lists.go_on_words(6))
        lists.lists.begun_lists[-1].discard()
    assert [*said, lists.lists.go_on_words()] == [
        "Go on with “What …” · and 2 more lists",
        "Go on with “What …” · and 1 more list",
        "Go on with “What …”",
        "",
    ]


async def test_a_list_from_outside_that_is_stopped_or_cannot_be_read_stops_no_other(
    lists: Lists, tmp_path: Path
) -> None:
    given: list[ListSource] = [multi(0), tmp_path / "nowhere.csv", multi(1)]
    for source in given:
        lists.lists.add_given(source)
    lists.lists.stop_reading()
    await lists.account.until(lambda: bool(lists.opened))
    assert len(lists.failed) == 1
    assert firsts(lists) == ["Multi1"]


async def test_texts_from_outside_are_all_there_after_a_restart(account: AccountFixture) -> None:
    before = Lists(account, kept=True)
    for number in range(3):
        before.lists.add_given(multi(number))
    await account.until(lambda: len(before.opened) == 3)
    await before.lists.settle()
    after = Lists(account, kept=True)
    await after.lists.read_left()
    # One that somebody opens gives way to none of them.
    (await after.review(CopiedList(HEAD + ROWS))).discard()
    seen = []
    while after.lists.begun is not None:
        before_it = after.opened[-1]
        after.lists.go_on()
        await account.until(lambda one=before_it: after.opened[-1] is not one)  # type: ignore[misc]
        seen.append(after.opened[-1].review.rows[0].firstname)
        after.opened[-1].discard()
    assert seen == ["Multi2", "Multi1", "Multi0"]


async def test_another_sheet_of_a_list_from_outside_is_looked_over_in_its_place(
    lists: Lists, tmp_path: Path
) -> None:
    lists.lists.add_given(two_sheets(tmp_path / "lunch.xlsx"))
    await lists.account.until(lambda: len(lists.opened) == 1)
    lists.opened[0].choose_sheet("June")
    await lists.account.until(lambda: len(lists.opened) == 2)
    assert lists.lists.begun_lists == [lists.opened[1]]
    await lists.review(CopiedList(HEAD + ROWS))
    assert lists.opened[1] in lists.lists.begun_lists


async def test_the_way_back_is_there_on_another_sheet_too(lists: Lists, tmp_path: Path) -> None:
    await lists.review(CopiedList(HEAD + ROWS))
    may = await lists.review(two_sheets(tmp_path / "lunch.xlsx"))
    may.choose_sheet("June")
    await lists.account.until(lambda: len(lists.opened) > 2)
    june = lists.opened[-1]
    assert june.state.put_away_words == may.state.put_away_words != ""
    june.bring_back()
    await lists.account.until(lambda: len(lists.opened) > 3)
    assert lists.opened[-1].title == "What was copied"


async def test_what_was_said_of_a_list_that_gave_way_can_be_put_away(lists: Lists) -> None:
    await lists.review(CopiedList(HEAD + ROWS))
    second = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    second.dismiss()
    assert second.state.put_away_words == ""


async def test_only_names_and_emails_can_be_typed_into(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    parts = {column.part for column in screen.table.columns}
    for at, column in enumerate(screen.table.columns):
        assert screen.table.setData(screen.table.index(0, at), "x") is (column.part in FIELD_OF)
    assert Part.BESIDE in parts


def two_sheets(path: Path) -> Path:
    book = xlsxwriter.Workbook(str(path))
    for name, first in (("May", "Ada"), ("June", "Bob")):
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, ["First name", "Last name", "Email"])
        sheet.write_row(1, 0, [first, "King", f"{first.lower()}@y.org"])
    book.close()
    return path


async def test_another_sheet_leaves_what_was_changed_in_the_first(
    lists: Lists, tmp_path: Path
) -> None:
    may = await lists.review(two_sheets(tmp_path / "lunch.xlsx"))
    table = may.table
    assert table.setData(table.index(0, table.column_of(Part.FIRSTNAME)), "Adah")
    may.choose_sheet("June")
    await lists.account.until(lambda: len(lists.opened) > 1)
    june = lists.opened[-1]
    assert lists.lists.begun_lists == [may, june]
    june.choose_sheet("May")
    await lists.account.until(lambda: len(lists.opened) > 2)
    assert lists.opened[-1] is may
    assert cell(may, 0, Part.FIRSTNAME) == "Adah"
    assert lists.lists.begun_lists == [may]


async def test_another_sheet_takes_the_place_of_the_first(lists: Lists, tmp_path: Path) -> None:
    screen = await lists.review(two_sheets(tmp_path / "lunch.xlsx"))
    assert (screen.state.sheets, screen.state.sheet) == (("May", "June"), "May")
    screen.choose_sheet("June")
    await lists.account.until(lambda: len(lists.opened) > 1)
    assert cell(lists.opened[-1], 0, Part.FIRSTNAME) == "Bob"
    assert lists.opened[-1].state.put_away_words == ""
    lists.opened[-1].discard()
    assert lists.lists.begun is None


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
async def test_the_list_is_saved_as_it_stands(lists: Lists, tmp_path: Path, kind: str) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS + "=cmd()\tX\t\t+61 1\n"))
    screen.repair([2])
    path = tmp_path / f"mine.{kind}"
    screen.save(str(path))
    await lists.account.until(lambda: bool(screen.state.said))
    assert screen.state.said == f"6 rows are saved in mine.{kind}."
    again = read_file(path)
    rows = [row.cells for row in again.rows]
    assert rows[0] == ("First name", "Last name", "Email", "Phone", "Verdict")
    assert rows[3] == ("Zoë", "Müller", "zoe@gmail.com", "", "ready")
    assert rows[1][3:] == ("0410 220 118", "already here")


async def test_a_folder_that_takes_no_file_is_said(lists: Lists, tmp_path: Path) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.save(str(tmp_path / "nowhere" / "mine.csv"))
    await lists.account.until(lambda: screen.state.trouble)
    why = "its folder is not there any more"
    assert screen.state.said == f"mine.csv could not be saved: {why}."


async def test_what_can_be_done_with_rows_is_offered_for_them(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert screen.row_menu([2]).repair_words == "Use zoe@gmail.com"
    assert screen.row_menu([1]).toggle_words == "Leave out"
    assert screen.row_menu([0]).toggle_words == "Take in"
    assert not screen.row_menu([3]).can_toggle
    assert screen.row_menu([1, 2]).repair_words == "Put these emails right"


async def test_what_a_change_has_made_of_the_row_is_told(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    told: list[object] = []
    screen.verdict_told.connect(told.append)
    table = screen.table
    table.setData(table.index(1, table.column_of(Part.EMAIL)), "grace@gmial.com")
    assert told == ["email looks wrong, Did you mean grace@gmail.com?"]


async def test_a_list_that_somebody_worked_on_is_known_until_it_is_gone(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert lists.lists.changed == ""
    screen.leave_out_or_take_in([1])
    assert lists.lists.changed == "What was copied"
    screen.discard()
    assert lists.lists.changed == ""


async def test_what_was_begun_goes_on_when_the_account_is_opened_anew(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.leave_out_or_take_in([1])
    anew = Lists(lists.account)
    anew.lists.take_over(lists.lists)
    begun = anew.lists.begun
    assert isinstance(begun, ReviewScreen)
    assert begun is not screen
    assert verdicts(begun)[1] == "left out"
    begun.undo()
    assert begun.state.can_add


async def test_a_list_that_goes_on_in_an_account_opened_anew_is_compared_with_who_is_there(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert verdicts(screen)[1] == "ready"
    opened_anew = AccountFixture()
    await opened_anew.open()
    try:
        anew = Lists(opened_anew)
        anew.lists.take_over(lists.lists)
        begun = anew.lists.begun
        assert isinstance(begun, ReviewScreen)
        await opened_anew.list_people(GRACE)
        await opened_anew.until(lambda: verdicts(begun)[:2] == ["ready", "already here"])
    finally:
        await opened_anew.close()


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


@pytest.mark.skipif(sys.platform == "win32", reason="a process is asked for by its number")
@pytest.mark.parametrize("ended", ["by Escape", "by the next list", "with the window"])
async def test_a_workbook_that_nobody_waits_for_is_not_read_on(
    lists: Lists, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    note = tmp_path / "process"
    program = (
        "import os, time, pathlib;"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(600)"
    )
    monkeypatch.setattr(
        "app.importing.formats.workbook_process.this_program",
        lambda *_: [sys.executable, "-c", program],
    )
    with xlsxwriter.Workbook(str(tmp_path / "list.xlsx")) as book:
        book.add_worksheet().write_row(0, 0, ["Ada", "ada@x.org"])
    lists.lists.add_from_list(tmp_path / "list.xlsx")
    await lists.account.until(lambda: note.exists() and note.read_text() != "")
    if ended == "by Escape":
        lists.lists.stop_reading()
    elif ended == "by the next list":
        await lists.review(CopiedList(HEAD + ROWS))
    else:
        await lists.account.scope.close()
    await lists.account.until(lambda: not _runs(int(note.read_text())))
    assert not lists.failed


@pytest.mark.parametrize("ended", ["by Escape", "with the window"])
async def test_a_list_that_nobody_waits_for_is_not_looked_through_on(
    lists: Lists, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    asked = slow_answers(monkeypatch)
    people = "".join(f"Guest\tL{n}\toffice@x.org\t\n" for n in range(2_000))
    lists.lists.add_from_list(CopiedList(HEAD + people))
    await lists.is_left_at_once(asked, ended)
    assert not lists.failed


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def test_headings_alone_are_said_in_one_sentence(lists: Lists) -> None:
    lists.lists.add_from_list(CopiedList("Name\tEmail\n"))
    await lists.account.until(lambda: bool(lists.failed))
    assert "nobody below them" in str(lists.failed[0])
    assert lists.opened == []
