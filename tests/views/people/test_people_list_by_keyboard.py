"""The People table by keyboard alone: moving, choosing, typing ahead, sorting, copying, menu."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.person import Person
from app.store.ordering import SortKey
from app.viewmodels.people.table import Column
from tests.views.people.people_tab_fixture import (
    CTRL,
    SHIFT,
    PeopleTabFixture,
    Run,
    crowd,
    with_people_tab,
)

MANY = crowd(200)
Key = Qt.Key
Reason = Qt.FocusReason


def test_home_and_end_lead_to_the_first_and_the_last_person(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Key.Key_End)
        assert (subject.current, subject.selected) == ("P199", ["P199"])
        subject.press(Key.Key_Home)
        assert (subject.current, subject.selected) == ("P000", ["P000"])
        subject.press(Key.Key_Down)
        subject.press(Key.Key_PageDown)
        assert subject.current > "P005"
        subject.press(Key.Key_PageUp)
        assert subject.current == "P001"
        assert subject.screen.chosen_person == MANY[1]

    with_people_tab(run, work, *MANY)


def test_shift_and_end_choose_all_the_way(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Key.Key_End)
        for _ in range(3):
            subject.press(Key.Key_Up)
        subject.press(Key.Key_End, SHIFT)
        assert subject.selected == ["P196", "P197", "P198", "P199"]
        assert len(subject.screen.selection.all) == 4
        subject.press(Key.Key_A, CTRL)
        assert len(subject.screen.selection.all) == 200

    with_people_tab(run, work, *MANY)


def test_letters_lead_to_the_name_that_starts_with_them(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.type("p15")
        assert (subject.current, subject.selected) == ("P150", ["P150"])
        assert subject.screen.chosen_person == MANY[150]

    with_people_tab(run, work, *MANY)


def test_a_blank_belongs_to_the_name_that_is_typed(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.type("mary ann e")
        assert subject.selected == ["Mary Ann Evans"]

    people = [("Mary", "Zed"), ("Mary Ann", "Bell"), ("Mary Ann", "Evans")]
    with_people_tab(
        run,
        work,
        *(Person(id=str(n), firstname=f, lastname=last) for n, (f, last) in enumerate(people)),
    )


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter])
def test_enter_asks_for_the_detail(run: Run, key: Key) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        asked: list[int] = []
        subject.view.detail_wanted.connect(lambda: asked.append(1))
        subject.press(key)
        assert asked == [1]

    with_people_tab(run, work, *MANY)


@pytest.mark.parametrize(
    ("key", "modifiers"), [(Key.Key_Menu, Qt.KeyboardModifier.NoModifier), (Key.Key_F10, SHIFT)]
)
def test_the_menu_keys_ask_for_the_menu_at_the_row(
    run: Run, key: Key, modifiers: Qt.KeyboardModifier
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        asked: list[object] = []
        subject.view.menu_wanted.connect(asked.append)
        subject.press(Key.Key_Down)
        subject.press(Key.Key_Down)
        subject.press(key, modifiers)
        assert len(asked) == 1
        assert isinstance(asked[0], QPoint)
        within = subject.view.viewport().mapFromGlobal(asked[0])
        assert subject.view.rowAt(within.y()) == subject.view.currentIndex().row()

    with_people_tab(run, work, *MANY)


def test_the_mouse_asks_for_the_menu_where_it_is(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        asked: list[object] = []
        subject.view.menu_wanted.connect(asked.append)
        place = QPoint(33, 44)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, QPoint(133, 144))
        QApplication.sendEvent(subject.view.viewport(), event)
        assert asked == [QPoint(133, 144)]

    with_people_tab(run, work, *MANY)


def test_rows_are_copied_with_the_keys_for_it(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        copied: list[object] = []
        subject.screen.copying.copied.connect(copied.append)
        subject.press(Key.Key_End)
        subject.press(Key.Key_Home)
        subject.press(Key.Key_Down, SHIFT)
        subject.press(Key.Key_C, CTRL)
        rows = str(copied.pop()).split("\n")
        assert [row.split("\t")[:2] for row in rows] == [
            ["Name", "Email"],
            ["P000", "0@x.org"],
            ["P001", "1@x.org"],
        ]

    with_people_tab(run, work, *MANY)


def test_a_click_on_a_header_sorts_and_chooses_nobody(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.click_header(Column.EMAIL)
        await subject.account.settle()
        assert subject.screen.order.now == (SortKey.EMAIL, False)
        assert (subject.selected, subject.first) == ([], "P000")
        subject.click_header(Column.EMAIL)
        await subject.account.settle()
        assert subject.screen.order.now == (SortKey.EMAIL, True)
        assert subject.first == "P009"

    with_people_tab(run, work, *MANY)


@pytest.mark.parametrize("reason", [Reason.OtherFocusReason, Reason.TabFocusReason])
def test_coming_to_the_list_with_nobody_chosen_chooses_the_first_in_sight(
    run: Run, reason: Reason
) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.chips()[0].setFocus()
        subject.scroll_to(20)
        subject.view.setFocus(reason)
        assert subject.selected == ["P020"]

    with_people_tab(run, work, *MANY)


def test_coming_from_a_search_chooses_the_first_found_and_passing_by_does_not(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.screen.choose(subject.screen.table.key_at(3))
        subject.chips()[0].setFocus()
        subject.screen.search("p15")
        subject.press(Key.Key_Tab)
        assert (subject.selected, subject.screen.chosen_person) == ([], None)
        assert subject.screen.selection.first == subject.account.directory.row_of("p3")
        subject.press(Key.Key_Tab, SHIFT)
        subject.view.setFocus(Reason.OtherFocusReason)
        assert (subject.selected, subject.screen.chosen_person) == (["P150"], MANY[150])

    with_people_tab(run, work, *MANY)


def test_tab_leads_from_the_one_chip_that_is_on_to_the_list_and_on(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Key.Key_Tab, SHIFT)
        focus = QApplication.focusWidget()
        assert focus is subject.chips()[0]
        subject.press(Key.Key_Tab)
        assert subject.view.hasFocus()

    with_people_tab(run, work, *MANY)


def test_the_arrow_keys_turn_one_filter_on_and_the_other_off(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        subject.press(Key.Key_Tab, SHIFT)
        subject.press(Key.Key_Right)
        assert [chip.isChecked() for chip in subject.chips()] == [False, True, *[False] * 4]
        assert subject.chips()[1].hasFocus()
        assert subject.screen.table.people_count == 67
        subject.press(Key.Key_Left)
        assert subject.chips()[0].isChecked()
        assert subject.screen.table.people_count == 200

    with_people_tab(run, work, *MANY)


def test_a_chip_says_what_it_is_how_many_and_whether_it_is_on(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        QTest.mouseClick(subject.chips()[1], Qt.MouseButton.LeftButton)
        assert [chip.accessibleName() for chip in subject.chips()] == [
            "Everybody, 200",
            "Volunteers, 67",
            "Administrators, 0",
            "Without email, 0",
            "Archived, 0",
            "Recently added, 0",
        ]
        assert subject.chips()[1].isChecked()
        await subject.account.directory.took(Person(id="new", firstname="New", archived=True))
        assert subject.chips()[4].text() == "Archived 1"

    with_people_tab(run, work, *MANY)


def test_where_nobody_fits_a_button_shows_everybody(run: Run) -> None:
    async def work(subject: PeopleTabFixture) -> None:
        QTest.mouseClick(subject.chips()[4], Qt.MouseButton.LeftButton)
        assert not subject.view.isVisible()
        button = subject.card.everybody_button
        assert button.isVisible()
        button.setFocus()
        subject.press(Key.Key_Space)
        assert subject.view.isVisible()
        assert subject.chips()[0].isChecked()

    with_people_tab(run, work, *MANY)
