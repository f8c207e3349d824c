"""Recognising an organisation by ids that were known before."""

from typing import TYPE_CHECKING, cast

import pytest

from app.model.person import Person
from app.outbox.account_matching import AccountMatch, recognise, recognise_service
from tests.outbox.conftest import Listing

if TYPE_CHECKING:
    from app.api.service import Service

KNOWN = {"a", "b"}


@pytest.mark.parametrize(
    ("listed", "known", "expected"),
    [
        (["x", "a"], KNOWN, AccountMatch.SAME),
        (["x", "y"], KNOWN, AccountMatch.NOBODY_KNOWN),
        ([], KNOWN, AccountMatch.NOBODY_KNOWN),
        (["x"], set(), AccountMatch.NOTHING_TO_COMPARE),
    ],
)
def test_one_known_id_is_enough_and_none_is_a_question(
    listed: list[str], known: set[str], expected: AccountMatch
) -> None:
    assert recognise(listed, known.__contains__, len(known)) is expected


class ListedAccount:
    def __init__(self, *pages: str) -> None:
        self.listing = Listing(*([Person(id=i) for i in page] for page in pages))

    def people(self) -> Listing:
        return self.listing


async def ask(account: ListedAccount, known: set[str]) -> AccountMatch:
    service = cast("Service", account)
    return await recognise_service(service, known.__contains__, len(known))


async def test_a_service_is_read_only_as_far_as_it_takes() -> None:
    account = ListedAccount("xy", "za", "bc")
    assert await ask(account, KNOWN) is AccountMatch.SAME
    assert account.listing.received == 4
    stranger = ListedAccount("xy", "z")
    assert await ask(stranger, KNOWN) is AccountMatch.NOBODY_KNOWN
    nobody = ListedAccount()
    assert await ask(nobody, KNOWN) is AccountMatch.NOBODY_LISTED
    unread = ListedAccount("xy")
    assert await ask(unread, set()) is AccountMatch.NOTHING_TO_COMPARE
    assert unread.listing.received == 0
