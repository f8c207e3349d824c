"""Whom somebody names from outside the window, and which account they are for."""

from pathlib import Path

import pytest

from app.accounts.account import Account, AuthMethod
from app.workspace.given_people import GivenPeople

OWN, DEMO = (
    Account(id=name, name=name, base_url="https://x.example", auth_method=auth_method)
    for name, auth_method in (("riverside", AuthMethod.KEY), ("demo", AuthMethod.DEMO))
)
ADA = "Ada Lovelace ada@x.example"


@pytest.fixture
def given(tmp_path: Path) -> GivenPeople:
    return GivenPeople(tmp_path, on_disk=True)


def test_the_demo_account_gets_nobody_and_the_persons_own_gets_them_over_a_restart(
    given: GivenPeople, tmp_path: Path
) -> None:
    given.append(ADA)
    assert given.for_account(DEMO) == ()
    given.clear_for(DEMO)
    later = GivenPeople(tmp_path, on_disk=True)
    assert (later.named, later.for_account(OWN)) == ((ADA,), (ADA,))
    later.clear_for(OWN)
    assert GivenPeople(tmp_path, on_disk=True).for_account(OWN) == ()


def test_who_was_asked_for_with_the_demo_account_goes_there_and_the_others_wait(
    given: GivenPeople, tmp_path: Path
) -> None:
    given.append(ADA)
    given.append("Bob Byron", for_demo=True)
    assert given.for_account(DEMO) == ("Bob Byron",)
    given.clear_for(DEMO)
    assert given.for_account(OWN) == (ADA,)
    assert GivenPeople(tmp_path, on_disk=True).for_account(OWN) == (ADA,)


def test_to_begin_typing_is_done_in_whichever_account_comes_first(given: GivenPeople) -> None:
    given.append("")
    assert (given.named, given.for_account(DEMO)) == ((), ("",))
    given.clear_for(DEMO)
    assert given.for_account(OWN) == ()
