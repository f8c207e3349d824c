"""Who carries how much, who is alone with what, and what nobody would do if somebody were away."""

from collections.abc import Iterator
from itertools import islice

import pytest

from app.flows.administrators import Administrators
from app.flows.responsibility import (
    FlowOrStepName,
    Load,
    NamesWithWord,
    Responsibilities,
    Responsibility,
)
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA = Person(id="ada", firstname="Ada")
BOB = Person(id="bob", firstname="Bob", archived=True)
EVE = Person(id="eve", firstname="Eve")
PEOPLE = {person.id: person for person in (ADA, BOB, EVE)}
STRANGER = "stranger"

NEWCOMERS = PeopleFlow(
    id="newcomers",
    name="Newcomers",
    admins=("ada", "eve"),
    steps=(
        Step(id="card", name="Card received", admins=("eve",)),
        Step(
            id="lunch",
            name="Lunch",
            admins=("ada", "bob"),
            steps=(Step(id="seats", name="Seating plan", admins=("ada", "eve", "ada")),),
        ),
        Step(id="group", name="Find a group", admins=("ada",), status="pending"),
        Step(id="thanks", name="Thank-you note", admins=(STRANGER, "eve")),
    ),
)
BAPTISM = PeopleFlow(
    id="baptism",
    name="Baptism",
    admins=("bob",),
    steps=(Step(id="evening", name="Evening", admins=("bob",)), Step(id="date", name="Date")),
)
EMPTY = PeopleFlow(id="empty", name="Empty")


def responsibilities(*flows: PeopleFlow) -> Responsibilities:
    return Responsibilities(Administrators(flows or (NEWCOMERS, BAPTISM, EMPTY), PEOPLE.get))


def load_of(person_id: str, *flows: PeopleFlow) -> Load:
    loads = responsibilities(*flows).loads()
    return next(load for load in loads if load.administrator.id == person_id)


def in_flow(person_id: str, *flows: PeopleFlow) -> Responsibility:
    return next(responsibilities(*flows).of(person_id))


def test_everybody_who_administers_anything_has_a_load_in_steps_flows_and_flows_they_are_in() -> (
    None
):
    counted = {
        load.administrator.id: (load.steps, load.whole_flows, load.flows, load.posts)
        for load in responsibilities().loads()
    }
    assert counted == {
        "ada": (3, 1, 1, 4),
        "eve": (3, 1, 1, 4),
        "bob": (2, 1, 2, 3),
        STRANGER: (1, 0, 1, 1),
    }


@pytest.mark.parametrize(
    ("person_id", "alone"),
    [
        # The lunch, where the only other is archived, and the group.
        pytest.param("ada", 2, id="beside somebody archived, and by herself"),
        # The card, and the thanks beside an id that matches nobody.
        pytest.param("eve", 2, id="beside an id that matches nobody"),
        # Baptism and its evening; at the lunch there is Ada.
        pytest.param("bob", 2, id="archived himself"),
        pytest.param(STRANGER, 0, id="nobody, beside somebody who can act"),
    ],
)
def test_alone_is_who_has_nobody_beside_them_who_can_act(person_id: str, alone: int) -> None:
    assert load_of(person_id).alone == alone
    posts = [post for one in responsibilities().of(person_id) for post in one.posts]
    assert sum(post.alone for post in posts) == alone


def test_where_nobody_at_all_can_act_everybody_named_is_alone() -> None:
    lost = PeopleFlow(id="lost", steps=(Step(id="s", admins=("bob", STRANGER)),))
    assert (load_of("bob", lost).alone, load_of(STRANGER, lost).alone) == (1, 1)


def test_somebody_who_has_died_is_nobody_to_count_on() -> None:
    flow = PeopleFlow(id="f", steps=(Step(id="s", admins=("ada", "ivy")),))
    people = {**PEOPLE, "ivy": Person(id="ivy", firstname="Ivy", deceased=True)}
    loads = Responsibilities(Administrators((flow,), people.get)).loads()
    assert {load.administrator.id: load.alone for load in loads} == {"ada": 1, "ivy": 0}


def test_everything_of_one_is_read_by_flow_in_step_order_with_numbers_and_the_others() -> None:
    found = in_flow("ada")
    assert found.flow is NEWCOMERS
    lines = [
        (post.step and post.step.number, [each.id for each in post.others], post.alone)
        for post in found.posts
    ]
    assert lines == [
        (None, ["eve"], False),
        ("2", ["bob"], True),
        ("2.1", ["eve"], False),
        ("3", [], True),
    ]
    assert [bool(post.step and post.step.pending) for post in found.posts] == [
        False,
        False,
        False,
        True,
    ]
    assert [one.flow.id for one in responsibilities().of("bob")] == ["newcomers", "baptism"]


def test_if_somebody_is_away_what_has_nobody_then_is_known_with_who_runs_that_flow() -> None:
    found = in_flow("ada")
    assert [post.step.step.name for post in found.uncovered if post.step] == [
        "Lunch",
        "Find a group",
    ]
    assert [each.id for each in found.run_by] == ["eve"]
    assert found.others == ()


def test_who_administers_other_steps_is_known_where_nobody_else_runs_the_flow() -> None:
    flow = PeopleFlow(
        id="f",
        admins=("ada",),
        steps=(Step(id="a", admins=("ada",)), Step(id="b", admins=("eve", "bob"))),
    )
    found = in_flow("ada", flow)
    assert next(post.step for post in found.uncovered) is None
    assert ([each.id for each in found.run_by], [each.id for each in found.others]) == (
        [],
        ["eve"],
    )


def test_who_has_a_step_that_waits_behind_a_pending_one_has_something_pending() -> None:
    pending = {load.administrator.id: load.pending for load in responsibilities().loads()}
    assert pending == {"ada": True, "eve": True, "bob": False, STRANGER: True}


def test_names_of_flows_and_steps_are_found_with_everybody_behind_them() -> None:
    found = responsibilities().called("date")
    assert list(found) == []  # Nobody administers it.
    lunch = responsibilities().called("lunch")
    assert [(each.name, each.is_step, set(each.person_ids)) for each in lunch] == [
        ("Lunch", True, {"ada", "bob"})
    ]
    whole = responsibilities().called("newcom")
    assert [(each.is_step, set(each.person_ids)) for each in whole] == [
        (False, {"ada", "eve", "bob", STRANGER})
    ]


@pytest.mark.parametrize("looked_at", [0, 1, 99])
@pytest.mark.parametrize("first", ["l", "lun", "n", "zz", "card"])
def test_what_is_called_so_is_the_same_whatever_was_asked_before(
    first: str, looked_at: int
) -> None:
    subject = responsibilities()
    before = subject.called(first)
    list(islice(before, looked_at))
    found = subject.called("lun", [before])
    assert [each.name for each in found] == ["Lunch"]
    # Gone through by two at once, each gets all of them.
    assert [each.name for each in found] == [one.name for one, _ in zip(found, found, strict=True)]


def test_of_names_no_more_are_looked_at_than_are_asked_for() -> None:
    looked: list[str] = []

    def names() -> Iterator[FlowOrStepName]:
        for who in ("ada", "bob", "eve"):
            looked.append(who)
            yield FlowOrStepName("Lunch", True, "lunch", {who: None})

    lunch = NamesWithWord("lunch", names())
    assert lunch.people(2) == {"ada", "bob"}
    assert (looked, lunch.known) == (["ada", "bob"], None)
    assert lunch.people(9) == {"ada", "bob", "eve"}
    assert len(lunch.known or ()) == 3


def test_with_other_people_the_flows_need_not_be_read_again() -> None:
    flows = (NEWCOMERS, BAPTISM)
    administrators = Administrators(flows, PEOPLE.get)
    before = Responsibilities(administrators)
    read = list(before.read_in_slices())
    back = {**PEOPLE, "bob": Person(id="bob", firstname="Bob")}
    after = before.with_people(administrators.with_people(back.get))
    assert not list(after.read_in_slices())
    alone = {load.administrator.id: load.alone for load in after.loads()}
    assert (alone["ada"], alone["bob"]) == (1, 2)
    other = before.with_people(Administrators((EMPTY,), PEOPLE.get))
    assert other.loads() == ()
    assert len(read) < 10


def test_reading_many_flows_lets_others_have_their_turn() -> None:
    many = [
        PeopleFlow(id=f"f{n}", admins=("ada",), steps=(Step(id=f"s{n}", name=f"Step {n}"),) * 9)
        for n in range(100)
    ]
    found = responsibilities(*many)
    assert len(list(found.read_in_slices())) > 3
    assert [load.whole_flows for load in found.loads()] == [100]
