"""Several people chosen, and what is copied of them."""

import msgspec
import pytest

from app.exporting.mail_list import SEMICOLON, mail_link
from app.exporting.spreadsheet import CopiedRows
from app.model.person import Person
from app.people.search import PeopleFilter
from app.viewmodels.formatting import clock, day
from app.viewmodels.people.copying import What
from app.viewmodels.people.people import PeopleScreen
from tests.viewmodels.conftest import ADA, BOB, EVE, NOON, AccountFixture, Told
from tests.viewmodels.people.people_room import row_of, screen_of


class Clipboard:
    """Every text handed over."""

    def __init__(self, screen: PeopleScreen) -> None:
        self.texts: list[object] = []
        self.tables: list[str] = []
        screen.copying.copied.connect(self._take)

    def _take(self, copied: object) -> None:
        if isinstance(copied, CopiedRows):
            self.texts.append(copied.text)
            self.tables.append(copied.html)
        else:
            self.texts.append(copied)


@pytest.fixture
def clipboard(screen: PeopleScreen) -> Clipboard:
    return Clipboard(screen)


async def test_one_row_is_chosen_as_ever_and_more_are_several(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    told = Told(screen.selection.changed)
    screen.choose_spans([(1, 1)])
    assert (screen.chosen_person, len(screen.selection.all)) == (BOB, 1)
    screen.choose_spans([(2, 2), (0, 0)])
    assert list(screen.selection.all) == [row_of(account, ADA), row_of(account, EVE)]
    assert told.since() == 2
    screen.choose_spans([])
    assert (screen.selection.first, screen.selection.all) == (None, ())


async def test_several_stay_chosen_when_others_come(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose_spans([(0, 1)])
    before = screen.selection.all
    await account.directory.took(Person(id="abel", firstname="Abel"))
    account.add("Zora", "Neale")
    assert screen.selection.all == before


async def test_somebody_who_is_gone_is_no_longer_among_those_chosen(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    screen.choose_spans([(0, 2)])
    await account.list_people(ADA, EVE)
    assert list(screen.selection.all) == [row_of(account, ADA), row_of(account, EVE)]
    await account.list_people(ADA)
    assert screen.selection.all == (row_of(account, ADA),)


async def test_rows_are_copied_as_a_spreadsheet_takes_them(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard
) -> None:
    await account.directory.took(
        msgspec.structs.replace(BOB, phone="1", mobile="2\t3", date_added=NOON)
    )
    entry = account.add("Zora", "Neale", "zora@x.org")
    screen.choose_spans([(0, 2)])
    screen.copying.copy(What.ROW)
    assert str(clipboard.texts[0]).split("\n") == [
        "Name\tEmail\tPhone\tMobile\tAdded",
        f"Zora Neale\tzora@x.org\t\t\t{clock(entry.typed_at)}",
        "Ada Lovelace\tada@x.org\t\t\t",
        f"Bob Øst\t\t1\t2 3\t{day(NOON)}",
    ]
    assert clipboard.tables[0].count("<tr>") == 4
    assert screen.state.remark == "3 rows copied."


async def test_emails_are_copied_once_each_and_it_is_said_who_has_none(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard
) -> None:
    await account.directory.took(Person(id="twin", firstname="Ada", email="ada@x.org"))
    await account.directory.took(Person(id="zoe", firstname="Zoe", email=" zoe@x.org "))
    screen.choose_spans([(0, 4)])
    screen.copying.copy(What.EMAIL)
    assert clipboard.texts == ["ada@x.org, zoe@x.org"]
    assert screen.state.remark == (
        "2 email addresses copied. 2 people have none: Bob Øst, Eve Adams."
    )


async def test_names_are_copied_a_line_each(screen: PeopleScreen, clipboard: Clipboard) -> None:
    screen.choose_spans([(0, 1)])
    screen.copying.copy(What.NAME)
    assert clipboard.texts == ["Ada Lovelace\nBob Øst"]


async def test_what_was_copied_is_said_until_the_next_step(screen: PeopleScreen) -> None:
    screen.choose_spans([(0, 0)])
    screen.copying.copy(What.ROW)
    assert screen.state.remark == "1 row copied."
    screen.choose_spans([(1, 1)])
    assert screen.state.remark == ""
    screen.copying.copy(What.ROW)
    screen.show_only(PeopleFilter.ARCHIVED)
    assert screen.state.remark == ""


async def test_with_nobody_chosen_nothing_is_copied(
    screen: PeopleScreen, clipboard: Clipboard
) -> None:
    screen.copying.copy(What.ROW)
    assert (clipboard.texts, screen.state.remark) == ([], "")


async def test_nothing_that_is_copied_runs_as_a_formula(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard
) -> None:
    call = "=HYPERLINK(1)"
    hostile = Person(id="h", firstname=call, lastname="a;@b", email="+x@x.org", phone="+61 400")
    await account.directory.took(hostile)
    await account.directory.took(Person(id="i", firstname=call, email="a@x;\x00\r\n=1"))
    screen.search("hyperlink")
    screen.choose_spans([(0, 1)])
    screen.copying.copy(What.ROW)
    screen.copying.copy(What.NAME)
    screen.copying.copy(What.EMAIL)
    rows, names, emails = clipboard.texts
    assert sorted(str(rows).split("\n")[1:]) == [
        f"'{call}\ta@x;' =1\t\t\t",
        f"'{call} a;'@b\t'+x@x.org\t'+61 400\t\t",
    ]
    assert sorted(str(names).split("\n")) == [f"'{call}", f"'{call} a;'@b"]
    assert set(str(emails).split(", ")) == {"<+x@x.org>", "a@x;' =1"}


async def test_a_long_list_is_copied_in_turns_and_whole(account: AccountFixture) -> None:
    await account.list_people(*(Person(id=str(n), firstname=f"P{n:04}") for n in range(1_200)))
    screen = screen_of(account)
    clipboard = Clipboard(screen)
    screen.choose_spans([(0, 1_199)])
    screen.copying.copy(What.NAME)
    assert (clipboard.texts, screen.state.remark) == ([], "Copying.")
    await account.settle()
    lines = str(clipboard.texts[0]).split("\n")
    assert (len(lines), lines[0], lines[-1]) == (1_200, "P0000", "P1199")
    assert screen.state.remark == "1,200 names copied."


async def test_a_mail_goes_to_one_openly_and_to_several_hidden_from_each_other(
    account: AccountFixture, screen: PeopleScreen
) -> None:
    await account.directory.took(Person(id="zoe", firstname="Zoe", email="zoe+1@x.org"))
    opened: list[str] = []

    def open_mail(link: str) -> bool:
        opened.append(link)
        return True

    for rows in ((0, 0), (0, 3), (1, 2)):
        screen.choose_spans([rows])
        screen.copying.write(open_mail)
    assert opened == ["mailto:ada@x.org", "mailto:?bcc=ada@x.org,zoe%2B1@x.org"]


async def test_a_mail_list_has_the_names_and_stands_apart_as_was_chosen(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard
) -> None:
    await account.directory.took(
        Person(id="zoe", firstname="Zoe", lastname="Neale, jr", email="zoe@x.org")
    )
    screen.choose_spans([(0, 3)])
    screen.copying.copy(What.MAIL_LIST)
    screen.writing.separator = SEMICOLON
    screen.copying.copy(What.MAIL_LIST)
    screen.copying.copy(What.EMAIL)
    ada, zoe = "Ada Lovelace <ada@x.org>", '"Zoe Neale, jr" <zoe@x.org>'
    assert clipboard.texts == [f"{ada}, {zoe}", f"{ada}; {zoe}", "ada@x.org; zoe@x.org"]
    screen.copying.copy(What.MAIL_LIST)
    assert screen.state.remark == (
        "2 email addresses copied. Without an email: Bob Øst, Eve Adams."
    )


@pytest.mark.parametrize("what", [What.EMAIL, What.MAIL_LIST])
async def test_who_has_died_is_in_no_list_of_addresses_unless_chosen_alone(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard, what: What
) -> None:
    await account.directory.took(msgspec.structs.replace(BOB, email="bob@x.org", deceased=True))
    screen.choose_spans([(0, 1)])
    screen.copying.copy(what)
    assert "bob@x.org" not in str(clipboard.texts[-1])
    assert screen.state.remark.endswith("Left out, as they have died: Bob Øst.")
    screen.choose_spans([(0, 0), (1, 1)])
    screen.copying.copy(what)
    assert "bob@x.org" in str(clipboard.texts[-1])
    # Nor where the rows that were chosen together begin with them.
    clipboard.texts.clear()
    screen.choose_spans([(1, 2)])
    screen.copying.copy(what)
    assert clipboard.texts == []
    screen.choose(row_of(account, BOB))
    screen.copying.copy(what)
    assert "bob@x.org" in str(clipboard.texts[-1])


@pytest.mark.parametrize("what", [What.EMAIL, What.MAIL_LIST, What.PHONE, What.MOBILE])
async def test_where_there_is_nothing_to_copy_the_clipboard_keeps_what_it_has(
    screen: PeopleScreen, clipboard: Clipboard, what: What
) -> None:
    screen.choose_spans([(1, 2)])
    screen.copying.copy(what)
    assert clipboard.texts == []
    said = screen.state.remark
    assert said.startswith(("There is no email address to copy.", "There is no number to copy."))
    assert said.endswith(": Bob Øst, Eve Adams.")


async def test_numbers_are_copied_as_a_telephone_takes_them(
    account: AccountFixture, screen: PeopleScreen, clipboard: Clipboard
) -> None:
    await account.directory.took(msgspec.structs.replace(ADA, phone="+61 400", mobile="=HYPER(1)"))
    screen.choose_spans([(0, 1)])
    screen.copying.copy(What.PHONE)
    assert screen.state.remark == "1 number copied. 1 person has none: Bob Øst."
    screen.copying.copy(What.MOBILE)
    assert clipboard.texts == ["+61 400", "'=HYPER(1)"]


async def test_more_rows_than_a_clipboard_bears_are_cut_and_it_is_said(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.people.copying.MOST_COPIED", 700)
    monkeypatch.setattr("app.viewmodels.exporting.copying.MOST_COPIED", 700)
    await account.list_people(*(Person(id=str(n), firstname=f"P{n:04}") for n in range(1_200)))
    screen = screen_of(account)
    clipboard = Clipboard(screen)
    screen.choose_spans([(0, 1_199)])
    screen.copying.copy(What.ROW)
    await account.settle()
    assert len(str(clipboard.texts[0]).split("\n")) == 701
    assert screen.state.remark == (
        "The first 700 of 1200 rows are copied; for all of them, save them as a file."
    )


async def test_what_is_copied_last_is_not_overtaken_by_more_that_was_copied_before(
    account: AccountFixture,
) -> None:
    await account.list_people(*(Person(id=str(n), firstname=f"P{n:04}") for n in range(1_200)))
    screen = screen_of(account)
    clipboard = Clipboard(screen)
    screen.choose_spans([(0, 1_199)])
    screen.copying.copy(What.NAME)
    screen.choose_spans([(7, 7)])
    screen.copying.copy(What.NAME)
    await account.settle()
    assert clipboard.texts == ["P0007"]


async def test_of_more_than_a_clipboard_bears_who_is_left_out_is_named_as_well(
    account: AccountFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewmodels.people.copying.MOST_COPIED", 700)
    monkeypatch.setattr("app.viewmodels.exporting.copying.MOST_COPIED", 700)
    people = [Person(id=str(n), firstname=f"P{n:04}") for n in range(1_200)]
    people[0] = msgspec.structs.replace(people[0], email="p@x.org")
    await account.list_people(*people)
    screen = screen_of(account)
    clipboard = Clipboard(screen)
    screen.choose_spans([(0, 1_199)])
    screen.copying.copy(What.MAIL_LIST)
    await account.settle()
    assert clipboard.texts == ["P0000 <p@x.org>"]
    assert screen.state.remark == (
        "The first 700 of 1200 rows are copied; for all of them, save them as a file. "
        "1 email address copied. Without an email: P0001, P0002, P0003 and 696 more."
    )
    screen.copying.copy(What.PHONE)
    await account.settle()
    assert screen.state.remark == (
        "There is no number to copy. 700 people have none: P0000, P0001, P0002 and 697 more. "
        "Only the first 700 of 1200 rows were looked through."
    )
    assert clipboard.texts[1:] == []


def test_an_address_cannot_add_a_field_to_the_mail() -> None:
    assert mail_link(["a@x.org?cc=b@x.org&body=hi"]) == (
        "mailto:a@x.org%3Fcc%3Db@x.org%26body%3Dhi"
    )


def test_more_addresses_than_a_link_holds_make_none() -> None:
    assert mail_link([f"somebody{n}@example.org" for n in range(200)]) == ""
