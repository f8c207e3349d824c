"""The Flows tab around its views: chips, keys, and the ways from a gap to its step and back."""

import asyncio

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.tour.screen_reader import named
from app.viewmodels.exporting.print_requests import PrintNothing
from app.viewmodels.flows.by_person import ByPersonScreen
from app.viewmodels.flows.copying import words_of
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.flows_tab import FlowsTabScreen, FlowsView
from app.viewmodels.flows.gaps import GapsScreen
from app.views.flows.by_person_page import ByPersonPage
from app.views.flows.flows_tab import FlowsTab
from app.views.flows.gaps_page import GapsPage
from app.views.flows.row_list_view import RowListView
from tests.viewmodels.conftest import AccountFixture
from tests.views.conftest import Paintings, shown
from tests.views.flows.flows_page_fixture import ADA, BAPTISM, BOB, EMPTY, EVE, WELCOME, Run


class FlowsTabFixture:
    """The tab in a window of its own, over real lists."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
        gaps = GapsScreen(flows, account.directory, account.events, account.scope)
        by_person = ByPersonScreen(flows, account.scope)
        self.screen = FlowsTabScreen(flows, by_person=by_person, gaps=gaps, scope=account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.tab = FlowsTab(self.screen)
        rows = QVBoxLayout(self.window)
        rows.addWidget(self.tab)
        self.window.resize(1100, 700)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        await self.settle()

    async def settle(self) -> None:
        await self.account.settle()
        await self.account.until(lambda: not self.tab.flows.sheet._strip.growing)
        for _ in range(3):
            await asyncio.sleep(0.005)

    @property
    def gaps(self) -> GapsPage:
        page = self.tab.page(FlowsView.GAPS)
        assert isinstance(page, GapsPage)
        return page

    @property
    def by_person(self) -> ByPersonPage:
        page = self.tab.page(FlowsView.BY_PERSON)
        assert isinstance(page, ByPersonPage)
        return page

    def within(self, widget: QWidget) -> bool:
        """Whether the keyboard is there."""
        focused = QApplication.focusWidget()
        return focused is not None and widget.isAncestorOf(focused)

    def press(self, key: Qt.Key) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)


def with_flows_tab(run: Run, work: object) -> None:
    async def visit() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(ADA, BOB, EVE)
        subject = FlowsTabFixture(account)
        await account.list_flows(WELCOME, BAPTISM, EMPTY)
        async with shown(subject, account):
            await work(subject)  # type: ignore[operator]

    run(visit())


def test_a_number_shows_a_view_and_puts_the_keyboard_on_its_rows(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.focus_list()
        QTest.keyClick(subject.window, Qt.Key.Key_3)
        assert QApplication.focusWidget() is subject.gaps.list
        QTest.keyClick(subject.window, Qt.Key.Key_2)
        assert QApplication.focusWidget() is subject.by_person.people
        QTest.keyClick(subject.window, Qt.Key.Key_1)
        assert QApplication.focusWidget() is subject.tab.flows.list

    with_flows_tab(run, work)


def test_a_view_that_lists_nothing_has_the_keyboard_until_its_rows_come(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.screen.search("nothing at all")
        await subject.settle()
        subject.tab.chips.setFocus()
        subject.tab.show_view(FlowsView.GAPS)
        assert not subject.gaps.list.isVisible()
        assert QApplication.focusWidget() is subject.gaps
        subject.screen.search("")
        await subject.settle()
        assert QApplication.focusWidget() is subject.gaps.list

    with_flows_tab(run, work)


def test_the_arrows_lead_from_chip_to_chip_and_show_each_view(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.focus_list()
        # Over the choice of which flows are listed.
        subject.press(Qt.Key.Key_Backtab)
        subject.press(Qt.Key.Key_Backtab)
        subject.press(Qt.Key.Key_Right)
        assert subject.by_person.isVisible()
        subject.press(Qt.Key.Key_Right)
        assert subject.gaps.isVisible()
        subject.press(Qt.Key.Key_Left)
        subject.press(Qt.Key.Key_Left)
        assert subject.tab.flows.isVisible()

    with_flows_tab(run, work)


def test_the_arrows_lead_from_the_rows_to_the_next_view(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.focus_list()
        seen = []
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
            subject.press(key)
            seen.append(subject.screen.state.view)
        by_person = FlowsView.BY_PERSON
        assert seen == [FlowsView.FLOWS, by_person, FlowsView.GAPS, by_person]

    with_flows_tab(run, work)


def test_the_flows_with_gaps_are_listed_alone_by_a_chip(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        page = subject.tab.flows
        chips = page.filters.findChildren(QAbstractButton)
        QTest.mouseClick(chips[1], Qt.MouseButton.LeftButton)
        assert subject.screen.flows.state.only_gaps
        QTest.mouseClick(chips[0], Qt.MouseButton.LeftButton)
        assert not subject.screen.flows.state.only_gaps

    with_flows_tab(run, work)


class Resizings(QObject):
    """Which sizes a widget had, one after the other."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.widths: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.widths.append(watched.width())
        return False


def test_what_a_search_found_elsewhere_appears_in_one_go(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        for view in (FlowsView.BY_PERSON, FlowsView.GAPS, FlowsView.FLOWS):
            subject.tab.show_view(view)
            await subject.settle()
        seen = Resizings(subject.tab.chips)
        before = subject.tab.chips.width()
        subject.screen.search("step")
        await subject.settle()
        links = [b for b in subject.tab.findChildren(QPushButton) if " in " in b.text()]
        assert len([link for link in links if link.isVisible()]) > 1
        assert len(seen.widths) == 1
        assert seen.widths[0] < before

    with_flows_tab(run, work)


def text_of_focus() -> str:
    focused = QApplication.focusWidget()
    return focused.text() if isinstance(focused, QPushButton) else ""


def test_tab_leads_from_the_chips_into_a_view_made_later(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.show_view(FlowsView.GAPS)
        subject.press(Qt.Key.Key_Backtab)
        assert text_of_focus() == "Print"
        subject.press(Qt.Key.Key_Backtab)
        assert text_of_focus() == "Write to them"
        subject.press(Qt.Key.Key_Backtab)
        assert subject.within(subject.gaps.chips)
        subject.press(Qt.Key.Key_Backtab)
        assert subject.within(subject.tab.chips)
        for _ in range(4):
            subject.press(Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is subject.gaps.list

    with_flows_tab(run, work)


def test_those_who_run_what_has_gaps_are_written_to(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        written: list[object] = []
        subject.tab.write_wanted.connect(written.append)
        subject.tab.show_view(FlowsView.GAPS)
        subject.press(Qt.Key.Key_Backtab)
        subject.press(Qt.Key.Key_Backtab)
        subject.press(Qt.Key.Key_Space)
        assert written == [subject.screen.gaps.run_by]

    with_flows_tab(run, work)


def test_a_line_of_somebody_leads_to_its_step_and_back_to_the_line(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.show_view(FlowsView.BY_PERSON)
        subject.press(Qt.Key.Key_Return)
        posts = subject.by_person.posts
        while posts.currentIndex().data() != "Seating":
            subject.press(Qt.Key.Key_Down)
        row = posts.currentIndex().row()
        subject.press(Qt.Key.Key_Return)
        await subject.settle()
        flows = subject.screen.flows.state
        assert (flows.chosen, flows.step_id) == ("w", "s31")
        assert subject.tab.go_back()
        assert QApplication.focusWidget() is posts
        assert posts.currentIndex().row() == row

    with_flows_tab(run, work)


def test_there_is_a_link_to_where_somebody_was_before_they_went_back(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        asked: list[str] = []
        subject.tab.forward_wanted.connect(lambda: asked.append("forward"))
        assert named("On to Flows", QPushButton) is None
        subject.tab.show_view(FlowsView.GAPS)
        subject.press(Qt.Key.Key_Return)
        await subject.settle()
        assert subject.tab.go_back()
        # Whatever else stands in its line.
        for query in ("", "a"):
            subject.screen.search(query)
            await subject.settle()
            link = named("On to Flows", QPushButton)
            assert isinstance(link, QPushButton)
            link.click()
        assert asked == ["forward", "forward"]

    with_flows_tab(run, work)


def test_where_a_search_finds_nothing_that_is_printed_and_not_all_flows(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.screen.search("zzz")
        await subject.settle()
        printed = {}
        for view in (FlowsView.FLOWS, FlowsView.BY_PERSON):
            subject.tab.show_view(view)
            request = subject.tab.print_request()
            assert isinstance(request, PrintNothing)
            printed[request.title] = request.notes
        assert printed == {
            "Flows": (subject.screen.flows.state.empty_words,),
            "By person": (subject.screen.by_person.state.empty_words,),
        }
        assert printed["By person"][0].startswith("Nobody who matches “zzz”")

    with_flows_tab(run, work)


def test_enter_leads_from_a_gap_to_its_step_and_back_to_the_row(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        subject.tab.show_view(FlowsView.GAPS)
        for _ in range(2):
            subject.press(Qt.Key.Key_Down)
        row = subject.gaps.list.currentIndex().row()
        gap = subject.screen.gaps.list.keys[row]
        subject.press(Qt.Key.Key_Return)
        await subject.settle()
        flows = subject.screen.flows.state
        assert gap.step is not None
        assert (flows.chosen, flows.step_id) == (gap.flow.id, gap.step.step.id)
        assert subject.tab.flows.isVisible()
        assert subject.tab.go_back()
        assert QApplication.focusWidget() is subject.gaps.list
        assert subject.gaps.list.currentIndex().row() == row

    with_flows_tab(run, work)


def test_rows_of_gaps_and_of_people_have_menus_and_a_gap_is_copied(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        followed: list[object] = []
        subject.tab.person_wanted.connect(followed.append)
        subject.tab.show_view(FlowsView.GAPS)
        await subject.settle()
        gaps = subject.gaps.list
        gaps.setCurrentIndex(gaps.model().index(0, 0))
        QTest.keyClick(gaps, Qt.Key.Key_Menu)
        assert "Write to everybody whose flows have gaps" in menu_words()
        assert menu_words() == words_of_row_menu(subject.tab)
        close_menu()
        QTest.keyClick(gaps, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text().splitlines()[0] in {"Welcome", "Baptism", "Empty"}
        subject.tab.show_view(FlowsView.BY_PERSON)
        await subject.settle()
        people = subject.by_person.people
        place = people.visualRect(people.currentIndex()).center()
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, place, people.viewport().mapToGlobal(place)
        )
        QApplication.sendEvent(people.viewport(), event)
        name = menu_words()[0]
        assert name.startswith("Show ")
        assert "Copy mobile" in menu_words()
        assert menu_words() == words_of_row_menu(subject.tab)
        close_menu(press=name)
        assert len(followed) == 1
        posts = subject.by_person.posts
        posts.setCurrentIndex(posts.model().index(posts.model().rowCount() - 1, 0))
        QTest.keyClick(posts, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        assert "Copy flow" in menu_words()
        of_post = menu_words()
        close_menu()
        posts.setFocus()
        assert of_post == words_of_row_menu(subject.tab)
        people.setFocus()
        assert words_of_row_menu(subject.tab)[0] == name
        # As the menu says, the step alone; on the name, all that they administer.
        QTest.keyClick(posts, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        of_step = QGuiApplication.clipboard().text()
        post = subject.screen.by_person.posts.key_at(posts.currentIndex().row())
        assert post is not None
        assert of_step == words_of(subject.screen.flows.known, post.place)
        QTest.keyClick(people, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        await subject.settle()
        of_person = QGuiApplication.clipboard().text()
        assert of_person not in {"", of_step}
        assert subject.by_person.copy_button.text() == "Copied"

    with_flows_tab(run, work)


def words_of_row_menu(tab: FlowsTab) -> list[str]:
    """What can be done with the row in hand where no menu is open for it."""
    told = tab.row_menu()
    assert told is not None
    return [item.words for group in told[0] for item in group]


def open_menu() -> QMenu:
    found = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu)]
    (shown_now,) = [one for one in found if one.isVisible()]
    return shown_now


def menu_words() -> list[str]:
    return [each.text() for each in open_menu().actions() if not each.isSeparator()]


def close_menu(press: str = "") -> None:
    menu = open_menu()
    for action in menu.actions():
        if press and action.text() == press:
            action.trigger()
    menu.close()


def test_what_is_found_is_painted_at_once_and_once(run: Run) -> None:
    async def work(subject: FlowsTabFixture) -> None:
        times: list[tuple[int, int]] = []
        for view in subject.screen.shown_views:
            subject.tab.show_view(view)
            # The answer takes its room beforehand.
            subject.screen.search("e")
            await subject.settle()
            rows = subject.tab.page(view).findChildren(RowListView)[0]
            paintings = Paintings(rows.viewport())
            subject.screen.search("welcome")
            # What Qt was asked to do, before the event loop takes up anything else.
            QCoreApplication.sendPostedEvents()
            at_once = paintings.times
            await subject.settle()
            times.append((at_once, paintings.times))
        assert times == [(1, 1)] * len(times)

    with_flows_tab(run, work)
