"""Where what was searched stands in the text as it is shown, letter for letter."""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from app.model.person import Person
from app.people.search import Span, marked, marked_name, marked_number, matches, query_words
from app.store.search_keys import SEPARATOR, keys_of, search_text
from tests.any_character import ANY_CHARACTER

# Letters that fold to nothing, to several, together with the one before, or to a blank.
ODD = "aeßŁłøæÆ’'`´¨\u0301\u0308ñé각ㄱㅏ가ﾊﾞが゙ـ\u200d\u00ad山田ि्ােﬁǆİıΣς0４٣ \u00a0\t\U0001d49c🎉"
TEXTS = st.text(alphabet=st.sampled_from(ODD), max_size=12) | st.text(ANY_CHARACTER, max_size=12)
WANTED = st.lists(TEXTS.map(search_text).map(lambda text: text.split()), max_size=2).map(
    lambda lists: [word for each in lists for word in each]
)


def pieces(text: str, spans: Sequence[Span]) -> list[str]:
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Grace Lindqvist", "gra", ["Gra"]),
        ("Grace Lindqvist", "lind grace", ["Grace", "Lind"]),
        ("Łukasz Zieliński", "luk nski", ["Łuk", "ński"]),
        ("Jørgen Sæther", "sae jorg", ["Jørg", "Sæ"]),
        ("Straße", "s", ["S", "ß"]),
        ("Straße", "ss", ["ß"]),
        ("Ame\u0301lie", "amel", ["Ame\u0301l"]),
        ("Sean O’Brien", "obri", ["O’Bri"]),
        ("anna", "an na", ["anna"]),
        ("banana", "ana", ["anana"]),
        ("山田 太郎", "太", ["太"]),
        ("김철수", "철", ["철"]),
        ("\u1112\u1161\u11ab da", "한", ["\u1112\u1161\u11ab"]),
        ("🎉 Ada", "ada", ["Ada"]),
        ("Ada", "bob", []),
        ("Ada", "", []),
        ("", "ada", []),
    ],
)
def test_the_letters_found_are_marked(text: str, query: str, found: list[str]) -> None:
    assert pieces(text, marked(text, query_words(query))) == found


@pytest.mark.parametrize(
    ("number", "query", "found"),
    [
        ("(02) 5550 3591", "0255", ["02) 55"]),
        ("(02) 5550 3591", "555 03", ["5550 3"]),
        ("+41 79 123 45 67", "+4179", ["41 79"]),
        ("0412 office", "off", ["off"]),
        ("0412 office", "0412 office", ["0412", "office"]),
        ("0412 555", "-", []),
    ],
)
def test_a_phone_number_is_marked_however_it_is_blanked(
    number: str, query: str, found: list[str]
) -> None:
    assert pieces(number, marked_number(number, query_words(query))) == found


@pytest.mark.parametrize(
    ("firstname", "lastname", "query", "found"),
    [
        ("太郎", "山田", "山田太", ["山田太"]),
        ("太郎", "山田", "太郎", ["太郎"]),
        ("たろう", "やまだ", "だた", ["だ", "た"]),
        ("ジョン", "スミス", "ミスジ", ["シ\u3099", "ミス"]),
        ("小明 David", "王", "王小", ["王小"]),
    ],
)
def test_a_name_searched_without_a_blank_is_marked_where_it_is_shown(
    firstname: str, lastname: str, query: str, found: list[str]
) -> None:
    person = Person(id="1", firstname=firstname, lastname=lastname)
    spans = marked_name(person, query_words(query))
    shown = [unicodedata.normalize("NFD", each) for each in pieces(person.full_name, spans)]
    assert shown == [unicodedata.normalize("NFD", each) for each in found]


def test_a_name_that_has_only_one_part_is_marked() -> None:
    for person in (Person(id="1", lastname="山田"), Person(id="2", firstname="山田", lastname="")):
        assert pieces(person.full_name, marked_name(person, query_words("田"))) == ["田"]


@given(text=TEXTS, wanted=WANTED)
def test_marks_stand_in_order_inside_the_text_and_apart(text: str, wanted: list[str]) -> None:
    spans = marked(text, wanted)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(end < start for (_, end), (start, _) in pairwise(spans))


@given(text=TEXTS, start=st.integers(0, 11), length=st.integers(1, 5))
def test_whatever_part_of_a_word_is_searched_is_marked(text: str, start: int, length: int) -> None:
    for word in search_text(text).split():
        part = word[start : start + length]
        if part:
            spans = marked(text, [part])
            assert spans
            assert all(part in search_text(piece).replace(" ", "") for piece in pieces(text, spans))


@given(text=TEXTS, wanted=WANTED)
def test_nothing_is_marked_that_is_not_found(text: str, wanted: list[str]) -> None:
    folded = search_text(text)
    absent = [word for word in wanted if word not in folded]
    assert marked(text, absent) == ()


@given(text=TEXTS, wanted=WANTED)
def test_no_mark_cuts_a_letter_from_its_accent(text: str, wanted: list[str]) -> None:
    for start, end in marked(text, wanted):
        for edge in (start, end):
            inside = 0 < edge < len(text)
            assert not (inside and unicodedata.combining(text[edge]) >= 200)


PEOPLE = st.builds(
    Person,
    id=st.just("1"),
    firstname=TEXTS,
    lastname=TEXTS,
    email=TEXTS,
    phone=st.text(alphabet="0123456789 ()+-ab", max_size=12),
)


@given(person=PEOPLE, start=st.integers(0, 30), length=st.integers(1, 6))
@example(person=Person(id="1", firstname=" が", lastname="が"), start=3, length=6)
@example(person=Person(id="1", firstname="が ", lastname=" が"), start=3, length=6)
@example(person=Person(id="1", firstname="が", lastname="山¨"), start=3, length=6)
def test_a_row_that_was_found_shows_why(person: Person, start: int, length: int) -> None:
    key = SEPARATOR.join(keys_of(person))
    wanted = query_words(key[start : start + length].replace(SEPARATOR, " "))
    assume(matches(key, wanted))
    for word in wanted:
        assert (
            marked_name(person, [word])
            or marked(person.email or "", [word])
            or marked_number(person.phone or "", [word])
        )
