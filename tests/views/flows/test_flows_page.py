"""The Flows tab in a window: cards in lines, names by keyboard, and every thing named."""

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.api.resources import PeopleFlows
from app.model.flow import PeopleFlow
from app.viewmodels.flows.flow_list import FlowRow
from app.viewmodels.flows.flows import ReturnPoint
from app.viewmodels.flows.rows_on_demand import RowsOnDemand
from app.views.flows.flows_page import FlowDelegate
from app.views.flows.row_list_view import RowListView
from app.views.flows.step_body import StepBody
from app.views.flows.step_strip import StepStrip
from app.views.look.theme import LIGHT, Theme
from app.views.widgets.banner import GapLabel
from app.views.widgets.pill import NamePill
from tests.views.conftest import Paintings
from tests.views.flows.flows_page_fixture import (
    BAPTISM,
    EMPTY,
    WELCOME,
    FlowsPageFixture,
    Run,
    step,
    with_flows_page,
)
from tests.views.pictures import colours

if TYPE_CHECKING:
    from app.api.service import Service

LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwenverein" * 2


def place(widget: QWidget, subject: FlowsPageFixture) -> QRect:
    return QRect(widget.mapTo(subject.window, QPoint()), widget.size())


def lines_of(subject: FlowsPageFixture) -> list[list[QRect]]:
    """Where the cards stand, line by line."""
    places = [place(card, subject) for card in subject.cards]
    tops = sorted({each.top() for each in places})
    return [[each for each in places if each.top() == top] for top in tops]


def line_of_first(subject: FlowsPageFixture) -> list[QRect]:
    return lines_of(subject)[0]


def keys_in(card: QWidget) -> bool:
    """Whether the card, or something in it, has the keyboard."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is card or card.isAncestorOf(focused))


def texts(subject: FlowsPageFixture) -> list[str]:
    return [label.text() for label in subject.tab.findChildren(QLabel) if label.isVisible()]


def test_a_card_for_each_step_and_the_steps_inside_it(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        assert [card.step.number for card in subject.cards if card.step] == [
            "1",
            "2",
            "3",
            "4",
            "5",
        ]
        inside = [body.step.name for body in subject.cards[2].bodies if body.step]
        assert inside == ["Step of 3", "Seating", "Food"]

    with_flows_page(run, work)


def test_what_is_special_about_a_step_is_said_in_words(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        shown = texts(subject)
        assert {"people join here", "pending", "pending, after step 4"} <= set(shown)
        assert shown.count("nobody administers this step") == 2
        notes = [note.accessibleName() for note in subject.cards[3].findChildren(GapLabel)]
        assert notes == ["somebody not in your list (…9abc)"]
        assert subject.pill("Eve Adams (archived)", 4).isVisible()

    with_flows_page(run, work)


def test_flows_that_are_missing_are_told_under_the_list(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        assert not subject.tab.missing.isVisible()
        subject.account.scripted.flows = PeopleFlows((WELCOME,), total=3)
        await subject.account.catalogue.refresh(cast("Service", subject.account.scripted))
        await subject.account.settle()
        assert subject.tab.missing.isVisible()
        assert "1 of its 3 flows" in subject.tab.missing.text()

    with_flows_page(run, work)


def test_administrators_stand_in_the_order_of_the_service(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        shown = [*subject.cards[0].findChildren(GapLabel), *subject.cards[0].findChildren(NamePill)]
        places = {widget.accessibleName(): place(widget, subject).topLeft() for widget in shown}
        order = sorted(places, key=lambda name: (places[name].y(), places[name].x()))
        assert [name.split()[-1] for name in order] == ["Lovelace", "(…xxxx)", "Øst"]

    flow = PeopleFlow(id="o", steps=(step(1, "ada", "xxxx", "bob"),))
    with_flows_page(run, work, flow)


def told(widget: QWidget) -> tuple[str, str, str, bool]:
    """Role, name and description as a screen reader has them, and whether it is the chosen one."""
    found, kinds = QAccessible.queryAccessibleInterface(widget), QAccessible.Text
    assert found is not None
    name, more = found.text(kinds.Name), found.text(kinds.Description)
    return found.role().name, name, more, bool(found.state().selected)


def test_cards_and_names_are_named_for_screen_readers(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        assert [card.accessibleName() for card in subject.cards][:3] == [
            "Step 1: Step of 1, people join here, Ada Lovelace, Bob Øst",
            "Step 2: Step of 2, nobody administers this step",
            "Step 3: Step of 3, Ada Lovelace",
        ]
        nested = subject.cards[2].bodies[1]
        assert nested.accessibleName() == "Step 3.1: Seating, Bob Øst"
        steps = subject.tab.findChildren(StepStrip)[0]
        assert told(steps) == ("List", "Steps", "", False)
        assert told(nested)[::2] == ("ListItem", "1 of 2")
        subject.screen.choose("w", "s2")
        await subject.settle()
        assert [told(card)[::2] for card in subject.cards] == [
            ("ListItem", f"{place} of 5") for place in range(1, 6)
        ]
        assert [told(card)[3] for card in subject.cards] == [False, True, False, False, False]
        for pill in subject.tab.findChildren(NamePill):
            if pill.isVisible():
                assert pill.accessibleName().startswith("Administrator ")
        spoken = subject.pill("Bob Øst", 2).accessibleDescription()
        assert spoken == "Step 3.1: Seating. Press Enter to show this person."

    with_flows_page(run, work)


def test_the_cards_of_a_line_share_its_width_evenly_and_the_wider_the_fewer_lines(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        counts = []
        for width in (900, 1100, 1400, 1900, 2400):
            subject.window.resize(width, 900)
            await subject.settle()
            lines = lines_of(subject)
            sheet = place(subject.tab.sheet.viewport(), subject)
            assert len({each.width() for line in lines for each in line}) == 1, width
            for line in lines:
                assert line[0].left() - sheet.left() < 30, width
                assert all(each.left() > before.right() for before, each in pairwise(line)), width
            assert len(lines) == 1 or sheet.right() - lines[0][-1].right() < 30, width
            counts.append(len(lines))
        assert counts == sorted(counts, reverse=True)
        assert (counts[0] > 1, counts[-1]) == (True, 1)

    with_flows_page(run, work)


def test_cards_grow_with_the_font(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        before = subject.cards[0].width()
        font = subject.window.font()
        font.setPointSizeF(font.pointSizeF() * 2)
        subject.window.setFont(font)
        await subject.settle()
        assert subject.cards[0].width() > 1.4 * before
        assert len({card.x() for card in subject.cards}) == 1

    with_flows_page(run, work)


def test_in_a_mirrored_window_the_first_step_stands_on_the_right(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        await subject.settle()
        first, second = subject.cards[0], subject.cards[1]
        assert first.x() > second.x()
        assert subject.tab.list.mapTo(subject.window, QPoint()).x() > subject.window.width() / 2
        subject.pill("Bob Øst").setFocus()
        subject.press(Qt.Key.Key_Left)
        assert subject.focus == "Ada Lovelace"

    with_flows_page(run, work)


def test_names_of_any_length_stay_inside_their_cards(run: Run) -> None:
    flow = flow_of_long_names(LONG)

    async def work(subject: FlowsPageFixture) -> None:
        subject.window.resize(900, 700)
        await subject.settle()
        seen = place(subject.tab.sheet.viewport(), subject)
        for widget in subject.tab.sheet.findChildren(QWidget):
            if widget.isVisible() and not isinstance(widget, QPushButton):
                assert place(widget, subject).right() <= seen.right(), widget
        card = place(subject.cards[0], subject)
        for pill in subject.cards[0].findChildren(NamePill):
            assert card.contains(place(pill, subject))

    with_flows_page(run, work, flow)


def test_arrows_lead_from_name_to_name_and_miss_no_step(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.focus_flow()
        subject.press(Qt.Key.Key_Return)
        met = [subject.focus]
        for _ in range(8):
            subject.press(Qt.Key.Key_Right)
            met.append(subject.focus)
        assert met == [
            *("Bob Øst", "Ada Lovelace", "Bob Øst", "2", "Ada Lovelace", "Bob Øst"),
            *("4", "Eve Adams (archived)", "Eve Adams (archived)"),
        ]
        subject.press(Qt.Key.Key_Home)
        assert subject.pill("Bob Øst").hasFocus()
        subject.press(Qt.Key.Key_End)
        assert subject.focus == "Eve Adams (archived)"
        subject.press(Qt.Key.Key_Escape)
        assert subject.focus == "list"

    with_flows_page(run, work)


def test_up_and_down_lead_to_the_line_above_and_below(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.window.resize(900, 900)
        await subject.settle()
        first, below = subject.cards[0], subject.cards[len(line_of_first(subject))]
        first_name = subject.pill("Ada Lovelace", 0)
        first_name.setFocus()
        while keys_in(first):
            subject.press(Qt.Key.Key_Down)
        assert keys_in(below)
        subject.press(Qt.Key.Key_Up)
        assert keys_in(first)

    with_flows_page(run, work)


def test_tab_goes_in_reading_order(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.tab.focus_flow()
        met = []
        for _ in range(8):
            subject.press(Qt.Key.Key_Tab)
            met.append(subject.focus)
        assert met == [
            *("Print", "Bob Øst", "Ada Lovelace", "Bob Øst", "2", "Ada Lovelace", "Bob Øst", "4"),
        ]

    with_flows_page(run, work)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_name_is_followed_by_key(run: Run, key: Qt.Key) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.pill("Bob Øst", 2).setFocus()
        subject.press(key)
        assert subject.followed == ["bob"]
        assert subject.screen.state.came_from == ReturnPoint("w", "s31", "bob", 0)

    with_flows_page(run, work)


def test_a_name_is_followed_by_click(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        QTest.mouseClick(subject.pill("Bob Øst"), Qt.MouseButton.LeftButton)
        assert subject.followed == ["bob"]
        assert subject.screen.state.came_from == ReturnPoint("w", None, "bob", 0)

    with_flows_page(run, work)


def test_an_empty_page_says_the_one_next_thing(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("e")
        await subject.settle()
        assert "This flow has no steps yet. Steps are made on the account's own page." in texts(
            subject
        )
        await subject.account.list_flows()
        await subject.settle()
        assert not subject.tab.list.isVisible()
        again = next(b for b in subject.tab.findChildren(QPushButton) if b.text() == "Read again")
        QTest.mouseClick(again, Qt.MouseButton.LeftButton)
        assert subject.asked == ["read"]
        await subject.list_flows(EMPTY, WELCOME)
        assert subject.tab.list.isVisible()
        assert not again.isVisible()

    with_flows_page(run, work)


def test_searched_words_are_marked_in_the_list_and_on_the_cards(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        Theme(QApplication.instance()).choose("light")  # type: ignore[arg-type]  # it is one
        assert not marks_seen(subject)
        subject.screen.search("seating")
        await subject.settle()
        assert marks_seen(subject)

    with_flows_page(run, work)


def test_another_letter_marks_anew_and_paints_no_name_without_a_mark(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        Theme(QApplication.instance()).choose("light")  # type: ignore[arg-type]  # it is one
        subject.screen.search("se")
        await subject.settle()
        cards = [card.geometry() for card in subject.cards]
        painted = Paintings(subject.pill("Bob Øst", 0))
        marked: list[list[tuple[str, object]]] = []
        for typed in ("seat", "seating", ""):
            subject.screen.search(typed)
            await subject.settle()
            bodies = [body for card in subject.cards for body in card.bodies]
            steps = [body.step for body in bodies if body.step is not None]
            marked.append([(one.name, one.highlights) for one in steps if one.highlights])
        assert marked == [[("Seating", ((0, 4),))], [("Seating", ((0, 7),))], []]
        assert painted.times == 0
        assert [card.geometry() for card in subject.cards] == cards
        assert not marks_seen(subject)

    with_flows_page(run, work)


def test_a_name_is_marked_anew_where_it_stands(run: Run) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        pill = subject.pill("Ada Lovelace", 0)
        marks = []
        for typed in ("a", "ada", "lace", "bob", ""):
            subject.screen.search(typed)
            await subject.settle()
            assert subject.pill("Ada Lovelace", 0) is pill
            assert pill.pill is not None
            marks.append(pill.pill.highlights)
        assert marks == [((0, 1), (2, 1), (9, 1)), ((0, 3),), ((8, 4),), (), ()]

    with_flows_page(run, work)


def marks_seen(subject: FlowsPageFixture) -> bool:
    ink = LIGHT.mark
    pictures = [subject.tab.list.grab().toImage(), subject.tab.sheet.grab().toImage()]
    return all(ink in colours(image) for image in pictures)


def flow_of_long_names(name: str) -> PeopleFlow:
    steps = (step(1, "ada", "bob", name=name), step(2, "x" * 80, name="a " * 300))
    return PeopleFlow(id="l", name=name, admins=("ada",), steps=steps, locations=(name,))


# More than a screen can show


def test_of_a_flow_with_very_many_steps_and_names_the_first_come_at_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.flows.cards.MOST_STEPS", 80)
    many = tuple(f"nobody-{number}" for number in range(5_000))
    steps = (*(step(n, *many[:40]) for n in range(1, 11)), *(step(n) for n in range(11, 180)))
    large = PeopleFlow(id="large", name="Large", admins=many, steps=steps)

    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("large")
        assert 0 < len(subject.cards) < 10
        assert "and 4,970 more" in said(subject)
        await subject.settle()
        assert len(subject.cards) == 80
        assert "and 99 more steps" in said(subject)
        assert said(subject).count("and 10 more") == 10

    with_flows_page(run, work, WELCOME, large)


def other_long_flow() -> PeopleFlow:
    steps = tuple(step(number, "ada", "bob", "eve") for number in range(100, 160))
    return PeopleFlow(id="other", name="Other", steps=steps)


def test_no_key_waits_for_cards_far_below_and_what_is_in_sight_is_painted_once_meanwhile(
    run: Run,
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        for flow_id, cards in (("other", 60), ("w", 5), ("other", 60)):
            subject.screen.choose(flow_id)
            painted = [Paintings(card) for card in subject.cards[:3]]
            name = Paintings(subject.pill("Ada Lovelace", 0))
            assert subject.cards[0].step is not None
            assert subject.cards[0].step.step_id == {"other": "s100", "w": "s1"}[flow_id]
            seen = subject.tab.sheet.viewport().height()
            below = [card for card in subject.cards if place(card, subject).top() > seen]
            assert len(below) <= 2 * len(line_of_first(subject))
            await subject.settle()
            assert [each.times for each in (*painted, name)] == [1, 1, 1, 1]
            assert len(subject.cards) == cards

    with_flows_page(run, work, WELCOME, other_long_flow())


def tree_of(widget: QWidget) -> list[tuple[QAccessible.Role, str, str]]:
    """What a screen reader finds in `widget`: roles, names and descriptions, from the top."""
    met: list[tuple[QAccessible.Role, str, str]] = []

    def walk(node: QAccessibleInterface) -> None:
        for number in range(node.childCount()):
            child = node.child(number)
            if not child.state().invisible:
                of_name, of_more = QAccessible.Text.Name, QAccessible.Text.Description
                met.append((child.role(), child.text(of_name), child.text(of_more)))
                walk(child)

    node = QAccessible.queryAccessibleInterface(widget)
    assert node is not None
    walk(node)
    return met


def test_a_screen_reader_finds_every_step_and_name_whatever_flow_was_shown_before(
    run: Run,
) -> None:
    async def work(subject: FlowsPageFixture) -> None:
        for flow_id in ("other", "w", "b", "w"):
            subject.screen.choose(flow_id)
            await subject.settle()
        tree = tree_of(subject.tab.sheet)
        said = [name for _, name, _ in tree]
        for name in (
            "Step 1: Step of 1, people join here, Ada Lovelace, Bob Øst",
            "Step 2: Step of 2, nobody administers this step",
            "Step 3.1: Seating, Bob Øst",
            "somebody not in your list (…9abc)",
            "pending, after step 4",
        ):
            assert said.count(name) == 1, name
        names = [each for each in tree if each[1].startswith("Administrator ")]
        assert {role for role, _, _ in names} == {QAccessible.Role.Button}
        assert sorted(name.split(" ", 1)[1] for _, name, _ in names) == [
            *("Ada Lovelace", "Ada Lovelace", "Bob Øst", "Bob Øst", "Bob Øst"),
            "Eve Adams (archived)",
        ]
        assert ("Step 3.1: Seating. Press Enter to show this person.") in {
            more for _, _, more in names
        }

    with_flows_page(run, work, WELCOME, BAPTISM, other_long_flow())


def test_of_very_many_steps_inside_one_the_first_come_at_once(run: Run) -> None:
    inside = tuple(step(number, "ada", "bob", "eve") for number in range(2, 120))
    other = tuple(step(number, "ada") for number in range(121, 124))
    large = PeopleFlow(id="large", name="Large", steps=(step(1, steps=inside), *other))

    def shown(subject: FlowsPageFixture) -> list[str]:
        bodies = subject.tab.findChildren(StepBody)
        return [b.step.number for b in bodies if b.step and b.isVisibleTo(subject.tab)]

    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("large")
        assert 0 < len(shown(subject)) < 100
        # Somebody looks at another flow meanwhile, and comes back.
        subject.screen.choose("w")
        assert len(shown(subject)) == 7
        subject.screen.choose("large")
        await subject.settle()
        assert len(shown(subject)) == 122
        assert [body.step.number for body in subject.cards[0].bodies if body.step] == [
            "1",
            *(f"1.{number}" for number in range(1, 119)),
        ]

    with_flows_page(run, work, WELCOME, large)


def test_whoever_comes_for_a_late_step_finds_it_at_once(run: Run) -> None:
    steps = tuple(step(number, "ada", "bob", "eve") for number in range(1, 90))
    large = PeopleFlow(id="large", name="Large", steps=steps)

    async def work(subject: FlowsPageFixture) -> None:
        subject.screen.choose("large", "s80")
        (card,) = (each for each in subject.cards if each.step and each.step.step_id == "s80")
        bar = subject.tab.sheet.verticalScrollBar()
        seen = place(card, subject)
        assert bar.value() > 0
        assert 0 <= seen.top() < subject.window.height()

    with_flows_page(run, work, WELCOME, large)


def said(subject: FlowsPageFixture) -> list[str]:
    """What the labels in view say."""
    labels = subject.tab.findChildren(QLabel)
    return [label.text() for label in labels if label.isVisibleTo(subject.tab)]


@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_the_name_of_a_flow_has_the_room_before_what_is_missing_in_it(
    qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    def painted(name: str) -> QImage:
        row = FlowRow("f", name, "7 steps", "3 gaps")
        rows = RowsOnDemand[str, FlowRow](lambda _key: row)
        rows.show(["f"])
        view = RowListView(rows, "Flows", FlowDelegate)
        qtbot.addWidget(view)
        view.setLayoutDirection(direction)
        view.resize(190, 80)
        return view.grab().toImage()

    assert painted("Neu im Kindergottesd") != painted("Neu im Kindergottesb")
