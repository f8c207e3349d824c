"""Which account of this computer a good credential belongs to, by real files and a list of ids."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.folders import OUTBOX, AccountFolders
from app.accounts.registry import as_known
from app.model.person import Person
from app.store.outbox.outbox import OutboxStore
from app.viewmodels.notices import Notice, NoticeAction
from app.workspace.account_check import AccountRecognition
from app.workspace.local_files import known_account, open_local_files
from tests.outbox.conftest import Listing
from tests.store.outbox_entries import entry

if TYPE_CHECKING:
    from app.api.service import Service
    from app.viewmodels.window.session import SessionScreen

ONE = Account(
    id="one", name="Org one", base_url="https://a.example.org", auth_method=AuthMethod.KEY
)
TWO = msgspec.structs.replace(ONE, id="two", name="Org two")
OF_ONE, OF_TWO = ("a", "b", "c"), ("x", "y")


def as_person(one: str | Person) -> Person:
    """Somebody of whom nothing else is told."""
    return Person(id=one) if isinstance(one, str) else one


class Desk:
    """The accounts of a computer, and a person who answers `says` when they are asked."""

    def __init__(self, folder: Path) -> None:
        self.folders = AccountFolders(folder)
        self.accounts: list[Account] = []
        self.says: bool | None = None
        self.asked: list[Notice] = []
        self.told: list[str] = []
        screen = cast("SessionScreen", self)
        self._recognition = AccountRecognition(
            screen, lambda: self.accounts, lambda one: known_account(self.folders, one)
        )

    async def ask(self, question: Notice) -> bool | None:
        self.asked.append(question)
        return self.says

    def say_until_read(self, notice: Notice) -> None:
        self.told.append(notice.sentence)

    async def knows(
        self,
        account: Account,
        *people: str | Person,
        waits: bool = False,
        draft: str = "",
        lists: bool = True,
    ) -> None:
        """This account was used here: its lists, and whom the outbox knows it by."""
        self.accounts.append(account)
        files = open_local_files(self.folders, account, keep=True)
        if lists:
            await files.cache.save_people(list(map(as_person, people)))
        else:
            ids = [as_person(one).id for one in people]
            files.store.set_metadata("known people", msgspec.json.encode(ids).decode())
        if waits:
            files.store.write(entry(1))
        files.store.keep_draft(draft)
        await files.close()

    async def enters(self, account: Account, *listed: str | Person) -> Account | None:
        """Somebody fills the form for this account, and its key shows these people."""
        self.listing = Listing(list(map(as_person, listed)))
        service = cast("Service", self)
        return await self._recognition.which(as_known(account, self.accounts), service)

    def people(self) -> Listing:
        return self.listing


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def typed(name: str) -> Account:
    """What the form makes of a name at that address."""
    return msgspec.structs.replace(ONE, id="typed", name=name)


@pytest.mark.parametrize("lists", [True, False])
async def test_somebody_who_is_known_is_enough_and_the_name_follows(
    desk: Desk, *, lists: bool
) -> None:
    await desk.knows(ONE, *OF_ONE, waits=True, lists=lists)
    found = await desk.enters(typed("New name"), "z", "c")
    assert found is not None
    assert (found.id, found.name, desk.asked) == ("one", "New name", [])


async def test_of_several_at_one_address_it_is_the_one_whose_people_come(desk: Desk) -> None:
    await desk.knows(ONE, *OF_ONE, waits=True)
    await desk.knows(TWO, *OF_TWO)
    for name in ("Org one", "Org two", "Something else"):
        found = await desk.enters(typed(name), *OF_TWO)
        assert found is not None
        assert (found.id, desk.asked) == ("two", [])


ADA = Person(id="1", firstname="Ada", lastname="Lovelace", email="ada@x.org")
BOB = Person(id="2", firstname="Bob", lastname="West", email="")


@pytest.mark.parametrize(
    ("listed", "same"),
    [
        # Another organisation that counts its people from one on, too.
        ([("1", "Imani", "Mwangi", "imani@y.org"), ("2", "Kaito", "Mori", "")], False),
        ([("1", "Imani", "Mwangi", ""), ("2", "Robert", "West", "")], True),
        # Married, and with another address; and what neither list says is no difference.
        ([("1", "Ada", "King", "king@x.org")], True),
        ([("1", "Imani", "Mwangi", "ada@x.org")], True),
        ([("2", "Kaito", "", "kaito@y.org")], True),
    ],
)
async def test_ids_alone_tell_no_organisation_where_somebody_else_has_them(
    desk: Desk, listed: list[tuple[str, ...]], same: bool
) -> None:
    await desk.knows(ONE, ADA, BOB)
    people = [Person(id=one, firstname=a, lastname=b, email=c) for one, a, b, c in listed]
    found = await desk.enters(typed("Org two"), *people)
    assert found is not None
    assert (found.id == "one", desk.asked) == (same, [])


@pytest.mark.parametrize("lists", [True, False])
@pytest.mark.parametrize(
    ("listed", "stake"),
    [
        (OF_TWO, {"waits": True}),
        (OF_TWO, {"draft": "Half typ"}),
        ((), {"waits": True}),
        ((), {}),
    ],
)
async def test_a_person_is_asked_where_something_could_go_to_another_organisation(
    desk: Desk, listed: tuple[str, ...], stake: dict[str, str], *, lists: bool
) -> None:
    await desk.knows(ONE, *OF_ONE, lists=lists, **stake)  # type: ignore[arg-type]  # as above
    assert await desk.enters(typed("Org two"), *listed) is None
    desk.says = True
    same = await desk.enters(typed("Org two"), *listed)
    desk.says = False
    other = await desk.enters(typed("Org two"), *listed)
    assert same is not None
    assert other is not None
    assert (same.id, same.name, other.name) == ("one", "Org two", "Org two")
    assert other.id not in {"one", "typed"}
    asked = desk.asked[0]
    assert (asked.action, asked.also) == (NoticeAction.OTHER_ACCOUNT, NoticeAction.SAME_ACCOUNT)
    assert ("1 person who is waiting" in asked.sentence) is ("waits" in stake)


async def test_with_nobody_to_compare_with_it_is_asked_only_where_somebody_waits(
    desk: Desk,
) -> None:
    await desk.knows(ONE)
    found = await desk.enters(typed("Org one"), *OF_TWO)
    assert found is not None
    assert (found.id, desk.asked) == ("one", [])
    await desk.knows(TWO, waits=True)
    assert await desk.enters(typed("Org two"), *OF_TWO) is None
    assert "cannot tell by its people" in desk.asked[0].sentence


async def test_a_clear_difference_is_another_account_and_its_name_is_another(desk: Desk) -> None:
    await desk.knows(ONE, *OF_ONE)
    found = await desk.enters(typed("Org one"), *OF_TWO)
    assert found is not None
    assert (found.id in {"one", "typed"}, found.name, desk.asked) == (False, "Org one 2", [])
    assert "kept as an account of its own, Org one 2." in desk.told[0]


async def test_who_waits_in_a_file_that_cannot_be_read_is_not_passed_over(desk: Desk) -> None:
    await desk.knows(ONE, waits=True)
    in_use = OutboxStore.open(desk.folders.of("one") / OUTBOX)
    try:
        assert await desk.enters(typed("Org one"), *OF_TWO) is None
    finally:
        in_use.close_now()
    assert desk.asked


async def test_looking_leaves_everything_as_it_was(desk: Desk) -> None:
    await desk.knows(ONE, *OF_ONE, waits=True, draft="Half typ")
    assert await desk.enters(typed("Org two"), *OF_TWO) is None
    files = open_local_files(desk.folders, ONE, keep=True)
    assert [one.id for one in files.store.entries()] == [entry(1).id]
    assert files.store.draft() == "Half typ"
    assert files.cache.row_of("a") is not None
    await files.close()


async def test_an_account_that_is_new_here_is_entered_without_reading_its_list(desk: Desk) -> None:
    found = await desk.enters(typed("Org one"), *OF_ONE)
    assert found is not None
    assert (found.id, desk.listing.received) == ("typed", 0)


async def test_an_empty_list_is_not_said_to_know_nobody(desk: Desk) -> None:
    await desk.knows(ONE, *OF_ONE, waits=True)
    assert await desk.enters(ONE) is None
    (question,) = desk.asked
    assert "cannot tell by its people" in question.sentence


async def test_who_waits_for_the_other_one_is_told_where_they_stay(desk: Desk) -> None:
    await desk.knows(ONE, *OF_ONE, waits=True)
    desk.says = False
    assert await desk.enters(TWO, *OF_TWO) is not None
    assert "1 person is not sent yet and stays on this computer for Org one" in desk.told[0]
