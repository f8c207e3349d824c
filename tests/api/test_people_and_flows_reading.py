"""People, flows and steps out of trees: the document's fields, and nothing invented."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.formats import decode
from app.api.formats.tree import Tree
from app.api.resources import read_created, read_flow, read_list, read_person
from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from tests.any_character import ANY_CHARACTER

ADA: dict[str, Tree] = {
    "id": "a1",
    "date_added": "2024-05-03 14:02:09",
    "date_modified": "0000-00-00 00:00:00",
    "firstname": "Ada",
    "lastname": "Lovelace",
    "email": "",
    "phone": "0400 1",
    "mobile": None,
    "admin": "1",
    "archived": 0,
    "volunteer": "",
    "shoe_size": {"eu": 38},
}

_VALUES: st.SearchStrategy[Tree] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(ANY_CHARACTER, max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(ANY_CHARACTER), inner, max_size=3)
    ),
    max_leaves=6,
)


def test_every_field_of_a_person_is_read() -> None:
    assert read_person(ADA) == Person(
        id="a1",
        firstname="Ada",
        lastname="Lovelace",
        email="",
        phone="0400 1",
        mobile=None,
        date_added=datetime(2024, 5, 3, 14, 2, 9, tzinfo=UTC),
        date_modified=None,
        admin=True,
        archived=False,
        volunteer=None,
    )


def test_what_was_not_sent_is_none() -> None:
    assert read_person({"id": 7}) == Person(id="7")


@pytest.mark.parametrize("tree", [None, "a1", ["a1"], {}, {"id": ""}, {"id": ["a1"]}, 7])
def test_without_an_object_and_an_id_there_is_no_person(tree: Tree) -> None:
    assert read_person(tree) is None


@given(st.dictionaries(st.sampled_from(sorted(ADA)), _VALUES))
def test_bad_fields_never_cost_the_person(fields: dict[str, Tree]) -> None:
    person = read_person({**fields, "id": "a1"})
    assert person is not None
    assert person.id == "a1"


def test_a_flow_with_steps_inside_steps_is_read_in_order() -> None:
    inner: Tree = {"id": "s2", "name": "Call", "admins": [{"id": "p2", "role": "lead"}, "p2", ""]}
    flow = read_flow(
        {
            "id": "f1",
            "name": "Newcomers",
            "status": "",
            "access": "admin",
            "steps": [
                {"id": "s1", "name": "Card", "entry_point": "y", "steps": [inner], "admins": []},
                {"id": "s3", "name": "Coffee", "status": "pending"},
            ],
            "admins": ["p1", 2],
            "locations": [{"id": "l1"}],
            "demographics": "",
        }
    )
    assert flow == PeopleFlow(
        id="f1",
        name="Newcomers",
        status="",
        access="admin",
        steps=(
            Step(
                id="s1",
                name="Card",
                entry_point="y",
                steps=(Step(id="s2", name="Call", admins=("p2",), steps_told=False),),
            ),
            Step(id="s3", name="Coffee", status="pending", steps_told=False, admins_told=False),
        ),
        admins=("p1", "2"),
        locations=({"id": "l1"},),
    )


@pytest.mark.parametrize(
    "steps",
    [
        [{"id": "s1"}],
        {"step": [{"id": "s1"}]},
        {"step": {"id": "s1"}},
        {"id": "s1", "steps": []},
        {"0": {"id": "s1"}},
    ],
)
def test_steps_come_in_every_shape_of_a_collection(steps: Tree) -> None:
    flow = read_flow({"id": "f1", "steps": steps, "admins": {"admin": "p1"}})
    assert flow is not None
    assert [step.id for step in flow.steps] == ["s1"]
    assert flow.admins == ("p1",)


@given(_VALUES, _VALUES)
def test_no_steps_whatever_stop_the_reading(steps: Tree, admins: Tree) -> None:
    flow = read_flow({"id": "f1", "steps": steps, "admins": admins, "locations": steps})
    assert flow is None or flow.id == "f1"


@given(_VALUES)
def test_no_locations_whatever_cost_a_flow(locations: Tree) -> None:
    assert read_flow({"id": "f1", "locations": locations, "demographics": locations}) is not None


_S1: Tree = {"id": "s1", "admins": ["p1"]}
_S2: Tree = {"id": "s2"}


@pytest.mark.parametrize(
    "steps",
    [
        {"people_flow_step": [_S1, _S2]},
        {"people_flow_step": {"0": _S1, "1": _S2}},
        {"item": [_S1, _S2]},
        {"steps": [_S1, _S2]},
        {"0": _S1, "1": _S2},
    ],
)
def test_steps_may_stand_under_a_name_of_their_own(steps: Tree) -> None:
    flow = read_flow({"id": "f1", "steps": steps})
    assert flow is not None
    assert [(step.id, step.admins) for step in flow.steps] == [("s1", ("p1",)), ("s2", ())]


@pytest.mark.parametrize(
    "admins",
    [
        ["a", "b", ""],
        {"0": "a", "1": "b"},
        {"id": ["a", "b"]},
        {"admin": [{"id": "a", "role": "lead"}, {"id": "b", "role": ""}]},
        [{"person_id": "a"}, {"id": "post 2", "person_id": "b"}],
        {"person_id": ["a", "b"]},
        {"person": [{"id": "a"}, {"id": "b"}]},
    ],
)
def test_administrators_come_as_bare_ids_and_as_records(admins: Tree) -> None:
    flow = read_flow({"id": "f1", "admins": admins, "steps": [{"id": "s1", "admins": admins}]})
    assert flow is not None
    assert flow.admins == flow.steps[0].admins == ("a", "b")


def test_a_record_alone_is_not_taken_for_the_wrapper_of_what_is_in_it() -> None:
    flow = read_flow({"id": "f1", "admins": {"id": "a", "admin": "1"}})
    assert flow is not None
    assert flow.admins == ("a",)


@pytest.mark.parametrize("blank", [None, "", " ", [], {}, {"item": ""}])
def test_none_are_none_however_it_is_written(blank: Tree) -> None:
    flow = read_flow({"id": "f1", "admins": blank, "steps": blank})
    assert flow is not None
    assert (flow.admins, flow.steps) == ((), ())


@pytest.mark.parametrize(
    "odd",
    [
        {"lead": "a", "deputy": "b"},
        [{"role": "lead", "who": "a"}],
        [["a", "b"]],
        [True],
        False,
        [1.5],
        [{"id": {"value": ["a", "b"]}}],
        {"0": {"role": "lead"}, "1": {"role": "deputy"}},
        {"total": "2"},
        {"error": {"code": 1}},
        {"errors": ["denied"]},
    ],
)
def test_what_cannot_be_read_is_never_taken_for_none(odd: Tree) -> None:
    """It would look as if nobody looked after the flow: it costs the flow, which is told."""
    step: dict[str, Tree] = {"id": "s1"}
    assert read_flow({"id": "f1", "admins": odd}) is None
    assert read_flow({"id": "f1", "steps": odd}) is None
    assert read_flow({"id": "f1", "steps": [{**step, "admins": odd}]}) is None
    assert read_flow({"id": "f1", "steps": [{**step, "steps": odd}]}) is None


def test_what_was_not_sent_is_told_from_none() -> None:
    """Administrators and steps of which nothing was said may be there all the same."""
    flow = read_flow({"id": "f1", "steps": [{"id": "s1"}, {"id": "s2", "steps": [], "admins": ""}]})
    assert flow is not None
    assert (flow.steps_told, flow.admins_told) == (True, False)
    told = [(step.steps_told, step.admins_told) for step in flow.steps]
    assert told == [(False, False), (True, True)]


def test_a_status_that_is_laid_out_is_blank() -> None:
    step: Tree = {"id": "s1", "status": "\n      ", "entry_point": " y\n"}
    flow = read_flow({"id": "f1", "status": "\n  ", "access": " admin ", "steps": [step]})
    assert flow is not None
    assert (flow.pending, flow.access) == (False, "admin")
    assert (flow.steps[0].pending, flow.steps[0].status) == (False, "")


def test_more_than_can_be_kept_is_counted() -> None:
    many: list[Tree] = [{"id": f"s{n}", "admins": [f"p{m}" for m in range(503)]} for n in range(2)]
    many += [{"id": f"t{n}"} for n in range(500)]
    flow = read_flow({"id": "f1", "admins": [f"p{n}" for n in range(501)], "steps": many})
    assert flow is not None
    assert (flow.left_out, flow.steps[0].left_out) == (2 + 1, 3)


def test_a_step_without_an_id_is_not_left_out_without_a_word() -> None:
    assert read_flow({"id": "f1", "steps": [{"id": "s1"}, {"name": "Coffee"}]}) is None


@pytest.mark.parametrize(
    "inside",
    [
        "<steps><item><id>s1</id></item><item><id>s2</id></item></steps>",
        "<steps><steps><id>s1</id></steps><steps><id>s2</id></steps></steps>",
        "<steps><step id='s1'/><step id='s2'/></steps>",
        "<steps><people_flow_step id='s1'/><people_flow_step id='s2'/></steps>",
        "<steps id='s1'/><steps id='s2'/>",
    ],
)
@pytest.mark.parametrize(
    "admins",
    [
        "<admins><id>a</id><id>b</id></admins>",
        "<admins><admin id='a'/><admin id='b' role='lead'/></admins>",
        "<admins><admin id='a'>Ada</admin><admin id='b'>Bo</admin></admins>",
        "<admins><admins>a</admins><admins>b</admins></admins>",
        "<admins><person><person_id>a</person_id></person><person person_id='b'/></admins>",
        "<admins>a</admins><admins>b</admins>",
    ],
)
def test_lists_are_read_as_xml_writes_them(inside: str, admins: str) -> None:
    body = f"<rsp><people_flow><id>f1</id>{inside}{admins}</people_flow></rsp>"
    tree = decode(body.encode(), "xml")
    assert isinstance(tree, dict)
    flow = read_flow(tree["people_flow"])
    assert flow is not None
    assert [step.id for step in flow.steps] == ["s1", "s2"]
    assert flow.admins == ("a", "b")


@pytest.mark.parametrize(
    ("value", "ids", "total"),
    [
        ({"person": [{"id": "1"}], "total": "9", "per_page": 1}, ["1"], 9),
        ({"person": {"id": "1"}}, ["1"], None),
        ({"person": {"0": {"id": "1"}}, "total": 1}, ["1"], 1),
        ([{"id": "1"}], ["1"], None),
        ({"id": "1"}, ["1"], None),
        ({"total": "0", "message": "none"}, [], 0),
        ({"person": "", "total": 0}, [], 0),
        ({"total": "0"}, [], 0),
        ({}, [], None),
        ("", [], None),
        ([], [], None),
        (None, [], None),
    ],
)
def test_a_page_is_read_in_every_shape(value: Tree, ids: list[str], total: int | None) -> None:
    listed = read_list(value, "person")
    assert listed is not None
    people = [read_person(item) for item in listed.items]
    assert [person.id for person in people if person] == ids
    assert listed.total == total


@pytest.mark.parametrize(
    "value",
    [5, True, "people", {"persons": []}, 1.5, {"total": 2, "persons": [{"id": "1"}]}],
)
def test_a_page_of_a_wrong_type_is_not_taken_for_an_empty_one(value: Tree) -> None:
    assert read_list(value, "person") is None


@pytest.mark.parametrize(
    "envelope",
    [
        {"person": {"id": "a1"}},
        {"person": [{"id": "a1"}]},
        {"person": {"person": {"id": "a1"}}},
        {"id": "a1", "status": "ok"},
    ],
)
def test_a_created_person_comes_as_object_list_or_id(envelope: dict[str, Tree]) -> None:
    created = read_created(envelope)
    assert created is not None
    assert created.id == "a1"


@pytest.mark.parametrize(
    "envelope",
    [{}, {"person": ""}, {"person": "a1"}, {"person": [{"id": "a"}, {"id": "b"}]}, {"person": {}}],
)
def test_an_answer_without_one_person_is_not_read_as_one(envelope: dict[str, Tree]) -> None:
    assert read_created(envelope) is None
