"""How the steps of a flow are read."""

import pytest

from app.flows.steps import people_join_anywhere, read_steps
from app.model.flow import PeopleFlow, Step


def flow(*steps: Step) -> PeopleFlow:
    return PeopleFlow(id="f", steps=steps)


def test_steps_are_numbered_in_reading_order_with_nested_ones_inside_their_step() -> None:
    inner = Step(id="b1", steps=(Step(id="b1a"),))
    read = read_steps(flow(Step(id="a"), Step(id="b", steps=(inner, Step(id="b2"))), Step(id="c")))
    assert [(each.step.id, each.number, each.depth) for each in read] == [
        ("a", "1", 0),
        ("b", "2", 0),
        ("b1", "2.1", 1),
        ("b1a", "2.1.1", 2),
        ("b2", "2.2", 1),
        ("c", "3", 0),
    ]


def test_a_flow_without_steps_has_none() -> None:
    assert read_steps(flow()) == ()


def test_a_pending_step_makes_every_step_after_it_pending() -> None:
    read = read_steps(
        flow(
            Step(id="1", status=""),
            Step(id="2", status="draft", steps=(Step(id="2.1"),)),
            Step(id="3", status=None),
            Step(id="4", status="pending"),
            Step(id="5"),
        )
    )
    assert [(each.number, each.pending, each.pending_behind) for each in read] == [
        ("1", False, None),
        ("2", True, None),
        ("2.1", True, "2"),
        ("3", True, "2"),
        ("4", True, None),
        ("5", True, "2"),
    ]


def test_steps_of_a_pending_flow_speak_for_themselves() -> None:
    pending = PeopleFlow(id="f", status="off", steps=(Step(id="1"),))
    assert not read_steps(pending)[0].pending


@pytest.mark.parametrize(
    ("entry_points", "joined", "anywhere"),
    [
        ((None, "", "n"), [True, True, True], True),
        (("", "y", None), [False, True, False], False),
    ],
)
def test_people_join_at_entry_points_or_anywhere_when_there_is_none(
    entry_points: tuple[str | None, ...], joined: list[bool], *, anywhere: bool
) -> None:
    steps = flow(*(Step(id="s", entry_point=value) for value in entry_points))
    assert [each.people_join_here for each in read_steps(steps)] == joined
    assert people_join_anywhere(steps) is anywhere


def test_an_entry_point_inside_a_step_counts() -> None:
    nested = flow(Step(id="a", steps=(Step(id="b", entry_point="y"),)), Step(id="c"))
    assert [each.people_join_here for each in read_steps(nested)] == [False, True, False]


def test_administrators_are_given_once_each_in_order() -> None:
    read = read_steps(flow(Step(id="a", admins=("x", "y", "x"))))
    assert read[0].administrators == ("x", "y")
