"""Flows and steps as rows for a spreadsheet."""

from pathlib import Path

import msgspec
import python_calamine

from app.exporting.flow_table import flow_headings, flow_rows
from app.exporting.table import write_table
from app.flows.administrators import Administrators
from app.flows.gaps import GapKind, gap_remark, gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA = Person(id="ada", firstname="Ada", lastname="Lovelace", email=" ada@x.org ")
OLD = Person(id="old", firstname="Old", lastname="=1+1", email="+old@x.org", archived=True)
FLOW = PeopleFlow(
    id="f",
    name="Newcomers",
    admins=("ada",),
    steps=(
        Step(id="1", name="Welcome", admins=("ada", "old"), entry_point="y"),
        Step(
            id="2",
            name="Visit",
            status="pending",
            steps=(Step(id="2a", name="Ring", admins=("gone-1234",)),),
        ),
    ),
)
EMPTY = PeopleFlow(id="e", name="Empty")
IVY = Person(id="ivy", firstname="Ivy", deceased=True)


def test_whoever_is_archived_and_has_died_has_both_remarks() -> None:
    both = msgspec.structs.replace(OLD, deceased=True)
    rows = flow_rows([FLOW], {"old": both}.get)
    assert "archived, deceased" in {row[-1] for row in rows}


def test_each_administrator_has_a_row_and_each_gap_too(tmp_path: Path) -> None:
    rows = list(flow_rows([FLOW, EMPTY], {"ada": ADA, "old": OLD}.get))
    whole = ["Newcomers", "", "", "", "", "Ada Lovelace", "ada@x.org", ""]
    nobody = "nobody administers this step"
    assert rows == [
        whole,
        ["Newcomers", "1", "Welcome", "", "yes", "Ada Lovelace", "ada@x.org", ""],
        ["Newcomers", "1", "Welcome", "", "yes", "Old =1+1", "+old@x.org", "archived"],
        ["Newcomers", "2", "Visit", "yes", "", "", "", nobody],
        ["Newcomers", "2.1", "Ring", "yes", "", "", "", "somebody not in your list (…1234)"],
        ["Empty", "", "", "", "", "", "", "nobody administers this flow"],
        ["Empty", "", "", "", "", "", "", "no steps yet"],
    ]
    write_table(tmp_path / "a.xlsx", flow_headings(), rows)
    sheet = python_calamine.load_workbook(tmp_path / "a.xlsx").get_sheet_by_index(0)
    assert [list(row) for row in sheet.to_python()] == [flow_headings(), *rows]
    write_table(tmp_path / "a.csv", flow_headings(), rows)
    assert ",'+old@x.org," in (tmp_path / "a.csv").read_text("utf-8-sig")


def test_a_flow_says_that_nobody_runs_it_and_that_it_has_no_steps() -> None:
    step = Step(id="1", name="Call", admins=("ada",))
    flows = [
        PeopleFlow(id="a", name="A", steps=(step,)),
        PeopleFlow(id="b", name="B", admins=("ada",)),
    ]
    assert [(row[0], row[2], row[5], row[7]) for row in flow_rows(flows, {"ada": ADA}.get)] == [
        ("A", "", "", "nobody administers this flow"),
        ("A", "", "", "no step is an entry point"),
        ("A", "Call", "Ada Lovelace", ""),
        ("B", "", "Ada Lovelace", ""),
        ("B", "", "", "no steps yet"),
    ]


def test_every_gap_there_may_be_has_its_remark_in_its_place() -> None:
    at_steps = (
        Step(id="1", name="Call", admins=("ivy", "ada")),
        Step(id="2", name="Visit", steps=(Step(id="2a", name="Ring", admins=("gone-1234",)),)),
    )
    flows = [PeopleFlow(id="f", name="F", admins=("old",), steps=at_steps), EMPTY]
    people = {"ada": ADA, "old": OLD, "ivy": IVY}
    administrators = Administrators(flows, people.get)
    gaps = [gap for flow in flows for gap in gaps_in(flow, administrators)]
    assert {gap.kind for gap in gaps} == set(GapKind)
    remarked = [(row[0], row[1], row[7]) for row in flow_rows(flows, people.get) if row[7]]
    expected = [
        (gap.flow.name or "", gap.step.number if gap.step else "", gap_remark(gap)) for gap in gaps
    ]
    assert remarked == expected


def test_before_the_people_are_read_nobody_is_said_to_be_in_no_list() -> None:
    flow = PeopleFlow(id="f", name="F", admins=("gone-1234",))
    nobody: dict[str, Person] = {}
    unread = flow_rows([flow], nobody.get, people_read=False)
    assert next(unread)[-1] == "the people have not been read yet (…1234)"


def test_who_has_died_has_that_as_a_remark() -> None:
    step = Step(id="1", admins=("ivy",), entry_point="y")
    flow = PeopleFlow(id="f", name="F", admins=("ivy",), steps=(step,))
    assert [row[-1] for row in flow_rows([flow], {"ivy": IVY}.get)] == ["deceased", "deceased"]
