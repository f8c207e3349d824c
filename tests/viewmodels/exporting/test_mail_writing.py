"""Writing to several people: what the mail program gets, what is copied instead, what is said."""

import pytest

from app.model.person import Person
from app.viewmodels.exporting.mail_writing import MailWriting
from tests.viewmodels.conftest import ADA, BOB, EVE, AccountFixture

OLD = Person(id="old", firstname="Old", email="old@x.org", archived=True)
GONE = Person(id="gone", firstname="Gone", email="gone@x.org", deceased=True)
ZOE = Person(id="zoe", firstname="Zoe", email="zoe@x.org")


class Desk:
    """A mail program that is there or not, and the clipboard."""

    def __init__(self, account: AccountFixture) -> None:
        self.writing = MailWriting(account.directory, account.scope)
        self.has_program = True
        self.opened: list[str] = []
        self.copied: list[object] = []
        self.writing.copied.connect(self.copied.append)

    def open_mail(self, link: str) -> bool:
        if self.has_program:
            self.opened.append(link)
        return self.has_program

    @property
    def said(self) -> str:
        return self.writing.feedback.sentence


@pytest.fixture
def desk(account: AccountFixture) -> Desk:
    return Desk(account)


async def test_one_mail_goes_to_all_and_nothing_is_said_where_nobody_is_left_out(
    desk: Desk,
) -> None:
    desk.writing.write([ADA, ZOE], desk.open_mail)
    assert desk.opened == ["mailto:?bcc=ada@x.org,zoe@x.org"]
    assert (desk.copied, desk.said) == ([], "")


async def test_who_does_not_get_it_is_named(desk: Desk) -> None:
    desk.writing.write([ADA, BOB, EVE, GONE], desk.open_mail)
    assert desk.opened == ["mailto:ada@x.org"]
    assert desk.said == ("Without an email: Bob Øst, Eve Adams. Left out, as they have died: Gone.")
    desk.writing.write([ADA, GONE], desk.open_mail, {"gone"})
    assert (desk.opened[1], desk.said) == ("mailto:?bcc=ada@x.org,gone@x.org", "")


async def test_who_is_archived_and_gets_it_all_the_same_is_named(desk: Desk) -> None:
    desk.writing.write([ADA, OLD], desk.open_mail)
    assert desk.opened == ["mailto:?bcc=ada@x.org,old@x.org"]
    assert desk.said == "Archived, and among them: Old."
    desk.writing.write([OLD], desk.open_mail)
    assert desk.said == ""


async def test_without_a_mail_program_the_addresses_are_copied_and_it_is_said(desk: Desk) -> None:
    desk.has_program = False
    desk.writing.write([ADA, ZOE, BOB], desk.open_mail)
    assert desk.copied == ["Ada Lovelace <ada@x.org>, Zoe <zoe@x.org>"]
    assert desk.said == (
        "Front Desk found no mail program on this computer. The 2 addresses are copied instead: "
        "paste them into the Bcc line of a mail. Without an email: Bob Øst."
    )


async def test_more_than_a_link_can_carry_are_copied(desk: Desk, account: AccountFixture) -> None:
    many = [Person(id=str(n), firstname=f"P{n}", email=f"p{n}@example.org") for n in range(700)]
    desk.writing.write(many, desk.open_mail)
    await account.settle()
    assert desk.opened == []
    assert str(desk.copied[0]).count("@") == 700
    assert desk.said.startswith("700 addresses are more than a new mail can be begun with.")


async def test_who_is_written_to_last_is_the_one(desk: Desk, account: AccountFixture) -> None:
    await account.list_people(ADA, ZOE)
    many = [Person(id=str(n), firstname=f"P{n}", email=f"p{n}@x.org") for n in range(700)]
    desk.writing.write(many, desk.open_mail)
    desk.writing.write_to(["zoe"], desk.open_mail)
    await account.settle()
    assert (desk.opened, desk.copied) == (["mailto:zoe@x.org"], [])


async def test_with_nobody_to_write_to_nothing_is_opened(desk: Desk) -> None:
    desk.writing.write([BOB], desk.open_mail)
    assert (desk.opened, desk.copied) == ([], [])
    assert desk.said == "There is nobody to write to. Without an email: Bob Øst."


async def test_those_who_run_something_are_written_to_by_their_ids_but_not_archived_ones(
    desk: Desk, account: AccountFixture
) -> None:
    await account.list_people(ADA, OLD, ZOE, GONE)
    desk.writing.write_to(["zoe", "old", "ada", "zoe", "nobody", "gone"], desk.open_mail)
    await account.settle()
    assert desk.opened == ["mailto:?bcc=zoe@x.org,ada@x.org"]
    assert desk.said == (
        "Left out, as they have died: Gone. Left out, as they are archived: Old. "
        "Not in your list: …body."
    )


async def test_nobody_is_said_not_to_be_in_a_list_that_was_not_read(
    desk: Desk, account: AccountFixture
) -> None:
    desk.writing.write_to(["ada"], desk.open_mail)
    await account.settle()
    assert desk.said == (
        "There is nobody to write to. The list of people has not been read yet: names are missing."
    )


async def test_of_a_list_that_was_not_read_whole_that_is_said_with_who_is_not_in_it(
    desk: Desk, account: AccountFixture
) -> None:
    await account.list_people(ADA, total=9)
    desk.writing.write_to(["ada", "nobody"], desk.open_mail)
    await account.settle()
    assert desk.said == (
        "Not in your list: …body. The list of people was not read whole: names may be missing."
    )


async def test_where_there_are_more_than_a_sentence_names_all_of_them_are_in_the_details(
    desk: Desk, account: AccountFixture
) -> None:
    mute = [Person(id=f"m{n}", firstname=f"Mute {n}") for n in range(5)]
    await account.list_people(ADA, *mute)
    ids = [one.id for one in (ADA, *mute)]
    desk.writing.write_to([*ids, *(f"gone-{n}000" for n in range(4))], desk.open_mail)
    await account.settle()
    assert desk.said == (
        "Without an email: Mute 0, Mute 1, Mute 2 and 2 more. "
        "Not in your list: …0000, …1000, …2000 and 1 more."
    )
    assert desk.writing.feedback.details == (
        "Without an email: Mute 0, Mute 1, Mute 2, Mute 3, Mute 4.\n"
        "Not in your list: …0000, …1000, …2000, …3000."
    )
    desk.writing.write_to(ids[:2], desk.open_mail)
    await account.settle()
    assert (desk.said, desk.writing.feedback.details) == ("Without an email: Mute 0.", "")
