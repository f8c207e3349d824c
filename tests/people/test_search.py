"""What is found for what is typed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.people import search
from app.people.packed_keys import END, KeyText
from app.people.search import (
    ListedKeys,
    matches,
    narrows,
    query_words,
    search_slices,
    words_of_names,
)
from app.store.search_keys import SEPARATOR, keys_of

ADA = Person(
    id="1",
    firstname="Ada",
    lastname="O’Łovelace",
    email="Ada.L@Example.org",
    phone="+41 79 123 45 67",
    mobile="044/222 33 44",
)
YAMADA = Person(id="2", firstname="太郎", lastname="山田")


def key(person: Person) -> str:
    return SEPARATOR.join(keys_of(person))


def listed(rows: Sequence[int], keys: Sequence[str]) -> ListedKeys:
    return ListedKeys(rows, lambda some: KeyText.of(keys[row] for row in some))


@pytest.mark.parametrize(
    "query",
    [
        "ada",
        "LOVE",
        "o'lovelace",
        "ołovelace ÁDA",
        "lovelace example.org",
        "ada.l@",
        "41791234567",
        "+41 79 123",
        "79123",
        "044 222",
        "044-222",
        "ada 044 222",
        "",
        "   ",
    ],
)
def test_each_word_is_found_anywhere(query: str) -> None:
    assert matches(key(ADA), query_words(query))


@pytest.mark.parametrize("query", ["ada byron", "adalovelace", "ada 555", "999"])
def test_one_word_that_is_nowhere_finds_nobody(query: str) -> None:
    assert not matches(key(ADA), query_words(query))


@pytest.mark.parametrize("query", ["山田太郎", "山田 太郎", "田", "太郎"])
def test_a_name_without_blanks_is_found_as_it_is_written(query: str) -> None:
    assert matches(key(YAMADA), query_words(query))


def test_words_never_reach_across_two_fields() -> None:
    assert not matches(
        key(Person(id="3", firstname="Ann", lastname="Bell")), query_words("bellann")
    )


def test_rows_are_found_slice_by_slice_in_their_order() -> None:
    keys = ["", "ada", "bob", "adam", "", "ada b"]
    slices = search_slices(listed([5, 3, 4, 2, 1], keys), query_words("ada"), slice_size=2)
    assert list(slices) == [[5, 3], [], [1]]


def test_an_empty_query_finds_everybody_who_is_there() -> None:
    keys = ["", "a", "b", ""]
    assert list(search_slices(listed([2, 1, 3], keys), query_words(""))) == [[2, 1]]


def test_those_whose_name_is_begun_so_are_found_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [
        Person(id="1", firstname="Ann", lastname="Bell", email="erna@x.org"),
        Person(id="2", firstname="Erna", lastname="van Ann"),
        Person(id="3", firstname="Jo Ann", lastname="O'Erin"),
        Person(id="4", firstname="Joann", lastname="Ernst", phone="27 27"),
    ]
    keys = ["", *map(key, people)]

    def begun(*words: str) -> list[int]:
        query = query_words(" ".join(words))
        (found,) = search_slices(listed([4, 1, 2, 3], keys), query, names_begin=words)
        return list(found)

    assert begun("ann") == [1, 2, 3]
    assert begun("er") == [4, 2]
    assert begun("er", "ann") == [2]
    assert begun("27") == begun("x.org") == []
    # Whoever has enough of them with the first has not looked closely at the others.
    monkeypatch.setattr(search, "_CLOSELY", 2)
    slices = search_slices(listed([4, 1, 2, 3], keys), query_words("e"), names_begin=("e",))
    assert list(slices) == [[4], [2]]
    assert words_of_names(KeyText.of(keys[1:3])) == {"ann", "bell", "erna", "van"}


def test_a_search_that_is_given_up_looks_at_no_more_rows() -> None:
    looked_at: list[int] = []

    def text_of(rows: Sequence[int]) -> KeyText:
        looked_at.extend(rows)
        return KeyText.of(["ada"] * len(rows))

    keys = ListedKeys(range(10_000), text_of)
    assert next(search_slices(keys, ("ada",), slice_size=10)) == list(range(10))
    assert looked_at == list(range(10))


def test_only_those_who_carry_the_mark_are_found() -> None:
    keys = ["", "ada", "bob", "adam", "eve"]
    flags = bytes([0, 1, 2, 3, 1])
    everybody = listed([1, 2, 3, 4], keys)
    assert list(search_slices(everybody, (), flags=flags, flag=1)) == [[1, 3, 4]]
    assert list(search_slices(everybody, ("ada",), flags=flags, flag=2)) == [[3]]


ASKED = st.tuples(
    st.lists(st.text("ab", min_size=1, max_size=3), max_size=2).map(tuple),
    st.integers(0, 1),
    st.integers(1, 4),
)
"""Words, a flag or none, and after how many slices the next is asked."""


@given(st.lists(st.text("abc", max_size=5), max_size=9), st.lists(ASKED, max_size=8))
def test_whatever_was_looked_for_before_the_same_are_found(
    keys: list[str], searches: list[tuple[tuple[str, ...], int, int]]
) -> None:
    rows = range(len(keys) - 1, -1, -1)
    kept = listed(rows, keys)
    flags = bytes(row % 2 for row in range(len(keys)))
    for wanted, flag, slices in searches:
        afresh = search_slices(listed(rows, keys), wanted, 3, flags=flags, flag=flag)
        found = search_slices(kept, wanted, 3, flags=flags, flag=flag)
        pairs = zip(found, afresh, range(slices), strict=False)
        for theirs, expected, _ in pairs:
            assert list(theirs) == list(expected)


def test_a_letter_more_or_less_looks_through_nobody_twice() -> None:
    looked_at: list[int] = []

    class Text(KeyText):
        def read(self) -> str:
            text = super().read()
            looked_at.append(len(text.split(END)))
            return text

    keys = Text.of(["ada", "bob", "adam", "eve", "cleo", "dan"])
    kept = ListedKeys(range(6), lambda _rows: keys)

    def found(word: str) -> list[int]:
        return [row for part in search_slices(kept, (word,)) for row in part]

    expected = {"a": [0, 2, 5], "ad": [0, 2], "ada": [0, 2], "adam": [2]}
    for word in ("a", "ad", "ada", "adam", "ad", "a"):
        assert found(word) == expected[word]
    assert looked_at == [6]
    kept.forget_searches()
    kept.put_together()
    assert found("a") == expected["a"]
    assert looked_at == [6, 6]


@given(
    st.lists(st.text("ab\x1fé田", max_size=6), max_size=60),
    st.lists(st.text("ab\x1fé田", min_size=1, max_size=3), max_size=2).map(tuple),
    st.integers(1, 60),
)
def test_whether_few_or_many_have_it_the_same_are_found(
    keys: list[str], wanted: tuple[str, ...], slice_size: int
) -> None:
    keys += ["b"] * 200  # among so many a word that a few have is rare
    found = search_slices(listed(range(len(keys)), keys), wanted, slice_size * 10)
    meant = [row for row, each in enumerate(keys) if each and matches(each, wanted)]
    assert [row for part in found for row in part] == meant


@pytest.mark.parametrize(
    ("query", "before", "narrower"),
    [
        ("ada", "ad", True),
        ("ada l", "ada", True),
        ("l ada", "ada", True),
        ("044 2", "044", True),
        ("ad", "ada", False),
        ("bob", "ada", False),
        ("ada", "ada l", False),
        ("ada", "", True),
    ],
)
def test_a_letter_more_can_only_find_fewer(query: str, before: str, *, narrower: bool) -> None:
    assert narrows(query_words(query), query_words(before)) is narrower
