"""Who may be the same person, below what is typed: seen, opened by a key, and never in
the way of what somebody is about to click.
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app.model.field_limits import NAME, shortened
from app.model.person import Person
from app.runtime.paths import resource
from app.runtime.words import languages, use_language
from app.tour.screen_reader import named, visible
from app.tour.script import press, type_text
from app.viewmodels.quick_add.quick_add_state import all_the_same_words, second_words
from app.views.widgets.already_here import AlreadyHere
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.quick_add.typing_room import names, quick_add
from tests.views.held_key import press_held
from tests.views.quick_add.quick_add_fixture import QuickAddFixture

if TYPE_CHECKING:
    from app.viewmodels.already_here import DuplicateHint

ALT = Qt.KeyboardModifier.AltModifier
GRACE = Person(id="g", firstname="Grace", lastname="Lindqvist", email="grace@lindqvist.example")
GRETA = Person(id="h", firstname="Grete", lastname="Lindqvist", email="grete@lindqvist.example")


@pytest.fixture
async def account(qapp: QApplication) -> AsyncIterator[AccountFixture]:  # noqa: ARG001 - Qt must be there
    """An account with two people of one name."""
    account = AccountFixture()
    await account.open()
    await account.list_people(GRACE, GRETA)
    await account.settle()
    yield account
    await account.close()
    assert account.crashes == []


@pytest.fixture
async def subject(account: AccountFixture) -> AsyncIterator[QuickAddFixture]:
    subject = QuickAddFixture(quick_add(account))
    subject.card.focus_line()
    yield subject
    shiboken6.delete(subject.window)


def panel() -> AlreadyHere | None:
    return next((each for each in visible(AlreadyHere) if isinstance(each, AlreadyHere)), None)


def shown() -> str:
    """All that stands in the panel."""
    seen = panel()
    labels = seen.findChildren(QLabel) if seen is not None else []
    return " ".join(each.text() for each in labels if each.isVisible() and each.text())


async def test_nothing_moves_when_somebody_is_found_or_asked_about(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    subject.card.keep_room_for(2)
    type_text("Grace L")
    QTest.qWait(1)
    before = subject.list.geometry(), subject.card.geometry()
    type_text("indqvist")
    assert "Already here? Grace Lindqvist grace@lindqvist.example same name" in shown()
    here = panel()
    assert here is not None
    placed = here.y(), here.buttons[0].mapTo(here, QPoint())
    press(Qt.Key.Key_Return)
    assert second_words() in shown()
    QTest.qWait(1)
    assert (subject.list.geometry(), subject.card.geometry()) == before
    assert (here.y(), here.buttons[0].mapTo(here, QPoint())) == placed
    assert (
        here.y()
        > subject.card.line.mapTo(subject.window, subject.card.line.rect().bottomLeft()).y()
    )
    assert here.geometry().bottom() < subject.card.geometry().bottom()
    press(Qt.Key.Key_Return)
    assert (names(account), panel()) == (["Grace Lindqvist"], None)


async def test_the_second_enter_is_never_the_first_that_is_held(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Grace Lindqvist")
    press_held(Qt.Key.Key_Return)
    assert second_words() in shown()
    assert names(account) == []
    press_held(Qt.Key.Key_Return)
    assert names(account) == ["Grace Lindqvist"]
    assert subject.text == ""


async def test_what_another_enter_does_is_read_to_its_end_in_every_language_in_the_smallest_window(
    subject: QuickAddFixture,
) -> None:
    """Beside the details of a person, where the card is narrowest."""
    subject.window.resize(540, 400)
    type_text("Grace Lindqvist")
    here = panel()
    assert here is not None
    sentences = []
    for language in languages(resource("translations")):
        use_language(resource("translations"), [language])
        sentences += [second_words(), all_the_same_words()]
    use_language(resource("translations"), ["en"])
    assert len(sentences) > 10
    for sentence in sentences:
        here.show_hints(subject.model.state.hints, sentence)
        QTest.qWait(1)
        (warning,) = (each for each in here.findChildren(QLabel) if each.text() == sentence)
        assert warning.fontMetrics().horizontalAdvance(sentence) <= warning.width(), sentence


async def test_as_narrow_as_the_small_window_it_is_read_in_several_lines(
    subject: QuickAddFixture,
) -> None:
    subject.window.resize(360, 500)
    type_text("Grace Lindqvist")
    here = panel()
    assert here is not None
    here.show_hints(subject.model.state.hints, second_words())
    QTest.qWait(1)
    (warning,) = (each for each in here.findChildren(QLabel) if each.text() == second_words())
    assert warning.fontMetrics().horizontalAdvance(second_words()) > warning.width()
    assert warning.heightForWidth(warning.width()) > warning.fontMetrics().lineSpacing() * 1.5
    assert warning.isVisible()


async def test_why_it_is_thought_is_read_whole_in_the_small_window(
    subject: QuickAddFixture,
) -> None:
    subject.window.resize(360, 500)
    subject.card.shrink(on=True)
    subject.card.setFixedHeight(200)
    type_text("Grace Lindqvist")
    here = panel()
    assert here is not None
    (hint,) = (each for each in subject.model.state.hints if each.name == "Grace Lindqvist")
    hint = replace(hint, about="Vor- und Nachname vertauscht, hinzugefügt 03.05.25")
    here.show_hints((hint,))
    here.place_below(QRect(here.x(), 0, here.width(), here.y() - 5))
    QTest.qWait(1)
    (why,) = (each for each in here.findChildren(QLabel) if each.text() == hint.about)
    lines = why.height() // why.fontMetrics().lineSpacing()
    assert why.fontMetrics().horizontalAdvance(hint.about) < why.width() * lines * 0.9
    # With less room it has one line, and is not cut across.
    # Looked at before the line has its own turn to say where they stand.
    here.place_below(QRect(here.x(), 0, here.width(), 500 - here.height() + 5))
    assert why.height() < 2 * why.fontMetrics().lineSpacing()


async def test_in_the_small_window_it_stands_close_to_what_is_said_and_covers_the_foot_last(
    subject: QuickAddFixture,
) -> None:
    subject.window.resize(360, 500)
    subject.card.shrink(on=True, covered_last=subject.list)
    type_text("Grace Lindqvist")
    QTest.qWait(1)
    here = panel()
    assert here is not None
    assert here.y() < subject.card.y() + subject.card.room, "the room of remarks is free"
    (hint,) = (each for each in subject.model.state.hints if each.name == "Grace Lindqvist")
    about = "Vor- und Nachname vertauscht, hinzugefügt 03.05.25"
    here.show_hints([replace(hint, about=about)] * 3)
    seen = []
    for height in range(500, 260, -6):
        subject.window.resize(360, height)
        QTest.qWait(1)
        why = next(each for each in here.findChildren(QLabel) if each.text() == about)
        lines = why.height() // why.fontMetrics().lineSpacing()
        seen.append((lines, here.geometry().bottom() >= subject.list.y()))
    assert list(dict.fromkeys(seen)) == [(2, False), (1, False), (1, True)]


async def test_alt_and_a_number_open_that_person_and_the_line_keeps_its_text(
    subject: QuickAddFixture,
) -> None:
    opened: list[DuplicateHint] = []
    subject.card.open_wanted.connect(opened.append)
    type_text("Grace Lindqvist")
    press(Qt.Key.Key_3, ALT)
    assert opened == []
    press(Qt.Key.Key_1, ALT)
    assert [hint.name for hint in opened] == ["Grace Lindqvist"]
    assert subject.text == "Grace Lindqvist"


async def test_after_a_warning_the_next_person_is_typed_over_who_is_there_already(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Grace Lindqvist")
    press(Qt.Key.Key_Return)
    type_text("Bob Hill bob@hill.example")
    press(Qt.Key.Key_Return)
    (entry,) = account.outbox.entries()
    assert (entry.new_person.full_name, entry.new_person.email) == ("Bob Hill", "bob@hill.example")
    press(Qt.Key.Key_Up)
    press(Qt.Key.Key_Up)
    assert subject.text == "Grace Lindqvist", "what was typed over is found again"


async def test_after_a_warning_an_arrow_keeps_undo_brings_back_and_enter_still_adds(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Grace Lindqvis")
    press(Qt.Key.Key_T)
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Right)
    type_text("o")
    assert subject.text == "Grace Lindqvisto"
    press(Qt.Key.Key_Backspace)
    press(Qt.Key.Key_Return)
    type_text("Bob")
    press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert subject.text == "Grace Lindqvist"
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Return)
    assert names(account) == ["Grace Lindqvist"]


@pytest.mark.parametrize("reason", [Qt.FocusReason.OtherFocusReason, Qt.FocusReason.TabFocusReason])
async def test_coming_back_after_a_warning_types_over_and_after_an_arrow_does_not(
    subject: QuickAddFixture, reason: Qt.FocusReason
) -> None:
    type_text("Grace Lindqvist")
    press(Qt.Key.Key_Return)
    subject.search.setFocus()
    subject.card.focus_line()
    assert subject.card.line.selectedText() == "Grace Lindqvist"
    subject.search.setFocus()
    subject.card.line.setFocus(reason)
    assert subject.card.line.selectedText() == "Grace Lindqvist"
    press(Qt.Key.Key_End)
    subject.search.setFocus()
    subject.card.focus_line()
    type_text("!")
    assert subject.text == "Grace Lindqvist!"


async def test_it_is_gone_while_the_keyboard_is_elsewhere_and_back_with_it(
    subject: QuickAddFixture,
) -> None:
    type_text("Grace Lindqvist")
    assert panel() is not None
    subject.list.setFocus()
    assert panel() is None
    subject.card.focus_line()
    assert panel() is not None


async def test_its_buttons_are_on_the_way_of_tab_and_escape_leads_to_the_line(
    subject: QuickAddFixture,
) -> None:
    type_text("Grace Lindqvist")
    button = named("Open Grace Lindqvist", QPushButton)
    assert button is not None
    for _ in range(12):
        press(Qt.Key.Key_Tab)
        if subject.focused is button:
            break
    assert subject.focused is button
    assert panel() is not None
    press(Qt.Key.Key_Escape)
    assert subject.focused is subject.card.line


async def test_a_click_where_somebody_else_stood_just_now_opens_nobody(
    subject: QuickAddFixture,
) -> None:
    opened: list[DuplicateHint] = []
    subject.card.open_wanted.connect(opened.append)
    type_text("Grace Lindqvist")
    button = named("Open Grace Lindqvist", QPushButton)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == []
    QTest.qWait(450)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [hint.name for hint in opened] == ["Grace Lindqvist"]


async def test_long_names_are_cut_and_stay_inside(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    long = Person(
        id="l", firstname="Wolfeschlegel" * 9, lastname="Steinhausen" * 9, email="l@x.org"
    )
    await account.list_people(long)
    await account.settle()
    subject.window.resize(420, 500)
    subject.card.setFixedHeight(200)
    type_text("Bob Long l@x.org")
    here = panel()
    assert here is not None
    QTest.qWait(1)
    inside = QRect(QPoint(), here.size())
    for each in here.findChildren(QLabel):
        if each.isVisible():
            assert inside.contains(QRect(each.mapTo(here, QPoint()), each.size())), each.text()


@pytest.mark.usefixtures("subject")
async def test_it_is_read_out_once_and_without_interrupting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[str] = []

    def announce(_widget: object, sentence: str, *, urgent: bool = False) -> None:
        assert not urgent
        heard.append(sentence)

    monkeypatch.setattr("app.views.quick_add.quick_add.announce", announce)
    type_text("Grace Lindqvist")
    here = "Already here? Grace Lindqvist, grace@lindqvist.example, same name"
    assert [words for words in heard if words.startswith(here)] == heard[-1:]
    said = len(heard)
    type_text(" ")
    assert len(heard) == said
    press(Qt.Key.Key_Return)
    assert heard[-1].endswith(second_words())
    assert len(heard) == said + 1


@pytest.mark.parametrize(
    "name",
    [
        "<h1>Zed</h1><img src='x'>",
        "\u202edeZ\u2066",
        "Zed" * 300_000,
        "\u0301\u0489" * 90,
        "Z\r\n\0ed",
    ],
)
async def test_hostile_names_are_plain_text_within_bounds(
    account: AccountFixture, subject: QuickAddFixture, name: str
) -> None:
    first = shortened(name, NAME)
    await account.list_people(
        Person(id="z", firstname=first, lastname="Zed", email="z@zed.example")
    )
    await account.settle()
    type_text("Someone z@zed.example")
    here = panel()
    assert here is not None
    assert "z@zed.example" in shown()
    assert here.width() <= subject.window.width()
    assert all(each.textFormat() is Qt.TextFormat.PlainText for each in here.findChildren(QLabel))
    told = shown() + "".join(each.accessibleName() for each in here.buttons)
    assert not {*told} & {*"\u202e\u2066\r\0"}
    assert len(told) < 4_000
