"""Refreshing, following a name and coming back, coming for a step: the page keeps its place."""

from collections.abc import Sequence

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.model.flow import PeopleFlow
from app.views.flows import step_strip
from app.views.flows.step_body import StepBody
from app.views.flows.step_strip import StepCardView
from app.views.look.theme import Theme
from app.views.widgets.pill import NamePill
from tests.views.flows.flows_page_fixture import (
    ADA,
    BAPTISM,
    WELCOME,
    FlowsPageFixture,
    Run,
    step,
    with_flows_page,
)

LONG = PeopleFlow(
    id="l", name="Long", steps=tuple(step(number, "ada", "bob") for number in range(30))
)


def scrolled(subject: FlowsPageFixture) -> int:
    return subject.tab.sheet.verticalScrollBar().value()


def in_sight(subject: FlowsPageFixture, widget: QWidget) -> bool:
    seen = subject.tab.sheet.viewport()
    return seen.rect().contains(QRect(widget.mapTo(seen, QPoint()), widget.size()))


def test_a_refresh_keeps_cards_scroll_and_the_name_with_the_keys(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        pill = subject.pill("Bob Øst", 20)
        subject.tab.sheet.verticalScrollBar().setValue(300)
        pill.setFocus()
        cards = subject.cards
        steps = list(LONG.steps)
        steps[3] = msgspec.structs.replace(steps[3], name="Other", admins=("ada",))
        steps[20] = msgspec.structs.replace(steps[20], admins=("eve", "bob", "ada"))
        await subject.list_flows(BAPTISM, msgspec.structs.replace(LONG, steps=tuple(steps)))
        assert subject.cards == cards
        assert subject.cards[3].step is not None
        assert subject.cards[3].step.name == "Other"
        assert scrolled(subject) == 300
        assert pill.hasFocus()
        assert pill.pill is not None
        assert pill.pill.person_id == "bob"

    with_flows_page(run, work, LONG)


class Moved(QObject):
    """Tells whether any of these was moved, be it there and back."""

    def __init__(self, widgets: Sequence[QWidget]) -> None:
        super().__init__()
        self.at_all = False
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        self.at_all |= event.type() in {QEvent.Type.Move, QEvent.Type.Resize}
        return False


def test_another_theme_moves_nothing(run: Run, qapp: QApplication) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        theme = Theme(qapp)
        try:
            await subject.settle()
            subject.tab.sheet.verticalScrollBar().setValue(300)
            pill = subject.pill("Bob Øst", 20)
            pill.setFocus()
            places = [card.geometry() for card in subject.cards]
            name, at = pill.geometry(), scrolled(subject)
            moved = Moved(subject.cards)
            for choice in ("dark", "light"):
                theme.choose(choice)
                for _ in range(2):
                    assert [card.geometry() for card in subject.cards] == places
                    assert (pill.geometry(), scrolled(subject)) == (name, at)
                    await subject.settle()
            assert pill.hasFocus()
            assert not moved.at_all
        finally:
            shiboken6.delete(theme)
            qapp.setStyleSheet("")

    with_flows_page(run, work, LONG)


def test_of_a_flow_that_was_shown_before_only_some_views_are_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them would be dressed when the theme changes, seen or not."""
    monkeypatch.setattr(step_strip, "_TIDY_AFTER_MS", 0)
    inside = tuple(step(100 + number, "ada", name=f"Inside {number}") for number in range(30))
    nested = step(99, "ada", steps=inside)
    huge = PeopleFlow(id="h", name="Huge", steps=(*(step(n, "ada") for n in range(60)), nested))

    crowd = PeopleFlow(
        id="c", name="Crowd", steps=(msgspec.structs.replace(nested, id="n", steps=4 * inside),)
    )

    async def work(subject: FlowsPageFixture) -> None:
        strip = subject.tab.sheet._strip

        def views() -> int:
            return len([*strip.findChildren(StepCardView), *strip.findChildren(StepBody)])

        async def show(flow: PeopleFlow) -> None:
            subject.screen.choose(flow.id)
            await subject.settle()
            await subject.account.until(lambda: not strip._tidy.isActive())
            await subject.settle()

        await show(huge)
        all_of_it = views()
        await show(BAPTISM)
        assert views() < all_of_it / 2
        await show(crowd)
        await show(BAPTISM)
        assert views() < all_of_it / 2
        assert [card.step.name for card in subject.cards if card.step] == ["Step of 6", "Step of 7"]
        await show(huge)
        bodies = subject.cards[60].bodies[1:]
        assert [body.step.name for body in bodies if body.step] == [each.name for each in inside]
        assert subject.pill("Ada Lovelace", 59).isVisible()

    with_flows_page(run, work, huge, crowd, BAPTISM)


def test_a_step_that_came_in_between_moves_no_other_card_to_another_step(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        before = {card.step.step_id: card for card in subject.cards if card.step}
        steps = (LONG.steps[0], step(99, "ada"), *LONG.steps[2:])
        await subject.list_flows(msgspec.structs.replace(LONG, steps=steps))
        after = {card.step.step_id: card for card in subject.cards if card.step}
        assert after.keys() - before.keys() == {"s99"}
        assert all(after[each] is before[each] for each in after.keys() & before.keys())

    with_flows_page(run, work, LONG)


def test_two_steps_of_one_id_are_both_shown(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        assert [card.step.name for card in subject.cards if card.step] == ["Call", "Lunch"]
        await subject.list_flows(msgspec.structs.replace(twice, name="Again"))
        assert [card.step.name for card in subject.cards if card.step] == ["Call", "Lunch"]

    twice = PeopleFlow(id="t", steps=(step(1, "ada", name="Call"), step(1, "bob", name="Lunch")))
    with_flows_page(run, work, twice)


def test_when_the_name_with_the_keys_is_gone_they_go_to_one_nearby(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        gone = subject.pill("Bob Øst", 1)
        gone.setFocus()
        steps = (*LONG.steps[:1], step(1, "ada", "eve"), *LONG.steps[2:])
        await subject.list_flows(msgspec.structs.replace(LONG, steps=steps))
        assert subject.focus == "Eve Adams (archived)"
        focused = QApplication.focusWidget()
        assert focused is not gone
        assert not gone.isVisible()

    with_flows_page(run, work, LONG)


def test_another_flow_begins_at_its_top(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.sheet.verticalScrollBar().setValue(300)
        subject.screen.choose("m")
        await subject.settle()
        assert scrolled(subject) == 0
        assert [card.step.step_id for card in subject.cards if card.step][:2] == ["s100", "s101"]

    other = PeopleFlow(id="m", steps=tuple(step(100 + n, "ada") for n in range(40)))
    with_flows_page(run, work, LONG, other)


def test_whoever_follows_a_name_comes_back_to_it(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.sheet.verticalScrollBar().setValue(420)
        subject.pill("Bob Øst", 17).setFocus()
        before = scrolled(subject)
        subject.press(Qt.Key.Key_Return)
        subject.tab.hide()
        subject.screen.search("welcome")
        await subject.settle()
        subject.tab.show()
        assert subject.tab.return_to_place()
        await subject.settle()
        assert scrolled(subject) == before > 0
        assert subject.pill("Bob Øst", 17).hasFocus()
        assert not subject.tab.return_to_place()

    with_flows_page(run, work, LONG, WELCOME)


@pytest.mark.parametrize("width", [700, 1100])
def test_a_flow_has_its_height_at_once_whatever_was_shown_before(run: Run, width: int) -> None:
    plain = PeopleFlow(id="plain", steps=tuple(step(n, "ada", "bob", "eve") for n in range(9)))
    waits = PeopleFlow(
        id="waits",
        steps=tuple(step(n, "x-1", status="pending", name="wide " * n) for n in range(9)),
    )
    bare = PeopleFlow(id="bare", steps=tuple(step(n) for n in range(3)))

    async def work(subject: FlowsPageFixture) -> None:
        subject.window.resize(width, 700)
        strip = subject.tab.sheet._strip
        for flow_id in ("waits", "plain", "bare", "plain", "w", "waits", "bare", "w", "plain"):
            subject.screen.choose(flow_id)
            while strip.growing:
                strip.show_more()
            at_once = strip.heightForWidth(strip.width())
            await subject.settle()
            assert strip.heightForWidth(strip.width()) == at_once

    with_flows_page(run, work, plain, waits, bare, WELCOME)


def test_whoever_comes_back_far_down_finds_the_page_as_long_as_it_was(run: Run) -> None:
    many = PeopleFlow(id="many", steps=tuple(step(n, "ada", "bob", "eve") for n in range(130)))

    async def work(subject: FlowsPageFixture) -> None:
        bar = subject.tab.sheet.verticalScrollBar()
        bar.setValue(bar.maximum())
        subject.pill("Bob Øst", 100).setFocus()
        before = scrolled(subject)
        subject.press(Qt.Key.Key_Return)
        subject.screen.search("welcome")
        await subject.settle()
        assert subject.tab.return_to_place()
        assert scrolled(subject) == before > 1_000

    with_flows_page(run, work, many, WELCOME)


def test_coming_back_may_be_asked_before_the_tab_is_seen(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.pill("Bob Øst").setFocus()
        subject.press(Qt.Key.Key_Return)
        subject.tab.focus_flow()
        subject.tab.hide()
        subject.tab.return_to_place()
        subject.tab.show()
        await subject.settle()
        assert subject.pill("Bob Øst").hasFocus()

    with_flows_page(run, work, WELCOME)


def test_where_the_name_is_gone_coming_back_ends_at_the_list(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.pill("Bob Øst", 0).setFocus()
        subject.press(Qt.Key.Key_Return)
        await subject.list_flows(msgspec.structs.replace(WELCOME, steps=()))
        subject.tab.return_to_place()
        assert subject.focus == "list"

    with_flows_page(run, work, WELCOME)


def test_the_step_somebody_came_for_is_brought_into_sight(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("l", "s25")
        await subject.settle()
        assert in_sight(subject, subject.cards[25])
        pictures = [subject.cards[at].grab().toImage() for at in (24, 25)]
        corners = [each.pixelColor(each.width() // 2, each.height() - 8) for each in pictures]
        assert corners[0] != corners[1]

    with_flows_page(run, work, WELCOME, LONG)


def test_a_step_inside_another_can_be_come_for(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.window.resize(900, 300)
        subject.screen.choose("w", "s32")
        await subject.settle()
        assert in_sight(subject, subject.cards[2].bodies[2])

    with_flows_page(run, work, BAPTISM, WELCOME)


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Return])
def test_the_keyboard_goes_from_the_list_to_the_step_somebody_came_for(
    run: Run, key: Qt.Key
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        for flow, wanted, card in (("l", "s25", 25), ("w", "s31", 2)):
            subject.screen.choose(flow, wanted)
            await subject.settle()
            subject.tab.focus_flow()
            subject.press(key)
            body = next(
                b for b in subject.cards[card].bodies if b.step and b.step.step_id == wanted
            )
            assert QApplication.focusWidget() is body.administrators.names()[0]
            assert in_sight(subject, body.administrators.names()[0])

    with_flows_page(run, work, WELCOME, LONG)


DEEP = PeopleFlow(
    id="d",
    name="Deep",
    steps=(
        step(40, "ada"),
        step(41, "bob", steps=tuple(step(50 + at, "ada") for at in range(30))),
        step(42, steps=tuple(step(90 + at) for at in range(30))),
        step(43, "ada"),
    ),
)


def test_of_a_step_higher_than_the_view_the_name_and_who_has_it_are_shown(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        for number, card in (("s41", 1), ("s42", 2)):
            subject.screen.choose("d", "s40")
            await subject.settle()
            subject.screen.choose("d", number)
            await subject.settle()
            assert subject.cards[card].height() > subject.tab.sheet.viewport().height()
            body = subject.cards[card].bodies[0]
            for part in (body._name, *body.administrators.names()):
                assert in_sight(subject, part)

    with_flows_page(run, work, WELCOME, DEEP)


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Tab])
def test_the_keys_lead_to_the_name_of_a_step_higher_than_the_view(run: Run, key: Qt.Key) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.window.resize(500, 500)
        await subject.settle()
        subject.tab.sheet.focus_first()
        subject.press(key)
        assert subject.focus == "2"
        assert in_sight(subject, subject.cards[1].bodies[0]._name)

    deep = msgspec.structs.replace(DEEP, steps=(DEEP.steps[0], DEEP.steps[2]))
    with_flows_page(run, work, deep)


def test_a_hidden_tab_builds_nothing_and_catches_up_when_it_is_seen(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.hide()
        subject.screen.choose("b", "s7")
        await subject.account.settle()
        assert len(subject.cards) != 2
        subject.tab.show()
        await subject.settle()
        assert [card.step.step_id for card in subject.cards if card.step] == ["s6", "s7"]

    with_flows_page(run, work, WELCOME, BAPTISM)


def test_the_chosen_flow_stays_chosen_in_the_list_when_others_come_and_go(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("b")
        for flows in ((BAPTISM,), (LONG, BAPTISM), (BAPTISM, WELCOME, LONG), (WELCOME, BAPTISM)):
            await subject.list_flows(*flows)
            assert subject.tab.list.currentIndex().data() == "Baptism"
            assert subject.screen.state.chosen == "b"

    with_flows_page(run, work, WELCOME, BAPTISM)


def test_a_search_that_takes_the_chosen_flow_away_chooses_the_first_found(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("b")
        subject.screen.search("step of 4")
        await subject.settle()
        assert subject.tab.list.currentIndex().data() == "Long"
        assert subject.screen.state.chosen == "l"

    with_flows_page(run, work, LONG, BAPTISM, WELCOME)


def test_a_flow_is_chosen_by_key_and_by_click(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.focus_flow()
        subject.press(Qt.Key.Key_Down)
        assert subject.screen.state.chosen == "b"
        view = subject.tab.list
        rect = view.visualRect(subject.screen.list.index(0))
        QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            rect.center(),
        )
        assert subject.screen.state.chosen == "w"

    with_flows_page(run, work, WELCOME, BAPTISM)


def test_a_name_that_changes_is_said_anew_in_its_place(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        pill = subject.pill("Ada Lovelace", 0)
        pill.setFocus()
        await subject.account.directory.took(
            msgspec.structs.replace(ADA, firstname="Augusta & Ada")
        )
        await subject.settle()
        assert pill.hasFocus()
        assert isinstance(QApplication.focusWidget(), NamePill)
        assert pill.accessibleName() == "Administrator Augusta & Ada Lovelace"

    with_flows_page(run, work, WELCOME)
