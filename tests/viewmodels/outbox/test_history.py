"""The history of an account: who is in it, what is said of them, searched, copied and saved."""

import asyncio
import csv
import io
import os
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.api.errors import InputRefused
from app.importing.reading import read_file
from app.model.errors import ExpectedError
from app.model.outbox import BatchRow, Doubt, EntryState, NewPerson, OutboxEntry
from app.model.person import Person
from app.outbox.events import EntriesChanged
from app.people.search import fold
from app.runtime.tasks import TaskScope
from app.viewmodels.cell_table import CELL_ROLE
from app.viewmodels.formatting import clock, day_and_clock
from app.viewmodels.menu_items import MenuItem
from app.viewmodels.outbox.history import HistoryAction, HistoryScreen, menu_of_rows
from app.viewmodels.outbox.history_table import HistoryColumn
from tests.viewmodels.conftest import ADA, NOON
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture

TOO_LONG = InputRefused("Refused", "The name is too long.")
ZORA = Person(id="z", firstname="Zora", lastname="Neale", date_added=NOON)
FORMULA = NewPerson(firstname="=1+1", lastname="Øst", phone="+47 22 55", leftover="@x")


@pytest.fixture
async def account(
    qapp: QApplication,  # noqa: ARG001 - Qt must be there
    tmp_path: Path,
) -> AsyncIterator[ReconcilingAccountFixture]:
    account = ReconcilingAccountFixture(tmp_path / "private" / "outbox.db")
    await account.open()
    await account.list_people(ADA)
    yield account
    await account.close()
    assert account.crashes == []


@pytest.fixture
def history(account: ReconcilingAccountFixture) -> HistoryScreen:
    return HistoryScreen(account.outbox, account.events, account.scope)


def names(history: HistoryScreen) -> list[str]:
    return [entry.new_person.full_name for entry in history.table.entries]


def outcomes(history: HistoryScreen) -> list[tuple[object, object]]:
    table = history.table
    return [
        (
            table.data(table.index(row, HistoryColumn.NAME)),
            table.data(table.index(row, HistoryColumn.OUTCOME)),
        )
        for row in range(table.rowCount())
    ]


def many_done(count: int) -> list[OutboxEntry]:
    """People who were added, a minute after each other."""
    return [
        OutboxEntry(
            id=f"e{n}",
            typed=f"Person {n}",
            new_person=NewPerson(firstname="Person", lastname=f"{n}", email=f"{n}@x.org"),
            state=EntryState.ADDED,
            typed_at=NOON + timedelta(minutes=n),
            send_at=NOON + timedelta(minutes=n),
            ended_at=NOON + timedelta(minutes=n),
            person_id=f"p{n}",
        )
        for n in range(count)
    ]


def left_over(folder: Path) -> list[Path]:
    """What a writing that was given up has left."""
    return list(folder.glob(".history*"))


async def read(account: ReconcilingAccountFixture, history: HistoryScreen) -> None:
    await account.until(lambda: bool(history.state.count_words or history.state.empty_words))


async def test_what_changes_while_all_is_read_is_read_no_more_once_the_account_is_left(
    account: ReconcilingAccountFixture,
) -> None:
    failed: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failed.append(context))
    scope = TaskScope("history", account.crashes.append, ExpectedError)
    history = HistoryScreen(account.outbox, account.events, scope)
    history.open()
    await asyncio.sleep(0)
    account.events.publish(EntriesChanged())
    await scope.close()
    await asyncio.sleep(0)
    assert failed == []


async def test_every_outcome_is_told_the_open_ones_first(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    await account.sent(account.add("Ann"), EntryState.ADDED)
    account.outbox.undo(account.add("Ben").id)
    account.scripted.answers = [TOO_LONG, TOO_LONG]
    await account.sent(account.add("Cai"), EntryState.REFUSED)
    off = await account.sent(account.add("Dan"), EntryState.REFUSED)
    account.outbox.dismiss(off.id)
    lost = await account.lose("Eva")
    await account.doubted(lost, Doubt.ABSENT)
    given_up = await account.lose("Flo")
    await account.doubted(given_up, Doubt.ABSENT)
    account.outbox.dismiss(given_up.id)
    like = await account.lose("Zora", "Neale", there=ZORA)
    await account.doubted(like, Doubt.LOOKS_LIKE)
    account.add("Gil")
    history.open()
    await read(account, history)
    assert outcomes(history) == [
        ("Gil", "Waiting"),
        ("Zora Neale", "Not sure, somebody looks like the one"),
        ("Eva", "Not sure, not found in the list"),
        ("Cai", "Refused: The name is too long."),
        ("Flo", "Not sure, taken off the list"),
        ("Dan", "Refused, then taken off the list: The name is too long."),
        ("Ben", "Taken back, not sent"),
        ("Ann", "Added"),
    ]
    assert history.state.count_words == "8 entries"


async def test_who_was_sent_again_says_so_whatever_came_of_it(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.scripted.answers = [TOO_LONG]
    refused = await account.sent(account.add("Ann"), EntryState.REFUSED)
    account.outbox.send_again(refused.id)
    await account.sent(refused, EntryState.ADDED)
    lost = await account.lose("Eva")
    await account.doubted(lost, Doubt.ABSENT)
    await account.outbox.send_all_again()
    account.outbox.undo(lost.id)
    account.outbox.send_now()
    held = account.add("Ben")
    account.outbox.edit(held.id, "corrected", held.new_person)
    history.open()
    await read(account, history)
    assert outcomes(history) == [
        ("Ben", "Waiting"),
        ("Eva", "Taken back before it was sent again"),
        ("Ann", "Added, sent again"),
    ]


async def test_the_time_of_the_outcome_stands_first(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.store.write(*many_done(1))
    added = await account.sent(account.add("Ann"), EntryState.ADDED)
    assert added.ended_at is not None
    history.open()
    await read(account, history)
    table = history.table
    when = [table.data(table.index(row, HistoryColumn.WHEN)) for row in range(2)]
    assert when == [clock(added.ended_at), day_and_clock(NOON)]


async def test_it_follows_what_happens_while_it_is_open(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    history.open()
    await read(account, history)
    assert history.state.empty_words.startswith("Nobody has been typed here yet.")
    entry = account.add("Ann", "Li")
    await account.until(lambda: outcomes(history) == [("Ann Li", "Waiting")])
    await account.sent(entry, EntryState.ADDED)
    await account.until(lambda: outcomes(history) == [("Ann Li", "Added")])
    history.close()
    assert history.table.rowCount() == 0
    account.outbox.undo(account.add("Ben").id)
    await account.settle()
    assert history.table.rowCount() == 0


async def test_of_many_changes_in_quick_succession_a_few_are_read_and_the_last_is_shown(
    account: ReconcilingAccountFixture, history: HistoryScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, readings = account.outbox.store.history, 0

    async def counted(query: str = "", limit: int = 200) -> tuple[OutboxEntry, ...]:
        nonlocal readings
        readings += 1
        return await whole(query, limit)

    monkeypatch.setattr(account.outbox.store, "history", counted)
    history.open()
    await read(account, history)
    for number_ in range(40):
        account.add(f"Person {number_}")
        await asyncio.sleep(0.001)
    await account.until(lambda: len(names(history)) == 40)
    assert readings < 20
    history.search("person 39")
    await account.until(lambda: names(history) == ["Person 39"])


async def test_it_is_searched_without_accents_and_what_is_found_is_marked(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.outbox.undo(account.outbox.add("Bjørn Øst", NewPerson(firstname="Bjørn Øst")).id)
    account.outbox.undo(account.add("Ann").id)
    account.add("Bjorn", "Waiting")
    account.add("Cai")
    history.open()
    history.search("bjorn")
    await account.until(lambda: names(history) == ["Bjorn Waiting", "Bjørn Øst"])
    cell = history.table.data(history.table.index(1, HistoryColumn.NAME), CELL_ROLE)
    assert getattr(cell, "highlights", ()) == ((0, 5),)
    await account.until(lambda: history.state.count_words == "2 found")
    history.search("nobody at all")
    await account.until(lambda: bool(history.state.empty_words))
    assert history.state.empty_words == "Nothing here matches “nobody at all”."


async def test_a_later_search_is_never_overtaken_by_an_earlier_one(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.store.write(*many_done(600))
    history.open()
    for query in ("p", "pe", "person 59", "person 599"):
        history.search(query)
    await account.settle()
    assert names(history) == ["Person 599"]


async def test_a_long_history_is_read_a_screenful_first_and_their_words_only_when_painted(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.store.write(*many_done(2_000))
    counts: list[int] = []
    history.table.rowsInserted.connect(lambda *_: counts.append(history.table.rowCount()))
    history.open()
    await read(account, history)
    assert counts == [100, 2_000]
    assert names(history)[0] == "Person 1999"
    assert len(history.table._cells) == 0  # what is counted is what was put into words
    assert history.state.count_words == "2,000 entries"
    account.outbox.undo(account.add("Ann").id)
    await account.until(lambda: names(history)[0] == "Ann")
    assert history.table.rowCount() == 2_001


async def test_what_ended_while_nobody_looked_is_not_left_out(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    entries = many_done(500)
    account.store.write(*entries[:200])
    history.open()
    await read(account, history)
    account.store.write(*entries[200:])
    account.events.publish(EntriesChanged())
    await account.until(lambda: history.table.rowCount() == 500)
    assert names(history) == [f"Person {n}" for n in range(499, -1, -1)]


async def test_whole_rows_are_copied_with_tabs_from_the_top(
    account: ReconcilingAccountFixture, history: HistoryScreen
) -> None:
    account.store.write(*many_done(3))
    history.open()
    await read(account, history)
    copied: list[object] = []
    history.copied.connect(copied.append)
    history.copy([2, 0, 7])
    first, last = day_and_clock(NOON), day_and_clock(NOON + timedelta(minutes=2))
    (rows,) = copied
    assert str(rows).split("\n") == [
        "When\tName\tEmail\tWhat became of it",
        f"{last}\tPerson 2\t2@x.org\tAdded",
        f"{first}\tPerson 0\t0@x.org\tAdded",
    ]
    assert history.state.said == "2 rows copied."
    history.copy([])
    assert len(copied) == 1


async def test_it_is_saved_for_a_spreadsheet_and_no_cell_is_calculated(
    account: ReconcilingAccountFixture, history: HistoryScreen, tmp_path: Path
) -> None:
    account.outbox.undo(account.outbox.add("-2+3\tØst", FORMULA).id)
    history.open()
    await read(account, history)
    path = tmp_path / "history.csv"
    history.save(str(path))
    await account.until(lambda: bool(history.state.said))
    assert (history.state.said, history.state.trouble) == ("1 row is saved in history.csv.", False)
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    head, row = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert head[1:4] == ["First name", "Last name", "Email"]
    shown = dict(zip(head, row, strict=True))
    assert (shown["First name"], shown["Last name"]) == ("'=1+1", "Øst")
    assert (shown["Phone, kept here"], shown["Kept, not sent"]) == ("'+47 22 55", "'@x")
    assert (shown["Typed"], shown["What became of it"]) == ("'-2+3 Øst", "Taken back, not sent")


async def test_it_is_saved_as_a_workbook_where_the_name_ends_so(
    account: ReconcilingAccountFixture, history: HistoryScreen, tmp_path: Path
) -> None:
    account.outbox.undo(account.outbox.add("-2+3\tØst", FORMULA).id)
    history.open()
    await read(account, history)
    history.save(str(tmp_path / "history.xlsx"))
    await account.until(lambda: bool(history.state.said))
    head, row = (row.cells for row in read_file(tmp_path / "history.xlsx").rows)
    shown = dict(zip(head, row, strict=True))
    assert (shown["First name"], shown["Phone, kept here"]) == ("=1+1", "+47 22 55")


async def test_only_what_was_found_is_saved(
    account: ReconcilingAccountFixture, history: HistoryScreen, tmp_path: Path
) -> None:
    account.store.write(*many_done(300))
    account.add("Person", "1 who waits")
    history.open()
    history.search("person 1")
    await read(account, history)
    path = tmp_path / "found.csv"
    history.save(str(path))
    await account.until(lambda: bool(history.state.said))
    assert len(path.read_text("utf-8-sig").splitlines()) == 1 + history.table.rowCount()


@pytest.mark.skipif(os.name != "posix", reason="only there a folder can be written down")
async def test_a_saved_file_keeps_its_name_over_a_power_cut(
    account: ReconcilingAccountFixture,
    history: HistoryScreen,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    path, real, there = folder / "history.csv", os.fsync, list[bool]()

    def note(descriptor: int) -> None:
        if os.path.samestat(os.fstat(descriptor), folder.stat()):
            there.append(path.exists())
        real(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    account.add("Ann")
    history.open()
    await read(account, history)
    history.save(str(path))
    await account.until(lambda: bool(history.state.said))
    assert there == [True]


async def test_a_file_that_cannot_be_written_ends_in_a_sentence(
    account: ReconcilingAccountFixture, history: HistoryScreen, tmp_path: Path
) -> None:
    account.add("Ann")
    history.open()
    await read(account, history)
    history.save(str(tmp_path / "no such folder" / "history.csv"))
    await account.until(lambda: bool(history.state.said))
    assert history.state.said.startswith("history.csv could not be saved")
    assert history.state.trouble
    history.dismiss()
    assert history.state.said == ""


async def test_a_file_is_replaced_whole(
    account: ReconcilingAccountFixture, history: HistoryScreen, tmp_path: Path
) -> None:
    account.store.write(msgspec.structs.replace(many_done(1)[0], reason="cut off"))
    history.open()
    await read(account, history)
    path = tmp_path / "history.csv"
    path.write_text("what was there before", "utf-8")
    history.save(str(path))
    await account.until(lambda: bool(history.state.said))
    assert "cut off" in path.read_text("utf-8-sig")
    assert left_over(tmp_path) == []


async def test_what_the_menu_copies_of_somebody_is_not_calculated(
    account: ReconcilingAccountFixture,
) -> None:
    entry = account.outbox.add("=1+1", NewPerson(firstname="=1+1", email="+z@x.org"))
    groups = menu_of_rows([entry])
    items = [each for group in groups for each in group if isinstance(each, MenuItem)]
    copied = {each.words: each.value for each in items if each.action is HistoryAction.COPY}
    assert copied == {"Copy email": "<+z@x.org>", "Copy name": "'=1+1"}


async def test_the_loop_has_its_turns_while_many_who_wait_are_looked_at(
    account: ReconcilingAccountFixture, history: HistoryScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [BatchRow(n, (), NewPerson(firstname=f"Eve {n}")) for n in range(1_000)]
    await account.outbox.batches.take("list", ("Name",), rows)
    clock = count()
    monkeypatch.setattr("app.runtime.turns.perf_counter", lambda: next(clock) / 100_000)
    turns, folded = 0, Counter[int]()

    def counted(text: str) -> str:
        folded[turns] += 1
        return fold(text)

    monkeypatch.setattr("app.viewmodels.outbox.history.fold", counted)
    history.open()
    history.search("eve")
    while not history.state.count_words:
        turns += 1
        await asyncio.sleep(0)
    assert len(names(history)) == 1_000
    assert max(folded.values()) < 500
