"""A line read while the last name of the person before is kept."""

import pytest

from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import (
    NameOrder,
    last_name_to_keep,
    read_entry,
    with_kept_last_name,
)


def read(typed: str, kept: str, order: NameOrder = NameOrder.FIRST_LAST) -> tuple[str, str]:
    person = with_kept_last_name(read_entry(typed, order), typed, kept)
    return person.firstname, person.lastname


@pytest.mark.parametrize(
    ("typed", "kept", "expected"),
    [
        ("", "Lovelace", ("", "Lovelace")),
        ("Ada", "Lovelace", ("Ada", "Lovelace")),
        ("ada@x.org Ada", "Lovelace", ("Ada", "Lovelace")),
        ("Mary Ann", "Lovelace", ("Mary Ann", "Lovelace")),
        ("Mary Ann mary@x.org", "van der Berg", ("Mary Ann", "van der Berg")),
        ("Mary Ann, mary@x.org", "Lovelace", ("Mary Ann", "Lovelace")),
        ("Bob (choir) 020 7946 0958", "Lovelace", ("Bob", "Lovelace")),
    ],
)
def test_words_in_a_row_are_the_first_name(
    typed: str, kept: str, expected: tuple[str, str]
) -> None:
    assert read(typed, kept) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("King, William", ("William", "King")),
        ("King, William w@x.org", ("William", "King")),
        ("William\tKing\tw@x.org", ("William", "King")),
        ("First name: William\nLast name: King", ("William", "King")),
    ],
)
def test_halves_set_apart_by_a_sign_have_a_last_name_of_their_own(
    typed: str, expected: tuple[str, str]
) -> None:
    assert read(typed, "Lovelace") == expected


@pytest.mark.parametrize(
    ("typed", "kept", "first"),
    [
        ("Ada Lovelace", "Lovelace", "Ada"),
        ("Mary Ann lovelace", "Lovelace", "Mary Ann"),
        ("Bo OST", "Øst", "Bo"),
        ("Jan van der Berg", "van der Berg", "Jan"),
        ("Thomas", "Thomas", "Thomas"),
    ],
)
def test_the_kept_name_typed_once_more_is_not_taken_twice(
    typed: str, kept: str, first: str
) -> None:
    assert read(typed, kept) == (first, kept)


@pytest.mark.parametrize("typed", ["小红", "王小红", "王 小红"])
def test_a_name_written_without_a_blank_is_the_first_name_behind_a_kept_one(typed: str) -> None:
    assert read(typed, "王") == ("小红", "王")


def test_the_words_keep_their_order_where_the_last_name_is_typed_first() -> None:
    assert read("Mary Ann", "Lovelace", NameOrder.LAST_FIRST) == ("Mary Ann", "Lovelace")


def test_nothing_kept_changes_nothing() -> None:
    assert read("Ada King", "") == ("Ada", "King")


@pytest.mark.parametrize(
    ("lastname", "kept"),
    [
        ("Lovelace", "Lovelace"),
        ("van der Berg", "van der Berg"),
        ("King Jr.", "King"),
        ("King III", "King"),
        ("Jr.", "Jr."),
        ("", ""),
    ],
)
def test_a_generation_is_one_persons_own(lastname: str, kept: str) -> None:
    assert last_name_to_keep(NewPerson(firstname="M", lastname=lastname)) == kept
