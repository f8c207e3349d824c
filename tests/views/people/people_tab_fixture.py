"""A People card in a window of its own, over a real list, with the keys a person has."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.model.person import Person
from app.viewmodels.people.people import PeopleScreen
from app.viewmodels.people.table import Column
from app.views.people.people_tab import PeopleCard
from app.views.people.people_table import PeopleTableView
from app.views.widgets.chips import Chip
from tests.viewmodels.conftest import AccountFixture
from tests.views import pictures
from tests.views.conftest import shown

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Work = Callable[["PeopleTabFixture"], Coroutine[Any, Any, None]]
NO = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


def crowd(count: int) -> list[Person]:
    """`P000` and so on, every third a volunteer, added one after the other from the last on."""
    return [
        Person(id=f"p{n}", firstname=f"P{n:03}", email=f"{n}@x.org", volunteer=n % 3 == 0)
        for n in range(count)
    ]


class PeopleTabFixture:
    """The window, what stands below it, and the keys."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.screen = PeopleScreen(account.directory, account.outbox, account.events, account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.card = PeopleCard(self.screen)
        rows = QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.card)
        self.window.resize(800, 500)

    @property
    def view(self) -> PeopleTableView:
        return self.card.list

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        if self.view.isVisible():
            self.view.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        self.point_away()
        QApplication.processEvents()

    def point_away(self) -> None:
        """Over none of the rows."""
        QCursor.setPos(self.window.mapToGlobal(QPoint(400, 0)))

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key, modifiers)

    def type(self, text: str) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClicks(focus, text)

    def click(self, row: int, column: Column, modifiers: Qt.KeyboardModifier = NO) -> None:
        place = self.view.visualRect(self.screen.table.index(row, column)).center()
        QTest.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, modifiers, place)

    def click_header(self, column: Column) -> None:
        header = self.view.horizontalHeader()
        place = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, NO, place)

    def index(self, row: int, column: Column = Column.NAME) -> QModelIndex:
        return self.screen.table.index(row, column)

    def name(self, row: int) -> str:
        table = self.screen.table
        return str(table.data(table.index(row, Column.NAME)))

    @property
    def first(self) -> str:
        """The name in the first row on the screen."""
        return self.name(self.view.rowAt(1))

    @property
    def current(self) -> str:
        """The name in the row that has the keyboard."""
        return self.name(self.view.currentIndex().row())

    @property
    def selected(self) -> list[str]:
        """The names in the rows that are painted as chosen."""
        rows = {index.row() for index in self.view.selectionModel().selectedRows()}
        return [self.name(row) for row in sorted(rows)]

    def scroll_to(self, row: int) -> None:
        self.view.verticalScrollBar().setValue(row)

    def chips(self) -> list[Chip]:
        return self.card.findChildren(Chip)

    def picture(self) -> QImage:
        return self.view.viewport().grab().toImage()


def colours(picture: QImage, top: int, bottom: int) -> set[str]:
    """Every colour between two heights of a picture."""
    return pictures.colours(picture, QRect(0, top, picture.width(), bottom - top))


def with_people_tab(run: Run, work: Work, *people: Person) -> None:
    """Do `work` in a window whose list has `people`, sorted by first name."""

    async def whole() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(*people)
        subject = PeopleTabFixture(account)
        async with shown(subject, account):
            await work(subject)

    run(whole())
