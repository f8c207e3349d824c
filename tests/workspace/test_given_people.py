"""Whom somebody names from outside the window, and which account they are for."""

import errno
from pathlib import Path

import pytest

from app.accounts.account import Account, AuthMethod
from app.viewmodels.notices import given_people_wait
from app.workspace.given_people import GivenPeople, put_together

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
    assert list(given.hand_over(DEMO)) == []
    given.are_kept()
    later = GivenPeople(tmp_path, on_disk=True)
    assert later.named == (ADA,)
    assert list(later.hand_over(OWN)) == [ADA]
    later.are_kept()
    assert list(GivenPeople(tmp_path, on_disk=True).hand_over(OWN)) == []


def test_who_was_asked_for_with_the_demo_account_goes_there_and_the_others_wait(
    given: GivenPeople, tmp_path: Path
) -> None:
    given.append(ADA)
    given.append("Bob Byron", for_demo=True)
    assert list(given.hand_over(DEMO)) == ["Bob Byron"]
    given.are_kept()
    assert list(given.hand_over(OWN)) == [ADA]
    assert list(GivenPeople(tmp_path, on_disk=True).hand_over(OWN)) == [ADA]


def test_a_list_goes_into_the_demo_account_only_where_it_was_asked_for_with_it(
    given: GivenPeople, tmp_path: Path
) -> None:
    first, second = tmp_path / "people.csv", tmp_path / "more.csv"
    given.append(ADA)
    given.append_list(first)
    given.append_list(second, for_demo=True)
    assert list(given.named) == [ADA, "people.csv"]
    assert list(given.hand_over_lists(DEMO)) == [second]
    assert list(given.hand_over_lists(OWN)) == [first]
    assert list(given.named) == [ADA]
    assert list(given.hand_over_lists(OWN)) == []


def test_to_begin_typing_is_done_in_whichever_account_comes_first(given: GivenPeople) -> None:
    given.append("")
    assert given.named == ()
    assert list(given.hand_over(DEMO)) == [""]
    assert list(given.hand_over(OWN)) == []


def test_whoever_was_handed_over_stays_in_the_file_until_the_account_keeps_them(
    given: GivenPeople, tmp_path: Path
) -> None:
    given.append(ADA)
    given.hand_over(OWN)
    assert given.named == ()
    given.append("Bob Byron")
    assert list(given.hand_over(OWN)) == ["Bob Byron"]
    assert GivenPeople(tmp_path, on_disk=True).named == (ADA, "Bob Byron")
    given.are_kept()
    assert GivenPeople(tmp_path, on_disk=True).named == ()


def test_on_a_full_disk_nobody_who_was_added_is_named_once_more(
    given: GivenPeople, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    given.append(ADA)
    given.hand_over(OWN)
    monkeypatch.setattr("app.runtime.files.replace_whole", full)
    given.are_kept()
    assert GivenPeople(tmp_path, on_disk=True).named == ()


def test_where_they_cannot_be_kept_they_are_told_to_end_with_the_window(tmp_path: Path) -> None:
    (tmp_path / "given.json").mkdir()
    for kept, lasts in (
        (GivenPeople(tmp_path, on_disk=True), False),
        (GivenPeople(tmp_path / "other", on_disk=False), False),
        (GivenPeople(tmp_path / "third", on_disk=True), True),
    ):
        kept.append(ADA)
        assert kept.lasts is lasts
        told = given_people_wait(kept.named, in_demo=False, lasts=kept.lasts)
        assert ("not kept when this window closes" in told.sentence) is not lasts


def test_what_was_damaged_stays_set_aside_when_nobody_waits_any_more(tmp_path: Path) -> None:
    (tmp_path / "given.json").write_text('{"people":["Ada')
    given = GivenPeople(tmp_path, on_disk=True)
    given.append(ADA)
    given.hand_over(OWN)
    given.are_kept()
    assert "Ada" in (tmp_path / "given.damaged.json").read_text()


def test_very_many_who_were_named_one_by_one_are_looked_over_as_a_list() -> None:
    few = ["", "Bob\nEve", *(f"Ada {n}" for n in range(20))]
    assert put_together(few) == ("", few)
    assert put_together([*few, "Jo  Byron "]) == ("\n".join([*few[2:], "Jo Byron"]), ["Bob\nEve"])
