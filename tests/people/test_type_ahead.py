"""Going to a name by its first letters."""

import pytest

from app.model.person import Person
from app.people.search import position_starting
from app.store.search_keys import SEPARATOR, keys_of

PEOPLE = (
    Person(id="1", firstname="Ada", lastname="Lovelace", email="zoe@x.org"),
    Person(id="2", firstname="Ágnes", lastname="Ady"),
    Person(id="3", firstname="Mary Ann", lastname="Evans"),
    Person(id="4", firstname="", lastname="Madonna"),
    Person(id="5", firstname="Łukasz", lastname="Zieliński"),
    Person(id="6", firstname="Prince", lastname=""),
    Person(id="7", firstname="太郎", lastname="山田"),
)
KEYS = ["", *(SEPARATOR.join(keys_of(person)) for person in PEOPLE)]
ROWS = [1, 2, 3, 4, 5, 6, 7]


def goes_to(prefix: str, begin: int = 0, *, by_last_name: bool = False) -> int | None:
    return position_starting(ROWS, KEYS, begin, prefix, by_last_name=by_last_name)


@pytest.mark.parametrize(
    ("prefix", "position"),
    [
        ("ada", 0),
        ("ada l", 0),
        ("ag", 1),
        ("mary a", 2),
        ("mary ann ev", 2),
        ("mad", 3),
        ("luk", 4),
        ("prince", 5),
        ("ada x", None),
        ("zz", None),
    ],
)
def test_the_whole_name_is_read_first_name_first(prefix: str, position: int | None) -> None:
    assert goes_to(prefix) == position


@pytest.mark.parametrize(("prefix", "position"), [("love", 0), ("ady ag", 1), ("zie", 4)])
def test_where_no_first_name_fits_a_last_name_does(prefix: str, position: int) -> None:
    assert goes_to(prefix) == position


@pytest.mark.parametrize("by_last_name", [False, True])
@pytest.mark.parametrize("prefix", ["山", "山田", "山田太", "山田 太", "太郎"])
def test_a_name_shown_family_name_first_is_gone_to_as_it_is_shown(
    prefix: str, by_last_name: bool
) -> None:
    assert goes_to(prefix, by_last_name=by_last_name) == 6


def test_in_a_list_sorted_by_last_name_that_one_leads() -> None:
    assert goes_to("ad", by_last_name=True) == 1
    assert goes_to("ad") == 0


def test_it_goes_on_behind_the_end_from_the_start() -> None:
    assert goes_to("ada", 1) == 0
    assert goes_to("ma", 3) == 2


def test_an_email_is_no_name_and_somebody_who_is_gone_has_none() -> None:
    assert goes_to("zo") is None
    assert position_starting([0], KEYS, 0, "a", by_last_name=False) is None
