"""Why a flow is found, and where the searched words stand in what is shown."""

from collections.abc import Sequence
from itertools import islice

import pytest

from app.flows.administrators import Administrators
from app.flows.gaps import Gap, Gaps
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.flows.search import FlowSearch, highlights, wanted_words

GRACE = Person(id="grace", firstname="Grace", lastname="O’Brien")
MORI = Person(id="mori", firstname="Kaito", lastname="Mori")
PEOPLE = {person.id: person for person in (GRACE, MORI)}
NEWCOMERS = PeopleFlow(
    id="n",
    name="Newcomers 2024-25",
    steps=(
        Step(id="1", name="Card received", admins=("mori",)),
        Step(
            id="2",
            name="Welcome call",
            admins=("grace", "nobody"),
            steps=(Step(id="3", name="Second café call"),),
        ),
        Step(id="4"),
    ),
)
ADMINISTRATORS = Administrators([NEWCOMERS], PEOPLE.get)


def why(
    query: str,
    flow: PeopleFlow = NEWCOMERS,
    administrators: Administrators = ADMINISTRATORS,
    gaps: Sequence[Gap] = (),
) -> str:
    reasons = FlowSearch().reasons(flow, administrators, wanted_words(query), gaps)
    return " · ".join(each.words for each in reasons)


def found_by(query: str, search: FlowSearch, administrators: Administrators) -> list[PeopleFlow]:
    slices = search.found([NEWCOMERS], administrators, wanted_words(query))
    return [flow for some in slices for flow in some]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", ""),
        ("newcomers", ""),
        ("welcome", "step: Welcome call"),
        ("cafe", "step: Second café call"),
        ("WELCOME call", "step: Welcome call"),
        ("obrien", "Grace O’Brien"),
        ("o'brien", "Grace O’Brien"),
        ("new mori", "Kaito Mori"),
        ("card grace", "step: Card received · Grace O’Brien"),
        ("grace card call", "step: Card received · step: Welcome call · Grace O’Brien"),
        ("zz", ""),
    ],
)
def test_the_list_says_which_step_or_administrator_was_found(query: str, reason: str) -> None:
    assert sorted(why(query).split(" · ")) == sorted(reason.split(" · "))


def test_one_step_that_has_all_the_words_says_it_alone() -> None:
    assert why("call cafe") == "step: Second café call"


@pytest.mark.parametrize(
    ("query", "found"),
    [("2024-25", True), ("2024 25", True), ("25 card", True), ("2526", False), ("no name", False)],
)
def test_numbers_in_names_are_found_as_they_are_written(query: str, found: bool) -> None:
    assert bool(found_by(query, FlowSearch(), ADMINISTRATORS)) is found


def test_flows_are_looked_at_a_slice_at_a_time_and_found_in_their_order() -> None:
    steps = tuple(Step(id=str(n), name=f"Step {n}") for n in range(20))
    flows = [PeopleFlow(id=str(n), name=("Even", "Odd")[n % 2], steps=steps) for n in range(200)]
    administrators = Administrators(flows, PEOPLE.get)
    search, wanted = FlowSearch(), wanted_words("odd")
    worked_out = list(search.found(flows, administrators, wanted))
    assert len(worked_out) > 5
    assert [flow for some in worked_out for flow in some] == flows[1::2]
    # What was worked out is not worked out again.
    known = list(search.found(flows, administrators, wanted))
    assert len(known) < len(worked_out)
    assert [flow for some in known for flow in some] == flows[1::2]


@pytest.mark.parametrize("first", ["", "s", "step 1", "odd", "zz"])
@pytest.mark.parametrize("looked_at", [1, 99])
def test_whatever_was_searched_before_the_same_is_found(first: str, looked_at: int) -> None:
    flows = [
        PeopleFlow(
            id=str(n),
            name=("Even", "Odd")[n % 2],
            steps=tuple(Step(id=f"{n}.{k}", name=f"Step {n}.{k}") for k in range(20)),
        )
        for n in range(60)
    ]
    administrators = Administrators(flows, PEOPLE.get)

    def found(search: FlowSearch, query: str) -> list[PeopleFlow]:
        slices = search.found(flows, administrators, wanted_words(query))
        return [flow for some in slices for flow in some]

    for then in ("step 1", "st", "step 19", "odd 3", "od", "", "zz", "3 odd"):
        used, meant = FlowSearch(), found(FlowSearch(), then)
        list(islice(used.found(flows, administrators, wanted_words(first)), looked_at))
        assert found(used, then) == meant, then
        # Another list of the same flows is not the one that was looked through.
        some = list(used.found(flows[:5], administrators, wanted_words(then)))
        assert [flow for each in some for flow in each] == [
            flow for flow in meant if flow in flows[:5]
        ], then


def test_whoever_still_looks_when_people_are_others_leaves_nothing_behind() -> None:
    nobody: dict[str, Person] = {}
    search = FlowSearch()
    late = search.found([NEWCOMERS], Administrators([NEWCOMERS], nobody.get), ("grace",))
    search.forget()
    assert found_by("zz", search, ADMINISTRATORS) == []
    search.forget()
    assert list(late) == [[]]
    assert found_by("grace", search, ADMINISTRATORS) == [NEWCOMERS]


def test_what_was_worked_out_is_forgotten_when_people_are_others() -> None:
    nobody: dict[str, Person] = {}
    search = FlowSearch()
    assert not found_by("grace", search, Administrators([NEWCOMERS], nobody.get))
    search.forget()
    assert found_by("grace", search, ADMINISTRATORS) == [NEWCOMERS]


def test_found_words_are_marked_by_where_they_begin_and_how_long_they_are() -> None:
    assert highlights("Second café call", wanted_words("CAFE call")) == ((7, 4), (12, 4))
    assert highlights("Second café call", ()) == ()


GROUP = Step(id="5", name="Find a group", admins=("mori",), status="pending")
UNDONE = PeopleFlow(id="u", name="Undone", steps=(Step(id="4", name="Coffee"), GROUP))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("nobody", "Nobody administers the flow as a whole."),
        ("nobody coffee", "step: Coffee · Nobody administers the flow as a whole."),
        ("gap", "Nobody administers the flow as a whole."),
        ("pending", "step: Find a group (pending)"),
        ("archived", ""),
    ],
)
def test_what_is_missing_or_pending_is_found_by_its_name(query: str, reason: str) -> None:
    administrators, gaps = Administrators([UNDONE], PEOPLE.get), Gaps()
    list(gaps.find_in_slices([UNDONE], administrators))
    wanted = wanted_words(query)
    assert why(query, UNDONE, administrators, gaps.of("u")) == reason
    found = FlowSearch().found([UNDONE], administrators, wanted, gaps)
    assert [flow for some in found for flow in some] == ([UNDONE] if reason else [])


@pytest.mark.parametrize("query", ["archived", "deceased", "deceased archived"])
@pytest.mark.parametrize("at_step", [False, True])
def test_who_is_archived_and_has_died_is_found_by_both(query: str, at_step: bool) -> None:
    both = Person(id="b", firstname="Bea", lastname="Ald", archived=True, deceased=True)
    step = Step(id="1", name="Card", admins=("b",))
    flow = PeopleFlow(id="f", name="Camp", steps=(step,) if at_step else (), admins=("b",))
    administrators, gaps = Administrators([flow], {"b": both}.get), Gaps()
    list(gaps.find_in_slices([flow], administrators))
    wanted = wanted_words(query)
    found = FlowSearch().found([flow], administrators, wanted, gaps)
    assert [flow for some in found for flow in some] == [flow]
    said = why(query, flow, administrators, gaps.of("f"))
    assert said == "Run by Bea Ald (archived, deceased)."


def test_a_flow_that_is_pending_is_found_by_that() -> None:
    pending = PeopleFlow(id="p", name="Camp", status="x")
    assert why("pending", pending, Administrators((), PEOPLE.get)) == (
        "no steps yet · not active yet"
    )


def test_a_reason_leads_to_the_step_it_is_about() -> None:
    def steps(query: str) -> list[str | None]:
        found = FlowSearch().reasons(NEWCOMERS, ADMINISTRATORS, wanted_words(query))
        return [reason.step_id for reason in found]

    assert steps("welcome call") == ["2"]
    assert steps("mori") == ["1"]
    assert steps("newcomers") == []
