"""The history as a page: searched, walked, copied and saved, each by keyboard alone."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton, QVBoxLayout, QWidget

from app.model.outbox import NewPerson
from app.tour.screen_reader import named, text_on_screen
from app.viewmodels.importing.result import ResultScreen
from app.viewmodels.outbox.history import HistoryScreen
from app.views.outbox.history_page import HistoryPage
from app.views.widgets.search_field import SearchField
from tests.viewmodels.conftest import ADA
from tests.viewmodels.reconciling_account import ReconcilingAccountFixture
from tests.views.conftest import shown
from tests.views.moment import Moment

Run = Callable[[Coroutine[Any, Any, Any]], Any]
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class HistoryPageFixture:
    """The page in a window of its own, over a real outbox."""

    def __init__(self, account: ReconcilingAccountFixture) -> None:
        self.account = account
        self.screen = HistoryScreen(account.outbox, account.events, account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        results = ResultScreen(account.outbox, account.events, account.scope)
        self.page = HistoryPage(self.screen, results)
        rows = QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.page)
        self.window.resize(900, 540)
        self.closed: list[bool] = []
        self.page.closed.connect(self._hear)

    def _hear(self) -> None:
        self.closed.append(True)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        await self.account.until(
            lambda: bool(self.screen.state.count_words or self.screen.state.empty_words)
        )

    @property
    def keyboard(self) -> QWidget:
        focus = QApplication.focusWidget()
        assert focus is not None
        return focus

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(self.keyboard, key, modifiers)


def with_history(
    run: Run,
    tmp_path: Path,
    work: Callable[[HistoryPageFixture], Coroutine[Any, Any, None]],
    *names: str,
) -> None:
    """Do `work` at a page on which these were taken back, the last of them on top."""

    async def whole() -> None:
        account = ReconcilingAccountFixture(tmp_path / "private" / "outbox.db")
        await account.open()
        await account.list_people(ADA)
        for name in names:
            account.outbox.undo(account.outbox.add(name, NewPerson(firstname=name)).id)
        subject = HistoryPageFixture(account)
        async with shown(subject, account):
            await work(subject)

    run(whole())


def test_it_opens_on_the_search_and_typing_there_narrows_the_rows(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        assert isinstance(subject.keyboard, SearchField)
        assert "3 entries" in text_on_screen()
        # What it says while it is empty has the room that there is.
        assert subject.keyboard.width() == subject.keyboard.maximumWidth()
        QTest.keyClicks(subject.keyboard, "bjorn")
        await subject.account.until(lambda: "1 found" in text_on_screen())
        assert "Bjørn" in text_on_screen()
        assert "Ann" not in text_on_screen()
        QTest.keyClicks(subject.keyboard, "x")
        await subject.account.until(lambda: "Nothing here matches “bjornx”." in text_on_screen())
        assert not subject.page._save_button.isEnabled()

    with_history(run, tmp_path, work, "Ann", "Bjørn", "Cai")


def test_rows_are_walked_and_copied_by_keyboard(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        subject.press(Qt.Key.Key_Return)
        assert subject.keyboard is subject.page.list
        subject.press(Qt.Key.Key_Down)
        subject.press(Qt.Key.Key_Down, SHIFT)
        place = subject.page.list.mapTo(subject.window, QPoint())
        subject.press(Qt.Key.Key_C, CTRL)
        lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        assert [(line[1], line[3]) for line in lines[1:]] == [
            ("Bjørn", "Taken back, not sent"),
            ("Ann", "Taken back, not sent"),
        ]
        assert lines[0][1] == "Name"
        assert subject.page.list.mapTo(subject.window, QPoint()) == place
        assert QGuiApplication.clipboard().mimeData().hasHtml()
        assert "2 rows copied." in text_on_screen()
        subject.press(Qt.Key.Key_F, CTRL)

    with_history(run, tmp_path, work, "Ann", "Bjørn", "Cai")


def test_a_press_is_not_for_somebody_who_came_under_the_pointer_just_now(
    moment: Moment, run: Run, tmp_path: Path
) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        rows, account = subject.page.list, subject.account
        place = rows.visualRect(rows.model().index(1, 1)).center()
        QCursor.setPos(rows.viewport().mapToGlobal(place))
        await asyncio.sleep(0.05)
        account.outbox.undo(account.outbox.add("Dai", NewPerson(firstname="Dai")).id)
        await account.until(lambda: "4 entries" in text_on_screen())
        where = rows.viewport().mapTo(subject.window, place)
        press = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
        QTest.mouseClick(subject.window.windowHandle(), *press)
        assert rows.chosen_rows == []
        moment.passes()
        QTest.mouseClick(subject.window.windowHandle(), *press)
        assert rows.chosen_rows == [1]

    with_history(run, tmp_path, work, "Ann", "Bjørn", "Cai")


def test_it_is_saved_to_the_file_that_is_chosen(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        subject.press(Qt.Key.Key_S, CTRL)
        dialog = subject.page.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        assert dialog.defaultSuffix() == "csv"
        for kind in reversed(dialog.nameFilters()[:2]):
            dialog.selectNameFilter(kind)
            dialog.filterSelected.emit(kind)
            assert f"*.{dialog.defaultSuffix()}" in kind
        dialog.fileSelected.emit(str(tmp_path / "mine.csv"))
        dialog.reject()
        await subject.account.until(lambda: "1 row is saved in mine.csv." in text_on_screen())

    with_history(run, tmp_path, work, "Ann")
    assert "Ann" in (tmp_path / "mine.csv").read_text("utf-8-sig")


def test_escape_empties_the_search_and_then_leads_back(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        QTest.keyClicks(subject.keyboard, "zzz")
        await subject.account.until(lambda: bool(subject.screen.state.empty_words))
        subject.press(Qt.Key.Key_Escape)
        await subject.account.until(lambda: "1 entry" in text_on_screen())
        assert not subject.closed
        subject.press(Qt.Key.Key_Escape)
        assert len(subject.closed) == 1

    with_history(run, tmp_path, work, "Ann")


def test_what_is_left_is_forgotten_and_read_anew_when_it_is_gone_to(
    run: Run, tmp_path: Path
) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        QTest.keyClicks(subject.keyboard, "cai")
        await subject.account.until(lambda: subject.screen.table.rowCount() == 1)
        subject.page.hide()
        assert subject.screen.table.rowCount() == 0
        subject.page.show()
        await subject.account.until(lambda: "2 entries" in text_on_screen())
        assert subject.page.findChild(SearchField).text() == ""  # type: ignore[union-attr]  # it has one

    with_history(run, tmp_path, work, "Ann", "Cai")


def test_nothing_to_choose_is_nothing_to_copy(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        assert "Nobody has been typed here yet." in text_on_screen()
        copy = named("Copy rows", QPushButton)
        save = named("Save as a file", QPushButton)
        assert copy is not None
        assert save is not None
        assert not copy.isEnabled()
        assert not save.isEnabled()
        subject.press(Qt.Key.Key_S, CTRL)
        assert subject.page.findChild(QFileDialog) is None

    with_history(run, tmp_path, work)


def test_the_menu_of_a_row_and_enter_lead_to_whom_it_is_about(run: Run, tmp_path: Path) -> None:
    async def work(subject: HistoryPageFixture) -> None:
        wanted: list[object] = []
        subject.page.entry_wanted.connect(wanted.append)
        entry = subject.account.outbox.add("Zora", NewPerson(firstname="Zora", email="z@x.org"))
        await subject.account.until(lambda: subject.screen.table.rowCount() == 2)
        subject.press(Qt.Key.Key_Return)
        subject.press(Qt.Key.Key_Return)
        assert [getattr(each, "id", None) for each in wanted] == [entry.id]
        subject.press(Qt.Key.Key_Menu)
        (menu,) = [one for one in subject.page.findChildren(QMenu) if one.isVisible()]
        words = [each.text() for each in menu.actions() if not each.isSeparator()]
        assert words == ["Show in the list of people", "Copy row", "Copy email", "Copy name"]
        menu.actions()[3].trigger()
        assert QGuiApplication.clipboard().text() == "z@x.org"
        menu.close()
        # Who was taken back is in no list.
        subject.press(Qt.Key.Key_Down)
        subject.press(Qt.Key.Key_Return)
        assert len(wanted) == 1

    with_history(run, tmp_path, work, "Ann")
