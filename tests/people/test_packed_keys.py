"""Keys in one piece of memory: each is told as it was put, however the others lie."""

from array import array
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.model.person import Person
from app.people.directory import PeopleDirectory
from app.people.packed_keys import END, PackedKeys
from app.runtime.events import EventBus
from app.store.cache import Cache
from app.store.ordering import NEVER, ROW, TEXT_FIELDS, SortKey, ranks
from app.store.search_keys import SEPARATOR

KEY = st.text("ab\x1fé田\ud800", max_size=5)
ROWS = st.integers(0, 11)
CHANGE = st.one_of(
    st.dictionaries(ROWS, KEY, max_size=6), st.sets(ROWS, max_size=3), st.permutations(range(12))
)
"""Some have keys from now on; some are gone; all are packed in this order."""


def texts(keys: PackedKeys, rows: Sequence[int]) -> list[str]:
    return keys.text_of(rows).read().split(END)


@given(st.lists(CHANGE, max_size=12), st.lists(ROWS, min_size=1, max_size=12), st.booleans())
@example([{1: "a", 3: "b"}], [1, 2], True)
def test_each_row_has_the_key_it_was_given_last(
    changes: list[dict[int, str] | set[int] | list[int]], asked: list[int], unread: bool
) -> None:
    keys, expected = PackedKeys(12 if unread else 0), dict.fromkeys(range(12), "")
    keys.make_room(12)
    for change in changes:
        before = keys.text_of(asked)
        was = [expected[row] for row in asked]
        if isinstance(change, dict):
            keys.put(change.keys(), change.values())
            expected |= change
        elif isinstance(change, set):
            keys.discard(change)
            expected |= dict.fromkeys(change, "")
        else:
            for _ in keys.packing(array(ROW, change), 5):
                assert texts(keys, asked) == was
        assert {row: keys[row] for row in range(12)} == expected
        assert texts(keys, asked) == [expected[row] for row in asked]
        for start in range(12):
            assert texts(keys, range(start, 12)) == [expected[row] for row in range(start, 12)]
        assert keys.there(slice(0, 12)) == [bool(expected[row]) for row in range(12)]
        assert before.read().split(END) == was


def test_who_has_not_been_read_has_no_key_yet() -> None:
    keys = PackedKeys(4)
    assert keys.unread_of([3, 1, 2]) == [3, 1, 2]
    assert texts(keys, [3, 1]) == ["", ""]
    keys.put([1, 3], ["a", "b"])
    keys.discard([2])
    assert keys.unread_of([3, 1, 2]) == []
    assert (texts(keys, [1, 2, 3]), keys[2], len(keys)) == (["a", "", "b"], "", 4)


def test_a_key_of_a_damaged_copy_is_one_key_all_the_same() -> None:
    keys = PackedKeys(3)
    keys.put([0, 1, 2], ["a", "b\nc", "d"])
    assert texts(keys, [0, 1, 2]) == ["a", "bc", "d"]


@pytest.mark.parametrize("many", [0, 1, 3])
def test_those_who_lie_side_by_side_are_told_of_where_they_lie(many: int) -> None:
    keys = PackedKeys(9)
    keys.put(range(9), map(str, range(9)))
    assert keys.text_of(range(2, 2 + max(many, 1))).packed is keys.text_of([5]).packed


async def test_a_search_finds_the_same_once_the_ones_before_are_forgotten(tmp_path: Path) -> None:
    many, faults = 60, list[BaseException]()
    people = [Person(id=f"{n}", firstname=f"first{n}", lastname=f"last{n}") for n in range(many)]
    cache = Cache.open(tmp_path / "cache.sqlite3")
    number = await cache.begin_full_read()
    await cache.save_people(people)
    await cache.finish_full_read(number, complete=True)
    directory = PeopleDirectory(cache, EventBus(faults.append))
    await directory.open()
    await directory.read_keys()
    for _ in range(2):
        assert [sum(map(len, directory.slices(query))) for query in ("first17 last17", "l")] == [
            1,
            many,
        ]
        directory.forget_searches()
        directory.put_keys_together()
    await cache.close()
    assert not faults


@given(st.lists(st.text("ab\x1fé田\ud800\uffff😀", max_size=3), max_size=12))
def test_in_utf_8_keys_sort_as_they_do_as_text(given_keys: list[str]) -> None:
    keys = PackedKeys()
    keys.make_room(len(given_keys))
    keys.put(range(len(given_keys)), given_keys)
    rows = range(len(given_keys))
    assert sorted(rows, key=keys.encoded()) == sorted(rows, key=keys.__getitem__)


NAMES = st.sampled_from(["", "a", "ab", "b", "é", "田", "\ud800", "\uffff", "😀"])


@pytest.mark.parametrize("by", list(TEXT_FIELDS))
@given(st.lists(st.lists(NAMES, min_size=6, max_size=7), max_size=12))
def test_those_with_a_value_sort_in_utf_8_as_they_do_by_their_places(
    by: SortKey, fields: list[list[str]]
) -> None:
    keys = PackedKeys()
    keys.make_room(len(fields) + 1)
    rows = range(1, len(fields) + 1)
    keys.put(rows, map(SEPARATOR.join, fields))
    place = ranks(by, keys, [NEVER] * (len(fields) + 1))
    there = [row for row in rows if fields[row - 1][TEXT_FIELDS[by]]]
    encoded = keys.encoded(TEXT_FIELDS[by])
    assert sorted(there, key=encoded) == sorted(there, key=place)
    for row in rows:
        assert encoded(row).startswith(SEPARATOR.encode()) == (row not in there)


def test_whoever_is_gone_has_no_field_to_be_sorted_by() -> None:
    keys = PackedKeys()
    keys.make_room(2)
    with pytest.raises(LookupError):
        keys.encoded(TEXT_FIELDS[SortKey.FIRST_NAME])(1)
