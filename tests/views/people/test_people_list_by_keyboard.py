"""The People table by keyboard alone: moving, choosing, typing ahead, sorting, copying, menu."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.model.person import Person
from app.store.ordering import SortKey
from app.viewmodels.people.table import Column
from tests.views.people.people_desk import CTRL, SHIFT, PeopleDesk, Run, crowd, with_desk

MANY = crowd(200)
Key = Qt.Key
Reason = Qt.FocusReason


def test_home_and_end_lead_to_the_first_and_the_last_person(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.press(Key.Key_End)
        assert (desk.current, desk.selected) == ("P199", ["P199"])
        desk.press(Key.Key_Home)
        assert (desk.current, desk.selected) == ("P000", ["P000"])
        desk.press(Key.Key_Down)
        desk.press(Key.Key_PageDown)
        assert desk.current > "P005"
        desk.press(Key.Key_PageUp)
        assert desk.current == "P001"
        assert desk.screen.chosen_person == MANY[1]

    with_desk(run, work, *MANY)


def test_shift_and_end_choose_all_the_way(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.press(Key.Key_End)
        for _ in range(3):
            desk.press(Key.Key_Up)
        desk.press(Key.Key_End, SHIFT)
        assert desk.selected == ["P196", "P197", "P198", "P199"]
        assert len(desk.screen.selection.all) == 4
        desk.press(Key.Key_A, CTRL)
        assert len(desk.screen.selection.all) == 200

    with_desk(run, work, *MANY)


def test_letters_lead_to_the_name_that_starts_with_them(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.type("p15")
        assert (desk.current, desk.selected) == ("P150", ["P150"])
        assert desk.screen.chosen_person == MANY[150]

    with_desk(run, work, *MANY)


def test_a_blank_belongs_to_the_name_that_is_typed(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.type("mary ann e")
        assert desk.selected == ["Mary Ann Evans"]

    people = [("Mary", "Zed"), ("Mary Ann", "Bell"), ("Mary Ann", "Evans")]
    with_desk(
        run,
        work,
        *(Person(id=str(n), firstname=f, lastname=last) for n, (f, last) in enumerate(people)),
    )


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter])
def test_enter_asks_for_the_detail(run: Run, key: Key) -> None:
    async def work(desk: PeopleDesk) -> None:
        asked: list[int] = []
        desk.view.detail_wanted.connect(lambda: asked.append(1))
        desk.press(key)
        assert asked == [1]

    with_desk(run, work, *MANY)


@pytest.mark.parametrize(
    ("key", "modifiers"), [(Key.Key_Menu, Qt.KeyboardModifier.NoModifier), (Key.Key_F10, SHIFT)]
)
def test_the_menu_keys_ask_for_the_menu_at_the_row(
    run: Run, key: Key, modifiers: Qt.KeyboardModifier
) -> None:
    async def work(desk: PeopleDesk) -> None:
        asked: list[object] = []
        desk.view.menu_wanted.connect(asked.append)
        desk.press(Key.Key_Down)
        desk.press(Key.Key_Down)
        desk.press(key, modifiers)
        assert len(asked) == 1
        assert isinstance(asked[0], QPoint)
        within = desk.view.viewport().mapFromGlobal(asked[0])
        assert desk.view.rowAt(within.y()) == desk.view.currentIndex().row()

    with_desk(run, work, *MANY)


def test_the_mouse_asks_for_the_menu_where_it_is(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        asked: list[object] = []
        desk.view.menu_wanted.connect(asked.append)
        place = QPoint(33, 44)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, QPoint(133, 144))
        QApplication.sendEvent(desk.view.viewport(), event)
        assert asked == [QPoint(133, 144)]

    with_desk(run, work, *MANY)


def test_rows_are_copied_with_the_keys_for_it(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        copied: list[object] = []
        desk.screen.copying.copied.connect(copied.append)
        desk.press(Key.Key_End)
        desk.press(Key.Key_Home)
        desk.press(Key.Key_Down, SHIFT)
        desk.press(Key.Key_C, CTRL)
        rows = str(copied.pop()).split("\n")
        assert [row.split("\t")[:2] for row in rows] == [["P000", "0@x.org"], ["P001", "1@x.org"]]

    with_desk(run, work, *MANY)


def test_a_click_on_a_header_sorts_and_chooses_nobody(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.click_header(Column.EMAIL)
        await desk.office.settle()
        assert desk.screen.order.now == (SortKey.EMAIL, False)
        assert (desk.selected, desk.first) == ([], "P000")
        desk.click_header(Column.EMAIL)
        await desk.office.settle()
        assert desk.screen.order.now == (SortKey.EMAIL, True)
        assert desk.first == "P009"

    with_desk(run, work, *MANY)


@pytest.mark.parametrize("reason", [Reason.OtherFocusReason, Reason.TabFocusReason])
def test_coming_to_the_list_with_nobody_chosen_chooses_the_first_in_sight(
    run: Run, reason: Reason
) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.chips()[0].setFocus()
        desk.scroll_to(20)
        desk.view.setFocus(reason)
        assert desk.selected == ["P020"]

    with_desk(run, work, *MANY)


def test_coming_from_a_search_chooses_the_first_found_and_passing_by_does_not(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.screen.choose(desk.screen.table.key_at(3))
        desk.chips()[0].setFocus()
        desk.screen.search("p15")
        desk.press(Key.Key_Tab)
        assert (desk.selected, desk.screen.chosen_person) == ([], None)
        assert desk.screen.selection.first == desk.office.directory.row_of("p3")
        desk.press(Key.Key_Tab, SHIFT)
        desk.view.setFocus(Reason.OtherFocusReason)
        assert (desk.selected, desk.screen.chosen_person) == (["P150"], MANY[150])

    with_desk(run, work, *MANY)


def test_tab_leads_from_the_one_chip_that_is_on_to_the_list_and_on(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.press(Key.Key_Tab, SHIFT)
        focus = QApplication.focusWidget()
        assert focus is desk.chips()[0]
        desk.press(Key.Key_Tab)
        assert desk.view.hasFocus()

    with_desk(run, work, *MANY)


def test_the_arrow_keys_turn_one_filter_on_and_the_other_off(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        desk.press(Key.Key_Tab, SHIFT)
        desk.press(Key.Key_Right)
        assert [chip.isChecked() for chip in desk.chips()] == [False, True, False, False, False]
        assert desk.chips()[1].hasFocus()
        assert desk.screen.table.people_count == 67
        desk.press(Key.Key_Left)
        assert desk.chips()[0].isChecked()
        assert desk.screen.table.people_count == 200

    with_desk(run, work, *MANY)


def test_a_chip_says_what_it_is_how_many_and_whether_it_is_on(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        QTest.mouseClick(desk.chips()[1], Qt.MouseButton.LeftButton)
        assert [chip.accessibleName() for chip in desk.chips()] == [
            "Everybody, 200",
            "Volunteers, 67",
            "Administrators, 0",
            "Without email, 0",
            "Archived, 0",
        ]
        assert desk.chips()[1].isChecked()
        await desk.office.directory.took(Person(id="new", firstname="New", archived=True))
        assert desk.chips()[4].text() == "Archived 1"

    with_desk(run, work, *MANY)


def test_where_nobody_fits_a_button_shows_everybody(run: Run) -> None:
    async def work(desk: PeopleDesk) -> None:
        QTest.mouseClick(desk.chips()[4], Qt.MouseButton.LeftButton)
        assert not desk.view.isVisible()
        button = desk.card.everybody_button
        assert button.isVisible()
        button.setFocus()
        desk.press(Key.Key_Space)
        assert desk.view.isVisible()
        assert desk.chips()[0].isChecked()

    with_desk(run, work, *MANY)
