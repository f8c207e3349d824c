"""The page on which a list is looked over: walked, edited and added by keyboard alone."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import shiboken6
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.importing.columns import ColumnField
from app.importing.verdicts import JudgedRows, RowKey
from app.model.person import Person
from app.settings.column_choices import ColumnChoices
from app.store.errors import StoreError
from app.tour.screen_reader import named, text_on_screen, visible
from app.viewmodels.importing.list_import import CopiedList, ListImport
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_table import Part
from app.views.importing.review_page import ReviewPage
from app.views.widgets.already_here import AlreadyHere
from tests.viewmodels.conftest import ADA, AccountFixture

if TYPE_CHECKING:
    from app.viewmodels.already_here import DuplicateHint

Run = Callable[[Coroutine[Any, Any, Any]], Any]
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
GRACE = Person(id="grace", firstname="Grace", lastname="Hopper", email="grace@x.org")
LIST = (
    "First name\tLast name\tEmail\tPhone\n"
    "Ada\tLovelace\tada@x.org\t0410 220 118\n"
    "Grace\tHopper\tgrace@x.org\t\n"
    "Zoë\tMüller\tzoe@gmial.com\t\n"
    "\t\tinfo@hall.example\t\n"
)


class ReviewPageFixture:
    """The page in a window of its own, over a real outbox."""

    def __init__(self, account: AccountFixture, screen: ReviewScreen) -> None:
        self.account = account
        self.screen = screen
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.page = ReviewPage(screen)
        rows = QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.page)
        self.window.resize(900, 540)
        self.closed: list[bool] = []
        self.page.closed.connect(self._hear)
        self.added: list[object] = []
        screen.added.connect(self.added.append)

    def _hear(self) -> None:
        self.closed.append(True)

    @property
    def keyboard(self) -> QWidget:
        focus = QApplication.focusWidget()
        assert focus is not None
        return focus

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(self.keyboard, key, modifiers)

    def type(self, text: str) -> None:
        """The first letter opens a line, which gets the others."""
        for letter in text:
            QTest.keyClicks(self.keyboard, letter)

    def go_to(self, row: int, part: Part) -> None:
        rows = self.page.list
        rows.setFocus()
        rows.setCurrentIndex(self.index(row, part))

    def index(self, row: int, part: Part) -> QModelIndex:
        return self.screen.table.index(row, self.screen.table.column_of(part))

    def button(self, words: str) -> QPushButton:
        shown = self.page.findChildren(QPushButton)
        return next(each for each in shown if each.isVisible() and each.text() == words)

    def click(self, words: str) -> None:
        QTest.mouseClick(self.button(words), Qt.MouseButton.LeftButton)

    def cell(self, row: int, part: Part) -> str:
        return str(self.index(row, part).data() or "")


def with_review(
    run: Run, work: Callable[[ReviewPageFixture], Coroutine[Any, Any, None]], text: str = LIST
) -> None:
    """Do `work` at a page on which this list is looked over; Ada is in the account."""

    async def whole() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(ADA)
        await account.settle_duplicates()
        lists = ListImport(
            account.outbox,
            account.duplicates,
            account.settings,
            choices=ColumnChoices(None),
            events=account.events,
            scope=account.scope,
        )
        opened: list[ReviewScreen] = []
        lists.opened.connect(opened.append)
        lists.add_from_list(CopiedList(text))
        await account.until(lambda: bool(opened))
        subject = ReviewPageFixture(account, opened[0])
        try:
            subject.window.show()
            subject.window.activateWindow()
            await account.until(subject.window.isActiveWindow)
            await work(subject)
        finally:
            shiboken6.delete(subject.window)
            await account.close()
        assert account.crashes == []

    run(whole())


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


def test_delete_leaves_rows_out_and_takes_them_in(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(1, Part.FIRSTNAME)
        subject.press(Qt.Key.Key_Delete)
        assert subject.cell(1, Part.VERDICT) == "left out"
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


def panel() -> AlreadyHere | None:
    return next((each for each in visible(AlreadyHere) if isinstance(each, AlreadyHere)), None)


def place_in(page: QWidget, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(page, QPoint()), widget.size())


def test_whoever_is_here_stands_below_the_cell_that_is_typed_into(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(3, Part.EMAIL)
        subject.press(Qt.Key.Key_F2)
        subject.press(Qt.Key.Key_A, CTRL)
        stood = [place_in(subject.page, each) for each in subject.page.findChildren(QPushButton)]
        QTest.keyClicks(subject.keyboard, "ada@x.org")
        here = panel()
        assert here is not None
        for words in ("Already here?", "Ada Lovelace", "ada@x.org", "same email", "Alt+1"):
            assert words in text_on_screen()
        cell = place_in(subject.page, subject.keyboard)
        assert 0 < here.geometry().top() - cell.bottom() < 10
        assert "same email" in subject.keyboard.accessibleDescription()
        buttons = subject.page.findChildren(QPushButton)
        mine = [each for each in buttons if not here.isAncestorOf(each)]
        assert [place_in(subject.page, each) for each in mine] == stood, "nothing moves"
        subject.press(Qt.Key.Key_Escape)
        assert panel() is None

    with_review(run, work)


def test_one_who_is_here_stands_below_where_there_is_room_for_three(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.window.resize(900, 420)
        subject.go_to(2, Part.EMAIL)
        subject.type("ada@x.org")
        here = panel()
        assert here is not None
        row = here.buttons[0].parentWidget()
        assert isinstance(row, QWidget)
        cell, viewport = place_in(subject.page, subject.keyboard), subject.page.list.viewport()
        three = here.height() + 2 * (row.height() + 6)
        assert place_in(subject.page, viewport).bottom() - cell.bottom() > three + 5
        assert here.geometry().top() > cell.bottom()

    with_review(run, work)


def test_whoever_is_here_covers_no_button_of_the_foot_and_not_the_cell(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        three = [Person(id=each, firstname="Mary", lastname="Quimby", email=None) for each in "bcd"]
        await subject.account.list_people(*three)
        await subject.account.settle_duplicates()
        sides = set()
        for row in (0, 2, 4, 6, 39):
            subject.go_to(row, Part.LASTNAME)
            subject.type("Quimby")
            here = panel()
            assert here is not None
            await asyncio.sleep(0.01)
            for words in filter(QLabel.isVisible, here.findChildren(QLabel)):
                assert here.rect().contains(place_in(here, words)), words.text()
            assert len([each for each in here.buttons if each.isVisible()]) == len(three)
            assert subject.page.rect().contains(here.geometry())
            cell = place_in(subject.page, subject.keyboard)
            sides.add(here.geometry().top() > cell.bottom())
            for each in (subject.page.add_button, subject.button("Discard"), subject.keyboard):
                assert not here.geometry().intersects(place_in(subject.page, each))
            subject.page.list.verticalScrollBar().setValue(0 if row == 39 else 10**6)
            assert panel() is None, "the cell is out of sight"
            subject.press(Qt.Key.Key_Escape)
        assert sides == {True, False}

    with_review(run, work, "First name\tLast name\n" + "Mary\tNobody\n" * 40)


def test_alt_and_a_number_open_that_person_and_the_cell_keeps_its_text(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        opened: list[tuple[DuplicateHint, object]] = []
        subject.page.person_wanted.connect(lambda *told: opened.append(told))
        subject.go_to(3, Part.EMAIL)
        subject.press(Qt.Key.Key_1, ALT)
        subject.press(Qt.Key.Key_A, CTRL)
        subject.type("ada@x.org")
        subject.press(Qt.Key.Key_2, ALT)
        assert opened == []
        subject.press(Qt.Key.Key_1, ALT)
        ((hint, screen),) = opened
        assert (hint.name, screen) == ("Ada Lovelace", subject.screen)
        assert panel() is None
        assert subject.cell(3, Part.EMAIL) == "ada@x.org"
        subject.page.hide()
        subject.page.show()
        line = subject.keyboard
        assert isinstance(line, QLineEdit)
        assert (line.text(), line.selectedText()) == ("ada@x.org", "")
        assert panel() is not None
        subject.type(".au")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        assert subject.cell(3, Part.EMAIL) == "ada@x.org.au"
        subject.page.hide()
        subject.page.show()
        assert not isinstance(subject.keyboard, QLineEdit), "once only"

    with_review(run, work)


def test_a_click_opens_somebody_who_has_stood_there_for_a_moment(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        opened: list[DuplicateHint] = []
        subject.page.person_wanted.connect(lambda hint, _screen: opened.append(hint))
        subject.go_to(3, Part.EMAIL)
        subject.type("ada@x.org")
        way = named("Open Ada Lovelace", QPushButton)
        assert way is not None
        QTest.mouseClick(way, Qt.MouseButton.LeftButton)
        assert opened == [], "somebody else may have stood there"
        assert isinstance(subject.keyboard, QLineEdit), "the cell keeps the keyboard"
        await asyncio.sleep(0.45)
        QTest.mouseClick(way, Qt.MouseButton.LeftButton)
        assert [hint.name for hint in opened] == ["Ada Lovelace"]

    with_review(run, work)


def test_who_may_be_here_is_read_out_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def announce(_widget: object, sentence: str) -> None:
        heard.append(sentence)

    monkeypatch.setattr("app.views.importing.review_page.announce", announce)

    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(3, Part.EMAIL)
        subject.type("ada@x.org")
        said = "Already here? Ada Lovelace, ada@x.org, same email"
        assert [words for words in heard if words.startswith(said)] == heard[-1:]
        before = len(heard)
        subject.type(" ")
        assert len(heard) == before

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


def test_last_names_that_may_be_left_out_are_told_above_the_rows_with_what_takes_them_in(
    run: Run,
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        said = named(
            "Everybody here is added with a first name alone. “Sippe” looks like their last "
            "names, and is not sent.",
            QLabel,
        )
        take = named("Take it for the last name", QPushButton)
        assert said is not None
        assert isinstance(take, QPushButton)
        rows = subject.page.list
        assert said.mapToGlobal(QPoint()).y() < rows.mapToGlobal(QPoint()).y()
        take.setFocus()
        subject.press(Qt.Key.Key_Space)
        await subject.account.until(lambda: not take.isVisible())
        assert not said.isVisible()
        assert subject.keyboard is rows
        assert subject.cell(0, Part.LASTNAME) == "Hopper"

    with_review(run, work, "Vorname\tMail\tTelefon\tSippe\nGrace\tg@x.org\t1\tHopper\n")


def test_half_a_name_left_out_on_purpose_is_not_spoken_of_any_more(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        screen = subject.screen
        said = named(screen.state.half_missing_words, QLabel)
        assert said is not None
        screen.take_column(3, ColumnField.OTHER)
        assert not said.isVisible()
        screen.undo()
        assert said.isVisible()

    with_review(run, work, "Vorname\tMail\tTelefon\tSippe\nGrace\tg@x.org\t1\tHopper\n")


def test_where_both_halves_of_the_names_are_taken_nothing_is_said_of_it(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        assert subject.screen.state.half_missing is None
        assert named("Take it for the last name", QPushButton) is None

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


def test_what_comes_by_itself_moves_nothing_below_a_pointer_on_its_way(run: Run) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        chip, save = named("Needs a name 1", QAbstractButton), subject.button("Save as a list")
        assert chip is not None

        def places() -> list[QPoint]:
            return [each.mapTo(subject.window, QPoint()) for each in (chip, save)]

        def point(right: int) -> None:
            QCursor.setPos(chip.mapToGlobal(QPoint(4 + right, 4)))

        point(0)
        before = places()
        await subject.account.list_people(GRACE)
        for right in range(1, 12):
            point(right % 4)
            await asyncio.sleep(0.05)
            assert places() == before
        await subject.account.until(lambda: "Already here 1" in text_on_screen())
        assert places()[0] != before[0]
        assert places()[1] == before[1]
        press = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(
            subject.window.windowHandle(), *press, subject.window.mapFromGlobal(QCursor.pos())
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


CROWD = LIST.splitlines()[0] + "\n"
CROWD += "".join(f"Bo\tZz{number:x}\toffice@x.org\t\n" for number in range(1_000))
"""Who stands for all others of one name at one email is another: all are compared anew."""


@pytest.fixture
def slow_comparing(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What is done behind the scenes ends when this is set."""
    go_on = threading.Event()
    look_again = JudgedRows.look_again

    def slowly(rows: JudgedRows, key: RowKey) -> set[int]:
        if threading.current_thread() is not threading.main_thread():
            go_on.wait(5)
            go_on.set()  # whoever failed meanwhile sets it no more
        return look_again(rows, key)

    monkeypatch.setattr(JudgedRows, "look_again", slowly)
    yield go_on
    go_on.set()


@pytest.mark.parametrize("begin", ["typed", "F2"])
def test_a_cell_is_typed_into_while_one_of_a_crowd_is_compared(
    run: Run, slow_comparing: threading.Event, begin: str
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.screen.look(on=True)
        subject.go_to(5, Part.FIRSTNAME)
        if begin == "F2":
            subject.press(Qt.Key.Key_F2)
        else:
            subject.type("Cyr")
        line = subject.keyboard
        assert isinstance(line, QLineEdit)
        subject.account.add("Bo", "Zz0", "office@x.org")
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is line
        subject.type("il")
        slow_comparing.set()
        await subject.account.until(lambda: subject.cell(0, Part.VERDICT) == "already here")
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is line
        subject.press(Qt.Key.Key_Return)
        name = "Bo" if begin == "F2" else "Cyr"
        await subject.account.until(lambda: subject.cell(5, Part.FIRSTNAME) == name + "il")
        assert subject.page.list.hasFocus()

    with_review(run, work, CROWD)


def test_behind_enter_the_keyboard_is_on_the_rows_and_what_is_typed_waits_its_turn(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        told: list[object] = []
        subject.screen.verdict_told.connect(told.append)
        subject.go_to(0, Part.FIRSTNAME)
        subject.type("Cy")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is subject.page.list
        subject.press(Qt.Key.Key_Right)
        subject.type("King")
        subject.press(Qt.Key.Key_Tab)
        subject.type("cy@x.org")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.keyboard is subject.page.list)
        subject.press(Qt.Key.Key_Delete)
        subject.go_to(1, Part.FIRSTNAME)
        subject.type("Di")
        line = subject.keyboard
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is line
        subject.press(Qt.Key.Key_Escape)
        row = [subject.cell(0, part) for part in (Part.FIRSTNAME, Part.LASTNAME, Part.EMAIL)]
        assert row == ["Cy", "King", "cy@x.org"]
        assert subject.cell(0, Part.VERDICT) == "left out"
        assert len(told) == 3
        # The last that was done is undone first.
        for _ in range(2):
            subject.page.undo()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert (subject.cell(0, Part.EMAIL), subject.cell(0, Part.LASTNAME)) == (
            "office@x.org",
            "King",
        )

    with_review(run, work, CROWD)


def test_nobody_is_added_while_rows_are_compared_and_that_is_said(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.screen.look(on=True)
        assert subject.keyboard is subject.page.add_button
        subject.account.add("Bo", "Zz0", "office@x.org")
        await subject.account.until(lambda: subject.screen.state.busy)
        assert subject.keyboard is subject.page.add_button
        assert "Nobody is added before that is done." in text_on_screen()
        subject.press(Qt.Key.Key_Return)
        await asyncio.sleep(0.05)
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert "Nobody is added before" not in text_on_screen()
        assert not subject.added
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: bool(subject.added))

    with_review(run, work, CROWD + "Grace\tHopper\tgrace@x.org\t\n")


def test_no_cell_is_opened_while_others_are_about_to_stand_in_the_rows(
    run: Run, slow_comparing: threading.Event
) -> None:
    async def work(subject: ReviewPageFixture) -> None:
        subject.go_to(0, Part.FIRSTNAME)
        subject.type("Cy")
        subject.press(Qt.Key.Key_Return)
        await subject.account.until(lambda: subject.screen.state.busy)
        subject.screen.take_column(0, ColumnField.LASTNAME)
        subject.screen.take_column(1, ColumnField.FIRSTNAME)
        for key in (Qt.Key.Key_F2, Qt.Key.Key_X, Qt.Key.Key_Delete):
            subject.press(key)
            assert subject.keyboard is subject.page.list
        slow_comparing.set()
        await subject.account.until(lambda: not subject.screen.state.busy)
        assert subject.keyboard is subject.page.list
        assert [subject.cell(1, part) for part in (Part.FIRSTNAME, Part.LASTNAME)] == ["Zz1", "Bo"]
        assert "left out" not in {subject.cell(row, Part.VERDICT) for row in range(1_000)}

    with_review(run, work, CROWD)


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
