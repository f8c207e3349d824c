"""A page that is decoded as what it is: never otherwise than the readers of the formats read it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.formats import decode
from app.api.formats.decoding_budget import Budget
from app.api.pagination.fast_pages import read_page
from app.api.requester import Items, _readable
from app.api.resources import read_list, read_person
from app.model.person import Person
from tests.any_character import ANY_CHARACTER

ADA: dict[str, object] = {
    "id": "8cc6f6a2",
    "date_added": "2019-02-01 11:02:08",
    "date_modified": "",
    "firstname": "Ada",
    "lastname": "Łovelace",
    "email": "ada@x.org",
    "phone": "(02) 5550 7999",
    "mobile": "",
    "admin": "1",
    "archived": "0",
    "volunteer": 1,
    "preferred_name": "",
    "deceased": "",
    "contact": "0",
    "family_id": "f1",
    "picture": "https://x.org/ada.png",
    "country": "",
}


def page_of(*people: object, **others: object) -> bytes:
    page = {"on_this_page": 1, "page": "1", "per_page": "1000", "total": 2, "person": people}
    envelope = {"generated_in": "0.045", "status": "ok", "people": page | others}
    return json.dumps(envelope).encode()


def read_strictly(body: bytes) -> Items[Person]:
    envelope: Any = decode(body, "json")
    listed = read_list(envelope["people"], "person")
    assert listed is not None
    return _readable(listed, read_person, Budget())


def test_a_page_is_read_with_every_field_that_is_known() -> None:
    found = read_page(page_of(ADA, ADA | {"id": "2", "email": None, "deceased": True}))
    assert found == read_strictly(page_of(ADA, ADA | {"id": "2", "email": None, "deceased": True}))
    assert found is not None
    assert (found.total, found.per_page, found.sent) == (2, 1000, 2)
    assert found.items[0].others == (
        ("contact", "0"),
        ("family_id", "f1"),
        ("picture", "https://x.org/ada.png"),
    )


@pytest.mark.parametrize(
    "body",
    [
        page_of(),
        page_of(ADA, {**ADA, "id": " 7 "}),
        page_of(ADA, {**ADA, "id": "7\n"}),
        page_of(ADA, {**ADA, "id": 7}),
        page_of(ADA, {**ADA, "firstname": "x" * 201}),
        page_of(ADA, {**ADA, "admin": "perhaps"}),
        page_of(ADA, {**ADA, "phone": 41}),
        page_of(ADA, {**ADA, "contact": ["a"]}),
        page_of(ADA, {"id": "7"}),
        page_of(ADA, ADA | {"more": ""}),
        page_of(ADA, error=""),
        page_of(ADA).replace(b'"email": "ada@x.org"', b'"email": "ada@x.org", "email": ""'),
        page_of(ADA).replace(b'"email": "ada@x.org"', b'"email": "ada@x.org", "email" : ""'),
        page_of(ADA).replace(b'"total": 2', b'"total": 2, "total": 1'),
        page_of(ADA).replace(b'"total": 2', b'"total": 2,'),
        page_of(ADA).replace(b'"status": "ok"', b'"status": "fail"'),
        page_of(ADA) + b"x",
        page_of(ADA, *[ADA] * 5_000),
        b"{}",
        b"",
    ],
)
def test_what_is_not_plain_is_left_to_the_reader_of_the_format(body: bytes) -> None:
    assert read_page(body) is None


_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.floats(0, 2, width=16),
    st.sampled_from(
        [
            "",
            "0",
            "1",
            "yes",
            "No",
            " ",
            " a ",
            "a\n",
            '":',
            "2019-02-01",
            "data:x",
            "x" * 300,
            "\x1f",
        ]
    ),
    st.text(ANY_CHARACTER, max_size=4),
)
_RECORDS = st.dictionaries(st.sampled_from([*ADA, "family", "status"]), _VALUES, max_size=6)

# What services send: of nearly every page each field is of its kind.
_WORDS = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters='":}'), max_size=6),
    st.sampled_from([" ", " a ", "a\n", "\x1f", "2019-02-01", "2019-02-30 25:00:00", "0"]),
)
_FLAGS = st.sampled_from(
    ["0", "1", "", "yes", "no", "true", "false", 0, 1, True, False, None],
)
_PLAIN_RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["1", "ä-2", "0", "yes"]),
        **{
            name: _FLAGS if name in {"admin", "archived", "volunteer", "deceased"} else _WORDS
            for name in ADA
            if name != "id"
        },
    },
)


def read_as_strictly(body: bytes) -> bool:
    """Whether the page is read here; then it is what the strict reader makes of it."""
    found = read_page(body)
    assert found is None or found == read_strictly(body)
    return found is not None


@given(st.lists(_PLAIN_RECORDS, min_size=1, max_size=3), st.integers(0, 3))
def test_a_plain_page_is_read_and_never_otherwise(
    records: list[dict[str, object]], total: int
) -> None:
    assert read_as_strictly(page_of(*[ADA | each for each in records], total=total))


@given(
    st.lists(_PLAIN_RECORDS, min_size=1, max_size=3),
    _RECORDS,
    st.dictionaries(st.text(ANY_CHARACTER, max_size=2), _VALUES, max_size=2),
)
def test_a_page_is_never_read_otherwise(
    plain: list[dict[str, object]], odd: dict[str, object], further: dict[str, object]
) -> None:
    people = [ADA | further | each for each in plain]
    # Odd in one place, in another record, or everywhere: most pages are read but for that.
    few = dict(list(odd.items())[:1])
    for records in (people, [*people[:-1], people[-1] | few], [each | odd for each in people]):
        read_as_strictly(page_of(*records))
        read_as_strictly(page_of(*records, total=odd.get("id", 3)))
