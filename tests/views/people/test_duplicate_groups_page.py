"""People who are there twice, in a real window: by keyboard alone, and for who sees none of it."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget

from app.model.field_limits import NAME, shortened
from app.model.outbox import EntryState
from app.model.person import Person
from app.outbox.duplicate_groups import DuplicateGroups
from app.viewmodels.people.duplicate_groups import DuplicateGroupsScreen
from app.viewmodels.people.people import PeopleScreen
from app.views.people.people_tab import PeopleCard
from app.views.widgets.chips import Chip
from tests.viewmodels.conftest import ADA, EVE, AccountFixture
from tests.views.conftest import shown
from tests.views.moment import Moment
from tests.views.widgets.test_pointer import in_window

Run = Callable[[Coroutine[Any, Any, Any]], Any]
Work = Callable[["GroupsFixture"], Coroutine[Any, Any, None]]
LIZ = Person(id="liz", firstname="Liz", lastname="Fry", phone="020 7946 0100")
ELIZABETH = Person(id="elizabeth", firstname="Elizabeth", lastname="Fry", phone="020 7946 0999")
ADA_AGAIN = Person(id="ada-2", firstname="Ada", lastname="Lovelace")


class GroupsFixture:
    """A People card with the chip *Maybe twice*, over a real list."""

    def __init__(self, account: AccountFixture) -> None:
        self.account = account
        self.people_there: tuple[Person, ...] = (LIZ, ADA, ELIZABETH, EVE, ADA_AGAIN)
        events, scope = account.events, account.scope
        self.found = DuplicateGroups(
            account.duplicates, account.directory, account.store, events, scope
        )
        self.people = PeopleScreen(account.directory, account.outbox, events, scope)
        self.screen = DuplicateGroupsScreen(self.found, self.people, events, scope)
        self.window = QWidget()
        self.window.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.card = PeopleCard(self.people, self.screen)
        self.page = self.card.groups
        QVBoxLayout(self.window).addWidget(self.card)
        self.window.resize(900, 560)

    async def show(self) -> None:
        await self.account.list_people(*self.people_there)
        await self.account.until(lambda: self.found.known and not self.found.busy)
        self.window.show()
        self.window.activateWindow()
        await self.account.until(self.window.isActiveWindow)
        self.chip.setFocus(Qt.FocusReason.TabFocusReason)
        self.press(Qt.Key.Key_Space)
        await self.account.until(lambda: len(self.page.cards) == len(self.screen.state.groups))

    @property
    def chip(self) -> Chip:
        return next(c for c in self.card.findChildren(Chip) if c.text().startswith("Maybe"))

    @property
    def focus(self) -> QWidget:
        focus = QApplication.focusWidget()
        assert focus is not None
        return focus

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.focus, key)

    def tab_to(self, text: str) -> None:
        for _ in range(30):
            self.press(Qt.Key.Key_Tab)
            if isinstance(self.focus, QPushButton) and self.focus.text() == text:
                return
        pytest.fail(f"Tab never led to {text}")


def test_escape_on_the_chip_leads_back_to_the_list(run: Run, account: AccountFixture) -> None:
    fixture = GroupsFixture(account)

    async def look() -> None:
        async with shown(fixture, account):
            fixture.chip.setFocus(Qt.FocusReason.TabFocusReason)
            fixture.press(Qt.Key.Key_Escape)
            assert not fixture.screen.state.shown
            assert fixture.focus is fixture.card.list

    run(look())


def test_the_page_stays_when_somebody_arrives_who_was_typed_before(
    run: Run, account: AccountFixture
) -> None:
    fixture = GroupsFixture(account)

    async def look() -> None:
        async with shown(fixture, account):
            entry = account.add("Zora", "Neale")
            fixture.chip.click()
            assert fixture.screen.state.shown
            await account.sent(entry, EntryState.ADDED)
            await account.directory.took(account.scripted.created[-1])
            assert fixture.screen.state.shown

    run(look())


HOSTILE = {
    "markup": "<h1>Ada</h1><img src='file:///x'> &amp; <b>",
    "turned": "\u202eadA\u2066 \u200fnohtyP",
    "a megabyte": "Grace" * 200_000,
    "marks alone": "\u0301\u0e33\u0489" * 60,
    "lines": "Ada\r\nByron\t\0\x1b[31m",
    "halves": "Ada\ud800Byron\udfff",
}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_stand_as_plain_text_within_bounds(
    run: Run, account: AccountFixture, name: str
) -> None:
    first, last = shortened(name, NAME).replace("\ud800", "").replace("\udfff", ""), "Lindqvist"
    people = [
        Person(
            id=f"h{n}", firstname=first, lastname=last, email=f"{first[:900]}@x.org", phone=first
        )
        for n in range(2)
    ]

    fixture = GroupsFixture(account)
    fixture.people_there = (EVE, *people)

    async def look() -> None:
        async with shown(fixture, account):
            await account.until(lambda: bool(fixture.page.cards))
            (card,) = fixture.page.cards
            assert card.width() <= fixture.page.width()
            for each in card.findChildren(QLabel):
                assert each.textFormat() is Qt.TextFormat.PlainText
            said = [
                text
                for each in card.findChildren(QWidget)
                for text in (
                    each.accessibleName(),
                    each.accessibleDescription(),
                    getattr(each, "text", str)(),
                )
            ]
            assert any(said)
            assert not {*"".join(said)} & {*"\u202e\u2066\r\0\x1b"}
            assert max(map(len, said)) < 4_100

    run(look())


@pytest.fixture
def groups(run: Run, account: AccountFixture) -> Callable[[Work], None]:
    def in_a_window(work: Work) -> None:
        async def run_it() -> None:
            fixture = GroupsFixture(account)
            async with shown(fixture, account):
                await work(fixture)

        run(run_it())

    return in_a_window


def test_the_chip_puts_the_groups_in_the_place_of_the_list(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        assert card.chip.isChecked()
        assert card.chip.accessibleName() == "Maybe twice, 2"
        assert card.page.isVisible()
        assert not card.card.list.isVisible()
        card.chip.setFocus()
        card.press(Qt.Key.Key_Left)
        assert not card.chip.isChecked()
        assert not card.page.isVisible()
        card.press(Qt.Key.Key_Left)
        assert card.card.list.isVisible()

    groups(work)


def test_whoever_is_not_the_same_is_told_apart_by_keyboard_and_the_next_group_is_led_to(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        first = card.page.cards[0].group
        card.tab_to("Not the same person")
        card.press(Qt.Key.Key_Return)
        assert [each.group for each in card.page.cards] == list(card.screen.state.groups)
        assert first not in card.screen.state.groups
        assert card.focus is card.page.cards[0].apart_button
        card.press(Qt.Key.Key_Space)
        assert not card.page.cards
        assert card.focus is card.page.undo_button
        card.press(Qt.Key.Key_Space)
        assert len(card.page.cards) == 1

    groups(work)


def test_a_name_leads_to_that_person_in_the_list_and_escape_to_the_list(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        card.tab_to("Elizabeth Fry")
        assert "Phone: 020 7946 0999, differs" in card.focus.accessibleName()
        card.press(Qt.Key.Key_Return)
        chosen = card.people.chosen_person
        assert chosen == ELIZABETH
        assert card.card.list.isVisible()
        card.screen.show()
        card.page.cards[0].apart_button.setFocus()
        card.press(Qt.Key.Key_Escape)
        assert card.card.list.isVisible()
        assert card.card.list.hasFocus()

    groups(work)


def test_a_search_and_somebody_opened_from_elsewhere_show_the_list(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        card.people.search("eve")
        assert card.card.list.isVisible()
        card.screen.show()
        assert card.page.isVisible()
        card.people.choose_person("ada")
        assert card.card.list.isVisible()
        card.screen.show()
        await card.account.list_people(LIZ, ADA, ELIZABETH, EVE)
        await card.account.until(lambda: card.screen.state.count_words == "1 group")
        assert card.page.isVisible()

    groups(work)


def test_what_differs_stands_out_and_long_texts_are_cut(groups: Callable[[Work], None]) -> None:
    async def work(card: GroupsFixture) -> None:
        marked = {
            label.text()
            for label in card.page.findChildren(QLabel)
            if label.property("role") == "differs"
        }
        assert {"020 7946 0100", "020 7946 0999", "Liz", "Elizabeth"} <= marked
        assert "Fry" not in marked
        long_name = Person(id="liz", firstname="Liz", lastname="Fry", email=f"{'x' * 300}@x.org")
        await card.account.list_people(long_name, ADA, ELIZABETH, EVE, ADA_AGAIN)
        await card.account.until(lambda: "xxx" in str(card.screen.state.groups))
        assert card.window.width() == 900
        assert card.page.minimumSizeHint().width() < 600

    groups(work)


def many(card: GroupsFixture) -> int:
    return len(card.screen.state.groups)


def test_the_second_click_of_two_is_not_for_the_group_that_has_moved_there(
    moment: Moment, groups: Callable[[Work], None]
) -> None:
    async def work(card: GroupsFixture) -> None:
        first = card.page.cards[0].apart_button
        QCursor.setPos(first.mapToGlobal(first.rect().center()))
        QApplication.processEvents()
        place = in_window(first)
        QTest.mouseClick(*place)
        assert many(card) == 1
        QTest.mouseDClick(*place)
        assert many(card) == 1
        # Once anybody can have seen it, it is meant.
        moment.passes()
        QTest.mouseClick(*in_window(card.page.cards[0].apart_button))
        assert many(card) == 0
        for _ in range(2):
            assert card.card.undo()
        assert many(card) == 2
        assert not card.card.undo()

    groups(work)


def test_the_groups_have_the_room_below_them_until_something_is_said_there(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        page = card.page

        def room_below() -> int:
            QApplication.processEvents()
            column = page.cards[0].parentWidget()
            seen = column.parentWidget() if column is not None else None
            assert seen is not None
            return page.height() - in_page(page, seen) - seen.height()

        assert room_below() == 0
        page.cards[1].apart_button.click()
        needed = room_below()
        assert needed >= page.undo_button.height()
        assert page.undo_button.isVisible()
        # It does not go again under who clicks on.
        page.undo_button.click()
        assert room_below() == needed

    groups(work)


def in_page(page: QWidget, widget: QWidget) -> int:
    """How far below the top of the page."""
    return widget.mapTo(page, widget.rect().topLeft()).y()


def test_the_chip_has_room_for_its_number_before_that_is_known(
    groups: Callable[[Work], None],
) -> None:
    async def work(card: GroupsFixture) -> None:
        known = card.chip.sizeHint().width()
        fresh = PeopleCard(
            card.people,
            DuplicateGroupsScreen(
                DuplicateGroups(
                    card.account.duplicates,
                    card.account.directory,
                    card.account.store,
                    card.account.events,
                    card.account.scope,
                ),
                card.people,
                card.account.events,
                card.account.scope,
            ),
        )
        chip = next(c for c in fresh.findChildren(Chip) if c.text().startswith("Maybe"))
        assert chip.text() == "Maybe twice"
        assert chip.sizeHint().width() >= known
        shiboken6.delete(fresh)

    groups(work)


def test_of_many_who_are_called_the_same_all_are_led_to(run: Run, account: AccountFixture) -> None:
    fixture = GroupsFixture(account)
    fixture.people_there = (
        EVE,
        *(Person(id=f"a{n}", firstname="Ada", lastname="Lovelace") for n in range(30)),
    )

    async def look() -> None:
        async with shown(fixture, account):
            (card,) = fixture.page.cards
            more = card.controls[-1]
            assert isinstance(more, QPushButton)
            assert more.text() == card.group.more
            more.click()
            assert not fixture.screen.state.shown
            assert fixture.people.state.query == "Ada Lovelace"
            await account.until(lambda: fixture.people.table.rowCount() == 30)

    run(look())
