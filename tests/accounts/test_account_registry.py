"""The list of accounts on disk."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from app.accounts.account import Account, AuthMethod
from app.accounts.registry import AccountRegistry, RegistryError

posix = pytest.mark.skipif(os.name != "posix", reason="these are POSIX permissions")


def an_account(account_id: str, **more: object) -> Account:
    plain = Account(
        id=account_id,
        name=account_id.title(),
        base_url="https://x.example",
        auth_method=AuthMethod.KEY,
    )
    return msgspec.structs.replace(plain, **more)


def test_a_new_computer_knows_no_account(tmp_path: Path) -> None:
    registry = AccountRegistry(tmp_path / "nothing yet")
    assert registry.accounts() == ()
    assert registry.last_used() is None
    assert registry.find("one") is None
    assert not (tmp_path / "nothing yet").exists()


def test_the_next_start_knows_what_was_kept(tmp_path: Path) -> None:
    kept = an_account(
        "one",
        auth_method=AuthMethod.PAGE,
        client_id="front-desk",
        redirect_uri="http://127.0.0.1:38973/signed-in",
        expires_at=datetime(2030, 5, 3, 14, 2, 0, 250000, tzinfo=UTC),
    )
    AccountRegistry(tmp_path).keep(kept)
    assert AccountRegistry(tmp_path).last_used() == kept
    assert AccountRegistry(tmp_path).find("one") == kept


def test_the_account_used_last_comes_first(tmp_path: Path) -> None:
    registry = AccountRegistry(tmp_path)
    for name in ("one", "two", "three", "one"):
        registry.keep(an_account(name))
    assert [account.id for account in registry.accounts()] == ["one", "three", "two"]
    assert registry.last_used() == an_account("one")


def test_an_account_left_stays_known_but_is_not_come_back_to(tmp_path: Path) -> None:
    registry = AccountRegistry(tmp_path)
    registry.keep(an_account("one"))
    registry.leave(an_account("one", in_vault=False))
    assert registry.last_used() is None
    assert registry.accounts() == (an_account("one", in_vault=False),)


def test_leaving_one_account_leaves_the_other_in_use(tmp_path: Path) -> None:
    registry = AccountRegistry(tmp_path)
    registry.keep(an_account("one"))
    registry.keep(an_account("two"))
    registry.leave(an_account("one"))
    assert registry.last_used() == an_account("two")


def test_a_forgotten_account_is_gone(tmp_path: Path) -> None:
    registry = AccountRegistry(tmp_path)
    registry.keep(an_account("one"))
    registry.keep(an_account("two"))
    registry.forget("two")
    registry.forget("never known")
    assert registry.accounts() == (an_account("one"),)
    assert registry.last_used() is None


def test_keeping_nothing_still_works_while_the_program_runs() -> None:
    registry = AccountRegistry(None)
    registry.keep(an_account("one"))
    assert registry.last_used() == an_account("one")
    assert AccountRegistry(None).accounts() == ()


def test_two_windows_do_not_lose_each_others_accounts(tmp_path: Path) -> None:
    first, second = AccountRegistry(tmp_path), AccountRegistry(tmp_path)
    first.accounts(), second.accounts()
    first.keep(an_account("one"))
    second.keep(an_account("two"))
    assert {account.id for account in first.accounts()} == {"one", "two"}


@posix
def test_nobody_else_may_look(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    AccountRegistry(folder).keep(an_account("one"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "accounts.json").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["accounts.json"]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b'{"accounts": [{"id": 1}]}',
        b'{"accounts": [{"id": "a", "name": "b", "base_url": "c", "way_in": "door"}]}',
        b'{"accounts": [], "more": ' + b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "accounts.json").write_bytes(damage)
    registry = AccountRegistry(tmp_path)
    assert registry.accounts() == ()
    assert (tmp_path / "accounts.damaged.json").read_bytes() == damage
    registry.keep(an_account("one"))
    assert registry.last_used() == an_account("one")


def test_what_is_not_a_file_at_all_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").mkdir()
    registry = AccountRegistry(tmp_path)
    assert registry.last_used() is None
    with pytest.raises(RegistryError):
        registry.keep(an_account("one"))


def test_a_folder_that_cannot_be_made_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("a file")
    registry = AccountRegistry(tmp_path / "in the way")
    assert registry.accounts() == ()
    with pytest.raises(RegistryError, match="will ask again next time"):
        registry.keep(an_account("one"))


def test_a_write_that_fails_leaves_the_old_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = AccountRegistry(tmp_path)
    registry.keep(an_account("one"))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RegistryError):
        registry.keep(an_account("two"))
    assert registry.accounts() == (an_account("one"),)
    assert [path.name for path in tmp_path.iterdir()] == ["accounts.json"]


@pytest.mark.parametrize("on_disk", [True, False])
def test_every_change_of_the_list_is_told_once_it_can_be_read(
    tmp_path: Path, on_disk: bool
) -> None:
    registry = AccountRegistry(tmp_path if on_disk else None)
    seen: list[list[str]] = []
    registry.when_changed(lambda: seen.append([each.id for each in registry.accounts()]))
    registry.keep(an_account("one"))
    registry.keep(an_account("two"))
    registry.leave(an_account("one"))
    registry.forget("two")
    assert seen == [["one"], ["two", "one"], ["one", "two"], ["one"]]


def test_a_time_that_somebody_wrote_without_a_zone_is_utc(tmp_path: Path) -> None:
    AccountRegistry(tmp_path).keep(
        an_account("one", expires_at=datetime(2030, 5, 3, 14, 2, tzinfo=UTC))
    )
    file = tmp_path / "accounts.json"
    file.write_text(file.read_text().replace("14:02:00Z", "14:02:00"))
    edited = AccountRegistry(tmp_path).find("one")
    assert edited is not None
    assert edited.seconds_left(datetime(2030, 5, 3, 14, 0, tzinfo=UTC)) == 120
