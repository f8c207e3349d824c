"""What the page of a list shows, and what is changed there: cells, rows, columns, kinds."""

from pathlib import Path

import pytest

from app.importing.columns import ColumnField
from app.importing.reading import read_file
from app.model.verdict import Verdict
from app.viewmodels.command_palette.command import commands_of
from app.viewmodels.importing.list_import import CopiedList
from app.viewmodels.importing.review_state import BulkAction
from app.viewmodels.importing.review_table import FIELD_OF, TONE_ROLE, Part, Tone
from tests.viewmodels.importing.lists import HEAD, ROWS, Lists, bulk, can_add, cell, chips, verdicts


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


async def test_enter_does_nothing_while_the_account_of_the_list_is_closed(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    await lists.account.scope.close()
    screen.add()
    assert screen.state.can_add


async def test_the_row_says_who_is_here_and_when_they_came(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    cell(screen, 0, Part.DETAIL)
    await lists.account.until(lambda: "Ada Lovelace" in cell(screen, 0, Part.DETAIL))
    assert cell(screen, 4, Part.DETAIL) == "line 3"


async def test_one_kind_is_shown_alone_and_rows_stay_where_they_are_when_they_change(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.show_only(Verdict.EMAIL_LOOKS_WRONG)
    assert verdicts(screen) == ["email looks wrong"]
    screen.repair([screen.table.position_of(0)])
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


async def test_a_column_is_taken_for_something_else_and_that_is_remembered(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    screen.take_column(0, ColumnField.LASTNAME)
    screen.take_column(1, ColumnField.FIRSTNAME)
    assert (cell(screen, 1, Part.FIRSTNAME), cell(screen, 1, Part.LASTNAME)) == ("Hopper", "Grace")
    again = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    assert cell(again, 0, Part.FIRSTNAME) == "Byron"


@pytest.mark.parametrize(
    ("names", "encoding", "said"),
    [
        ("Jürgen\nZoë", "cp1252", "read as text from Windows"),
        ("Иван\nМария", "cp1251", "read as text from Windows"),
        ("Åsa Öberg\nFrançois", "cp850", "read as text from an older program"),
        ("山田 太郎\n鈴木 花子", "cp932", "read as Japanese text"),
        ("山田 太郎\n鈴木 花子", "utf-16", ""),
        ("Jürgen\nZoë", "utf-8", ""),
    ],
)
async def test_what_the_letters_of_a_file_were_taken_for_is_said_in_plain_words(
    lists: Lists, tmp_path: Path, names: str, encoding: str, said: str
) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes(f"Name\n{names}\n".encode(encoding))
    screen = await lists.review(file)
    assert screen.state.about == ", ".join(filter(None, ("2 rows", said)))


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


async def test_only_names_and_emails_can_be_typed_into(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    parts = {column.part for column in screen.table.columns}
    for at, column in enumerate(screen.table.columns):
        assert screen.table.setData(screen.table.index(0, at), "x") is (column.part in FIELD_OF)
    assert Part.BESIDE in parts


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

    def offered(*places: int) -> list[tuple[str, str]]:
        commands = (command for command, _ in commands_of(screen.row_menu(places)))
        return [(each.words, each.keys) for each in commands]

    assert offered(2) == [("Use zoe@gmail.com", "Alt+M"), ("Take in", "Ins")]
    assert offered(1) == [("Leave out", "Del")]
    assert offered(0) == [("Take in", "Ins")]
    assert offered(3) == []
    assert offered(1, 2)[0] == ("Put these emails right", "Alt+M")
    assert offered() == []
    screen.review.edit(1, ColumnField.FIRSTNAME, "Ada Lovelace")
    screen.review.edit(1, ColumnField.LASTNAME, "")
    assert offered(1)[0] == ("Use first name Ada, last name Lovelace", "Alt+M")
    assert offered(1, 2)[0] == ("Put these rows right", "Alt+M")


async def test_what_a_change_has_made_of_the_row_is_told(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    told: list[object] = []
    screen.verdict_told.connect(told.append)
    table = screen.table
    table.setData(table.index(1, table.column_of(Part.EMAIL)), "grace@gmial.com")
    assert told == ["email looks wrong, Did you mean grace@gmail.com?"]
