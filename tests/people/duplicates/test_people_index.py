"""What the index of everybody holds for each person, and under which id each is found."""

import sys
from collections.abc import Hashable

import msgspec
import pytest

from app.people.duplicates.people_index import PeopleIndex


class Known(msgspec.Struct, frozen=True):
    """Somebody of the list, by row number, or of the outbox, by a text."""

    id: Hashable
    firstname: str | None = "Ada"
    lastname: str | None = "Lovelace"
    email: str | None = None


def test_it_holds_no_object_of_its_own_for_somebody_of_the_list() -> None:
    numbers = [int(f"{number}") for number in range(1_000, 1_200)]
    before = [sys.getrefcount(number) for number in numbers]
    index = PeopleIndex()
    rows = [index.add(Known(number)) for number in numbers]
    after = [sys.getrefcount(number) for number in numbers]
    assert (after, rows) == (before, list(range(200)))
    assert [index.id_of(row) for row in range(index.rows)] == numbers


@pytest.mark.parametrize("known_as", [0, 7, 2**63, -1, -2, "7", "", True, (1, "a")])
def test_somebody_is_found_by_any_id_and_forgotten_by_it(known_as: Hashable) -> None:
    index = PeopleIndex()
    index.add(Known("somebody before"))
    row = index.add(Known(known_as))
    assert index.row_of(known_as) == row
    assert (index.id_of(row), index.has(row)) == (known_as, True)
    assert index.discard(known_as) == row
    assert (index.id_of(row), index.has(row), index.row_of(known_as)) == (None, False, None)
    assert index.add(Known("who has the row then")) == row
    assert index.id_of(row) == "who has the row then"
