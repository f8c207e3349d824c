"""Refreshing, following a name and coming back, coming for a step: the page keeps its place."""

import msgspec
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.model.flow import PeopleFlow
from app.views.widgets.pill import NamePill
from tests.views.flows.flows_desk import ADA, BAPTISM, WELCOME, FlowsDesk, Run, step, with_desk

LONG = PeopleFlow(
    id="l", name="Long", steps=tuple(step(number, "ada", "bob") for number in range(30))
)


def scrolled(desk: FlowsDesk) -> int:
    return desk.tab.sheet.verticalScrollBar().value()


def in_sight(desk: FlowsDesk, widget: QWidget) -> bool:
    seen = desk.tab.sheet.viewport()
    return seen.rect().contains(QRect(widget.mapTo(seen, QPoint()), widget.size()))


def test_a_refresh_keeps_cards_scroll_and_the_name_with_the_keys(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        pill = desk.pill("Bob Øst", 20)
        desk.tab.sheet.verticalScrollBar().setValue(300)
        pill.setFocus()
        cards = desk.cards
        steps = list(LONG.steps)
        steps[3] = msgspec.structs.replace(steps[3], name="Other", admins=("ada",))
        steps[20] = msgspec.structs.replace(steps[20], admins=("eve", "bob", "ada"))
        await desk.list_flows(BAPTISM, msgspec.structs.replace(LONG, steps=tuple(steps)))
        assert desk.cards == cards
        assert desk.cards[3].step is not None
        assert desk.cards[3].step.name == "Other"
        assert scrolled(desk) == 300
        assert pill.hasFocus()
        assert pill.pill is not None
        assert pill.pill.person_id == "bob"

    with_desk(run, work, LONG)


def test_a_step_that_came_in_between_moves_no_other_card_to_another_step(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        before = {card.step.step_id: card for card in desk.cards if card.step}
        steps = (LONG.steps[0], step(99, "ada"), *LONG.steps[2:])
        await desk.list_flows(msgspec.structs.replace(LONG, steps=steps))
        after = {card.step.step_id: card for card in desk.cards if card.step}
        assert after.keys() - before.keys() == {"s99"}
        assert all(after[each] is before[each] for each in after.keys() & before.keys())

    with_desk(run, work, LONG)


def test_two_steps_of_one_id_are_both_shown(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        assert [card.step.name for card in desk.cards if card.step] == ["Call", "Lunch"]
        await desk.list_flows(msgspec.structs.replace(twice, name="Again"))
        assert [card.step.name for card in desk.cards if card.step] == ["Call", "Lunch"]

    twice = PeopleFlow(id="t", steps=(step(1, "ada", name="Call"), step(1, "bob", name="Lunch")))
    with_desk(run, work, twice)


def test_when_the_name_with_the_keys_is_gone_they_go_to_one_nearby(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        gone = desk.pill("Bob Øst", 1)
        gone.setFocus()
        steps = (*LONG.steps[:1], step(1, "ada", "eve"), *LONG.steps[2:])
        await desk.list_flows(msgspec.structs.replace(LONG, steps=steps))
        assert desk.focus == "Eve Adams (archived)"
        focused = QApplication.focusWidget()
        assert focused is not gone
        assert not gone.isVisible()

    with_desk(run, work, LONG)


def test_another_flow_begins_at_its_top(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.sheet.verticalScrollBar().setValue(300)
        desk.screen.choose("m")
        await desk.settle()
        assert scrolled(desk) == 0
        assert [card.step.step_id for card in desk.cards if card.step][:2] == ["s100", "s101"]

    other = PeopleFlow(id="m", steps=tuple(step(100 + n, "ada") for n in range(40)))
    with_desk(run, work, LONG, other)


def test_whoever_follows_a_name_comes_back_to_it(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.sheet.verticalScrollBar().setValue(420)
        desk.pill("Bob Øst", 17).setFocus()
        before = scrolled(desk)
        desk.press(Qt.Key.Key_Return)
        desk.tab.hide()
        desk.screen.search("welcome")
        await desk.settle()
        desk.tab.show()
        assert desk.tab.return_to_place()
        await desk.settle()
        assert scrolled(desk) == before > 0
        assert desk.pill("Bob Øst", 17).hasFocus()
        assert not desk.tab.return_to_place()

    with_desk(run, work, LONG, WELCOME)


def test_whoever_comes_back_far_down_finds_the_page_as_long_as_it_was(run: Run) -> None:
    many = PeopleFlow(id="many", steps=tuple(step(n, "ada", "bob", "eve") for n in range(250)))

    async def work(desk: FlowsDesk) -> None:
        bar = desk.tab.sheet.verticalScrollBar()
        bar.setValue(bar.maximum())
        desk.pill("Bob Øst", 100).setFocus()
        before = scrolled(desk)
        desk.press(Qt.Key.Key_Return)
        desk.screen.search("welcome")
        await desk.settle()
        assert desk.tab.return_to_place()
        assert scrolled(desk) == before > 1_000

    with_desk(run, work, many, WELCOME)


def test_coming_back_may_be_asked_before_the_tab_is_seen(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.pill("Bob Øst").setFocus()
        desk.press(Qt.Key.Key_Return)
        desk.tab.focus_flow()
        desk.tab.hide()
        desk.tab.return_to_place()
        desk.tab.show()
        await desk.settle()
        assert desk.pill("Bob Øst").hasFocus()

    with_desk(run, work, WELCOME)


def test_where_the_name_is_gone_coming_back_ends_at_the_list(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.pill("Bob Øst", 0).setFocus()
        desk.press(Qt.Key.Key_Return)
        await desk.list_flows(msgspec.structs.replace(WELCOME, steps=()))
        desk.tab.return_to_place()
        assert desk.focus == "list"

    with_desk(run, work, WELCOME)


def test_the_step_somebody_came_for_is_brought_into_sight(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("l", "s25")
        await desk.settle()
        assert in_sight(desk, desk.cards[25])
        pictures = [desk.cards[at].grab().toImage() for at in (24, 25)]
        corners = [each.pixelColor(each.width() // 2, each.height() - 8) for each in pictures]
        assert corners[0] != corners[1]

    with_desk(run, work, WELCOME, LONG)


def test_a_step_inside_another_can_be_come_for(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.window.resize(900, 300)
        desk.screen.choose("w", "s32")
        await desk.settle()
        assert in_sight(desk, desk.cards[2].bodies[2])

    with_desk(run, work, BAPTISM, WELCOME)


def test_a_hidden_tab_builds_nothing_and_catches_up_when_it_is_seen(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.hide()
        desk.screen.choose("b", "s7")
        await desk.office.settle()
        assert len(desk.cards) != 2
        desk.tab.show()
        await desk.settle()
        assert [card.step.step_id for card in desk.cards if card.step] == ["s6", "s7"]

    with_desk(run, work, WELCOME, BAPTISM)


def test_the_chosen_flow_stays_chosen_in_the_list_when_others_come_and_go(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("b")
        for flows in ((BAPTISM,), (LONG, BAPTISM), (BAPTISM, WELCOME, LONG), (WELCOME, BAPTISM)):
            await desk.list_flows(*flows)
            assert desk.tab.list.currentIndex().data() == "Baptism"
            assert desk.screen.state.chosen == "b"

    with_desk(run, work, WELCOME, BAPTISM)


def test_a_search_that_takes_the_chosen_flow_away_chooses_the_first_found(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("b")
        desk.screen.search("step of 4")
        await desk.settle()
        assert desk.tab.list.currentIndex().data() == "Long"
        assert desk.screen.state.chosen == "l"

    with_desk(run, work, LONG, BAPTISM, WELCOME)


def test_a_flow_is_chosen_by_key_and_by_click(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.focus_flow()
        desk.press(Qt.Key.Key_Down)
        assert desk.screen.state.chosen == "b"
        view = desk.tab.list
        rect = view.visualRect(desk.screen.list.index(0))
        QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            rect.center(),
        )
        assert desk.screen.state.chosen == "w"

    with_desk(run, work, WELCOME, BAPTISM)


def test_a_name_that_changes_is_said_anew_in_its_place(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        pill = desk.pill("Ada Lovelace", 0)
        pill.setFocus()
        await desk.office.directory.took(msgspec.structs.replace(ADA, firstname="Augusta & Ada"))
        await desk.settle()
        assert pill.hasFocus()
        assert isinstance(QApplication.focusWidget(), NamePill)
        assert pill.accessibleName() == "Administrator Augusta & Ada Lovelace"

    with_desk(run, work, WELCOME)
