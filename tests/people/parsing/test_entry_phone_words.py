"""Numbers beside a name, and the words and brackets around them: none of it ends in the name."""

import pytest

from app.people.parsing.entry_parser import read_entry


@pytest.mark.parametrize(
    "word",
    ["Tel", "tel.", "Tel:", "Phone", "Mobile", "Mob.", "M:", "Ph", "Ph no", "Cell phone", "Fax"],
)
@pytest.mark.parametrize("number", ["0412 345 678", "+61 412 345 678", "04"])
def test_a_word_before_a_number_is_no_part_of_the_name(word: str, number: str) -> None:
    read = read_entry(f"Noor van der Berg {word} {number}")
    assert (read.firstname, read.lastname) == ("Noor", "van der Berg")
    assert word in read.leftover


@pytest.mark.parametrize("name", ["Tel Cohen", "Phone Myint", "Mobile Jones"])
def test_such_a_word_stays_a_name_where_no_number_follows_it(name: str) -> None:
    read = read_entry(f"{name} 0412 345 678")
    assert f"{read.firstname} {read.lastname}" == name


@pytest.mark.parametrize(
    ("typed", "phone"),
    [
        ("(0171 555 12)", "0171 555 12"),
        ("((0171) 555 12)", "(0171) 555 12"),
        ("(0171) 555 12", "(0171) 555 12"),
        ("+49 (0) 171 555 12", "+49 (0) 171 555 12"),
        ("(+49 171 555 12)", "+49 171 555 12"),
    ],
)
def test_brackets_around_a_number_are_no_part_of_it_and_those_within_are(
    typed: str, phone: str
) -> None:
    read = read_entry(f"Susi Zander {typed}")
    assert (read.firstname, read.lastname, read.phone) == ("Susi", "Zander", phone)
    assert not read.leftover
