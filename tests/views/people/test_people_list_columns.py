"""The columns of the People table: all of them are seen in any window, as they were set by hand."""

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from app.model.person import Person
from app.settings.saved_states import SavedState
from app.viewmodels.people.table import Column
from tests.viewmodels.conftest import NOON
from tests.views.people.people_tab_fixture import PeopleTabFixture, Run, crowd, with_people_tab

MANY = crowd(60)
BEN = Person(
    id="b", firstname="Ben", phone="(02) 5550 3591", mobile="0412 192 355", date_added=NOON
)


def widths(subject: PeopleTabFixture) -> list[int]:
    return [subject.view.columnWidth(column) for column in Column]


def assert_all_is_seen(subject: PeopleTabFixture) -> None:
    assert sum(widths(subject)) <= subject.view.viewport().width()
    assert not subject.view.horizontalScrollBar().isVisible()
    for column in (Column.PHONE, Column.MOBILE, Column.ADDED):
        wanted = subject.view.sizeHintForIndex(subject.index(0, column)).width()
        assert wanted <= subject.view.columnWidth(column)


@pytest.mark.parametrize("width", [560, 900, 1900])
def test_a_number_and_a_date_are_whole_in_any_window(run: Run, width: int) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(width, 400)
        assert_all_is_seen(subject)

    with_people_tab(run, work, BEN)


def test_a_column_drawn_wide_pushes_no_other_out_of_sight(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(620, 400)
        before = widths(subject)
        subject.view.setColumnWidth(Column.NAME, 1_000)
        assert_all_is_seen(subject)
        assert widths(subject)[Column.NAME] > before[Column.NAME]

    with_people_tab(run, work, BEN)


def test_widths_set_in_a_large_window_fit_a_small_one_and_come_back(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(1_600, 400)
        subject.view.setColumnWidth(Column.NAME, 700)
        by_hand = widths(subject)
        subject.window.resize(620, 400)
        assert_all_is_seen(subject)
        kept = msgspec.structs.replace(SavedState(), **subject.screen.saved_state())
        assert kept.columns["name"] == 700
        subject.window.resize(1_600, 400)
        assert widths(subject) == by_hand

    with_people_tab(run, work, BEN)


def test_a_column_in_which_nobody_has_anything_gives_its_room_to_the_names(run: Run) -> None:
    blank = msgspec.structs.replace(BEN, id="c", phone="", mobile="")

    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(560, 400)
        before = widths(subject)
        await subject.account.list_people(blank, BEN)
        assert_all_is_seen(subject)
        now = widths(subject)
        for column in (Column.NAME, Column.EMAIL):
            assert before[column] >= now[column] + 20

    with_people_tab(run, work, blank)


def test_nothing_moves_when_the_list_gets_too_short_to_be_scrolled(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        before = widths(subject)
        subject.screen.search("p001")
        QApplication.processEvents()
        assert not subject.view.verticalScrollBar().isVisible()
        assert widths(subject)[: Column.ADDED] == before[: Column.ADDED]

    with_people_tab(run, work, *MANY)
