"""People, flows and steps out of trees: the document's fields, and nothing invented."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.formats import decode
from app.api.formats.tree import Tree, Unreadable
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
        {"type": "array", "step": [_S1, _S2]},
        {"total": "2", "on_this_page": 2, "step": [_S1, _S2]},
        {"steps": {"step": [_S1, _S2]}},
        [{"step": _S1}, {"step": _S2}],
        {"item0": _S1, "item1": _S2},
        {"s1": _S1, "s2": _S2},
        {"0": {"step": _S1}, "1": {"step": _S2}},
    ],
)
def test_steps_are_read_whatever_their_wrapper_is_called(steps: Tree) -> None:
    flow = read_flow({"id": "f1", "steps": steps})
    assert flow is not None
    assert [(step.id, step.admins) for step in flow.steps] == [("s1", ("p1",)), ("s2", ())]


@pytest.mark.parametrize(
    "admins",
    [
        ["a", "b"],
        {"id": ["a", "b"]},
        {"admin": [{"id": "a", "role": "lead"}, {"id": "b", "role": ""}]},
        [{"person_id": "a"}, {"person_id": "b"}],
        {"person_id": ["a", "b"]},
        {"people": {"person": ["a", {"person_id": "b"}]}},
        [{"person": {"id": "a", "firstname": "Ada"}}, {"person": {"id": "b"}}],
        [{"admin": "a"}, {"admin": "b"}, ""],
        [{"person": {"id": "a"}, "role": "lead"}, {"person": "b", "role": ""}],
        [{"id": "post 1", "person_id": "a"}, {"id": "post 2", "person": {"id": "b"}}],
        [{"user_id": "a", "role": "lead"}, {"admin_id": "b"}],
        [{"id": "post 1", "person": [{"id": "a"}, {"id": "b"}]}],
        {"id": "post 1", "role": "lead", "person": [{"id": "a"}, {"id": "b"}]},
        [{"id": "post 1", "people": {"person": ["a", "b"]}}],
        [{"id": "post 1", "person_id": ["a", "b"]}, {"id": "post 2", "person": ["b"]}],
        [{"id": "post 1", "person": {"0": {"id": "a"}, "1": {"id": "b"}}}],
        {"id": ["a", "b"], "role": ["lead", "deputy"]},
        {"x": {"id": "a"}, "y": {"id": "b"}},
        {"item0": "a", "item1": "b"},
        {"item-1": "a", "item-2": "b"},
        "a, b",
        ["a;b"],
        {"admin": "a,b"},
        {"id": "a,b"},
    ],
)
def test_administrators_are_read_whatever_their_wrapper_is_called(admins: Tree) -> None:
    flow = read_flow({"id": "f1", "admins": admins, "steps": [{"id": "s1", "admins": admins}]})
    assert flow is not None
    assert flow.admins == flow.steps[0].admins == ("a", "b")


@pytest.mark.parametrize(
    ("admins", "ids"),
    [
        ({"3f2a-11": "lead", "3f2a-12": ""}, ("3f2a-11", "3f2a-12")),
        ({"3f2a-11": {"role": "lead"}}, ("3f2a-11",)),
        ({"admin": {"3f2a-11": {"role": "lead"}}}, ("3f2a-11",)),
        ({"71": {"role": "lead"}, "90": {"role": ""}}, ("71", "90")),
        ({"0": "a", "2": "b"}, ("a", "b")),
        ({"3": "p1", "8": "p2"}, ("p1", "p2")),
        ({"5": 1, "7": 1}, ("5", "7")),
        ({"5": "1", "7": "1"}, ("5", "7")),
        ({"5": None}, ("5",)),
        ({"5": {}, "7": ""}, ("5", "7")),
        ("a1 b2", ("a1", "b2")),
        (["a1\n  b2"], ("a1", "b2")),
        ("a|b", ("a", "b")),
    ],
)
def test_administrators_may_stand_under_their_ids(admins: Tree, ids: tuple[str, ...]) -> None:
    flow = read_flow({"id": "f1", "admins": admins})
    assert flow is not None
    assert flow.admins == ids


@pytest.mark.parametrize("steps", ["steps", "people_flow_steps", "people_flow_step", "step"])
@pytest.mark.parametrize("admins", ["admins", "administrators", "administrator", "admin"])
@pytest.mark.parametrize("beside", [{}, {"steps": [], "admins": ""}])
def test_steps_and_administrators_are_found_under_the_name_of_one_of_them(
    steps: str, admins: str, beside: dict[str, Tree]
) -> None:
    step: Tree = {**beside, "id": "s1", admins: ["b"]}
    flow = read_flow({**beside, "id": "f1", steps: [step], admins: "a"})
    assert flow is not None
    assert [(each.id, each.admins) for each in flow.steps] == [("s1", ("b",))]
    assert flow.admins == ("a",)


@pytest.mark.parametrize("told", ["1", 0, True, "no"])
def test_a_mark_that_somebody_is_an_administrator_is_no_administrator(told: Tree) -> None:
    assert read_flow({"id": "f1", "admin": told, "steps": ""}) == PeopleFlow(
        id="f1", admins_told=False
    )


@pytest.mark.parametrize(
    "blank",
    [
        *(None, "", " ", [], {}, False, [""]),
        *({"admin": ""}, {"total": 0}, {"admin": {}}, {"people": {"person": []}}, {"ids": ""}),
        *({"count": 0, "items": []}, {"type": "array"}, {"type": "array", "nil": "true"}),
        *({"peopleFlowAdmins": []}, {"item0": ""}, {"0": ""}),
    ],
)
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
        [1.5],
        [{"id": {"value": ["a", "b"]}}],
        {"role": "lead"},
        [{"name": "Ada"}],
        {"admin": {"name": "Ada"}},
        {"p1": "lead"},
        [{"p1": "lead"}],
        {"p1": "lead", "p2": "deputy"},
        {"0": {"role": "lead"}, "1": {"role": "deputy"}},
        {"total": 2, "on_this_page": 0, "admin": []},
        {"total": "2"},
        {"count": "2"},
        {"people": {"total": 2, "person": []}},
        "Ada Lovelace",
        ["p1 and p2"],
        {"5": True, "7": False},
        {"5": False},
        {"3f2a-11": False},
        {"p1": {}},
        {"p1": []},
        [{"p1": {}}],
        {"p1": {"admin": []}},
        {"ada": ""},
        {"loaded": False},
        {"status": "ok"},
        {"type": "error"},
        {"id": ""},
        {"error": {"code": 1}},
        {"errors": ["denied"]},
        {"errors": [{"id": "17"}]},
        {"error-404": "not found"},
        {"#text": "a", "admin": "b"},
        Unreadable(),
        ["a", Unreadable()],
    ],
)
def test_what_cannot_be_read_is_never_taken_for_none(odd: Tree) -> None:
    """It would look as if nobody looked after the flow: it costs the flow, which is told."""
    step: dict[str, Tree] = {"id": "s1"}
    assert read_flow({"id": "f1", "admins": odd}) is None
    assert read_flow({"id": "f1", "steps": odd}) is None
    assert read_flow({"id": "f1", "steps": [{**step, "admins": odd}]}) is None
    assert read_flow({"id": "f1", "steps": [{**step, "steps": odd}]}) is None


@pytest.mark.parametrize(
    "odd",
    [
        *("[]", "none", "null", "N/A", '["p1"]', '{"id":"p1"}'),
        {"1": "Ada"},
        {"17": "Ada", "18": "Bob"},
        {"1": 1, "2": 1},
        {"1": {}},
        {"0": {}},
        {"next": "x"},
        {"roles": ["lead"]},
        {"error": {"17": 1}},
        {"id": "post 1", "person": Unreadable()},
        {"id": "post 1", "person": ["a", {"name": "Ada"}]},
        {"id": "post 1", "person": []},
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_nobody_is_made_up_as_an_administrator(odd: Tree, *, alone: bool) -> None:
    """Neither nobody, which may be a lie, nor an id that nobody has."""
    admins = odd if alone else ["p1", odd]
    assert read_flow({"id": "f1", "admins": admins}) is None
    assert read_flow({"id": "f1", "steps": [{"id": "s1", "admins": admins}]}) is None


@pytest.mark.parametrize("none", [0, "0", 0.0, "-", "\u2013", "\u200b"])
def test_a_zero_or_a_stroke_in_the_place_of_a_list_is_no_id(none: Tree) -> None:
    assert read_flow({"id": "f1", "admins": none}) is None


def test_an_odd_list_is_not_hidden_by_one_of_none() -> None:
    assert read_flow({"id": "f1", "admins": [], "administrators": {"p1": {}}}) is None


def test_what_was_not_sent_is_told_from_none() -> None:
    """Administrators and steps of which nothing was said may be there all the same."""
    flow = read_flow({"id": "f1", "steps": [{"id": "s1"}, {"id": "s2", "steps": [], "admins": ""}]})
    assert flow is not None
    assert (flow.steps_told, flow.admins_told) == (True, False)
    told = [(step.steps_told, step.admins_told) for step in flow.steps]
    assert told == [(False, False), (True, True)]


@pytest.mark.parametrize("several", ["admins", "steps"])
def test_a_list_that_counts_more_than_it_has_costs_the_flow(several: str) -> None:
    """Half of it would look whole, and none of it like nobody."""
    page: dict[str, Tree] = {"total": 2, "item": [{"id": "p1"}]}
    assert read_flow({"id": "f1", several: page}) is None
    assert read_flow({"id": "f1", "steps": [{"id": "s1", several: page}]}) is None
    assert read_flow({"id": "f1", several: {**page, "total": 1}}) is not None


@pytest.mark.parametrize(
    "beside",
    [
        *({"admin_count": 2}, {"adminsCount": "2"}, {"administrator_count": 1}),
        *({"admins_total": 2}, {"number_of_admins": 1}, {"num_admins": 1}, {"count-admins": 3}),
        *({"steps_count": 4}, {"stepCount": 4}, {"number_of_steps": "1"}, {"total_steps": 1}),
    ],
)
@pytest.mark.parametrize("none", [[], "", {"item": []}])
def test_a_count_beside_a_list_that_says_otherwise_costs_the_flow(
    beside: dict[str, Tree], none: Tree
) -> None:
    """Nobody, where somebody is counted, would be a lie."""
    record: dict[str, Tree] = {"id": "f1", "admins": none, "steps": none}
    assert read_flow(record) is not None
    assert read_flow({**record, **dict.fromkeys(beside, 0)}) is not None
    assert read_flow({**record, **beside}) is None
    assert read_flow({"id": "f1", "steps": [{**record, **beside}]}) is None


def test_a_count_beside_a_list_may_mean_those_inside_steps_too() -> None:
    step: Tree = {"id": "s1", "admins": ["b", "a"], "admin_count": 2, "step_number": 3}
    outer: Tree = {"id": "s0", "admins": [], "steps": [step], "steps_count": 1}
    flow: dict[str, Tree] = {"id": "f1", "admins": ["a"], "steps": [outer]}
    assert read_flow({**flow, "admin_count": 2, "steps_count": 2}) is not None
    assert read_flow({**flow, "admin_count": 3}) is None
    assert read_flow({**flow, "steps_count": 3}) is None
    # What was not sent says nothing of anybody.
    assert read_flow({"id": "f1", "admin_count": 2, "steps_count": 2}) is not None


def test_a_count_may_mean_the_steps_inside_steps_too() -> None:
    inner: Tree = {"id": "s1", "steps": [{"id": "s2"}]}
    assert read_flow({"id": "f1", "steps": {"total": 2, "step": [inner]}}) is not None


@pytest.mark.parametrize(
    "beside", [{"admin_ids": ["a"]}, {"administrators": {"admin": "a"}}, {"admin_id": "a"}]
)
def test_an_empty_list_in_a_wrapper_hides_no_other(beside: dict[str, Tree]) -> None:
    flow = read_flow({"id": "f1", "admins": {"admin": []}, **beside})
    assert flow is not None
    assert flow.admins == ("a",)


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


@pytest.mark.parametrize(
    "inside",
    [
        "<admins>a<admin>b</admin></admins>",
        "<admins total='2'/>",
        "<admins count='2'/>",
        "<steps>a<step id='s1'/></steps>",
        "<steps total='3'><step id='s1'/></steps>",
    ],
)
def test_what_xml_says_beside_a_list_is_not_lost(inside: str) -> None:
    tree = decode(f"<rsp><people_flow id='f1'>{inside}</people_flow></rsp>".encode(), "xml")
    assert isinstance(tree, dict)
    assert read_flow(tree["people_flow"]) is None


def test_a_step_without_an_id_is_not_left_out_without_a_word() -> None:
    assert read_flow({"id": "f1", "steps": [{"id": "s1"}, {"name": "Coffee"}]}) is None


@pytest.mark.parametrize(
    "inside",
    [
        "<steps><item><id>s1</id></item><item><id>s2</id></item></steps>",
        "<steps><steps><id>s1</id></steps><steps><id>s2</id></steps></steps>",
        "<steps><step id='s1'/><step id='s2'/></steps>",
        "<steps><people_flow_step id='s1'/><people_flow_step id='s2'/></steps>",
        "<steps type='array'><step id='s1'/><step id='s2'/></steps>",
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
        ({"persons": [{"id": "1"}], "total": 2}, ["1"], 2),
        ({"item": [{"id": "1"}]}, ["1"], None),
        ({"person": {"item": [{"id": "1"}]}, "total": 2}, ["1"], 2),
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
    [5, True, "people", {"persons": []}, 1.5, Unreadable(), {"total": 2, "a": ["1"], "b": ["2"]}],
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
