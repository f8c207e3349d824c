"""What is missing in a flow, of which kind and where."""

import msgspec
import pytest

from app.flows.administrators import Administrators
from app.flows.gaps import Gap, GapKind, Gaps, gaps_in
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA = Person(id="ada", firstname="Ada", archived=False)
BOB = Person(id="bob", firstname="Bob", archived=True)
IVY = Person(id="ivy", firstname="Ivy", deceased=True, archived=True)
PEOPLE = {person.id: person for person in (ADA, BOB, IVY)}
STRANGER = "1234-5678-9abc"


def flow(*steps: Step, admins: tuple[str, ...] = (ADA.id,), flow_id: str = "f") -> PeopleFlow:
    """One that Ada runs, and that people join at a first step of hers."""
    first = Step(id="first", admins=(ADA.id,), entry_point="y")
    return PeopleFlow(id=flow_id, name=flow_id, steps=(first, *steps), admins=admins)


def found(whole: PeopleFlow) -> list[Gap]:
    return list(gaps_in(whole, Administrators([whole], PEOPLE.get)))


@pytest.mark.parametrize(
    ("whole", "gaps"),
    [
        pytest.param(flow(), 0, id="nothing is missing"),
        pytest.param(flow(Step(id="a", admins=(ADA.id,))), 0, id="all found"),
        pytest.param(flow(Step(id="a")), 1, id="nobody at a step"),
        pytest.param(flow(Step(id="a", admins=(STRANGER,))), 1, id="an id of nobody"),
        pytest.param(flow(Step(id="a", admins=(ADA.id, BOB.id))), 1, id="archived"),
        pytest.param(flow(Step(id="a", admins=(IVY.id,))), 1, id="deceased"),
        pytest.param(flow(Step(id="a", admins=(BOB.id, BOB.id))), 1, id="the same twice"),
        pytest.param(flow(admins=(STRANGER, BOB.id, ADA.id)), 2, id="of the flow itself"),
        pytest.param(
            flow(Step(id="a", admins=(ADA.id,), steps=(Step(id="b"),))), 1, id="inside a step"
        ),
        pytest.param(
            flow(Step(id="a", admins=(STRANGER,)), Step(id="b", admins=(STRANGER,)), Step(id="c")),
            3,
            id="at each step",
        ),
    ],
)
def test_gaps_are_counted_where_somebody_is_missing(whole: PeopleFlow, gaps: int) -> None:
    assert len(found(whole)) == gaps


def test_each_gap_has_its_kind_and_its_place_those_of_the_flow_itself_first() -> None:
    inside = Step(id="b", admins=(BOB.id, ADA.id, BOB.id, IVY.id))
    whole = flow(Step(id="a", steps=(inside,)), admins=(ADA.id, STRANGER))
    assert [
        (
            gap.kind,
            gap.step.number if gap.step else "flow",
            gap.administrator.id if gap.administrator else "",
        )
        for gap in found(whole)
    ] == [
        (GapKind.NOT_IN_LIST, "flow", STRANGER),
        (GapKind.NOBODY, "2", ""),
        (GapKind.ARCHIVED, "2.1", BOB.id),
        (GapKind.DECEASED, "2.1", IVY.id),
    ]


def test_a_flow_without_administrators_steps_or_entry_point_has_gaps_of_its_own() -> None:
    step = Step(id="a", admins=(ADA.id,))
    empty = found(PeopleFlow(id="empty"))
    anywhere = found(PeopleFlow(id="anywhere", admins=(ADA.id,), steps=(step,)))
    assert [each.kind for each in empty] == [GapKind.NOBODY, GapKind.NO_STEPS]
    assert [gap.kind for gap in anywhere] == [GapKind.NO_ENTRY_POINT]


def test_an_entry_point_inside_a_step_is_one() -> None:
    inside = Step(id="b", admins=(ADA.id,), entry_point="y")
    outer = Step(id="a", admins=(ADA.id,), steps=(inside,))
    assert not found(PeopleFlow(id="f", admins=(ADA.id,), steps=(outer,)))


def test_the_gaps_of_many_flows_are_found_in_slices_and_are_those_of_each() -> None:
    flows = [flow(Step(id="a"), flow_id=str(at)) for at in range(250)]
    administrators, gaps = Administrators(flows, PEOPLE.get), Gaps()
    slices = gaps.find_in_slices(flows, administrators)
    next(slices)
    assert not gaps.all
    assert len(list(slices)) > 0
    assert [gap.flow.id for gap in gaps.all] == [str(at) for at in range(250)]
    assert gaps.of("7") == gaps_in(flows[7], administrators)
    assert (gaps.count(GapKind.NOBODY), gaps.count(GapKind.ARCHIVED)) == (250, 0)


def test_where_no_administrators_or_steps_were_sent_nothing_is_known_to_be_missing() -> None:
    silent = flow(Step(id="a", admins_told=False, steps_told=False), admins=())
    assert found(msgspec.structs.replace(silent, admins_told=False)) == []
    nothing = PeopleFlow(id="f", steps_told=False, admins_told=False)
    assert found(nothing) == []
