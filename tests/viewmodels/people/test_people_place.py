"""Where a list is scrolled to once its rows are others."""

from collections.abc import Sequence

import pytest

from app.viewmodels.people.scroll_anchor import Reason, ScrollAnchor, Seen
from app.viewmodels.people.table import Key

ROWS = range(100, 200)


def top_after(
    place: ScrollAnchor, reason: Reason, seen: Seen, rows: Sequence[Key], chosen: Key | None = None
) -> int:
    def position_of(key: Key | None) -> int | None:
        return rows.index(key) if key is not None and key in rows else None

    place.reason = reason
    return place.top_after(seen, chosen, position_of)


def seen(top: int, chosen_below: int | None = None) -> Seen:
    return Seen(ROWS[top], top, chosen_below)


def test_news_above_moves_nothing_under_the_eyes() -> None:
    rows = ["new", *ROWS]
    assert top_after(ScrollAnchor(), Reason.NEWS, seen(20), rows) == 21


def test_at_the_start_of_the_list_what_comes_on_top_is_seen() -> None:
    assert top_after(ScrollAnchor(), Reason.NEWS, seen(0), ["new", *ROWS]) == 0


def test_where_the_first_row_is_gone_the_chosen_one_holds_the_place() -> None:
    rows = [row for row in ROWS if row not in {110, 111, 120}]
    assert top_after(ScrollAnchor(), Reason.NEWS, seen(20, 5), rows, chosen=125) == 22 - 5 + 0
    assert top_after(ScrollAnchor(), Reason.NEWS, seen(20), rows, chosen=180) == 20


def test_what_was_found_is_read_from_its_start() -> None:
    assert top_after(ScrollAnchor(), Reason.NARROWED, seen(20, 2), ROWS, chosen=122) == 0


def test_everybody_again_is_the_place_that_was_left() -> None:
    place = ScrollAnchor()
    top_after(place, Reason.NARROWED, seen(20), [130, 140], chosen=122)
    top_after(place, Reason.NARROWED, seen(0), [140], chosen=122)
    assert top_after(place, Reason.WIDENED, seen(0), ROWS, chosen=122) == 20
    assert top_after(place, Reason.NARROWED, seen(50), [130]) == 0
    assert top_after(place, Reason.WIDENED, seen(0), ROWS) == 50


def test_everybody_again_shows_whom_was_chosen_meanwhile() -> None:
    place = ScrollAnchor()
    top_after(place, Reason.NARROWED, seen(20), [130, 140])
    assert top_after(place, Reason.WIDENED, seen(0, 1), ROWS, chosen=140) == 39


def test_everybody_again_leaves_room_above_somebody_who_was_out_of_sight() -> None:
    assert top_after(ScrollAnchor(), Reason.WIDENED, seen(0), ROWS, chosen=140) == 37
    assert top_after(ScrollAnchor(), Reason.WIDENED, seen(0), ROWS, chosen=101) == 0


@pytest.mark.parametrize(("below", "top"), [(5, 54), (None, 56)])
def test_in_another_order_the_chosen_one_stays_under_the_eyes(below: int | None, top: int) -> None:
    turned = list(reversed(ROWS))
    assert top_after(ScrollAnchor(), Reason.SORTED, seen(35, below), turned, chosen=140) == top


def test_in_another_order_with_nobody_chosen_the_list_begins_anew() -> None:
    place = ScrollAnchor()
    top_after(place, Reason.NARROWED, seen(20), ROWS)
    assert top_after(place, Reason.SORTED, seen(35), list(reversed(ROWS))) == 0
