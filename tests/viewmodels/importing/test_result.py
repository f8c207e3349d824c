"""What became of each row of a list: by kind, decided about, copied, saved."""

import asyncio
import csv
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from app.api.errors import ApiError
from app.importing.list_name import COPIED, GIVEN, named_by
from app.importing.reading import read_clipboard
from app.model.outbox import BatchRow, EntryState, NewPerson
from app.model.verdict import Verdict
from app.outbox.batches import BatchResultRow, Outcome
from app.runtime.paths import resource
from app.runtime.words import use_language, use_number_format
from app.viewmodels.cell_table import CELL_ROLE
from app.viewmodels.importing.result import ResultScreen
from app.viewmodels.importing.result_table import (
    ResultColumn,
    ResultKind,
    file_headings,
    kind_of,
    reason_words,
)
from tests.viewmodels.conftest import AccountFixture

if TYPE_CHECKING:
    from pathlib import Path

    from app.model.outbox import OutboxEntry
    from app.viewmodels.importing.list_import import ReturnedList

NO = ApiError("Refused", "The account takes one person per email.")
HEADINGS = ("Name", "Class")


def row(line: int, name: str, left_out: str = "") -> BatchRow:
    person = NewPerson(firstname=name, email=f"{name.lower()}@x.org") if name else None
    if left_out:
        return BatchRow(line, (name, "=1+1"), None, left_out, person, other="Cyd King")
    return BatchRow(line, (name, "=1+1"), person)


ROWS = [row(2, "Ada"), row(3, "Bob"), row(4, "Cyd", "already here"), row(5, "", "empty")]


class Room:
    """The screen over the outbox of an account, in which `ROWS` were added."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.screen = ResultScreen(account.outbox, account.events, account.scope)
        self.corrected: list[OutboxEntry] = []
        self.copied: list[object] = []
        self.looked_over: list[ReturnedList] = []
        self.screen.look_over_wanted.connect(self.looked_over.append)
        self.screen.correction_wanted.connect(self.corrected.append)
        self.screen.copied.connect(self.copied.append)

    async def take(self) -> str:
        batch = await self.account.outbox.batches.take("lunch.xlsx", HEADINGS, ROWS)
        return batch.id

    async def open(self, batch: str) -> None:
        self.screen.open(batch)
        await self.account.until(lambda: len(self.screen.table.rows) == len(ROWS))

    @property
    def outcomes(self) -> list[str]:
        table = self.screen.table
        return [
            table.index(at, ResultColumn.OUTCOME).data(CELL_ROLE).text
            for at in range(table.rowCount())
        ]

    def chip(self, kind: ResultKind | None) -> int:
        return next(at for at, chip in enumerate(self.screen.state.chips) if chip.kind is kind)


@pytest.fixture
async def room(account: AccountFixture) -> Room:
    """Two of four were to be sent: Bob was refused."""
    account.outbox.set_hold_seconds(0.0)
    account.scripted.answers = [None, NO]
    room = Room(account)
    batch = await room.take()
    await account.until(
        lambda: all(one.state is not EntryState.WAITING for one in account.outbox.entries())
    )
    await account.settle()
    await room.open(batch)
    return room


async def test_every_row_says_what_became_of_it(room: Room) -> None:
    assert room.outcomes == [
        "Added",
        "Refused: The account takes one person per email.",
        "Was here already: Cyd King",
        "Left out: empty",
    ]
    shown = [
        room.screen.table.index(2, at).data() for at in (ResultColumn.NAME, ResultColumn.EMAIL)
    ]
    assert shown == ["Cyd", "cyd@x.org"]
    assert (room.screen.state.title, room.screen.state.can_save) == ("lunch.xlsx", True)
    assert [chip.text for chip in room.screen.state.chips if not chip.text.endswith(" 0")] == [
        "All rows 4", "Refused 1", "Added 1", "Was here already 1", "Left out 1",
    ]  # fmt: skip


async def test_one_kind_is_shown_alone(room: Room) -> None:
    room.screen.show_only(room.chip(ResultKind.REFUSED))
    assert room.outcomes == ["Refused: The account takes one person per email."]
    room.screen.show_only(room.chip(ResultKind.NOT_SENT))
    assert room.outcomes == []
    assert room.screen.state.empty_words
    room.screen.show_only(room.chip(None))
    assert len(room.outcomes) == 4


async def test_who_was_refused_is_corrected_and_who_is_added_is_not(room: Room) -> None:
    assert [room.screen.can_correct(at) for at in range(4)] == [False, True, True, False]
    assert not room.screen.correct(0)
    assert room.screen.correct(1)
    assert [entry.new_person.firstname for entry in room.corrected] == ["Bob"]


async def test_who_was_left_out_is_looked_over_alone_or_with_all_others(
    account: AccountFixture,
) -> None:
    room = Room(account)
    taken = [*ROWS, row(6, "Dan", "email looks wrong")]
    batch = await account.outbox.batches.take("lunch.xlsx", HEADINGS, taken)
    room.screen.open(batch.id)
    await account.until(lambda: len(room.screen.table.rows) == len(taken))
    assert room.screen.correct(2)
    await account.until(lambda: len(room.looked_over) == 1)
    account.outbox.undo(batch.entry_id(0))
    await account.until(lambda: room.outcomes[0] == "Not sent")
    room.screen.look_over_again()
    await account.until(lambda: len(room.looked_over) == 2)
    alone, together = ([row.cells[:3] for row in one.table.rows] for one in room.looked_over)
    assert alone == [("Cyd", "", "cyd@x.org")]
    assert together == [(name, "", f"{name.lower()}@x.org") for name in ("Ada", "Cyd", "Dan")]


async def test_what_the_service_said_is_shown_first_and_the_whole_is_copied(
    account: AccountFixture,
) -> None:
    account.outbox.set_hold_seconds(0.0)
    said = ApiError("No", "The account refused it. It says: taken.", service_words="taken.")
    account.scripted.answers = [said]
    room = Room(account)
    await room.open(await room.take())
    await account.until(lambda: room.outcomes[0] == "Refused: taken.")
    whole = "Refused: The account refused it. It says: taken."
    cell = room.screen.table.index(0, ResultColumn.OUTCOME)
    assert cell.data(CELL_ROLE).whole == whole
    assert cell.data(Qt.ItemDataRole.AccessibleTextRole) == whole
    room.screen.copy([0])
    assert str(room.copied[0]).endswith(whole)


async def test_who_was_refused_is_sent_again_and_the_row_follows(room: Room) -> None:
    assert not room.screen.can_send_again([0, 2])
    room.screen.send_again([0, 1, 2, 3])
    assert room.screen.state.said == "1 sent again."
    await room.account.until(lambda: room.outcomes[1] == "Added")
    assert len(room.account.scripted.created) == 2


async def test_the_rows_follow_a_list_that_is_on_its_way(account: AccountFixture) -> None:
    room = Room(account)
    await room.open(await room.take())
    assert room.outcomes[:2] == ["Waiting", "Waiting"]
    account.outbox.send_now()
    await account.until(lambda: room.outcomes[:2] == ["Added", "Added"])


async def test_rows_are_copied_one_a_line(room: Room) -> None:
    room.screen.copy([1, 0])
    heading, first, _ = (line.split("\t") for line in str(room.copied[0]).split("\n"))
    assert heading == ["Row", "Name", "Email", "What became of it"]
    assert first == ["2", "Ada", "ada@x.org", "Added"]
    assert room.screen.state.said == "2 rows copied."


@pytest.mark.parametrize("end", ["csv", "xlsx"])
async def test_the_rows_shown_are_saved_with_the_lists_own_columns(
    room: Room, tmp_path: "Path", end: str
) -> None:
    file = tmp_path / f"result.{end}"
    room.screen.save(str(file))
    await room.account.until(lambda: bool(room.screen.state.said))
    assert room.screen.state.said == f"4 rows are saved in result.{end}."
    rows = await asyncio.to_thread(read, file)
    assert rows[0] == [
        "Name", "Class", "What became of it", "Reason", "Added name", "Added email",
    ]  # fmt: skip
    assert rows[1][2:] == ["Added", "", "Ada", "ada@x.org"]
    assert rows[2][0] == "Bob"
    assert rows[2][1].lstrip("'") == "=1+1"
    assert rows[2][2:] == ["Refused", "The account takes one person per email.", "", ""]
    assert rows[3][2:] == ["Was here already", "Cyd King", "", ""]


async def test_no_column_of_the_file_is_called_like_one_of_the_list(
    account: AccountFixture,
) -> None:
    headings = ("Name", "Added email")
    batch = await account.outbox.batches.take("again.csv", headings, ROWS)
    assert len(set(file_headings(batch, 2))) == 6


def read(file: "Path") -> list[list[str]]:
    if file.suffix == ".csv":
        with file.open(encoding="utf-8-sig", newline="") as opened:
            return list(csv.reader(opened))
    from python_calamine import CalamineWorkbook  # noqa: PLC0415 - for one of the two alone

    sheet = CalamineWorkbook.from_path(file).get_sheet_by_index(0)
    return [[str(cell) for cell in row] for row in sheet.to_python()]


async def test_a_file_that_cannot_be_written_is_said(room: Room, tmp_path: "Path") -> None:
    room.screen.save(str(tmp_path / "nowhere" / "result.csv"))
    await room.account.until(lambda: bool(room.screen.state.said))
    assert room.screen.state.trouble


def test_every_verdict_of_the_review_is_said_of_a_row_that_was_left_out() -> None:
    assert kind_of(left_out(Verdict.ALREADY_HERE)) is ResultKind.WAS_HERE
    said = {verdict: reason_words(left_out(verdict)) for verdict in Verdict}
    assert [verdict for verdict, words in said.items() if not words] == [
        Verdict.ALREADY_HERE,
        Verdict.READY,
    ]


def test_the_line_that_somebody_stands_in_already_has_the_digits_of_the_language() -> None:
    use_number_format(lambda count: str(count).translate(str.maketrans("12", "١٢")))
    try:
        twin = replace(left_out(Verdict.TWICE), other="12")
        assert reason_words(twin) == "twice in this list, line ١٢"
    finally:
        use_number_format("{:,}".format)


def left_out(verdict: Verdict) -> BatchResultRow:
    return BatchResultRow(2, ("Ada",), None, Outcome.LEFT_OUT, verdict.value, None)


async def test_lists_that_were_added_are_offered_the_newest_first(room: Room) -> None:
    await room.account.outbox.batches.take("choir.csv", HEADINGS, ROWS[:1])
    assert [kept.words.split(", ")[0] for kept in room.screen.kept_lists()] == [
        "choir.csv",
        "lunch.xlsx",
    ]


async def test_what_was_copied_begins_as_a_sentence_where_it_begins_a_line(room: Room) -> None:
    batch = await room.account.outbox.batches.take("what was copied", HEADINGS, ROWS)
    await room.open(batch.id)
    assert room.screen.state.title == "What was copied"
    assert room.screen.kept_lists()[0].words.startswith("What was copied, ")
    named = "what was copied (Dr. Ada Lovelace …)"
    batch = await room.account.outbox.batches.take(named, HEADINGS, ROWS)
    await room.open(batch.id)
    assert room.screen.state.title == "What was copied (Dr. Ada Lovelace …)"
    assert room.screen.file_name == "What was copied (Dr. Ada Lovelace …) result"


async def test_what_was_copied_is_called_so_in_the_language_that_is_spoken_now(room: Room) -> None:
    batches = room.account.outbox.batches
    batch = await batches.take(read_clipboard("Ada Lovelace\nBob Hale").name, HEADINGS, ROWS)
    named = await batches.take(named_by(COPIED, "Ada Lovelace"), HEADINGS, ROWS)
    use_language(resource("translations"), ["fr"])
    try:
        await room.open(batch.id)
        assert room.screen.state.title == "Contenu copié"
        await room.open(named.id)
        assert room.screen.state.title == "Contenu copié (Ada Lovelace…)"
        given = await batches.take(named_by(GIVEN, "Ada Lovelace"), HEADINGS, ROWS)
        await room.open(given.id)
        assert room.screen.state.title == "Contenu reçu (Ada Lovelace…)"
    finally:
        use_language(resource("translations"), ["en"])


async def test_a_list_that_is_no_longer_kept_is_said(account: AccountFixture) -> None:
    screen = Room(account).screen
    screen.open("gone")
    await account.settle()
    assert screen.state.empty_words == "This list is no longer kept."
