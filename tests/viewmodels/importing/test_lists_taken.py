"""A list that is added, and the same one taken back: nothing of it is lost on either way."""

from pathlib import Path
from typing import TYPE_CHECKING

import xlsxwriter

from app.importing.columns import ColumnField
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_table import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

from tests.viewmodels.importing.lists import HEAD, ROWS, Lists, cell, chips, two_sheets, verdicts


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
    await lists.account.until(
        lambda: [verdicts(again), chips(again), again.state.add_words] == before
    )
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
    await lists.account.until(lambda: verdicts(again) == ["ready", "not a person?"])
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
