"""Tab leads from above into a view of the flows, past every control of it, and out below.

The steps of a flow, which are made one by one, are walked in the whole window.
"""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QVBoxLayout, QWidget

from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.gaps import GapsScreen
from app.views.flows.by_person_page import ByPersonPage
from app.views.flows.gaps_page import GapsPage
from tests.viewmodels.conftest import AccountFixture
from tests.views.conftest import shown
from tests.views.flows.flows_page_fixture import ADA, BAPTISM, BOB, EMPTY, EVE, WELCOME, Run

Make = Callable[[FlowsScreen, AccountFixture], QWidget]


def gaps_page(flows: FlowsScreen, account: AccountFixture) -> QWidget:
    return GapsPage(GapsScreen(flows, account.directory, account.events, account.scope))


def by_person_page(flows: FlowsScreen, account: AccountFixture) -> QWidget:
    return ByPersonPage(ByPersonScreen(flows, account.scope))


class BetweenLines:
    """A page in a window, with a line to type in above and another below."""

    def __init__(self, account: AccountFixture, make: Make) -> None:
        self.account = account
        flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.above, self.page, self.below = QLineEdit(), make(flows, account), QLineEdit()
        rows = QVBoxLayout(self.window)
        for each in (self.above, self.page, self.below):
            rows.addWidget(each)
        self.window.resize(1100, 700)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        await self.account.settle()

    def stops(self) -> set[QWidget]:
        return {
            each
            for each in self.page.findChildren(QWidget)
            if each.isVisible()
            and each.isEnabled()
            and each.focusPolicy() & Qt.FocusPolicy.TabFocus
            and each.focusProxy() is None
        }

    def way(self, start: QLineEdit, key: Qt.Key) -> list[QWidget]:
        """What the keyboard is on after each press, until it leaves the page."""
        start.setFocus()
        way: list[QWidget] = []
        while len(way) < 40:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, key)
            focused = QApplication.focusWidget()
            assert focused is not None
            if not self.page.isAncestorOf(focused):
                break
            way.append(focused)
        return way


@pytest.mark.parametrize("make", [by_person_page, gaps_page])
def test_tab_leads_past_every_control_of_a_view_also_after_it_had_the_keyboard(
    run: Run, make: Make
) -> None:
    async def visit() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(ADA, BOB, EVE)
        subject = BetweenLines(account, make)
        await account.list_flows(WELCOME, BAPTISM, EMPTY)
        async with shown(subject, account):
            for _ in range(2):
                there = subject.way(subject.above, Qt.Key.Key_Tab)
                assert set(there) == subject.stops()
                assert subject.way(subject.below, Qt.Key.Key_Backtab) == there[::-1]
                subject.page.setFocus()
                assert QApplication.focusWidget() in subject.stops()

    run(visit())


@pytest.mark.parametrize("make", [by_person_page, gaps_page])
def test_a_list_that_has_the_keyboard_shows_that_around_it(run: Run, make: Make) -> None:
    async def visit() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(ADA, BOB, EVE)
        subject = BetweenLines(account, make)
        await account.list_flows(WELCOME, BAPTISM, EMPTY)
        async with shown(subject, account):
            for one in subject.page.findChildren(QListView):
                one.setFocus()
                assert is_ringed(one)
                subject.above.setFocus()
                assert not is_ringed(one)

    run(visit())


def is_ringed(widget: QWidget) -> bool:
    within: QWidget | None = widget
    while within is not None and not within.property("ring"):
        within = within.parentWidget()
    return within is not None
