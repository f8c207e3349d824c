"""*By person* in a window: bars for the loads, lines that lead to a place, if somebody is away."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.model.flow import PeopleFlow, Step
from app.model.person import Person
from app.viewmodels.exporting.print_requests import PrintAway, PrintPeople
from app.viewmodels.flows.by_person import ByPersonScreen, LoadOrder
from app.viewmodels.flows.by_person_rows import LoadRow, PostRow
from app.viewmodels.flows.cards import FlowPlace
from app.viewmodels.flows.flows import FlowsScreen
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.views.flows.by_person_lists import LoadListView, PostListView
from app.views.flows.by_person_page import ByPersonPage
from app.views.look.theme import tokens
from app.views.widgets.search_field import SearchField
from tests.viewmodels.conftest import AccountFixture, Told
from tests.views.conftest import shown
from tests.views.flows.flows_page_fixture import ADA, BAPTISM, BOB, EVE, WELCOME, Run

Work = Callable[["ByPersonFixture"], Coroutine[Any, Any, None]]
# Bob: Welcome, its first step and the seating, and a step of Baptism; Ada: three steps.
LONELY = PeopleFlow(id="l", name="Lonely", admins=("bob",), steps=(Step(id="s9", admins=("ada",)),))


class ByPersonFixture:
    """The page in a window of its own, over real lists."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        flows = FlowsScreen(account.catalogue, account.directory, account.events, account.scope)
        self.screen = ByPersonScreen(flows, account.scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.page = ByPersonPage(self.screen)
        self.wanted: list[object] = []
        for signal in (
            self.page.place_wanted,
            self.page.person_wanted,
            self.page.print_wanted,
            self.page.write_wanted,
        ):
            signal.connect(self.wanted.append)
        QVBoxLayout(self.window).addWidget(self.page)
        self.window.resize(900, 560)

    async def show(self) -> None:
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        await self.settle()

    async def settle(self) -> None:
        await self.account.settle()
        for _ in range(3):
            await asyncio.sleep(0.005)

    def press(self, *keys: Qt.Key) -> None:
        for key in keys:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, key)

    @property
    def name(self) -> str:
        """Whose page it is."""
        return self.screen.state.page.name if self.screen.state.page else ""

    def bar(self, position: int) -> int:
        """How many pixels of a row are in the ink of its bar."""
        people = self.page.people
        place = people.visualRect(self.screen.people.index(position, 0))
        # The edge of the chosen one is of the same ink.
        inside = QRect(place.left() + 60, place.top(), place.width() - 60, place.height())
        painted = people.viewport().grab(inside).toImage()
        ink = QColor(tokens().accent)
        across, down = range(painted.width()), range(painted.height())
        return sum(painted.pixelColor(x, y) == ink for x in across for y in down)


def with_page(run: Run, work: Work, *people: Person) -> None:
    async def visit() -> None:
        account = AccountFixture()
        await account.open()
        await account.list_people(*(people or (ADA, BOB, EVE)))
        subject = ByPersonFixture(account)
        await account.list_flows(WELCOME, BAPTISM, LONELY)
        async with shown(subject, account):
            await work(subject)

    run(visit())


def test_the_more_somebody_has_the_longer_is_their_bar(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        people = subject.screen.people
        assert [row.name for row in map(people.row_at, range(2)) if row] == [
            "Bob Øst",
            "Ada Lovelace",
        ]
        assert subject.bar(0) > subject.bar(1) > 0
        assert "Most: Bob Øst, 5" in subject.page.people.accessibleDescription()

    with_page(run, work)


def test_the_arrows_show_one_after_the_other_and_enter_goes_into_what_they_have(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.page.setFocus()
        assert subject.name == "Bob Øst"
        subject.press(Qt.Key.Key_Down)
        assert subject.name == "Ada Lovelace"
        subject.press(Qt.Key.Key_Return)
        posts = subject.page.posts
        assert QApplication.focusWidget() is posts
        assert [index.row() for index in posts.selectedIndexes()] == [0]
        subject.press(Qt.Key.Key_Down, Qt.Key.Key_Return)
        assert subject.wanted == [FlowPlace("w", "s1")]
        subject.press(Qt.Key.Key_Escape)
        assert QApplication.focusWidget() is subject.page.people

    with_page(run, work)


def test_whoever_followed_a_line_finds_it_again(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.page.setFocus()
        subject.press(Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
        subject.press(Qt.Key.Key_Backtab)
        assert QApplication.focusWidget() is not subject.page.posts
        subject.page.setFocus()
        assert QApplication.focusWidget() is subject.page.posts
        assert subject.page.posts.currentIndex().row() == 2

    with_page(run, work)


def test_a_click_on_a_line_leads_to_its_place(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        posts = subject.page.posts
        place = posts.visualRect(subject.screen.posts.index(2, 0))
        QTest.mouseClick(
            posts.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            QPoint(place.left() + 30, place.center().y()),
        )
        assert subject.wanted == [FlowPlace("w", "s1")]

    with_page(run, work)


def test_a_name_and_one_key_tell_what_has_nobody_if_they_are_away(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        line = SearchField()
        line.textChanged.connect(subject.screen.search)
        subject.window.layout().addWidget(line)  # type: ignore[union-attr]  # the fixture gave it one
        line.setFocus()
        QTest.keyClicks(line, "ada")
        await subject.settle()
        for field, away in ((line, True), (subject.page.people, False)):
            field.setFocus()
            QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            await subject.settle()
            assert (subject.name, subject.screen.state.away) == ("Ada Lovelace", away)
        assert subject.wanted == []

    with_page(run, work)


def test_if_somebody_is_away_those_who_could_take_over_can_be_written_to(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        page = subject.page
        subject.screen.choose("ada")
        assert not page.write_button.isVisible()
        page.away_button.click()
        await subject.settle()
        shown = [row.accessible_name for row in map(subject.screen.posts.row_at, range(2)) if row]
        assert shown == ["Welcome", "3 · Step of 3, Bob Øst runs this flow"]
        page.write_button.click()
        page.print_button.click()
        page.person_button.click()
        assert subject.wanted == [("bob",), PrintAway("ada"), "ada"]
        page.away_button.click()
        assert not page.write_button.isVisible()

    with_page(run, work)


def test_everybody_who_is_listed_is_printed_in_the_order_of_the_list(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        everybody = subject.screen.people.keys
        assert len(everybody) > 2
        subject.page.print_all_button.click()
        subject.screen.sort_by(LoadOrder.NAME)
        by_name = subject.screen.people.keys
        subject.page.print_all_button.click()
        assert subject.wanted == [PrintPeople(everybody), PrintPeople(by_name)]
        subject.screen.search("zzz")
        assert not subject.page.print_all_button.isVisible()

    with_page(run, work)


def test_all_of_somebody_is_printed_and_while_they_are_away_what_nobody_has_then(
    run: Run,
) -> None:
    async def work(subject: ByPersonFixture) -> None:
        page = subject.page
        subject.screen.choose("ada")
        assert page.print_request() == PrintPeople(("ada",))
        subject.screen.show_away(yes=True)
        assert page.print_request() == PrintAway("ada")

    with_page(run, work)


def test_what_is_shown_goes_to_the_clipboard_and_that_is_said(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.page.copy_button.click()
        await subject.settle()
        assert QGuiApplication.clipboard().text().startswith("Bob Øst\n")
        assert "<table>" in QGuiApplication.clipboard().mimeData().html()
        assert subject.page.copy_button.text() == "Copied"
        subject.screen.choose("ada")
        assert subject.page.copy_button.text() == "Copy"

    with_page(run, work)


def test_who_is_not_in_the_list_cannot_be_followed_there(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.screen.choose("nobody-9abc")
        assert not subject.page.person_button.isVisible()
        subject.screen.choose("eve")
        assert subject.page.person_button.isVisible()

    with_page(run, work)


def test_the_people_can_be_put_in_another_order(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.page.setFocus()
        subject.press(Qt.Key.Key_Backtab, Qt.Key.Key_Right)
        assert subject.screen.people.index(0).data() == "Ada Lovelace"
        current = subject.page.people.currentIndex()
        assert subject.screen.people.key_at(current.row()) == "bob"

    with_page(run, work)


def test_reading_the_lists_again_chooses_nobody_else(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.screen.choose("ada", away=True)
        told = Told(subject.page.people.chosen)
        await subject.account.list_flows(BAPTISM, WELCOME)
        await subject.settle()
        assert (subject.name, subject.screen.state.away, told.times) == ("Ada Lovelace", True, 0)

    with_page(run, work)


def test_without_anybody_the_next_step_is_said(run: Run) -> None:
    async def work(subject: ByPersonFixture) -> None:
        subject.screen.search("zzz")
        assert subject.page.print_request() is None
        assert not subject.page.away_button.isVisible()
        subject.screen.search("")
        assert subject.page.away_button.isVisible()

    with_page(run, work)


def test_a_name_has_room_before_badges_which_stand_below_then(run: Run) -> None:
    def pictures(width: int, *badges: str) -> tuple[QImage, QImage]:
        row = LoadRow("a", "Beatrix Featherstone-Haugh", "BF", badges, "3 steps, in 2 flows", 3, 9)
        rows = RowsOnDemand[str, LoadRow](lambda _key: row)
        rows.show(["a"])
        view = LoadListView(rows)
        view.resize(width, 80)
        picture = view.grab().toImage()
        height = view.sizeHintForRow(0)
        view.deleteLater()
        across = picture.width()
        half = height // 2 - 2
        return picture.copy(0, 0, across, half), picture.copy(0, height - half, across, half)

    async def work(_subject: object) -> None:
        narrow, bare = pictures(340, "archived"), pictures(340)
        assert narrow[0] == bare[0]
        assert narrow[1] != bare[1]
        wide, bare = pictures(700, "archived"), pictures(700)
        assert wide[0] != bare[0]
        assert wide[1] == bare[1]
        for end in range(2, 10):
            # The last letter is there, or the two would look the same.
            one, other = (pictures(700, "ausstehend"[:end] + last) for last in "bd")
            assert one[0] != other[0]

    with_page(run, work)


def test_where_there_is_little_room_the_number_of_flows_is_left_to_the_page_beside(
    run: Run,
) -> None:
    def picture(width: int, counts: str, posts: str) -> QImage:
        row = LoadRow("a", "Ada", "A", (), counts, 3, 9, posts, alone_words="alone on 3")
        rows = RowsOnDemand[str, LoadRow](lambda _key: row)
        rows.show(["a"])
        view = LoadListView(rows)
        view.resize(width, 80)
        painted = view.grab().toImage()
        view.deleteLater()
        return painted

    async def work(subject: ByPersonFixture) -> None:
        whole, begun = "3 steps, 2 whole flows, in 4 flows", "3 steps, 2 whole flows"
        for width, seen in ((250, begun), (500, whole)):
            assert picture(width, whole, begun) == picture(width, seen, seen)
        row = subject.screen.people.row_at(0)
        assert row is not None
        assert (row.counts_words, row.posts_words) == (
            "3 steps, 2 whole flows, in 3 flows",
            "3 steps, 2 whole flows",
        )

    with_page(run, work)


def test_who_is_alone_is_told_behind_a_long_name_however_short_the_word_is(run: Run) -> None:
    def picture(alone: str) -> QImage:
        row = PostRow(FlowPlace("camp"), "Coffee with everybody " * 9, alone_words=alone)
        rows = RowsOnDemand[PostRow, PostRow](lambda key: key)
        rows.show([row])
        view = PostListView(rows)
        view.resize(300, 60)
        painted = view.grab().toImage()
        view.deleteLater()
        return painted

    async def work(_subject: object) -> None:
        assert picture("bd") != picture("db")

    with_page(run, work)


def test_whoever_has_no_room_beside_a_line_stands_below_and_a_long_name_is_read_by_who_goes_to_it(
    run: Run,
) -> None:
    many = [Person(id=f"p{at}", firstname=f"Bartholomew {at}", lastname="Fox") for at in range(5)]
    run_by = tuple(each.id for each in many)
    tea = Step(id="tea", name="Tea", admins=("ada",))
    long = "Coffee with staff and everybody " * 3
    coffee = Step(id="c", name=long, admins=("ada",))
    camp = PeopleFlow(id="camp", name="Camp", admins=run_by, steps=(tea, coffee))

    async def work(subject: ByPersonFixture) -> None:
        await subject.account.list_flows(LONELY, camp)
        subject.screen.choose("ada", away=True)
        await subject.settle()
        posts = subject.page.posts
        posts.setFocus()
        seen = []
        for _ in range(5):
            index = posts.currentIndex()
            row = subject.screen.posts.row_at(index.row())
            assert row is not None
            told = subject.page._whole.text() if subject.page._whole.isVisible() else ""
            lines = lines_in(posts, index.row())
            seen.append((row.name.strip(), lines, told and told.count("Bartholomew")))
            subject.press(Qt.Key.Key_Down)
        assert seen == [
            ("Lonely", 1, ""),
            ("(no name)", 1, ""),
            ("Camp", 1, ""),
            ("Tea", 3, ""),
            (long.strip(), 3, 4),
        ]
        subject.window.resize(2400, 560)
        await subject.settle()
        assert {lines_in(posts, row) for row in range(5)} == {1}

    with_page(run, work, ADA, BOB, EVE, *many)


def lines_in(posts: PostListView, row: int) -> int:
    """How many lines of text a row has room for."""
    heights = [posts.visualRect(posts.model().index(at, 0)).height() for at in (0, row)]
    return 1 + round((heights[1] - heights[0]) / posts.fontMetrics().height())


def test_of_very_many_lines_none_is_asked_for_its_height(run: Run) -> None:
    async def work(_subject: object) -> None:
        others = "nobody else runs this flow; in it: Bartholomew Fox"
        rows = RowsOnDemand[PostRow, PostRow](lambda key: key)
        view, told = PostListView(rows), list[object]()
        view.whole_changed.connect(told.append)
        view.resize(300, 600)
        short = PostRow(FlowPlace("camp"), "Tea")
        for count, lines in ((2, 3), (200, 1), (3, 3)):
            rows.show(
                [
                    short,
                    *(
                        PostRow(FlowPlace("camp"), f"{n}", others_words=others)
                        for n in range(count)
                    ),
                ]
            )
            view.setCurrentIndex(rows.index(1, 0))
            view.executeDelayedItemsLayout()
            assert lines_in(view, 1) == lines
            assert bool(told[-1]) is (lines == 1)
        view.deleteLater()

    with_page(run, work)
