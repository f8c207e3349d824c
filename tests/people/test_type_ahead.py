"""Going to a name by its first letters."""

from array import array
from collections.abc import Sequence

import pytest

from app.model.person import Person
from app.people.packed_keys import KeyText
from app.people.search import position_starting
from app.store.ordering import NEVER, ROW, Rows, SortedRows, SortKey, ranks
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


def text_of(rows: Sequence[int]) -> KeyText:
    return KeyText.of(KEYS[row] for row in rows)


def goes_to(prefix: str, begin: int = 0, *, by_last_name: bool = False) -> int | None:
    return position_starting(ROWS, KEYS, text_of, begin, prefix, by_last_name=by_last_name)


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
    assert position_starting([0], KEYS, text_of, 0, "a", by_last_name=False) is None


class CountedKeys:
    """Looked up by row; knows how many were."""

    def __init__(self, keys: list[str]) -> None:
        self._keys = keys
        self.looked_up = 0

    def __getitem__(self, row: int) -> str:
        self.looked_up += 1
        return self._keys[row]


def in_order(keys: list[str], by: SortKey, *, descending: bool) -> Rows:
    order = SortedRows(array(ROW), ranks(by, keys, [NEVER] * len(keys)))
    order.put_in(row for row, key in enumerate(keys) if key)
    return order.shown(descending=descending)


BOTH = (SortKey.FIRST_NAME, SortKey.LAST_NAME)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", BOTH)
@pytest.mark.parametrize(
    "prefix",
    ["a", "ad", "ada", "ada l", "ag", "m", "mad", "mary a", "prince", "love", "zie", "zz", "山"],
)
def test_in_a_sorted_list_it_goes_to_the_same_name(
    by: SortKey, prefix: str, *, descending: bool
) -> None:
    last = by is SortKey.LAST_NAME
    rows = in_order(KEYS, by, descending=descending)
    for begin in range(len(rows) + 1):
        looked_at_all = position_starting(rows, KEYS, text_of, begin, prefix, by_last_name=last)
        assert looked_at_all == position_starting(
            rows, KEYS, text_of, begin, prefix, by_last_name=last, descending=descending
        )


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", BOTH)
def test_in_a_sorted_list_few_are_looked_at(by: SortKey, *, descending: bool) -> None:
    people = [
        Person(id=f"{n}", firstname=f"f{n:05}", lastname=f"l{n:05}", email="") for n in range(5_000)
    ]
    keys = [SEPARATOR.join(keys_of(person)) for person in people]
    rows, counted = in_order(keys, by, descending=descending), CountedKeys(keys)
    last = by is SortKey.LAST_NAME
    found = position_starting(
        rows,
        counted,
        lambda some: KeyText.of(counted[row] for row in some),
        0,
        "l04777" if last else "f04777",
        by_last_name=last,
        descending=descending,
    )
    assert found == (222 if descending else 4_777)
    assert counted.looked_up < len(people) / 100
