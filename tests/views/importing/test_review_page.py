"""The page on which a list is looked over: what it says, its columns, what leaves it."""

import asyncio
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QPushButton,
)

from app.importing.columns import ColumnField
from app.store.errors import StoreError
from app.tour.screen_reader import named, text_on_screen
from app.viewmodels.importing.review_table import Part
from app.views.cell_table.cell_delegate import MARGIN
from app.views.widgets.labels import advance
from tests.viewmodels.conftest import ADA
from tests.views.importing.review_window import (
    ALT,
    CTRL,
    GRACE,
    LIST,
    ReviewPageFixture,
    Run,
    with_review,
)
from tests.views.moving_pointer import MovingPointer


def test_enter_adds_everybody_who_is_ready_as_soon_as_the_page_is_there(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        assert "Add 1 person" in text_on_screen()
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: bool(subject.added))
        names = [entry.new_person.full_name for entry in subject.account.outbox.entries()]
        assert names == ["Grace Hopper"]

    with_review(run, work)


def test_the_page_says_what_is_in_the_list(run: Run) -> None:
    async def work(_subject: ReviewPageFixture) -> None:
        seen = text_on_screen()
        for words in ("4 rows", "Ready 1", "Already here 1", "3 rows are left out", "“Phone” is"):
            assert words in seen
        assert "Twice in this list" not in seen

    with_review(run, work)


def test_a_heading_leads_to_what_its_column_is_taken_for(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.EMAIL)
        subject.press(Qt.Key.Key_Down, ALT)
        menu = subject.page.findChild(QMenu)
        assert isinstance(menu, QMenu)
        chosen = [action.text() for action in menu.actions() if action.isChecked()]
        assert chosen == ["Email"]
        next(each for each in menu.actions() if "Not sent" in each.text()).trigger()
        menu.close()
        assert subject.cell(1, Part.EMAIL) == ""

    with_review(run, work)


def test_discarding_what_was_changed_is_asked_for_once_more(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        discarded: list[bool] = []
        subject.screen.ended.connect(lambda: discarded.append(True))
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Delete)
        subject.click("Discard")
        assert not discarded
        subject.click("Discard for good")
        assert discarded

    with_review(run, work)


def test_a_list_that_was_changed_before_has_one_way_to_discard_it(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Delete)
        again = ReviewPageFixture(subject.account, subject.screen)
        try:
            again.window.show()
            await subject.account.until(again.page.isVisible)
            shown = [
                each.text() for each in again.page.findChildren(QPushButton) if each.isVisible()
            ]
            assert "Discard" in shown
            assert "Discard for good" not in shown
        finally:
            shiboken6.delete(again.window)

    with_review(run, work)


def test_the_second_click_of_two_discards_nothing(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        discarded: list[bool] = []
        subject.screen.ended.connect(lambda: discarded.append(True))
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Delete)
        width = subject.button("Discard").width()
        for part in (4, width // 2, width - 4):
            place = subject.button("Discard").mapTo(subject.window, QPoint(part, 8))
            for seen in ("Discard for good", "Save as a list"):
                under = subject.window.childAt(place)
                assert isinstance(under, QPushButton)
                QTest.mouseClick(under, Qt.MouseButton.LeftButton)
                await asyncio.sleep(0.01)
                assert seen in text_on_screen()
            assert "Discard for good" not in text_on_screen()
        assert not discarded

    with_review(run, work)


def test_the_question_whether_to_discard_stays_whatever_happens_meanwhile(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(2, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Delete)
        subject.click("Discard")
        await subject.account.list_people(ADA, GRACE)
        await subject.account.until(lambda: "Already here 2" in text_on_screen())
        assert "Discard for good" in text_on_screen()
        subject.page.undo()
        assert "Discard for good" not in text_on_screen()

    with_review(run, work)


def test_what_comes_by_itself_moves_nothing_below_a_pointer_on_its_way(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        chip, save = named("Needs a name 1", QAbstractButton), subject.button("Save as a list")
        assert chip is not None

        def places() -> list[QPoint]:
            return [each.mapTo(subject.window, QPoint()) for each in (chip, save)]

        pointer = MovingPointer(chip.mapToGlobal(QPoint(4, 4)))
        monkeypatch.setattr("app.views.widgets.pointer.QCursor", pointer)
        before = places()
        await subject.account.list_people(GRACE)
        for _ in range(11):
            await asyncio.sleep(0.05)
            assert places() == before
        pointer.rest()
        await subject.account.until(lambda: "Already here 1" in text_on_screen())
        assert places()[0] != before[0]
        assert places()[1] == before[1]
        press = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(
            subject.window.windowHandle(), *press, subject.window.mapFromGlobal(pointer.pos())
        )
        assert subject.screen.state.shown is None

    with_review(run, work, LIST.replace("Ada\tLovelace\tada@x.org\t0410 220 118\n", ""))


def test_the_mouse_takes_a_repair_and_has_a_menu_for_the_rest(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        rows = subject.page.list
        place = rows.visualRect(subject.index(2, Part.DETAIL)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert subject.cell(2, Part.EMAIL) == "zoe@gmail.com"
        subject.go_to(1, Part.FIRSTNAME)
        rows.menu_wanted.emit(rows.mapToGlobal(place))
        menu = subject.page.findChild(QMenu)
        assert isinstance(menu, QMenu)
        next(each for each in menu.actions() if each.text() == "Leave out").trigger()
        menu.close()
        assert subject.cell(1, Part.VERDICT) == "left out"

    with_review(run, work)


def test_the_rows_are_painted_as_they_were_while_all_of_them_are_read_anew(run: Run) -> None:
    rows = "".join(f"Ada{n}\tKing\tada{n}@y.org\t\n" for n in range(1_500))

    async def work(subject: ReviewPageFixture) -> None:
        subject.page.list.scrollToBottom()
        subject.screen.take_column(2, ColumnField.OTHER)
        painted = 0
        while subject.screen.state.busy:
            subject.page.list.viewport().repaint()
            painted += 1
            await asyncio.sleep(0)
        assert painted
        assert subject.cell(1_499, Part.EMAIL) == ""

    with_review(run, work, LIST.splitlines()[0] + "\n" + rows)


def test_what_was_saved_is_said_without_moving_a_row(run: Run, tmp_path: Path) -> None:
    async def work(page: ReviewPageFixture) -> None:
        before = page.page.list.mapToGlobal(QPoint())
        page.screen.save(str(tmp_path / "lunch.csv"))
        await page.account.until(lambda: "4 rows are saved in lunch.csv" in text_on_screen())
        QApplication.processEvents()
        assert page.page.list.mapToGlobal(QPoint()) == before

    with_review(run, work)


def test_columns_for_which_there_is_no_room_are_counted_and_scrolled_to(run: Run) -> None:
    async def work(page: ReviewPageFixture) -> None:
        counts = []
        rows, columns = page.page.list, page.screen.table.columns
        header = rows.horizontalHeader()

        def beyond() -> list[str]:
            """The headings behind the right edge, from the left."""
            wide = rows.viewport().width()
            places = {header.sectionViewportPosition(at): at for at in range(len(columns))}
            return [columns[places[x]].heading for x in sorted(places) if x >= wide]

        for width in (1900, 900, 700):
            page.window.resize(width, 540)
            await asyncio.sleep(0.1)
            counts.append(len(beyond()))
            said = {1: "1 more column ▾"}.get(counts[-1], f"{counts[-1]} more columns ▾")
            assert page.button(said).accessibleName() == "Columns"
        assert counts == [1, 2, 3]
        assert beyond() == ["Voice", "Room", "Remark"]
        page.go_to(0, Part.DETAIL)
        for _ in range(3):
            page.press(Qt.Key.Key_Right)
        assert rows.currentIndex().data() == "c"
        assert rows.viewport().rect().contains(rows.visualRect(rows.currentIndex()))
        assert beyond() == []
        for _ in range(4):
            page.press(Qt.Key.Key_Left)
        page.press(Qt.Key.Key_Home)
        assert beyond() == ["Voice", "Room", "Remark"]
        assert rows.horizontalScrollBar().isVisible()

    text = "First name\tLast name\tEmail\tVoice\tRoom\tRemark\nAda\tLovelace\tada@x.org\ta\tb\tc\n"
    with_review(run, work, text)


def test_an_email_is_never_cut_and_details_are_scrolled_to_where_they_have_no_room(
    run: Run,
) -> None:
    long_name, email = "Maximiliane-Konstantina", "maximiliane.konstantina@stadtrand.example"

    async def work(page: ReviewPageFixture) -> None:
        rows, table = page.page.list, page.screen.table
        await page.account.until(lambda: page.cell(1, Part.VERDICT) == "already here")
        for width in (700, 1900):
            page.window.resize(width, 540)
            await asyncio.sleep(0.1)
            wide = {
                part: rows.columnWidth(table.column_of(part)) - 2 * MARGIN
                for part in (Part.EMAIL, Part.DETAIL)
            }
            said = page.cell(1, Part.DETAIL)
            assert said.startswith("Ada Lovelace, ")
            assert wide[Part.EMAIL] >= advance(email, rows.fontMetrics())
            assert wide[Part.DETAIL] >= advance(said, rows.fontMetrics())
            assert rows.horizontalScrollBar().isVisible() is (width == 700)
            page.go_to(1, Part.DETAIL)
            assert rows.viewport().rect().right() >= rows.visualRect(rows.currentIndex()).right()
            page.press(Qt.Key.Key_Home)
        last = rows.columnWidth(table.column_of(Part.LASTNAME)) - 2 * MARGIN
        assert last >= advance(long_name, rows.fontMetrics())

    text = f"First name\tLast name\tEmail\nZoë\t{long_name}\t{email}\nAda\tLovelace\tada@x.org\n"
    with_review(run, work, text)


def test_who_only_scrolls_with_the_mouse_has_chosen_nobody(run: Run) -> None:
    async def work(page: ReviewPageFixture) -> None:
        page.window.resize(700, 540)
        await asyncio.sleep(0.1)
        bar = page.page.list.horizontalScrollBar()
        page.page.add_button.setFocus()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.rect().center())
        assert page.page.list.hasFocus()
        page.press(Qt.Key.Key_Delete)
        assert page.cell(0, Part.VERDICT) == "ready"

    text = "First name\tLast name\tEmail\tVoice\tRoom\tRemark\nZoë\tQuist\tz@x.org\ta\tb\tc\n"
    with_review(run, work, text)


def test_where_there_is_room_for_all_nothing_scrolls(run: Run) -> None:
    async def work(page: ReviewPageFixture) -> None:
        await asyncio.sleep(0.1)
        assert not page.page.list.horizontalScrollBar().isVisible()
        assert page.button("Columns ▾").isVisible()

    with_review(run, work, "First name\tLast name\tEmail\nAda\tLovelace\tada@x.org\n")


@pytest.mark.parametrize("where", ["rows", "button"])
def test_the_keyboard_stays_where_it_is_when_nobody_can_be_added(
    run: Run, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    async def take(*_: object, **_named: object) -> None:
        await asyncio.sleep(0.01)
        raise StoreError("The disk is full.", "Nobody is added.")

    async def work(subject: ReviewPageFixture) -> None:
        monkeypatch.setattr(subject.account.outbox.batches, "take", take)
        if where == "rows":
            subject.go_to(1, Part.FIRSTNAME)
        before = subject.keyboard
        subject.press(Qt.Key.Key_Return, CTRL)
        await subject.account.until(lambda: subject.screen.state.is_added)
        subject.press(Qt.Key.Key_F2)
        await subject.account.until(lambda: subject.screen.state.trouble)
        assert subject.keyboard is before

    with_review(run, work)
