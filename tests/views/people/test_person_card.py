"""The detail pane as it is seen and used: copied from, followed, written to, kept in hand."""

from collections.abc import AsyncIterator
from functools import partial

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.model.flow import PeopleFlow, Step
from app.model.outbox import EntryState
from app.tour.screen_reader import named, text_on_screen, visible
from app.tour.script import click
from app.viewmodels.flows.cards import FlowLink
from app.views.people.person_pane import PersonPaneView
from app.views.widgets.buttons import button
from app.views.widgets.labels import ValueLabel
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture
from tests.viewmodels.people.pane_room import Pane
from tests.views.mail_program import MailProgram
from tests.views.mail_program import bare_desktop as bare_desktop  # noqa: PLC0414 - a fixture here
from tests.views.mail_program import mail_links as mail_links  # noqa: PLC0414 - as above
from tests.views.mail_program import mail_program as mail_program  # noqa: PLC0414 - as above
from tests.views.moment import Moment

WELCOME = PeopleFlow(
    id="w",
    name="Welcome & more",
    admins=(BOB.id,),
    steps=(Step(id="s", name="Call", admins=(BOB.id,)),),
)


@pytest.fixture
async def pane(account: AccountFixture) -> Pane:
    """Ada and Bob, and a flow that Bob administers."""
    await account.list_people(ADA, BOB, EVE)
    pane = Pane(account)
    await account.list_flows(WELCOME)
    return pane


@pytest.fixture
async def card(pane: Pane) -> AsyncIterator[PersonPaneView]:
    card = PersonPaneView(pane.pane)
    card.resize(290, 600)
    card.show()
    card.activateWindow()
    assert QTest.qWaitForWindowActive(card)
    yield card
    shiboken6.delete(card)
    QGuiApplication.clipboard().clear()


def the(name: str) -> QPushButton:
    """The visible button of that accessible name."""
    button = named(name, QPushButton)
    assert isinstance(button, QPushButton), text_on_screen()
    return button


async def test_a_long_flow_or_step_is_cut_with_dots(
    account: AccountFixture, pane: Pane, card: PersonPaneView
) -> None:
    step, flow = "Call everybody back " * 6, "Welcome to all who are new " * 6
    steps = (Step(id="s", name=step, admins=(BOB.id,)),)
    await account.list_flows(PeopleFlow(id="w", name=flow, steps=steps))
    pane.people.choose_person("bob")
    await account.settle()
    card.grab()
    links = [b for b in card.findChildren(QPushButton) if b.isVisible() and len(b.text()) > 100]
    assert len(links) == 2
    for link in links:
        assert card.rect().contains(link.mapTo(card, link.rect().bottomRight()))
        plain = button(link.text(), card.show, "link")
        plain.resize(link.size())
        # Without dots it would end in the middle of a letter.
        assert plain.grab().toImage() != link.grab().toImage()


@pytest.mark.usefixtures("card")
async def test_nobody_chosen_says_what_to_do() -> None:
    assert "Choose somebody to see more." in text_on_screen()


@pytest.mark.usefixtures("card")
async def test_somebody_who_is_hidden_leaves_the_card_with_a_hint(pane: Pane) -> None:
    pane.people.choose_person("ada")
    pane.people.search("bob")
    assert "Ada Lovelace" not in text_on_screen()
    assert "The search or the filter hides whom you chose." in text_on_screen()
    pane.people.search("nobody at all")
    pane.people.choose(None)
    assert "Choose somebody to see more." in text_on_screen()


async def test_a_list_is_painted_before_the_card_beside_it_is_built(
    account: AccountFixture, pane: Pane
) -> None:
    card = PersonPaneView(pane.pane, delay=20)
    card.show()
    pane.people.choose_person("ada")
    assert "Ada Lovelace" not in text_on_screen()
    await account.until(lambda: QTest.qWait(1) is None and "Ada Lovelace" in text_on_screen())
    pane.people.choose_person("bob")
    card.catch_up()
    assert "Bob Øst" in text_on_screen()
    shiboken6.delete(card)


async def test_a_card_that_nobody_sees_is_built_when_it_is_looked_at(
    account: AccountFixture, pane: Pane
) -> None:
    card = PersonPaneView(pane.pane, delay=1)
    card.show()
    card.hide()
    pages = {id(each) for each in card.findChildren(QWidget)}
    for person_id in ("ada", "bob"):
        pane.people.choose_person(person_id)
        await account.settle()
        QTest.qWait(5)
    assert {id(each) for each in card.findChildren(QWidget)} == pages
    card.show()
    await account.until(lambda: QTest.qWait(1) is None and "Bob Øst" in text_on_screen())
    shiboken6.delete(card)


@pytest.mark.usefixtures("card")
async def test_a_field_is_copied_and_says_so_until_another_is_shown(pane: Pane) -> None:
    pane.people.choose_person("ada")
    click(the("Copy Email"))
    assert QGuiApplication.clipboard().text() == "ada@x.org"
    assert the("Copy Email").text() == "Copied"
    pane.people.choose_person("bob")
    pane.people.choose_person("ada")
    assert the("Copy Email").text() == "Copy"


@pytest.mark.usefixtures("card")
async def test_what_is_not_given_or_blank_is_said_and_cannot_be_copied(pane: Pane) -> None:
    pane.people.choose_person("bob")
    shown = text_on_screen()
    assert "none" in shown
    assert "not given" in shown
    assert named("Copy Email", QPushButton) is None


@pytest.mark.usefixtures("card")
async def test_a_mail_is_begun_in_the_computers_own_program(
    account: AccountFixture, pane: Pane, mail_program: MailProgram
) -> None:
    await account.directory.took(msgspec.structs.replace(ADA, email="ada+a?b@x.org"))
    pane.people.choose_person("ada")
    click(the("Write a mail to ada+a?b@x.org"))
    assert mail_program.opened == ["mailto:ada%2Ba%3Fb@x.org"]


async def test_flows_and_steps_lead_to_where_they_are(pane: Pane, card: PersonPaneView) -> None:
    wanted: list[object] = []
    card.flow_wanted.connect(wanted.append)
    pane.people.choose_person("bob")
    for name in (
        "Show the flow Welcome & more",
        "Show the whole flow in the flow Welcome & more",
        "Show 1 · Call in the flow Welcome & more",
    ):
        click(the(name))
    assert wanted == [
        FlowLink("Welcome & more", "w"),
        FlowLink("the whole flow", "w"),
        FlowLink("1 · Call", "w", "s"),
    ]
    assert the("Show the flow Welcome & more").text() == "Welcome & more"


@pytest.mark.usefixtures("card")
async def test_a_waiting_entry_says_that_sent_is_final_and_can_be_undone(
    account: AccountFixture, pane: Pane
) -> None:
    entry = account.add("Zora", "Neale")
    pane.people.choose(entry.id)
    assert "sent is final" in text_on_screen()
    click(the("Undo"))
    assert account.outbox.entries() == ()


async def test_the_keyboard_stays_in_the_pane_when_the_entry_changes(
    account: AccountFixture, pane: Pane, card: PersonPaneView
) -> None:
    entry = account.add("Zora", "Neale", "zora@x.org")
    pane.people.choose(entry.id)
    the("Copy Email").setFocus()
    await account.sent(entry, EntryState.ADDED)
    assert QApplication.focusWidget() is the("Copy Email")
    pane.people.choose(None)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert card.isAncestorOf(focused)


async def test_what_happens_to_an_entry_does_not_scroll_its_card(
    account: AccountFixture, pane: Pane, card: PersonPaneView
) -> None:
    card.resize(290, 160)
    entry = account.add("Zora", "Neale", "zora@x.org")
    pane.people.choose(entry.id)
    QTest.qWait(20)
    bar = card.findChildren(QScrollArea)[0].verticalScrollBar()
    bar.setValue(60)
    await account.sent(entry, EntryState.ADDED)
    QTest.qWait(20)
    assert bar.value() == 60
    pane.people.choose_person("ada")
    QTest.qWait(20)
    assert bar.value() == 0


async def test_no_press_is_for_a_button_that_came_under_the_pointer_just_now(
    moment: Moment, account: AccountFixture, pane: Pane, card: PersonPaneView
) -> None:
    entry = account.add("Zora", "Neale", "zora@x.org")
    pane.people.choose(entry.id)
    QCursor.setPos(card.mapToGlobal(QPoint(20, 20)))
    QTest.qWait(50)
    moment.passes()
    await account.sent(entry, EntryState.ADDED)
    QGuiApplication.clipboard().clear()
    click(the("Copy Email"))
    assert not QGuiApplication.clipboard().text()
    moment.passes()
    click(the("Copy Email"))
    assert QGuiApplication.clipboard().text() == "zora@x.org"


@pytest.mark.usefixtures("card")
async def test_several_chosen_are_named_and_their_emails_copied(
    pane: Pane, mail_program: MailProgram
) -> None:
    copied: list[object] = []
    pane.people.copying.copied.connect(copied.append)
    pane.people.choose_spans([(0, 2)])
    assert "3 people chosen" in text_on_screen()
    assert "Ada Lovelace" in text_on_screen()
    click(the("Copy emails"))
    click(the("Write to them"))
    assert copied == ["ada@x.org"]
    assert mail_program.opened == ["mailto:ada@x.org"]


@pytest.mark.usefixtures("card")
async def test_a_long_address_is_wrapped_and_not_cut(account: AccountFixture, pane: Pane) -> None:
    long = "anneke.vandenheuvelofthelongname@subdomain.ofsomelargeorganisation.example"
    await account.directory.took(msgspec.structs.replace(ADA, email=long))
    pane.people.choose_person("ada")
    QTest.qWait(1)
    (label,) = (one for one in visible(ValueLabel) if one.text() == long)  # type: ignore[attr-defined]  # only these are asked for
    line = label.fontMetrics().height()
    assert label.height() >= 2 * line
    assert label.height() >= label.heightForWidth(label.width())


async def test_a_number_reads_the_same_in_a_mirrored_window(
    qapp: QApplication, request: pytest.FixtureRequest
) -> None:
    label = ValueLabel("04000000000    7    0200000")
    label.resize(label.sizeHint())
    straight = _widths_of_words(label.grab().toImage())
    request.addfinalizer(partial(qapp.setLayoutDirection, Qt.LayoutDirection.LeftToRight))
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert _widths_of_words(label.grab().toImage()) == pytest.approx(straight, abs=2)


def _widths_of_words(image: QImage) -> list[int]:
    """In pixels, from the left."""
    ground = image.pixel(0, 0)
    drawn = [
        n
        for n in range(image.width())
        if any(image.pixel(n, y) != ground for y in range(image.height()))
    ]
    starts = [n for n in drawn if not set(range(n - 3, n)) & set(drawn)]
    ends = [n for n in drawn if not set(range(n + 1, n + 4)) & set(drawn)]
    return [end - start for start, end in zip(starts, ends, strict=True)]


async def test_of_very_much_that_somebody_administers_the_first_is_listed_and_the_rest_counted(
    account: AccountFixture, pane: Pane, card: PersonPaneView
) -> None:
    steps = tuple(Step(id=f"s{n}", name=f"Step of {n}", admins=(BOB.id,)) for n in range(100))
    await account.list_flows(
        WELCOME, *(PeopleFlow(id=f"f{n}", name=f"Flow {n}", steps=steps) for n in range(3))
    )
    pane.people.choose_person("bob")
    assert "and 242 more" in text_on_screen()
    assert sum(len(flow.lines) for flow in pane.detail.administers) == 60
    followed: list[object] = []
    card.load_wanted.connect(followed.append)
    the("and 242 more").click()
    assert followed == ["bob"]


def test_only_a_word_that_is_longer_than_its_line_is_broken_in_any_font(qtbot: QtBot) -> None:
    label = ValueLabel("nnnn nnnn nnnn")
    qtbot.addWidget(label)
    one = label.heightForWidth(9_999)
    word = label.fontMetrics().horizontalAdvance("nnnn")
    assert label.heightForWidth(word * 7 // 4) > 2 * one
    label.setText("nnnnnnnn")
    assert one < label.heightForWidth(word + 4) <= 2 * one
    large = label.font()
    large.setPointSizeF(large.pointSizeF() * 2)
    label.setFont(large)
    assert label.heightForWidth(word + 4) > 4 * one
