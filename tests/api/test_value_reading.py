"""Single values and collections in the shapes seen in the field."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.field_values import collection, credential, flag, identifier, moment, text, whole
from app.api.formats.tree import Tree
from app.api.resources import read_flow, read_person
from app.api.responses import read_retry_after
from tests.any_character import ANY_CHARACTER

_ANY: st.SearchStrategy[Tree] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(ANY_CHARACTER),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(ANY_CHARACTER), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(_ANY)
def test_no_value_whatever_stops_the_reading(value: Tree) -> None:
    text(value)
    identifier(value)
    flag(value)
    whole(value)
    found = moment(value)
    assert found is None or found.tzinfo is UTC
    assert isinstance(collection(value, ("person",)), list)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("1", True),
        (1, True),
        (True, True),
        ("yes", True),
        (1.0, None),
        ("0", False),
        (0, False),
        (False, False),
        ("No", False),
        ("", None),
        (None, None),
        ("2", None),
        ([], None),
        ({"value": "1"}, None),
    ],
)
def test_flags_come_as_text_number_or_truth_value(value: Tree, read: bool | None) -> None:
    assert flag(value) is read


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("102", 102),
        (102, 102),
        (240.0, 240),
        (" 50 ", 50),
        ("0", 0),
        ("", None),
        (None, None),
        (True, None),
        (-1, None),
        (1.5, None),
        ("1,240", None),
        ("٣", None),
        ("9" * 5000, None),
        (2**31 - 1, 2**31 - 1),
        (2**31, None),
        ("4294967296", None),
        (1e300, None),
        pytest.param(10**6000, None, id="too long to be written out"),
        ([102], None),
    ],
)
def test_counts_and_codes_come_as_number_or_text(value: Tree, read: int | None) -> None:
    assert whole(value) == read


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("2024-05-03 14:02:09", datetime(2024, 5, 3, 14, 2, 9, tzinfo=UTC)),
        ("2024-05-03", datetime(2024, 5, 3, tzinfo=UTC)),
        ("2024-05-03T14:02:09+02:00", datetime(2024, 5, 3, 12, 2, 9, tzinfo=UTC)),
        ("2024-05-03T14:02:09Z", datetime(2024, 5, 3, 14, 2, 9, tzinfo=UTC)),
        ("", None),
        ("0000-00-00 00:00:00", None),
        ("0000-00-00", None),
        ("2024-02-30 00:00:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("0001-01-01 00:00:00", None),
        ("0001-01-01 23:59:59", None),
        ("0001-01-02 00:00:00", datetime(1, 1, 2, tzinfo=UTC)),
        ("9999-12-30 23:59:59", datetime(9999, 12, 30, 23, 59, 59, tzinfo=UTC)),
        ("9999-12-31 23:59:59", None),
        pytest.param(" " * 1_000_000 + "2024-05-03", None, id="a megabyte"),
        ("yesterday", None),
        (1714744929, None),
        (None, None),
    ],
)
def test_dates_carry_no_zone_and_are_utc(value: Tree, read: datetime | None) -> None:
    assert moment(value) == read


@pytest.mark.parametrize(
    ("value", "read"),
    [("Ada", "Ada"), ("", ""), (412, "412"), (None, None), (True, None), (["Ada"], None)],
)
def test_text_is_kept_as_sent_and_anything_strange_is_none(value: Tree, read: str | None) -> None:
    assert text(value) == read


def test_a_text_longer_than_any_is_cut_and_ends_with_dots() -> None:
    assert text("x" * 1_000) == "x" * 1_000
    assert text("x" * 1_000_000) == "x" * 999 + "…"
    assert text("山" * 201, 200) == "山" * 199 + "…"
    assert text(10**5_000) is None


def test_a_token_is_whole_or_none_at_all() -> None:
    assert credential("t" * 4_000) == "t" * 4_000
    assert credential("t" * 1_000_000) is None


@pytest.mark.parametrize("field", ["firstname", "lastname", "email", "phone", "mobile"])
def test_no_field_of_a_person_weighs_more_than_can_be_shown(field: str) -> None:
    person = read_person({"id": "1", field: "é" * 1_000_000})
    assert person is not None
    assert len(getattr(person, field)) <= 1_000
    assert getattr(person, field).endswith("é…")


def test_nothing_of_a_flow_weighs_more_than_can_be_shown() -> None:
    long = "x" * 200_000
    many: list[Tree] = [{"id": str(number)} for number in range(3_000)]
    place: Tree = {"id": long, "names": [long] * 3_000, "deep": [[[["lost"]]]]}
    step: Tree = {"id": "s", "name": long, "status": long, "entry_point": long, "admins": many}
    heavy: dict[str, Tree] = {
        "id": "f",
        "name": long,
        "status": long,
        "access": long,
        "steps": [step, *many],
    }
    flow = read_flow({**heavy, "admins": many, "locations": [place], "demographics": many})
    assert flow is not None
    first = flow.steps[0]
    assert (len(flow.steps), len(flow.admins), len(first.admins)) == (500, 500, 500)
    assert max(len(each or "") for each in (flow.name, first.name)) == 200
    assert len(str(flow.locations)) < 100_000
    assert flow.locations[0]["deep"] == [[None]]


@pytest.mark.parametrize(
    ("value", "read"),
    [("x" * 200, "x" * 200), ("x" * 201, None)],
)
def test_an_identifier_is_never_cut_since_it_would_name_somebody_else(
    value: str, read: str | None
) -> None:
    assert identifier(value) == read


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        ("9" * 5_000, 999_999_999.0),
        ("Mon, 01 Jan 2024 00:00:99999999999999999999 GMT", None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999999", None),
        ("Fri, 31 Dec 9999 23:59:59 -1200", 1e9),
    ],
)
def test_a_pause_nobody_could_keep_stops_nothing(asked: str, seconds: float | None) -> None:
    assert read_retry_after(asked, datetime(2025, 3, 4, tzinfo=UTC)) == seconds


@pytest.mark.parametrize(
    ("value", "read"),
    [(" a1 ", "a1"), (17, "17"), ("", None), ("  ", None), (1.5, None), (False, None)],
)
def test_an_identifier_is_never_blank(value: Tree, read: str | None) -> None:
    assert identifier(value) == read


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ({"person": [{"id": "1"}, {"id": "2"}]}, [{"id": "1"}, {"id": "2"}]),
        ([{"id": "1"}], [{"id": "1"}]),
        ({"id": "1"}, [{"id": "1"}]),
        ({"person": {"id": "1"}}, [{"id": "1"}]),
        ({"0": {"id": "1"}, "1": {"id": "2"}}, [{"id": "1"}, {"id": "2"}]),
        ({"person": ""}, []),
        ({}, []),
        ("", []),
        ([], []),
        (None, []),
        ("one", ["one"]),
    ],
)
def test_a_collection_is_read_in_every_shape(value: Tree, items: list[Tree]) -> None:
    assert collection(value, ("person",)) == items
