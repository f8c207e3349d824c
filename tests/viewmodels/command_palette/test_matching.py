"""What a few letters lead to: words begun, words within, slips of the finger, letters in order."""

import pytest

from app.viewmodels.command_palette.matching import fit, folded


def fits(typed: str, name: str) -> float:
    return fit(folded(typed).split(), folded(name))


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("hist", "History"),
        ("sprd", "Save as a spreadsheet…"),
        ("spradsheet", "Save as a spreadsheet…"),
        ("hsitory", "History"),
        ("lists again", "Read both lists again"),
        ("ctrl+p", "Print… Ctrl+P"),
        ("uber", "Über Front Desk"),
        ("طباعة", "طباعة…"),
    ],
)
def test_what_was_meant_is_found(typed: str, name: str) -> None:
    assert fits(typed, name)


@pytest.mark.parametrize(("typed", "name"), [("ada", "History"), ("xq", "Quit"), ("", "Quit")])
def test_what_is_like_nothing_finds_nothing(typed: str, name: str) -> None:
    assert not fits(typed, name)


def test_a_word_that_is_begun_fits_best_and_letters_in_order_least() -> None:
    by_fit = ["Print all flows…", "Reprint", "Prinz Albrecht", "Pick a round inset"]
    assert sorted(by_fit, key=lambda name: -fits("print", name)) == by_fit
