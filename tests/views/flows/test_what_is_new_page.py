"""What is new as a page: looked at, unfolded and followed by keyboard and mouse, and its chart."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QVBoxLayout, QWidget

from app.runtime.events import EventBus
from app.viewmodels.command_palette.command import commands_of
from app.viewmodels.exporting.print_requests import PrintNews
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.views.flows.flows_tab import FlowsTab
from app.views.flows.what_is_new_page import WhatIsNewPage
from tests.viewmodels.flows.what_is_new_fixture import (
    ADA,
    BOB,
    CARD,
    CHOIR,
    EVE,
    TEA,
    WELCOME,
    ReadingsFixture,
    flow,
    person,
)

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Work = Callable[["PageFixture"], Coroutine[Any, Any, None]]


class PageFixture:
    """The page in a window of its own."""

    def __init__(self, office: ReadingsFixture) -> None:
        self.office = office
        self.followed: list[object] = []
        self.page = WhatIsNewPage(office.screen)
        self.page.place_wanted.connect(self.followed.append)
        self.page.person_wanted.connect(self.followed.append)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        QVBoxLayout(self.window).addWidget(self.page)
        self.window.resize(900, 500)

    async def settle(self) -> None:
        await self.office.settle()
        await asyncio.sleep(0.005)

    def press(self, key: Qt.Key, widget: QWidget | None = None) -> None:
        QTest.keyClick(widget or self.page.list, key)

    @property
    def texts(self) -> list[str]:
        return [one.text() for one in self.page.findChildren(QLabel) if one.isVisible()]


def with_page(run: Run, monkeypatch: pytest.MonkeyPatch, work: Work) -> None:
    """Two readings of an account, and `work` on the page that tells of them."""
    monkeypatch.setattr("app.viewmodels.flows.what_is_new.what_is_new._REST", 0)

    async def visit() -> None:
        office = ReadingsFixture()
        more = [person(f"{name} New") for name in ("Kim", "Lea", "Max", "Noa")]
        await office.read((ADA, BOB, EVE), WELCOME, CHOIR)
        await office.read(
            (ADA, BOB, EVE, *more), flow("Welcome", CARD, TEA, admins=("ada",)), days=1
        )
        subject = PageFixture(office)
        subject.window.show()
        await subject.settle()
        try:
            await work(subject)
        finally:
            subject.window.close()
            subject.window.deleteLater()
            await office.close()

    run(visit())


def test_looking_makes_it_seen_and_says_since_when(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PageFixture) -> None:
        assert subject.office.screen.state.unseen == 0
        assert "Since yesterday" in subject.texts
        assert "Changes are kept for 90 days." in subject.texts

    with_page(run, monkeypatch, work)


def test_the_keyboard_unfolds_follows_and_keeps_its_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PageFixture) -> None:
        page = subject.page
        page.setFocus()
        page.list.setCurrentIndex(subject.office.screen.list.index(1, 0))
        subject.press(Qt.Key.Key_Return)
        assert subject.office.words[1:4] == [
            "4 people came: Noa New, Max New, Lea New and 1 more",
            "Noa New came",
            "Max New came",
        ]
        assert page.list.currentIndex().row() == 1
        for _ in range(2):
            subject.press(Qt.Key.Key_Down)
        subject.press(Qt.Key.Key_Return)
        assert subject.followed == ["max"]
        for _ in range(3):
            subject.press(Qt.Key.Key_Down)
        subject.press(Qt.Key.Key_Return)
        assert subject.followed[1:] == [FlowPlace("welcome")]
        subject.press(Qt.Key.Key_Down)
        subject.press(Qt.Key.Key_Return)
        assert len(subject.followed) == 2  # the flow is gone

    with_page(run, monkeypatch, work)


def test_the_keyboard_stays_on_its_line_while_a_reading_brings_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PageFixture) -> None:
        office, listed = subject.office, subject.page.list
        line = "Welcome no longer has the step Call"
        listed.setCurrentIndex(office.screen.list.index(office.words.index(line), 0))
        subject.page.setFocus()
        await office.read((ADA, BOB, EVE), flow("Welcome", CARD, TEA, admins=("bob",)), days=1)
        await subject.settle()
        assert office.words[listed.currentIndex().row()] == line
        subject.press(Qt.Key.Key_Return)
        assert subject.followed == [FlowPlace("welcome")]
        for query in ("zzz", ""):
            office.screen.search(query)
            await subject.settle()
        assert office.words[listed.currentIndex().row()] == line

    with_page(run, monkeypatch, work)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_click_on_show_leads_there_and_one_on_the_words_does_not(
    run: Run, monkeypatch: pytest.MonkeyPatch, *, mirrored: bool
) -> None:
    async def work(subject: PageFixture) -> None:
        if mirrored:
            subject.window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            await subject.settle()
        listed = subject.page.list
        row = next(at for at, words in enumerate(subject.office.words) if "the step Call" in words)
        rect = listed.visualRect(subject.office.screen.list.index(row, 0))
        left, right = QPoint(rect.left() + 30, rect.center().y()), rect.center()
        right.setX(rect.right() - 30)
        words, way = (right, left) if mirrored else (left, right)
        QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=words)
        assert subject.followed == []
        QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=way)
        assert subject.followed == [FlowPlace("welcome")]

    with_page(run, monkeypatch, work)


def test_the_chart_tells_its_figures_to_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(subject: PageFixture) -> None:
        people = [
            person(f"A{number} X", date_added=datetime(2026, 1 + number % 2, 9, tzinfo=UTC))
            for number in range(9)
        ]
        await subject.office.read(people, CHOIR)
        await subject.settle()
        chart = subject.page.chart
        assert chart.accessibleName() == "People added, by month"
        assert "January 2026: 5 people." in chart.accessibleDescription()
        higher, lower = chart.bar(0), chart.bar(1)
        assert higher.height() > lower.height() > 0
        assert chart.bar_at(QPointF(higher.center().x(), 5)) == 0
        steps = (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right)
        said = []
        for key in steps:
            subject.press(key, chart)
            said.append(next((text for text in subject.texts if " 2026: " in text), ""))
        assert said == [
            "March 2026: 0 people",
            "February 2026: 4 people",
            "January 2026: 5 people",
            "February 2026: 4 people",
        ]
        subject.window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        assert chart.bar(0).left() > chart.bar(1).left()

    with_page(run, monkeypatch, work)


def test_the_menu_of_a_line_offers_what_it_leads_to_and_what_is_shown_is_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(subject: PageFixture) -> None:
        office = subject.office
        flows = office.screen._flows
        screen = FlowsTabScreen(
            flows,
            by_person=ByPersonScreen(flows, office.scope),
            gaps=GapsScreen(flows, office.directory, EventBus(office.crashes.append), office.scope),
            what_is_new=office.screen,
            scope=office.scope,
        )
        tab = FlowsTab(screen)
        subject.window.layout().addWidget(tab)  # type: ignore[union-attr]  # it has one
        written: list[object] = []
        tab.write_wanted.connect(written.append)
        tab.show_view(FlowsView.WHAT_IS_NEW)
        await subject.settle()
        page = tab.page(FlowsView.WHAT_IS_NEW)
        assert isinstance(page, WhatIsNewPage)
        page.list.setCurrentIndex(office.screen.list.index(1, 0))
        QTest.keyClick(page.list, Qt.Key.Key_Menu)
        offered = {each.text(): each for each in shown_menu().actions()}
        # The palette has them as well, and nothing on the line of a day.
        told = tab.row_menu()
        assert told is not None
        in_palette = {command.words for command, _ in commands_of(told[0])}
        assert in_palette == {each.text() for each in offered.values() if each.isEnabled()} - {""}
        page.list.setCurrentIndex(office.screen.list.index(0, 0))
        assert tab.row_menu() is None
        page.list.setCurrentIndex(office.screen.list.index(1, 0))
        offered["Write to everybody in this line"].trigger()
        shown_menu().close()
        assert written == [("noa", "max", "lea", "kim")]
        QTest.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == office.words[1]
        office.screen.fold(1)
        assert subject.page.print_button.isVisible()
        request = tab.print_request()
        assert isinstance(request, PrintNews)
        printed = list(request.rows())
        assert request.title == "Since yesterday"
        assert [line.words for line in printed] == office.words
        assert [line.is_day for line in printed[:3]] == [True, False, False]
        assert [line.is_inside for line in printed[:3]] == [False, False, True]
        page.list.setCurrentIndex(office.screen.list.index(2, 0))
        QTest.keyClick(page.list, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        assert shown_menu().actions()[0].text() == "Show Noa New"
        shown_menu().close()

    with_page(run, monkeypatch, work)


def shown_menu() -> QMenu:
    found = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu)]
    (shown,) = [one for one in found if one.isVisible()]
    return shown
