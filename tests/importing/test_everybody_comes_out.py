"""Whoever is typed into a plain table comes out of it once, whatever stands beside them."""

import csv
import io
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from app.importing.column_guess import guess_columns
from app.importing.reading import read_content
from app.importing.review import Review

FIRSTS = [
    "Ada",
    "Bob",
    "Cy",
    "Mary Ann",
    "Jean-Luc",
    "Will",
    "Grace",
    "May",
    "Álvaro",
    "Zoë",
    "Guest",
]
LASTS = [
    "King",
    "Ost",
    "O’Neil",
    "de Vries",
    "Ford 3rd",
    "Last",
    "Given",
    "Page",
    "Müller",
    "Price",
]
HEADINGS = [
    ("First name", "Last name", "Email", "Phone"),
    ("Vorname", "Nachname", "E-Mail", "Notizen"),
    ("Last name", "First name", "Age"),
    ("Name", "Email", "Phone"),
    ("Full name", "Notes"),
    ("No.", "Name", "Attended"),
]
BESIDE = ["", "", "", " 2", " (2 children)", " 12/9/1984", " 34", " 2nd", " + 2"]
BEFORE = ["", "", "", "Dr. ", "Mrs "]
KEPT = [
    "",
    "",
    "2",
    "12/9/2026",
    "yes",
    "x",
    "Exported on 1/2/2026",
    "555 0100",
    "Total 4",
    "vegan",
]
HALF_OF = {"first name": 0, "vorname": 0, "last name": 1, "nachname": 1}
Typed = tuple[str, str, str, str, tuple[str, ...]]


@given(
    st.sampled_from(HEADINGS),
    st.lists(
        st.tuples(
            st.sampled_from(FIRSTS),
            st.sampled_from(LASTS),
            st.sampled_from(BEFORE),
            st.sampled_from(BESIDE),
            st.tuples(*[st.sampled_from(KEPT)] * 2),
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda typed: typed[:2],
    ),
)
def test_every_name_in_a_table_of_known_headings_is_one_row(
    headings: Sequence[str], typed: Sequence[Typed]
) -> None:
    text = io.StringIO()
    write = csv.writer(text)
    write.writerow(headings)
    for number, each in enumerate(typed):
        write.writerow(_cell(heading, number, each) for heading in headings)
    table = read_content(text.getvalue().encode(), "list.csv")
    rows = Review(table, guess_columns(table)).rows
    assert len(rows) == len(typed)
    for row, (first, last, *_) in zip(rows, typed, strict=True):
        said = f"{row.firstname} {row.lastname}".split()
        assert set(first.split()).union(last.split()).issubset(said), (first, last, row)


def _cell(heading: str, number: int, typed: Typed) -> str:
    first, last, before, beside, kept = typed
    known = heading.casefold()
    if known in HALF_OF:
        return (f"{before}{first}", f"{last}{beside}")[HALF_OF[known]]
    if "name" in known:
        return f"{before}{first} {last}{beside}"
    if "mail" in known:
        return f"p{number}@x.org" if number % 3 else ""
    return f"{number + 1}" if known in {"no.", "age"} else kept[number % 2]
