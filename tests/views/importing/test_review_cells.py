"""The cells of a list by keyboard: typed into, gone through, put right, left out."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QLineEdit,
    QMenu,
)

from app.tour.screen_reader import named, text_on_screen
from app.viewmodels.importing.review_table import BESIDE_REPAIR_ROLE, REPAIR_ROLE, Part
from app.viewmodels.menu_items import MenuItem
from app.views.widgets.menus import RowMenu
from tests.views.importing.review_window import (
    ALT,
    CTRL,
    SHIFT,
    ReviewPageFixture,
    Run,
    with_review,
)


def test_a_cell_is_typed_into_and_tab_goes_on_to_the_next(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(3, Part.FIRSTNAME)
        QTest.keyClicks(subject.keyboard, "H")
        assert isinstance(subject.keyboard, QLineEdit)
        QTest.keyClicks(subject.keyboard, "all")
        subject.press(Qt.Key.Key_Tab)
        QTest.keyClicks(subject.keyboard, "Office")
        subject.press(Qt.Key.Key_Tab)
        assert subject.page.list.currentIndex() == subject.index(3, Part.EMAIL)
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert (subject.cell(3, Part.FIRSTNAME), subject.cell(3, Part.LASTNAME)) == (
            "Hall",
            "Office",
        )
        assert subject.cell(3, Part.VERDICT) == "ready"

    with_review(run, work)


def test_typing_behind_tab_replaces_what_stands_in_the_next_cell(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.type("Neu")
        subject.press(Qt.Key.Key_Tab)
        # Who that may be is known by now, and told beside the cell.
        subject.screen.table.tell([1])
        QTest.keyClicks(subject.keyboard, "Zwei")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert (subject.cell(1, Part.FIRSTNAME), subject.cell(1, Part.LASTNAME)) == ("Neu", "Zwei")

    with_review(run, work)


def test_what_is_typed_stays_when_something_is_said_of_its_row(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.type("Neu")
        subject.screen.table.tell([1])
        QTest.keyClicks(subject.keyboard, "er")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert subject.cell(1, Part.FIRSTNAME) == "Neuer"

    with_review(run, work)


@pytest.mark.parametrize("begin", ["F2", "Enter", "double click"])
def test_f2_enter_and_a_double_click_go_on_behind_what_stands_there(run: Run, begin: str) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.LASTNAME)
        if begin == "double click":
            rows = subject.page.list
            place = rows.visualRect(subject.index(1, Part.LASTNAME)).center()
            QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
            QTest.mouseDClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
        else:
            subject.press(Qt.Key.Key_F2 if begin == "F2" else Qt.Key.Key_Return)
        QTest.keyClicks(subject.keyboard, "s")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert subject.cell(1, Part.LASTNAME) == "Hoppers"

    with_review(run, work)


def test_tab_behind_the_email_leads_to_the_next_row_and_back(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(0, Part.EMAIL)
        subject.press(Qt.Key.Key_F2)
        subject.press(Qt.Key.Key_Tab)
        assert subject.page.list.currentIndex() == subject.index(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Backtab, SHIFT)
        assert subject.page.list.currentIndex() == subject.index(0, Part.EMAIL)

    with_review(run, work)


def test_escape_leaves_the_cell_as_it_was_and_then_the_page(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_F2)
        QTest.keyClicks(subject.keyboard, "X")
        subject.press(Qt.Key.Key_Escape)
        assert subject.cell(1, Part.FIRSTNAME) == "Grace"
        assert not subject.closed
        subject.press(Qt.Key.Key_Escape)
        assert subject.closed

    with_review(run, work)


def test_alt_m_puts_the_email_right_and_undo_brings_it_back(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(2, Part.EMAIL)
        subject.press(Qt.Key.Key_M, ALT)
        assert subject.cell(2, Part.EMAIL) == "zoe@gmail.com"
        assert "Add 2 people" in text_on_screen()
        assert subject.page.undo()
        assert subject.cell(2, Part.EMAIL) == "zoe@gmial.com"
        subject.press(Qt.Key.Key_Z, CTRL | SHIFT)
        assert subject.cell(2, Part.EMAIL) == "zoe@gmail.com"

    with_review(run, work)


def test_alt_m_right_away_goes_to_the_first_row_that_has_a_repair(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.press(Qt.Key.Key_M, ALT)
        assert subject.cell(2, Part.EMAIL) == "zoe@gmail.com"
        assert subject.page.list.chosen == [2]
        assert subject.keyboard is subject.page.list

    with_review(run, work)


def test_alt_m_divides_a_whole_name_that_was_typed_as_a_first_name(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        for part, text in ((Part.LASTNAME, ""), (Part.FIRSTNAME, "Ada Lovelace")):
            subject.screen.table.setData(subject.index(1, part), text)
        detail = subject.index(1, Part.DETAIL)
        assert detail.data(REPAIR_ROLE) == "last name Lovelace"
        # What else is to be said stands behind it.
        assert detail.data(BESIDE_REPAIR_ROLE) == ""
        for row in (1, 2):
            subject.screen.table.setData(subject.index(row, Part.EMAIL), "both@x.org")
        assert detail.data(REPAIR_ROLE) == "last name Lovelace"
        assert detail.data(BESIDE_REPAIR_ROLE).startswith("same email")
        subject.press(Qt.Key.Key_M, ALT)
        halves = subject.cell(1, Part.FIRSTNAME), subject.cell(1, Part.LASTNAME)
        assert halves == ("Ada", "Lovelace")
        assert subject.page.list.currentIndex() == subject.index(1, Part.FIRSTNAME)

    with_review(run, work)


def test_delete_leaves_rows_out_and_takes_them_in(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        assert "What was copied (Grace Hopper …)" in text_on_screen()
        subject.press(Qt.Key.Key_Delete)
        assert subject.cell(1, Part.VERDICT) == "left out"
        assert "What was copied (Ada Lovelace …)" in text_on_screen()
        assert not subject.page.add_button.isEnabled()
        subject.press(Qt.Key.Key_Delete)
        assert subject.page.add_button.isEnabled()

    with_review(run, work)


def test_insert_takes_rows_in_and_the_menu_says_which_key_does_what(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Insert)
        assert subject.cell(1, Part.VERDICT) == "ready"
        assert _keys_in_menu(subject) == {"Leave out": "Del"}
        subject.press(Qt.Key.Key_Delete)
        assert subject.cell(1, Part.VERDICT) == "left out"
        assert _keys_in_menu(subject) == {"Take in": "Ins"}
        subject.press(Qt.Key.Key_Insert)
        assert subject.cell(1, Part.VERDICT) == "ready"

    with_review(run, work)


def test_the_menu_is_that_of_the_row_as_typed_and_does_what_its_line_says(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(2, Part.EMAIL)
        before = subject.page.row_menu()
        subject.press(Qt.Key.Key_F2)
        subject.press(Qt.Key.Key_A, CTRL)
        subject.type("zoe@gmail.com")
        assert isinstance(subject.keyboard, QLineEdit)
        now = subject.page.row_menu()
        assert before is not None
        assert now is not None
        assert [item.words for item, _ in _lines(before)] == ["Use zoe@gmail.com", "Take in"]
        assert [item.words for item, _ in _lines(now)] == ["Leave out"]
        assert subject.cell(2, Part.VERDICT) == "ready"
        for (item, act), verdict in (
            (_lines(before)[-1], "ready"),
            (_lines(now)[-1], "left out"),
            (_lines(now)[-1], "left out"),
        ):
            act(item)
            assert subject.cell(2, Part.VERDICT) == verdict

    with_review(run, work)


def _lines(menu: RowMenu) -> list[tuple[MenuItem, Callable[[MenuItem], object]]]:
    groups, act = menu
    return [(item, act) for group in groups for item in group if isinstance(item, MenuItem)]


def _keys_in_menu(subject: ReviewPageFixture) -> dict[str, str]:
    rows = subject.page.list
    rows.menu_wanted.emit(rows.mapToGlobal(rows.rect().center()))
    menu = subject.page.findChildren(QMenu)[-1]
    menu.close()
    rows.setFocus()
    return {each.text(): each.shortcut().toString() for each in menu.actions()}


def test_enter_in_the_rows_changes_a_cell_and_never_adds(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.LASTNAME)
        subject.press(Qt.Key.Key_Return)
        assert isinstance(subject.keyboard, QLineEdit)
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert not subject.added
        subject.press(Qt.Key.Key_Return, CTRL)
        await subject.account.until(lambda: bool(subject.added))

    with_review(run, work)


@pytest.mark.parametrize("done", ["chip", "column", "Ctrl+Enter"])
def test_what_is_typed_is_taken_before_anything_else_is_done(run: Run, done: str) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.type("Gracia")
        if done == "chip":
            chip = named("Ready 1", QAbstractButton)
            assert chip is not None
            QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        elif done == "column":
            subject.page.list.heading_menu_wanted.emit(3, QPoint())
            menu = subject.page.findChild(QMenu)
            assert isinstance(menu, QMenu)
            next(each for each in menu.actions() if "Not sent" in each.text()).trigger()
            menu.close()
        else:
            subject.press(Qt.Key.Key_Return, CTRL)
            await subject.account.until(lambda: bool(subject.added))
        assert [row.firstname for row in subject.screen.review.rows if row.line == 3] == ["Gracia"]

    with_review(run, work)
