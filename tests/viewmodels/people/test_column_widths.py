"""How the columns share the width: nothing is cut that can be seen, names give way first."""

from app.viewmodels.people.table import Column
from app.views.people.column_widths import fitted, shared

COMFORTABLE = {
    Column.NAME: 120,
    Column.EMAIL: 110,
    Column.PHONE: 100,
    Column.MOBILE: 90,
    Column.ADDED: 80,
}
LEAST = COMFORTABLE | {Column.NAME: 70, Column.EMAIL: 60}


def test_what_is_left_over_goes_to_names_and_addresses_first() -> None:
    widths = shared(COMFORTABLE, 1_500)
    gained = {column: widths[column] - COMFORTABLE[column] for column in Column}
    assert gained[Column.NAME] == gained[Column.EMAIL] == 400
    assert gained[Column.PHONE] == gained[Column.MOBILE] == 70
    assert sum(widths.values()) <= 1_500


def test_the_last_column_takes_the_rest() -> None:
    assert sum(fitted(COMFORTABLE, LEAST, 700).values()) == 700
    assert fitted(COMFORTABLE, LEAST, 700)[Column.ADDED] == 280


def test_in_a_narrow_window_names_and_addresses_give_way_and_numbers_do_not() -> None:
    widths = fitted(COMFORTABLE, LEAST, 440)
    assert sum(widths.values()) == 440
    assert widths == COMFORTABLE | {Column.NAME: 90, Column.EMAIL: 80}


def test_each_gives_way_by_what_it_has_to_spare() -> None:
    wanted = COMFORTABLE | {Column.NAME: 270, Column.EMAIL: 60}
    assert fitted(wanted, LEAST, 400) == wanted | {Column.NAME: 70}


def test_numbers_set_wide_by_hand_give_way_last() -> None:
    wanted = COMFORTABLE | {Column.PHONE: 300}
    assert fitted(wanted, LEAST, 450)[Column.PHONE] == 150


def test_nothing_gets_narrower_than_its_least() -> None:
    assert fitted(COMFORTABLE, LEAST, 100) == LEAST
