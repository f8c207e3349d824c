"""Rows with columns for several people: who is sent, and that nothing that stands there is lost."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.people_in_rows import FoundPerson, RowReader
from app.importing.review import Review

COUPLE = "First Name,Last Name,Email,Spouse First Name,Spouse Last Name,Spouse Email"
ADULTS = (
    "Adult 1 First Name,Adult 1 Last Name,Adult 1 Email,"
    "Adult 2 First Name,Adult 2 Last Name,Adult 2 Email"
)
FULL = "Grace,Hopper,grace@x.org,Vincent,Foster,vf@x.org"


def table(headings: Sequence[str], *rows: Sequence[str]) -> SourceTable:
    lines = [SourceRow(line, tuple(row)) for line, row in enumerate(rows, start=2)]
    return SourceTable("list.csv", SourceKind.CSV, lines, headings=tuple(headings))


def people(headings: str, *rows: str) -> Sequence[FoundPerson]:
    """Those of the last row."""
    read = table(headings.split(","), *(row.split(",") for row in rows))
    return RowReader(guess_columns(read)).people(read.rows[-1])


def sent(found: Sequence[FoundPerson]) -> list[str]:
    return [f"{each.firstname}|{each.lastname}|{each.email}" for each in found]


@pytest.mark.parametrize(
    ("headings", "row", "who", "kept"),
    [
        # A last name with no first one is nobody, and neither are they who stand beside them.
        (
            COUPLE,
            "Ada,Lovelace,ada@x.org,,Byron,byron@x.org",
            ["Ada|Lovelace|ada@x.org"],
            ["Byron", "byron@x.org"],
        ),
        (COUPLE, "Ada,Lovelace,ada@x.org,,Byron,", ["Ada|Lovelace|ada@x.org"], ["Byron"]),
        (COUPLE, "Ada,Lovelace,,,Y,", ["Ada|Lovelace|"], ["Y"]),
        (COUPLE, "Ada,Lovelace,,,,byron@x.org", ["Ada|Lovelace|"], ["byron@x.org"]),
        (
            ADULTS,
            ",Lovelace,ada@x.org,Bob,Byron,b@x.org",
            ["Bob|Byron|b@x.org"],
            ["Lovelace", "ada@x.org"],
        ),
        (COUPLE, ",Lovelace,ada@x.org,Bob,Byron,", ["Bob|Byron|"], ["Lovelace", "ada@x.org"]),
        # What is said of nobody else is the household's.
        (COUPLE, ",Lake,lake@x.org,Gus,,", ["Gus|Lake|lake@x.org"], []),
        (
            COUPLE,
            ",Dale,dale@x.org,,Hill,hill@x.org",
            ["|Dale|dale@x.org"],
            ["Hill", "hill@x.org"],
        ),
    ],
)
def test_who_has_no_first_name_is_kept_with_the_others_of_the_row_and_said(
    headings: str, row: str, who: list[str], kept: list[str]
) -> None:
    found = people(headings, FULL, row)
    assert sent(found) == who
    assert [value for _, value in found[0].other] == kept
    assert list(found[0].beside) == kept


def test_a_last_name_of_the_household_that_nobody_has_is_kept() -> None:
    headings = "Family Name,Adult 1 First Name,Adult 1 Last Name,Adult 2 First Name"
    assert sent(people(headings, "Stone,Ada,Hill,Bob")) == ["Ada|Hill|", "Bob|Stone|"]
    (ada,) = people(headings, "Stone,Ada,Hill,Bob", "Stone,Ada,Hill,")
    assert (sent([ada]), ada.beside) == (["Ada|Hill|"], ("Stone",))


@pytest.mark.parametrize("name", ["Spouse Name", "Spouse Full Name"])
@pytest.mark.parametrize(
    ("row", "spouse"),
    [("Bob King,Bob", "Bob|King|"), ("Bob King,", "Bob|King|"), (",Bob", "Bob|Lovelace|")],
)
def test_a_whole_name_beside_its_half_is_a_whole_name(name: str, row: str, spouse: str) -> None:
    headings = f"First Name,Last Name,{name},Spouse First Name"
    found = people(headings, "Eve,Hill,Gus Moor,Gus", f"Ada,Lovelace,{row}")
    assert sent(found) == ["Ada|Lovelace|", spouse]


@pytest.mark.parametrize(
    ("headings", "row", "who", "kept"),
    [
        (f"{ADULTS},Child 1 First Name", f"{FULL},Zoe", 2, ["Zoe"]),
        (f"{ADULTS},Child First Name,Child Last Name", f"{FULL},Zoe,King", 2, ["Zoe", "King"]),
        (f"Child First Name,Child Last Name,{ADULTS}", f"Zoe,King,{FULL}", 2, ["Zoe", "King"]),
        (
            "Child Name,Child Email,Father Name,Mother Name",
            "Zoe King,zoe@x.org,Bob King,Eve King",
            2,
            ["Zoe King", "zoe@x.org"],
        ),
        (
            "Child First Name,Child Last Name,Parent 1 First Name,Parent 1 Last Name",
            "Zoe,King,Bob,Hill",
            1,
            ["Zoe", "King"],
        ),
        ("Last Name,Child 1 First Name,Child 2 First Name", "King,Zoe,Cy", 1, ["Zoe", "Cy"]),
        # Nobody else is there.
        ("Child First Name,Child Last Name,Parent Email", "Zoe,King,b@x.org", 1, []),
    ],
)
def test_children_beside_grown_ups_are_kept(
    headings: str, row: str, who: int, kept: list[str]
) -> None:
    found = people(headings, row)
    assert len(found) == who
    for each in found:
        assert [value for _, value in each.other] == kept


def test_somebody_in_two_columns_of_a_row_is_one_with_both_emails() -> None:
    (ada,) = people(ADULTS, FULL, "Ada,Lovelace,ada@x.org,ada,Lovelace,al@y.org")
    assert (sent([ada]), ada.more_emails) == (["Ada|Lovelace|ada@x.org"], ("al@y.org",))


def test_the_second_email_of_one_of_a_couple_stays_with_them() -> None:
    ada, bob = people(ADULTS, "Ada,Lovelace,ada@x.org,Bob,Byron,bob@x.org; b@y.org")
    assert (ada.more_emails, bob.more_emails) == ((), ("b@y.org",))


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("Ada,Lovelace,Bob King <b@x.org>", "Bob King <b@x.org>"),
        ("0171 22,Lovelace,ada@x.org", "0171 22"),
        ("z@y.org,Lovelace,ada@x.org", "z@y.org"),
    ],
)
def test_what_is_no_name_and_another_name_beside_an_email_are_kept(row: str, kept: str) -> None:
    (one,) = people("First Name,Last Name,Email", "Eve,Hill,e@x.org", "Gus,Moor,g@x.org", row)
    assert kept in [value for _, value in one.other]
    (one,) = people("First Name,Last Name,Email", "Ada,Lovelace,Ada Lovelace <a@x.org>")
    assert (sent([one]), one.other) == (["Ada|Lovelace|a@x.org"], ())


def test_the_review_says_what_of_a_couple_is_not_sent() -> None:
    couple = "Ada,Lovelace,ada@x.org,,Byron,byron@x.org"
    read = table(COUPLE.split(","), FULL.split(","), couple.split(","))
    *_, row = Review(read, guess_columns(read)).rows
    assert row.detail == "Byron; byron@x.org is kept, not sent"
    assert row.new_person.leftover == "Spouse Last Name: Byron; Spouse Email: byron@x.org"


GROWN_UPS = ("", "Adult 1", "Adult 2", "Adult 3", "Spouse", "Husband", "Wife", "Guest 1", "Guest 2")
CHILDREN = ("Child", "Child 1", "Child 2")
FIRST = st.sampled_from(["Ada", "Bob", "Eve", "Gus", "Imani"])
LAST = st.sampled_from(["Lovelace", "Byron", "Hill", "King"])
CHILD = st.sampled_from(["Zoe", "Kit", "Mo"])
ADDRESS = st.builds("{}{}@x.org".format, st.sampled_from(["ada", "bob", "q"]), st.integers(1, 9))


def cells(kind: str, first: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """What stands in such a column, mostly plain."""
    whole = st.builds("{} {}".format, first, LAST)
    filled = {
        "First Name": [first, first, st.builds("{} & {}".format, first, first), st.just("22")],
        "Last Name": [LAST],
        "Name": [
            whole,
            first,
            st.builds("{1}, {0}".format, first, LAST),
            st.builds("{} & {}".format, first, whole),
            st.builds("{} <{}>".format, whole, ADDRESS),
        ],
        "Email": [
            ADDRESS,
            ADDRESS,
            st.builds("{}; {}".format, ADDRESS, ADDRESS),
            st.builds("{} <{}>".format, whole, ADDRESS),
        ],
    }
    return st.one_of(st.just(""), *filled[kind])


@st.composite
def families(draw: st.DrawFn) -> SourceTable:
    """A list with columns for several people, each of which may be there or not."""
    kinds = st.lists(
        st.sampled_from(["First Name", "Last Name", "Name", "Email"]), min_size=1, unique=True
    )
    subjects = st.lists(
        st.sampled_from([*GROWN_UPS, *CHILDREN]), min_size=1, max_size=4, unique=True
    )
    columns = [(subject, kind) for subject in draw(subjects) for kind in draw(kinds)]
    row = st.tuples(
        *(cells(kind, CHILD if subject in CHILDREN else FIRST) for subject, kind in columns)
    )
    headings = [f"{subject} {kind}".strip() for subject, kind in columns]
    return table(headings, *draw(st.lists(row, min_size=1, max_size=4)))


def words(*texts: str) -> set[str]:
    """With the numbers and addresses among them, blind to case."""
    return {word for text in texts for word in re.findall(r"[\w.@]+", text.casefold())}


@given(families())
def test_nothing_in_the_columns_of_a_family_is_lost(families: SourceTable) -> None:
    columns = guess_columns(families)
    reader = RowReader(columns)
    for row in families.rows:
        found = reader.people(row)
        of_people = words(*sent(found))
        kept = words(*(value for one in found for _, value in one.other))
        said = words(
            *(text for one in found for text in (*one.beside, *one.not_used, *one.more_emails))
        )
        for cell, field in zip(row.cells, columns.fields, strict=True):
            not_sent = words(cell) - of_people
            assert kept.issuperset(not_sent)
            assert field is ColumnField.OTHER or said.issuperset(not_sent)


@given(families())
def test_no_child_beside_a_grown_up_is_sent(families: SourceTable) -> None:
    assert families.headings is not None
    columns = guess_columns(families)
    reader = RowReader(columns)
    named = [
        row.cells[place]
        for row in families.rows
        for place, heading in enumerate(families.headings)
        if heading.endswith("Name")
        and not heading.endswith("Last Name")
        and not heading.startswith(CHILDREN)
    ]
    if not any(cell and cell != "22" for cell in named):
        return
    for row in families.rows:
        called = words(*(f"{one.firstname} {one.lastname}" for one in reader.people(row)))
        assert called.isdisjoint({"zoe", "kit", "mo"})
