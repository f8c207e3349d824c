"""Why a flow is found, and where the searched words stand in what is shown."""

import pytest

from app.flows.administrators import Administrators
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.flows.search import FlowSearch, highlights, wanted_words, why_found
from app.viewmodels.flows.sentences import flow_name

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


def why(query: str) -> str:
    name = flow_name(NEWCOMERS)
    return why_found(NEWCOMERS, name, ADMINISTRATORS, wanted_words(query))


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
    search = FlowSearch()
    search.read_slice([NEWCOMERS], ADMINISTRATORS)
    assert search.finds(NEWCOMERS, wanted_words(query)) is found


def test_flows_are_worked_out_a_slice_at_a_time_and_found_from_then_on() -> None:
    flows = [PeopleFlow(id=str(n), name=f"Flow {n}") for n in range(100)]
    administrators = Administrators(flows, PEOPLE.get)
    search, wanted = FlowSearch(), wanted_words("flow")
    found = []
    more = True
    while more:
        more = search.read_slice(flows, administrators)
        found.append(sum(search.finds(flow, wanted) for flow in flows))
    assert found == [20, 40, 60, 80, 100]


def test_what_was_worked_out_is_forgotten_when_people_are_others() -> None:
    nobody: dict[str, Person] = {}
    search, wanted = FlowSearch(), wanted_words("grace")
    search.read_slice([NEWCOMERS], Administrators([NEWCOMERS], nobody.get))
    assert not search.finds(NEWCOMERS, wanted)
    search.forget()
    search.read_slice([NEWCOMERS], ADMINISTRATORS)
    assert search.finds(NEWCOMERS, wanted)


def test_found_words_are_marked_by_where_they_begin_and_how_long_they_are() -> None:
    assert highlights("Second café call", wanted_words("CAFE call")) == ((7, 4), (12, 4))
    assert highlights("Second café call", ()) == ()
