"""People and flows as files, over a real list, read back by other libraries."""

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Event, get_ident
from typing import Any

import pytest
import python_calamine

from app.exporting import table
from app.flows.gaps import GapKind
from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField
from app.importing.reading import read_file
from app.model.person import Person
from app.people.search import PeopleFilter
from app.viewmodels.exporting.saved_file import ListedTable
from app.viewmodels.exporting.saving import SavedAs, Saving
from app.viewmodels.flows.by_person import ByPersonScreen, LoadOrder
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, NOON, AccountFixture
from tests.views.flows.flows_page_fixture import BAPTISM, WELCOME


class Desk:
    """What is shown, and saving it."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.people = PeopleScreen(account.directory, account.outbox, account.events, account.scope)
        self.flows = FlowsScreen(
            account.catalogue, account.directory, account.events, account.scope
        )
        self.saving = Saving(
            self.people,
            self.flows.list,
            account.directory,
            account.outbox,
            catalogue=account.catalogue,
            scope=account.scope,
        )

    async def save(
        self, path: Path, saved_as: SavedAs = SavedAs.TABLE, *, chosen: bool = False
    ) -> str:
        self.saving.save_people(str(path), saved_as, chosen=chosen)
        await self.account.until(lambda: not self.saving.busy)
        return self.saving.feedback.sentence


@pytest.fixture
async def desk(account: AccountFixture) -> Desk:
    await account.list_people(ADA, BOB, EVE)
    return Desk(account)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def first_names(path: Path) -> list[str]:
    return [row["First name"] for row in rows(path)]


async def test_people_are_saved_as_they_are_shown(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    desk.account.add("Zora", "Neale", "zora@x.org")
    assert await desk.save(path) == "4 people are saved in a.csv."
    assert first_names(path) == ["Zora", "Ada", "Bob", "Eve"]
    assert [row["State"] for row in rows(path)] == ["waiting", "", "", ""]
    assert rows(path)[3]["Archived"] == "yes"
    # Who is not in the account has no id there.
    assert [row["Id in the account"] for row in rows(path)] == ["", ADA.id, BOB.id, EVE.id]
    desk.people.search("ada")
    assert await desk.save(path) == "2 people are saved in a.csv."
    desk.people.search("")
    desk.people.show_only(PeopleFilter.VOLUNTEERS)
    await desk.save(path)
    assert first_names(path) == ["Bob"]


async def test_of_several_that_are_chosen_these_alone_are_saved(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    desk.people.choose_spans([(0, 1)])
    assert desk.saving.people_count == 2
    await desk.save(path)
    assert first_names(path) == ["Ada", "Bob"]
    desk.people.choose_spans([(2, 2)])
    assert desk.saving.people_count == 3
    await desk.save(path, chosen=True)
    assert first_names(path) == ["Eve"]


async def test_a_workbook_has_every_field_as_text_and_nothing_is_calculated(
    account: AccountFixture, tmp_path: Path
) -> None:
    path = tmp_path / "a.xlsx"
    hostile = Person(
        id="00017",
        firstname="=1+1",
        lastname="@x",
        email="+x@x.org",
        phone="0123",
        preferred_name="Jonny",
        deceased=True,
        date_added=NOON,
        others=(
            ("category", "Members"),
            ("family_relationship", "Parent"),
            ("family_id", "f-1"),
            ("category_id", "c-1"),
            ("shoe_size", "43"),
            ("=2+2", "=3"),
        ),
    )
    await account.list_people(hostile, ADA)
    await Desk(account).save(path)
    sheet = python_calamine.load_workbook(path).get_sheet_by_index(0)
    headings, first, second = (list(row) for row in sheet.to_python())
    found = dict(zip(headings, first, strict=True))
    assert found == {
        "First name": "=1+1",
        "Last name": "@x",
        "Preferred name": "Jonny",
        "Email": "+x@x.org",
        "Phone": "0123",
        "Mobile": "",
        "Added": "2024-05-03",
        "Changed": "",
        "Volunteer": "",
        "Account administrator": "",
        "Archived": "",
        "Deceased": "yes",
        "Category": "Members",
        "In the family": "Parent",
        "Id of the family": "f-1",
        "Id of the category": "c-1",
        "shoe size": "43",
        "=2+2": "=3",
        "Id in the account": "00017",
    }
    assert second[0] == "Ada"


async def test_what_is_a_yes_or_a_no_is_told_as_one_and_not_as_it_was_sent(
    account: AccountFixture, tmp_path: Path
) -> None:
    told = ("1", "0", "", "Yes", "no", "by letter")
    await account.list_people(
        *(
            Person(id=f"p{at}", firstname=f"P{at}", others=(("contact", text), ("category", text)))
            for at, text in enumerate(told)
        )
    )
    await Desk(account).save(tmp_path / "a.csv")
    found = {row["First name"]: row["Contact"] for row in rows(tmp_path / "a.csv")}
    assert [found[f"P{at}"] for at in range(len(told))] == ["yes", "", "", "yes", "", "by letter"]
    assert {row["Category"] for row in rows(tmp_path / "a.csv")} == set(told)


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx", "a.vcf"])
async def test_the_list_reader_takes_a_saved_list_for_what_it_is(
    desk: Desk, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    await desk.save(path, SavedAs.CARDS if name.endswith("vcf") else SavedAs.TABLE)
    table = read_file(path)
    columns = guess_columns(table)
    first, last, email = (
        columns.of(each)[0]
        for each in (ColumnField.FIRSTNAME, ColumnField.LASTNAME, ColumnField.EMAIL)
    )
    assert [(r.cells[first], r.cells[last], r.cells[email]) for r in table.rows[-3:]] == [
        (one.firstname, one.lastname, one.email or "") for one in (ADA, BOB, EVE)
    ]


async def test_where_a_file_cannot_be_written_one_sentence_says_so_and_nothing_is_lost(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    said = await desk.save(path)
    assert said == "a.csv could not be saved: there is no room left there."
    assert desk.saving.feedback.is_error
    assert [each.read_text() for each in files(tmp_path)] == ["before"]


async def test_a_second_file_waits_its_turn_and_it_is_said(desk: Desk, tmp_path: Path) -> None:
    desk.saving.save_people(str(tmp_path / "a.csv"), SavedAs.TABLE, chosen=False)
    desk.saving.save_people(str(tmp_path / "b.csv"), SavedAs.TABLE, chosen=False)
    assert desk.saving.feedback.sentence.startswith("a.csv is still being saved.")
    await desk.account.settle()
    assert [each.name for each in files(tmp_path)] == ["a.csv"]


async def test_where_there_is_nothing_to_save_it_is_said(desk: Desk, tmp_path: Path) -> None:
    """The dialog that asks for a place was open meanwhile."""
    desk.people.search("nobody of that name")
    assert await desk.save(tmp_path / "a.csv") == "There is nothing to save."
    desk.saving.feedback.say("")
    desk.saving.save_flows(str(tmp_path / "a.csv"))
    assert desk.saving.feedback.sentence == "There is nothing to save."
    assert files(tmp_path) == []


async def test_how_far_it_is_is_said_and_then_how_it_went(
    account: AccountFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.exporting.saving._BETWEEN", 0)
    await account.list_people(*(Person(id=str(n), firstname=f"P{n}") for n in range(3_000)))
    desk = Desk(account)
    said: list[str] = []
    nearly_done = Event()
    write = table.write_table

    def hear() -> None:
        said.append(desk.saving.feedback.sentence)
        if "90 %" in said[-1]:
            nearly_done.set()

    def write_once_that_is_said(path: Path, headings: Sequence[str], people: Iterable[Any]) -> None:
        gone_through = list(people)
        nearly_done.wait(20)
        write(path, headings, gone_through)

    monkeypatch.setattr(table, "write_table", write_once_that_is_said)
    desk.saving.feedback.changed.connect(hear)
    await desk.save(tmp_path / "a.csv")
    assert nearly_done.is_set()
    progress = [each for each in said if each.startswith("Saving a.csv: ")]
    assert progress[1:]
    assert progress == sorted(progress)
    assert said[-1] == "3,000 people are saved in a.csv."


async def test_flows_are_saved_as_they_are_listed(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    await desk.account.list_flows(WELCOME, BAPTISM)
    desk.saving.save_flows(str(path))
    await desk.account.settle()
    assert desk.saving.feedback.sentence == "2 flows are saved in a.csv."
    assert [(row["Flow"], row["Step number"], row["Administrator"]) for row in rows(path)][:3] == [
        ("Welcome", "", "Bob Øst"),
        ("Welcome", "1", "Ada Lovelace"),
        ("Welcome", "1", "Bob Øst"),
    ]
    desk.flows.search("baptism")
    await desk.account.list_people(ADA, BOB, EVE, total=7)
    assert desk.saving.flow_count == 1
    desk.saving.save_flows(str(path))
    await desk.account.settle()
    assert {row["Flow"] for row in rows(path)} == {"Baptism"}
    assert desk.saving.feedback.sentence == (
        "1 flow is saved in a.csv. The list of people was not read whole: names may be missing."
    )


async def test_flows_that_are_saved_before_the_people_are_read_say_so(
    account: AccountFixture, tmp_path: Path
) -> None:
    desk = Desk(account)
    await account.list_flows(BAPTISM)
    desk.saving.save_flows(str(tmp_path / "a.csv"))
    await account.settle()
    assert desk.saving.feedback.sentence.endswith("not been read yet: names are missing.")
    remarks = {row["Remark"] for row in rows(tmp_path / "a.csv") if not row["Administrator"]}
    assert not [remark for remark in remarks if "not in your list" in remark]


async def test_the_gaps_and_the_people_of_the_flows_are_saved_as_they_are_listed(
    desk: Desk, tmp_path: Path
) -> None:
    account = desk.account
    by_person = ByPersonScreen(desk.flows, account.scope)
    gaps = GapsScreen(desk.flows, account.directory, account.events, account.scope)
    tab = FlowsTabScreen(desk.flows, by_person=by_person, gaps=gaps, scope=account.scope)
    assert tab.table() is None
    await account.list_flows(WELCOME, BAPTISM)
    await account.until(lambda: gaps.found > 2 and len(by_person.people.keys) > 2)

    async def saved() -> list[dict[str, str]]:
        table = tab.table()
        assert table is not None
        desk.saving.save_listed(str(tmp_path / "a.csv"), table)
        await account.until(lambda: not desk.saving.busy)
        assert desk.saving.feedback.sentence == "a.csv is saved."
        return rows(tmp_path / "a.csv")

    tab.show(FlowsView.GAPS)
    assert len(await saved()) == gaps.count
    tab.search("baptism")
    gaps.show_kind(GapKind.NO_ENTRY_POINT)
    (gap,) = await saved()
    assert (gap["What is missing"], gap["Flow"]) == ("No step is an entry point", "Baptism")
    tab.search("")
    tab.show(FlowsView.BY_PERSON)
    by_person.sort_by(LoadOrder.NAME)
    people = await saved()
    assert [row["Name"] for row in people][:2] == ["Ada Lovelace", "Bob Øst"]
    assert people[0]["Email"] == "ada@x.org"
    assert [row["Remark"] for row in people if row["Name"] == "Eve Adams"] == ["archived"]
    tab.search("zzz")
    assert tab.table() is None


async def test_what_was_gathered_is_let_go_of_off_the_thread_of_the_window(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred thousand at once would hold it up for longer than a frame."""
    ends: list[int] = []

    class Row(tuple[str, ...]):
        __slots__ = ()

        def __del__(self) -> None:
            ends.append(get_ident())

    class Somebody(Person, frozen=True):
        def __del__(self) -> None:
            ends.append(get_ident())

    def found(keys: list[int]) -> dict[int, Person]:
        return {key: Somebody(id=str(key), firstname="Ada") for key in keys}

    monkeypatch.setattr(desk.account.directory, "people", found)
    for name, saved_as in (("a.csv", SavedAs.TABLE), ("a.vcf", SavedAs.CARDS)):
        await desk.save(tmp_path / name, saved_as)
    await desk.save(tmp_path / "gone" / "a.csv")
    listed = ListedTable("Rows", "rows", ("A",), lambda: (Row(("a",)) for _ in range(300)))
    desk.saving.save_listed(str(tmp_path / "l.csv"), listed)
    await desk.account.until(lambda: not desk.saving.busy)
    assert len(ends) == 3 * 3 + 300
    # The one that each loop had in hand at last.
    assert ends.count(get_ident()) <= 4
