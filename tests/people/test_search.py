"""What is found for what is typed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.person import Person
from app.people.search import ListedKeys, matches, narrows, query_words, search_slices
from app.runtime.words import use_language
from app.store.search_keys import SEPARATOR, keys_of
from tests.catalogues import write_catalogue

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
    slices = search_slices([5, 3, 4, 2, 1], keys, query_words("ada"), slice_size=2)
    assert list(slices) == [[5, 3], [], [1]]


def test_an_empty_query_finds_everybody_who_is_there() -> None:
    assert list(search_slices([2, 1, 3], ["", "a", "b", ""], query_words(""))) == [[2, 1]]


def test_a_search_that_is_given_up_looks_at_no_more_rows() -> None:
    class Keys(list[str]):
        looked_at = 0

        def __getitem__(self, row: object) -> str:  # type: ignore[override]  # counts, no slices
            self.looked_at += 1
            return "ada"

    keys = Keys()
    assert next(search_slices(range(10_000), keys, ("ada",), slice_size=10)) == list(range(10))
    assert keys.looked_at == 10


def test_only_those_who_carry_the_mark_are_found() -> None:
    keys = ["", "ada", "bob", "adam", "eve"]
    flags = bytes([0, 1, 2, 3, 1])
    assert list(search_slices([1, 2, 3, 4], keys, (), flags=flags, flag=1)) == [[1, 3, 4]]
    assert list(search_slices([1, 2, 3, 4], keys, ("ada",), flags=flags, flag=2)) == [[3]]


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
    listed = ListedKeys(rows, lambda some: [keys[row] for row in some])
    flags = bytes(row % 2 for row in range(len(keys)))
    for wanted, flag, slices in searches:
        afresh = search_slices(rows, keys, wanted, 3, flags=flags, flag=flag)
        found = search_slices(rows, keys, wanted, 3, flags=flags, flag=flag, listed=listed)
        pairs = zip(found, afresh, range(slices), strict=False)
        for theirs, expected, _ in pairs:
            assert list(theirs) == list(expected)


def test_a_letter_more_or_less_looks_through_nobody_twice() -> None:
    class Key(str):
        __slots__ = ()
        looked_at = 0

        def __contains__(self, word: str) -> bool:  # type: ignore[override]  # counts
            Key.looked_at += 1
            return super().__contains__(word)

    keys = [Key(each) for each in ("ada", "bob", "adam", "eve", "cleo", "dan")]
    listed = ListedKeys(range(6), lambda rows: [keys[row] for row in rows])

    def looked_at(word: str) -> int:
        before = Key.looked_at
        assert [
            row for part in search_slices(range(6), keys, (word,), listed=listed) for row in part
        ]
        return Key.looked_at - before

    assert [looked_at(each) for each in ("a", "ad", "ada", "ad", "a")] == [6, 3, 2, 0, 0]
    listed.forget_searches()
    assert looked_at("a") == 6


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


def test_who_has_died_is_found_by_the_word_that_is_shown(tmp_path: Path) -> None:
    write_catalogue(tmp_path, "de", {"deceased": "verstorben"})
    use_language(tmp_path, ["de"])
    try:
        found = key(Person(id="3", firstname="Ivy", deceased=True))
    finally:
        use_language(tmp_path / "nothing", [])
    assert all(matches(found, query_words(word)) for word in ("Verstorben", "deceased"))
