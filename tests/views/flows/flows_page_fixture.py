"""The flows and the chosen one in a window of its own, over real lists and a scripted service."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.flows.flows import FlowsScreen
from app.views.flows.flows_page import FlowsPage
from app.views.flows.step_strip import StepCardView
from app.views.widgets.pill import NamePill
from tests.viewmodels.conftest import AccountFixture
from tests.views.conftest import shown

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Work = Callable[["FlowsPageFixture"], Coroutine[Any, Any, None]]

ADA = Person(id="ada", firstname="Ada", lastname="Lovelace")
BOB = Person(id="bob", firstname="Bob", lastname="Øst")
EVE = Person(id="eve", firstname="Eve", lastname="Adams", archived=True)


def step(number: int, *admins: str, name: str = "", **fields: Any) -> Step:
    """A step whose id is `s` and its number."""
    return Step(id=f"s{number}", name=name or f"Step of {number}", admins=admins, **fields)


WELCOME = PeopleFlow(
    id="w",
    name="Welcome",
    admins=("bob",),
    steps=(
        step(1, "ada", "bob", entry_point="y"),
        step(2),
        step(3, "ada", steps=(step(31, "bob", name="Seating"), step(32, name="Food"))),
        step(4, "nobody-9abc", status="pending"),
        step(5, "eve"),
    ),
)
BAPTISM = PeopleFlow(id="b", name="Baptism", steps=(step(6, "bob"), step(7, "ada")))
EMPTY = PeopleFlow(id="e", name="Empty")


class FlowsPageFixture:
    """The window, what stands below it, and the keys."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.followed: list[object] = []
        self.asked: list[str] = []
        self.screen = FlowsScreen(
            account.catalogue, account.directory, account.events, account.scope
        )
        self.screen.refresh_wanted.connect(partial(self.asked.append, "read"))
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.tab = FlowsPage(self.screen)
        self.tab.person_wanted.connect(self.followed.append)
        rows = QVBoxLayout(self.window)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.tab)
        self.window.resize(1100, 700)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        await self.settle()

    async def settle(self) -> None:
        """Until nothing is under way and everything stands where it belongs."""
        await self.account.settle()
        await self.account.until(lambda: not self.tab.sheet._strip.growing)
        for _ in range(3):
            await asyncio.sleep(0.005)

    async def list_flows(self, *flows: PeopleFlow) -> None:
        await self.account.list_flows(*flows)
        await self.settle()

    def press(self, key: Qt.Key) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)

    @property
    def cards(self) -> list[StepCardView]:
        """The cards in view, in the order of their steps."""
        cards = [c for c in self.tab.findChildren(StepCardView) if c.isVisibleTo(self.tab)]
        return sorted(cards, key=lambda c: int(c.step.number) if c.step else 0)

    def pill(self, text: str, card: int | None = None) -> NamePill:
        """The name in a card, or among those who run the flow."""
        where: QObject = self.tab if card is None else self.cards[card]
        pills = where.findChildren(NamePill)
        return next(p for p in pills if p.text() == text and p.isVisibleTo(self.tab))

    @property
    def focus(self) -> str:
        """What has the keyboard: a name, a step's number, a button, or the list."""
        focused = QApplication.focusWidget()
        if isinstance(focused, NamePill):
            return focused.text()
        if isinstance(focused, StepCardView) and focused.step is not None:
            return focused.step.number
        if isinstance(focused, QPushButton):
            return focused.text()
        return "list" if focused is self.tab.list else "elsewhere"


def with_flows_page(run: Run, work: Work, *flows: PeopleFlow) -> None:
    """Open the window over `flows` (all of ours when none are given) and do `work` in it."""

    async def visit() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(ADA, BOB, EVE)
        subject = FlowsPageFixture(account)
        await account.list_flows(*(flows or (WELCOME, BAPTISM, EMPTY)))
        async with shown(subject, account):
            await work(subject)

    run(visit())
