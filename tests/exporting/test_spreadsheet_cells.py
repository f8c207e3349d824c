"""What a spreadsheet is given is text to it, whatever a person's record says."""

import csv
import io
import unicodedata

import pytest

from app.exporting.spreadsheet import spreadsheet_cell
from app.runtime.words import tr

SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "⁼", "\u2212"]
BEFORE = ["", " ", "\u3000", "\t", "\r", "\n", "\x00", '"', "'", "\ufeff", "\u200b"]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", BEFORE)
def test_whatever_stands_before_it_a_formula_is_text(sign: str, before: str) -> None:
    assert spreadsheet_cell(f"{before}{sign}1+1").startswith("'")


@pytest.mark.parametrize("separator", [";", ",", "; ", ';"', ";\x1c", "\n;\t"])
def test_nor_does_a_cell_begin_one_where_a_semicolon_or_a_comma_ends_the_one_before(
    separator: str,
) -> None:
    made = spreadsheet_cell(f"a{separator}=1;b")
    for delimiter in ";,":
        for row in csv.reader(io.StringIO(f"x;{made};y"), delimiter=delimiter):
            assert not [cell for cell in row if cell.strip().startswith("=")]
    assert "'" in made.partition("=")[0]


def test_a_cell_carries_no_control_character_and_no_half_of_one() -> None:
    letters = [*map(chr, range(0xA0)), "\u2028", "\u2029", "\ud800"]
    made = spreadsheet_cell("a" + "a".join(letters))
    assert {unicodedata.category(letter) for letter in made}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    made.encode()


def test_a_cell_carries_no_mark_of_direction_that_a_sentence_has() -> None:
    assert spreadsheet_cell(tr("Run by {who}.", who="محمد")) == "Run by محمد."


def test_a_phone_number_keeps_its_plus_and_every_digit_behind_the_apostrophe() -> None:
    assert spreadsheet_cell("+61 400 000 000") == "'+61 400 000 000"


@pytest.mark.parametrize(
    "text",
    ["Ada Lovelace", "O'Brien", "“Bo” (Anne-Marie)", "a+b@x.org", "0400 771", "李; 王", ""],
)
def test_what_nobody_would_calculate_stays_as_it_is(text: str) -> None:
    assert spreadsheet_cell(text) == text
