"""Rows that name others beside their own person: these are kept, counted and said, never added."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField
from app.importing.formats.source_table import SourceKind, SourceRow, SourceTable
from app.importing.people_in_rows import FoundPerson, RowReader
from app.importing.review import Review, names_beside_words


def table(headings: Sequence[str], *rows: Sequence[str]) -> SourceTable:
    lines = [SourceRow(line, tuple(row)) for line, row in enumerate(rows, start=2)]
    return SourceTable("list.csv", SourceKind.CSV, lines, headings=tuple(headings))


def people(headings: str, *rows: str) -> Sequence[FoundPerson]:
    """Those of the last row."""
    read = table(headings.split(","), *(row.split(",") for row in rows))
    return RowReader(guess_columns(read)).people(read.rows[-1])


def sent(found: Sequence[FoundPerson]) -> list[str]:
    return [f"{each.firstname}|{each.lastname}|{each.email}" for each in found]


def reviewed(headings: str, *rows: str) -> Review:
    read = table(headings.split(","), *(row.split(",") for row in rows))
    return Review(read, guess_columns(read))


@pytest.mark.parametrize(
    ("headings", "row", "who", "counted"),
    [
        (
            "First Name,Last Name,Email,Spouse First Name,Spouse Last Name,Spouse Email",
            "Ada,King,ada@x.org,Bob,King,bob@x.org",
            "Ada|King|ada@x.org",
            {"Spouse First Name": 2},
        ),
        ("Name,Spouse", "Ada King,Bob", "Ada|King|", {"Spouse": 2}),
        ("Name,Children,Newsletter", "Ada King,Zoe & Cy,yes", "Ada|King|", {"Children": 2}),
        ("Name,Parent,Notes", "Ada King,Eve King,sings", "Ada|King|", {"Parent": 2}),
        ("Name,Guest 1,Guest 2", "Ada King,Bob Ray,no", "Ada|King|", {"Guest 1": 2}),
        (
            "Full name,Buyer Name,Buyer Email",
            "Ada King,Eve Ray,e@x.org",
            "Ada|King|",
            {"Buyer Name": 2},
        ),
        ("Name,Spouse if coming", "Ada King,Bob", "Ada|King|", {"Spouse if coming": 2}),
        ("Full name,Beside her", "Ada King,Eve Ray", "Ada|King|", {"Beside her": 2}),
        ("Name,File As,Spouse", "Ada King,Ada King,", "Ada|King|", {}),
        # The addresses of others are never the person's own.
        ("Name,Email,Registrant Email", "Ada King,,eve@x.org", "Ada|King|", {}),
    ],
)
def test_names_of_others_in_a_row_are_counted_and_not_added(
    headings: str, row: str, who: str, counted: dict[str, int]
) -> None:
    looked_over = reviewed(headings, row, row)
    assert [f"{each.firstname}|{each.lastname}|{each.email}" for each in looked_over.rows] == [
        who
    ] * 2
    assert looked_over.names_beside == counted
    for each in looked_over.rows:
        kept = [value for _, value in each.other]
        assert set(kept).issuperset(set(row.split(",")[len(kept) * -1 :]) - {""})


def test_how_many_names_are_not_added_is_said_with_their_column() -> None:
    looked_over = reviewed("Name,Spouse,Child 1 Name", "Ada King,Bob,Zoe", "Eve Ray,Cy,")
    assert names_beside_words(looked_over) == (
        "2 names in “Spouse” are not added. 1 name in “Child 1 Name” is not added."
    )


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("Adult 1,Adult 2,Email", "Ada King,Bob King,a@x.org"),
        ("Child First Name,Child Last Name,Parent Email", "Zoe,King,eve@x.org"),
        ("Date,Leader,Helper", "1/2/26,Ada King,Bob Ray"),
        ("Last Name,Husband First,Wife First", "King,Bob,Eve"),
    ],
)
def test_where_rows_have_no_name_of_their_own_nobody_is_ready(headings: str, row: str) -> None:
    looked_over = reviewed(headings, row, row)
    assert looked_over.taken_in == 0
    assert sum(looked_over.names_beside.values()) >= 2


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
