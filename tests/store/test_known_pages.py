"""Which pages need not be read again, and that no more is remembered than may come again."""

import pytest

from app.store import known_pages
from app.store.known_pages import KnownPages

FIRST, SECOND = b"first", b"second"


@pytest.fixture
def pages() -> KnownPages:
    """Two pages of two people each have been taken in."""
    pages = KnownPages()
    pages.remember(FIRST, [1, 2])
    pages.remember(SECOND, [3, 4])
    return pages


def test_a_page_somebody_of_has_changed_is_to_be_read_again(pages: KnownPages) -> None:
    pages.note_changed([4])
    assert pages.digests(4) == {FIRST}


def test_a_page_that_a_whole_list_did_not_have_is_remembered_no_longer(pages: KnownPages) -> None:
    assert pages.digests(4) == {FIRST, SECOND}
    assert list(pages.rows_met(FIRST) or ()) == [1, 2]
    pages.reading_ended()
    assert pages.digests(4) == {FIRST}


def test_of_very_many_changes_none_is_remembered_and_no_page_known(
    pages: KnownPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_pages, "_MOST_CHANGED", 3)
    pages.note_changed([5, 6, 7, 8])
    assert pages.rows_met(FIRST) is None
    assert pages.digests(4) == frozenset()


def test_pages_that_hold_everybody_several_times_over_are_let_go(pages: KnownPages) -> None:
    assert pages.digests(1) == frozenset()
