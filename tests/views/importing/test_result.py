"""What became of a list, as a page: by keyboard and by mouse."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QRadioButton, QVBoxLayout, QWidget

from app.api.errors import ApiError
from app.model.outbox import BatchRow, NewPerson, OutboxEntry
from app.tour.screen_reader import text_on_screen, visible
from app.tour.script import click
from app.viewmodels.importing.result import ResultScreen
from app.views.importing import result
from app.views.importing.result import ResultPage
from tests.viewmodels.conftest import AccountFixture

NO = ApiError("Refused", "The account takes one person per email.")


class Room:
    """The page of a list in which Bob was refused."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.screen = ResultScreen(account.outbox, account.events, account.scope)
        self.page = ResultPage(self.screen)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        QVBoxLayout(self.window).addWidget(self.page)
        self.window.resize(900, 500)
        self.corrected: list[OutboxEntry] = []
        self.screen.correction_wanted.connect(self.corrected.append)

    async def show(self, answer: ApiError = NO) -> None:
        account = self.account
        account.outbox.set_hold_seconds(0.0)
        account.scripted.answers = [None, answer]
        rows = [
            BatchRow(at, (name,), NewPerson(firstname=name))
            for at, name in enumerate(("Ada", "Bob"), 2)
        ]
        batch = await account.outbox.batches.take("lunch.xlsx", ("Name",), rows)
        await account.until(lambda: account.outbox.needs_person_count == 1)
        self.screen.open(batch.id)
        self.window.show()
        self.window.activateWindow()
        assert QTest.qWaitForWindowActive(self.window)
        await account.until(lambda: self.screen.table.rowCount() == 2)
        self.page.list.focus_first()

    def button(self, text: str) -> QPushButton:
        found = [one for one in visible(QPushButton) if isinstance(one, QPushButton)]
        return next(one for one in found if one.text() == text)


@pytest.fixture
async def room(account: AccountFixture) -> AsyncIterator[Room]:
    room = Room(account)
    await room.show()
    yield room
    shiboken6.delete(room.window)


async def test_enter_on_who_was_refused_has_them_corrected(room: Room) -> None:
    keys = room.page.list
    assert not room.button("Correct").isEnabled()
    QTest.keyClick(keys, Qt.Key.Key_Down)
    assert room.button("Correct").isEnabled()
    QTest.keyClick(keys, Qt.Key.Key_Return)
    assert [entry.new_person.firstname for entry in room.corrected] == ["Bob"]


async def test_enter_on_whom_nobody_is_sure_of_leads_to_where_that_is_answered(
    account: AccountFixture,
) -> None:
    room = Room(account)
    wanted: list[OutboxEntry] = []
    room.screen.entry_wanted.connect(wanted.append)
    lost = ApiError("Lost", "The answer got lost.", outcome_unknown=True)
    await room.show(lost)
    keys = room.page.list
    assert not room.button("Show in People").isEnabled()
    QTest.keyClick(keys, Qt.Key.Key_Down)
    QTest.keyClick(keys, Qt.Key.Key_Return)
    click(room.button("Show in People"))
    assert [entry.new_person.firstname for entry in wanted] == ["Bob", "Bob"]
    assert room.corrected == []
    shiboken6.delete(room.window)


async def test_a_chip_shows_its_rows_and_they_are_sent_again(room: Room) -> None:
    chips = [one for one in visible(QRadioButton) if isinstance(one, QRadioButton)]
    click(next(chip for chip in chips if chip.text() == "Refused 1"))
    assert "Ada" not in text_on_screen()
    room.page.list.focus_first()
    room.page.list.selectAll()
    click(room.button("Send again"))
    await room.account.until(lambda: "No row is like that." in text_on_screen())
    assert "1 sent again." in text_on_screen()


async def test_all_that_is_said_of_the_chosen_row_is_read_and_spoken_without_pointing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(result, "announce", lambda _widget, words: spoken.append(words))
    lead = "The account could not take Bob as they were written here. It says: "
    own = "there may be one person per email, and the office has to be asked about a second one."
    room.account.scripted.answers = [ApiError("No", lead + own, service_words=own)]
    room.screen.send_again([1])
    await room.account.until(lambda: room.screen.whole_words(1).endswith(own))
    whole = f"Bob. Refused: {lead}{own}"
    assert whole not in text_on_screen()
    before = room.page.list.geometry()
    QTest.keyClick(room.page.list, Qt.Key.Key_Down)
    assert whole in text_on_screen()
    assert spoken[-1] == whole
    assert room.page.list.geometry() == before
    room.page.list.selectAll()
    assert whole not in text_on_screen()


async def test_the_first_row_is_chosen_also_where_rows_come_after_the_page(room: Room) -> None:
    batch = room.account.outbox.batches.all()[0].id
    room.screen.open(batch)
    assert room.screen.table.rowCount() == 0
    room.page.list.focus_first()
    await room.account.until(lambda: room.screen.table.rowCount() == 2)
    assert room.page.list.chosen_rows == [0]
    assert "Ada. Added" in text_on_screen()


async def test_rows_are_copied(room: Room) -> None:
    room.page.list.selectAll()
    QTest.keyClick(room.page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "Refused: The account takes one" in QGuiApplication.clipboard().text()


async def test_what_was_copied_or_saved_is_said_without_moving_a_row(
    room: Room, tmp_path: Path
) -> None:
    rows = room.page.list
    before = rows.mapToGlobal(QPoint())
    click(room.button("Copy rows"))
    await room.account.until(lambda: "1 row copied." in text_on_screen())
    assert rows.mapToGlobal(QPoint()) == before
    room.screen.save(str(tmp_path / "lunch.csv"))
    await room.account.until(lambda: "saved in lunch.csv" in text_on_screen())
    QApplication.processEvents()
    assert rows.mapToGlobal(QPoint()) == before
