"""What a few letters lead to: words begun, words within, slips of the finger, letters in order."""

import pytest

from app.viewmodels.command_palette.name_fit import fit_with_slips, fits, folded


def fit(typed: str, name: str, further: str = "") -> float:
    """Among others, as it is in the palette."""
    names = [(folded(each), "") for each in ("Quit", "", "Send a report")]
    return fits(folded(typed).split(), [*names, (folded(name), folded(further)), *names])[3]


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
    assert fit(typed, name)


@pytest.mark.parametrize(("typed", "name"), [("ada", "History"), ("xq", "Quit"), ("", "Quit")])
def test_what_is_like_nothing_finds_nothing(typed: str, name: str) -> None:
    assert not fit(typed, name)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        # Of four letters one that is other leaves too little of the beginning of a longer name.
        ("undo", "Welcomed on Sunday"),
        ("dark", "Dariusz Woźniak"),
        ("demo", "Fırat Demir"),
        # Two slips in six letters.
        ("delete", "Adèle Beaufort"),
    ],
)
def test_a_name_that_is_only_a_little_alike_is_no_slip(typed: str, name: str) -> None:
    assert not fit_with_slips(folded(typed).split(), folded(name))


def test_a_word_that_is_begun_fits_best_and_letters_in_order_least() -> None:
    by_fit = ["Print all flows…", "Reprint", "Prinz Albrecht", "Pick a round inset"]
    assert sorted(by_fit, key=lambda name: -fit("print", name)) == by_fit


def test_further_words_lead_there_as_its_own_once_they_are_typed_out() -> None:
    def well(typed: str, further: str) -> float:
        return fit(typed, "Sign out", further)

    assert well("log out", "log off") == well("sign", "log off") == well("sign", "")
    assert well("sign", "log off") > well("lo", "log off") > 0
    assert well("loggoff", "logoff")
    assert not well("log", "")
