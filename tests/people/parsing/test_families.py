"""Several people in one cell of a list: who they are, and which email is whose."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import read_entry
from app.people.parsing.families import halves_of, people_in
from app.people.parsing.names import NameOrder
from tests.any_character import ANY_CHARACTER

_TABLE = Path(__file__).with_name("family_cells.txt")
_ROWS = [
    row.split(" => ") for row in _TABLE.read_text(encoding="utf-8").split("\n") if row[:1] > "#"
]


def told(people: Sequence[NewPerson]) -> list[str]:
    fields = (
        (each.firstname, each.lastname, each.email, each.phone, each.leftover) for each in people
    )
    return [re.sub(r"[ |]+\Z", "", " | ".join(each)) for each in fields]


@pytest.mark.parametrize(("cell", "people"), _ROWS)
def test_a_cell_names_whom_staff_would_make_of_it(cell: str, people: str) -> None:
    read = people_in(cell.replace("\\t", "\t").replace("\\n", "\n"))
    expected = [re.sub(r"\s*\|\s*", " | ", each.strip()) for each in people.split("//")]
    assert [each.strip() for each in told(read)] == [each.strip() for each in expected]


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("Lovelace Ada & Bob", ["Ada | Lovelace", "Bob | Lovelace"]),
        ("Nagy Katalin és Péter", ["Katalin | Nagy", "Péter | Nagy"]),
        ("Ada & Bob Lovelace", ["Ada | Lovelace", "Bob | Lovelace"]),
        ("Lovelace Ada & Byron Bob", ["Ada | Lovelace", "Bob | Byron"]),
    ],
)
def test_where_last_names_are_typed_first_they_are_shared_too(cell: str, people: list[str]) -> None:
    assert told(people_in(cell, NameOrder.LAST_FIRST)) == people


def test_a_blank_cell_names_nobody() -> None:
    assert people_in("") == people_in(" \t\n\u200b") == ()


WORDS = st.sampled_from(
    [
        "Ada",
        "Bob",
        "Lovelace",
        "Mary",
        "Ann",
        "Mr",
        "Mrs",
        "Dr",
        "and",
        "&",
        "und",
        "et",
        "y",
        "e",
        "و",
        "/",
        "+",
        ",",
        ";",
        "van",
        "der",
        "family",
        "the",
        "Jr.",
        "PhD",
        "guest",
        "ada@x.org",
        "bob@x.org",
        "<cy@z.org>",
        "07700900123",
        "(choir)",
        "山田太郎・花子",
        "王小明",
        "\n",
        "\t",
    ]
)
LINES = st.lists(WORDS, max_size=12).map(" ".join)


@given(LINES | st.text(ANY_CHARACTER, max_size=100), st.sampled_from(NameOrder))
@example("Ada Ada \n Ada Ada \n /", NameOrder.FIRST_LAST)
def test_any_text_gives_people_who_have_something(text: str, order: NameOrder) -> None:
    people = people_in(text, order)
    assert len(people) == 1 or NewPerson() not in people


@given(LINES, st.sampled_from(NameOrder))
@example("Ada & Bob Lovelace ada@x.org Mary", NameOrder.FIRST_LAST)
@example("Ada & Bob Lovelace and guest", NameOrder.FIRST_LAST)
def test_no_word_of_a_cell_is_lost_but_those_that_join(text: str, order: NameOrder) -> None:
    people = people_in(text, order)
    kept = re.findall(r"\w+", " ".join(told(people)))
    joining = {"and", "und", "et", "y", "e", "و"}
    lost = [word for word in re.findall(r"\w+", text) if word not in joining and word not in kept]
    assert not [word for word in lost if set(word) - set("".join(kept))]


@pytest.mark.parametrize(
    "unit",
    ["a & ", "Ada Lovelace; ", "Ada ada@x.org ", "Mr and Mrs ", "a, ", "山田太郎・", "Ada\n", "y "],
)
def test_a_cell_of_ten_thousand_characters_is_read_without_running_away(unit: str) -> None:
    assert len(people_in((unit * 10_000)[:10_000])) <= 50


def test_a_line_that_is_typed_stays_one_person() -> None:
    assert read_entry("Ada & Bob Lovelace") == NewPerson(firstname="Ada & Bob", lastname="Lovelace")


@pytest.mark.parametrize("titles", ["Mr/Mrs", "Mr / Mrs", "Herr/Frau"])
def test_two_titles_with_a_stroke_between_them_are_one_entry(titles: str) -> None:
    (person,) = people_in(f"{titles} Patel")
    assert person.lastname == "Patel"


@pytest.mark.parametrize(
    ("firstname", "halves"),
    [
        ("Ada Lovelace", ("Ada", "Lovelace")),
        ("Lovelace, Ada", ("Ada", "Lovelace")),
        ("Huber, Anna", ("Anna", "Huber")),
        ("Smith, Lee", ("Lee", "Smith")),
        ("Doe, J.", ("J.", "Doe")),
        ("Maria da Silva", ("Maria", "da Silva")),
        ("Fam. Groß", ("Fam.", "Groß")),
        ("Mr & Mrs Smith", ("Mr & Mrs", "Smith")),
        ("王小明", ("小明", "王")),
        ("Ada", None),
        ("Mary Ann", None),
        ("Mary Ann,", None),
        ("Ada, PhD", None),
        ("John P.", None),
        ("Dr. Ada", None),
        # Several people, or more than would be kept.
        ("Ada & Bob Lovelace", None),
        ("Ada Lovelace 020 7946 0000", None),
        ("", None),
    ],
)
def test_a_first_name_that_says_both_halves_is_told_from_one_of_two_words(
    firstname: str, halves: tuple[str, str] | None
) -> None:
    assert halves_of(firstname) == halves
