"""Lists on their way to the page on which they are looked over: read, begun, gone on with, left."""

import asyncio
import errno
import os
import sys
from pathlib import Path

import pytest
import xlsxwriter

from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.list_name import name_of
from app.viewmodels.importing import list_import
from app.viewmodels.importing.list_import import CopiedList, ListSource
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_table import Part
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.importing.lists import (
    GRACE,
    HEAD,
    ROWS,
    Lists,
    cell,
    slow_answers,
    two_sheets,
    verdicts,
)


async def test_a_list_is_opened_below_no_word_of_its_being_read(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_import, "_SAID_AFTER", 0.0)
    lists = Lists(account)
    said: list[str] = []
    lists.lists.begun_changed.connect(lambda: said.append(lists.lists.reading_words))
    above: list[str] = []
    lists.lists.opened.connect(lambda _list: above.append(said[-1]))
    await lists.review(CopiedList(HEAD + ROWS))
    assert said[0] == "Reading what was copied… Escape stops it."
    assert above == [""]


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


@pytest.mark.parametrize(
    ("copied", "title"),
    [
        (HEAD + ROWS, "What was copied (Grace Hopper …)"),
        ("BEGIN:VCARD\nFN:Ada King\nEND:VCARD\n", "What was copied (Ada King …)"),
        ("Email\nada@x.org\n", "What was copied (ada@x.org …)"),
    ],
)
async def test_what_was_copied_is_known_by_the_first_in_it_also_when_it_comes_back(
    lists: Lists, copied: str, title: str
) -> None:
    screen = await lists.review(CopiedList(copied))
    assert screen.state.title == title
    name, row = name_of(screen.review), SourceRow(1, ("Ada",))
    back = SourceTable(name, SourceKind.CSV, (row,), headings=("First name",))
    assert (await lists.review(back)).state.title == title


async def test_what_was_copied_is_called_by_the_first_who_is_to_be_added_as_they_stand_now(
    lists: Lists,
) -> None:
    screen = await lists.review(CopiedList("Gracee Hoper\nAda King\n"))
    said: list[str] = []
    lists.lists.begun_changed.connect(lambda: said.append(lists.lists.go_on_words()))
    table = screen.table
    table.setData(table.index(0, table.column_of(Part.FIRSTNAME)), "Grace")
    table.setData(table.index(0, table.column_of(Part.LASTNAME)), "Hopper")
    assert screen.state.title == "What was copied (Grace Hopper …)"
    assert screen.file_name == "what was copied (Grace Hopper …), looked over"
    screen.leave_out_or_take_in([0])
    assert said[-1] == "Go on with “What was copied (Ada King …)”"
    assert len(said) == 3
    screen.add()
    await lists.account.until(lambda: bool(lists.taken))
    (batch,) = lists.account.outbox.batches.all()
    assert batch.name == "what was copied (Ada King …)"


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
        "“What was copied (Grace Hopper …)” is put away: nothing was changed in it."
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
    assert lists.opened[-1].title == "What was copied (Grace Hopper …)"


async def test_what_was_said_of_a_list_that_gave_way_can_be_put_away(lists: Lists) -> None:
    await lists.review(CopiedList(HEAD + ROWS))
    second = await lists.review(CopiedList(HEAD + "Bob\tByron\tbob@x.org\t\n"))
    second.dismiss()
    assert second.state.put_away_words == ""


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


async def test_a_list_that_somebody_worked_on_is_known_until_it_is_gone(lists: Lists) -> None:
    screen = await lists.review(CopiedList(HEAD + ROWS))
    assert lists.lists.losing_words == ""
    screen.leave_out_or_take_in([1])
    assert "What was copied" in lists.lists.losing_words
    screen.discard()
    assert lists.lists.losing_words == ""


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


async def test_what_was_asked_for_as_the_account_closed_is_done_when_it_is_opened_anew(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.importing.autosave._AFTER_A_CHANGE", 0)
    people = "".join(f"Ada{n}\tKing\tada{n}@gmial.com\t\n" for n in range(700))
    screen = await lists.review(CopiedList(HEAD + people))
    screen.repair(range(700))
    screen.leave_out(range(350))
    await lists.account.scope.close()
    screen.leave_out(range(350, 690))
    screen.leave_out([690])
    await asyncio.sleep(0.01)  # nothing is written by what is closed
    opened_anew = AccountFixture()
    await opened_anew.open()
    try:
        anew = Lists(opened_anew)
        anew.lists.take_over(lists.lists)
        rows = anew.lists.begun_lists[0].review.rows
        assert [row.left_out for row in rows] == [True] * 691 + [False] * 9
        assert {row.email.partition("@")[2] for row in rows} == {"gmail.com"}
    finally:
        await opened_anew.close()


async def test_a_list_is_worked_on_as_soon_as_something_is_asked_for_in_it(lists: Lists) -> None:
    people = "".join(f"Ada{n}\tKing\tada{n}@gmial.com\t\n" for n in range(400))
    screen = await lists.review(CopiedList(HEAD + people))
    screen.repair(range(400))
    assert not screen.review.has_changes
    assert "What was copied" in lists.lists.losing_words


async def test_lists_from_outside_that_nobody_has_read_are_read_in_the_account_opened_anew(
    lists: Lists,
) -> None:
    for number in range(2):
        lists.lists.add_given(multi(number))
    await lists.account.scope.close()
    assert not lists.opened
    opened_anew = AccountFixture()
    await opened_anew.open()
    try:
        anew = Lists(opened_anew)
        anew.lists.take_over(lists.lists)
        await opened_anew.until(lambda: len(anew.opened) == 2)
        assert firsts(anew) == ["Multi0", "Multi1"]
    finally:
        await opened_anew.close()


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
        "app.importing.formats.workbook_process.own_command",
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
