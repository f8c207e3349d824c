"""Single values and collections in the shapes seen in the field."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.formats.tree import Tree
from app.api.reading import collection, flag, identifier, moment, text, whole

_ANY: st.SearchStrategy[Tree] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
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
