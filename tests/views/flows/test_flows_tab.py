"""The Flows tab in a window: cards in lines, names by keyboard, and every thing named."""

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from app.api.resources import PeopleFlows
from app.model.flow import PeopleFlow
from app.viewmodels.flows.flows_state import FlowPlace
from app.views.flows.step_body import StepBody
from app.views.widgets.banner import GapLabel
from app.views.widgets.pill import NamePill
from app.views.widgets.theme import LIGHT, Theme
from tests.views.flows.flows_desk import EMPTY, WELCOME, FlowsDesk, Run, step, with_desk

if TYPE_CHECKING:
    from app.api.service import Service

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenverein" * 2


def place(widget: QWidget, desk: FlowsDesk) -> QRect:
    return QRect(widget.mapTo(desk.window, QPoint()), widget.size())


def lines_of(desk: FlowsDesk) -> list[list[QRect]]:
    """Where the cards stand, line by line."""
    places = [place(card, desk) for card in desk.cards]
    tops = sorted({each.top() for each in places})
    return [[each for each in places if each.top() == top] for top in tops]


def line_of_first(desk: FlowsDesk) -> list[QRect]:
    return lines_of(desk)[0]


def keys_in(card: QWidget) -> bool:
    """Whether the card, or something in it, has the keyboard."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is card or card.isAncestorOf(focused))


def texts(desk: FlowsDesk) -> list[str]:
    return [label.text() for label in desk.tab.findChildren(QLabel) if label.isVisible()]


def test_a_card_for_each_step_and_the_steps_inside_it(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        assert [card.step.number for card in desk.cards if card.step] == ["1", "2", "3", "4", "5"]
        inside = [body.step.name for body in desk.cards[2].bodies if body.step]
        assert inside == ["Step of 3", "Seating", "Food"]

    with_desk(run, work)


def test_what_is_special_about_a_step_is_said_in_words(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        shown = texts(desk)
        assert {"people join here", "pending", "pending, after step 4"} <= set(shown)
        assert shown.count("nobody administers this step") == 2
        notes = [note.accessibleName() for note in desk.cards[3].findChildren(GapLabel)]
        assert notes == ["somebody not in your list (…9abc)"]
        assert desk.pill("Eve Adams (archived)", 4).isVisible()

    with_desk(run, work)


def test_flows_that_are_missing_are_told_under_the_list(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        assert not desk.tab.missing.isVisible()
        desk.office.scripted.flows = PeopleFlows((WELCOME,), total=3)
        await desk.office.catalogue.refresh(cast("Service", desk.office.scripted))
        await desk.office.settle()
        assert desk.tab.missing.isVisible()
        assert "1 of its 3 flows" in desk.tab.missing.text()

    with_desk(run, work)


def test_administrators_stand_in_the_order_of_the_service(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        shown = [*desk.cards[0].findChildren(GapLabel), *desk.cards[0].findChildren(NamePill)]
        places = {widget.accessibleName(): place(widget, desk).topLeft() for widget in shown}
        order = sorted(places, key=lambda name: (places[name].y(), places[name].x()))
        assert [name.split()[-1] for name in order] == ["Lovelace", "(…xxxx)", "Øst"]

    flow = PeopleFlow(id="o", steps=(step(1, "ada", "xxxx", "bob"),))
    with_desk(run, work, flow)


def test_cards_and_names_are_named_for_screen_readers(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        assert [card.accessibleName() for card in desk.cards][:3] == [
            "Step 1: Step of 1, people join here, Ada Lovelace, Bob Øst",
            "Step 2: Step of 2, nobody administers this step",
            "Step 3: Step of 3, Ada Lovelace",
        ]
        nested = desk.cards[2].bodies[1]
        assert nested.accessibleName() == "Step 3.1: Seating, Bob Øst"
        for pill in desk.tab.findChildren(NamePill):
            if pill.isVisible():
                assert pill.accessibleName().startswith("Administrator ")
        spoken = desk.pill("Bob Øst", 2).accessibleDescription()
        assert spoken == "Step 3.1: Seating. Press Enter to show this person."

    with_desk(run, work)


@pytest.mark.parametrize("width", [900, 1100, 1400, 1900])
def test_the_cards_of_a_line_share_its_width_evenly(run: Run, width: int) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.window.resize(width, 900)
        await desk.settle()
        lines = lines_of(desk)
        sheet = place(desk.tab.sheet.viewport(), desk)
        assert len({each.width() for line in lines for each in line}) == 1
        for line in lines:
            assert line[0].left() - sheet.left() < 30
            assert all(each.left() > before.right() for before, each in pairwise(line))
        assert len(lines) == 1 or sheet.right() - lines[0][-1].right() < 30

    with_desk(run, work)


def test_the_wider_the_window_the_fewer_lines(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        counts = []
        for width in (900, 1400, 2400):
            desk.window.resize(width, 900)
            await desk.settle()
            counts.append(len(lines_of(desk)))
        assert counts == sorted(counts, reverse=True)
        assert (counts[0] > 1, counts[-1]) == (True, 1)

    with_desk(run, work)


def test_cards_grow_with_the_font(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        before = desk.cards[0].width()
        font = desk.window.font()
        font.setPointSizeF(font.pointSizeF() * 2)
        desk.window.setFont(font)
        await desk.settle()
        assert desk.cards[0].width() > 1.4 * before
        assert len({card.x() for card in desk.cards}) == 1

    with_desk(run, work)


def test_in_a_mirrored_window_the_first_step_stands_on_the_right(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        await desk.settle()
        first, second = desk.cards[0], desk.cards[1]
        assert first.x() > second.x()
        assert desk.tab.list.mapTo(desk.window, QPoint()).x() > desk.window.width() / 2
        desk.pill("Bob Øst").setFocus()
        desk.press(Qt.Key.Key_Left)
        assert desk.focus == "Ada Lovelace"

    with_desk(run, work)


def test_names_of_any_length_stay_inside_their_cards(run: Run) -> None:
    flow = flow_of_long_names(LONG)

    async def work(desk: FlowsDesk) -> None:
        desk.window.resize(900, 700)
        await desk.settle()
        seen = place(desk.tab.sheet.viewport(), desk)
        for widget in desk.tab.sheet.findChildren(QWidget):
            if widget.isVisible() and not isinstance(widget, QPushButton):
                assert place(widget, desk).right() <= seen.right(), widget
        card = place(desk.cards[0], desk)
        for pill in desk.cards[0].findChildren(NamePill):
            assert card.contains(place(pill, desk))

    with_desk(run, work, flow)


def test_arrows_lead_from_name_to_name_and_miss_no_step(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.focus_flow()
        desk.press(Qt.Key.Key_Return)
        met = [desk.focus]
        for _ in range(8):
            desk.press(Qt.Key.Key_Right)
            met.append(desk.focus)
        assert met == [
            *("Bob Øst", "Ada Lovelace", "Bob Øst", "2", "Ada Lovelace", "Bob Øst"),
            *("4", "Eve Adams (archived)", "Eve Adams (archived)"),
        ]
        desk.press(Qt.Key.Key_Home)
        assert desk.pill("Bob Øst").hasFocus()
        desk.press(Qt.Key.Key_End)
        assert desk.focus == "Eve Adams (archived)"
        desk.press(Qt.Key.Key_Escape)
        assert desk.focus == "list"

    with_desk(run, work)


def test_up_and_down_lead_to_the_line_above_and_below(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.window.resize(900, 900)
        await desk.settle()
        first, below = desk.cards[0], desk.cards[len(line_of_first(desk))]
        first_name = desk.pill("Ada Lovelace", 0)
        first_name.setFocus()
        while keys_in(first):
            desk.press(Qt.Key.Key_Down)
        assert keys_in(below)
        desk.press(Qt.Key.Key_Up)
        assert keys_in(first)

    with_desk(run, work)


def test_tab_goes_in_reading_order(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.tab.focus_flow()
        met = []
        for _ in range(7):
            desk.press(Qt.Key.Key_Tab)
            met.append(desk.focus)
        assert met == [
            *("Bob Øst", "Ada Lovelace", "Bob Øst", "2", "Ada Lovelace", "Bob Øst", "4"),
        ]

    with_desk(run, work)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_name_is_followed_by_key(run: Run, key: Qt.Key) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.pill("Bob Øst", 2).setFocus()
        desk.press(key)
        assert desk.followed == ["bob"]
        assert desk.screen.state.came_from == FlowPlace("w", "s31", "bob", 0)

    with_desk(run, work)


def test_a_name_is_followed_by_click(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        QTest.mouseClick(desk.pill("Bob Øst"), Qt.MouseButton.LeftButton)
        assert desk.followed == ["bob"]
        assert desk.screen.state.came_from == FlowPlace("w", None, "bob", 0)

    with_desk(run, work)


def test_an_empty_page_says_the_one_next_thing(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("e")
        await desk.settle()
        assert "This flow has no steps yet. Steps are made on the account's own page." in texts(
            desk
        )
        await desk.office.list_flows()
        await desk.settle()
        assert not desk.tab.list.isVisible()
        again = next(b for b in desk.tab.findChildren(QPushButton) if b.text() == "Read again")
        QTest.mouseClick(again, Qt.MouseButton.LeftButton)
        assert desk.asked == ["read"]
        await desk.list_flows(EMPTY, WELCOME)
        assert desk.tab.list.isVisible()
        assert not again.isVisible()

    with_desk(run, work)


def test_searched_words_are_marked_in_the_list_and_on_the_cards(run: Run) -> None:
    async def work(desk: FlowsDesk) -> None:
        Theme(QApplication.instance()).choose("light")  # type: ignore[arg-type]  # it is one
        assert not marks_seen(desk)
        desk.screen.search("seating")
        await desk.settle()
        assert marks_seen(desk)

    with_desk(run, work)


def marks_seen(desk: FlowsDesk) -> bool:
    ink = LIGHT.mark
    pictures = [desk.tab.list.grab().toImage(), desk.tab.sheet.grab().toImage()]
    return all(
        any(
            image.pixelColor(x, y).name() == ink
            for y in range(0, image.height(), 2)
            for x in range(0, image.width(), 2)
        )
        for image in pictures
    )


def flow_of_long_names(name: str) -> PeopleFlow:
    steps = (step(1, "ada", "bob", name=name), step(2, "x" * 80, name="a " * 300))
    return PeopleFlow(id="l", name=name, admins=("ada",), steps=steps, locations=(name,))


# More than a screen can show


def test_of_a_flow_with_very_many_steps_and_names_the_first_come_at_once(run: Run) -> None:
    many = tuple(f"nobody-{number}" for number in range(5_000))
    steps = (*(step(n, *many[:40]) for n in range(1, 11)), *(step(n) for n in range(11, 400)))
    large = PeopleFlow(id="large", name="Large", admins=many, steps=steps)

    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("large")
        assert 0 < len(desk.cards) < 10
        assert "and 4970 more" in said(desk)
        await desk.office.until(lambda: len(desk.cards) == 300)
        assert "and 99 more steps" in said(desk)
        assert said(desk).count("and 10 more") == 10

    with_desk(run, work, WELCOME, large)


def test_of_very_many_steps_inside_one_the_first_come_at_once(run: Run) -> None:
    inside = tuple(step(number, "ada", "bob", "eve") for number in range(2, 250))
    other = tuple(step(number, "ada") for number in range(251, 254))
    large = PeopleFlow(id="large", name="Large", steps=(step(1, steps=inside), *other))

    def shown(desk: FlowsDesk) -> list[str]:
        bodies = desk.tab.findChildren(StepBody)
        return [b.step.number for b in bodies if b.step and b.isVisibleTo(desk.tab)]

    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("large")
        assert 0 < len(shown(desk)) < 200
        # Somebody looks at another flow meanwhile, and comes back.
        desk.screen.choose("w")
        assert len(shown(desk)) == 7
        desk.screen.choose("large")
        await desk.office.until(lambda: len(shown(desk)) == 252)
        assert [body.step.number for body in desk.cards[0].bodies if body.step] == [
            "1",
            *(f"1.{number}" for number in range(1, 249)),
        ]

    with_desk(run, work, WELCOME, large)


def test_whoever_comes_for_a_late_step_finds_it_at_once(run: Run) -> None:
    steps = tuple(step(number, "ada", "bob", "eve") for number in range(1, 200))
    large = PeopleFlow(id="large", name="Large", steps=steps)

    async def work(desk: FlowsDesk) -> None:
        desk.screen.choose("large", "s150")
        (card,) = (each for each in desk.cards if each.step and each.step.step_id == "s150")
        bar = desk.tab.sheet.verticalScrollBar()
        seen = place(card, desk)
        assert bar.value() > 0
        assert 0 <= seen.top() < desk.window.height()

    with_desk(run, work, WELCOME, large)


def said(desk: FlowsDesk) -> list[str]:
    """What the labels in view say."""
    labels = desk.tab.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisibleTo(desk.tab)]
