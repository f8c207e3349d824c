"""Contact cards, read back by the list reader of the program."""

from pathlib import Path

import pytest

from app.exporting.vcard import vcard, write_vcards
from app.importing.formats.vcard import read_vcards
from app.model.person import Person

NAMES = [
    ("Ada", "Lovelace"),
    ("Zoë", "Łuk; jr"),
    ("A, B", "back\\slash"),
    ("小明", "王" * 60),
    ("عمر", "خان"),
    ("👩‍👩‍👧" * 12, "Long"),
    ("प्रिया", "शर्मा"),
    ("two\nlines", "of\r\nname"),
    ("END:VCARD", "BEGIN:VCARD"),
]


def person(first: str, last: str) -> Person:
    return Person(
        id=first,
        firstname=first,
        lastname=last,
        email=f"{'a' * 70}@x.org",
        phone="+61 400 000 000",
        mobile="0171; 2",
        preferred_name=f"{first}y",
    )


@pytest.mark.parametrize(("first", "last"), NAMES)
def test_a_card_says_what_was_known_in_every_script(first: str, last: str) -> None:
    read = read_vcards(vcard(person(first, last)), "a.vcf", None)
    assert read.known_as == ("First name", "Last name", "Email", "Phone")
    assert [row.cells for row in read.rows] == [
        (
            ", ".join(first.split("\n")),
            ", ".join(last.split("\r\n")),
            f"{'a' * 70}@x.org",
            "+61 400 000 000; 0171; 2",
        )
    ]


def test_a_card_is_written_as_the_format_says() -> None:
    assert vcard(person("A, B", "back\\slash")).split("\r\n")[:4] == [
        "BEGIN:VCARD",
        "VERSION:3.0",
        "N:back\\\\slash;A\\, B;;;",
        "FN:A\\, B back\\\\slash",
    ]


@pytest.mark.parametrize(("first", "last"), NAMES)
def test_no_line_is_longer_than_the_format_takes_and_none_begins_within_a_letter(
    first: str, last: str
) -> None:
    lines = vcard(person(first, last)).encode().split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert all(line.decode() is not None for line in lines)
    assert lines[-1] == b""


def test_the_list_reader_reads_a_file_of_them_back(tmp_path: Path) -> None:
    people = [person(first, last) for first, last in NAMES[:5]]
    assert write_vcards(tmp_path / "a.vcf", people) == 5
    read = read_vcards((tmp_path / "a.vcf").read_bytes().decode(), "a.vcf", None)
    assert read.headings is not None
    first, last, email = (read.headings.index(n) for n in ("First name", "Last name", "Email"))
    assert [(row.cells[first], row.cells[last], row.cells[email]) for row in read.rows] == [
        (one.firstname, one.lastname, one.email) for one in people
    ]


def test_whoever_has_hardly_anything_has_a_card_all_the_same() -> None:
    assert "FN:(no name)" in vcard(Person(id="1")).split("\r\n")
    lines = vcard(Person(id="1", email="a@x.org; b@x.org", firstname="\x00\ud800")).split("\r\n")
    assert "FN:a@x.org\\; b@x.org" in lines
    assert [line.partition(":")[2] for line in lines if line.startswith("EMAIL")] == [
        "a@x.org",
        "b@x.org",
    ]


def test_no_letter_ends_a_line_for_a_program_that_knows_more_ends_than_the_format() -> None:
    card = vcard(person("Ada\u2028TEL:1", "Love\u2029lace\x85TEL:2"))
    assert card.splitlines() == card.split("\r\n")[:-1]
    assert "N:Love lace TEL:2;Ada TEL:1;;;" in card.splitlines()
