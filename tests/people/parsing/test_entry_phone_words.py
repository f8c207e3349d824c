"""A word that says what a number is does not end in a name, whether the number is whole or not."""

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
