"""Every field of the document arrives, and what the document leaves open is taken as it comes."""

from datetime import UTC, datetime

import pytest

from app.api.formats.tree import Tree
from app.api.resources import read_flow, read_list, read_person
from app.api.sign_in.oauth import PERMISSIONS
from app.model.flow import PeopleFlow, Step
from app.model.person import Person

ADA: dict[str, Tree] = {
    "id": "7c0b2f4e-6d1a-4c55-a0b1-93d6f0f1c2aa",
    "date_added": "2024-05-03 14:02:09",
    "date_modified": "2024-06-04 15:03:10",
    "firstname": "Ada",
    "lastname": "Lovelace",
    "email": "ada@lovelace.example",
    "phone": "02 5550 1234",
    "mobile": "0400 123 456",
    "admin": "1",
    "archived": "0",
    "volunteer": "1",
}


def test_each_of_the_eleven_fields_of_a_person_arrives() -> None:
    assert read_person(ADA) == Person(
        id="7c0b2f4e-6d1a-4c55-a0b1-93d6f0f1c2aa",
        date_added=datetime(2024, 5, 3, 14, 2, 9, tzinfo=UTC),
        date_modified=datetime(2024, 6, 4, 15, 3, 10, tzinfo=UTC),
        firstname="Ada",
        lastname="Lovelace",
        email="ada@lovelace.example",
        phone="02 5550 1234",
        mobile="0400 123 456",
        admin=True,
        archived=False,
        volunteer=True,
    )


def test_a_field_the_document_does_not_name_costs_nothing() -> None:
    assert read_person({**ADA, "shoe_size": {"eu": 38}, "Email": 5}) == read_person(ADA)


def test_a_person_of_the_list_may_hold_no_more_than_id_and_names() -> None:
    least: dict[str, Tree] = {name: ADA[name] for name in ("id", "firstname", "lastname")}
    assert read_person(least) == Person(id=str(ADA["id"]), firstname="Ada", lastname="Lovelace")


def test_a_page_tells_its_counts() -> None:
    page: Tree = {"on_this_page": 1, "page": 3, "per_page": 50, "total": 101, "person": [ADA]}
    listed = read_list(page, "person")
    assert listed is not None
    assert (listed.items, listed.per_page, listed.total) == ([ADA], 50, 101)


NONE: dict[str, Tree] = {"steps": [], "admins": []}
"""Told to be none: what was not told is another thing."""


def step(**fields: Tree) -> Step:
    """A step of a flow with these fields beside its id."""
    flow = read_flow({"id": "f", "steps": [{"id": "s", **NONE, **fields}]})
    assert flow is not None
    return flow.steps[0]


@pytest.mark.parametrize("word", ["", "active", "hibernating", "Не знаю", "y", "2"])
def test_any_word_of_status_access_and_entry_point_is_kept(word: str) -> None:
    flow = read_flow({"id": "f", "status": word, "access": word, **NONE})
    assert flow == PeopleFlow(id="f", status=word, access=word)
    assert step(status=word, entry_point=word) == Step(id="s", status=word, entry_point=word)


@pytest.mark.parametrize("item", [7, "Riverside North", {"id": "l1", "name": "North"}, [["a"]]])
def test_locations_and_demographics_of_any_shape_are_kept(item: Tree) -> None:
    flow = read_flow({"id": "f", "locations": [item, item], "demographics": [item], **NONE})
    assert flow == PeopleFlow(id="f", locations=(item, item), demographics=(item,))


def test_a_step_keeps_nothing_that_only_a_flow_has() -> None:
    sent = step(name="Card", access="admin", locations=[1], demographics=[2], description="Hello")
    assert sent == Step(id="s", name="Card")
    # Besides the document's fields it says what of them was told.
    assert set(Step.__struct_fields__) == {
        *("id", "name", "status", "entry_point", "steps", "admins"),
        *("steps_told", "admins_told", "left_out"),
    }


def test_the_administrators_of_flow_and_step_are_ids_in_their_order() -> None:
    flow = read_flow({"id": "f", "admins": ["p2", "p1"], "steps": [{"id": "s", "admins": ["p3"]}]})
    assert flow is not None
    assert (flow.admins, flow.steps[0].admins) == (("p2", "p1"), ("p3",))


def test_the_permissions_are_the_seven_of_the_document() -> None:
    assert tuple(PERMISSIONS) == (
        *("ManagePeople", "ManageGroups", "ManageServices", "ManageSongs", "ManageCalendar"),
        *("ManageFinancials", "AdministerAccount"),
    )
