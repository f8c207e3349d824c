"""The quick-add line before a real outbox: nothing typed is cleared before it was taken."""

import sys

import pytest

from app.model.errors import ExpectedError
from app.model.outbox import EntryState, NewPerson, OutboxEntry
from app.outbox.events import EntriesChanged
from app.people import parsing
from app.people.parsing import entry_parser
from app.people.parsing.email import EmailRemark, check_email
from app.people.parsing.entry_parser import NameOrder, read_entry
from app.viewmodels.quick_add.quick_add import QuickAdd
from app.viewmodels.quick_add.typed_line import Field
from tests.viewmodels.conftest import AccountFixture, Told
from tests.viewmodels.quick_add.typing_room import quick_add, refused, said, says, typed


@pytest.fixture
def line(account: AccountFixture) -> QuickAdd:
    return quick_add(account)


async def test_a_line_is_read_while_it_is_typed(line: QuickAdd) -> None:
    told = Told(line.state_changed)
    line.type("Lovelace, Ada <ada@x.org>")
    assert line.state.person == NewPerson(firstname="Ada", lastname="Lovelace", email="ada@x.org")
    assert (line.state.typed, line.state.empty, told.times) == (
        "Lovelace, Ada <ada@x.org>",
        False,
        1,
    )


async def test_the_first_key_waits_for_nothing_to_be_loaded(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = quick_add(account)
    monkeypatch.setattr(parsing, "entry_parser", entry_parser)  # which is loaded anew
    monkeypatch.delitem(sys.modules, entry_parser.__name__)
    account.duplicates.take_up()
    await account.until(lambda: entry_parser.__name__ in sys.modules)
    assert line.state.empty


async def test_saving_hands_the_line_over_and_clears_it(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Lovelace ada@x.org")
    replaced = Told(line.line_replaced)
    assert line.save()
    (entry,) = account.outbox.entries()
    assert entry.typed == "Ada Lovelace ada@x.org"
    assert entry.new_person == NewPerson(firstname="Ada", lastname="Lovelace", email="ada@x.org")
    assert (line.state.typed, line.state.person, line.state.empty) == ("", NewPerson(), True)
    assert replaced.times == 1


async def test_the_line_is_still_there_until_the_outbox_has_taken_it(
    account: AccountFixture, line: QuickAdd
) -> None:
    seen: list[str] = []
    account.events.subscribe(EntriesChanged, lambda _: seen.append(line.state.typed), account.scope)
    line.type("Ada Lovelace")
    line.save()
    assert seen == ["Ada Lovelace"]


async def test_an_outbox_that_cannot_take_it_leaves_the_line_and_says_why(
    account: AccountFixture, line: QuickAdd, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(typed: str, new_person: NewPerson) -> OutboxEntry:
        raise ExpectedError("Disk full", f"There is no room for {typed} {new_person.email}.")

    monkeypatch.setattr(account.outbox, "add", full)
    line.type("Ada ada@x.org")
    line.edit("lastname", "Lovelace")
    replaced = Told(line.line_replaced)
    assert not line.save()
    assert line.state.typed == "Ada ada@x.org"
    assert line.state.person.lastname == "Lovelace"
    assert said(line) == ["There is no room for Ada ada@x.org ada@x.org."]
    assert replaced.times == 0


async def test_a_line_without_a_name_stays_and_says_what_is_needed_until_typing_goes_on(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("ada@x.org")
    told = Told(line.state_changed)
    assert not line.save()
    assert (line.state.typed, typed(account), told.times) == ("ada@x.org", [], 1)
    [sentence] = said(line)
    assert "a first name or a last name" in sentence
    line.type("ada@x.org A")
    assert said(line) == []


async def test_correcting_a_field_puts_the_problem_away(line: QuickAdd) -> None:
    line.type("ada@x.org")
    line.save()
    line.edit("firstname", "Ada")
    assert said(line) == []
    assert line.save()


@pytest.mark.parametrize("text", ["", "   "])
async def test_an_empty_line_is_not_saved_and_nothing_is_said(
    account: AccountFixture, line: QuickAdd, text: str
) -> None:
    hint = line.state.hint
    line.type(text)
    assert not line.save()
    assert (line.state.empty, line.state.remarks, line.state.hint, typed(account)) == (
        True,
        (),
        hint,
        [],
    )


@pytest.mark.parametrize("field", ["firstname", "lastname", "email"])
async def test_a_field_corrected_by_hand_survives_further_typing(
    line: QuickAdd, field: Field
) -> None:
    line.type("Ada Lovelace")
    line.edit(field, "by hand")
    line.type("Ada King Lovelace ada@x.org")
    expected = {"firstname": "Ada King", "lastname": "Lovelace", "email": "ada@x.org"}
    expected[field] = "by hand"
    assert line.state.person == NewPerson(**expected)


async def test_a_field_emptied_by_hand_stays_empty(account: AccountFixture, line: QuickAdd) -> None:
    line.type("Ada Lovelace ada@x.org")
    line.edit("email", "")
    line.type("Ada Lovelace ada@x.org ")
    line.save()
    assert account.outbox.entries()[0].new_person.email == ""


async def test_emptying_the_line_forgets_what_was_corrected(line: QuickAdd) -> None:
    line.type("Ada Lovelace")
    line.edit("lastname", "King")
    line.type(" ")
    line.type("Grace Hopper")
    assert line.state.person.lastname == "Hopper"


async def test_what_was_corrected_does_not_reach_the_next_person(line: QuickAdd) -> None:
    line.type("Ada Lovelace")
    line.edit("lastname", "King")
    line.save()
    line.type("Grace Hopper")
    assert line.state.person.lastname == "Hopper"


async def test_fields_filled_by_hand_alone_are_a_person(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.edit("firstname", "Ada")
    assert not line.state.empty
    assert line.save()
    assert account.outbox.entries()[0].new_person == NewPerson(firstname="Ada")
    assert line.state.empty


async def test_undo_takes_the_newest_back_into_the_line_as_it_was(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Grace Hopper")
    line.save()
    line.type("Ada Lovelace 020 7946 0958")
    line.edit("email", "ada@x.org")
    line.save()
    replaced = Told(line.line_replaced)
    assert line.undo_last()
    assert (line.state.typed, replaced.times) == ("Ada Lovelace 020 7946 0958", 1)
    assert line.state.person.email == "ada@x.org"
    assert line.state.person.phone == "020 7946 0958"
    assert typed(account) == ["Grace Hopper"]
    line.type("Ada King 020 7946 0958")
    assert (line.state.person.lastname, line.state.person.email) == ("King", "ada@x.org")


async def test_an_undone_line_saved_again_is_one_entry(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Lovelace")
    line.save()
    line.undo_last()
    line.save()
    assert typed(account) == ["Ada Lovelace"]


async def test_what_has_left_is_not_undone(account: AccountFixture, line: QuickAdd) -> None:
    entry = await refused(account, "Ada Lovelace")
    assert not line.undo(entry.id)
    assert not line.undo_last()
    assert (line.state.typed, typed(account)) == ("", ["Ada Lovelace"])


async def test_undo_after_sending_says_that_it_is_final(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada Lovelace")
    line.save()
    account.outbox.send_now()
    await account.until(lambda: account.outbox.entries()[0].state is EntryState.ADDED)
    assert not line.undo_last()
    assert "Ada Lovelace was sent, and sent is final" in line.state.hint.words
    assert not line.state.hint.calm
    assert typed(account) == ["Ada Lovelace"]


async def test_undo_passes_over_those_that_have_left(
    account: AccountFixture, line: QuickAdd
) -> None:
    corrected = await refused(account, "Ada Lovelace")
    await refused(account, "Grace Hopper")
    account.outbox.edit(corrected.id, corrected.typed, corrected.new_person)
    assert line.undo_last()
    assert (line.state.typed, typed(account)) == ("Ada Lovelace", ["Grace Hopper"])
    assert not line.undo_last()


async def test_undo_leaves_alone_what_is_being_typed(
    account: AccountFixture, line: QuickAdd
) -> None:
    account.add("Ada")
    line.type("Grace Hop")
    assert line.undo_last()
    assert (line.state.typed, typed(account)) == ("Grace Hop", [])


async def test_a_refused_entry_is_corrected_in_the_line_and_replaced_by_saving(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Ada Lovelace ada@x.org")
    replaced = Told(line.line_replaced)
    line.correct(entry)
    assert (line.state.typed, replaced.times) == ("Ada Lovelace ada@x.org", 1)
    line.edit("lastname", "King")
    assert line.save()
    (corrected,) = account.outbox.entries()
    assert (corrected.id, corrected.state) == (entry.id, EntryState.WAITING)
    assert corrected.new_person.full_name == "Ada King"
    assert line.state.empty


async def test_the_line_after_a_correction_is_somebody_new(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.correct(await refused(account, "Ada Lovelace"))
    line.save()
    line.type("Grace Hopper")
    line.save()
    assert typed(account) == ["Ada Lovelace", "Grace Hopper"]


async def test_leaving_the_line_leaves_the_entry_being_corrected_as_it_was(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Ada Lovelace")
    line.correct(entry)
    line.edit("lastname", "King")
    assert line.escape()
    assert (line.state.empty, line.state.person) == (True, NewPerson())
    assert said(line) == ["Nothing was changed."]
    assert account.outbox.entries() == (entry,)
    line.type("Grace Hopper")
    line.save()
    assert typed(account) == ["Ada Lovelace", "Grace Hopper"]


async def test_a_correction_without_a_name_stays_in_the_line(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Ada")
    line.correct(entry)
    line.edit("firstname", "")
    assert not line.save()
    assert "a first name or a last name" in said(line)[0]
    assert account.outbox.entries() == (entry,)


async def test_a_correction_that_comes_too_late_says_so_and_stays_in_the_line(
    account: AccountFixture, line: QuickAdd
) -> None:
    entry = await refused(account, "Ada Lovelace")
    line.correct(entry)
    line.edit("lastname", "King")
    account.outbox.send_again(entry.id)
    await account.sent(entry, EntryState.ADDED)
    assert not line.save()
    assert said(line)[0].startswith("That person was sent meanwhile.")
    assert (line.state.typed, line.state.person.lastname) == ("Ada Lovelace", "King")
    assert account.entry(entry.id).new_person.lastname == "Lovelace"


async def test_a_key_has_the_email_looked_at_once_and_enter_reads_nothing_anew(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[str] = []
    read: list[str] = []

    def looked(email: str) -> EmailRemark | None:
        looked_at.append(email)
        return check_email(email)

    def reading(text: str, order: NameOrder) -> NewPerson:
        read.append(text)
        return read_entry(text, order)

    monkeypatch.setattr("app.viewmodels.quick_add.quick_add.check_email", looked)
    monkeypatch.setattr("app.people.parsing.entry_parser.read_entry", reading)
    line = quick_add(account)

    def show() -> None:
        assert (line.state.repair, line.state.email_fault) == ("ada@gmail.com", "")
        assert line.state.repair_words in line.state.spoken

    line.state_changed.connect(show)
    line.type("Ada Lovelace ada@gmial.com")
    assert (looked_at, read) == (["ada@gmial.com"], ["Ada Lovelace ada@gmial.com"])
    line.state_changed.disconnect(show)
    assert line.save()
    assert [text for text in read[1:] if text] == []
    line.type("Eve eve@")
    assert line.state.email_fault


@pytest.mark.parametrize(
    ("typed_text", "wanted"),
    [
        ("Ada", "lastname"),
        ("Ada Lovelace", "email"),
        ("Lovelace, Ada", "email"),
        ("ada@x.org", "firstname"),
        ("Ada ada@x.org", "lastname"),
        ("Ada Lovelace ada@x.org", None),
    ],
)
async def test_what_comes_next_is_the_first_field_with_nothing_in_it(
    line: QuickAdd, typed_text: str, wanted: str | None
) -> None:
    line.type(typed_text)
    assert line.state.next_field == wanted


async def test_an_email_in_the_field_of_a_name_becomes_the_email(
    account: AccountFixture, line: QuickAdd
) -> None:
    line.type("Ada")
    line.edit("lastname", "ada@")
    assert line.state.person.lastname == "ada@", "while it is typed it stays where it is"
    line.edit("lastname", "ada@x.org")
    line.put_email_in_its_field()
    assert (line.state.person.lastname, line.state.person.email) == ("", "ada@x.org")

    line.edit("firstname", "Ada")
    line.edit("lastname", "Lovelace")
    assert line.save()
    line.type("Bob")
    line.edit("lastname", "bob@x.org")
    assert line.save()
    entries = [entry.new_person for entry in account.outbox.entries()]
    assert [(each.firstname, each.lastname, each.email) for each in entries] == [
        ("Ada", "Lovelace", "ada@x.org"),
        ("Bob", "", "bob@x.org"),
    ]


@pytest.mark.parametrize("field", ["firstname", "lastname"])
async def test_an_at_sign_is_never_saved_in_a_name(
    account: AccountFixture, line: QuickAdd, field: Field
) -> None:
    line.type("Ada Lovelace ada@x.org")
    line.edit(field, "home@x.org")
    assert not line.save()
    assert says(line, "A name has no @.")
    assert (account.outbox.entries(), line.state.typed) == ((), "Ada Lovelace ada@x.org")


SEVERAL = (
    "Ada\tLovelace\tada@x.org\nGrace\tHopper\tgrace@x.org",
    "Ada <ada@x.org>; Bob <bob@x.org>",
    "Ada Lovelace\nBob Quirk\nCara Hill\nDirk Stone\nEve Wood",
    f"Ada{' Lovelace' * 600}",  # longer than anybody's line
)


@pytest.mark.parametrize("pasted", SEVERAL)
async def test_several_people_that_are_pasted_are_handed_over_as_a_list(
    account: AccountFixture, line: QuickAdd, pasted: str
) -> None:
    lists: list[str] = []
    line.list_pasted.connect(lists.append)
    replaced = Told(line.line_replaced)
    line.type("Gra")
    line.edit("email", "grace@x.org")
    line.type("Gr" + pasted + "a")
    assert (lists, replaced.times) == ([pasted], 1)
    assert (line.state.typed, line.state.person.email) == ("Gra", "grace@x.org")
    assert account.outbox.entries() == ()


@pytest.mark.parametrize(
    ("before", "over"), [("Ada Lo", (0, 6)), ("Eve Smith", (0, 9)), ("Ada", (0, 0)), ("Lo", (2, 2))]
)
async def test_a_list_is_handed_over_letter_by_letter_as_it_was_pasted(
    line: QuickAdd, before: str, over: tuple[int, int]
) -> None:
    lists: list[str] = []
    line.list_pasted.connect(lists.append)
    line.type(before)
    pasted = "Ada Lovelace\nLola Byron\nBob Smith"
    line.type(before[: over[0]] + pasted + before[over[1] :], over=over)
    assert lists == [pasted]


@pytest.mark.parametrize("text", SEVERAL)
async def test_several_people_that_were_typed_are_handed_over_at_enter(
    account: AccountFixture, line: QuickAdd, text: str
) -> None:
    lists: list[str] = []
    line.list_pasted.connect(lists.append)
    # Letter by letter, or what is long by pieces that are no list alone.
    for end in (*range(1, len(text), len(text) // 60 + 1), len(text)):
        line.type(text[:end])
    assert lists == []
    # Nothing of it is left out, and the line does not say so.
    assert [remark.words for remark in line.state.remarks] == [
        "Several people: Enter looks them over as a list."
    ]
    assert not line.save()
    assert (lists, line.state.empty, account.outbox.entries()) == ([text], True, ())
    assert line.back()
    assert line.state.typed == text


@pytest.mark.parametrize(
    "text",
    ["Ada Lovelace ada@x.org ada@work.example", "Ada Lovelace\nada@x.org\nada@work.example"],
)
async def test_one_person_with_two_emails_is_no_list(line: QuickAdd, text: str) -> None:
    lists: list[str] = []
    line.list_pasted.connect(lists.append)
    line.type(text)
    assert line.save()
    assert lists == []
