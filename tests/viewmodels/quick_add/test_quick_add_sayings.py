"""What the quick-add line says of its reading, and the repair it offers; nothing of it blocks."""

import msgspec
import pytest

from app.model.outbox import BatchRow, EntryState, NewPerson
from app.outbox.events import EntriesChanged
from app.people.parsing.email import check_email
from app.settings.settings import NameOrderChoice
from app.viewmodels.importing.progress import ProgressScreen
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.quick_add_state import idle_words, phone_words
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.quick_add.typing_room import quick_add, said, save, says


@pytest.fixture
def line(account: AccountFixture) -> QuickAdd:
    return quick_add(account)


PHONE = phone_words()
FAULT = check_email("ada@x")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Ada Lovelace ada@x.org", []),
        ("Ada Lovelace ada@x", [FAULT.sentence if FAULT else "a fault"]),
        ("Ada Lovelace 020 7946 0958", [PHONE]),
        ("Ada Lovelace (choir)", ["Kept, not sent: (choir)"]),
        ("Ada Lovelace ada@gmial.com 020 7946 0958 (choir)", [PHONE, "Kept, not sent: (choir)"]),
    ],
)
async def test_what_looks_wrong_or_is_not_used_is_said_and_blocks_nothing(
    line: QuickAdd, text: str, sentences: list[str]
) -> None:
    line.type(text)
    assert said(line) == sentences
    assert line.save()
    assert said(line)[0].startswith("Ada Lovelace added.")


async def test_what_was_saved_is_said_until_the_next_is_typed(line: QuickAdd) -> None:
    line.type("Ada Lovelace")
    line.save()
    (words,) = said(line)
    assert words.startswith("Ada Lovelace added.")
    line.type("G")
    assert said(line) == []
    line.type("")
    assert says(line, "Name in either order")


async def test_a_key_is_promised_for_one_thing_alone(account: AccountFixture) -> None:
    lists = ProgressScreen(account.outbox, account.events, account.scope)
    line = QuickAdd(
        account.outbox,
        account.duplicates,
        account.settings,
        account.events,
        account.scope,
        lists=lists,
    )
    save(line, "Ada Lovelace")
    assert says(line, "Undo (Ctrl+Z)")
    rows = [BatchRow(2, ("Bob",), NewPerson(firstname="Bob"))]
    await account.outbox.batches.take("lunch.csv", ("Name",), rows)
    await account.until(lambda: says(line, "Name in either order"))
    assert "Ctrl+Z takes all of them back" in lists.state.lists[0].progress_words
    save(line, "Grace Hopper")
    assert says(line, "Undo (Ctrl+Z)")
    assert "Ctrl+Z" not in lists.state.lists[0].progress_words


async def test_a_likely_slip_in_an_email_is_mended_in_the_line(line: QuickAdd) -> None:
    line.type("Ada Lovelace ada@gmial.com 020 7946 0958")
    assert (line.state.repair, line.state.repair_words) == (
        "ada@gmail.com",
        "Did you mean ada@gmail.com?",
    )
    mended, replaced = Told(line.line_mended), Told(line.line_replaced)
    line.mend()
    assert (mended.times, replaced.times) == (1, 0)
    assert line.state.typed == "Ada Lovelace ada@gmail.com 020 7946 0958"
    assert line.state.person.email == "ada@gmail.com"
    assert (line.state.repair, line.state.repair_words) == (None, "")


async def test_a_slip_in_an_email_corrected_by_hand_is_mended_there(line: QuickAdd) -> None:
    line.type("Ada Lovelace ada@x.org")
    line.edit("email", "ada@gmial.com")
    line.mend()
    assert (line.state.typed, line.state.person.email) == (
        "Ada Lovelace ada@x.org",
        "ada@gmail.com",
    )


async def test_without_a_likely_repair_there_is_nothing_to_mend(line: QuickAdd) -> None:
    line.type("Ada Lovelace ada@x")
    told = Told(line.state_changed)
    line.mend()
    assert (told.times, line.state.person.email) == (0, "ada@x")


async def test_the_remark_is_about_the_email_as_corrected(line: QuickAdd) -> None:
    line.type("Ada Lovelace ada@gmial.com")
    line.edit("email", "ada@gmail.com")
    assert (line.state.repair, said(line)) == (None, [])


async def test_one_person_pasted_in_several_lines_is_read_whole(line: QuickAdd) -> None:
    line.type("Ada Lovelace\nada@x.org\n+44 20 7946 0000")
    assert line.state.person.email == "ada@x.org"
    assert line.state.person.phone == "+44 20 7946 0000"
    assert said(line) == [PHONE]


async def test_the_reading_is_told_to_a_screen_reader(line: QuickAdd) -> None:
    assert line.state.spoken == line.state.hint.words
    line.type("Ada Lovelace ada@gmial.com 020 7946 0958")
    assert line.state.spoken == (
        "Read as first name Ada, last name Lovelace, email ada@gmial.com, phone 020 7946 0958. "
        f"Did you mean ada@gmail.com? {PHONE}"
    )


async def test_another_order_of_names_reads_the_line_anew(account: AccountFixture) -> None:
    line = quick_add(account)
    line.type("Lovelace Ada")
    account.settings.change(name_order=NameOrderChoice.LAST_FIRST)
    line.reread()
    assert (line.state.person.firstname, line.state.person.lastname) == ("Ada", "Lovelace")


async def test_what_is_said_of_saving_ends_once_the_entry_is_on_its_way(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Ada Lovelace")
    assert line.state.hint.words.startswith("Ada Lovelace added.")
    told = Told(line.state_changed)
    await account.sent(account.outbox.entries()[-1], EntryState.ADDED)
    assert (line.state.hint.words, told.times) == (idle_words(), 1)


async def test_what_is_said_of_somebody_else_stays_when_an_earlier_entry_is_sent(
    account: AccountFixture,
) -> None:
    line = quick_add(account)
    save(line, "Ada Lovelace")
    first = account.outbox.entries()[-1]
    save(line, "Grace Hopper")
    sending = msgspec.structs.replace(first, state=EntryState.SENDING)
    account.events.publish(EntriesChanged((sending,)))
    assert line.state.hint.words.startswith("Grace Hopper added.")
