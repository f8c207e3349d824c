"""What holds for any text: the reader never raises, loses no word and ends in bounded time."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.model.outbox import NewPerson
from app.people.parsing.entry_parser import NameOrder, read_entry
from app.people.parsing.tokenizer import clean
from tests.any_character import ANY_CHARACTER

_PARTS = """
    Ada Lovelace van der de la Jr. III PhD Dr Mr and & y e von und zu bin al- St. O'Brien née
    J. R. R. ada@x.org <bob@y.org> mailto:cy@z.org ada@ @ @x x.org www.x.org 07700900123 +44 42 1.
    12.05.1950 tel: Name: First Last name:
    "Bob" (choir) [x] 'Bob' 山田太郎 山田 太郎 김철수 ジョン・スミス 花子様 王小明先生 김민준님 さん
    the Rev. Mrs M. Familie family Smiths García Pérez Wang Graf s/o Filho jun. GmbH ד"ר
    محمد بن Иван Иванович LOVELACE ada 😀 ada(at)x.org 555-0199 ext. 12
    \u200c \u200b e\u0301"""
_WORDS = st.sampled_from(_PARTS.split())
_GAPS = st.sampled_from([" ", " ", " ", ", ", ",", "\t", "\n", ";", "; ", " - ", "|", "", '"', "'"])
_LINES = st.lists(st.tuples(_WORDS, _GAPS), max_size=14).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)
_NO_BLANKS = re.compile("[\u3005-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+\\Z")
_ORDERS = st.sampled_from(NameOrder)


def _runs(text: str) -> list[str]:
    """The letters and digits of a text, in runs, so that only they are compared."""
    plain = unicodedata.normalize("NFKC", text)
    spaced = "".join(sign if sign.isalnum() else " " for sign in plain)
    return spaced.split()


def _fields(read: NewPerson) -> list[str]:
    return [read.firstname, read.lastname, read.email, read.phone, read.leftover]


@given(_LINES | st.text(ANY_CHARACTER, max_size=200), _ORDERS)
@example("ada@ x.org", NameOrder.FIRST_LAST)
@example("mailto:ada@x.org?subject=Hello", NameOrder.FIRST_LAST)
@example("Email:ada@x.org", NameOrder.FIRST_LAST)
@example("<ada@x.org> <none> (a (b) c", NameOrder.FIRST_LAST)
@example("ada@x.org e\u0301555-0199", NameOrder.FIRST_LAST)
def test_every_word_typed_is_in_some_field(text: str, order: NameOrder) -> None:
    joined = "".join(_runs(" ".join(_fields(read_entry(text, order)))))
    lost = [run for run in _runs(clean(text)) if run.lower() != "mailto" and run not in joined]
    # A name written without a blank is cut in two, the family name first.
    lost = [run for run in lost if not _NO_BLANKS.match(run) or set(run) - set(joined)]
    assert not lost


@given(_LINES | st.text(ANY_CHARACTER, max_size=200), _ORDERS)
def test_no_field_has_blanks_around_it_or_line_ends_in_it(text: str, order: NameOrder) -> None:
    for field in _fields(read_entry(text, order)):
        assert field == field.strip()
        assert not re.search(r"[\t\n\r]", field)


@given(_LINES, _ORDERS)
def test_invisible_marks_change_nothing(text: str, order: NameOrder) -> None:
    marked = text.replace("a", "a\u200b").replace("L", "\u202aL")
    assert read_entry(marked, order) == read_entry(text, order)


def test_a_blank_line_says_nothing() -> None:
    assert read_entry("") == read_entry(" \t\n\u00a0\u200b") == NewPerson()


@pytest.mark.parametrize(
    "unit",
    ["a", "1", "1 ", "a@", "@", "<", "(", "\"", "'", "' ", ",", "a ", "a,", "1-", "+", "a.", "A.",
     "van ", "y ", "Dr ", "II ", "tel ", "name ", "\t", "\n", "a\n", "\u200c", "山", "ada@x.org ",
     "a@ ", "(a", "[", "mailto:", "www.", "x.", "; ", "a;b ", "é", "-a", "first name: a ",
     "the ", "Dr. med. ", "M. et ",
     "García ", "山 Ada ", "様", "님 ", "ד\"", "Familie "],
)  # fmt: skip
def test_ten_thousand_characters_of_anything_are_read_without_running_away(unit: str) -> None:
    read_entry((unit * 10_000)[:10_000])
