"""Who stands in a row of a list, and what is kept beside them."""

from collections.abc import Sequence

import pytest

from app.importing.columns import ColumnField
from app.model.verdict import Verdict
from tests.importing.reviews import HEAD, person, plain_lines, review, verdicts


def test_a_row_says_one_person_with_the_line_it_has_in_the_list() -> None:
    (row,) = review(("Ada", "Lovelace", "ada@x.org", "0410 220 118")).rows
    assert person(row) == ("Ada", "Lovelace", "ada@x.org")
    assert (row.line, row.other) == (2, (("Phone", "0410 220 118"),))
    assert row.new_person.phone == "0410 220 118"


def test_a_whole_name_is_read_as_the_line_for_adding_reads_it() -> None:
    rows = review(("Lovelace, Ada",), ("Anneke van den Heuvel",), head=("Name",)).rows
    assert [person(row)[:2] for row in rows] == [("Ada", "Lovelace"), ("Anneke", "van den Heuvel")]


def test_plain_lines_are_each_read_like_the_line_for_adding() -> None:
    rows = plain_lines("Ada Lovelace ada@x.org 0410 220 118", "Bob Byron").rows
    assert [person(row) for row in rows] == [("Ada", "Lovelace", "ada@x.org"), ("Bob", "Byron", "")]
    assert rows[0].new_person.phone == "0410 220 118"


def test_a_middle_name_goes_with_the_first() -> None:
    head = ("Given Name", "Additional Name", "Family Name")
    (row,) = review(("Ada", "King", "Lovelace"), head=head).rows
    assert person(row)[:2] == ("Ada King", "Lovelace")


def test_a_whole_name_stands_in_where_its_halves_are_blank() -> None:
    head = ("Name", "Given Name", "Family Name")
    rows = review(("Ada Lovelace", "Ada", "Lovelace"), ("Bob Byron", "", ""), head=head).rows
    assert [person(row)[:2] for row in rows] == [("Ada", "Lovelace"), ("Bob", "Byron")]
    assert rows[0].other == ()


def test_the_first_email_that_is_filled_is_taken_and_the_others_said() -> None:
    head = ("Name", "E-mail 1 - Value", "E-mail 2 - Value")
    rows = review(("Ada L", "", "b@x.org"), ("Bob B", "b1@x.org", "b2@x.org"), head=head).rows
    assert [row.email for row in rows] == ["b@x.org", "b1@x.org"]
    assert "b2@x.org" in rows[1].detail
    assert "b2@x.org" in rows[1].new_person.leftover


@pytest.mark.parametrize(
    "cell",
    ["ada@x.org, ada@work.example", "ada@x.org; ada@work.example", "ada@x.org ::: ada@work.example",
     "ada@x.org ada@work.example", "ada@x.org / ada@work.example",
     "<ada@x.org>; <ada@work.example>"],
)  # fmt: skip
def test_of_two_emails_in_one_cell_the_first_is_taken(cell: str) -> None:
    (row,) = review(("Ada", "Lovelace", cell)).rows
    assert (row.email, row.verdict) == ("ada@x.org", Verdict.READY)
    assert "ada@work.example" in row.detail


def test_a_couple_in_one_row_are_two_who_say_where_they_are_from() -> None:
    rows = review(("John & Mary", "Smith", "smiths@x.org")).rows
    assert [person(row) for row in rows] == [
        ("John", "Smith", "smiths@x.org"),
        ("Mary", "Smith", "smiths@x.org"),
    ]
    assert {row.verdict for row in rows} == {Verdict.READY}
    assert {row.detail for row in rows} == {"from “John & Mary Smith”"}
    assert {row.line for row in rows} == {2}


@pytest.mark.parametrize(
    ("cells", "head", "origin"),
    [
        (("Anna und Peter", "Groß"), HEAD, "Anna und Peter Groß"),
        (("Anna y Peter", "Ruiz"), HEAD, "Anna y Peter Ruiz"),
        (("Lovelace, Ada and Bob", ""), ("Name", "Email"), "Lovelace, Ada and Bob"),
        (("Ada & Bob Lovelace", ""), ("Name", "Email"), "Ada & Bob Lovelace"),
        (("Ada + Bob Lovelace <ada@x.org>", ""), ("Name", "Email"), "Ada + Bob Lovelace"),
    ],
)
def test_where_a_couple_is_from_is_told_in_the_words_of_the_source(
    cells: Sequence[str], head: Sequence[str], origin: str
) -> None:
    rows = review(cells, head=head).rows
    assert [row.detail.partition("”")[0] for row in rows] == [f"from “{origin}"] * 2


def test_a_couple_with_two_addresses_have_one_each() -> None:
    rows = review(("John and Mary", "Smith", "mary@x.org; john@x.org")).rows
    assert [(row.firstname, row.email) for row in rows] == [
        ("John", "john@x.org"),
        ("Mary", "mary@x.org"),
    ]


def test_an_email_that_fits_one_of_a_family_is_theirs_alone() -> None:
    rows = review(("John & Mary", "Smith", "mary.smith@x.org")).rows
    assert [(row.firstname, row.email) for row in rows] == [
        ("John", ""),
        ("Mary", "mary.smith@x.org"),
    ]


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("Ada & Bob Lovelace", ["Ada Lovelace", "Bob Lovelace"]),
        ("Lovelace, Ada and Bob", ["Ada Lovelace", "Bob Lovelace"]),
        ("Ada Lovelace und Bob Byron", ["Ada Lovelace", "Bob Byron"]),
    ],
)
def test_a_family_in_one_cell_is_everybody_in_it(name: str, people: list[str]) -> None:
    rows = review((name, "home@x.org"), head=("Name", "Email")).rows
    assert [f"{row.firstname} {row.lastname}" for row in rows] == people
    assert {row.email for row in rows} == {"home@x.org"}


def test_a_family_in_a_plain_line_have_each_their_own_email() -> None:
    rows = plain_lines("Ada Lovelace ada@x.org, Bob Byron bob@x.org").rows
    assert [person(row) for row in rows] == [
        ("Ada", "Lovelace", "ada@x.org"),
        ("Bob", "Byron", "bob@x.org"),
    ]


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("Herr Udo", "Weiß", ("Udo", "Weiß", "Herr")),
        ("Dr. Ina", "Weiß", ("Ina", "Weiß", "Dr.")),
        ("Uwe", "Prof. Dr. Weiß", ("Uwe", "Weiß", "Prof. Dr.")),
        ("Mr & Mrs", "Zander", ("Mr & Mrs", "Zander", "")),
        ("Frau", "Weiß", ("Frau", "Weiß", "")),
        ("Dean Robert", "Major", ("Dean Robert", "Major", "")),
    ],
)
def test_a_title_before_one_half_of_a_name_is_kept_and_not_sent(
    first: str, last: str, expected: tuple[str, str, str]
) -> None:
    (row,) = review((first, last, "one@x.org")).rows
    assert (row.firstname, row.lastname) == expected[:2]
    assert dict(row.other).get("Not part of the name", "") == expected[2]
    told = f"“{expected[2]}” is kept, but not sent as part of the name"
    assert (told in row.detail) == bool(expected[2])


def test_what_stands_in_any_column_of_a_wide_list_is_kept() -> None:
    notes = tuple(f"note {number}" for number in range(600))
    headings = tuple(f"Question {number}" for number in range(600))
    head = ("First name", "Last name", *headings)
    (row,) = review(("Ada", "Lovelace", *notes), head=head).rows
    assert row.other == tuple(zip(headings, notes, strict=True))


def test_what_is_said_beside_an_address_is_kept() -> None:
    (row,) = review(("Anna", "Chor", "anna@x.org / 0171 2345678")).rows
    assert row.email == "anna@x.org"
    assert dict(row.other) == {"Phone": "0171 2345678"}


def test_titles_in_a_row_are_no_couple() -> None:
    (row,) = review(("Mr & Mrs", "Smith", "smiths@x.org")).rows
    assert row.lastname == "Smith"


def test_a_name_with_its_address_in_the_column_of_emails_is_read() -> None:
    (row,) = review(("", "", "Ada Lovelace <ada@x.org>")).rows
    assert person(row) == ("Ada", "Lovelace", "ada@x.org")


def test_an_address_among_the_names_is_never_a_name() -> None:
    (row,) = review(("Ada", "ada@x.org", "")).rows
    assert person(row) == ("Ada", "", "ada@x.org")


def test_what_no_field_of_a_line_takes_is_said() -> None:
    rows = plain_lines("Hymns 3 12 44", "Ada Lovelace").rows
    assert [row.detail for row in rows] == [
        "“3 12 44” is kept, but not sent as part of the name",
        "",
    ]


def test_a_number_beside_a_name_or_an_email_is_kept_and_said() -> None:
    rows = review(
        ("Susi", "Zander", "susi@x.org (0171 555 12)"),
        ("Anna", "Berg", "anna@chor.example / 0171 2"),
        ("Bob", "Stone", "bob@x.org", "0171 99"),
    ).rows
    assert [row.email for row in rows] == ["susi@x.org", "anna@chor.example", "bob@x.org"]
    assert [row.detail for row in rows] == [
        "0171 555 12 is kept, not sent",
        "0171 2 is kept, not sent",
        "",
    ]
    assert rows[0].new_person.phone == "0171 555 12"
    assert "0171 2" in rows[1].new_person.leftover
    (line,) = plain_lines("Susi Zander (0171 555 12)").rows
    assert (person(line), line.detail) == (("Susi", "Zander", ""), "0171 555 12 is kept, not sent")


def test_two_who_share_an_email_say_so_and_stay_ready() -> None:
    looked_over = review(
        ("Ada", "Lovelace", "a@x.org"), ("Bob", "Lovelace", "A@x.org"), ("Cy", "King", "c@x.org")
    )
    assert verdicts(looked_over) == ["ready"] * 3
    assert [row.detail for row in looked_over.rows] == [
        "same email as line 3", "same email as line 2", "",
    ]  # fmt: skip
    looked_over.edit(1, ColumnField.EMAIL, "bob@x.org")
    assert [row.detail for row in looked_over.rows] == ["", "", ""]
