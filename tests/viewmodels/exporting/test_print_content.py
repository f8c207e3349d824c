"""What stands on paper: every step and everybody named, and what is missing said."""

from app.flows.administrators import Administrators
from app.flows.gaps import gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.exporting.print_content import (
    PrintedGroup,
    PrintedLine,
    away_section,
    flow_section,
    gaps_groups,
    news_groups,
    person_section,
)
from app.viewmodels.exporting.print_requests import PrintedNewsRow
from app.viewmodels.flows.gaps import gap_words

PEOPLE = {
    "ada": Person(id="ada", firstname="Ada", lastname="Lovelace", email="ada@x.org"),
    "bob": Person(id="bob", firstname="Bob", lastname="Øst"),
    "eve": Person(id="eve", firstname="Eve", lastname="Adams", archived=True),
    "ivy": Person(id="ivy", firstname="Ivy", deceased=True),
}
WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    admins=("ada",),
    steps=(
        Step(id="1", name="Call", admins=("ada", "bob"), entry_point="y"),
        Step(id="2", name="Lunch", steps=(Step(id="21", name="Seating", admins=("ada", "eve")),)),
        Step(id="3", name="Group", status="pending", admins=("nobody-9f2c",)),
        Step(id="4", name="Serve", admins=("bob",)),
    ),
)
BAPTISM = PeopleFlow(id="b", name="Baptism", steps=(Step(id="5", name="Talk", admins=("ada",)),))


def administrators(*flows: PeopleFlow) -> Administrators:
    return Administrators(flows, PEOPLE.get)


def test_a_flow_tells_every_step_with_its_number_marks_and_names() -> None:
    section = flow_section(WELCOME, administrators(WELCOME))
    assert section.title == "Welcome"
    assert "Run by Ada Lovelace" in section.details
    assert [(step.number, step.name, step.depth) for step in section.steps] == [
        ("1", "Call", 0),
        ("2", "Lunch", 0),
        ("2.1", "Seating", 1),
        ("3", "Group", 0),
        ("4", "Serve", 0),
    ]
    call, lunch, seating, group, serve = section.steps
    assert call.join_words == "people join here"
    assert lunch.missing_words == "nobody administers this step"
    assert [(one.words, one.missing) for one in seating.names] == [
        ("Ada Lovelace", False),
        ("Eve Adams (archived)", True),
    ]
    assert group.names[0].missing
    assert "9f2c" in group.names[0].words
    assert (group.pending_words, serve.pending_words) == ("pending", "pending, after step 3")


def test_nobody_is_counted_instead_of_named() -> None:
    many = {f"p{n}": Person(id=f"p{n}", firstname=f"Person {n}") for n in range(200)}
    flow = PeopleFlow(id="f", steps=(Step(id="1", admins=tuple(many)),))
    (step,) = flow_section(flow, Administrators((flow,), many.get)).steps
    assert [one.words for one in step.names] == [person.firstname for person in many.values()]


def test_a_person_has_their_flows_with_steps_in_order_and_where_they_are_alone() -> None:
    section = person_section("ada", administrators(WELCOME, BAPTISM))
    assert section.title == "Ada Lovelace"
    assert section.details == ("3 steps, 1 whole flow, in 2 flows", "ada@x.org")
    welcome, baptism = section.groups
    assert welcome.heading == "Welcome"
    assert welcome.lines == (
        PrintedLine("the whole flow", "runs this flow alone", missing=True),
        PrintedLine("1 · Call", "with Bob Øst"),
        # Somebody archived cannot help.
        PrintedLine("2.1 · Seating", "alone on this step", missing=True),
    )
    assert baptism.lines == (PrintedLine("1 · Talk", "alone on this step", missing=True),)


def test_of_somebody_who_runs_flows_alone_no_steps_are_counted() -> None:
    flow = PeopleFlow(id="f", name="Care", admins=("bob",))
    assert person_section("bob", administrators(flow)).details == ("1 whole flow, in 1 flow",)


def test_somebody_without_a_post_and_somebody_unknown_have_a_page_that_says_so() -> None:
    nobody = administrators(BAPTISM)
    assert person_section("bob", nobody).details == ("Administers nothing.",)
    assert person_section("eve", nobody).title == "Eve Adams (archived)"
    assert person_section("someone-12ab", nobody).title == "somebody not in your list (…12ab)"


def test_gaps_are_ticked_line_by_line_below_the_flow_they_are_in() -> None:
    flows = (WELCOME, BAPTISM)
    known = administrators(*flows)
    welcome, baptism = gaps_groups([gap for flow in flows for gap in gaps_in(flow, known)])
    assert welcome.heading == "Welcome"
    assert [line.words for line in welcome.lines] == [
        "Step 2, Lunch: nobody administers it.",
        "Step 2.1, Seating: Eve Adams (archived).",
        "Step 3, Group: somebody not in your list (…9f2c).",
    ]
    assert all(line.ticked for line in welcome.lines)
    assert baptism.heading == "Baptism"


def test_who_has_died_is_missing_on_paper_too() -> None:
    step = Step(id="1", name="Call", admins=("ivy",), entry_point="y")
    flow = PeopleFlow(id="f", admins=("ada",), steps=(step,))
    (printed,) = flow_section(flow, administrators(flow)).steps
    assert [(one.words, one.missing) for one in printed.names] == [("Ivy (deceased)", True)]
    (group,) = gaps_groups(gaps_in(flow, administrators(flow)))
    assert [line.words for line in group.lines] == ["Step 1, Call: Ivy (deceased)."]


def test_if_somebody_is_away_what_nobody_has_then_is_listed_with_all_who_could_take_over() -> None:
    many = {f"p{n}": Person(id=f"p{n}", firstname=f"Person {n}") for n in range(20)}
    flow = PeopleFlow(
        id="f",
        name="Camp",
        admins=tuple(many),
        steps=(
            Step(id="1", name="Tents", admins=("ada",)),
            Step(id="2", name="Food", admins=("ada", "bob")),
            Step(id="3", name="Bus", status="pending", admins=("ada", "eve")),
        ),
    )
    look_up = {**PEOPLE, **many}.get
    section = away_section("ada", Administrators((flow, BAPTISM), look_up))
    assert section.title == "If Ada Lovelace is away"
    assert section.details == ("Nobody for 3 of 4 steps and flows.",)
    camp, baptism = section.groups
    everybody = ", ".join(person.firstname or "" for person in many.values())
    assert [(line.words, line.note) for line in camp.lines] == [
        ("1 · Tents", f"{everybody} run this flow"),
        ("3 · Bus", f"pending · {everybody} run this flow"),
    ]
    assert baptism.lines == (
        PrintedLine("1 · Talk", "nobody else is in this flow", missing=True, ticked=True),
    )


def test_without_somebody_whom_others_cover_nothing_is_listed() -> None:
    section = away_section("eve", administrators(WELCOME))
    assert section.title == "Without Eve Adams (archived)"
    assert section.details == ("Every step and flow still has somebody.",)
    assert section.groups == ()


def test_whoever_is_archived_and_has_died_is_told_so_alike_on_screen_and_on_paper() -> None:
    zed = Person(id="zed", firstname="Zed", archived=True, deceased=True)
    step = Step(id="1", name="Call", admins=("zed",), entry_point="y")
    flow = PeopleFlow(id="f", admins=("ada",), steps=(step,))
    known = Administrators((flow,), {**PEOPLE, "zed": zed}.get)
    (gap,) = gaps_in(flow, known)
    assert gap_words(gap) == "Archived, deceased administrator: Zed"
    ((line,),) = (group.lines for group in gaps_groups([gap]))
    assert line.words == "Step 1, Call: Zed (archived, deceased)."


def test_what_is_new_is_listed_by_day() -> None:
    lines = (
        PrintedNewsRow("Today", is_day=True),
        PrintedNewsRow("2 people came: Ada, Bob"),
        PrintedNewsRow("Ada came", is_inside=True),
        PrintedNewsRow("Yesterday", is_day=True),
        PrintedNewsRow("The flow Choir is gone"),
    )
    assert [group for group in news_groups(lines) if group] == [
        PrintedGroup("Today", (PrintedLine("2 people came: Ada, Bob"), PrintedLine("– Ada came"))),
        PrintedGroup("Yesterday", (PrintedLine("The flow Choir is gone"),)),
    ]
