"""A list that is looked over in a window of its own."""

from collections.abc import Callable, Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.model.person import Person
from app.settings.column_choices import ColumnChoices
from app.viewmodels.importing.list_import import CopiedList, ListImport
from app.viewmodels.importing.review import ReviewScreen
from app.viewmodels.importing.review_table import Part
from app.views.importing.review_page import ReviewPage
from tests.viewmodels.conftest import ADA, AccountFixture

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
