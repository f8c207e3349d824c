"""The quick-add card under real keys: what each does, where the keyboard goes, what is shown."""

from collections.abc import AsyncIterator, Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.model.outbox import EntryState, NewPerson
from app.tour.screen_reader import named
from app.tour.script import click, press, type_text
from tests.viewmodels.conftest import AccountFixture
from tests.viewmodels.quick_add.typing_room import TOO_LONG, names, quick_add, refused
from tests.views.held_key import press_held
from tests.views.quick_add.quick_add_fixture import QuickAddFixture, the

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
async def subject(account: AccountFixture) -> AsyncIterator[QuickAddFixture]:
    subject = QuickAddFixture(quick_add(account))
    subject.card.focus_line()
    yield subject
    shiboken6.delete(subject.window)


@pytest.fixture
def clipboard(qapp: QApplication) -> Iterator[None]:  # noqa: ARG001 - Qt must be there
    yield
    QGuiApplication.clipboard().clear()


async def test_a_typed_line_is_shown_as_fields_and_enter_saves_clears_and_stays(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace ada@x.org")
    assert subject.fields() == ["Ada", "Lovelace", "ada@x.org"]
    press(Qt.Key.Key_Return)
    assert (subject.text, subject.focused, names(account)) == (
        "",
        subject.card.line,
        ["Ada Lovelace"],
    )
    assert named("First name", QLineEdit) is None


async def test_shift_and_enter_keep_the_last_name_and_backspace_drops_it(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return, SHIFT)
    assert (subject.text, subject.fields()) == ("", ["", "Lovelace", ""])
    assert subject.card.line.placeholderText() == "First name of the next Lovelace"
    type_text("Byron")
    press(Qt.Key.Key_Enter, SHIFT | Qt.KeyboardModifier.KeypadModifier)
    assert names(account) == ["Ada Lovelace", "Byron Lovelace"]
    press(Qt.Key.Key_Backspace)
    assert named("Last name", QLineEdit) is None


async def test_enter_in_a_field_saves_and_leads_back_to_the_line(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelase")
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Backtab)
    type_text("Lovelace")
    focused: list[QWidget | None] = []
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    follow = application.focusChanged.connect(lambda _before, now: focused.append(now))
    press(Qt.Key.Key_Return)
    QApplication.disconnect(follow)
    assert (names(account), focused) == (["Ada Lovelace"], [subject.card.line])


async def test_up_brings_the_last_entry_back_and_down_the_line_that_was_typed(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return)
    type_text("Grace")
    press(Qt.Key.Key_Up)
    assert (subject.text, subject.card.line.cursorPosition()) == ("Grace", 0)
    press(Qt.Key.Key_Up)
    assert (subject.text, names(account)) == ("Ada Lovelace", ["Ada Lovelace"])
    press(Qt.Key.Key_Up)
    assert subject.text == "Ada Lovelace"
    press(Qt.Key.Key_Down)
    assert (subject.text, names(account)) == ("Grace", ["Ada Lovelace"])


async def test_escape_puts_the_line_away_and_then_gives_the_keyboard_back(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada")
    press(Qt.Key.Key_Escape)
    assert (subject.text, subject.focused) == ("", subject.card.line)
    press(Qt.Key.Key_Escape)
    assert subject.focused is subject.search


@pytest.mark.parametrize("field", ["Add a person", "First name"])
async def test_an_enter_that_is_held_adds_nobody_who_comes_into_the_line_after_it(
    subject: QuickAddFixture, account: AccountFixture, field: str
) -> None:
    for name in ("Ada", "Bob", "Eve"):
        subject.model.give(f"{name} Lovelace")
    the(field, QLineEdit).setFocus()
    for times, key in enumerate((Qt.Key.Key_Return, Qt.Key.Key_Enter), 1):
        press_held(key)
        assert len(names(account)) == times
    assert subject.text == "Eve Lovelace"


async def test_the_keyboard_goes_back_to_where_it_came_from_last(subject: QuickAddFixture) -> None:
    subject.list.setFocus()
    click(subject.card.line)
    press(Qt.Key.Key_Escape)
    assert subject.focused is subject.list


async def test_a_place_that_is_not_on_the_screen_is_asked_for(subject: QuickAddFixture) -> None:
    asked: list[object] = []
    subject.card.return_wanted.connect(asked.append)
    subject.list.hide()
    subject.card.focus_line(subject.list)
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Escape)
    assert asked == [subject.list, None]


async def test_a_place_that_is_gone_is_not_gone_back_to(subject: QuickAddFixture) -> None:
    asked: list[object] = []
    subject.card.return_wanted.connect(asked.append)
    gone = QLineEdit(subject.window)
    subject.card.focus_line(gone)
    shiboken6.delete(gone)
    press(Qt.Key.Key_Escape)
    assert asked == [None]


async def test_escape_in_a_field_or_on_a_button_leads_to_the_line(subject: QuickAddFixture) -> None:
    type_text("Ada ada@gmial.com")
    for tabs in (1, 4):
        for _ in range(tabs):
            press(Qt.Key.Key_Tab)
        assert subject.focused is not subject.card.line
        press(Qt.Key.Key_Escape)
        assert (subject.focused, subject.text) == (subject.card.line, "Ada ada@gmial.com")


async def test_undo_is_the_typing_first_and_then_the_last_entry(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return)
    type_text("G")
    press(Qt.Key.Key_Z, CTRL)
    assert (subject.text, names(account)) == ("", ["Ada Lovelace"])
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Z, CTRL)
    assert (subject.text, names(account)) == ("Ada Lovelace", [])


async def test_a_slip_in_an_email_is_mended_by_one_key_that_can_be_undone(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada ada@gmial.com")
    button = named("Did you mean ada@gmail.com?", QPushButton)
    assert isinstance(button, QPushButton)
    assert button.text() == "Did you mean ada@gmail.com?  Alt+M"
    press(Qt.Key.Key_M, ALT)
    assert (subject.text, subject.fields()[2]) == ("Ada ada@gmail.com", "ada@gmail.com")
    assert not button.isVisible()
    press(Qt.Key.Key_Z, CTRL)
    assert subject.text == "Ada ada@gmial.com"


async def test_mending_an_email_keeps_the_fields_that_were_corrected_by_hand(
    subject: QuickAddFixture, account: AccountFixture
) -> None:
    type_text("Maria Jose Garcia Lopez majo@gmial.com")
    first = the("First name", QLineEdit)
    first.setFocus()
    first.selectAll()
    type_text("Marijo")
    corrected = subject.fields()
    press(Qt.Key.Key_M, ALT)
    mended = ["Marijo", corrected[1], "majo@gmail.com"]
    assert (subject.fields(), subject.text[-14:]) == (mended, "majo@gmail.com")
    press(Qt.Key.Key_Z, CTRL)
    assert subject.fields() == corrected, "undone"
    press(Qt.Key.Key_M, ALT)
    press(Qt.Key.Key_Return)
    assert names(account) == [f"Marijo {corrected[1]}"]


async def test_a_slip_in_an_email_is_mended_by_one_click(subject: QuickAddFixture) -> None:
    type_text("Ada ada@gmial.com")
    button = named("Did you mean ada@gmail.com?", QPushButton)
    assert button is not None
    click(button)
    assert (subject.text, subject.focused) == ("Ada ada@gmail.com", subject.card.line)


async def test_what_is_wrong_with_an_email_stands_beside_it_and_blocks_nothing(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada ada@x")
    [sentence] = subject.sentences()
    assert "no dot" in sentence
    press(Qt.Key.Key_Return)
    assert names(account) == ["Ada"]


@pytest.mark.usefixtures("clipboard")
async def test_a_phone_number_stands_beside_the_fields_to_be_copied(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada 020 7946 0958")
    assert subject.fields() == ["Ada", "", ""]
    copy = named("Copy the phone number", QPushButton)
    assert isinstance(copy, QPushButton)
    click(copy)
    assert QGuiApplication.clipboard().text() == "020 7946 0958"
    assert copy.text() == "Copied"
    subject.card.focus_line()
    type_text("1")
    assert copy.text() == "Copy"


@pytest.mark.usefixtures("clipboard")
@pytest.mark.parametrize(
    "pasted",
    [
        "Ada\tLovelace\tada@x.org",
        "Ada\nLovelace\nada@x.org",
        "Lovelace, Ada\r\nada@x.org\r\n",
        "Ada\u00a0Lovelace\u2028ada@x.org",
    ],
)
async def test_what_is_pasted_is_read_with_its_tabs_and_line_ends(
    subject: QuickAddFixture, pasted: str
) -> None:
    QGuiApplication.clipboard().setText(pasted)
    press(Qt.Key.Key_V, CTRL)
    assert subject.fields() == ["Ada", "Lovelace", "ada@x.org"]


@pytest.mark.usefixtures("clipboard")
async def test_a_list_that_is_pasted_leaves_the_line_as_it_was(subject: QuickAddFixture) -> None:
    lists: list[str] = []
    subject.model.list_pasted.connect(lists.append)
    type_text("Zora")
    rows = "Ada\tLovelace\tada@x.org\nGrace\tHopper\tgrace@x.org"
    QGuiApplication.clipboard().setText(rows)
    press(Qt.Key.Key_V, CTRL)
    assert (lists, subject.text) == ([rows], "Zora")


@pytest.mark.usefixtures("clipboard")
@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_Home, Qt.Key.Key_End])
async def test_a_list_that_is_pasted_over_a_line_like_it_loses_no_letter(
    subject: QuickAddFixture, key: Qt.Key
) -> None:
    lists: list[str] = []
    subject.model.list_pasted.connect(lists.append)
    rows = "Ada Lovelace\nGrace Hopper\nAda Byron"
    for line in ("Ada Lo", "Eve Byron"):
        type_text(line)
        press(key, CTRL if key == Qt.Key.Key_A else Qt.KeyboardModifier.NoModifier)
        QGuiApplication.clipboard().setText(rows)
        press(Qt.Key.Key_V, CTRL)
        assert (lists.pop(), subject.text) == (rows, line)
        press(Qt.Key.Key_A, CTRL)
        press(Qt.Key.Key_Delete)


async def test_tab_goes_through_everything_in_the_order_of_the_work(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada Lovelace ada@gmial.com 020 7946 0958")
    seen = []
    for _ in range(8):
        press(Qt.Key.Key_Tab)
        focused = subject.focused
        assert focused is not None
        seen.append(focused.accessibleName() or getattr(focused, "text", str)())
    assert seen[:3] == ["First name", "Last name", "Email"]
    assert seen[3:6] == ["Did you mean ada@gmail.com?", "Copy the phone number", "Add"]
    assert subject.focused is subject.search
    press(Qt.Key.Key_Tab, SHIFT)
    assert subject.focused is subject.list


async def test_a_field_grows_with_what_it_holds_and_never_beyond_the_card(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada L a@x.org")
    field = the("Email", QLineEdit)
    before = field.width()
    type_text(".a-rather-long-name.of-an-organisation.example")
    QTest.qWait(1)
    metrics = field.fontMetrics()
    assert field.width() > before
    assert field.contentsRect().width() >= metrics.horizontalAdvance(field.text())
    type_text(".and-more" * 15)
    QTest.qWait(1)
    assert field.mapTo(subject.card, field.rect().topRight()).x() < subject.card.width()


async def test_the_list_below_does_not_move_when_typing_begins(subject: QuickAddFixture) -> None:
    before = subject.height_wanted()
    type_text("Ada Lovelace ada@x.org")
    assert abs(subject.height_wanted() - before) <= 2


async def test_coming_back_to_a_typed_line_marks_nothing_that_typing_would_replace(
    subject: QuickAddFixture,
) -> None:
    type_text("Ada")
    subject.search.setFocus()
    subject.card.focus_line()
    type_text(" L")
    assert subject.text == "Ada L"


async def test_the_reading_describes_the_line_to_a_screen_reader(subject: QuickAddFixture) -> None:
    type_text("Ada Lovelace")
    interface = QAccessible.queryAccessibleInterface(subject.card.line)
    described = interface.text(QAccessible.Text.Description)
    assert described == "Read as first name Ada, last name Lovelace."


async def test_tab_leads_to_what_comes_next_as_in_every_form(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada")
    press(Qt.Key.Key_Tab)
    type_text("Lovelace")
    press(Qt.Key.Key_Tab)
    type_text("ada@x.org")
    press(Qt.Key.Key_Return)
    (entry,) = account.outbox.entries()
    new = entry.new_person
    assert (new.firstname, new.lastname, new.email) == ("Ada", "Lovelace", "ada@x.org")

    type_text("Grace Hopper")
    press(Qt.Key.Key_Tab)
    assert subject.focused is the("Email", QLineEdit)
    press(Qt.Key.Key_Backtab)
    assert subject.focused is the("Last name", QLineEdit)


async def test_an_email_typed_where_the_last_name_was_wanted_goes_into_its_own_field(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada")
    press(Qt.Key.Key_Tab)
    type_text("ada@x.org")
    press(Qt.Key.Key_Tab)
    assert subject.fields() == ["Ada", "", "ada@x.org"]
    press(Qt.Key.Key_Return)
    (entry,) = account.outbox.entries()
    assert (entry.new_person.full_name, entry.new_person.email) == ("Ada", "ada@x.org")


async def test_after_a_refusal_typing_replaces_an_arrow_keeps_and_undo_brings_back(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("only@email.example")
    press(Qt.Key.Key_Return)
    assert subject.card.line.selectedText() == "only@email.example"
    press(Qt.Key.Key_Right)
    type_text("s")
    assert subject.text == "only@email.examples"
    press(Qt.Key.Key_Return)
    type_text("Ada Lovelace")
    assert (subject.text, subject.fields()) == ("Ada Lovelace", ["Ada", "Lovelace", ""])
    press(Qt.Key.Key_Z, CTRL)
    assert subject.text == "only@email.examples"
    press(Qt.Key.Key_A, CTRL)
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return)
    assert names(account) == ["Ada Lovelace"]


async def test_what_was_taken_back_is_typed_over_at_once(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Z, CTRL)
    assert subject.card.line.selectedText() == "Ada Lovelace"
    type_text("Bob Quirk")
    press(Qt.Key.Key_Return)
    assert names(account) == ["Bob Quirk"]


async def test_an_entry_to_be_corrected_is_typed_over_unless_an_arrow_keeps_it(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    entry = await refused(account, "Ada refuse@g.example")
    subject.search.setFocus()
    subject.model.correct(entry)
    subject.card.focus_line()
    assert subject.card.line.selectedText() == "Ada refuse@g.example"
    press(Qt.Key.Key_End)
    type_text("x")
    assert subject.text == "Ada refuse@g.examplex"
    press(Qt.Key.Key_A, CTRL)
    type_text("Ada ada@better.example")
    press(Qt.Key.Key_Return)
    (entry,) = account.outbox.entries()
    assert entry.new_person.email == "ada@better.example"


async def test_a_refused_entry_typed_over_keeps_none_of_its_fields(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    press(Qt.Key.Key_Space)
    type_text("refuse@g.example")
    account.scripted.answers = [TOO_LONG]
    entry = account.outbox.add("refuse@g.example", NewPerson(firstname="Ada"))
    entry = await account.sent(entry, EntryState.REFUSED)
    subject.model.correct(entry)
    type_text("Bob Quirk")
    assert subject.fields() == ["Bob", "Quirk", ""]


async def test_a_line_that_was_put_aside_comes_back_to_go_on_with(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    entry = account.outbox.add("Ada Lovelace", NewPerson(firstname="Ada", lastname="Lovelace"))
    type_text("Greta Half")
    subject.model.correct(entry)
    press(Qt.Key.Key_Return)
    assert (subject.text, subject.card.line.selectedText()) == ("Greta Half", "")
    type_text("mann")
    press(Qt.Key.Key_Return)
    assert sorted(names(account)) == ["Ada Lovelace", "Greta Halfmann"]


async def test_a_line_put_away_that_undo_brings_back_is_typed_over(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_Z, CTRL)
    assert subject.card.line.selectedText() == "Ada Lovelace"
    type_text("Bob Quirk")
    press(Qt.Key.Key_Return)
    assert names(account) == ["Bob Quirk"]


async def test_fields_corrected_by_hand_are_not_the_next_persons(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    press(Qt.Key.Key_Space)
    type_text("ada@x.org")
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Tab)
    type_text("ada@y.org")
    press(Qt.Key.Key_Return)
    assert (subject.focused, names(account)) == (subject.card.line, [])
    type_text("Bob Quirk")
    press(Qt.Key.Key_Return)
    (entry,) = account.outbox.entries()
    assert (entry.new_person.full_name, entry.new_person.email) == ("Bob Quirk", "")


async def test_nothing_moves_by_itself_when_what_was_said_of_saving_ends(
    account: AccountFixture, subject: QuickAddFixture
) -> None:
    type_text("Ada Lovelace")
    press(Qt.Key.Key_Return, SHIFT)
    before = subject.height_wanted()
    assert any("Ada Lovelace added." in one for one in subject.sentences())
    (entry,) = account.outbox.entries()
    await account.sent(entry, EntryState.ADDED)
    assert not any("Ada Lovelace added." in one for one in subject.sentences())
    assert subject.height_wanted() == before
    type_text("B")
    assert subject.height_wanted() < before


@pytest.mark.parametrize("more", [" 0412 345 678", " ; 7", " ada@lovelace", ""])
async def test_the_list_below_stays_where_it_is_whatever_is_said_of_what_is_typed(
    subject: QuickAddFixture, more: str
) -> None:
    before = subject.height_wanted()
    for letter in f"Ada Lovelace{more}":
        type_text(letter)
        assert subject.height_wanted() == before
    press(Qt.Key.Key_Return)
    assert subject.height_wanted() == before


async def test_nor_does_a_second_remark_that_has_its_room(subject: QuickAddFixture) -> None:
    subject.card.keep_room_for(2)
    before = subject.height_wanted()
    for letter in "Ada Lovelace 0412 345 678 (choir)":
        type_text(letter)
        assert subject.height_wanted() == before
    assert len(subject.sentences()) > 0
    press(Qt.Key.Key_Return)
    assert subject.height_wanted() == before


async def test_nor_does_a_refusal_move_it(subject: QuickAddFixture) -> None:
    before = subject.height_wanted()
    type_text("only@email.example")
    press(Qt.Key.Key_Return)
    assert subject.model.state.typed
    assert subject.sentences()
    assert subject.height_wanted() == before


@pytest.fixture
def dressed(qapp: QApplication) -> Iterator[None]:
    """As in the window: one kind of label is larger than the next."""
    qapp.setStyleSheet(
        'QLabel[role="small"] { font-size: 11px; } QLabel[role="soft"] { font-size: 15px; }'
    )
    yield
    qapp.setStyleSheet("")


@pytest.mark.usefixtures("dressed")
async def test_nor_where_what_is_said_is_larger_than_the_hint(account: AccountFixture) -> None:
    subject = QuickAddFixture(quick_add(account))
    subject.card.focus_line()
    before = subject.height_wanted()
    type_text("Ada Lovelace 0412 345 678")
    assert any("phone number" in one for one in subject.sentences())
    assert subject.height_wanted() == before
    shiboken6.delete(subject.window)
