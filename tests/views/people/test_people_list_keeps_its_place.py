"""What is chosen and seen in the People table stays so while its rows become others."""

import asyncio
from datetime import UTC, datetime
from itertools import product

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.model.outbox import BatchRow, EntryState, NewPerson
from app.model.person import Person
from app.people.search import PeopleFilter
from app.settings.saved_states import SavedState
from app.store.ordering import SortKey
from app.tour.screen_reader import text_on_screen
from app.viewmodels.people.copying import What
from app.viewmodels.people.table import Column
from tests.views.moment import Moment
from tests.views.people.people_tab_fixture import (
    CTRL,
    SHIFT,
    PeopleTabFixture,
    Run,
    crowd,
    with_people_tab,
)

ABEL = Person(id="abel", firstname="Abel")
MANY = crowd(200)


def test_people_who_come_above_move_nothing(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.scroll_to(100)
        subject.click(103, Column.NAME)
        assert (subject.first, subject.selected) == ("P100", ["P103"])
        await subject.account.directory.took(ABEL)
        assert (subject.first, subject.selected, subject.current) == ("P100", ["P103"], "P103")
        assert subject.screen.chosen_person == MANY[103]

    with_people_tab(run, work, *MANY)


def test_at_the_start_of_the_list_whoever_was_typed_is_seen(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.click(2, Column.NAME)
        entry = subject.account.add("Zora", "Neale")
        assert (subject.first, subject.selected) == ("Zora Neale", ["P002"])
        subject.account.outbox.undo(entry.id)
        assert (subject.first, subject.selected) == ("P000", ["P002"])

    with_people_tab(run, work, *MANY)


def test_whoever_was_typed_is_seen_wherever_the_list_was_and_once_sent_moves_nothing(
    run: Run,
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.scroll_to(100)
        subject.click(103, Column.NAME)
        entry = subject.account.add("P050a")
        assert (subject.first, subject.selected, subject.current) == ("P050a", ["P103"], "P103")
        await subject.account.sent(entry, EntryState.ADDED)
        await subject.account.directory.took(subject.account.scripted.created[0])
        at = subject.screen.table.position_of(subject.account.directory.row_of("new-1"))
        assert at == 51
        assert (subject.first, subject.selected, subject.current) == ("P000", ["P103"], "P103")
        assert subject.screen.chosen_person == MANY[103]

    with_people_tab(run, work, *MANY)


@pytest.mark.parametrize("people", [1, 5])
def test_once_they_are_sent_the_list_is_where_it_was_without_a_pointer_over_it(
    run: Run, *, people: int
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        account = subject.account
        rows = [
            BatchRow(n + 2, (f"P{n:03}",), NewPerson(firstname=f"P{150 + n}a"))
            for n in range(people)
        ]
        if people == 1:
            account.add("P150a")
        else:
            await account.outbox.batches.take("list.csv", ["Name"], rows)
        await account.until(lambda: subject.first == f"P{149 + people}a")
        account.outbox.send_now()
        await account.until(lambda: len(account.scripted.created) == people)
        for person in account.scripted.created:
            await account.directory.took(person)
        await account.until(lambda: account.outbox.unsent_count == 0)
        await account.until(lambda: subject.name(0) == "P000")
        assert subject.screen.table.position_of(account.directory.row_of("new-1")) is not None
        assert subject.first == "P000"

    with_people_tab(run, work, *MANY)


def point_at_row(subject: PeopleTabFixture, row: int) -> QPoint:
    place = subject.view.visualRect(subject.index(row)).center()
    QCursor.setPos(subject.view.viewport().mapToGlobal(place))
    return place


@pytest.mark.parametrize("choose", [False, True])
def test_nothing_is_scrolled_under_a_pointer_when_whoever_was_typed_arrives(
    run: Run, *, choose: bool
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        entry = subject.account.add("P150a")
        if choose:
            # A reading is faster than the answer: they become one who stands in the list.
            await subject.account.directory.took(Person(id="new-1", firstname="P150a"))
            subject.click(0, Column.NAME)
        point_at_row(subject, 4)
        await subject.account.sent(entry, EntryState.ADDED)
        if not choose:
            await subject.account.directory.took(subject.account.scripted.created[0])
        assert subject.screen.table.position_of(subject.account.directory.row_of("new-1")) == 151
        assert subject.first == "P000"
        assert subject.selected == (["P150a"] if choose else [])

    with_people_tab(run, work, *MANY)


def test_whoever_comes_to_stand_where_the_entry_was_is_in_sight_under_a_pointer_too(
    run: Run,
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.screen.order.sort_by(SortKey.ADDED, descending=True)
        await subject.account.settle()
        entry = subject.account.add("Solo", "Newman")
        place = point_at_row(subject, 4)
        pointed = subject.name(subject.view.rowAt(place.y()))
        await subject.account.sent(entry, EntryState.ADDED)
        (solo,) = subject.account.scripted.created
        now = datetime.now(UTC)
        await subject.account.directory.took(msgspec.structs.replace(solo, date_added=now))
        assert subject.first == "Solo Newman"
        assert subject.name(subject.view.rowAt(place.y())) == pointed

    with_people_tab(run, work, *MANY)


def test_a_press_meant_for_the_row_that_was_there_takes_nobody_else(
    moment: Moment, run: Run
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        entry = subject.account.add("P150a")
        place = point_at_row(subject, 4)
        await subject.account.sent(entry, EntryState.ADDED)
        await subject.account.directory.took(subject.account.scripted.created[0])
        frame = subject.window.windowHandle()
        assert frame is not None
        at = subject.view.viewport().mapTo(subject.window, place)
        QTest.mouseClick(frame, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert subject.selected == []
        moment.passes()
        QTest.mouseClick(frame, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert subject.selected == ["P004"]

    with_people_tab(run, work, *MANY)


def test_while_a_list_is_sent_no_row_moves_under_the_pointer(run: Run) -> None:
    """Those who are sent keep their rows until the pointer is elsewhere; who comes among the
    people moves nobody who is pointed at.
    """

    async def work(subject: PeopleTabFixture) -> None:
        account = subject.account
        rows = [BatchRow(n + 2, (f"P{n:03}a",), NewPerson(firstname=f"P{n:03}a")) for n in range(4)]
        await account.outbox.batches.take("list.csv", ["Name"], rows)
        await account.until(lambda: subject.first == "P003a")
        place = point_at_row(subject, 6)
        account.outbox.send_now()
        await account.until(lambda: len(account.scripted.created) == 4)
        for person in account.scripted.created:
            await account.directory.took(person)
        await account.until(lambda: account.outbox.unsent_count == 0)
        assert subject.name(subject.view.rowAt(place.y())) == "P002"
        subject.point_away()
        await account.until(lambda: subject.name(0) == "P000")
        assert [subject.name(row) for row in range(4)] == ["P000", "P000a", "P001", "P001a"]

    with_people_tab(run, work, *MANY)


def test_whoever_scrolls_away_from_an_entry_is_not_taken_to_the_person_it_becomes(
    run: Run,
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        entry = subject.account.add("P050a")
        subject.scroll_to(100)
        await subject.account.sent(entry, EntryState.ADDED)
        await subject.account.directory.took(subject.account.scripted.created[0])
        assert subject.first == "P099"

    with_people_tab(run, work, *MANY)


def test_news_of_the_chosen_person_does_not_scroll_back_to_them(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.click(3, Column.NAME)
        subject.scroll_to(100)
        await subject.account.directory.took(msgspec.structs.replace(MANY[3], phone="1"))
        assert (subject.first, subject.selected) == ("P100", ["P003"])

    with_people_tab(run, work, *MANY)


def test_whoever_somebody_is_led_to_stands_whole_in_the_list_with_others_around(
    run: Run,
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        for row, number in product((0, 1, 100, 198, 199), range(5)):
            subject.window.resize(800, 500)
            await asyncio.sleep(0.02)
            in_sight = subject.view.viewport().height() // subject.view.rowHeight(0)
            subject.scroll_to((0, 97, 185, row, max(row - in_sight + 1, 0))[number])
            subject.screen.choose_person(f"p{row}")
            assert subject.current == f"P{row:03}"
            around = range(max(row - 1, 0), min(row + 2, 200))
            assert all(is_whole(subject, each) for each in around)
            # What is said above the list leaves less room for it.
            subject.window.resize(800, 340)
            await asyncio.sleep(0.02)
            assert is_whole(subject, row)
            subject.screen.choose(None)

    with_people_tab(run, work, *MANY)


def test_a_list_without_room_for_others_stays_where_it_is_for_somebody_in_sight(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        view = subject.view
        high = subject.window.height() - view.viewport().height()
        subject.window.resize(800, high + 2 * view.rowHeight(0))
        await asyncio.sleep(0.02)
        subject.scroll_to(100)
        for row in (100, 101, 100):
            subject.screen.choose_person(f"p{row}")
            assert (subject.first, is_whole(subject, row)) == ("P100", True)
            subject.screen.choose(None)

    with_people_tab(run, work, *MANY)


def is_whole(subject: PeopleTabFixture, row: int) -> bool:
    """Whether all of the row is seen."""
    place = subject.view.visualRect(subject.index(row))
    return subject.view.viewport().rect().contains(place)


def test_somebody_who_is_changed_or_gone_leaves_the_others_where_they_are(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.scroll_to(100)
        subject.click(103, Column.NAME)
        renamed = msgspec.structs.replace(MANY[150], firstname="A")
        await subject.account.list_people(*MANY[10:150], renamed, *MANY[151:])
        assert (subject.first, subject.selected) == ("P100", ["P103"])

    with_people_tab(run, work, *MANY)


def test_several_stay_chosen(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.click(3, Column.NAME)
        subject.click(5, Column.EMAIL, SHIFT)
        subject.click(9, Column.NAME, CTRL)
        chosen = ["P003", "P004", "P005", "P009"]
        assert subject.selected == chosen
        await subject.account.directory.took(ABEL)
        assert subject.selected == chosen
        subject.screen.order.sort_by(SortKey.EMAIL, descending=True)
        await subject.account.settle()
        assert sorted(subject.selected) == chosen
        assert len(subject.screen.selection.all) == 4

    with_people_tab(run, work, *MANY)


def test_a_search_is_read_from_its_start_and_left_for_the_place_before(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.scroll_to(100)
        subject.click(103, Column.NAME)
        subject.screen.search("p1")
        assert (subject.first, subject.selected) == ("P100", ["P103"])
        subject.screen.search("p10")
        subject.screen.show_only(PeopleFilter.VOLUNTEERS)
        assert (subject.first, subject.selected) == ("P102", [])
        subject.screen.search("")
        subject.screen.show_only(PeopleFilter.EVERYBODY)
        assert (subject.first, subject.selected) == ("P100", ["P103"])

    with_people_tab(run, work, *MANY)


def test_whoever_is_chosen_among_those_found_is_seen_among_everybody(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.screen.search("p17")
        subject.click(2, Column.NAME)
        subject.screen.search("")
        assert (subject.first, subject.selected) == ("P170", ["P172"])

    with_people_tab(run, work, *MANY)


def test_in_another_order_the_chosen_one_stays_under_the_eyes(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.scroll_to(100)
        subject.click(104, Column.NAME)
        subject.screen.order.sort_by_column(Column.NAME)
        await subject.account.settle()
        assert (subject.first, subject.selected) == ("P108", ["P104"])

    with_people_tab(run, work, *MANY)


def test_the_entry_that_is_chosen_becomes_the_person_that_is_chosen(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        entry = subject.account.add("P050a")
        subject.click(0, Column.NAME)
        assert subject.selected == ["P050a"]
        await subject.account.sent(entry, EntryState.ADDED)
        await subject.account.directory.took(subject.account.scripted.created[0])
        assert subject.selected == ["P050a"]
        assert subject.screen.chosen_person == subject.account.scripted.created[0]

    with_people_tab(run, work, *MANY)


def test_places_of_an_earlier_time_are_come_back_to(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.view.setColumnWidth(Column.NAME, 222)
        subject.scroll_to(120)
        subject.click(122, Column.NAME)
        kept = msgspec.structs.replace(SavedState(), **subject.screen.saved_state())
        again = PeopleTabFixture(subject.account)
        await again.show()
        again.screen.restore(kept)
        await subject.account.settle()
        assert (again.first, again.selected) == ("P120", ["P122"])
        assert again.view.columnWidth(Column.NAME) == 222
        again.window.resize(900, 500)
        assert again.view.columnWidth(Column.NAME) == 222
        shiboken6.delete(again.window)

    with_people_tab(run, work, *MANY)


def test_a_list_that_comes_in_parts_is_come_back_to_all_the_same(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.screen.restore(SavedState(chosen_person="p122", top_person="p120"))
        await subject.account.read(MANY[100:], MANY[:100], total=200)
        assert (subject.first, subject.selected) == ("P120", ["P122"])

    with_people_tab(run, work)


def test_scrolling_by_hand_ends_coming_back(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.screen.restore(SavedState(top_person="p150"))
        subject.scroll_to(20)
        await subject.account.directory.took(MANY[150])
        assert subject.first == "P020"

    with_people_tab(run, work, *MANY[:150])


@pytest.mark.parametrize("width", [520, 860])
def test_what_is_said_by_the_way_moves_neither_rows_nor_chips(run: Run, width: int) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(width, 500)
        await asyncio.sleep(0.05)
        before = places(subject)
        subject.press(Qt.Key.Key_A, CTRL)
        subject.screen.copying.copy(What.ROW)
        await subject.account.settle()
        assert "200 rows copied." in text_on_screen()
        await asyncio.sleep(0.05)
        assert places(subject) == before
        # It is gone again with the next step.
        subject.press(Qt.Key.Key_Down)
        await asyncio.sleep(0.05)
        assert "copied" not in text_on_screen()
        assert places(subject) == before

    with_people_tab(run, work, *MANY)


@pytest.mark.parametrize("width", [520, 860])
def test_a_count_with_one_digit_more_moves_neither_rows_nor_chips(run: Run, width: int) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.window.resize(width, 500)
        before: list[tuple[QPoint, QSize]] = []
        while before != places(subject):
            before = places(subject)
            await asyncio.sleep(0.1)
        await subject.account.list_people(*crowd(1000))
        assert "Everybody 1000" in text_on_screen()
        await asyncio.sleep(0.05)
        assert places(subject) == before
        await subject.account.list_people(*crowd(9))
        assert "Everybody 9" in text_on_screen()
        await asyncio.sleep(0.05)
        assert places(subject) == before

    with_people_tab(run, work, *crowd(999))


def places(subject: PeopleTabFixture) -> list[tuple[QPoint, QSize]]:
    """Where the rows and the chips are in the window."""
    return [
        (each.mapTo(subject.window, QPoint(0, 0)), each.size())
        for each in (subject.view, *subject.chips())
    ]


@pytest.mark.parametrize(("there", "is_painted"), [(100, False), (3, True)])
def test_the_rest_of_a_long_search_is_painted_where_it_is_seen_and_can_be_scrolled_to(
    run: Run, there: int, *, is_painted: bool
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        table, rows = subject.screen.table, list(subject.account.directory.ordered_rows())
        table.show_rows(rows[:there])
        await asyncio.sleep(0.05)
        bar, painted = subject.view.verticalScrollBar(), _Paintings(subject.view.viewport())
        before = bar.maximum()
        table.append_rows(rows[there:])
        await asyncio.sleep(0.05)
        assert (painted.times > 0, bar.maximum() > before) == (is_painted, True)
        subject.scroll_to(150)
        assert subject.first == "P150"
        subject.press(Qt.Key.Key_End)
        assert subject.current == "P199"
        # Whatever else changes is painted as ever.
        before_reset = painted.times
        table.show_rows(rows[:there])
        await asyncio.sleep(0.05)
        assert painted.times > before_reset

    with_people_tab(run, work, *MANY)


class _Paintings(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        self.times += event.type() is QEvent.Type.Paint
        return False
